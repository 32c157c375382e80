/* SPDX-License-Identifier: 0BSD */
/* store.c - keep runs that a program made, and read them again:
 *
 *	cc store.c $(pkg-config --cflags --libs foretime) -o store
 *	./store
 */
#define _POSIX_C_SOURCE 200809L
#include <foretime/store.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
	char folder[] = "/tmp/example-XXXXXX", path[64] = "";
	static struct ft_program program; /* static: zero-initialised */
	static struct ft_machine machine;
	static struct ft_runs runs, again;
	struct ft_store *store = NULL;
	struct ft_err err;

	program.name = strdup("solve");
	program.hash = strdup(""); /* its runs were not made by foretime */
	program.n_params = 1;
	machine.fingerprint = strdup("0123456789abcdef"); /* of this machine: ft_machine_read */
	if (mkdtemp(folder))
		snprintf(path, sizeof path, "%s/store.db", folder);
	bool good = !ft_store_open(&store, path, 0, &err) &&
		    !ft_param_parse("n=1000:4000", &program.param[0], &err) &&
		    !ft_store_put_machine(store, &machine, &err) &&
		    !ft_store_put_program(store, &program, &err);

	for (int i = 1; good && i <= 4; i++) {
		struct ft_run run;

		ft_run_init(&run);
		run.size.n = 1;
		run.size.value[0] = 1000 * i;
		good = !ft_run_add(&run, &ft_wall_s, 0.2 * i, FT_MEASURED, "mine", NULL, &err) &&
		       !ft_runs_take(&runs, &run, &err);
	}
	good = good && !ft_store_add_runs(store, program.id, machine.id, &runs, &err) && /* all, or none */
	       !ft_store_get_runs(store, program.id, machine.id, &again, &err);
	if (!good)
		fprintf(stderr, "store: %s; %s\n", err.text, err.remedy);
	else
		printf("%s: %zu runs, the last took %g s\n", program.name, again.n,
		       ft_run_value(&again.run[again.n - 1], &ft_wall_s));
	bool right = good && again.n == 4 && ft_run_value(&again.run[3], &ft_wall_s) == 0.8;

	ft_store_close(store);
	ft_runs_clear(&runs);
	ft_runs_clear(&again);
	ft_program_clear(&program);
	ft_machine_clear(&machine);
	remove(path);
	rmdir(folder);
	return !right;
}
