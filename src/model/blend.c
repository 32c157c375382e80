/* SPDX-License-Identifier: GPL-3.0-or-later */
/* blend.c - averages engines over several tau and means, weighted by one-step innovations, and calibrates
 * their errors by leaving sizes out. */
#include "base/alloc.h"
#include "model/model.h"
#include "num/num.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* tau in ln size, and ln of how much each is believed in before the data. */
static const double taus[] = {0.3, 0.6, 1, 2, 4, 12, 50}, belief[] = {-2, -1, 0, -0.5, -1, -1.5, -1.5};
enum { TAUS = sizeof taus / sizeof *taus, ROUNDS = 30, ROUNDS_MEMBER = 20 };

/* Members below this weight are left out; with many sizes few members are kept. */
static const double weight_least = 0.01;
enum { SITES_KEPT = 4000 };

/* Of more sizes one member is kept. Members, laws and calibration are then learned from at most so many of
 * them, and the likeliest member goes on with all sizes for a few rounds. */
enum { SITES_LEARNED = 2000, ROUNDS_CARRIED = 4, MISSES_KEPT = 200 };

/* The prior weight of laws, ln, and the cost of each term and constant (below). */
static const double law_belief = 8, law_price = 1.25;

/* Deviation of the slope about a law. */
static const double law_slope = 0.02;

/* Learning begins with this many quiet runs (scatter_weight of engine.c), which hide a part of the noise
 * of few. */
static const double learned_runs = 1.5;

/* Inside the data the sizes themselves determine the level of a law: this share of its uncertainty
   remains. */
static const double law_inside = 0.1;

/* Calibration: sizes are left out, one fold after the other. */
enum { FOLDS = 5, FOLD_ROUNDS = 12 };
static const double miss_freedom = 4, caution_least = 1;

/* Backtests: their number, their usual size relative to the misfit, and their weight relative to it. */
enum { BACKTESTS = 4, LAW_PARTS = 6 };
static const double backtest_usual = 2, backtest_share = 0.5, spread_least = 0.002, spread_unknown = 0.3;

/* Over which the slope of a law is taken, in ln size. */
static const double slope_step = 0.02;

/* Of a logarithm: more means that nothing is known. */
static const double deviation_most = 1000;

void ft__blend_clear(struct ft__blend *blend)
{
	if (!blend)
		return;
	for (size_t i = 0; i < blend->n; i++)
		ft__engine_clear(&blend->member[i].engine);
	ft_free(blend->member);
	ft_free(blend->miss);
	ft_free(blend->laws);
	*blend = (struct ft__blend){0};
}

/* ---- laws -------------------------------------------------------------------------------------------- */

/* A mean is one for all sizes; where laws change at some, that is the process' business. */
static const struct ft_law_options plain_laws = {.unbroken = true, .growing = true};

static struct ft_law_knot law_knot(const struct ft__site *site)
{
	double sum = 0, squares = 0;

	for (size_t k = 0; k < site->n; k++)
		sum += site->value[k].count * exp(site->value[k].z + site->value[k].spread / 2);
	sum /= (double)site->runs;
	for (size_t k = 0; k < site->n; k++)
		squares += site->value[k].count * pow(exp(site->value[k].z) / sum - 1, 2);
	return (struct ft_law_knot){site->x, sum * site->work, site->runs, squares};
}

/* The laws of all sites; *knot [sites]: the points they were fitted to. It is no error if there are none. */
static enum ft_status find_laws(struct ft__blend *blend, const struct ft__engine *engine, double offset,
				struct ft_law_knot **knot, struct ft_err *err)
{
	if (offset > 0 || engine->site[0].x < 0)
		return FT_OK;
	*knot = ft_calloc(engine->n, sizeof **knot);
	blend->laws = ft_calloc(1, sizeof *blend->laws);
	if (!*knot || !blend->laws)
		return ft_nomem(err);
	for (size_t i = 0; i < engine->n; i++)
		(*knot)[i] = law_knot(&engine->site[i]);
	enum ft_status status = ft_laws_fit_knots(blend->laws, *knot, engine->n, &plain_laws, NULL);
	if (!status)
		return FT_OK;
	ft_free(blend->laws);
	blend->laws = NULL;
	return status == FT_ENOMEM ? ft_nomem(err) : FT_OK;
}

