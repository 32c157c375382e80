/* SPDX-License-Identifier: GPL-3.0-or-later */
/* divide.c - totals divided: times that rise, any times, energy. */
#include "bench.h"

#include "base/alloc.h"
#include "plan/door.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- times that never fall ----------------------------------------------------------------------------- */

enum { KNOTS = 40, MOST = 16384, REPEAT = 3 };

enum kind { SMOOTH, PLATEAUS, CLIFFS, KINDS };
static const char *const kinds[] = {"smooth", "plateaus", "cliffs"};

static int by_units(const void *a, const void *b)
{
	const int64_t *p = a, *q = b;

	return (*p > *q) - (*p < *q);
}

static void draw(struct ft_plan_times *t, int64_t *at, double *time_s, int64_t n, enum kind kind,
		 struct ft_random *r)
{
	double rate = exp(between(r, -2, 2)) * 1e-6;
	size_t count = 1;

	at[0] = 0;
	for (size_t k = 1; k < KNOTS - 1; k++)
		at[k] = 1 + (int64_t)exp(between(r, 0, log((double)n)));
	at[KNOTS - 1] = n;
	qsort(at, KNOTS, sizeof *at, by_units);
	for (size_t k = 1; k < KNOTS; k++)
		if (at[k] > at[count - 1])
			at[count++] = at[k];
	time_s[0] = kind == CLIFFS ? between(r, 0, 1e-3) : 0;
	for (size_t k = 1; k < count; k++) {
		double slope = rate * exp(between(r, 0, 1.5));

		if (kind == PLATEAUS && ft_random_uniform(r) < 0.3)
			slope = 0;
		if (kind == CLIFFS && ft_random_uniform(r) < 0.1)
			slope *= 50;
		time_s[k] = time_s[k - 1] + slope * (double)(at[k] - at[k - 1]);
	}
	*t = (struct ft_plan_times){.n = count, .at = at, .time_s = time_s};
}

/* Real units of a processor by time t. */
static double units_by(const struct ft_plan_times *p, double t)
{
	size_t k = 0;

	while (k + 1 < p->n && p->time_s[k + 1] <= t)
		k++;
	if (p->time_s[k] > t || k + 1 == p->n)
		return p->time_s[k] > t ? 0 : (double)p->at[k];
	return (double)p->at[k] +
	       (t - p->time_s[k]) / (p->time_s[k + 1] - p->time_s[k]) * (double)(p->at[k + 1] - p->at[k]);
}

struct rest {
	double part;
	size_t i;
};

static int by_rest(const void *a, const void *b)
{
	const struct rest *p = a, *q = b;

	return (p->part < q->part) - (p->part > q->part);
}

/* What is usual: real shares for one time by bisection, rounded down, and the largest remainders up. */
static double rounded(const struct ft_plan_times *t, size_t p, int64_t total, int64_t *x)
{
	struct rest *rest = ft_malloc(p * sizeof *rest);
	double a = 0, b = 0, value = 0;
	int64_t sum = 0;

	for (size_t i = 0; i < p; i++)
		b = fmax(b, t[i].time_s[t[i].n - 1]);
	for (size_t round = 0; round < 60; round++) {
		double c = (a + b) / 2, units = 0;

		for (size_t i = 0; i < p; i++)
			units += units_by(&t[i], c);
		if (units < (double)total)
			a = c;
		else
			b = c;
	}
	for (size_t i = 0; i < p; i++) {
		double units = units_by(&t[i], a);

		x[i] = (int64_t)units;
		rest[i] = (struct rest){units - floor(units), i};
		sum += x[i];
	}
	qsort(rest, p, sizeof *rest, by_rest);
	for (size_t i = 0; sum < total; i = (i + 1) % p)
		if (x[rest[i].i] < t[rest[i].i].at[t[rest[i].i].n - 1]) {
			x[rest[i].i]++;
			sum++;
		}
	for (size_t i = 0; i < p; i++)
		value = fmax(value, ft_plan_time(&t[i], x[i]));
	ft_free(rest);
	return value;
}

