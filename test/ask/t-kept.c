/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-kept.c - runs held against what the runs before them said. */
#include "tap.h"
#include "temp.h"

#include "ask-test.h"
#include "ask/door.h"
#include "base/alloc.h"
#include "foretime/ask.h"

static const int64_t second_ns = 1000000000;

static struct ft_run run_at(double n, double seconds, int64_t second)
{
	struct ft_run run = made_run(1, n, 0, seconds, 1e6 + 8 * n, NAN);

	run.started_ns = second * second_ns;
	return run;
}

static double seconds_of(double n, double noise, struct ft_random *random)
{
	return 1e-3 * (1 + pow(n / 100, 1.5)) * exp(noise * ft_random_normal(random));
}

/* `runs` of them a second apart, at random sizes out of 12; from `changed` on they take half as long again.
 */
static int64_t add_history(const char *name, int runs, int changed, uint64_t seed)
{
	int64_t id = add_program(name, "n=100:3200", NULL);
	struct ft_random random = {seed};

	for (int i = 0; i < runs; i++) {
		double n = round(100 * pow(32, floor(12 * ft_random_uniform(&random)) / 11));

		add_run(id, run_at(n, seconds_of(n, 0.05, &random) * (i >= changed ? 1.5 : 1), 1 + i));
	}
	return id;
}

static enum ft_status keep(const char *name, size_t most, struct ft_kept *kept, struct ft_err *err)
{
	struct ft_answerer *models;
	enum ft_status status = ft_ask_open(&models, store, name, NULL, 0, err);

	if (!status)
		status = ft_ask_kept(models, &ft_wall_s, &(struct ft_kept_options){0.9, most, 0}, kept, err);
	ft_ask_close(models);
	return status;
}

/* Wilson: a share from which the one that was seen lies 1.96 of its own deviations; none is beyond 0 and 1.
 */
static bool is_bound(const struct ft_kept *kept, double share)
{
	double z = 1.959963984540054, off = kept->share - share, n = (double)(kept->n - kept->untold);

	return kept->share == (double)kept->inside / n &&
	       (fabs(off * off - z * z * share * (1 - share) / n) < 1e-9 || share == 0 || share == 1);
}

static void test_share(void)
{
	size_t inside = 0, told = 0;
	struct ft_err err = {0};
	struct ft_kept kept;
	char name[16];

	for (size_t seed = 0; seed < 6; seed++) {
		(void)snprintf(name, sizeof name, "still%zu", seed);
		add_history(name, 80, 80, 20260101 + seed);
		ok(!keep(name, 40, &kept, &err), "%s: %s", name, err.text);
		ok(kept.n == 40 && kept.inside + kept.less + kept.more + kept.untold == kept.n,
		   "each run is judged once");
		ok(kept.least < kept.share && is_bound(&kept, kept.least) &&
			   (kept.share == 1 || (kept.share < kept.most && is_bound(&kept, kept.most))),
		   "%.2f: %.2f .. %.2f", kept.share, kept.least, kept.most);
		inside += kept.inside;
		told += kept.n - kept.untold;
		ft_kept_clear(&kept);
	}
	/* Of 240, three deviations of a count of 90 %, and promises may be kept too well. */
	ok(told == 240 && (double)inside / (double)told > 0.84, "%zu of %zu were inside", inside, told);
}

static void test_first(void)
{
	struct ft_err err = {0};
	struct ft_kept kept;

	add_history("young", 30, 30, 7);
	ok(!keep("young", FT_KEPT_RUNS, &kept, &err) && kept.n == 30, "fewer runs than are asked for");
	ok(kept.run[0].fate == FT_FATE_UNTOLD && kept.untold >= 1, "nobody foretold the first");
	ok(kept.run[0].predicted.upper == 0 && kept.run[29].predicted.upper > 0, "and nothing is told of it");
	ft_kept_clear(&kept);
	ft_kept_clear(&kept);
	ok(!kept.run && !kept.n, "cleared twice");
}

static void test_change(void)
{
	struct ft_err err = {0};
	struct ft_kept kept;
	size_t more = 0;

	add_history("changed", 60, 50, 11);
	ok(!keep("changed", 20, &kept, &err) && kept.n == 20, "a program that changed: %s", err.text);
	for (size_t i = 10; i < 14; i++)
		more += kept.run[i].fate == FT_FATE_MORE;
	ok(more >= 3, "%zu of the first four runs that take longer are seen", more);
	ft_kept_clear(&kept);
}

/* What a store with nothing but the runs before says; the oracle. */
static struct ft_prediction said_before(const struct ft_runs *runs, size_t n, const struct ft_size *size)
{
	static int made;
	struct ft_prediction p = {0};
	struct ft_answerer *models;
	char name[32];

	(void)snprintf(name, sizeof name, "past%d", made++);
	int64_t id = add_program(name, "n=100:3200", NULL);
	for (size_t i = 0; i < n; i++)
		add_run(id, run_at(runs->run[i].size.value[0], ft_run_value(&runs->run[i], &ft_wall_s),
				   runs->run[i].started_ns / second_ns));
	if (!ft_ask_open(&models, store, name, NULL, 0, NULL)) {
		(void)ft_ask_predict(models, &ft_wall_s, size, 0.9, &p, NULL);
		ft_ask_close(models);
	}
	return p;
}

