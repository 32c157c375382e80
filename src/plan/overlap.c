/* SPDX-License-Identifier: GPL-3.0-or-later */
/* overlap.c - jobs on one machine whose memory rises while they run.
 *
 * Jobs are placed one after another, in an order, each at the earliest time at which its memory fits above that of the
 * jobs placed before it. That time is 0, or one at which a step of it begins when another job ends: memory in use
 * falls at no other time. The order is then varied. */
#include "base/alloc.h"
#include "base/random.h"
#include "plan/door.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Looks at a piece of the profile, and jobs placed: a tenth of a second. */
static const double usual_effort = 1e7;

/* From a time to that of the next piece so much is in use. */
struct piece {
	double from_s, bytes, cpus;
};

struct overlap {
	const struct ft_plan_rising *job; /* [n] */
	size_t n;
	double bytes, cpus;
	bool peaks;          /* each job holds its largest step throughout */
	struct piece *piece; /* [pieces] ascending; room for all steps and ends */
	size_t pieces;
	size_t *order, *next;    /* [n] the best one, and one that is tried */
	double *start_s, *end_s; /* [n] of the order that is tried; end_s: in its order */
	double looks;
};

static size_t steps_of(const struct overlap *o, const struct ft_plan_rising *job)
{
	return o->peaks ? 1 : job->n;
}

static double bytes_of(const struct overlap *o, const struct ft_plan_rising *job, size_t step)
{
	return job->bytes[o->peaks ? job->n - 1 : step];
}

