/* SPDX-License-Identifier: GPL-3.0-or-later */
/* phases.c - the phases of a curve: straight stretches that need not meet, so that abrupt changes stay. */
#include "base/alloc.h"
#include "num/num.h"
#include "trace/trace.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FT__GATE_ROWS = 200 };

/*
 * Where phases may be cut, and where they meet.
 */

/* The place between two nodes of the fit where cutting leaves least: the change itself. */
/* phases_sharpest - between two times the one where cutting leaves least: the change itself.
 * phases_close_up - phases as they were cut, counted from the curve's t0: those that do not meet do in
 * the middle, and their level, work and share become known. */
static double phases_sharpest(const struct ft_pwl *f, double a, double b)
{
	double best = INFINITY, at = a;
	size_t i = ft__pwl_find(f, a), last = ft__pwl_find(f, b), step, k;

	if (last <= i + 1)
		return a + (b - a) / 2;
	step = (last - i) / 256 + 1;
	for (k = i + 1; k <= last; k += step) {
		double x = f->t[k] - f->t0, square;

		if (!(x > a && x < b))
			continue;
		square = ft__pwl_span(f, a, x).r + ft__pwl_span(f, x, b).r;
		if (square < best) {
			best = square;
			at = x;
		}
	}
	return at;
}

/* Phases meet in the middle of the change between them; then their work is known, and what they leave. */
static void phases_close_up(struct ft_phases *out, const struct ft_pwl *f)
{
	double begin = 0, square = 0;

	for (size_t k = 0; k < out->n; k++) {
		struct ft_phase *phase = &out->phase[k];
		bool last = k + 1 == out->n;
		double end = last ? f->length : phase->end / 2 + out->phase[k + 1].begin / 2;
		struct ft__span span = ft__pwl_span(f, begin, end);

		square += ft__span_square(&span, phase->from - f->y0 - phase->slope * (phase->begin - begin),
					  phase->to - f->y0 + phase->slope * (end - phase->end));
		phase->level = f->y0 + span.mean;
		phase->work = span.h * phase->level;
		out->work += phase->work;
		phase->begin = f->t0 + begin;
		phase->end = last ? f->t[f->n - 1] : f->t0 + end;
		begin = end;
	}
	for (size_t k = 0; k < out->n; k++)
		out->phase[k].share = out->work != 0 ? out->phase[k].work / out->work : NAN;
	out->rms = sqrt(square / f->length);
}

/*
 * Names of phases, and descriptions in words.
 */

static const double ALIKE = 0.1, /* levels that differ by less than this share of their range have one name */
	TREND = 0.1,             /* a rise or fall of less than this share of the range is none */
	UNSTEADY = 0.1, /* a root mean square about the line above this share of the range is reported */
	IDLE = 0.02;

struct height {
	double level; /* above the least, as a share of the range, summed over curves */
	size_t phase;
};

static int by_height(const void *a, const void *b)
{
	const struct height *x = a, *y = b;

	if (x->level != y->level)
		return x->level < y->level ? 1 : -1;
	return (x->phase > y->phase) - (x->phase < y->phase);
}

/* At about the same level of every curve. */
static bool are_alike(const struct ft_phases *all, const double (*range)[2], size_t m, size_t a, size_t b)
{
	for (size_t k = 0; k < m; k++)
		if (fabs(all[k].phase[a].level - all[k].phase[b].level) > ALIKE * (range[k][1] - range[k][0]))
			return false;
	return true;
}

/* Phases at about one level have one name; A is the highest. first [n]: of each name, those so far. */
static void name(struct ft_phases *all, const double (*range)[2], size_t m, const struct height *height,
		 size_t *first)
{
	size_t group, groups = 0;

	for (size_t i = 0; i < all->n; i++) {
		size_t at = height[i].phase;

		for (group = 0; group < groups && !are_alike(all, range, m, first[group], at); group++)
			;
		if (group == groups)
			first[groups++] = at;
		for (size_t k = 0; k < m; k++) {
			/* "A" .. "Z", "AA" ... */
			if (group < 26)
				(void)snprintf(all[k].phase[at].name, FT_PHASE_NAME, "%c",
					       (char)('A' + group));
			else
				(void)snprintf(all[k].phase[at].name, FT_PHASE_NAME, "%c%c",
					       (char)('A' + (group / 26 - 1) % 26), (char)('A' + group % 26));
		}
	}
}

