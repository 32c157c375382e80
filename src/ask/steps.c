/* SPDX-License-Identifier: GPL-3.0-or-later */
/* steps.c - requests of memory that rise while a job runs.
 *
 * Of each run whose memory was recorded over time, it is known when it first held more than a share of its own peak:
 * that moment, divided by the time that the model has for its size, differs from run to run and perhaps with the size.
 * Its prediction interval for one more run, and how well the model knows the time, show until when a request of that
 * share of the peak's request suffices. Steps are the few shares with the least memory times time. */
#include "ask/ask.h"
#include "base/alloc.h"
#include "num/num.h"

#include <math.h>
#include <string.h>

/* Shares of the peak that a step may have: 1/20, 2/20 .. 1. Ten and forty: 3 % more, and 1 % less reserved. */
enum { SHARES = 20 };

/* A moment that all traced runs have in the same place is still a moment of few runs. */
static const double least_spread = 0.02;

/* What a further step must save of the whole. At 1 % eight steps save no more than four. */
static const double worth = 0.003;

/* Parts of the risk that are the peak's, to choose from; the rest is divided among the ends of steps. One half alone
 * reserves 0.3 % more. */
static const double peak_parts[] = {0.25, 0.5, 0.75};

/* The traced runs, as questions of one size need them. */
struct moments {
	size_t n;
	double at, *x;        /* ln of the size that is requested, and of the runs' [n] */
	double (*of)[SHARES]; /* [n] ln of moments, each as a part of the typical time at its size */
	double *beyond;       /* [n] working space */
};

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

/* Moments of a share by size. */
struct fit {
	double mean_x, mean_y, slope, freedom;
	double spread; /* the standard deviation of runs */
	double middle,
		off; /* at the requested size, and the standard deviation of one more run; -INFINITY: at once */
};

/* A line where there are four runs at three sizes or more, else their mean. Beyond the measured sizes a line that falls
 * goes on, and one that rises does not: what comes later at larger sizes need not do so for ever. */
static void fit_share(const struct moments *m, size_t share, struct fit *fit)
{
	const double n = (double)m->n;
	double square = 0, product = 0, rest = 0, least = INFINITY, most = -INFINITY;
	size_t apart = 0;

	*fit = (struct fit){.middle = -INFINITY};
	for (size_t i = 0; i < m->n; i++) {
		size_t k = 0;

		while (k < i && m->x[k] != m->x[i])
			k++;
		apart += k == i;
		least = fmin(least, m->x[i]);
		most = fmax(most, m->x[i]);
		fit->mean_x += m->x[i] / n;
		fit->mean_y += m->of[i][share] / n;
	}
	if (isinf(fit->mean_y))
		return;
	for (size_t i = 0; i < m->n; i++) {
		square += (m->x[i] - fit->mean_x) * (m->x[i] - fit->mean_x);
		product += (m->x[i] - fit->mean_x) * (m->of[i][share] - fit->mean_y);
	}
	const bool line = m->n >= 4 && apart >= 3;
	if (line)
		fit->slope = product / square;
	for (size_t i = 0; i < m->n; i++)
		rest += pow(m->of[i][share] - fit->mean_y - fit->slope * (m->x[i] - fit->mean_x), 2);
	fit->freedom = n - 1 - line;
	fit->spread = fmax(least_spread, sqrt(rest / fit->freedom));
	fit->off = fit->spread *
		   sqrt(1 + 1 / n + (line ? (m->at - fit->mean_x) * (m->at - fit->mean_x) / square : 0));
	const double inside = fmin(fmax(m->at, least), most);
	fit->middle =
		fit->mean_y + fmin(fit->slope * (m->at - fit->mean_x), fit->slope * (inside - fit->mean_x));
}

/* Until when each share suffices, as a part of the typical time: the lower end of Student's prediction interval, which
 * one more run is below with a probability `each`, its width times `factor`; known: how well the time is known. */
static void find_until(const struct fit fit[SHARES], double each, double factor, double known,
		       double until[SHARES])
{
	until[SHARES - 1] = 1;
	for (size_t k = 0; k + 1 < SHARES; k++) {
		until[k] = 0;
		if (!isinf(fit[k].middle))
			until[k] = exp(fit[k].middle -
				       hypot(factor * ft_student_t(1 - 2 * each, fit[k].freedom) * fit[k].off,
					     known));
		until[k] = fmin(1, fmax(until[k], k ? until[k - 1] : 0));
	}
}

/* The ends of steps have a risk of their own each, as though they were independent; but a run that is early is mostly
 * early in all of them. How much narrower the intervals may be, by the worst step of each run. */
static double find_factor(const struct moments *m, const struct fit fit[SHARES], const size_t *chosen,
			  size_t steps, double each, double risk)
{
	const double n = (double)m->n, single = ft_student_t(1 - 2 * risk, n - 1);
	double mean = 0, rest = 0;

	for (size_t i = 0; i < m->n; i++) {
		m->beyond[i] = -INFINITY;
		for (size_t s = 0; s + 1 < steps; s++) {
			const struct fit *f = &fit[chosen[s]];
			const double expected = f->mean_y + f->slope * (m->x[i] - f->mean_x);

			m->beyond[i] = fmax(m->beyond[i], (expected - m->of[i][chosen[s]]) / f->spread);
		}
		mean += m->beyond[i] / n;
	}
	for (size_t i = 0; i < m->n; i++)
		rest += pow(m->beyond[i] - mean, 2);
	return fmin(1, fmax(single, mean + single * sqrt(rest / (n - 1) * (1 + 1 / n))) /
			       ft_student_t(1 - 2 * each, n - 1));
}

