/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-meet.c - several columns with times of their own come to the same times: beside straight lines, slowly.
 */
#include "base/alloc.h"
#include "base/random.h"
#include "foretime/trace.h"
#include "tap.h"
#include "trace/door.h"

#include <math.h>
#include <string.h>

enum { COLUMNS = 3, MOST = 40 };

/* Columns whose times, as those of the first counts, are later by `later`. */
struct columns {
	struct ft_trace trace[COLUMNS];
	double t[COLUMNS][MOST], y[COLUMNS][MOST], later[COLUMNS];
	size_t n[COLUMNS];
};

static void make(struct columns *c, bool dated, struct ft_random *random)
{
	*c = (struct columns){0};
	for (size_t k = 0; k < COLUMNS; k++) {
		struct ft_trace *trace = &c->trace[k];
		double at = floor(5 * ft_random_uniform(random));

		trace->n = c->n[k] = 10 + ft_random_below(random, MOST - 10);
		trace->t = ft_malloc(trace->n * sizeof *trace->t);
		trace->y = ft_malloc(trace->n * sizeof *trace->y);
		trace->part = ft_calloc(2, sizeof *trace->part);
		trace->n_parts = 1;
		trace->part[1] = trace->n;
		trace->dated = dated;
		c->later[k] = dated ? (double)k : 0;
		trace->origin_ns = dated ? 1700000000000000000 + (int64_t)k * 1000000000 : 0;
		for (size_t i = 0; i < trace->n; i++) {
			trace->t[i] = c->t[k][i] = at;
			trace->y[i] = c->y[k][i] = ft_random_normal(random);
			at += (double)(1 + ft_random_below(random, 3));
		}
	}
}

/* The value of column k at a time of the first column's clock; NaN: it has none. */
static double value_at(const struct columns *c, size_t k, double x)
{
	for (size_t i = 0; i + 1 < c->n[k]; i++) {
		double from = c->t[k][i] + c->later[k], to = c->t[k][i + 1] + c->later[k];

		if (x >= from && x <= to)
			return c->y[k][i] + (x - from) / (to - from) * (c->y[k][i + 1] - c->y[k][i]);
	}
	return NAN;
}

/* Whether some column has a time of its own there. */
static bool is_time(const struct columns *c, double x)
{
	for (size_t k = 0; k < COLUMNS; k++)
		for (size_t i = 0; i < c->n[k]; i++)
			if (c->t[k][i] + c->later[k] == x)
				return true;
	return false;
}

/* Times are all those within the time that all have, once each; they are whole numbers here. */
static int compare(const struct columns *c)
{
	const struct ft_trace *first = c->trace;
	size_t n = 0;
	int bad = 0;

	for (double x = 0; x < 3 * MOST; x++) {
		bool all = is_time(c, x);

		for (size_t k = 0; k < COLUMNS; k++)
			all = all && !isnan(value_at(c, k, x));
		if (!all)
			continue;
		for (size_t k = 0; k < COLUMNS && n < first->n; k++)
			bad += c->trace[k].t[n] != x || !(fabs(c->trace[k].y[n] - value_at(c, k, x)) < 1e-12);
		n++;
	}
	for (size_t k = 0; k < COLUMNS; k++)
		bad += c->trace[k].n != n || c->trace[k].part[1] != n ||
		       c->trace[k].origin_ns != first->origin_ns;
	return bad;
}

static void clear(struct columns *c)
{
	for (size_t k = 0; k < COLUMNS; k++)
		ft_trace_clear(&c->trace[k]);
}

static void test_random(void)
{
	struct ft_random random = {test_seed()};
	int i, bad = 0, cases = test_cases(100);
	static struct columns c;

	for (i = 0; i < cases; i++) {
		make(&c, i % 2, &random);
		bad += ft_traces_meet(c.trace, COLUMNS, NULL) || compare(&c);
		clear(&c);
	}
	ok(!bad, "all times that all have, and straight lines between: %d of %d are wrong", bad, cases);
}

/* Columns of the same times are left as they are; those that touch in a moment have no time in common. */
static void test_edges(void)
{
	struct ft_random random = {test_seed()};
	static struct columns c;
	struct ft_err err = {0};
	size_t i;

	make(&c, false, &random);
	for (size_t k = 0; k < COLUMNS; k++)
		for (c.trace[k].n = 10, i = 0; i < 10; i++)
			c.trace[k].t[i] = (double)i;
	const double *was = c.trace[1].t;
	ok(!ft_traces_meet(c.trace, COLUMNS, NULL) && c.trace[1].t == was && c.trace[1].n == 10,
	   "the same times stay");
	c.trace[2].t[9] = 9.5;
	ok(!ft_traces_meet(c.trace, COLUMNS, NULL) && c.trace[1].n == 10 && c.trace[1].t[9] == 9,
	   "one that ends later is cut");
	for (i = 0; i < 10; i++)
		c.trace[1].t[i] = 9 + (double)i;
	ok(ft_traces_meet(c.trace, COLUMNS, &err) == FT_EINVAL && *err.remedy, "%s", err.text);
	clear(&c);
}

int main(void)
{
	test_random();
	test_edges();
	return done();
}
