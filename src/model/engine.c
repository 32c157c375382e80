/* SPDX-License-Identifier: GPL-3.0-or-later */
/* engine.c - the engine's sites, and how it learns its variances from them: expectation (two passes over the
 * sites) and maximisation, in turn.
 *
 * Sources: Dempster, Laird and Rubin 1977 (EM); Lange, Little and Taylor 1989 (t errors); Shumway and Stoffer
 * 1982 (variances of a state space); Gelman et al. for scales shrunk to a common one. */
#include "model/engine.h"
#include "model/noise.h"
#include "base/alloc.h"
#include "num/order.h"

#include <math.h>
#include <string.h>

/* doc/constants.md has the row of a table for each. */
static const double gap_freedom = 2.8;     /* of the variances of gaps: a cliff is one gap, not all */
static const double scatter_prior = 0.012; /* of single runs, before any was seen twice ... */
static const double scatter_weight = 1.5;  /* ... and how many runs that counts for */
static const double scatter_reach = 0.135; /* over which share of the range scatter changes */
static const double level_prior = 0.017, slope_prior = 0.05, gap_weight = 2,
		    around_weight = 2;                     /* of steps, as so many gaps */
static const double start_level = 0.02, start_slope = 0.5; /* before anything is learned */
static const double slope_start = 1.5; /* deviation of the first slope, and of the unknown mean slope */
static const double walk = 3;
enum { WALK_ROUNDS = 2 };
static const double texture_prior = 0.001, texture_weight = 2, start_texture = 1e-4, least_texture = 1e-12;
static const double usual_tau = 1; /* over which slopes return to the mean one, in ln size */
static const double cliff_rate = 0.3, cliff_size = 0.5; /* cliffs per unit of ln size, deviation of one */

static const double cliff_unusual = 3; /* a gap's steps, by those around it, from which on they are one */
static const double stiff_level =
	4e-4; /* variance of steps about a mean that is a law: 2 % in a unit of ln size */

static const double least_scatter = 1e-10, least_level = 1e-7, least_slope = 1e-6, value_start = 10;

void ft__engine_init(struct ft__engine *engine, double shift, double range, bool work)
{
	*engine = (struct ft__engine){
		.process = {.tau = usual_tau, .slope_sd = slope_start, .value_sd = value_start},
		.shift = shift,
		.range = fmax(range, 0.1),
		.beyond_level = {start_level, start_level},
		.beyond_slope = {start_slope, start_slope},
	};
	if (!work) {
		engine->process.mean_slope[0] = 1.5;
		engine->process.mean_slope[1] = slope_start * slope_start;
	}
}

void ft__engine_clear(struct ft__engine *engine)
{
	if (!engine)
		return;
	for (size_t i = 0; i < engine->n; i++)
		ft_free(engine->site[i].value);
	ft_free(engine->site);
	ft_free(engine->node);
	ft_free(engine->pass);
	ft_free(engine->work);
	ft_free(engine->level_around);
	ft_free(engine->slope_around);
	*engine = (struct ft__engine){0};
}

/* NULL: no memory. */
static void *copy_of(const void *from, size_t n, size_t bytes)
{
	void *to = ft_calloc(n ? n : 1, bytes);

	if (to && n)
		memcpy(to, from, n * bytes);
	return to;
}

enum ft_status ft__engine_copy(struct ft__engine *out, const struct ft__engine *in, struct ft_err *err)
{
	*out = *in;
	out->capacity = in->n;
	out->site = copy_of(in->site, in->n, sizeof *in->site);
	out->node = copy_of(in->node, in->n, sizeof *in->node);
	out->pass = copy_of(in->pass, in->n, sizeof *in->pass);
	out->work = copy_of(in->work, 6 * in->n, sizeof *in->work);
	out->level_around = copy_of(in->level_around, in->n, sizeof *in->level_around);
	out->slope_around = copy_of(in->slope_around, in->n, sizeof *in->slope_around);
	bool whole =
		out->site && out->node && out->pass && out->work && out->level_around && out->slope_around;
	for (size_t i = 0; out->site && i < in->n; i++) {
		out->site[i].value = copy_of(in->site[i].value, in->site[i].n, sizeof *in->site[i].value);
		whole = whole && out->site[i].value;
	}
	if (whole)
		return FT_OK;
	out->n = out->site ? in->n : 0;
	ft__engine_clear(out);
	return ft_nomem(err);
}