/* ---- members ----------------------------------------------------------------------------------------- */

/* A copy of what an engine has learned, without its values. */
static enum ft_status copy_engine(struct ft__engine *out, const struct ft__engine *in, struct ft_err *err)
{
	size_t n = in->n;

	*out = *in;
	out->capacity = n;
	out->site = ft_calloc(n, sizeof *out->site);
	out->node = ft_calloc(n, sizeof *out->node);
	out->pass = ft_calloc(n, sizeof *out->pass);
	out->work = out->level_around = out->slope_around = NULL;
	if (!out->site || !out->node || !out->pass) {
		out->n = 0;
		ft__engine_clear(out);
		return ft_nomem(err);
	}
	memcpy(out->site, in->site, n * sizeof *out->site);
	memcpy(out->node, in->node, n * sizeof *out->node);
	memcpy(out->pass, in->pass, n * sizeof *out->pass);
	for (size_t i = 0; i < n; i++) {
		out->site[i].value = NULL;
		out->site[i].n = 0;
	}
	return FT_OK;
}

/* The mean of the curve: none besides the work, or the laws. False: they are not defined everywhere. */
static bool set_base(struct ft__engine *engine, const struct ft_laws *laws)
{
	double variance;

	for (size_t i = 0; i < engine->n; i++) {
		struct ft__site *site = &engine->site[i];

		site->base = 0;
		if (laws && !ft_laws_best(laws, site->x, &site->base, &variance))
			return false;
		site->base -= laws ? log(site->work) : 0;
	}
	return true;
}

struct makers {
	struct ft__blend *blend;
	struct ft__engine *engine;
	double log_weight[TAUS + 1];
};

static int compare_members(const void *a, const void *b)
{
	const struct ft__member *p = a, *q = b;

	return (p->weight < q->weight) - (p->weight > q->weight);
}

static void weigh_members(struct makers *m)
{
	struct ft__blend *blend = m->blend;
	double most = -INFINITY, total = 0, kept = 0;
	size_t n = blend->n;

	for (size_t i = 0; i < n; i++)
		most = fmax(most, m->log_weight[i]);
	for (size_t i = 0; i < n; i++)
		total += blend->member[i].weight = exp(m->log_weight[i] - most);
	qsort(blend->member, n, sizeof *blend->member, compare_members);
	size_t keep = SITES_KEPT / m->engine->n;
	keep = keep < 1 ? 1 : keep > FT__MEMBERS_MOST ? FT__MEMBERS_MOST : keep;
	for (size_t i = 0; i < n; i++) {
		if (i && (i >= keep || blend->member[i].weight < weight_least * total)) {
			ft__engine_clear(&blend->member[i].engine);
			continue;
		}
		kept += blend->member[i].weight;
		blend->n = i + 1;
	}
	blend->runs.freedom = 0;
	for (size_t i = 0; i < blend->n; i++) {
		blend->member[i].weight /= kept;
		blend->runs.freedom += blend->member[i].weight * blend->member[i].freedom;
	}
}

/* ---- calibration ------------------------------------------------------------------------------------- */

/* An engine of some of the sites: room for all, values borrowed. False: no memory; ends with clear_part anyway. */
static bool begin_part(const struct ft__engine *engine, struct ft__engine *part)
{
	size_t n = engine->n;

	*part = *engine;
	part->n = 0;
	part->site = ft_calloc(n, sizeof *part->site);
	part->node = ft_calloc(n, sizeof *part->node);
	part->pass = ft_calloc(n, sizeof *part->pass);
	part->work = ft_calloc(FT__ENGINE_WORK * n, sizeof *part->work);
	part->level_around = ft_calloc(n, sizeof *part->level_around);
	part->slope_around = ft_calloc(n, sizeof *part->slope_around);
	return part->site && part->node && part->pass && part->work && part->level_around &&
	       part->slope_around;
}

