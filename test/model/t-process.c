/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-process.c - models over several parameters. */
#include "tap.h"

#include "base/alloc.h"
#include "base/random.h"
#include "foretime/model.h"
#include "model/door.h"

#include <math.h>
#include <string.h>

enum { MOST = 600 };

struct samples {
	struct ft_observation o[MOST];
	size_t n;
};

static void add(struct samples *s, double x, double y, double value)
{
	s->o[s->n++] = (struct ft_observation){{2, {x, y}}, 1, value, 0, 0, false, 0, 0, 0};
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

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			for (size_t k = 0; k < runs; k++) {
				double x = round(10 * pow(100, (double)i / (double)(n - 1)));
				double y = round(5 * pow(200, (double)j / (double)(n - 1)));

				add(&s, x, y, product(x, y) * exp(noise * ft_random_normal(&random)));
			}
	return s;
}

static enum ft_status fit(const struct samples *s, struct ft_model **out)
{
	static const size_t axes[] = {0, 1};

	return ft_model_fit(out, s->o, s->n, &(struct ft_model_options){.axis = axes, .n_axes = 2}, NULL);
}

/* Of a time with a stated work, where a law is weighed against the field: what is told of all sizes is about
 * what is told of each. */
static void test_work_facts(void)
{
	static const size_t axes[] = {0, 1};
	const struct ft_model_options options = {.axis = axes, .n_axes = 2, .through_speed = true};
	double least = INFINITY, most = 0;
	size_t wrong = 0, models = 0;

	for (double noise = 0.005; noise < 0.05; noise *= 1.5) {
		struct samples s = grid(9, noise, 1, 5 + models);
		struct ft_model *model;

		for (size_t i = 0; i < s.n; i++) {
			const double *at = s.o[i].size.value;

			s.o[i].work = at[0] * at[0] * at[1];
			s.o[i].value *= 1 + 0.8 / (1 + exp(-3 * log(at[0] * at[1] / 3e4)));
		}
		if (ft_model_fit(&model, s.o, s.n, &options, NULL))
			continue;
		least = INFINITY;
		most = 0;
		for (double x = 10; x < 1001; x *= 1.3)
			for (double y = 5; y < 1001; y *= 1.3) {
				struct ft_prediction p;

				if (ft_model_predict(model, &(struct ft_size){2, {x, y}}, x * x * y, 0.9, &p,
						     NULL))
					continue;
				least = fmin(least, p.known);
				most = fmax(most, p.known);
			}
		models++;
		if (!(ft_model_facts(model)->known >= least && ft_model_facts(model)->known <= most)) {
			diag("noise %g: %g, single sizes %g .. %g", noise, ft_model_facts(model)->known,
			     least, most);
			wrong++;
		}
		ft_model_free(model);
	}
	ok(models == 6 && !wrong, "with a stated work: %zu of %zu models are known as their sizes are",
	   models - wrong, models);
}

static struct ft_prediction ask(const struct ft_model *model, double x, double y)
{
	struct ft_prediction p;

	if (ft_model_predict(model, &(struct ft_size){2, {x, y}}, 1, 0.9, &p, NULL))
		p.value = NAN;
	return p;
}

/* Counts of a handful on a grid, some of them one more. */
static double counts_rough(double step, double *noisy)
{
	static const size_t axes[] = {0, 1};
	struct ft_model_options options = {.axis = axes, .n_axes = 2, .step = step};
	int cases = test_cases(test_quick() ? 8 : 20), k;
	double rough = 0;

	*noisy = 0;
	for (k = 0; k < cases; k++) {
		struct ft_random r = {test_seed() + (uint64_t)k};
		struct samples s = grid(4, 0, 2, 1);
		struct ft_model *model;

		for (size_t i = 0; i < s.n; i++)
			s.o[i].value = k % 4 + (ft_random_uniform(&r) < 0.2);
		if (ft_model_fit(&model, s.o, s.n, &options, NULL))
			return 1;
		rough += ft_model_facts(model)->rough / (double)cases;
		*noisy += (k % 4 && ft_model_facts(model)->noisy) / (double)cases;
		ft_model_free(model);
	}
	return rough;
}

