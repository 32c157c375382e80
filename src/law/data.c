/* SPDX-License-Identifier: GPL-3.0-or-later */
/* data.c - samples and sizes made ready for finding laws. */
#include "base/alloc.h"
#include "law/laws.h"
#include "num/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Fewer samples than this say too little of their errors, which are then thought to be near `usual`. */
enum { FEW = 6 };
static const double usual = 0.03;

/* A factorial so much smaller at the smallest size than at the largest says nothing there. */
static const double faint = 1e-60;

static int by_size_and_value(const void *a, const void *b)
{
	const struct ft_law_sample *s = a, *t = b;

	if (s->x != t->x)
		return s->x < t->x ? -1 : 1;
	return (s->value > t->value) - (s->value < t->value);
}

/* The median of sorted samples. */
static double median_of_sorted(const struct ft_law_sample *s, size_t n)
{
	return n % 2 ? s[n / 2].value : (s[n / 2 - 1].value + s[n / 2].value) / 2;
}

static size_t same_size(const struct ft_law_sample *s, size_t n)
{
	size_t i;

	for (i = 1; i < n && s[i].x == s[0].x; i++)
		;
	return i;
}

/* One robust sigma of ln value about the size's median, pooled over sizes with three or more samples; the
 * residual that is 0 by itself, that of the median of an odd number, does not count. NaN: none such. */
static double robust_sigma(const struct ft_law_sample *s, size_t n, double *work)
{
	size_t m = 0, step;

	for (size_t i = 0; i < n; i += step) {
		step = same_size(s + i, n - i);
		double median = median_of_sorted(s + i, step);
		if (step < 3 || !(median > 0))
			continue;
		for (size_t j = 0; j < step; j++)
			if (!(step % 2 && j == step / 2))
				work[m++] = s[i + j].value > 0 ? fabs(log(s[i + j].value / median)) : 1e3;
	}
	return m ? 1.4826 * ft_stats_median(work, m) : (double)NAN;
}

void ft__law_knots(struct ft_law_sample *sorted, size_t n, struct ft_law_knot *out, size_t *sizes,
		   double *work)
{
	size_t step;

	qsort(sorted, n, sizeof *sorted, by_size_and_value);
	double sigma = robust_sigma(sorted, n, work);
	double reach = isnan(sigma) ? (double)INFINITY : exp(3 * sigma);
	*sizes = 0;
	for (size_t i = 0; i < n; i += step) {
		struct ft_law_knot knot = {.x = sorted[i].x};

		step = same_size(sorted + i, n - i);
		double median = median_of_sorted(sorted + i, step);
		knot.count = step;
		for (size_t j = 0; j < step; j++) {
			work[j] = sorted[i + j].value;
			if (step >= 3 && median > 0)
				work[j] = fmin(fmax(work[j], median / reach), median * reach);
			knot.mean += work[j];
		}
		knot.mean /= (double)step;
		for (size_t j = 0; j < step && knot.mean != 0; j++)
			knot.scatter += (work[j] / knot.mean - 1) * (work[j] / knot.mean - 1);
		out[(*sizes)++] = knot;
	}
}

static enum ft_status check_samples(const struct ft_law_sample *sample, size_t n, bool any_sign,
				    struct ft_err *err)
{
	for (size_t i = 0; i < n; i++) {
		if (isfinite(sample[i].x) && sample[i].x >= 0 && isfinite(sample[i].value) &&
		    ft__law_has_square(sample[i].value) && (any_sign || sample[i].value >= 0))
			continue;
		(void)ft_fail(err, FT_EINVAL, "sample %zu (size %g, value %g) obeys no law", i, sample[i].x,
			      sample[i].value);
		(void)ft_remedy(
			err,
			"laws are of sizes and costs that are not negative, and of costs between 1e-140 and "
			"1e140");
		return FT_EINVAL;
	}
	return FT_OK;
}

enum ft_status ft__law_samples(const struct ft_law_sample *sample, size_t n, bool any_sign,
			       struct ft_law_knot **knot, size_t *sizes, struct ft_err *err)
{
	enum ft_status status = check_samples(sample, n, any_sign, err);
	struct ft_law_sample *sorted = NULL;
	double *work = NULL;

	*knot = NULL;
	*sizes = 0;
	if (status)
		return status;
	sorted = ft_malloc((n + 1) * sizeof *sorted);
	work = ft_malloc((n + 1) * sizeof *work);
	*knot = ft_malloc((n + 1) * sizeof **knot);
	if (sorted && work && *knot) {
		if (n)
			memcpy(sorted, sample, n * sizeof *sorted);
		ft__law_knots(sorted, n, *knot, sizes, work);
	} else {
		ft_free(*knot);
		*knot = NULL;
		status = ft_nomem(err);
	}
	ft_free(work);
	ft_free(sorted);
	return status;
}

static void fill_shapes(struct ft__law_data *data)
{
	double value[FT_LAW_SHAPES];
	size_t i, n = data->n;

	ft__law_shape_values(data->x[n - 1], data->scale);
	for (size_t k = 0; k < n; k++) {
		ft__law_shape_values(data->x[k], value);
		for (i = 0; i < FT_LAW_SHAPES; i++)
			data->g[i * n + k] = value[i] / data->scale[i];
	}
	for (i = 0; i < FT_LAW_SHAPES; i++) {
		data->prior[i] = ft__law_prior(i);
		if (!isfinite(data->g[i * n]) || !(data->scale[i] > 0) || isinf(data->scale[i]))
			data->scale[i] = (double)NAN;
		/* What grows as no power does must be seen at all sizes. */
		if (i >= FT_LAW_GROWING && (data->growing || !(data->g[i * n] > faint)))
			data->scale[i] = (double)NAN;
	}
	for (; i < FT__LAW_ALL; i++)
		data->scale[i] = (double)NAN;
}

enum ft_status ft__law_data_init(struct ft__law_data *data, const struct ft_law_knot *knot, size_t n,
				 bool growing, struct ft_err *err)
{
	*data = (struct ft__law_data){.n = n, .alike = true, .growing = growing, .heavy = 1};
	data->x = ft_malloc((6 * n + (n + 1) * FT__LAW_ALL) * sizeof(double));
	if (!data->x)
		return ft_nomem(err);
	data->mean = data->x + n;
	data->count = data->mean + n;
	data->ln = data->count + n;
	data->weight = data->ln + n;
	data->r = data->weight + n;
	data->g = data->r + n;
	data->scale = data->g + n * FT__LAW_ALL;
	for (size_t k = 0; k < n; k++) {
		data->x[k] = knot[k].x;
		data->mean[k] = knot[k].mean;
		data->ln[k] = log(knot[k].mean);
		data->count[k] = (double)knot[k].count;
		data->alike &= knot[k].count == knot[0].count;
		data->total += data->count[k];
		data->scatter += knot[k].scatter;
	}
	data->floor = 1e-8 * data->total;
	if (data->total < FEW) { /* nothing could be said of errors: let them be usual ones */
		data->extra = 2;
		data->supposed = 2 * usual * usual;
	}
	data->heavy = ft_student_t(0.9, data->total + data->extra - 1) / ft_student_t(0.9, 1e6);
	fill_shapes(data);
	return FT_OK;
}

void ft__law_data_clear(struct ft__law_data *data)
{
	ft_free(data->x);
	*data = (struct ft__law_data){0};
}
