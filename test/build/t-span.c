/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-span.c - the grid of document 001 over functions in place of a program: its rule, flat parameters, holes,
 * refusals. */
#include "several.h"

#include "base/alloc.h"
#include "facts/door.h"

static double worst_at_crossings(const struct asked *a, const struct fake *fake)
{
	struct ft_model *s;
	double worst = 0;

	if (fit(a, fake, &s))
		return INFINITY;
	for (size_t i = 0; i < a->n; i++) {
		struct ft_prediction p;

		if (!ft_model_predict(s, &a->size[i], work((void *)fake, &a->size[i]), 0.9, &p, NULL))
			worst = fmax(worst, fabs(p.value / fake->seconds(a->size[i].value) - 1));
	}
	ft_model_free(s);
	return worst;
}

static void test_span(void)
{
	static struct asked a;
	struct fake fake = {.seconds = product, .work = cube};
	struct ft_build_options o = options2(16, 256, 8, 512);

	drive("gbbp", &o, &fake, &a);
	struct score found = score(&a, &o, &fake);
	diag("gbbp: %zu sizes, %.3g s, error %.4f, p95 %.4f", sizes_of(&a), a.cost_s, found.mean, found.p95);
	ok(!a.status && !a.wrong && a.stop == FT_STOP_TOLERANCE, "gbbp over two parameters ends by its rule");
	ok(worst_at_crossings(&a, &fake) < 0.002, "the model is as good as exact at its knots: %.2g",
	   worst_at_crossings(&a, &fake));
	ok(found.p95 < 0.05, "and near the truth elsewhere");
	o.points = 5;
	drive("naive", &o, &fake, &a);
	ok(!a.status && !a.wrong && sizes_of(&a) == 25, "naive: 5 x 5 sizes");
	o.points = 7;
	drive("gbbp", &o, &fake, &a);
	ok(!a.wrong && a.stop == FT_STOP_POINTS && sizes_of(&a) == 7, "no more sizes than wanted");
}

/* A progression and a list: nothing else is asked, by any builder. */
static void test_spaces(void)
{
	static const char *const types[] = {"gbbp", "naive", "adaptive"};
	static const double listed[] = {8, 24, 25, 100, 512};
	static struct asked a;
	struct fake fake = {.seconds = product, .work = cube};
	struct ft_build_options o = options2(16, 300, 8, 512);

	o.space[0].factor = 2;
	o.space[1].sizes = listed;
	o.space[1].n_sizes = 5;
	for (size_t type = 0; type < 3; type++) {
		size_t bad = 0;

		drive(types[type], &o, &fake, &a);
		for (size_t i = 0; i < a.n; i++)
			bad += !ft_space_admits(&o.space[0], a.size[i].value[0]) ||
			       !ft_space_admits(&o.space[1], a.size[i].value[1]);
		ok(!a.status && !a.wrong && !bad && sizes_of(&a) > 4 && sizes_of(&a) <= 25,
		   "%s: %zu sizes, of 5 x 5", types[type], sizes_of(&a));
	}
}

static double flat_second(const double *x)
{
	return 1e-6 * x[0] * x[0];
}

static double one(const double *x)
{
	(void)x;
	return 1;
}

