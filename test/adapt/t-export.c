/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-export.c - runs written and read back; what is stored already; memory that runs out on both ways. */
#include "adapt-test.h"
#include "adapt/door.h"
#include "base/alloc.h"
#include "base/random.h"

#include <limits.h>

#define LIST(...)                                                                                            \
	(const char *const[])                                                                                \
	{                                                                                                    \
		__VA_ARGS__                                                                                  \
	}

static struct ft_import import;

/* ---- round trips -------------------------------------------------------------------------------------- */

/* Runs of a program of two parameters, at random. */
static void make_runs(struct ft_random *random, struct ft_program *program, struct ft_runs *runs,
		      bool only_good)
{
	size_t i, n = 1 + ft_random_below(random, 20);

	*program = (struct ft_program){.name = ft_strdup("a-program,<quoted>"),
				       .hash = ft_strdup(""),
				       .where = ft_strdup("n <= 1000 && m > 0"),
				       .work = ft_strdup("n*m"),
				       .n_params = 2};
	program->param[0] = (struct ft_param){.name = "n", .least = 1, .most = 1000, .stride = 1};
	program->param[1] = (struct ft_param){.name = "m", .least = 1, .most = 1000, .stride = 1};
	for (i = 0; i < n; i++) {
		struct ft_run run;

		ft_run_init(&run);
		run.size.n = 2;
		run.size.value[0] = (double)(1 + ft_random_below(random, 3));
		run.size.value[1] = (double)(1 + ft_random_below(random, 3)) / 4;
		run.cost_s = ldexp((double)(1 + ft_random_bits(random) % 1000003), -20);
		(void)ft_run_add(&run, &ft_wall_s, run.cost_s, FT_MEASURED, "fake", NULL, NULL);
		(void)ft_run_add(&run, &ft_peak_rss_bytes, (double)ft_random_below(random, 1u << 30),
				 FT_ESTIMATED, "fake", NULL, NULL);
		if (!only_good && !ft_random_below(random, 4))
			run.outcome = FT_TIMED_OUT;
		(void)ft_runs_take(runs, &run, NULL);
	}
}

/* Whether two lists have the same values at the same sizes, in some order. */
static bool same_runs(const struct ft_runs *a, const struct ft_runs *b)
{
	struct ft_runs copy = {0};
	size_t dropped = 0;
	bool good = a->n == b->n;

	for (size_t i = 0; i < a->n && good; i++) {
		struct ft_run run = {.size = a->run[i].size,
				     .outcome = a->run[i].outcome,
				     .started_ns = a->run[i].started_ns};

		(void)ft_run_add(&run, &ft_wall_s, ft_run_value(&a->run[i], &ft_wall_s), FT_MEASURED, "x",
				 NULL, NULL);
		(void)ft_run_add(&run, &ft_peak_rss_bytes, ft_run_value(&a->run[i], &ft_peak_rss_bytes),
				 FT_MEASURED, "x", NULL, NULL);
		good = !ft_runs_take(&copy, &run, NULL);
	}
	good = good && !ft_import_fresh(&copy, b, &dropped, NULL) && dropped == b->n && copy.n == 0;
	ft_runs_clear(&copy);
	return good;
}

static void round_trips(const char *name, bool only_good)
{
	const struct ft_format *format;
	uint64_t seed = test_seed();
	int i, n = test_cases(200);
	bool good = !ft_format_find(name, &format, NULL);

	for (i = 0; i < n && good; i++) {
		struct ft_random random = {seed + (uint64_t)i};
		struct ft_program program;
		struct ft_runs runs = {0};
		struct ft_err err = {0};
		char *text = NULL;
		size_t left_out;

		make_runs(&random, &program, &runs, only_good);
		ft_import_clear(&import);
		good = !ft_export_write(format, &program, NULL, &runs, &text, &left_out, &err) && !left_out &&
		       !ft_import_parse(&import, "f", text, strlen(text), NULL, &err) && import.n == 1 &&
		       import.format == format && !strcmp(import.part[0].program.name, program.name) &&
		       same_runs(&runs, &import.part[0].runs);
		if (!good)
			diag("seed %llu case %d: %s\n%s", (unsigned long long)seed, i, err.text,
			     text ? text : "");
		if (good && strcmp(name, "extrap-lines") != 0)
			good = !strcmp(import.part[0].program.where, program.where) &&
			       !strcmp(import.part[0].program.work, program.work);
		ft_free(text);
		ft_runs_clear(&runs);
		ft_program_clear(&program);
	}
	ok(good, "%d round trips through %s", n, name);
}

