/* SPDX-License-Identifier: GPL-3.0-or-later */
/* select.c - finds for each shape the best law c0 + c1 g, and its likelihood. */
#include "base/alloc.h"
#include "law/laws.h"
#include "num/num.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Prepare samples and sizes for finding laws.
 */

/* Fewer samples than this do not determine their errors, which are then assumed to be near `usual`. */
enum { FEW = 6 };
static const double usual = 0.03;

/* A factorial is negligible at the smallest size if it is smaller by this factor than at the largest. */
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
	if (data->total < FEW) { /* errors are not determined: assume usual ones */
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

/*
 * The likelihoods of many laws at once, and the resulting points.
 *
 * Errors are relative, normal, of one unknown size s; the level A of a law A r is unknown too. Both are
 * integrated away in closed form (Jeffreys' priors), the level by Laplace's approximation: with q = mean / r,
 * counts R and N = sum R,
 *
 * 	A = sum R q^2 / sum R q,    SS = N - (sum R q)^2 / sum R q^2 + scatter,
 * 	ln evidence = -(N - 1)/2 ln SS - sum R ln r - N ln A + constant.
 *
 * The loops run over laws inside, sizes outside: compilers make vectors of that.
 */

enum { CELLS = FT__LAW_CELLS, EVIDENCE_PRODUCT = 8 };

struct evidence_sums {
	double q1[CELLS], q2[CELLS];
	double product[CELLS], logs[CELLS]; /* of r */
	double work[CELLS];
};

static void add_size(const struct ft__law_data *data, const struct ft__law_cells *cells, size_t k,
		     struct evidence_sums *sums)
{
	double g[FT_LAW_MIXED] = {0}, mean = data->mean[k], count = data->count[k];

	for (size_t t = 0; t < cells->terms; t++)
		g[t] = ft__law_g(data, cells->shape[t])[k];
	for (size_t i = 0; i < cells->n; i++) {
		double r = cells->part[0][i] + cells->part[1][i] * g[0], q;

		if (cells->terms > 1)
			r += cells->part[2][i] * g[1];
		if (cells->terms > 2)
			r += cells->part[3][i] * g[2];
		q = mean / r;
		sums->q1[i] += count * q;
		sums->q2[i] += count * q * q;
		sums->product[i] *= r;
	}
}

/* Logarithms are dear: one for eight sizes, where these have as many samples each. */
static void take_logs(const struct ft__law_data *data, const struct ft__law_cells *cells, size_t k,
		      struct evidence_sums *sums)
{
	if (data->alike && k % EVIDENCE_PRODUCT != EVIDENCE_PRODUCT - 1 && k + 1 < data->n)
		return;
	ft_ln_many(sums->product, cells->n, sums->work);
	for (size_t i = 0; i < cells->n; i++) {
		/* ft_ln_many set it. NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult) */
		sums->logs[i] += data->count[k] * sums->work[i];
		sums->product[i] = 1;
	}
}

void ft__law_evidence(const struct ft__law_data *data, struct ft__law_cells *cells)
{
	double rest = data->scatter + data->floor + data->supposed;
	struct evidence_sums sums;

	for (size_t i = 0; i < cells->n; i++) {
		sums.q1[i] = sums.q2[i] = sums.logs[i] = 0;
		sums.product[i] = 1;
	}
	for (size_t k = 0; k < data->n; k++) {
		add_size(data, cells, k, &sums);
		take_logs(data, cells, k, &sums);
	}
	for (size_t i = 0; i < cells->n; i++) {
		cells->level[i] = sums.q2[i] / sums.q1[i];
		sums.q1[i] = data->total - sums.q1[i] * sums.q1[i] / sums.q2[i];
		cells->square[i] = (sums.q1[i] > 0 ? sums.q1[i] : 0) + rest;
	}
	ft_ln_many(cells->square, cells->n, sums.work);
	ft_ln_many(cells->level, cells->n, sums.q1);
	for (size_t i = 0; i < cells->n; i++)
		cells->ln[i] = -(data->total + data->extra - 1) / 2 * sums.work[i] - sums.logs[i] -
			       data->total * sums.q1[i];
}

static enum ft_status grow_points(struct ft__law_points *points, size_t more, struct ft_err *err)
{
	size_t capacity = 2 * points->capacity > points->n + more ? 2 * points->capacity : points->n + more;

	if (points->n + more <= points->capacity)
		return FT_OK;
	capacity = capacity < FT__LAW_POINTS_FIRST ? (size_t)FT__LAW_POINTS_FIRST : capacity;
	struct ft_law_point *grown = ft_realloc(points->point, capacity * sizeof *grown);
	if (!grown)
		return ft_nomem(err);
	points->point = grown;
	points->capacity = capacity;
	return FT_OK;
}

enum ft_status ft__law_points_add(struct ft__law_points *points, const struct ft_law_point *point,
				  struct ft_err *err)
{
	if (grow_points(points, 1, err))
		return FT_ENOMEM;
	points->top = points->n ? fmax(points->top, point->weight) : point->weight;
	points->point[points->n++] = *point;
	return FT_OK;
}

enum ft_status ft__law_points_take(struct ft__law_points *points, const struct ft__law_data *data,
				   const struct ft__law_cells *cells, double prior, struct ft_err *err)
{
	double top = points->n ? points->top : (double)-INFINITY, dof, least;

	dof = fmax(data->total + data->extra - 1, 1); /* of the level; the shares are given */
	for (size_t i = 0; i < cells->n; i++)
		top = cells->ln[i] + prior > top ? cells->ln[i] + prior : top; /* fmax is a call */
	least = top - FT__LAW_NEGLIGIBLE - prior;
	if (grow_points(points, cells->n, err))
		return FT_ENOMEM;
	points->top = top;
	for (size_t i = 0; i < cells->n; i++) {
		if (!(cells->ln[i] >= least))
			continue;
		struct ft_law_point *out = &points->point[points->n++];
		out->weight = cells->ln[i] + prior;
		out->constant = cells->level[i] * cells->part[0][i];
		out->error = data->heavy * sqrt(cells->square[i] / dof / data->total);
		out->terms = (unsigned char)cells->terms;
		for (size_t t = 0; t < FT_LAW_MIXED; t++) {
			bool is = t < cells->terms;

			out->shape[t] = is ? cells->shape[t] : 0;
			out->c[t] =
				is ? cells->level[i] * cells->part[t + 1][i] / data->scale[cells->shape[t]]
				   : 0;
		}
	}
	return FT_OK;
}

/* A part of the points: the first ones, and the rest, whose weights count `rest` more. */
struct part {
	const struct ft__law_points *points;
	size_t first;
	double rest, top; /* top: the highest weight */
};

static double weight_of(const struct part *part, size_t i)
{
	return part->points->point[i].weight + (i < part->first ? 0 : part->rest);
}

static struct part take_part(const struct ft__law_points *points, size_t first, double rest)
{
	struct part part = {points, first, rest, -INFINITY};

	for (size_t i = 0; i < points->n; i++)
		part.top = weight_of(&part, i) > part.top ? weight_of(&part, i) : part.top;
	return part;
}

/* The weight below which points are too many: FT_LAW_POINTS at most are above it, but for points that are all
 * as heavy as the heaviest. */
static double weight_threshold(const struct part *part)
{
	enum { BINS = 128 };
	size_t count[BINS] = {0}, i, sum;

	for (i = 0; i < part->points->n; i++) {
		double below = (part->top - weight_of(part, i)) / FT__LAW_NEGLIGIBLE * BINS;

		if (below < BINS)
			count[(size_t)below]++;
	}
	for (i = 1, sum = count[0]; i < BINS && sum + count[i] <= FT_LAW_POINTS; i++)
		sum += count[i];
	return part->top - FT__LAW_NEGLIGIBLE * (double)i / BINS;
}

size_t ft__law_keep(const struct ft__law_points *points, size_t first, double rest, struct ft_law_point *out)
{
	struct part part = take_part(points, first, rest);
	double least = weight_threshold(&part), sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < points->n && n < FT_LAW_POINTS; i++) {
		if (weight_of(&part, i) <= least)
			continue;
		/* Copy each member without padding bytes, which are undefined: the same samples give the same bytes. */
		struct ft_law_point *to = &out[n];
		const struct ft_law_point *from = &points->point[i];

		to->constant = from->constant;
		memcpy(to->c, from->c, sizeof to->c);
		to->error = from->error;
		memcpy(to->shape, from->shape, sizeof to->shape);
		to->terms = from->terms;
		out[n].weight = exp(weight_of(&part, i) - part.top);
		sum += out[n++].weight;
	}
	for (size_t i = 0; i < n; i++)
		out[i].weight /= sum;
	return n;
}