static void test_counts(void)
{
	double noisy, shares = counts_rough(0, &noisy), rough = counts_rough(1, &noisy);

	ok(rough <= 0.05 && noisy <= 0.05 && shares >= 0.1,
	   "counts that differ by one are rough in %.2f of cases, noisy in %.2f; as shares rough in %.2f",
	   rough, noisy, shares);
}

/* What nobody saw change is not rough where nobody looked. */
static void test_constant(void)
{
	struct ft_random random = {test_seed()};
	double noises[] = {0, 0.01}, known[2];
	bool rough = false;

	for (size_t k = 0; k < 2; k++) {
		struct samples s = {.n = 0};
		struct ft_model *model;

		for (size_t i = 0; i < 16; i++)
			add(&s, i < 8 ? round(10 * pow(1.9, (double)i)) : 10,
			    i < 8 ? 10 : round(10 * pow(1.9, (double)i - 7)),
			    5e6 * exp(noises[k] * ft_random_normal(&random)));
		if (!ok(!fit(&s, &model), "two lines of sizes"))
			return;
		known[k] = ft_model_facts(model)->known;
		rough = rough || ft_model_facts(model)->rough;
		ft_model_free(model);
	}
	ok(!rough && known[0] < 0.2 && known[1] < 0.2,
	   "a constant is not rough between them: known to %.3f, with 1 %% noise to %.3f", known[0],
	   known[1]);
}

static void test_grid(void)
{
	struct samples s = grid(5, 0, 1, 1);
	struct ft_random random = {5};
	struct ft_model *model;
	double worst = 0, off = 0;

	ok(!fit(&s, &model) && ft_model_facts(model)->sizes == 25 &&
		   !strcmp(ft_model_facts(model)->type, "process"),
	   "a grid of 5 x 5");
	for (size_t i = 0; i < s.n; i++)
		off = fmax(off,
			   fabs(ask(model, s.o[i].size.value[0], s.o[i].size.value[1]).value / s.o[i].value -
				1));
	ok(off < 0.01, "is as good as exact at its knots (%.2g)", off);
	off = 0;
	for (size_t i = 0; i < 200; i++) {
		double x = 10 * pow(100, ft_random_uniform(&random)),
		       y = 5 * pow(200, ft_random_uniform(&random));
		struct ft_prediction p = ask(model, x, y);

		worst = fmax(worst, fabs(p.value / product(x, y) - 1));
		if (p.basis != FT_BASIS_BETWEEN || p.distance != 1 ||
		    !(p.lower < p.value && p.value < p.upper))
			off++;
	}
	diag("largest error %.4f, stated %.4f", worst, ft_model_facts(model)->known);
	ok(worst < 0.04 && worst < ft_model_facts(model)->known && off <= 0 && !ft_model_facts(model)->rough,
	   "and near the truth between them");
	ok(ask(model, 2000, 100).basis == FT_BASIS_BEYOND && near(ask(model, 2000, 100).distance, 2, 1e-12) &&
		   near(ask(model, 2000, 100).value, product(2000, 100), 0.1),
	   "beyond them it says how far");
	ok(ask(model, 4000, 100).upper / ask(model, 4000, 100).lower >
		   ask(model, 1100, 100).upper / ask(model, 1100, 100).lower,
	   "and is less certain the farther");
	ft_model_free(model);
}

/* A continuous line through a knot: no jump beside it. */
static void test_continuous(void)
{
	struct samples s = grid(4, 0.05, 1, 3);
	struct ft_model *model;

	(void)fit(&s, &model);
	struct ft_size at = s.o[5].size;
	ok(isnan(ft_model_facts(model)->scatter), "sizes that were run once tell no scatter");
	double jump = ask(model, at.value[0] * (1 + 1e-7), at.value[1]).value /
			      ask(model, at.value[0], at.value[1]).value -
		      1;
	ok(fabs(jump) < 1e-3, "noise makes no jump beside a knot (%g)", jump);
	ft_model_free(model);
}

