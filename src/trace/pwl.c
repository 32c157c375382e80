/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pwl.c - continuous piecewise linear curves, and their integrals from a tree of stretches.
 *
 * The document (003 section 2.2) uses differences of prefix integrals of f and x f, which cancel over long
 * traces. Here each stretch keeps its mean, the slope of its best line and the square that this line leaves:
 * two stretches are joined by adding positive terms only, so that every digit of a short stretch far from
 * the origin survives. */
#include "base/alloc.h"
#include "num/num.h"
#include "trace/trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void sketch_spans(const struct ft__sketch *sketch, const double *x, size_t n, struct ft__span *span);

enum { FT__PWL_BLOCK = 32 };

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

enum ft_status ft_pwl_new(struct ft_pwl **out, const double *t, const double *y, size_t n, struct ft_err *err)
{
	*out = NULL;
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
	/* Leaves, then their parents up to the root. Block b holds the pieces from point b B to (b + 1) B. */
	for (size_t b = 0; b < f->n_blocks; b++) {
		size_t end = (b + 1) * FT__PWL_BLOCK;

		f->tree[f->n_blocks + b] = join_pieces(f, b * FT__PWL_BLOCK, end < f->n - 1 ? end : f->n - 1);
	}
	for (size_t i = f->n_blocks; --i > 0;)
		f->tree[i] = ft__span_join(f->tree[2 * i], f->tree[2 * i + 1]);
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
 * evenly, and num/num.h halves from the whole. Random places in 100, 10^4 and 10^6 points, CPU time of that
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
		sketch_spans(f->sketch, x, n, span);
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

/*
 * Prefix integrals of a curve, their rounding errors kept, so that differences of them lose
 * nothing.
 */

enum { CELLS_MOST = 1 << 14 };

/* What a place adds to all integrals: those up to it. */
struct sketch_place {
	double x;
	size_t cell;
	struct ft__integrals to;
};

/* Over a line of length h from p at x on, which leaves r: added to the integrals. */
static struct ft__integrals extend_integrals(struct ft__integrals sum, double x, double h, double p,
					     double slope, double r)
{
	double middle = p + slope * h / 2, tilt = slope * h;

	sum.f = ft__sum_add(sum.f, h * middle);
	sum.xf = ft__sum_add(sum.xf, h * ((x + h / 2) * middle + tilt * h / 12));
	sum.ff = ft__sum_add(sum.ff, h * (middle * middle + tilt * tilt / 12) + r);
	return sum;
}

enum ft_status ft__sketch_init(struct ft__sketch *s, struct ft_arena *arena, const struct ft_pwl *f,
			       struct ft_err *err)
{
	size_t most = f->n - 1 < CELLS_MOST ? f->n - 1 : CELLS_MOST;

	*s = (struct ft__sketch){.n = f->n,
				 .x = ft_arena_take(arena, most + 1, sizeof *s->x),
				 .line = ft_arena_take(arena, most, sizeof *s->line),
				 .integral = ft_arena_take(arena, most + 1, sizeof *s->integral),
				 .bucket = ft_arena_take(arena, most + 1, sizeof *s->bucket)};
	FT_TRY(ft_arena_check(arena, err));
	/* The points: the curve's, or of many those of a mesh. */
	if (f->n - 1 > most)
		FT_TRY(ft__mesh(f, most, s->x, &s->n, err));
	else
		for (size_t i = 0; i < f->n; i++)
			s->x[i] = f->t[i] - f->t0;
	struct ft__integrals sum = {{0, 0}, {0, 0}, {0, 0}};
	bool own = s->n == f->n;
	size_t i;

	for (i = 0; i + 1 < s->n; i++) {
		double h = s->x[i + 1] - s->x[i];
		struct ft__span cell = {0};

		if (own)
			s->line[i] = (struct ft__cell_line){f->y[i] - f->y0, (f->y[i + 1] - f->y[i]) / h, 0};
		else
			cell = ft__pwl_span(f, s->x[i], s->x[i + 1]);
		if (!own)
			s->line[i] =
				(struct ft__cell_line){cell.mean - cell.slope * h / 2, cell.slope, cell.r};
		s->integral[i] = sum;
		sum = extend_integrals(sum, s->x[i], h, s->line[i].p, s->line[i].slope, s->line[i].r);
	}
	s->integral[i] = sum;
	size_t k = 0;

