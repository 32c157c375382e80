/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-scores.c - how near models of traces come to their curves, and what the search for them costs, over kinds
 * of curves. */
#include "made.h"
#include "scores.h"

enum { CURVES = 4, WHAT = 4, ALL = 5 };

/* A kind of question about made curves of so many points. */
static const struct kind {
	const char *name;
	size_t points;
	struct ft_pwl_options options;
	size_t nodes;    /* that a user gives, at equal distances; 0: none */
	bool seldom;     /* takes its time: not for one who edits */
	double rms;      /* asked for, as a share of the range */
	double was[ALL]; /* the scores: error as a share of the range, of the mean and of the worst;
			    evaluations; pieces; all nodes told */
} kinds[] = {
	{.name = "best, five pieces",
	 .points = 120,
	 .options = {.pieces = 5},
	 .was = {0.10625, 0.54923, 348.25, 5, -74.075926}},
	{.name = "best, two pieces, free ends",
	 .points = 90,
	 .options = {.pieces = 2, .ends = FT_PWL_FREE},
	 .was = {0.15324, 0.56417, 254.75, 2, 52.034524}},
	{.name = "path, nine pieces",
	 .points = 500,
	 .options = {.pieces = 9, .start = FT_PWL_START_PATH, .ends = FT_PWL_FREE},
	 .was = {0.070592, 0.41127, 355, 9, 192.119654}},
	{.name = "merging, seventy pieces",
	 .points = 900,
	 .options = {.pieces = 70, .start = FT_PWL_START_MERGE},
	 .was = {0.042454, 0.31017, 70, 70, 1877.845982}},
	{.name = "equal distances",
	 .points = 300,
	 .options = {.pieces = 8, .start = FT_PWL_START_EQUAL},
	 .was = {0.098061, 0.46312, 65, 8, 131.274062}},
	{.name = "equal distances, no search",
	 .points = 300,
	 .options = {.pieces = 8, .start = FT_PWL_START_EQUAL, .start_only = true},
	 .was = {0.12316, 0.6066, 3, 8, 207.426412}},
	{.name = "dynamic programming",
	 .points = 300,
	 .options = {.pieces = 6, .start = FT_PWL_START_DP, .start_only = true},
	 .was = {0.093164, 0.48732, 3, 6, 89.776648}},
	{.name = "dynamic programming, free ends, few points",
	 .points = 24,
	 .options = {.pieces = 4, .start = FT_PWL_START_DP, .start_only = true, .ends = FT_PWL_FREE},
	 .was = {0.11445, 0.40386, 3, 4, 8.595296}},
	{.name = "merging",
	 .points = 800,
	 .options = {.pieces = 12, .start = FT_PWL_START_MERGE, .start_only = true},
	 .was = {0.075065, 0.41582, 3, 12, 320.209547}},
	{.name = "merging, searched",
	 .points = 800,
	 .options = {.pieces = 7, .start = FT_PWL_START_MERGE, .ends = FT_PWL_FREE},
	 .was = {0.080458, 0.40749, 52.5, 7, 213.336366}},
	{.name = "the caller's nodes",
	 .points = 300,
	 .nodes = 6,
	 .options = {.pieces = 7, .start = FT_PWL_START_NODES},
	 .was = {0.10575, 0.58158, 89, 7, -9.531728}},
	{.name = "the caller's nodes, as they are",
	 .points = 300,
	 .nodes = 11,
	 .options = {.pieces = 12, .start = FT_PWL_START_NODES, .start_only = true},
	 .was = {0.12246, 0.59834, 3, 12, 215.795316}},
	{.name = "as many as tell apart from noise",
	 .points = 400,
	 .was = {0.090137, 0.4734, 1664.2, 9, 232.605795}},
	{.name = "as many, of few points",
	 .points = 40,
	 .options = {.ends = FT_PWL_FREE},
	 .was = {0.11229, 0.48969, 423.75, 2.25, -64.700912}},
	{.name = "as many, ten at most",
	 .points = 400,
	 .options = {.most = 10},
	 .was = {0.09739, 0.55379, 601.25, 4, 155.682869}},
	{.name = "as many as an error needs",
	 .points = 200,
	 .rms = 0.05,
	 .was = {0.049392, 0.3185, 2807.5, 24.75, -133.715689}},
	{.name = "as an error needs, eight at most",
	 .points = 200,
	 .rms = 0.01,
	 .options = {.most = 8},
	 .was = {0.099803, 0.5142, 628.75, 8, 99.498442}},
	{.name = "as an error needs, from equal distances",
	 .points = 200,
	 .rms = 0.05,
	 .options = {.start = FT_PWL_START_EQUAL},
	 .was = {0.046342, 0.34995, 2484.5, 27.5, 310.694447}},
	{.name = "as an error needs, many",
	 .seldom = true,
	 .points = 500,
	 .rms = 0.02,
	 .was = {0.019934, 0.14106, 4946, 101.75, 3188.487867}},
	{.name = "as an error needs, many, merging",
	 .seldom = true,
	 .points = 700,
	 .rms = 0.015,
	 .options = {.start = FT_PWL_START_MERGE, .ends = FT_PWL_FREE},
	 .was = {0.014932, 0.14602, 1724.5, 185, 4850.596630}},
	{.name = "as an error needs, hundreds at most",
	 .seldom = true,
	 .points = 900,
	 .rms = 0.002,
	 .options = {.start = FT_PWL_START_MERGE, .most = 300},
	 .was = {0.0095593, 0.067358, 1713.5, 291.75, 9803.668541}},
	{.name = "as many, of many points",
	 .seldom = true,
	 .points = 4000,
	 .options = {.ends = FT_PWL_FREE},
	 .was = {0.09023, 0.54638, 546.25, 1, 27.693105}},
	{.name = "merging, many points, many pieces",
	 .seldom = true,
	 .points = 4096,
	 .options = {.pieces = 700, .start = FT_PWL_START_MERGE, .start_only = true},
	 .was = {0.014567, 0.10811, 3, 700, 29832.814538}},
};

