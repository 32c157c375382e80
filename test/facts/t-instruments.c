/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-instruments.c - samples of several instruments in one list of runs, and resources that only runs name. */
#include "named.h"
#include "tap.h"
#include "temp.h"

#include "base/alloc.h"
#include "foretime/facts.h"

static struct ft_run *add_run(struct ft_runs *runs, double n, int64_t started_ns, enum ft_outcome outcome)
{
	struct ft_run run = {.size = {1, {n}}, .outcome = outcome, .work = NAN, .started_ns = started_ns};

	(void)ft_run_add(&run, &ft_wall_s, 0.5, FT_MEASURED, "child", NULL, NULL);
	(void)ft_runs_take(runs, &run, NULL);
	return &runs->run[runs->n - 1];
}

static void add(struct ft_run *run, const struct ft_resource *resource, double value, const char *probe)
{
	(void)ft_run_add(run, resource, value, isnan(value) ? FT_UNAVAILABLE : FT_MEASURED, probe,
			 isnan(value) ? "no" : NULL, NULL);
}

static void test_settle(void)
{
	struct ft_runs runs = {0};

	ok(ft_runs_settle(&runs) == 0, "no runs");
	struct ft_run *r = add_run(&runs, 1, 30, FT_DONE);
	add(r, &ft_energy_j, 10, "rapl");
	add(r, &ft_instructions, 1000, "counters");
	r = add_run(&runs, 2, 10, FT_DONE);
	add(r, &ft_energy_j, 200, "meter");
	r = add_run(&runs, 3, 20, FT_DONE);
	add(r, &ft_energy_j, 300, "meter");
	add(r, &ft_instructions, 900, "valgrind");
	add(r, &ft_instructions, 1001, "counters");
	r = add_run(&runs, 4, 40, FT_FAILED);
	add(r, &ft_energy_j, 1, "nvidia");
	r = add_run(&runs, 5, 50, FT_DONE);
	add(r, &ft_energy_j, NAN, "nvidia");
	ok(ft_runs_settle(&runs) == 4, "four runs lose a value");
	ok(ft_run_value(&runs.run[0], &ft_energy_j) == 10 &&
		   isnan(ft_run_value(&runs.run[1], &ft_energy_j)) &&
		   isnan(ft_run_value(&runs.run[2], &ft_energy_j)) &&
		   isnan(ft_run_value(&runs.run[3], &ft_energy_j)),
	   "the newest good value is of rapl: others go");
	ok(ft_run_value(&runs.run[0], &ft_instructions) == 1000 &&
		   ft_run_value(&runs.run[2], &ft_instructions) == 1001,
	   "each resource by itself");
	ok(runs.run[4].n_samples == 2 && runs.run[4].sample[1].label == FT_UNAVAILABLE,
	   "what is unavailable stays, with its reason");
	ok(ft_run_value(&runs.run[1], &ft_wall_s) == 0.5, "times are left alone");
	ok(ft_runs_settle(&runs) == 0, "and then they are settled");
	ft_runs_clear(&runs);
}

/* A program that reports in some runs only; and runs of somebody else, who knows which he has. */
static void test_reporters(void)
{
	struct ft_runs runs = {0};

	(void)add_run(&runs, 1, 10, FT_DONE);
	struct ft_run *r = add_run(&runs, 2, 20, FT_DONE);
	(void)snprintf(r->sample[0].probe, FT_PROBE_LENGTH, "report");
	add(r, &ft_cpu_s, 0.4, "report");
	r = add_run(&runs, 3, 30, FT_DONE);
	(void)snprintf(r->sample[0].probe, FT_PROBE_LENGTH, "import");
	add(r, &ft_cpu_s, 0.3, "child");
	ok(ft_runs_settle(&runs) == 2, "two runs lose a value");
	ok(isnan(ft_run_value(&runs.run[0], &ft_wall_s)) && ft_run_value(&runs.run[1], &ft_wall_s) == 0.5 &&
		   ft_run_value(&runs.run[2], &ft_wall_s) == 0.5,
	   "the times that the newest of them reported stay, and those that were imported");
	ok(isnan(ft_run_value(&runs.run[1], &ft_cpu_s)) && ft_run_value(&runs.run[2], &ft_cpu_s) == 0.3,
	   "each resource by itself");
	ok(ft_runs_settle(&runs) == 0, "and then they are settled");
	ft_runs_clear(&runs);
}

static void test_counters(void)
{
	struct ft_runs runs = {0};
	const struct ft_resource **counter = NULL;
	size_t n = 9;
	struct ft_err err = {0};

	ok(!ft_runs_counters(&runs, &counter, &n, &err) && !n && !counter, "none");
	struct ft_run *r = add_run(&runs, 1, 1, FT_DONE);
	add(r, named("cache-misses"), 5, "counters");
	add(r, named("page-faults"), NAN, "software");
	add(r, &ft_instructions, 7, "counters");
	r = add_run(&runs, 2, 2, FT_DONE);
	add(r, named("page-faults"), 6, "software");
	add(r, named("cache-misses"), 8, "counters");
	add(r, named("other"), 8, "child");
	ok(!ft_runs_counters(&runs, &counter, &n, &err) && n == 2 && counter[0] == named("cache-misses") &&
		   counter[1] == named("page-faults") && counter[0]->additive &&
		   counter[0]->of == FT_CLASS_COUNT && !*counter[0]->unit,
	   "two, in the order in which they occur");
	ft_free(counter);
	(void)ft_alloc_fail_at(1);
	ok(ft_runs_counters(&runs, &counter, &n, &err) == FT_ENOMEM && !n && !counter, "no memory");
	(void)ft_alloc_fail_at(0);
	ft_runs_clear(&runs);
}

