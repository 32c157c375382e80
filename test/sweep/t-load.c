/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-load.c - a sweep and the load of others: observed, read, handed to cuts. */
#include "bench.h"
#include "load/door.h"
#include "store/door.h"
#include "sweep/sweep.h"
#include "tap.h"
#include "temp.h"

#include <time.h>

/* The load at a size of 8 processor seconds, and at one of which nothing is known but the time. Two
 * processors, of which others take 0.5 to 1.5. */
static void test_cut(void)
{
	double least[] = {0.5}, most[] = {1.5};
	struct ft__tally place[] = {{.cpu_s = 16, .wall_s = 8, .n_cpu = 2}, {0}};
	struct ft_sweep_size size[] = {{.size = {1, {10}}}, {.size = {1, {20}}}};
	struct ft_sweep sweep = {
		.options = {.sharing = FT_SHARING_FAIR},
		.report = {.n_sizes = 2, .size = size},
		.place = place,
		.load = {.interval_s = 10, .processors = 2, .least = least, .most = most, .n = 1},
	};
	double load[2];

	ft__load_at(&sweep, &size[0].size, 4, load);
	ok(near(load[0], 1 - 1 / 1.25, 1e-12) && near(load[1], 1 - 1 / 1.75, 1e-12),
	   "two threads, as processor time tells");
	ft__load_at(&sweep, &size[1].size, 4, load);
	ok(load[0] == 0 && near(load[1], 1 - 1 / 1.25, 1e-12), "one thread where it tells nothing");
	sweep.options.threads = 1;
	ft__load_at(&sweep, &size[0].size, 4, load);
	ok(load[0] == 0 && near(load[1], 1 - 1 / 1.25, 1e-12), "one thread when that is said");
	sweep.options.sharing = FT_SHARING_NICED;
	ft__load_at(&sweep, &size[0].size, 4, load);
	ok(load[0] == 0 && near(load[1], 0.5, 1e-12), "niced: half a processor is left");
	most[0] = 2;
	ft__load_at(&sweep, &size[0].size, 4, load);
	ok(load[1] == 1, "niced: nothing is left");
}

/* Four processors, of which others want 3.5 in the first ten seconds and none later. A run of one and a half
 * threads that needs 15 processor seconds takes ten seconds alone, one of half as many five: how many threads
 * it has, and how long it takes, are what its processor time says, whatever was guessed. */
static void test_threads(void)
{
	double least[] = {3.5, 0}, most[] = {3.5, 0}, load[2], expected[2];
	struct ft__tally place[] = {{.cpu_s = 30, .wall_s = 20, .n_cpu = 2},
				    {.cpu_s = 15, .wall_s = 20, .n_cpu = 2}};
	struct ft_sweep_size size[] = {{.size = {1, {10}}}, {.size = {1, {20}}}};
	struct ft_sweep sweep = {
		.options = {.sharing = FT_SHARING_FAIR},
		.report = {.n_sizes = 2, .size = size},
		.place = place,
		.load = {.interval_s = 10, .processors = 4, .least = least, .most = most, .n = 2},
	};
	struct ft_load_outlook outlook;

	for (size_t i = 0; i < 2; i++) {
		ft_load_predict(&sweep.load, i ? 7.5 : 10, i ? 1 : 1.5, FT_SHARING_FAIR, &outlook);
		for (size_t k = 0; k < 2; k++)
			expected[k] = ft_load_of_slow_down(outlook.slow_down[k]);
		ft__load_at(&sweep, &size[i].size, 100, load);
		ok(near(load[0], expected[0], 1e-12) && near(load[1], expected[1], 1e-12) && load[1] > 0,
		   "%g threads: a load of %g", i ? 1 : 1.5, load[1]);
	}
	sweep.options.threads = 3;
	ft_load_predict(&sweep.load, 5, 3, FT_SHARING_FAIR, &outlook);
	ft__load_at(&sweep, &size[0].size, 100, load);
	ok(near(load[1], ft_load_of_slow_down(outlook.slow_down[1]), 1e-12),
	   "three, as is said: a load of %g", load[1]);
}