/* The last piece that begins at a time or before it. */
static size_t piece_at(const struct overlap *o, double at_s)
{
	size_t low = 0, high = o->pieces;

	while (high - low > 1) {
		const size_t middle = (low + high) / 2;

		if (o->piece[middle].from_s <= at_s)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static bool fits(struct overlap *o, const struct ft_plan_rising *job, double start_s)
{
	const size_t steps = steps_of(o, job);
	const double end_s = start_s + job->time_s;
	size_t step = 0;

	for (size_t i = piece_at(o, start_s); i < o->pieces && o->piece[i].from_s < end_s; i++) {
		const double until_s = i + 1 < o->pieces ? fmin(o->piece[i + 1].from_s, end_s) : end_s;

		/* Steps rise: within this piece the last one that has begun before its end needs most. */
		while (step + 1 < steps && start_s + job->from_s[step + 1] < until_s)
			step++;
		o->looks++;
		if (o->piece[i].bytes + bytes_of(o, job, step) > o->bytes ||
		    o->piece[i].cpus + job->cpus > o->cpus)
			return false;
	}
	return true;
}

/* Begins a piece at a time, unless one does. */
static size_t split_at(struct overlap *o, double at_s)
{
	size_t i = piece_at(o, at_s);

	if (o->piece[i].from_s == at_s)
		return i;
	i++;
	memmove(&o->piece[i + 1], &o->piece[i], (o->pieces - i) * sizeof *o->piece);
	o->piece[i] = o->piece[i - 1];
	o->piece[i].from_s = at_s;
	o->pieces++;
	return i;
}

static void put(struct overlap *o, const struct ft_plan_rising *job, double start_s)
{
	const double end_s = start_s + job->time_s;

	for (size_t s = 0; s < steps_of(o, job); s++) {
		const double from_s = start_s + job->from_s[s];
		size_t last;

		if (from_s >= end_s)
			break;
		(void)split_at(o, from_s);
		last = split_at(o, end_s);
		for (size_t i = piece_at(o, from_s); i < last; i++) {
			o->piece[i].bytes += bytes_of(o, job, s) - (s ? bytes_of(o, job, s - 1) : 0);
			o->piece[i].cpus += s ? 0 : job->cpus;
		}
	}
}

/* All jobs in an order, each as early as it fits. Returns when the last one ends. */
static double place_all(struct overlap *o, const size_t *order)
{
	double last_s = 0;

	o->pieces = 1;
	o->piece[0] = (struct piece){0};
	for (size_t i = 0; i < o->n; i++) {
		const struct ft_plan_rising *job = &o->job[order[i]];
		double best_s = fits(o, job, 0) ? 0 : INFINITY;

		for (size_t k = 0; k < i && best_s > 0; k++)
			for (size_t s = 0; s < steps_of(o, job); s++) {
				double start_s = o->end_s[k] - job->from_s[s];

				/* The step begins when that job has ended, also after rounding. */
				while (start_s + job->from_s[s] < o->end_s[k])
					start_s = fmax(nextafter(start_s, INFINITY),
						       start_s + (o->end_s[k] - (start_s + job->from_s[s])));
				if (start_s > 0 && start_s < best_s && fits(o, job, start_s))
					best_s = start_s;
			}
		o->looks += 10;
		put(o, job, best_s);
		o->start_s[order[i]] = best_s;
		o->end_s[i] = best_s + job->time_s;
		last_s = fmax(last_s, o->end_s[i]);
	}
	return last_s;
}

struct key {
	double most;
	size_t job;
};

static int compare_keys(const void *a, const void *b)
{
	const struct key *p = a, *q = b;

	if (p->most != q->most)
		return p->most > q->most ? -1 : 1;
	return (p->job > q->job) - (p->job < q->job);
}

/* The best order for jobs as they are, or by their peaks: o->order. start_s: that of its jobs. */
static double search(struct overlap *o, struct key *key, struct ft_random *random, double effort,
		     double bound_s, double *start_s)
{
	enum { KINDS = 3 };
	const double until = o->looks + effort;
	double best_s = INFINITY;

	for (int kind = 0; o->looks < until || kind < 1; kind++) {
		if (kind < KINDS) {
			/* Longest first, then by memory times time, then by memory. */
			for (size_t i = 0; i < o->n; i++) {
				const double time_s = o->job[i].time_s,
					     most = o->job[i].bytes[o->job[i].n - 1];

				key[i] = (struct key){kind == 0   ? time_s
						      : kind == 1 ? time_s * most
								  : most,
						      i};
			}
			qsort(key, o->n, sizeof *key, compare_keys);
			for (size_t i = 0; i < o->n; i++)
				o->next[i] = key[i].job;
		} else {
			const size_t from = ft_random_below(random, o->n), to = ft_random_below(random, o->n);
			const size_t moved = o->order[from];

			/* One job earlier or later. */
			memcpy(o->next, o->order, o->n * sizeof *o->next);
			memmove(&o->next[from], &o->next[from + 1], (o->n - 1 - from) * sizeof *o->next);
			memmove(&o->next[to + 1], &o->next[to], (o->n - 1 - to) * sizeof *o->next);
			o->next[to] = moved;
			kind = KINDS;
		}
		const double last_s = place_all(o, o->next);

		if (last_s > best_s)
			continue;
		if (last_s < best_s)
			memcpy(start_s, o->start_s, o->n * sizeof *start_s);
		best_s = last_s;
		memcpy(o->order, o->next, o->n * sizeof *o->order);
		if (best_s <= bound_s * (1 + 1e-9) || o->n < 2)
			break;
	}
	return best_s;
}

enum ft_status ft_plan_overlap(const struct ft_plan_rising *job, size_t n, double bytes, double cpus,
			       const struct ft_plan_search *how, double *start_s, struct ft_plan *out,
			       double *peaks_s, struct ft_err *err)
{
	struct overlap o = {.job = job, .n = n, .bytes = bytes, .cpus = cpus};
	struct ft_random random = {how ? how->seed : 0};
	const double effort = how && how->effort ? (double)how->effort : usual_effort;
	double held = 0, worked = 0, peak = 0, longest_s = 0;
	size_t steps = 2;

	*out = (struct ft_plan){0};
	*peaks_s = 0;
	if (!(bytes > 0) || !(cpus > 0))
		return ft_fail(err, FT_EINVAL, "no memory or processor");
	for (size_t i = 0; i < n; i++) {
		bool right = job[i].n && job[i].from_s[0] == 0 && job[i].time_s > 0 &&
			     isfinite(job[i].time_s) && job[i].cpus >= 0;

		for (size_t s = 0; s < job[i].n && right; s++)
			right = job[i].bytes[s] >= (s ? job[i].bytes[s - 1] : 0) &&
				(!s || job[i].from_s[s] > job[i].from_s[s - 1]);
		if (!right)
			return ft_fail(err, FT_EINVAL,
				       "job %zu: steps begin at 0 and rise, and its time is above 0", i + 1);
	}
	for (size_t i = 0; i < n; i++) {
		const bool possible = job[i].bytes[job[i].n - 1] <= bytes && job[i].cpus <= cpus;

		start_s[i] = possible ? 0 : INFINITY;
		out->value = possible ? out->value : INFINITY;
		for (size_t s = 0; s < job[i].n; s++)
			held += job[i].bytes[s] *
				fmax(0,
				     fmin(job[i].time_s, s + 1 < job[i].n ? job[i].from_s[s + 1] : INFINITY) -
					     fmin(job[i].time_s, job[i].from_s[s]));
		peak += job[i].bytes[job[i].n - 1] * job[i].time_s;
		worked += job[i].cpus * job[i].time_s;
		longest_s = fmax(longest_s, job[i].time_s);
		steps += job[i].n + 1;
	}
	*peaks_s = out->value;
	out->bound = out->value;
	if (!n || isinf(out->value))
		return FT_OK;
	const double least_s = fmax(longest_s, worked / cpus);
	struct key *key = ft_calloc(n, sizeof *key);
	o.piece = ft_calloc(steps, sizeof *o.piece);
	o.order = ft_calloc(n, sizeof *o.order);
	o.next = ft_calloc(n, sizeof *o.next);
	o.start_s = ft_calloc(n, sizeof *o.start_s);
	o.end_s = ft_calloc(n, sizeof *o.end_s);
	double *by_steps = ft_calloc(n, sizeof *by_steps);
	const bool room = key && o.piece && o.order && o.next && o.start_s && o.end_s && by_steps;
	if (room) {
		/* A plan for the peaks is one for the steps. */
		o.peaks = true;
		*peaks_s = search(&o, key, &random, effort / 2, fmax(least_s, peak / bytes), start_s);
		o.peaks = false;
		out->bound = fmax(least_s, held / bytes);
		out->value = search(&o, key, &random, effort / 2, out->bound, by_steps);
		if (out->value <= *peaks_s)
			memcpy(start_s, by_steps, n * sizeof *start_s);
		out->value = fmin(out->value, *peaks_s);
		out->exact = out->value <= out->bound * (1 + 1e-9);
		out->evaluations = (uint64_t)o.looks;
	}
	ft_free(key);
	ft_free(o.piece);
	ft_free(o.order);
	ft_free(o.next);
	ft_free(o.start_s);
	ft_free(o.end_s);
	ft_free(by_steps);
	return room ? FT_OK : ft_nomem(err);
}
