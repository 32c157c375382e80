/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-grid.c - builders over several parameters, over functions in place of a program. */
#include "tap.h"

#include "base/alloc.h"
#include "base/random.h"
#include "foretime/grid.h"
#include "foretime/surface.h"

/* A program: its time at a size (<= 0: it fails, NaN: it calls the size a hole), and which sizes make sense.
 */
struct fake {
	double (*seconds)(const double *x);
	bool (*admits)(const double *x);
	double (*work)(const double *x);
	double noise;
	uint64_t seed;
};

enum { ASKED_MOST = 3000 };

/* What a builder asked, and what it was told. */
struct asked {
	struct ft_size size[ASKED_MOST];
	double seconds[ASKED_MOST]; /* NaN: none */
	size_t n;
	double cost_s;
	enum ft_stop stop;
	enum ft_status status;
	bool flat[FT_PARAMS_MAX];
	size_t holes;
	bool wrong; /* a size that is none, or that was told already */
};

static bool admits(void *ctx, const struct ft_size *size)
{
	const struct fake *fake = ctx;

	return !fake->admits || fake->admits(size->value);
}

static double work(void *ctx, const struct ft_size *size)
{
	const struct fake *fake = ctx;

	return fake->work ? fake->work(size->value) : 1;
}

static size_t runs_at(const struct asked *a, const struct ft_size *size, double *seconds, size_t most)
{
	size_t i, n = 0;

	for (i = 0; i < a->n; i++)
		if (ft_size_equal(&a->size[i], size) && n < most)
			seconds[n++] = a->seconds[i];
	return n;
}

/* Measures a size: once, or twice where the builder leaves repetition to us. */
static void measure(struct asked *a, const struct fake *fake, struct ft_random *random,
		    struct ft_grid_builder *builder, const struct ft_size *size)
{
	double seconds[16];
	size_t before = runs_at(a, size, seconds, 16), n, i;
	bool repeats = ft_grid_builder_repeats(builder), hole = false;

	a->wrong = a->wrong || (before && (!repeats || !(seconds[0] > 0))) || !admits((void *)fake, size);
	for (i = 0; i < (repeats ? 1 : 2) && a->n < ASKED_MOST; i++) {
		double t = fake->seconds(size->value);

		hole = isnan(t);
		t = t > 0 ? t * exp(fake->noise * ft_random_normal(random)) : NAN;
		a->size[a->n] = *size;
		a->seconds[a->n++] = t;
		a->cost_s += t > 0 ? t : 0;
	}
	n = runs_at(a, size, seconds, 16);
	if (!(seconds[0] > 0))
		n = 0;
	if (ft_grid_builder_tell(builder, size, seconds, n, hole, NULL))
		a->wrong = true;
}

static void drive(const char *type, const struct ft_grid_options *options, const struct fake *fake,
		  struct asked *a)
{
	struct ft_builder_type other = *ft_builder_type_get(0);
	const struct ft_builder_type *found = ft_builder_type_find(type);
	struct ft_random random = {fake->seed + 1};
	struct ft_grid_options o = *options;
	struct ft_grid_builder *builder;
	struct ft_size size[64];
	struct ft_err err;
	size_t n, i;

	*a = (struct asked){0};
	other.name = type;
	o.admits = admits;
	o.work = work;
	o.ctx = (void *)fake;
	a->status = ft_grid_builder_new(&builder, found ? found : &other, &o, &err);
	while (!a->status && a->n < ASKED_MOST) {
		a->status = ft_grid_builder_ask(builder, size, 64, &n, &err);
		if (a->status || !n)
			break;
		for (i = 0; i < n; i++)
			measure(a, fake, &random, builder, &size[i]);
	}
	if (a->status)
		diag("%s", err.text);
	if (!builder)
		return;
	a->wrong = a->wrong || a->n == ASKED_MOST;
	a->stop = ft_grid_builder_stop(builder);
	a->holes = ft_grid_builder_holes(builder);
	for (i = 0; i < o.n_params; i++)
		a->flat[i] = ft_grid_builder_flat(builder, i);
	ft_grid_builder_free(builder);
}

static size_t sizes_of(const struct asked *a)
{
	size_t i, j, n = 0;

	for (i = 0; i < a->n; i++) {
		for (j = 0; j < i && !ft_size_equal(&a->size[i], &a->size[j]); j++)
			;
		n += j == i;
	}
	return n;
}

