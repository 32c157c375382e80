/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gbbp.c - the Geometric Bisection Building Procedure (000 section 2.5).
 *
 * The document's recursion is walked breadth first: the fate of an interval depends only on the cuts at its
 * ends and inside it, so all intervals of one generation are requested at once, and the sizes chosen are
 * those of the recursion. A generation is decided when all of it is measured: the requests then depend
 * neither on the order of the results nor on earlier ones.
 *
 * The speed of a size that cannot be measured counts as zero: programs that fail because of their size
 * are approached from below. */
#include "base/alloc.h"
#include "build/build.h"
#include "num/num.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/*
 * Check whether measured speeds have the shape that GBBP assumes (000 section 2.3).
 *
 * Cuts are compared, not points: an overlap contradicts nothing. Two runs at a size say little about noise,
 * all sizes together much: a cut is at least as wide as that noise makes likely, at a confidence at which 1
 * % of builds have a cut somewhere that misses its speed.
 */

static const double missed = 0.01; /* builds with a cut that misses */

/* A continuous speed does not halve between sizes that are the same within the tolerance. */
static const double jump_factor = 2;

/* Sizes with one run that contribute to the noise of all. */
enum { SINGLE_MOST = 256 };

/* The most sizes, evenly taken, that straight lines are drawn through. */
enum { BENDS_MOST = 128 };

/* The least number of sizes whose noise decides whether it grows; by which factor, and with which
 * confidence (a normal quantile: 1 in 200). */
enum { SPREADS_LEAST = 8 };
static const double wider_factor = 2, wider_sure = 2.58;

/* The standard deviation of single runs as a share, pooled over sizes; *dof of it. */
static double pooled_share(const struct ft__cut *cut, size_t n, double *dof)
{
	double sum = 0;

	*dof = 0;
	for (size_t i = 0; i < n; i++) {
		double share = cut[i].spread / cut[i].mean;

		if (cut[i].n < 2)
			continue;
		sum += (double)(cut[i].n - 1) * share * share;
		*dof += (double)(cut[i].n - 1);
	}
	return *dof > 0 ? sqrt(sum / *dof) : 0;
}

/* The same if no size was run twice: the median distance of sizes from the line between their neighbours.
 * Such a distance has 1.5 times the variance of a run. */
static double off_neighbours(const struct ft__cut *cut, size_t n, double *dof)
{
	static const double sds =
		1.4826; /* standard deviations of a normal distribution per median distance */
	double off[SINGLE_MOST], share;
	size_t m = n < SINGLE_MOST + 2 ? n : SINGLE_MOST + 2;

	*dof = 0;
	if (n <= 3)
		return 0;
	*dof = (double)m - 2;
	for (size_t i = 1; i + 1 < m; i++) {
		share = (cut[i].x - cut[i - 1].x) / (cut[i + 1].x - cut[i - 1].x);
		off[i - 1] = fabs(
			cut[i].mean / (cut[i - 1].mean + share * (cut[i + 1].mean - cut[i - 1].mean)) - 1);
	}
	return sds * ft_stats_median(off, m - 2) / sqrt(1.5);
}

static void widen_cuts(struct ft__cut *cut, size_t n)
{
	double dof, share = pooled_share(cut, n, &dof), t;

	if (!(dof > 0))
		share = off_neighbours(cut, n, &dof);
	if (!(dof > 0))
		return;
	t = ft_student_t(1 - missed / (double)n, dof);
	for (size_t i = 0; i < n; i++) {
		double at = cut[i].mean, half = t * share / sqrt((double)cut[i].n) * at;

		cut[i].speed[0] = fmin(cut[i].speed[0], fmax(0, at - half));
		cut[i].speed[1] = fmax(cut[i].speed[1], at + half);
	}
}

static bool lies_below(const struct ft__cut *a, const struct ft__cut *b)
{
	return a->speed[1] < b->speed[0];
}

