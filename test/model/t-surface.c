/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-surface.c - models over several parameters. */
#include "tap.h"

#include "base/alloc.h"
#include "base/random.h"
#include "model/surface.h"

enum { MOST = 600 };

struct samples {
	struct ft_observation o[MOST];
	size_t n;
};

static void add(struct samples *s, double x, double y, double value)
{
	s->o[s->n++] = (struct ft_observation){{2, {x, y}}, 1, value, 0};
}

static double product(double x, double y)
{
	return 1e-6 * pow(x, 2.2) * y * (1 + 20 / y);
}

/* A grid of n x n, geometric. */
static struct samples grid(size_t n, double noise, size_t runs, uint64_t seed)
{
	struct ft_random random = {seed};
	struct samples s = {.n = 0};
	size_t i, j, k;

	for (i = 0; i < n; i++)
		for (j = 0; j < n; j++)
			for (k = 0; k < runs; k++) {
				double x = round(10 * pow(100, (double)i / (double)(n - 1)));
				double y = round(5 * pow(200, (double)j / (double)(n - 1)));

				add(&s, x, y, product(x, y) * exp(noise * ft_random_normal(&random)));
			}
	return s;
}

static struct ft_prediction ask(const struct ft_surface *s, double x, double y)
{
	struct ft_prediction p;

	if (ft__surface_predict(s, &(struct ft_size){2, {x, y}}, 1, 0.9, &p, NULL))
		p.value = NAN;
	return p;
}

static void test_grid(void)
{
	struct samples s = grid(5, 0, 1, 1);
	struct ft_random random = {5};
	struct ft_surface surface;
	double worst = 0, off = 0;
	size_t i;

	ok(!ft__surface_fit(&surface, s.o, s.n, false, NULL) && surface.n == 25 && surface.n_axes == 2,
	   "a grid of 5 x 5");
	for (i = 0; i < s.n; i++)
		off = fmax(off, fabs(ask(&surface, s.o[i].size.value[0], s.o[i].size.value[1]).value /
					     s.o[i].value -
				     1));
	ok(off == 0, "is exact at its knots");
	for (i = 0; i < 200; i++) {
		double x = 10 * pow(100, ft_random_uniform(&random)),
		       y = 5 * pow(200, ft_random_uniform(&random));
		struct ft_prediction p = ask(&surface, x, y);

		worst = fmax(worst, fabs(p.value / product(x, y) - 1));
		if (p.basis != FT_BASIS_BETWEEN || p.distance != 1 ||
		    !(p.lower < p.value && p.value < p.upper))
			off++;
	}
	diag("largest error %.4f, stated %.4f", worst, surface.stated_error);
	ok(worst < 0.03 && off <= 0 && !surface.rough, "and near the truth between them");
	ok(ask(&surface, 2000, 100).basis == FT_BASIS_BEYOND &&
		   near(ask(&surface, 2000, 100).distance, 2, 1e-12) &&
		   near(ask(&surface, 2000, 100).value, product(2000, 100), 0.1),
	   "beyond them it says how far");
	ok(ask(&surface, 4000, 100).upper / ask(&surface, 4000, 100).lower >
		   ask(&surface, 1100, 100).upper / ask(&surface, 1100, 100).lower,
	   "and is less certain the farther");
	ft__surface_clear(&surface);
	ft__surface_clear(&surface);
}

/* A continuous line through a knot: no jump beside it. */
static void test_continuous(void)
{
	struct samples s = grid(4, 0.05, 1, 3);
	struct ft_surface surface;
	struct ft_size at;
	double jump;

	(void)ft__surface_fit(&surface, s.o, s.n, false, NULL);
	at = s.o[5].size;
	ok(isnan(ft__surface_pooled_noise(&surface)), "sizes that were run once tell no noise");
	jump = ask(&surface, at.value[0] * (1 + 1e-7), at.value[1]).value / s.o[5].value - 1;
	ok(fabs(jump) < 1e-3, "noise makes no jump beside a knot (%g)", jump);
	ft__surface_clear(&surface);
}

static void test_cross(void)
{
	struct samples s = {.n = 0};
	struct ft_surface surface;
	double worst = 0;
	size_t i, j;

	for (i = 0; i < 7; i++)
		add(&s, 10 * pow(2, (double)i), 5, product(10 * pow(2, (double)i), 5));
	for (i = 1; i < 7; i++)
		add(&s, 10, 5 * pow(2, (double)i), product(10, 5 * pow(2, (double)i)));
	(void)ft__surface_fit(&surface, s.o, s.n, false, NULL);
	for (i = 1; i < 7; i++)
		for (j = 1; j < 7; j++) {
			double x = 10 * pow(2, (double)i), y = 5 * pow(2, (double)j);

			worst = fmax(worst, fabs(ask(&surface, x, y).value / product(x, y) - 1));
		}
	diag("largest error at the crossings of two lines %.4f", worst);
	ok(worst < 0.1, "two lines tell a product");
	ft__surface_clear(&surface);
}