static void weigh_levels(const struct ft_phases *all, const double (*range)[2], size_t m,
			 struct height *height)
{
	for (size_t i = 0; i < all->n; i++) {
		height[i] = (struct height){0, i};
		for (size_t k = 0; k < m; k++)
			if (range[k][1] > range[k][0])
				height[i].level +=
					(all[k].phase[i].level - range[k][0]) / (range[k][1] - range[k][0]);
	}
	qsort(height, all->n, sizeof *height, by_height);
}

/* A value as a share of the peak if the values are amounts; else of their range. */
static double percent(double value, const double range[2])
{
	double base = range[0] >= 0 ? 0 : range[0];

	if (!(range[1] > base))
		return 0;
	return 100 * fmin(fmax((value - base) / (range[1] - base), 0), 1); /* a line may leave the range */
}

static void describe(struct ft_phase *phase, const struct ft_phase *before, const double range[2])
{
	const char *of = range[0] >= 0 ? "of the peak" : "of the range";
	double width = range[1] - range[0], rise = phase->to - phase->from;
	size_t n;

	if (!(width > 0))
		n = (size_t)snprintf(phase->text, sizeof phase->text, "constant");
	else if (range[0] >= 0 && phase->level <= IDLE * range[1])
		n = (size_t)snprintf(phase->text, sizeof phase->text, "idle");
	else if (fabs(rise) > TREND * width && fabs(rise) > 2 * phase->rms)
		n = (size_t)snprintf(phase->text, sizeof phase->text, "%s from %.0f to %.0f %% %s",
				     rise > 0 ? "rises" : "falls", percent(phase->from, range),
				     percent(phase->to, range), of);
	else
		n = (size_t)snprintf(phase->text, sizeof phase->text, "%s at %.0f %% %s",
				     phase->rms > UNSTEADY * width ? "unsteady" : "steady",
				     percent(phase->level, range), of);
	if (before && fabs(phase->from - before->to) > FT__ABRUPT * width)
		(void)snprintf(phase->text + n, sizeof phase->text - n, ", after an abrupt %s",
			       phase->from > before->to ? "rise" : "fall");
}

/* phases_name - name and text of each.
 *
 * all  [m] of the curves f, cut at the same times: phases have one name where all curves are at about the
 *      same level
 */
static enum ft_status phases_name(struct ft_phases *all, const struct ft_pwl *const *f, size_t m,
				  struct ft_err *err)
{
	FT_ARENA(work);
	struct height *height = ft_arena_take(&work, all->n, sizeof *height);
	size_t *first = ft_arena_take(&work, all->n, sizeof *first);
	double(*range)[2] = ft_arena_take(&work, m, sizeof *range);

	FT_TRY(ft_arena_check(&work, err));
	for (size_t k = 0; k < m; k++) {
		ft_pwl_range(f[k], range[k], NULL);
		for (size_t i = 0; i < all->n; i++)
			describe(&all[k].phase[i], i ? &all[k].phase[i - 1] : NULL, range[k]);
	}
	weigh_levels(all, (const double(*)[2])range, m, height);
	name(all, (const double(*)[2])range, m, height, first);
	return FT_OK;
}

/*
 * The phases of a curve: straight stretches that need not meet, so that abrupt changes stay.
 */

enum { USUAL = 20, CUTS = 40, ROWS_EACH = 8, LEAST_ROWS = 3, PASSES = 10, BLOCK = 5 };

static const double SHORTEST = 0.004, /* a phase's least share of the whole time: less is a transition */
	NOISY = 0.4,                  /* ... but no larger share of what many phases leave */
	PRICE = 0.002,                /* what a phase must gain at least: a share of the curve's variance */
	JUMP = 5; /* deviations of what many phases leave: of several curves less is no abrupt change */

