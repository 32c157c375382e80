/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-calibrate.c - what a calibrated law says, and how surely: by its formula. (t-levels.c has the
 * calibration.) */
#include "ask/ask.h"
#include "base/random.h"
#include "num/num.h"
#include "tap.h"

#include <math.h>

/* Half of the interval, in ln: the law's own error, of runs about it, and of the exponent beyond the data. */
static double width(const struct ft_calibrated_law *c, double value, double confidence, bool of_run)
{
	double noise = c->noise > 0.02 ? c->noise : 0.02, square = noise * noise / (double)c->runs, beyond;

	beyond = value > c->most ? log(value / c->most) : value < c->least ? log(c->least / value) : 0;
	square += c->error * c->error * (1 + 1 / (double)c->sizes) + c->slope * c->slope * beyond * beyond;
	square += of_run ? noise * noise : 0;
	return ft_student_t(confidence, c->dof + 1) * sqrt(square);
}

static int try_one(struct ft_random *random)
{
	struct ft_calibrated_law c = {.start = ft_random_uniform(random),
				      .scale = 0.5 + ft_random_uniform(random),
				      .error = 0.3 * ft_random_uniform(random),
				      .noise = 0.1 * ft_random_uniform(random),
				      .slope = 0.2 * ft_random_uniform(random),
				      .least = 10,
				      .most = 1000,
				      .sizes = 1 + ft_random_below(random, 9),
				      .runs = 1 + ft_random_below(random, 30),
				      .dof = 1 + (double)ft_random_below(random, 9)};
	double law = exp(9 * ft_random_uniform(random)), value = c.start + c.scale * law,
	       confidence = 0.5 + 0.49 * ft_random_uniform(random), run = width(&c, value, confidence, true);
	struct ft_prediction p;

	ft__ask_by_law(&c, law, confidence, &p);
	return !near(p.value, value, 1e-12) || !near(p.lower, value * exp(-run), 1e-9) ||
	       !near(p.upper, value * exp(run), 1e-9) ||
	       !near(p.known, expm1(width(&c, value, confidence, false)), 1e-9) || p.runs != c.runs ||
	       p.level != FT_LEVEL_LAW || p.basis != FT_BASIS_STATED;
}

/* One size tells no error, single runs no noise; no degrees of freedom: those of the normal distribution. */
static void unknown(void)
{
	const struct ft_calibrated_law c = {.scale = 2,
					    .error = NAN,
					    .noise = NAN,
					    .slope = 0.5,
					    .least = 10,
					    .most = 10,
					    .sizes = 1,
					    .runs = 1};
	struct ft_prediction p;

	ft__ask_by_law(&c, 5, 0.9, &p);
	ok(near(p.upper, 10 * exp(ft_normal_quantile(0.95) * 0.02 * sqrt(2)), 1e-9), "two hundredths: %g",
	   p.upper);
	ft__ask_by_law(&c, 0, 0.9, &p);
	ok(p.value == 0 && p.lower == 0 && p.upper == 0, "of nothing there is nothing, and it is a number");
	ft__ask_by_law(&c, 1e300, 0.9, &p);
	ok(p.upper == 1e300 && p.lower >= 0 && isfinite(p.known), "far away all ends are numbers");
}

int main(void)
{
	struct ft_random random = {test_seed()};
	int cases = test_cases(500), bad = 0, i;

	unknown();
	for (i = 0; i < cases; i++)
		bad += try_one(&random);
	if (!ok(!bad, "%d random laws", cases))
		diag("seed %llu, %d bad", (unsigned long long)test_seed(), bad);
	return done();
}
