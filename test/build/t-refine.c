/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-refine.c - the adaptive builder over several parameters beside the grid: its price, its budget,
 * sizes that fail. */
#include "facts/door.h"
#include "several.h"

static double bent(const double *x) /* two caches: the speed falls where both parameters are large */
{
	double bytes = x[0] * x[1] * 8;

	return 1e-9 * x[0] * x[0] * x[1] * (1 + 0.8 / (1 + exp(-3 * log(bytes / 4e6))));
}

static double area(const double *x)
{
	return x[0] * x[0] * x[1];
}

static double volume(const double *x)
{
	return x[0] * x[1] * x[2];
}

static double three(const double *x)
{
	return 1e-9 * x[0] * x[1] * x[2] + 2e-8 * x[0] * x[1] + 1e-3;
}

/* The adaptive builder against the grid. */
static void compare_builders(const char *name, const struct ft_build_options *options, struct fake *fake)
{
	static struct asked grid, adaptive;

	fake->seed = 3;
	drive("gbbp", options, fake, &grid);
	drive("adaptive", options, fake, &adaptive);
	struct score found = score(&adaptive, options, fake);
	diag("%s, noise %g: gbbp %zu sizes %.3g s; adaptive %zu sizes %zu runs %.3g s, %.3f p95 %.3f in %.2f "
	     "(%s)",
	     name, fake->noise, sizes_of(&grid), grid.cost_s, sizes_of(&adaptive), adaptive.n,
	     adaptive.cost_s, found.mean, found.p95, found.inside, ft_stop_text(adaptive.stop));
	ok(!adaptive.wrong && adaptive.cost_s < grid.cost_s / 2 && found.p95 < 0.1,
	   "%s: adaptive is cheaper than the grid", name);
}

static void test_adaptive(void)
{
	static const double noises[] = {0, 0.02};

	for (size_t i = 0; i < 2; i++) {
		struct fake fake = {.seconds = product, .work = cube, .noise = noises[i]};
		struct ft_build_options o = options2(16, 256, 8, 512);

		compare_builders("product", &o, &fake);
		fake.seconds = particles_and_cells;
		fake.work = cells;
		fake.admits = no_more;
		o = options2(16, 128, 16, 256);
		compare_builders("particles and cells", &o, &fake);
		fake.seconds = bent;
		fake.work = area;
		fake.admits = NULL;
		o = options2(64, 4096, 64, 4096);
		compare_builders("bent", &o, &fake);
		if (!i)
			continue;
		fake.seconds = three;
		fake.work = volume;
		o.n_params = 3;
		o.space[2] = (struct ft_space){.least = 4, .most = 256, .stride = 1};
		compare_builders("three", &o, &fake);
	}
}

enum { END_SEEDS = 3 };

/* It ends by the error or by the budget, and says which: not by a number of sizes. One build is lucky now and
 * then: the finer ones are nearer to the truth on average. */
static void test_end(void)
{
	static struct asked a;
	struct fake fake = {.seconds = bent, .work = area, .noise = 0.01};
	struct ft_build_options o = options2(64, 4096, 64, 4096);
	double coarse = 0, fine = 0;
	size_t sizes[2] = {0, 0};
	bool good[2] = {true, true};

	for (fake.seed = 7; fake.seed < 7 + END_SEEDS; fake.seed++) {
		o.tolerance = 0.1;
		o.budget_s = 0;
		drive("adaptive", &o, &fake, &a);
		coarse += score(&a, &o, &fake).p95 / END_SEEDS;
		sizes[0] += sizes_of(&a);
		good[0] =
			good[0] && !a.wrong && a.stop == FT_STOP_TOLERANCE && score(&a, &o, &fake).p95 < 0.1;
		o.tolerance = 0.02;
		o.budget_s = 1e6;
		drive("adaptive", &o, &fake, &a);
		fine += score(&a, &o, &fake).p95 / END_SEEDS;
		sizes[1] += sizes_of(&a);
		good[1] = good[1] && !a.wrong && a.stop == FT_STOP_TOLERANCE && sizes_of(&a) > 40;
	}
	ok(good[0], "10 %%: %zu sizes, p95 %.4f", sizes[0] / END_SEEDS, coarse);
	ok(good[1] && fine < coarse && fine < 0.02, "2 %%, and money enough: %zu sizes, p95 %.4f",
	   sizes[1] / END_SEEDS, fine);
	fake.seed = 7;
	o.tolerance = 0.001;
	o.budget_s = 0;
	o.space[0].factor = o.space[1].factor = 2;
	drive("adaptive", &o, &fake, &a);
	ok(!a.wrong && a.stop == FT_STOP_BUDGET && a.cost_s < 10 * bent((double[]){4096, 4096}),
	   "0.1 %%, which the noise does not allow: the usual budget ends it after %zu sizes, %.3g s (%s)",
	   sizes_of(&a), a.cost_s, ft_stop_text(a.stop));
}