static void clear_part(struct ft__engine *part)
{
	ft_free(part->site);
	ft_free(part->node);
	ft_free(part->pass);
	ft_free(part->work);
	ft_free(part->level_around);
	ft_free(part->slope_around);
}

static void add_site(const struct ft__engine *engine, size_t i, struct ft__engine *part)
{
	part->site[part->n] = engine->site[i];
	part->node[part->n++] = engine->node[i];
}

/* ln of how likely a miss of z deviations is: as innovations, t of four degrees of freedom. */
static double likelihood_of(double z, double deviation)
{
	return -(miss_freedom + 1) / 2 * log1p(z * z / miss_freedom) - log(deviation);
}

static size_t misses_of_fold(const struct ft__engine *engine, size_t fold, const struct ft__engine *part,
			     struct ft__miss *miss, double *score)
{
	size_t n = 0;

	for (size_t i = 1; i + 1 < engine->n; i++) {
		if (i % FOLDS != fold)
			continue;
		struct ft__known known = ft__engine_at(part, engine->site[i].x, true);
		double deviation = sqrt(known.variance + engine->node[i].variance);
		miss[n].at = engine->site[i].at;
		miss[n].miss = fabs(engine->node[i].y + engine->site[i].teeth - known.z) / deviation;
		*score += likelihood_of(miss[n++].miss, deviation);
	}
	return n;
}

/* The same of a mean that is stiff: it hardly depends on one site more or less. */
static double score_of_law(const struct ft__engine *engine)
{
	double score = 0;

	for (size_t i = 1; i + 1 < engine->n; i++) {
		struct ft_ss_value out = ft_ss_left_out(&engine->pass[i]);

		score += likelihood_of(out.mean / sqrt(out.variance), sqrt(out.variance));
	}
	return score;
}

/* How far sizes lie from their prediction by the rest, in deviations; learned again for each fold. score:
 * its log likelihood. */
static enum ft_status calibrate_blend(const struct ft__engine *engine, struct ft__blend *blend, double *score,
				      struct ft_err *err)
{
	struct ft__engine part;
	struct ft__miss *miss = ft_calloc(engine->n, sizeof *miss);
	enum ft_status status = FT_OK;
	size_t n = 0;

	*score = 0;
	if (!begin_part(engine, &part) || !miss) {
		status = ft_nomem(err);
	} else {
		for (size_t fold = 0; fold < FOLDS && engine->n > 2; fold++) {
			/* The engine without every FOLDS-th of its inner sites. */
			part.n = 0;
			for (size_t i = 0; i < engine->n; i++)
				if (!i || i + 1 == engine->n || i % FOLDS != fold)
					add_site(engine, i, &part);
			if (part.n == engine->n)
				continue;
			ft__engine_settle(&part, FOLD_ROUNDS);
			n += misses_of_fold(engine, fold, &part, miss + n, score);
		}
		ft__misses_sort(miss, n);
	}
	blend->miss = miss;
	blend->n_misses = n;
	clear_part(&part);
	return status;
}

/* How far sizes lie from predictions by other ones: from the law of all of them, and, closer to an
 * extrapolation, those of the upper part from the law of the lower one, per unit of ln size. Without a law
 * the growth has no support. */
static enum ft_status find_spread(struct ft__blend *blend, const struct ft_law_knot *knot, size_t n,
				  struct ft_err *err)
{
	double off = 0, far = 0, misfit; /* a law's terms, its powers among them */
	enum ft_status status = FT_OK;

