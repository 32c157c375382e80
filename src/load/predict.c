/* SPDX-License-Identifier: GPL-3.0-or-later */
/* predict.c - from load functions to the load that a run will meet, and by what it takes longer. */
#include "foretime/load.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Processors left that count as none: rounding leaves as many. */
static const double NONE = 1e-9;

static const char *const sharings[] = {
#define TEXT(name, words) words,
	FT_SHARING_LIST(TEXT)};

static const char *const views[] = {FT_LOAD_VIEW_LIST(TEXT)};
#undef TEXT

const char *ft_sharing_text(enum ft_sharing sharing)
{
	return sharings[sharing];
}

const char *ft_load_view_text(enum ft_load_view view)
{
	return views[view];
}

bool ft_load_view_parse(const char *text, enum ft_load_view *view)
{
	for (size_t i = 0; i < sizeof views / sizeof *views; i++)
		if (i != FT_LOAD_AT && !strcmp(views[i], text)) {
			*view = (enum ft_load_view)i;
			return true;
		}
	return false;
}

double ft_load_slow_down(enum ft_sharing sharing, double threads, double processors, double load)
{
	double k = fmin(threads, processors), left = processors - load;

	assert(threads > 0 && processors >= 1 && load >= 0);
	if (sharing == FT_SHARING_FAIR)
		return ft_fair_slow_down(k, processors, load);
	return left > NONE ? k / fmin(k, left) : INFINITY;
}

double ft_load_of_slow_down(double slow_down)
{
	return 1 - 1 / slow_down;
}

/* One of the two functions, and the run. */
struct predict_problem {
	const double *row; /* [n] */
	size_t n;
	double interval_s, processors, threads, ideal_s;
	enum ft_sharing sharing;
};

/* A piece of the function: L(t) = load + slope (t - from), from <= t <= to. */
struct predict_piece {
	double from, to, load, slope;
};

/* Piece 0 ends at D, piece n begins at n D. */
static struct predict_piece get_piece(const struct predict_problem *p, size_t i)
{
	double from = (double)i * p->interval_s;

	if (i == 0)
		return (struct predict_piece){0, p->interval_s, p->row[0], 0};
	if (i == p->n)
		return (struct predict_piece){from, INFINITY, p->row[i - 1], 0};
	return (struct predict_piece){from, from + p->interval_s, p->row[i - 1],
				      (p->row[i] - p->row[i - 1]) / p->interval_s};
}

/* The smaller of two times that lies in from .. to; NaN: neither. Rounding may move a root where two pieces
 * meet off both of them. */
static double first_inside(const struct predict_piece *piece, double a, double b)
{
	double from = piece->from * (1 - 1e-12), to = piece->to * (1 + 1e-12);
	double low = fmin(a, b), high = fmax(a, b); /* NaN loses */

	if (low >= from && low <= to)
		return low;
	return high >= from && high <= to ? high : (double)NAN;
}

/* t = T (L(t) + k) / C, linear in t. */
static double meet_fair(const struct predict_problem *p, const struct predict_piece *piece)
{
	double by_load = p->ideal_s / p->processors;
	double t = by_load * (piece->load - piece->slope * piece->from + p->threads) /
		   (1 - by_load * piece->slope);

	return first_inside(piece, t, NAN);
}

/* t = T k / (C - L(t)): slope t^2 - left t + T k = 0, left what L would leave at t = 0. */
static double meet_niced(const struct predict_problem *p, const struct predict_piece *piece)
{
	double left = p->processors - piece->load + piece->slope * piece->from;
	double work = p->ideal_s * p->threads, root = left * left - 4 * piece->slope * work;

	if (piece->slope == 0)
		return left > NONE ? first_inside(piece, work / left, NAN) : (double)NAN;
	if (root < 0)
		return NAN;
	double q = (left + copysign(sqrt(root), left)) / 2; /* no difference of near numbers */
	return first_inside(piece, q / piece->slope, q != 0 ? work / q : (double)NAN);
}

/* Whether a run that meets the average load of a time t needs no more than t. */
static bool ends_within(const struct predict_problem *p, double t, double load)
{
	return ft_load_slow_down(p->sharing, p->threads, p->processors, load) * p->ideal_s <= t;
}

/* The first time t at which a run that meets the average load L(t) needs just t: the pieces are walked from
 * the ideal time on. */
static double meet_load(const struct predict_problem *p)
{
	double start = p->ideal_s / p->interval_s;
	size_t i = start < (double)p->n ? (size_t)start : p->n;

	for (; i <= p->n; i++) {
		struct predict_piece piece = get_piece(p, i);

		if (piece.from < p->ideal_s) { /* a run takes at least its ideal time */
			piece.load += piece.slope * (p->ideal_s - piece.from);
			piece.from = p->ideal_s;
		}
		if (ends_within(p, piece.from, fmax(piece.load, 0)))
			return piece.from;
		double t = p->sharing == FT_SHARING_FAIR ? meet_fair(p, &piece) : meet_niced(p, &piece);
		if (!isnan(t))
			return t;
	}
	return INFINITY;
}

void ft_load_predict(const struct ft_load_functions *functions, double t_ideal_s, double threads,
		     enum ft_sharing sharing, struct ft_load_outlook *out)
{
	assert(functions->n && t_ideal_s > 0 && threads > 0);
	for (int i = 0; i < 2; i++) {
		struct predict_problem p = {
			.row = i ? functions->most : functions->least,
			.n = functions->n,
			.interval_s = functions->interval_s,
			.processors = functions->processors,
			.threads = fmin(threads, functions->processors),
			.ideal_s = t_ideal_s,
			.sharing = sharing,
		};
		double t = meet_load(&p), load[2];

		ft_load_at(functions, t, load);
		out->load[i] = load[i];
		out->slow_down[i] = t / t_ideal_s;
	}
}
