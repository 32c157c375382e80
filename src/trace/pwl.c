/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pwl.c - continuous piecewise linear curves, and their integrals from a tree of stretches.
 *
 * The document (003 section 2.2) takes differences of prefix integrals of f and x f. Over long traces these
 * cancel. Here each stretch keeps its mean, the slope of its best line and the square that this line leaves:
 * two stretches are joined by adding positive terms only, so that every digit of a short stretch far from the
 * origin survives.
 */
#include "trace/pwl.h"
#include "base/alloc.h"
#include "num/line.h"
#include "trace/sketch.h"

#include <math.h>

struct ft__span ft__span_join(struct ft__span a, struct ft__span b)
{
	double h = a.h + b.h;
	struct ft__span both;

	if (!(a.h > 0))
		return b;
	if (!(b.h > 0))
		return a;
	double inverse = 1 / h;
	double wa = a.h * inverse;
	double wb = b.h * inverse;
	double d = b.mean - a.mean;
	both.h = h;
	both.mean = a.mean + wb * d;
	both.slope = wa * wa * wa * a.slope + wb * wb * wb * b.slope + 6 * d * wa * wb * inverse;
	double ea =
		both.slope * b.h / 2 - wb * d; /* the parts' lines against the common one, at their middles */
	double eb = wa * d - both.slope * a.h / 2;
	double sa = (a.slope - both.slope) * a.h; /* and by what they differ along the part */
	double sb = (b.slope - both.slope) * b.h;
	both.r = a.r + b.r + a.h * (ea * ea + sa * sa / 12) + b.h * (eb * eb + sb * sb / 12);
	return both;
}

/* The straight piece from x to z of the piece that begins at point i. */
static struct ft__span straight_span(const struct ft_pwl *f, size_t i, double x, double z)
{
	double begin = f->t[i] - f->t0, value = f->y[i] - f->y0;
	double slope = (f->y[i + 1] - f->y[i]) / (f->t[i + 1] - f->t[i]);

	return (struct ft__span){z - x, value + slope * ((x - begin) / 2 + (z - begin) / 2), slope, 0};
}

/* Whole pieces between points i < j. */
static struct ft__span join_pieces(const struct ft_pwl *f, size_t i, size_t j)
{
	struct ft__span all = {0};

	for (; i < j; i++)
		all = ft__span_join(all,
				    (struct ft__span){f->t[i + 1] - f->t[i],
						      (f->y[i] - f->y0) / 2 + (f->y[i + 1] - f->y0) / 2,
						      (f->y[i + 1] - f->y[i]) / (f->t[i + 1] - f->t[i]), 0});
	return all;
}

/* Of values and times; its inverse of what lies between two: squares of values, or of slopes, times cubes of
 * lengths are numbers then. */
static const double farthest = 1e60;

static enum ft_status check_points(const double *t, const double *y, size_t n, struct ft_err *err)
{
	if (n < 2) {
		(void)ft_fail(err, FT_EINVAL, "a trace needs two points, and there %s",
			      n ? "is one" : "are none");
		return ft_remedy(err, "give a trace with two rows or more");
	}
	for (size_t i = 0; i < n; i++) {
		if (!isfinite(t[i]) || !isfinite(y[i]))
			return ft_fail(err, FT_EINVAL, "point %zu is not finite", i);
		if (fabs(y[i]) > farthest) {
			(void)ft_fail(err, FT_EINVAL,
				      "the value of point %zu, %g, is too large to be squared", i, y[i]);
			return ft_remedy(err, "give the values in a larger unit");
		}
		if (fabs(t[i]) > farthest) {
			(void)ft_fail(err, FT_EINVAL, "the time of point %zu, %g, is too far away", i, t[i]);
			return ft_remedy(err, "give the times in a larger unit");
		}
		if (i && !(t[i] > t[i - 1]))
			return ft_fail(err, FT_EINVAL, "point %zu is not later than the one before", i);
		if (i && t[i] - t[i - 1] < 1 / farthest)
			return ft_fail(err, FT_EINVAL, "point %zu is too close to the one before", i);
	}
	return FT_OK;
}

/* Leaves, then their parents up to the root. Block b holds the pieces from point b B to (b + 1) B. */
static void grow_tree(struct ft_pwl *f)
{
	for (size_t b = 0; b < f->n_blocks; b++) {
		size_t end = (b + 1) * FT__PWL_BLOCK;

		f->tree[f->n_blocks + b] = join_pieces(f, b * FT__PWL_BLOCK, end < f->n - 1 ? end : f->n - 1);
	}
	for (size_t i = f->n_blocks; --i > 0;)
		f->tree[i] = ft__span_join(f->tree[2 * i], f->tree[2 * i + 1]);
}

enum ft_status ft_pwl_new(struct ft_pwl **out, const double *t, const double *y, size_t n, struct ft_err *err)
{
	*out = NULL;
	FT_TRY(check_points(t, y, n, err));
	struct ft_pwl *f = ft_calloc(1, sizeof *f);
	if (!f)
		return ft_nomem(err);
	f->t = t;
	f->y = y;
	f->n = n;
	f->t0 = t[0];
	f->y0 = y[0];
	f->length = t[n - 1] - t[0];
	f->n_blocks = (n - 2) / FT__PWL_BLOCK + 1;
	f->tree = ft_malloc(2 * f->n_blocks * sizeof *f->tree);
	if (!f->tree) {
		ft_free(f);
		return ft_nomem(err);
	}
	grow_tree(f);
	*out = f;
	return FT_OK;
}