/* Where phases may be cut, and the best cuts. All curves have the same times. */
struct cutter {
	const struct ft_pwl *const *f; /* [m] without spikes while cuts are sought, then as they are */
	size_t m;
	const double *weight; /* [m] of a curve's squares among those of all */
	const double *jump;   /* [m] by which a curve changes abruptly, at least */
	double *x;            /* [n] ascending, the ends included */
	size_t n, most;
	bool chains;           /* a change may follow a change */
	double price;          /* of a phase more: what it must gain */
	double *square;        /* [most + 1][n] of the best cuts into so many phases that end there */
	size_t *from;          /* [most + 1][n] */
	bool *change;          /* [most + 1][n] from there by an abrupt change, which is no phase */
	struct ft__span *cell; /* [m][n - 1] */
	struct ft__span *span; /* [m] */
	struct ft_arena *arena;
};

static double length_of(const struct cutter *c)
{
	return c->f[0]->length;
}

/* The nodes of a fit, and between two of them the place of an abrupt change, behind what is there. */
static enum ft_status add_cuts(struct cutter *c, const struct ft_pwl *f, const struct ft_nodes *nodes,
			       struct ft_err *err)
{
	double *grown = ft_arena_take(c->arena, c->n + 2 * nodes->n, sizeof *c->x);

	FT_TRY(ft_arena_check(c->arena, err));
	if (c->n)
		memcpy(grown, c->x, c->n * sizeof *c->x);
	c->x = grown;
	for (size_t j = 0; j < nodes->n; j++)
		c->x[c->n++] = nodes->t[j] - f->t0;
	for (size_t j = 0; j + 1 < nodes->n; j++)
		c->x[c->n++] = phases_sharpest(f, nodes->t[j] - f->t0, nodes->t[j + 1] - f->t0);
	return FT_OK;
}

static void order_cuts(struct cutter *c)
{
	size_t j, k;

	ft_sort(c->x, c->n);
	c->x[0] = 0;
	c->x[c->n - 1] = length_of(c);
	for (k = 1, j = 1; j < c->n; j++)
		if (c->x[j] > c->x[k - 1])
			c->x[k++] = c->x[j];
	c->n = k;
}

/* From one row or two to the next a curve goes up or down: that is an abrupt change, and no phase. */
static bool is_change(const struct cutter *c, size_t s, size_t i)
{
	for (size_t k = 0; k < c->m; k++)
		if (fabs(c->span[k].slope) * c->span[k].h > c->jump[k])
			return ft__pwl_find(c->f[0], c->x[i]) <= ft__pwl_find(c->f[0], c->x[s]) + 2;
	return false;
}

/* All ways that end at cut s go on to cut i: by a phase more, or by a change. */
static void extend_ways(struct cutter *c, size_t s, size_t i, bool change, double r)
{
	for (size_t k = !change; k <= c->most; k++) {
		double square;

		if (change && !c->chains && c->change[k * c->n + s])
			continue;
		square = c->square[(change ? k : k - 1) * c->n + s] + r;

		if (square < c->square[k * c->n + i]) {
			c->square[k * c->n + i] = square;
			c->from[k * c->n + i] = s;
			c->change[k * c->n + i] = change;
		}
	}
}

/* Dynamic programming over the cuts: squares of best lines add up. */
static enum ft_status divide_curve(struct cutter *c, struct ft_err *err)
{
	c->square = ft_arena_take(c->arena, (c->most + 1) * c->n, sizeof *c->square);
	c->from = ft_arena_take(c->arena, (c->most + 1) * c->n, sizeof *c->from);
	c->cell = ft_arena_take(c->arena, c->m * c->n, sizeof *c->cell);
	c->change = ft_arena_take(c->arena, (c->most + 1) * c->n, sizeof *c->change);
	c->span = ft_arena_take(c->arena, c->m, sizeof *c->span);
	FT_TRY(ft_arena_check(c->arena, err));
	for (size_t k = 0; k < c->m; k++)
		ft__pwl_spans(c->f[k], c->x, c->n, c->cell + k * c->n);
	for (size_t k = 0; k <= c->most; k++)
		for (size_t i = 0; i < c->n; i++)
			c->square[k * c->n + i] = k || i ? INFINITY : 0;
	for (size_t i = 1; i < c->n; i++) {
		memset(c->span, 0, c->m * sizeof *c->span);
		for (size_t s = i; s-- > 0;) {
			/* The stretch from cut s on is the one before, and what lies between s and s + 1. */
			double square = 0;

			for (size_t k = 0; k < c->m; k++) {
				c->span[k] = ft__span_join(c->cell[k * c->n + s], c->span[k]);
				square += c->weight[k] * c->span[k].r;
			}
			bool change = is_change(c, s, i);

			if (change || c->span[0].h >= SHORTEST * length_of(c))
				extend_ways(c, s, i, change, square);
		}
	}
	return FT_OK;
}

