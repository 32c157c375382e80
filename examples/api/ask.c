/* SPDX-License-Identifier: 0BSD */
/* ask.c - ask a store how long a program will run, and how large a problem fits into memory:
 *
 *	cc ask.c $(pkg-config --cflags --libs foretime) -o ask
 *	./ask
 *
 * Its runs are made up here. Those of `foretime build` are in the usual store:
 * ft_store_open(&store, NULL, FT_STORE_READ, &err).
 */
#define _POSIX_C_SOURCE 200809L
#include <foretime/ask.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
	char folder[] = "/tmp/example-XXXXXX", path[64] = "";
	static const char *const name[] = {"n"};
	const double n = 12000;
	static struct ft_program program; /* static: zero-initialised */
	static struct ft_machine machine;
	static struct ft_limit limit;
	struct ft_store *store = NULL;
	struct ft_answerer *models = NULL;
	struct ft_prediction p;
	struct ft_largest largest;
	struct ft_size size;
	struct ft_err err;

	program.name = strdup("solve");
	program.hash = strdup(""); /* its runs were not made by foretime */
	program.n_params = 1;
	machine.fingerprint = strdup("0123456789abcdef"); /* of this machine: ft_machine_read */
	if (mkdtemp(folder))
		snprintf(path, sizeof path, "%s/store.db", folder);
	bool good = !ft_store_open(&store, path, 0, &err) &&
		    !ft_param_parse("n=1000:100000", &program.param[0], &err) &&
		    !ft_store_put_machine(store, &machine, &err) &&
		    !ft_store_put_program(store, &program, &err);

	for (double at = 1000; good && at <= 16000; at *= 2) {
		struct ft_run run;

		ft_run_init(&run);
		run.size.n = 1;
		run.size.value[0] = at;
		good = !ft_run_add(&run, &ft_wall_s, 4e-8 * at * at, FT_MEASURED, "mine", NULL, &err) &&
		       !ft_run_add(&run, &ft_peak_rss_bytes, 8 * at * at, FT_MEASURED, "mine", NULL, &err) &&
		       !ft_store_add_run(store, program.id, machine.id, &run, &err);
		ft_run_clear(&run);
	}
	limit.resource = &ft_peak_rss_bytes;
	limit.most = 3.2e9;
	good = good && !ft_ask_open(&models, store, "solve", NULL, machine.id, &err) &&
	       !ft_ask_size(models, name, &n, 1, &size, &err) &&
	       !ft_ask_predict(models, &ft_wall_s, &size, 0.9, &p, &err) &&
	       !ft_ask_largest(models, &limit, 1, &size, 0, 0.95, &largest, &err);
	if (!good)
		fprintf(stderr, "ask: %s; %s\n", err.text, err.remedy);
	else
		printf("n=12000: %.3g s, with 90 %% confidence %.3g .. %.3g s (%s)\nlargest n in 3.2 GB: "
		       "%g\n",
		       p.value, p.lower, p.upper, ft_basis_text(p.basis), largest.size.value[0]);
	/* 4e-8 n^2 s is 5.76 s; 8 n^2 bytes are 3.2 GB at n = 20000, which the interval makes smaller. */
	bool right = good && p.value > 5.5 && p.value < 6 && largest.size.value[0] > 16000 &&
		     largest.size.value[0] <= 20000;

	ft_ask_close(models);
	ft_store_close(store);
	ft_program_clear(&program);
	ft_machine_clear(&machine);
	remove(path);
	rmdir(folder);
	return !right;
}
