/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-curves.c - all parts of a trace: by hand, and beside what is said of each part. */
#include "base/alloc.h"
#include "foretime/trace.h"
#include "made.h"
#include "tap.h"

#include <string.h>

enum { PARTS = 2, EACH = 200 };

/* 0..2 a tent of height 1; 10..14 flat at 3, but for a ramp to 5 in the last second. */
static double t[] = {0, 1, 2, 10, 13, 14}, y[] = {0, 1, 0, 3, 3, 5};
static size_t part[] = {0, 3, 6};
static const struct ft_trace hand = {.t = t, .y = y, .n = 6, .part = part, .n_parts = 2};

static void test_hand(void)
{
	double times[] = {0, 2, 10, 14}, values[] = {0, 0, 3, 4};
	const struct ft_nodes nodes = {times, values, 4};
	const size_t first[] = {0, 2, 4};
	struct ft_curves curves = {0};
	struct ft_pwl_error e;

	(void)ft_curves_new(&curves, &hand, NULL);
	ok(curves.n == 2 && ft_curves_part(&curves, 2) == 0 && ft_curves_part(&curves, 5) == -1 &&
		   ft_curves_part(&curves, 10) == 1 && ft_curves_part(&curves, 15) == -1,
	   "which part a time lies in");
	struct ft_curves_summary s = ft_curves_summarise(&curves);
	/* Squares: of the tent 2/3; of the rest 27 + (3^3 .. 5^3) / 6. */
	ok(s.length == 6 && near(s.area, 1 + 9 + 4, 1e-12) && near(s.mean, 14. / 6, 1e-12) &&
		   near(s.deviation, sqrt((2. / 3 + 27 + 98. / 6) / 6 - 14. / 6 * 14 / 6), 1e-9),
	   "length, area, mean and deviation %g without what lies between", s.deviation);
	ok(s.range[0] == 0 && s.at[0] == 0 && s.range[1] == 5 && s.at[1] == 14 && s.shortest == 1 &&
		   s.longest == 3,
	   "range, and how far points are apart");
	ft_curves_compare(&curves, &nodes, first, &e);
	/* The tent beside 0: 2/3. From 10 the model rises by 1/4: to 3.75 at 13, and is 1 off at the end. */
	ok(near(e.area, 14, 1e-12) && near(e.area_data, 14, 1e-12) && e.least == 0 && e.most == 4 &&
		   near(e.max, 1, 1e-12) && e.max_at == 1 &&
		   near(e.rms, sqrt((2. / 3 + 0.75 * 0.75 + (0.75 * 0.75 - 0.75 + 1) / 3) / 6), 1e-9),
	   "a model's errors over both: rms %g", e.rms);
	ft_curves_clear(&curves);
	ft_curves_clear(&curves);
}

static void test_interval(void)
{
	const struct ft_trace dated = {.dated = true, .origin_ns = INT64_C(1767225600000000000)};
	struct ft_err err = {0};
	double a = 0, b = 0;

	ok(!ft_trace_interval_parse(&hand, "1:2.5", &a, &b, NULL) && a == 1 && b == 2.5, "two numbers");
	ok(!ft_trace_interval_parse(&dated, "2026-01-01T00:01:00Z:2026-01-01T00:02:00Z", &a, &b, NULL) &&
		   a == 60 && b == 120,
	   "two dates");
	ok(!ft_trace_interval_parse(&dated, "60:2026-01-01T00:02:00Z", &a, &b, NULL) && a == 60 && b == 120,
	   "a number and a date");
	ok(ft_trace_interval_parse(&hand, "1", &a, &b, &err) == FT_EPARSE && *err.remedy &&
		   ft_trace_interval_parse(&hand, "1:x", &a, &b, NULL) == FT_EPARSE &&
		   ft_trace_interval_parse(&hand, ":2", &a, &b, NULL) == FT_EPARSE,
	   "%s", err.text);
}

