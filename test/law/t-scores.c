/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-scores.c - how near laws come to what is true within and beyond their samples, what their intervals cost,
 * and what is believed of the class, over kinds of laws. */
#include "law-kinds.h"
#include "law-told.h"

#include "base/random.h"
#include "foretime/law.h"

enum { CASES = 10, QUESTIONS = 10, SAMPLES = 600 };

static const struct ft_law_factor shapes[] = {{0.5, 0, 0, 0, 0, 0}, {1, 0, 0, 0, 0, 0}, {1, 1, 0, 0, 0, 0},
					      {1.5, 0, 0, 0, 0, 0}, {2, 0, 0, 0, 0, 0}, {2, 1, 0, 0, 0, 0},
					      {3, 0, 0, 0, 0, 0}};

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

	t.law.params = t.params;
	t.law.terms = kind->terms;
	t.law.constant = 1e-3 * kind->constant;
	for (size_t i = 0; i < kind->terms; i++) {
		double there = 1;

		for (size_t j = 0; j < t.params; j++) {
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

static double place_along(const struct truth *t, double share)
{
	share = t->kind->grid ? floor(5 * share) / 4 : share;
	return round((t->kind->least > 0 ? t->kind->least : 32) * pow(32, share));
}

static void place(const struct truth *t, double share, struct ft_random *random, double *x)
{
	for (size_t j = 0; j < t->params; j++)
		x[j] = place_along(t, t->params > 1 ? ft_random_uniform(random) : share);
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
	size_t none = t->kind->zeros, n = 0;

	for (size_t i = 0; i < none + t->kind->sizes; i++) {
		double x[FT_LAW_PARAMS] = {0};

		place(t, i < none ? 0 : (double)(i - none) / (double)(t->kind->sizes - 1), random, x);
		for (size_t k = t->kind->uneven ? i % t->kind->runs : 0; k < t->kind->runs; k++, n++) {
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

	for (size_t i = 1; i < t->law.terms; i++)
		if (t->law.term[i].factor[0].power > f->power)
			f = t->law.term[i].factor;
	for (size_t i = 0; t->params == 1 && i < fitted.one.kinds; i++)
		if (fitted.one.kind[i].factor.power == f->power && fitted.one.kind[i].factor.log == f->log)
			weight += fitted.one.kind[i].weight;
	for (size_t i = 0; t->params > 1 && i < fitted.many.candidates; i++) {
		const struct ft_law_candidate *c = &fitted.many.candidate[i];
		bool has = false;

		for (size_t k = 0; k < c->law.terms; k++)
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

	for (int i = 0; i < CASES; i++) {
		struct truth truth = draw(kind, &random);

		if (fit(&truth, &random))
			score[0] = INFINITY;
		tell_fit(&told, &truth);
		for (int k = 0; k < QUESTIONS; k++)
			question(&truth, &random, score, &told);
		score[3] += kind->kind ? 0 : belief(&truth);
	}
	for (int i = 0; i < 4; i++)
		test_score(kind->name, what[i], score[i] / CASES, kind->was[i]);
	test_told(kind->name, &told, kind->told);
}

int main(void)
{
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i += test_sanitized() ? 3 : 1)
		test_kind(&kinds[i], 1000 * (i + 1));
	return done();
}
