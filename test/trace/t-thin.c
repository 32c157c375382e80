/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-thin.c - few points of many: nothing that a picture shows is lost. */
#include "base/alloc.h"
#include "base/random.h"
#include "foretime/trace.h"
#include "tap.h"
#include "trace/door.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 5000 };

/* A trace of its own arrays. */
struct world {
	double t[MOST], y[MOST];
	size_t part[4];
	struct ft_trace trace;
};

static struct world w;

static void make(struct ft_random *random, size_t n, size_t parts)
{
	double at = 100 * ft_random_normal(random);

	for (size_t i = 0; i < n; i++) {
		w.t[i] = at;
		at += 1e-3 + ft_random_uniform(random) * (ft_random_below(random, 50) ? 1 : 40);
		w.y[i] = ft_random_normal(random) + (ft_random_below(random, 100) ? 0 : 50);
	}
	for (size_t i = 0; i <= parts; i++)
		w.part[i] = i * n / parts;
	w.trace = (struct ft_trace){.t = w.t, .y = w.y, .n = n, .part = w.part, .n_parts = parts};
}

/* The least and largest y of the points within a..b. */
static bool range(const double *t, const double *y, size_t n, double a, double b, double out[2])
{
	out[0] = INFINITY;
	out[1] = -INFINITY;
	for (size_t i = 0; i < n; i++)
		if (t[i] >= a && t[i] < b && !isnan(y[i])) {
			out[0] = fmin(out[0], y[i]);
			out[1] = fmax(out[1], y[i]);
		}
	return out[0] <= out[1];
}

/* In each pixel column stands what all points would draw there. */
static bool same_columns(const struct ft_nodes *few, double begin, double end, size_t columns)
{
	double width = (end - begin) / (double)columns, all[2], some[2];

	for (size_t i = 0; i < columns; i++) {
		/* away from the borders, where rounding decides */
		double a = begin + ((double)i + 1e-9) * width, b = begin + ((double)i + 1 - 1e-9) * width;
		bool has = range(w.t, w.y, w.trace.n, a, b, all);

		if (has != range(few->t, few->y, few->n, a, b, some) ||
		    (has && (all[0] != some[0] || all[1] != some[1])))
			return false;
	}
	return true;
}

static bool ascending(const struct ft_nodes *few)
{
	for (size_t i = 1; i < few->n; i++)
		if (!(few->t[i] > few->t[i - 1]))
			return false;
	return true;
}

static size_t breaks(const struct ft_nodes *few)
{
	size_t n = 0;

	for (size_t i = 0; i < few->n; i++)
		n += isnan(few->y[i]) ? 1 : 0;
	return n;
}

static void random_traces(void)
{
	struct ft_random random = {test_seed()};
	int cases = test_cases(200), bad = 0, i;

	for (i = 0; i < cases; i++) {
		size_t parts = 1 + ft_random_below(&random, 3), n = 30 + ft_random_below(&random, MOST - 30);
		size_t columns = 1 + ft_random_below(&random, 300);
		struct ft_nodes few;

		make(&random, n, parts);
		double begin = w.t[0] + 0.6 * ft_random_uniform(&random) * (w.t[n - 1] - w.t[0]);
		double end = begin + 0.5 * (0.01 + ft_random_uniform(&random)) * (w.t[n - 1] - begin);
		if (ft_trace_thin(&few, &w.trace, begin, end, columns, NULL) || !ascending(&few) ||
		    !same_columns(&few, begin, end, columns) || few.n > 4 * (columns + 2 + parts) + parts ||
		    few.t[0] > begin || few.t[few.n - 1] < end) {
			bad++;
			diag("case %d: %zu points, %zu columns from %.15g to %.15g", i, n, columns, begin,
			     end);
		}
		ft_nodes_clear(&few);
		bad += ft_trace_thin(&few, &w.trace, w.t[0], w.t[n - 1], columns, NULL) != FT_OK ||
		       breaks(&few) != parts - 1;
		ft_nodes_clear(&few);
	}
	ok(!bad, "%d random traces: least and most of each column, few points, and the next ones outside",
	   cases);
}

static void by_hand(void)
{
	struct ft_random random = {1};
	struct ft_nodes few;
	struct ft_err err = {0};

	make(&random, 400, 1);
	ok(!ft_trace_thin(&few, &w.trace, w.t[0], w.t[399], 100, NULL) && few.n == 400 &&
		   !memcmp(few.t, w.t, 400 * sizeof *w.t) && !memcmp(few.y, w.y, 400 * sizeof *w.y),
	   "few points stay as they are");
	ft_nodes_clear(&few);
	ok(!ft_trace_thin(&few, &w.trace, w.t[399] + 1, w.t[399] + 2, 100, NULL) && few.n == 1,
	   "beyond the end there is the last point");
	ft_nodes_clear(&few);
	ok(ft_trace_thin(&few, &w.trace, 2, 1, 100, &err) == FT_EINVAL && strstr(err.text, "from 2 to 1") &&
		   !few.t,
	   "an interval that goes back");
	ok(ft_trace_thin(&few, &w.trace, 1, 2, 0, &err) == FT_EINVAL && !few.t, "no columns");
	ok(ft_trace_thin(&few, &w.trace, 1, NAN, 9, &err) == FT_EINVAL && !few.t, "a time that is no number");
}

static void faults(void)
{
	struct ft_random random = {2};
	struct ft_nodes few;

	make(&random, 1000, 2);
	for (unsigned long k = 1; k <= 2; k++) {
		(void)ft_alloc_fail_at(k);
		ok(ft_trace_thin(&few, &w.trace, w.t[0], w.t[999], 20, NULL) == FT_ENOMEM && !few.t && !few.n,
		   "allocation %lu fails", k);
	}
	(void)ft_alloc_fail_at(0);
}

int main(void)
{
	by_hand();
	random_traces();
	faults();
	return done();
}