/* Parameters in the other order, samples in another order: the same answers. */
static void test_symmetry(void)
{
	struct samples s = grid(4, 0.02, 2, 8), turned = s;
	struct ft_surface a, b;
	struct ft_prediction p, q;
	size_t i;

	for (i = 0; i < s.n; i++) {
		struct ft_size size = s.o[s.n - 1 - i].size;

		turned.o[i] = s.o[s.n - 1 - i];
		turned.o[i].size.value[0] = size.value[1];
		turned.o[i].size.value[1] = size.value[0];
	}
	(void)ft__surface_fit(&a, s.o, s.n, false, NULL);
	ok(near(ft__surface_pooled_noise(&a), 0.02, 0.3), "repeated ones do: %g",
	   ft__surface_pooled_noise(&a));
	(void)ft__surface_fit(&b, turned.o, turned.n, false, NULL);
	p = ask(&a, 77, 33);
	q = ask(&b, 33, 77);
	ok(near(p.value, q.value, 1e-9) && near(p.upper, q.upper, 1e-9) &&
		   near(a.stated_error, b.stated_error, 0.2),
	   "neither order counts");
	ft__surface_clear(&a);
	ft__surface_clear(&b);
}

/* One parameter: close to the engine. */
static void test_one(void)
{
	struct ft_observation o[9], one[9];
	struct ft_surface surface;
	struct ft_model *model;
	double worst = 0, x;
	size_t i;

	for (i = 0; i < 9; i++) {
		x = 20 * pow(2, (double)i / 2);
		o[i] = (struct ft_observation){{2, {x, 7}}, x * x, 1e-6 * x * x * (1 + 30 / x), 0};
		one[i] = (struct ft_observation){{1, {x}}, x * x, o[i].value, 0};
	}
	ok(!ft__surface_fit(&surface, o, 9, true, NULL) &&
		   !ft_model_fit(&model, one, 9, &(struct ft_model_options){.through_speed = true}, NULL) &&
		   surface.n_axes == 1,
	   "samples that differ in one parameter");
	for (x = 21; x < 310; x += 7) {
		struct ft_prediction p, q;

		(void)ft__surface_predict(&surface, &(struct ft_size){2, {x, 7}}, x * x, 0.9, &p, NULL);
		(void)ft_model_predict(model, &(struct ft_size){1, {x}}, x * x, 0.9, &q, NULL);
		worst = fmax(worst, fabs(p.value / q.value - 1));
	}
	diag("largest difference to the engine %.4f", worst);
	ok(worst < 0.03, "are much the same as an engine of one");
	ok(ft__surface_predict(&surface, &(struct ft_size){2, {100, 8}}, 1, 0.9, &(struct ft_prediction){0},
			       NULL) == FT_ENOMODEL,
	   "another value of what does not vary has no model");
	ft__surface_clear(&surface);
	ft_model_free(model);
}

/* The share of new runs in the 90 % interval, over noisy samples at scattered sizes. */
static void test_promise(void)
{
	struct ft_random random = {test_seed()};
	size_t inside = 0, total = 0, round, i;

	for (round = 0; round < (size_t)test_cases(10); round++) {
		struct samples s = {.n = 0};
		struct ft_surface surface;

		for (i = 0; i < 40; i++) {
			double x = exp(2 + 4 * ft_random_uniform(&random)),
			       y = exp(1 + 4 * ft_random_uniform(&random));

			add(&s, x, y, product(x, y) * exp(0.05 * ft_random_normal(&random)));
			add(&s, x, y, product(x, y) * exp(0.05 * ft_random_normal(&random)));
		}
		(void)ft__surface_fit(&surface, s.o, s.n, false, NULL);
		for (i = 0; i < 100; i++) {
			double x = exp(2.2 + 3.6 * ft_random_uniform(&random)),
			       y = exp(1.2 + 3.6 * ft_random_uniform(&random));
			double run = product(x, y) * exp(0.05 * ft_random_normal(&random));
			struct ft_prediction p = ask(&surface, x, y);

			inside += p.lower <= run && run <= p.upper;
			total++;
		}
		ft__surface_clear(&surface);
	}
	diag("%zu of %zu within the 90 %% interval", inside, total);
	ok((double)inside > 0.85 * (double)total && (double)inside < 0.985 * (double)total,
	   "intervals keep their promise (seed %llu)", (unsigned long long)test_seed());
}

