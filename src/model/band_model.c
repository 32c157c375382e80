/* SPDX-License-Identifier: GPL-3.0-or-later */
/* band_model.c - the band of document 000: a cut at each size measured, joined by straight lines in the plane
 * of size and speed (section 2.1). What is no time is joined as it is. */
#include "base/alloc.h"
#include "model/types.h"
#include "num/stats.h"

#include <math.h>
#include <string.h>

static const double cut_confidence = 0.9, usual_tolerance = 0.05;

/* Facts are told over so many places in each gap. */
enum { PLACES = 3 };

/* Least and largest speed (or value) at each knot; beyond them the document says nothing, and the engine
 * answers. */
struct band {
	double (*cut)[2]; /* [model->n] */
	void *beyond;     /* an engine's state */
};

static void band_free(void *state)
{
	struct band *band = state;

	if (band) {
		ft_free(band->cut);
		ft__model_engine.free(band->beyond);
	}
	ft_free(band);
}

/* The same model as an engine's. */
static struct ft_model as_engine(const struct ft_model *model)
{
	struct ft_model engine = *model;

	engine.type = &ft__model_engine;
	engine.state = ((const struct band *)model->state)->beyond;
	return engine;
}

/* Of values: about their mean, as a cut of speeds of unit work is about the mean time. */
static void set_cut(const struct ft_model *model, const struct ft_observation *o, size_t n, double tolerance,
		    double *space, double cut[2])
{
	static const double idle[2] = {0, 0};

	for (size_t i = 0; i < n; i++)
		space[i] = o[i].value + model->facts.offset;
	ft_model_cut(space, n, model->facts.through_speed ? o->work : 1, idle, cut_confidence, tolerance,
		     cut);
	if (model->facts.through_speed)
		return;
	double swap = 1 / cut[0];
	cut[0] = 1 / cut[1];
	cut[1] = swap;
}

/* Both edges at x: joined. */
static void edges_at(const struct ft_model *model, double x, size_t j, double out[2])
{
	const struct band *band = model->state;
	size_t k = j + 1 < model->n ? j + 1 : j;
	double x0 = ft__model_x(model, &model->knot[j].size), x1 = ft__model_x(model, &model->knot[k].size);
	double u = x1 > x0 ? fmin(fmax((x - x0) / (x1 - x0), 0), 1) : 0;

	for (int i = 0; i < 2; i++)
		out[i] = (1 - u) * band->cut[j][i] + u * band->cut[k][i];
}

static enum ft_status band_predict(const struct ft_model *model, const struct ft_size *size, double work,
				   double confidence, struct ft_prediction *out, struct ft_err *err)
{
	double x = ft__model_x(model, size), offset = model->facts.offset, edge[2], middle;
	size_t below;

	ft__model_place(model, x, out, &below);
	if (out->basis == FT_BASIS_BEYOND) {
		struct ft_model engine = as_engine(model);

		*out = (struct ft_prediction){.distance = 1, .known = NAN};
		return ft__model_engine.predict(&engine, size, work, confidence, out, err);
	}
	edges_at(model, x, below, edge);
	middle = (edge[0] + edge[1]) / 2;
	if (model->facts.through_speed) {
		work = ft__model_work(model, x, work);
		/* A speed may be next to nothing. */
		*out = (struct ft_prediction){
			.value = fmin(work / middle, 1e300),
			.lower = fmin(work / edge[1], 1e300),
			.upper = fmin(work / edge[0], 1e300),
			.level = out->level,
			.basis = out->basis,
			.distance = out->distance,
			.runs = out->runs,
			.limits = out->limits,
		};
	} else {
		out->value = fmax(0, middle - offset);
		out->lower = fmax(0, edge[0] - offset);
		out->upper = fmax(0, edge[1] - offset);
	}
	out->known = edge[1] / middle - 1;
	return FT_OK;
}

static double half_width(const struct ft_model *model, double x, size_t j)
{
	double edge[2];

	edges_at(model, x, j, edge);
	return (edge[1] - edge[0]) / (edge[1] + edge[0]);
}

