/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-reach.c - how far sizes may go before memory ends: the law of memory, the ladder, and what bounds it. */
#include "tap.h"
#include "temp.h"

#include "base/alloc.h"
#include "base/random.h"
#include "fake-source.h"
#include "foretime/sweep.h"
#include "sweep/sweep.h"

#include <math.h>

/* ---- the law ------------------------------------------------------------------------------------------- */

static void test_law(void)
{
	const struct ft__need line[] = {{10, 100}, {20, 200}, {40, 400}},
			      flat[] = {{10, 100}, {20, 100}, {40, 100}};
	struct ft_random r = {test_seed()};
	int c, wrong = 0, cases = test_cases(200);

	ok(isnan(ft__need_at(line, 0, 5)) && ft__need_at(line, 1, 50) == 100, "nothing, and one size");
	ok(ft__need_at(line, 3, 5) == 100 && ft__need_at(line, 3, 15) == 150 &&
		   ft__need_at(line, 3, 40) == 400,
	   "below, between, at");
	ok(near(ft__need_at(line, 3, 400), 4000, 1e-6), "a straight line is continued");
	ok(ft__need_at(flat, 3, 4000) == 100 && !ft__need_grows(flat, 3), "what is flat stays flat");
	ok(near(ft__need_at((struct ft__need[]){{10, 100}, {20, 400}}, 2, 40), 1600, 1e-9) &&
		   near(ft__need_at((struct ft__need[]){{10, 100}, {20, 110}}, 2, 40), 130, 1e-9),
	   "of two sizes, the larger of a power law and a line");
	ok(near(ft__need_at((struct ft__need[]){{16, 1064}, {64, 1512}, {256, 5096}}, 3, 1024), 33768, 1e-6),
	   "1000 + x^1.5 is continued");

	ok(near(ft__need_at((struct ft__need[]){{16, 1064}, {64, 1512}, {200, 9}, {256, 5096}}, 4, 1024),
		33768, 1e-6),
	   "through sizes that lie apart");
	ok(ft__need_at((struct ft__need[]){{10, 100}, {20, 300}, {40, 200}}, 3, 80) == 300 &&
		   near(ft__need_at((struct ft__need[]){{10, 300}, {20, 100}, {40, 200}}, 3, 80), 400,
			1e-9) &&
		   near(ft__need_at((struct ft__need[]){{0, 50}, {10, 100}, {20, 300}}, 3, 40), 900, 1e-9),
	   "what falls at last stays, what fell before is of two sizes, and so is what begins at 0");
	ok(ft__need_at((struct ft__need[]){{10, 200}, {20, 100}}, 2, 40) == 100 &&
		   near(ft__need_at((struct ft__need[]){{0, 100}, {10, 200}}, 2, 20), 300, 1e-9) &&
		   near(ft__need_at((struct ft__need[]){{10, 0}, {20, 200}}, 2, 40), 600, 1e-9),
	   "of two sizes where no power law is");

	for (c = 0; c < cases; c++) {
		double a = 1e6 * exp(2 * ft_random_normal(&r)), b = exp(ft_random_normal(&r));
		double p = 0.5 + 3 * ft_random_uniform(&r), x = 10, truth, said;
		struct ft__need need[12];
		size_t n = 3 + ft_random_below(&r, 10), i;

		for (i = 0; i < n; i++, x *= 1.5 + ft_random_uniform(&r))
			need[i] = (struct ft__need){x, a + b * pow(x, p)};
		truth = a + b * pow(7 * x, p);
		said = ft__need_at(need, n, 7 * x);
		if (!near(said, truth, 1e-6)) {
			wrong++;
			diag("seed %llu: a %g, b %g, p %g, n %zu: %g, truly %g",
			     (unsigned long long)test_seed(), a, b, p, n, said, truth);
		}
	}
	ok(!wrong, "a + b x^p is found again, %d random laws", cases);
}

/* Growth: more than a MiB, and more than a twentieth. */
static void test_grows(void)
{
	static const struct {
		double from, to;
		bool grows;
	} cases[] = {{0, 0x1p20, false},   {0, 0x1p20 + 1, true},   {1e8, 1e8 + 0x1p21, false},
		     {1e8, 1.05e8, false}, {1e8, 1.05e8 + 1, true}, {2e8, 1e8, false}};
	int bad = 0;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		bad += ft__need_grows((struct ft__need[]){{1, cases[i].from}, {2, 5e8}, {3, cases[i].to}},
				      3) != cases[i].grows;
	ok(!bad && !ft__need_grows(NULL, 0) && !ft__need_grows((struct ft__need[]){{1, 1e9}}, 1),
	   "what is growth: %d wrong", bad);
}

/* ---- the ladder ---------------------------------------------------------------------------------------- */

