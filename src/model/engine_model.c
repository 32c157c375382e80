/* SPDX-License-Identifier: GPL-3.0-or-later */
/* engine_model.c - the model over one parameter that the engine makes: what is asked of it, and kept of it.
 */
#include "base/alloc.h"
#include "model/blend_pack.h"
#include "model/engine_facts.h"
#include "model/types.h"
#include "num/stats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct state {
	struct ft__blend blend;
};

/* ---- asking ------------------------------------------------------------------------------------------ */

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

static enum ft_status tell_observations(const struct ft_model *model, const struct ft__fit *fit,
					struct ft__engine *engine, struct ft_err *err)
{
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
			status = ft__engine_set(engine, x, work, ln + from, ended, err);
		if (!status && k->limits)
			status = ft__engine_limit(engine, x, work, ln + from + ended, k->limits, err);
		if (!status) {
			engine->site[j].rounding =
				ft__model_rounding(fit->options->step, k->value + model->facts.offset);
			engine->site[j].usual = ft__model_usual(fit, from, k->runs);
		}
		from += k->runs;
	}
	ft_free(ln);
	return status;
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
	enum ft_status status = tell_observations(model, fit, &engine, err);
	if (!status)
		status = ft__blend_make(&state->blend, &engine,
					&(struct ft__blend_options){model->facts.offset, fit->options->of,
								    fit->options->brief, fit->options->prior},
					err);
	ft__engine_clear(&engine);
	return status ? status : ft__engine_facts(model, &state->blend, fit->options, err);
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
		ft__engine_fine(model, &state->blend);
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