/* Where no work is stated, the speed must not be taken for 1 / time, which no two cuts have in common. */
static void test_no_work(void)
{
	static struct asked stated, reported, taken, none, zero;
	struct fake fake = {.seconds = product, .work = cube};
	struct ft_build_options o = options2(16, 256, 8, 512);
	size_t same = 0;

	drive("gbbp", &o, &fake, &stated);
	fake.reports = true;
	drive("gbbp", &o, &fake, &reported);
	fake.reports = false;
	for (size_t i = 0; i < stated.n && i < reported.n; i++)
		same += runs_at(&reported, &stated.size[i], (double[16]){0}, 16) > 0;
	ok(!reported.status && !reported.wrong && same == stated.n && reported.n == stated.n,
	   "work that the runs report does as well as one that is stated: %zu sizes", sizes_of(&reported));
	fake.work = one;
	drive("gbbp", &o, &fake, &taken);
	fake.work = NULL;
	drive("gbbp", &o, &fake, &none);
	struct score found = score(&none, &o, &fake);
	diag("gbbp: %zu sizes with a work, %zu with 1 / time as the speed, %zu without a work, error %.4f, "
	     "p95 %.4f",
	     sizes_of(&stated), sizes_of(&taken), sizes_of(&none), found.mean, found.p95);
	ok(!none.status && !none.wrong && sizes_of(&none) < sizes_of(&taken) / 10 && found.p95 < 0.05,
	   "gbbp without a work measures as little as the curve's bends need");
	o.end_zero = true;
	drive("gbbp", &o, &fake, &zero);
	ok(!zero.status && !zero.wrong && sizes_of(&zero) < sizes_of(&taken) / 10 &&
		   !runs_at(&zero, &(struct ft_size){2, {256, 8}}, (double[16]){0}, 16) &&
		   !runs_at(&zero, &(struct ft_size){2, {16, 512}}, (double[16]){0}, 16),
	   "nor does it run the ends then, where they are not to be run");
	o.end_zero = false;
	fake.seconds = refuses;
	o = options2(16, 128, 32, 256);
	drive("gbbp", &o, &fake, &none);
	fake.work = one;
	drive("gbbp", &o, &fake, &taken);
	fake.work = NULL;
	diag("where ends are holes: %zu sizes, not %zu; %zu holes, p95 %.4f", sizes_of(&none),
	     sizes_of(&taken), none.holes, score(&none, &o, &fake).p95);
	ok(!none.status && !none.wrong && sizes_of(&none) < sizes_of(&taken) / 2 &&
		   score(&none, &o, &fake).p95 < 0.1,
	   "an end that cannot be measured is looked for nearer");
}

static void test_flat(void)
{
	static struct asked a;
	struct fake fake = {.seconds = flat_second};
	struct ft_build_options o = options2(16, 256, 8, 512);
	size_t off = 0;

	drive("gbbp", &o, &fake, &a);
	for (size_t i = 0; i < a.n; i++)
		off += a.size[i].value[1] != 8 && a.size[i].value[0] != 16;
	ok(!a.flat[0] && a.flat[1] && !off, "a parameter that changes nothing is left out of the grid");
	drive("adaptive", &o, &fake, &a);
	ok(a.stop == FT_STOP_TOLERANCE && !a.flat[0] && a.flat[1], "and the adaptive builder tells it, too");
}

static double nearly_flat(const double *x)
{
	return 1e-6 * x[0] * x[0] * (1 + 0.2 * (x[1] - 8) / (512 - 8));
}

static size_t bad_loads, loads;

/* Up to two fifths of the machine are away where it is asked for. */
static void up_to_two_fifths(void *ctx, const struct ft_size *size, double seconds, double load[2])
{
	(void)ctx;
	loads++;
	bad_loads += size->n != 2 || !near(seconds, nearly_flat(size->value), 1e-12);
	load[0] = 0;
	load[1] = 0.4;
}

/* What a load explains is no reason for a grid. */
static void test_load(void)
{
	static struct asked a;
	struct fake fake = {.seconds = nearly_flat};
	struct ft_build_options o = options2(16, 256, 8, 512);

	drive("gbbp", &o, &fake, &a);
	ok(!a.status && !a.wrong && !a.flat[0] && !a.flat[1], "a fifth more is a change");
	o.load = up_to_two_fifths;
	drive("gbbp", &o, &fake, &a);
	ok(!a.status && !a.wrong && !a.flat[0] && a.flat[1], "and none where others may have made it");
	ok(loads > 0 && !bad_loads, "loads are asked for at what was measured, %zu times", loads);
}

