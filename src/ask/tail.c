/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tail.c - the errors that runs have about what the others say of their size: how wild they get. */
#include "ask/upper.h"
#include "base/alloc.h"
#include "model/band.h"
#include "num/stats.h"

#include <math.h>
#include <stdlib.h>

enum { ERRORS_LEAST = 8, TAIL_LEAST = 3 };

/* Of these, the largest tell how the tail goes on. */
static const double tail_share = 0.1;

struct value {
	double x, value;
};

static int compare_values(const void *a, const void *b)
{
	const struct value *p = a, *q = b;

	if (p->x != q->x)
		return (p->x > q->x) - (p->x < q->x);
	return (p->value > q->value) - (p->value < q->value);
}

static int compare_down(const void *a, const void *b)
{
	const double *p = a, *q = b;

	return (*q > *p) - (*q < *p);
}

static size_t collect(const struct ft_runs *runs, size_t varying, const struct ft_size *fixed,
		      const char *resource, struct value *out)
{
	size_t i, j, n = 0;

	for (i = 0; i < runs->n; i++) {
		const struct ft_run *run = &runs->run[i];
		double value = ft_run_value(run, resource);
		bool same =
			run->outcome == FT_DONE && !run->warmup && run->size.n == fixed->n && !isnan(value);

		for (j = 0; j < fixed->n && same; j++)
			same = j == varying || run->size.value[j] == fixed->value[j];
		if (same)
			out[n++] = (struct value){run->size.value[varying], value};
	}
	qsort(out, n, sizeof *out, compare_values);
	return n;
}

/* The median of the other values at a size; v is sorted. */
static double median_of_others(const struct value *v, size_t n, size_t i)
{
	size_t half = (n - 1) / 2, low = half - ((n - 1) % 2 == 0), high = half;

	/* Places of the values behind i move up by one. */
	low += low >= i;
	high += high >= i;
	return sqrt(v[low].value * v[high].value);
}

/* A size with several runs: each beside the median of the others. */
static size_t errors_of_several(const struct ft_model *model, const struct value *v, size_t n, double *out)
{
	double noise = ft__band_run_noise(model, v->x, FT__NOISE_SHARE) * sqrt(1 + 1 / (double)(n - 1));
	size_t i;

	for (i = 0; i < n; i++)
		out[i] = log((v[i].value + model->offset) / (median_of_others(v, n, i) + model->offset)) /
			 noise;
	return n;
}

/* A size with one: beside the power law through its neighbours; what the gaps may err counts as noise. */
static size_t error_of_one(const struct ft_model *model, size_t j, double value, double *out)
{
	const struct ft_knot *k = &model->knot[j];
	double left = ft__band_x(model, k[-1].x), right = ft__band_x(model, k[1].x), u, noise, gap, told;

	u = (ft__band_x(model, k->x) - left) / (right - left);
	told = (1 - u) * log(k[-1].value + model->offset) + u * log(k[1].value + model->offset);
	noise = ft__band_run_noise(model, k->x, FT__NOISE_SHARE);
	gap = 2 * fmax(model->gap_error[j - 1], model->gap_error[j]);
	*out = (log(value + model->offset) - told) / sqrt(1.5 * noise * noise + gap * gap);
	return 1;
}

static size_t errors_of(const struct ft_model *model, const struct value *v, size_t n, double *out)
{
	size_t i, j = 0, k, count = 0;

	for (i = 0; i < n; i = k) {
		for (k = i + 1; k < n && v[k].x == v[i].x;)
			k++;
		while (j + 1 < model->n && model->knot[j].x < v[i].x)
			j++;
		if (k - i > 1)
			count += errors_of_several(model, &v[i], k - i, &out[count]);
		else if (j && j + 1 < model->n)
			count += error_of_one(model, j, v[i].value, &out[count]);
	}
	return count;
}

/* The value that a share `risk` of future errors exceeds: between order statistics as long as there are some,
 * then an exponential tail with the mean excess of the largest. */
static double quantile(double *error, size_t n, double risk)
{
	double rank = risk * (double)(n + 1), mean = 0;
	size_t tail = (size_t)(tail_share * (double)n), i;

	qsort(error, n, sizeof *error, compare_down);
	if (rank >= 1) {
		i = (size_t)rank - 1;
		return error[i] + (rank - (double)(i + 1)) * (i + 1 < n ? error[i + 1] - error[i] : 0);
	}
	tail = tail < TAIL_LEAST ? TAIL_LEAST : tail;
	for (i = 0; i < tail; i++)
		mean += (error[i] - error[tail]) / (double)tail;
	return error[0] + mean * log(1 / rank);
}

enum ft_status ft__own_quantile(const struct ft_model *model, const struct ft_runs *runs, size_t varying,
				const struct ft_size *fixed, const char *resource, double risk, double *out,
				struct ft_err *err)
{
	struct value *value = ft_calloc(runs->n + 1, sizeof *value);
	double *error = ft_calloc(runs->n + 1, sizeof *error);
	enum ft_status status = FT_OK;
	size_t n;

	*out = 0;
	if (!value || !error) {
		status = ft_nomem(err);
		goto out;
	}
	n = errors_of(model, value, collect(runs, varying, fixed, resource, value), error);
	if (n >= ERRORS_LEAST)
		*out = fmax(0, quantile(error, n, risk));
out:
	ft_free(value);
	ft_free(error);
	return status;
}