static void test_cross(void)
{
	struct samples s = {.n = 0};
	struct ft_model *model;
	double worst = 0;

	for (size_t i = 0; i < 7; i++)
		add(&s, 10 * pow(2, (double)i), 5, product(10 * pow(2, (double)i), 5));
	for (size_t i = 1; i < 7; i++)
		add(&s, 10, 5 * pow(2, (double)i), product(10, 5 * pow(2, (double)i)));
	(void)fit(&s, &model);
	for (size_t i = 1; i < 7; i++)
		for (size_t j = 1; j < 7; j++) {
			double x = 10 * pow(2, (double)i), y = 5 * pow(2, (double)j);

			worst = fmax(worst, fabs(ask(model, x, y).value / product(x, y) - 1));
		}
	diag("largest error at the crossings of two lines %.4f", worst);
	ok(worst < 0.12, "two lines tell a product");
	ft_model_free(model);
}

/* Parameters in the other order, samples in another order: the same answers. */
static void test_symmetry(void)
{
	struct samples s = grid(4, 0.02, 2, 8), turned = s;
	struct ft_model *a, *b;

	for (size_t i = 0; i < s.n; i++) {
		struct ft_size size = s.o[s.n - 1 - i].size;

		turned.o[i] = s.o[s.n - 1 - i];
		turned.o[i].size.value[0] = size.value[1];
		turned.o[i].size.value[1] = size.value[0];
	}
	(void)fit(&s, &a);
	ok(near(ft_model_facts(a)->scatter, 0.02 * 1.64, 0.35), "repeated ones do: %g",
	   ft_model_facts(a)->scatter);
	(void)fit(&turned, &b);
	struct ft_prediction p = ask(a, 77, 33);
	struct ft_prediction q = ask(b, 33, 77);
	ok(near(p.value, q.value, 1e-6) && near(p.upper, q.upper, 1e-6) &&
		   near(ft_model_facts(a)->known, ft_model_facts(b)->known, 0.2),
	   "neither order counts");
	ft_model_free(a);
	ft_model_free(b);
}

/* One parameter: close to the engine. */
static void test_one(void)
{
	static const size_t axes[] = {0, 1};
	const struct ft_model_options both = {.axis = axes, .n_axes = 2, .through_speed = true};
	struct ft_observation o[9], one[9];
	struct ft_model *several, *model;
	double worst = 0, x;

	for (size_t i = 0; i < 9; i++) {
		x = 20 * pow(2, (double)i / 2);
		o[i] = (struct ft_observation){
			{2, {x, 7}}, x * x, 1e-6 * x * x * (1 + 30 / x), 0, 0, false, 0, 0, 0};
		one[i] = (struct ft_observation){{1, {x}}, x * x, o[i].value, 0, 0, false, 0, 0, 0};
	}
	ok(!ft_model_fit(&several, o, 9, &both, NULL) &&
		   !ft_model_fit(&model, one, 9, &(struct ft_model_options){.through_speed = true}, NULL),
	   "samples that differ in one parameter");
	for (x = 21; x < 310; x += 7) {
		struct ft_prediction p, q;

		(void)ft_model_predict(several, &(struct ft_size){2, {x, 7}}, x * x, 0.9, &p, NULL);
		(void)ft_model_predict(model, &(struct ft_size){1, {x}}, x * x, 0.9, &q, NULL);
		worst = fmax(worst, fabs(p.value / q.value - 1));
	}
	diag("largest difference to the engine %.4f", worst);
	ok(worst < 0.03, "are much the same as an engine of one");
	ok(ft_model_predict(several, &(struct ft_size){2, {100, 8}}, 1, 0.9, &(struct ft_prediction){0},
			    NULL) == FT_ENOMODEL,
	   "another value of what does not vary has no model");
	ft_model_free(several);
	ft_model_free(model);
}

