/* SPDX-License-Identifier: GPL-3.0-or-later */
/* engine_model.c - the model over one parameter that is made of an engine: its predictions, and its stored
   form. */
#include "base/alloc.h"
#include "model/model.h"
#include "num/num.h"

#include <math.h>
#include <stdlib.h>

/*
 * Facts about the engine's model over one parameter as a whole.
 */

/* The confidence of facts; a curve is uneven if it is not accurate over this share of the sizes. */
static const double fact_confidence = 0.9, smooth_share = 0.95;
enum { ASKED_MOST = 400, PLACES = 3 };

/* A possible query, its accuracy, its share of all, and the value there. */
struct place {
	double known, share, value;
};

static int compare_places(const void *a, const void *b)
{
	const struct place *p = a, *q = b;

	return (p->known > q->known) - (p->known < q->known);
}

static struct place place_at(const struct ft_model *model, const struct ft__blend *blend, double x, bool fine)
{
	double work = model->facts.through_speed ? ft__model_work(model, x, NAN) : 1;
	struct ft__outlook at = ft__blend_at(blend, x, work, fine, fact_confidence);

	return (struct place){expm1(fmin((at.upper - at.lower) / 2, FT__LN_MOST)), 1,
			      exp(fmin(at.z, 700)) * work};
}

static double quantile(struct place *place, size_t n)
{
	double total = 0, below = 0;
	size_t i;

	for (i = 0; i < n; i++)
		total += place[i].share;
	qsort(place, n, sizeof *place, compare_places);
	for (i = 0; i + 1 < n; i++) {
		below += place[i].share;
		if (below >= smooth_share * total)
			break;
	}
	return place[i].known;
}

/* The error of the typical run that 90 % of queries stay below. */
static enum ft_status set_known(struct ft_model_facts *facts, const struct place *place, size_t n,
				struct ft_err *err)
{
	double normal = ft_normal_quantile((1 + fact_confidence) / 2);
	double *deviation = ft_calloc(2 * n + 1, sizeof *deviation);

	if (!deviation)
		return ft_nomem(err);
	for (size_t i = 0; i < n; i++) {
		deviation[i] = log1p(place[i].known) / normal;
		deviation[n + i] = place[i].share;
	}
	facts->known = expm1(ft_normals_within(deviation, deviation + n, n, fact_confidence));
	ft_free(deviation);
	return FT_OK;
}

/* Of a list, every k-th size. */
static size_t listed_places(const struct ft_model *model, const struct ft__blend *blend,
			    const struct ft_model_options *options, struct place *place)
{
	size_t step = (options->n_sizes + ASKED_MOST - 1) / ASKED_MOST, i, n = 0;

	for (i = 0; i < options->n_sizes; i += step)
		place[n++] = place_at(model, blend, options->sizes[i], true);
	return n;
}

/* Of all sizes between the knots: half by their number, half by their logarithm. The worst gap is noted. */
static size_t gap_places(struct ft_model *model, const struct ft__blend *blend, struct place *place)
{
	const struct ft__engine *engine = &blend->member[0].engine;
	const struct ft__site *first = engine->site, *last = first + engine->n - 1, *site;
	struct ft_model_facts *facts = &model->facts;
	size_t n = 0;

	for (site = first; site < last; site++)
		for (size_t k = 0; k < PLACES; k++) {
			double h = site[1].at - site->at, at = site->at + h * (0.2 + 0.3 * (double)k);

			place[n] = place_at(model, blend, exp(at) - engine->shift, false);
			place[n].share = 0.5 * (site[1].x - site->x) / (last->x - first->x) +
					 0.5 * h / (last->at - first->at);
			if (!(place[n++].known <= facts->worst_known)) {
				facts->worst_known = place[n - 1].known;
				facts->worst[0] = site->x;
				facts->worst[1] = site[1].x;
			}
		}
	return n;
}

static void engine_fine(struct ft_model *model, const struct ft__blend *blend)
{
	const struct ft__engine *engine = &blend->member[0].engine;
	struct ft_model_facts *facts = &model->facts;

	facts->n_fine = engine->n_teeth;
	for (size_t i = 0; i < engine->n_teeth; i++) {
		(void)ft__tooth_name(&engine->tooth[i], facts->fine[i].kind, sizeof facts->fine[i].kind);
		facts->fine[i].ratio = exp(engine->tooth[i].height);
	}
}

/* engine_facts - all facts; FT_ENOMEM. engine_fine - of fine structure alone. */
static enum ft_status engine_facts(struct ft_model *model, const struct ft__blend *blend,
				   const struct ft_model_options *options, struct ft_err *err)
{
	struct ft_model_facts *facts = &model->facts;
	size_t n = PLACES * model->n + ASKED_MOST;
	struct place *place = ft_calloc(n, sizeof *place);

	if (!place)
		return ft_nomem(err);
	n = gap_places(model, blend, place);
	if (options->n_sizes)
		n = listed_places(model, blend, options, place);
	enum ft_status status = set_known(facts, place, n, err);
	for (size_t i = 0; i < n; i++)
		place[i].known = ft__model_beyond_step(place[i].known, options->step, place[i].value);
	double known = n ? quantile(place, n) : (double)NAN;
	facts->too_few = facts->sizes < FT__SIZES_LEAST && !(known <= FT__ROUGH_OVER);
	facts->rough = known > FT__ROUGH_OVER && !facts->too_few;
	const struct ft__scatter *runs = &blend->runs;
	const struct ft__engine *engine = &blend->member[0].engine;
	const struct ft__site *middle = &engine->site[engine->n / 2];
	double wide = (ft__scatter_quantile(runs, (1 + fact_confidence) / 2) -
		       ft__scatter_quantile(runs, (1 - fact_confidence) / 2)) /
		      2;

	facts->spike_rate = runs->spike_rate;
	facts->spike_ratio = runs->spike_ratio;
	if (facts->runs > facts->sizes)
		facts->scatter = expm1(fmin(wide * sqrt(middle->scatter), FT__LN_MOST));
	facts->noisy = ft__model_beyond_step(facts->scatter, options->step,
					     place_at(model, blend, middle->x, true).value) > FT__NOISY_OVER;
	engine_fine(model, blend);
	ft_free(place);
	return status;
}