/*
 * Finds for each shape the best law c0 + c1 g, and its likelihood.
 */

enum { PRODUCT = 8 };

/* A law that misses no sample by more than this, root mean square, is exact; how many sizes more than
 * coefficients that takes. */
static const double exact = 1e-6;
enum { SPARE = 1 };

/* Weighted least squares of c0 + c1 g; a negative coefficient becomes 0, the other one is fitted again. */
static void solve_pair(const struct ft__law_data *data, const double *g, size_t from, size_t to,
		       struct ft__law_best *best)
{
	double s = 0, sg = 0, sgg = 0, sm = 0, sgm = 0;

	for (size_t k = from; k < to; k++) {
		double w = data->weight[k], wg = w * g[k];

		s += w;
		sg += wg;
		sgg += wg * g[k];
		sm += w * data->mean[k];
		sgm += wg * data->mean[k];
	}
	double determinant = s * sgg - sg * sg;
	best->c0 = sm / s;
	best->c1 = 0;
	if (!(determinant > 1e-14 * s * sgg))
		return;
	best->c1 = (s * sgm - sg * sm) / determinant;
	best->c0 = (sm - best->c1 * sg) / s;
	if (best->c1 < 0) {
		best->c0 = sm / s;
		best->c1 = 0;
	} else if (best->c0 < 0) {
		best->c0 = 0;
		best->c1 = sgm / sgg;
	}
}

