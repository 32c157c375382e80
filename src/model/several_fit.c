/* SPDX-License-Identifier: GPL-3.0-or-later */
/* several_fit.c - fits a model over several parameters to samples. */
#include "base/alloc.h"
#include "model/model.h"
#include "num/num.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Places: where sizes lie among the knots, and in a view.
 */

static const double golden = 0.6180339887498949;

void ft__several_shape(struct ft__several *p, const struct ft_model *model)
{
	p->params = model->knot[0].size.n;
	for (size_t k = 0; k < p->params; k++) {
		p->least[k] = INFINITY;
		p->most[k] = -INFINITY;
		for (size_t i = 0; i < model->n; i++) {
			p->least[k] = fmin(p->least[k], model->knot[i].size.value[k]);
			p->most[k] = fmax(p->most[k], model->knot[i].size.value[k]);
		}
		if (p->least[k] < p->most[k])
			p->axis[p->d++] = k;
	}
}

double ft__several_cliff(const struct ft_model *model)
{
	double least = INFINITY, most = -INFINITY;

	for (size_t i = 0; i < model->n; i++) {
		double ln = log(model->knot[i].value + model->facts.offset);

		least = fmin(least, ln);
		most = fmax(most, ln);
	}
	return fmin(FT__CLIFF_SIZE, most - least);
}

/* Sizes of 0 and below are shifted to 1. */
double ft__several_ln(const struct ft__several *p, size_t param, double value)
{
	return log(value + (p->least[param] > 0 ? 0 : 1 - p->least[param]));
}

struct ft__spot ft__several_at_ln(const struct ft__several *p, const struct ft_size *size)
{
	struct ft__spot spot = {{0}, 0, 0};

	for (size_t i = 0; i < p->d; i++)
		spot.at[i] = ft__several_ln(p, p->axis[i], size->value[p->axis[i]]);
	return spot;
}

/* The same of a spot whose footprint is not known, by the view's product alone. To a billionth: what is the
 * same but for rounding is the same. */
static void set_product(const struct ft__several *p, const struct ft__view *view, struct ft__spot *spot)
{
	double sum = 0;

	for (size_t i = 0; i < p->d; i++)
		sum += view->product[i] * spot->at[i];
	spot->memory = spot->reach = round(1e9 * sum) / 1e9;
}

struct ft__spot ft__several_spot(const struct ft__several *p, const struct ft__view *view,
				 const struct ft_size *size)
{
	struct ft__spot spot = ft__several_at_ln(p, size), inside = spot;

	if (!p->footprint.n) {
		set_product(p, view, &spot);
		return spot;
	}
	spot.memory = ft__field_at(&p->footprint, &spot, NULL).z;
	/* Cliffs outside all footprints are searched for among the sizes; farther out, slopes are enough. */
	for (size_t i = 0; i < p->d; i++) {
		double least = ft__several_ln(p, p->axis[i], p->least[p->axis[i]]);
		double most = ft__several_ln(p, p->axis[i], p->most[p->axis[i]]);

		inside.at[i] = fmin(fmax(spot.at[i], least), most);
	}
	struct ft__known known = ft__field_at(&p->footprint, &inside, NULL);
	spot.reach = known.z + sqrt(known.variance);
	return spot;
}

void ft__several_place(const struct ft__several *p, const struct ft_size *size, double *x)
{
	for (size_t i = 0; i < p->d; i++) {
		size_t k = p->axis[i];
		double from = ft__several_ln(p, k, p->least[k]);

		x[i] = (ft__several_ln(p, k, size->value[k]) - from) /
		       (ft__several_ln(p, k, p->most[k]) - from);
	}
}

/* Some knots represent all, chosen by the golden section, so that they follow no period of the sizes. */
enum ft_status ft__several_places(struct ft__several *p, const struct ft_model *model, struct ft_err *err)
{
	size_t n = 0;

