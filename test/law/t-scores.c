/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-scores.c - how near laws come to what is true within and beyond their samples, what their intervals cost,
 * and what is believed of the class, over kinds of laws. */
#include "law-told.h"

#include "base/random.h"
#include "foretime/law.h"

enum { CASES = 10, QUESTIONS = 10, SAMPLES = 600 };

/* A kind of law, and how it was measured. */
static const struct kind {
	const char *name;
	enum ft_law_kind kind;
	struct ft_law_options options;
	size_t params, terms, sizes, runs;
	double noise;    /* of a run, relative */
	double constant; /* share of the whole at the least size */
	double jump;     /* from some size on it is so many times as much; 0: nowhere */
	bool falls;      /* its terms do */
	bool uneven;     /* 1, 2, .. runs of the sizes, and again */
	double least;    /* size; 0: 32 */
	double rate;     /* its first factor is 2^(rate n) */
	size_t zeros;    /* so many sizes below the least are, of which all values are 0 */
	double spikes;   /* share of runs that take twice as long */
	double was[4];   /* the scores: error; intervals of the mean; of single runs; of the class, -ln */
	double told;     /* all that was told */
} kinds[] = {
	{.name = "one term",
	 .sizes = 6,
	 .runs = 3,
	 .noise = 0.03,
	 .terms = 1,
	 .was = {0.008227, 0.052227, 0.13682, 0.037319},
	 .told = 8061.842294},
	{.name = "a constant beside it",
	 .sizes = 8,
	 .runs = 2,
	 .noise = 0.02,
	 .terms = 1,
	 .constant = 5,
	 .was = {0.010031, 0.044526, 0.10633, 0.31948},
	 .told = 30938.140637},
	{.name = "exact",
	 .sizes = 6,
	 .runs = 1,
	 .terms = 1,
	 .constant = 1,
	 .was = {1.6653e-16, 2.0001e-12, 2.0001e-12, 0},
	 .told = 1759.753110},
	{.name = "noisy",
	 .sizes = 10,
	 .runs = 5,
	 .noise = 0.2,
	 .terms = 1,
	 .constant = 3,
	 .was = {0.04897, 0.30949, 1.0151, 1.3105},
	 .told = 48098.902752},
	{.name = "two terms",
	 .sizes = 10,
	 .runs = 3,
	 .noise = 0.01,
	 .terms = 2,
	 .constant = 1,
	 .was = {0.0036352, 0.014742, 0.04843, 0.061302},
	 .told = 10259.877360},
	{.name = "two terms, asked for",
	 .options = {.terms = 2},
	 .sizes = 10,
	 .runs = 3,
	 .noise = 0.02,
	 .terms = 2,
	 .constant = 1,
	 .was = {0.0049424, 0.026192, 0.088324, 0.089688},
	 .told = 12135.907053},
	{.name = "three terms, asked for",
	 .options = {.terms = 3},
	 .sizes = 14,
	 .runs = 3,
	 .noise = 0.01,
	 .terms = 3,
	 .constant = 1,
	 .was = {0.003914, 0.026034, 0.046222, 0.082643},
	 .told = 7567.280794},
	{.name = "a break",
	 .sizes = 14,
	 .runs = 3,
	 .noise = 0.02,
	 .terms = 1,
	 .jump = 2.5,
	 .was = {0.012166, 0.2218, 0.25573, 0.082348},
	 .told = 11197.316119},
	{.name = "a break not looked for",
	 .options = {.unbroken = true},
	 .sizes = 14,
	 .runs = 3,
	 .noise = 0.02,
	 .terms = 1,
	 .jump = 1.5,
	 .was = {0.10434, 1.3895, 1.2761, 6.9078},
	 .told = 15572.946127},
	{.name = "few",
	 .sizes = 3,
	 .runs = 1,
	 .noise = 0.02,
	 .terms = 1,
	 .constant = 1,
	 .was = {0.020564, 0.20165, 0.21121, 0.53092},
	 .told = 39798.481583},
	{.name = "a power, named",
	 .kind = FT_LAW_POWER,
	 .sizes = 8,
	 .runs = 2,
	 .noise = 0.05,
	 .terms = 1,
	 .was = {0.018157, 0.11108, 0.24065, 0},
	 .told = 2174.298532},
	{.name = "a polynomial of the logarithm, named",
	 .kind = FT_LAW_POLYLOG,
	 .sizes = 12,
	 .runs = 2,
	 .noise = 0.03,
	 .terms = 1,
	 .constant = 1,
	 .was = {0.14873, 1.5917, 2.1101, 0},
	 .told = 2001.967756},
	{.name = "two parameters",
	 .params = 2,
	 .sizes = 25,
	 .runs = 2,
	 .noise = 0.03,
	 .terms = 1,
	 .constant = 1,
	 .was = {0.0069101, 0.044499, 0.12594, 8.0921e-05},
	 .told = 2025.110838},
	{.name = "two parameters, a sum",
	 .params = 2,
	 .sizes = 30,
	 .runs = 2,
	 .noise = 0.02,
	 .terms = 2,
	 .constant = 1,
	 .was = {0.024234, 0.31142, 0.27303, 4.1621},
	 .told = 2061.387050},
	{.name = "three parameters",
	 .params = 3,
	 .sizes = 40,
	 .runs = 2,
	 .noise = 0.03,
	 .terms = 1,
	 .was = {0.0014679, 0.013058, 0.12202, 0},
	 .told = 2169.134502},
	{.name = "four parameters",
	 .params = 4,
	 .sizes = 50,
	 .runs = 1,
	 .noise = 0.03,
	 .terms = 1,
	 .was = {0.0023067, 0.016422, 0.12813, 0},
	 .told = 2354.893691},
	{.name = "it falls",
	 .sizes = 10,
	 .runs = 2,
	 .noise = 0.03,
	 .terms = 1,
	 .constant = 0.01,
	 .falls = true,
	 .was = {0.011049, 0.083808, 0.1471, 0.075067},
	 .told = 6627.805749},
	{.name = "it falls behind a break",
	 .options = {.terms = 1},
	 .sizes = 24,
	 .runs = 2,
	 .noise = 0.01,
	 .terms = 1,
	 .jump = 4,
	 .falls = true,
	 .was = {0.31013, 4.6152, 4.6176, 4.7878},
	 .told = 11339.759709},
	{.name = "only what grows is looked for",
	 .options = {.growing = true},
	 .sizes = 10,
	 .runs = 2,
	 .noise = 0.05,
	 .terms = 1,
	 .constant = 1,
	 .was = {0.011912, 0.085364, 0.2562, 0.27188},
	 .told = 29842.063071},
	{.name = "two parameters, one falls",
	 .params = 2,
	 .sizes = 30,
	 .runs = 2,
	 .noise = 0.02,
	 .terms = 1,
	 .falls = true,
	 .was = {0.0023102, 0.012749, 0.078953, 0},
	 .told = 1899.162108},
	{.name = "two sizes",
	 .sizes = 2,
	 .runs = 4,
	 .noise = 0.02,
	 .terms = 1,
	 .was = {0.0049007, 0.34619, 0.38672, 0.090481},
	 .told = 24935.880720},
	{.name = "uneven runs",
	 .sizes = 12,
	 .runs = 4,
	 .noise = 0.04,
	 .terms = 1,
	 .constant = 0.5,
	 .uneven = true,
	 .was = {0.0075573, 0.049379, 0.14945, 0.14548},
	 .told = 21487.687491},
	{.name = "uneven runs, a break",
	 .sizes = 20,
	 .runs = 3,
	 .noise = 0.02,
	 .terms = 1,
	 .jump = 2,
	 .uneven = true,
	 .was = {0.0114, 0.17914, 0.21904, 0.17381},
	 .told = 13257.684325},
	{.name = "uneven runs, two terms, asked for",
	 .options = {.terms = 2},
	 .sizes = 10,
	 .runs = 3,
	 .noise = 0.03,
	 .terms = 2,
	 .constant = 1,
	 .uneven = true,
	 .was = {0.010863, 0.053412, 0.12524, 0.19302},
	 .told = 27582.327940},
	{.name = "from one",
	 .sizes = 10,
	 .runs = 2,
	 .noise = 0.03,
	 .terms = 1,
	 .least = 1,
	 .constant = 1,
	 .was = {0.017692, 0.16995, 0.25826, 1.1679},
	 .told = 34837.647487},
	{.name = "zeros first",
	 .sizes = 12,
	 .runs = 2,
	 .noise = 0.03,
	 .terms = 1,
	 .zeros = 3,
	 .was = {0.0029301, 0.034912, 0.1513, 0.033031},
	 .told = 7508.276680},
	{.name = "steep",
	 .sizes = 9,
	 .runs = 2,
	 .noise = 0.03,
	 .terms = 1,
	 .rate = 0.01,
	 .constant = 1,
	 .was = {0.021361, 0.12226, 0.23313, 0},
	 .told = 10739.162836},
	{.name = "spikes",
	 .sizes = 8,
	 .runs = 7,
	 .noise = 0.02,
	 .terms = 1,
	 .constant = 1,
	 .spikes = 0.1,
	 .was = {0.010991, 0.07171, 0.12174, 0.18094},
	 .told = 18018.596313},
	{.name = "very many sizes, a break",
	 .sizes = 600,
	 .runs = 1,
	 .noise = 0.03,
	 .terms = 1,
	 .jump = 1.6,
	 .least = 1000,
	 .was = {0.0012241, 0.0079924, 0.13629, 0.016459},
	 .told = 5536.147197},
	{.name = "two parameters, uneven runs and spikes",
	 .params = 2,
	 .sizes = 25,
	 .runs = 4,
	 .noise = 0.03,
	 .terms = 1,
	 .constant = 1,
	 .uneven = true,
	 .spikes = 0.1,
	 .was = {0.065252, 0.61921, 0.43384, 3.9762},
	 .told = 2854.391952},
	{.name = "a power, named, uneven runs",
	 .kind = FT_LAW_POWER,
	 .sizes = 8,
	 .runs = 4,
	 .noise = 0.05,
	 .terms = 1,
	 .uneven = true,
	 .was = {0.027168, 0.20522, 0.35829, 0},
	 .told = 2141.846504},
};

