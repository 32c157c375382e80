/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-engine.c - models over one parameter: what does not depend on units and order, limits of few and of many
 * samples, of none and of all noise. */
#include "model-test.h"
#include "tap.h"

#include "model/model.h"

static const struct ft_model_options brief = {.brief = true}, speed = {.through_speed = true};

/* ---- units and order --------------------------------------------------------------------------------- */

/* A random curve: a power law with a cliff, some noise. */
static void random_curve(struct samples *s, struct ft_random *r)
{
	size_t sizes = 1 + ft_random_below(r, 30), i, k;
	double x = floor(exp(5 * ft_random_uniform(r))), slope = 3 * ft_random_uniform(r), cliff = x * 30;
	double noise = 0.2 * ft_random_uniform(r);

	s->n = 0;
	for (i = 0; i < sizes; i++, x = ceil(x * (1.05 + ft_random_uniform(r))))
		for (k = ft_random_below(r, 4) + 1; k; k--)
			add(s, x, x * x,
			    1e-6 * pow(x, slope) * (x > cliff ? 2 : 1) * exp(noise * ft_random_normal(r)));
}

static double largest(const struct samples *s)
{
	double most = 0;

	for (size_t i = 0; i < s->n; i++)
		most = fmax(most, s->o[i].size.value[0]);
	return most;
}

/* The largest relative difference of two models, values of the second divided by c, sizes by d. */
static double difference(const struct ft_model *a, const struct ft_model *b, double most, double c, double d)
{
	double off = 0;

	for (double x = 1; x < 4 * most; x *= 1.37) {
		struct ft_prediction p = ask_at(a, x, x * x, 0.9), q = ask_at(b, x * d, x * x, 0.9);

		if (!isfinite(p.value) || !isfinite(q.value))
			return INFINITY;
		off = fmax(off, fabs(log(q.value / c / p.value)));
		off = fmax(off, fabs(log((q.lower / c + 1e-300) / (p.lower + 1e-300))));
		off = fmax(off, fabs(log(q.upper / c / p.upper)));
	}
	return off;
}

static void test_units(void)
{
	struct ft_random r = {test_seed()};
	static struct samples s, t;
	double values = 0, brief_values = 0, sizes = 0;

	for (int i = 0; i < test_cases(test_quick() ? 8 : 40); i++) {
		struct ft_model *a[2], *b[2], *c;
		double factor = exp(10 * ft_random_normal(&r));

		random_curve(&s, &r);
		t = s;
		for (size_t k = 0; k < t.n; k++)
			t.o[k].value *= factor;
		a[0] = fit(&s);
		b[0] = fit(&t);
		a[1] = fit_as(&s, &brief);
		b[1] = fit_as(&t, &brief);
		values = fmax(values, difference(a[0], b[0], largest(&s), factor, 1));
		brief_values = fmax(brief_values, difference(a[1], b[1], largest(&s), factor, 1));
		t = s;
		for (size_t k = 0; k < t.n; k++)
			t.o[k].size.value[0] *= 1.375;
		c = fit_as(&t, &brief);
		if (!ft_model_facts(a[1])->n_fine && !ft_model_facts(c)->n_fine)
			sizes = fmax(sizes, difference(a[1], c, largest(&s), 1, 1.375));
		ft_model_free(a[0]);
		ft_model_free(a[1]);
		ft_model_free(b[0]);
		ft_model_free(b[1]);
		ft_model_free(c);
	}
	ok(brief_values < 1e-6, "values times c: answers times c (%.1g)", brief_values);
	ok(values < 1e-3, "with laws, too (%.1g)", values);
	ok(sizes < 1e-6, "sizes times c: the same answers (%.1g)", sizes);
}

