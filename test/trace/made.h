/* SPDX-License-Identifier: GPL-3.0-or-later */
/* made.h - made curves for the tests of traces. */
#ifndef FT_TEST_TRACE_MADE_H
#define FT_TEST_TRACE_MADE_H

#include "base/random.h"
#include "foretime/trace.h"
#include "trace/door.h"

#include <math.h>
#include <stdlib.h>

enum { MADE_MOST = 4096 };

struct made {
	double t[MADE_MOST], y[MADE_MOST];
	size_t n;
	struct ft_pwl *f;
};

/* Random distances and values; with plateaus, ramps and spikes, or white noise. */
__attribute__((unused)) static void made_random(struct made *m, struct ft_random *random, size_t n)
{
	double level = ft_random_uniform(random), wild = ft_random_uniform(random);
	double at = 100 * ft_random_normal(random), drift = 0;

	m->n = n;
	for (size_t i = 0; i < n; i++) {
		m->t[i] = at;
		at += 0.05 + ft_random_uniform(random);
		if (ft_random_below(random, 8) == 0)
			level = ft_random_uniform(random);
		if (ft_random_below(random, 8) == 0)
			drift = 0.1 * ft_random_normal(random) * (double)ft_random_below(random, 2);
		level += drift;
		m->y[i] = level + (wild < 0.5 ? 0.2 * ft_random_normal(random) : 0);
		if (ft_random_below(random, 20) == 0)
			m->y[i] += 2 * ft_random_uniform(random);
	}
	m->f = NULL;
	(void)ft_pwl_new(&m->f, m->t, m->y, n, NULL);
}

__attribute__((unused)) static void made_points(struct made *m, const double *t, const double *y, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		m->t[i] = t[i];
		m->y[i] = y[i];
	}
	m->n = n;
	m->f = NULL;
	(void)ft_pwl_new(&m->f, m->t, m->y, n, NULL);
}

__attribute__((unused)) static double made_range(const struct made *m)
{
	double range[2];

	ft_pwl_range(m->f, range, NULL);
	return range[1] - range[0];
}

#endif
