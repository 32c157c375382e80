/* SPDX-License-Identifier: GPL-3.0-or-later */
/* made.c - the store that fuzz-store changes: something of everything that a store holds. */
#include "base/alloc.h"
#include "facts/door.h"
#include "made.h"
#include "store/door.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void give_up(const char *what)
{
	perror(what);
	exit(99);
}

static void add_runs(struct ft_store *store, int64_t program, int64_t machine, struct ft_runs *runs)
{
	for (int i = 0; i < 6; i++) {
		struct ft_run run;

		ft_run_init(&run);
		run.size = (struct ft_size){2, {64 + 8 * (i / 2), 100}};
		run.cost_s = 0.5;
		run.started_ns = 1769860800000000000 + i;
		run.outcome = i == 5 ? FT_FAILED : FT_DONE;
		run.detail = i == 5 ? ft_strdup("no such size") : NULL;
		if (ft_run_add(&run, &ft_wall_s, 0.1 * (1 + i), FT_MEASURED, "clock", NULL, NULL) ||
		    ft_run_add(&run, &ft_energy_j, NAN, FT_UNAVAILABLE, "rapl", "no meter", NULL) ||
		    ft_runs_take(runs, &run, NULL))
			give_up("runs");
	}
	if (ft_store_add_runs(store, program, machine, runs, NULL))
		give_up("runs");
}

static void add_model(struct ft_store *store, const struct ft_program *program, int64_t machine,
		      const struct ft_runs *runs)
{
	struct ft_model_record record = {
		.resource = &ft_wall_s, .method = "adaptive", .fixed = {2, {0, 100}}};

	if (ft_model_fit_runs(&record.model, program, runs, &ft_wall_s, &record.fixed, NULL, NULL) ||
	    ft_store_put_model(store, program->id, machine, &record, NULL))
		give_up("a model");
	ft_model_record_clear(&record);
}

static void add_others(struct ft_store *store, int64_t machine)
{
	struct ft_load load = {.started_ns = 1769860800000000000,
			       .interval_s = 10,
			       .load = 0.5,
			       .busy = 0.5,
			       .processors = 2};
	struct ft_knowledge knowledge = {0};

	if (ft_knowledge_state(&knowledge, &ft_wall_s, "1e-6*n", NULL) ||
	    ft_knowledge_require(&knowledge, "memory=1GiB", NULL) ||
	    ft_store_put_knowledge(store, "p", &knowledge, NULL) ||
	    ft_store_put_known(store, "key", "value", NULL) || ft_store_add_load(store, machine, &load, NULL))
		give_up("knowledge");
	ft_knowledge_clear(&knowledge);
}

void fuzz_fill(struct ft_store *store)
{
	struct ft_machine machine = {.fingerprint = (char[]){"00112233445566aa"},
				     .host = (char[]){"box"},
				     .cores = 2,
				     .threads = 4,
				     .memory_bytes = 1LL << 33};
	struct ft_program program = {.name = (char[]){"p"},
				     .hash = (char[]){"abc"},
				     .work = (char[]){"2*n^3"},
				     .method = (char[]){"adaptive"},
				     .argv = (char *[]){(char[]){"./p"}, (char[]){"{n}"}, NULL},
				     .argc = 2,
				     .param = {{.name = "n", .least = 64, .most = 3000, .stride = 8},
					       {.name = "m", .least = 100, .most = 100, .stride = 1}},
				     .n_params = 2};
	struct ft_runs runs = {0};

	if (ft_store_put_machine(store, &machine, NULL) || ft_store_put_program(store, &program, NULL))
		give_up("a program");
	add_runs(store, program.id, machine.id, &runs);
	add_model(store, &program, machine.id, &runs);
	add_others(store, machine.id);
	ft_runs_clear(&runs);
}