/* Bit for bit, for any order of the samples. */
static void test_order(void)
{
	struct ft_random r = {test_seed() + 1};
	static struct samples s, t;
	size_t wrong = 0;

	for (int i = 0; i < test_cases(test_quick() ? 6 : 20); i++) {
		random_curve(&s, &r);
		t = s;
		for (size_t k = t.n; k > 1; k--) {
			size_t j = ft_random_below(&r, k);
			struct ft_observation swap = t.o[j];

			t.o[j] = t.o[k - 1];
			t.o[k - 1] = swap;
		}
		struct ft_model *a = fit_as(&s, &speed);
		struct ft_model *b = fit_as(&t, &speed);
		for (double x = 1; x < 2 * largest(&s); x *= 1.21) {
			struct ft_prediction p = ask(a, x), q = ask(b, x);

			wrong += !same(&p, &q);
		}
		ft_model_free(a);
		ft_model_free(b);
	}
	ok(!wrong, "any order of the samples: the same answers (%zu differ)", wrong);
}

/* The same of very many, which are sorted in another way: with equal values, zeros, sizes far apart. */
static void test_order_of_many(void)
{
	enum { RUNS = 6000 };
	struct ft_random r = {test_seed() + 5};
	struct ft_observation *o = calloc(2 * RUNS, sizeof *o), *t = o ? o + RUNS : NULL;
	struct ft_model *a = NULL, *b = NULL;
	size_t wrong = 0;

	for (size_t i = 0; i < RUNS && o; i++) {
		double x = pow(10, -3 + (double)ft_random_below(&r, 60) / 6);

		o[i] = (struct ft_observation){.size = {1, {x}}, .work = 1};
		o[i].value = i % 500 ? 1e-3 * x * (1 + 0.01 * (double)ft_random_below(&r, 30)) : 0;
		t[i] = o[i];
		size_t j = ft_random_below(&r, i + 1);
		t[i] = t[j];
		t[j] = o[i];
	}
	ok(o && !ft_model_fit(&a, o, RUNS, &speed, NULL) && !ft_model_fit(&b, t, RUNS, &speed, NULL),
	   "%d samples", RUNS);
	for (double x = 1e-4; x < 1e9 && a && b; x *= 3.3) {
		struct ft_prediction p = ask(a, x), q = ask(b, x);

		if (!same(&p, &q) && !wrong++)
			diag("at %g: %.17g [%.17g, %.17g], not %.17g [%.17g, %.17g]", x, q.value, q.lower,
			     q.upper, p.value, p.lower, p.upper);
	}
	ok(!wrong, "in any order the same answers (%zu differ)", wrong);
	ft_model_free(a);
	ft_model_free(b);
	free(o);
}

/* Work that is constant is none, and a factor of it is nothing. */
static void test_work(void)
{
	struct ft_random r = {test_seed() + 2};
	static struct samples s, t;

	s.n = 0;
	sweep(&s, power, 100, 10000, 12, 2, 0.02, &r);
	t = s;
	for (size_t k = 0; k < t.n; k++) {
		s.o[k].work = pow(s.o[k].size.value[0], 2);
		t.o[k].work = 1000 * s.o[k].work;
	}
	struct ft_model *a = fit_as(&s, &speed);
	struct ft_model *b = fit_as(&t, &speed);
	struct ft_prediction p = ask_at(a, 777, 777. * 777, 0.9);
	struct ft_prediction q = ask_at(b, 777, 777. * 777 * 1000, 0.9);
	ok(near(p.value, q.value, 1e-6) && near(p.upper, q.upper, 1e-5),
	   "work in other units: the same answers");
	p = ask(a, 777);
	ok(near(p.value, q.value, 1e-6), "without work that of its neighbours is taken");
	ok(isnan(ask_at(a, 777, 0, 0.9).value) && isnan(ask_at(a, 777, -1, 0.9).value) &&
		   isnan(ask_at(a, 777, INFINITY, 0.9).value),
	   "no work that is none");
	ft_model_free(a);
	ft_model_free(b);
}

/* ---- what is known ----------------------------------------------------------------------------------- */

