/* SPDX-License-Identifier: GPL-3.0-or-later */
/* any.c - what samples obey, whichever class is asked for. */
#include "base/alloc.h"
#include "foretime/law.h"
#include "foretime/units.h"

#include <math.h>
#include <string.h>

/* A law that misses the sizes by more than this is none, unless single runs scatter as much. */
static const double most_misfit = 0.5;

static void take_many(struct ft_law_any *out)
{
	const struct ft_laws_many *many = &out->multi;

	out->law = many->candidate[0].law;
	out->sizes = many->places;
	out->misfit = many->misfit;
	out->noise = many->noise;
	out->residual = many->residual;
	out->residual_ln = many->residual_ln;
	out->exact = many->exact;
}

static void take_laws(struct ft_law_any *out)
{
	const struct ft_laws *laws = &out->laws;

	out->law = laws->law;
	out->sizes = laws->sizes;
	out->misfit = laws->misfit;
	out->noise = laws->noise;
	out->residual = laws->residual;
	out->residual_ln = laws->residual_ln;
	out->exact = laws->exact;
}

static void take_sums(struct ft_law_any *out)
{
	const struct ft_law_sums *sums = &out->sums;

	out->law = sums->candidate[0].law;
	out->sizes = sums->sizes;
	out->misfit = sums->misfit;
	out->noise = sums->noise;
	out->residual = sums->residual;
	out->residual_ln = NAN;
}

static void take_named(struct ft_law_any *out)
{
	const struct ft_law_named *named = &out->named;

	out->law = named->law;
	out->sizes = named->sizes;
	out->misfit = named->mean_error;
	out->noise = named->noise;
	out->residual = named->residual;
	out->residual_ln = named->residual_ln;
}

static enum ft_status check_misfit(const struct ft_law_any *found, const char *what, struct ft_err *err)
{
	char share[FT_UNIT_LENGTH];

	if (!(found->misfit > fmax(most_misfit, isnan(found->noise) ? 0 : found->noise)))
		return FT_OK;
	(void)ft_fail(err, FT_ENOMODEL, "%s obeys no law: the nearest one misses the sizes by %s", what,
		      ft_share_format(found->misfit, share));
	return ft_remedy(err, "plot the runs; where another parameter changes between them, name it too, or "
			      "fit a part of the sizes");
}

/* Of one parameter. */
static enum ft_status fit_one(struct ft_law_any *out, const struct ft_law_place *place, size_t n,
			      size_t terms, struct ft_err *err)
{
	const struct ft_law_options options = {.terms = terms};
	struct ft_law_sample *sample = ft_calloc(n + 1, sizeof *sample);
	enum ft_status status;

	if (!sample)
		return ft_nomem(err);
	for (size_t i = 0; i < n; i++)
		sample[i] = (struct ft_law_sample){place[i].x[0], place[i].value};
	if (out->kind == FT_LAW_LAWS) {
		status = ft_laws_fit(&out->laws, sample, n, &options, err);
		take_laws(out);
	} else if (out->kind == FT_LAW_SIGNED) {
		status = ft_law_sums_fit(&out->sums, sample, n, err);
		take_sums(out);
	} else {
		status = ft_law_named_fit(&out->named, out->kind, 0, sample, n, err);
		take_named(out);
	}
	ft_free(sample);
	return status;
}

enum ft_status ft_law_any_fit(struct ft_law_any *out, enum ft_law_kind kind,
			      const struct ft_law_place *sample, size_t n, size_t params, size_t terms,
			      const char *what, struct ft_err *err)
{
	enum ft_status status;

	memset(out, 0, sizeof *out);
	out->kind = kind;
	out->many = params > 1;
	if (out->many) {
		status = ft_laws_fit_many(&out->multi, sample, n, params, err);
		take_many(out);
	} else {
		status = fit_one(out, sample, n, terms, err);
	}
	return !status && kind == FT_LAW_LAWS ? check_misfit(out, what, err) : status;
}

enum ft_status ft_law_any_predict(const struct ft_law_any *found, const double *x, double confidence,
				  enum ft_law_of of, struct ft_law_prediction *out, struct ft_err *err)
{
	if (found->many)
		return ft_laws_predict_many(&found->multi, x, confidence, of, out, err);
	if (found->kind == FT_LAW_LAWS)
		return ft_laws_predict(&found->laws, x[0], confidence, of, out, err);
	return found->kind == FT_LAW_SIGNED
		       ? ft_law_sums_predict(&found->sums, x[0], confidence, of, out, err)
		       : ft_law_named_predict(&found->named, x[0], confidence, of, out, err);
}

bool ft_law_any_power(const struct ft_law_any *found, double confidence, struct ft_law_number *out)
{
	if (found->many || found->kind == FT_LAW_SIGNED)
		return false;
	return found->kind == FT_LAW_LAWS ? ft_laws_power(&found->laws, confidence, out)
					  : ft_law_named_power(&found->named, confidence, out);
}
