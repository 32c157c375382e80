/* SPDX-License-Identifier: GPL-3.0-or-later */
/* several_laws.c - laws as the mean of a model over several parameters: what they leave over is a field as
 * well, and both are weighed by how well those of the inner knots foretell the outer ones. */
#include "model/types.h"
#include "model/several_model.h"
#include "base/alloc.h"
#include "model/field_work.h"
#include "num/stats.h"

#include <math.h>
#include <string.h>

/* doc/constants.md has the row of a table for each. */
static const double outer_share = 0.75; /* of the box, in any parameter: beyond it lie the outer knots */
static const double tests_most = 8;     /* they lie side by side and err together */
static const double miss_freedom = 4;
static const double least_error = 0.02; /* deviation: nobody asks for better */
static const double lively_slope_sd = 0.1, rest_slope_sd = 0.02, rest_calm = 0.01;
static const double law_price = 0.5;  /* for each term and constant, in ln of the number of sites */
static const double law_belief = 3;   /* ln of the odds against one: lines along each parameter obey many */
static const double law_odds = 4;     /* ln of the odds for one beyond the data, where a field has no shape */
static const double edge = 0.3;       /* ln of the distance over which the one share becomes the other */
static const double law_doubt = 0.05; /* beyond the data a law may end: deviation for a unit of ln size */
enum { INNER_LEAST = 6, TURNS = 4, ROUNDS = 4, ROUNDS_AFTER = 2 };

/* How far a size lies beyond the knots, squared: ln. */
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
	struct ft_law_prediction said;
	double x[FT_LAW_PARAMS];

	along_axes(p, size, x);
	if (ft_laws_predict_many(laws, x, 0.9, FT_LAW_MEAN, &said, NULL) || !(said.lower > 0) ||
	    !isfinite(said.upper))
		return false;
	*ln = log(said.value);
	*variance = pow(log(said.upper / said.lower) / 2 / ft_normal_quantile(0.95), 2);
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

/* A field of some sites of another one, less the law (NULL: nothing is taken off), as smooth as it. */
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

/* What a law leaves over is nearly nothing, if it is one. */
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

/* Which knots are inner ones. Returns how many. */
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
			ft__field_learn(&plain, ROUNDS_AFTER, false);
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

/* The share of the laws among the sites. They were found in all of them: that costs them something. */
static void weigh_inside(struct ft__view *view)
{
	double freedom = 1 + (double)view->laws->candidate[0].law.terms;
	double less = ft__field_score(&view->field) - ft__field_score(&view->rest) +
		      law_price * freedom * log((double)view->field.n) + law_belief;

	view->inside = 1 / (1 + exp(fmin(less, FT__LN_MOST)));
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

enum ft_status ft__several_learn_laws(const struct ft__several *p, struct ft__view *view,
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
		weigh_inside(view);
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