/* The share of new runs in the 90 % interval, over noisy samples at scattered sizes. */
static void test_promise(void)
{
	struct ft_random random = {test_seed()};
	size_t inside = 0, total = 0;

	for (size_t round = 0; round < (size_t)test_cases(10); round++) {
		struct samples s = {.n = 0};
		struct ft_model *model;

		for (size_t i = 0; i < 40; i++) {
			double x = exp(2 + 4 * ft_random_uniform(&random)),
			       y = exp(1 + 4 * ft_random_uniform(&random));

			add(&s, x, y, product(x, y) * exp(0.05 * ft_random_normal(&random)));
			add(&s, x, y, product(x, y) * exp(0.05 * ft_random_normal(&random)));
		}
		(void)fit(&s, &model);
		for (size_t i = 0; i < 100; i++) {
			double x = exp(2.2 + 3.6 * ft_random_uniform(&random)),
			       y = exp(1.2 + 3.6 * ft_random_uniform(&random));
			double run = product(x, y) * exp(0.05 * ft_random_normal(&random));
			struct ft_prediction p = ask(model, x, y);

			inside += p.lower <= run && run <= p.upper;
			total++;
		}
		ft_model_free(model);
	}
	diag("%zu of %zu within the 90 %% interval", inside, total);
	ok((double)inside > 0.85 * (double)total && (double)inside < 0.985 * (double)total,
	   "intervals keep their promise (seed %llu)", (unsigned long long)test_seed());
}

/* More knots than are solved at once. */
static void test_many(void)
{
	struct samples s = grid(20, 0.02, 1, 4);
	struct ft_model *model;
	double worst = 0;

	ok(!fit(&s, &model), "400 sizes");
	for (size_t i = 0; i < 50; i++) {
		double x = 12 + 18 * (double)i, y = 950 - 18 * (double)i;

		worst = fmax(worst, fabs(ask(model, x, y).value / product(x, y) - 1));
	}
	diag("largest error %.4f", worst);
	ok(worst < 0.06, "are one model");
	ft_model_free(model);
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

	for (size_t i = 0; i < s.n; i++) {
		const double *at = s.o[i].size.value;

		s.o[i].value = sum_of_three(at[0], at[1]) * exp(noise * ft_random_normal(&random));
	}
	return s;
}

/* Beyond the box of the knots laws share the answer. The fields alone err four times as much. */
static void test_beyond(void)
{
	struct ft_random random = {test_seed()};
	double error = 0, jump = 0, inside = 0, y;
	size_t total = 0;

	for (size_t round = 0; round < (size_t)test_cases(20); round++) {
		struct samples s = sums(0.02, test_seed() + round);
		struct ft_model *model;

		(void)fit(&s, &model);
		for (size_t i = 0; i < 40; i++) {
			double x = 1000 * pow(8, ft_random_uniform(&random)), truth;

			y = 5 * pow(1600, ft_random_uniform(&random));
			truth = sum_of_three(x, y);
			struct ft_prediction p = ask(model, x, y);
			error += fabs(log(p.value / truth));
			truth *= exp(0.02 * ft_random_normal(&random));
			inside += p.lower <= truth && truth <= p.upper;
			total++;
		}
		for (y = 5; y < 1000; y *= 1.3)
			jump = fmax(jump, fabs(log(ask(model, 1000 + 1e-6, y).value /
						   ask(model, 1000 - 1e-6, y).value)));
		ft_model_free(model);
	}
	error /= (double)total;
	diag("up to 8 x beyond: mean |ln error| %.3f; %g of %zu inside; jump %.4f", error, inside, total,
	     jump);
	ok(error < 0.25, "beyond the box a sum of terms is continued as one (seed %llu)",
	   (unsigned long long)test_seed());
	ok(inside > 0.85 * (double)total, "within the interval");
	ok(jump < 0.05, "without a jump at the edge");
}

/* Where nothing obeys a law, laws say nothing. */
static void test_lawless(void)
{
	struct samples s = grid(6, 0, 1, 1);
	struct ft_random random = {12};
	struct ft_model *model;

	for (size_t i = 0; i < s.n; i++)
		s.o[i].value *= exp(2 * ft_random_normal(&random));
	(void)fit(&s, &model);
	struct ft_prediction p = ask(model, 4000, 4000);
	ok(p.upper / p.lower > 100 && ft_model_facts(model)->rough, "what obeys no law is told to be rough");
	ft_model_free(model);
	s = grid(6, 0, 1, 1);
	s.o[7].value = 0;
	(void)fit(&s, &model);
	ok(ask(model, 4000, 4000).value > 0, "values of 0 have no laws of several parameters");
	ft_model_free(model);
}

