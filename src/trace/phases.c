/* SPDX-License-Identifier: GPL-3.0-or-later */
/* phases.c - the phases of a curve: straight stretches that need not meet, so that abrupt changes stay. */
#include "base/alloc.h"
#include "num/order.h"
#include "trace/gate.h"
#include "trace/fit.h"
#include "trace/pwl.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { USUAL = 20, CUTS = 40, ROWS_EACH = 8 };

static const double SHORTEST = 0.004, /* a phase's least share of the whole time: less is a transition */
	NOISY = 0.4,                  /* ... but no larger share of what many phases leave */
	PRICE = 0.002,                /* what a phase must gain at least: a share of the curve's variance */
	ALIKE = 0.1,    /* levels that differ by less than this share of their range have one name */
	TREND = 0.1,    /* a rise or fall of less than this share of the range is none */
	ABRUPT = 0.1,   /* and neither is a jump */
	UNSTEADY = 0.1, /* a root mean square about the line above this share of the range is told */
	IDLE = 0.02;

/* Where phases may be cut, and the best cuts. */
struct cutter {
	const struct ft_pwl *f;
	double *x; /* [n] ascending, the ends included */
	size_t n, most;
	double range;          /* of the values */
	double *square;        /* [most + 1][n] of the best cuts into so many phases that end there */
	size_t *from;          /* [most + 1][n] */
	bool *change;          /* [most + 1][n] from there by an abrupt change, which is no phase */
	struct ft__span *cell; /* [n - 1] */
};

/* The place between two nodes of the fit where cutting leaves least: the change itself. */
static double sharpest(const struct ft_pwl *f, double a, double b)
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

/* The nodes of the fit, and between two of them the place of an abrupt change. */
static enum ft_status choose_cuts(struct cutter *c, const struct ft_nodes *nodes, struct ft_err *err)
{
	size_t j, k;

	c->x = ft_malloc(2 * nodes->n * sizeof *c->x);
	if (!c->x)
		return ft_nomem(err);
	for (j = 0; j < nodes->n; j++)
		c->x[c->n++] = nodes->t[j] - c->f->t0;
	for (j = 0; j + 1 < nodes->n; j++)
		c->x[c->n++] = sharpest(c->f, nodes->t[j] - c->f->t0, nodes->t[j + 1] - c->f->t0);
	ft_sort(c->x, c->n);
	c->x[0] = 0;
	c->x[c->n - 1] = c->f->length;
	for (k = 1, j = 1; j < c->n; j++)
		if (c->x[j] > c->x[k - 1])
			c->x[k++] = c->x[j];
	c->n = k;
	return FT_OK;
}

/* From one row or two to the next the curve goes up or down: that is an abrupt change, and no phase. */
static bool is_change(const struct cutter *c, size_t s, size_t i, const struct ft__span *phase)
{
	return fabs(phase->slope) * phase->h > ABRUPT * c->range &&
	       ft__pwl_find(c->f, c->x[i]) <= ft__pwl_find(c->f, c->x[s]) + 2;
}

/* All ways that end at cut s go on to cut i: by a phase more, or by a change. */
static void extend(struct cutter *c, size_t s, size_t i, bool change, double r)
{
	size_t k;

	for (k = !change; k <= c->most; k++) {
		double square = c->square[(change ? k : k - 1) * c->n + s] + r;

		if (square < c->square[k * c->n + i]) {
			c->square[k * c->n + i] = square;
			c->from[k * c->n + i] = s;
			c->change[k * c->n + i] = change;
		}
	}
}

/* Dynamic programming over the cuts: squares of best lines add up. */
static enum ft_status divide(struct cutter *c, struct ft_err *err)
{
	size_t k, i, s;

	c->square = ft_malloc((c->most + 1) * c->n * sizeof *c->square);
	c->from = ft_calloc((c->most + 1) * c->n, sizeof *c->from);
	c->cell = ft_malloc(c->n * sizeof *c->cell);
	c->change = ft_calloc((c->most + 1) * c->n, sizeof *c->change);
	if (!c->square || !c->from || !c->cell || !c->change)
		return ft_nomem(err);
	for (i = 0; i + 1 < c->n; i++)
		c->cell[i] = ft__pwl_span(c->f, c->x[i], c->x[i + 1]);
	for (k = 0; k <= c->most; k++)
		for (i = 0; i < c->n; i++)
			c->square[k * c->n + i] = k || i ? INFINITY : 0;
	for (i = 1; i < c->n; i++) {
		struct ft__span phase = {0};

		for (s = i; s-- > 0;) {
			bool change;

			phase = ft__span_join(c->cell[s], phase);
			change = is_change(c, s, i, &phase);
			if (change || phase.h >= SHORTEST * c->f->length)
				extend(c, s, i, change, phase.r);
		}
	}
	return FT_OK;
}

