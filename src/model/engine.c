/* SPDX-License-Identifier: GPL-3.0-or-later */
/* engine.c - the engine's sites, and how it learns its variances from them: expectation (two passes over the
 * sites) and maximisation, alternately.
 *
 * Sources: Dempster, Laird and Rubin 1977 (EM); Lange, Little and Taylor 1989 (t errors); Shumway and Stoffer
 * 1982 (variances of a state space); Gelman et al. for scales shrunk to a common one. */
#include "base/alloc.h"
#include "model/model.h"
#include "num/num.h"

#include <math.h>
#include <string.h>

/* More limits than this at one size are represented by this number. */
enum { FT__LIMITS_KEPT = 8 };

/*
 * The runs of a size: the weight of each, and the expected value of those that met a limit.
 *
 * A run that met a limit c adds the probability of z > c to the likelihood (Tobin 1958). Given the curve f
 * and the noise s at the size, with t = (c - f) / s and the inverse Mills ratio m(t) of the normal law, its
 * expected value is f + s m and the variance about that s^2 (1 - m (m - t)): the moments of a truncated
 * normal law, by which the noise is learned (Dempster, Laird and Rubin 1977). Its information about f is the
 * share m (m - t) of that of a run which ended, at the place f + s / (m - t): a Newton step of the same
 * likelihood, so that the curve's stated error does not count expected values as data.
 *
 * Sources: Lange, Little and Taylor 1989 (t errors); Tobin 1958, Estimation of relationships for limited
 * dependent variables; Dempster, Laird and Rubin 1977, sec. 4.3 (censored data).
 */

/* doc/constants.md has the row of a table. */
static const double run_freedom = 5; /* degrees of freedom of single runs: their tails */

/* A limit far below the curve carries no information; a little, to avoid a division by zero. */
static const double share_least = 1e-9;

void ft__site_trust(struct ft__site *site)
{
	for (size_t k = 0; k < site->n; k++) {
		struct ft__run_value *value = &site->value[k];

		if (!isinf(value->limit))
			value->z = value->limit;
		value->weight = value->share = 1;
		value->spread = value->evidence = 0;
		value->place = value->z;
	}
}

bool ft__site_limit(struct ft__site *site, const double *ln, size_t n)
{
	double *sorted = ft_calloc(n, sizeof *sorted), ln_work = log(site->work);
	struct ft__run_value *grown =
		ft_realloc(site->value, (site->n + FT__LIMITS_KEPT) * sizeof *site->value);
	size_t different = 0;

	site->value = grown ? grown : site->value;
	if (!sorted || !grown) {
		ft_free(sorted);
		return false;
	}
	for (size_t i = 0; i < n; i++)
		sorted[i] = ln[i] - ln_work;
	ft_sort(sorted, n);
	for (size_t i = 0; i < n; i++)
		different += !i || sorted[i] != sorted[i - 1];
	/* More limits than are kept are replaced by means of neighbours. */
	size_t least = different > FT__LIMITS_KEPT ? (n + FT__LIMITS_KEPT - 1) / FT__LIMITS_KEPT : 1;
	for (size_t i = 0; i < n; i++) {
		struct ft__run_value *value = i ? &grown[site->n - 1] : NULL;

		if (!value || (sorted[i] != sorted[i - 1] && value->count >= (double)least)) {
			value = &grown[site->n++];
			*value = (struct ft__run_value){.limit = 0};
			site->limits++;
		}
		value->limit += (sorted[i] - value->limit) / ++value->count;
	}
	site->runs += n;
	ft__site_trust(site);
	ft_free(sorted);
	return true;
}

/* The inverse Mills ratio of the normal law, density by the share above; *ln_above: ln of that share. From 4
 * on by its continued fraction (Abramowitz and Stegun, 26.2.14), for the share underflows. */
static double inverse_mills(double t, double *ln_above)
{
	double density = -t * t / 2 - log(2 * acos(-1)) / 2, ratio = t;

	if (t < 4) {
		*ln_above = log(erfc(t / sqrt(2)) / 2);
		return exp(density - *ln_above);
	}
	for (int k = 60; k > 0; k--)
		ratio = t + k / ratio;
	*ln_above = density - log(ratio);
	return ratio;
}

void ft__site_believe(struct ft__site *site, double z, double variance, double scatter)
{
	for (size_t k = 0; k < site->n; k++) {
		struct ft__run_value *value = &site->value[k];

		if (!isinf(value->limit)) {
			/* The expected value of a run above its limit, for a normal law about z, as wide as its weight implies. */
			double s = sqrt(scatter / value->weight), t = (value->limit - z) / s, ln_above;
			double mills = inverse_mills(t, &ln_above), share = fmin(mills * (mills - t), 1);

			value->z = z + s * mills;
			value->spread = s * s * (1 - share);
			value->share = fmax(share, share_least);
			value->place = z + s / (mills - t);
			value->evidence = ln_above + value->share * pow((value->place - z) / s, 2) / 2;
		}
		double d = value->z - z;
		value->weight =
			(run_freedom + 1) / (run_freedom + (d * d + value->spread + variance) / scatter);
	}
}

