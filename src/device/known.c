/* SPDX-License-Identifier: GPL-3.0-or-later */
/* known.c - what the models say of each device at the sizes that may be asked about. */
#include "base/alloc.h"
#include "device/chooser.h"
#include "device/doubt.h"
#include "num/stats.h"

#include <math.h>
#include <string.h>

/* Intervals of a model are asked for at this confidence. */
static const double confidence = 0.9;

static enum ft_status fit_rival(const struct ft_chooser *c, const struct ft__rival *rival,
				enum ft__rival_told what, const struct ft__rival_run *also,
				struct ft_model **out, struct ft_err *err)
{
	struct ft_observation *all = ft_calloc(rival->n + 1, sizeof *all);
	const struct ft_model_options options = {.axis = c->axis, .n_axes = c->n_axes};
	size_t i;

	*out = NULL;
	if (!all)
		return ft_nomem(err);
	for (i = 0; i < rival->n + (also != NULL); i++) {
		const struct ft__rival_run *seen = i < rival->n ? &rival->seen[i] : also;

		all[i] = (struct ft_observation){.size = seen->size, .work = 1, .value = seen->told[what]};
	}
	enum ft_status status = ft_model_fit(out, all, i, &options, err);
	ft_free(all);
	return status;
}

/* What the model says, and less surely the farther from the rival's runs, and perhaps one more. */
static enum ft_status ask_rival(const struct ft_chooser *c, const struct ft__rival *rival,
				const struct ft__rival_run *also, const struct ft_model *model,
				const struct ft_size *size, double *mean, double *error, struct ft_err *err)
{
	struct ft__apart apart;
	struct ft_prediction p;

	FT_TRY(ft_model_predict(model, size, NAN, confidence, &p, err));
	*mean = log(fmax(p.value, 1e-300));
	*error = (isnan(p.known) ? log(1.2) : log1p(p.known)) / ft_normal_quantile((1 + confidence) / 2);
	ft__apart_begin(&apart, size, c->axis, c->n_axes);
	for (size_t i = 0; i < rival->n; i++)
		ft__apart_run(&apart, &rival->seen[i].size);
	if (also)
		ft__apart_run(&apart, &also->size);
	*error = ft__doubted(&apart, *error);
	return FT_OK;
}

enum ft_status ft__rival_believe(const struct ft_chooser *chooser, const struct ft__rival *rival,
				 const struct ft__rival_run *also, struct ft__belief *out, struct ft_err *err)
{
	struct ft_model *model;
	enum ft_status status = fit_rival(chooser, rival, FT__VALUE, also, &model, err);

	for (size_t i = 0; i < chooser->n_places && !status; i++)
		status = ask_rival(chooser, rival, also, model, &chooser->place[i].size, &out->mean[i],
				   &out->error[i], err);
	ft_model_free(model);
	return status;
}

/* Typical values of what was told, at n sizes. */
static enum ft_status typical_values(const struct ft_chooser *c, const struct ft__rival *rival,
				     enum ft__rival_told what, double *out, struct ft_err *err)
{
	struct ft_model *model;
	struct ft_prediction p;
	enum ft_status status = fit_rival(c, rival, what, NULL, &model, err);

	for (size_t i = 0; i < c->n_places && !status; i++) {
		status = ft_model_predict(model, &c->place[i].size, NAN, confidence, &p, err);
		out[i] = status ? (double)NAN : p.value;
	}
	ft_model_free(model);
	return status;
}

enum ft_status ft__rival_cost(const struct ft_chooser *chooser, struct ft__rival *rival, struct ft_err *err)
{
	enum ft_status status = FT_OK;

	if (chooser->options.by_value)
		status = typical_values(chooser, rival, FT__SECONDS, rival->seconds, err);
	else
		for (size_t i = 0; i < chooser->n_places; i++)
			rival->seconds[i] = exp(rival->belief.mean[i]);
	if (!status && chooser->options.watts > 0)
		status = typical_values(chooser, rival, FT__WATTS, rival->watts, err);
	return status;
}

/* Whether a device draws no more than it may; chooser->options.watts > 0. */
static enum ft_status check_watts(const struct ft_chooser *c, const struct ft__rival *rival,
				  const struct ft_size *size, bool *may, struct ft_err *err)
{
	struct ft_model *model;
	struct ft_prediction p;
	enum ft_status status = fit_rival(c, rival, FT__WATTS, NULL, &model, err);

	if (!status)
		status = ft_model_predict(model, size, NAN, confidence, &p, err);
	*may = !status && p.value <= c->options.watts;
	ft_model_free(model);
	return status;
}

enum ft_status ft__rival_at(const struct ft_chooser *chooser, const struct ft__rival *rival,
			    const struct ft_size *size, struct ft_standing *out, struct ft_err *err)
{
	bool may = rival->n && ft__rival_may(rival, size);
	struct ft_model *model = NULL;
	enum ft_status status = FT_OK;
	double mean = 0;

	*out = (struct ft_standing){INFINITY, 0, 0};
	if (may && chooser->options.watts > 0)
		status = check_watts(chooser, rival, size, &may, err);
	if (status || !may)
		return status;
	status = fit_rival(chooser, rival, FT__VALUE, NULL, &model, err);
	if (!status)
		status = ask_rival(chooser, rival, NULL, model, size, &mean, &out->error, err);
	if (!status)
		out->value = exp(mean);
	ft_model_free(model);
	return status;
}

bool ft__rival_may(const struct ft__rival *rival, const struct ft_size *size)
{
	if (rival->gone || !rival->failed.n)
		return !rival->gone;
	for (size_t i = 0; i < size->n; i++)
		if (size->value[i] < rival->failed.value[i])
			return true;
	return false;
}

size_t ft__chooser_stand(const struct ft_chooser *chooser, size_t place, struct ft_standing *standing,
			 double *loss)
{
	for (size_t j = 0; j < chooser->options.n_devices; j++) {
		const struct ft__rival *rival = &chooser->rival[j];
		bool may = rival->n && ft__rival_may(rival, &chooser->place[place].size) &&
			   (!(chooser->options.watts > 0) || rival->watts[place] <= chooser->options.watts);

		standing[j] = (struct ft_standing){may ? exp(rival->belief.mean[place]) : INFINITY,
						   rival->belief.error[place], 0};
	}
	return ft_stand(standing, chooser->options.n_devices, loss);
}
