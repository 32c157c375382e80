/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-few.c - of very many runs a few stand for all: answers are the same, and they stand no longer when runs
 * come or go. */
#include "tap.h"
#include "temp.h"

#include "ask-test.h"
#include "ask/door.h"
#include "base/alloc.h"
#include "store/door.h"

enum { RUNS = 1200, SIZES = 300, FEW_MOST = 64 };

static const int64_t begin_ns = 1700000000000000000;

static double size_at(int i)
{
	return 10 + 7 * (double)(i % SIZES);
}

/* Runs a second apart; the first of all is not of the least size, and the last not of the largest. */
static int64_t add_many(const char *name)
{
	int64_t id = add_program(name, "n=1:10000", NULL);
	struct ft_random random = {5};
	struct ft_runs runs = {0};
	struct ft_err err = {0};

	for (int i = 0; i < RUNS; i++) {
		double n = size_at(i + 100), seconds = 1e-3 * n * exp(0.02 * ft_random_normal(&random));
		struct ft_run run = made_run(1, n, 0, seconds, 1e6 + 4096 * n, 0.9 * seconds);

		run.started_ns = begin_ns + 1000000000LL * (int64_t)i;
		run.real = i % 2;
		run.processors = 4;
		run.runnable_before = i % 3;
		if (i == 234) /* among all of them one is not whole, and not among the few */
			run.size.value[0] -= 0.5;
		if (ft_runs_take(&runs, &run, &err))
			diag("%s", err.text);
	}
	if (ft_store_add_runs(store, id, machine, &runs, &err))
		diag("%s", err.text);
	ft_runs_clear(&runs);
	return id;
}

static struct ft_answerer *open_few(const char *name)
{
	struct ft_answerer *models = NULL;
	struct ft_err err = {0};

	if (ft_ask_open_models(&models, store, name, NULL, NULL, machine, &err))
		diag("%s", err.text);
	return models;
}

/* What is told of a program without asking for all of its runs. */
struct told {
	struct ft_prediction wall[5], bytes;
	struct ft_size any;
	size_t axes, axis[FT_PARAMS_MAX], passes, runs, resources;
	char names[256];
};

static void ask(struct ft_answerer *models, struct told *told)
{
	static const double at[] = {10, 100, 1234, 2103, 9000};
	struct ft_pass pass[FT_PASSES_MAX];
	const struct ft_resource *resource;
	struct ft_size size = size_of(9000);

	memset(told, 0, sizeof *told);
	for (size_t i = 0; i < 5; i++) {
		struct ft_size n = size_of(at[i]);

		if (ft_ask_predict(models, &ft_wall_s, &n, 0.9, &told->wall[i], NULL))
			diag("no answer at %g", at[i]);
	}
	(void)ft_ask_predict(models, &ft_peak_tree_bytes, &size, 0.9, &told->bytes, NULL);
	told->any = ft_ask_any_size(models);
	told->axes = ft_ask_axes(models, told->axis);
	told->passes = ft_ask_passes(models, &size, pass);
	told->runs = ft_ask_count(models);
	for (; (resource = ft_ask_resource(models, told->resources)); told->resources++)
		(void)snprintf(told->names + strlen(told->names), sizeof told->names - strlen(told->names),
			       "%s ", resource->name);
}

static bool is_same(const struct ft_prediction *a, const struct ft_prediction *b)
{
	return a->value > 0 && a->value == b->value && a->lower == b->lower && a->upper == b->upper &&
	       a->known == b->known && a->basis == b->basis && a->runs == b->runs;
}

static bool tell_the_same(const struct told *a, const struct told *b)
{
	bool same = is_same(&a->bytes, &b->bytes) && ft_size_equal(&a->any, &b->any) && a->axes == b->axes &&
		    a->axis[0] == b->axis[0] && a->passes == b->passes && a->runs == b->runs &&
		    !strcmp(a->names, b->names);

	for (size_t i = 0; i < 5; i++)
		same = same && is_same(&a->wall[i], &b->wall[i]);
	return same;
}

