/* SPDX-License-Identifier: GPL-3.0-or-later */
/* engine_known.c - what the engine knows of a size: at a site, between two, beyond them. */
#include "model/engine.h"
#include "num/order.h"

#include <math.h>

/* doc/constants.md has the row of a table. */
static const double cliff_reach = 1.5; /* deviations: nine in ten of a normal law lie within a tenth more */

/* The last site at or below x; 0 where there is none. */
size_t ft__engine_below(const struct ft__engine *engine, double x)
{
	return ft_last_upto_of(&engine->site[0].x, engine->n, sizeof *engine->site, x);
}

static struct ft__known known_of(struct ft_ss_value value, double scatter)
{
	return (struct ft__known){value.mean, value.variance, scatter, value.slope};
}

/* What a size shows beside the smooth curve is its own texture and the noise of its runs, each in proportion
 * to its variance. */
struct ft_ss_value ft__engine_typical(const struct ft__engine *engine, size_t i)
{
	struct ft_ss_value at = ft_ss_at_node(&engine->pass[i]);
	double texture = engine->site[i].texture, noise = engine->node[i].variance - texture;
	double share = texture / engine->node[i].variance;

	at.mean += share * (engine->node[i].y - at.mean);
	at.variance = (1 - share) * (1 - share) * at.variance + share * noise;
	return at;
}

double ft__engine_freedom(const struct ft__engine *engine)
{
	double freedom = 0;

	for (size_t i = 0; i < engine->n; i++)
		freedom += (double)engine->site[i].runs -
			   ft__engine_typical(engine, i).variance /
				   (engine->node[i].variance - engine->site[i].texture);
	return fmax(freedom, 0);
}

struct ft__known ft__engine_site(const struct ft__engine *engine, size_t i)
{
	struct ft__known known = known_of(ft__engine_typical(engine, i), engine->site[i].scatter);

	known.z += engine->site[i].teeth;
	return known;
}

/* How far a cliff anywhere in a gap makes a place miss, as a share of its variance: on average, for it has
 * been passed or not; where there is one, so that nine in ten intervals hold both. */
static double cliff_share(double u, bool is_cliff)
{
	double far = (u < 0.5 ? 1 - u : u) / cliff_reach;

	return is_cliff ? fmax(u * (1 - u), far * far) : u * (1 - u);
}

static struct ft__known known_between(const struct ft__engine *engine, size_t i, double at)
{
	const struct ft_ss_node *node = &engine->node[i];
	bool last = i + 1 == engine->n;
	struct ft_ss_value value = ft_ss_between(&engine->process, engine->node, engine->pass, engine->n, i,
						 at, last ? engine->beyond_level[1] : node->level,
						 last ? engine->beyond_slope[1] : node->slope);
	struct ft__known known;

	if (last) {
		known = known_of(value, engine->site[i].scatter);
		known.variance += engine->site[i].texture;
		return known;
	}
	double u = (at - node[0].x) / (node[1].x - node[0].x);
	known = known_of(value, engine->site[i].scatter *
					pow(engine->site[i + 1].scatter / engine->site[i].scatter, u));
	known.variance += engine->site[i].cliff * cliff_share(u, engine->site[i].is_cliff) +
			  (1 - u) * engine->site[i].texture + u * engine->site[i + 1].texture;
	return known;
}

struct ft__known ft__engine_at(const struct ft__engine *engine, double x, bool fine)
{
	return ft__engine_near(engine, ft__engine_below(engine, x), x, ft__engine_ln(engine, x), fine);
}

struct ft__known ft__engine_near(const struct ft__engine *engine, size_t i, double x, double at, bool fine)
{
	struct ft__known known;

	if (fine && engine->site[i].x == x)
		return ft__engine_site(engine, i);
	if (at < engine->site[0].at)
		known = known_of(ft_ss_before(&engine->process, engine->node, engine->pass, at,
					      engine->beyond_level[0], engine->beyond_slope[0]),
				 engine->site[0].scatter);
	else
		known = known_between(engine, i, at);
	if (fine)
		known.z += ft__engine_teeth(engine, x, &known.variance);
	else
		known.variance += ft__engine_doubt(engine, x);
	return known;
}
