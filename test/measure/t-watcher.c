/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-watcher.c - programs that are watched while they run: their progress, their memory, what they print. */
#include "process-test.h"

/* What a watcher was told. */
struct told {
	size_t looks, most; /* most: it ends the run then; 0: never */
	struct ft_moment last;
	double shares; /* different ones */
	bool orderly;  /* time and progress never fell */
	size_t bytes[3], lines;
	char end[3][32];
};

static bool look(void *ctx, const struct ft_moment *now)
{
	struct told *told = ctx;

	told->orderly &= !told->looks || (now->time_s > told->last.time_s && now->done >= told->last.done);
	told->shares += now->done != told->last.done;
	double bytes = told->last.bytes, largest_bytes = told->last.largest_bytes;
	told->last = *now;
	if (!(now->bytes >
	      0)) { /* it ended between its last step and this look, and holds no memory any more */
		told->last.bytes = bytes;
		told->last.largest_bytes = largest_bytes;
	}
	return ++told->looks != told->most;
}

static void heard(void *ctx, int stream, const char *bytes, size_t length)
{
	struct told *told = ctx;

	for (size_t i = 0; i < length; i++)
		told->lines += bytes[i] == '\n';
	told->bytes[stream] += length;
	if (length < sizeof told->end[stream])
		(void)snprintf(told->end[stream], sizeof told->end[stream], "%.*s", (int)length, bytes);
}

static void watch(struct subject *s, struct ft_watcher *watcher)
{
	s->launch.pass_through = true;
	s->launch.watcher = watcher;
	ok(!open_subject(s) && !run(s, 1, 0) && s->runs.n == 1, "a run that is watched: %s", s->err.text);
}

/* A run of a second and a half; on a machine that is busy few looks may be had of one: then the next one's.
 */
static bool look_often(struct subject *s, struct told *told)
{
	bool good;
	int i = 0;

	do {
		*told = (struct told){.orderly = true};
		good = !run(s, 1, 0);
	} while (good && (told->looks <= 5 || told->last.done <= 50) && ++i < 10);
	return good;
}

static void test_progress(void)
{
	struct told told = {.orderly = true};
	struct ft_watcher watcher = {look, NULL, &told};
	struct subject s;

	PROBE(&s, "progress");
	watch(&s, &watcher);
	(void)look_often(&s, &told);
	ok(last(&s)->outcome == FT_DONE && told.looks > 5 && told.orderly, "%zu looks, in their order",
	   told.looks);
	ok(told.shares > 3 && told.last.total == 150 && told.last.done <= 149.5 && told.last.done > 50,
	   "progress: %g of %g", told.last.done, told.last.total);
	ok(told.last.bytes > 1e5 && told.last.time_s <= value(&s, &ft_wall_s) + 0.05,
	   "memory, and time: %g bytes, %g s", told.last.bytes, told.last.time_s);
	ok(told.last.largest_bytes > 1e5 && told.last.largest_bytes <= 2 * told.last.bytes,
	   "of the largest process: %g bytes", told.last.largest_bytes);
	ok(isnan(told.last.delay_s) || (told.last.delay_s >= 0 && told.last.cpu_s > 0 &&
					told.last.cpu_s <= 1.1 * value(&s, &ft_cpu_s) + 0.05),
	   "how long it waited for processors, and had them: %g s, %g s", told.last.delay_s, told.last.cpu_s);
	ok(isnan(last(&s)->work) && !strcmp(last(&s)->sample[0].probe, "child"), "it is no routine");
	ok(look_often(&s, &told) && told.looks > 5 && told.orderly && told.shares > 3,
	   "another run begins from nothing");
	unmake(&s);
}

static void test_hot(void)
{
	struct told told = {.orderly = true};
	struct ft_watcher watcher = {look, NULL, &told};
	struct subject s;

	PROBE(&s, "hot");
	watch(&s, &watcher);
	ok(last(&s)->outcome == FT_DONE && value(&s, &ft_output_bytes) < 1e6,
	   "20 million calls write little: %g bytes", value(&s, &ft_output_bytes));
	unmake(&s);
}

static void test_end(void)
{
	struct told told = {.most = 3, .orderly = true};
	struct ft_watcher watcher = {look, NULL, &told};
	struct subject s;

	PROBE(&s, "progress");
	watch(&s, &watcher);
	ok(last(&s)->outcome == FT_INTERRUPTED && told.looks == 3, "it ends when the watcher wishes it");
	unmake(&s);
}

static void test_prints(void)
{
	struct told told = {.orderly = true};
	struct ft_watcher watcher = {look, heard, &told};
	struct subject s;

	PROBE(&s, "prints");
	watch(&s, &watcher);
	ok(last(&s)->outcome == FT_DONE && told.lines == 50001 && told.bytes[2] == 18,
	   "every line is heard: %zu", told.lines);
	ok(!strcmp(told.end[1], "the last") && !strcmp(told.end[2], "to standard error\n"),
	   "to the last one: '%s'", told.end[1]);
	unmake(&s);
	told = (struct told){.orderly = true};
	HOSTILE(&s, "parricide");
	s.launch.pass_through = true;
	s.launch.watcher = &watcher;
	check_outcome(&s, 0, FT_CRASHED, "one that ends the helper");
	ok(!run(&s, 1, 0) && s.runs.n == 2, "another helper watches the next");
	unmake(&s);
}

int main(void)
{
	test_progress();
	test_hot();
	test_end();
	test_prints();
	return done();
}
