/* SPDX-License-Identifier: GPL-3.0-or-later */
/* valgrind.c - the probe that counts the instructions of a size in a run of their own. */
#include "base/alloc.h"
#include "measure/counters.h"
#include "measure/probes.h"
#include "measure/simulate.h"

#include <math.h>

static const double SLOWS = 100; /* how much longer valgrind may take than the limit of a run */

/* Callgrind collects in the thread that told. Up to so much processor time by wall time it is the only one
 * (schedstat.c). */
static const double ONE_TASK = 1.05, GRAIN_S = 1e-4; /* what clocks and their reading are off by */

/* What valgrind said at a size. */
struct counted {
	struct ft_size size;
	double instructions;         /* of the process; NaN: reason says why not, or it was not asked */
	char *reason;                /* heap */
	struct ft__counted routines; /* n = 0: nobody told */
	bool one;                    /* the process has one routine, and that was counted */
};

struct valgrind {
	struct ft__simulator *simulator; /* NULL: not to be had, absent says why */
	struct ft_err absent;
	struct counted *counted; /* [n] sizes whose instructions are known, or known not to be known */
	size_t n, capacity;
};

static void close_valgrind(void *state)
{
	struct valgrind *valgrind = state;
	size_t i;

	ft__simulate_close(valgrind->simulator);
	for (i = 0; i < valgrind->n; i++) {
		ft_free(valgrind->counted[i].reason);
		ft__counted_clear(&valgrind->counted[i].routines);
	}
	ft_free(valgrind->counted);
	ft_free(valgrind);
}

static enum ft_status open_valgrind(void **state, const struct ft_launch *launch, struct ft__client *client,
				    struct ft_err *err)
{
	struct valgrind *valgrind;
	enum ft_status status;

	(void)client;
	if (!ft__counters_simulated(launch))
		return FT_OK;
	*state = valgrind = ft_calloc(1, sizeof *valgrind);
	if (!valgrind)
		return ft_nomem(err);
	status = ft__simulate_open(&valgrind->simulator, launch->threads, &valgrind->absent);
	return status && status != FT_EUNAVAIL ? ft_nomem(err) : FT_OK;
}

static struct counted *find_counted(const struct valgrind *valgrind, const struct ft_size *size)
{
	size_t i;

	for (i = 0; i < valgrind->n; i++)
		if (ft_size_equal(&valgrind->counted[i].size, size))
			return &valgrind->counted[i];
	return NULL;
}

static bool wants(const void *state, const struct ft_run *run)
{
	return run->outcome == FT_DONE && !find_counted(state, &run->size);
}

static bool is_one_task(const struct ft_run *run)
{
	return !(ft_run_value(run, "cpu_s") > ONE_TASK * ft_run_value(run, "wall_s") + GRAIN_S);
}

/* The routines, where the run told of some; then the process, unless its only routine stands for it. A reason
 * in why: the process could not be counted. */
static enum ft_status count_routines(const struct valgrind *valgrind, const struct ft__again *again,
				     struct counted *counted, double *cost_s, struct ft_err *why)
{
	const struct ft__simulation simulation = {again->file, again->argv, SLOWS * again->limit_s,
						  again->interrupt, again->frozen};
	enum ft_status status = FT_OK;
	double took_s = 0;

	if (again->routines > 1 || (again->routines && is_one_task(again->run)))
		status = ft__simulate_routines(valgrind->simulator, &simulation, &counted->routines, &took_s,
					       why);
	*cost_s += took_s;
	counted->one =
		!status && again->routines == 1 && counted->routines.n == 1 && !counted->routines.mixed;
	if (counted->one || (status && status != FT_EUNAVAIL))
		return status;
	status = ft__simulate_count(valgrind->simulator, &simulation, &counted->instructions, &took_s, why);
	*cost_s += took_s;
	return status;
}

static enum ft_status repeat(void *state, const struct ft__again *again, double *cost_s, struct ft_err *err)
{
	struct valgrind *valgrind = state;
	struct counted counted = {.size = *again->size, .instructions = NAN}, *grown;
	struct ft_err why = valgrind->absent;
	enum ft_status status =
		valgrind->simulator ? count_routines(valgrind, again, &counted, cost_s, &why) : FT_EUNAVAIL;
	bool kept = !status || status == FT_EUNAVAIL;

	if (!kept && err)
		*err = why;
	if (status == FT_EUNAVAIL)
		counted.reason = ft__reason(&why);
	grown = !kept || (status && !counted.reason)
			? NULL
			: ft_grow(valgrind->counted, valgrind->n, &valgrind->capacity, sizeof *grown);
	if (!grown) {
		ft_free(counted.reason);
		ft__counted_clear(&counted.routines);
		return kept ? ft_nomem(err) : status;
	}
	valgrind->counted = grown;
	grown[valgrind->n++] = counted;
	return FT_OK;
}

static enum ft_status refuse_routine(const struct counted *counted, struct ft_run *run, struct ft_err *err)
{
	struct ft_err why = {0};

	if (counted->routines.mixed) {
		(void)ft_fail(&why, FT_EUNAVAIL,
			      "two routines ran at once: their instructions cannot be told "
			      "apart");
		(void)ft_remedy(&why, "stop one before the other starts, and report now and then");
	} else if (!is_one_task(run)) {
		(void)ft_fail(&why, FT_EUNAVAIL, "it ran in several threads, of which valgrind counts one");
		(void)ft_remedy(&why, "let it run in one: --threads 1");
	} else {
		(void)ft_fail(&why, FT_EUNAVAIL,
			      "the program does not tell valgrind where its routines begin");
		(void)ft_remedy(&why, "compile it where valgrind's header is (apt install valgrind)");
	}
	return ft__add_unavailable(run, "instructions", "callgrind", &why, err);
}

static enum ft_status read_valgrind(void *state, const struct ft__result *result, struct ft_run *run,
				    struct ft_err *err)
{
	const struct counted *counted = find_counted(state, &run->size);
	double value;

	(void)result;
	if (!counted || run->outcome != FT_DONE)
		return FT_OK;
	if (!run->routine && !counted->one)
		return ft_run_add(run, "instructions", counted->instructions,
				  counted->reason ? FT_UNAVAILABLE : FT_SIMULATED, "valgrind",
				  counted->reason, err);
	value = counted->one ? counted->routines.routine[0].instructions
			     : ft__counted_of(&counted->routines, run->routine);
	if (isnan(value) || counted->routines.mixed || !is_one_task(run))
		return refuse_routine(counted, run, err);
	return ft_run_add(run, "instructions", value, FT_SIMULATED, "callgrind", NULL, err);
}

const struct ft__probe_ops ft__valgrind_probe = {.open = open_valgrind,
						 .close = close_valgrind,
						 .read = read_valgrind,
						 .wants = wants,
						 .repeat = repeat};