void bench_partition(void)
{
	static const size_t sizes[] = {256, 4096, MOST};
	static const int64_t totals[] = {1000000, 1000000000};
	int64_t *at = ft_malloc(MOST * KNOTS * sizeof *at), *units = ft_malloc(MOST * sizeof *units);
	double *time_s = ft_malloc(MOST * KNOTS * sizeof *time_s);
	struct ft_plan_times *t = ft_malloc(MOST * sizeof *t);
	struct ft_random r = {7};

	printf("aim: p 16384, n 1e9 in 50 ms; never above rounding\n");
	printf("%6s %11s %9s %8s %12s %14s\n", "p", "n", "kind", "ms", "evals / p", "rounding / ours");
	for (size_t s = 0; s < 3; s++)
		for (size_t n = 0; n < 2; n++)
			for (int kind = 0; kind < KINDS; kind++) {
				struct ft_partition out = {0};
				double best = INFINITY;

				for (size_t i = 0; i < sizes[s]; i++)
					draw(&t[i], at + i * KNOTS, time_s + i * KNOTS, totals[n],
					     (enum kind)kind, &r);
				for (size_t round = 0; round < REPEAT; round++) {
					double start = cpu_s();

					(void)ft_plan_partition(t, sizes[s], totals[n], NULL, units, NULL,
								&out, NULL);
					best = fmin(best, cpu_s() - start);
				}
				printf("%6zu %11lld %9s %8.3f %12.1f %14.4f%s\n", sizes[s],
				       (long long)totals[n], kinds[kind], best * 1e3,
				       (double)out.plan.evaluations / (double)sizes[s],
				       rounded(t, sizes[s], totals[n], units) / out.plan.value,
				       out.plan.exact ? "" : " not proved");
			}
	ft_free(at);
	ft_free(units);
	ft_free(time_s);
	ft_free(t);
}

/* ---- any times ----------------------------------------------------------------------------------------- */

enum shape { NOISE, WAVES, BLOCKS, SHAPES };
static const char *const shapes[] = {"noise", "waves", "blocks"};

static double *draw_table(int64_t n, enum shape shape, double rate, struct ft_random *r)
{
	double *t = ft_malloc((size_t)(n + 1) * sizeof *t), saw = between(r, 16, 216),
	       phase = between(r, 0, 7);
	int64_t x, block = 2 + (int64_t)ft_random_below(r, 60);

	for (x = 0; x <= n && t; x++) {
		t[x] = rate * (double)x;
		if (shape == NOISE)
			t[x] *= 1 + 0.3 * ft_random_uniform(r);
		else if (shape == WAVES)
			t[x] *= 1 + 0.15 * (sin((double)x / saw * 6.28 + phase) + 1);
		else
			t[x] *= x % block == 0 ? 1 : 3;
	}
	return t;
}

static void any_tables(size_t p, int64_t n, int64_t table, enum shape shape)
{
	struct ft_plan_times *t = ft_calloc(p, sizeof *t);
	int64_t *units = ft_malloc(p * sizeof *units);
	struct ft_random r = {11};
	struct ft_partition out;

	for (size_t i = 0; i < p; i++)
		t[i] = (struct ft_plan_times){
			.n = (size_t)table + 1,
			.time_s = draw_table(table, shape, exp(between(&r, 0, 1.5)) * 1e-3, &r)};
	double start = cpu_s();
	(void)ft_plan_partition(t, p, n, NULL, units, NULL, &out, NULL);
	start = cpu_s() - start;
	printf("%6zu %11lld %9s %8.2f %12llu %14s\n", p, (long long)n, shapes[shape], start * 1e3,
	       (unsigned long long)out.plan.evaluations, out.plan.exact ? "proved" : "not proved");
	for (size_t i = 0; i < p; i++)
		ft_free((void *)t[i].time_s);
	ft_free(t);
	ft_free(units);
}

