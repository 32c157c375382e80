/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-budget.c - what a build waits for: what counts of its budget, where it goes on after it was killed, and
 * which sizes it leaves out. */
#include "bench.h"
#include "build/door.h"
#include "facts/door.h"
#include "fake-source.h"
#include "measure/door.h"
#include "tap.h"
#include "temp.h"

#include <math.h>

static double no_bytes(double x)
{
	(void)x;
	return NAN;
}

static double rising(double x)
{
	return 1e-6 * x * sqrt(x) * (1 + 0.1 * sin(x / 300));
}

struct stopper {
	volatile sig_atomic_t flag;
	int left;
};

static void count_down(void *ctx, const struct ft_progress *progress)
{
	struct stopper *stopper = ctx;

	(void)progress;
	if (--stopper->left == 0)
		stopper->flag = 1;
}

/* The sizes that were run, in their order; ends with free. */
static double *sizes_run(const struct bench *b, size_t *n)
{
	struct ft_runs runs = {0};
	double *size = NULL;

	*n = 0;
	if (!ft_store_get_runs(b->store, b->program.id, b->machine.id, &runs, NULL) &&
	    (size = calloc(runs.n + 1, sizeof *size)))
		for (size_t i = 0; i < runs.n; i++)
			size[(*n)++] = runs.run[i].size.value[0];
	ft_runs_clear(&runs);
	return size;
}

static void use(struct bench *b, const char *path, struct fake_source *source)
{
	struct ft_program *p = &b->program;

	*b = (struct bench){0};
	p->name = strdup("fake");
	p->hash = strdup("");
	p->n_params = 1;
	b->machine.fingerprint = strdup("0123456789abcdef");
	if (ft_param_parse("n=64:3000", &p->param[0], &b->err) ||
	    ft_store_open(&b->store, path, 0, &b->err) ||
	    ft_store_put_machine(b->store, &b->machine, &b->err))
		diag("%s", b->err.text);
	b->source = &source->source;
}

static enum ft_status sweep(struct bench *b, struct ft_sweep_options options)
{
	if (!options.builder)
		options.builder = ft_builder_type_find("adaptive");
	if (!options.resource)
		options.resource = &ft_wall_s;
	ft_sweep_report_clear(&b->report);
	b->err = (struct ft_err){0};
	enum ft_status status =
		ft_sweep_run(b->store, &b->program, &b->machine, b->source, &options, &b->report, &b->err);
	if (status)
		diag("%s; %s", b->err.text, b->err.remedy);
	return status;
}

/* Killed after every so-manieth run, with a budget that ends it: the sizes are those of one that was not. */
static void test_killed(struct fake_source source, struct ft_sweep_options options, int every,
			const char *what)
{
	struct fake_source again = source;
	struct stopper stopper;
	struct bench whole, parts;
	size_t n, m, same = 0, kills = 0;
	char path[2][64];

	(void)snprintf(path[0], sizeof path[0], "unkilled-%s-%d.db", what, every);
	(void)snprintf(path[1], sizeof path[1], "killed-%s-%d.db", what, every);
	use(&whole, temp_path(path[0]), &source);
	(void)sweep(&whole, options);
	double *size = sizes_run(&whole, &n);
	use(&parts, temp_path(path[1]), &again);
	options.progress = count_down;
	options.progress_ctx = &stopper;
	options.interrupt = &stopper.flag;
	do {
		stopper = (struct stopper){.left = every + 1};
		if (sweep(&parts, options))
			break;
		kills += parts.report.stop == FT_STOP_INTERRUPTED;
	} while (parts.report.stop == FT_STOP_INTERRUPTED && kills < 1000);
	double *other = sizes_run(&parts, &m);
	for (size_t i = 0; i < n && i < m; i++)
		same += size[i] == other[i];
	ok(n > 6 && n == m && same == n && kills > 0 && whole.report.stop == parts.report.stop,
	   "%s: interrupted %zu times: %zu of %zu runs at the same sizes in the same order, %zu in all", what,
	   kills, same, n, m);
	free(size);
	free(other);
	whole.source = parts.source = NULL;
	tear_down(&whole);
	tear_down(&parts);
}

