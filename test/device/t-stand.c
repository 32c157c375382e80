/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-stand.c - chances and losses beside the closed form for two, and beside drawing at random for more. */
#include "base/random.h"
#include "device/door.h"
#include "foretime/device.h"
#include "num/num.h"
#include "tap.h"

/* Two normal numbers: the chance that the first is less, and E max(0, first - second). */
static void two(double apart, double one, double other)
{
	struct ft_standing s[2] = {{1, one, 0}, {exp(apart), other, 0}};
	double sd = hypot(one, other), chance = ft_normal_below(apart / sd), loss, z = -apart / sd;
	double expected = sd * (z * ft_normal_below(z) + exp(-z * z / 2) / sqrt(2 * M_PI));
	size_t best = ft_stand(s, 2, &loss);

	ok(best == 0 && fabs(s[0].chance - chance) < 0.01 && fabs(s[0].chance + s[1].chance - 1) < 1e-12,
	   "%g apart, %g and %g: chance %.4f is %.4f", apart, one, other, s[0].chance, chance);
	ok(fabs(loss - expected) < 0.02 * expected + 1e-4, "... loss %.5f is %.5f", loss, expected);
}

static void several(struct ft_random *random)
{
	enum { N = 5, DRAWS = 20000 };
	struct ft_standing s[N];
	double count[N] = {0}, loss, lost = 0;
	size_t i, least;

	for (i = 0; i < N; i++)
		s[i] = (struct ft_standing){exp(0.3 * ft_random_normal(random)),
					    0.02 + 0.4 * ft_random_uniform(random), 0};
	size_t best = ft_stand(s, N, &loss);
	for (int k = 0; k < DRAWS; k++) {
		double value[N];

		for (i = 0, least = 0; i < N; i++) {
			value[i] = log(s[i].value) + s[i].error * ft_random_normal(random);
			if (value[i] < value[least])
				least = i;
		}
		count[least]++;
		lost += (value[best] - value[least]) / DRAWS;
	}
	for (i = 0; i < N; i++)
		if (fabs(s[i].chance - count[i] / DRAWS) > 0.03)
			break;
	ok(i == N, "chances of five are those of draws");
	ok(fabs(loss - lost) < 0.03 * lost + 0.003, "... loss %.4f is %.4f", loss, lost);
}

int main(void)
{
	uint64_t seed = test_seed();
	struct ft_random random = {seed};
	struct ft_standing s[3] = {{2, 0.1, 0}, {INFINITY, 0, 0}, {1, 0, 0}};
	double loss;

	two(0, 0.1, 0.1);
	two(0.1, 0.1, 0.1);
	two(0.5, 0.3, 0.02);
	two(0.5, 0.02, 0.6);
	two(3, 0.05, 0.05);
	for (int i = 0; i < 10; i++)
		several(&random);
	ok(ft_stand(s, 3, &loss) == 2 && s[1].chance == 0 && s[2].chance > 0.999,
	   "one that cannot run has none");
	s[0].value = s[2].value = INFINITY;
	(void)ft_stand(s, 3, &loss);
	ok(s[0].chance == 0 && loss == 0, "none can run: no chance, nothing to lose");
	return done();
}
