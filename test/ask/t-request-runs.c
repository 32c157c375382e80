/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-request-runs.c - what requests read off runs: processors, whether they were brief, what killed ones had
 * reached. */
#include "tap.h"
#include "temp.h"

#include "ask-test.h"
#include "ask/ask.h"

/* ---- brief -----------------------------------------------------------------------------------------------
 */

struct brief_run {
	double n, seconds, bytes;
	enum ft_outcome outcome;
	double one; /* bytes of the largest process; 0: not known */
};

static bool is_brief(const char *name, const struct brief_run *run, size_t n)
{
	int64_t id = add_program(name, "n=1:1000", NULL);
	struct ft_size size = size_of(2);
	struct ft_request request = {.brief = false};

	for (size_t i = 0; i < n; i++) {
		struct ft_run made = made_run(1, run[i].n, 0, run[i].seconds, run[i].bytes, NAN);

		made.outcome = run[i].outcome;
		if (run[i].one > 0)
			(void)ft_run_add(&made, &ft_peak_rss_bytes, run[i].one, FT_MEASURED, "test", NULL,
					 NULL);
		add_run(id, made);
	}
	struct ft_answerer *models = open_models(name);
	if (ft_ask_request(models, &size, 0.1, &request, NULL))
		diag("no request of '%s'", name);
	ft_ask_close(models);
	return request.brief;
}

static void test_brief(void)
{
	const struct brief_run
		quick[] = {{1, 0.1, 1e6, FT_DONE, 0}, {2, 0.2, 2e6, FT_DONE, 0}, {9, 0.999, 9e6, FT_DONE, 0}},
		second[] = {{1, 0.1, 1e6, FT_DONE, 0}, {9, 1, 9e6, FT_DONE, 0}, {2, 0.2, 2e6, FT_DONE, 0}},
		failed[] = {{1, 0.1, 1e6, FT_DONE, 0}, {2, 0.2, 2e6, FT_DONE, 0}, {9, 2, 9e6, FT_FAILED, 0}},
		other[] = {{1, 0.1, 1e6, FT_DONE, 0}, {2, 0.2, 2e6, FT_DONE, 0}, {9, 9, NAN, FT_DONE, 0}},
		timed[] = {{1, 0.1, NAN, FT_DONE, 0}, {2, 0.2, NAN, FT_DONE, 0}},
		alone[] = {{1, 0.1, 1e6, FT_DONE, 1e6}, {2, 0.2, 2e6, FT_DONE, 1.99e6}},
		joined[] = {{1, 0.1, 1e6, FT_DONE, 1e6}, {2, 0.2, 2e6, FT_DONE, 1.5e6}};

	ok(is_brief("quick", quick, 3), "all runs were under a second");
	ok(!is_brief("second", second, 3), "one took a second");
	ok(is_brief("failed", failed, 3) && is_brief("other", other, 3),
	   "one that failed or tells no memory is none of them");
	ok(!is_brief("alone", alone, 2) && is_brief("joined", joined, 2),
	   "what one process held is known, what several held was looked at");
	ok(!is_brief("timed", timed, 2), "where no memory was measured, none was measured too briefly");
}

/* ---- processors ------------------------------------------------------------------------------------------
 */

enum { RUNS = 40, NEAREST = 9 };

/* The median over the nine nearest runs, each of a size of its own. */
static double nearest_cpus(const double *n, const double *cpus, double at, size_t runs)
{
	double near[RUNS], value[RUNS];
	size_t j, most = runs < NEAREST ? runs : NEAREST;

	for (size_t i = 0; i < runs; i++) {
		double far = fabs(log(n[i] / at));

		for (j = i; j && near[j - 1] > far; j--) {
			near[j] = near[j - 1];
			value[j] = value[j - 1];
		}
		near[j] = far;
		value[j] = cpus[i];
	}
	for (size_t i = 1; i < most; i++)
		for (j = i; j && value[j - 1] > value[j]; j--) {
			double larger = value[j - 1];

			value[j - 1] = value[j];
			value[j] = larger;
		}
	return most % 2 ? value[most / 2] : (value[most / 2 - 1] + value[most / 2]) / 2;
}

/* Runs of a serial program that waited for a processor, as is estimated from some of its tasks: never does it
 * ask for two. One that keeps two busy does. */
static void test_serial(void)
{
	static const double kept[] = {1, 2};
	struct ft_random random = {test_seed()};

	for (size_t k = 0; k < 2; k++) {
		struct ft_request request;
		const struct ft_size size = size_of(100);
		int64_t id = add_program(k ? "serial2" : "serial1", "n=1:100000", NULL);

		for (size_t i = 0; i < 24; i++) {
			double cpu = 10 + 20 * (double)(i % 4), alone = cpu / kept[k],
			       waited = alone * (k ? 0.2 : 2 + (double)(i % 5));
			struct ft_run run =
				made_run(1, 80 + 10 * (double)(i % 4), 0, alone + waited, 1e6, cpu);

			if (!k)
				(void)ft_run_add(&run, &ft_run_delay_s,
						 waited * (1.2 + 0.03 * ft_random_normal(&random)),
						 FT_ESTIMATED, "schedstat", NULL, NULL);
			run.processors = 2;
			run.runnable_before = run.runnable_after = k ? 0 : 12;
			add_run(id, run);
		}
		struct ft_answerer *models = open_models(k ? "serial2" : "serial1");
		bool bad = ft_ask_request(models, &size, 0.1, &request, NULL) != FT_OK;
		ok(!bad && ceil(request.cpus - 0.1) == kept[k],
		   "%g processors are kept busy under load, and %g asked for", kept[k], request.cpus);
		ft_ask_close(models);
	}
}