	s->per_time = (double)s->n / s->x[s->n - 1];
	for (size_t b = 0; b < s->n; b++) {
		while (k + 2 < s->n && s->x[k + 1] * s->per_time <= (double)b)
			k++;
		s->bucket[b] = (uint32_t)k;
	}
	return FT_OK;
}

size_t ft__sketch_find(const struct ft__sketch *s, double x)
{
	double at = x * s->per_time;
	size_t bucket = at < (double)(s->n - 1) ? (size_t)at : s->n - 1, low = s->bucket[bucket];
	size_t high = bucket + 1 < s->n ? s->bucket[bucket + 1] + (size_t)1 : s->n - 1;

	while (low > 0 && s->x[low] > x) /* rounding */
		low--;
	return high - low > 1 ? low + ft_count_upto(s->x + low + 1, high - low - 1, x) : low;
}

static struct sketch_place place_of(const struct ft__sketch *s, double x)
{
	size_t i = ft__sketch_find(s, x);
	const struct ft__cell_line *line = &s->line[i];
	double begin = s->x[i], h = x - begin, share;

	if (!(h > 0))
		return (struct sketch_place){x, i, s->integral[i]};
	share = line->r > 0 ? line->r * h / (s->x[i + 1] - begin) : 0;
	return (struct sketch_place){x, i,
				     extend_integrals(s->integral[i], begin, h, line->p, line->slope, share)};
}

static struct ft__span span_within(const struct ft__sketch *s, const struct sketch_place *a,
				   const struct sketch_place *b)
{
	const struct ft__cell_line *line = &s->line[a->cell];
	double h = b->x - a->x, begin = s->x[a->cell];

	return (struct ft__span){h, line->p + line->slope * ((a->x - begin) / 2 + (b->x - begin) / 2),
				 line->slope, line->r > 0 ? line->r * h / (s->x[a->cell + 1] - begin) : 0};
}

static struct ft__span span_between(const struct ft__sketch *s, const struct sketch_place *a,
				    const struct sketch_place *b)
{
	double h = b->x - a->x, inverse = 1 / h;

	if (a->cell == b->cell)
		return span_within(s, a, b);
	double mean = ft__sum_less(b->to.f, a->to.f) * inverse;
	double slope = 12 * (ft__sum_less(b->to.xf, a->to.xf) - (a->x + h / 2) * (mean * h)) * inverse *
		       inverse * inverse;
	double r = ft__sum_less(b->to.ff, a->to.ff) - h * (mean * mean + slope * h * slope * h / 12);
	return (struct ft__span){h, mean, slope, r > 0 ? r : 0};
}

struct ft__span ft__sketch_span(const struct ft__sketch *s, double a, double b)
{
	struct sketch_place begin = place_of(s, a), end = place_of(s, b);

	return span_between(s, &begin, &end);
}

/* sketch_spans - of all neighbours among x [n], ascending: span [n - 1]. */
static void sketch_spans(const struct ft__sketch *s, const double *x, size_t n, struct ft__span *span)
{
	struct sketch_place begin = place_of(s, x[0]);

	for (size_t j = 0; j + 1 < n; j++) {
		struct sketch_place end = place_of(s, x[j + 1]);

		span[j] = span_between(s, &begin, &end);
		begin = end;
	}
}

/*
 * How far a model is from a curve: one pass over the pieces of both.
 */

void ft_pwl_compare(const struct ft_pwl *f, const double *t, const double *y, size_t n,
		    struct ft_pwl_error *error)
{
	struct ft__sum square = {0, 0}, area = {0, 0};
	size_t i = 0, j = 0;
	double x = f->t0, d = f->y[0] - y[0];

