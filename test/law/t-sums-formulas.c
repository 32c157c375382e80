/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-sums-formulas.c - sums of either sign, all again as sums.c says it, slowly: normal equations instead of
 * reflections, of the terms that were found. */
#include "base/random.h"
#include "foretime/law.h"
#include "law/door.h"
#include "num/num.h"
#include "tap.h"

#include <math.h>
#include <string.h>

enum { SIZES = 12 };

static struct ft_law_sums sums; /* large */

static double size_at(size_t k)
{
	return 10 * pow(1.7, (double)k);
}

enum { MOST_TERMS = FT_LAW_SUM_TERMS + 1 };

/* Two runs at each of n sizes. */
struct measured {
	struct ft_law_sample sample[2 * SIZES];
	size_t n;
	double mean[SIZES], unit[SIZES], largest, scatter; /* squares within sizes, in units */
};

static void measure(struct measured *m, const struct ft_law *truth, double noise, struct ft_random *r)
{
	*m = (struct measured){.n = SIZES};
	for (size_t k = 0; k < m->n; k++) {
		struct ft_law_sample *two = &m->sample[2 * k];

		two[0].x = two[1].x = size_at(k);
		two[0].value = ft_law_value(truth, &two->x) * (1 + noise * ft_random_normal(r));
		two[1].value = ft_law_value(truth, &two->x) * (1 + noise * ft_random_normal(r));
		m->mean[k] = (two[0].value + two[1].value) / 2;
		m->largest = fmax(m->largest, fabs(m->mean[k]));
	}
	for (size_t k = 0; k < m->n; k++) {
		double apart = (m->sample[2 * k].value - m->sample[2 * k + 1].value) / 2;

		m->unit[k] = fmax(fabs(m->mean[k]), 0.01 * m->largest);
		m->scatter += 2 * apart * apart / (m->unit[k] * m->unit[k]);
	}
}

/* What multiplies coefficient i of a law (0: its constant) at x. */
static double column_at(const struct ft_law *law, size_t i, double x)
{
	struct ft_law alone = {.params = 1, .terms = i > 0, .constant = i == 0};

	if (i)
		alone.term[0] = law->term[i - 1];
	alone.term[0].c = 1;
	return ft_law_value(&alone, &x);
}

/* The inverse of a symmetric positive definite matrix, by Gauss and Jordan; columns scaled before. */
static void invert(double a[MOST_TERMS][MOST_TERMS], size_t p)
{
	double scale[MOST_TERMS];

	for (size_t i = 0; i < p; i++)
		scale[i] = sqrt(a[i][i]);
	for (size_t i = 0; i < p; i++)
		for (size_t j = 0; j < p; j++)
			a[i][j] /= scale[i] * scale[j];
	for (size_t k = 0; k < p; k++) {
		double pivot = a[k][k];

		a[k][k] = 1;
		for (size_t j = 0; j < p; j++)
			a[k][j] /= pivot;
		for (size_t i = 0; i < p; i++) {
			double times = i == k ? 0 : a[i][k];

			for (size_t j = 0; j < p && i != k; j++)
				a[i][j] = (j == k ? 0 : a[i][j]) - times * a[k][j];
		}
	}
	for (size_t i = 0; i < p; i++)
		for (size_t j = 0; j < p; j++)
			a[i][j] /= scale[i] * scale[j];
}

/* The squares that a law leaves, in units, with those within sizes; its coefficients are least squares' when
 * no column is left with any of what remains: *slope, relative. */
static double squares_of(const struct measured *m, const struct ft_law *law, double *slope)
{
	double sum = m->scatter;

	*slope = 0;
	for (size_t k = 0; k < m->n; k++)
		sum += 2 * pow((m->mean[k] - ft_law_value(law, &m->sample[2 * k].x)) / m->unit[k], 2);
	for (size_t i = law->constant == 0; i <= law->terms; i++) {
		double along = 0, length = 0;

		for (size_t k = 0; k < m->n; k++) {
			double x = m->sample[2 * k].x, g = column_at(law, i, x) / m->unit[k];

			along += g * (m->mean[k] - ft_law_value(law, &x)) / m->unit[k];
			length += g * g;
		}
		*slope = fmax(*slope, fabs(along) / sqrt(length * (double)m->n));
	}
	return sum;
}

/* The greatest difference of a candidate's covariance from least squares', in deviations. */
static double covariance_off(const struct measured *m, const struct ft_law_candidate *candidate,
			     double squares)
{
	const struct ft_law *law = &candidate->law;
	size_t from = law->constant == 0, p = law->terms + 1 - from;
	double a[MOST_TERMS][MOST_TERMS] = {{0}}, worst = 0;

	for (size_t i = 0; i < p; i++)
		for (size_t j = 0; j < p; j++)
			for (size_t k = 0; k < m->n; k++)
				a[i][j] += 2 * column_at(law, i + from, m->sample[2 * k].x) *
					   column_at(law, j + from, m->sample[2 * k].x) /
					   (m->unit[k] * m->unit[k]);
	invert(a, p);
	for (size_t i = 0; i < p; i++)
		for (size_t j = 0; j < p; j++) {
			double variance = squares / (double)(2 * m->n - p);

			worst = fmax(worst, fabs(candidate->covariance[i + from][j + from] /
							 sqrt(a[i][i] * a[j][j]) / variance -
						 a[i][j] / sqrt(a[i][i] * a[j][j])));
		}
	return worst;
}