/* What others call their machines is no line of the table. */
static void machine_notes(void)
{
	struct ft_machine machine = {.fingerprint = (char *)"0123456789abcdef",
				     .host = (char *)"a\n9,9\r\nb"};
	const struct ft_format *format;
	struct ft_random random = {1};
	struct ft_program program;
	struct ft_runs runs = {0};
	char *text = NULL;

	(void)ft_format_find("csv", &format, NULL);
	make_runs(&random, &program, &runs, false);
	ft_import_clear(&import);
	ok(!ft_export_write(format, &program, &machine, &runs, &text, NULL, NULL) &&
		   !ft_import_parse(&import, "f", text, strlen(text), NULL, NULL) && import.n == 1 &&
		   import.part[0].runs.n == runs.n && import.machine.host &&
		   !strcmp(import.machine.host, "a 9,9  b"),
	   "a host of several lines becomes one");
	ft_free(text);
	ft_runs_clear(&runs);
	ft_program_clear(&program);
}

/* ---- what is stored already --------------------------------------------------------------------------- */

static void add_plain(struct ft_runs *runs, double n, double wall, int64_t started)
{
	struct ft_run run = {.size = {.n = 1, .value = {n}}, .started_ns = started};

	(void)ft_run_add(&run, &ft_wall_s, wall, FT_MEASURED, "x", NULL, NULL);
	(void)ft_runs_take(runs, &run, NULL);
}

static void fresh(void)
{
	struct ft_runs runs = {0}, stored = {0};
	size_t dropped;

	add_plain(&runs, 1, 0.5, 0);
	add_plain(&runs, 1, 0.5, 0);
	add_plain(&runs, 1, 0.5, 7);
	add_plain(&runs, 2, 0.5, 0);
	add_plain(&runs, 2, 0.25, 0);
	add_plain(&stored, 2, 0.25, 0);
	add_plain(&stored, 1, 0.5, 0);
	add_plain(&stored, 3, 0.5, 0);
	ok(!ft_import_fresh(&runs, &stored, &dropped, NULL) && dropped == 2 && runs.n == 3 &&
		   runs.run[0].size.value[0] == 1 && runs.run[1].started_ns == 7 &&
		   runs.run[2].size.value[0] == 2 && ft_run_value(&runs.run[2], &ft_wall_s) == 0.5,
	   "one for one, and the others in their order");
	ok(!ft_import_fresh(&runs, &(struct ft_runs){0}, &dropped, NULL) && !dropped && runs.n == 3,
	   "nothing is stored");
	ft_runs_clear(&runs);
	ft_runs_clear(&stored);
}

/* ---- faults ------------------------------------------------------------------------------------------- */

/* Every allocation of reading a file fails once. libcsv tries again with less: then all is there. */
static void faults(const char *name, struct ft_import_options options)
{
	unsigned long made = ULONG_MAX, failed = 0;
	bool good =
		(ft_import_clear(&import), true) && !ft_import_read(&import, data_path(name), &options, NULL);
	size_t whole = import.runs, parts = import.n;

	for (unsigned long n = 1; made >= n - 1 && good; n++) {
		struct ft_err err = {0};

		ft_import_clear(&import);
		(void)ft_alloc_fail_at(n);
		enum ft_status status = ft_import_read(&import, data_path(name), &options, &err);
		made = ft_alloc_fail_at(0);
		good = status ? status == FT_ENOMEM && !import.part && !import.machine.host
			      : import.runs == whole && import.n == parts;
		failed += status != FT_OK;
		if (!good)
			diag("%s: allocation %lu of %lu: %d %s", name, n, made, status, err.text);
	}
	ok(good && failed + 2 >= made, "%s: memory that runs out at each of %lu places", name, failed);
	ft_import_clear(&import);
}

static void write_faults(const char *name)
{
	const struct ft_format *format;
	struct ft_random random = {7};
	struct ft_program program;
	struct ft_runs runs = {0};
	unsigned long made = ULONG_MAX;
	bool good = !ft_format_find(name, &format, NULL);

	make_runs(&random, &program, &runs, true);
	for (unsigned long n = 1; made >= n - 1 && good; n++) {
		char *text = NULL;

		(void)ft_alloc_fail_at(n);
		enum ft_status status = ft_export_write(format, &program, NULL, &runs, &text, NULL, NULL);
		made = ft_alloc_fail_at(0);
		good = made < n ? !status : status == FT_ENOMEM && !text;
		ft_free(text);
	}
	ok(good, "%s: memory that runs out, writing", name);
	ft_runs_clear(&runs);
	ft_program_clear(&program);
}

int main(void)
{
	round_trips("csv", false);
	round_trips("extrap", true);
	round_trips("extrap-lines", true);
	machine_notes();
	fresh();
	faults("hyperfine-failing.json", (struct ft_import_options){0});
	faults("extrap.txt", (struct ft_import_options){0});
	faults("extrap.jsonl", (struct ft_import_options){0});
	faults("snakemake-extended.tsv", (struct ft_import_options){0});
	faults("nextflow.txt", (struct ft_import_options){.size = LIST("n=name:/n(\\d+)/"), .n_sizes = 1});
	faults("sacct.txt", (struct ft_import_options){.size = LIST("n=JobName:/_(\\d+)$/"), .n_sizes = 1});
	write_faults("csv");
	write_faults("extrap");
	write_faults("extrap-lines");
	ft_import_clear(&import);
	return done();
}