double ft__engine_ln(const struct ft__engine *engine, double x)
{
	return log(x + engine->shift);
}

/* ---- sites ------------------------------------------------------------------------------------------- */

size_t ft__engine_find(const struct ft__engine *engine, double x)
{
	size_t i = engine->n ? ft__engine_below(engine, x) : 0;

	return i < engine->n && engine->site[i].x == x ? i : engine->n;
}

static bool reserve_engine(struct ft__engine *engine)
{
	size_t capacity = engine->capacity ? 2 * engine->capacity : 16;
	struct ft__site *site;
	struct ft_ss_node *node;
	struct ft_ss_pass *pass;
	double *work;

	if (engine->n < engine->capacity)
		return true;
	site = ft_realloc(engine->site, capacity * sizeof *site);
	engine->site = site ? site : engine->site;
	node = ft_realloc(engine->node, capacity * sizeof *node);
	engine->node = node ? node : engine->node;
	pass = ft_realloc(engine->pass, capacity * sizeof *pass);
	engine->pass = pass ? pass : engine->pass;
	work = ft_realloc(engine->work, 6 * capacity * sizeof *work);
	engine->work = work ? work : engine->work;
	double *level = ft_realloc(engine->level_around, capacity * sizeof *level);
	engine->level_around = level ? level : engine->level_around;
	double *slope = ft_realloc(engine->slope_around, capacity * sizeof *slope);
	engine->slope_around = slope ? slope : engine->slope_around;
	if (!site || !node || !pass || !work || !level || !slope)
		return false;
	engine->capacity = capacity;
	return true;
}

/* A gap takes over what was learned of another one, or (its own number: at an end) of what goes on beyond. */
static void take_over(struct ft__engine *engine, size_t gap, size_t from)
{
	struct ft_ss_node *node = engine->node;
	int end = gap > 0;

	if (from < gap) {
		node[gap].level = node[from].level;
		node[gap].slope = node[from].slope;
		engine->level_around[gap] = engine->level_around[from];
		engine->slope_around[gap] = engine->slope_around[from];
		return;
	}
	node[gap].level = engine->level_around[gap] = engine->beyond_level[end];
	node[gap].slope = engine->slope_around[gap] = engine->beyond_slope[end];
}

/* A new site: both gaps beside it take over what was learned of the one that it divides. */
static size_t insert_site(struct ft__engine *engine, double x, double work)
{
	size_t i = engine->n ? ft__engine_below(engine, x) : 0, n = engine->n;
	struct ft_ss_node *node = engine->node;
	struct ft__site *site = engine->site;
	double *level = engine->level_around, *slope = engine->slope_around;

	if (n && site[i].x < x)
		i++;
	memmove(&site[i + 1], &site[i], (n - i) * sizeof *site);
	memmove(&node[i + 1], &node[i], (n - i) * sizeof *node);
	memmove(&level[i + 1], &level[i], (n - i) * sizeof *level);
	memmove(&slope[i + 1], &slope[i], (n - i) * sizeof *slope);
	site[i] = (struct ft__site){.x = x, .at = ft__engine_ln(engine, x), .work = work};
	node[i] = (struct ft_ss_node){.x = site[i].at};
	site[i].scatter = n ? site[i < n ? i + 1 : i - 1].scatter : scatter_prior * scatter_prior;
	site[i].texture = n ? site[i < n ? i + 1 : i - 1].texture : start_texture;
	take_over(engine, i, i && i < n ? i - 1 : i);
	if (i == n && i)
		take_over(engine, i - 1, i);
	engine->n++;
	return i;
}