static void test_refusals(void)
{
	struct samples s = grid(3, 0, 1, 1);
	struct ft_model *model;
	struct ft_prediction p;

	s.o[3].value = -1;
	ok(fit(&s, &model) == FT_EINVAL, "a negative value");
	s.o[3].value = 0;
	ok(!fit(&s, &model) && ask(model, 50, 50).value >= 0, "a value of 0");
	ok(ft_model_predict(model, &(struct ft_size){1, {5}}, 1, 0.9, &p, NULL) == FT_EINVAL,
	   "a size of one");
	ok(ft_model_predict(model, &(struct ft_size){2, {-1, 5}}, 1, 0.9, &p, NULL) == FT_EINVAL,
	   "a size below 0");
	ok(ft_model_predict(model, &(struct ft_size){2, {5, NAN}}, 1, 0.9, &p, NULL) == FT_EINVAL,
	   "a size that is no number");
	ft_model_free(model);
	s.n = 1;
	ok(!fit(&s, &model) && near(ask(model, s.o[0].size.value[0], 5).value, s.o[0].value, 1e-9),
	   "one sample");
	ft_model_free(model);
}

static void test_faults(void)
{
	struct samples s = grid(4, 0.02, 2, 1);
	enum ft_status status;
	unsigned long n = 0;
	bool clean = true;

	for (size_t i = 0; i < s.n; i++)
		s.o[i].memory = 1e6 + 8 * s.o[i].size.value[0] * s.o[i].size.value[1];

	do {
		struct ft_model *model;

		ft_alloc_fail_at(++n);
		status = fit(&s, &model);
		clean = clean && (!status || (status == FT_ENOMEM && !model));
		ft_alloc_fail_at(0);
		ft_model_free(model);
	} while (status && n < 1000);
	ok(clean && !status && n > 10, "each of %lu allocations may fail", n);
}

static void test_faults_beyond(void)
{
	struct samples s = sums(0.02, 1);
	struct ft_size size = {2, {3000, 3000}};
	struct ft_model *model;
	struct ft_prediction p;
	enum ft_status status;
	unsigned long n = 0;
	bool clean = true;

	(void)fit(&s, &model);
	do {
		ft_alloc_fail_at(++n);
		status = ft_model_predict(model, &size, 1, 0.9, &p, NULL);
		clean = clean && (!status ? p.value > 0 : status == FT_ENOMEM);
		ft_alloc_fail_at(0);
	} while (status && n < 1000);
	ok(clean && !status && n > 1, "and of a question, each of %lu", n);
	ft_model_free(model);
}

/* Data over machines: beyond a limit of x / y all of it takes three times as long. */
static double cached(double x, double y)
{
	return (3 + x / y) * (x / y > 11.3 ? 3 : 1);
}

/* So many sizes of a lattice, chosen at random, that were run once; no footprint is known of any. */
static struct samples jobs(size_t n, double noise, struct ft_random *random)
{
	struct samples s = {.n = 0};
	size_t place[144];

	for (size_t i = 0; i < 144; i++)
		place[i] = i;
	ft_random_shuffle(random, place, 144, sizeof *place);
	for (size_t i = 0; i < n; i++) {
		double x = 20 * pow(1.4, (double)(place[i] % 12)), y = 2 + 2 * (double)(place[i] / 12);

		add(&s, x, y, cached(x, y) * exp(noise * ft_random_normal(random)));
	}
	return s;
}

