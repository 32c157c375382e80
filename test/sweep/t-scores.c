/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-scores.c - what sweeps spend, how well they foretell their runs, and what they know in the end, over
 * kinds of programs and of mishaps. */
#include "scores.h"
#include "steps.h"

#include <math.h>

enum { RUNS_MOST = 2000, AT_ONCE = 4, WHAT = 9, ALL = 10 };

/* A kind of program, and how its sizes are run. */
static const struct kind {
	const char *name, *method;
	struct ft_sweep_options options; /* the builder and the resource are set */
	size_t params;
	double fails_from, odd_fails; /* as of struct fake_source; 0: nothing fails */
	double odd_stands, told_work; /* as odd_stands and work of struct fake_source */
	const char *range, *other;    /* of n and m; NULL: n=64:3000, m=20:2000 */
	size_t recorded, has;         /* so many sizes, of each so many runs; 0: any */
	double memory;                /* of the machine; 0: there is enough */
	double start_s;
	const char *work; /* NULL: none is stated */
	bool again;       /* half of it was run before, by another sweep */
	double was[ALL];  /* the scores; all that was told of the pieces */
} kinds[] = {
	{.name = "adaptive",
	 .method = "adaptive",
	 .params = 1,
	 .was = {0.27463, 43, 22, 0.030887, 0, 0, 0.045334, 0.087069, 0.75195, 545.124628}},
	{.name = "adaptive, continued",
	 .method = "adaptive",
	 .params = 1,
	 .again = true,
	 .was = {0.064841, 43, 22, 0.030887, 0, 0, 0.045334, 0.087069, 0.75195, 545.124628}},
	{.name = "adaptive, a budget",
	 .method = "adaptive",
	 .options = {.budget_s = 2, .tolerance = 0.01},
	 .params = 1,
	 .start_s = 0.01,
	 .was = {1.9913, 57, 57, 0.017399, 3.5814, 0, 0.046922, 0, 0.47053, 1524.011935}},
	{.name = "adaptive, accidents, three at once",
	 .method = "adaptive",
	 .options = {.at_once = 3},
	 .params = 1,
	 .odd_fails = 7,
	 .was = {0.39091, 42, 23, 0.043737, 0, 0, 0.05679, 0.10436, 0.75868, 561.102545}},
	{.name = "adaptive, large sizes fail",
	 .method = "adaptive",
	 .params = 1,
	 .fails_from = 1500,
	 .start_s = 0.001,
	 .was = {0.84859, 22, 12, 0.03077, 0, 0, 0.043757, 0.049946, 0.42285, 356.381916}},
	{.name = "naive, memory ends",
	 .method = "naive",
	 .options = {.memory_bytes = 2e6, .points = 6},
	 .params = 2,
	 .memory = 4e6,
	 .was = {21.502, 41, 12, 0.037268, 0, 0.01117, 0.11534, 0.073478, 0.19019, 1121.903909}},
	{.name = "gbbp, two parameters, four at once",
	 .method = "gbbp",
	 .options = {.at_once = 4, .points = 30},
	 .params = 2,
	 .odd_fails = 11,
	 .was = {31.995, 105, 30, 0.031516, 0, 0, 0.3246, 0.052663, 0.50081, 2765.553498}},
	{.name = "rand, continued, a budget",
	 .method = "rand",
	 .options = {.budget_s = 500, .points = 15, .seed = 8},
	 .params = 2,
	 .again = true,
	 .was = {105.93, 26, 14, 0.10706, 3.9304, 0, 0.2238, 0.10491, 0.70812, 1197.107019}},
	{.name = "gbbp",
	 .method = "gbbp",
	 .params = 1,
	 .start_s = 0.001,
	 .was = {23.228, 559, 127, 0.031583, 0, 0, 0.050529, 0.081002, 0.81679, 10354.439927}},
	{.name = "gbbp, of the top",
	 .method = "gbbp",
	 .options = {.of_top = true, .tolerance = 0.05, .reps_most = 20},
	 .params = 1,
	 .work = "n^1.5",
	 .was = {11.475, 91, 25, 0.029421, 0, 0, 0.059818, 0.080184, 0.81411, 2029.584022}},
	{.name = "gbbp, of the top, no work stated",
	 .method = "gbbp",
	 .options = {.of_top = true, .tolerance = 0.05, .reps_most = 20},
	 .params = 1,
	 .was = {0.55286, 33, 15, 0.033083, 0, 0, 0.045974, 0.088876, 0.68474, 468.562174}},
	{.name = "gbbp, accidents, continued",
	 .method = "gbbp",
	 .options = {.at_once = 2},
	 .params = 1,
	 .odd_fails = 5,
	 .again = true,
	 .was = {21.399, 528, 118, 0.030558, 0, 0, 0.050523, 0.07512, 0.81792, 9718.967996}},
	{.name = "naive, a timeout",
	 .method = "naive",
	 .options = {.points = 6, .timeout_s = 0.05},
	 .params = 1,
	 .was = {0.50975, 16, 3, 0.13769, 0.78857, 0, 0.050158, 0.060303, 0.53819, 367.374734}},
	{.name = "naive, three runs each, accidents",
	 .method = "naive",
	 .options = {.points = 8, .reps_least = 3, .reps_most = 3},
	 .params = 1,
	 .odd_fails = 3,
	 .was = {1.6274, 24, 8, 0.07507, 0, 0, 0.15015, 0.11332, 0.47396, 438.485607}},
	{.name = "naive, two parameters, a budget",
	 .method = "naive",
	 .options = {.points = 5, .budget_s = 300},
	 .params = 2,
	 .was = {296.69, 32, 13, 0.16897, 6.8738, 0, 0.20261, 0.042469, 0.28578, 1446.664459}},
	{.name = "rand",
	 .method = "rand",
	 .options = {.points = 12, .seed = 3},
	 .params = 2,
	 .memory = 8e6,
	 .was = {247.79, 34, 7, 0.074652, 0, 0, 0.34024, 0.10351, 0.53451, 1105.661443}},
	{.name = "adaptive, some stand still, work told",
	 .method = "adaptive",
	 .params = 1,
	 .odd_stands = 2,
	 .told_work = 3,
	 .was = {0.43005, 43, 16, 0.02217, 0, 0, 0.054469, 0.09213, 0.69815, 545.626400}},
	{.name = "gbbp, some stand still, two at once, continued",
	 .method = "gbbp",
	 .options = {.at_once = 2},
	 .params = 1,
	 .odd_stands = 4,
	 .again = true,
	 .was = {19.06, 510, 108, 0.030376, 0, 0, 0.050365, 0.075142, 0.82046, 9157.754301}},
	{.name = "adaptive, recorded",
	 .method = "adaptive",
	 .params = 1,
	 .recorded = 40,
	 .has = 3,
	 .was = {0.21742, 16, 9, 0.024985, 0, 0, 0.046294, 0.03053, 0.61999, 206.291813}},
	{.name = "adaptive, recorded, a factor",
	 .method = "adaptive",
	 .options = {.far = FT_FAR_HALF},
	 .range = "n=64:2048:*2",
	 .params = 1,
	 .recorded = 12,
	 .has = 2,
	 .was = {0.055738, 7, 5, 0.072669, 0, 0, 0.063014, 0.060915, 0.55816, 93.467949}},
	{.name = "naive, recorded, a list",
	 .method = "naive",
	 .options = {.points = 6},
	 .range = "n=64,256,2896,128,100,91",
	 .params = 1,
	 .recorded = 12,
	 .has = 1,
	 .was = {0.16163, 10, 5, 0.028129, 0, 0, 0.05, 0, 0.45, 127.628585}},
	{.name = "adaptive, half of it, two parameters",
	 .method = "adaptive",
	 .options = {.far = FT_FAR_HALF, .points = 14},
	 .params = 2,
	 .start_s = 0.01,
	 .was = {8.3012, 18, 14, 0.12023, 0, 0, 0.030624, 0.034279, 0.36399, 443.153412}},
	{.name = "adaptive, the second varies, continued",
	 .method = "adaptive",
	 .params = 2,
	 .range = "n=500",
	 .again = true,
	 .was = {0.51321, 14, 11, 0.056919, 0, 0, 0.022473, 0.024717, 0.53544, 368.561658}},
	{.name = "gbbp, the first varies, large sizes fail",
	 .method = "gbbp",
	 .options = {.points = 12, .at_once = 2},
	 .params = 2,
	 .other = "m=70",
	 .work = "n^2*m",
	 .fails_from = 2000,
	 .was = {41.955, 18, 4, 0.085439, 0, 0, 0.050789, 0.049671, 0.42285, 509.173336}},
};