static void test_exact(void)
{
	static const double noises[] = {0.1, 0.01, 0.001, 0};
	double off[4] = {0};

	for (size_t i = 0; i < 4; i++) {
		struct ft_random r = {test_seed() + 3};
		static struct samples s;

		s.n = 0;
		sweep(&s, affine, 10, 10000, 15, 1, noises[i], &r);
		struct ft_model *model = fit(&s);
		for (size_t k = 0; k < s.n; k++)
			off[i] =
				fmax(off[i], fabs(ask(model, s.o[k].size.value[0]).value / s.o[k].value - 1));
		ft_model_free(model);
	}
	ok(off[3] < 1e-3 && off[2] < 0.01, "without noise it goes through its samples (%.1g; %.1g at 0.1 %%)",
	   off[3], off[2]);
}

/* One run more, at a new size or a known one, in the mean tells more of it; over many curves. */
static void test_more_runs(void)
{
	struct ft_random r = {test_seed() + 4};
	static struct samples s;
	double there = 0, all = 0;
	int i, cases = test_cases(60);

	for (i = 0; i < cases; i++) {
		double x = round(100 * pow(100, ft_random_uniform(&r))), y;

		s.n = 0;
		sweep(&s, affine, 100, 10000, 8, 2, 0.03, &r);
		struct ft_model *a = fit_as(&s, &brief);
		add(&s, x, 1, affine(x) * exp(0.03 * ft_random_normal(&r)));
		struct ft_model *b = fit_as(&s, &brief);
		there += log(ask(b, x).known / ask(a, x).known) / cases;
		for (y = 100; y < 10000; y *= 1.6)
			all += log(ask(b, y).known / ask(a, y).known) / cases / 10;
		ft_model_free(a);
		ft_model_free(b);
	}
	ok(there < 0 && all < 0.01, "a run more tells of its size (ln %.3f), and no less of others (ln %.3f)",
	   there, all);
}

/* More confidence is a wider interval; 0.999 and 0.5 are the ends. */
static void test_confidence(void)
{
	static const double confidence[] = {0.5, 0.7, 0.9, 0.99, 0.999};
	struct ft_random r = {test_seed() + 5};
	static struct samples s;
	size_t wrong = 0;

	s.n = 0;
	sweep(&s, power, 10, 1000, 8, 3, 0.05, &r);
	struct ft_model *model = fit(&s);
	for (double x = 5; x < 4000; x *= 1.3)
		for (size_t i = 1; i < 5; i++) {
			struct ft_prediction p = ask_at(model, x, NAN, confidence[i - 1]);
			struct ft_prediction q = ask_at(model, x, NAN, confidence[i]);

			wrong += !(is_sound(&p) && is_sound(&q) && q.lower < p.lower && p.upper < q.upper &&
				   p.known < q.known && p.value == q.value);
		}
	ok(!wrong, "more confidence, wider: %zu wrong", wrong);
	ok(isnan(ask_at(model, 50, NAN, 0.49).value) && isnan(ask_at(model, 50, NAN, 1).value) &&
		   isnan(ask_at(model, 50, NAN, NAN).value),
	   "confidence has ends");
	ok(isnan(ask(model, NAN).value) && isnan(ask(model, INFINITY).value) && isnan(ask(model, 0).value) &&
		   isnan(ask(model, -3).value),
	   "sizes that are none, or not positive outside the data, are refused");
	ft_model_free(model);
}

/* Beyond the data: the farther the less is known; the distance is told. */
static void test_beyond(void)
{
	struct ft_random r = {test_seed() + 6};
	static struct samples s;
	double known = 0, x;
	size_t wrong = 0;

	s.n = 0;
	sweep(&s, power, 10, 1000, 10, 2, 0.01, &r);
	struct ft_model *model = fit(&s);
	for (x = 1001; x < 1e5; x *= 1.5) {
		struct ft_prediction p = ask(model, x);

		wrong += !(is_sound(&p) && p.known > known && p.basis == FT_BASIS_BEYOND &&
			   near(p.distance, x / 1000, 1e-12));
		known = p.known;
	}
	for (known = 0, x = 9; x > 0.01; x /= 1.5) {
		struct ft_prediction p = ask(model, x);

		wrong += !(is_sound(&p) && p.known > known && p.basis == FT_BASIS_BEYOND &&
			   near(p.distance, 10 / x, 1e-12));
		known = p.known;
	}
	ok(!wrong, "beyond the data less is known the farther: %zu wrong", wrong);
	ok(near(ask(model, 8000).value, power(8000), 0.5), "a power law goes on as one: %.2f of it",
	   ask(model, 8000).value / power(8000));
	ft_model_free(model);
}