	if (!blend->laws)
		return FT_OK;
	struct ft_laws *part = ft_malloc(sizeof *part);
	if (!part)
		return ft_nomem(err);
	double freedom = 1 + (double)blend->laws->law.terms + (blend->laws->law.constant > 0);
	for (size_t i = 0; i < blend->laws->law.terms; i++)
		freedom += blend->laws->law.term[i].factor[0].level > 0;
	misfit = fmax(blend->laws->misfit, spread_least) * sqrt((double)n / fmax(1, (double)n - freedom));
	for (size_t k = 1; k <= BACKTESTS && n > 3 && status != FT_ENOMEM; k++) {
		double product = 0, square = 0;
		size_t cut = 2 + (n - 3) * k / (BACKTESTS + 1);
		double span = log(knot[n - 1].x / knot[cut - 1].x);

		status = ft_laws_fit_knots(part, knot, cut, &plain_laws, NULL);
		for (size_t i = cut; i < n && !status; i++) {
			double d = log(knot[i].x / knot[cut - 1].x);
			struct ft_law_prediction there;

			if (!ft_laws_predict(part, knot[i].x, 0.9, FT_LAW_MEAN, &there, NULL) &&
			    there.median > 0 && knot[i].mean > 0 && isfinite(d)) {
				product += log(knot[i].mean / there.median) * d;
				square += d * d;
			}
		}
		if (!(square > 0) || !isfinite(span))
			continue;
		off += fabs(product / square) * span;
		far += span;
	}
	ft_free(part);
	off = far > 0 ? fmax(off / far, spread_least) : misfit * backtest_usual;
	blend->spread = misfit * pow(off / misfit / backtest_usual, backtest_share);
	return status == FT_ENOMEM ? ft_nomem(err) : FT_OK;
}

/* The cost of a law's terms and constant: ln of the number of sizes for each (Schwarz 1978); more with few
 * sizes, since through as many sizes as it has parameters any law passes (Hurvich and Tsai 1989, whose
 * factor this is). */
static double price_of_law(double freedom, double sizes)
{
	return sizes > freedom ? law_price * freedom * log(sizes) * sizes / (sizes - freedom) : INFINITY;
}

/* A law that holds leaves hardly anything; one that does not is no mean. */
static enum ft_status add_law_member(struct makers *m, double score, struct ft_err *err)
{
	struct ft__blend *blend = m->blend;
	struct ft__engine *engine = m->engine;
	struct ft_ss_process process = engine->process;
	double freedom = fmax(2, 1 + (double)blend->laws->law.terms); /* a constant is one of the laws, too */
	enum ft_status status = FT_OK;

	if (set_base(engine, blend->laws)) {
		engine->process = (struct ft_ss_process){1, law_slope, {0, 0}, process.value_sd};
		engine->stiff = true;
		ft__engine_settle(engine, ROUNDS);
		m->log_weight[blend->n] = engine->likelihood + law_belief -
					  price_of_law(freedom, (double)engine->n) +
					  fmin(0, score_of_law(engine) - score);
		blend->member[blend->n].by_law = true;
		/* The law was chosen by the same runs, which costs a degree of freedom. */
		blend->member[blend->n].freedom = fmax(0, ft__engine_freedom(engine) - 1);
		status = copy_engine(&blend->member[blend->n].engine, engine, err);
		blend->n += !status;
	}
	engine->stiff = false;
	engine->process = process;
	(void)set_base(engine, NULL);
	return status;
}

/* ---- all together ------------------------------------------------------------------------------------ */

static enum ft_status learn_runs(struct ft__blend *blend, const struct ft__engine *engine, struct ft_err *err)
{
	struct ft__known *known = ft_calloc(engine->n, sizeof *known);

	if (!known)
		return ft_nomem(err);
	for (size_t i = 0; i < engine->n; i++)
		known[i] = ft__engine_site(engine, i);
	enum ft_status status = ft__scatter_learn(&blend->runs, engine->site, known, engine->n, err);
	ft_free(known);
	return status;
}

