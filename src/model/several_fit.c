/* SPDX-License-Identifier: GPL-3.0-or-later */
/* several_fit.c - a model over several parameters, from samples. */
#include "model/several_model.h"
#include "base/alloc.h"
#include "model/field_work.h"
#include "model/visits.h"
#include "num/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Traits are learned from so many sites at most; then all learn on. */
enum { TUNED = 120, ROUNDS_AFTER = 2 };

/* Products of so many parameters are looked at. */
enum { FACTORS = 3 };

/* doc/constants.md has the row of a table for each. */
static const double square_prior = 0.25; /* of an exponent of 2, by one of 1 */
static const double law_explains = 0.5;  /* its share among the sites: products are not looked at */
static const double view_least = 0.02; /* the least weight of a view that is kept, by that of the likeliest */

enum ft_status ft__several_unite(struct ft__several *p, const struct ft_model *model, struct ft_err *err)
{
	if (p->view[0].field.n == model->n)
		return FT_OK;
	p->seen = ft_calloc(model->n, sizeof *p->seen);
	if (!p->seen)
		return ft_nomem(err);
	for (size_t i = 0; i < model->n; i++) {
		const struct ft_knot *k = &model->knot[i];
		struct ft__seen *seen = &p->seen[i];
		double work = model->facts.through_speed ? k->work : 1;

		seen->spot = p->site[i] < p->view[0].field.n ? p->view[0].field.spot[p->site[i]]
							     : ft__several_spot(p, &p->view[0], &k->size);
		seen->y = log((k->value + model->facts.offset) / work);
		/* Its median is the least that it can be, where runs met a limit. */
		if (k->limits)
			seen->y = fmax(seen->y, ft__field_at(&p->view[0].field, &seen->spot, NULL).z);
		seen->variance = ft__field_scatter(&p->view[0].field, &seen->spot) / (double)k->runs +
				 p->view[0].field.drift;
	}
	return ft__many_make(&p->many, &p->view[0].field, p->seen, model->n, err);
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

	struct ft__random_field *field = &p->view[0].field;

	p->n_views = 1;
	p->view[0].weight = 1;
	ft__field_init(field, p->d, ft__model_has_work(model), true);
	field->steps = p->footprint.n > 0;
	field->cliff = ft__several_cliff(model);
	for (size_t j = 0; j < p->d; j++)
		field->most[j] = ft__several_ln(p, p->axis[j], p->most[p->axis[j]]);
	status = ft__visits_drift(fit->measured, fit->n, model->facts.offset, &field->drift, err);
	for (size_t j = 0; j < model->n && !status; j++) {
		const struct ft_knot *k = &model->knot[j];
		const struct ft_observation *o = fit->observation + from;
		struct ft__spot spot = ft__several_spot(p, &p->view[0], &k->size);
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
			status = ft__field_set(field, &spot, work, scratch, k->runs - k->limits, err);
		if (!status && k->limits)
			status = ft__field_limit(field, &spot, work, scratch + k->runs - k->limits, k->limits,
						 err);
		if (!status) {
			struct ft__site *site = &field->site[field->n - 1];

			site->rounding =
				ft__model_rounding(fit->options->step, k->value + model->facts.offset);
			site->usual = ft__model_usual(fit, from - k->runs, k->runs);
		}
	}
	return status;
}

/* Some of a field's sites, or all of them, spread over all: a field as if nothing had been learned. */
static enum ft_status copy_field(struct ft__random_field *out, const struct ft__random_field *field,
				 size_t most, struct ft_err *err)
{
	enum ft_status status = FT_OK;
	size_t n = field->n < most ? field->n : most;

	ft__field_init(out, field->d, field->slope_mean == 0, field->cliffs);
	out->steps = field->steps;
	out->product = field->product;
	out->cliff = field->cliff;
	out->drift = field->drift;
	memcpy(out->most, field->most, sizeof out->most);
	for (size_t i = 0; i < n && !status; i++) {
		size_t from = n < field->n ? i * (field->n - 1) / (n - 1) : i;
		const struct ft__site *site = &field->site[from];

		status = ft__field_take(out, &field->spot[from], site->work, site, 0, err);
		if (!status) {
			out->site[out->n - 1].rounding = site->rounding;
			out->site[out->n - 1].usual = site->usual;
		}
	}
	return status;
}