/* (a) */
static void find_jump(const struct ft__cut *cut, size_t n, double tolerance, struct ft_build_shape *out)
{
	for (size_t i = 1; i < n; i++) {
		const struct ft__cut *a = &cut[i - 1], *b = &cut[i];

		if (b->x - a->x > tolerance * fabs(a->x))
			continue;
		if (jump_factor * a->speed[1] < b->speed[0] || jump_factor * b->speed[1] < a->speed[0]) {
			out->jumps = true;
			out->jump[0] = a->x;
			out->jump[1] = b->x;
			return;
		}
	}
}

/* (b) The size that lies farthest below one before and one behind it, and the first behind that is above. */
static void find_rise(const struct ft__cut *cut, size_t n, struct ft_build_shape *out)
{
	double deepest = 0, before = 0;
	size_t j;

	for (size_t i = 0; i < n; i++) {
		double behind = 0;

		for (j = i + 1; j < n; j++)
			behind = fmax(behind, cut[j].speed[0]);
		double depth = fmin(before, behind) - cut[i].speed[1];
		before = fmax(before, cut[i].speed[0]);
		if (depth <= deepest)
			continue;
		deepest = depth;
		out->rises = true;
		out->low = cut[i].x;
		for (j = i + 1; !lies_below(&cut[i], &cut[j]);)
			j++;
		out->again = cut[j].x;
	}
}

/* On which side of the line from one cut to another a third one lies: 1 above, -1 below, 0 perhaps on it. */
static int side_of(const struct ft__cut *from, const struct ft__cut *to, const struct ft__cut *at)
{
	double share = (at->x - from->x) / (to->x - from->x);

	if (at->speed[0] > from->speed[1] + share * (to->speed[1] - from->speed[1]))
		return 1;
	return at->speed[1] < from->speed[0] + share * (to->speed[0] - from->speed[0]) ? -1 : 0;
}

/* Whether the line from one cut to another is crossed twice between them: three sizes on alternate sides. */
static bool cross_line(const struct ft__cut *const *cut, size_t from, size_t to, double bend[3])
{
	size_t n = 0;
	int last = 0;

	for (size_t i = from + 1; i < to && n < 3; i++) {
		int here = side_of(cut[from], cut[to], cut[i]);

		if (!here || here == last)
			continue;
		last = here;
		bend[n++] = cut[i]->x;
	}
	return n == 3;
}

/* (c), from the fastest size on: what lies before it is climbed, not divided. */
static void find_bend(const struct ft__cut *cut, size_t n, struct ft_build_shape *out)
{
	const struct ft__cut *some[BENDS_MOST];
	size_t fastest = 0;
	double found[3];

	for (size_t i = 1; i < n; i++)
		if (cut[i].speed[0] > cut[fastest].speed[0])
			fastest = i;
	n -= fastest;
	size_t m = n < BENDS_MOST ? n : BENDS_MOST;
	for (size_t i = 0; i < m; i++)
		some[i] = &cut[fastest + (m > 1 ? i * (n - 1) / (m - 1) : 0)];
	for (size_t i = 0; i < m; i++)
		for (size_t j = m - 1; j > i + 3; j--)
			if (cross_line(some, i, j, found)) {
				out->bends = true;
				memcpy(out->bend, found, sizeof found);
				return;
			}
}

/* (d) By ranks (Mann, Whitney 1947), so that one disturbed run decides nothing: whether the spreads of the
 * larger half of the sizes differ in distribution from those of the smaller half. */
static void find_wider(const struct ft__cut *cut, size_t n, struct ft_build_shape *out)
{
	size_t half, repeated = 0, low = 0, high = 0;
	double u = 0, low_sum = 0, high_sum = 0;

	for (size_t i = 0; i < n; i++)
		repeated += cut[i].n > 1;
	if (repeated < SPREADS_LEAST)
		return;
	for (half = 0; low < repeated / 2; half++) {
		low += cut[half].n > 1;
		low_sum += cut[half].n > 1 ? cut[half].spread : 0;
	}
	for (size_t j = half; j < n; j++) {
		if (cut[j].n < 2)
			continue;
		high++;
		high_sum += cut[j].spread;
		for (size_t i = 0; i < half; i++)
			if (cut[i].n > 1)
				u += cut[j].spread > cut[i].spread   ? 1
				     : cut[j].spread < cut[i].spread ? 0
								     : 0.5;
	}
	double sd = sqrt((double)(low * high * (repeated + 1)) / 12);
	if (u - (double)(low * high) / 2 > wider_sure * sd &&
	    high_sum / (double)high > wider_factor * low_sum / (double)low) {
		out->widens = true;
		out->wider = cut[half].x;
	}
}