/* The values of a site: all of them, or of many the outermost as they are, and of those between as many means
 * of neighbours in order as there is room for. sorted [n]. */
static void keep_values(struct ft__site *site, const double *sorted, size_t n, double ln_work)
{
	size_t ends = n > FT__VALUES_KEPT ? FT__ENDS_KEPT : 0,
	       kept = n < FT__VALUES_KEPT ? n : FT__VALUES_KEPT;
	size_t bins = kept - 2 * ends, inner = n - 2 * ends;

	for (size_t i = 0; i < kept; i++) {
		size_t bin = i < ends ? 0 : i - ends;
		size_t from = ends + bin * inner / bins, to = ends + (bin + 1) * inner / bins;
		double sum = 0;

		if (i < ends || i >= kept - ends) {
			from = i < ends ? i : n - (kept - i);
			to = from + 1;
		}
		for (size_t j = from; j < to; j++)
			sum += sorted[j];
		site->value[i] = (struct ft__run_value){.z = sum / (double)(to - from) - ln_work,
							.count = (double)(to - from),
							.limit = -INFINITY};
	}
	site->n = kept;
	site->runs = n;
	ft__site_trust(site);
}

bool ft__site_keep(struct ft__site *site, const double *ln, size_t n)
{
	double *sorted = ft_calloc(n, sizeof *sorted);

	site->value = ft_calloc(n < FT__VALUES_KEPT ? n : FT__VALUES_KEPT, sizeof *site->value);
	if (!sorted || !site->value) {
		ft_free(sorted);
		ft_free(site->value);
		return false;
	}
	memcpy(sorted, ln, n * sizeof *sorted);
	ft_sort(sorted, n);
	keep_values(site, sorted, n, log(site->work));
	ft_free(sorted);
	return true;
}

enum ft_status ft__engine_set(struct ft__engine *engine, double x, double work, const double *ln, size_t n,
			      struct ft_err *err)
{
	struct ft__site told = {.work = work};

	if (!reserve_engine(engine) || !ft__site_keep(&told, ln, n))
		return ft_nomem(err);
	size_t i = ft__engine_find(engine, x);
	if (i == engine->n)
		i = insert_site(engine, x, work);
	ft_free(engine->site[i].value);
	engine->site[i].value = told.value;
	engine->site[i].n = told.n;
	engine->site[i].runs = told.runs;
	engine->site[i].limits = 0;
	engine->site[i].usual =
		engine->site[i].usual > 0 ? engine->site[i].usual : ft__noise_usual(FT_CLASS_TIME, NAN, 0);
	return FT_OK;
}

enum ft_status ft__engine_limit(struct ft__engine *engine, double x, double work, const double *ln, size_t n,
				struct ft_err *err)
{
	size_t i = ft__engine_find(engine, x);
	struct ft__site fresh = {.work = work};

	if (!reserve_engine(engine) || !ft__site_limit(i < engine->n ? &engine->site[i] : &fresh, ln, n)) {
		ft_free(fresh.value);
		return ft_nomem(err);
	}
	if (i < engine->n)
		return FT_OK;
	i = insert_site(engine, x, work);
	engine->site[i].value = fresh.value;
	engine->site[i].n = fresh.n;
	engine->site[i].runs = fresh.runs;
	engine->site[i].limits = fresh.limits;
	engine->site[i].usual =
		engine->site[i].usual > 0 ? engine->site[i].usual : ft__noise_usual(FT_CLASS_TIME, NAN, 0);
	return FT_OK;
}

/* ---- learning ---------------------------------------------------------------------------------------- */

