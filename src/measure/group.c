/* SPDX-License-Identifier: GPL-3.0-or-later */
/* group.c - runs of one program at the same time: a source for each, and a thread that waits for it. */
#include "base/alloc.h"
#include "foretime/measure.h"

#include <pthread.h>

/* Closed until all that wait behind it are there. */
struct gate {
	pthread_mutex_t lock;
	bool open;
};

/* One run among others. */
struct group_place {
	struct ft_source *source;
	pthread_t thread;
	struct gate *gate;
	const struct ft_size *size;
	double limit_s;
	bool started;
	enum ft_status status;
	struct ft_err err;
	struct ft_runs runs;
};

struct ft_group {
	struct group_place *place;
	size_t n;
};

enum ft_status ft_group_open(struct ft_group **out, const struct ft_launch *launch, size_t n,
			     struct ft_err *err)
{
	struct ft_group *group = ft_calloc(1, sizeof *group);
	enum ft_status status = FT_OK;

	*out = NULL;
	if (!group)
		return ft_nomem(err);
	group->place = ft_calloc(n, sizeof *group->place);
	if (!group->place)
		status = ft_nomem(err);
	for (; !status && group->n < n; group->n += !status)
		status = ft_source_open_process(&group->place[group->n].source, launch, err);
	if (status)
		ft_group_close(group);
	else
		*out = group;
	return status;
}

void ft_group_close(struct ft_group *group)
{
	if (!group)
		return;
	for (size_t i = 0; i < group->n; i++)
		ft_source_close(group->place[i].source);
	ft_free(group->place);
	ft_free(group);
}

void ft_group_interrupt(struct ft_group *group, const volatile sig_atomic_t *flag)
{
	for (size_t i = 0; i < group->n; i++)
		ft_source_interrupt(group->place[i].source, flag);
}

static void *run_place(void *ctx)
{
	struct group_place *place = ctx;
	bool open;

	(void)pthread_mutex_lock(&place->gate->lock);
	open = place->gate->open;
	(void)pthread_mutex_unlock(&place->gate->lock);
	if (open)
		place->status = ft_source_run(place->source, place->size, 0, place->limit_s, &place->runs,
					      &place->err);
	return NULL;
}

/* Where a thread cannot be had, those that are there find the gate closed. */
static enum ft_status start_threads(struct ft_group *group, size_t n, struct ft_err *err)
{
	for (size_t i = 0; i < n; i++) {
		struct group_place *place = &group->place[i];

		place->started = !pthread_create(&place->thread, NULL, run_place, place);
		if (place->started)
			continue;
		(void)ft_fail(err, FT_EUNAVAIL, "no thread to wait for run %zu of %zu", i + 1, n);
		return ft_remedy(err, "raise the limit of processes (ulimit -u), or run fewer at once");
	}
	return FT_OK;
}

/* The process alone: of what its routines told nothing is asked here. */
static enum ft_status take_answers(struct ft_group *group, size_t n, struct ft_runs *runs, struct ft_err *err)
{
	enum ft_status status = FT_OK;

	for (size_t i = 0; i < n; i++) {
		struct group_place *place = &group->place[i];

		if (!status && place->status) {
			status = place->status;
			if (err)
				*err = place->err;
		}
		if (!status)
			status = ft_runs_take(runs, &place->runs.run[0], err);
		ft_runs_clear(&place->runs);
	}
	return status;
}

enum ft_status ft_group_run(struct ft_group *group, const struct ft_size *size, size_t n, double limit_s,
			    struct ft_runs *runs, struct ft_err *err)
{
	struct gate gate = {.lock = PTHREAD_MUTEX_INITIALIZER};

	if (!n || n > group->n)
		return ft_fail(err, FT_EINVAL, "%zu runs at once, and there is room for %zu", n, group->n);
	for (size_t i = 0; i < n; i++) {
		struct group_place *place = &group->place[i];

		*place = (struct group_place){
			.source = place->source, .gate = &gate, .size = size, .limit_s = limit_s};
	}
	(void)pthread_mutex_lock(&gate.lock);
	enum ft_status status = start_threads(group, n, err);
	gate.open = !status;
	(void)pthread_mutex_unlock(&gate.lock);
	for (size_t i = 0; i < n; i++)
		if (group->place[i].started)
			(void)pthread_join(group->place[i].thread, NULL);
	(void)pthread_mutex_destroy(&gate.lock);
	return status ? status : take_answers(group, n, runs, err);
}