static void test_holes(void)
{
	static struct asked a;
	struct fake fake = {.seconds = particles_and_cells, .admits = no_more, .work = cells};
	struct ft_build_options o = options2(32, 128, 32, 256);
	double largest = 0;
	size_t i;

	drive("gbbp", &o, &fake, &a);
	for (i = 0; i < a.n; i++)
		largest = fmax(largest, a.size[i].value[0]);
	diag("where np <= nx: %zu sizes, %zu holes, p95 %.4f", sizes_of(&a), a.holes,
	     score(&a, &o, &fake).p95);
	ok(!a.status && !a.wrong && a.holes > 0 && largest == 128,
	   "a constraint that leaves no line at the least values: the line lies higher");
	ok(score(&a, &o, &fake).p95 < 0.1, "and the model covers what is admitted");

	fake = (struct fake){.seconds = refuses, .work = cells};
	drive("gbbp", &o, &fake, &a);
	for (largest = 0, i = 0; i < a.n; i++)
		if (a.seconds[i] > 0)
			largest = fmax(largest, a.size[i].value[0]);
	diag("holes that the program tells: %zu sizes, %zu holes, p95 %.4f", sizes_of(&a), a.holes,
	     score(&a, &o, &fake).p95);
	ok(!a.status && !a.wrong && a.holes > 0 && largest == 128 && score(&a, &o, &fake).p95 < 0.1,
	   "the same where only the program knows");
	drive("adaptive", &o, &fake, &a);
	ok(!a.status && !a.wrong && score(&a, &o, &fake).p95 < 0.1, "and with the adaptive builder");
}

static bool never(const double *x)
{
	return x[0] > x[1] && x[1] > x[0];
}

static void test_refusals(void)
{
	struct ft_build_options o = options2(1, 1e6, 1, 1e6);
	struct ft_builder *builder;
	struct fake fake = {.seconds = product, .admits = never};
	struct ft_err err = {0};

	o.points = 2000;
	ok(ft_builder_new(&builder, ft_builder_type_find("naive"), &o, &err) == FT_EINVAL && !builder,
	   "refused: %s", err.text);
	o.admits = admits;
	o.ctx = &fake;
	ok(ft_builder_new(&builder, ft_builder_type_find("gbbp"), &o, &err) == FT_EINVAL && !builder,
	   "refused: %s", err.text);
	o = options2(5, 5, 7, 7);
	ok(ft_builder_new(&builder, ft_builder_type_find("gbbp"), &o, &err) == FT_EINVAL && !builder,
	   "refused: %s", err.text);
	o = options2(5, 50, 7, 70);
	o.tolerance = 2;
	ok(ft_builder_new(&builder, ft_builder_type_find("gbbp"), &o, &err) == FT_EINVAL && !builder,
	   "refused: %s", err.text);
	o.tolerance = 0.05;
	ok(!ft_builder_new(&builder, ft_builder_type_find("gbbp"), &o, &err), "a good one");
	ok(tell(builder, &(struct ft_size){2, {4, 8}}, NULL, 0, false) == FT_EINVAL &&
		   tell(builder, &(struct ft_size){2, {6, 8}}, (double[]){-1}, 1, false) == FT_EINVAL,
	   "sizes and times that are none");
	ft_builder_free(builder);
}

/* A short build in which the n-th allocation fails. */
static enum ft_status build_once(const char *type, const struct fake *fake)
{
	struct ft_build_options o = options2(16, 64, 16, 64);
	struct ft_builder *builder;
	struct ft_size size[8];
	size_t n = 1, asked = 0;

	o.work = work;
	o.ctx = (void *)fake;
	o.points = 7;
	enum ft_status status = ft_builder_new(&builder, ft_builder_type_find(type), &o, NULL);
	while (!status && n && asked < 60) {
		status = ft_builder_ask(builder, size, 8, &n, NULL);
		for (size_t i = 0; i < n && !status; i++, asked++) {
			double t = fake->seconds(size[i].value);

			status = tell(builder, &size[i], (double[]){t, t}, 2, false);
		}
	}
	ft_builder_free(builder);
	return status;
}

static void test_faults(void)
{
	static const char *const type[] = {"gbbp", "adaptive"};
	struct fake fake = {.seconds = product, .work = cube};

	for (size_t i = 0; i < 2; i++) {
		unsigned long n = 0;
		enum ft_status status;
		bool clean = true;

		do {
			ft_alloc_fail_at(n += test_sanitized() ? 5 : 1);
			status = build_once(type[i], &fake);
			clean = clean && (!status || status == FT_ENOMEM);
			ft_alloc_fail_at(0);
		} while (status && n < 5000);
		ok(clean && !status && n > 10, "%s: %s of %lu allocations may fail", type[i],
		   test_sanitized() ? "some" : "each", n);
	}
}

int main(void)
{
	test_span();
	test_spaces();
	test_no_work();
	test_flat();
	test_load();
	test_holes();
	test_refusals();
	test_faults();
	return done();
}