void ft__shape_check(struct ft__cut *cut, size_t n, double tolerance, struct ft_build_shape *out)
{
	*out = (struct ft_build_shape){.jumps = false};
	widen_cuts(cut, n);
	find_jump(cut, n, tolerance, out);
	find_rise(cut, n, out);
	if (n && !out->rises)
		find_bend(cut, n, out);
	find_wider(cut, n, out);
}

/*
 * The Geometric Bisection Building Procedure (000 section 2.5).
 */

enum { TRIES_MOST = 20 }; /* to find a first size that can be measured */

/* gbbp_naive: equidistant sizes in place of the climb; a quarter of those of naive. */
enum { NAIVE_SIZES = 5 };

enum phase { NAIVE, FIRST, CLIMB, END, BISECT, DONE };

/* An interval to be divided; sizes by number. */
struct gap {
	size_t left, right, middle;
	bool accident; /* case c: the middle only shows whether the approximation was met by accident */
};

struct gaps {
	struct gap *gap;
	size_t n, capacity;
};

struct gbbp {
	struct ft__line_options options;
	struct ft__grid grid;
	struct ft__points points;
	size_t top; /* the last size that may be measured */
	enum phase phase;
	enum ft_stop stop;
	bool limited;  /* a size was left out because there were enough */
	size_t left;   /* position of the search, then of the climb */
	size_t step;   /* its next size; FT__NONE: the range ends before */
	size_t failed; /* where the climb ended at a size that could not be measured; or FT__NONE */
	size_t tries;  /* first sizes that could not be measured */
	struct ft__multiples multiples; /* source of steps */

	struct gaps now, next; /* generations */
};

enum answer { WAIT, KNOWN, REFUSED };

/* The procedure needs a size: is it known, to be waited for, or one too many? */
static enum answer want_size(struct gbbp *g, size_t index)
{
	const struct ft__point *point = ft__points_find(&g->points, index);

	if (!point || !point->wanted) {
		if (g->options.user.points && g->points.wanted >= g->options.user.points) {
			g->limited = true;
			return REFUSED;
		}
		ft__points_want(&g->points, index);
		point = ft__points_find(&g->points, index);
	}
	return point->told ? KNOWN : WAIT;
}

/* The cut at a measured size; zero speed at failures, and at an end that is not measured (000 section 2.5
 * step 1), except for distances. */
static void get_cut(const struct gbbp *g, size_t index, double cut[2])
{
	ft__points_cut(&g->points, &g->options.user, index, cut);
	if (index > g->top)
		ft__points_beyond(&g->points, &g->grid, &g->options.user, cut);
}

static bool is_good(const struct gbbp *g, size_t index)
{
	return index <= g->top && ft__points_good(&g->points, index);
}

/* 000 section 2.4: intersection, order and containment of the projections of two cuts. */
static bool cuts_meet(const double a[2], const double b[2])
{
	return fmax(a[0], b[0]) <= fmin(a[1], b[1]);
}

static bool at_most(const double a[2], const double b[2])
{
	return a[0] <= b[0] && a[1] <= b[1];
}

static bool lies_inside(const double a[2], const double b[2])
{
	return a[0] >= b[0] && a[1] <= b[1];
}

static bool finish_gap(struct gbbp *g)
{
	size_t good = 0;

	for (size_t i = 0; i < g->points.n; i++)
		good += g->points.point[i].wanted && g->points.point[i].good;
	if (!good || (!g->limited && g->points.wanted > g->top))
		g->stop = FT_STOP_EXHAUSTED;
	else
		g->stop = g->limited ? FT_STOP_POINTS : FT_STOP_TOLERANCE;
	g->phase = DONE;
	return false;
}

/* The first size, and with it 2a, which is needed in any case. Where a cannot be measured: 2a, 3a, 4a, 8a,
 * 16a ..., at last the largest size. */