double ft__site_likelihood(const struct ft__site *site, double mean)
{
	double sum = 0, weight = 0, evidence = 0;

	for (size_t k = 0; k < site->n; k++) {
		const struct ft__run_value *v = &site->value[k];
		double d = v->place - mean, w = v->weight * v->share;

		weight += v->count * w;
		evidence += v->count * v->evidence;
		sum += v->count * ((run_freedom + 1) * log(v->weight) - run_freedom * (v->weight - 1) -
				   (isinf(v->limit) ? log(site->scatter) : 0) - w * d * d / site->scatter);
	}
	return (sum + log(site->scatter / weight)) / 2 + evidence;
}

/*
 * The engine's prediction at a size: at a site, between two, and outside them.
 */

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

/* The difference of a size from the smooth curve is its own texture plus the noise of its runs, each in
 * proportion to its variance. */
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

/* The error that a cliff anywhere in a gap causes at a place, as a share of its variance: on average,
 * since it has been passed or not; and given that there is one, so that 90 % of intervals contain both. */
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

/*
 * The engine's sites, and how it learns its variances from them: expectation (two passes over the sites)
 * and maximisation, alternately.
 */

/* doc/constants.md has the row of a table for each. */
static const double gap_freedom = 2.8;     /* of the variances of gaps: a cliff is one gap, not all */
static const double scatter_prior = 0.012; /* of single runs, before any size was repeated ... */
static const double scatter_weight = 1.5;  /* ... and how many runs that counts for */
static const double scatter_reach = 0.135; /* the share of the range over which noise changes */
static const double level_prior = 0.017, slope_prior = 0.05, gap_weight = 2,
		    around_weight = 2;                     /* of steps, in gaps */
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
	out->work = copy_of(in->work, FT__ENGINE_WORK * in->n, sizeof *in->work);
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
	work = ft_realloc(engine->work, FT__ENGINE_WORK * capacity * sizeof *work);
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

/* A gap inherits what was learned of another one, or (its own number: at an end) of the continuation
   outside. */
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

/* A new site: both gaps next to it inherit what was learned of the one that it divides. */
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
	/* The values of a site: all of them, or of many the outermost as they are, and of those between as many means
	 * of neighbours in order as there is room for. sorted [n]. */
	double ln_work = log(site->work);
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
	ft_free(sorted);
	return true;
}

enum ft_status ft__engine_set(struct ft__engine *engine, double x, double work, const double *ln, size_t n,
			      struct ft_err *err)
{
	struct ft__site set = {.work = work};

	if (!reserve_engine(engine) || !ft__site_keep(&set, ln, n))
		return ft_nomem(err);
	size_t i = ft__engine_find(engine, x);
	if (i == engine->n)
		i = insert_site(engine, x, work);
	ft_free(engine->site[i].value);
	engine->site[i].value = set.value;
	engine->site[i].n = set.n;
	engine->site[i].runs = set.runs;
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

/* What its runs weigh, whenever their weights have changed. */
static void weigh_runs(struct ft__site *site)
{
	site->sum = site->weight = 0;
	for (size_t k = 0; k < site->n; k++) {
		const struct ft__run_value *value = &site->value[k];
		double w = value->weight * value->count * value->share;

		site->weight += w;
		site->sum += w * value->place;
	}
}

/* The observation at each site: the weighted mean of its runs. */
static void observe_sites(struct ft__engine *engine)
{
	for (size_t i = 0; i < engine->n; i++) {
		struct ft__site *site = &engine->site[i];
		double unused = 0;

		site->teeth = engine->n_teeth ? ft__engine_teeth(engine, site->x, &unused) : 0;
		engine->node[i].y = site->sum / site->weight - site->base - site->teeth;
		engine->node[i].variance = site->scatter / site->weight + site->texture;
	}
	engine->likelihood = ft_ss_smooth(&engine->process, engine->node, engine->n, engine->pass);
}

/* The log likelihood of runs about the mean of their size: keeps a curve that misses the sizes from
 * calling its misses noise. */
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
	/* The information of limits depends on the curve: unlike weights of runs that ended, theirs enter
	 * the probability of the site's mean. */
	evidence -= site->limits ? log(weight) / 2 : 0;
	return -(ended - 1) / 2 * log(site->scatter) - sum / (2 * site->scatter) + evidence;
}