static void any_lines(size_t p)
{
	enum { LINES = 100 };
	struct ft_plan_times *t = ft_calloc(p, sizeof *t);
	int64_t *units = ft_malloc(p * sizeof *units), *at = ft_malloc(p * LINES * sizeof *at),
		n = 1000000000;
	double *time_s = ft_malloc(p * LINES * sizeof *time_s), start;
	struct ft_random r = {13};
	struct ft_partition out;

	for (size_t i = 0; i < p; i++) {
		double rate = exp(between(&r, -1, 1)) * 1e-6;

		for (size_t k = 0; k < LINES; k++) {
			at[i * LINES + k] = k == 0 ? 0 : (int64_t)k * (n / LINES * 3 / (int64_t)p + 1);
			time_s[i * LINES + k] = rate * (double)at[i * LINES + k] * between(&r, 1, 1.4);
		}
		t[i] = (struct ft_plan_times){.n = LINES, .at = at + i * LINES, .time_s = time_s + i * LINES};
	}
	start = cpu_s();
	(void)ft_plan_partition(t, p, n, NULL, units, NULL, &out, NULL);
	start = cpu_s() - start;
	printf("%6zu %11lld %9s %8.2f %12llu %14s\n", p, (long long)n, "lines", start * 1e3,
	       (unsigned long long)out.plan.evaluations, out.plan.exact ? "proved" : "not proved");
	ft_free(t);
	ft_free(units);
	ft_free(at);
	ft_free(time_s);
}

void bench_any(void)
{
	printf("aims: 16 tables of 1e6 in 300 ms; 20 of 2,000 in 2 ms; 1,024 functions of 100 lines in 50 "
	       "ms\n");
	printf("%6s %11s %9s %8s %12s\n", "p", "n", "kind", "ms", "looks");
	for (int shape = 0; shape < SHAPES; shape++) {
		any_tables(20, 8000, 2000, (enum shape)shape);
		any_tables(64, 10000, 10000, (enum shape)shape);
		any_tables(16, 1000000, 1000000, (enum shape)shape);
	}
	any_lines(64);
	any_lines(1024);
}

/* ---- energy -------------------------------------------------------------------------------------------- */

static void energy_one(size_t p, int64_t n, enum shape shape)
{
	struct ft_plan_costs *cost = ft_calloc(p, sizeof *cost);
	int64_t *units = ft_malloc(p * sizeof *units), table = 6 * n / (int64_t)p + 10, x;
	struct ft_random r = {17};
	struct ft_partition_energy least, fast;
	struct ft_plan_front front;

	table = table < n ? table : n;
	for (size_t i = 0; i < p; i++) {
		double watts = exp(between(&r, 0, 2)) * 50;
		double *t = draw_table(table, shape, exp(between(&r, 0, 1.5)) * 1e-3, &r);
		double *e = ft_malloc((size_t)(table + 1) * sizeof *e);

		for (x = 0; x <= table; x++)
			e[x] = watts * t[x];
		cost[i] = (struct ft_plan_costs){(size_t)table + 1, t, e};
	}
	(void)ft_plan_partition_energy(cost, p, n, 0, 0, units, &fast, NULL);
	double deadline = 1.1 * fast.fastest_s;
	double start = cpu_s();
	(void)ft_plan_partition_energy(cost, p, n, deadline, 0, units, &least, NULL);
	double one_ms = (cpu_s() - start) * 1e3;
	(void)ft_plan_partition_energy(cost, p, n, fast.fastest_s, 0, units, &fast, NULL);
	start = cpu_s();
	(void)ft_plan_front(cost, p, n, 300, 0, &front, NULL);
	double front_ms = (cpu_s() - start) * 1e3;
	printf("%6zu %11lld %9s %8.2f %12.1e %8zu %8.0f %11.1f %%\n", p, (long long)n, shapes[shape], one_ms,
	       ft_plan_gap(&(struct ft_plan){least.plan.value, least.plan.bound, false, 0}), front.n,
	       front_ms, 100 * (1 - least.plan.value / fast.plan.value));
	ft_plan_front_clear(&front);
	for (size_t i = 0; i < p; i++) {
		ft_free((void *)cost[i].time_s);
		ft_free((void *)cost[i].energy_j);
	}
	ft_free(cost);
	ft_free(units);
}

void bench_energy(void)
{
	printf("aims: one plan p 64, n 1e4 in 5 ms; 300 points in 1 s\n");
	printf("%6s %11s %9s %8s %12s %8s %8s %13s\n", "p", "n", "kind", "one, ms", "above bound", "points",
	       "ms", "saved at +10 %");
	for (int shape = 0; shape < SHAPES; shape++) {
		energy_one(8, 10000, (enum shape)shape);
		energy_one(64, 10000, (enum shape)shape);
	}
}