static struct ft_program a_program(void)
{
	return (struct ft_program){.param = {{.name = "n", .stride = 1}}, .n_params = 1};
}

/* A table keeps them. */
static void test_table(void)
{
	struct ft_program program = a_program(), again = a_program();
	struct ft_runs runs = {0}, read = {0};
	struct ft_err err = {0};
	char *text = NULL, *second = NULL;
	FILE *file;

	add(add_run(&runs, 1, 0, FT_DONE), named("cache-misses"), 5, "counters");
	add(add_run(&runs, 2, 0, FT_DONE), named("page-faults"), 77, "software");
	ok(!ft_runs_write(&program, &runs, &text, &err) &&
		   strstr(text, "# counters: cache-misses page-faults\n") &&
		   strstr(text, "n,wall_s,cache-misses,page-faults,outcome"),
	   "a table with their columns");
	file = fopen(temp_path("table.csv"), "w");
	if (file && text) {
		(void)fputs(text, file);
		(void)fclose(file);
	}
	ok(!ft_runs_read(temp_path("table.csv"), &again, &read, &err) && read.n == 2, "is read again: %s",
	   err.text);
	ok(read.n == 2 && ft_run_value(&read.run[0], named("cache-misses")) == 5 &&
		   ft_run_value(&read.run[1], named("page-faults")) == 77 &&
		   isnan(ft_run_value(&read.run[1], named("cache-misses"))),
	   "with their values");
	ok(!ft_runs_write(&again, &read, &second, &err) && text && !strcmp(text, second),
	   "and written the same");
	ft_free(text);
	ft_free(second);
	ft_runs_clear(&runs);
	ft_runs_clear(&read);
	ft_program_clear(&program);
	ft_program_clear(&again);
}

/* A note that names what is not there, or what is there already. */
static void test_odd_tables(void)
{
	struct ft_program program = a_program();
	struct ft_runs read = {0};
	struct ft_err err = {0};
	FILE *file = fopen(temp_path("odd.csv"), "w");

	if (!file)
		return;
	(void)fputs("# counters: nowhere wall_s wall_s misses misses "
		    "a-name-that-is-longer-than-any-resource-may-be\n"
		    "n,wall_s,misses,a-name-that-is-longer-than-any-resource-may-be\n1,2,3,4\n",
		    file);
	(void)fclose(file);
	ok(!ft_runs_read(temp_path("odd.csv"), &program, &read, &err) && read.n == 1, "an odd note: %s",
	   err.text);
	ok(read.n == 1 && ft_run_value(&read.run[0], &ft_wall_s) == 2 &&
		   ft_run_value(&read.run[0], named("misses")) == 3,
	   "what makes sense of it is read");
	ft_runs_clear(&read);
	ft_program_clear(&program);
}

/* Runs of many builds, each with counters of its own: none is lost; what is too much is said. */
static void many_counters(void)
{
	struct ft_program program = {.param = {{.name = "n", .least = 1, .most = 9}}, .n_params = 1},
			  back = {0};
	struct ft_runs runs = {0}, again = {0};
	struct ft_err err = {0};
	const char *path = temp_path("counters.csv");
	char *text = NULL, name[FT_RESOURCE_LENGTH];
	size_t kept = 0;

	for (size_t i = 0; i < 129; i++) {
		struct ft_run run;

		ft_run_init(&run);
		run.size = (struct ft_size){1, {5}};
		(void)snprintf(name, sizeof name, "counter-%zu", i);
		if (ft_run_add(&run, &ft_wall_s, 1, FT_MEASURED, "child", NULL, &err) ||
		    ft_run_add(&run, named(name), (double)i, FT_MEASURED, "counters", NULL, &err) ||
		    ft_runs_take(&runs, &run, &err))
			ok(false, "a run with a counter: %s", err.text);
		runs.n -= i == 128; /* one too many is put aside */
	}
	ok(!ft_runs_write(&program, &runs, &text, &err), "128 counters: %s", err.text);
	ok(temp_write(path, text, 0600), "in a file");
	ok(!ft_runs_read(path, &back, &again, &err) && again.n == 128, "are read again: %s", err.text);
	for (size_t i = 0; i < again.n; i++) {
		(void)snprintf(name, sizeof name, "counter-%zu", i);
		kept += ft_run_value(&again.run[i], named(name)) == (double)i;
	}
	ok(kept == 128, "and none is lost: %zu", kept);
	runs.n++;
	ft_free(text);
	ok(ft_runs_write(&program, &runs, &text, &err) == FT_EINVAL &&
		   strstr(err.text, "129 different counters"),
	   "one more is refused: %s", err.text);
	ft_runs_clear(&again);
	ft_runs_clear(&runs);
	ft_program_clear(&back);
}

int main(void)
{
	test_settle();
	test_reporters();
	test_counters();
	test_table();
	test_odd_tables();
	many_counters();
	temp_remove();
	return done();
}
