/* SPDX-License-Identifier: GPL-3.0-or-later */
/* machines-test.h - a store of programs that ran on several machines, for tests of what one says of another.
 * Include after tap.h and temp.h. */
#ifndef FT_TEST_MACHINES_H
#define FT_TEST_MACHINES_H

#include "base/alloc.h"
#include "foretime/ask.h"

#include <math.h>

static struct ft_store *store;

static int64_t add_machine(const char *fingerprint, const char *host)
{
	struct ft_machine machine = {.fingerprint = ft_strdup(fingerprint), .host = ft_strdup(host)};
	int64_t id;

	(void)ft_store_put_machine(store, &machine, NULL);
	id = machine.id;
	ft_machine_clear(&machine);
	return id;
}

static int64_t add_program(const char *name)
{
	struct ft_program p = {.name = ft_strdup(name), .hash = ft_strdup(""), .n_params = 1};
	int64_t id;

	(void)ft_param_parse("n=10:1e6", &p.param[0], NULL);
	(void)ft_store_put_program(store, &p, NULL);
	id = p.id;
	ft_program_clear(&p);
	return id;
}

static void add_run(int64_t program, int64_t machine, double n, double wall_s, double instructions)
{
	struct ft_run run = {.size = {1, {n}}, .work = NAN, .load_before = NAN, .cpu_hz = 2e9};

	(void)ft_run_add(&run, &ft_wall_s, wall_s, FT_MEASURED, "test", NULL, NULL);
	if (instructions > 0)
		(void)ft_run_add(&run, &ft_instructions, instructions, FT_MEASURED, "test", NULL, NULL);
	(void)ft_store_add_run(store, program, machine, &run, NULL);
	ft_run_clear(&run);
}

#endif