static const char *const what[WHAT] = {"spent",  "runs",     "sizes",   "foretold", "limits",
				       "needed", "known to", "scatter", "complete"};

static double bytes_of(const double *size)
{
	return 1e5 + 8 * size[0] * size[1];
}

/* What is added up over the pieces of a sweep. */
struct seen {
	double off, limits, needs, complete;
	size_t predicted, limited, needed, runs;
	struct test_told all;
};

static void look(struct seen *seen, const struct ft_sweep *sweep, const struct ft_sweep_piece *piece,
		 const struct fake_source *source)
{
	double x = piece->size.value[0];
	double truth = source->start_s +
		       (source->seconds_of ? source->seconds_of(piece->size.value) : source->seconds(x));

	if (piece->expected_s > 0) {
		seen->off += fabs(log(piece->expected_s / truth));
		seen->predicted++;
	}
	if (piece->limit_s > 0) {
		seen->limits += log(piece->limit_s / truth);
		seen->limited++;
	}
	if (piece->need_bytes > 0) {
		seen->needs += fabs(log(piece->need_bytes / source->bytes_of(piece->size.value)));
		seen->needed++;
	}
	test_tell(&seen->all, piece->expected_s, 1e-3);
	test_tell(&seen->all, piece->limit_s, 1e-3);
	test_tell(&seen->all, piece->need_bytes, 1e5);
	test_tell(&seen->all, progress_of(sweep).complete, 0.1);
	test_tell(&seen->all, piece->size.value[0], 1);
	test_tell(&seen->all, source->seconds_of ? piece->size.value[1] : 0, 1);
	seen->complete += progress_of(sweep).complete;
	seen->runs++;
}

