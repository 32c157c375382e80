/* SPDX-License-Identifier: GPL-3.0-or-later */
/* several_fit.c - a model over several parameters, from samples. */
#include "model/several_model.h"
#include "base/alloc.h"
#include "model/field_work.h"
#include "model/visits.h"
#include "num/stats.h"

#include <math.h>
#include <string.h>

/* Traits are learned from so many sites at most; then all learn on. */
enum { TUNED = 120, ROUNDS_AFTER = 2 };

enum ft_status ft__several_unite(struct ft__several *p, const struct ft_model *model, struct ft_err *err)
{
	if (p->field.n == model->n)
		return FT_OK;
	p->seen = ft_calloc(model->n, sizeof *p->seen);
	if (!p->seen)
		return ft_nomem(err);
	for (size_t i = 0; i < model->n; i++) {
		const struct ft_knot *k = &model->knot[i];
		struct ft__seen *seen = &p->seen[i];
		double work = model->facts.through_speed ? k->work : 1;

		seen->spot =
			p->site[i] < p->field.n ? p->field.spot[p->site[i]] : ft__several_spot(p, &k->size);
		seen->y = log((k->value + model->facts.offset) / work);
		/* Its median is the least that it can be, where runs met a limit. */
		if (k->limits)
			seen->y = fmax(seen->y, ft__field_at(&p->field, &seen->spot, NULL).z);
		seen->variance = ft__field_scatter(&p->field, &seen->spot) / (double)k->runs + p->field.drift;
	}
	return ft__many_make(&p->many, &p->field, p->seen, model->n, err);
}

/* The median footprint of some runs; NaN where none is known. scratch [n] */
static double footprint_of(const struct ft_observation *o, size_t n, double *scratch)
{
	size_t known = 0;

	for (size_t i = 0; i < n; i++)
		if (o[i].memory > 0 && isfinite(o[i].memory) && !o[i].censored)
			scratch[known++] = log(o[i].memory);
	return known ? ft_stats_median(scratch, known) : (double)NAN;
}

/* Footprints, where at least one is known. */
static enum ft_status tell_footprints(struct ft__several *p, const struct ft_model *model,
				      const struct ft__fit *fit, double *scratch, struct ft_err *err)
{
	enum ft_status status = FT_OK;
	size_t from = 0;

	ft__field_init(&p->footprint, p->d, false, false);
	for (size_t j = 0; j < model->n && !status; j++) {
		struct ft__spot spot = ft__several_at_ln(p, &model->knot[j].size);
		double ln = footprint_of(fit->observation + from, model->knot[j].runs, scratch);

		from += model->knot[j].runs;
		if (!isnan(ln) && p->site[j] != FT__NO_SITE)
			status = ft__field_set(&p->footprint, &spot, 1, &ln, 1, err);
	}
	return status;
}

static enum ft_status tell_runs(struct ft__several *p, const struct ft_model *model,
				const struct ft__fit *fit, double *scratch, struct ft_err *err)
{
	enum ft_status status = FT_OK;
	size_t from = 0;

	ft__field_init(&p->field, p->d, ft__model_has_work(model), true);
	p->field.steps = p->footprint.n > 0;
	p->field.cliff = ft__several_cliff(model);
	for (size_t j = 0; j < p->d; j++)
		p->field.most[j] = ft__several_ln(p, p->axis[j], p->most[p->axis[j]]);
	status = ft__visits_drift(fit->measured, fit->n, model->facts.offset, &p->field.drift, err);
	for (size_t j = 0; j < model->n && !status; j++) {
		const struct ft_knot *k = &model->knot[j];
		const struct ft_observation *o = fit->observation + from;
		struct ft__spot spot = ft__several_spot(p, &k->size);
		double measured = footprint_of(o, k->runs, scratch), work;

		from += k->runs;
		if (p->site[j] == FT__NO_SITE)
			continue;
		if (!isnan(measured)) {
			spot.memory = measured;
			spot.reach = measured;
		}
		for (size_t i = 0; i < k->runs; i++)
			scratch[i] = log(o[i].value + model->facts.offset);
		work = model->facts.through_speed ? k->work : 1;
		if (k->runs > k->limits)
			status = ft__field_set(&p->field, &spot, work, scratch, k->runs - k->limits, err);
		if (!status && k->limits)
			status = ft__field_limit(&p->field, &spot, work, scratch + k->runs - k->limits,
						 k->limits, err);
		if (!status) {
			struct ft__site *site = &p->field.site[p->field.n - 1];

			site->rounding =
				ft__model_rounding(fit->options->step, k->value + model->facts.offset);
			site->usual = ft__model_usual(fit, from - k->runs, k->runs);
		}
	}
	return status;
}