static void test_oracle(void)
{
	struct ft_answerer *models;
	struct ft_kept kept;
	struct ft_err err = {0};

	add_history("told", 48, 40, 3);
	ok(!ft_ask_open(&models, store, "told", NULL, 0, &err), "open %s", err.text);
	ok(!ft_ask_kept(models, &ft_wall_s, &(struct ft_kept_options){0.9, 40, 0}, &kept, &err), "judged %s",
	   err.text);
	const struct ft_runs *runs = ft_ask_runs(models);
	for (size_t i = 0; i < kept.n; i += 5) {
		struct ft_prediction p = said_before(runs, i + 8, &kept.run[i].size);

		ok(kept.run[i].id == runs->run[i + 8].id &&
			   near(kept.run[i].predicted.lower, p.lower, 1e-12) &&
			   near(kept.run[i].predicted.upper, p.upper, 1e-12),
		   "run %zu: as was said when %zu runs were known: %g .. %g", i, i + 8, p.lower, p.upper);
	}
	ft_kept_clear(&kept);
	ft_ask_close(models);
}

/* With fewer models each is older than the runs that it serves. */
static void test_fewer_models(void)
{
	struct ft_answerer *models;
	struct ft_kept kept;
	struct ft_err err = {0};

	ok(!ft_ask_open(&models, store, "told", NULL, 0, &err), "open %s", err.text);
	ok(!ft_ask_kept(models, &ft_wall_s, &(struct ft_kept_options){0.9, 40, 4}, &kept, &err) &&
		   kept.n == 40,
	   "judged by four models %s", err.text);
	const struct ft_runs *runs = ft_ask_runs(models);
	for (size_t i = 0; i < kept.n; i += 13) {
		struct ft_prediction p = said_before(runs, 8 + i / 10 * 10, &kept.run[i].size);

		ok(near(kept.run[i].predicted.upper, p.upper, 1e-12), "run %zu: by that of %zu runs", i,
		   8 + i / 10 * 10);
	}
	ft_kept_clear(&kept);
	ft_ask_close(models);
}

/* Stored in another order than that in which they began. */
static void test_order(void)
{
	int64_t id = add_program("late", "n=100:3200", NULL);
	struct ft_err err = {0};
	struct ft_kept kept;
	size_t wrong = 0;

	for (int k = 0; k < 24; k++)
		add_run(id, run_at(100 * (1 + k % 4), 1e-3 * (1 + k % 4) * (1 + 0.01 * (k % 3)), 100 - k));
	add_run(id, (struct ft_run){.size = {.n = 1, .value = {100}}, .outcome = FT_FAILED, .work = NAN});
	ok(!keep("late", 100, &kept, &err) && kept.n == 24, "a run that failed is not judged");
	for (size_t i = 1; i < kept.n; i++)
		wrong += kept.run[i].started_ns <= kept.run[i - 1].started_ns;
	ok(!wrong, "they stand in the order of time");
	ft_kept_clear(&kept);
}

static void test_refused(void)
{
	struct ft_answerer *models;
	struct ft_kept kept;
	struct ft_err err = {0};

	ok(!ft_ask_open(&models, store, "young", NULL, 0, NULL), "open");
	ok(ft_ask_kept(models, &ft_energy_j, &(struct ft_kept_options){0.9, 50, 0}, &kept, &err) ==
			   FT_ENOENT &&
		   err.remedy[0],
	   "%s", err.text);
	ok(ft_ask_kept(models, &ft_wall_s, &(struct ft_kept_options){0.4, 50, 0}, &kept, &err) == FT_EINVAL,
	   "%s", err.text);
	ok(ft_ask_kept(models, &ft_wall_s, &(struct ft_kept_options){NAN, 50, 0}, &kept, &err) == FT_EINVAL,
	   "%s", err.text);
	ok(ft_ask_kept(models, &ft_wall_s, &(struct ft_kept_options){0.9, 0, 0}, &kept, &err) == FT_EINVAL,
	   "%s", err.text);
	ok(ft_ask_kept(models, &ft_wall_s, &(struct ft_kept_options){0.9, FT_KEPT_RUNS_MAX + 1, 0}, &kept,
		       &err) == FT_EINVAL,
	   "%s", err.text);
	ok(!kept.run, "and nothing is left to clear");
	ft_ask_close(models);
}

static void test_no_memory(void)
{
	struct ft_answerer *models;
	struct ft_kept kept;
	size_t made = 0, wrong = 0;

	ok(!ft_ask_open(&models, store, "young", NULL, 0, NULL), "open");
	(void)ft_alloc_fail_at(0);
	ok(!ft_ask_kept(models, &ft_wall_s, &(struct ft_kept_options){0.9, 4, 0}, &kept, NULL),
	   "with memory");
	made = ft_alloc_fail_at(0);
	ft_kept_clear(&kept);
	for (size_t n = 1; n <= made; n += 1 + made / (test_sanitized() ? 60 : 300)) {
		(void)ft_alloc_fail_at(n);
		enum ft_status status =
			ft_ask_kept(models, &ft_wall_s, &(struct ft_kept_options){0.9, 4, 0}, &kept, NULL);
		(void)ft_alloc_fail_at(0);
		wrong += status ? status != FT_ENOMEM || kept.run : kept.n != 4;
		ft_kept_clear(&kept);
	}
	ok(!wrong && made > 20, "%zu allocations, each of many fails in turn", made);
	ft_ask_close(models);
}

int main(void)
{
	open_store();
	test_share();
	test_first();
	test_change();
	test_oracle();
	test_fewer_models();
	test_order();
	test_refused();
	test_no_memory();
	ft_store_close(store);
	return done();
}