static const struct ft_law_factor shapes[] = {{0.5, 0, 0, 0}, {1, 0, 0, 0}, {1, 1, 0, 0}, {1.5, 0, 0, 0},
					      {2, 0, 0, 0},   {2, 1, 0, 0}, {3, 0, 0, 0}};

struct truth {
	const struct kind *kind;
	struct ft_law law;
	size_t params;
	double jump_at;
};

/* Terms that are alike at the least size; of several parameters, each further one a power less. */
static struct truth draw(const struct kind *kind, struct ft_random *random)
{
	struct truth t = {.kind = kind, .params = kind->params ? kind->params : 1};
	size_t i, j;

	t.law.params = t.params;
	t.law.terms = kind->terms;
	t.law.constant = 1e-3 * kind->constant;
	for (i = 0; i < kind->terms; i++) {
		double there = 1;

		for (j = 0; j < t.params; j++) {
			const struct ft_law_factor *f = &shapes[(ft_random_below(random, 3) * 2 + 3 * i) % 7];

			t.law.term[i].factor[j] = j && i ? (struct ft_law_factor){0} : *f;
			if (kind->falls)
				t.law.term[i].factor[j].power *= -1;
			if (kind->rate > 0)
				t.law.term[i].factor[j] = (struct ft_law_factor){.rate = kind->rate};
			there *= pow(32, t.law.term[i].factor[j].power) * pow(5, t.law.term[i].factor[j].log);
		}
		t.law.term[i].c = 1e-3 / there;
	}
	t.jump_at = 32 * pow(32, 0.3 + 0.4 * ft_random_uniform(random));
	return t;
}