/* Pieces are made in the order in which they came, as many at once as may be; `most` at the most. */
static void go(struct bench *b, const struct ft_sweep_options *options, struct fake_source *source,
	       size_t most, bool end, struct seen *seen)
{
	struct ft_sweep *sweep = begin(b, options);
	struct ft_sweep_piece out[AT_ONCE];
	size_t n = 0, more = 0;

	while (sweep && most-- > 0) {
		size_t room = (options->at_once ? options->at_once : 1) - n;

		if (room > 0 && ft_sweep_step(sweep, out + n, room, &more, &b->err))
			break;
		for (size_t i = n; room > 0 && i < n + more; i++)
			look(seen, sweep, &out[i], source);
		n += room > 0 ? more : 0;
		if (!n || ft_sweep_measure(sweep, &out[0], &b->err))
			break;
		memmove(out, out + 1, --n * sizeof *out);
	}
	if (sweep && end)
		(void)ft_sweep_end(sweep, &b->report, &b->err);
	ft_sweep_free(sweep);
}

static double of(double sum, size_t n)
{
	return n ? sum / (double)n : 0;
}

static void test_kind(const struct kind *kind)
{
	struct ft_sweep_options options = options_of(kind->method, kind->options);
	struct fake_source source = make_noisy(kind->params);
	static double sizes[64];
	struct seen seen = {0};
	struct bench b;

	source.start_s = kind->start_s;
	source.fails_from = kind->fails_from > 0 ? kind->fails_from : (double)INFINITY;
	source.odd_fails = kind->odd_fails;
	source.odd_stands = kind->odd_stands;
	source.work = kind->told_work;
	source.has = kind->has;
	source.source.sizes = kind->recorded ? sizes : NULL;
	source.source.n_sizes = kind->recorded;
	if (kind->memory > 0) {
		source.bytes_of = bytes_of;
		source.memory = kind->memory;
	}
	use(&b, temp_path(kind->name), kind->params, &source);
	if (kind->range)
		(void)ft_param_parse(kind->range, &b.program.param[0], NULL);
	if (kind->other)
		(void)ft_param_parse(kind->other, &b.program.param[1], NULL);
	for (size_t i = 0; i < kind->recorded; i++)
		sizes[i] = round(64 * pow(2, 5.5 * (double)i / (double)(kind->recorded - 1)));
	b.program.work = kind->work ? strdup(kind->work) : NULL;
	if (kind->again)
		go(&b, &options, &source, 9, false, &seen);
	go(&b, &options, &source, RUNS_MOST, true, &seen);
	{
		const double score[WHAT] = {b.report.cost_s,
					    (double)seen.runs,
					    (double)b.report.points,
					    of(seen.off, seen.predicted),
					    of(seen.limits, seen.limited),
					    of(seen.needs, seen.needed),
					    isnan(b.report.known_to) ? 0 : b.report.known_to,
					    isnan(b.report.scatter) ? 0 : b.report.scatter,
					    of(seen.complete, seen.runs)};

		for (size_t i = 0; i < WHAT; i++)
			test_score(kind->name, what[i], score[i], kind->was[i]);
		test_told(kind->name, &seen.all, kind->was[WHAT]);
	}
	leave(&b);
}

int main(void)
{
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		test_kind(&kinds[i]);
	temp_remove();
	return done();
}