/* What is seen at each site: the mean of its runs as far as they are believed. */
static void observe_sites(struct ft__engine *engine)
{
	for (size_t i = 0; i < engine->n; i++) {
		struct ft__site *site = &engine->site[i];
		double sum = 0, weight = 0, unused = 0;

		for (size_t k = 0; k < site->n; k++) {
			const struct ft__run_value *value = &site->value[k];
			double w = value->weight * value->count * value->share;

			weight += w;
			sum += w * value->place;
		}
		site->teeth = engine->n_teeth ? ft__engine_teeth(engine, site->x, &unused) : 0;
		engine->node[i].y = sum / weight - site->base - site->teeth;
		engine->node[i].variance = site->scatter / weight + site->texture;
	}
	engine->likelihood = ft_ss_smooth(&engine->process, engine->node, engine->n, engine->pass);
}

/* How likely runs are about the mean of their size, given that: what keeps a curve that misses the sizes from
 * calling its misses scatter. */
static double score_within(const struct ft__site *site, double mean)
{
	double sum = 0, ended = 0, weight = 0, evidence = 0;

	for (size_t k = 0; k < site->n; k++) {
		const struct ft__run_value *value = &site->value[k];
		double d = value->place - site->base - site->teeth - mean;

		sum += value->count * value->weight * value->share * d * d;
		weight += value->count * value->weight * value->share;
		evidence += value->count * value->evidence;
		ended += isinf(value->limit) ? value->count : 0;
	}
	/* How much limits say of the curve depends on the curve: unlike those of runs that ended, their
	 * weights count in the probability of the site's mean. */
	evidence -= site->limits ? log(weight) / 2 : 0;
	return -(ended - 1) / 2 * log(site->scatter) - sum / (2 * site->scatter) + evidence;
}

/* Sums over all sites, each weighed by exp(-distance / reach): two sweeps. */
static void blur_sites(const struct ft__engine *engine, const double *in, double *out)
{
	double reach = scatter_reach * engine->range, carried = 0;
	size_t i, n = engine->n;

	for (i = 0; i < n; i++) {
		out[i] = in[i];
		if (i)
			carried = (carried + in[i - 1]) *
				  exp((engine->site[i - 1].at - engine->site[i].at) / reach);
		out[i] += carried;
	}
	for (carried = 0, i = n - 1; i-- > 0;) {
		carried = (carried + in[i + 1]) * exp((engine->site[i].at - engine->site[i + 1].at) / reach);
		out[i] += carried;
	}
}

/* Variances that change along the sizes: their logarithms are a random walk, so that noise that is a tenth at
 * the other end is not hidden below the larger one, as in a mean of squares. The likeliest ones by Fisher's
 * scoring, with a tridiagonal solution (Thomas).
 *
 * squares, count  [n] at the beginning of the engine's space; `all` of `runs`: what they add up to. The third
 * part of it holds the logarithms, out. */
static void smooth_logs(struct ft__engine *engine, double all, double runs)
{
	size_t n = engine->n;
	double *squares = engine->work, *count = squares + n, *ln = count + n, *step = ln + n,
	       *ratio = step + n;
	double share = scatter_weight / (double)n;

	for (size_t i = 0; i < n; i++) {
		ln[i] = engine->even ? log(all / runs) : log(engine->site[i].scatter);
		squares[i] += share * scatter_prior * scatter_prior;
		count[i] += share;
	}
	for (int round = 0; round < WALK_ROUNDS && !engine->even; round++) {
		double after = 0;

		for (size_t i = 0; i < n; i++) {
			double before = after, own = count[i] / 2, pull = squares[i] / 2 * exp(-ln[i]) - own;

			after = i + 1 < n ? engine->range /
						    (walk * (engine->site[i + 1].at - engine->site[i].at))
					  : 0;
			double diagonal = own + before + after;
			if (i) {
				diagonal -= before * ratio[i - 1];
				pull += before * (step[i - 1] - ln[i] + ln[i - 1]);
			}
			if (i + 1 < n)
				pull += after * (ln[i + 1] - ln[i]);
			ratio[i] = after / diagonal;
			step[i] = pull / diagonal;
		}
		for (size_t i = n; i-- > 0;)
			step[i] += i + 1 < n ? ratio[i] * step[i + 1] : 0;
		for (size_t i = 0; i < n; i++)
			ln[i] += fmax(-1, fmin(step[i], 1));
	}
}