static bool advance_first(struct gbbp *g)
{
	enum answer first = want_size(g, g->left), second = KNOWN;

	if (!g->tries && g->step != FT__NONE)
		second = want_size(g, g->step);
	if (first == REFUSED)
		return finish_gap(g);
	if (first == WAIT || second == WAIT)
		return false;
	if (is_good(g, g->left)) {
		if (g->tries) {
			g->multiples = ft__multiples_of(&g->grid, g->left);
			g->step = ft__multiples_next(&g->multiples, &g->grid, g->left, g->top);
		}
		g->phase = CLIMB;
		return true;
	}
	if (g->tries == TRIES_MOST || g->left >= g->top)
		return finish_gap(g);
	g->left = g->step == FT__NONE ? g->top : g->step;
	if (++g->tries < 3)
		g->step = ft__multiples_next(&g->multiples, &g->grid, g->left, g->top);
	else
		g->step = ft__multiples_double(&g->multiples, &g->grid, g->left, g->top);
	return true;
}

/* Step 2: is (k+1)a no faster than ka? */
static bool climb_ends(const struct gbbp *g, const double here[2], const double there[2])
{
	if (at_most(there, here) || lies_inside(there, here))
		return true;
	return !g->options.user.climb_strict && cuts_meet(there, here);
}

/* Step 2. A size of the climb that cannot be measured ends it; the largest size decides whether it is a
 * hole or the end of the range. */
static bool advance_climb(struct gbbp *g)
{
	double here[2], there[2];

	g->phase = END;
	if (g->step == FT__NONE)
		return true;
	switch (want_size(g, g->step)) {
	case REFUSED:
		return finish_gap(g);
	case WAIT:
		g->phase = CLIMB;
		return false;
	case KNOWN:
		break;
	}
	if (!is_good(g, g->step)) {
		g->failed = g->step;
		return true;
	}
	get_cut(g, g->left, here);
	get_cut(g, g->step, there);
	g->left = g->step;
	if (climb_ends(g, here, there))
		return true;
	g->step = ft__multiples_next(&g->multiples, &g->grid, g->left, g->top);
	g->phase = CLIMB;
	return true;
}

/* Add an interval if anything is left to divide in it; tell made room. */
static void push_gap(struct gbbp *g, size_t left, size_t right, bool accident)
{
	struct gap gap = {left, right, ft__grid_middle(&g->grid, left, right), accident};

	if (gap.middle == FT__NONE)
		return;
	if (right <= g->top && !is_good(g, right)) {
		double x = ft__grid_value(&g->grid, left), width = ft__grid_value(&g->grid, right) - x;

		if (width <= g->options.user.tolerance * fabs(x))
			return;
	}
	assert(g->next.n < g->next.capacity);
	g->next.gap[g->next.n++] = gap;
}

static void turn_generation(struct gbbp *g)
{
	struct gaps old = g->now;

	g->now = g->next;
	g->next = old;
	g->next.n = 0;
}

/* Step 1's b: measured after the climb, cheap sizes first. */
static bool advance_end(struct gbbp *g)
{
	size_t last = g->grid.count - 1, right = last;

	if (g->left < last && !g->options.user.end_zero) {
		enum answer answer = want_size(g, last);

		if (answer == REFUSED)
			return finish_gap(g);
		if (answer == WAIT)
			return false;
	}
	if (!is_good(g, last) && g->failed != FT__NONE)
		right = g->failed;
	push_gap(g, g->left, right, false);
	turn_generation(g);
	g->phase = BISECT;
	return true;
}

/* The equidistant size of a number, that may be measured. */
static size_t naive_size(const struct gbbp *g, size_t i)
{
	double a = g->grid.space.least, b = g->grid.space.most;
	size_t index = ft__grid_snap(&g->grid, a + (b - a) * (double)i / (NAIVE_SIZES - 1));

	return index < g->top ? index : g->top;
}

/* gbbp_naive, in place of steps 1 and 2: all gaps between good sizes are divided, and the one below the first
 * of the failures at the end. */
