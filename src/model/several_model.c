/* SPDX-License-Identifier: GPL-3.0-or-later */
/* several_model.c - the row of the table of models for several parameters: fits and predicts. */
#include "base/alloc.h"
#include "model/model.h"
#include "num/num.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * A model over several parameters as numbers, and back: what was learned, and the observation at each knot;
 * the rest is computed again.
 */

enum { OF_SITE = 3, OF_TRAITS = 4 * FT_PARAMS_MAX + 7 + FT__FIELD_BINS + 5 };

/* Whether the input could have been learned. */
static bool is_sound(const struct ft__random_field *field)
{
	const struct ft__field_traits *t = &field->traits;
	double sum = field->slope_mean + t->first_bin;
	bool good = t->whole >= 0 && t->whole < 1e3 && t->whole_length > 1e-3 && t->whole_length < 1e3 &&
		    t->usual_step >= 0 && t->usual_step < 1e6 && t->bin >= 0 && t->bin < 1e6 &&
		    field->slope_sd > 0 && field->slope_sd < 1e3 && field->drift >= 0 && field->drift < 1e6;

	good = good && t->ridge >= 0 && t->ridge < 1e3 && t->ridge_length > 1e-3 && t->ridge_length < 1e3;
	for (size_t i = 0; i < field->d; i++)
		good = good && field->most[i] > -1e4 && fabs(t->way[i]) <= 1 && t->slope[i] >= 0 &&
		       t->slope[i] < 1e3 && t->length[i] > 1e-3 && t->length[i] < 1e3;
	for (size_t i = 0; i < FT__FIELD_BINS; i++)
		good = good && t->step[i] >= 0 && t->step[i] < 1e6;
	return good && fabs(sum) < 1e6 && (!field->steps || t->bin > 0);
}

static void pack_field(const struct ft__random_field *field, struct ft__packer *packer)
{
	double traits[OF_TRAITS];

	ft__pack(packer, (double)field->n);
	if (!field->n)
		return;
	const struct ft__field_traits *t = &field->traits;
	size_t at = 0;

	memcpy(traits, t->slope, sizeof t->slope);
	memcpy(traits + (at += FT_PARAMS_MAX), t->length, sizeof t->length);
	memcpy(traits + (at += FT_PARAMS_MAX), t->way, sizeof t->way);
	memcpy(traits + (at += FT_PARAMS_MAX), field->most, sizeof field->most);
	memcpy(traits + (at += FT_PARAMS_MAX), t->step, sizeof t->step);
	at += FT__FIELD_BINS;
	traits[at++] = t->ridge;
	traits[at++] = t->ridge_length;
	traits[at++] = t->whole;
	traits[at++] = t->whole_length;
	traits[at++] = t->usual_step;
	traits[at++] = t->first_bin;
	traits[at++] = t->bin;
	traits[at++] = field->slope_mean;
	traits[at++] = field->slope_sd;
	traits[at++] = field->steps;
	traits[at++] = field->drift;
	traits[at++] = field->cliffs;
	ft__pack_many(packer, traits, OF_TRAITS);
	for (size_t i = 0; i < field->n; i++) {
		for (size_t k = 0; k < field->d; k++)
			ft__pack(packer, field->spot[i].at[k]);
		ft__pack(packer, field->spot[i].memory);
		ft__pack(packer, field->spot[i].reach);
		ft__pack(packer, field->y[i]);
		ft__pack(packer, field->variance[i]);
		ft__pack(packer, field->site[i].scatter);
	}
}

