/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-oracle.c - runs that a function makes up. */
#include "tap.h"

#include "base/alloc.h"
#include "foretime/measure.h"
#include "measure/door.h"

/* ctx is a factor; sizes below 0 fail, 13 is not valid. */
static double cube(void *ctx, const struct ft_size *size)
{
	double n = size->value[0];

	return n == 13 ? NAN : *(double *)ctx * n * n * n;
}

static struct ft_run ask(struct ft_source *source, double n, size_t index, double limit_s)
{
	struct ft_size size = {1, {n}};
	struct ft_runs runs = {0};
	struct ft_run run = {.outcome = FT_NOT_STARTED};

	if (!ft_source_run(source, &size, index, limit_s, &runs, NULL) && runs.n == 1) {
		run = runs.run[0];
		run.sample = NULL; /* the values are what is looked at */
		run.work = ft_run_value(&runs.run[0], &ft_wall_s);
	}
	ft_runs_clear(&runs);
	return run;
}

static double wall(struct ft_source *source, double n, size_t index)
{
	return ask(source, n, index, 0).work;
}

static void test_outcomes(void)
{
	struct ft_source *source = NULL;
	const double *sizes;
	double factor = 2;
	volatile sig_atomic_t flag = 0;
	struct ft_run run;

	ok(!ft_source_open_oracle(&source, cube, &factor, 0, 1, NULL), "opens");
	ok(!ft_source_sizes(source, &sizes) && !ft_source_is_live(source),
	   "runs any size, and executes nothing");
	run = ask(source, 3, 0, 0);
	ok(run.outcome == FT_DONE && run.cost_s == 54 && run.work == 54 && run.size.value[0] == 3,
	   "a run is done");
	run = ask(source, 3, 0, 53);
	ok(run.outcome == FT_TIMED_OUT && run.cost_s == 53 && run.work == 53, "but not beyond the limit");
	ok(ask(source, 3, 0, 54).outcome == FT_DONE, "at the limit it is");
	ok(ask(source, 13, 0, 0).outcome == FT_INVALID, "NaN is a size that is not valid");
	run = ask(source, -1, 0, 0);
	ok(run.outcome == FT_FAILED && run.exit_status == 1 && isnan(run.work),
	   "nothing takes less than no time");
	ok(ask(source, INFINITY, 0, 5).outcome == FT_TIMED_OUT, "forever ends at the limit");
	ok(ask(source, INFINITY, 0, 0).outcome == FT_FAILED, "and fails without one");
	ft_source_interrupt(source, &flag);
	ok(ask(source, 3, 0, 0).outcome == FT_DONE, "a flag that is not set");
	flag = 1;
	ok(ask(source, 3, 0, 0).outcome == FT_INTERRUPTED, "and one that is");
	ft_source_close(source);
}

static void test_noise(void)
{
	struct ft_source *a = NULL, *b = NULL, *c = NULL;
	double factor = 1, sum = 0, square = 0;
	int n = 2000;

	(void)ft_source_open_oracle(&a, cube, &factor, 0.1, 7, NULL);
	(void)ft_source_open_oracle(&b, cube, &factor, 0.1, 7, NULL);
	(void)ft_source_open_oracle(&c, cube, &factor, 0.1, 8, NULL);
	double first = wall(a, 5, 0);
	ok(first > 0 && wall(a, 5, 1) != first && wall(a, 5, 0) == first, "noise is the index's");
	(void)wall(b, 9, 4);
	ok(wall(b, 5, 1) == wall(a, 5, 1) && wall(b, 5, 0) == first, "whatever was asked before");
	ok(wall(c, 5, 0) != first, "another seed, another noise");
	ok(wall(a, 6, 0) / 216 != first / 125, "another size, another noise");
	for (int i = 0; i < n; i++) {
		double z = log(wall(a, 5, (size_t)i) / 125) / 0.1;

		sum += z / n;
		square += z * z / n;
	}
	ok(fabs(sum) < 0.1 && fabs(square - 1) < 0.15, "normal in the logarithm: mean %.3f, variance %.3f",
	   sum, square);
	ft_source_close(a);
	ft_source_close(b);
	ft_source_close(c);
}

static void test_faults(void)
{
	struct ft_source *source = NULL;
	struct ft_size size = {1, {3}};
	struct ft_runs runs = {0};
	double factor = 1;
	unsigned long n;
	enum ft_status status = FT_ENOMEM;
	int wrong = 0;

	ft_alloc_fail_at(1);
	ok(ft_source_open_oracle(&source, cube, &factor, 0, 1, NULL) == FT_ENOMEM && !source,
	   "no memory to open");
	ft_alloc_fail_at(0);
	(void)ft_source_open_oracle(&source, cube, &factor, 0, 1, NULL);
	for (n = 1; status && n < 100; n++) {
		ft_alloc_fail_at(n);
		status = ft_source_run(source, &size, 0, 0, &runs, NULL);
		wrong += status && (status != FT_ENOMEM || runs.n);
	}
	ft_alloc_fail_at(0);
	ok(!status && n > 2 && !wrong && runs.n == 1, "nor to run");
	ft_runs_clear(&runs);
	ft_source_close(source);
}

int main(void)
{
	test_outcomes();
	test_noise();
	test_faults();
	return done();
}