/* Sleeps of some tenths of a second; a second in all is what an observation needs. */
static bool set_up(struct bench *b, const char *path)
{
	static const struct ft_launch empty;
	struct ft_launch launch = empty;

	*b = (struct bench){0};
	b->program =
		(struct ft_program){.name = strdup("sleep"), .hash = strdup(""), .n_params = 1, .argc = 2};
	b->program.argv = calloc(3, sizeof *b->program.argv);
	b->program.argv[0] = strdup("sleep");
	b->program.argv[1] = strdup("0.{n}");
	b->machine.fingerprint = strdup("0123456789abcdef");
	launch.program = &b->program;
	return !ft_param_parse("n=3:6", &b->program.param[0], &b->err) &&
	       !ft_store_open(&b->store, path, 0, &b->err) &&
	       !ft_store_put_machine(b->store, &b->machine, &b->err) &&
	       !ft_source_open_process(&b->source, &launch, &b->err);
}

static void test_observed(void)
{
	struct ft_sweep_options options = {.builder = ft_builder_type_find("naive"),
					   .resource = &ft_wall_s,
					   .points = 2,
					   .reps_least = 2,
					   .reps_most = 2,
					   .load = FT_LOAD_USUAL};
	struct ft_load_recorder *recorder;
	struct ft_loads loads = {0};
	struct bench b;

	if (ft_load_recorder_open(&recorder, "", true, &b.err)) {
		skip("a live sweep", b.err.text);
		return;
	}
	ft_load_recorder_close(recorder);
	if (set_up(&b, temp_path("live.db")) &&
	    ok(!ft_sweep_run(b.store, &b.program, &b.machine, b.source, &options, &b.report, &b.err),
	       "a live sweep") &&
	    !ft_store_get_load(b.store, b.machine.id, 0, &loads, &b.err))
		ok(loads.n >= 1 && loads.load[0].by_sweep && loads.load[0].load >= 0 &&
			   loads.load[0].busy <= loads.load[0].processors &&
			   loads.load[0].load >= loads.load[0].busy && loads.load[0].interval_s >= 1 &&
			   loads.load[0].started_ns > ((int64_t)time(NULL) - 600) * 1000000000,
		   "what others did meanwhile is stored");
	else
		diag("%s", b.err.text);
	ft_loads_clear(&loads);
	tear_down(&b);
}

static double second(void *ctx, const struct ft_size *size)
{
	(void)ctx;
	(void)size;
	return 1;
}

/* A history of others' load must not change what a replay gives. */
static void test_not_live(void)
{
	struct ft_sweep sweep = {.options = {.load = FT_LOAD_USUAL, .confidence = 0.9}};
	struct ft_machine machine = {.fingerprint = (char[]){"0123456789abcdef"}};
	struct ft_source *recorded;
	struct ft_err err = {0};
	struct bench b;
	int64_t now = (int64_t)time(NULL), i;

	if (!ok(set_up(&b, temp_path("known.db")) &&
			!ft_source_open_oracle(&recorded, second, NULL, 0, 1, &err),
		"two sources")) {
		diag("%s %s", b.err.text, err.text);
		return;
	}
	struct ft_source *live = b.source;
	(void)ft_store_put_machine(b.store, &machine, &err);
	for (i = 0; i < 100; i++)
		(void)ft_store_add_load(b.store, machine.id,
					&(struct ft_load){.started_ns = (now - 10 * i) * 1000000000,
							  .interval_s = 10,
							  .load = 1,
							  .processors = 2},
					&err);
	sweep.store = b.store;
	sweep.machine = &machine;
	sweep.source = recorded;
	ok(!ft__load_begin(&sweep, &err) && !sweep.load.n && !sweep.recorder, "not of what is recorded");
	ft__load_end(&sweep);
	sweep.source = live;
	ok(!ft__load_begin(&sweep, &err) && sweep.load.n, "of what runs now: the history is read");
	ft__load_end(&sweep);
	sweep.options.load = FT_LOAD_IDLE;
	ok(!ft__load_begin(&sweep, &err) && !sweep.load.n, "unless it is not wanted");
	ft__load_end(&sweep);
	ft_source_close(recorded);
	tear_down(&b);
}

int main(void)
{
	test_cut();
	test_threads();
	test_observed();
	test_not_live();
	temp_remove();
	return done();
}