/* ---- odd samples ------------------------------------------------------------------------------------- */

static size_t unsound(const struct samples *s, const struct ft_model_options *options)
{
	struct ft_model *model = fit_as(s, options);
	double most = largest(s), x;
	size_t wrong = !model;

	for (size_t i = 0; i < s->n && model; i++) {
		struct ft_prediction p = ask(model, s->o[i].size.value[0]);

		wrong += !is_sound(&p) || p.basis != FT_BASIS_AT_KNOT;
	}
	for (x = 1e-3; x < 100 * most; x *= 1.9) {
		struct ft_prediction p = ask(model, x);

		wrong += model && !is_sound(&p);
	}
	ft_model_free(model);
	return wrong;
}

static size_t unsound_both(const struct samples *s)
{
	return unsound(s, &(struct ft_model_options){0}) + unsound(s, &speed) + unsound(s, &brief);
}

static void test_odd(void)
{
	static const double huge[] = {1e-300, 1e300, 1, 1e-300, 5};
	struct ft_random r = {test_seed() + 7};
	struct samples *s = calloc(1, sizeof *s);

	add(s, 10, 1, 2);
	ok(!unsound_both(s), "one run");
	add(s, 10, 1, 3);
	ok(!unsound_both(s), "two runs of one size");
	s->n = 1;
	add(s, 1000, 1, 3);
	ok(!unsound_both(s), "two sizes");
	for (s->n = 0; s->n < 60;)
		add(s, 10 + (double)(s->n / 2), 1, 0.25);
	ok(!unsound_both(s), "all alike");
	for (size_t i = 0; i < 60; i++)
		s->o[i].value = 0;
	ok(!unsound_both(s), "all zero");
	for (size_t i = 0; i < 60; i += 3)
		s->o[i].value = 1e-3;
	ok(!unsound_both(s), "zeros among them");
	for (size_t i = 0; i < 60; i += 3)
		s->o[i].value = 5e-324;
	ok(!unsound_both(s), "zeros beside the least number that there is");
	for (s->n = 0; s->n < 40;)
		add(s, exp(0.3 * (double)s->n), 1, huge[s->n % 5]);
	ok(!unsound_both(s), "from 1e-300 to 1e300");
	for (s->n = 0; s->n < 40;)
		add(s, 1e-12 * exp(1.5 * (double)s->n), 1e-200 * exp((double)s->n * 5), 1);
	ok(!unsound_both(s), "sizes and works of many orders");
	for (s->n = 0; s->n < 40;)
		add(s, 1e9 + (double)s->n * 1e-6, 1, exp(0.1 * ft_random_normal(&r)));
	ok(!unsound_both(s), "sizes that hardly differ");
	for (s->n = 0; s->n < 40;)
		add(s, -20 + (double)s->n, 1, 1 + (double)s->n);
	ok(!unsound_both(s), "sizes of 0 and below");
	for (s->n = 0; s->n < 40;)
		add(s, 5 + (double)s->n, 1, exp(30 * ft_random_normal(&r)));
	ok(!unsound_both(s), "noise alone");
	free(s);
}