/* The surface through what was asked. */
static enum ft_status fit(const struct asked *a, const struct fake *fake, struct ft_surface *s)
{
	static struct ft_surface_observation o[ASKED_MOST];
	size_t i, n = 0;

	for (i = 0; i < a->n; i++)
		if (a->seconds[i] > 0)
			o[n++] = (struct ft_surface_observation){a->size[i], work((void *)fake, &a->size[i]),
								 a->seconds[i]};
	return ft_surface_fit(s, o, n, fake->work, NULL);
}

/* Mean and 95 % quantile of the relative error at random sizes (half of them spread by logarithm), and how
 * many noisy runs there fall into the 90 % interval. */
struct score {
	double mean, p95, inside;
};

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static struct score score(const struct asked *a, const struct ft_grid_options *o, const struct fake *fake)
{
	struct ft_random random = {99};
	struct ft_surface s;
	struct score score = {0};
	double error[400];
	size_t n = 0, i;

	if (fit(a, fake, &s))
		return (struct score){INFINITY, INFINITY, 0};
	while (n < 400) {
		struct ft_size size = {.n = o->n_params};
		struct ft_prediction p;
		double t;

		for (i = 0; i < size.n; i++) {
			const struct ft_space *space = &o->space[i];
			double u = ft_random_uniform(&random);

			size.value[i] = round(n % 2 ? space->least * pow(space->most / space->least, u)
						    : space->least + u * (space->most - space->least));
		}
		t = fake->seconds(size.value);
		if (!admits((void *)fake, &size) || !(t > 0))
			continue;
		if (ft_surface_predict(&s, &size, work((void *)fake, &size), 0.9, &p, NULL))
			break;
		error[n] = fabs(p.value / t - 1);
		score.mean += error[n++] / 400;
		t *= exp(fake->noise * ft_random_normal(&random));
		score.inside += (p.lower <= t && t <= p.upper) / 400.0;
	}
	qsort(error, n, sizeof *error, compare);
	score.p95 = error[n * 95 / 100];
	ft_surface_clear(&s);
	return score;
}

static struct ft_grid_options options2(double a, double b, double c, double d)
{
	return (struct ft_grid_options){
		.space = {{.least = a, .most = b, .stride = 1}, {.least = c, .most = d, .stride = 1}},
		.n_params = 2,
		.tolerance = 0.05,
		.confidence = 0.9,
	};
}

/* ---- programs ----------------------------------------------------------------------------------------- */

static double product(const double *x)
{
	return 1e-9 * x[0] * x[0] * x[0] * pow(x[1], 1.5) * (1 + 30 / (x[0] + 30));
}

static double particles_and_cells(const double *x) /* deposit and gather, and a transform of the mesh */
{
	double np = x[0] * x[0] * x[0], nx = x[1] * x[1] * x[1];

	return 2e-8 * np + 1e-9 * nx * log(nx) + 1e-3;
}

static double bent(const double *x) /* two caches: the speed falls where both parameters are large */
{
	double bytes = x[0] * x[1] * 8;

	return 1e-9 * x[0] * x[0] * x[1] * (1 + 0.8 / (1 + exp(-3 * log(bytes / 4e6))));
}

static double cells(const double *x)
{
	return x[0] * x[0] * x[0] + x[1] * x[1] * x[1];
}

static double cube(const double *x)
{
	return x[0] * x[0] * x[0] * x[1];
}

static double area(const double *x)
{
	return x[0] * x[0] * x[1];
}

static double volume(const double *x)
{
	return x[0] * x[1] * x[2];
}

static double flat_second(const double *x)
{
	return 1e-6 * x[0] * x[0];
}

static double three(const double *x)
{
	return 1e-9 * x[0] * x[1] * x[2] + 2e-8 * x[0] * x[1] + 1e-3;
}

static bool no_more(const double *x)
{
	return x[0] <= x[1];
}

static double refuses(const double *x)
{
	return x[0] <= x[1] ? particles_and_cells(x) : NAN;
}

/* ---- tests -------------------------------------------------------------------------------------------- */

static double worst_at_crossings(const struct asked *a, const struct fake *fake)
{
	struct ft_surface s;
	double worst = 0;
	size_t i;

	if (fit(a, fake, &s))
		return INFINITY;
	for (i = 0; i < a->n; i++) {
		struct ft_prediction p;

		if (!ft_surface_predict(&s, &a->size[i], work((void *)fake, &a->size[i]), 0.9, &p, NULL))
			worst = fmax(worst, fabs(p.value / fake->seconds(a->size[i].value) - 1));
	}
	ft_surface_clear(&s);
	return worst;
}