static double quick(double x)
{
	return 1e-9 * x;
}

static double cubic(double x)
{
	return 1e-9 * x * x * x;
}

static double square(double x)
{
	return 3e6 + 24 * x * x;
}

static double constant(double x)
{
	(void)x;
	return 3e6;
}

static double unknown(double x)
{
	(void)x;
	return NAN;
}

static struct ft_store *store;
static struct ft_machine machine;

static struct ft_program make_program(const char *name, const char *range)
{
	struct ft_program p = {.name = strdup(name), .hash = strdup(""), .n_params = 1};

	(void)ft_param_parse(range, &p.param[0], NULL);
	(void)ft_store_put_program(store, &p, NULL);
	return p;
}

static enum ft_status reach(const char *name, const char *range, struct fake_source *fake, double limit_bytes,
			    double budget_s, struct ft_reach *out, struct ft_err *err)
{
	struct ft_program p = make_program(name, range);
	struct ft_sweep_options options = {.resource = &ft_wall_s, .budget_s = budget_s};

	*err = (struct ft_err){0};
	fake->runs = 0;
	enum ft_status status =
		ft_sweep_reach(store, &p, 0, &machine, &fake->source, &options, limit_bytes, out, err);
	ft_program_clear(&p);
	return status;
}

static void test_bounds(void)
{
	struct fake_source fake = make_fake(quick, square);
	struct ft_reach out;
	struct ft_err err;
	enum ft_status status = reach("square", "n=64:64:8", &fake, 1e9, 0, &out, &err);
	double truth = 64 + 8 * floor((sqrt((1e9 - 3e6) / 24) - 64) / 8);

	ok(!status && out.bound == FT_REACH_MEMORY && fabs(out.most - truth) <= 8,
	   "memory bounds: %g, truly %g", out.most, truth);
	ok(fmod(out.most - 64, 8) == 0 && out.need_bytes <= 1e9 &&
		   near(out.need_bytes, square(out.most), 1e-6),
	   "on the stride, within the limit");
	ok(square(fake.largest) < 1e9 / 2 && out.runs == fake.runs,
	   "and was not exhausted: up to %g in %zu runs", fake.largest, out.runs);
	status = reach("square", "n=64:64:8", &fake, 1e9, 0, &out, &err);
	ok(!status && fabs(out.most - truth) <= 8 && !fake.runs, "once more costs nothing");

	fake = make_fake(quick, square);
	status = reach("doubled", "n=64:64:*2", &fake, 1e9, 0, &out, &err);
	ok(!status && out.bound == FT_REACH_MEMORY && out.most == 4096 && square(fake.largest) < 1e9 / 2,
	   "on the progression: %g", out.most);
	status = reach("grown", "n=64:64:*1.5", &fake, 1e9, 0, &out, &err);
	ok(!status && out.bound == FT_REACH_MEMORY && out.most == round(64 * pow(1.5, 11)),
	   "of halves too: %g", out.most);

	fake = make_fake(cubic, square);
	status = reach("slow", "n=64:64", &fake, 1e9, 0, &out, &err);
	ok(!status && fabs(out.most - sqrt((1e9 - 3e6) / 24)) < 0.02 * out.most && cubic(fake.largest) < 10,
	   "a slow program is run up to seconds (%g), and its law continued: %g", cubic(fake.largest),
	   out.most);
	ok(near(out.seconds, cubic(out.most), 1e-6), "it tells what the largest will take: %g s",
	   out.seconds);
	status = reach("hasty", "n=64:64", &fake, 1e12, 1, &out, &err);
	ok(!status && out.cost_s < 1, "a budget of a second: %g s", out.cost_s);

	fake = make_fake(quick, square);
	fake.memory = 5e7;
	status = reach("killed", "n=64:64", &fake, 1e9, 0, &out, &err);
	ok(!status && out.bound == FT_REACH_KILLED && out.most < out.bound_at,
	   "a run that is killed bounds: %g at %g", out.most, out.bound_at);
	status = reach("killed", "n=64:64", &fake, 1e9, 0, &out, &err);
	ok(!status && out.bound == FT_REACH_KILLED && !fake.runs, "also when it was before");
	fake = make_fake(quick, square);
	fake.fails_from = 1500;
	status = reach("fails", "n=64:64", &fake, 1e9, 0, &out, &err);
	ok(!status && out.bound == FT_REACH_FAILED && out.bound_at == 2048 && out.most == 2047,
	   "and one that fails: %g at %g", out.most, out.bound_at);
}