static void several_pack(const struct ft_model *model, struct ft__packer *packer)
{
	const struct ft__several *p = model->state;

	ft__pack(packer, p->caution);
	ft__pack(packer, p->runs.runs);
	ft__pack(packer, p->runs.freedom);
	ft__pack(packer, p->runs.usual);
	ft__pack(packer, p->runs.spike_rate);
	ft__pack(packer, p->runs.spike_ratio);
	ft__pack(packer, (double)p->runs.n);
	ft__pack_many(packer, p->runs.residual, p->runs.n);
	pack_field(&p->footprint, packer);
	ft__pack(packer, (double)p->n_views);
	for (const struct ft__view *view = p->view; view < p->view + p->n_views; view++) {
		ft__pack(packer, view->weight);
		ft__pack_many(packer, view->product, p->d);
		pack_field(&view->field, packer);
		ft__pack(packer, view->inside);
		ft__pack(packer, view->share);
		pack_field(&view->rest, packer);
		if (view->rest.n) {
			/* The data of laws that ft_laws_predict_many and ft_laws_hidden read. */
			ft__pack(packer, view->laws->exact);
			ft__pack_many(packer, view->laws->most, view->laws->params);
			ft__pack_many(packer, view->laws->hidden, view->laws->params);
			ft__pack(packer, (double)view->laws->candidates);
			for (size_t i = 0; i < view->laws->candidates; i++) {
				const struct ft_law_candidate *candidate = &view->laws->candidate[i];

				ft__pack(packer, candidate->weight);
				ft__pack_law(packer, &candidate->law);
				for (size_t k = 0; k <= candidate->law.terms; k++)
					ft__pack_many(packer, candidate->covariance[k],
						      candidate->law.terms + 1);
			}
		}
	}
}

static bool unpack_site(struct ft__random_field *field, size_t i, struct ft__unpacker *from)
{
	struct ft__spot *spot = &field->spot[i];
	bool good = true;

	ft__unpack_many(from, spot->at, field->d);
	spot->memory = ft__unpack(from);
	spot->reach = ft__unpack(from);
	field->y[i] = ft__unpack(from);
	field->variance[i] = ft__unpack(from);
	field->site[i].scatter = ft__unpack(from);
	for (size_t k = 0; k < field->d; k++)
		good = good && fabs(spot->at[k]) < 1e4;
	return good && fabs(spot->memory) < 1e4 && fabs(spot->reach) < 1e4 && fabs(field->y[i]) < 1e4 &&
	       field->variance[i] > 0 && field->variance[i] < 1e6 && field->site[i].scatter > 0 &&
	       field->site[i].scatter < 1e6;
}

/* *good: false where these are no numbers of a field. */
static enum ft_status unpack_field(struct ft__random_field *field, size_t d, struct ft__unpacker *from,
				   bool *good, struct ft_err *err)
{
	static const double one = 0;
	double traits[OF_TRAITS];
	size_t n = ft__unpack_count(from, d + 5), i;
	enum ft_status status = FT_OK;

	ft__field_init(field, d, false, false);
	if (!n || from->failed) {
		*good = !from->failed;
		return FT_OK;
	}
	ft__unpack_many(from, traits, OF_TRAITS);
	struct ft__field_traits *t = &field->traits;
	size_t at = 0;

	memcpy(t->slope, traits, sizeof t->slope);
	memcpy(t->length, traits + (at += FT_PARAMS_MAX), sizeof t->length);
	memcpy(t->way, traits + (at += FT_PARAMS_MAX), sizeof t->way);
	memcpy(field->most, traits + (at += FT_PARAMS_MAX), sizeof field->most);
	memcpy(t->step, traits + (at += FT_PARAMS_MAX), sizeof t->step);
	at += FT__FIELD_BINS;
	t->ridge = traits[at++];
	t->ridge_length = traits[at++];
	t->whole = traits[at++];
	t->whole_length = traits[at++];
	t->usual_step = traits[at++];
	t->first_bin = traits[at++];
	t->bin = traits[at++];
	field->slope_mean = traits[at++];
	field->slope_sd = traits[at++];
	field->steps = traits[at++] != 0;
	field->drift = traits[at++];
	field->cliffs = traits[at++] != 0;
	*good = !from->failed && is_sound(field);
	for (i = 0; i < n && *good && !status; i++) {
		/* All different, so that each is a site of its own. */
		struct ft__spot spot = {{(double)i}, 0, 0};

		status = ft__field_set(field, &spot, 1, &one, 1, err);
	}
	for (i = 0; i < n && *good && !status; i++)
		*good = unpack_site(field, i, from) && !from->failed;
	if (*good && !status)
		ft__field_solve(field);
	return status;
}

