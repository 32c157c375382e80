/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-passes.c - levels of memory on the way to a size beyond the data. */
#include "tap.h"
#include "temp.h"

#include "ask-test.h"
#include "ask/door.h"

/* Runs are on the machine that was added last. */
static void add_machine(const char *fingerprint, const char *host, int64_t l2, int64_t l3, int64_t memory)
{
	struct ft_machine m = {.fingerprint = strdup(fingerprint),
			       .host = strdup(host),
			       .l2_bytes = l2,
			       .l3_bytes = l3,
			       .memory_bytes = memory};
	struct ft_err err = {0};

	if (ft_store_put_machine(store, &m, &err))
		diag("%s", err.text);
	machine = m.id;
	ft_machine_clear(&m);
}

/* Runs of 1000 bytes for each n, up to n = 1000; one that failed held more. */
static void add_runs(const char *name, bool tree)
{
	int64_t id = add_program(name, "n=100:100000", NULL);

	for (double n = 100; n <= 1000; n += 100) {
		struct ft_run run = made_run(1, n, 0, n / 1000, tree ? 1000 * n : NAN, NAN);

		if (!tree)
			(void)ft_run_add(&run, &ft_peak_rss_bytes, 1000 * n, FT_MEASURED, "test", NULL, NULL);
		add_run(id, run);
	}
	struct ft_run failed = made_run(1, 5000, 0, 5, 5e6, NAN);
	failed.outcome = FT_FAILED;
	add_run(id, failed);
}

static void check(const char *name)
{
	struct ft_answerer *models = open_models(name);
	struct ft_pass pass[FT_PASSES_MAX];
	struct ft_size size = size_of(1500);

	ok(ft_ask_passes(models, &size, pass) == 0, "%s: nothing between 1 and 1.5 MB", name);
	size = size_of(2500);
	ok(ft_ask_passes(models, &size, pass) == 1 && !strcmp(pass[0].level, "L2 cache") &&
		   pass[0].bytes == 2e6 && pass[0].held == 1e6 && near(pass[0].needed, 2.5e6, 0.02),
	   "the L2 cache lies between 1 and 2.5 MB");
	size = size_of(50000);
	ok(ft_ask_passes(models, &size, pass) == 3 && !strcmp(pass[0].level, "L2 cache") &&
		   !strcmp(pass[1].level, "L3 cache") && pass[1].bytes == 1e7 &&
		   !strcmp(pass[2].level, "memory") && pass[2].bytes == 4e7,
	   "three levels lie between 1 and 50 MB");
	ft_ask_close(models);
}

int main(void)
{
	const struct ft_cycles cycles = {.cpi = 1, .hz = 1e9};
	struct ft_pass pass[FT_PASSES_MAX];
	struct ft_size size = size_of(2500);
	struct ft_err err = {0};

	open_store();
	add_machine("00000000000000ff", "far", (int64_t)1e6, (int64_t)2.4e6, 0);
	add_runs("there", true);
	add_machine("00000000000000bb", "here", (int64_t)2e6, (int64_t)1e7, (int64_t)4e7);
	add_runs("tree", true);
	add_runs("resident", false);
	check("tree");
	check("resident");

	struct ft_answerer *models = open_models("tree");
	ok(!ft_ask_elsewhere(models, "far", &cycles, &err) && ft_ask_passes(models, &size, pass) == 2 &&
		   pass[0].bytes == 1e6 && pass[1].bytes == 2.4e6,
	   "elsewhere the levels of that machine count; what just fits counts too");
	ft_ask_close(models);
	add_run(add_program("timed", "n=1:1000", NULL), made_run(1, 100, 0, 1, NAN, NAN));
	models = open_models("timed");
	ok(ft_ask_passes(models, &size, pass) == 0, "of memory that nobody measured nothing is said");
	ft_ask_close(models);
	ft_store_close(store);
	temp_remove();
	return done();
}
