/* SPDX-License-Identifier: GPL-3.0-or-later */
/* steps.c - requests of memory that rise while a job runs.
 *
 * Of each run whose memory was recorded over time, it is known when it first held more than a share of its own peak.
 * That moment, as a part of the run, differs from run to run and perhaps with the size. Its prediction interval for
 * one more run, and that of the run's time, say until when a request of that share of the peak's request suffices.
 * Steps are the few shares with the least memory times time. */
#include "ask/ask.h"
#include "base/alloc.h"
#include "num/num.h"

#include <math.h>
#include <string.h>
#include <stdlib.h>

/* Shares of the peak that a step may have: 1/20, 2/20 .. 1. Ten and forty: 3 % more, and 1 % less reserved. */
enum { SHARES = 20 };

/* A moment that all traced runs have in the same place is still a moment of few runs. */
static const double least_spread = 0.02;

/* What a further step must save of the whole. */
static const double worth = 0.01;

/* When each of the levels is first exceeded, as a part of the run: the last moment before, so that a jump between two
 * samples counts as one at the first of them. 1: never. The levels are shares of what `most` bytes are above `base`,
 * here of the run's own peak. */
static void find_moments(const struct ft_memory_curve *curve, double base, double most, double moment[SHARES])
{
	double peak = 0, held = 0, before = 0;

	for (size_t i = 0; i < curve->n; i++)
		peak = fmax(peak, curve->bytes[i]); /* NaN loses */
	for (size_t k = 0; k < SHARES; k++)
		moment[k] = 1;
	for (size_t i = 0; i < curve->n; i++) {
		held = fmax(held, curve->bytes[i]);
		for (size_t k = 0; k < SHARES; k++) {
			const double level = (double)(k + 1) / SHARES * most;

			if (moment[k] == 1 && held > base + (level - base) * (peak - base) / (most - base))
				moment[k] = before;
		}
		before = curve->t[i] / curve->t[curve->n - 1];
	}
}

/* Student's prediction interval of one more point at x: by a line through n points where there are four at three x or
 * more, else by their mean. below: out, how far the value is that it is below with a probability `risk`. */
static double expect(const double *x, const double *y, size_t n, double at, double risk, double *below)
{
	double mean_x = 0, mean_y = 0, square = 0, product = 0, rest = 0, slope = 0;
	size_t apart = 0;

	for (size_t i = 0; i < n; i++) {
		size_t k = 0;

		while (k < i && x[k] != x[i])
			k++;
		apart += k == i;
		mean_x += x[i] / (double)n;
		mean_y += y[i] / (double)n;
	}
	for (size_t i = 0; i < n; i++) {
		square += (x[i] - mean_x) * (x[i] - mean_x);
		product += (x[i] - mean_x) * (y[i] - mean_y);
	}
	const bool line = n >= 4 && apart >= 3;
	if (line)
		slope = product / square;
	for (size_t i = 0; i < n; i++)
		rest += pow(y[i] - mean_y - slope * (x[i] - mean_x), 2);
	const double freedom = (double)n - 1 - line;
	double spread = fmax(least_spread, sqrt(rest / freedom));

	spread *= sqrt(1 + 1 / (double)n + (line ? (at - mean_x) * (at - mean_x) / square : 0));
	*below = ft_student_t(1 - 2 * risk, freedom) * spread;
	return mean_y + slope * (at - mean_x);
}

/* The cheapest staircase of at most n steps: until[k] is how long, of the whole, share k suffices. chosen: [n] the
 * shares, ascending; the last one is the whole. Returns how many. */
static size_t choose_steps(const double until[SHARES], size_t n, size_t chosen[FT_STEPS_MOST], double *area)
{
	double cost[FT_STEPS_MOST][SHARES]; /* of steps up to share k, the last of so many */
	size_t from[FT_STEPS_MOST][SHARES], best = 0;

	for (size_t k = 0; k < SHARES; k++) {
		cost[0][k] = (double)(k + 1) / SHARES * until[k];
		from[0][k] = SHARES;
	}
	for (size_t s = 1; s < n; s++)
		for (size_t k = 0; k < SHARES; k++) {
			cost[s][k] = INFINITY;
			from[s][k] = SHARES;
			for (size_t j = 0; j < k; j++) {
				double sum =
					cost[s - 1][j] + (double)(k + 1) / SHARES * (until[k] - until[j]);

				if (sum < cost[s][k]) {
					cost[s][k] = sum;
					from[s][k] = j;
				}
			}
		}
	for (size_t s = 1; s < n; s++)
		if (cost[s][SHARES - 1] < cost[best][SHARES - 1] - worth * (double)(s - best))
			best = s;
	*area = cost[best][SHARES - 1];
	for (size_t s = best + 1, k = SHARES - 1; s-- > 0; k = from[s][k])
		chosen[s] = k;
	return best + 1;
}

/* What is known of the runs, and requested. */
struct steps {
	const struct ft_memory_curve *curve; /* [n] */
	size_t n;
	double *x, *y, *longer, (*moment)[SHARES]; /* [n] */
	double at;
};

/* Until when each level suffices, as a part of the typical run: below that with a probability `each`. Runs that hold more
 * at once show when others do only up to their size. */