static double typical(const struct truth *t, const double *x)
{
	return ft_law_value(&t->law, x) * (t->kind->jump > 0 && x[0] > t->jump_at ? t->kind->jump : 1);
}

static void place(const struct truth *t, double share, struct ft_random *random, double *x)
{
	size_t j;

	for (j = 0; j < t->params; j++)
		x[j] = round((t->kind->least > 0 ? t->kind->least : 32) *
			     pow(32, t->params > 1 ? ft_random_uniform(random) : share));
}

/* What was fitted: of one parameter, of several, or of a named class. */
static union {
	struct ft_laws one;
	struct ft_laws_many many;
	struct ft_law_named named;
} fitted;

static enum ft_status fit(const struct truth *t, struct ft_random *random)
{
	struct ft_law_place sample[SAMPLES];
	struct ft_law_sample line[SAMPLES];
	size_t none = t->kind->zeros, n = 0, i, k;

	for (i = 0; i < none + t->kind->sizes; i++) {
		double x[FT_LAW_PARAMS] = {0};

		place(t, i < none ? 0 : (double)(i - none) / (double)(t->kind->sizes - 1), random, x);
		for (k = t->kind->uneven ? i % t->kind->runs : 0; k < t->kind->runs; k++, n++) {
			memcpy(sample[n].x, x, sizeof x);
			sample[n].value = typical(t, x) * (1 + t->kind->noise * ft_random_normal(random));
			if (t->kind->spikes > 0 && ft_random_uniform(random) < t->kind->spikes)
				sample[n].value *= 2;
			if (i < none) {
				sample[n].x[0] = (double)(4 + i);
				sample[n].value = 0;
			}
			line[n] = (struct ft_law_sample){sample[n].x[0], sample[n].value};
		}
	}
	if (t->kind->kind)
		return ft_law_named_fit(&fitted.named, t->kind->kind, 0, line, n, NULL);
	return t->params > 1 ? ft_laws_fit_many(&fitted.many, sample, n, t->params, NULL)
			     : ft_laws_fit(&fitted.one, line, n, &t->kind->options, NULL);
}