static void test_refused(void)
{
	static const struct ft_observation bad[] = {
		{{1, {NAN}}, 1, 1, 0, 0, false, 0, 0, 0},      {{1, {INFINITY}}, 1, 1, 0, 0, false, 0, 0, 0},
		{{1, {1}}, 0, 1, 0, 0, false, 0, 0, 0},        {{1, {1}}, -1, 1, 0, 0, false, 0, 0, 0},
		{{1, {1}}, NAN, 1, 0, 0, false, 0, 0, 0},      {{1, {1}}, 1, -1, 0, 0, false, 0, 0, 0},
		{{1, {1}}, 1, INFINITY, 0, 0, false, 0, 0, 0}, {{1, {1}}, 1, NAN, 0, 0, false, 0, 0, 0},
		{{2, {1, 1}}, 1, 1, 0, 0, false, 0, 0, 0},
	};
	struct ft_observation o[2] = {{{1, {1}}, 1, 1, 0, 0, false, 0, 0, 0}};
	struct ft_model *model = NULL;
	size_t wrong = 0;

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		o[1] = bad[i];
		wrong += ft_model_fit(&model, o, 2, NULL, NULL) != FT_EINVAL || model;
	}
	ok(!wrong, "samples that are none are refused");
	o[1] = (struct ft_observation){{1, {2, NAN}}, 1, 1, 0, 0, false, 0, 0, 0};
	ok(!ft_model_fit(&model, o, 2, NULL, NULL),
	   "what stands behind the values of a size is none of them");
	ft_model_free(model);
	model = NULL;
	ok(ft_model_fit(&model, o, 0, NULL, NULL) == FT_ENOMODEL && !model, "and none at all");
	ok(ft_model_fit(&model, o, 1, &(struct ft_model_options){.type = "spline"}, NULL) == FT_EINVAL &&
		   !model,
	   "and a type that there is not");
	ft_model_free(NULL);
}

/* ---- many -------------------------------------------------------------------------------------------- */

static void test_many_runs(void)
{
	enum { RUNS = 1000000, SIZES = 10 };
	struct ft_observation *o = calloc(RUNS, sizeof *o);
	struct ft_random r = {test_seed() + 8};
	struct ft_model *model = NULL;
	unsigned char *bytes = NULL;
	size_t n = 0;

	for (size_t i = 0; i < RUNS; i++) {
		double x = 100 * (double)(1 + i % SIZES);

		o[i] = (struct ft_observation){
			{1, {x}}, 1, affine(x) * exp(0.1 * ft_random_normal(&r)), 0, 0, false, 0, 0, 0};
	}
	ok(!ft_model_fit(&model, o, RUNS, NULL, NULL) && ft_model_facts(model)->runs == RUNS &&
		   ft_model_facts(model)->sizes == SIZES,
	   "a million runs");
	ok(near(ask(model, 500).value, affine(500), 0.002) && ask(model, 500).known < 0.02 &&
		   near(log(ask(model, 500).upper / ask(model, 500).lower), 0.329, 0.05),
	   "tell nearly all: known to %.4f, ln width %.3f", ask(model, 500).known,
	   log(ask(model, 500).upper / ask(model, 500).lower));
	(void)ft_model_pack(model, &bytes, &n, NULL);
	ok(bytes && n < 20000, "and are kept as %zu bytes", n);
	ft_free(bytes);
	ft_model_free(model);
	free(o);
}

/* A step in the middle, and every 64th size takes longer. */
static double stepped(double x)
{
	return affine(x) * (x < 5000 ? 1 : 2) * (fmod(x, 64) == 0 ? 1.5 : 1);
}