static void test_cpus(void)
{
	struct ft_random random = {test_seed()};
	double n[RUNS], cpus[RUNS];
	size_t k;
	int bad = 0;

	for (size_t runs = 1; runs <= RUNS; runs += 13) {
		struct ft_run warmup = made_run(1, 51, 0, 1, 1e6, 99),
			      failed = made_run(1, 52, 0, 1, 1e6, 99);
		struct ft_request request;
		char name[32];

		(void)snprintf(name, sizeof name, "cpus%zu", runs);
		int64_t id = add_program(name, "n=1:100000", NULL);
		warmup.warmup = true;
		failed.outcome = FT_FAILED;
		add_run(id, warmup);
		add_run(id, failed);
		for (size_t i = 0; i < runs; i++) {
			n[i] = 10 + floor(1000 * pow(ft_random_uniform(&random), 3)) + 0.5 * (double)(i % 2);
			for (k = 0; k < i && n[k] != n[i]; k++)
				;
			n[i] += k < i ? 0.001 * (double)i : 0;
			cpus[i] = 1.3 + 1e-3 * ft_random_uniform(&random);
			add_run(id, made_run(1, n[i], 0, 2, 1e6 + n[i], 2 * cpus[i]));
		}
		struct ft_answerer *models = open_models(name);
		for (size_t i = 0; i < 20; i++) {
			struct ft_size size = size_of(5 + 50.123 * (double)i);

			bad += ft_ask_request(models, &size, 0.1, &request, NULL) ||
			       !near(request.cpus, nearest_cpus(n, cpus, size.value[0], runs), 1e-12);
		}
		ft_ask_close(models);
	}
	ok(!bad, "processors are the median over the nearest runs: %d wrong", bad);
}

/* How far sizes are apart: by ratio along each parameter; 1 where one is not positive. */
static void test_distance(void)
{
	const struct ft_size a = {2, {2, 8}}, b = {2, {4, 1}}, zero = {2, {0, 8}}, minus = {2, {-3, 8}};

	ok(near(ft__size_distance(&a, &b), log(2) + log(8), 1e-12) &&
		   ft__size_distance(&a, &b) == ft__size_distance(&b, &a) && ft__size_distance(&a, &a) == 0 &&
		   ft__size_distance(&zero, &zero) == 0,
	   "ratios");
	ok(ft__size_distance(&a, &zero) == 1 && ft__size_distance(&zero, &a) == 1 &&
		   ft__size_distance(&zero, &minus) == 1,
	   "and where there is none");
}

/* ---- killed ----------------------------------------------------------------------------------------------
 */

static void test_reached(void)
{
	static const struct {
		double n, m, bytes;
		enum ft_outcome outcome;
	} at[] = {{10, 5, 3e6, FT_OUT_OF_MEMORY}, {90, 4, 5e6, FT_OUT_OF_MEMORY},
		  {10, 6, 7e6, FT_OUT_OF_MEMORY}, {10, 1, 9e6, FT_DONE},
		  {10, 2, NAN, FT_OUT_OF_MEMORY}, {20, 5, 2e6, FT_OUT_OF_MEMORY}};
	static const struct {
		double m, reached;
	} query[] = {{5, 5e6}, {4, 5e6}, {4.5, 5e6}, {6, 7e6}, {100, 7e6}};
	const struct ft_size shorter = {1, {10}}, low = {2, {10, 3}};
	struct ft_runs runs = {0};
	int bad = 0;

	for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
		struct ft_run run = made_run(2, at[i].n, at[i].m, NAN, at[i].bytes, NAN);

		run.outcome = at[i].outcome;
		(void)ft_runs_take(&runs, &run, NULL);
	}
	for (size_t i = 0; i < sizeof query / sizeof *query; i++) {
		const struct ft_size size = {2, {1, query[i].m}};

		bad += ft__request_reached(&runs, &ft_peak_tree_bytes, 0, &size) != query[i].reached;
	}
	ok(!bad, "the most that killed runs had reached, of those that are not above in the others: %d wrong",
	   bad);
	ok(isnan(ft__request_reached(&runs, &ft_peak_tree_bytes, 0, &low)) &&
		   isnan(ft__request_reached(&runs, &ft_peak_tree_bytes, 0, &shorter)) &&
		   isnan(ft__request_reached(&runs, &ft_peak_rss_bytes, 0, &(struct ft_size){2, {1, 9}})),
	   "where none tells it is not known");
	ft_runs_clear(&runs);
}

int main(void)
{
	open_store();
	test_brief();
	test_cpus();
	test_serial();
	test_distance();
	test_reached();
	ft_store_close(store);
	temp_remove();
	return done();
}