	p->place = ft_calloc(model->n * p->d + 1, sizeof *p->place);
	p->site = ft_calloc(model->n, sizeof *p->site);
	if (!p->place || !p->site)
		return ft_nomem(err);
	for (size_t i = 0; i < model->n; i++) {
		double turn = golden * (double)i;
		bool stands = model->n <= FT__FIELD_DENSE ||
			      (turn - floor(turn)) * (double)model->n < FT__FIELD_FEW;

		ft__several_place(p, &model->knot[i].size, p->place + i * p->d);
		p->site[i] = stands ? n++ : FT__NO_SITE;
	}
	return FT_OK;
}

void ft__several_clear_view(struct ft__view *view)
{
	ft__field_clear(&view->field);
	ft__field_clear(&view->rest);
	ft_free(view->laws);
	*view = (struct ft__view){0};
}

/*
 * Laws as the mean of a model over several parameters: their residuals are a field as well, and both are
 * weighted by how well those of the inner knots predict the outer ones.
 */

/* doc/constants-build.md has the row of a table for each. */
static const double outer_share = 0.75; /* of the box, in any parameter: outside it are the outer knots */
static const double tests_most = 8;     /* they lie side by side and err together */
static const double miss_freedom = 4;
static const double least_error = 0.02; /* deviation: more accuracy is never needed */
static const double lively_slope_sd = 0.1, rest_slope_sd = 0.02, rest_calm = 0.01;
static const double law_price = 0.5; /* for each term and constant, in ln of the number of sites */
static const double law_belief = 3;  /* ln of the odds against one: lines along each parameter obey many */
static const double law_odds = 4; /* ln of the odds for a law outside the data, where a field has no shape */
static const double edge = 0.3;   /* ln of the distance over which the one share becomes the other */
static const double law_doubt = 0.05; /* outside the data a law may end: deviation per unit of ln size */
enum { INNER_LEAST = 6, TURNS = 4, ROUNDS = 4, LAWS_ROUNDS_AFTER = 2 };

/* The square of a size's distance from the knots: ln. */
static double far_beyond(const struct ft__several *p, const struct ft_size *size)
{
	double square = 0;

	for (size_t i = 0; i < p->d; i++) {
		double v = size->value[p->axis[i]], least = p->least[p->axis[i]], most = p->most[p->axis[i]];

		square += pow(fmax(0, fmax(log(v / most), log(least / v))), 2);
	}
	return square;
}

static void along_axes(const struct ft__several *p, const struct ft_size *size, double x[FT_LAW_PARAMS])
{
	for (size_t i = 0; i < FT_LAW_PARAMS; i++)
		x[i] = i < p->d ? size->value[p->axis[i]] : 0;
}

static bool law_at(const struct ft_laws_many *laws, const struct ft__several *p, const struct ft_size *size,
		   double *ln, double *variance)
{
	struct ft_law_prediction predicted;
	double x[FT_LAW_PARAMS];

	along_axes(p, size, x);
	if (ft_laws_predict_many(laws, x, 0.9, FT_LAW_MEAN, &predicted, NULL) || !(predicted.lower > 0) ||
	    !isfinite(predicted.upper))
		return false;
	*ln = log(predicted.value);
	*variance = pow(log(predicted.upper / predicted.lower) / 2 / ft_normal_quantile(0.95), 2);
	return true;
}

/* The laws of those knots that are wanted; NULL: all. Of a view that found a cliff over a product it is taken
 * off before: no law has one. FT_ENOMODEL: there are none. */
static enum ft_status find_laws(struct ft_laws_many *laws, const struct ft__several *p,
				const struct ft__view *view, const struct ft_model *model, const bool *wanted,
				struct ft_err *err)
{
	const struct ft__random_field *field = &view->field;
	struct ft_law_place *place = ft_calloc(model->n, sizeof *place);
	size_t n = 0;