/*
 * The model over one parameter that is made of an engine: its predictions, and its stored form.
 */

struct state {
	struct ft__blend blend;
};

/* ---- predicting
   ------------------------------------------------------------------------------------------ */

static enum ft_status engine_predict(const struct ft_model *model, const struct ft_size *size, double work,
				     double confidence, struct ft_prediction *out, struct ft_err *err)
{
	const struct state *state = model->state;
	const struct ft__scatter *runs = &state->blend.runs;
	double x = ft__model_x(model, size), offset = model->facts.offset;
	size_t below;

	ft__model_place(model, x, out, &below);
	if (out->basis == FT_BASIS_BEYOND && x <= 0) {
		(void)ft_fail(err, FT_EINVAL, "size %g is not positive, and outside the data", x);
		return ft_remedy(err, "ask for a size above 0, or measure such sizes");
	}
	work = model->facts.through_speed ? ft__model_work(model, x, work) : 1;
	struct ft__outlook at = ft__blend_at(&state->blend, x, work, true, confidence);
	double typical = at.z + runs->median * at.scatter + log(work);
	double lower = ft__scatter_quantile(runs, (1 - confidence) / 2) * at.widest;
	double upper = ft__scatter_quantile(runs, (1 + confidence) / 2) * at.widest;
	out->value = ft__model_value(typical, offset);
	out->lower = ft__model_value(typical - hypot(at.z - at.lower, lower), offset);
	out->upper = ft__model_value(typical + hypot(at.upper - at.z, upper), offset);
	out->known = expm1(fmin((at.upper - at.lower) / 2, FT__LN_MOST));
	return FT_OK;
}

/* ---- fitting ----------------------------------------------------------------------------------------- */

static void engine_free(void *state)
{
	struct state *s = state;

	if (s)
		ft__blend_clear(&s->blend);
	ft_free(s);
}

static enum ft_status engine_fit(struct ft_model *model, const struct ft__fit *fit, struct ft_err *err)
{
	struct state *state = ft_calloc(1, sizeof *state);
	double least = ft__model_x(model, &model->knot[0].size);
	double most = ft__model_x(model, &model->knot[model->n - 1].size);
	double shift = least > 0 ? 0 : 1 - least;
	struct ft__engine engine;

	if (!state)
		return ft_nomem(err);
	model->state = state;
	ft__engine_init(&engine, shift, log((most + shift) / (least + shift)), ft__model_has_work(model));
	engine.smooth = fit->options->brief;
	engine.even = fit->options->of == FT_CLASS_MEMORY || fit->options->of == FT_CLASS_COUNT;
	double *ln = ft_calloc(fit->n, sizeof *ln);
	enum ft_status status = ln ? FT_OK : ft_nomem(err);
	size_t from = 0;

	for (size_t i = 0; i < fit->n && !status; i++)
		ln[i] = log(fit->observation[i].value + model->facts.offset);
	for (size_t j = 0; j < model->n && !status; j++) {
		const struct ft_knot *k = &model->knot[j];
		double x = ft__model_x(model, &k->size), work = model->facts.through_speed ? k->work : 1;
		size_t ended = k->runs - k->limits;

		if (ended)
			status = ft__engine_set(&engine, x, work, ln + from, ended, err);
		if (!status && k->limits)
			status = ft__engine_limit(&engine, x, work, ln + from + ended, k->limits, err);
		if (!status) {
			engine.site[j].rounding =
				ft__model_rounding(fit->options->step, k->value + model->facts.offset);
			engine.site[j].usual = ft__model_usual(fit, from, k->runs);
		}
		from += k->runs;
	}
	ft_free(ln);
	if (!status)
		status = ft__blend_make(&state->blend, &engine,
					&(struct ft__blend_options){model->facts.offset, fit->options->of,
								    fit->options->brief, fit->options->prior},
					err);
	ft__engine_clear(&engine);
	return status ? status : engine_facts(model, &state->blend, fit->options, err);
}

/* ---- packing ----------------------------------------------------------------------------------------- */

static void engine_pack(const struct ft_model *model, struct ft__packer *packer)
{
	ft__blend_pack(&((const struct state *)model->state)->blend, packer);
}

static enum ft_status engine_unpack(struct ft_model *model, struct ft__unpacker *from, struct ft_err *err)
{
	struct state *state = ft_calloc(1, sizeof *state);

	if (!state)
		return ft_nomem(err);
	model->state = state;
	enum ft_status status = ft__blend_unpack(&state->blend, model, from, err);
	if (!status)
		engine_fine(model, &state->blend);
	return status;
}

const struct ft_model_type ft__model_engine = {
	.name = "engine",
	.axes = 1,
	.fit = engine_fit,
	.predict = engine_predict,
	.pack = engine_pack,
	.unpack = engine_unpack,
	.free = engine_free,
};