/* Of very many sizes. */
static enum ft_status make_of_many(struct ft__blend *out, struct ft__engine *engine,
				   const struct ft__blend_options *options, struct ft_err *err)
{
	struct ft__engine part;
	enum ft_status status = begin_part(engine, &part) ? FT_OK : ft_nomem(err);

	*out = (struct ft__blend){0};
	if (!status) {
		/* One site of each `step` in a row, in no period of its own, and the outermost. */
		size_t n = engine->n, stride = (n + SITES_LEARNED - 1) / SITES_LEARNED;

		add_site(engine, 0, &part);
		for (size_t i = 1; i + 1 < n; i += stride) {
			size_t at = i + (i * 2654435761U >> 16) % stride;

			add_site(engine, at + 1 < n ? at : n - 2, &part);
		}
		add_site(engine, n - 1, &part);
		status = ft__blend_make(out, &part, options, err);
	}
	clear_part(&part);
	if (status)
		return status;
	/* Each prediction sums over them. They ascend: a part of them is distributed as all are. */
	size_t step = (out->n_misses + MISSES_KEPT - 1) / MISSES_KEPT;
	out->n_misses = step ? out->n_misses / step : 0;
	for (size_t i = 0; i < out->n_misses; i++)
		out->miss[i] = out->miss[i * step + step / 2];
	struct ft__member *member = out->member;
	const struct ft_ss_process process = engine->process;
	while (out->n > 1)
		ft__engine_clear(&out->member[--out->n].engine);
	if (member->by_law)
		(void)set_base(engine, out->laws); /* they are defined at the outermost sizes */
	/* What a member of some sites has learned, as a beginning for all of them: each has that of the nearest one. */
	const struct ft__engine *from = &member->engine;

	engine->process = from->process;
	engine->stiff = from->stiff;
	engine->n_teeth = from->n_teeth;
	memcpy(engine->tooth, from->tooth, sizeof engine->tooth);
	for (size_t i = 0, j = 0; i < engine->n; i++) {
		struct ft__site *site = &engine->site[i];

		while (j + 1 < from->n && from->site[j + 1].at - site->at < site->at - from->site[j].at)
			j++;
		site->scatter = fmax(from->site[j].scatter, site->rounding);
		site->texture = from->site[j].texture;
		engine->node[i].level = engine->level_around[i] = from->node[j].level;
		engine->node[i].slope = engine->slope_around[i] = from->node[j].slope;
		ft__site_trust(site);
	}
	ft__engine_learn(engine, ROUNDS_CARRIED);
	ft__engine_clear(&member->engine);
	out->runs = (struct ft__scatter){0};
	status = copy_engine(&member->engine, engine, err);
	if (!status)
		status = learn_runs(out, engine, err);
	member->weight = 1;
	member->freedom = fmax(0, ft__engine_freedom(engine) - member->by_law);
	out->runs.freedom = member->freedom;
	engine->process = process;
	engine->stiff = false;
	(void)set_base(engine, NULL);
	if (!status)
		status = ft__blend_edge(out, err);
	if (status)
		ft__blend_clear(out);
	return status;
}

enum ft_status ft__blend_make(struct ft__blend *out, struct ft__engine *engine,
			      const struct ft__blend_options *options, struct ft_err *err)
{
	struct makers m = {.blend = out, .engine = engine};
	struct ft_ss_process process = engine->process;
	struct ft_law_knot *knot = NULL;
	double score = -INFINITY;

	if (engine->n > SITES_LEARNED && !options->brief)
		return make_of_many(out, engine, options, err);
	*out = (struct ft__blend){.of = options->of,
				  .growth = &ft__prior_growth(options->prior)[options->of],
				  .brief = options->brief,
				  .spread = spread_unknown};
	out->member = ft_calloc((size_t)TAUS + 1, sizeof *out->member);
	if (!out->member)
		return ft_nomem(err);
	ft__engine_settle(engine, ROUNDS);
	enum ft_status status = learn_runs(out, engine, err);
	if (!status && options->brief) {
		out->member[0].weight = 1;
		status = copy_engine(&out->member[0].engine, engine, err);
		out->n = !status;
	} else if (!status) {
		status = calibrate_blend(engine, out, &score, err);
		if (!status)
			status = find_laws(out, engine, options->offset, &knot, err);
		if (!status) {
			/* Members of one mean, over all tau; each goes on from where the one before ended. */
			for (size_t i = 0; i < TAUS && !status; i++) {
				struct ft__member *member = &m.blend->member[m.blend->n];

				m.engine->process.tau = taus[i];
				ft__engine_learn(m.engine, ROUNDS_MEMBER);
				m.log_weight[m.blend->n] = m.engine->likelihood + belief[i];
				member->freedom = ft__engine_freedom(m.engine);
				status = copy_engine(&member->engine, m.engine, err);
				m.blend->n += !status;
			}
		}
		engine->process = process;
		if (!status && out->laws)
			status = add_law_member(&m, score, err);
		if (!status)
			weigh_members(&m);
	}
	if (!status)
		status = find_spread(out, knot, engine->n, err);
	ft_free(knot);
	if (!status)
		status = ft__blend_edge(out, err);
	if (status)
		ft__blend_clear(out);
	return status;
}