	if (!place)
		return ft_nomem(err);
	for (size_t i = 0; i < model->n; i++) {
		if (wanted && !wanted[i])
			continue;
		for (size_t k = 0; k < p->d; k++)
			place[n].x[k] = model->knot[i].size.value[p->axis[k]];
		double steps = 0;
		for (size_t j = 0; field->product && j < field->n && p->site[i] != FT__NO_SITE; j++)
			steps += field->alpha[j] * ft__field_steps(field, field->spot[p->site[i]].memory,
								   field->spot[j].memory);
		place[n++].value = model->knot[i].value * exp(-steps);
	}
	enum ft_status status = ft_laws_fit_many(laws, place, n, p->d, NULL);
	ft_free(place);
	return status == FT_ENOMEM ? ft_nomem(err) : status ? FT_ENOMODEL : FT_OK;
}

/* A field of some sites of another one, minus the law (NULL: nothing is subtracted), equally smooth. */
static enum ft_status field_of(struct ft__random_field *out, const struct ft__several *p,
			       const struct ft__view *view, const struct ft_model *model, const bool *wanted,
			       const struct ft_laws_many *laws, struct ft_err *err)
{
	enum ft_status status = FT_OK;

	ft__field_init(out, p->d, laws || view->field.slope_mean == 0, true);
	out->steps = view->field.steps;
	out->product = view->field.product;
	out->cliff = view->field.cliff;
	memcpy(out->most, view->field.most, sizeof out->most);
	out->drift = view->field.drift;
	out->slope_sd = laws ? lively_slope_sd : out->slope_sd;
	out->traits = view->field.traits;
	for (size_t i = 0; i < model->n && !status; i++) {
		const struct ft__site *site = &view->field.site[p->site[i] == FT__NO_SITE ? 0 : p->site[i]];
		double law = log(site->work), variance;

		if (p->site[i] == FT__NO_SITE || (wanted && !wanted[i]))
			continue;
		if (laws && !law_at(laws, p, &model->knot[i].size, &law, &variance))
			return FT_ENOMODEL;
		status = ft__field_take(out, &view->field.spot[p->site[i]], 1, site, law, err);
		if (!status)
			out->site[out->n - 1].scatter = out->site[out->n - 1].around = site->scatter;
	}
	return status;
}

/* The residuals of a good law are almost zero. */
static void calm_down(struct ft__random_field *rest)
{
	rest->calm = rest_calm;
	rest->slope_sd = rest_slope_sd;
	for (size_t i = 0; i < rest->d; i++)
		rest->traits.slope[i] *= rest_calm;
	rest->traits.whole *= rest_calm;
	rest->traits.ridge *= rest_calm;
}

/* ---- the test ---------------------------------------------------------------------------------------- */

/* Find the inner knots. Returns how many. */
static size_t find_inner(const struct ft__several *p, const struct ft_model *model, bool *inner)
{
	size_t n = 0;

	for (size_t i = 0; i < model->n; i++) {
		inner[i] = true;
		for (size_t k = 0; k < p->d; k++)
			inner[i] = inner[i] && p->place[i * p->d + k] < outer_share;
		n += inner[i];
	}
	return n;
}

/* ln of how likely the outer knots are, by a field and a law of the inner ones, for a knot. */
static double score_outer(const struct ft__several *p, const struct ft__view *view,
			  const struct ft_model *model, const bool *inner,
			  const struct ft__random_field *field, const struct ft_laws_many *laws)
{
	double sum = 0, n = 0;

	for (size_t i = 0; i < model->n; i++) {
		size_t s = p->site[i];
		double law = 0, variance = 0;

		if (inner[i] || s == FT__NO_SITE)
			continue;
		if (laws && !law_at(laws, p, &model->knot[i].size, &law, &variance))
			return -INFINITY;
		law -= laws ? log(view->field.site[s].work) : 0;
		struct ft__known known = ft__field_at(field, &view->field.spot[s], NULL);
		variance += known.variance + view->field.variance[s] + least_error * least_error;
		double off = view->field.y[s] - known.z - law;
		sum -= (miss_freedom + 1) / 2 * log1p(off * off / variance / miss_freedom) +
		       log(variance) / 2;
		n++;
	}
	return sum / n;
}