	*error = (struct ft_pwl_error){.max = fabs(d), .max_at = x, .least = y[0], .most = y[0]};
	while (i + 1 < f->n && j + 1 < n) {
		double data_end = f->t[i + 1], model_end = t[j + 1], next = fmin(data_end, model_end), e;

		e = (data_end <= next ? f->y[i + 1]
				      : ft_line_within(next, f->t[i], f->y[i], data_end, f->y[i + 1])) -
		    (model_end <= next ? y[j + 1] : ft_line_within(next, t[j], y[j], model_end, y[j + 1]));
		square = ft__sum_add(square, (next - x) * (d * d + d * e + e * e) / 3);
		/* The largest distance so far. */
		if (fabs(e) > error->max) {
			error->max = fabs(e);
			error->max_at = next;
		}
		x = next;
		d = e;
		i += data_end <= next;
		j += model_end <= next;
	}
	for (j = 1; j < n; j++) {
		area = ft__sum_add(area, (t[j] - t[j - 1]) * (y[j - 1] / 2 + y[j] / 2));
		error->least = fmin(error->least, y[j]);
		error->most = fmax(error->most, y[j]);
	}
	error->rms = sqrt((square.high + square.low) / f->length);
	error->area = area.high + area.low;
	error->area_data = ft_pwl_integral(f, f->t0, f->t[f->n - 1]);
}

void ft_nodes_clear(struct ft_nodes *nodes)
{
	if (!nodes)
		return;
	ft_free(nodes->t);
	ft_free(nodes->y);
	*nodes = (struct ft_nodes){0};
}

double ft_nodes_at(const struct ft_nodes *nodes, double t)
{
	size_t i = ft_count_upto(nodes->t + 1, nodes->n - 2, t); /* the piece: nodes before it */

	return ft_line_within(t, nodes->t[i], nodes->y[i], nodes->t[i + 1], nodes->y[i + 1]);
}

/*
 * Spikes of a model smoothed away, their area kept (003 section 4).
 */

enum { SEEN = 4 }; /* zeros of two neighbouring pieces */

static const double NEARLY = 1e-11, /* of the interval */
	SAME = 1e-9;                /* zeros nearer than that, of the interval, are one */

/* What is sought: the node that leaves the least square. */
struct seeker {
	const struct ft_pwl *f;
	double a, ya, b, yb;  /* from t0 and y0 */
	double h, rise, area; /* b - a, yb - ya, the integral of the curve */
	double w, y, square;
	double found[SEEN]; /* the last zeros */
	size_t ways;        /* how many there were */
};

/* At a point of the curve a zero is found on both sides of it. */
static bool is_new(struct seeker *s, double w)
{
	for (size_t i = 0; i < s->ways && i < SEEN; i++)
		if (fabs(s->found[i] - w) <= SAME * s->h)
			return false;
	s->found[s->ways++ % SEEN] = w;
	return true;
}

/* A zero of the equation, with the area to its left: the node it makes, if it is the best so far. */
static void take_zero(struct seeker *s, double w, double left)
{
	if (!(w > s->a && w < s->b) || !is_new(s, w))
		return;
	double y = 2 * left / (w - s->a) - s->ya;
	struct ft__span first = ft__pwl_span(s->f, s->a, w);
	struct ft__span second = ft__pwl_span(s->f, w, s->b);
	double square = ft__span_square(&first, s->ya, y) + ft__span_square(&second, y, s->yb);
	if (square < s->square) {
		s->w = w;
		s->y = y;
		s->square = square;
	}
}

/* The equation is 2 (w-a) A - 2 h J(w) - (w-a)(b-w)(yb - ya) = 0, where A is the whole area and J that up to
 * w: on a straight piece from p to q, with x = w - p, a parabola in x. (The document's form multiplies out to
 * this.) Its zeros at a and b are no answers: there one factor is divided out. */
static void solve_piece(struct seeker *s, double p, double q, double fp, double slope, double left)
{
	double at = p - s->a, two = s->rise - s->h * slope, x[2];
	double one = 2 * s->area - 2 * s->h * fp - s->rise * (s->h - 2 * at);
	double zero = 2 * at * s->area - 2 * s->h * left - at * (s->h - at) * s->rise, root;
	int n = 0;

	if (at <= 0 && q >= s->b)
		return; /* straight all the way */
	if (at <= 0) {
		x[n++] = -one / two;
	} else if (q >= s->b) {
		double fq = fp + slope * (q - p);

		x[n++] = q - p - (2 * s->area - 2 * s->h * fq + s->h * s->rise) / two;
	} else if (two == 0) {
		x[n++] = -zero / one;
	} else {
		root = one * one - 4 * two * zero;
		if (root < 0)
			return;
		root = -(one + copysign(sqrt(root), one)) / 2;
		x[n++] = root / two;
		if (root != 0)
			x[n++] = zero / root;
	}
	for (int i = 0; i < n; i++)
		if (x[i] >= -NEARLY * s->h &&
		    x[i] <= q - p + NEARLY * s->h) { /* at a point: of either piece */
			x[i] = fmin(fmax(x[i], 0), q - p);
			take_zero(s, p + x[i], left + x[i] * (fp + slope * x[i] / 2));
		}
}

/* Returns how many nodes there are; the best one: out. */
static size_t seek_node(const struct ft_pwl *f, double a, double ya, double b, double yb, double *w,
			double *y)
{
	struct seeker s = {.f = f,
			   .a = a - f->t0,
			   .ya = ya - f->y0,
			   .b = b - f->t0,
			   .yb = yb - f->y0,
			   .w = NAN,
			   .y = NAN,
			   .square = INFINITY};
	struct ft__span span = ft__pwl_span(f, s.a, s.b);

	s.h = s.b - s.a;
	s.rise = s.yb - s.ya;
	s.area = span.h * span.mean;
	*w = *y = NAN;
	double excess = span.mean - (s.ya + s.yb) / 2;
	if (!(s.h > 0) || fabs(excess) <= 1e-12 * (fabs(s.ya) + fabs(s.yb) + fabs(span.mean)))
		return 0; /* nothing above or below the line: it is the answer */
	const struct ft_pwl *curve = s.f;
	size_t i = ft__pwl_find(curve, s.a);
	double p = s.a, left = 0;

	for (; i + 1 < curve->n && p < s.b; i++) {
		double q = fmin(curve->t[i + 1] - curve->t0, s.b), fp = ft__pwl_value(curve, p);
		double slope = (curve->y[i + 1] - curve->y[i]) / (curve->t[i + 1] - curve->t[i]);

		if (!(q > p))
			continue;
		solve_piece(&s, p, q, fp, slope, left);
		left += (q - p) * (fp + slope * (q - p) / 2);
		p = q;
	}
	if (!s.ways)
		return 0;
	*w = f->t0 + s.w;
	*y = f->y0 + s.y;
	return s.ways;
}

bool ft_pwl_smooth(const struct ft_pwl *f, double a, double ya, double b, double yb, double *w, double *y)
{
	return seek_node(f, a, ya, b, yb, w, y) > 0;
}

/* ---- in a model ---------------------------------------------------------------------------------------- */

/* Is the area between the two nodes that of the straight line? */
static bool is_chord(const struct ft_pwl *f, const struct ft_nodes *nodes, size_t i, size_t j)
{
	struct ft_pwl_line line = ft_pwl_line(f, nodes->t[i], nodes->t[j]);
	double chord = nodes->y[i] / 2 + nodes->y[j] / 2;

	return fabs(line.mean - chord) <=
	       1e-12 * (fabs(nodes->y[i] - f->y0) + fabs(nodes->y[j] - f->y0) + fabs(line.mean - f->y0));
}

static struct ft_pwl_spike spike_of(const struct ft_pwl *f, double a, double b, double w, double y,
				    size_t ways)
{
	struct ft_pwl_spike spike = {a, b, w, y, ways, {ft_pwl_integral(f, a, isnan(w) ? b : w), NAN}};

	if (!isnan(w))
		spike.area[1] = ft_pwl_integral(f, w, b);
	return spike;
}

enum ft_status ft_nodes_smooth(struct ft_nodes *nodes, const struct ft_pwl *f, double a, double b,
			       struct ft_pwl_spike *spike, struct ft_err *err)
{
	size_t i = 0, j = nodes->n - 1;
	double w, y;