static enum ft_status unpack_laws(const struct ft__several *p, struct ft__view *view,
				  struct ft__unpacker *from, bool *good, struct ft_err *err)
{
	struct ft_laws_many *laws = view->laws = ft_calloc(1, sizeof *laws);

	if (!laws)
		return ft_nomem(err);
	laws->params = p->d;
	laws->noise = NAN;
	laws->exact = ft__unpack(from) != 0;
	ft__unpack_many(from, laws->most, p->d <= FT_LAW_PARAMS ? p->d : 0);
	ft__unpack_many(from, laws->hidden, p->d <= FT_LAW_PARAMS ? p->d : 0);
	laws->candidates = ft__unpack_count(from, 4);
	*good = p->d >= 2 && p->d <= FT_LAW_PARAMS && laws->candidates >= 1 &&
		laws->candidates <= FT_LAW_CANDIDATES;
	for (size_t i = 0; *good && i < p->d; i++)
		*good = laws->most[i] > 0 && isfinite(laws->most[i]) && laws->hidden[i] >= 0 &&
			isfinite(laws->hidden[i]);
	for (size_t i = 0; *good && i < laws->candidates; i++) {
		struct ft_law_candidate *candidate = &laws->candidate[i];

		candidate->weight = ft__unpack(from);
		*good = candidate->weight >= 0 && candidate->weight <= 1 && (i || candidate->weight > 0) &&
			ft__unpack_law(from, p->d, FT_LAW_TERMS, &candidate->law);
		for (size_t k = 0; *good && k <= candidate->law.terms; k++) {
			ft__unpack_many(from, candidate->covariance[k], candidate->law.terms + 1);
			for (size_t j = 0; j <= candidate->law.terms; j++)
				*good = *good && isfinite(candidate->covariance[k][j]);
		}
	}
	*good = *good && !from->failed;
	return FT_OK;
}

static enum ft_status unpack_view(const struct ft__several *p, struct ft__view *view, size_t sites,
				  struct ft__unpacker *from, bool *good, struct ft_err *err)
{
	bool product = false;

	view->weight = ft__unpack(from);
	ft__unpack_many(from, view->product, p->d);
	for (size_t i = 0; i < p->d; i++) {
		*good = *good && fabs(view->product[i]) <= FT__PRODUCT_MOST;
		product = product || view->product[i] != 0;
	}
	*good = *good && view->weight > 0 && view->weight <= 1;
	enum ft_status status = *good ? unpack_field(&view->field, p->d, from, good, err) : FT_OK;
	view->field.product = product;
	if (*good && !status) {
		view->inside = ft__unpack(from);
		view->share = ft__unpack(from);
		status = unpack_field(&view->rest, p->d, from, good, err);
		view->rest.product = product;
	}
	if (*good && !status && view->rest.n)
		status = unpack_laws(p, view, from, good, err);
	*good = *good && view->field.n == sites && (!view->rest.n || view->rest.n == sites) &&
		view->share >= 0 && view->share <= 1 && view->inside >= 0 && view->inside <= 1;
	return status;
}

static enum ft_status several_unpack(struct ft_model *model, struct ft__unpacker *from, struct ft_err *err)
{
	enum ft_status status = FT_OK;
	struct ft__several *p = ft_calloc(1, sizeof *p);
	size_t sites = 0;