static void test_kind(const struct kind *kind, uint64_t seed)
{
	static const char *const what[WHAT] = {"error", "worst error", "evaluations", "pieces"};
	static struct made m;
	struct ft_random random = {seed};
	struct test_told nodes_told = {0, 0};
	double sum[WHAT] = {0};

	for (int i = 0; i < CURVES; i++) {
		struct ft_pwl_options o = kind->options;
		struct ft_pwl_fit fit = {0};
		double at[16];
		struct ft_nodes nodes = {.t = at, .n = kind->nodes};

		made_random(&m, &random, kind->points);
		for (size_t k = 0; k < kind->nodes; k++)
			at[k] = m.t[0] +
				(m.t[m.n - 1] - m.t[0]) * (double)(k + 1) / (double)(kind->nodes + 1);
		o.nodes = kind->nodes ? &nodes : NULL;
		o.rms = kind->rms * made_range(&m);
		if (ft_pwl_fit(&fit, m.f, &o, NULL))
			sum[0] = INFINITY;
		sum[0] += fit.error.rms / made_range(&m);
		sum[1] += fit.error.max / made_range(&m);
		sum[2] += (double)fit.evaluations;
		sum[3] += (double)fit.nodes.n - 1;
		test_tell_all(&nodes_told, fit.nodes.t, fit.nodes.n, 1);
		test_tell_all(&nodes_told, fit.nodes.y, fit.nodes.n, 1);
		ft_pwl_fit_clear(&fit);
		ft_pwl_free(m.f);
	}
	for (int i = 0; i < WHAT; i++)
		test_score(kind->name, what[i], sum[i] / CURVES, kind->was[i]);
	test_told(kind->name, &nodes_told, kind->was[WHAT]);
}

static void tell_phases(struct test_told *told, const struct ft_phases *phases)
{
	test_tell(told, phases->rms, 1);
	test_tell(told, phases->work, 1);
	for (size_t k = 0; k < phases->n; k++) {
		const struct ft_phase *p = &phases->phase[k];

		test_tell_all(told,
			      (const double[]){p->begin, p->end, p->level, p->slope, p->from, p->to, p->rms,
					       p->work, p->share},
			      9, 1);
		test_tell_text(told, p->name);
		test_tell_text(told, p->text);
	}
}