/* The cheapest staircase of at most n steps: until[k] is how long, of the whole, share k suffices. chosen: [n] the
 * shares, ascending; the last one is the whole. Returns how many. */
static size_t choose_steps(const double until[SHARES], size_t n, size_t chosen[FT_STEPS_MOST])
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
	for (size_t s = best + 1, k = SHARES - 1; s-- > 0; k = from[s][k])
		chosen[s] = k;
	return best + 1;
}

/* The best staircase of at most `allowed` steps, `part` of the risk being the peak's; out: if it is better. */
static enum ft_status try_steps(struct ft_answerer *answerer, const struct ft_resource *memory,
				const struct ft_size *size, const struct moments *m,
				const struct fit fit[SHARES], double risk, size_t allowed, double part,
				double *constant, struct ft_memory_steps *out, struct ft_err *err)
{
	const double rest = (1 - part) * risk, each = rest / fmax(1, (double)allowed - 1);
	double until[SHARES], area = 0, from = 0, bytes;
	struct ft_prediction time, at;
	size_t chosen[FT_STEPS_MOST];

	FT_TRY(ft__request_upper(answerer, memory, size, part * risk, &at, &bytes, err));
	if (allowed == 1) {
		*constant = bytes;
		out->n = 1;
		out->step[0] = (struct ft_memory_step){0, bytes};
		return FT_OK;
	}
	FT_TRY(ft_ask_predict(answerer, &ft_wall_s, size, fmin(0.999, 1 - 2 * rest), &time, err));
	const double known =
		isnan(time.known) ? log(time.value / fmax(time.lower, 1e-9 * time.value)) : log1p(time.known);
	find_until(fit, each, 1, known, until);
	const size_t used = choose_steps(until, allowed, chosen);
	if (used > 1)
		find_until(fit, each, find_factor(m, fit, chosen, used, each, rest), known, until);
	for (size_t s = 0; s < used; s++)
		area += (double)(chosen[s] + 1) / SHARES *
			(until[chosen[s]] - (s ? until[chosen[s - 1]] : 0));
	const double saved = 1 - area * bytes / *constant;
	if (!(saved > out->saved + worth * fmax(0, (double)used - (double)out->n)))
		return FT_OK;
	out->n = 0;
	out->saved = saved;
	for (size_t s = 0; s < used; s++) {
		const double share = (double)(chosen[s] + 1) / SHARES;

		/* Narrower intervals may leave a step no time. */
		if (s + 1 < used && !(until[chosen[s]] > from))
			continue;
		out->step[out->n++] = (struct ft_memory_step){from * time.value, share * bytes};
		from = until[chosen[s]];
	}
	return FT_OK;
}

enum ft_status ft_ask_steps(struct ft_answerer *answerer, const struct ft_resource *memory,
			    const struct ft_memory_curve *curve, size_t n, const struct ft_size *size,
			    double risk, size_t steps, struct ft_memory_steps *out, struct ft_err *err)
{
	const size_t axis = answerer->axis[0], parts = sizeof peak_parts / sizeof *peak_parts;
	struct moments m = {.n = n, .at = log(fmax(size->value[axis], 1e-300))};
	struct ft_prediction time;
	struct fit fit[SHARES];
	double constant = 0;

	*out = (struct ft_memory_steps){.runs = n};
	if (steps < 1 || steps > FT_STEPS_MOST || !(risk > 0 && risk < 1))
		return ft_fail(err, FT_EINVAL, "%zu steps at a risk of %g", steps, risk);
	if (n < FT_STEPS_LEAST) {
		(void)ft_fail(err, FT_ENOMODEL, "memory over time is known of %zu run%s, and steps need %d",
			      n, n == 1 ? "" : "s", FT_STEPS_LEAST);
		return ft_remedy(err, "keep it of more runs: foretime run --save %s,keep-trace -- PROGRAM",
				 answerer->program.name);
	}
	m.of = ft_calloc(n, sizeof *m.of);
	m.x = ft_calloc(n, sizeof *m.x);
	m.beyond = ft_calloc(n, sizeof *m.beyond);
	enum ft_status status = m.of && m.x && m.beyond ? FT_OK : ft_nomem(err);
	for (size_t i = 0; i < n && !status; i++) {
		const double end_s = curve[i].t[curve[i].n - 1];

		status = ft_ask_predict(answerer, &ft_wall_s, &curve[i].size, 0.9, &time, err);
		m.x[i] = log(fmax(curve[i].size.value[axis], 1e-300));
		find_moments(&curve[i], m.of[i]);
		for (size_t k = 0; k < SHARES && !status; k++)
			m.of[i][k] = log(m.of[i][k] * (curve[i].wall_s > 0 ? curve[i].wall_s : end_s) /
					 time.value);
	}
	for (size_t k = 0; k + 1 < SHARES && !status; k++)
		fit_share(&m, k, &fit[k]);
	for (size_t allowed = 1; allowed <= steps && !status; allowed++)
		for (size_t p = 0; p < (allowed > 1 ? parts : 1) && !status; p++)
			status = try_steps(answerer, memory, size, &m, fit, risk, allowed,
					   allowed > 1 ? peak_parts[p] : 1, &constant, out, err);
	ft_free(m.of);
	ft_free(m.x);
	ft_free(m.beyond);
	return status;
}
