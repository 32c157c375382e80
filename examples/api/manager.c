/* SPDX-License-Identifier: 0BSD */
/* manager.c - ask the manager that runs (foretime serve) for a prediction; the usual program is `solve`:
 *
 *	cc manager.c $(pkg-config --cflags --libs foretime) -o manager
 *	./manager NAME N
 */
#include <foretime/manager.h>

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	static struct ft_manager_question question; /* static: zero-initialised */
	struct ft_manager_value size;
	struct ft_prediction p;
	struct ft_err err;
	enum ft_status status;

	size.name = "n";
	size.value = argc > 2 ? atof(argv[2]) : 4096;
	question.name = argc > 1 ? argv[1] : "solve";
	question.size = &size;
	question.n = 1;
	status = ft_manager_predict(&question, &p, &err);
	if (status)
		fprintf(stderr, "manager: %s%s%s\n", err.text, *err.remedy ? "; " : "", err.remedy);
	else
		printf("%s n=%g: %g s, with 90 %% confidence %g .. %g s (%s)\n", question.name, size.value,
		       p.value, p.lower, p.upper, ft_basis_text(p.basis));
	if (status == FT_ENOENT || status == FT_ENOMODEL) /* no manager runs here, or it has no such model */
		return 77;
	return status || !(p.value > 0);
}
