/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-complete.c - how much of a model is there: it rises from nothing to all. */
#include "facts/door.h"
#include "steps.h"

enum { RUNS_MOST = 5000 };

/* What was told after each run, as long as it went on. */
struct series {
	double at[RUNS_MOST];
	size_t n;
	struct ft_progress last;
};

static void drive(const char *method, size_t params, struct ft_sweep_options options, struct series *series)
{
	static size_t drives;
	struct fake_source source = make_noisy(params);
	struct ft_sweep_piece piece;
	struct bench b;
	char path[64];
	size_t n;

	options = options_of(method, options);
	(void)snprintf(path, sizeof path, "complete-%zu.db", drives++);
	use(&b, temp_path(path), params, &source);
	struct ft_sweep *sweep = begin(&b, &options);
	series->n = 0;
	while (!ft_sweep_step(sweep, &piece, 1, &n, &b.err) && n && series->n < RUNS_MOST) {
		series->at[series->n++] = progress_of(sweep).complete;
		(void)ft_sweep_measure(sweep, &piece, &b.err);
	}
	series->last = progress_of(sweep);
	ok(series->n >= 6, "%s over %zu: %zu runs, %s", method, params, series->n,
	   ft_stop_text(series->last.stop));
	(void)ft_sweep_end(sweep, &b.report, &b.err);
	ft_sweep_free(sweep);
	leave(&b);
}

static double mean_of(const struct series *series, size_t third)
{
	size_t from = third * series->n / 3, to = (third + 1) * series->n / 3, i;
	double sum = 0;

	for (i = from; i < to; i++)
		sum += series->at[i];
	return sum / (double)(to - from);
}

static void check(const char *method, size_t params, struct ft_sweep_options options)
{
	static struct series series;
	size_t outside = 0;

	drive(method, params, options, &series);
	for (size_t i = 0; i < series.n; i++)
		outside += !(series.at[i] >= 0 && series.at[i] <= 1);
	ok(!outside && series.at[0] < 0.1 && series.last.ended && series.last.complete == 1, "from %g to 1",
	   series.at[0]);
	ok(mean_of(&series, 0) < mean_of(&series, 1) && mean_of(&series, 1) < mean_of(&series, 2) &&
		   series.at[series.n - 1] > 0.5,
	   "it rises: %g, %g, %g", mean_of(&series, 0), mean_of(&series, 1), mean_of(&series, 2));
}

/* Every run fails: it ends, and nothing is there, whatever was spent. */
static void check_failing(const char *method, double budget_s)
{
	struct fake_source source = make_noisy(1);
	struct ft_sweep_options options = options_of(
		method, (struct ft_sweep_options){.reps_least = 2, .reps_most = 3, .budget_s = budget_s});
	struct ft_sweep_piece piece;
	double most = 0;
	struct bench b;
	size_t n, runs = 0;

	source.fails_from = 0;
	source.start_s = 0.1;
	use(&b, temp_path("failing.db"), 1, &source);
	struct ft_sweep *sweep = begin(&b, &options);
	while (!ft_sweep_step(sweep, &piece, 1, &n, &b.err) && n && runs++ < RUNS_MOST) {
		(void)ft_sweep_measure(sweep, &piece, &b.err);
		most = fmax(most, progress_of(sweep).complete);
	}
	ok(runs && progress_of(sweep).ended && most == 0 && progress_of(sweep).complete == 0,
	   "%s: %zu runs, none of which ended well, are no part of a model: %g", method, runs, most);
	ok(ft_sweep_end(sweep, &b.report, &b.err) == FT_ENOMODEL, "there is none: %s", b.err.text);
	ft_sweep_free(sweep);
	leave(&b);
	(void)remove(temp_path("failing.db"));
}

/* Above a thousand all takes four times as long. */
static double cliff(double x)
{
	return (x < 1000 ? 1e-5 : 4e-5) * x;
}

/* What contradicts the shape that gbbp takes for granted is told of the parameter along which it does. */
static void check_shape(void)
{
	struct fake_source source = make_fake(cliff, no_bytes);
	struct ft_sweep_options options = options_of("gbbp", (struct ft_sweep_options){0});
	const struct ft_build_shape *shape;
	struct ft_sweep_piece piece;
	struct bench b;
	size_t n, runs = 0;

	use(&b, temp_path("cliff.db"), 1, &source);
	struct ft_sweep *sweep = begin(&b, &options);
	while (!ft_sweep_step(sweep, &piece, 1, &n, &b.err) && n && runs++ < RUNS_MOST)
		(void)ft_sweep_measure(sweep, &piece, &b.err);
	(void)ft_sweep_end(sweep, &b.report, &b.err);
	shape = &b.report.shape[0];
	ok(shape->jumps && shape->jump[0] < 1000 && shape->jump[1] >= 1000, "a cliff is told, %g .. %g",
	   shape->jump[0], shape->jump[1]);
	ft_sweep_free(sweep);
	leave(&b);
}

int main(void)
{
	static const char *const methods[] = {"adaptive", "gbbp",         "gbbp_naive",
					      "naive",    "naive_bisect", "rand"};

	for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
		check(methods[i], 1, (struct ft_sweep_options){.reps_least = 2, .reps_most = 3});
	for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
		check(methods[i], 2,
		      (struct ft_sweep_options){.points = i == 0  ? 0
							  : i < 3 ? 40
								  : 6,
						.reps_least = 1,
						.reps_most = 2});
	for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
		check_failing(methods[i], 0);
	check_failing("adaptive", 0.5);
	check_shape();
	check("adaptive", 1, (struct ft_sweep_options){.budget_s = 2, .tolerance = 0.001});
	check("gbbp", 1, (struct ft_sweep_options){.budget_s = 0.5, .tolerance = 0.001});
	check("adaptive", 1, (struct ft_sweep_options){.points = 8, .tolerance = 0.001});
	temp_remove();
	return done();
}