/* Traits from sites spread over all of them. */
static enum ft_status tune_traits(struct ft__random_field *field, struct ft_err *err)
{
	struct ft__random_field part = *field;
	enum ft_status status = FT_OK;

	if (field->n <= TUNED) {
		ft__field_settle(field);
		return FT_OK;
	}
	ft__field_init(&part, field->d, field->slope_mean == 0, field->cliffs);
	part.steps = field->steps;
	part.drift = field->drift;
	for (size_t i = 0; i < TUNED && !status; i++) {
		const struct ft__site *site = &field->site[i * (field->n - 1) / (TUNED - 1)];

		status = ft__field_take(&part, &field->spot[site - field->site], site->work, site, 0, err);
		if (!status)
			part.site[part.n - 1].rounding = site->rounding;
	}
	if (!status)
		ft__field_settle(&part);
	field->traits = part.traits;
	for (size_t i = 0; i < field->n && !status; i++)
		field->site[i].scatter = field->site[i].around = ft__field_scatter(&part, &field->spot[i]);
	ft__field_clear(&part);
	if (!status)
		ft__field_heed(field, ROUNDS_AFTER);
	return status;
}

static enum ft_status learn_runs(struct ft__several *p, struct ft_err *err)
{
	struct ft__known *known = ft_calloc(p->field.n, sizeof *known);

	if (!known)
		return ft_nomem(err);
	for (size_t i = 0; i < p->field.n; i++)
		known[i] = ft__field_site(&p->field, i);
	enum ft_status status = ft__scatter_learn(&p->runs, p->field.site, known, p->field.n, err);
	ft_free(known);
	return status;
}

/* Whose traits serve: those of a model over the same parameters. One in whose runs fewer of them varied knows
 * nothing of the others. */
static const struct ft__several *model_alike(const struct ft__several *p,
					     const struct ft_model_options *options)
{
	const struct ft_model *like = options->brief ? options->like : NULL;

	if (!like || like->type != &ft__model_process)
		return NULL;
	const struct ft__several *q = like->state;
	return q->d == p->d && q->field.steps == (p->footprint.n > 0) &&
			       memcmp(q->axis, p->axis, p->d * sizeof *p->axis) == 0
		       ? q
		       : NULL;
}

/* A field by its own sites; like: by another one's traits. */
static enum ft_status learn_field(struct ft__random_field *field, const struct ft__random_field *like,
				  struct ft_err *err)
{
	if (!like)
		return tune_traits(field, err);
	field->traits = like->traits;
	ft__field_learn(field, ROUNDS_AFTER, false);
	return FT_OK;
}

static enum ft_status learn_several(struct ft__several *p, const struct ft_model_options *options,
				    struct ft_err *err)
{
	const struct ft__several *like = model_alike(p, options);
	enum ft_status status = learn_field(&p->field, like ? &like->field : NULL, err);

	if (!status)
		status = ft__field_caution(&p->field, &p->caution, err);
	return status ? status : learn_runs(p, err);
}

static enum ft_status learn_footprints(struct ft__several *p, const struct ft_model_options *options,
				       struct ft_err *err)
{
	const struct ft__several *like = model_alike(p, options);

	return p->footprint.n ? learn_field(&p->footprint, like ? &like->footprint : NULL, err) : FT_OK;
}

enum ft_status ft__several_fit(struct ft_model *model, const struct ft__fit *fit, struct ft_err *err)
{
	struct ft__several *p = ft_calloc(1, sizeof *p);
	double *scratch = ft_calloc(fit->n, sizeof *scratch);
	enum ft_status status = p && scratch ? FT_OK : ft_nomem(err);

	model->state = p;
	if (!status) {
		ft__several_shape(p, model);
		status = ft__several_places(p, model, err);
	}
	if (!status)
		status = tell_footprints(p, model, fit, scratch, err);
	if (!status)
		status = learn_footprints(p, fit->options, err);
	if (!status)
		status = tell_runs(p, model, fit, scratch, err);
	ft_free(scratch);
	if (!status)
		status = learn_several(p, fit->options, err);
	if (!status)
		status = ft__several_unite(p, model, err);
	if (status || fit->options->brief)
		return status;
	status = ft__several_learn_laws(p, model, err);
	if (!status)
		status = ft__several_facts(model, model->facts.through_speed ? 0 : fit->options->step, err);
	return status;
}
