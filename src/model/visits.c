/* SPDX-License-Identifier: GPL-3.0-or-later */
/* visits.c - what runs of one size at different times differ by. */
#include "model/visits.h"
#include "base/alloc.h"
#include "model/engine.h"

#include <math.h>
#include <stdlib.h>

/* Sums of squares of ln value over all sizes, and their degrees of freedom. */
struct visits {
	double within, within_freedom;   /* about the means of visits */
	double between, between_freedom; /* of the means of visits about those of sizes */
	double held, held_freedom;       /* about the means of sizes */
	double repeats;
};

/* A run, and how often the size changed before it in the order of measurement. */
struct run {
	const struct ft_observation *o;
	size_t visit;
	double ln;
};

static int compare_runs(const void *a, const void *b)
{
	const struct run *p = a, *q = b;
	int by_size = ft_size_compare(&p->o->size, &q->o->size);

	return by_size ? by_size : (p->visit > q->visit) - (p->visit < q->visit);
}

/* One size: the sum of squares of its runs about their mean, and about those of visits. */
static void add_scatter(struct visits *visits, size_t runs, size_t n_visits, double scatter, double within)
{
	visits->within += within;
	visits->within_freedom += (double)(runs - n_visits);
	visits->held += scatter;
	visits->held_freedom += (double)(runs - 1);
	if (n_visits < 2)
		return;
	visits->between += fmax(0, scatter - within);
	visits->between_freedom += (double)(n_visits - 1);
	/* Runs that the mean square between visits counts a visit's effect for; visits are taken to be of
	 * equal length. */
	visits->repeats += (double)(n_visits - 1) * (double)runs / (double)n_visits;
}

static double drift_of(const struct visits *visits)
{
	double within, held, between;

	if (visits->between_freedom < 2 || visits->within_freedom < 2)
		return 0;
	within = visits->within / visits->within_freedom;
	held = visits->held / visits->held_freedom;
	between = fmax(0, visits->between / visits->between_freedom - within) * visits->between_freedom /
		  visits->repeats;
	return fmax(0, within + between - held);
}

static int compare_ln(const void *a, const void *b)
{
	const struct run *p = a, *q = b;

	return (p->ln > q->ln) - (p->ln < q->ln);
}

/* The runs [n] of one size without spikes: these come at any time. Returns how many are left, first. */
static size_t without_spikes(struct run *run, size_t n)
{
	qsort(run, n, sizeof *run, compare_ln);
	double most = run[(n - 1) / 2].ln + log(FT__SPIKE_RATIO);
	while (run[n - 1].ln > most)
		n--;
	qsort(run, n, sizeof *run, compare_runs);
	return n;
}

static double squares_of(const struct run *run, size_t n)
{
	double mean = 0, sum = 0;

	for (size_t i = 0; i < n; i++)
		mean += run[i].ln / (double)n;
	for (size_t i = 0; i < n; i++)
		sum += (run[i].ln - mean) * (run[i].ln - mean);
	return sum;
}

/* The runs [n] of one size, in the order of measurement. */
static void add_size(struct visits *visits, const struct run *run, size_t n)
{
	size_t from = 0, n_visits = 0;
	double within = 0;

	for (size_t i = 1; i <= n; i++) {
		if (i < n && run[i].visit == run[from].visit)
			continue;
		within += squares_of(run + from, i - from);
		n_visits++;
		from = i;
	}
	add_scatter(visits, n, n_visits, squares_of(run, n), within);
}

enum ft_status ft__visits_drift(const struct ft_observation *measured, size_t n, double offset, double *drift,
				struct ft_err *err)
{
	struct run *run = ft_calloc(n, sizeof *run);
	struct visits visits = {0};
	size_t from = 0, all = n, visit = 0;

	*drift = 0;
	if (!run)
		return ft_nomem(err);
	for (size_t i = n = 0; i < all; i++) {
		visit += i && !ft_size_equal(&measured[i].size, &measured[i - 1].size);
		if (!measured[i].censored)
			run[n++] = (struct run){&measured[i], visit, log(measured[i].value + offset)};
	}
	qsort(run, n, sizeof *run, compare_runs);
	for (size_t i = 1; i <= n; i++) {
		if (i < n && ft_size_equal(&run[i].o->size, &run[from].o->size))
			continue;
		add_size(&visits, run + from, without_spikes(run + from, i - from));
		from = i;
	}
	*drift = drift_of(&visits);
	ft_free(run);
	return FT_OK;
}