/* Two random parts. */
struct parts {
	struct made one[PARTS];
	double t[PARTS * EACH], y[PARTS * EACH];
	size_t part[PARTS + 1];
	struct ft_trace trace;
	struct ft_curves curves;
};

static void make_parts(struct parts *p, struct ft_random *random)
{
	for (size_t i = 0; i < PARTS; i++) {
		made_random(&p->one[i], random, EACH);
		for (size_t k = 0; k < EACH; k++) {
			p->t[i * EACH + k] = p->one[i].t[k] - p->one[i].t[0] + 1000 * (double)i;
			p->y[i * EACH + k] = p->one[i].y[k];
		}
		ft_pwl_free(p->one[i].f);
		made_points(&p->one[i], p->t + i * EACH, p->y + i * EACH, EACH);
		p->part[i + 1] = (i + 1) * EACH;
	}
	p->trace =
		(struct ft_trace){.t = p->t, .y = p->y, .n = PARTS * EACH, .part = p->part, .n_parts = PARTS};
	(void)ft_curves_new(&p->curves, &p->trace, NULL);
}

static void clear_parts(struct parts *p)
{
	for (size_t i = 0; i < PARTS; i++)
		ft_pwl_free(p->one[i].f);
	ft_curves_clear(&p->curves);
}

/* Each part by itself: its times of P, the spikes that are found, and its stretch. */
static bool is_constrained(const struct parts *p, const struct ft_curves_wish *wish,
			   const struct ft_curves_fit *fit)
{
	size_t spikes = 0;
	bool good = fit->first[0] == 0 && fit->first[PARTS] == fit->nodes.n;

	for (size_t i = 0; i < PARTS && good; i++) {
		struct ft_nodes nodes;
		struct ft_pwl_stretch *found = NULL;
		struct ft_pwl_spike one;
		size_t n = 0, n_found = 0, from = fit->first[i], k;
		double keep[2 * MADE_MOST], range[2], at, value;

		(void)ft_pwl_spikes_around(&found, &n_found, p->one[i].f, wish->keep, wish->n_keep, NULL);
		keep[0] = wish->keep[i];
		for (k = 0; k < n_found; k++) {
			keep[2 * k + 1] = found[k].begin;
			keep[2 * k + 2] = found[k].end;
		}
		(void)ft_pwl_constrain(&nodes, p->one[i].f, keep, 2 * n_found + 1, wish->lambda, NULL);
		ft_pwl_range(p->one[i].f, range, NULL);
		for (k = 0; k < n_found; k++)
			if (ft_pwl_smooth(p->one[i].f, found[k].begin, ft_pwl_at(p->one[i].f, found[k].begin),
					  found[k].end, ft_pwl_at(p->one[i].f, found[k].end), &at, &value) &&
			    value >= range[0] && value <= range[1] &&
			    !ft_nodes_smooth(&nodes, p->one[i].f, found[k].begin, found[k].end, &one, NULL))
				n++;
		if (i == 1 && !ft_nodes_smooth(&nodes, p->one[i].f, wish->smooth[1].begin,
					       wish->smooth[1].end, &one, NULL))
			n++;
		good = fit->first[i + 1] - from == nodes.n &&
		       !memcmp(fit->nodes.t + from, nodes.t, nodes.n * sizeof *nodes.t) &&
		       !memcmp(fit->nodes.y + from, nodes.y, nodes.n * sizeof *nodes.y);
		spikes += n;
		free(found);
		ft_nodes_clear(&nodes);
	}
	return good && spikes == fit->n_spikes;
}

