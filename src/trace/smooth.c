/* SPDX-License-Identifier: GPL-3.0-or-later */
/* smooth.c - spikes of a model smoothed away, their area kept (003 section 4). */
#include "base/arena.h"
#include "trace/pwl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

static void walk_nodes(struct seeker *s)
{
	const struct ft_pwl *f = s->f;
	size_t i = ft__pwl_find(f, s->a);
	double p = s->a, left = 0;

	for (; i + 1 < f->n && p < s->b; i++) {
		double q = fmin(f->t[i + 1] - f->t0, s->b), fp = ft__pwl_value(f, p);
		double slope = (f->y[i + 1] - f->y[i]) / (f->t[i + 1] - f->t[i]);

		if (!(q > p))
			continue;
		solve_piece(s, p, q, fp, slope, left);
		left += (q - p) * (fp + slope * (q - p) / 2);
		p = q;
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
	walk_nodes(&s);
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

/* Nodes between i and j replaced by one, or by none (NaN). There is always room. */
static void replace_nodes(struct ft_nodes *nodes, size_t i, size_t j, double w, double y)
{
	size_t at = i + 1;

	if (!isnan(w)) {
		nodes->t[at] = w;
		nodes->y[at++] = y;
	}
	memmove(nodes->t + at, nodes->t + j, (nodes->n - j) * sizeof *nodes->t);
	memmove(nodes->y + at, nodes->y + j, (nodes->n - j) * sizeof *nodes->y);
	nodes->n -= j - at;
}

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
	replace_nodes(nodes, i, j, w, y);
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