/* Most of what is known of very many sizes is learned from a part of them. */
static void test_many_sizes(void)
{
	enum { SIZES = 10000, FRESH = 2000 };
	struct ft_observation *o = calloc(SIZES, sizeof *o);
	struct ft_random r = {test_seed() + 9};
	struct ft_model *model = NULL;
	double worst = 0;
	int inside = 0;

	for (size_t i = 0; i < SIZES; i++)
		o[i] = (struct ft_observation){.size = {1, {(double)i + 10}},
					       .work = 1,
					       .value = affine((double)i + 10) *
							exp(0.02 * ft_random_normal(&r))};
	ok(!ft_model_fit(&model, o, SIZES, NULL, NULL) && !ft_model_facts(model)->rough &&
		   near(ask(model, 5000).value, affine(5000), 0.01),
	   "ten thousand sizes");
	ok(near(ask(model, 40000).value, affine(40000), 0.1), "four times beyond: %.4f of the truth",
	   ask(model, 40000).value / affine(40000));
	ft_model_free(model);
	model = NULL;
	for (size_t i = 0; i < SIZES; i++)
		o[i].value = stepped(o[i].size.value[0]) *
			     exp((i < SIZES / 2 ? 0.02 : 0.06) * ft_random_normal(&r));
	ok(!ft_model_fit(&model, o, SIZES, NULL, NULL), "with a step, teeth and noise that grows");
	for (int i = 0; i < FRESH; i++) {
		double x = 20 + (double)ft_random_below(&r, SIZES - 20), truth = stepped(x);
		struct ft_prediction p = ask(model, x);
		double run = truth * exp((x < 5010 ? 0.02 : 0.06) * ft_random_normal(&r));

		worst = fmax(worst, fabs(x - 5000) > 30 ? fabs(log(p.value / truth)) : 0);
		inside += run >= p.lower && run <= p.upper;
	}
	ok(inside > 0.86 * FRESH && inside < 0.94 * FRESH, "of %d fresh runs %d are inside", FRESH, inside);
	ok(worst < 0.06, "the typical run is off by %.3f at most", worst);
	ft_model_free(model);
	free(o);
}

/* Of a site with many runs as many values are kept as are asked for, and their mean is that of all. */
static void test_kept(void)
{
	enum { RUNS = 1000 };
	static double ln[RUNS];
	struct ft_random r = {test_seed() + 10};
	struct ft__engine engine;
	double sum = 0, kept = 0, count = 0;

	ft__engine_init(&engine, 0, 1, false);
	for (size_t i = 0; i < RUNS; i++)
		sum += ln[i] = ft_random_normal(&r);
	(void)ft__engine_set(&engine, 7, 1, ln, RUNS, NULL);
	for (size_t i = 0; i < engine.site[0].n; i++) {
		kept += engine.site[0].value[i].count * engine.site[0].value[i].z;
		count += engine.site[0].value[i].count;
	}
	ok(engine.site[0].n == FT__VALUES_KEPT && engine.site[0].runs == RUNS && count == RUNS &&
		   near(kept, sum, 1e-9),
	   "of many runs %zu values are kept", engine.site[0].n);
	ft__engine_clear(&engine);
	ft__engine_clear(&engine);
	ft__engine_clear(NULL);
}

/* A band is rough where runs at one size differ by much, and of few sizes that is not said. */
static void test_band(void)
{
	const struct ft_model_options band = {.type = "band"};
	static const struct {
		size_t sizes;
		double noise;
		bool rough, few;
	} cases[] = {{20, 0.01, false, false},
		     {20, 0.6, true, false},
		     {3, 0.6, false, true},
		     {3, 0.001, false, false}};
	static struct samples s;
	size_t wrong = 0;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct ft_random r = {test_seed() + i};

		s.n = 0;
		sweep(&s, affine, 10, 5000, cases[i].sizes, 3, cases[i].noise, &r);
		struct ft_model *model = fit_as(&s, &band);
		const struct ft_model_facts *facts = ft_model_facts(model);
		wrong += facts->rough != cases[i].rough || facts->too_few != cases[i].few;
		wrong += !(facts->worst_known >= facts->known) || !(facts->worst[0] < facts->worst[1]);
		ft_model_free(model);
	}
	ok(!wrong, "which bands are rough, and which have too few sizes: %zu wrong", wrong);
}

int main(void)
{
	test_units();
	test_order();
	test_order_of_many();
	test_work();
	test_exact();
	test_more_runs();
	test_confidence();
	test_beyond();
	test_odd();
	test_refused();
	if (!test_quick()) {
		test_many_runs();
		test_many_sizes();
	}
	test_kept();
	test_band();
	return done();
}