/* Random curves, alone and two at once: levels, ramps, jumps and noise in few rows and many. */
/* Curves of noise; from time to time one of them jumps, by so many deviations. */
static void test_jumps(void)
{
	static struct made m[3];
	struct ft_random random = {5150};
	struct test_told told = {0, 0};

	for (size_t i = 0; i < 15; i++) {
		size_t n = 50 + 9 * i, curves = 1 + i % 3;
		struct ft_phases phases[3] = {{0}};
		double jump = 2 + 0.5 * (double)i;

		for (size_t c = 0; c < curves; c++) {
			double level = 0;

			for (size_t k = 0; k < n; k++) {
				level += k % (11 + 6 * c) == 5 * c + 3 && ft_random_below(&random, 3) == 0
						 ? jump
						 : 0;
				level = k % 37 == 36 ? 0 : level;
				m[c].t[k] = (double)k;
				m[c].y[k] = level + ft_random_normal(&random);
			}
			made_points(&m[c], m[c].t, m[c].y, n);
		}
		test_tell(&told,
			  ft_pwl_phases_together(phases,
						 (const struct ft_pwl *const[]){m[0].f, m[1].f, m[2].f},
						 curves, i % 4 == 3 ? 4 : 0, NULL),
			  1);
		for (size_t c = 0; c < curves; c++) {
			tell_phases(&told, &phases[c]);
			ft_phases_clear(&phases[c]);
			ft_pwl_free(m[c].f);
			m[c].f = NULL;
		}
	}
	test_told("jumps", &told, 9895.357920);
}

static void test_any_phases(void)
{
	static const double was[3] = {1322.589627, 3603.221304, 4401.335327};
	static const char *const what[3] = {"few rows", "many rows", "two curves"};
	static struct made m, other;

	for (int kind = 0; kind < 3; kind++) {
		struct ft_random random = {77 + (uint64_t)kind};
		struct test_told told = {0, 0};

		for (int i = 0; i < 6; i++) {
			size_t n = kind ? 300 + 100 * (size_t)i : 20 + 12 * (size_t)i, k;
			struct ft_phases phases[2] = {{0}};
			struct ft_spikes spikes = {0};
			double step = 10;

			made_random(&m, &random, n);
			for (k = 0; k < n; k++) {
				step += ft_random_below(&random, 60) ? 0 : 8 * ft_random_normal(&random);
				m.y[k] += (i % 2 ? step : 10) +
					  (k > n / 2 && i % 3 == 0 ? 0.02 * (double)(k - n / 2) : 0);
				m.y[k] += i % 3 == 1 && k % 17 == 3 ? 15 : 0;
			}
			for (k = 0; k < n; k++)
				other.y[k] = 3 + ft_random_normal(&random) - (k > n / 3 ? 5 : 0);
			ft_pwl_free(m.f); /* it knows the values as they were */
			made_points(&m, m.t, m.y, n);
			made_points(&other, m.t, other.y, n);
			if (kind < 2)
				test_tell(&told, ft_pwl_phases(&phases[0], m.f, i == 5 ? 3 : 0, NULL), 1);
			else
				test_tell(&told,
					  ft_pwl_phases_together(phases,
								 (const struct ft_pwl *const[]){m.f, other.f},
								 2, 0, NULL),
					  1);
			tell_phases(&told, &phases[0]);
			tell_phases(&told, &phases[1]);
			test_tell(&told, ft_pwl_spikes(&spikes, m.f, &phases[0], i % 2, NULL), 1);
			test_tell_all(&told, spikes.t, spikes.n, 1);
			test_tell(&told, spikes.height, 1);
			test_tell(&told, spikes.period, 1);
			ft_spikes_clear(&spikes);
			ft_phases_clear(&phases[0]);
			ft_phases_clear(&phases[1]);
			ft_pwl_free(m.f);
			ft_pwl_free(other.f);
		}
		test_told(what[kind], &told, was[kind]);
	}
}