static void find_until(const struct steps *all, double each, double known, double until[SHARES])
{
	until[SHARES - 1] = 1;
	for (size_t k = 0; k + 1 < SHARES; k++) {
		double from = -INFINITY, to = INFINITY, below;
		size_t m = 0;
		bool now = false;

		for (size_t i = 0; i < all->n; i++) {
			if (all->moment[i][k] > 0)
				continue;
			now |= all->x[i] == all->at;
			if (all->x[i] < all->at)
				from = fmax(from, all->x[i]);
			else
				to = fmin(to, all->x[i]);
		}
		double *const x = all->y + all->n;
		for (size_t i = 0; i < all->n; i++)
			if (all->x[i] > from && all->x[i] < to) {
				x[m] = all->x[i];
				all->y[m++] = log(all->moment[i][k]) + all->longer[i];
			}
		until[k] = 0;
		if (!now && m >= FT_STEPS_LEAST) {
			const double middle = expect(x, all->y, m, all->at, each, &below);

			until[k] = exp(middle - hypot(below, known));
		}
		until[k] = fmin(1, fmax(until[k], k ? until[k - 1] : 0));
	}
}

enum ft_status ft_ask_steps(struct ft_answerer *answerer, const struct ft_resource *memory,
			    const struct ft_memory_curve *curve, size_t n, const struct ft_size *size,
			    double risk, size_t steps, struct ft_memory_steps *out, struct ft_err *err)
{
	const size_t axis = answerer->axis[0];
	struct steps all = {.curve = curve, .n = n};
	double until[SHARES], area, bytes, whole = 0, least = INFINITY;
	struct ft_prediction time, at;

	*out = (struct ft_memory_steps){.runs = n};
	if (steps < 1 || steps > FT_STEPS_MOST || !(risk > 0 && risk < 1))
		return ft_fail(err, FT_EINVAL, "%zu steps at a risk of %g", steps, risk);
	if (n < FT_STEPS_LEAST) {
		(void)ft_fail(err, FT_ENOMODEL, "memory over time is known of %zu run%s, and steps need %d",
			      n, n == 1 ? "" : "s", FT_STEPS_LEAST);
		return ft_remedy(err, "keep it of more runs: foretime run --save %s,keep-trace -- PROGRAM",
				 answerer->program.name);
	}
	all.moment = ft_calloc(n, sizeof *all.moment);
	all.x = ft_calloc(n, sizeof *all.x);
	all.y = ft_calloc(2 * n, sizeof *all.y);
	all.longer = ft_calloc(n, sizeof *all.longer);
	enum ft_status status = all.moment && all.x && all.y && all.longer ? FT_OK : ft_nomem(err);
	all.at = log(fmax(size->value[axis], 1e-300));
	for (size_t i = 0; i < n && !status; i++) {
		double peak = 0;

		all.x[i] = log(fmax(curve[i].size.value[axis], 1e-300));
		status = ft_ask_predict(answerer, &ft_wall_s, &curve[i].size, 0.9, &time, err);
		all.longer[i] = log((curve[i].wall_s > 0 ? curve[i].wall_s : curve[i].t[curve[i].n - 1]) / time.value);
		for (size_t k = 0; k < curve[i].n; k++)
			peak = fmax(peak, curve[i].bytes[k]);
		least = fmin(least, peak);
	}
	static const char *e[3]; if (!e[0]) { e[0] = getenv("BASES"); e[1] = getenv("SPLITS"); if (!e[0]) e[0]="0 0.5 0.8"; if (!e[1]) e[1] = "0.5"; }
	double bases[8], splits[8]; int nb = 0, ns = 0; char *end;
	for (const char *q = e[0]; *q && nb < 8; q = end) bases[nb++] = strtod(q, &end);
	for (const char *q = e[1]; *q && ns < 8; q = end) splits[ns++] = strtod(q, &end);
	for (size_t allowed = 1; allowed <= steps && !status; allowed++) for (int sp = 0; sp < (allowed > 1 ? ns : 1); sp++) {
		const double part = allowed > 1 ? splits[sp] : 1;
		const double each = allowed > 1 ? risk * (1 - part) / ((double)allowed - 1) : risk;
		size_t chosen[FT_STEPS_MOST], used;

		status = ft__request_upper(answerer, memory, size, risk * part, &at, &bytes, err);
		if (!status)
			status = ft_ask_predict(answerer, &ft_wall_s, size, 1 - 2 * fmax(each, 0.0005), &time, err);
		if (status)
			break;
		const double known = isnan(time.known) ? log(time.value / fmax(time.lower, 1e-9 * time.value)) : log1p(time.known);
		if (allowed == 1)
			whole = bytes;
		for (int ba = 0; ba < (allowed > 1 ? nb : 1); ba++) {
			for (size_t i = 0; i < n; i++)
				find_moments(&curve[i], bases[ba] * least, bytes, all.moment[i]);
			find_until(&all, each, known, until);
			used = choose_steps(until, allowed, chosen, &area);
			area *= bytes / whole;
			if (out->n && 1 - area < out->saved + worth * fmax(0, (double)used - (double)out->n))
				continue;
			out->n = used;
			out->saved = 1 - area;
			for (size_t s = 0; s < used; s++) {
				out->step[s].from_s = s ? until[chosen[s - 1]] * time.value : 0;
				out->step[s].bytes = bytes * (double)(chosen[s] + 1) / SHARES;
			}
		}
	}
	ft_free(all.moment);
	ft_free(all.x);
	ft_free(all.y);
	ft_free(all.longer);
	return status;
}
