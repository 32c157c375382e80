/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-sweep.c - the loop of the main job, over a function in place of a program. */
#include "bench.h"
#include "fake-source.h"
#include "tap.h"
#include "temp.h"

#include "facts/door.h"
#include "foretime/ask.h"

#include <math.h>

/* A program that computes 2 n^3 at a speed that rises, and falls at 2000; it fails beyond `memory`. */
struct fake {
	double memory;
};

static double fake_seconds(void *ctx, const struct ft_size *size)
{
	const struct fake *fake = ctx;
	double n = size->value[0];

	if (n > fake->memory)
		return -1;
	return 2 * n * n * n / (1e10 * n / (n + 150) * (n > 2000 ? 0.5 : 1));
}

static void set_up(struct bench *b, const char *path, const char *range, struct fake *fake, double noise)
{
	struct ft_program *p = &b->program;

	*b = (struct bench){0};
	p->name = strdup("fake");
	p->hash = strdup("");
	p->work = strdup("2*n^3");
	p->n_params = 1;
	b->machine.fingerprint = strdup("0123456789abcdef");
	if (ft_param_parse(range, &p->param[0], &b->err) || ft_store_open(&b->store, path, 0, &b->err) ||
	    ft_store_put_machine(b->store, &b->machine, &b->err) ||
	    ft_source_open_oracle(&b->source, fake_seconds, fake, noise, 7, &b->err))
		diag("%s", b->err.text);
}

static enum ft_status sweep(struct bench *b, struct ft_sweep_options options)
{
	if (!options.builder)
		options.builder = ft_builder_type_find("gbbp");
	options.resource = &ft_wall_s;
	ft_sweep_report_clear(&b->report);
	b->err = (struct ft_err){0};
	enum ft_status status =
		ft_sweep_run(b->store, &b->program, &b->machine, b->source, &options, &b->report, &b->err);
	if (status)
		diag("%s; %s", b->err.text, b->err.remedy);
	return status;
}

static double predict(struct bench *b, double n)
{
	struct ft_size size = {.n = b->program.n_params, .value = {n, n / 2}};
	struct ft_prediction p = {.value = NAN};
	struct ft_answerer *models;

	if (ft_ask_open(&models, b->store, "fake", NULL, b->machine.id, &b->err))
		return NAN;
	if (ft_ask_predict(models, &ft_wall_s, &size, 0.9, &p, &b->err))
		p.value = NAN;
	ft_ask_close(models);
	return p.value;
}

static void test_builds(void)
{
	struct fake fake = {INFINITY};
	struct bench b;
	double worst = 0;

	set_up(&b, temp_path("builds.db"), "n=64:3000", &fake, 0);
	ok(!sweep(&b, (struct ft_sweep_options){0}), "a sweep over a function");
	ok(b.report.stop == FT_STOP_TOLERANCE && b.report.models == 1 && b.report.points == b.report.n_sizes,
	   "it stops by its rule and models what it measured");
	ok(b.report.runs == 2 * b.report.points, "without noise every size is run twice, and no warm-up");
	for (double n = 64; n <= 3000; n += 11) {
		struct ft_size size = {.n = 1, .value = {n}};

		if (n < 1900 || n > 2100)
			worst = fmax(worst, fabs(predict(&b, n) / fake_seconds(&fake, &size) - 1));
	}
	diag("%zu sizes, largest error away from the step %.3f", b.report.points, worst);
	ok(worst < 0.15, "its predictions are near the truth");
	tear_down(&b);
}

static void test_repeats(void)
{
	struct fake fake = {INFINITY};
	struct bench b;
	size_t most = 0, least = 100;

	set_up(&b, temp_path("repeats.db"), "n=64:3000", &fake, 0.2);
	ok(!sweep(&b, (struct ft_sweep_options){.reps_least = 2, .reps_most = 6}), "a noisy function");
	for (size_t i = 0; i < b.report.n_sizes; i++) {
		most = b.report.size[i].runs > most ? b.report.size[i].runs : most;
		least = b.report.size[i].runs < least ? b.report.size[i].runs : least;
	}
	ok(least >= 2 && most == 6, "is repeated as often as it may");
	tear_down(&b);
}