/* With scatter, of all kinds of wishes: repetitions, budgets, tolerances, what steers, where it ends. */
static void test_kinds_killed(void)
{
	static const struct {
		const char *what, *builder;
		struct ft_sweep_options options;
	} kind[] = {
		{"repeated", "adaptive", {.reps_least = 3, .reps_most = 5}},
		{"once", "adaptive", {.reps_least = 1, .reps_most = 1, .tolerance = 0.02}},
		{"narrow", "adaptive", {.tolerance = 0.02, .budget_s = 3}},
		{"poor", "adaptive", {.budget_s = 0.5}},
		{"points", "adaptive", {.points = 9, .tolerance = 0.01}},
		{"near", "adaptive", {.far = FT_FAR_HALF}},
		{"climbed", "gbbp", {.reps_least = 2, .reps_most = 4}},
		{"climbed-poor", "gbbp", {.budget_s = 3}},
		{"even", "naive", {.points = 12, .reps_least = 3, .reps_most = 6}},
		{"even-poor", "naive", {.points = 12, .budget_s = 2}},
	};
	struct fake_source noisy = make_fake(rising, no_bytes), odd;
	struct ft_sweep_options options;

	noisy.noise = 0.08;
	odd = noisy;
	odd.odd_fails = 3;
	odd.start_s = 0.01;
	for (size_t i = 0; i < sizeof kind / sizeof *kind; i++) {
		char what[32];

		options = kind[i].options;
		options.builder = ft_builder_type_find(kind[i].builder);
		/* Each restart computes all again: often where runs fail, too, and after longer stretches elsewhere. */
		test_killed(noisy, options, 5, kind[i].what);
		(void)snprintf(what, sizeof what, "%s-odd", kind[i].what);
		test_killed(odd, options, 2, what);
	}
}

static void test_kills(void)
{
	struct fake_source plain = make_fake(rising, no_bytes), slow = plain, odd = plain, ends = plain;

	slow.start_s = 0.05;
	odd.odd_fails = 2;
	ends.fails_from = 1500;
	for (int every = 1; every <= 7; every += 3) {
		test_killed(plain, (struct ft_sweep_options){.budget_s = 3}, every, "budget");
		test_killed(slow, (struct ft_sweep_options){.budget_s = 3}, every, "start");
		test_killed(odd, (struct ft_sweep_options){.budget_s = 2}, every, "accidents");
		test_killed(ends, (struct ft_sweep_options){.budget_s = 2}, every, "edge");
	}
}

/* What is waited is what runs cost in all, not the seconds that they report. */
static void test_waited(void)
{
	struct fake_source source = make_fake(rising, no_bytes);
	struct bench b;

	source.start_s = 0.2;
	use(&b, temp_path("waited.db"), &source);
	(void)sweep(&b, (struct ft_sweep_options){.budget_s = 6, .tolerance = 1e-4});
	ok(b.report.stop == FT_STOP_BUDGET && b.report.cost_s <= 6 && b.report.cost_s > 5,
	   "starts of processes count: %.2f s of 6 in %zu runs", b.report.cost_s, b.report.runs);
	size_t n = b.report.runs;
	(void)sweep(&b, (struct ft_sweep_options){.budget_s = 6, .tolerance = 1e-4});
	ok(!b.report.runs && b.report.known == n && b.report.known_cost_s > 5,
	   "and those made before: no budget is left");
	(void)sweep(&b, (struct ft_sweep_options){.budget_s = 9, .tolerance = 1e-4});
	ok(b.report.cost_s > 1.5 && b.report.cost_s + b.report.known_cost_s <= 9,
	   "of a larger one its rest: %.2f s", b.report.cost_s);
	b.source = NULL;
	tear_down(&b);
}

static double square(double x)
{
	return 8e-4 + 1e-9 * x * x;
}

static double count_square(double x)
{
	return 500 + 8 * x * x;
}

static double counted_s(double x)
{
	return 0.4 + 4e-8 * x * x;
}

static double counted_dear_s(double x)
{
	return 0.4 + 4e-5 * x * x;
}

/* A builder that steers by instructions knows no seconds. Of two small sizes, the first of which was counted
 * when it was warmed up, the next one seems to take minutes: a nearer one tells that it does not. Where it
 * does, the budget is spent on what it reaches. */