/* What the curve's points are off the best phases: their squares, those of neighbours multiplied, how many.
 */
struct residuals {
	double square, product, count;
};

/* What a phase gains on noise, as a share of what so many phases leave: two numbers are fitted, and two cuts
 * chosen, to as many points as the noise is worth, fewer where neighbours are alike (Schwarz's criterion).
 * What these phases hide of the noise is added. */
static double noise_share(const struct cutter *c, size_t phases)
{
	struct residuals sum = {0, 0, 0};
	size_t at = c->n - 1, k = phases;

	while (at) {
		size_t from = c->from[k * c->n + at];

		if (!c->change[k * c->n + at]) {
			const struct ft_pwl *f = c->f[0];
			struct ft__span span = ft__pwl_span(f, c->x[from], c->x[at]);
			double middle = (c->x[from] + c->x[at]) / 2, before = 0;
			size_t i = ft__pwl_find(f, c->x[from]) + 1, last = ft__pwl_find(f, c->x[at]);

			for (; i <= last; i++) {
				double e =
					f->y[i] - f->y0 - span.mean - span.slope * (f->t[i] - f->t0 - middle);

				sum.square += e * e;
				sum.product += e * before;
				sum.count++;
				before = e;
			}
			k--;
		}
		at = from;
	}
	if (!(sum.square > 0))
		return 0;
	double alike = fmin(fmax(sum.product / sum.square, 0), 0.999);
	double free = fmax(sum.count - 3 * (double)phases, 1);
	return fmin(NOISY, 4 * log(sum.count + 1) / free * (1 + alike) / (1 - alike));
}

static size_t most_possible(const struct cutter *c, size_t most)
{
	while (most > 1 && isinf(c->square[most * c->n + c->n - 1]))
		most--;
	return most;
}

static size_t choose_count(const struct cutter *c)
{
	double least = INFINITY;
	size_t most = most_possible(c, c->most), k, best = 1;

	for (k = 1; k <= most; k++) {
		double cost = c->square[k * c->n + c->n - 1] + c->price * (double)k;

		if (cost < least) {
			least = cost;
			best = k;
		}
	}
	return best;
}

/* What a phase of one curve must gain: more than it would on noise, and be worth a line of a table. deviation
 * out: of what many phases leave. */
static double price_alone(struct cutter *c, double *deviation)
{
	struct ft__span all = ft__pwl_span(c->f[0], 0, length_of(c));
	double variance = all.r + all.slope * all.slope * all.h * all.h * all.h / 12;
	size_t many = most_possible(c, c->most), few = c->f[0]->n / ROWS_EACH;

	if (few < many) /* of fewer rows each leaves no noise */
		many = most_possible(c, few);
	many = many ? many : 1;
	*deviation = sqrt(c->square[many * c->n + c->n - 1] / length_of(c));
	c->price = PRICE * variance + noise_share(c, many) * c->square[many * c->n + c->n - 1];
	/* Many phases take with them how alike neighbours are: so many as are chosen by this leave it. */
	few = choose_count(c);
	return fmax(c->price, PRICE * variance + noise_share(c, few) * c->square[many * c->n + c->n - 1]);
}

static void fill_phases(const struct cutter *c, struct ft_phases *out, size_t at, double from, double to)
{
	for (size_t k = 0; k < c->m; k++) {
		/* A phase between two cuts, counted from t0: its line. */
		const struct ft_pwl *f = c->f[k];
		struct ft_phase *phase = &out[k].phase[at];
		struct ft__span span = ft__pwl_span(f, from, to);

		phase->begin = from;
		phase->end = to;
		phase->slope = span.slope;
		phase->from = f->y0 + span.mean - span.slope * span.h / 2;
		phase->to = f->y0 + span.mean + span.slope * span.h / 2;
		phase->rms = sqrt(span.r / span.h);
	}
}