static void test_constrain(struct ft_random *random)
{
	static struct parts p; /* large */
	int cases = test_long_cases(20), i, bad = 0, smoothed = 0, refused = 0;

	for (i = 0; i < cases; i++) {
		const double keep[] = {5.5, 1020.25};
		const struct ft_pwl_stretch smooth[] = {{NAN, NAN}, {1040, 1043}};
		const struct ft_curves_wish wish = {keep, 2, 2, smooth, 2};
		struct ft_curves_fit fit;

		make_parts(&p, random);
		if (ft_curves_constrain(&fit, &p.curves, &wish, NULL)) {
			refused++; /* no node keeps both areas */
		} else {
			bad += !is_constrained(&p, &wish, &fit);
			smoothed += fit.n_spikes > 0;
		}
		ft_curves_fit_clear(&fit);
		clear_parts(&p);
	}
	ok(!bad && refused < cases / 2 && smoothed > cases / 4,
	   "as each part by itself: but for %d; %d smoothed, %d refused", bad, smoothed, refused);
}

static void test_phases(struct ft_random *random)
{
	static struct parts p; /* large */
	struct ft_phases all, one[PARTS];
	struct ft_spikes up, of[PARTS];
	double work, square = 0, length = 0;
	size_t at = 0;
	bool good = true;

	make_parts(&p, random);
	(void)ft_curves_phases(&all, &p.curves, 0, NULL);
	(void)ft_curves_spikes(&up, &p.curves, &all, false, NULL);
	for (size_t i = 0; i < PARTS; i++) {
		double h = ft_pwl_end(p.one[i].f) - ft_pwl_begin(p.one[i].f);

		(void)ft_pwl_phases(&one[i], p.one[i].f, 0, NULL);
		(void)ft_pwl_spikes(&of[i], p.one[i].f, &one[i], false, NULL);
		square += one[i].rms * one[i].rms * h;
		length += h;
	}
	work = one[0].work + one[1].work;
	for (size_t i = 0; i < PARTS; i++)
		for (size_t k = 0; k < one[i].n; k++, at++)
			good = good && at < all.n && all.phase[at].begin == one[i].phase[k].begin &&
			       near(all.phase[at].share, one[i].phase[k].work / work, 1e-12);
	ok(good && at == all.n && near(all.work, work, 1e-12) && near(all.rms, sqrt(square / length), 1e-12),
	   "%zu phases, with shares of the work of all", all.n);
	size_t most = of[1].n > of[0].n;
	ok(up.n == of[0].n + of[1].n && up.n > 0 && up.period == of[most].period &&
		   up.height == of[most].height && !memcmp(up.t + of[0].n, of[1].t, of[1].n * sizeof *up.t),
	   "%zu spikes, those of one part behind those of the other", up.n);
	for (size_t i = 0; i < PARTS; i++) {
		ft_phases_clear(&one[i]);
		ft_spikes_clear(&of[i]);
	}
	ft_phases_clear(&all);
	ft_spikes_clear(&up);
	clear_parts(&p);
}

static void test_no_memory(void)
{
	const struct ft_pwl_stretch smooth[] = {{0, 2}};
	const double keep[] = {11};
	const struct ft_curves_wish wish = {keep, 1, 1, smooth, 1};
	struct ft_curves curves = {0};
	struct ft_curves_fit fit = {0};
	struct ft_phases phases = {0};
	struct ft_spikes up = {0};
	unsigned long k;
	bool passed = false;
	int left = 0;

	for (k = 1; k < 10000 && !passed; k++) {
		(void)ft_alloc_fail_at(k);
		passed = !ft_curves_new(&curves, &hand, NULL) &&
			 !ft_curves_constrain(&fit, &curves, &wish, NULL) &&
			 !ft_curves_phases(&phases, &curves, 1, NULL) &&
			 !ft_curves_spikes(&up, &curves, &phases, false, NULL);
		(void)ft_alloc_fail_at(0);
		left += !curves.n && curves.part;
		ft_curves_clear(&curves);
		ft_curves_fit_clear(&fit);
		ft_phases_clear(&phases);
		ft_spikes_clear(&up);
	}
	ok(passed && k > 20 && !left, "each of %lu allocations may fail", k - 2);
}

int main(void)
{
	struct ft_random random = {test_seed()};

	test_hand();
	test_interval();
	test_constrain(&random);
	test_phases(&random);
	test_no_memory();
	return done();
}
