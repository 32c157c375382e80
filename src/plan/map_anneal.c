/* SPDX-License-Identifier: GPL-3.0-or-later */
/* map_anneal.c - a mapping cooled down: all loads together are made even and cheap, not only the largest one
 * less.
 *
 * With prices w (sum 1) the loads of any mapping have sum w_i load_i = bound + what tasks are away from their
 * cheapest machines. So f = sum w_i (load_i + k (load_i - bound)^2) asks for both: cheap machines, and even
 * loads; a step changes two loads, and is judged in no time. With joules, and prices of a second, it is
 * sum e_ij + w_i (load_i + k (load_i - deadline)^2): a machine that has a price is full in a good plan; what
 * is late costs the mean price more. */
#include "plan/map.h"

#include <math.h>

/* Machines that are tried for a task: its cheapest by the prices. */
enum { CHEAP = 6 };

/* A step takes the time of so many looks. */
enum { DEAR = 16 };

/* The first and the last temperature, as shares of the mean price of a task. On 200 x 10 and 1,000 x 20
 * unrelated tasks, 0.5 or 0.03 and 0.002 end up to 0.2 % higher. */
static const double hot = 0.1, cold = 0.0005;

/* How uneven: a load that is 50 m mean tasks above the bound costs twice as much. Loads that are held evener
 * hold tasks where they are: 2.5, 10 and 50 times that end up to 0.4, 0.8 and 1.4 % higher (1,000 x 20,
 * 10,000 x 100), a quarter up to 0.1, a twentieth up to 0.7 %. */
static const double even = 0.02;

struct cooling {
	struct ft__map *k;
	struct ft__mapping *q;
	const struct ft__cooling *by;
	uint32_t *cheap; /* [n x CHEAP] machines; as many as there are of them */
	size_t count;
	double stiff, late;
};

static double joules(const struct cooling *c, size_t j, size_t i)
{
	return c->by->e ? c->by->e[j * c->k->m + i] : 0;
}

static void find_cheap(struct cooling *c)
{
	size_t m = c->k->m;

	for (size_t j = 0; j < c->k->n; j++) {
		const double *p = c->k->p + j * m;
		double price[CHEAP];
		size_t n = 0, at;

		/* Of machines that are alike, others for each task. */
		for (size_t q = 0; q < m; q++) {
			size_t i = (q + j) % m;
			double v = isinf(p[i]) ? (double)INFINITY : joules(c, j, i) + c->by->w[i] * p[i];

			if (n == c->count && !(v < price[n - 1]))
				continue;
			for (at = n < c->count ? n++ : n - 1; at > 0 && v < price[at - 1]; at--) {
				price[at] = price[at - 1];
				c->cheap[j * CHEAP + at] = c->cheap[j * CHEAP + at - 1];
			}
			price[at] = v;
			c->cheap[j * CHEAP + at] = (uint32_t)i;
		}
	}
	c->k->looks += c->k->n * m;
}

static double cost(const struct cooling *c, size_t i, double load)
{
	double off = load - c->by->target, w = c->by->w[i];

	return w * load + (w + (off > 0 ? c->late : 0)) * c->stiff * off * off;
}

/* What it costs that two loads change. */
static double change_of_cost(const struct cooling *c, size_t a, double more_a, size_t b, double more_b)
{
	const double *load = c->q->load;

	return cost(c, a, load[a] + more_a) - cost(c, a, load[a]) + cost(c, b, load[b] + more_b) -
	       cost(c, b, load[b]);
}

/* One step at a temperature: a task to one of its cheap machines, or two exchanged. */
static void step_task(struct cooling *c, double heat, struct ft_random *random)
{
	size_t m = c->k->m, j = ft_random_below(random, c->k->n), a = c->q->on[j], b, l = SIZE_MAX;
	const double *p = c->k->p + j * m;
	double more_a = -p[a], more_b, d = 0;

	if (ft_random_bits(random) & 1 << 20) {
		b = c->cheap[j * CHEAP + ft_random_below(random, c->count)];
		more_b = p[b];
		d = joules(c, j, b) - joules(c, j, a);
	} else {
		l = ft_random_below(random, c->k->n);
		b = c->q->on[l];
		more_a += c->k->p[l * m + a];
		more_b = p[b] - c->k->p[l * m + b];
		d = joules(c, j, b) - joules(c, j, a) + joules(c, l, a) - joules(c, l, b);
		if (!(c->k->p[l * m + a] < c->by->below))
			return;
	}
	if (a == b || !(p[b] < c->by->below))
		return;
	d += change_of_cost(c, a, more_a, b, more_b);
	if (d > 0 && d >= -heat * log(1 - ft_random_uniform(random)))
		return;
	c->q->load[a] += more_a;
	c->q->load[b] += more_b;
	c->q->on[j] = b;
	if (l != SIZE_MAX)
		c->q->on[l] = a;
}

enum ft_status ft__map_anneal(struct ft__map *k, struct ft__mapping *m, const struct ft__cooling *by,
			      uint64_t looks, struct ft_random *random, struct ft_err *err)
{
	struct cooling c = {.k = k, .q = m, .by = by, .count = k->m < CHEAP ? k->m : CHEAP};
	double heat = hot * by->task;
	uint64_t steps = looks / DEAR;

	FT_OWN uint32_t *cheap = ft_malloc(k->n * CHEAP * sizeof *cheap);
	if (!cheap)
		return ft_nomem(err);
	c.cheap = cheap;
	find_cheap(&c);
	c.stiff = even / (by->target * (double)k->m / (double)k->n);
	for (uint64_t i = 0; i < k->m && by->e; i++)
		c.late += by->w[i] / (double)k->m;
	double less = exp(log(cold / hot) / ((double)steps / 256 + 1));
	for (uint64_t i = 0; i < steps; i++) {
		if (i % 256 == 0)
			heat *= less;
		step_task(&c, heat, random);
	}
	k->looks += looks;
	ft__mapping_sum(m, k);
	return FT_OK;
}