/* More knots than are solved at once. */
static void test_many(void)
{
	struct samples s = grid(20, 0.02, 1, 4);
	struct ft_surface surface;
	double worst = 0;
	size_t i;

	ok(!ft__surface_fit(&surface, s.o, s.n, false, NULL) && !surface.krig, "400 sizes");
	for (i = 0; i < 50; i++) {
		double x = 12 + 18 * (double)i, y = 950 - 18 * (double)i;

		worst = fmax(worst, fabs(ask(&surface, x, y).value / product(x, y) - 1));
	}
	diag("largest error %.4f", worst);
	ok(worst < 0.06, "are interpolated around each question");
	ft__surface_clear(&surface);
}

/* A sum: no power law, and seen as one where the constant still counts. */
static double sum_of_three(double x, double y)
{
	return 5 + 2e-6 * x * x * x + 3e-5 * x * x * y;
}

static struct samples sums(double noise, uint64_t seed)
{
	struct samples s = grid(6, 0, 1, 1);
	struct ft_random random = {seed};
	size_t i;

	for (i = 0; i < s.n; i++) {
		const double *at = s.o[i].size.value;

		s.o[i].value = sum_of_three(at[0], at[1]) * exp(noise * ft_random_normal(&random));
	}
	return s;
}

/* Beyond the box of the knots laws share the answer. Of many seeds five rounds err by 0.19 +- 0.03 on
 * average, and 3.8 times as much without laws. */
static void test_beyond(void)
{
	struct ft_random random = {test_seed()};
	double error = 0, error_plain = 0, jump = 0, inside = 0, y;
	size_t round, i, total = 0;

	for (round = 0; round < (size_t)test_cases(20); round++) {
		struct samples s = sums(0.02, test_seed() + round);
		struct ft_surface surface, plain;

		(void)ft__surface_fit(&surface, s.o, s.n, false, NULL);
		plain = surface;
		plain.outlook = NULL;
		for (i = 0; i < 40; i++) {
			double x = 1000 * pow(8, ft_random_uniform(&random)), truth;
			struct ft_prediction p;

			y = 5 * pow(1600, ft_random_uniform(&random));
			truth = sum_of_three(x, y);
			p = ask(&surface, x, y);
			error += fabs(log(p.value / truth));
			error_plain += fabs(log(ask(&plain, x, y).value / truth));
			truth *= exp(0.02 * ft_random_normal(&random));
			inside += p.lower <= truth && truth <= p.upper;
			total++;
		}
		for (y = 5; y < 1000; y *= 1.3)
			jump = fmax(jump, fabs(log(ask(&surface, 1000 + 1e-6, y).value /
						   ask(&surface, 1000 - 1e-6, y).value)));
		ft__surface_clear(&surface);
	}
	error /= (double)total;
	error_plain /= (double)total;
	diag("up to 8 x beyond: mean |ln error| %.3f, without laws %.3f; %g of %zu inside; jump %.4f", error,
	     error_plain, inside, total, jump);
	ok(error < 0.25 && error_plain > 3 * error,
	   "beyond the box a sum of terms is continued as one (seed %llu)", (unsigned long long)test_seed());
	ok(inside > 0.85 * (double)total, "within the interval");
	ok(jump < 0.05, "without a jump at the edge");
}

/* Where nothing obeys a law, laws say nothing. */
static void test_lawless(void)
{
	struct samples s = grid(6, 0, 1, 1);
	struct ft_random random = {12};
	struct ft_surface surface, plain;
	struct ft_prediction p, q;
	size_t i;

	for (i = 0; i < s.n; i++)
		s.o[i].value *= exp(2 * ft_random_normal(&random));
	(void)ft__surface_fit(&surface, s.o, s.n, false, NULL);
	plain = surface;
	plain.outlook = NULL;
	p = ask(&surface, 4000, 4000);
	q = ask(&plain, 4000, 4000);
	ok(fabs(log(p.value / q.value)) < 0.1 && p.upper / p.lower > 100,
	   "what obeys no law is not continued by one");
	ft__surface_clear(&surface);
	s = grid(6, 0, 1, 1);
	s.o[7].value = 0;
	(void)ft__surface_fit(&surface, s.o, s.n, false, NULL);
	ok(!surface.outlook && ask(&surface, 4000, 4000).value > 0,
	   "values of 0 have no laws of several parameters");
	ft__surface_clear(&surface);
}

