/* SPDX-License-Identifier: 0BSD */
/* model.c - fit a model to measurements that a program has, and extrapolate:
 *
 *	cc model.c $(pkg-config --cflags --libs foretime) -o model
 *	./model
 */
#include <foretime/model.h>

#include <stdio.h>

int main(void)
{
	static const double n[] = {1000, 2000, 4000, 8000, 16000, 32000};
	static const double seconds[] = {0.11, 0.14, 0.27, 0.75, 2.66, 10.4};
	const struct ft_size size = {1, {64000}};
	struct ft_model *model = NULL;
	struct ft_prediction p;
	struct ft_err err;
	enum ft_status status = ft_model_fit_xy(&model, n, seconds, sizeof n / sizeof *n, &err);

	if (!status)
		status = ft_model_predict(model, &size, 1, 0.9, &p, &err);
	if (status)
		fprintf(stderr, "model: %s; %s\n", err.text, err.remedy);
	else
		printf("n=64000: %.3g s, 90 %% of runs %.3g .. %.3g s (%s)\n", p.value, p.lower, p.upper,
		       ft_basis_text(p.basis));
	ft_model_free(model);
	/* They are about 0.1 + 1e-8 n^2: 41 s. */
	return status || p.value < 37 || p.value > 45 || p.lower > 41 || p.upper < 41;
}