/* The laws' mean at a size, minus the work; outside their range, that of the nearest end. */
static double law_at(const struct ft__blend *blend, const struct ft__engine *engine, double x, double work,
		     double *variance)
{
	double law;

	if (ft_laws_best(blend->laws, x, &law, variance))
		return law - log(work);
	return engine->site[x < engine->site[0].x ? 0 : engine->n - 1].base;
}

/* The prediction of a member at a size. */
static struct ft__known ask_member(const struct ft__blend *blend, const struct ft__member *m, size_t below,
				   double x, double work, bool fine)
{
	double at = ft__engine_ln(&m->engine, x), variance = 0;
	struct ft__known known = ft__engine_near(&m->engine, below, x, at, fine);

	if (m->by_law) {
		known.z += law_at(blend, &m->engine, x, work, &variance);
		known.variance += (at > blend->most ? 1 : law_inside) * variance;
	}
	/* A damaged store may hold any numbers. */
	known.z = fmax(-FT__LN_MOST, fmin(known.z, FT__LN_MOST));
	return known;
}

/* The law is trusted beyond the data where its errors are this many times smaller than those of the slopes (both are even
 * below the root of the second), as the last octaves show; over fewer nothing is concluded. */
static const double law_better = 2, law_even = 4e-4;
enum { OCTAVES_LEAST = 3 };

/* How well the law and the slope of each size predict sizes twice as large, within the measured ones. Where a value
 * rises in steps, as of a hash table, the slope of the largest size is that of a step, and the law knows better. */
static void trust_law(struct ft__blend *blend, const double *t, const double *z)
{
	const struct ft__engine *engine = &blend->member[0].engine;
	const double octave = log(2);
	double slope_better = 0, by_law = 0, weights = 0, unused;
	size_t n = engine->n, to = 0;

	blend->law_share = 0;
	if (!blend->laws || blend->member[0].by_law || t[n - 1] - t[0] < OCTAVES_LEAST * octave)
		return;
	for (size_t i = 0; i + 1 < n && t[i] + octave <= t[n - 1]; i++) {
		while (t[to] < t[i] + octave)
			to++;
		size_t near = t[i] + octave - t[to - 1] < t[to] - t[i] - octave ? to - 1 : to;
		const struct ft__site *site = &engine->site[near];
		double far = t[near] - t[i], off = z[near] - z[i] - log(site->work / engine->site[i].work);
		double weight = fmin(t[i + 1] - t[i], octave), off_law = z[near] - log(site->work);

		if (fabs(far - octave) > octave / 2 || t[n - 1] - t[near] > OCTAVES_LEAST * octave)
			continue;
		off -= ft__engine_site(engine, i).slope * far;
		off_law -= law_at(blend, engine, site->x, site->work, &unused);
		/* Means of logarithms: one jump, which all miss, is no sign. */
		slope_better += weight * log((off_law * off_law + law_even) / (off * off + law_even));
		by_law += weight * off_law * off_law;
		weights += weight;
	}
	double octaves = weights / octave, share = 1 - law_better * law_better * exp(slope_better / weights);

	if (!(weights > 0 && share > 0))
		return;
	blend->law_share = share * octaves / (octaves + 1);
	blend->law_off = sqrt(by_law / weights);
}

