/* SPDX-License-Identifier: GPL-3.0-or-later */
/* teeth.c - detects structure finer than the distance of sizes: multiples of tiles and lines, odd sizes,
 * pages, tables that double. A dictionary of shapes and periods, each with a height that is found by least
 * squares through the filter, and kept if the sizes support it. */
#include "model/model.h"

#include <math.h>
#include <stdio.h>

/* The prior scale of a height (of blocks: an exponent of the rounded size); the evidence required in
 * addition to that of the choice, where all families, and all members of one, are equally likely; the
 * evidence below which one is dropped; the least relevant height; the sizes required on either side. */
static const double slab = 0.2, slab_of_blocks = 1, evidence_least = 2, evidence_dropped = 1,
		    height_least = 0.01;
/* The deviations that the engine saw without a shape have the weight of this many sizes. */
static const double scale_weight = 2;
enum { SIDE_LEAST = 3, SITES_LEAST = 8 };

/* Periods that are tried as they are. */
static const double multiples[] = {2, 4, 8, 16, 32, 64, 128}, powers[] = {2};
static const double blocks[] = {8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512}, growth[] = {1.5, 2, 4};

/* Steps: from half of the range down, each period shorter by this factor; then, as growth, refined by
 * halving steps. */
static const double steps_ratio = 1.02;
enum { STEPS = 160, PHASES = 16, REFINEMENTS = 5 };

/* Places of a sawtooth: a grid of this step, in turns. */
static const double place_step = 1.0 / 32;
enum { HALF_ACROSS = 4, ACROSS = 2 * HALF_ACROSS + 1 };

/* Families of shapes with periods to choose from. */
static const struct family {
	enum ft__tooth_shape shape;
	const double *period; /* NULL: steps */
	size_t periods, phases;
} families[] = {
	{FT__MULTIPLES, multiples, sizeof multiples / sizeof *multiples, 1},
	{FT__POWERS, powers, sizeof powers / sizeof *powers, 1},
	{FT__BLOCKS, blocks, sizeof blocks / sizeof *blocks, 1},
	{FT__STEPS, NULL, STEPS, 1},
	{FT__GROWTH, growth, sizeof growth / sizeof *growth, PHASES},
};
enum { FAMILIES = sizeof families / sizeof *families };

static double sawtooth(double turns)
{
	return turns - floor(turns) - 0.5;
}

static double shape_at(enum ft__tooth_shape shape, double period, double phase, double x)
{
	switch (shape) {
	case FT__MULTIPLES:
		return fmod(x, period) == 0;
	case FT__POWERS:
		return x > 0 && fabs(remainder(log(x) / log(period), 1)) < 1e-9;
	case FT__BLOCKS:
		return x >= 1 ? log(ceil(x / period) * period / x) : 0;
	case FT__STEPS:
		return sawtooth(x / period - phase);
	case FT__GROWTH:
		return x > 0 ? sawtooth(log(x) / log(period) - phase) : 0;
	default:
		return 0;
	}
}

double ft__tooth_at(const struct ft__tooth *tooth, double x, double *variance)
{
	double sum = 0, squares = 0, n = (double)tooth->places;

	*variance = 0;
	if (!tooth->places)
		return shape_at(tooth->shape, tooth->period, tooth->phase, x);
	for (size_t i = 0; i < tooth->places; i++) {
		double value = shape_at(tooth->shape, tooth->place[i].period, tooth->place[i].phase, x);

		sum += value;
		squares += value * value;
	}
	*variance = fmax(0, squares / n - sum * sum / (n * n));
	return sum / n;
}

const char *ft__tooth_name(const struct ft__tooth *tooth, char *buffer, size_t size)
{
	static const char *const name[FT__TOOTH_SHAPES] = {"multiples of", "powers of", "blocks of",
							   "steps of", "steps at each factor of"};

	(void)snprintf(buffer, size, "%s %.4g", name[tooth->shape], tooth->period);
	return buffer;
}

double ft__engine_teeth(const struct ft__engine *engine, double x, double *variance)
{
	double sum = 0;

	for (size_t i = 0; i < engine->n_teeth; i++) {
		const struct ft__tooth *tooth = &engine->tooth[i];
		double doubt, shape = ft__tooth_at(tooth, x, &doubt);

		sum += tooth->height * shape;
		*variance += tooth->variance * shape * shape + tooth->height * tooth->height * doubt;
	}
	return sum;
}

double ft__engine_doubt(const struct ft__engine *engine, double x)
{
	double sum = 0;

	for (size_t i = 0; i < engine->n_teeth; i++) {
		double doubt;

		(void)ft__tooth_at(&engine->tooth[i], x, &doubt);
		sum += engine->tooth[i].height * engine->tooth[i].height * doubt;
	}
	return sum;
}