/* A spike cuts a phase in two that are alike: they are one. */
static void unite_phases(struct ft_phases *out, const struct cutter *c)
{
	while (out->n > 1) {
		size_t best = 0;
		double least = c->price;

		for (size_t k = 1; k < out->n; k++) {
			/* What one line for two neighbours costs, what lies between them left out. */
			const struct ft_phase *a = &out->phase[k - 1];
			double cost = 0;

			for (size_t i = 0; i < c->m; i++) {
				struct ft__span left = ft__pwl_span(c->f[i], a->begin, a->end),
						right = ft__pwl_span(c->f[i], out->phase[k].begin,
								     out->phase[k].end);

				cost += c->weight[i] * (ft__span_join(left, right).r - left.r - right.r);
			}

			if (cost < least) {
				least = cost;
				best = k;
			}
		}
		if (!best)
			return;
		fill_phases(c, out, best - 1, out->phase[best - 1].begin, out->phase[best].end);
		for (size_t l = 0; l < c->m; l++) {
			struct ft_phase *gone = out[l].phase + best;

			memmove(gone, gone + 1, (out[l].n - best - 1) * sizeof *gone);
			out[l].n--;
		}
	}
}

/* Where rows [a, b) are best cut in two: the first row of the second phase, where the squares about both
 * lines are least; `at` where neither may be so short. square [rows] is room. */
static size_t best_cut(const struct cutter *c, size_t a, size_t at, size_t b, double *square)
{
	const double *t = c->f[0]->t, shortest = SHORTEST * length_of(c);
	size_t i, best = at;

	if (at <= a || at >= b)
		return at;
	for (i = a; i < b; i++)
		square[i] = 0;
	for (size_t k = 0; k < 2 * c->m; k++) {
		const double *y = c->f[k / 2]->y;
		bool back = k % 2;
		double mean_t = 0, mean_y = 0, tt = 0, ty = 0, yy = 0;

		/* Of the rows from either end on: means, and what there is about them, row by row (Welford).
		 */
		for (size_t rows = 1; rows < b - a; rows++) {
			i = back ? b - rows : a + rows - 1;
			double dt = t[i] - mean_t;
			double dy = y[i] - mean_y;
			mean_t += dt / (double)rows;
			mean_y += dy / (double)rows;
			tt += dt * (t[i] - mean_t);
			ty += dt * (y[i] - mean_y);
			yy += dy * (y[i] - mean_y);
			square[back ? i : i + 1] +=
				c->weight[k / 2] * fmax(0, yy - (tt > 0 ? ty * ty / tt : 0));
		}
	}
	for (i = a + LEAST_ROWS; i + LEAST_ROWS <= b; i++)
		if (t[i - 1] - t[a] >= shortest && t[b - 1] - t[i] >= shortest && square[i] < square[best])
			best = i;
	return best;
}

/* Cuts were chosen among few places. Each goes to where it is best among all rows, until none moves. Then the
 * phases are those of the curves as they are.
 */
static enum ft_status sharpen_cuts(struct ft_phases *out, struct cutter *c, const struct ft_pwl *const *whole,
				   struct ft_err *err)
{
	const struct ft_pwl *f = whole[0];
	const struct ft_phase *phase = out->phase;
	size_t n = out->n, k, pass, best, *first = ft_arena_take(c->arena, n + 1, sizeof *first);
	double *square = ft_arena_take(c->arena, f->n, sizeof *square);
	bool moved = true;