static void test_span(void)
{
	static struct asked a;
	struct fake fake = {.seconds = product, .work = cube};
	struct ft_grid_options o = options2(16, 256, 8, 512);
	struct score found;

	drive("gbbp", &o, &fake, &a);
	found = score(&a, &o, &fake);
	diag("gbbp: %zu sizes, %.3g s, error %.4f, p95 %.4f", sizes_of(&a), a.cost_s, found.mean, found.p95);
	ok(!a.status && !a.wrong && a.stop == FT_STOP_TOLERANCE, "gbbp over two parameters ends by its rule");
	ok(worst_at_crossings(&a, &fake) < 1e-12, "the model is exact at its knots");
	ok(found.p95 < 0.05, "and near the truth elsewhere");
	o.points = 5;
	drive("naive", &o, &fake, &a);
	ok(!a.status && !a.wrong && sizes_of(&a) == 25, "naive: 5 x 5 sizes");
	o.points = 7;
	drive("gbbp", &o, &fake, &a);
	ok(!a.wrong && a.stop == FT_STOP_POINTS && sizes_of(&a) == 7, "no more sizes than wanted");
}

static void test_flat(void)
{
	static struct asked a;
	struct fake fake = {.seconds = flat_second};
	struct ft_grid_options o = options2(16, 256, 8, 512);
	size_t i, off = 0;

	drive("gbbp", &o, &fake, &a);
	for (i = 0; i < a.n; i++)
		off += a.size[i].value[1] != 8 && a.size[i].value[0] != 16;
	ok(!a.flat[0] && a.flat[1] && !off, "a parameter that changes nothing is left out of the grid");
}

