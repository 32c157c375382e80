/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-many-formulas.c - laws of several parameters: what is said of those that were found, all again by the
 * formulas, slowly. */
#include "base/random.h"
#include "law/laws.h"
#include "num/num.h"
#include "tap.h"

#include <math.h>
#include <string.h>

enum { PLACES = 30, MOST = 8 };

static struct ft_laws_many laws; /* large */

/* Two runs at each place of a grid, the second ones behind all of the first. */
struct measured {
	size_t params;
	struct ft_law_place sample[2 * PLACES];
	double mean[PLACES], scatter;
};

static double truth_at(size_t params, const double *x)
{
	return params == 2 ? 2 + 0.03 * x[0] * x[1] : 5e-3 * x[0] * x[0] * x[1] + 0.4 * x[2];
}

static void measure(struct measured *m, size_t params, struct ft_random *random)
{
	*m = (struct measured){.params = params};
	for (size_t k = 0; k < PLACES; k++) {
		struct ft_law_place *one = &m->sample[k], *again = &m->sample[PLACES + k];
		const double x[FT_LAW_PARAMS] = {4 * pow(1.9, (double)(k % 6)),
						 5 * pow(2.3, floor((double)k / 6)),
						 7 * pow(1.7, (double)(k * 7 % 5))};

		for (size_t p = 0; p < params; p++)
			one->x[p] = again->x[p] = x[p];
		one->value = truth_at(params, x) * (1 + 0.04 * ft_random_normal(random));
		again->value = truth_at(params, x) * (1 + 0.04 * ft_random_normal(random));
		m->mean[k] = (one->value + again->value) / 2;
		double apart = (one->value - again->value) / 2 / m->mean[k];
		m->scatter += 2 * apart * apart;
	}
}

/* What multiplies coefficient i (0: the constant). */
static double column_at(const struct ft_law *law, size_t i, const double *x)
{
	struct ft_law alone = {.params = law->params, .terms = i > 0, .constant = i == 0};

	if (i)
		alone.term[0] = law->term[i - 1];
	alone.term[0].c = 1;
	return ft_law_value(&alone, x);
}

/* Squares that the law leaves, relative to it, and ln of it, of all runs. */
static double squares_of(const struct measured *m, const struct ft_law *law, double *logs)
{
	double sum = 0;

	*logs = 0;
	for (size_t k = 0; k < PLACES; k++) {
		double value = ft_law_value(law, m->sample[k].x);

		sum += 2 * pow(m->mean[k] / value - 1, 2);
		*logs += 2 * log(value);
	}
	return sum;
}

/* Each shape that a parameter has counts once. */
static double prior_of(const struct ft_law *law)
{
	double prior = 0;

	for (size_t p = 0; p < law->params; p++)
		for (size_t i = 0; i < law->terms; i++) {
			const struct ft_law_factor *f = &law->term[i].factor[p];
			bool seen = f->power == 0 && f->log == 0;

			for (size_t j = 0; j < i; j++)
				seen = seen || !memcmp(f, &law->term[j].factor[p], sizeof *f);
			for (size_t shape = 1; shape < FT_LAW_SHAPES && !seen; shape++) {
				struct ft_law_factor of = ft__law_factor(shape);

				if (of.power == f->power && of.log == f->log) {
					prior += log(ft__law_prior(shape));
					seen = true;
				}
			}
		}
	return prior;
}

static double score_of(const struct measured *m, const struct ft_law *law)
{
	double logs, squares = squares_of(m, law, &logs), total = 2 * PLACES;

	return -total / 2 * log(squares + m->scatter + 1e-8 * total) - logs -
	       (double)(law->terms + (law->constant > 0)) / 2 * log(total) + prior_of(law);
}

/* The greatest entry of C M - s^2 I, over s^2; M = sum z z' / law^2. C is what is known of the coefficients.
 */
static double covariance_off(const struct measured *m, const struct ft_law_candidate *candidate)
{
	const struct ft_law *law = &candidate->law;
	size_t from = law->constant == 0, p = law->terms + 1 - from;
	double logs, worst = 0;
	double s2 = (squares_of(m, law, &logs) + m->scatter + 1e-8 * 2 * PLACES) / (double)(2 * PLACES - p);

	for (size_t i = 0; i < p; i++)
		for (size_t j = 0; j < p; j++) {
			double sum = 0;

			for (size_t l = 0; l < p; l++)
				for (size_t k = 0; k < PLACES; k++) {
					const double *x = m->sample[k].x;
					double value = ft_law_value(law, x);

					sum += candidate->covariance[i + from][l + from] * 2 *
					       column_at(law, l + from, x) * column_at(law, j + from, x) /
					       (value * value);
				}
			sum *= column_at(law, i + from, m->sample[0].x) /
			       column_at(law, j + from, m->sample[0].x); /* of one unit */
			worst = fmax(worst, fabs(sum / s2 - (i == j)));
		}
	return worst;
}