/* ln of a candidate's weight but for its prior, and for what all have. */
static double likely(const struct measured *m, const struct ft_law *law, double squares)
{
	double count = 2 * (double)m->n, p = (double)law->terms + (law->constant != 0), score;

	score = -(count - p) / 2 * log(squares / count + 1e-12) - p / 2 * log(count);
	for (size_t i = 0; i <= law->terms; i++) {
		double c = i ? law->term[i - 1].c * column_at(law, i, size_at(SIZES - 1)) : law->constant;

		score -= c * c / (m->largest * m->largest) / 2;
	}
	return score;
}

/* Laws of the same terms, with a constant and without, are equally likely before the values. */
static bool same_terms(const struct ft_law *a, const struct ft_law *b)
{
	return a->terms == b->terms &&
	       ((!memcmp(a->term[0].factor, b->term[0].factor, sizeof *a->term[0].factor) &&
		 !memcmp(a->term[1].factor, b->term[1].factor, sizeof *a->term[1].factor)) ||
		(a->terms == 2 && !memcmp(a->term[0].factor, b->term[1].factor, sizeof *a->term[0].factor) &&
		 !memcmp(a->term[1].factor, b->term[0].factor, sizeof *a->term[1].factor)));
}

/* A term from the table may have been found as one of a family, too: less likely before the values. */
static bool found_twice(const struct ft_law *law)
{
	size_t n = 0;

	for (size_t i = 0; i < sums.candidates; i++)
		n += same_terms(&sums.candidate[i].law, law) &&
		     (sums.candidate[i].law.constant != 0) == (law->constant != 0);
	return n > 1;
}

static void compare_candidates(const struct measured *m, int *bad, int *pairs)
{
	double sum = 0, score[FT_LAW_CANDIDATES];

	for (size_t i = 0; i < sums.candidates; i++) {
		const struct ft_law_candidate *candidate = &sums.candidate[i];
		double slope, squares = squares_of(m, &candidate->law, &slope);
		bool least = slope < 1e-8, spread = covariance_off(m, candidate, squares) < 1e-6;

		score[i] = likely(m, &candidate->law, squares);
		sum += candidate->weight;
		if (!least || !spread || (i && candidate->weight > candidate[-1].weight)) {
			char text[80];

			(void)ft_law_format(&candidate->law, NULL, 4, text, sizeof text);
			diag("candidate %zu, %s: slope %g, covariance off by %g", i, text, slope,
			     covariance_off(m, candidate, squares));
			++*bad;
		}
		for (size_t j = 0; j < i; j++) {
			double ratio = log(candidate->weight / sums.candidate[j].weight);

			if (!same_terms(&candidate->law, &sums.candidate[j].law) ||
			    found_twice(&candidate->law) || found_twice(&sums.candidate[j].law))
				continue;
			++*pairs;
			*bad += !(fabs(ratio - (score[i] - score[j])) < 1e-6);
		}
	}
	*bad += !near(sum, 1, 1e-12);
}

/* What is said of the first law. */
static int compare_first(const struct measured *m)
{
	const struct ft_law *law = &sums.candidate[0].law;
	double slope, squares = squares_of(m, law, &slope), rest = 0, whole = 0, mean = 0;
	int bad = 0;

	for (size_t k = 0; k < m->n; k++)
		mean += m->mean[k] / (double)m->n;
	for (size_t k = 0; k < m->n; k++) {
		rest += pow(m->mean[k] - ft_law_value(law, &m->sample[2 * k].x), 2);
		whole += pow(m->mean[k] - mean, 2);
	}
	bad += !near(sums.residual, sqrt(rest), 1e-9) || !near(sums.r2, 1 - rest / whole, 1e-9);
	bad += !near(sums.misfit, sqrt((squares - m->scatter) / (2 * (double)m->n)), 1e-9);
	bad += !near(sums.noise, sqrt(m->scatter / (double)m->n), 1e-9);
	bad += sums.sizes != m->n || sums.runs != 2 * m->n || sums.least != size_at(0) ||
	       sums.most != size_at(SIZES - 1);
	return bad;
}