static void test_limits(void)
{
	struct fake fake = {INFINITY};
	struct bench b;

	set_up(&b, temp_path("points.db"), "n=64:3000", &fake, 0);
	ok(!sweep(&b, (struct ft_sweep_options){.points = 4}) && b.report.stop == FT_STOP_POINTS &&
		   b.report.points == 4,
	   "as many sizes as wanted");
	tear_down(&b);
	set_up(&b, temp_path("budget.db"), "n=64:3000", &fake, 0);
	(void)sweep(&b, (struct ft_sweep_options){.budget_s = 3});
	ok(b.report.stop == FT_STOP_BUDGET && b.report.models == 1,
	   "a budget ends a sweep, and what it bought is modelled");
	ok(b.report.cost_s <= 3 && b.report.cost_s > 1.5, "it is obeyed, and used: %.2f s", b.report.cost_s);
	tear_down(&b);
}

/* What is asked is admissible, also where runs at other sizes are known. */
static void test_spaces(const char *method, const char *range)
{
	struct ft_sweep_options options = {.builder = ft_builder_type_find(method)};
	struct fake fake = {INFINITY};
	struct bench b;
	size_t wrong = 0;
	char path[64];

	(void)snprintf(path, sizeof path, "spaces-%s-%s.db", method, range[4] == ',' ? "list" : "factor");
	set_up(&b, temp_path(path), "n=60:70:5", &fake, 0.01);
	(void)sweep(&b, options);
	size_t known = b.report.n_sizes;
	(void)ft_param_parse(range, &b.program.param[0], NULL);
	ok(!sweep(&b, options), "%s: %s", method, range);
	for (size_t i = 0; i < b.report.n_sizes; i++)
		wrong += !ft_param_admits(&b.program.param[0], b.report.size[i].size.value[0]);
	ok(known && !wrong && b.report.points > 3 && b.report.models == 1, "%zu admissible sizes, no other",
	   b.report.points);
	tear_down(&b);
}

static double five_seconds(double x)
{
	(void)x;
	return 5;
}

static double no_bytes(double x)
{
	(void)x;
	return NAN;
}

/* A program of two sizes that is warmed up first, within a budget. Returns how often it was run. */
static size_t warmed(struct bench *b, const char *path, double budget_s)
{
	struct ft_source_ops live = fake_ops;
	struct fake_source source = make_fake(five_seconds, no_bytes);
	struct fake unused = {INFINITY};

	live.live = true;
	source.source.ops = &live;
	set_up(b, path, "n=64:65", &unused, 0);
	ft_source_close(b->source);
	b->source = &source.source;
	(void)sweep(b, (struct ft_sweep_options){.budget_s = budget_s, .reps_least = 1, .reps_most = 1});
	b->source = NULL;
	return source.runs;
}

static void test_warm_up(void)
{
	struct bench b;

	ok(warmed(&b, temp_path("cold.db"), 12) == 3 && b.report.models == 1 && b.report.size[0].runs == 1,
	   "a warm-up is followed by the run that counts; the next size is cut by the budget");
	tear_down(&b);
	ok(warmed(&b, temp_path("once.db"), 8) == 2 && b.report.models == 1 && b.report.size[0].runs == 1,
	   "one that the budget cannot repeat counts itself");
	tear_down(&b);
	ok(warmed(&b, temp_path("short.db"), 1) == 1 && b.report.cost_s <= 1 && b.err.status == FT_ENOMODEL,
	   "one that is longer than the budget is ended by it, and nothing is run behind it");
	tear_down(&b);
}

/* A sweep that is interrupted and run again ends with the model of one that was not. */
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