/* The share of the laws. FT_ENOMEM. */
static enum ft_status try_out(const struct ft__several *p, struct ft__view *view,
			      const struct ft_model *model, struct ft_err *err)
{
	bool *inner = ft_calloc(model->n, sizeof *inner);
	struct ft_laws_many *laws = ft_calloc(1, sizeof *laws);
	struct ft__random_field plain = {0}, rest = {0};
	enum ft_status status = inner && laws ? FT_OK : ft_nomem(err);
	size_t n = status ? 0 : find_inner(p, model, inner);

	view->share = view->inside;
	if (!status && n >= INNER_LEAST && n < model->n) {
		status = find_laws(laws, p, view, model, inner, err);
		if (!status)
			status = field_of(&rest, p, view, model, inner, laws, err);
		if (status == FT_ENOMODEL)
			view->share = 0;
		if (!status)
			status = field_of(&plain, p, view, model, inner, NULL, err);
		if (!status) {
			double tests = fmin((double)(model->n - n), tests_most);

			calm_down(&rest);
			ft__field_learn(&plain, LAWS_ROUNDS_AFTER, false);
			ft__field_learn(&rest, TURNS, false);
			view->share = 1 / (1 + exp(tests * (score_outer(p, view, model, inner, &plain, NULL) -
							    score_outer(p, view, model, inner, &rest, laws)) -
						   law_odds));
		}
	}
	ft__field_clear(&plain);
	ft__field_clear(&rest);
	ft_free(laws);
	ft_free(inner);
	return status == FT_ENOMEM ? status : FT_OK;
}

/* ---- all together ------------------------------------------------------------------------------------ */

/* Laws are of two to FT_LAW_PARAMS parameters that are over 0, and of values that are. */
static bool may_have_laws(const struct ft__several *p, const struct ft_model *model)
{
	for (size_t i = 0; i < p->d; i++)
		if (!(p->least[p->axis[i]] > 0))
			return false;
	return p->d >= 2 && p->d <= FT_LAW_PARAMS && model->facts.offset == 0;
}

/* several_learn_laws - once the view's field has learned. FT_ENOMEM. (several_fit.c) */
static enum ft_status several_learn_laws(const struct ft__several *p, struct ft__view *view,
					 const struct ft_model *model, struct ft_err *err)
{
	if (!may_have_laws(p, model))
		return FT_OK;
	view->laws = ft_calloc(1, sizeof *view->laws);
	if (!view->laws)
		return ft_nomem(err);
	enum ft_status status = find_laws(view->laws, p, view, model, NULL, err);
	if (status) {
		ft_free(view->laws);
		view->laws = NULL;
		return status == FT_ENOMODEL ? FT_OK : status;
	}
	status = field_of(&view->rest, p, view, model, NULL, view->laws, err);
	for (size_t turn = 0; turn < TURNS && !status; turn++)
		ft__field_learn(&view->rest, ROUNDS, turn + 1 < TURNS);
	/* All sites made the law: among them it is weighed with a rest as lively as any field, which is what
	 * keeps a sum from being taken for the product that agrees with it on all lines measured. */
	if (!status) {
		/* The share of the laws among the sites. They were found in all of them: that costs them something. */
		double freedom = 1 + (double)view->laws->candidate[0].law.terms;
		double less = ft__field_score(&view->field) - ft__field_score(&view->rest) +
			      law_price * freedom * log((double)view->field.n) + law_belief;

		view->inside = 1 / (1 + exp(fmin(less, FT__LN_MOST)));
		calm_down(&view->rest);
		ft__field_learn(&view->rest, ROUNDS, false);
		status = try_out(p, view, model, err);
	}
	if (status == FT_ENOMODEL)
		ft__field_clear(&view->rest);
	return status == FT_ENOMODEL ? FT_OK : status;
}