static void test_formulas(void)
{
	static const struct ft_law truth[] = {
		{.params = 1, .terms = 1, .constant = 3, .term = {{.c = 0.2, .factor = {{.power = 1}}}}},
		{.params = 1,
		 .terms = 2,
		 .term = {{.c = 0.02, .factor = {{.power = 2}}}, {.c = 2, .factor = {{.power = 1}}}}},
		{.params = 1,
		 .terms = 2,
		 .constant = 500,
		 .term = {{.c = -0.05, .factor = {{.power = 1, .log = 1}}},
			  {.c = 40, .factor = {{.log = 1}}}}},
		{.params = 1, .terms = 1, .term = {{.c = 1e-6, .factor = {{.power = 3}}}}},
	};
	struct ft_random r = {test_seed()};
	int i, bad = 0, pairs = 0, cases = test_cases(40);

	for (i = 0; i < cases; i++) {
		struct measured m;

		measure(&m, &truth[i % 4], i % 8 < 4 ? 0.02 : 0.1, &r);
		if (ft_law_sums_fit(&sums, m.sample, 2 * m.n, NULL)) {
			bad++;
			continue;
		}
		compare_candidates(&m, &bad, &pairs);
		bad += compare_first(&m);
	}
	ok(bad == 0 && pairs >= cases,
	   "coefficients, covariances, weights, as formulas have them: %d wrong, %d pairs", bad, pairs);
}

/* The share of the belief below a value. */
static double below(const struct ft_law_sums *of, double x, double confidence, double noise, double value)
{
	double sum = 0;

	for (size_t i = 0; i < of->candidates; i++) {
		const struct ft_law_candidate *c = &of->candidate[i];
		double at = ft_law_value(&c->law, &x), variance = noise * noise * at * at;
		double dof = (double)of->runs - (double)c->law.terms - (c->law.constant != 0);

		for (size_t j = 0; j <= c->law.terms; j++)
			for (size_t k = 0; k <= c->law.terms; k++)
				variance += c->covariance[j][k] * column_at(&c->law, j, x) *
					    column_at(&c->law, k, x);
		variance *= pow(ft_student_t(confidence, fmax(dof, 1)) / ft_student_t(confidence, 1e6), 2);
		sum += c->weight * erfc((at - value) / sqrt(2 * variance)) / 2;
	}
	return sum;
}

/* Ends of intervals are quantiles of the belief, and the value is the first law's. */
static void test_quantiles(void)
{
	struct ft_law truth = {
		.params = 1,
		.terms = 2,
		.term = {{.c = 0.02, .factor = {{.power = 2}}}, {.c = 2, .factor = {{.power = 1}}}}};
	struct ft_random r = {test_seed()};
	int i, bad = 0, cases = test_cases(40);

	for (i = 0; i < cases; i++) {
		double x = size_at(0) * pow(400, ft_random_uniform(&r)), confidence = i % 2 ? 0.9 : 0.99,
		       noise;
		enum ft_law_of of = i % 4 < 2 ? FT_LAW_MEAN : FT_LAW_RUN;
		struct ft_law_prediction p;
		struct measured m;

		measure(&m, &truth, 0.05, &r);
		if (ft_law_sums_fit(&sums, m.sample, 2 * m.n, NULL) ||
		    ft_law_sums_predict(&sums, x, confidence, of, &p, NULL)) {
			bad++;
			continue;
		}
		noise = of == FT_LAW_RUN ? sums.noise : 0;
		bad += p.value != ft_law_value(&sums.candidate[0].law, &x);
		bad += !near(below(&sums, x, confidence, noise, p.median), 0.5, 1e-6);
		bad += p.lower < p.value &&
		       !near(below(&sums, x, confidence, noise, p.lower), (1 - confidence) / 2, 1e-6);
		bad += p.upper > p.value &&
		       !near(below(&sums, x, confidence, noise, p.upper), (1 + confidence) / 2, 1e-6);
		bad += !(p.lower <= p.value && p.value <= p.upper && p.lower < p.upper) ||
		       p.wide_lower != p.lower || p.wide_upper != p.upper;
	}
	ok(bad == 0, "intervals hold of the belief what they are to: %d of %d do not", bad, cases);
}

/* One run a size says nothing of the scatter of runs: what the law misses stands for it. */
static void test_one_run_each(void)
{
	struct ft_law_sample sample[SIZES];
	struct ft_law_prediction mean, run;
	struct ft_err err;
	double x = 300;

	for (size_t k = 0; k < SIZES; k++) {
		sample[k].x = size_at(k);
		sample[k].value = 5 * size_at(k) * (k % 2 ? 1.03 : 0.97);
	}
	ok(!ft_law_sums_fit(&sums, sample, SIZES, NULL) && isnan(sums.noise) && near(sums.misfit, 0.03, 0.2),
	   "one run at each size: no noise, misfit %.3g", sums.misfit);
	ok(!ft_law_sums_predict(&sums, x, 0.9, FT_LAW_MEAN, &mean, NULL) &&
		   !ft_law_sums_predict(&sums, x, 0.9, FT_LAW_RUN, &run, NULL) &&
		   run.upper - run.lower > 2 * 1.645 * sums.misfit * run.value &&
		   run.upper - run.lower > mean.upper - mean.lower,
	   "a single run lies as far off as sizes do");
	ok(ft_law_sums_predict(&sums, 300, 0.4, FT_LAW_MEAN, &mean, &err) == FT_EINVAL && *err.text &&
		   ft_law_sums_predict(&sums, -1, 0.9, FT_LAW_MEAN, &mean, &err) == FT_EINVAL,
	   "%s", err.text);
}

int main(void)
{
	test_formulas();
	test_quantiles();
	test_one_run_each();
	return done();
}