static void test_refusals(void)
{
	struct fake_source fake = make_fake(cubic, constant);
	struct ft_reach out;
	struct ft_err err;
	enum ft_status status = reach("flat", "n=64:64", &fake, 1e9, 0, &out, &err);

	ok(status == FT_EINVAL && err.remedy[0] && cubic(fake.largest) < 20, "%s; %s", err.text, err.remedy);
	fake = make_fake(quick, square);
	status = reach("large", "n=64:64", &fake, 1e6, 0, &out, &err);
	ok(status == FT_EINVAL && err.remedy[0], "%s; %s", err.text, err.remedy);
	fake = make_fake(quick, square);
	fake.fails_from = 0;
	status = reach("never", "n=64:64", &fake, 1e9, 0, &out, &err);
	ok(status == FT_ENOMODEL && err.remedy[0], "%s; %s", err.text, err.remedy);
	fake = make_fake(quick, unknown);
	status = reach("mute", "n=64:64", &fake, 1e9, 0, &out, &err);
	ok(status == FT_EUNAVAIL, "%s", err.text);
	fake = make_fake(cubic, square);
	fake.fails_from = 100;
	status = reach("early", "n=64:64", &fake, 1e9, 0, &out, &err);
	ok(status == FT_EINVAL && err.remedy[0], "%s; %s", err.text, err.remedy);
}

/* Sizes that make no sense are passed over, up to eight in a row. */
static void test_invalid(void)
{
	struct fake_source fake = make_fake(quick, square);
	struct ft_reach out;
	struct ft_err err;

	fake.invalid_to = 64 * 128;
	enum ft_status status = reach("late", "n=64:64", &fake, 1e12, 0, &out, &err);
	ok(!status && fabs(out.most - sqrt((1e12 - 3e6) / 24)) < 2,
	   "seven make no sense, the eighth does: %g", out.most);
	fake.invalid_to = 64 * 256;
	status = reach("senseless", "n=64:64", &fake, 1e12, 0, &out, &err);
	ok(status == FT_ENOMODEL && fake.runs == 8 && strstr(err.text, ft_outcome_text(FT_INVALID)), "%s",
	   err.text);
}

/* ---- a sweep over a program that is killed --------------------------------------------------------------
 */

static double tenth(double x)
{
	return 0.1 + 1e-6 * x;
}

static void test_sweep(const char *method)
{
	struct fake_source fake = make_fake(tenth, square);
	struct ft_sweep_options options = {.resource = &ft_wall_s, .builder = ft_builder_type_find(method)};
	struct ft_program p = make_program(method, "n=64:3000");
	struct ft_sweep_report report;
	struct ft_runs runs = {0};
	struct ft_err err = {0};
	double edge = sqrt((1e7 - 3e6) / 24), killed;
	size_t beyond = 0;

	fake.memory = 1e7;
	enum ft_status status = ft_sweep_run(store, &p, &machine, &fake.source, &options, &report, &err);
	killed = report.killed;

	ok(!status && report.points > 2, "%s: a program that is killed beyond %.0f: %zu sizes", method, edge,
	   report.points);
	ok(killed > edge, "%s: that is told: %g", method, killed);
	ft_sweep_report_clear(&report);
	(void)ft_store_get_runs(store, p.id, machine.id, &runs, NULL);
	size_t before = runs.n;
	for (size_t i = 0; i < runs.n; i++) {
		/* Once killed, nothing from there on. */
		for (size_t j = 0; j < i; j++)
			beyond += runs.run[j].outcome == FT_OUT_OF_MEMORY &&
				  runs.run[i].size.value[0] >= runs.run[j].size.value[0];
	}
	ok(before && !beyond, "%s: no run at or beyond a size that was killed before", method);
	ft_runs_clear(&runs);

	fake.runs = 0;
	options.points = 100;
	p.param[0].least = 65; /* other sizes */
	status = ft_sweep_run(store, &p, &machine, &fake.source, &options, &report, &err);
	(void)ft_store_get_runs(store, p.id, machine.id, &runs, NULL);
	for (size_t i = before; i < runs.n; i++)
		beyond += runs.run[i].size.value[0] >= killed;
	ok(!status && !beyond && report.killed <= killed, "%s: nor in a later sweep of %zu runs", method,
	   fake.runs);
	ft_sweep_report_clear(&report);
	ft_runs_clear(&runs);
	ft_program_clear(&p);
}

/* ---- several parameters ---------------------------------------------------------------------------------
 */

static double particles(const double *x)
{
	return 4e6 + 72 * x[0] * x[0] * x[0] + 24 * x[1] * x[1] * x[1];
}

static double step_of(const double *x)
{
	return 1e-9 * (x[0] * x[0] * x[0] + x[1] * x[1] * x[1]);
}

static struct ft_program make_two(const char *name, const char *n, const char *m, const char *where)
{
	struct ft_program p = {.name = strdup(name), .hash = strdup(""), .n_params = 2};