static void test_same(void)
{
	struct ft_answerer *models = open_models("many");
	struct ft_size size = size_of(500);
	struct ft_prediction p = {0}, q = {0};
	struct told whole, first, few;

	ask(models, &whole);
	ok(ft_ask_runs(models)->n == RUNS && whole.runs == RUNS && whole.resources == 3, "all runs: %s",
	   whole.names);
	ft_ask_close(models);
	models = open_few("many");
	ask(models, &first);
	ok(ft_ask_runs(models)->n == RUNS && tell_the_same(&first, &whole),
	   "models alone: the first time all are read");
	ft_ask_close(models);
	models = open_few("many");
	ask(models, &few);
	ok(ft_ask_runs(models)->n <= FEW_MOST && tell_the_same(&few, &whole),
	   "then %zu of %zu, and the answers are the same", ft_ask_runs(models)->n, few.runs);
	const struct ft_run *kept = ft_ask_runs(models)->run;
	ok(!ft_ask_predict(models, &ft_cpu_s, &size, 0.9, &p, NULL) && ft_ask_runs(models)->n == RUNS &&
		   kept->size.value[0] == size_at(100),
	   "a model that was not made yet is made of all; what was handed out stays");
	ft_ask_close(models);
	models = open_models("many");
	ok(!ft_ask_predict(models, &ft_cpu_s, &size, 0.9, &q, NULL) && is_same(&p, &q),
	   "as it would have been");
	ft_ask_close(models);
}

/* Values by size, and what all runs together were: as they are of all runs, though few are read. */
static void test_values(void)
{
	static const struct ft_resource *const resource[] = {&ft_wall_s, &ft_peak_tree_bytes, &ft_energy_j};

	for (size_t r = 0; r < 3; r++) {
		struct ft_answerer *all = open_models("many"), *few;
		struct ft_size_values *whole = NULL, *first = NULL, *again = NULL;
		size_t n = 0, m = 0, k = 0, wrong = 0;
		struct ft_ask_whole of_all = ft_ask_all(all), of_few;

		ok(!ft_runs_values(ft_ask_runs(all), resource[r], &whole, &n, NULL) && n == SIZES + 1,
		   "all runs by size: %s", resource[r]->name);
		few = open_few("many");
		ok(!ft_ask_values(few, resource[r], &first, &m, NULL) && ft_ask_runs(few)->n == RUNS,
		   "the first time all are read");
		ft_ask_close(few);
		few = open_few("many");
		ok(!ft_ask_values(few, resource[r], &again, &k, NULL) && ft_ask_runs(few)->n <= FEW_MOST,
		   "then few are");
		for (size_t i = 0; i < n && n == m && n == k; i++)
			wrong += whole[i].n != again[i].n || whole[i].failed != again[i].failed ||
				 again[i].failure || !ft_size_equal(&whole[i].size, &again[i].size) ||
				 !ft_size_equal(&whole[i].size, &first[i].size) ||
				 (whole[i].n ? whole[i].median != again[i].median ||
						       whole[i].least != again[i].least ||
						       whole[i].most != again[i].most
					     : !isnan(again[i].median));
		ok(n == m && n == k && !wrong, "they are the same to the last bit: %zu of %zu are not", wrong,
		   n);
		of_few = ft_ask_all(few);
		ok(of_all.real == RUNS / 2 && of_few.real == of_all.real &&
			   of_few.slow_down == of_all.slow_down && of_all.others > 0 &&
			   of_few.others == of_all.others && ft_ask_program(few)->param[0].stride == 0.1 &&
			   ft_ask_program(all)->param[0].stride == 0.1,
		   "all together: %zu real, %g times as long, beside %g, stride %g", of_few.real,
		   of_few.slow_down, of_few.others, ft_ask_program(few)->param[0].stride);
		ft_ask_close(all);
		ft_ask_close(few);
		free(whole);
		free(first);
		free(again);
	}
}

/* What is kept of values may be damaged, or nothing that was kept: they are found anew. */
static void test_damaged(int64_t id)
{
	/* From the fifth on, behind the right numbers of runs. */
	static const char *const text[] = {"",      "x",        "6000", "1e300 -1e300", "10 1e300 1 1 1",
					   "10 -4", "10 3 1 2", "nan"};
	char key[64], filled[96];
	size_t i, wrong = 0;

	(void)snprintf(key, sizeof key, "values %lld %lld cpu_s", (long long)id, (long long)machine);
	for (i = 0; i < sizeof text / sizeof *text; i++) {
		struct ft_answerer *few = open_few("many");
		const struct ft_runs *runs = ft_ask_runs(few);
		struct ft_size_values *values = NULL;
		size_t n = 0;

		(void)snprintf(filled, sizeof filled, "%d %lld\n%s", RUNS,
			       (long long)runs->run[runs->n - 1].id, text[i]);
		wrong += ft_store_put_known(store, key, i < 4 ? text[i] : filled, NULL) != FT_OK ||
			 ft_ask_values(few, &ft_cpu_s, &values, &n, NULL) || n != SIZES + 1 ||
			 values[0].n != RUNS / SIZES;
		free(values);
		ft_ask_close(few);
	}
	ok(!wrong, "damaged values are found anew: %zu of %zu are not", wrong, i);
}

