/* SPDX-License-Identifier: 0BSD */
/* device.c - choose the device for each call by what was measured on each:
 *
 *	cc device.c $(pkg-config --cflags --libs foretime) -o device
 *	./device
 */
#define _POSIX_C_SOURCE 200809L
#include <foretime/device.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
	char folder[] = "/tmp/example-XXXXXX", path[64] = "";
	static const char *const name[] = {"cpu", "gpu"};
	static const double start_s[] = {1e-6, 2e-3},
			    each_s[] = {1e-7, 1e-9}; /* a start, and for each of n */
	static struct ft_machine machine;            /* static: zero-initialised */
	static struct ft_rank_options options;
	struct ft_store *store = NULL;
	struct ft_dispatch *dispatch = NULL;
	struct ft_err err;
	size_t device = 0, wrong = 0;
	double sure = 0;

	if (mkdtemp(folder))
		snprintf(path, sizeof path, "%s/store.db", folder);
	machine.fingerprint = strdup("0123456789abcdef"); /* of this machine: ft_machine_read */
	bool good = !ft_store_open(&store, path, 0, &err) && !ft_store_put_machine(store, &machine, &err);

	for (int d = 0; good && d < 2; d++) {
		static struct ft_program program; /* one NAME, a device each */

		program.name = strdup("solve");
		program.device = strdup(name[d]);
		program.hash = strdup("");
		program.n_params = 1;
		good = !ft_param_parse("n=1000:1000000", &program.param[0], &err) &&
		       !ft_store_put_program(store, &program, &err);
		for (double n = 1000; good && n < 1e6; n *= 2) {
			struct ft_run run;

			ft_run_init(&run);
			run.size.n = 1;
			run.size.value[0] = n;
			good = !ft_run_add(&run, &ft_wall_s, start_s[d] + each_s[d] * n, FT_MEASURED, "mine",
					   NULL, &err) &&
			       !ft_store_add_run(store, program.id, machine.id, &run, &err);
			ft_run_clear(&run);
		}
		ft_program_clear(&program);
	}
	options.here = machine.id;
	good = good && !ft_dispatch_open(&dispatch, store, "solve", &options, &err);
	if (!good)
		fprintf(stderr, "device: %s; %s\n", err.text, err.remedy);
	for (double n = 2000; good && n < 1e6; n *= 100) {
		good = !ft_device_choose(dispatch, &n, &device, &sure); /* takes 0.14 us */
		printf("n=%g: %s, best with %.0f %% probability\n", n, ft_dispatch_device(dispatch, device),
		       100 * sure);
		wrong += sure < 0.9 || strcmp(ft_dispatch_device(dispatch, device), name[n > 20000]);
	}
	ft_dispatch_close(dispatch);
	ft_store_close(store);
	ft_machine_clear(&machine);
	remove(path);
	rmdir(folder);
	return !good || wrong > 0;
}