	if (!p)
		return ft_nomem(err);
	model->state = p;
	ft__several_shape(p, model);
	FT_TRY(ft__several_places(p, model, err));
	for (size_t i = 0; i < model->n; i++)
		sites += p->site[i] != FT__NO_SITE;
	p->caution = ft__unpack(from);
	p->runs.runs = ft__unpack(from);
	p->runs.freedom = ft__unpack(from);
	p->runs.usual = ft__unpack(from);
	p->runs.spike_rate = ft__unpack(from);
	p->runs.spike_ratio = ft__unpack(from);
	p->runs.n = ft__unpack_count(from, 1);
	bool good = !from->failed && p->runs.n <= FT__RESIDUALS && p->caution > 0 && p->caution <= 10 &&
		    p->runs.runs >= 0 && p->runs.runs < 9e15 && p->runs.freedom >= 0 &&
		    p->runs.freedom < 9e15 && p->runs.usual > 0 && p->runs.usual < 1e6;
	ft__unpack_many(from, p->runs.residual, good ? p->runs.n : 0);
	for (size_t i = 0; good && i < p->runs.n; i++)
		good = fabs(p->runs.residual[i]) < 1e6 &&
		       (!i || p->runs.residual[i] >= p->runs.residual[i - 1]);
	if (good)
		ft__scatter_settle(&p->runs);
	if (good)
		status = unpack_field(&p->footprint, p->d, from, &good, err);
	if (good && !status) {
		p->n_views = ft__unpack_count(from, p->d + 4);
		good = p->n_views >= 1 && p->n_views <= FT__VIEWS;
	}
	for (size_t i = 0; i < p->n_views && good && !status; i++) {
		status = unpack_view(p, &p->view[i], sites, from, &good, err);
		p->view[i].field.cliff = p->view[i].rest.cliff = ft__several_cliff(model);
	}
	if (!status && !good)
		return ft_fail(err, FT_EPARSE, "these bytes are no model of this version");
	return status ? status : ft__several_unite(p, model, err);
}

/*
 * The row of the table of models for several parameters: fits and predicts.
 */

/* The confidence of facts, and the share of the sizes they cover. */
static const double fact_confidence = 0.9, smooth_share = 0.95;
static const double astray_scatters = 3; /* one run in 70 lies farther out, of five degrees of freedom */
enum { PLACES = 256 };
static const double work_scatter = 1e-8; /* variance of ln work at a knot: rounding */

static size_t find_knot(const struct ft_model *model, const struct ft_size *size)
{
	size_t i = 0;

	while (i < model->n && !ft_size_equal(&model->knot[i].size, size))
		i++;
	return i;
}

/* ---- predicting
   ------------------------------------------------------------------------------------------ */

/* The prediction of a view at a size: ln value minus ln work, calibrated. knot: the size's; n: it is none. */
static struct ft__known view_at(const struct ft__several *p, const struct ft__view *view,
				const struct ft_model *model, const struct ft_size *size, size_t knot,
				double work)
{
	struct ft__known known;
	double hidden = 0;

	if (knot < model->n && !p->many.m) {
		known = ft__field_site(&view->field, knot);
		if (view->rest.n)
			ft__several_mix(p, view, size, work, ft__field_site(&view->rest, knot), &known);
	} else if (knot < model->n) {
		known = p->seen[knot].known;
	} else {
		struct ft__spot spot = ft__several_spot(p, view, size);
		hidden = ft__field_hidden(&view->field, &spot, NULL);
		known = p->many.m ? ft__many_at(&p->many, &view->field, &spot)
				  : ft__field_at(&view->field, &spot, NULL);
		if (view->rest.n)
			ft__several_mix(p, view, size, work, ft__field_at(&view->rest, &spot, NULL), &known);
	}
	/* The mutual information of sizes says nothing about cliffs outside all of them. */
	hidden = fmin(hidden, known.variance);
	known.variance = p->caution * p->caution * (known.variance - hidden) + hidden;
	return known;
}

/* The prediction of all views: the moments of their mixture. */
static struct ft__known several_at(const struct ft__several *p, const struct ft_model *model,
				   const struct ft_size *size, double work)
{
	size_t knot = find_knot(model, size);
	struct ft__known all = view_at(p, &p->view[0], model, size, knot, work);
	double weight = p->view[0].weight;

	for (size_t i = 1; i < p->n_views; i++) {
		struct ft__known known = view_at(p, &p->view[i], model, size, knot, work);
		double share = p->view[i].weight / (weight += p->view[i].weight), away = known.z - all.z;

		all.z += share * away;
		all.variance += share * (known.variance - all.variance) + share * (1 - share) * away * away;
		all.scatter += share * (known.scatter - all.scatter);
	}
	return all;
}