static void test_counted(void)
{
	struct ft_source_ops live = fake_ops; /* what runs here is warmed up first */
	struct fake_source source = make_fake(square, no_bytes), dear;
	const struct ft_sweep_options options = {.budget_s = 120, .resource = &ft_instructions};
	struct bench b;

	live.live = true;
	source.source.ops = &live;
	source.counts = count_square;
	source.count_s = counted_s;
	dear = source;
	dear.count_s = counted_dear_s;
	use(&b, temp_path("counted.db"), &source);
	b.program.param[0].least = 10;
	(void)sweep(&b, options);
	ok(b.report.stop == FT_STOP_TOLERANCE && b.report.known_to < 0.1 && b.report.cost_s < 30 &&
		   source.largest > 2900,
	   "instructions: known to %.2g with %.1f s of 120, up to %g (%s)", b.report.known_to,
	   b.report.cost_s, source.largest, ft_stop_text(b.report.stop));
	b.source = NULL;
	tear_down(&b);
	use(&b, temp_path("counted-dear.db"), &dear);
	b.program.param[0].least = 10;
	(void)sweep(&b, options);
	ok(b.report.cost_s > 0.7 * 120 && b.report.cost_s < 1.1 * 120 && dear.largest > 500 &&
		   b.report.stop == FT_STOP_BUDGET,
	   "... where they take a thousand times as long: %.1f s spent, up to %g (%s)", b.report.cost_s,
	   dear.largest, ft_stop_text(b.report.stop));
	b.source = NULL;
	tear_down(&b);
}

/* A run that somebody needed costs no budget. */
static void test_real(void)
{
	struct fake_source source = make_fake(rising, no_bytes);
	struct ft_run run;
	struct bench b;

	use(&b, temp_path("real.db"), &source);
	(void)ft_store_put_program(b.store, &b.program, NULL);
	ft_run_init(&run);
	run.size = (struct ft_size){1, {3000}};
	run.real = true;
	run.cost_s = 100;
	(void)ft_run_add(&run, &ft_wall_s, 100, FT_SIMULATED, "fake", NULL, NULL);
	(void)ft_store_add_run(b.store, b.program.id, b.machine.id, &run, NULL);
	ft_run_clear(&run);
	(void)sweep(&b, (struct ft_sweep_options){.budget_s = 1, .tolerance = 1e-4});
	ok(b.report.runs > 5 && b.report.cost_s <= 1 && b.report.cost_s > 0.6 && b.report.known == 1,
	   "a real run of 100 s leaves the budget of 1 s: %.2f s", b.report.cost_s);
	b.source = NULL;
	tear_down(&b);
}

static void test_far(void)
{
	struct fake_source source = make_fake(rising, no_bytes);
	const double most[FT_FARS] = {[FT_FAR_MEASURE] = 3000, [FT_FAR_HALF] = 1500, [FT_FAR_SKIP] = 750};
	struct bench b;
	char path[32];

	for (int far = 0; far < FT_FARS; far++) {
		(void)snprintf(path, sizeof path, "far%d.db", far);
		source.largest = 0;
		use(&b, temp_path(path), &source);
		(void)sweep(&b, (struct ft_sweep_options){.far = (enum ft_far)far});
		ok(source.largest <= most[far] && source.largest > 0.95 * most[far],
		   "--far %s runs nothing beyond %g", ft_far_text((enum ft_far)far), source.largest);
		ok(far == FT_FAR_MEASURE ? !b.report.not_run_beyond.n
					 : b.report.not_run_beyond.value[0] == source.largest,
		   "which is told: %g", b.report.not_run_beyond.value[0]);
		b.source = NULL;
		tear_down(&b);
	}
	source.largest = 0;
	use(&b, temp_path("far-budget.db"), &source);
	(void)sweep(&b, (struct ft_sweep_options){.budget_s = 0.1});
	ok(source.largest < 3000 && b.report.not_run_beyond.value[0] == source.largest,
	   "what the budget leaves out is told, too: %g", b.report.not_run_beyond.value[0]);
	b.source = NULL;
	tear_down(&b);
}

static double cubic_bytes(double x)
{
	return 1e3 * x * x * x;
}

/* What would need four times what the machine has is not run, and the sizes below it are. */
static void test_memory(void)
{
	struct ft_source_ops live = fake_ops;
	struct fake_source source = make_fake(rising, cubic_bytes);
	double limit = 0;
	struct bench b;

	live.live = true;
	source.source.ops = &live;
	(void)ft_memory_limit_bytes("", &limit, NULL, NULL);
	use(&b, temp_path("memory.db"), &source);
	(void)sweep(&b, (struct ft_sweep_options){0});
	ok(source.most_bytes < 4.8 * limit && source.most_bytes > limit && b.report.too_large > 0,
	   "of %.3g bytes up to %.3g are used; %zu sizes would need more", limit, source.most_bytes,
	   b.report.too_large);
	b.source = NULL;
	tear_down(&b);
}

int main(void)
{
	test_kills();
	test_kinds_killed();
	test_waited();
	test_counted();
	test_real();
	test_far();
	test_memory();
	temp_remove();
	return done();
}
