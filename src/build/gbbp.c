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

#include <assert.h>
#include <math.h>

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
	return point->measured ? KNOWN : WAIT;
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
	case BISECT: {
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
	case DONE:
		break;
	}
	return false;
}

/* Reserve all that the next request may need, so that ask allocates nothing. Intervals of a generation lie
 * between measured sizes; each needs one size, and the start needs two. */
static bool reserve_points(struct gbbp *g, size_t measured)
{
	struct gaps *gaps[2] = {&g->now, &g->next};
	size_t room = measured + 2;

	for (size_t i = 0; i < 2; i++)
		if (gaps[i]->capacity < room) {
			struct gap *grown = ft_realloc(gaps[i]->gap, 2 * room * sizeof *grown);

			if (!grown)
				return false;
			gaps[i]->gap = grown;
			gaps[i]->capacity = 2 * room;
		}
	return ft__points_reserve(&g->points, 2 * measured + 8);
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
		if (g->points.point[i].wanted && !g->points.point[i].measured)
			sizes[n++] = ft__grid_value(&g->grid, g->points.point[i].index);
	return n;
}

static enum ft_status gbbp_tell(void *state, double x, const struct ft_build_result *result,
				struct ft_err *err)
{
	struct gbbp *g = state;

	if (!reserve_points(g, g->points.measured + 1))
		return ft_nomem(err);
	ft__points_tell(&g->points, &g->grid, &g->options, x, result);
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
	return fmax(1 - open / range, points > 0 ? ((double)g->points.measured + made) / points : 0);
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