static enum ft_status predict(const struct truth *t, const double *x, enum ft_law_of of,
			      struct ft_law_prediction *p)
{
	if (t->kind->kind)
		return ft_law_named_predict(&fitted.named, x[0], 0.9, of, p, NULL);
	return t->params > 1 ? ft_laws_predict_many(&fitted.many, x, 0.9, of, p, NULL)
			     : ft_laws_predict(&fitted.one, x[0], 0.9, of, p, NULL);
}

static void tell_fit(struct test_told *told, const struct truth *t)
{
	double x[FT_LAW_PARAMS] = {200, 200, 200, 200}, unit = typical(t, x);

	if (t->kind->kind)
		tell_named(told, &fitted.named, x, unit);
	else if (t->params > 1)
		tell_many(told, &fitted.many, x, unit);
	else
		tell_one(told, &fitted.one, x, unit);
}

/* An interval, in ln of the truth; both of them count. */
static double score_of(const struct ft_law_prediction *p, double truth, double value)
{
	double at = log(fmax(value / truth, 1e-3));

	return interval_score(log(fmax(p->lower / truth, 1e-3)), log(fmax(p->upper / truth, 1e-3)), at) / 2 +
	       interval_score(log(fmax(p->wide_lower / truth, 1e-3)), log(fmax(p->wide_upper / truth, 1e-3)),
			      at) /
		       2;
}

/* Within the samples, and up to four times as far. */
static void question(const struct truth *t, struct ft_random *random, double score[4], struct test_told *told)
{
	struct ft_law_prediction mean, single;
	double x[FT_LAW_PARAMS] = {0}, truth, next, ln = 0, variance = 0;

	place(t, 1.4 * ft_random_uniform(random), random, x);
	truth = typical(t, x);
	next = truth * (1 + t->kind->noise * ft_random_normal(random));
	if (predict(t, x, FT_LAW_MEAN, &mean) || predict(t, x, FT_LAW_RUN, &single)) {
		score[0] = INFINITY;
		return;
	}
	test_tell_all(told, &mean.value, 6, truth);
	test_tell_all(told, &single.value, 6, truth);
	if (t->params > 1)
		test_tell(told, ft_laws_hidden(&fitted.many, x), 1e-3);
	else if (!t->kind->kind) {
		test_tell(told, ft_laws_best(&fitted.one, x[0], &ln, &variance), 1);
		test_tell(told, ln, 1);
		test_tell(told, variance, 1e-6);
	}
	score[0] += fabs(log(fmax(mean.value / truth, 1e-3))) / QUESTIONS;
	score[1] += score_of(&mean, truth, truth) / QUESTIONS;
	score[2] += score_of(&single, truth, next) / QUESTIONS;
}

/* What the truth's class is believed: the heaviest weight of the term that grows most, or of a law alike. */
static double belief(const struct truth *t)
{
	const struct ft_law_factor *f = t->law.term[0].factor;
	double weight = 0;
	size_t i, k;

	for (i = 1; i < t->law.terms; i++)
		if (t->law.term[i].factor[0].power > f->power)
			f = t->law.term[i].factor;
	for (i = 0; t->params == 1 && i < fitted.one.kinds; i++)
		if (fitted.one.kind[i].factor.power == f->power && fitted.one.kind[i].factor.log == f->log)
			weight += fitted.one.kind[i].weight;
	for (i = 0; t->params > 1 && i < fitted.many.candidates; i++) {
		const struct ft_law_candidate *c = &fitted.many.candidate[i];
		bool has = false;

		for (k = 0; k < c->law.terms; k++)
			has = has ||
			      !memcmp(c->law.term[k].factor, t->law.term[0].factor, sizeof *f * t->params);
		weight += has ? c->weight : 0;
	}
	return -log(fmax(weight, 1e-3));
}

static void test_kind(const struct kind *kind, uint64_t seed)
{
	static const char *const what[] = {"error", "the mean", "single runs", "the class"};
	struct ft_random random = {seed};
	struct test_told told = {0};
	double score[4] = {0};
	int i, k;

	for (i = 0; i < CASES; i++) {
		struct truth truth = draw(kind, &random);

		if (fit(&truth, &random))
			score[0] = INFINITY;
		tell_fit(&told, &truth);
		for (k = 0; k < QUESTIONS; k++)
			question(&truth, &random, score, &told);
		score[3] += kind->kind ? 0 : belief(&truth);
	}
	for (i = 0; i < 4; i++)
		test_score(kind->name, what[i], score[i] / CASES, kind->was[i]);
	test_told(kind->name, &told, kind->told);
}

int main(void)
{
	size_t i;

	for (i = 0; i < sizeof kinds / sizeof *kinds; i += test_sanitized() ? 3 : 1)
		test_kind(&kinds[i], 1000 * (i + 1));
	return done();
}
