/* SPDX-License-Identifier: GPL-3.0-or-later */
/* valgrind.c - the probe that counts the instructions of a size in a run of their own. */
#include "base/alloc.h"
#include "measure/counters.h"
#include "measure/probes.h"
#include "measure/simulate.h"

#include <math.h>

static const double SLOWS = 100; /* how much longer valgrind may take than the limit of a run */

/* What valgrind counted at a size. */
struct counted {
	struct ft_size size;
	double instructions;         /* of the process; NaN: reason says why not */
	char *reason;                /* heap */
	struct ft__counted routines; /* n = 0: none was counted */
	char *routines_reason;       /* heap; why their run under valgrind failed, or NULL */
	bool one; /* one routine stands for the process: nothing is counted of the process itself */
};

struct valgrind {
	struct ft__simulator *simulator; /* NULL: not to be had, absent says why */
	struct ft_err absent;
	struct counted *counted; /* [n] sizes whose instructions are known, or known not to be known */
	size_t n, capacity;
};

static void clear_counted(struct counted *counted)
{
	ft_free(counted->reason);
	ft_free(counted->routines_reason);
	ft__counted_clear(&counted->routines);
}

static void close_valgrind(void *state)
{
	struct valgrind *valgrind = state;

	ft__simulate_close(valgrind->simulator);
	for (size_t i = 0; i < valgrind->n; i++)
		clear_counted(&valgrind->counted[i]);
	ft_free(valgrind->counted);
	ft_free(valgrind);
}

static enum ft_status open_valgrind(void **state, const struct ft_launch *launch, struct ft__client *client,
				    struct ft_err *err)
{
	struct valgrind *valgrind;

	(void)client;
	if (!ft__counters_simulated(launch))
		return FT_OK;
	*state = valgrind = ft_calloc(1, sizeof *valgrind);
	if (!valgrind)
		return ft_nomem(err);
	enum ft_status status = ft__simulate_open(&valgrind->simulator, launch->threads, &valgrind->absent);
	return status && status != FT_EUNAVAIL ? ft_nomem(err) : FT_OK;
}

static struct counted *find_counted(const struct valgrind *valgrind, const struct ft_size *size)
{
	for (size_t i = 0; i < valgrind->n; i++)
		if (ft_size_equal(&valgrind->counted[i].size, size))
			return &valgrind->counted[i];
	return NULL;
}

static bool wants(const void *state, const struct ft_run *run)
{
	return run->outcome == FT_DONE && !find_counted(state, &run->size);
}

/* A failure that is an answer becomes the reason; any other is returned. */
static enum ft_status keep_reason(enum ft_status status, const struct ft_err *why, char **reason,
				  struct ft_err *err)
{
	if (status == FT_EUNAVAIL) {
		*reason = ft__reason(why);
		return *reason ? FT_OK : ft_nomem(err);
	}
	if (status && err)
		*err = *why;
	return status;
}

/* The routines, where the run reported some; then the process, unless its only routine stands for it. A
 * routine that cannot be counted is unavailable: the instructions of its process are no answer for it. */
static enum ft_status count_all(const struct valgrind *valgrind, const struct ft__again *again,
				struct counted *counted, double *cost_s, struct ft_err *err)
{
	const struct ft__simulation simulation = {again->file, again->argv, SLOWS * again->limit_s,
						  again->interrupt, again->frozen};
	struct ft_err why = valgrind->absent;
	enum ft_status status = FT_EUNAVAIL;
	double took_s = 0;

	counted->one = again->routines == 1;
	if (again->routines) {
		if (valgrind->simulator)
			status = ft__simulate_routines(valgrind->simulator, &simulation, &counted->routines,
						       &took_s, &why);
		*cost_s += took_s;
		status = keep_reason(status, &why, &counted->routines_reason, err);
		if (status || counted->one)
			return status;
	}
	took_s = 0;
	status = FT_EUNAVAIL;
	why = valgrind->absent;
	if (valgrind->simulator)
		status = ft__simulate_count(valgrind->simulator, &simulation, &counted->instructions, &took_s,
					    &why);
	*cost_s += took_s;
	return keep_reason(status, &why, &counted->reason, err);
}

static enum ft_status repeat(void *state, const struct ft__again *again, double *cost_s, struct ft_err *err)
{
	struct valgrind *valgrind = state;
	struct counted counted = {.size = *again->size, .instructions = NAN}, *grown = NULL;
	enum ft_status status = count_all(valgrind, again, &counted, cost_s, err);

	if (!status) {
		grown = ft_grow(valgrind->counted, valgrind->n, &valgrind->capacity, sizeof *grown);
		status = grown ? FT_OK : ft_nomem(err);
	}
	if (status) {
		clear_counted(&counted);
		return status;
	}
	valgrind->counted = grown;
	grown[valgrind->n++] = counted;
	return FT_OK;
}

/* Callgrind counts in the thread that reports: what other threads do for a routine is not seen. So only a
 * program that never had a second thread is believed; clocks cannot judge that, for those of a short routine,
 * or of one that waited for a processor, show one thread as several and several as one. */
static enum ft_status refuse_routine(const struct counted *counted, struct ft_run *run, struct ft_err *err)
{
	struct ft_err why = {0};

	if (counted->routines_reason)
		return ft_run_add(run, &ft_instructions, NAN, FT_UNAVAILABLE, "callgrind",
				  counted->routines_reason, err);
	if (counted->routines.threads) {
		(void)ft_fail(&why, FT_EUNAVAIL, "it ran in several threads, of which valgrind counts one");
		(void)ft_remedy(&why, "let it run in one: --threads 1");
	} else if (counted->routines.mixed) {
		(void)ft_fail(&why, FT_EUNAVAIL,
			      "two routines ran at once: their instructions cannot be "
			      "apart");
		(void)ft_remedy(&why, "stop one before the other starts, and report now and then");
	} else {
		(void)ft_fail(&why, FT_EUNAVAIL,
			      "the program does not mark the start of its routines for valgrind");
		(void)ft_remedy(&why, "compile it where valgrind's header is (apt install valgrind)");
	}
	return ft__add_unavailable(run, &ft_instructions, "callgrind", &why, err);
}

/* NaN: it was not counted. */
static double routine_instructions(const struct counted *counted, const char *name)
{
	if (counted->routines.mixed || counted->routines.threads)
		return NAN;
	if (name)
		return ft__counted_of(&counted->routines, name);
	return counted->routines.n == 1 ? counted->routines.routine[0].instructions : NAN;
}

static enum ft_status read_valgrind(void *state, const struct ft__result *result, struct ft_run *run,
				    struct ft_err *err)
{
	const struct counted *counted = find_counted(state, &run->size);

	(void)result;
	if (!counted || run->outcome != FT_DONE)
		return FT_OK;
	if (!run->routine && !counted->one)
		return ft_run_add(run, &ft_instructions, counted->instructions,
				  counted->reason ? FT_UNAVAILABLE : FT_SIMULATED, "valgrind",
				  counted->reason, err);
	double value = routine_instructions(counted, run->routine);
	if (isnan(value))
		return refuse_routine(counted, run, err);
	return ft_run_add(run, &ft_instructions, value, FT_SIMULATED, "callgrind", NULL, err);
}

const struct ft__probe_ops ft__valgrind_probe = {.open = open_valgrind,
						 .close = close_valgrind,
						 .read = read_valgrind,
						 .wants = wants,
						 .repeat = repeat};