	if (!(a < b) || !(a >= ft_pwl_begin(f)) || !(b <= ft_pwl_end(f))) {
		(void)ft_fail(err, FT_EINVAL, "a spike from %.15g to %.15g is not within %.15g .. %.15g", a,
			      b, ft_pwl_begin(f), ft_pwl_end(f));
		return ft_remedy(err, "name two times of the trace, the earlier one first");
	}
	while (i + 1 < nodes->n && nodes->t[i + 1] <= a)
		i++;
	while (j > 0 && nodes->t[j - 1] >= b)
		j--;
	if (j == i + 1) { /* one piece: nothing to smooth */
		*spike = spike_of(f, nodes->t[i], nodes->t[j], NAN, NAN, 0);
		return FT_OK;
	}
	size_t ways = seek_node(f, nodes->t[i], nodes->y[i], nodes->t[j], nodes->y[j], &w, &y);
	if (!ways && !is_chord(f, nodes, i, j)) {
		(void)ft_fail(err, FT_EINVAL, "no node between %.15g and %.15g keeps both areas", nodes->t[i],
			      nodes->t[j]);
		return ft_remedy(err, "choose a longer interval around the spike");
	}
	*spike = spike_of(f, nodes->t[i], nodes->t[j], w, y, ways);
	/* Nodes between i and j replaced by one, or by none (NaN). There is always room. */
	size_t at = i + 1;