void ft_pwl_free(struct ft_pwl *f)
{
	if (!f)
		return;
	ft_free(f->tree);
	ft_free(f);
}

double ft_pwl_begin(const struct ft_pwl *f)
{
	return f->t0;
}

double ft_pwl_end(const struct ft_pwl *f)
{
	return f->t[f->n - 1];
}

/* Where equal distances would have it, then outwards in doubling steps, then halving: most traces are sampled
 * evenly, and num/order.h halves from the whole. Random places in 100, 10^4 and 10^6 points, CPU time of that
 * search by this one's: 13, 29 and 10 at even times, 1.5, 4.3 and 2.0 at exponential gaps, 1.1, 1.2 and 1.0
 * at gaps with a heavy tail. And what is compared is t - t0, as all else here: with x + t0 the digits of t0
 * decide. */
size_t ft__pwl_find(const struct ft_pwl *f, double x)
{
	size_t last = f->n - 2, step = 1;
	double guess = x / f->length * (double)(f->n - 1);

	if (!(x > 0))
		return 0;
	size_t low = guess < (double)last ? (size_t)guess : last;
	size_t high = low + 1;
	while (low > 0 && f->t[low] - f->t0 > x) {
		high = low;
		low = low > step ? low - step : 0;
		step *= 2;
	}
	while (high <= last && f->t[high] - f->t0 <= x) {
		low = high;
		high = last + 1 - high > step ? high + step : last + 1;
		step *= 2;
	}
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (f->t[middle] - f->t0 <= x)
			low = middle;
		else
			high = middle;
	}
	return low;
}

double ft__pwl_value(const struct ft_pwl *f, double x)
{
	size_t i = ft__pwl_find(f, x);

	return ft_line_within(x, f->t[i] - f->t0, f->y[i] - f->y0, f->t[i + 1] - f->t0, f->y[i + 1] - f->y0);
}

/* Whole blocks from b to c, in order, from the tree. */
static struct ft__span join_blocks(const struct ft_pwl *f, size_t b, size_t c)
{
	struct ft__span left = {0}, right = {0};

	for (b += f->n_blocks, c += f->n_blocks; b < c; b /= 2, c /= 2) {
		if (b & 1)
			left = ft__span_join(left, f->tree[b++]);
		if (c & 1)
			right = ft__span_join(f->tree[--c], right);
	}
	return ft__span_join(left, right);
}

/* Whole pieces from point i to point j, by way of the tree where that is shorter. */
static struct ft__span join_stretch(const struct ft_pwl *f, size_t i, size_t j)
{
	size_t b = (i + FT__PWL_BLOCK - 1) / FT__PWL_BLOCK, c = j / FT__PWL_BLOCK;

	if (b >= c)
		return join_pieces(f, i, j);
	return ft__span_join(ft__span_join(join_pieces(f, i, b * FT__PWL_BLOCK), join_blocks(f, b, c)),
			     join_pieces(f, c * FT__PWL_BLOCK, j));
}

struct ft__span ft__pwl_span(const struct ft_pwl *f, double a, double b)
{
	a = fmax(a, 0);
	b = fmin(b, f->length);
	if (!(b > a))
		return (struct ft__span){0, ft__pwl_value(f, a), 0, 0};
	if (f->sketch)
		return ft__sketch_span(f->sketch, a, b);
	size_t i = ft__pwl_find(f, a);
	size_t j = f->t[i + 1] - f->t0 >= b ? i : ft__pwl_find(f, b);
	if (i == j)
		return straight_span(f, i, a, b);
	struct ft__span all =
		ft__span_join(straight_span(f, i, a, f->t[i + 1] - f->t0), join_stretch(f, i + 1, j));
	return ft__span_join(all, straight_span(f, j, f->t[j] - f->t0, b));
}

void ft__pwl_spans(const struct ft_pwl *f, const double *x, size_t n, struct ft__span *span)
{
	if (f->sketch) {
		ft__sketch_spans(f->sketch, x, n, span);
		return;
	}
	for (size_t j = 0; j + 1 < n; j++)
		span[j] = ft__pwl_span(f, x[j], x[j + 1]);
}

double ft__span_square(const struct ft__span *span, double p, double q)
{
	double e = span->mean - (p + q) / 2, s = span->slope * span->h - (q - p);

	return span->r + span->h * (e * e + s * s / 12);
}

/* ---- as the header has it ------------------------------------------------------------------------------ */

double ft_pwl_at(const struct ft_pwl *f, double t)
{
	return f->y0 + ft__pwl_value(f, fmin(fmax(t - f->t0, 0), f->length));
}

struct ft_pwl_line ft_pwl_line(const struct ft_pwl *f, double a, double b)
{
	struct ft__span span = ft__pwl_span(f, a - f->t0, b - f->t0);

	return (struct ft_pwl_line){f->y0 + span.mean, span.slope, span.r};
}

double ft_pwl_integral(const struct ft_pwl *f, double a, double b)
{
	struct ft__span span = ft__pwl_span(f, a - f->t0, b - f->t0);

	return span.h * f->y0 + span.h * span.mean;
}

void ft_pwl_range(const struct ft_pwl *f, double value[2], double at[2])
{
	size_t least = 0, most = 0;

	for (size_t i = 1; i < f->n; i++) {
		if (f->y[i] < f->y[least])
			least = i;
		if (f->y[i] > f->y[most])
			most = i;
	}
	if (value) {
		value[0] = f->y[least];
		value[1] = f->y[most];
	}
	if (at) {
		at[0] = f->t[least];
		at[1] = f->t[most];
	}
}