static enum ft_status check_size(const struct ft__several *p, const struct ft_size *size, struct ft_err *err)
{
	if (size->n != p->params)
		return ft_fail(err, FT_EINVAL, "a size of %zu parameters was given to a model of %zu",
			       size->n, p->params);
	for (size_t k = 0; k < size->n; k++) {
		double v = size->value[k], shift = p->least[k] > 0 ? 0 : 1 - p->least[k];
		bool varies = p->least[k] < p->most[k];

		if (!isfinite(v))
			return ft_fail(err, FT_EINVAL, "a size must be a finite number");
		if (varies ? !(v + shift > 0) : v != p->least[k])
			return ft_fail(err, varies ? FT_EINVAL : FT_ENOMODEL,
				       "there is no run at or around %.12g, but at %.12g .. %.12g", v,
				       p->least[k], p->most[k]);
	}
	return FT_OK;
}

/* The distance from the box: the largest factor of a parameter, ln; inside it, but not among knots, to the
 * nearest of them. */
static double how_far(const struct ft__several *p, const double *x, size_t nearest, bool outside)
{
	double most = 0;

	for (size_t i = 0; i < p->d; i++) {
		size_t k = p->axis[i];
		double range = ft__several_ln(p, k, p->most[k]) - ft__several_ln(p, k, p->least[k]);
		double off = outside ? fmax(x[i] - 1, -x[i]) : fabs(x[i] - p->place[nearest * p->d + i]);

		most = fmax(most, off * range);
	}
	return most;
}

static bool is_outside(const struct ft__several *p, const struct ft_size *size)
{
	for (size_t k = 0; k < p->params; k++)
		if (!(size->value[k] >= p->least[k] && size->value[k] <= p->most[k]))
			return true;
	return false;
}

static enum ft_status set_basis(const struct ft_model *model, const struct ft_size *size,
				struct ft_prediction *out, struct ft_err *err)
{
	const struct ft__several *p = model->state;
	size_t knot = find_knot(model, size), near, wanted = p->d ? 2 * p->d : 1, i, first = 0;
	bool *taken = ft_calloc(model->n, sizeof *taken), outside = is_outside(p, size);
	double x[FT_PARAMS_MAX] = {0};

	if (!taken)
		return ft_nomem(err);
	out->basis = FT_BASIS_AT_KNOT;
	if (knot < model->n) {
		out->runs = model->knot[knot].runs;
		out->limits = model->knot[knot].limits;
		ft_free(taken);
		return FT_OK;
	}
	ft__several_place(p, size, x);
	for (i = 0; i < wanted && i < model->n; i++) {
		near = ft__region_nearest(p->place, model->n, p->d, x, taken);
		first = i ? first : near;
		out->runs += model->knot[near].runs;
		out->limits += model->knot[near].limits;
	}
	ft_free(taken);
	out->basis = FT_BASIS_BETWEEN;
	if (!outside && ft__region_surrounds(p->place, model->n, p->d, x))
		return FT_OK;
	out->basis = FT_BASIS_BEYOND;
	out->distance = exp(how_far(p, x, first, outside));
	return FT_OK;
}

