/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-scores.c - how near models come to what is true, and what their intervals cost, over kinds of curves. */
#include "model-told.h"

enum { CURVES = 5, QUESTIONS = 24 };

static const size_t axes[] = {0, 1, 2, 3, 4};

/* A kind of program, and how it was measured. */
static const struct kind {
	const char *name;
	struct ft_model_options options;
	size_t sizes, runs;
	double noise;  /* of a run, in ln */
	double visit;  /* of an hour */
	double spikes; /* share of runs that take three times as long */
	double jump;   /* from some size on (of several axes: some product of them) so many times as much; 0:
			  none */
	double tooth;  /* so many times as much where fine structure has it; 0: none */
	enum { MULTIPLES, POWERS, BLOCKS, STEPS, GROWTH } fine;
	bool told;       /* the footprint of a run is, beyond which the jump is */
	size_t params;   /* 0: as many as axes; the others have one value */
	double least;    /* along each further axis; 0: 2. 1e-9: it begins at 0 */
	double power[2]; /* least and largest, along the first axis */
	double constant; /* share of the value in the middle */
	double low;      /* so many times as much; with a step values of 0 come of it; 0: 1 */
	double was[3];   /* the scores: error; what is said of the typical run; of single runs */
	double all;      /* that was told */
} kinds[] = {
	{.name = "smooth",
	 .options = {.through_speed = true},
	 .sizes = 12,
	 .runs = 2,
	 .noise = 0.03,
	 .power = {1, 3},
	 .was = {0.021303, 0.15786, 0.21932},
	 .all = 4124.813862},
	{.name = "exact",
	 .sizes = 8,
	 .runs = 1,
	 .power = {0.5, 3},
	 .constant = 0.2,
	 .was = {0.016017, 0.13149, 0.1551},
	 .all = 2483.880326},
	{.name = "noisy",
	 .sizes = 16,
	 .runs = 3,
	 .noise = 0.2,
	 .power = {0.5, 2},
	 .constant = 0.3,
	 .was = {0.088377, 0.59426, 0.95635},
	 .all = 4419.903067},
	{.name = "falling",
	 .sizes = 9,
	 .runs = 2,
	 .noise = 0.05,
	 .power = {-1, -0.5},
	 .constant = 0.1,
	 .was = {0.027129, 0.177, 0.26595},
	 .all = 2176.707874},
	{.name = "a jump",
	 .options = {.through_speed = true},
	 .sizes = 16,
	 .runs = 2,
	 .noise = 0.02,
	 .jump = 2,
	 .power = {1, 2},
	 .was = {0.036209, 0.24327, 0.28469},
	 .all = 4856.191111},
	{.name = "teeth",
	 .sizes = 40,
	 .runs = 2,
	 .noise = 0.01,
	 .tooth = 1.3,
	 .power = {1, 2},
	 .was = {0.0082602, 0.10692, 0.12096},
	 .all = 6468.289677},
	{.name = "spikes",
	 .sizes = 12,
	 .runs = 6,
	 .noise = 0.03,
	 .spikes = 0.06,
	 .power = {1, 2},
	 .was = {0.013635, 0.14629, 1.0285},
	 .all = 3828.351336},
	{.name = "hours",
	 .sizes = 12,
	 .runs = 4,
	 .noise = 0.02,
	 .visit = 0.08,
	 .power = {1, 2},
	 .was = {0.032765, 0.262, 0.47879},
	 .all = 3535.668408},
	{.name = "counts",
	 .options = {.step = 1},
	 .sizes = 10,
	 .runs = 2,
	 .noise = 0.05,
	 .power = {0.3, 1},
	 .constant = 0.3,
	 .was = {0.019326, 0.15367, 0.24229},
	 .all = 2475.649334},
	{.name = "brief",
	 .options = {.through_speed = true, .brief = true},
	 .sizes = 12,
	 .runs = 2,
	 .noise = 0.03,
	 .jump = 1.5,
	 .power = {1, 3},
	 .was = {0.040804, 0.21812, 0.26687},
	 .all = 4608.007543},
	{.name = "few",
	 .sizes = 3,
	 .runs = 1,
	 .noise = 0.05,
	 .power = {1, 2},
	 .was = {0.040489, 0.46205, 0.5529},
	 .all = 2022.663065},
	{.name = "bands",
	 .options = {.type = "band", .through_speed = true},
	 .sizes = 12,
	 .runs = 3,
	 .noise = 0.05,
	 .jump = 1.5,
	 .power = {1, 3},
	 .was = {0.049688, 0.40363, 0.45161},
	 .all = 4585.034614},
	{.name = "two axes",
	 .options = {.axis = axes, .n_axes = 2},
	 .sizes = 24,
	 .runs = 1,
	 .noise = 0.04,
	 .power = {1, 2},
	 .constant = 0.2,
	 .was = {0.05559, 0.4675, 0.49688},
	 .all = 5456.608194},
	{.name = "two axes, speed",
	 .options = {.axis = axes, .n_axes = 2, .through_speed = true},
	 .sizes = 24,
	 .runs = 1,
	 .noise = 0.04,
	 .jump = 1.5,
	 .power = {1, 2},
	 .was = {0.099351, 0.79213, 0.81406},
	 .all = 7801.120233},
	{.name = "two axes, teeth",
	 .options = {.axis = axes, .n_axes = 2},
	 .sizes = 40,
	 .runs = 2,
	 .noise = 0.01,
	 .tooth = 1.3,
	 .power = {1, 2},
	 .was = {0.12171, 0.90643, 0.90784},
	 .all = 7688.295496},
	{.name = "two axes, spikes",
	 .options = {.axis = axes, .n_axes = 2},
	 .sizes = 24,
	 .runs = 3,
	 .noise = 0.03,
	 .spikes = 0.05,
	 .power = {1, 2},
	 .was = {0.053067, 0.3195, 1.2683},
	 .all = 6234.183865},
	{.name = "two axes, brief",
	 .options = {.axis = axes, .n_axes = 2, .brief = true},
	 .sizes = 30,
	 .runs = 2,
	 .noise = 0.02,
	 .visit = 0.05,
	 .power = {1, 2},
	 .constant = 0.1,
	 .was = {0.06259, 0.48276, 0.61766},
	 .all = 6665.160136},
	{.name = "three axes",
	 .options = {.axis = axes, .n_axes = 3},
	 .sizes = 30,
	 .runs = 1,
	 .noise = 0.04,
	 .power = {1, 2},
	 .was = {0.054369, 0.44683, 0.51484},
	 .all = 7915.646530},
	{.name = "powers of two",
	 .sizes = 30,
	 .runs = 2,
	 .noise = 0.01,
	 .tooth = 1.5,
	 .fine = POWERS,
	 .power = {1, 2},
	 .was = {0.043728, 0.38695, 0.39809},
	 .all = 4955.842191},
	{.name = "blocks",
	 .sizes = 40,
	 .runs = 2,
	 .noise = 0.01,
	 .tooth = 2.7,
	 .fine = BLOCKS,
	 .power = {0.5, 1},
	 .was = {0.01798, 0.15687, 0.17559},
	 .all = 5324.341994},
	{.name = "steps",
	 .sizes = 40,
	 .runs = 2,
	 .noise = 0.01,
	 .tooth = 1.4,
	 .fine = STEPS,
	 .power = {1, 2},
	 .was = {0.011224, 0.14508, 0.15859},
	 .all = 6313.822041},
	{.name = "growth",
	 .sizes = 40,
	 .runs = 2,
	 .noise = 0.01,
	 .tooth = 1.6,
	 .fine = GROWTH,
	 .power = {1, 2},
	 .was = {0.058183, 0.6951, 0.69787},
	 .all = 6815.855354},
	{.name = "two sizes",
	 .options = {.through_speed = true},
	 .sizes = 2,
	 .runs = 3,
	 .noise = 0.05,
	 .power = {1, 3},
	 .was = {0.19806, 0.9761, 1.0027},
	 .all = 2450.845570},
	{.name = "eight parameters",
	 .sizes = 8,
	 .runs = 2,
	 .noise = 0.02,
	 .params = 8,
	 .power = {1, 2},
	 .was = {0.019653, 0.12804, 0.16122},
	 .all = 3115.289821},
	{.name = "two axes, an edge",
	 .options = {.axis = axes, .n_axes = 2},
	 .sizes = 40,
	 .runs = 1,
	 .noise = 0.02,
	 .jump = 3,
	 .power = {1, 2},
	 .was = {0.13644, 1.8034, 1.6097},
	 .all = 8187.275773},
	{.name = "two axes, an edge that is told",
	 .options = {.axis = axes, .n_axes = 2},
	 .sizes = 40,
	 .runs = 1,
	 .noise = 0.02,
	 .jump = 3,
	 .told = true,
	 .power = {1, 2},
	 .was = {0.013824, 0.19107, 0.21435},
	 .all = 8032.244832},
	{.name = "two axes, from zero",
	 .options = {.axis = axes, .n_axes = 2},
	 .sizes = 30,
	 .runs = 1,
	 .noise = 0.02,
	 .least = 1e-3,
	 .power = {0.5, 1},
	 .was = {0.022142, 0.25468, 0.282},
	 .all = 4372.737841},
	{.name = "three of eight axes",
	 .options = {.axis = axes, .n_axes = 3},
	 .sizes = 30,
	 .runs = 2,
	 .noise = 0.03,
	 .visit = 0.05,
	 .params = 8,
	 .power = {0.5, 2},
	 .was = {0.063326, 0.64908, 0.69997},
	 .all = 10323.115726},
	{.name = "four axes",
	 .options = {.axis = axes, .n_axes = 4},
	 .sizes = 30,
	 .runs = 1,
	 .noise = 0.03,
	 .power = {0.5, 1},
	 .was = {0.03722, 0.48865, 0.50955},
	 .all = 7396.534145},
	{.name = "five axes",
	 .options = {.axis = axes, .n_axes = 5, .through_speed = true},
	 .sizes = 36,
	 .runs = 1,
	 .noise = 0.03,
	 .power = {0.5, 1},
	 .was = {0.034411, 0.67751, 0.68992},
	 .all = 13429.633700},
	{.name = "some values are 0",
	 .options = {.step = 1},
	 .sizes = 20,
	 .runs = 2,
	 .noise = 0.1,
	 .low = 0.1,
	 .power = {0.5, 1},
	 .was = {0.069821, 0.60441, 1.8036},
	 .all = 3652.673134},
	{.name = "two axes, some values are 0",
	 .options = {.axis = axes, .n_axes = 2, .step = 1},
	 .sizes = 30,
	 .runs = 2,
	 .noise = 0.1,
	 .low = 1e-3,
	 .power = {1, 1.5},
	 .was = {0.15695, 1.7153, 5.3079},
	 .all = 6725.569248},
};

