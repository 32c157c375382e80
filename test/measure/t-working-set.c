/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-working-set.c - the smallest cache that holds a program's data: searched, and of a real program. */
#include "measure/measure.h"
#include "process-test.h"

/* Misses that fall from 1000 to 100 at a cache of some index. */
struct step {
	size_t at, calls;
	enum ft_status fails; /* in the third call */
};

static double misses_of(const struct step *step, size_t i)
{
	return i < step->at ? 1000 - (double)i : 100;
}

static enum ft_status step_misses(void *ctx, size_t i, size_t j, double misses[2], struct ft_err *err)
{
	struct step *step = ctx;

	if (++step->calls == 3 && step->fails)
		return ft_fail(err, step->fails, "not that one");
	misses[0] = misses_of(step, i);
	misses[1] = misses_of(step, j);
	return i < j && j < FT__CACHES ? FT_OK : FT_EINVAL;
}

static void test_search(void)
{
	size_t most = 0, right = 0;
	double bytes;

	for (size_t k = 1; k < FT__CACHES; k++) {
		struct step step = {.at = k};

		right += !ft__working_set(step_misses, &step, &bytes, NULL) &&
			 bytes == (double)ft__cache_bytes(k);
		most = step.calls > most ? step.calls : most;
	}
	ok(right == FT__CACHES - 1 && most <= 5, "wherever misses fall it is found: %zu, in %zu runs", right,
	   most);
}

static void test_edges(void)
{
	struct step flat = {.at = 0}, broken = {.at = 9, .fails = FT_EUNAVAIL};
	struct ft_err err = {0};
	double misses[3] = {1, 2, 3}, bytes;

	ok(!ft__working_set(step_misses, &flat, &bytes, NULL) && bytes == 4096 && flat.calls == 1,
	   "where no cache helps the least is enough");
	ok(ft__cache_bytes(1) == 6144 && ft__cache_bytes(32) == 256 << 20 && ft__cache_ways(6144) == 12 &&
		   ft__cache_ways(8192) == 8,
	   "caches between powers of 2 have 12 ways");
	ok(ft__working_set(step_misses, &broken, &bytes, &err) == FT_EUNAVAIL && isnan(bytes),
	   "a run that cannot be made: %s", err.text);
	ft__misses_add("100 1 2 30 4 5 60 7 8", misses);
	ok(misses[0] == 12 && misses[1] == 15 && misses[2] == 93, "reads and writes of both caches, added");
}

static void test_reuse(void)
{
	struct ft_reuse reuse = {.n = 0};

	ft__reuse_add(&reuse, 4096, 400, 0);
	ok(!reuse.n, "a program without accesses has no distances");
	ft__reuse_add(&reuse, 65536, 100, 1000);
	ft__reuse_add(&reuse, 4096, 400, 1000);
	ft__reuse_add(&reuse, 65536, 900, 1000);
	ok(reuse.n == 2 && reuse.bytes[0] == 4096 && reuse.beyond[0] == 0.4 && reuse.bytes[1] == 65536 &&
		   reuse.beyond[1] == 0.1,
	   "in the order of their sizes, each once");
	ft__reuse_add(&reuse, 8192, 450, 1000);
	ok(reuse.n == 3 && reuse.beyond[1] == 0.4,
	   "a larger cache that misses more counts as the smaller one");
	for (size_t i = 0; i < 2 * FT_REUSE_MOST; i++)
		ft__reuse_add(&reuse, (size_t)1 << 20 << i, 10, 1000);
	ok(reuse.n == FT_REUSE_MOST, "as many as there is room for");
}

/* A program that goes over its data 20 times finds each line 19 times at the distance of all of them, and once for the
 * first time; its start has first uses, too. A cache of a few ways has part of that in a size little smaller already. */
static void check_distances(const struct ft_reuse *reuse, double bytes)
{
	double below = NAN, above = NAN, last;

	for (size_t i = 0; i < reuse->n; i++) {
		below = reuse->bytes[i] < 0.9 * bytes ? reuse->beyond[i] : below;
		above = isnan(above) && reuse->bytes[i] >= bytes ? reuse->beyond[i] : above;
	}
	last = reuse->n ? reuse->beyond[reuse->n - 1] : (double)NAN;
	ok(reuse->n >= 4 && below - above > 9 * above && below - above < 25 * above && last > 0.9 * above,
	   "%.0f bytes: %.4f of accesses at their distance, %.4f farther, of which %.4f beyond all", bytes,
	   below - above, above, last);
}

/* 20 times over so much, and a little besides. */
static void test_program(void)
{
	static const char *const words[] = {"{n}", NULL};
	struct subject s;

	make(&s, "passes", words);
	struct ft_reuse reuse = {.n = 0};

	s.launch.working_set = true;
	s.launch.reuse = &reuse;
	ok(!open_subject(&s) && !run(&s, 200, 0) && s.runs.n == 1, "a run: %s", s.err.text);
	for (size_t i = 0; i < last(&s)->n_samples; i++)
		if (last(&s)->sample[i].label == FT_UNAVAILABLE &&
		    last(&s)->sample[i].resource == &ft_working_set_bytes) {
			skip("working sets", last(&s)->sample[i].reason);
			unmake(&s);
			return;
		}
	double few = value(&s, &ft_working_set_bytes);
	ok(few == 256 << 10, "200 KiB want a cache of 256 KiB: %g", few);
	check_distances(&reuse, 200 * 1024);
	ok(!run(&s, 900, 0) && value(&s, &ft_working_set_bytes) == 1 << 20, "900 KiB one of a MiB: %g",
	   value(&s, &ft_working_set_bytes));
	check_distances(&reuse, 900 * 1024);
	ok(!run(&s, 900, 0) && value(&s, &ft_working_set_bytes) == 1 << 20 &&
		   s.runs.run[2].cost_s < s.runs.run[1].cost_s / 2,
	   "a size is simulated once");
	unmake(&s);
}

int main(void)
{
	test_search();
	test_edges();
	test_reuse();
	if (!test_quick())
		test_program();
	temp_remove();
	return done();
}