	p.where = where ? strdup(where) : NULL;
	(void)ft_param_parse(n, &p.param[0], NULL);
	(void)ft_param_parse(m, &p.param[1], NULL);
	(void)ft_store_put_program(store, &p, NULL);
	return p;
}

/* The end of one parameter is found with the other at its least value, or where the constraint has it; then
 * what would not fit is left out of the model over both. */
static void test_two(const char *method)
{
	struct fake_source fake = make_fake(quick, square);
	struct ft_program p = make_two(!strcmp(method, "gbbp") ? "two-gbbp" : "two-adaptive", "n=16:16:16",
				       "m=16:512:16", NULL);
	struct ft_sweep_options options = {.resource = &ft_wall_s, .builder = ft_builder_type_find(method)};
	struct ft_sweep_report report;
	struct ft_err err = {0};
	struct ft_reach out;
	double truth = 16 * floor(cbrt((2e9 - 4e6 - 24 * 16 * 16 * 16) / 72) / 16);

	fake.bytes_of = particles;
	fake.seconds_of = step_of;
	fake.memory = 2.5e9;
	enum ft_status status =
		ft_sweep_reach(store, &p, 0, &machine, &fake.source, &options, 2e9, &out, &err);
	ok(!status && out.bound == FT_REACH_MEMORY && fabs(out.most - truth) <= 16 && out.runs == fake.runs,
	   "%s: beside a range the end is found, the other at its least: %g, truly %g", method, out.most,
	   truth);
	p.param[0].most = out.most;
	options.memory_bytes = 2e9;
	fake.most_bytes = 0;
	status = ft_sweep_run(store, &p, &machine, &fake.source, &options, &report, &err);
	diag("%s: %zu sizes, %zu too large, %zu holes, most %.3g bytes (%s)", method, report.points,
	     report.too_large, report.holes, fake.most_bytes, err.text);
	ok(!status && report.models && fake.most_bytes < 2.2e9 && fake.most_bytes > 1e9 &&
		   report.too_large > 0 && !report.holes,
	   "and what both need together is left out where it does not fit");
	ft_sweep_report_clear(&report);
	ft_program_clear(&p);
}

static void test_two_constrained(void)
{
	struct fake_source fake = make_fake(quick, square);
	struct ft_program p = make_two("bound", "n=16:16:16", "m=16:128:16", "n <= m");
	struct ft_sweep_options options = {.resource = &ft_wall_s};
	struct ft_err err = {0};
	struct ft_reach out;

	fake.bytes_of = particles;
	fake.seconds_of = step_of;
	enum ft_status status =
		ft_sweep_reach(store, &p, 0, &machine, &fake.source, &options, 2e9, &out, &err);
	ok(!status && out.bound == FT_REACH_WHERE && out.most == 128,
	   "the constraint may be what ends it: %g", out.most);
	ft_program_clear(&p);
	p = make_two("raised", "n=16:16:16", "m=16:512:16", "n <= m");
	status = ft_sweep_reach(store, &p, 0, &machine, &fake.source, &options, 2e9, &out, &err);
	ok(!status && out.bound == FT_REACH_MEMORY && fabs(cbrt((2e9 - 4e6) / 96) - out.most) <= 24,
	   "the others are raised as it demands: %g", out.most);
	ft_program_clear(&p);
}

static void test_faults(void)
{
	struct fake_source fake = make_fake(quick, square);
	struct ft_program p = make_program("faults", "n=64:64:8");
	struct ft_sweep_options options = {.resource = &ft_wall_s};
	struct ft_reach out;
	enum ft_status status;
	unsigned long n = 0;
	bool clean = true;

	do {
		ft_alloc_fail_at(++n);
		status = ft_sweep_reach(store, &p, 0, &machine, &fake.source, &options, 1e9, &out, NULL);
		clean = clean && (!status || status == FT_ENOMEM);
	} while (status && n < 10000);
	ft_alloc_fail_at(0);
	diag("%lu allocations", n);
	ok(clean && !status && n > 10 && out.most > 6000, "each allocation may fail");
	ft_program_clear(&p);
}

int main(void)
{
	const struct ft_builder_type *type;

	(void)ft_store_open(&store, temp_path("reach.db"), 0, NULL);
	machine.fingerprint = strdup("1111111111111111");
	(void)ft_store_put_machine(store, &machine, NULL);
	test_law();
	test_grows();
	test_bounds();
	test_refusals();
	test_invalid();
	for (size_t i = 0; (type = ft_builder_type_get(i)); i++)
		test_sweep(type->name);
	test_two("adaptive");
	test_two("gbbp");
	test_two_constrained();
	test_faults();
	ft_machine_clear(&machine);
	ft_store_close(store);
	temp_remove();
	return done();
}
