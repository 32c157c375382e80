/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-live.c - a model that grows run by run: the tests that new sizes are, shapes, wild runs, statements. */
#include "model/live.h"
#include "base/alloc.h"
#include "base/random.h"
#include "tap.h"

#include <math.h>
#include <stdlib.h>

enum { MOST = 400 };

/* Hand-computed: power law through 1, 4 (values 1, 16) says 4 at 2; measured 5. */
static void test_by_hand(void)
{
	struct ft__live live;
	struct ft__gap gap;

	ft__live_init(&live, true, FT_JOIN_BEST, 0, 1, 4);
	ok(!ft__live_add(&live, 1, 1, 1, NULL) && isnan(live.last.residual), "the first size is no test");
	ok(!ft__live_add(&live, 4, 1, 16, NULL) && isnan(live.last.residual), "nor is one outside");
	gap = ft__live_gap(&live, 0);
	ok(gap.shape == FT_SHAPE_POWER && gap.error >= 0.5,
	   "between two knots a power law, and half of it doubted");
	ok(near(ft__live_level(&live, 0, FT_SHAPE_AFFINE, 2), log(6), 1e-14) &&
		   near(ft__live_level(&live, 0, FT_SHAPE_POWER, 2), log(4), 1e-14) &&
		   near(ft__live_level(&live, 0, FT_SHAPE_SPEED, 2), log(1 / (2. / 3 + 1. / 48)), 1e-14),
	   "what three shapes say of 2");
	ok(!ft__live_add(&live, 2, 1, 5, NULL) && near(live.last.residual, log(5.0 / 4), 1e-14),
	   "a size between is: what was said against what it was");
	ok(live.tests == 1 && near(live.node[1].residual[FT_SHAPE_AFFINE], log(6.0 / 5), 1e-14),
	   "and what neighbours say of it is its residual");
	ok(!ft__live_add(&live, 2, 1, 4, NULL) && isnan(live.last.residual) && live.tests == 1 &&
		   live.node[1].runs == 2 && near(live.node[1].level, log(4.5), 1e-14),
	   "a repetition is no test, and moves the median");
	ft__live_clear(&live);
	ft__live_clear(&live);
	ft__live_clear(NULL);
}

static double power(double x)
{
	return 1e-9 * pow(x, 2.7);
}

static double affine(double x)
{
	return 5 + 0.01 * x;
}

static enum ft_status add_times(struct ft__live *live, double x, double level, double off)
{
	enum ft_status status = ft__live_add(live, x, 1, exp(level - off), NULL);

	return status ? status : ft__live_add(live, x, 1, exp(level + off), NULL);
}

/* Three sizes, visited twice, two runs a visit at m -+ 0.01; visits lie at +-0.1 of their mean. Within: 4
 * runs of squares 4e-4 over 2 visits' freedom, 2e-4; a mean of two runs then has a variance of 1e-4 by
 * itself; between: 2 * 0.02 / 1 = 0.04 a size, so (0.04 - 2e-4) / 2 = 0.0199 is the visits' own; all squares
 * of a size over 3: 0.0404 / 3. */
static void test_drift(void)
{
	struct ft__live live;
	double x, expected = 2e-4 + 0.0199 - 0.0404 / 3;
	int failed = 0;

	ft__live_init(&live, true, FT_JOIN_BEST, 0, 1, 4);
	for (x = 1; x <= 4; x *= 2)
		failed += add_times(&live, x, x - 0.1, 0.01) != FT_OK;
	ok(!failed && ft__live_drift(&live) == 0, "one visit a size tells of no drift");
	for (x = 1; x <= 4; x *= 2)
		failed += add_times(&live, x, x + 0.1, 0.01) != FT_OK;
	ok(!failed && near(ft__live_drift(&live), expected, 1e-12),
	   "what visits differ by, beyond their own scatter");
	ft__live_clear(&live);
	ft__live_init(&live, true, FT_JOIN_BEST, 0, 1, 4);
	for (x = 1; x <= 8; x++)
		failed += ft__live_add(&live, x < 5 ? x : x - 4, 1, exp(x < 5 ? 0 : 0.2), NULL) != FT_OK;
	ok(!failed && ft__live_drift(&live) == 0, "runs that are a visit each: their scatter holds it all");
	ft__live_clear(&live);
}