static bool advance_naive(struct gbbp *g)
{
	size_t last = FT__NONE;
	bool waiting = false;

	for (size_t i = 0; i < NAIVE_SIZES; i++)
		waiting |= want_size(g, naive_size(g, i)) == WAIT;
	if (waiting)
		return false;
	for (size_t i = 0; i < NAIVE_SIZES; i++) {
		size_t index = naive_size(g, i);

		if (is_good(g, index)) {
			if (last != FT__NONE && index > last)
				push_gap(g, last, index, false);
			last = index;
			g->failed = FT__NONE;
		} else if (g->failed == FT__NONE) {
			g->failed = index;
		}
	}
	if (last != FT__NONE && g->failed != FT__NONE)
		push_gap(g, last, g->failed, false);
	else if (last != FT__NONE && g->options.user.end_zero)
		push_gap(g, last, g->grid.count - 1, false);
	turn_generation(g);
	g->phase = BISECT;
	return true;
}

/* Step 3, cases a to e. */
static void divide_gap(struct gbbp *g, const struct gap *gap)
{
	double left[2], right[2], here[2], expected[2], share;
	double x = ft__grid_value(&g->grid, gap->left);

	if (!is_good(g, gap->middle)) {
		/* A hole between good sizes is left alone; below a size that failed the limit is searched. */
		if (!is_good(g, gap->right))
			push_gap(g, gap->left, gap->middle, false);
		return;
	}
	get_cut(g, gap->left, left);
	get_cut(g, gap->middle, here);
	get_cut(g, gap->right, right);
	share = (ft__grid_value(&g->grid, gap->middle) - x) / (ft__grid_value(&g->grid, gap->right) - x);
	expected[0] = left[0] + share * (right[0] - left[0]);
	expected[1] = left[1] + share * (right[1] - left[1]);
	bool as_expected = cuts_meet(here, expected);
	if (gap->accident && as_expected)
		return;
	if (!gap->accident && cuts_meet(left, here)) { /* a */
		push_gap(g, gap->middle, gap->right, false);
		return;
	}
	/* b; a failure is no speed that could be met: the limit below it is searched. */
	if (!gap->accident && (gap->right > g->top || is_good(g, gap->right)) && cuts_meet(right, here)) {
		push_gap(g, gap->left, gap->middle, false);
		return;
	}
	/* c: perhaps by accident; the middle of [left, m] decides. d, e and a refuted c: both halves. */
	push_gap(g, gap->left, gap->middle, !gap->accident && as_expected);
	push_gap(g, gap->middle, gap->right, false);
}

static bool advance_bisect(struct gbbp *g)
{
	bool waiting = false;

	for (size_t i = 0; i < g->now.n; i++)
		waiting |= want_size(g, g->now.gap[i].middle) == WAIT;
	if (waiting)
		return false;
	for (size_t i = 0; i < g->now.n; i++)
		if (want_size(g, g->now.gap[i].middle) == KNOWN)
			divide_gap(g, &g->now.gap[i]);
	turn_generation(g);
	return g->now.n ? true : finish_gap(g);
}

static bool advance_phase(struct gbbp *g)
{
	switch (g->phase) {
	case NAIVE:
		return advance_naive(g);
	case FIRST:
		return advance_first(g);
	case CLIMB:
		return advance_climb(g);
	case END:
		return advance_end(g);
	case BISECT:
		return advance_bisect(g);
	case DONE:
		break;
	}
	return false;
}

/* Reserve all that the next request may need, so that ask allocates nothing. Intervals of a generation lie
 * between measured sizes; each needs one size, and the start needs two. */
static bool reserve_points(struct gbbp *g, size_t told)
{
	struct gaps *gaps[2] = {&g->now, &g->next};
	size_t room = told + 2;

	for (size_t i = 0; i < 2; i++)
		if (gaps[i]->capacity < room) {
			struct gap *grown = ft_realloc(gaps[i]->gap, 2 * room * sizeof *grown);

			if (!grown)
				return false;
			gaps[i]->gap = grown;
			gaps[i]->capacity = 2 * room;
		}
	return ft__points_reserve(&g->points, 2 * told + 8);
}

static void gbbp_free(void *state)
{
	struct gbbp *g = state;

	if (!g)
		return;
	ft__points_clear(&g->points);
	ft_free(g->now.gap);
	ft_free(g->next.gap);
	ft_free(g);
}