/* Cheap sizes are run again when all is measured: they tell of drift. */
static void test_revisits(void)
{
	static struct asked a;
	struct fake fake = {.seconds = bent, .work = area, .noise = 0.01, .seed = 7};
	struct ft_build_options o = options2(64, 4096, 64, 4096);
	size_t again = 0;
	double cost = 0;

	drive("adaptive", &o, &fake, &a);
	for (size_t i = a.n; i-- > 1 && again < 4; again++) {
		size_t j = 0;

		while (j < i && !ft_size_equal(&a.size[j], &a.size[i]))
			j++;
		if (j + 1 >= i)
			break;
		cost += a.seconds[i];
	}
	ok(!a.wrong && again == 4 && cost <= 0.004 * a.cost_s,
	   "%zu sizes are visited again at the end, for %.2g of what was spent", again, cost / a.cost_s);
}

/* Sizes from elsewhere, each^2 of them, so far apart; how many it asks for besides. dearest: of these, by
 * their product. */
static bool after_known(size_t each, double apart, size_t *asked, double *dearest)
{
	struct ft_build_options o = options2(16, 4096, 16, 4096);
	struct fake fake = {.seconds = product, .work = cube};
	struct ft_builder *builder;
	struct ft_size size[4] = {{.n = 0}};
	size_t n = 1;

	o.work = work;
	o.ctx = &fake;
	*asked = 0;
	*dearest = 0;
	bool good = !ft_builder_new(&builder, ft_builder_type_find("adaptive"), &o, NULL);
	for (size_t i = 0; i < each && good; i++)
		for (size_t j = 0; j < each && good; j++) {
			struct ft_size at = {2, {17 + apart * (double)i, 17 + apart * (double)j}};
			double t = product(at.value);
			struct ft_build_result told = {
				.seconds = &t, .n = 1, .footprint_bytes = 8 * at.value[0] * at.value[1]};

			good = !ft_builder_tell(builder, &at, &told, NULL);
		}
	while (good && n && *asked < 100) {
		good = !ft_builder_ask(builder, size, 1, &n, NULL);
		if (!good || !n)
			break;
		double t = product(size[0].value);
		*dearest = fmax(*dearest, size[0].value[0] * size[0].value[1]);
		good = !tell(builder, &size[0], (double[]){t, t}, 2, false);
		*asked += n;
	}
	good = good && ft_builder_stop(builder) == FT_STOP_TOLERANCE;
	ft_builder_free(builder);
	return good;
}

static void test_known(void)
{
	size_t asked;
	double dearest;
	bool good = after_known(30, 140, &asked, &dearest);

	ok(good && asked < 15, "900 sizes that are known leave little to ask: %zu", asked);
	good = after_known(3, 200, &asked, &dearest);
	ok(good && asked > 3 && dearest > 1e6, "nine small ones do not: %zu more, up to %.3g", asked,
	   dearest);
}