/* Of curves that are one of the shapes, that one is chosen, and exact. */
static void test_shapes(void)
{
	double (*law[])(double) = {power, affine};
	enum ft_shape expected[] = {FT_SHAPE_POWER, FT_SHAPE_AFFINE};
	int i;

	for (i = 0; i < 2; i++) {
		struct ft_observation o[12];
		struct ft_model model;
		struct ft_prediction p;
		int j, wrong = 0;

		for (j = 0; j < 12; j++) {
			double x = round(10 * pow(1000, (double)((7 * j) % 12) / 11));

			o[j] = (struct ft_observation){x, 1, law[i](x)};
		}
		ft_model_fit(&model, o, 12, true, FT_JOIN_BEST, NULL);
		for (j = 0; j < 12; j++)
			wrong += model.knot[j].shape != expected[i];
		ft_model_predict(&model, 777, NAN, 0.9, &p, NULL);
		ok(!wrong && near(p.value, law[i](777), 1e-9) && !model.rough && model.stated_error < 0.03,
		   "%s is found: stated error %.4f", ft_shape_text(expected[i]), model.stated_error);
		ft_model_clear(&model);
	}
}

/* A speed that falls in a straight line is found where the work is known, and only there. */
static void test_speed(void)
{
	size_t of[2] = {0, 0};
	int i, j;

	for (i = 0; i < 2; i++) {
		struct ft_observation o[12];
		struct ft_model model;

		for (j = 0; j < 12; j++) {
			double x = 100 + 75 * j;

			o[j] = (struct ft_observation){x, i ? x : 1, x / (1000 - x)};
		}
		ft_model_fit(&model, o, 12, true, FT_JOIN_BEST, NULL);
		for (j = 0; j < 12; j++)
			of[i] += model.knot[j].shape == FT_SHAPE_SPEED;
		ft_model_clear(&model);
	}
	ok(!of[0] && of[1] == 12, "a falling speed joins %zu knots where the work is known", of[1]);
}

/* ln of how many times the noise grows by a run in a hundred times its time, and what is left of the doubt
 * beside a step there. */
static void go_wild(struct ft_random *r, double *noise, double *doubt)
{
	struct ft__live calm, wild;
	int j, k;

	ft__live_init(&calm, true, FT_JOIN_BEST, 0, 10, 1000);
	ft__live_init(&wild, true, FT_JOIN_BEST, 0, 10, 1000);
	for (j = 0; j < 20; j++)
		for (k = 0; k < 3; k++) {
			double x = round(10 * pow(100, j / 19.0));
			double t = power(x) * exp(0.02 * ft_random_normal(r)) * (j > 10 ? 1.5 : 1);

			ft__live_add(&calm, x, 1, t, NULL);
			ft__live_add(&wild, x, 1, j == 10 && k == 1 ? 100 * t : t, NULL);
		}
	*noise = log(ft__live_noise(&wild, 10) / ft__live_noise(&calm, 10));
	*doubt = ft__live_gap(&wild, 10).raw / ft__live_gap(&calm, 10).raw;
	ft__live_clear(&calm);
	ft__live_clear(&wild);
}

/* One run in a hundred times its time makes neither its region noisy nor the shape sure. By chance the two
 * runs beside it may lie close: the noise is then larger, more than five times in one sweep of 2000. */
static void test_wild(void)
{
	struct ft_random r = {test_seed()};
	int i, n = 50, seen = 0;
	double mean = 0, most = 0;

	for (i = 0; i < n; i++) {
		double noise, doubt;

		go_wild(&r, &noise, &doubt);
		mean += noise / n;
		most = fmax(most, noise);
		seen += doubt > 0.5;
	}
	ok(mean < log(2) && most < log(10),
	   "with a wild run the noise is %.2f times as large on average, %.2f times at most", exp(mean),
	   exp(most));
	ok(seen == n, "a step beside it is still seen: in %d of %d sweeps", seen, n);
}

/* Where sizes between came out as foretold, gaps err less than they are feared to; where they did not, more.
 * ln of how many times, at both ends of a range that is smooth below 1e3 and rough above. */
static void learn(struct ft_random *r, double of[2])
{
	struct ft__live live;
	int j;

	ft__live_init(&live, true, FT_JOIN_BEST, 0, 1, 1e6);
	ft__live_add(&live, 1, 1, 1, NULL);
	ft__live_add(&live, 1e6, 1, 1, NULL);
	for (j = 0; j < 60; j++) {
		double x = exp(log(1e6) * ft_random_uniform(r));

		ft__live_add(&live, x, 1, exp((x < 1e3 ? 0.003 : 0.3) * ft_random_normal(r)), NULL);
	}
	for (j = 0; j < 2; j++) {
		struct ft__gap gap = ft__live_gap(&live, ft__live_find(&live, j ? 1e5 : 100));

		of[j] += log(gap.error / gap.raw);
	}
	ft__live_clear(&live);
}