static void test_holes(void)
{
	static struct asked a;
	struct fake fake = {.seconds = particles_and_cells, .admits = no_more, .work = cells};
	struct ft_grid_options o = options2(32, 128, 32, 256);
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

/* The adaptive builder against the grid. */
static void compare_builders(const char *name, const struct ft_grid_options *options, struct fake *fake)
{
	static struct asked grid, adaptive, naive;
	struct ft_grid_options o = *options;
	struct score of_grid, of_adaptive, of_naive;

	fake->seed = 3;
	drive("gbbp", &o, fake, &grid);
	of_grid = score(&grid, &o, fake);
	o.points = o.n_params == 2 ? 20 : 8;
	drive("naive", &o, fake, &naive);
	of_naive = score(&naive, &o, fake);
	o.points = 0;
	drive("adaptive", &o, fake, &adaptive);
	of_adaptive = score(&adaptive, &o, fake);
	diag("%s, noise %g: naive %zu sizes %.3g s, %.3f p95 %.3f in %.2f; gbbp %zu sizes %.3g s, %.3f p95 "
	     "%.3f in %.2f; adaptive %zu sizes %zu runs "
	     "%.3g s, %.3f p95 %.3f in %.2f (%s)",
	     name, fake->noise, sizes_of(&naive), naive.cost_s, of_naive.mean, of_naive.p95, of_naive.inside,
	     sizes_of(&grid), grid.cost_s, of_grid.mean, of_grid.p95, of_grid.inside, sizes_of(&adaptive),
	     adaptive.n, adaptive.cost_s, of_adaptive.mean, of_adaptive.p95, of_adaptive.inside,
	     ft_stop_text(adaptive.stop));
	ok(!adaptive.wrong && adaptive.cost_s < grid.cost_s / 2 && of_adaptive.p95 < 0.1,
	   "%s: adaptive is cheaper than the grid", name);
}

static void test_adaptive(void)
{
	static const double noises[] = {0, 0.02};
	size_t i;

	for (i = 0; i < 2; i++) {
		struct fake fake = {.seconds = product, .work = cube, .noise = noises[i]};
		struct ft_grid_options o = options2(16, 256, 8, 512);

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
		fake.seconds = three;
		fake.work = volume;
		o.n_params = 3;
		o.space[2] = (struct ft_space){.least = 4, .most = 256, .stride = 1};
		compare_builders("three", &o, &fake);
	}
}

static bool never(const double *x)
{
	return x[0] > x[1] && x[1] > x[0];
}

static void test_budget(void)
{
	static struct asked a;
	struct fake fake = {.seconds = product, .work = cube, .noise = 0.02};
	struct ft_grid_options o = options2(16, 256, 8, 512);

	o.budget_s = 20;
	drive("adaptive", &o, &fake, &a);
	diag("budget 20 s: %zu sizes, %.3g s (%s)", sizes_of(&a), a.cost_s, ft_stop_text(a.stop));
	ok(!a.wrong && a.cost_s < 25 && a.n > 4 && a.stop == FT_STOP_BUDGET,
	   "a budget is kept, but for the error of the last price");
	o.budget_s = 0;
	o.points = 6;
	drive("adaptive", &o, &fake, &a);
	ok(!a.wrong && sizes_of(&a) <= 6, "no more sizes than wanted");
}

/* Programs that die of their size: what is larger in both is not tried. */
static double dies(const double *x)
{
	return x[0] * x[1] > 20000 ? -1 : product(x);
}

static void test_failures(void)
{
	static struct asked a;
	struct fake fake = {.seconds = dies, .work = cube};
	struct ft_grid_options o = options2(16, 256, 8, 512);
	size_t i, failed = 0;

	drive("adaptive", &o, &fake, &a);
	for (i = 0; i < a.n; i++)
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

static void test_refusals(void)
{
	struct ft_grid_options o = options2(1, 1e6, 1, 1e6);
	struct ft_grid_builder *builder;
	struct fake fake = {.seconds = product, .admits = never};
	struct ft_err err = {0};

	o.points = 2000;
	ok(ft_grid_builder_new(&builder, ft_builder_type_find("naive"), &o, &err) == FT_EINVAL && !builder,
	   "refused: %s", err.text);
	o.admits = admits;
	o.ctx = &fake;
	ok(ft_grid_builder_new(&builder, ft_builder_type_find("gbbp"), &o, &err) == FT_EINVAL && !builder,
	   "refused: %s", err.text);
	o = options2(5, 5, 7, 7);
	ok(ft_grid_builder_new(&builder, ft_builder_type_find("gbbp"), &o, &err) == FT_EINVAL && !builder,
	   "refused: %s", err.text);
	o = options2(5, 50, 7, 70);
	o.tolerance = 2;
	ok(ft_grid_builder_new(&builder, ft_builder_type_find("gbbp"), &o, &err) == FT_EINVAL && !builder,
	   "refused: %s", err.text);
	o.tolerance = 0.05;
	ok(!ft_grid_builder_new(&builder, ft_builder_type_find("gbbp"), &o, &err), "a good one");
	ok(ft_grid_builder_tell(builder, &(struct ft_size){2, {4, 8}}, NULL, 0, false, &err) == FT_EINVAL &&
		   ft_grid_builder_tell(builder, &(struct ft_size){2, {6, 8}}, (double[]){-1}, 1, false,
					&err) == FT_EINVAL,
	   "sizes and times that are none");
	ft_grid_builder_free(builder);
}

/* A short build in which the n-th allocation fails. */
static enum ft_status build_once(const char *type, const struct fake *fake)
{
	struct ft_grid_options o = options2(16, 64, 16, 64);
	struct ft_builder_type other = *ft_builder_type_get(0);
	struct ft_grid_builder *builder;
	struct ft_size size[8];
	size_t n = 1, i, asked = 0;
	enum ft_status status;

	other.name = type;
	o.work = work;
	o.ctx = (void *)fake;
	o.points = 7;
	status = ft_grid_builder_new(
		&builder, ft_builder_type_find(type) ? ft_builder_type_find(type) : &other, &o, NULL);
	while (!status && n && asked < 60) {
		status = ft_grid_builder_ask(builder, size, 8, &n, NULL);
		for (i = 0; i < n && !status; i++, asked++) {
			double t = fake->seconds(size[i].value);

			status = ft_grid_builder_tell(builder, &size[i], (double[]){t, t}, 2, false, NULL);
		}
	}
	ft_grid_builder_free(builder);
	return status;
}

static void test_faults(void)
{
	static const char *const type[] = {"gbbp", "adaptive"};
	struct fake fake = {.seconds = product, .work = cube};
	size_t i;

	for (i = 0; i < 2; i++) {
		unsigned long n = 0;
		enum ft_status status;
		bool clean = true;

		do {
			ft_alloc_fail_at(++n);
			status = build_once(type[i], &fake);
			clean = clean && (!status || status == FT_ENOMEM);
			ft_alloc_fail_at(0);
		} while (status && n < 5000);
		ok(clean && !status && n > 10, "%s: each of %lu allocations may fail", type[i], n);
	}
}

int main(void)
{
	test_span();
	test_flat();
	test_holes();
	test_adaptive();
	test_budget();
	test_failures();
	test_refusals();
	test_faults();
	return done();
}