static enum ft_status set_facts(struct ft_model *model, struct ft_err *err)
{
	struct ft_model_facts *facts = &model->facts;
	double *known = ft_calloc(PLACES * model->n, sizeof *known), over;
	size_t n = 0;

	if (!known)
		return ft_nomem(err);
	for (size_t j = 0; j + 1 < model->n; j++)
		for (size_t k = 0; k < PLACES; k++) {
			double x0 = ft__model_x(model, &model->knot[j].size);
			double x1 = ft__model_x(model, &model->knot[j + 1].size);

			known[n] = half_width(model, x0 + (x1 - x0) * (double)(k + 1) / (PLACES + 1), j);
			if (!(known[n++] <= facts->worst_known)) {
				facts->worst_known = known[n - 1];
				facts->worst[0] = x0;
				facts->worst[1] = x1;
			}
		}
	if (n)
		facts->known = ft_stats_quantile(known, n, 0.9);
	over = n ? ft_stats_quantile(known, n, 0.95) : (double)NAN;
	facts->too_few = facts->sizes < FT__SIZES_LEAST && !(over <= FT__ROUGH_OVER);
	facts->rough = over > FT__ROUGH_OVER && !facts->too_few;
	ft_free(known);
	return FT_OK;
}

/* What the engine finds besides, of the runs, is true of a band as well. */
static enum ft_status fit_beyond(struct ft_model *model, const struct ft__fit *fit, struct ft_err *err)
{
	struct ft_model engine = as_engine(model);
	enum ft_status status = ft__model_engine.fit(&engine, fit, err);

	((struct band *)model->state)->beyond = engine.state;
	model->facts.scatter = engine.facts.scatter;
	model->facts.noisy = engine.facts.noisy;
	model->facts.spike_rate = engine.facts.spike_rate;
	model->facts.spike_ratio = engine.facts.spike_ratio;
	return status ? status : set_facts(model, err);
}

static enum ft_status band_fit(struct ft_model *model, const struct ft__fit *fit, struct ft_err *err)
{
	double tolerance = fit->options->tolerance > 0 ? fit->options->tolerance : usual_tolerance;
	struct band *band = ft_calloc(1, sizeof *band);
	double *space = ft_calloc(fit->n, sizeof *space);
	size_t from = 0;

	model->state = band;
	if (band)
		band->cut = ft_calloc(model->n, sizeof *band->cut);
	if (!band || !band->cut || !space) {
		ft_free(space);
		return ft_nomem(err);
	}
	for (size_t j = 0; j < model->n; j++) {
		set_cut(model, fit->observation + from, model->knot[j].runs, tolerance, space, band->cut[j]);
		from += model->knot[j].runs;
	}
	ft_free(space);
	return fit_beyond(model, fit, err);
}

static void band_pack(const struct ft_model *model, struct ft__packer *packer)
{
	const struct band *band = model->state;
	struct ft_model engine = as_engine(model);

	for (size_t j = 0; j < model->n; j++)
		ft__pack_many(packer, band->cut[j], 2);
	ft__model_engine.pack(&engine, packer);
}

static enum ft_status band_unpack(struct ft_model *model, struct ft__unpacker *from, struct ft_err *err)
{
	struct band *band = ft_calloc(1, sizeof *band);

	model->state = band;
	if (band)
		band->cut = ft_calloc(model->n, sizeof *band->cut);
	if (!band || !band->cut)
		return ft_nomem(err);
	for (size_t j = 0; j < model->n; j++) {
		ft__unpack_many(from, band->cut[j], 2);
		if (!(band->cut[j][0] > 0 && band->cut[j][1] >= band->cut[j][0] && band->cut[j][1] <= 1e300))
			return ft_fail(err, FT_EPARSE, "these bytes are no model of this version");
	}
	struct ft_model engine = as_engine(model);
	enum ft_status status = ft__model_engine.unpack(&engine, from, err);
	band->beyond = engine.state;
	return status;
}

const struct ft_model_type ft__model_band = {
	.name = "band",
	.axes = 1,
	.fit = band_fit,
	.predict = band_predict,
	.pack = band_pack,
	.unpack = band_unpack,
	.free = band_free,
};
