/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-replay.c - recorded runs come back in the order recorded, whole, and cut at the limit. */
#include "tap.h"

#include "base/alloc.h"
#include "base/random.h"
#include "foretime/measure.h"
#include "measure/door.h"

/* A run of size (n, m) that took wall_s. */
static struct ft_run make_run(double n, double m, double wall_s)
{
	struct ft_run run = {
		.size = {2, {n, m}}, .cost_s = wall_s, .work = 2 * n, .load_before = NAN, .cpu_hz = 3e9};

	(void)ft_run_add(&run, &ft_wall_s, wall_s, FT_MEASURED, "child", NULL, NULL);
	return run;
}

static void record(struct ft_runs *runs, double n, double m, double wall_s)
{
	struct ft_run run = make_run(n, m, wall_s);

	(void)ft_runs_take(runs, &run, NULL);
}

static struct ft_source *open_replay(struct ft_runs *runs)
{
	struct ft_source *source = NULL;
	struct ft_err err = {0};

	if (ft_source_open_replay(&source, runs, &err))
		diag("%s", err.text);
	return source;
}

/* The wall seconds of the index-th run of a size; NaN: no more. */
static double ask(struct ft_source *source, double n, double m, size_t index)
{
	struct ft_size size = {2, {n, m}};
	struct ft_runs runs = {0};
	double wall_s = NAN;

	if (!ft_source_run(source, &size, index, 0, &runs, NULL) && runs.n == 1)
		wall_s = ft_run_value(&runs.run[0], &ft_wall_s);
	ft_runs_clear(&runs);
	return wall_s;
}

static void test_order(void)
{
	struct ft_runs runs = {0};
	struct ft_size known = {2, {64, 100}}, other = {1, {64}};
	struct ft_err err = {0};
	const double *sizes;

	record(&runs, 512, 100, 5);
	record(&runs, 64, 100, 1);
	record(&runs, 512, 100, 4);
	record(&runs, 128, 100, 2);
	record(&runs, 512, 100, 6);
	struct ft_source *source = open_replay(&runs);
	ok(source && runs.n == 0 && !runs.run, "the recorded runs are taken");
	ok(!ft_source_is_live(source), "a replay executes nothing");
	ok(ask(source, 512, 100, 0) == 5 && ask(source, 512, 100, 1) == 4 && ask(source, 512, 100, 2) == 6,
	   "the k-th asked is the k-th recorded");
	ok(ask(source, 64, 100, 0) == 1 && ask(source, 512, 100, 1) == 4, "in any order of questions");
	ok(isnan(ask(source, 512, 100, 3)), "no more than were recorded");
	ok(isnan(ask(source, 64, 100, SIZE_MAX)) && isnan(ask(source, 64, 100, 1)),
	   "nor those of the next size");
	ok(isnan(ask(source, 65, 100, 0)) && isnan(ask(source, 1, 100, 0)) &&
		   isnan(ask(source, 9999, 100, 0)),
	   "nothing at sizes that were not recorded");
	ok(ft_source_run(source, &known, 1, 0, &runs, &err) == FT_EEND && err.status == FT_EEND && *err.text,
	   "which is FT_EEND: %s", err.text);
	ok(ft_source_run(source, &other, 0, 0, &runs, NULL) == FT_EEND && runs.n == 0,
	   "also for a size of fewer values");
	ok(ft_source_sizes(source, &sizes) == 3 && sizes[0] == 64 && sizes[1] == 128 && sizes[2] == 512,
	   "sizes ascend, each once");
	ft_source_close(source);
}

static void test_varying(void)
{
	struct ft_runs runs = {0};
	const double *sizes;

	record(&runs, 7, 30, 1);
	record(&runs, 7, 10, 1);
	struct ft_source *source = open_replay(&runs);
	ok(ft_source_sizes(source, &sizes) == 2 && sizes[0] == 10 && sizes[1] == 30,
	   "sizes are those of the first parameter that varies");
	ft_source_close(source);
	record(&runs, 7, 30, 1);
	record(&runs, 7, 30, 1);
	source = open_replay(&runs);
	ok(ft_source_sizes(source, &sizes) == 1 && sizes[0] == 7, "of the first parameter where none does");
	ft_source_close(source);
}

static void test_copy(void)
{
	struct ft_runs runs = {0}, again = {0};
	struct ft_run run = make_run(64, 1, 3);
	struct ft_size size = run.size;

	run.id = 17;
	run.version = ft_strdup("0.1.0");
	run.detail = ft_strdup("words");
	run.started_ns = 12345;
	(void)ft_run_add(&run, &ft_energy_j, NAN, FT_UNAVAILABLE, "rapl", "no RAPL here", NULL);
	(void)ft_runs_take(&runs, &run, NULL);
	struct ft_source *source = open_replay(&runs);
	ok(!ft_source_run(source, &size, 0, 0, &again, NULL) &&
		   !ft_source_run(source, &size, 0, 0, &again, NULL),
	   "a run may be asked twice");
	ft_source_close(source);
	const struct ft_run *got = &again.run[1];
	ok(again.n == 2 && got->outcome == FT_DONE && got->cost_s == 3 && got->work == 128 &&
		   got->started_ns == 12345 && got->cpu_hz == 3e9 && isnan(got->load_before) &&
		   ft_size_equal(&got->size, &size),
	   "what was recorded comes back");
	ok(got->id == 0, "as a run that no store has yet");
	ok(!strcmp(got->version, "0.1.0") && !strcmp(got->detail, "words") && !got->routine,
	   "its words are copies");
	ok(got->n_samples == 2 && got->sample[0].value == 3 && !strcmp(got->sample[0].probe, "child") &&
		   got->sample[1].label == FT_UNAVAILABLE && !strcmp(got->sample[1].reason, "no RAPL here"),
	   "and so are its samples");
	ft_runs_clear(&again);
}