/* What the curve's points are off the best phases: their squares, those of neighbours multiplied, how many.
 */
struct residuals {
	double square, product, count;
};

static void add_residuals(const struct cutter *c, size_t from, size_t to, struct residuals *sum)
{
	const struct ft_pwl *f = c->f;
	struct ft__span span = ft__pwl_span(f, c->x[from], c->x[to]);
	double middle = (c->x[from] + c->x[to]) / 2, before = 0;
	size_t i = ft__pwl_find(f, c->x[from]) + 1, last = ft__pwl_find(f, c->x[to]);

	for (; i <= last; i++) {
		double e = f->y[i] - f->y0 - span.mean - span.slope * (f->t[i] - f->t0 - middle);

		sum->square += e * e;
		sum->product += e * before;
		sum->count++;
		before = e;
	}
}

/* What a phase gains on noise, as a share of what so many phases leave: two numbers are fitted, and two cuts
 * chosen, to as many points as the noise is worth, fewer where neighbours are alike (Schwarz's criterion).
 * What these phases hide of the noise is added. */
static double noise_share(const struct cutter *c, size_t phases)
{
	struct residuals sum = {0, 0, 0};
	size_t at = c->n - 1, k = phases;
	double alike, free;

	while (at) {
		size_t from = c->from[k * c->n + at];

		if (!c->change[k * c->n + at]) {
			add_residuals(c, from, at, &sum);
			k--;
		}
		at = from;
	}
	if (!(sum.square > 0))
		return 0;
	alike = fmin(fmax(sum.product / sum.square, 0), 0.999);
	free = fmax(sum.count - 3 * (double)phases, 1);
	return fmin(NOISY, 4 * log(sum.count + 1) / free * (1 + alike) / (1 - alike));
}

/* How many phases: each must gain more than it would on noise, and be worth a line of a table. */
static size_t choose_count(const struct cutter *c, double *price)
{
	struct ft__span all = ft__pwl_span(c->f, 0, c->f->length);
	double variance = all.r + all.slope * all.slope * all.h * all.h * all.h / 12, least = INFINITY;
	size_t end = c->n - 1, most = c->most, k, best = 1, many;

	while (most > 1 && isinf(c->square[most * c->n + end]))
		most--;
	many = c->f->n / ROWS_EACH < most ? c->f->n / ROWS_EACH
					  : most; /* of fewer rows each leaves no noise */
	while (many > 1 && isinf(c->square[many * c->n + end]))
		many--;
	many = many ? many : 1;
	*price = PRICE * variance + noise_share(c, many) * c->square[many * c->n + end];
	for (k = 1; k <= most; k++) {
		double cost = c->square[k * c->n + end] + *price * (double)k;

		if (cost < least) {
			least = cost;
			best = k;
		}
	}
	return best;
}

/* A phase between two cuts, counted from t0: its line. */
static void draw(const struct cutter *c, struct ft_phase *phase, double from, double to)
{
	struct ft__span span = ft__pwl_span(c->f, from, to);

	phase->begin = from;
	phase->end = to;
	phase->slope = span.slope;
	phase->from = c->f->y0 + span.mean - span.slope * span.h / 2;
	phase->to = c->f->y0 + span.mean + span.slope * span.h / 2;
	phase->rms = sqrt(span.r / span.h);
}

/* What one line for two neighbours costs, what lies between them left out. */
static double union_cost(const struct cutter *c, const struct ft_phase *a, const struct ft_phase *b)
{
	struct ft__span left = ft__pwl_span(c->f, a->begin, a->end),
			right = ft__pwl_span(c->f, b->begin, b->end);

	return ft__span_join(left, right).r - left.r - right.r;
}

/* A spike cuts a phase in two that are alike: they are one. */
static void unite(struct ft_phases *out, const struct cutter *c, double price)
{
	while (out->n > 1) {
		size_t k, best = 0;
		double least = price;

		for (k = 1; k < out->n; k++) {
			double cost = union_cost(c, &out->phase[k - 1], &out->phase[k]);

			if (cost < least) {
				least = cost;
				best = k;
			}
		}
		if (!best)
			return;
		draw(c, &out->phase[best - 1], out->phase[best - 1].begin, out->phase[best].end);
		memmove(out->phase + best, out->phase + best + 1, (out->n - best - 1) * sizeof *out->phase);
		out->n--;
	}
}

