/* SPDX-License-Identifier: GPL-3.0-or-later */
/* usage_job.c - from the trace of a run to a job: on how many cores, and for how long on all of them. */
#include "base/alloc.h"
#include "foretime/measure.h"

#include <math.h>
#include <stdlib.h>

/* More than one core and a half is parallel, and so much of the parallel time tells how far. */
static const double parallel = 1.5, most_of_it = 0.9;

struct usage_job_stretch {
	double processors, seconds;
};

static int by_processors(const void *a, const void *b)
{
	const struct usage_job_stretch *p = a, *q = b;

	return (p->processors > q->processors) - (p->processors < q->processors);
}

/* The quantile of what was busy, by time. */
static double cores_of(struct usage_job_stretch *stretch, size_t n, double seconds)
{
	double below = 0;
	size_t i;

	if (!n)
		return 1;
	qsort(stretch, n, sizeof *stretch, by_processors);
	for (i = 0; i + 1 < n && (below += stretch[i].seconds) < most_of_it * seconds; i++)
		;
	return fmax(2, round(stretch[i].processors));
}

bool ft_usage_job(const struct ft_usage *usage, struct ft_usage_job *out)
{
	struct usage_job_stretch *stretch = ft_calloc(usage->n + 1, sizeof *stretch);
	double seconds = 0;
	size_t n = 0;

	*out = (struct ft_usage_job){.cores = 1};
	for (size_t i = 1; stretch && i < usage->n; i++) {
		double length = usage->point[i].time_s - usage->point[i - 1].time_s;

		out->wall_s += length;
		if (usage->point[i].processors > parallel) {
			stretch[n++] = (struct usage_job_stretch){usage->point[i].processors, length};
			seconds += length;
		}
	}
	if (stretch)
		out->cores = cores_of(stretch, n, seconds);
	/* The processor time beyond that of one core, on the other n - 1: no stretch is cut to n, so that
	 * what one shows too much of and its neighbour too little is not lost. */
	for (size_t i = 1; out->cores > 1 && i < usage->n; i++)
		out->job_s += (usage->point[i].time_s - usage->point[i - 1].time_s) *
			      fmax(0, (usage->point[i].processors - 1) / (out->cores - 1));
	out->job_s = fmin(out->job_s, out->wall_s);
	if (out->cores == 1) /* the one core works all the time */
		out->job_s = out->wall_s;
	ft_free(stretch);
	return out->wall_s > 0;
}