/* When the first of them ran, by all or by few; and that none is of an older program. */
static void test_since(void)
{
	struct ft_answerer *all = open_models("many"), *few = open_few("many");
	int64_t since_all = 1, since_few = 2;

	ok(ft_ask_older(all, &since_all) == 0 && ft_ask_older(few, &since_few) == 0 &&
		   ft_ask_older(few, NULL) == 0,
	   "none is of an older program");
	ok(since_all == begin_ns && since_few == begin_ns, "since the first of them");
	ft_ask_close(all);
	ft_ask_close(few);
}

/* How many are read the first time, and the next. */
static void expect(const char *name, size_t first, bool few, const char *what)
{
	struct ft_answerer *models = open_few(name);
	size_t n = models ? ft_ask_runs(models)->n : 0, then;

	ft_ask_close(models);
	models = open_few(name);
	then = models ? ft_ask_runs(models)->n : 0;
	ok(n == first && (few ? then > 0 && then <= FEW_MOST : then == first) && models &&
		   ft_ask_count(models) == first,
	   "%s: %zu, then %zu", what, n, then);
	ft_ask_close(models);
}

static void test_stale(int64_t id)
{
	struct ft_run run = made_run(1, 5000, 0, 5, 1e7, 4.5);
	size_t removed;

	run.started_ns = begin_ns - 1000000000LL;
	add_run(id, run);
	expect("many", RUNS + 1, true, "a run is added");
	struct ft_answerer *models = open_few("many");
	ok(ft_ask_runs(models)->run[ft_ask_runs(models)->n - 1].size.value[0] == 5000, "it is among the few");
	ft_ask_close(models);
	ok(!ft_store_remove_runs(store, "many", machine, begin_ns + 1000000000LL, begin_ns + 2500000000LL,
				 &removed, NULL) &&
		   removed == 2,
	   "two are removed");
	expect("many", RUNS - 1, true, "then");
	run = made_run(1, 5000, 0, 5, 1e7, 4.5);
	run.outcome = FT_OUT_OF_MEMORY;
	add_run(id, run);
	expect("many", RUNS, false, "where one failed, all are read");
}

static void test_others(void)
{
	struct ft_random random = {3};

	add_random("some", &random, 10);
	expect("some", 30, false, "of not so many all are read");
}

static void test_list(void)
{
	struct ft_store_list first = {0}, again = {0};
	struct ft_err err = {0};

	if (ft_store_get_list(store, "many", &first, &err) || ft_store_get_list(store, "many", &again, &err))
		diag("%s", err.text);
	ok(first.n == 1 && first.entry->runs == RUNS && first.entry->failed == 1 &&
		   first.entry->sizes == SIZES + 2 && first.entry->first_ns == begin_ns - 1000000000LL,
	   "a list counts them: %zu, %zu failed, %zu sizes", first.n ? first.entry->runs : 0,
	   first.n ? first.entry->failed : 0, first.n ? first.entry->sizes : 0);
	ok(again.n == 1 && again.entry->runs == RUNS && again.entry->failed == 1 &&
		   again.entry->sizes == SIZES + 2 && again.entry->first_ns == first.entry->first_ns &&
		   again.entry->last_ns == first.entry->last_ns,
	   "and remembers what it counted");
	ft_store_list_clear(&again);
	add_run(first.entry->program, made_run(1, 6000, 0, 6, NAN, NAN));
	ok(!ft_store_get_list(store, "many", &again, &err) && again.entry->runs == RUNS + 1 &&
		   again.entry->sizes == SIZES + 3,
	   "until a run comes");
	ft_store_list_clear(&first);
	ft_store_list_clear(&again);
}

static void test_faults(void)
{
	unsigned long wrong = 0;

	(void)ft_alloc_fail_at(0);
	struct ft_answerer *models = open_few("spare");
	ft_ask_close(models);
	(void)ft_alloc_fail_at(0);
	models = open_few("spare");
	unsigned long total = ft_alloc_fail_at(0);
	ft_ask_close(models);
	for (unsigned long n = 1; n <= total; n++) {
		(void)ft_alloc_fail_at(n);
		enum ft_status status =
			ft_ask_open_models(&models, store, "spare", NULL, NULL, machine, NULL);
		(void)ft_alloc_fail_at(0);
		/* What was kept is looked for, and done without. */
		if (status == FT_OK ? !ft_ask_count(models) : status != FT_ENOMEM)
			wrong++;
		ft_ask_close(models);
	}
	ok(!wrong && total > 8, "of %lu allocations each may fail: %lu answers are wrong", total, wrong);
}

int main(void)
{
	open_store();
	int64_t id = add_many("many");
	test_same();
	test_values();
	test_damaged(id);
	test_since();
	test_stale(id);
	test_others();
	test_list();
	(void)add_many("spare");
	test_faults();
	ft_store_close(store);
	temp_remove();
	return done();
}