/* How far each run is believed (t errors), and how much runs scatter: of all, and around each size. */
static void learn_scatter(struct ft__engine *engine)
{
	double *squares = engine->work, *count = squares + engine->n;
	double all = scatter_weight * scatter_prior * scatter_prior, runs = scatter_weight;
	size_t n = engine->n;

	for (size_t i = 0; i < n; i++) {
		struct ft__site *site = &engine->site[i];
		struct ft_ss_value at = ft__engine_typical(engine, i);

		squares[i] = count[i] = 0;
		ft__site_believe(site, at.mean + site->base + site->teeth, at.variance, site->scatter);
		for (size_t k = 0; k < site->n; k++) {
			const struct ft__run_value *value = &site->value[k];
			double d = value->z - site->base - site->teeth - at.mean;

			squares[i] += value->count * value->weight *
				      (d * d + value->spread + value->share * at.variance);
			count[i] += value->count;
		}
		all += squares[i];
		runs += count[i];
	}
	smooth_logs(engine, all, runs);
	for (size_t i = 0; i < n; i++)
		engine->site[i].scatter =
			fmax(exp(engine->work[2 * n + i]), fmax(least_scatter, engine->site[i].rounding));
}

/* How far typical runs of single sizes lie about the smooth curve, around each size: expected squares, of
 * which one far out counts less. Before the scatter is learned anew. */
static void learn_texture(struct ft__engine *engine)
{
	double *squares = engine->work, *near = squares + engine->n, *count = near + engine->n;
	double all = texture_weight * texture_prior * texture_prior;
	size_t n = engine->n;

	for (size_t i = 0; i < n; i++) {
		struct ft_ss_value at = ft_ss_at_node(&engine->pass[i]);
		double texture = engine->site[i].texture, share = texture / engine->node[i].variance;
		double off = engine->node[i].y - at.mean;

		squares[i] = share * share * (off * off + at.variance) + texture * (1 - share);
		squares[i] *= (gap_freedom + 1) / (gap_freedom + squares[i] / texture);
		all += squares[i];
	}
	blur_sites(engine, squares, near);
	for (size_t i = 0; i < n; i++)
		squares[i] = 1;
	blur_sites(engine, squares, count);
	for (size_t i = 0; i < n; i++)
		engine->site[i].texture =
			fmax((texture_weight * all / (texture_weight + (double)n) + near[i]) /
				     (texture_weight + count[i]),
			     least_texture);
}

/* One variance of steps: what all gaps have in common, what those around each have, and each gap's own.
 * energy [gaps] what the steps were, out: each gap's own; common [gaps] in and out; space [4 n]. Returns what
 * all have in common. */
static void learn_steps(const struct ft__engine *engine, double prior, double *energy, double *common,
			double *space)
{
	double *robust = space, *one = space + engine->n, *near = one + engine->n, *count = near + engine->n;
	double sum = gap_weight * prior;
	size_t gaps = engine->n - 1;

	for (size_t i = 0; i < gaps; i++) {
		robust[i] = energy[i] * (gap_freedom + 1) / (gap_freedom + energy[i] / common[i]);
		one[i] = 1;
		sum += robust[i];
	}
	robust[gaps] = one[gaps] = 0;
	double all = sum / (gap_weight + (double)gaps);
	blur_sites(engine, robust, near);
	blur_sites(engine, one, count);
	for (size_t i = 0; i < gaps; i++) {
		common[i] = (around_weight * all + near[i]) / (around_weight + count[i]);
		energy[i] = (gap_freedom * common[i] + energy[i]) / (gap_freedom + 1);
	}
}