/* Traits from sites spread over all of them; *likely: ln of how likely these are by them. */
static enum ft_status tune_traits(struct ft__random_field *field, double *likely, struct ft_err *err)
{
	struct ft__random_field part;

	if (field->n <= TUNED) {
		*likely = ft__field_settle(field);
		return FT_OK;
	}
	enum ft_status status = copy_field(&part, field, TUNED, err);
	if (!status)
		*likely = ft__field_settle(&part);
	field->traits = part.traits;
	for (size_t i = 0; i < field->n && !status; i++)
		field->site[i].scatter = field->site[i].around = ft__field_scatter(&part, &field->spot[i]);
	ft__field_clear(&part);
	if (!status)
		ft__field_heed(field, ROUNDS_AFTER);
	return status;
}

/* ---- cliffs over a product of parameters ----------------------------------------------------------------
 */

/* The number-th product: digits of it are the exponents, and the last one that is not 0 is positive. Returns
 * how usual it is, against one of exponents of 1; 0: it is none, or the power of another one. */
static double product_of(size_t number, size_t d, double *exponent)
{
	double usual = 1;
	size_t factors = 0, ones = 0;

	for (size_t i = 0; i < d; i++, number /= 2 * FT__PRODUCT_MOST + 1) {
		exponent[i] = (double)(number % (2 * FT__PRODUCT_MOST + 1)) - FT__PRODUCT_MOST;
		factors += exponent[i] != 0;
		ones += fabs(exponent[i]) == 1;
		usual *= fabs(exponent[i]) > 1 ? square_prior : 1;
	}
	return ones && factors <= FACTORS ? usual : 0;
}

/* A product that may have a cliff. */
struct suspect {
	double exponent[FT_PARAMS_MAX], usual, evidence;
};

/* Those by which sites are likelier with one cliff than without, the likeliest first: by a field that has
 * hardly learned, for one that has takes a cliff for curves of its own. Returns their number. *all: how usual
 * all products are together. */
static enum ft_status find_suspects(const struct ft__random_field *field, struct suspect *suspect, size_t *n,
				    double *all, struct ft_err *err)
{
	struct ft__random_field draft;
	size_t products = 1, i;
	enum ft_status status = copy_field(&draft, field, TUNED, err);

	for (i = 0; i < field->d; i++)
		products *= 2 * FT__PRODUCT_MOST + 1;
	if (!status)
		ft__field_learn(&draft, ROUNDS_AFTER, false);
	for (size_t number = products / 2 + 1; number < products && !status; number++) {
		struct suspect now = {.evidence = 0};

		now.usual = product_of(number, field->d, now.exponent);
		if (!(now.usual > 0))
			continue;
		*all += now.usual;
		now.evidence = ft__field_step(&draft, now.exponent) + log(now.usual);
		for (i = *n; i && suspect[i - 1].evidence < now.evidence; i--)
			if (i < FT__SUSPECTS)
				suspect[i] = suspect[i - 1];
		if (i < FT__SUSPECTS && now.evidence > 0) {
			suspect[i] = now;
			*n += *n < FT__SUSPECTS;
		}
	}
	ft__field_clear(&draft);
	return status;
}

static int by_weight(const void *a, const void *b)
{
	const struct ft__view *p = a, *q = b;

	return (p->weight < q->weight) - (p->weight > q->weight);
}

/* Where no footprint is known, a product of parameters may stand for it: data over machines. Each is a view
 * of its own, weighed by its evidence: where the cliff lies and how high it is are two numbers more
 * (Schwarz). */
static enum ft_status find_views(struct ft__several *p, double plain, struct ft_err *err)
{
	const struct ft__random_field *field = &p->view[0].field;
	struct suspect suspect[FT__SUSPECTS];
	double all = 0, sum = 0, likely = 0;
	size_t n = 0;
	enum ft_status status = find_suspects(field, suspect, &n, &all, err);