static void test_limit(void)
{
	struct ft_runs runs = {0}, got = {0};
	struct ft_size size = {2, {64, 1}};

	record(&runs, 64, 1, 3);
	struct ft_source *source = open_replay(&runs);
	ok(!ft_source_run(source, &size, 0, 2, &got, NULL) && got.run[0].outcome == FT_TIMED_OUT &&
		   got.run[0].cost_s == 2 && ft_run_value(&got.run[0], &ft_wall_s) == 2 &&
		   isnan(got.run[0].work) && ft_size_equal(&got.run[0].size, &size),
	   "a run longer than the limit is cut there");
	ok(!ft_source_run(source, &size, 0, 3, &got, NULL) && got.run[1].outcome == FT_DONE,
	   "one as long is not");
	ok(!ft_source_run(source, &size, 0, -1, &got, NULL) && got.run[2].cost_s == 3, "no limit, no cut");
	ft_runs_clear(&got);
	ft_source_close(source);
}

static void test_left_out(void)
{
	struct ft_runs runs = {0}, got = {0};
	struct ft_source *source = NULL;
	struct ft_size size = {2, {64, 1}};
	struct ft_err err = {0};

	ok(ft_source_open_replay(&source, &runs, &err) == FT_EINVAL && !source && *err.remedy, "no runs: %s",
	   err.text);
	record(&runs, 64, 1, 9);
	record(&runs, 64, 1, 8);
	runs.run[0].warmup = true;
	runs.run[1].outcome = FT_INTERRUPTED;
	ok(ft_source_open_replay(&source, &runs, NULL) == FT_EINVAL && !source && !runs.run,
	   "nor any that count");
	record(&runs, NAN, 1, 9);
	ok(ft_source_open_replay(&source, &runs, NULL) == FT_EINVAL && !source && !runs.run,
	   "a size that is no number");

	record(&runs, 64, 1, 9);
	record(&runs, 64, 1, 3);
	record(&runs, 64, 1, 1);
	record(&runs, 64, 1, 2);
	record(&runs, 64, 1, 4);
	runs.run[0].warmup = true;
	runs.run[2].routine = ft_strdup("first");
	runs.run[3].routine = ft_strdup("second");
	source = open_replay(&runs);
	ok(ask(source, 64, 1, 1) == 4 && isnan(ask(source, 64, 1, 2)),
	   "warm-ups and routines are not counted");
	ok(!ft_source_run(source, &size, 0, 0, &got, NULL) && got.n == 3 && !got.run[0].routine &&
		   !strcmp(got.run[1].routine, "first") && !strcmp(got.run[2].routine, "second"),
	   "routines stand behind the run of their process");
	ft_runs_clear(&got);
	ft_source_close(source);
}

/* Random recordings, asked at random, against a walk over all of them. */
static void test_random(void)
{
	struct ft_random random = {test_seed()};
	int cases = test_cases(50), k, wrong = 0;

	for (k = 0; k < cases; k++) {
		size_t n = 1 + ft_random_below(&random, 60), i, q;
		double value[60][2];
		struct ft_runs runs = {0};

		for (i = 0; i < n; i++) {
			value[i][0] = (double)ft_random_below(&random, 6);
			value[i][1] = (double)ft_random_below(&random, 3);
			record(&runs, value[i][0], value[i][1], (double)(i + 1));
		}
		struct ft_source *source = open_replay(&runs);
		for (q = 0; q < 40; q++) {
			double a = (double)ft_random_below(&random, 7),
			       b = (double)ft_random_below(&random, 4);
			size_t index = ft_random_below(&random, 6), seen = 0;
			double expected = NAN, got = ask(source, a, b, index);

			for (i = 0; i < n; i++)
				if (value[i][0] == a && value[i][1] == b && seen++ == index)
					expected = (double)(i + 1);
			wrong += !(got == expected || (isnan(got) && isnan(expected)));
		}
		ft_source_close(source);
	}
	if (!ok(!wrong, "random recordings and questions agree with a walk"))
		diag("seed %llu, %d wrong", (unsigned long long)test_seed(), wrong);
}

static void test_faults(void)
{
	struct ft_runs got = {0};
	struct ft_size size = {2, {64, 1}};
	struct ft_source *source = NULL;
	unsigned long n;
	int wrong = 0;
	enum ft_status status = FT_ENOMEM;

	for (n = 1; status && n < 1000; n++) {
		struct ft_runs runs = {0};

		record(&runs, 64, 1, 3);
		(void)ft_run_add(&runs.run[0], &ft_energy_j, NAN, FT_UNAVAILABLE, "rapl", "none", NULL);
		record(&runs, 64, 1, 1);
		runs.run[1].routine = ft_strdup("part");
		ft_alloc_fail_at(n);
		status = ft_source_open_replay(&source, &runs, NULL);
		wrong += status && (status != FT_ENOMEM || source);
		wrong += runs.n != 0 || runs.run;
	}
	ok(!status && n > 2 && !wrong, "opening survives that memory is out");
	status = FT_ENOMEM;
	for (n = 1; status && n < 1000; n++) {
		ft_alloc_fail_at(n);
		status = ft_source_run(source, &size, 0, 0, &got, NULL);
		wrong += status && (status != FT_ENOMEM || got.n);
	}
	ft_alloc_fail_at(0);
	ok(!status && n > 4 && !wrong && got.n == 2, "and so does a run");
	ft_runs_clear(&got);
	ft_source_close(source);
	ft_source_close(NULL);
}

int main(void)
{
	test_order();
	test_varying();
	test_copy();
	test_limit();
	test_left_out();
	test_random();
	test_faults();
	return done();
}
