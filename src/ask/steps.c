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

/* Shares of the peak that a step may have: 1/20, 2/20 .. 1. Ten and forty: 3 % more, and 1 % less reserved. */
enum { SHARES = 20 };

/* A moment that all traced runs have in the same place is still a moment of few runs. */
static const double least_spread = 0.02;

/* What a further step must save of the whole. */
static const double worth = 0.01;

/* When each of the shares is first exceeded, as a part of the run: the last moment before, so that a jump between two
 * samples counts as one at the first of them. 1: never. */
static void find_moments(const struct ft_memory_curve *curve, double moment[SHARES])
{
	double most = 0, held = 0, before = 0;

	for (size_t i = 0; i < curve->n; i++)
		most = fmax(most, curve->bytes[i]); /* NaN loses */
	for (size_t k = 0; k < SHARES; k++)
		moment[k] = 1;
	for (size_t i = 0; i < curve->n; i++) {
		held = fmax(held, curve->bytes[i]);
		for (size_t k = 0; k < SHARES; k++)
			if (moment[k] == 1 && held > (double)(k + 1) / SHARES * most)
				moment[k] = before;
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

enum ft_status ft_ask_steps(struct ft_answerer *answerer, const struct ft_resource *memory,
			    const struct ft_memory_curve *curve, size_t n, const struct ft_size *size,
			    double risk, size_t steps, struct ft_memory_steps *out, struct ft_err *err)
{
	const size_t axis = answerer->axis[0];
	double(*moment)[SHARES] = NULL, *x = NULL, *y = NULL, until[SHARES], area, bytes;
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
	/* Half of the risk is that of the peak, the rest is divided among the ends of steps: so more steps can be worse. */
	FT_TRY(ft__request_upper(answerer, memory, size, risk / 2, &at, &bytes, err));
	moment = ft_calloc(n, sizeof *moment);
	x = ft_calloc(n, sizeof *x);
	y = ft_calloc(n, sizeof *y);
	enum ft_status status = moment && x && y ? FT_OK : ft_nomem(err);
	for (size_t i = 0; i < n && !status; i++) {
		find_moments(&curve[i], moment[i]);
		x[i] = log(fmax(curve[i].size.value[axis], 1e-300));
	}
	for (size_t allowed = 1; allowed <= steps && !status; allowed++) {
		const double each = risk / 2 / fmax(1, (double)allowed - 1);
		size_t chosen[FT_STEPS_MOST], used;

		status = ft_ask_predict(answerer, &ft_wall_s, size, 1 - 2 * each, &time, err);
		const double shorter = log(time.value / fmax(time.lower, 1e-9 * time.value));
		until[SHARES - 1] = 1;
		for (size_t k = 0; k + 1 < SHARES && !status; k++) {
			bool at_once = false;

			for (size_t i = 0; i < n; i++) {
				at_once |= !(moment[i][k] > 0);
				y[i] = log(moment[i][k]);
			}
			until[k] = 0;
			if (!at_once) {
				double below, middle = expect(x, y, n, log(fmax(size->value[axis], 1e-300)),
							      each, &below);

				until[k] = exp(middle - hypot(below, shorter));
			}
			until[k] = fmin(1, fmax(until[k], k ? until[k - 1] : 0));
		}
		if (status)
			break;
		used = choose_steps(until, allowed, chosen, &area);
		if (out->n && 1 - area < out->saved + worth * fmax(0, (double)used - (double)out->n))
			continue;
		out->n = used;
		out->saved = 1 - area;
		for (size_t s = 0; s < used; s++) {
			out->step[s].from_s = s ? until[chosen[s - 1]] * time.value : 0;
			out->step[s].bytes = bytes * (double)(chosen[s] + 1) / SHARES;
		}
	}
	ft_free(moment);
	ft_free(x);
	ft_free(y);
	return status;
}