/* Add the law alone to a belief beyond the data, as far as it is trusted. */
static void add_law(const struct ft__blend *blend, double x, struct ft__growth_belief *b)
{
	double variance, z;

	if (!(blend->law_share > 0) || b->n == FT__BELIEF_MOST ||
	    !ft_laws_best(blend->laws, x, &z, &variance))
		return;
	for (size_t i = 0; i < b->n; i++)
		b->weight[i] *= 1 - blend->law_share;
	b->mean[b->n] = z;
	b->deviation[b->n] = hypot(blend->law_off, sqrt(variance));
	b->weight[b->n++] = blend->law_share;
}

enum ft_status ft__blend_edge(struct ft__blend *blend, struct ft_err *err)
{
	const struct ft__engine *first = &blend->member[0].engine;
	size_t last = first->n - 1;
	double *t = ft_calloc(2 * first->n, sizeof *t), scatter = 0;
	double x = first->site[last].x, work = first->site[last].work, variance = 0, slope = 0;
	double before = x * exp(-slope_step), work_slope = 0, there, unused;

	if (!t)
		return ft_nomem(err);
	blend->most = first->site[last].at;
	blend->edge = (struct ft__growth_edge){.span = blend->most - first->site[0].at,
					       .spread = blend->spread,
					       .work = work != first->site[0].work};
	if (last)
		work_slope = log(work / first->site[last - 1].work) /
			     (first->site[last].at - first->site[last - 1].at);
	for (size_t i = 0; i < blend->n; i++) {
		const struct ft__member *m = &blend->member[i];
		struct ft__known known = ft__engine_site(&m->engine, last);

		slope = known.slope;
		if (m->by_law) {
			there = law_at(blend, &m->engine, x, work, &unused);
			known.z += there;
			slope += (there - law_at(blend, &m->engine, before, work, &unused)) / slope_step -
				 work_slope;
		}
		blend->edge.z += m->weight * (known.z + log(work));
		blend->edge.slope += m->weight * slope;
		variance += m->weight * known.variance;
		scatter += m->weight * known.scatter;
	}
	blend->edge.deviation = sqrt(variance);
	/* All members are close to the sites; one of them shows the staircase. */
	double *z = t + first->n;
	for (size_t i = 0; i <= last; i++) {
		t[i] = first->site[i].at;
		z[i] = ft__engine_site(first, i).z + log(first->site[i].work);
		if (blend->member[0].by_law)
			z[i] += law_at(blend, first, first->site[i].x, first->site[i].work, &unused);
	}
	blend->edge.stairs = ft__stairs_find(t, z, first->n, sqrt(scatter));
	trust_law(blend, t, z);
	ft_free(t);
	return FT_OK;
}

double ft__blend_members(const struct ft__blend *blend, double x, double work, bool fine,
			 struct ft__growth_belief *out)
{
	size_t below = ft__engine_below(&blend->member[0].engine, x), i; /* all have the same sites */
	double scatter = 0;

	out->n = 0;
	for (i = 0; i < blend->n; i++) {
		const struct ft__member *m = &blend->member[i];
		struct ft__known known = ask_member(blend, m, below, x, work, fine);
		struct ft_law_part part[LAW_PARTS];
		double variance;
		size_t parts = 0;

		scatter += m->weight * known.scatter;
		/* Outside the data, laws with the same fit diverge. */
		if (m->by_law && ft__engine_ln(&m->engine, x) > blend->most)
			parts = ft_laws_parts(blend->laws, x, LAW_PARTS, part);
		if (parts)
			known.z -= law_at(blend, &m->engine, x, work, &variance) + log(work);
		for (size_t k = 0; k < parts; k++) {
			double level = fmax(0, known.variance - variance);

			out->mean[out->n] = fmax(-FT__LN_MOST, fmin(known.z + part[k].ln, FT__LN_MOST));
			out->deviation[out->n] =
				fmin(sqrt(level + part[k].error * part[k].error), deviation_most);
			out->power[out->n] = part[k].power;
			out->weight[out->n++] = m->weight * part[k].weight;
		}
		if (parts)
			continue;
		out->mean[out->n] = known.z;
		out->deviation[out->n] = fmin(sqrt(known.variance), deviation_most);
		out->power[out->n] = 0;
		out->weight[out->n++] = m->weight;
	}
	return scatter;
}

