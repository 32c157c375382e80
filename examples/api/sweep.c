/* SPDX-License-Identifier: 0BSD */
/* sweep.c - measure at sizes that a builder chooses, keep the runs in a store, and model them:
 *
 *	cc sweep.c $(pkg-config --cflags --libs foretime) -o sweep
 *	./sweep
 *
 * A function stands for the program: for a real one ft_source_open_process opens the source (measure.c).
 */
#define _POSIX_C_SOURCE 200809L
#include <foretime/sweep.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static double seconds(void *ctx, const struct ft_size *size)
{
	(void)ctx;
	return 0.01 + 3e-7 * size->value[0] * size->value[0];
}

int main(void)
{
	char folder[] = "/tmp/example-XXXXXX", path[64] = "";
	static struct ft_program program; /* static: zero-initialised */
	static struct ft_machine machine;
	static struct ft_sweep_options options;
	static struct ft_sweep_report report;
	struct ft_store *store = NULL;
	struct ft_source *source = NULL;
	struct ft_err err;

	program.name = strdup("squares");
	program.hash = strdup(""); /* of no executable */
	program.n_params = 1;
	machine.fingerprint = strdup("0123456789abcdef"); /* of this machine: ft_machine_read */
	options.builder = ft_builder_type_get(0);         /* the usual one */
	options.resource = &ft_wall_s;
	options.confidence = 0.95;
	options.budget_s = 60;
	if (mkdtemp(folder))
		snprintf(path, sizeof path, "%s/store.db", folder);
	bool good = !ft_store_open(&store, path, 0, &err) &&
		    !ft_param_parse("n=100:5000", &program.param[0], &err) &&
		    !ft_store_put_machine(store, &machine, &err) &&
		    !ft_store_put_program(store, &program, &err) &&
		    !ft_source_open_oracle(&source, seconds, NULL, 0.02, 1, &err) && /* noise of 2 % */
		    !ft_sweep_run(store, &program, &machine, source, &options, &report, &err);

	if (!good)
		fprintf(stderr, "sweep: %s; %s\n", err.text, err.remedy);
	else
		printf("%zu runs of %zu sizes, %.3g s: typical runs known to +- %.2g %%\n", report.runs,
		       report.points, report.cost_s, 100 * report.known_to);
	bool right = good && report.models == 1 && report.points >= 3 && report.known_to < 0.1;

	ft_sweep_report_clear(&report);
	ft_source_close(source);
	ft_store_close(store);
	ft_program_clear(&program);
	ft_machine_clear(&machine);
	remove(path);
	rmdir(folder);
	return !right;
}
