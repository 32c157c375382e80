/* SPDX-License-Identifier: GPL-3.0-or-later */
/* change_older.c - what older samples say of a size: over one parameter a band, over several a surface. */
#include "base/alloc.h"
#include "model/band.h"
#include "model/change.h"
#include "model/surface.h"

#include <math.h>

static const double one_sigma = 0.6827;

/* ---- a band ------------------------------------------------------------------------------------------- */

enum ft_status ft__older_fit_band(struct ft_model *out, const struct ft_surface_observation *o, size_t n,
				  bool through_speed, enum ft_join join, struct ft_err *err)
{
	struct ft_observation *one = ft_calloc(n, sizeof *one);
	enum ft_status status;
	size_t i;

	*out = (struct ft_model){0};
	if (!one)
		return ft_nomem(err);
	for (i = 0; i < n; i++)
		one[i] = (struct ft_observation){o[i].size.value[0], o[i].work, o[i].value};
	status = ft_model_fit(out, one, n, through_speed, join, err);
	ft_free(one);
	return status;
}

static enum ft_status band_fit(struct ft__older *older, const struct ft_surface_observation *o, size_t n,
			       struct ft_err *err)
{
	return ft__older_fit_band(&older->band, o, n, older->through_speed, older->join, err);
}

static bool band_say(const struct ft__older *older, const struct ft_surface_observation *o,
		     struct ft__said *said)
{
	const struct ft_model *model = &older->band;
	double x = o->size.value[0];
	struct ft_prediction p;

	if (x < model->knot[0].x || x > model->knot[model->n - 1].x ||
	    ft_model_predict(model, x, o->work, one_sigma, &p, NULL) || !(p.value + model->offset > 0))
		return false;
	*said = (struct ft__said){
		.ln = log(p.value + model->offset),
		.offset = model->offset,
		.total = log((p.upper + model->offset) / (p.value + model->offset)),
		.repeated = ft__band_noise(model, x, NULL),
		.noise = ft__band_run_noise(model, x, one_sigma),
		.runs = (double)p.runs,
		.at_knot = p.basis == FT_BASIS_AT_KNOT,
	};
	return true;
}

static struct ft__pool band_pool(const struct ft__older *older)
{
	struct ft__pool pool = {0};
	size_t i;

	for (i = 0; i < older->band.n; i++) {
		pool.squares += older->band.knot[i].scatter;
		pool.freedom += (double)(older->band.knot[i].runs - 1);
	}
	return pool;
}

static void band_clear(struct ft__older *older)
{
	ft_model_clear(&older->band);
}

const struct ft__older_type ft__older_band = {band_fit, band_say, band_pool, band_clear};

/* ---- a surface ---------------------------------------------------------------------------------------- */

static enum ft_status surface_fit(struct ft__older *older, const struct ft_surface_observation *o, size_t n,
				  struct ft_err *err)
{
	return ft__surface_fit_kernel(&older->surface, o, n, older->through_speed, &older->kernel, err);
}

static bool surface_say(const struct ft__older *older, const struct ft_surface_observation *o,
			struct ft__said *said)
{
	const struct ft_surface *s = &older->surface;
	const struct ft_surface_knot *knot = ft__surface_find(s, &o->size);
	double x[FT_PARAMS_MAX], sd = 0;

	ft__surface_place(s, &o->size, x);
	*said = (struct ft__said){.offset = s->offset, .at_knot = knot};
	if (knot) {
		said->ln = log(knot->value + s->offset);
		said->runs = (double)knot->runs;
	} else {
		if (!ft__surface_contains(s, &o->size) || !ft__surface_surrounded(s, x) ||
		    ft__surface_error(s, x, &said->ln, &sd, NULL))
			return false;
		said->ln += s->through_speed ? log(o->work) : 0;
		said->runs = INFINITY; /* their noise is in sd */
	}
	said->repeated = said->noise = ft__surface_noise(s, x, NULL);
	said->total = hypot(said->noise * sqrt(1 + 1 / said->runs), sd);
	return true;
}

static struct ft__pool surface_pool(const struct ft__older *older)
{
	struct ft__pool pool = {0};
	size_t i;

	for (i = 0; i < older->surface.n; i++) {
		pool.squares += older->surface.knot[i].scatter;
		pool.freedom += (double)(older->surface.knot[i].runs - 1);
	}
	return pool;
}

static void surface_clear(struct ft__older *older)
{
	ft_surface_clear(&older->surface);
}

const struct ft__older_type ft__older_surface = {surface_fit, surface_say, surface_pool, surface_clear};