static enum ft_status begin_line(void **state, const struct ft__line_options *options, enum phase phase,
				 struct ft_err *err)
{
	struct gbbp *g = ft_calloc(1, sizeof *g);

	*state = NULL;
	if (!g)
		return ft_nomem(err);
	g->options = *options;
	enum ft_status status = ft__grid_init(&g->grid, &options->space, err);
	if (!status && !reserve_points(g, 0))
		status = ft_nomem(err);
	if (status) {
		gbbp_free(g);
		return status;
	}
	g->top = g->grid.count - 1 - options->user.end_zero;
	g->phase = phase;
	g->failed = FT__NONE;
	g->multiples = ft__multiples_of(&g->grid, 0);
	g->step = ft__multiples_next(&g->multiples, &g->grid, 0, g->top);
	*state = g;
	return FT_OK;
}

static enum ft_status gbbp_init(void **state, const struct ft__line_options *options, struct ft_err *err)
{
	return begin_line(state, options, FIRST, err);
}

static enum ft_status gbbp_naive_init(void **state, const struct ft__line_options *options,
				      struct ft_err *err)
{
	return begin_line(state, options, NAIVE, err);
}

static size_t gbbp_ask(void *state, double *sizes, size_t most)
{
	struct gbbp *g = state;
	size_t n = 0;

	while (advance_phase(g))
		continue;
	for (size_t i = 0; i < g->points.n && n < most; i++)
		if (g->points.point[i].wanted && !g->points.point[i].told)
			sizes[n++] = ft__grid_value(&g->grid, g->points.point[i].index);
	return n;
}

static enum ft_status gbbp_tell(void *state, double x, const struct ft_build_result *told, struct ft_err *err)
{
	struct gbbp *g = state;

	if (!reserve_points(g, g->points.told + 1))
		return ft_nomem(err);
	ft__points_tell(&g->points, &g->grid, &g->options, x, told);
	return FT_OK;
}

static enum ft_stop gbbp_stop(const void *state)
{
	const struct gbbp *g = state;

	return g->stop;
}

/* The share outside intervals that are still to be divided; half of the present ones will be left. */
static double gbbp_complete(void *state, double made)
{
	const struct gbbp *g = state;
	double range = (double)(g->grid.count - 1),
	       open = g->phase == NAIVE ? range : range - (double)g->left,
	       points = (double)g->options.user.points;
	size_t i;

	if (g->phase == DONE)
		return 1;
	if (g->phase == BISECT)
		for (open = 0, i = 0; i < g->now.n; i++)
			open += (1 - made / (double)g->now.n / 2) *
				(double)(g->now.gap[i].right - g->now.gap[i].left);
	return fmax(1 - open / range, points > 0 ? ((double)g->points.told + made) / points : 0);
}

static enum ft_status gbbp_shape(const void *state, struct ft_build_shape *out, struct ft_err *err)
{
	const struct gbbp *g = state;

	return ft__points_shape(&g->points, &g->grid, &g->options.user, out, err);
}

const struct ft__row ft__builder_gbbp = {
	.type = {.name = "gbbp",
		 .about = "Geometric Bisection Building Procedure: climb while the speed rises, then bisect "
			  "where it bends",
		 .tolerance = 0.05,
		 .of_top = "gbbp of the top",
		 .usually_top = true},
	.line = {.init = gbbp_init,
		 .ask = gbbp_ask,
		 .tell = gbbp_tell,
		 .stop = gbbp_stop,
		 .complete = gbbp_complete,
		 .shape = gbbp_shape,
		 .free = gbbp_free},
	.several = &ft__plan_span,
};

const struct ft__row ft__builder_gbbp_naive = {
	.type = {.name = "gbbp_naive",
		 .about = "GBBP after a naive start: five equidistant sizes in place of the climb",
		 .tolerance = 0.05,
		 .of_top = "gbbp_naive of the top",
		 .usually_top = true},
	.line = {.init = gbbp_naive_init,
		 .ask = gbbp_ask,
		 .tell = gbbp_tell,
		 .stop = gbbp_stop,
		 .complete = gbbp_complete,
		 .shape = gbbp_shape,
		 .free = gbbp_free},
	.several = &ft__plan_span,
};
