/* SPDX-License-Identifier: GPL-3.0-or-later */
/* amdahl.c - the serial share of a program, from its times on several numbers of cores. */
#include "base/alloc.h"
#include "foretime/energy.h"
#include "num/stats.h"

#include <math.h>
#include <stdlib.h>

/* T(n) = T(1) (s + (1 - s) / n); the curve is looked at for so many s before it is followed down. */
enum { SCAN = 1000, HALVINGS = 60 };

/* Later counts that take so much more than an earlier one: no such law. */
static const double rise = 1.05;

/* The times on one number of cores, ln. */
struct count {
	double threads, median, squares; /* squares: about their mean */
	size_t runs;
};

struct counts {
	struct count *at; /* [n] ascending */
	size_t n, runs;
};

struct amdahl_sample {
	double threads, ln;
};

static int by_threads(const void *a, const void *b)
{
	const struct amdahl_sample *p = a, *q = b;

	if (p->threads != q->threads)
		return p->threads > q->threads ? 1 : -1;
	return (p->ln > q->ln) - (p->ln < q->ln);
}

static struct count settle_count(const struct amdahl_sample *sample, size_t n)
{
	struct count c = {.threads = sample[0].threads, .runs = n};
	double mean = 0;

	c.median = (sample[(n - 1) / 2].ln + sample[n / 2].ln) / 2;
	for (size_t i = 0; i < n; i++)
		mean += sample[i].ln / (double)n;
	for (size_t i = 0; i < n; i++)
		c.squares += (sample[i].ln - mean) * (sample[i].ln - mean);
	return c;
}

static enum ft_status gather_counts(struct counts *out, const double *threads, const double *seconds,
				    size_t n, struct ft_err *err)
{
	struct amdahl_sample *sample = ft_calloc(n + 1, sizeof *sample);
	size_t j;

	*out = (struct counts){.at = ft_calloc(n + 1, sizeof *out->at), .runs = n};
	for (size_t i = 0; sample && i < n; i++)
		sample[i] = (struct amdahl_sample){threads[i], log(seconds[i])};
	if (!sample || !out->at) {
		ft_free(sample);
		ft_free(out->at);
		return ft_nomem(err);
	}
	qsort(sample, n, sizeof *sample, by_threads);
	for (size_t i = 0; i < n; i = j) {
		for (j = i; j < n && sample[j].threads == sample[i].threads; j++)
			;
		out->at[out->n++] = settle_count(sample + i, j - i);
	}
	ft_free(sample);
	return FT_OK;
}

/* Squares of the relative errors of the medians about the law, T(1) being the best for that s. */
static double misfit_of(const struct counts *c, double s, double *ln_seconds)
{
	double sum = 0, mean = 0;

	for (size_t i = 0; i < c->n; i++)
		mean += (c->at[i].median - log(s + (1 - s) / c->at[i].threads)) / (double)c->n;
	for (size_t i = 0; i < c->n; i++) {
		double off = c->at[i].median - log(s + (1 - s) / c->at[i].threads) - mean;

		sum += off * off;
	}
	if (ln_seconds)
		*ln_seconds = mean;
	return sum;
}

static double least_of(const struct counts *c)
{
	static const double ratio = 0.6180339887498949;
	double best = INFINITY;
	size_t at = 0;

	for (size_t i = 0; i <= SCAN; i++) {
		double m = misfit_of(c, (double)i / SCAN, NULL);

		if (m < best) {
			best = m;
			at = i;
		}
	}
	double from = fmax(0, ((double)at - 1) / SCAN);
	double to = fmin(1, ((double)at + 1) / SCAN);
	for (size_t i = 0; i < HALVINGS; i++) { /* golden section */
		double a = to - ratio * (to - from), b = from + ratio * (to - from);

		if (misfit_of(c, a, NULL) <= misfit_of(c, b, NULL))
			to = b;
		else
			from = a;
	}
	return misfit_of(c, from, NULL) <= misfit_of(c, to, NULL) ? from : to;
}

/* Where the misfit passes a bound between s and an end, 0 or 1. */
static double find_edge(const struct counts *c, double s, double end, double bound)
{
	double within = s, beyond = end;

	if (misfit_of(c, end, NULL) <= bound)
		return end;
	for (int i = 0; i < HALVINGS; i++) {
		double middle = (within + beyond) / 2;

		if (misfit_of(c, middle, NULL) <= bound)
			within = middle;
		else
			beyond = middle;
	}
	return within;
}

/* The variance of a median about the law: what runs of one count scatter by, or what the law misses by, where
 * that is more. dof 0: nothing tells it. */
static double variance_of(const struct counts *c, double least, double *dof)
{
	double squares = 0, repeats = 0, of_median = 0, missed = 0;

	for (size_t i = 0; i < c->n; i++) {
		squares += c->at[i].squares;
		repeats += (double)(c->at[i].runs - 1);
		of_median += (c->at[i].runs > 2 ? M_PI / 2 : 1) / (double)c->at[i].runs / (double)c->n;
	}
	of_median *= repeats > 0 ? squares / repeats : 0;
	if (c->n > 2)
		missed = least / (double)(c->n - 2);
	*dof = missed >= of_median && c->n > 2 ? (double)(c->n - 2) : repeats;
	return fmax(missed, of_median);
}

static void judge_counts(const struct counts *c, struct ft_amdahl *out)
{
	double fastest = INFINITY;

	for (size_t i = 0; i < c->n; i++) {
		const struct count *at = &c->at[i];
		double said = log(out->seconds * (out->serial + (1 - out->serial) / at->threads));

		out->off = fmax(out->off, expm1(fabs(at->median - said)));
		out->rises |= at->median > fastest + log(rise);
		fastest = fmin(fastest, at->median);
	}
}

static enum ft_status check_runs(const double *threads, const double *seconds, size_t n, struct ft_err *err)
{
	bool several = false;

	for (size_t i = 0; i < n; i++) {
		several |= threads[i] != threads[0];
		if (!(threads[i] >= 1) || !(seconds[i] > 0) || !isfinite(threads[i]) || !isfinite(seconds[i]))
			return ft_fail(err, FT_EINVAL, "run %zu: %g s on %g cores is none", i + 1, seconds[i],
				       threads[i]);
	}
	if (several)
		return FT_OK;
	(void)ft_fail(err, FT_EINVAL, "the serial share needs runs on two numbers of cores or more");
	return ft_remedy(err, "run the program on 1, 2, 4, ... cores");
}

enum ft_status ft_amdahl_fit(struct ft_amdahl *out, const double *threads, const double *seconds, size_t n,
			     double confidence, struct ft_err *err)
{
	struct counts counts = {0};
	enum ft_status status = check_runs(threads, seconds, n, err);
	double ln_seconds, dof;

	*out = (struct ft_amdahl){.lower = NAN, .upper = NAN};
	if (!status)
		status = gather_counts(&counts, threads, seconds, n, err);
	if (status)
		return status;
	out->counts = counts.n;
	out->runs = n;
	out->serial = least_of(&counts);
	double least = misfit_of(&counts, out->serial, &ln_seconds);
	out->seconds = exp(ln_seconds);
	double bound = variance_of(&counts, least, &dof);
	if (dof > 0) {
		bound = least + bound * pow(ft_student_t(confidence, dof), 2);
		out->lower = find_edge(&counts, out->serial, 0, bound);
		out->upper = find_edge(&counts, out->serial, 1, bound);
	}
	judge_counts(&counts, out);
	ft_free(counts.at);
	return FT_OK;
}