struct curve {
	const struct kind *kind;
	size_t axes, params;
	double power[5], level, constant, wave, jump_at;
};

static struct curve draw(const struct kind *kind, struct ft_random *random)
{
	struct curve c = {.kind = kind, .axes = kind->options.n_axes ? kind->options.n_axes : 1};
	size_t i;

	c.params = kind->params ? kind->params : c.axes;
	c.level = (kind->options.step > 0 ? 1 : 1e-6) * (kind->low > 0 ? kind->low : 1);
	for (i = 0; i < c.axes; i++)
		c.power[i] = kind->power[0] + (kind->power[1] - kind->power[0]) * ft_random_uniform(random);
	c.power[1] *= 0.5;
	c.constant = kind->constant * c.level;
	for (i = 0; i < c.axes; i++)
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
	size_t i;

	for (i = 0; i < c->axes; i++)
		value *= pow(x[i] + (i && c->kind->least > 0), c->power[i]);
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
	size_t i, k;

	s->n = 0;
	for (i = 0; i < c->kind->sizes; i++) {
		double x[FT_PARAMS_MAX] = {0}, share = (double)i / (double)(c->kind->sizes - 1), hour = 0;

		place(c, c->axes > 1 ? 0 : share, c->axes > 1 ? 1 : share, x, random);
		for (k = 0; k < c->kind->runs; k++) {
			struct ft_observation *o = &s->o[s->n++];

			if (!(k & 1))
				hour = c->kind->visit * ft_random_normal(random);
			*o = (struct ft_observation){
				{c->params, {0}}, work(c, x), run(c, x, hour, random), 0, 0};
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
	if (ft_model_pack(model, &bytes, &n, NULL) || ft_model_unpack(&again, bytes, n, NULL))
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
	double truth, next, off, half;

	place(c, -0.1, 1.3, size.value, random);
	if (turn % 6 == 0)
		size = knot[turn / 6 % 2 ? knots - 1 : (size_t)turn % knots].size;
	truth = typical(c, size.value);
	next = run(c, size.value, c->kind->visit * ft_random_normal(random), random);
	if (ft_model_predict(model, &size, turn % 2 && c->axes == 1 ? NAN : work(c, size.value), 0.9, &p,
			     NULL)) {
		score[0] = INFINITY;
		return;
	}
	tell_answer(told, &p, truth);
	off = log(fmax(p.value, 1e-3 * truth) / truth);
	half = log1p(fmin(p.known, 100));
	score[0] += fabs(off);
	score[1] += interval_score(-half, half, off);
	score[2] += interval_score(log(fmax(p.lower / truth, 1e-3)), log(p.upper / truth),
				   log(fmax(next / truth, 1e-3)));
}

static void test_kind(const struct kind *kind, uint64_t seed)
{
	static const char *const what[] = {"error", "the typical run", "single runs"};
	static struct samples samples;
	struct ft_random random = {seed};
	struct test_told told = {0};
	double score[3] = {0};
	int i, k;

	for (i = 0; i < CURVES; i++) {
		struct curve curve = draw(kind, &random);
		struct ft_model *model;

		measure(&curve, &samples, &random);
		model = make(&curve, &samples, i);
		if (!model)
			score[0] = INFINITY;
		for (k = 0; k < QUESTIONS && model; k++)
			question(&curve, model, k, &random, score, &told);
		if (model)
			tell_facts(&told, model, curve.level);
		ft_model_free(model);
	}
	for (i = 0; i < 3; i++)
		test_score(kind->name, what[i], score[i] / (CURVES * QUESTIONS), kind->was[i]);
	test_told(kind->name, &told, kind->all);
}

int main(void)
{
	size_t i;

	for (i = 0; i < sizeof kinds / sizeof *kinds; i += test_score_step())
		test_kind(&kinds[i], 1000 * (i + 1));
	return done();
}
