/* SPDX-License-Identifier: 0BSD */
/* facts.c - make runs of numbers that a program has, look at them by size, and write them as a table:
 *
 *	cc facts.c $(pkg-config --cflags --libs foretime) -o facts
 *	./facts
 */
#include <foretime/facts.h>

#include <stdio.h>
#include <stdlib.h>

int main(void)
{
	static const double n[] = {100, 100, 100, 200, 200, 200};
	static const double seconds[] = {0.12, 0.11, 0.13, 0.45, 0.44, 0.49};
	static struct ft_program program; /* static: zero-initialised */
	static struct ft_runs runs;
	struct ft_size_values *at = NULL;
	char *table = NULL;
	size_t sizes = 0;
	bool right = 0;
	struct ft_err err;
	enum ft_status status = ft_param_parse("n=100:200:100", &program.param[0], &err);

	program.n_params = 1;
	for (size_t i = 0; !status && i < sizeof n / sizeof *n; i++) {
		struct ft_run run;

		ft_run_init(&run);
		run.size.n = 1;
		run.size.value[0] = n[i];
		status = ft_run_add(&run, &ft_wall_s, seconds[i], FT_MEASURED, "mine", NULL, &err);
		if (!status)
			status = ft_runs_take(&runs, &run, &err); /* which takes over what the run holds */
		else
			ft_run_clear(&run);
	}
	if (!status)
		status = ft_runs_values(&runs, &ft_wall_s, &at, &sizes, &err);
	if (!status)
		status = ft_runs_write(&program, &runs, &table, &err);
	if (status)
		fprintf(stderr, "facts: %s; %s\n", err.text, err.remedy);
	for (size_t i = 0; !status && i < sizes; i++)
		printf("n=%g: median %g s of %zu runs\n", at[i].size.value[0], at[i].median, at[i].n);
	if (!status) {
		fputs(table, stdout);
		right = sizes == 2 && at[0].median == 0.12 && at[1].median == 0.45;
	}
	free(table);
	free(at);
	ft_runs_clear(&runs);
	ft_program_clear(&program);
	return !right;
}
