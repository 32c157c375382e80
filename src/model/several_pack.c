/* SPDX-License-Identifier: GPL-3.0-or-later */
/* several_pack.c - a model over several parameters as numbers, and back: what was learned, and what is seen
 * at each knot; what follows from that is made again. */
#include "model/several_model.h"
#include "base/alloc.h"

#include <math.h>
#include <string.h>

enum { OF_SITE = 3, OF_TRAITS = 4 * FT_PARAMS_MAX + 7 + FT__FIELD_BINS + 5 };

static void traits_to(const struct ft__random_field *field, double *n)
{
	const struct ft__field_traits *t = &field->traits;
	size_t at = 0;

	memcpy(n, t->slope, sizeof t->slope);
	memcpy(n + (at += FT_PARAMS_MAX), t->length, sizeof t->length);
	memcpy(n + (at += FT_PARAMS_MAX), t->way, sizeof t->way);
	memcpy(n + (at += FT_PARAMS_MAX), field->most, sizeof field->most);
	memcpy(n + (at += FT_PARAMS_MAX), t->step, sizeof t->step);
	at += FT__FIELD_BINS;
	n[at++] = t->ridge;
	n[at++] = t->ridge_length;
	n[at++] = t->whole;
	n[at++] = t->whole_length;
	n[at++] = t->usual_step;
	n[at++] = t->first_bin;
	n[at++] = t->bin;
	n[at++] = field->slope_mean;
	n[at++] = field->slope_sd;
	n[at++] = field->steps;
	n[at++] = field->drift;
	n[at++] = field->cliffs;
}

static void traits_from(struct ft__random_field *field, const double *n)
{
	struct ft__field_traits *t = &field->traits;
	size_t at = 0;

	memcpy(t->slope, n, sizeof t->slope);
	memcpy(t->length, n + (at += FT_PARAMS_MAX), sizeof t->length);
	memcpy(t->way, n + (at += FT_PARAMS_MAX), sizeof t->way);
	memcpy(field->most, n + (at += FT_PARAMS_MAX), sizeof field->most);
	memcpy(t->step, n + (at += FT_PARAMS_MAX), sizeof t->step);
	at += FT__FIELD_BINS;
	t->ridge = n[at++];
	t->ridge_length = n[at++];
	t->whole = n[at++];
	t->whole_length = n[at++];
	t->usual_step = n[at++];
	t->first_bin = n[at++];
	t->bin = n[at++];
	field->slope_mean = n[at++];
	field->slope_sd = n[at++];
	field->steps = n[at++] != 0;
	field->drift = n[at++];
	field->cliffs = n[at++] != 0;
}

/* Whether what was read could have been learned. */
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
	traits_to(field, traits);
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

/* Of the laws what ft_laws_predict_many and ft_laws_hidden read. */
static void pack_laws(const struct ft_laws_many *laws, struct ft__packer *packer)
{
	ft__pack(packer, laws->exact);
	ft__pack_many(packer, laws->most, laws->params);
	ft__pack_many(packer, laws->hidden, laws->params);
	ft__pack(packer, (double)laws->candidates);
	for (size_t i = 0; i < laws->candidates; i++) {
		const struct ft_law_candidate *candidate = &laws->candidate[i];

		ft__pack(packer, candidate->weight);
		ft__pack_law(packer, &candidate->law);
		for (size_t k = 0; k <= candidate->law.terms; k++)
			ft__pack_many(packer, candidate->covariance[k], candidate->law.terms + 1);
	}
}

void ft__several_pack(const struct ft_model *model, struct ft__packer *packer)
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
		if (view->rest.n)
			pack_laws(view->laws, packer);
	}
}

static bool unpack_scatter(struct ft__several *p, struct ft__unpacker *from)
{
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
	return good;
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
	traits_from(field, traits);
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

enum ft_status ft__several_unpack(struct ft_model *model, struct ft__unpacker *from, struct ft_err *err)
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
	bool good = unpack_scatter(p, from);
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
