/* SPDX-License-Identifier: GPL-3.0-or-later */
/* surface_model.c - the row of the table of models that is one over several parameters. */
#include "base/alloc.h"
#include "model/surface.h"
#include "model/types.h"
#include "num/stats.h"

#include <math.h>

static void surface_free(void *state)
{
	struct ft_surface *surface = state;

	ft__surface_clear(surface);
	ft_free(surface);
}

static size_t worst_knot(const struct ft_surface *surface)
{
	size_t worst = 0, i;

	for (i = 1; i < surface->n; i++)
		if (!(fabs(surface->knot[i].residual) <= fabs(surface->knot[worst].residual)))
			worst = i;
	return worst;
}

static enum ft_status set_facts(struct ft_model *model, const struct ft_surface *surface, struct ft_err *err)
{
	struct ft_model_facts *facts = &model->facts;
	double normal = ft_normal_quantile(0.95), noise = ft__surface_pooled_noise(surface);

	if (noise < 0)
		return ft_nomem(err);
	facts->known = surface->stated_error;
	facts->scatter = expm1(normal * noise);
	facts->too_few = facts->sizes < surface->n_axes + 3 && surface->rough;
	facts->rough = surface->rough && !surface->rough_by_noise && !facts->too_few;
	facts->noisy = surface->rough_by_noise || facts->scatter > FT__NOISY_OVER;
	facts->worst_known = fabs(surface->knot[worst_knot(surface)].residual);
	return FT_OK;
}

static enum ft_status surface_fit(struct ft_model *model, const struct ft__fit *fit, struct ft_err *err)
{
	const struct ft_model *like = fit->options->like;
	struct ft_surface *surface = ft_calloc(1, sizeof *surface);
	enum ft_status status;

	if (!surface)
		return ft_nomem(err);
	model->state = surface;
	if (fit->options->brief && like && like->type == &ft__model_surface)
		status = ft__surface_fit_kernel(surface, fit->measured, fit->n, fit->options->through_speed,
						&((const struct ft_surface *)like->state)->kernel, err);
	else
		status = ft__surface_fit(surface, fit->measured, fit->n, fit->options->through_speed, err);
	return status ? status : set_facts(model, surface, err);
}

/* What of the interval is not the noise of a run is how well the typical one is known. */
static double known_of(const struct ft_surface *surface, const struct ft_size *size, double confidence,
		       const struct ft_prediction *p)
{
	double x[FT_PARAMS_MAX], all, noise, offset = surface->offset;

	ft__surface_place(surface, size, x);
	noise = ft_normal_quantile((1 + confidence) / 2) * ft__surface_noise(surface, x, NULL);
	all = log((p->upper + offset) / (p->value + offset));
	return expm1(fmin(sqrt(fmax(0, all * all - noise * noise)), 700));
}

static enum ft_status surface_predict(const struct ft_model *model, const struct ft_size *size, double work,
				      double confidence, struct ft_prediction *out, struct ft_err *err)
{
	enum ft_status status = ft__surface_predict(model->state, size, work, confidence, out, err);

	if (!status)
		out->known = known_of(model->state, size, confidence, out);
	return status;
}

static void surface_pack(const struct ft_model *model, struct ft__packer *packer)
{
	const struct ft_surface *s = model->state;
	const double number[] = {s->kernel.amplitude, s->kernel.interaction, s->kernel.length,
				 s->kernel.smooth,    s->inflation,          s->drift,
				 s->stated_error};
	size_t i;

	ft__pack_many(packer, number, sizeof number / sizeof *number);
	for (i = 0; i < s->n; i++)
		ft__pack(packer, s->knot[i].residual);
}

static enum ft_status surface_unpack(struct ft_model *model, struct ft__unpacker *from, struct ft_err *err)
{
	struct ft_surface *s = ft_calloc(1, sizeof *s);
	double number[7];
	size_t i;

	if (!s)
		return ft_nomem(err);
	model->state = s;
	ft__unpack_many(from, number, 7);
	s->through_speed = model->facts.through_speed;
	s->offset = model->facts.offset;
	s->runs = model->facts.runs;
	s->kernel = (struct ft_kernel){number[0], number[1], number[2], 0};
	s->inflation = number[4];
	s->drift = number[5];
	s->stated_error = number[6];
	if (from->failed || !(number[0] >= 0 && number[1] >= 0 && number[2] > 0 && number[4] >= 0) ||
	    !(number[3] >= 0 && number[3] <= 2) || !(number[5] >= 0) ||
	    !isfinite(number[0] + number[1] + number[2]) || !isfinite(number[4] + number[5]))
		return ft_fail(err, FT_EPARSE, "these bytes are no model of this version");
	s->kernel.smooth = (int)number[3];
	s->knot = ft_calloc(model->n, sizeof *s->knot);
	if (!s->knot)
		return ft_nomem(err);
	for (i = 0; i < model->n; i++) {
		const struct ft_knot *k = &model->knot[i];

		s->knot[i] = (struct ft_surface_knot){.work = k->work,
						      .value = k->value,
						      .scatter = k->scatter,
						      .residual = ft__unpack(from),
						      .runs = k->runs};
		s->knot[i].size = k->size;
	}
	s->n = model->n;
	return from->failed ? FT_OK : ft__surface_prepare(s, err);
}

const struct ft_model_type ft__model_surface = {
	.name = "surface",
	.fit = surface_fit,
	.predict = surface_predict,
	.pack = surface_pack,
	.unpack = surface_unpack,
	.free = surface_free,
};