/* Two parameters, and nothing stated of the work. */
static double product_seconds(void *ctx, const struct ft_size *size)
{
	double n = size->value[0], m = size->value[1];

	(void)ctx;
	return 1e-4 + 1e-8 * n * n * m * (n * m > 1e6 ? 1.5 : 1);
}

static void set_up_two(struct bench *b, const char *path)
{
	set_up(b, path, "n=64:3000", NULL, 0);
	ft_source_close(b->source);
	(void)ft_source_open_oracle(&b->source, product_seconds, NULL, 0.03, 7, &b->err);
	free(b->program.work);
	b->program.work = NULL;
	(void)ft_param_parse("m=20:2000", &b->program.param[1], &b->err);
	b->program.n_params = 2;
}

static void test_continues(const char *method, size_t params)
{
	struct fake fake = {INFINITY};
	struct bench whole, parts;
	struct stopper stopper;
	struct ft_sweep_options whole_options = {.builder = ft_builder_type_find(method)},
				options = whole_options;
	char whole_name[64], parts_name[64];
	size_t interruptions = 0, runs = 0;
	bool same = true;

	options.progress = count_down;
	options.progress_ctx = &stopper;
	(void)snprintf(whole_name, sizeof whole_name, "whole-%s%zu.db", method, params);
	(void)snprintf(parts_name, sizeof parts_name, "parts-%s%zu.db", method, params);
	if (params == 1) {
		set_up(&whole, temp_path(whole_name), "n=64:3000", &fake, 0.03);
		set_up(&parts, temp_path(parts_name), "n=64:3000", &fake, 0.03);
	} else {
		set_up_two(&whole, temp_path(whole_name));
		set_up_two(&parts, temp_path(parts_name));
	}
	ok(!sweep(&whole, whole_options), "%s over %zu: a sweep in one go", method, params);
	do {
		stopper = (struct stopper){.left = 4};
		options.interrupt = &stopper.flag;
		if (sweep(&parts, options))
			break;
		runs += parts.report.runs;
		interruptions += parts.report.stop == FT_STOP_INTERRUPTED;
	} while (parts.report.stop == FT_STOP_INTERRUPTED && interruptions < 1000);
	for (double n = 64; n <= 4000; n += 50)
		same = same && predict(&whole, n) == predict(&parts, n);
	diag("%zu runs in parts, %zu in one go; stop %s", runs, whole.report.runs,
	     ft_stop_text(parts.report.stop));
	ok(interruptions > 3 && runs == whole.report.runs, "interrupted %zu times, no run made twice",
	   interruptions);
	ok(same, "and the same model in the end");
	ok(!sweep(&parts, whole_options) && !parts.report.runs && parts.report.known == runs,
	   "once more costs nothing");
	tear_down(&whole);
	tear_down(&parts);
}

/* Where the dear corner is left out, that is told. */
static void test_not_run(void)
{
	static const struct {
		const char *name;
		enum ft_far far;
		double budget_s;
	} way[] = {{"corner-far.db", FT_FAR_HALF, 0},
		   {"corner-budget.db", FT_FAR_MEASURE, 20},
		   {"corner-all.db", FT_FAR_MEASURE, 0}};
	size_t i, beyond;

	for (size_t k = 0; k < 3; k++) {
		struct bench b;
		const struct ft_size *last = &b.report.not_run_beyond;

		set_up_two(&b, temp_path(way[k].name));
		ok(!sweep(&b, (struct ft_sweep_options){.builder = ft_builder_type_find("adaptive"),
							.far = way[k].far,
							.budget_s = way[k].budget_s}),
		   "over two parameters, %s", way[k].name);
		for (beyond = 0, i = 0; i < b.report.n_sizes; i++)
			beyond += b.report.size[i].size.value[0] * b.report.size[i].size.value[1] >
				  last->value[0] * last->value[1];
		ok(k == 2 ? !last->n : last->n == 2 && !beyond,
		   "what is left out is told: beyond %g x %g (%s)", last->value[0], last->value[1],
		   ft_stop_text(b.report.stop));
		tear_down(&b);
	}
}

