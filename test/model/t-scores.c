/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-scores.c - how near models come to what is true, and what their intervals cost, over kinds of curves. */
#include "model-kinds.h"
#include "model-told.h"
#include "model/door.h"

enum { CURVES = 5, QUESTIONS = 24 };

struct curve {
	const struct kind *kind;
	size_t axes, params;
	double power[5], level, constant, wave, jump_at;
};

static struct curve draw(const struct kind *kind, struct ft_random *random)
{
	struct curve c = {.kind = kind, .axes = kind->options.n_axes ? kind->options.n_axes : 1};

	c.params = kind->params ? kind->params : c.axes;
	c.level = (kind->options.step > 0 ? 1 : 1e-6) * (kind->low > 0 ? kind->low : 1);
	for (size_t i = 0; i < c.axes; i++)
		c.power[i] = kind->power[0] + (kind->power[1] - kind->power[0]) * ft_random_uniform(random);
	c.power[1] *= 0.5;
	c.constant = kind->constant * c.level;
	for (size_t i = 0; i < c.axes; i++)
		c.constant *= pow(i ? 10 : 300, c.power[i]);
	c.wave = 6 * ft_random_uniform(random);
	c.jump_at = 100 * pow(20, ft_random_uniform(random));
	return c;
}

static double footprint(const struct curve *c, const double *x)
{
	return x[0] * (c->axes > 1 ? (1 + x[1]) / 10 : 1);
}

/* What of the fine structure is at a size, 0 .. 1. */
static double fine(const struct kind *kind, double x)
{
	switch (kind->fine) {
	case POWERS:
		return exp2(round(log2(x))) == x;
	case BLOCKS:
		return ceil(x / 64) * 64 / x - 1;
	case STEPS:
		return fmod(x, 256) / 256;
	case GROWTH:
		return log2(x) - floor(log2(x));
	default:
		return fmod(x, 8) != 0;
	}
}

static double typical(const struct curve *c, const double *x)
{
	double value = c->level * (1 + 0.05 * sin(log(x[0]) + c->wave));

	for (size_t i = 0; i < c->axes; i++)
		value *= pow(x[i] + (i && c->kind->least > 0), c->power[i]);
	value *= c->kind->logs ? log2(x[0]) : 1;
	value *= c->kind->jump > 0 && footprint(c, x) > c->jump_at ? c->kind->jump : 1;
	return (value + c->constant) * exp(log(fmax(c->kind->tooth, 1)) * fine(c->kind, x[0]));
}

static double run(const struct curve *c, const double *x, double hour, struct ft_random *random)
{
	double value = typical(c, x) * exp(c->kind->noise * ft_random_normal(random) + hour);

	value *= ft_random_uniform(random) < c->kind->spikes ? 3 : 1;
	return c->kind->options.step > 0 ? round(value) : value;
}

static void place(const struct curve *c, double least, double most, double *x, struct ft_random *random)
{
	double at = c->kind->least > 0 ? c->kind->least : 2;
	size_t i;

	for (i = 0; i < c->axes; i++)
		x[i] = round((i ? at : 32) *
			     pow(i ? 100 / at : 100, least + (most - least) * ft_random_uniform(random)));
	for (; i < c->kind->params; i++)
		x[i] = 5;
	if (c->kind->tooth > 0 && c->kind->fine == MULTIPLES && ft_random_uniform(random) < 0.5)
		x[0] = 8 * ceil(x[0] / 8);
	if (c->kind->tooth > 0 && c->kind->fine == POWERS && ft_random_uniform(random) < 0.3)
		x[0] = exp2(round(log2(x[0])));
}

static double work(const struct curve *c, const double *x)
{
	return c->kind->options.through_speed ? pow(x[0], 2) * (c->axes > 1 ? x[1] : 1) : 1;
}

