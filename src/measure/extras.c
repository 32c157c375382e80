/* SPDX-License-Identifier: GPL-3.0-or-later */
/* extras.c - what a launch wishes to know of its runs beyond what every run tells. */
#include "measure/extras.h"
#include "base/alloc.h"
#include "measure/probes.h"
#include "measure/usage.h"

#include <math.h>
#include <string.h>

/* What valgrind said at a size. */
struct ft__counted {
	struct ft_size size;
	double instructions; /* NaN: reason says why not */
	char *reason;        /* heap */
};

static bool has_counter(const struct ft__counter_list *list, const char *resource)
{
	size_t i;

	for (i = 0; i < list->n; i++)
		if (!strcmp(list->counter[i].resource, resource))
			return true;
	return false;
}

static void drop_counter(struct ft__counter_list *list, const char *resource)
{
	size_t i, kept = 0;

	for (i = 0; i < list->n; i++)
		if (strcmp(list->counter[i].resource, resource) != 0)
			list->counter[kept++] = list->counter[i];
	list->n = kept;
}

/* By the processor where it counts, else under valgrind. */
static enum ft_status choose_instructions(struct ft__extras *extras, const struct ft_launch *launch,
					  struct ft_err *err)
{
	static const char name[] = "instructions";
	struct ft__counter_list *list = &extras->counters, more;
	enum ft_status status;

	if (launch->instructions == FT_COUNT_USUAL)
		return FT_OK;
	if (launch->instructions == FT_COUNT_SOMEHOW && !ft__counters_try()) {
		if (has_counter(list, name) || list->n == FT__COUNTERS_MAX)
			return FT_OK;
		status = ft__counters_parse(name, &more, err);
		if (!status)
			list->counter[list->n++] = more.counter[0];
		return status;
	}
	extras->simulate = true;
	drop_counter(list, name);
	status = ft__simulate_open(&extras->simulator, launch->threads, &extras->no_simulator);
	if (status != FT_EUNAVAIL)
		return status ? ft_nomem(err) : FT_OK;
	return FT_OK;
}

enum ft_status ft__extras_open(struct ft__extras *extras, const struct ft_launch *launch,
			       struct ft__client *client, struct ft_err *err)
{
	enum ft_status status;

	*extras = (struct ft__extras){.usage = launch->usage};
	status = ft__counters_parse(launch->counters, &extras->counters, err);
	if (!status)
		status = choose_instructions(extras, launch, err);
	if (!status)
		status = ft__counters_arm(&extras->counters, client, err);
	if (!status)
		status = ft__energy_open(&extras->energy, launch, "", err);
	return status;
}

void ft__extras_close(struct ft__extras *extras)
{
	size_t i;

	ft__counter_list_clear(&extras->counters);
	ft__energy_close(extras->energy);
	ft__simulate_close(extras->simulator);
	for (i = 0; i < extras->n_counted; i++)
		ft_free(extras->counted[i].reason);
	ft_free(extras->counted);
	*extras = (struct ft__extras){0};
}

/* ---- around a run ------------------------------------------------------------------------------------ */

void ft__extras_begin(struct ft__extras *extras, struct ft__order *order)
{
	if (extras->usage) {
		order->flags |= FT__TRACE;
		ft_usage_clear(extras->usage);
	}
	ft__energy_begin(extras->energy, order->interrupt);
	order->ear = ft__energy_ear(extras->energy);
}

enum ft_status ft__extras_end(struct ft__extras *extras, const struct ft__answer *answer, struct ft_run *run,
			      struct ft_err *err)
{
	enum ft_status status;

	if (answer->reply.start_errno)
		return FT_OK;
	/* First of all: the run has ended just now. */
	status = ft__energy_end(extras->energy, answer->reply.wall_s, run, err);
	if (!status)
		status = ft__counters_add(&extras->counters, answer->reply.counts, run, err);
	if (!status && extras->usage)
		status = ft__usage_read(extras->usage, answer, err);
	return status;
}

/* ---- instructions under valgrind --------------------------------------------------------------------- */

static struct ft__counted *find_counted(const struct ft__extras *extras, const struct ft_size *size)
{
	size_t i;

	for (i = 0; i < extras->n_counted; i++)
		if (ft_size_equal(&extras->counted[i].size, size))
			return &extras->counted[i];
	return NULL;
}

bool ft__extras_must_count(const struct ft__extras *extras, const struct ft_run *run)
{
	return extras->simulate && run->outcome == FT_DONE && !find_counted(extras, &run->size);
}

enum ft_status ft__extras_count(struct ft__extras *extras, const struct ft_size *size,
				const struct ft__simulation *simulation, double *cost_s, struct ft_err *err)
{
	struct ft__counted counted = {.size = *size, .instructions = NAN}, *grown;
	struct ft_err why = extras->no_simulator;
	enum ft_status status = FT_EUNAVAIL;
	double took_s = 0;

	if (extras->simulator)
		status = ft__simulate_count(extras->simulator, simulation, &counted.instructions, &took_s,
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
			: ft_grow(extras->counted, extras->n_counted, &extras->capacity, sizeof *grown);
	if (!grown) {
		ft_free(counted.reason);
		return ft_nomem(err);
	}
	extras->counted = grown;
	grown[extras->n_counted++] = counted;
	return FT_OK;
}

enum ft_status ft__extras_add_count(const struct ft__extras *extras, struct ft_run *run, struct ft_err *err)
{
	const struct ft__counted *counted = extras->simulate ? find_counted(extras, &run->size) : NULL;

	if (!counted || run->outcome != FT_DONE)
		return FT_OK;
	return ft_run_add(run, "instructions", counted->instructions,
			  counted->reason ? FT_UNAVAILABLE : FT_SIMULATED, "valgrind", counted->reason, err);
}