static enum ft_status process_predict(const struct ft_model *model, const struct ft_size *size, double work,
				      double confidence, struct ft_prediction *out, struct ft_err *err)
{
	const struct ft__several *p = model->state;
	double offset = model->facts.offset;
	enum ft_status status = check_size(p, size, err);

	if (!status && model->facts.through_speed && !(work > 0 && isfinite(work)))
		return ft_fail(err, FT_EINVAL, "the work at a size is %g, not positive", work);
	if (!status)
		status = set_basis(model, size, out, err);
	if (status)
		return status;
	work = model->facts.through_speed ? work : 1;
	struct ft__known at = several_at(p, model, size, work);
	double scale = sqrt(at.scatter);
	double typical = at.z + p->runs.median * scale + log(work);
	struct ft__noise noise = ft__noise_known(p->runs.usual, scale, p->runs.freedom);
	scale = fmax(scale, noise.scale * ft__noise_stretch(noise.spread, confidence));
	/* The typical run is only as certain as its noisy runs allow. */
	at.variance += fmin(at.variance, at.scatter) * fmax(0, scale * scale / at.scatter - 1);
	double sd = fmin(ft_normal_quantile((1 + confidence) / 2) * sqrt(at.variance), 2 * FT__LN_MOST);
	double lower = ft__scatter_quantile(&p->runs, (1 - confidence) / 2) * scale;
	double upper = ft__scatter_quantile(&p->runs, (1 + confidence) / 2) * scale;
	out->value = ft__model_value(typical, offset);
	out->lower = ft__model_value(typical - hypot(sd, lower), offset);
	out->upper = ft__model_value(typical + hypot(sd, upper), offset);
	out->known = expm1(fmin(sd, FT__LN_MOST));
	return FT_OK;
}

/* ---- facts ------------------------------------------------------------------------------------------- */

/* The accuracy at a place; a step of its value is no error. */
static double known_at(const struct ft__known *at, double step)
{
	double wide = ft_normal_quantile((1 + fact_confidence) / 2) * sqrt(at->variance);

	return ft__model_beyond_step(expm1(fmin(wide, FT__LN_MOST)), step, ft__model_value(at->z, 0));
}

/* The accuracy at evenly spread sizes among the knots, or at the knots if there are none: known; and minus
 * a step of their values: beyond. If laws are weighed against the field the work there matters; it is only
 * known at the knots, whose logarithms are joined. The least accurate corner of all ranges, measured or
 * not, is noted. */
static enum ft_status known_over(struct ft_model *model, double step, double known[PLACES],
				 double beyond[PLACES], size_t *n, struct ft_err *err)
{
	const struct ft__several *p = model->state;
	bool works = model->facts.through_speed && p->view[0].rest.n;
	struct ft__random_field work = {0};
	struct ft_size size = model->knot[0].size;
	enum ft_status status = FT_OK;
	double x[FT_PARAMS_MAX];
	struct ft__known at;

	ft__field_init(&work, p->d, false, false);
	for (size_t i = 0; i < model->n && works && !status; i++) {
		struct ft__spot spot = ft__several_at_ln(p, &model->knot[i].size);
		double ln = log(model->knot[i].work);

		if (p->site[i] == FT__NO_SITE)
			continue;
		status = ft__field_set(&work, &spot, 1, &ln, 1, err);
		if (!status)
			work.site[work.n - 1].scatter = work_scatter;
	}
	if (works && !status) {
		ft__field_observe(&work);
		ft__field_solve(&work);
	}
	*n = 0;
	for (size_t i = 0; i < PLACES + ((size_t)1 << p->d) && p->d && !status; i++) {
		bool corner = i >= PLACES;

		ft__region_spread(i, p->d, x);
		if (!corner && !ft__region_surrounds(p->place, model->n, p->d, x))
			continue;
		for (size_t k = 0; k < p->d; k++) {
			size_t axis = p->axis[k];
			double from = ft__several_ln(p, axis, p->least[axis]),
			       to = ft__several_ln(p, axis, p->most[axis]);

			size.value[axis] = exp(from + x[k] * (to - from)) - (exp(from) - p->least[axis]);
			if (corner)
				size.value[axis] = (i - PLACES) >> k & 1 ? p->most[axis] : p->least[axis];
		}
		struct ft__spot spot = ft__several_at_ln(p, &size);
		at = several_at(p, model, &size, works ? exp(ft__field_expect(&work, &spot)) : 1);
		if (!corner) {
			known[*n] = known_at(&at, 0);
			beyond[(*n)++] = known_at(&at, step);
		} else if (!(known_at(&at, step) <= model->facts.worst_known)) {
			model->facts.worst_known = known_at(&at, step);
			model->facts.corner = size;
		}
	}
	ft__field_clear(&work);
	bool amid = *n > 0;
	for (size_t i = 0; i < p->view[0].field.n && i < PLACES && !amid && !status; i++) {
		at = ft__field_site(&p->view[0].field, i);
		at.variance *= p->caution * p->caution;
		known[*n] = known_at(&at, 0);
		beyond[(*n)++] = known_at(&at, step);
	}
	return status;
}

