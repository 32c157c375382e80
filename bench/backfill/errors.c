/* SPDX-License-Identifier: GPL-3.0-or-later */
/* errors.c - how far our models are off: learned from thirty runs at random sizes, as the log of jobs has
 * them, and asked about the runs that they have not seen. */
#include "../recorded.h"
#include "base/alloc.h"
#include "bench.h"
#include "foretime/ask.h"
#include "store/door.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LOGGED = 30, TRIES_MOST = 3000, PROGRAMS_MOST = 4096 };

static const double risks[2] = {0.01, 0.05};

static bool learn(struct ft_store *store, int64_t program, int64_t machine, struct recorded *r,
		  struct ft_random *random)
{
	struct ft_runs runs = {0};
	size_t tries;
	bool good = true;

	for (size_t i = tries = 0; i < LOGGED && tries < TRIES_MOST && good; tries++) {
		size_t at = ft_random_below(random, r->runs.n);
		const struct ft_run *run = &r->runs.run[at];

		if (r->used[at])
			continue;
		r->used[at] = true;
		good = recorded_add(&runs, run->size.value[0], run->work, ft_run_value(run, &ft_wall_s), 0);
		i++;
	}
	good = good && !ft_store_add_runs(store, program, machine, &runs, NULL);
	ft_runs_clear(&runs);
	return good;
}

/* The runs that were not used; none where the model has no answer. */
static bool ask(struct ft_answerer *models, const struct recorded *r, struct errors *out)
{
	struct ft_request q[2] = {0};
	double last = NAN;

	out->error = ft_calloc(r->runs.n, sizeof *out->error);
	for (size_t i = 0; i < r->runs.n && out->error; i++) {
		const struct ft_run *run = &r->runs.run[i];
		double seconds = ft_run_value(run, &ft_wall_s);

		if (r->used[i])
			continue;
		for (int k = 0; k < 2 && run->size.value[0] != last; k++)
			if (ft_ask_request(models, &run->size, risks[k], &q[k], NULL))
				return true;
		last = run->size.value[0];
		out->error[out->n++] = (struct error){q[0].time.at.value / seconds,
						      {q[0].time.most / seconds, q[1].time.most / seconds}};
	}
	return out->error;
}

/* One program: a store of its own, and what its model says. */
static bool run_program(struct recorded *r, uint64_t seed, struct errors *out)
{
	char path[4096];
	struct ft_machine machine = {.fingerprint = strdup("00000000000000ff"), .host = strdup("replay")};
	struct ft_program program = {
		.name = strdup("curve"),
		.hash = strdup(""),
		.n_params = 1,
		.param = {{.name = "n", .least = r->least, .most = r->most, .stride = 1}}};
	struct ft_random random = {seed};
	struct ft_answerer *models = NULL;
	struct ft_store *store = NULL;

	(void)snprintf(path, sizeof path, "%s/bench-backfill-%ld.db",
		       getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp", (long)getpid());
	(void)remove(path);
	r->used = ft_calloc(r->runs.n, sizeof *r->used);
	bool good = r->used && !ft_store_open(&store, path, FT_STORE_ROLLBACK, NULL) &&
		    !ft_store_put_machine(store, &machine, NULL) &&
		    !ft_store_put_program(store, &program, NULL) &&
		    learn(store, program.id, machine.id, r, &random);
	if (good && !ft_ask_open(&models, store, "curve", NULL, machine.id, NULL))
		good = ask(models, r, out);
	ft_ask_close(models);
	ft_store_close(store);
	ft_program_clear(&program);
	ft_machine_clear(&machine);
	(void)remove(path);
	return good;
}

static bool add(struct recorded *r, uint64_t seed, struct errors *pool, size_t *n)
{
	bool good = run_program(r, seed, &pool[*n]);

	if (good && pool[*n].n)
		++*n;
	else
		ft_free(pool[*n].error);
	recorded_clear(r);
	return good;
}

bool errors_learn(const char *folder, size_t curves, uint64_t seed, struct errors **pool, size_t *n)
{
	struct errors *all = *pool = ft_calloc(PROGRAMS_MOST, sizeof *all);
	struct curve curve;
	struct recorded r;
	size_t at = 0;
	bool good = all;

	*n = 0;
	while (good && folder && *n < PROGRAMS_MOST && curve_next(&curve, folder, &at)) {
		r = (struct recorded){0};
		curve_shuffle(&curve, seed);
		if (recorded_of(&r, &curve))
			good = add(&r, seed, all, n);
		curve_clear(&curve);
	}
	for (size_t kind = 0; kind < recorded_kinds(); kind++)
		for (size_t i = 0; i < curves && good && *n < PROGRAMS_MOST; i++)
			good = recorded_make(&r, kind, seed * 1000 + i) && add(&r, seed, all, n);
	return good && *n;
}

void errors_free(struct errors *pool, size_t n)
{
	for (size_t i = 0; pool && i < n; i++)
		ft_free(pool[i].error);
	ft_free(pool);
}
