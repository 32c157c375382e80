/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan-test.h - what tests of plans share: random numbers between bounds. */
#ifndef FT_PLAN_TEST_H
#define FT_PLAN_TEST_H

#include "base/random.h"

#include <math.h>

__attribute__((unused)) static double between(struct ft_random *r, double least, double most)
{
	return least + (most - least) * ft_random_uniform(r);
}

__attribute__((unused)) static int64_t whole(struct ft_random *r, int64_t least, int64_t most)
{
	return least + (int64_t)ft_random_below(r, (size_t)(most - least + 1));
}

/* exp of a normal number with this spread. */
__attribute__((unused)) static double spread(struct ft_random *r, double sigma)
{
	return exp(sigma * ft_random_normal(r));
}

#endif