/* Space of the engine's for n sites: a column, the same seen by the filter, and what is left to explain. */
static double *left_of(const struct ft__engine *engine)
{
	return engine->work + 2 * engine->n;
}

static double *whiten_tooth(const struct ft__engine *engine, const struct ft__tooth *tooth)
{
	double *column = engine->work, *seen = column + engine->n, unused;

	/* Nearly all that are tried are steps in one place. */
	if (tooth->shape == FT__STEPS && !tooth->places)
		for (size_t i = 0; i < engine->n; i++)
			column[i] = sawtooth(engine->site[i].x / tooth->period - tooth->phase);
	else
		for (size_t i = 0; i < engine->n; i++)
			column[i] = ft__tooth_at(tooth, engine->site[i].x, &unused);
	ft_ss_whiten(&engine->process, engine->node, engine->pass, engine->n, column, seen);
	return seen;
}

/* The residuals to explain, without one shape that was accepted, if any. */
static void set_left(const struct ft__engine *engine, const struct ft__tooth *taken)
{
	double *left = left_of(engine), *seen;

	ft_ss_innovations(engine->pass, engine->n, left);
	if (!taken)
		return;
	seen = whiten_tooth(engine, taken);
	for (size_t i = 0; i < engine->n; i++)
		left[i] += taken->height * seen[i];
}

/* The height that the residuals support, and its evidence: the gain in log likelihood. The scale of all
 * deviations is not known: without the shape the engine took it for steps. */
static double weigh_tooth(const struct ft__engine *engine, struct ft__tooth *tooth)
{
	double *seen = whiten_tooth(engine, tooth), *left = left_of(engine), num = 0, den = 0,
	       all = scale_weight;
	double sd = tooth->shape == FT__BLOCKS ? slab_of_blocks : slab, prior = 1 / (sd * sd);
	size_t n = engine->n;

	/* Whether enough sizes lie in both halves of a shape's values. */
	double least = engine->work[0], most = engine->work[0];
	size_t high = 0;

	for (size_t i = 1; i < n; i++) {
		least = engine->work[i] < least ? engine->work[i] : least;
		most = engine->work[i] > most ? engine->work[i] : most;
	}
	for (size_t i = 0; i < n; i++)
		high += engine->work[i] > (least + most) / 2;
	if (!(most > least && high >= SIDE_LEAST && n - high >= SIDE_LEAST))
		return -INFINITY;
	for (size_t i = 0; i < n; i++) {
		all += left[i] * left[i];
		num += left[i] * seen[i];
		den += seen[i] * seen[i];
	}
	tooth->height = num / (den + prior);
	tooth->variance = 1 / (den + prior);
	return -(scale_weight + (double)n) / 2 * log1p(-num * num / ((den + prior) * all)) -
	       log((den + prior) / prior) / 2;
}

/* Sawtooth: a period and a phase between those that were tried. Returns by how much the evidence grew. */
static double refine(const struct ft__engine *engine, struct ft__tooth *best)
{
	double period = steps_ratio - 1, phase = 1.0 / PHASES, first, most;
	struct ft__tooth tooth = *best;

	first = most = weigh_tooth(engine, &tooth);
	for (int round = 0; round < REFINEMENTS; round++, period /= 2, phase /= 2)
		for (int i = 0; i < 4; i++) {
			tooth = *best;
			tooth.period *= i < 2 ? exp(i ? period : -period) : 1;
			tooth.phase += i < 2 ? 0 : i == 2 ? phase : 1 - phase;
			tooth.phase -= floor(tooth.phase);
			double evidence = weigh_tooth(engine, &tooth);
			if (evidence > most) {
				most = evidence;
				*best = tooth;
			}
		}
	return most - first;
}

/* ---- position of a sawtooth -------------------------------------------------------------------------- */

static bool is_saw(const struct ft__tooth *tooth)
{
	return tooth->shape == FT__STEPS || tooth->shape == FT__GROWTH;
}

/* The tooth moved by some turns at the first size and at the last. */
static struct ft__tooth moved_tooth(const struct ft__engine *engine, const struct ft__tooth *tooth,
				    double first, double last)
{
	bool grows = tooth->shape == FT__GROWTH;
	double x0 = engine->site[0].x, x1 = engine->site[engine->n - 1].x, period = tooth->period;
	struct ft__tooth out = *tooth;

	if (grows) {
		x0 = log(x0);
		x1 = log(x1);
		period = log(period);
	}
	first += x0 / period - tooth->phase;
	last += x1 / period - tooth->phase;
	period = (x1 - x0) / (last - first);
	out.period = grows ? exp(period) : period;
	out.phase = x0 / period - first;
	out.phase -= floor(out.phase);
	return out;
}

