/* SPDX-License-Identifier: GPL-3.0-or-later */
/* valgrind.c - the probe that counts the instructions of a size in a run of their own. */
#include "base/alloc.h"
#include "measure/counters.h"
#include "measure/probes.h"
#include "measure/simulate.h"

#include <math.h>

static const double SLOWS = 100; /* how much longer valgrind may take than the limit of a run */

/* What valgrind said at a size. */
struct counted {
	struct ft_size size;
	double instructions; /* NaN: reason says why not */
	char *reason;        /* heap */
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
	for (i = 0; i < valgrind->n; i++)
		ft_free(valgrind->counted[i].reason);
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

static enum ft_status repeat(void *state, const struct ft__again *again, double *cost_s, struct ft_err *err)
{
	struct valgrind *valgrind = state;
	const struct ft__simulation simulation = {again->file, again->argv, SLOWS * again->limit_s,
						  again->interrupt, again->frozen};
	struct counted counted = {.size = *again->size, .instructions = NAN}, *grown;
	struct ft_err why = valgrind->absent;
	enum ft_status status = FT_EUNAVAIL;
	double took_s = 0;

	if (valgrind->simulator)
		status = ft__simulate_count(valgrind->simulator, &simulation, &counted.instructions, &took_s,
					    &why);
	*cost_s += took_s;
	if (status && status != FT_EUNAVAIL) {
		if (err)
			*err = why;
		return status;
	}
	if (status)
		counted.reason = ft__reason(&why);
	grown = status && !counted.reason
			? NULL
			: ft_grow(valgrind->counted, valgrind->n, &valgrind->capacity, sizeof *grown);
	if (!grown) {
		ft_free(counted.reason);
		return ft_nomem(err);
	}
	valgrind->counted = grown;
	grown[valgrind->n++] = counted;
	return FT_OK;
}

static enum ft_status read_valgrind(void *state, const struct ft__result *result, struct ft_run *run,
				    struct ft_err *err)
{
	const struct counted *counted = find_counted(state, &run->size);

	(void)result;
	if (!counted || run->outcome != FT_DONE)
		return FT_OK;
	return ft_run_add(run, "instructions", counted->instructions,
			  counted->reason ? FT_UNAVAILABLE : FT_SIMULATED, "valgrind", counted->reason, err);
}

const struct ft__probe_ops ft__valgrind_probe = {.open = open_valgrind,
						 .close = close_valgrind,
						 .read = read_valgrind,
						 .wants = wants,
						 .repeat = repeat};