	FT_TRY(ft_arena_check(c->arena, err));
	first[0] = 0;
	first[n] = f->n;
	for (k = 1; k < n; k++)
		first[k] = ft__pwl_find(f, phase[k - 1].end / 2 + phase[k].begin / 2) + 1;
	for (pass = 0; moved && pass < PASSES; pass++)
		for (moved = false, k = 1; k < n; k++) {
			best = best_cut(c, first[k - 1], first[k], first[k + 1], square);
			moved |= best != first[k];
			first[k] = best;
		}
	c->f = whole;
	for (k = 0; k < n; k++)
		if (first[k + 1] - first[k] > 1)
			fill_phases(c, out, k, f->t[first[k]] - f->t0, f->t[first[k + 1] - 1] - f->t0);
		else
			fill_phases(c, out, k, phase[k].begin, phase[k].end);
	return FT_OK;
}

/* With few rows fewer phases may be supported. A small requested number is used as it is. */
static enum ft_status believe_phases(const struct cutter *c, size_t *phases, struct ft_err *err)
{
	if (c->f[0]->n > FT__GATE_ROWS || *phases < 2 || *phases >= c->most)
		return FT_OK;
	FT_OWN const double **y = ft_malloc(c->m * sizeof *y);
	if (!y)
		return ft_nomem(err);
	for (size_t k = 0; k < c->m; k++)
		y[k] = c->f[k]->y;
	return ft__phases_gate(y, c->weight, c->m, c->f[0]->n, SHORTEST, phases, err);
}

/* f: the curves, spikes and all. */
static enum ft_status take_cuts(struct ft_phases *out, struct cutter *c, const struct ft_pwl *const *f,
				struct ft_err *err)
{
	size_t at = c->n - 1, k = choose_count(c);

	FT_TRY(believe_phases(c, &k, err));
	for (size_t i = 0; i < c->m; i++) {
		out[i].phase = ft_calloc(k, sizeof *out[i].phase);
		if (!out[i].phase)
			return ft_nomem(err);
		out[i].n = k;
	}
	while (at) {
		size_t from = c->from[k * c->n + at];
		bool change = c->change[k * c->n + at];

		if (!change)
			fill_phases(c, out, --k, c->x[from], c->x[at]);
		at = from;
	}
	unite_phases(out, c);
	FT_TRY(sharpen_cuts(out, c, f, err));
	for (size_t i = 0; i < c->m; i++)
		phases_close_up(&out[i], f[i]);
	return FT_OK;
}

/* One curve alone: where it may be cut, and what a phase of it must gain. The cuts go behind those of all. */
static enum ft_status judge_alone(struct cutter *all, size_t i, double *price, double *deviation,
				  struct ft_err *err)
{
	static const double one = 1;
	FT_ARENA(work);
	struct cutter c = {.f = all->f + i,
			   .m = 1,
			   .weight = &one,
			   .jump = all->jump + i,
			   .most = all->most,
			   .chains = all->chains,
			   .arena = &work};
	/* More than there are phases: not each cut is used. */
	struct ft_pwl_options options = {.pieces = CUTS};
	FT_CLEANUP(ft_pwl_fit_clear) struct ft_pwl_fit fit = {0};
	FT_TRY(ft_pwl_fit(&fit, c.f[0], &options, err));
	FT_TRY(add_cuts(all, c.f[0], &fit.nodes, err));
	FT_TRY(add_cuts(&c, c.f[0], &fit.nodes, err));
	order_cuts(&c);
	FT_TRY(divide_curve(&c, err));
	*price = price_alone(&c, deviation);
	return FT_OK;
}

/* What leaves a curve for less than half of a block, which is half of the shortest phase: where rows lie far
 * off the median of their block and of both its neighbours, on one side, the nearest of these stands instead.
 * Else two spikes and what lies between them are a phase, or one spike makes a slope of it. y [n] is room.
 */