static void test_failures(void)
{
	struct fake fake = {1000};
	struct bench b;
	size_t failed = 0;

	set_up(&b, temp_path("fails.db"), "n=64:3000", &fake, 0);
	ok(!sweep(&b, (struct ft_sweep_options){0}), "a program that dies beyond 1000");
	for (size_t i = 0; i < b.report.n_sizes; i++)
		failed += b.report.size[i].failed > 0 && b.report.size[i].size.value[0] > 1000;
	ok(failed >= 1 && b.report.points > 2, "is modelled where it works, and its failures are told");
	ok(predict(&b, 900) > 0, "and predicted");
	tear_down(&b);

	fake.memory = 0;
	set_up(&b, temp_path("dies.db"), "n=64:3000", &fake, 0);
	ok(sweep(&b, (struct ft_sweep_options){0}) == FT_ENOMODEL && b.err.remedy[0],
	   "one that always dies is not");
	tear_down(&b);
}

static void test_refusals(void)
{
	struct fake fake = {INFINITY};
	struct bench b;

	set_up(&b, temp_path("refuses.db"), "n=64:3000", &fake, 0);
	ok(sweep(&b, (struct ft_sweep_options){.reps_least = 5, .reps_most = 3}) == FT_EINVAL,
	   "repetitions 5:3");
	tear_down(&b);
}

/* Work must be positive at both ends, and at all corners, of what is admitted. */
static void test_work(void)
{
	static const struct {
		const char *work, *m, *where;
		bool good;
	} cases[] = {{"n-100", NULL, NULL, false},
		     {"2999.5-n", NULL, NULL, false},
		     {"3000.5-n", NULL, NULL, true},
		     {"n-100", NULL, "n >= 200", true},
		     {"n-300", NULL, "n >= 200", false},
		     {"n+1000-m", "m=20:2000", NULL, false},
		     {"2500+m-n", "m=20:2000", NULL, false},
		     {"n+m-84.5", "m=20:2000", NULL, false},
		     {"4999.5-n-m", "m=20:2000", NULL, false}};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct fake fake = {INFINITY};
		struct bench b;
		char name[32];

		(void)snprintf(name, sizeof name, "work%zu.db", i);
		set_up(&b, temp_path(name), "n=64:3000", &fake, 0);
		free(b.program.work);
		b.program.work = strdup(cases[i].work);
		b.program.where = cases[i].where ? strdup(cases[i].where) : NULL;
		if (cases[i].m) {
			(void)ft_param_parse(cases[i].m, &b.program.param[1], NULL);
			b.program.n_params = 2;
		}
		ok(sweep(&b, (struct ft_sweep_options){0}) == (cases[i].good ? FT_OK : FT_EINVAL),
		   "work of %s%s%s: %s", cases[i].work, cases[i].where ? " where " : "",
		   cases[i].where ? cases[i].where : "", b.err.text);
		tear_down(&b);
	}
}

/* Two parameters, m at most n: the program says where it makes no sense. */
static double two_seconds(void *ctx, const struct ft_size *size)
{
	double n = size->value[0], m = size->value[1];

	(void)ctx;
	return m > n ? NAN : 1e-7 * n * n * m * (1 + 50 / n);
}