static void test_refusals(void)
{
	struct samples s = grid(3, 0, 1, 1);
	struct ft_surface surface;
	struct ft_prediction p;

	ok(ft__surface_fit(&surface, s.o, 0, false, NULL) == FT_ENOMODEL && !surface.knot, "no samples");
	s.o[3].value = -1;
	ok(ft__surface_fit(&surface, s.o, s.n, false, NULL) == FT_EINVAL, "a negative value");
	s.o[3].value = 0;
	ok(!ft__surface_fit(&surface, s.o, s.n, true, NULL) && !surface.through_speed &&
		   ask(&surface, 50, 50).value >= 0,
	   "a value of 0 has no speed");
	ok(ft__surface_predict(&surface, &(struct ft_size){1, {5}}, 1, 0.9, &p, NULL) == FT_EINVAL,
	   "a size of one");
	ok(ft__surface_predict(&surface, &(struct ft_size){2, {-1, 5}}, 1, 0.9, &p, NULL) == FT_EINVAL,
	   "a size below 0");
	ft__surface_clear(&surface);
	ok(!ft__surface_fit(&surface, s.o, 1, false, NULL) &&
		   near(ask(&surface, s.o[0].size.value[0], 5).value, s.o[0].value, 1e-12),
	   "one sample");
	ft__surface_clear(&surface);
}

static void test_faults(void)
{
	struct samples s = grid(3, 0.02, 2, 1);
	enum ft_status status;
	unsigned long n = 0;
	bool clean = true;

	do {
		struct ft_surface surface;

		ft_alloc_fail_at(++n);
		status = ft__surface_fit(&surface, s.o, s.n, false, NULL);
		clean = clean && (!status || (status == FT_ENOMEM && !surface.knot && !surface.krig));
		ft_alloc_fail_at(0);
		ft__surface_clear(&surface);
	} while (status && n < 1000);
	ok(clean && !status && n > 10, "each of %lu allocations may fail", n);
}

static void test_faults_beyond(void)
{
	struct samples s = sums(0.02, 1);
	struct ft_size size = {2, {3000, 3000}};
	struct ft_surface surface;
	struct ft_prediction p;
	enum ft_status status;
	unsigned long n = 0;
	bool clean = true;

	(void)ft__surface_fit(&surface, s.o, s.n, false, NULL);
	do {
		ft_alloc_fail_at(++n);
		status = ft__surface_predict(&surface, &size, 1, 0.9, &p, NULL);
		clean = clean && (!status ? p.value > 0 : status == FT_ENOMEM && p.value == 0);
		ft_alloc_fail_at(0);
	} while (status && n < 1000);
	ok(clean && !status && n > 5, "and beyond the box, each of %lu", n);
	ft__surface_clear(&surface);
}

/* As a model: the same answers, with how well the typical run is known; the facts are those of the surface.
 */
static void test_model(void)
{
	static const size_t axes[] = {0, 1};
	const struct ft_model_options options = {.axis = axes, .n_axes = 2};
	struct samples s = grid(5, 0.03, 2, 9);
	struct ft_surface surface;
	struct ft_model *model = NULL;
	struct ft_random random = {7};
	size_t i, wrong = 0;

	(void)ft__surface_fit(&surface, s.o, s.n, false, NULL);
	ok(!ft_model_fit(&model, s.o, s.n, &options, NULL) &&
		   !strcmp(ft_model_facts(model)->type, "surface") && ft_model_facts(model)->sizes == 25 &&
		   ft_model_facts(model)->runs == 50 &&
		   near(ft_model_facts(model)->known, surface.stated_error, 1e-12) &&
		   !ft_model_facts(model)->rough,
	   "over two parameters a model is a surface");
	for (i = 0; i < 200; i++) {
		double x = 5 * pow(400, ft_random_uniform(&random)),
		       y = 3 * pow(800, ft_random_uniform(&random));
		struct ft_prediction p = ask(&surface, x, y), q;

		wrong += ft_model_predict(model, &(struct ft_size){2, {x, y}}, 1, 0.9, &q, NULL) != FT_OK ||
			 p.value != q.value || p.lower != q.lower || p.upper != q.upper || !(q.known >= 0) ||
			 q.value * (1 + q.known) > q.upper * (1 + 1e-9);
	}
	ok(!wrong, "with its answers: %zu differ", wrong);
	ft__surface_clear(&surface);
	ft_model_free(model);
}

int main(void)
{
	test_grid();
	test_continuous();
	test_cross();
	test_symmetry();
	test_one();
	test_promise();
	test_many();
	test_beyond();
	test_lawless();
	test_refusals();
	test_faults();
	test_faults_beyond();
	test_model();
	return done();
}