/* Phases meet in the middle of the change between them; then their work is known, and what they leave. */
static void close_up(struct ft_phases *out, const struct ft_pwl *f)
{
	double begin = 0, square = 0;
	size_t k;

	for (k = 0; k < out->n; k++) {
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
	for (k = 0; k < out->n; k++)
		out->phase[k].share = out->work != 0 ? out->phase[k].work / out->work : NAN;
	out->rms = sqrt(square / f->length);
}

static enum ft_status take(struct ft_phases *out, const struct cutter *c, struct ft_err *err)
{
	double price;
	size_t at = c->n - 1, k = choose_count(c, &price);
	enum ft_status status = FT_OK;

	/* Where no more were asked for than so many, they are what is wanted. */
	if (c->f->n <= FT__GATE_ROWS && k > 1 && k < c->most)
		status = ft__phases_gate(c->f->y, c->f->n, SHORTEST, &k, err);
	if (status)
		return status;
	out->phase = ft_calloc(k, sizeof *out->phase);
	if (!out->phase)
		return ft_nomem(err);
	out->n = k;
	while (at) {
		size_t from = c->from[k * c->n + at];
		bool change = c->change[k * c->n + at];

		if (!change)
			draw(c, &out->phase[--k], c->x[from], c->x[at]);
		at = from;
	}
	unite(out, c, price);
	close_up(out, c->f);
	return FT_OK;
}

/* ---- names and words ----------------------------------------------------------------------------------- */

static int by_level(const void *a, const void *b)
{
	const struct ft_phase *const *x = a, *const *y = b;

	return ((*x)->level < (*y)->level) - ((*x)->level > (*y)->level);
}

/* "A" .. "Z", "AA" ... */
static void letter(size_t i, char name[FT_PHASE_NAME])
{
	if (i < 26)
		(void)snprintf(name, FT_PHASE_NAME, "%c", (char)('A' + i));
	else
		(void)snprintf(name, FT_PHASE_NAME, "%c%c", (char)('A' + (i / 26 - 1) % 26),
			       (char)('A' + i % 26));
}

/* Phases at about one level have one name; A is the highest. */
static enum ft_status name(struct ft_phases *phases, double range, struct ft_err *err)
{
	struct ft_phase **sorted = ft_malloc(phases->n * sizeof *sorted);
	size_t i, group = 0;
	double top;

	if (!sorted)
		return ft_nomem(err);
	for (i = 0; i < phases->n; i++)
		sorted[i] = &phases->phase[i];
	qsort(sorted, phases->n, sizeof *sorted, by_level);
	top = sorted[0]->level;
	for (i = 0; i < phases->n; i++) {
		if (top - sorted[i]->level > ALIKE * range) {
			top = sorted[i]->level;
			group++;
		}
		letter(group, sorted[i]->name);
	}
	ft_free(sorted);
	return FT_OK;
}

/* A value as a share of the peak, where the values are amounts; else beside their range. */
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
	if (before && fabs(phase->from - before->to) > ABRUPT * width)
		(void)snprintf(phase->text + n, sizeof phase->text - n, ", after an abrupt %s",
			       phase->from > before->to ? "rise" : "fall");
}

enum ft_status ft_pwl_phases(struct ft_phases *out, const struct ft_pwl *f, size_t most, struct ft_err *err)
{
	struct cutter c = {.f = f, .most = most ? most : USUAL};
	struct ft_pwl_options options = {.pieces =
						 CUTS}; /* more than there are phases: not each cut is used */
	struct ft_pwl_fit fit;
	double range[2];
	size_t i;
	enum ft_status status = ft_pwl_fit(&fit, f, &options, err);

	*out = (struct ft_phases){0};
	ft_pwl_range(f, range, NULL);
	c.range = range[1] - range[0];
	if (status == FT_OK)
		status = choose_cuts(&c, &fit.nodes, err);
	ft_pwl_fit_clear(&fit);
	if (status == FT_OK)
		status = divide(&c, err);
	if (status == FT_OK)
		status = take(out, &c, err);
	if (status == FT_OK)
		status = name(out, range[1] - range[0], err);
	for (i = 0; status == FT_OK && i < out->n; i++)
		describe(&out->phase[i], i ? &out->phase[i - 1] : NULL, range);
	ft_free(c.x);
	ft_free(c.square);
	ft_free(c.from);
	ft_free(c.cell);
	ft_free(c.change);
	if (status != FT_OK)
		ft_phases_clear(out);
	return status;
}

void ft_phases_clear(struct ft_phases *phases)
{
	if (!phases)
		return;
	ft_free(phases->phase);
	*phases = (struct ft_phases){0};
}