	for (size_t k = 0; k < n && !status; k++) {
		struct ft__view *view = &p->view[p->n_views++];

		memcpy(view->product, suspect[k].exponent, sizeof view->product);
		status = copy_field(&view->field, field, field->n, err);
		view->field.steps = view->field.product = true;
		for (size_t i = 0; i < view->field.n; i++)
			ft__several_product(p, view, &view->field.spot[i]);
		if (!status)
			status = tune_traits(&view->field, &likely, err);
		view->weight = exp(
			fmin(likely - plain + log(suspect[k].usual / all / (double)field->n), FT__LN_MOST));
	}
	qsort(p->view, p->n_views, sizeof *p->view, by_weight);
	while (p->view[p->n_views - 1].weight < view_least * p->view[0].weight)
		ft__several_clear_view(&p->view[--p->n_views]);
	for (size_t i = 0; i < p->n_views; i++)
		sum += p->view[i].weight;
	for (size_t i = 0; i < p->n_views; i++)
		p->view[i].weight /= sum;
	return status;
}

static enum ft_status learn_runs(struct ft__several *p, struct ft_err *err)
{
	const struct ft__random_field *field = &p->view[0].field;
	struct ft__known *known = ft_calloc(field->n, sizeof *known);

	if (!known)
		return ft_nomem(err);
	for (size_t i = 0; i < field->n; i++)
		known[i] = ft__field_site(field, i);
	enum ft_status status = ft__scatter_learn(&p->runs, field->site, known, field->n, err);
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
	return q->d == p->d && (q->footprint.n > 0) == (p->footprint.n > 0) &&
			       memcmp(q->axis, p->axis, p->d * sizeof *p->axis) == 0
		       ? q
		       : NULL;
}

/* A field by its own sites; like: by another one's traits. */
static enum ft_status learn_field(struct ft__random_field *field, const struct ft__random_field *like,
				  double *likely, struct ft_err *err)
{
	if (!like)
		return tune_traits(field, likely, err);
	field->traits = like->traits;
	ft__field_learn(field, ROUNDS_AFTER, false);
	return FT_OK;
}

static enum ft_status learn_several(struct ft__several *p, const struct ft_model *model,
				    const struct ft_model_options *options, struct ft_err *err)
{
	const struct ft__several *like = model_alike(p, options);
	struct ft__view *first = &p->view[0];
	double likely = 0;

	if (like && like->view[0].field.product) {
		memcpy(first->product, like->view[0].product, sizeof first->product);
		first->field.steps = first->field.product = true;
		for (size_t i = 0; i < first->field.n; i++)
			ft__several_product(p, first, &first->field.spot[i]);
	}
	FT_TRY(learn_field(&first->field, like ? &like->view[0].field : NULL, &likely, err));
	if (!options->brief)
		FT_TRY(ft__several_learn_laws(p, first, model, err));
	/* Where a law explains the runs, what speaks for a cliff speaks against curves alone. */
	if (!options->brief && !p->footprint.n && p->d > 1 && first->inside <= law_explains)
		FT_TRY(find_views(p, likely, err));
	for (size_t i = 0; i < p->n_views && !options->brief; i++)
		if (p->view[i].field.product)
			FT_TRY(ft__several_learn_laws(p, &p->view[i], model, err));
	FT_TRY(ft__field_caution(&first->field, &p->caution, err));
	return learn_runs(p, err);
}

static enum ft_status learn_footprints(struct ft__several *p, const struct ft_model_options *options,
				       struct ft_err *err)
{
	const struct ft__several *like = model_alike(p, options);
	double likely;

	return p->footprint.n ? learn_field(&p->footprint, like ? &like->footprint : NULL, &likely, err)
			      : FT_OK;
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
		status = learn_several(p, model, fit->options, err);
	if (!status)
		status = ft__several_unite(p, model, err);
	if (status || fit->options->brief)
		return status;
	return ft__several_facts(model, model->facts.through_speed ? 0 : fit->options->step, err);
}
