/* SPDX-License-Identifier: GPL-3.0-or-later */
/* queue.c - first come, first served, with EASY backfilling: a job may pass others where it does not make the
 * first of them wait longer, as far as estimates tell (Lifka 1995). */
#include "base/alloc.h"
#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double slowdown_least_s = 60;

struct queue {
	struct jobs *jobs;
	size_t *waiting, n_waiting, *running, n_running, used;
	double (*last)[2]; /* [users] what their last two runs took */
	size_t *n_last;    /* [users] */
	double time_s, area, wasted;
	size_t kills;
};

static void begin(struct queue *q, size_t at)
{
	struct job *job = &q->jobs->job[q->waiting[at]];

	job->start_s = q->time_s;
	job->killed = job->run_s > job->limit_s * (1 + 1e-12);
	job->end_s = q->time_s + fmin(job->run_s, job->limit_s);
	q->used += job->processors;
	q->running[q->n_running++] = q->waiting[at];
	memmove(q->waiting + at, q->waiting + at + 1, (--q->n_waiting - at) * sizeof *q->waiting);
}

/* Estimates that are passed are doubled, up to what the user asked for. */
static void raise(struct queue *q)
{
	const double step_s = 60;

	for (size_t i = 0; i < q->n_running; i++) {
		struct job *job = &q->jobs->job[q->running[i]];

		while (job->raised && job->start_s + job->estimate_s <= q->time_s &&
		       job->estimate_s < job->asked_s)
			job->estimate_s =
				fmin(job->asked_s, fmax(2 * job->estimate_s, job->estimate_s + step_s));
		if (job->start_s + job->estimate_s <= q->time_s)
			job->estimate_s = q->time_s - job->start_s + step_s;
	}
}

struct expected {
	double end_s;
	size_t processors;
};

static int by_end(const void *a, const void *b)
{
	const struct expected *p = a, *q = b;

	return (p->end_s > q->end_s) - (p->end_s < q->end_s);
}

/* When the first one that waits can begin, and how many processors are then left over. */
static double shadow(const struct queue *q, struct expected *room, size_t *extra)
{
	size_t free = q->jobs->processors - q->used, need = q->jobs->job[q->waiting[0]].processors, i;

	for (i = 0; i < q->n_running; i++) {
		const struct job *job = &q->jobs->job[q->running[i]];

		room[i] = (struct expected){job->start_s + job->estimate_s, job->processors};
	}
	qsort(room, q->n_running, sizeof *room, by_end);
	for (i = 0; i < q->n_running && free < need; i++)
		free += room[i].processors;
	*extra = free - need;
	return i ? fmax(q->time_s, room[i - 1].end_s) : q->time_s;
}

static void pass(struct queue *q, struct expected *room)
{
	size_t extra, i = 1;

	while (q->n_waiting && q->jobs->job[q->waiting[0]].processors <= q->jobs->processors - q->used)
		begin(q, 0);
	if (!q->n_waiting || q->used == q->jobs->processors)
		return;
	raise(q);
	double at_s = shadow(q, room, &extra);
	while (i < q->n_waiting) {
		const struct job *job = &q->jobs->job[q->waiting[i]];
		bool before = q->time_s + job->estimate_s <= at_s;

		if (job->processors > q->jobs->processors - q->used || (!before && job->processors > extra)) {
			i++;
			continue;
		}
		extra -= before ? 0 : job->processors;
		begin(q, i);
	}
}

static void remember(struct queue *q, const struct job *job)
{
	double *last = q->last[job->user];

	last[1] = last[0];
	last[0] = job->run_s;
	q->n_last[job->user]++;
}

static void submit(struct queue *q, size_t i, enum scheme scheme)
{
	struct job *job = &q->jobs->job[i];
	const double *last = q->last[job->user];

	if (scheme == LAST_TWO && q->n_last[job->user])
		job->estimate_s =
			fmin(job->asked_s, q->n_last[job->user] > 1 ? (last[0] + last[1]) / 2 : last[0]);
	q->waiting[q->n_waiting++] = i;
}