static void test_budget(void)
{
	static struct asked a;
	struct fake fake = {.seconds = product, .work = cube, .noise = 0.02};
	struct ft_build_options o = options2(16, 256, 8, 512);

	o.budget_s = 20;
	drive("adaptive", &o, &fake, &a);
	diag("budget 20 s: %zu sizes, %.3g s (%s)", sizes_of(&a), a.cost_s, ft_stop_text(a.stop));
	ok(!a.wrong && a.cost_s < 25 && a.n > 4 && a.stop == FT_STOP_BUDGET,
	   "a budget is kept, but for the error of the last price");
	o.budget_s = 0;
	o.points = 6;
	drive("adaptive", &o, &fake, &a);
	ok(!a.wrong && sizes_of(&a) <= 6, "no more sizes than wanted");
	o.points = 2;
	drive("adaptive", &o, &fake, &a);
	ok(!a.wrong && sizes_of(&a) == 2 && a.stop == FT_STOP_POINTS, "fewer than it begins with, either");
}

/* From a product of sizes on it takes 4.6 times as long, where no memory tells. */
static double stepped(const double *x)
{
	return 2.6e-4 + 3.39e-10 * pow(x[0], 2.891) * pow(x[1], 1.249) * (x[0] * x[1] > 1099 ? 4.56 : 1);
}

/* The builder believes that it knows enough, and the model that answers does not, for between sizes that
 * double the step may lie anywhere: a budget that was stated is there to be spent, as long as a run is left.
 */
static void test_doubt(void)
{
	static struct asked a;
	struct fake fake = {.seconds = stepped, .noise = 0.065, .overhead = 5e-4};
	struct ft_build_options o = options2(10, 2288, 10, 303);

	o.space[0].factor = o.space[1].factor = 2;
	o.tolerance = 0.1;
	o.budget_s = 6e4;
	for (fake.seed = 10; fake.seed < 13; fake.seed++) {
		struct ft_model *model = NULL;
		double known;

		drive("adaptive", &o, &fake, &a);
		known = fit(&a, &fake, &model) ? INFINITY : ft_model_facts(model)->known;
		ft_model_free(model);
		ok(!a.wrong && a.cost_s < 1.05 * o.budget_s &&
			   (known < 0.105 || a.cost_s > 0.9 * o.budget_s || a.stop == FT_STOP_EXHAUSTED),
		   "known to %.3f where .1 was asked for, with %.2f of the budget spent in %zu runs (%s)",
		   known, a.cost_s / o.budget_s, a.n, ft_stop_text(a.stop));
	}
}

/* A routine of microseconds in a process of milliseconds: its cheap sizes are not cheap. */
static void test_overhead(void)
{
	static struct asked a;
	struct ft_build_options o = options2(64, 4096, 64, 4096);
	double start = 2 * bent((double[]){4096, 4096}), cost[2] = {0, 0}, error[2] = {0, 0};

	for (int i = 0; i < 10; i++) {
		struct fake fake = {.seconds = bent, .work = area, .noise = 0.02, .seed = (uint64_t)i / 2};
		struct fake known = fake;

		known.overhead = i % 2 * start;
		drive("adaptive", &o, &known, &a);
		cost[i % 2] += a.cost_s + (double)a.n * (start - known.overhead);
		error[i % 2] += score(&a, &o, &fake).p95 / 5;
	}
	ok(!a.wrong && cost[1] < 0.8 * cost[0] && error[1] < 0.15,
	   "knowing what a start costs: %.2f of the cost (p95 %.3f, not knowing it %.3f)", cost[1] / cost[0],
	   error[1], error[0]);
}

static double constant(const double *x)
{
	(void)x;
	return 3e-3;
}

/* Where all sizes cost the same, the dearest is no measure of what may be spent. */
static void test_constant(void)
{
	static struct asked a;
	struct fake fake = {.seconds = constant, .noise = 0.03, .seed = 4};
	struct ft_build_options o = options2(16, 256, 8, 512);

	drive("adaptive", &o, &fake, &a);
	ok(!a.wrong && a.stop == FT_STOP_TOLERANCE && a.flat[0] && a.flat[1],
	   "a constant is known to be one after %zu runs (%s)", a.n, ft_stop_text(a.stop));
}

/* Programs that die of their size: what is larger in both is not tried. */
static double dies(const double *x)
{
	return x[0] * x[1] > 20000 ? -1 : product(x);
}

/* Too small at its least combination alone; and one that fails everywhere. */
static double too_small(const double *x)
{
	return x[0] < 17 && x[1] < 9 ? -1 : product(x);
}