/* exp(-distance / reach) from each site to the one before it. It depends on sizes alone, as do the sums of these
 * weights over all sites and over all gaps, which follow. */
static double *reach_of(const struct ft__engine *engine)
{
	return engine->work + 6 * engine->n;
}

/* Sums over all sites, each weighed by exp(-distance / reach): two sweeps. */
static void blur_sites(const struct ft__engine *engine, const double *in, double *out)
{
	const double *near = reach_of(engine);
	double carried = 0;
	size_t i, n = engine->n;

	for (i = 0; i < n; i++) {
		out[i] = in[i];
		if (i)
			carried = (carried + in[i - 1]) * near[i];
		out[i] += carried;
	}
	for (carried = 0, i = n - 1; i-- > 0;) {
		carried = (carried + in[i + 1]) * near[i + 1];
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

/* The weight of each run (t errors), and the noise of runs: of all, and around each size. */
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
		weigh_runs(site);
		all += squares[i];
		runs += count[i];
	}
	smooth_logs(engine, all, runs);
	for (size_t i = 0; i < n; i++)
		engine->site[i].scatter =
			fmax(exp(engine->work[2 * n + i]), fmax(least_scatter, engine->site[i].rounding));
}

/* How far typical runs of single sizes lie from the smooth curve, around each size: expected squares, with
 * less weight for an outlier. Before the noise is learned again. */
static void learn_texture(struct ft__engine *engine)
{
	double *squares = engine->work, *near = squares + engine->n, *count = reach_of(engine) + engine->n;
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
		engine->site[i].texture =
			fmax((texture_weight * all / (texture_weight + (double)n) + near[i]) /
				     (texture_weight + count[i]),
			     least_texture);
}

/* One variance of steps: what all gaps have in common, what those around each have, and each gap's own.
 * energy [gaps] what the steps were, out: each gap's own; common [gaps] in and out; space [2 n]. */
static void learn_steps(const struct ft__engine *engine, double prior, double *energy, double *common,
			double *space)
{
	double *robust = space, *near = robust + engine->n, *count = reach_of(engine) + 2 * engine->n;
	double sum = gap_weight * prior;
	size_t gaps = engine->n - 1;

	for (size_t i = 0; i < gaps; i++) {
		robust[i] = energy[i] * (gap_freedom + 1) / (gap_freedom + energy[i] / common[i]);
		sum += robust[i];
	}
	robust[gaps] = 0;
	double all = sum / (gap_weight + (double)gaps);
	blur_sites(engine, robust, near);
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

/* If the gap's own variance grew far above that of its neighbours, its step counts as one cliff, rather
 * than many steps. */
static void take_for_cliff(struct ft__engine *engine, size_t i, double h)
{
	double energy[2];

	ft_ss_gap_energy(&engine->process, engine->node, engine->pass, i, energy);
	if (energy[0] < cliff_unusual * engine->level_around[i])
		return;
	engine->site[i].cliff = fmax(engine->site[i].cliff, energy[0] * h);
	engine->site[i].is_cliff = true;
}

void ft__engine_learn(struct ft__engine *engine, int rounds)
{
	double *near = reach_of(engine), *sites = near + engine->n, *gaps = sites + engine->n,
	       *one = engine->work, reach = scatter_reach * engine->range;

	for (size_t i = 0; i < engine->n; i++) {
		near[i] = i ? exp((engine->site[i - 1].at - engine->site[i].at) / reach) : 0;
		one[i] = 1;
	}
	blur_sites(engine, one, sites);
	one[engine->n - 1] = 0;
	blur_sites(engine, one, gaps);
	for (size_t i = 0; i < engine->n; i++)
		weigh_runs(&engine->site[i]);
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
	/* A cliff may hide in each gap: spike and slab on top of the gap's own steps. It widens predictions
	 * between sizes, and moves none. */
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

enum { ROUNDS_TEETH = 3 };

void ft__engine_find_teeth(struct ft__engine *engine)
{
	if (ft__engine_change_teeth(engine))
		ft__engine_learn(engine, ROUNDS_TEETH);
}

void ft__engine_settle(struct ft__engine *engine, int rounds)
{
	/* All steps alike. */
	double level = engine->stiff ? stiff_level : start_level;
	double slope = engine->stiff ? stiff_level : start_slope;
	engine->beyond_level[0] = engine->beyond_level[1] = level;
	engine->beyond_slope[0] = engine->beyond_slope[1] = slope;
	for (size_t i = 0; i < engine->n; i++) {
		engine->node[i].level = engine->level_around[i] = level;
		engine->node[i].slope = engine->slope_around[i] = slope;
	}
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
