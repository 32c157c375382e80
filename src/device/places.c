/* SPDX-License-Identifier: GPL-3.0-or-later */
/* places.c - the sizes over which devices are compared: evenly spread in the logarithms of parameters. */
#include "device/chooser.h"

#include <math.h>

/* Values of each parameter by how many there are; every second one of them may be run. 33 of one: a crossover
 * is then missed by 1.5 % of a range's logarithm at most, and between two such sizes the better device of
 * both ends loses little. */
static const size_t values_of[] = {0, 33, 9, 5, 3};

static size_t values_along(const struct ft_chooser *c)
{
	return c->n_axes < sizeof values_of / sizeof *values_of ? values_of[c->n_axes] : 2;
}

/* The k-th place: its values along the axes are the digits of k. */
static void make_place(const struct ft_chooser *c, size_t k, struct ft__asked_place *p)
{
	size_t each = values_along(c), i;

	*p = (struct ft__asked_place){.size.n = c->options.n_params, .run = true};
	for (i = 0; i < c->options.n_params; i++)
		p->size.value[i] = c->options.space[i].least;
	for (i = 0; i < c->n_axes; i++, k /= each) {
		const struct ft_space *space = &c->options.space[c->axis[i]];
		double share = (double)(k % each) / (double)(each - 1),
		       range = log(space->most / space->least);
		double value = ft_space_nearest(space, space->least * exp(share * range));

		p->size.value[c->axis[i]] = value;
		p->at[i] = log(value / space->least);
		p->far += p->at[i] / range / (double)c->n_axes;
		p->run = p->run && (each < 9 || k % each % 2 == 0);
	}
}

static bool is_new(const struct ft_chooser *c, const struct ft_size *size)
{
	for (size_t i = 0; i < c->n_places; i++)
		if (ft_size_equal(&c->place[i].size, size))
			return false;
	return true;
}

enum ft_status ft__chooser_places(struct ft_chooser *c, struct ft_err *err)
{
	size_t all = 1;

	for (size_t i = 0; i < c->n_axes; i++)
		all *= values_along(c);
	for (size_t i = 0; i < all && c->n_places < FT__PLACES_MOST; i++) {
		struct ft__asked_place *p = &c->place[c->n_places];

		make_place(c, i, p);
		if ((!c->options.admits || c->options.admits(c->options.ctx, &p->size)) &&
		    is_new(c, &p->size))
			c->n_places++;
	}
	return c->n_places >= 2
		       ? FT_OK
		       : ft_fail(err, FT_EINVAL,
				 "fewer than two sizes of the ranges are admitted: there is no choice");
}