static void learn_gaps(struct ft__engine *engine)
{
	double *level = engine->work, *slope = level + engine->n, *space = slope + engine->n;
	size_t gaps = engine->n - 1;

	for (size_t i = 0; i < gaps; i++) {
		double energy[2];

		ft_ss_gap_energy(&engine->process, engine->node, engine->pass, i, energy);
		level[i] = energy[0];
		slope[i] = energy[1];
	}
	learn_steps(engine, level_prior, level, engine->level_around, space);
	learn_steps(engine, slope_prior, slope, engine->slope_around, space);
	for (size_t i = 0; i < gaps; i++) {
		engine->node[i].level = fmax(level[i], least_level);
		engine->node[i].slope = fmax(slope[i], least_slope);
	}
	for (size_t i = 0; i < 2; i++) {
		engine->beyond_level[i] = fmax(engine->level_around[i ? gaps - 1 : 0], least_level);
		engine->beyond_slope[i] = fmax(engine->slope_around[i ? gaps - 1 : 0], least_slope);
	}
}

/* Where the gap's own variance grew far above that of those around it, the step that it stands for is one
 * cliff, rather than many steps. */
static void take_for_cliff(struct ft__engine *engine, size_t i, double h)
{
	double energy[2];

	ft_ss_gap_energy(&engine->process, engine->node, engine->pass, i, energy);
	if (energy[0] < cliff_unusual * engine->level_around[i])
		return;
	engine->site[i].cliff = fmax(engine->site[i].cliff, energy[0] * h);
	engine->site[i].is_cliff = true;
}

/* A cliff may hide in each gap: spike and slab on top of the gap's own steps. It widens what is said between
 * sizes, and moves nothing. */
static void find_cliffs(struct ft__engine *engine)
{
	double slab = cliff_size * cliff_size;

	for (size_t i = 0; i + 1 < engine->n; i++) {
		const struct ft_ss_pass *next = &engine->pass[i + 1];
		double l = next->l_before.of[0], b = 1 + slab * next->big_before.of[0];
		double h = engine->node[i + 1].x - engine->node[i].x, rare = -expm1(-cliff_rate * h);
		double evidence = slab * l * l / (2 * b) - log(b) / 2;
		double odds = rare / (1 - rare) * exp(fmin(evidence, 30)), p = odds / (1 + odds);
		double jump = slab * l / b;

		engine->site[i].cliff = p * (jump * jump + slab / b);
		engine->site[i].is_cliff = p > 0.5;
		take_for_cliff(engine, i, h);
	}
	engine->site[engine->n - 1].cliff = 0;
	engine->site[engine->n - 1].is_cliff = false;
}

void ft__engine_learn(struct ft__engine *engine, int rounds)
{
	while (rounds-- > 0) {
		observe_sites(engine);
		learn_scatter(engine);
		if (!engine->smooth)
			learn_texture(engine);
		if (engine->n > 1 && !engine->stiff)
			learn_gaps(engine);
	}
	observe_sites(engine);
	for (size_t i = 0; i < engine->n; i++)
		engine->likelihood += score_within(&engine->site[i], engine->node[i].y);
	find_cliffs(engine);
}

/* All steps alike. */
static void set_steps(struct ft__engine *engine, double level, double slope)
{
	engine->beyond_level[0] = engine->beyond_level[1] = level;
	engine->beyond_slope[0] = engine->beyond_slope[1] = slope;
	for (size_t i = 0; i < engine->n; i++) {
		engine->node[i].level = engine->level_around[i] = level;
		engine->node[i].slope = engine->slope_around[i] = slope;
	}
}

void ft__engine_settle(struct ft__engine *engine, int rounds)
{
	set_steps(engine, engine->stiff ? stiff_level : start_level,
		  engine->stiff ? stiff_level : start_slope);
	engine->n_teeth = 0;
	for (size_t i = 0; i < engine->n; i++) {
		engine->site[i].scatter = scatter_prior * scatter_prior;
		ft__site_trust(&engine->site[i]);
		engine->site[i].texture = engine->smooth ? least_texture : start_texture;
	}
	ft__engine_learn(engine, rounds);
	for (size_t i = 0; i < FT__TEETH_MOST; i++)
		ft__engine_find_teeth(engine);
}