static void test_learns(void)
{
	enum { CASES = 500 };
	struct ft_random r = {test_seed() + 1};
	double of[2] = {0, 0};
	int i;

	for (i = 0; i < CASES; i++)
		learn(&r, of);
	ok(of[0] < 0 && (of[1] - of[0]) / CASES > log(1.2),
	   "errors of a smooth region are taken for %.2f of what was feared, of a rough one for %.2f",
	   exp(of[0] / CASES), exp(of[1] / CASES));
}

/* Slow oracle of the noise at every node: the sums that two passes give, one by one. */
static void test_noise(void)
{
	struct ft_random r = {test_seed() + 2};
	int i, wrong = 0;

	for (i = 0; i < test_cases(50); i++) {
		struct ft__live live;
		size_t n = 1 + ft_random_below(&r, 60), j, k;

		ft__live_init(&live, true, FT_JOIN_BEST, 0, 10, 5000);
		for (j = 0; j < n; j++)
			ft__live_add(&live, 10 + (double)ft_random_below(&r, 30) * 160, 1,
				     exp(ft_random_normal(&r)), NULL);
		for (j = 0; j < live.n; j++) {
			double sum = 0.015 * 0.015, freedom = 1;

			for (k = 0; k < live.n; k++) {
				double w =
					exp(-fabs(log(live.node[j].x / live.node[k].x)) / (0.1 * log(500)));

				sum += w * live.node[k].calm;
				freedom += w * (double)(live.node[k].runs - 1);
			}
			wrong += !near(ft__live_noise(&live, j), sqrt(sum / freedom), 1e-9);
		}
		ft__live_clear(&live);
	}
	if (!ok(!wrong, "noise is the weighted sum"))
		diag("seed %ju: %d", (uintmax_t)test_seed(), wrong);
}

/* Same runs, same order: the same to the last digit. Another order: the same values. */
static void test_order(void)
{
	struct ft_random r = {test_seed() + 3};
	static struct ft_observation o[MOST];
	struct ft_model a, b, c;
	bool same = true, values = true;
	size_t i;

	for (i = 0; i < MOST; i++) {
		double x = floor(exp(8 * ft_random_uniform(&r)));

		o[i] = (struct ft_observation){x, 1, power(x) * exp(0.1 * ft_random_normal(&r))};
	}
	ft_model_fit(&a, o, MOST, true, FT_JOIN_BEST, NULL);
	ft_model_fit(&b, o, MOST, true, FT_JOIN_BEST, NULL);
	for (i = MOST; i > 1; i--) {
		size_t j = ft_random_below(&r, i);
		struct ft_observation swapped = o[i - 1];

		o[i - 1] = o[j];
		o[j] = swapped;
	}
	ft_model_fit(&c, o, MOST, true, FT_JOIN_BEST, NULL);
	for (i = 0; i < a.n; i++) {
		same = same && a.knot[i].value == b.knot[i].value && a.knot[i].shape == b.knot[i].shape &&
		       (i + 1 == a.n || a.gap_error[i] == b.gap_error[i]);
		values = values && a.knot[i].value == c.knot[i].value && a.knot[i].shape == c.knot[i].shape;
	}
	ok(same && a.spread == b.spread && a.stated_error == b.stated_error, "the same runs, the same model");
	ok(values && a.n == c.n, "the same runs in another order, the same values and shapes");
	ft_model_clear(&a);
	ft_model_clear(&b);
	ft_model_clear(&c);
}

/* Over a list of sizes, those that were measured have no error but that of their medians. */
static void test_state(void)
{
	double sizes[60];
	struct ft_observation o[60];
	struct ft_model model;
	size_t i;

	for (i = 0; i < 60; i++) {
		sizes[i] = (double)(10 + i);
		o[i] = (struct ft_observation){sizes[i], 1, sizes[i] * (i % 2 ? 1.5 : 1)};
	}
	ft_model_fit(&model, o, 60, true, FT_JOIN_BEST, NULL);
	ok(model.rough && !model.rough_by_noise, "a saw is rough where all sizes count");
	ok(!ft_model_state(&model, sizes, 60, NULL) && !model.rough && model.stated_error < 0.05,
	   "and known where only those count that were measured");
	ft_model_clear(&model);
	ft_model_fit(&model, o, 59, true, FT_JOIN_BEST, NULL);
	ft_alloc_fail_at(1);
	ok(ft_model_state(&model, sizes, 60, NULL) == FT_ENOMEM, "no memory to state it");
	ft_alloc_fail_at(0);
	ft_model_clear(&model);
}

int main(void)
{
	test_by_hand();
	test_drift();
	test_shapes();
	test_speed();
	test_wild();
	test_learns();
	test_noise();
	test_order();
	test_state();
	return done();
}