/* Returns whether a job is done. */
static bool end(struct queue *q, size_t at)
{
	size_t i = q->running[at];
	struct job *job = &q->jobs->job[i];
	double used = (double)job->processors * (job->end_s - job->start_s);

	q->running[at] = q->running[--q->n_running];
	q->used -= job->processors;
	q->area += used;
	if (!job->killed) {
		remember(q, job);
		return true;
	}
	q->kills++;
	q->wasted += used;
	job->limit_s = job->estimate_s = job->asked_s;
	q->waiting[q->n_waiting++] = i;
	return false;
}

static size_t next_end(const struct queue *q)
{
	size_t best = 0;

	for (size_t i = 1; i < q->n_running; i++)
		if (q->jobs->job[q->running[i]].end_s < q->jobs->job[q->running[best]].end_s)
			best = i;
	return best;
}

static void simulate(struct queue *q, enum scheme scheme, struct expected *room)
{
	struct jobs *jobs = q->jobs;
	size_t next = 0, done = 0;

	while (done < jobs->n) {
		size_t at = next_end(q);

		if (next < jobs->n &&
		    (!q->n_running || jobs->job[next].submit_s <= jobs->job[q->running[at]].end_s)) {
			q->time_s = jobs->job[next].submit_s;
			submit(q, next++, scheme);
		} else {
			q->time_s = jobs->job[q->running[at]].end_s;
			done += end(q, at);
		}
		pass(q, room);
	}
}

/* ---- estimates ---------------------------------------------------------------------------------------- */

static void set_estimates(struct jobs *jobs, enum scheme scheme, const struct errors *pool, size_t n,
			  uint64_t seed)
{
	struct ft_random random = {seed};

	for (size_t i = 0; i < jobs->n; i++) {
		struct job *job = &jobs->job[i];
		const struct errors *program = &pool[(job->user * 7919 + seed) % n];
		const struct error *error = &program->error[ft_random_below(&random, program->n)];
		double share = scheme == TYPICAL                                    ? error->typical
			       : scheme == MOST_1_RAISED || scheme == MOST_1_KILLED ? error->most[0]
										    : error->most[1];

		job->limit_s = job->estimate_s = job->asked_s;
		job->raised = scheme != REQUESTED && scheme != EXACT;
		if (scheme == EXACT)
			job->estimate_s = job->run_s;
		else if (scheme != REQUESTED && scheme != LAST_TWO)
			job->estimate_s = fmin(job->asked_s, fmax(1, job->run_s * share));
		if (scheme == MOST_1_KILLED || scheme == MOST_5_KILLED)
			job->limit_s = job->estimate_s;
	}
}

static struct outcome judge(const struct queue *q)
{
	const struct jobs *jobs = q->jobs;
	struct outcome out = {.killed = (double)q->kills / (double)jobs->n, .wasted = q->wasted / q->area};

	for (size_t i = 0; i < jobs->n; i++) {
		const struct job *job = &jobs->job[i];
		double wait_s = job->start_s - job->submit_s;

		out.wait_s += wait_s / (double)jobs->n;
		out.slowdown +=
			fmax(1, (wait_s + job->run_s) / fmax(job->run_s, slowdown_least_s)) / (double)jobs->n;
	}
	out.busy = q->area / ((double)jobs->processors * (q->time_s - jobs->job[0].submit_s));
	return out;
}

bool jobs_run(struct jobs *jobs, enum scheme scheme, const struct errors *pool, size_t n, uint64_t seed,
	      struct outcome *out)
{
	struct queue q = {.jobs = jobs,
			  .waiting = ft_calloc(jobs->n, sizeof *q.waiting),
			  .running = ft_calloc(jobs->n, sizeof *q.running),
			  .last = ft_calloc(jobs->users, sizeof *q.last),
			  .n_last = ft_calloc(jobs->users, sizeof *q.n_last)};
	struct expected *room = ft_calloc(jobs->n, sizeof *room);
	bool good = q.waiting && q.running && q.last && q.n_last && room;

	if (good) {
		set_estimates(jobs, scheme, pool, n, seed);
		simulate(&q, scheme, room);
		*out = judge(&q);
	}
	ft_free(room);
	ft_free(q.n_last);
	ft_free(q.last);
	ft_free(q.running);
	ft_free(q.waiting);
	return good;
}