static void measure(const struct curve *c, struct samples *s, struct ft_random *random)
{
	s->n = 0;
	for (size_t i = 0; i < c->kind->sizes; i++) {
		double x[FT_PARAMS_MAX] = {0}, share = (double)i / fmax((double)c->kind->sizes - 1, 1),
		       hour = 0;

		place(c, c->axes > 1 ? 0 : share, c->axes > 1 ? 1 : share, x, random);
		for (size_t k = 0; k < c->kind->runs; k++) {
			struct ft_observation *o = &s->o[s->n++];

			if (!(k & 1))
				hour = c->kind->visit * ft_random_normal(random);
			*o = (struct ft_observation){
				{c->params, {0}}, work(c, x), run(c, x, hour, random), 0, 0, false, 0, 0, 0};
			memcpy(o->size.value, x, sizeof x);
			o->memory = c->kind->told ? 1e6 * footprint(c, x) : 0;
			o->when_ns = 1000000000 * (int64_t)(3600 * (1 + i + 100 * (k / 2)) + k);
		}
	}
}

/* Every other one as a store gives it back. */
static struct ft_model *make(const struct curve *c, const struct samples *s, int turn)
{
	struct ft_model *model = NULL, *again = NULL;
	unsigned char *bytes = NULL;
	size_t n;

	if (ft_model_fit(&model, s->o, s->n, &c->kind->options, NULL) || turn % 2)
		return model;
	if (ft_model_pack(model, &bytes, &n, NULL) || ft_model_unpack(&again, bytes, n, NULL, NULL))
		again = NULL;
	ft_model_free(model);
	ft_free(bytes);
	return again;
}

/* One in six about a size that was measured; every other one without the work. */
static void question(const struct curve *c, const struct ft_model *model, int turn, struct ft_random *random,
		     double score[3], struct test_told *told)
{
	struct ft_size size = {c->params, {0}};
	size_t knots;
	const struct ft_knot *knot = ft_model_knots(model, &knots);
	struct ft_prediction p;

	place(c, -0.1, 1.3, size.value, random);
	if (turn % 6 == 0)
		size = knot[turn / 6 % 2 ? knots - 1 : (size_t)turn % knots].size;
	double truth = typical(c, size.value);
	double next = run(c, size.value, c->kind->visit * ft_random_normal(random), random);
	if (ft_model_predict(model, &size, turn % 2 && c->axes == 1 ? NAN : work(c, size.value), 0.9, &p,
			     NULL)) {
		score[0] = INFINITY;
		return;
	}
	tell_answer(told, &p, truth);
	double off = log(fmax(p.value, 1e-3 * truth) / truth);
	double half = log1p(fmin(p.known, 100));
	score[0] += fabs(off);
	score[1] += interval_score(-half, half, off);
	score[2] += interval_score(log(fmax(p.lower / truth, 1e-3)), log(p.upper / truth),
				   log(fmax(next / truth, 1e-3)));
}

/* Far below and beyond what was measured. */
static void tell_far(struct test_told *told, const struct curve *c, const struct ft_model *model)
{
	static const double far[] = {0.3, 1, 1e6};

	for (size_t i = 0; i < 3; i++) {
		struct ft_size size = {c->params, {0}};
		struct ft_prediction p = {.value = NAN};

		for (size_t k = 0; k < c->params; k++)
			size.value[k] = k < c->axes ? far[i] : 5;
		(void)ft_model_predict(model, &size, work(c, size.value), 0.9, &p, NULL);
		tell_answer(told, &p, c->level);
	}
}

static void test_kind(const struct kind *kind, uint64_t seed)
{
	static const char *const what[] = {"error", "the typical run", "single runs"};
	static struct samples samples;
	struct ft_random random = {seed};
	struct test_told told = {0};
	double score[3] = {0};

	for (int i = 0; i < CURVES; i++) {
		struct curve curve = draw(kind, &random);

		measure(&curve, &samples, &random);
		struct ft_model *model = make(&curve, &samples, i);
		if (!model)
			score[0] = INFINITY;
		for (int k = 0; k < QUESTIONS && model; k++)
			question(&curve, model, k, &random, score, &told);
		if (model) {
			tell_facts(&told, model, curve.level);
			tell_far(&told, &curve, model);
		}
		ft_model_free(model);
	}
	for (int i = 0; i < 3; i++)
		test_score(kind->name, what[i], score[i] / (CURVES * QUESTIONS), kind->was[i]);
	test_told(kind->name, &told, kind->all);
}

int main(void)
{
	/* Those of many axes take most of the time. */
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i += test_quick() ? 8 : test_score_step())
		test_kind(&kinds[i], 1000 * (i + 1));
	return done();
}