static int compare_candidates(const struct measured *m)
{
	double sum = 0;
	int bad = laws.candidates == 0;

	for (size_t i = 0; i < laws.candidates; i++) {
		const struct ft_law_candidate *c = &laws.candidate[i];
		double ratio = log(c->weight / laws.candidate[0].weight);
		double scores = score_of(m, &c->law) - score_of(m, &laws.candidate[0].law);

		sum += c->weight;
		if (!(fabs(ratio - scores) < 1e-6) || !(covariance_off(m, c) < 1e-4) ||
		    (i && c->weight > c[-1].weight)) {
			diag("candidate %zu: ln weight %g, by formula %g; covariance off by %g", i, ratio,
			     scores, covariance_off(m, c));
			bad++;
		}
	}
	return bad + !near(sum, 1, 1e-12);
}

static int compare_first(const struct measured *m)
{
	const struct ft_law *law = &laws.candidate[0].law;
	double logs, squares = squares_of(m, law, &logs), rest = 0, rest_ln = 0, most, least, sum, s2;
	size_t k;
	int bad = 0;

	for (k = 0; k < PLACES; k++) {
		double value = ft_law_value(law, m->sample[k].x);

		rest += pow(m->mean[k] - value, 2);
		rest_ln += pow(log(m->mean[k] / value), 2);
	}
	bad += !near(laws.residual, sqrt(rest), 1e-9) || !near(laws.residual_ln, sqrt(rest_ln), 1e-9);
	bad += !near(laws.misfit, sqrt(squares / (2 * PLACES)), 1e-9);
	bad += !near(laws.noise, sqrt(m->scatter / PLACES), 1e-9) || laws.exact;
	bad += laws.places != PLACES || laws.runs != 2 * PLACES;
	s2 = (squares + m->scatter + 1e-8 * 2 * PLACES) / (2 * PLACES - 1 - (double)law->terms);
	for (size_t p = 0; p < m->params; p++) {
		for (most = sum = 0, least = INFINITY, k = 0; k < PLACES; k++) {
			most = fmax(most, m->sample[k].x[p]);
			least = fmin(least, m->sample[k].x[p]);
		}
		for (k = 0; k < PLACES; k++)
			sum += 2 * pow(m->sample[k].x[p] / most, 2);
		bad += laws.least[p] != least || laws.most[p] != most;
		bad += !near(laws.hidden[p], sqrt(s2 / sum / (1 + sqrt(2 * PLACES))), 1e-9);
	}
	return bad;
}

/* The share of the belief below a value at x. */
static double below(const double *x, double noise, double at)
{
	double sum = 0, hidden = 0;

	for (size_t p = 0; p < laws.params; p++)
		hidden += log(1 + laws.hidden[p] * fmax(0, x[p] / laws.most[p] - 1));
	for (size_t i = 0; i < laws.candidates; i++) {
		const struct ft_law_candidate *c = &laws.candidate[i];
		double value = ft_law_value(&c->law, x), variance = 0, error;

		for (size_t j = 0; j <= c->law.terms; j++)
			for (size_t k = 0; k <= c->law.terms; k++)
				variance += c->covariance[j][k] * column_at(&c->law, j, x) *
					    column_at(&c->law, k, x);
		error = sqrt(variance / value / value + hidden * hidden + noise * noise);
		sum += c->weight * ft_normal_below((log(at) - log(value)) / fmin(error, 5));
	}
	return sum;
}

static int compare_predictions(const struct measured *m, struct ft_random *random)
{
	int bad = 0;

	for (int i = 0; i < 8; i++) {
		enum ft_law_of of = i % 2 ? FT_LAW_RUN : FT_LAW_MEAN;
		double x[FT_LAW_PARAMS] = {0}, noise = of == FT_LAW_RUN ? laws.noise : 0;
		struct ft_law_prediction said;

		for (size_t p = 0; p < m->params; p++)
			x[p] = 4 * pow(200, ft_random_uniform(random));
		bad += ft_laws_predict_many(&laws, x, 0.9, of, &said, NULL) != FT_OK;
		bad += !near(below(x, noise, said.median), 0.5, 1e-4);
		bad += !near(below(x, noise, said.lower / (1 - 1e-3)), 0.05, 1e-4) && said.lower < said.value;
		bad += !near(below(x, noise, said.upper / (1 + 1e-3)), 0.95, 1e-4) && said.upper > said.value;
		bad += !(said.lower <= said.value && said.value <= said.upper) ||
		       said.wide_lower != said.lower || said.wide_upper != said.upper;
	}
	return bad;
}

int main(void)
{
	struct ft_random random = {test_seed()};
	int i, candidates = 0, first = 0, said = 0, cases = test_cases(10);

	for (i = 0; i < cases; i++) {
		struct measured m;

		measure(&m, 2 + (size_t)i % 2, &random);
		if (ft_laws_fit_many(&laws, m.sample, 2 * PLACES, m.params, NULL)) {
			candidates++;
			continue;
		}
		candidates += compare_candidates(&m);
		first += compare_first(&m);
		said += compare_predictions(&m, &random);
	}
	ok(candidates == 0, "weights and covariances of all that were found");
	ok(first == 0, "residuals, noise, what may be hidden: %d are wrong", first);
	ok(said == 0, "intervals hold of the belief what they are to: %d do not", said);
	return done();
}