/* Models that have the curve's values at their nodes, before and after spikes were made one node. */
static void test_constrained(void)
{
	static const char *const what[] = {
		"nodes", "error", "nodes, spikes smoothed", "error, spikes smoothed", "spikes", "ways"};
	struct test_told told = {0, 0};
	static const double was[6] = {28.75, 0.096615, 47.5, 0.07197, 2, 2.25};
	static struct made m;
	struct ft_random random = {4711};
	double sum[6] = {0};

	for (int i = 0; i < 2 * CURVES; i++) {
		struct ft_nodes nodes = {0};
		struct ft_pwl_error error;
		const struct ft_pwl_stretch found = {NAN, NAN};
		struct ft_curves_fit fit;

		made_random(&m, &random, 200);
		double keep = m.t[m.n / 3];
		if (ft_pwl_constrain(&nodes, m.f, &keep, 1, i % 2 ? 1 : 4, NULL))
			sum[0] = INFINITY;
		sum[0] += (double)nodes.n;
		ft_pwl_compare(m.f, nodes.t, nodes.y, nodes.n, &error);
		sum[1] += error.rms / made_range(&m);
		test_tell_all(&told, nodes.t, nodes.n, 1);
		test_tell_all(&told, nodes.y, nodes.n, 1);
		if (ft_curves_constrain(&fit, &(struct ft_curves){.part = &m.f, .n = 1},
					&(struct ft_curves_wish){&keep, 1, i % 2 ? 1 : 4, &found, 1}, NULL))
			sum[0] = INFINITY;
		sum[2] += (double)fit.nodes.n;
		sum[3] += fit.error.rms / made_range(&m);
		test_tell_all(&told, fit.nodes.t, fit.nodes.n, 1);
		test_tell_all(&told, fit.nodes.y, fit.nodes.n, 1);
		sum[4] += (double)fit.n_spikes;
		for (size_t k = 0; k < fit.n_spikes; k++)
			sum[5] += (double)fit.spike[k].ways;
		ft_curves_fit_clear(&fit);
		ft_nodes_clear(&nodes);
		ft_pwl_free(m.f);
	}
	for (int i = 0; i < 6; i++)
		test_score("constrained", what[i], sum[i] / (2 * CURVES), was[i]);
	test_told("constrained", &told, -412.644972);
}

/* A program in three phases with spikes in the second one; longer and higher by a factor. */
static void make_phases(struct made *m, struct ft_random *random, double factor)
{
	size_t i, n = (size_t)(300 * factor);
	static double t[MADE_MOST], y[MADE_MOST];

	for (i = 0; i < n; i++) {
		double x = (double)i / (double)n, level = x < 0.3 ? 0.2 : x < 0.7 ? 1.1 - 0.5 * x : 0.5;

		t[i] = (double)i * 0.5;
		y[i] = factor * (level + 0.02 * ft_random_normal(random));
		if (x > 0.32 && x < 0.68 && i % 13 == 0)
			y[i] += 0.6 * factor;
	}
	made_points(m, t, y, n);
}

static void test_phases(void)
{
	static const char *const what[] = {"phases", "error",        "work",         "slopes",
					   "spikes", "their height", "their period", "alike"};
	struct test_told told = {0, 0};
	static const double was[8] = {3, 0.11563, 188.12, 0.22794, 12, 0.80722, 6.5, 6};
	static struct made m;
	struct ft_random random = {815};
	struct ft_phases phases[CURVES] = {{0}};
	struct ft_phase_rows rows = {0};
	double sum[8] = {0};

	for (size_t i = 0; i < CURVES; i++) {
		struct ft_spikes spikes = {0};

		make_phases(&m, &random, 1 + 0.3 * (double)i);
		if (ft_pwl_phases(&phases[i], m.f, 0, NULL) ||
		    ft_pwl_spikes(&spikes, m.f, &phases[i], false, NULL))
			sum[0] = INFINITY;
		sum[0] += (double)phases[i].n;
		sum[1] += phases[i].rms;
		sum[2] += phases[i].work;
		for (size_t k = 0; k < phases[i].n; k++)
			sum[3] += fabs(phases[i].phase[k].slope) + phases[i].phase[k].rms;
		tell_phases(&told, &phases[i]);
		test_tell_all(&told, spikes.t, spikes.n, 1);
		sum[4] += (double)spikes.n;
		sum[5] += spikes.height;
		sum[6] += spikes.period;
		ft_spikes_clear(&spikes);
		ft_pwl_free(m.f);
	}
	if (ft_phases_align(&rows, phases, CURVES, NULL))
		sum[7] = INFINITY;
	for (size_t i = 0; i < rows.n * rows.traces; i++)
		sum[7] += rows.at[i] != SIZE_MAX ? (double)rows.at[i] + 1 : 0;
	for (size_t i = 0; i < 8; i++)
		test_score("a program in phases", what[i], sum[i] / CURVES, was[i]);
	test_told("a program in phases", &told, 1046.903507);
	ft_phase_rows_clear(&rows);
	for (size_t i = 0; i < CURVES; i++)
		ft_phases_clear(&phases[i]);
}

int main(void)
{
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i += test_sanitized() ? 3 : 1)
		if (!test_quick() || !kinds[i].seldom)
			test_kind(&kinds[i], 1000 * (i + 1));
	test_constrained();
	test_phases();
	test_any_phases();
	if (!test_quick())
		test_jumps();
	return done();
}