static void test_several(void)
{
	static const char *const method[] = {"gbbp", "adaptive"};
	struct ft_size size = {2, {700, 300}}, far = {2, {300, 700}};
	struct ft_program stored;
	struct ft_prediction p;
	struct ft_answerer *models;
	struct bench b;
	size_t i, wrong;

	for (size_t k = 0; k < 4; k++) {
		char name[32];

		(void)snprintf(name, sizeof name, "several%zu.db", k);
		set_up(&b, temp_path(name), "n=50:1000", NULL, 0.01);
		ft_source_close(b.source);
		(void)ft_source_open_oracle(&b.source, two_seconds, NULL, 0.01, 7, &b.err);
		free(b.program.work);
		b.program.work = strdup("n^2*m");
		b.program.where = k < 2 ? strdup("m <= n") : NULL;
		(void)ft_param_parse("m=20:1000", &b.program.param[1], &b.err);
		b.program.n_params = 2;
		ok(!sweep(&b, (struct ft_sweep_options){.builder = ft_builder_type_find(method[k % 2])}),
		   "%s over two parameters, %s", method[k % 2], k < 2 ? "constrained" : "with holes");
		for (wrong = 0, i = 0; i < b.report.n_sizes; i++)
			wrong += b.report.size[i].size.value[1] > b.report.size[i].size.value[0];
		diag("%zu sizes, %zu holes, %.3g s", b.report.n_sizes, b.report.holes, b.report.cost_s);
		ok(b.report.holes > 0 && (k >= 2 || !wrong), "what makes no sense is left out");
		p.value = NAN;
		(void)ft_ask_open(&models, b.store, "fake", NULL, b.machine.id, &b.err);
		(void)ft_ask_predict(models, &ft_wall_s, &size, 0.9, &p, &b.err);
		diag("at the size asked: %.3g, truth %.3g, interval %.3g .. %.3g", p.value,
		     two_seconds(NULL, &size), p.lower, p.upper);
		ok(near(p.value, two_seconds(NULL, &size), 0.1) && p.basis != FT_BASIS_BEYOND,
		   "its model answers");
		ft_ask_close(models);
		(void)ft_ask_open(&models, b.store, "fake", NULL, b.machine.id, &b.err);
		ok(!ft_ask_predict(models, &ft_wall_s, &far, 0.9, &p, &b.err) && p.basis == FT_BASIS_BEYOND,
		   "from the store too; where there can be no runs it extrapolates");
		ft_ask_close(models);
		(void)ft_store_get_program(b.store, "fake", &stored, NULL);
		ok(k < 2 ? stored.where && !strcmp(stored.where, "m <= n") : !stored.where,
		   "the constraint is kept");
		ft_program_clear(&stored);
		tear_down(&b);
	}
	set_up(&b, temp_path("where.db"), "n=64:1000", &(struct fake){INFINITY}, 0);
	b.program.where = strdup("n % 128 == 0");
	ok(!sweep(&b, (struct ft_sweep_options){0}), "a constraint on one parameter");
	for (wrong = 0, i = 0; i < b.report.n_sizes; i++)
		wrong += fmod(b.report.size[i].size.value[0], 128) != 0;
	ok(!wrong && b.report.n_sizes > 2, "makes a list of what it admits");
	free(b.program.where);
	b.program.where = strdup("n % 128 == 200");
	ok(sweep(&b, (struct ft_sweep_options){0}) == FT_EINVAL, "one that admits nothing");
	free(b.program.where);
	b.program.where = strdup("q > 3");
	ok(sweep(&b, (struct ft_sweep_options){0}) == FT_EINVAL, "one over no parameter");
	tear_down(&b);
}

int main(void)
{
	test_builds();
	test_repeats();
	test_limits();
	test_spaces("gbbp", "n=64,100,1000,1500,2500");
	test_spaces("gbbp", "n=64:4000:*2");
	test_spaces("naive", "n=64,100,1000,1500,2500");
	test_spaces("naive", "n=64:4000:*1.5");
	test_spaces("adaptive", "n=64,100,1000,1500,2500");
	test_spaces("adaptive", "n=64:4000:*2");
	test_warm_up();
	test_continues("gbbp", 1);
	test_continues("adaptive", 1);
	test_continues("adaptive", 2);
	test_continues("naive", 1);
	test_not_run();
	test_failures();
	test_refusals();
	test_work();
	test_several();
	temp_remove();
	return done();
}