void ft__several_mix(const struct ft__several *p, const struct ft__view *view, const struct ft_size *size,
		     double work, struct ft__known other, struct ft__known *known)
{
	double law, variance, away,
		far = far_beyond(p, size), x[FT_LAW_PARAMS],
		share = view->inside + (view->share - view->inside) * -expm1(-sqrt(far) / edge);

	/* The field's slopes are those of the data as well: what grows there unseen is in neither. */
	along_axes(p, size, x);
	known->variance += pow(ft_laws_hidden(view->laws, x), 2);
	if (!law_at(view->laws, p, size, &law, &variance))
		return;
	other.z += law - log(work);
	other.variance += variance + law_doubt * law_doubt * far;
	away = other.z - known->z;
	known->z += share * away;
	known->variance =
		share * other.variance + (1 - share) * known->variance + share * (1 - share) * away * away;
}

/*
 * Fits a model over several parameters to samples.
 */

/* The most sites that traits are learned from; afterwards all sites are used. */
enum { TUNED = 120, ROUNDS_AFTER = 2 };

/* The most parameters of a product. */
enum { FACTORS = 3 };

/* doc/constants-build.md has the row of a table for each. */
static const double square_prior = 0.25; /* of an exponent of 2, relative to 1 */
static const double law_explains = 0.5;  /* its share among the sites: products are not looked at */
/* The least weight of a view that is kept, relative to the likeliest. */
static const double view_least = 0.02;

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

/* Some of a field's sites, evenly spread, or all of them: a field without anything learned. */
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

/* Products by which sites are likelier with one cliff than without, the likeliest first: by a field that
 * has hardly learned, since a learned one takes a cliff for curves of its own. Returns their number. *all:
 * how usual all products are together. */
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

/* If no footprint is known, a product of parameters may stand for it: data over machines. Each is a view
 * of its own, weighted by its evidence: position and height of the cliff are two more parameters
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
			set_product(p, view, &view->field.spot[i]);
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

/* The model whose traits can be reused: one over the same parameters. A model whose runs varied in fewer
 * of them has no information about the rest. */
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
			set_product(p, first, &first->field.spot[i]);
	}
	FT_TRY(learn_field(&first->field, like ? &like->view[0].field : NULL, &likely, err));
	if (!options->brief)
		FT_TRY(several_learn_laws(p, first, model, err));
	/* If a law explains the runs, evidence for a cliff is evidence against curves alone. */
	if (!options->brief && !p->footprint.n && p->d > 1 && first->inside <= law_explains)
		FT_TRY(find_views(p, likely, err));
	for (size_t i = 0; i < p->n_views && !options->brief; i++)
		if (p->view[i].field.product)
			FT_TRY(several_learn_laws(p, &p->view[i], model, err));
	FT_TRY(ft__field_caution(&first->field, &p->caution, err));
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
	if (!status) {
		/* Footprints, where at least one is known. */
		size_t from = 0;

		ft__field_init(&p->footprint, p->d, false, false);
		for (size_t j = 0; j < model->n && !status; j++) {
			struct ft__spot spot = ft__several_at_ln(p, &model->knot[j].size);
			double ln = footprint_of(fit->observation + from, model->knot[j].runs, scratch);

			from += model->knot[j].runs;
			if (!isnan(ln) && p->site[j] != FT__NO_SITE)
				status = ft__field_set(&p->footprint, &spot, 1, &ln, 1, err);
		}
	}
	if (!status) {
		const struct ft__several *like = model_alike(p, fit->options);
		double likely;

		status = p->footprint.n
				 ? learn_field(&p->footprint, like ? &like->footprint : NULL, &likely, err)
				 : FT_OK;
	}
	if (!status)
		status = tell_runs(p, model, fit, scratch, err);
	ft_free(scratch);
	if (!status)
		status = learn_several(p, model, fit->options, err);
	if (!status)
		status = ft__several_unite(p, model, err);
	return status;
}