static double never(const double *x)
{
	(void)x;
	return -1;
}

static void test_least(void)
{
	static struct asked a;
	struct fake fake = {.seconds = too_small, .work = cube};
	struct ft_build_options o = options2(16, 256, 8, 512);

	drive("adaptive", &o, &fake, &a);
	ok(!a.wrong && !(a.seconds[0] > 0) && a.stop == FT_STOP_TOLERANCE && sizes_of(&a) > 8,
	   "the least combination fails, and others do not: %zu sizes (%s)", sizes_of(&a),
	   ft_stop_text(a.stop));
	fake.seconds = never;
	drive("adaptive", &o, &fake, &a);
	ok(!a.wrong && a.stop == FT_STOP_EXHAUSTED && sizes_of(&a) <= 6,
	   "what always fails is left after %zu sizes", sizes_of(&a));
}

static void test_failures(void)
{
	static struct asked a;
	struct fake fake = {.seconds = dies, .work = cube};
	struct ft_build_options o = options2(16, 256, 8, 512);
	size_t failed = 0;

	drive("adaptive", &o, &fake, &a);
	for (size_t i = 0; i < a.n; i++)
		failed += !(a.seconds[i] > 0);
	diag("%zu sizes, %zu of them failed", sizes_of(&a), failed);
	ok(!a.wrong && failed < 15 && sizes_of(&a) - failed >= 6, "sizes that fail are not pressed");
	fake.seconds = refuses;
	fake.work = cells;
	o = options2(200, 300, 10, 100);
	drive("adaptive", &o, &fake, &a);
	ok(!a.wrong && a.stop == FT_STOP_EXHAUSTED, "where nothing can be measured it ends");
	drive("gbbp", &o, &fake, &a);
	ok(!a.wrong && a.stop == FT_STOP_EXHAUSTED, "gbbp too");
}

static double from_nothing(const double *x)
{
	return 1e-3 + 1e-6 * (x[0] + 1) * x[1];
}

static double turned_bent(const double *x)
{
	return bent((const double[]){x[1], x[0]});
}

static double turned_area(const double *x)
{
	return area((const double[]){x[1], x[0]});
}

/* How many sizes of one are no sizes of the other, whose parameters change places. */
static size_t others(const struct asked *a, const struct asked *b)
{
	size_t j, n = 0;

	for (size_t i = 0; i < a->n; i++) {
		for (j = 0; j < b->n && (a->size[i].value[0] != b->size[j].value[1] ||
					 a->size[i].value[1] != b->size[j].value[0]);)
			j++;
		n += j == b->n;
	}
	return n;
}

static void test_order(void)
{
	static struct asked a, b;
	struct fake fake = {.seconds = bent, .work = area, .seed = 5};
	struct ft_build_options o = options2(64, 4096, 16, 1024);

	drive("adaptive", &o, &fake, &a);
	fake.seconds = turned_bent;
	fake.work = turned_area;
	o = options2(16, 1024, 64, 4096);
	drive("adaptive", &o, &fake, &b);
	ok(!a.wrong && a.n == b.n && !others(&a, &b) && !others(&b, &a),
	   "the order of parameters changes no size: %zu and %zu, %zu others", a.n, b.n, others(&a, &b));
}

static void test_zero(void)
{
	static struct asked a;
	struct fake fake = {.seconds = from_nothing, .seed = 5};
	struct ft_build_options o = options2(0, 256, 8, 512);
	size_t inside = 0;

	drive("adaptive", &o, &fake, &a);
	for (size_t i = 0; i < a.n; i++)
		inside += a.size[i].value[0] > 0 && a.size[i].value[0] < 256;
	ok(!a.wrong && inside * 4 > a.n, "a parameter from 0 on: %zu of %zu runs within its range", inside,
	   a.n);
}

int main(void)
{
	test_order();
	test_zero();
	test_adaptive();
	test_end();
	test_revisits();
	test_known();
	test_budget();
	test_doubt();
	test_overhead();
	test_constant();
	test_least();
	test_failures();
	return done();
}