/* Sizes determine between which two of them it falls, but hardly where. */
static void find_places(const struct ft__engine *engine, struct ft__tooth *tooth)
{
	struct ft__tooth tried[ACROSS * ACROSS];
	double weight[ACROSS * ACROSS], most = -INFINITY, total = 0;
	size_t i, n = (size_t)ACROSS * ACROSS;

	tooth->places = 0;
	if (!is_saw(tooth))
		return;
	for (i = 0; i < n; i++) {
		int first = (int)(i % ACROSS) - HALF_ACROSS, last = (int)(i / ACROSS) - HALF_ACROSS;

		tried[i] = moved_tooth(engine, tooth, first * place_step, last * place_step);
		weight[i] = weigh_tooth(engine, &tried[i]);
		most = fmax(most, weight[i]);
	}
	for (i = 0; i < n; i++)
		total += weight[i] = exp(weight[i] - most);
	/* Sample the tried places in proportion to their likelihood. total: of their weights. */
	double below = 0;

	for (size_t k = 0; k < (size_t)ACROSS * ACROSS; k++) {
		below += weight[k] / total * FT__TOOTH_PLACES;
		for (; tooth->places < FT__TOOTH_PLACES && below >= (double)tooth->places + 0.5;
		     tooth->places++)
			tooth->place[tooth->places] =
				(struct ft__tooth_place){tried[k].period, tried[k].phase};
	}
	(void)weigh_tooth(engine, tooth);
}

/* ---- selection --------------------------------------------------------------------------------- */

static bool has_tooth(const struct ft__engine *engine, const struct ft__tooth *tooth)
{
	for (size_t i = 0; i < engine->n_teeth; i++)
		if (engine->tooth[i].shape == tooth->shape && engine->tooth[i].period == tooth->period &&
		    engine->tooth[i].phase == tooth->phase)
			return true;
	return false;
}

/* The cost of the choice: ln of the number of alternatives. */
static double choice_price(const struct family *family)
{
	return log((double)(FAMILIES * family->periods * family->phases));
}

/* The best of all that are not there yet. Returns its evidence, less that of having been chosen. */
static double find_best(const struct ft__engine *engine, struct ft__tooth *best)
{
	double most = -INFINITY;

	for (size_t f = 0; f < FAMILIES; f++)
		for (size_t i = 0; i < families[f].periods * families[f].phases; i++) {
			/* The i-th of a family. */
			const struct family *family = &families[f];
			double range = engine->site[engine->n - 1].x - engine->site[0].x;
			size_t period = i / family->phases;
			struct ft__tooth tooth = (struct ft__tooth){
				.shape = family->shape,
				.period = family->period ? family->period[period]
							 : range / 2 * pow(steps_ratio, -(double)period),
				.phase = (double)(i % family->phases) / (double)family->phases,
			};

			if (has_tooth(engine, &tooth))
				continue;
			double evidence = weigh_tooth(engine, &tooth) - choice_price(&families[f]);
			if (evidence > most) {
				most = evidence;
				*best = tooth;
			}
		}
	return most;
}

/* The one with the most evidence, where it is enough. */
static bool add_best(struct ft__engine *engine)
{
	struct ft__tooth best;

	set_left(engine, NULL);
	double evidence = find_best(engine, &best);

	if (evidence > 0 && (best.shape == FT__STEPS || best.shape == FT__GROWTH))
		evidence += refine(engine, &best);
	if (!(evidence > evidence_least) || fabs(best.height) < height_least)
		return false;
	find_places(engine, &best);
	engine->tooth[engine->n_teeth++] = best;
	return true;
}

bool ft__engine_change_teeth(struct ft__engine *engine)
{
	if (engine->n < SITES_LEAST)
		return false;
	/* Weigh those that there are once more; whether there are any. */
	size_t kept = 0, n = engine->n_teeth;

	for (size_t i = 0; i < n; i++) {
		struct ft__tooth tooth = engine->tooth[i];

		set_left(engine, &tooth);
		if (is_saw(&tooth)) {
			tooth.places = 0;
			(void)refine(engine, &tooth);
		}
		find_places(engine, &tooth);
		if (weigh_tooth(engine, &tooth) >= evidence_dropped)
			engine->tooth[kept++] = tooth;
	}
	engine->n_teeth = kept;
	bool changed = n > 0;
	if (engine->n_teeth < FT__TEETH_MOST)
		changed |= add_best(engine);
	return changed;
}
