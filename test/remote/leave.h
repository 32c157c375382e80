/* SPDX-License-Identifier: GPL-3.0-or-later */
/* leave.h - what a task leaves, made here: a store of one run. Include in one file of a program. */
#ifndef FT_TEST_REMOTE_LEAVE_H
#define FT_TEST_REMOTE_LEAVE_H

#include "facts/door.h"
#include "foretime/store.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct left {
	const char *hash, *host; /* host: its machine is drawn from it; NULL: `machine` */
	const struct ft_machine *machine;
	struct ft_size size;
	enum ft_outcome outcome;
	int signal;
	double wall_s;
};

/* A run of the program "job" at a size of n; without one, of another program. */
__attribute__((unused)) static enum ft_status leave_run(const char *path, const struct left *left,
							struct ft_err *err)
{
	struct ft_program program = {.name = strdup("job"), .hash = strdup(left->hash)};
	struct ft_machine named = {0};
	struct ft_store *store = NULL;
	struct ft_run run;
	enum ft_status status = left->host ? ft_machine_named(left->host, &named, err) : FT_OK;
	struct ft_machine machine = left->host ? named : *left->machine;

	ft_run_init(&run);
	run.size = left->size;
	run.outcome = left->outcome;
	run.signal = left->signal;
	run.cost_s = left->wall_s;
	run.started_ns = (int64_t)(1e18 + 1e9 * left->wall_s);
	run.real = true;
	program.n_params = left->size.n;
	if (!status && left->size.n)
		status = ft_param_parse("n=1:100", &program.param[0], err);
	if (!status && !left->outcome)
		status = ft_run_add(&run, &ft_wall_s, left->wall_s, FT_MEASURED, "process", NULL, err);
	machine.id = 0;
	if (!status)
		status = ft_store_open(&store, path, 0, err);
	if (!status)
		status = ft_store_put_machine(store, &machine, err);
	if (!status)
		status = ft_store_put_program(store, &program, err);
	if (!status)
		status = ft_store_add_run(store, program.id, machine.id, &run, err);
	ft_store_close(store);
	ft_run_clear(&run);
	ft_machine_clear(&named);
	ft_program_clear(&program);
	return status;
}

#endif