/* Errors are relative to the law, not to what was measured: twice, the second time by the first law. */
double ft__law_best_of(const struct ft__law_data *data, size_t shape, size_t from, size_t to,
		       struct ft__law_best *best)
{
	const double *g = ft__law_g(data, shape);
	double logs = 0, product = 1;

	for (size_t k = from; k < to; k++)
		data->weight[k] = data->count[k] / (data->mean[k] * data->mean[k]);
	for (int round = 0; round < 2; round++) {
		solve_pair(data, g, from, to, best);
		if (shape == FT__CONSTANT)
			best->c1 = 0;
		for (size_t k = from; k < to; k++) {
			double f = best->c0 + best->c1 * g[k];

			data->weight[k] = data->count[k] / (f * f);
		}
	}
	best->square = 0;
	for (size_t k = from; k < to; k++) {
		double f = best->c0 + best->c1 * g[k], r = data->mean[k] / f - 1;

		best->square += data->count[k] * r * r;
		logs += data->count[k] * data->ln[k];
		product *= r + 1; /* of mean / f: near 1, and one logarithm for all where counts are alike */
		if (!data->alike || k + 1 == to || (k - from) % PRODUCT == PRODUCT - 1) {
			logs -= data->count[k] * log(product);
			product = 1;
		}
	}
	return logs;
}

double ft__law_score(const struct ft__law_data *data, double square, double logs, double p)
{
	return -(data->total + data->extra) / 2 * log(square + data->scatter + data->floor + data->supposed) -
	       logs - p / 2 * log(data->total);
}

double ft__law_score_of_means(const struct ft__law_data *data, double p)
{
	double logs = 0;

	for (size_t k = 0; k < data->n; k++)
		logs += data->count[k] * data->ln[k];
	return ft__law_score(data, 0, logs, p);
}

bool ft__law_is_exact(const struct ft__law_data *data, double square, size_t coefficients)
{
	return data->n >= coefficients + SPARE && square + data->scatter < exact * exact * data->total;
}

size_t ft__law_inside(const double *ln, size_t n, double top, size_t *first, size_t *last)
{
	size_t inside = 0;

	*first = n;
	*last = 0;
	for (size_t i = 0; i < n; i++) {
		if (ln[i] < top - FT__LAW_NEGLIGIBLE)
			continue;
		*first = inside++ ? *first : i;
		*last = i;
	}
	return inside;
}