static void clip_spikes(const struct ft_pwl *f, double *median, double *off, double *y)
{
	size_t rows = (size_t)fmax(BLOCK, SHORTEST / 2 * (double)f->n), blocks = f->n / rows, b, i, k;
	double range[2], usual;

	ft_pwl_range(f, range, NULL);
	memcpy(y, f->y, f->n * sizeof *y);
	if (blocks < 3)
		return;
	for (b = 0; b < blocks; b++) {
		size_t from = b * rows, to = b + 1 < blocks ? from + rows : f->n;

		median[b] = ft_stats_median(f->y + from, to - from);
		for (i = from; i < to; i++)
			y[i] = fabs(f->y[i] - median[b]);
		off[b] = ft_stats_median(y + from, to - from);
	}
	usual = ft_stats_median(off, blocks);
	for (i = 0; i < f->n; i++) {
		double nearest = INFINITY, spread = INFINITY, sign = 0;
		bool inside = false;

		b = i / rows < blocks ? i / rows : blocks - 1;
		for (k = b ? b - 1 : 0; k <= b + 1 && k < blocks; k++) {
			double from = f->y[i] - median[k];

			spread = fmin(spread, off[k]); /* the rest may contain the spike */
			inside |= sign * from < 0;
			sign = from;
			nearest = fabs(from) < fabs(nearest) ? from : nearest;
		}
		y[i] = f->y[i];
		if (!inside && fabs(nearest) > ft__spikes_height(range[1] - range[0], fmax(usual, spread)))
			y[i] -= nearest;
	}
}

/* The curves without spikes, their cuts, and the best of these; the caller clears phases and curves. */
static enum ft_status find_phases(struct ft_phases *out, const struct ft_pwl *const *f,
				  struct ft_curves *clipped, size_t m, size_t most, struct ft_err *err)
{
	size_t n = f[0]->n;
	double range[2];
	FT_ARENA(work);
	double *weight = ft_arena_take(&work, m, sizeof *weight),
	       *jump = ft_arena_take(&work, m, sizeof *jump);
	double *y = ft_arena_take(&work, m * n, sizeof *y);
	double *median = ft_arena_take(&work, n, sizeof *median), *off = ft_arena_take(&work, n, sizeof *off);

	FT_TRY(ft_arena_check(&work, err));
	for (size_t k = 0; k < m; k++) {
		ft_pwl_range(f[k], range, NULL);
		jump[k] = FT__ABRUPT * (range[1] - range[0]);
		clip_spikes(f[k], median, off, y + k * n);
		FT_TRY(ft_pwl_new(&clipped->part[k], f[k]->t, y + k * n, n, err));
		clipped->n++;
	}
	struct cutter c = {.f = (const struct ft_pwl *const *)clipped->part,
			   .m = m,
			   .most = most ? most : USUAL,
			   .chains = m == 1,
			   .weight = weight,
			   .jump = jump,
			   .arena = &work};
	/* Each curve's squares count in its own price of a phase, so that no unit and no noise makes it weigh more. A
	 * phase more must gain as many prices as there are curves: so much does it on noise that they have in common.
	 * Curves have cuts of all, and rows of noise between them would pass for one change after the other. */
	size_t counted = 0;
	double price = 0, deviation = 0;

	for (size_t k = 0; k < c.m; k++) {
		FT_TRY(judge_alone(&c, k, &price, &deviation, err));
		weight[k] = c.m == 1 ? 1 : price > 0 ? 1 / price : 0;
		counted += price > 0;
		if (c.m > 1)
			jump[k] = fmax(jump[k], JUMP * deviation);
	}
	c.price = c.m == 1 ? price : (double)counted;
	order_cuts(&c);
	FT_TRY(divide_curve(&c, err));
	FT_TRY(take_cuts(out, &c, f, err));
	return phases_name(out, f, m, err);
}

enum ft_status ft_pwl_phases_together(struct ft_phases *out, const struct ft_pwl *const *f, size_t m,
				      size_t most, struct ft_err *err)
{
	FT_CLEANUP(ft_curves_clear) struct ft_curves clipped = {.part = ft_calloc(m, sizeof *clipped.part)};

	memset(out, 0, m * sizeof *out);
	enum ft_status status = clipped.part ? find_phases(out, f, &clipped, m, most, err) : ft_nomem(err);
	for (size_t k = 0; status && k < m; k++)
		ft_phases_clear(&out[k]);
	return status;
}

enum ft_status ft_pwl_phases(struct ft_phases *out, const struct ft_pwl *f, size_t most, struct ft_err *err)
{
	return ft_pwl_phases_together(out, &f, 1, most, err);
}

void ft_phases_clear(struct ft_phases *phases)
{
	if (!phases)
		return;
	ft_free(phases->phase);
	*phases = (struct ft_phases){0};
}