/* A cliff over a quotient of the parameters is found from few sizes. */
static void test_quotient(void)
{
	struct ft_random random = {test_seed()};
	double error = 0, total = 0, inside = 0;
	unsigned char *bytes;
	size_t n, differ = 0;

	for (int round = 0; round < test_cases(8); round++) {
		struct samples s = jobs(32, 0.04, &random);
		struct ft_model *model, *read = NULL;

		if (!ok(!fit(&s, &model) && !ft_model_pack(model, &bytes, &n, NULL) &&
				!ft_model_unpack(&read, bytes, n, NULL, NULL),
			"32 sizes of jobs, packed and unpacked"))
			return;
		ft_free(bytes);
		for (size_t i = 0; i < 144; i++) {
			double x = 20 * pow(1.4, (double)(i % 12)), y = 2 + 2 * (double)(i / 12);
			double run = cached(x, y) * exp(0.04 * ft_random_normal(&random));
			struct ft_prediction p = ask(model, x, y), q = ask(read, x, y);

			differ += !near(p.value, q.value, 1e-9) || !near(p.upper, q.upper, 1e-9);
			if (p.basis == FT_BASIS_AT_KNOT)
				continue;
			error += fabs(p.value / cached(x, y) - 1);
			inside += p.lower <= run && run <= p.upper;
			total++;
		}
		ft_model_free(model);
		ft_model_free(read);
	}
	error /= total;
	ok(error < 0.09, "a cliff over x / y is found: %.3f off in the mean (seed %llu)", error,
	   (unsigned long long)test_seed());
	ok(inside > 0.8 * total, "%.3f of other runs lie in the 90 %% interval", inside / total);
	ok(!differ, "and the model is the same when it was packed");
}

/* The corner that is named is the one of all that is known least. */
static void test_corner(void)
{
	struct samples s = grid(4, 0.03, 1, 5);
	const struct ft_model_facts *facts;
	struct ft_model *model;
	double most = 0, known;

	s.n -= 2; /* the largest x has only some of the y */
	(void)fit(&s, &model);
	facts = ft_model_facts(model);
	for (int i = 0; i < 4; i++)
		most = fmax(most, ask(model, i % 2 ? 1000 : 10, i / 2 ? 1000 : 5).known);
	known = ask(model, facts->corner.value[0], facts->corner.value[1]).known;
	ok(facts->corner.n == 2 && near(facts->worst_known, known, 0.1) && near(known, most, 1e-9) &&
		   known > facts->known,
	   "the corner x=%g y=%g is known to %.3f, all sizes to %.3f", facts->corner.value[0],
	   facts->corner.value[1], facts->worst_known, facts->known);
	ft_model_free(model);
}

/* Over one parameter it would have no laws: there is the engine for it. */
static void test_one_axis(void)
{
	struct samples s = grid(4, 0, 1, 1);
	struct ft_model *model;
	struct ft_err err = {.text = ""};

	ok(ft_model_fit(&model, s.o, s.n, &(struct ft_model_options){.type = "process"}, &err) == FT_EINVAL &&
		   !model && !strcmp(err.text, "there is no model 'process' over 1 parameter") &&
		   err.remedy[0],
	   "a process over one parameter is refused: %s; %s", err.text, err.remedy);
}

/* Memory may lack wherever products are looked at. */
static void test_faults_quotient(void)
{
	struct ft_random random = {3};
	struct samples s = jobs(20, 0.01, &random);
	struct ft_model *model;
	enum ft_status status;
	unsigned long n = 0;
	bool clean = true;

	do {
		n += 1 + n / 16;
		ft_alloc_fail_at(n);
		status = fit(&s, &model);
		clean = clean && (!status ? model != NULL : status == FT_ENOMEM && !model);
		ft_alloc_fail_at(0);
		ft_model_free(model);
	} while (status && n < 3000);
	ok(clean && !status && n > 40, "allocations up to the %lu-th where products are tried", n);
}

int main(void)
{
	test_work_facts();
	test_quotient();
	test_corner();
	test_one_axis();
	test_constant();
	test_counts();
	test_grid();
	test_continuous();
	test_cross();
	test_symmetry();
	test_one();
	if (!test_quick()) {
		test_promise();
		test_many();
		test_beyond();
	}
	test_lawless();
	test_refusals();
	if (!test_quick()) {
		test_faults();
		test_faults_beyond();
		test_faults_quotient();
	}
	return done();
}