	if (!isnan(w)) {
		nodes->t[at] = w;
		nodes->y[at++] = y;
	}
	memmove(nodes->t + at, nodes->t + j, (nodes->n - j) * sizeof *nodes->t);
	memmove(nodes->y + at, nodes->y + j, (nodes->n - j) * sizeof *nodes->y);
	nodes->n -= j - at;
	return FT_OK;
}

/* ---- spikes that are found ----------------------------------------------------------------------------- */

static int by_begin(const void *a, const void *b)
{
	const struct ft_pwl_stretch *p = a, *q = b;

	return (p->begin > q->begin) - (p->begin < q->begin);
}

enum ft_status ft_pwl_spikes_around(struct ft_pwl_stretch **out, size_t *n_out, const struct ft_pwl *f,
				    const double *keep, size_t n_keep, struct ft_err *err)
{
	FT_CLEANUP(ft_spikes_clear) struct ft_spikes up = {0};
	FT_CLEANUP(ft_spikes_clear) struct ft_spikes down = {0};
	FT_CLEANUP(ft_phases_clear) struct ft_phases phases = {0};
	size_t n = 0, i, k;

	*out = NULL;
	*n_out = 0;
	FT_TRY(ft_pwl_phases(&phases, f, 0, err));
	FT_TRY(ft_pwl_spikes(&up, f, &phases, false, err));
	FT_TRY(ft_pwl_spikes(&down, f, &phases, true, err));
	size_t all = up.n + down.n;
	struct ft_pwl_stretch *list = ft_malloc((all + 1) * sizeof *list);
	if (!list)
		return ft_nomem(err);
	for (i = 0; i < all; i++)
		list[i] = i < up.n ? up.at[i] : down.at[i - up.n];
	qsort(list, all, sizeof *list, by_begin);
	/* A spike and a dip that touch are one. */
	for (i = 0; i < all; i++)
		if (n && list[i].begin <= list[n - 1].end)
			list[n - 1].end = fmax(list[n - 1].end, list[i].end);
		else
			list[n++] = list[i];
	double before = 2 * f->t[0] - (n ? list[0].begin : 0); /* the middle to that is the trace's begin */
	for (i = 0, all = n, n = 0; i < all; i++) {
		double after = i + 1 < all ? list[i + 1].begin : 2 * f->t[f->n - 1] - list[i].end,
		       wider = (list[i].end - list[i].begin) / 2;
		struct ft_pwl_stretch at = {fmax(list[i].begin - wider, (before + list[i].begin) / 2),
					    fmin(list[i].end + wider, (list[i].end + after) / 2)};

		before = list[i].end;
		for (k = 0; k < n_keep && !(keep[k] > at.begin && keep[k] < at.end); k++)
			;
		if (k == n_keep)
			list[n++] = at;
	}
	*out = list;
	*n_out = n;
	return FT_OK;
}