/* The noise estimated from few runs may be wrong: by how much, and the resulting uncertainty of the
 * typical run, which is known as well as its runs agree. At a site the uncertainty grows in proportion;
 * between two it is theirs. Returns the scale of single runs. */
static double widen_few(const struct ft__blend *blend, size_t below, double x, double scatter,
			double confidence, struct ft__outlook *out)
{
	const struct ft__engine *engine = &blend->member[0].engine;
	size_t next = below + (below + 1 < engine->n && x > engine->site[below].x);
	double at = ft__engine_ln(engine, x), from = engine->site[below].at, doubt = 0, scale, u;

	u = next > below ? (at - from) / (engine->site[next].at - from) : 0;
	struct ft__noise noise = ft__noise_known(
		engine->site[below].usual * pow(engine->site[next].usual / engine->site[below].usual, u),
		sqrt(scatter * (1 + learned_runs / (learned_runs + blend->runs.freedom))),
		blend->runs.freedom);
	scale = fmax(noise.scale * ft__noise_stretch(noise.spread, confidence), sqrt(scatter));
	for (size_t i = 0; i < blend->n; i++)
		doubt += blend->member[i].weight *
			 ((1 - u) * ft__engine_typical(&blend->member[i].engine, below).variance +
			  u * ft__engine_typical(&blend->member[i].engine, next).variance);
	doubt = ft_normal_quantile((1 + confidence) / 2) * sqrt(doubt * fmax(0, scale * scale / scatter - 1));
	out->lower = out->z - hypot(out->z - out->lower, doubt);
	out->upper = out->z + hypot(out->upper - out->z, doubt);
	return scale;
}

/* Members that differ do not form a normal law about their mean: the prediction of most of them is
 * typical, and either side is as wide as they make it. Outside the data their calibration is that of the
 * last sizes; a change of growth does not count as their error. */
struct ft__outlook ft__blend_at(const struct ft__blend *blend, double x, double work, bool fine,
				double confidence)
{
	const struct ft__engine *first = &blend->member[0].engine;
	double caution = 1, at = ft__engine_ln(first, x), ln = log(work), scatter;
	bool beyond = at > blend->most && !blend->brief;
	struct ft__outlook out;
	struct ft__growth_belief b;

	scatter = ft__blend_members(blend, x, work, fine, &b);
	if (blend->n_misses)
		caution = ft__caution(blend->miss, blend->n_misses, at, first->range, caution_least);
	for (size_t i = 0; i < b.n && beyond; i++) {
		b.mean[i] += ln;
		b.deviation[i] *= caution;
	}
	if (beyond) {
		ft__beyond(blend->growth, &blend->edge, at - blend->most,
			   ln - log(first->site[first->n - 1].work), &b);
		add_law(blend, x, &b);
		caution = 1;
	}
	for (size_t i = 0; i < b.n && beyond; i++)
		b.mean[i] -= ln;
	out.z = ft_normals_quantile(b.mean, b.deviation, b.weight, b.n, 0.5);
	out.lower = ft_normals_quantile(b.mean, b.deviation, b.weight, b.n, (1 - confidence) / 2);
	out.upper = ft_normals_quantile(b.mean, b.deviation, b.weight, b.n, (1 + confidence) / 2);
	out.lower = out.z - caution * (out.z - out.lower);
	out.upper = out.z + caution * (out.upper - out.z);
	out.scatter = sqrt(scatter);
	/* A brief model is only used to detect whether newer runs differ: its own error counts, a small
	 * number of runs does not. */
	out.widest = out.scatter;
	if (!blend->brief)
		out.widest = widen_few(blend, ft__engine_below(first, x), x, scatter, confidence, &out);
	return out;
}