/* Whether more sizes than facts leave out lie farther from the curve than the noise, than an uneven curve,
 * and than a step of their values: the curve does not follow them, so its accuracy does not include them.
 * Two of them count as a kind. */
static bool is_astray(const struct ft__several *p, double step)
{
	const struct ft__random_field *field = &p->view[0].field;
	size_t off = 0;

	for (size_t i = 0; i < field->n; i++) {
		double z = ft__field_site(field, i).z;

		off += fabs(field->y[i] - z) > log1p(FT__ROUGH_OVER + step / ft__model_value(z, 0)) +
						       astray_scatters * sqrt(field->site[i].scatter);
	}
	return off > 1 && (double)off > (1 - smooth_share) * (double)field->n;
}

static enum ft_status several_fit(struct ft_model *model, const struct ft__fit *fit, struct ft_err *err)
{
	FT_TRY(ft__several_fit(model, fit, err));
	if (fit->options->brief)
		return FT_OK;
	/* The error of the typical run that 90 % of queries stay below, as over one parameter. */
	double step = model->facts.through_speed ? 0 : fit->options->step;
	const struct ft__several *p = model->state;
	struct ft_model_facts *facts = &model->facts;
	double wide = (ft__scatter_quantile(&p->runs, (1 + fact_confidence) / 2) -
		       ft__scatter_quantile(&p->runs, (1 - fact_confidence) / 2)) /
		      2;
	const struct ft__random_field *field = &p->view[0].field;
	const struct ft__site *middle = &field->site[field->n / 2];
	double places[PLACES], beyond[PLACES], weight[PLACES], known,
		value = ft__model_value(field->y[field->n / 2], 0),
		normal = ft_normal_quantile((1 + fact_confidence) / 2);
	size_t n;

	FT_TRY(known_over(model, step, places, beyond, &n, err));
	known = ft_stats_quantile(beyond, n, smooth_share);
	for (size_t i = 0; i < n; i++) {
		places[i] = log1p(places[i]) / normal;
		weight[i] = 1;
	}
	facts->known = expm1(ft_normals_within(places, weight, n, fact_confidence));
	facts->spike_rate = p->runs.spike_rate;
	facts->spike_ratio = p->runs.spike_ratio;
	if (facts->runs > facts->sizes)
		facts->scatter = expm1(fmin(wide * sqrt(middle->scatter), FT__LN_MOST));
	facts->too_few = facts->sizes < p->d + 3 && !(known <= FT__ROUGH_OVER);
	facts->rough = (known > FT__ROUGH_OVER || is_astray(p, step)) && !facts->too_few;
	facts->noisy = ft__model_beyond_step(facts->scatter, step, value) > FT__NOISY_OVER;
	return FT_OK;
}

static void free_several(void *state)
{
	struct ft__several *p = state;

	if (!p)
		return;
	for (size_t i = 0; i < FT__VIEWS; i++)
		ft__several_clear_view(&p->view[i]);
	ft__field_clear(&p->footprint);
	ft__many_clear(&p->many);
	ft_free(p->site);
	ft_free(p->seen);
	ft_free(p->place);
	ft_free(p);
}

const struct ft_model_type ft__model_process = {
	.name = "process",
	.fit = several_fit,
	.predict = process_predict,
	.pack = several_pack,
	.unpack = several_unpack,
	.free = free_several,
};
