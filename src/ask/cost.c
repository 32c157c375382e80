/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cost.c - a model as a cost: what one size takes, and what keeps it from being one at all. */
#include "ask/cost.h"
#include "ask/request.h"

#include <math.h>
#include <stdio.h>

/* Rough curves are planned with what a share of runs is above, when no risk was named. */
static const double rough_risk = 0.05, usual_memory_risk = 0.01;

const char *ft_cost_end_text(enum ft_cost_end end)
{
	static const char *const text[] = {
#define TEXT(name, words) words,
		FT_COST_END_LIST(TEXT)
#undef TEXT
	};

	return text[end];
}

static bool is_rough(struct ft_answerer *answerer, const struct ft_resource *resource,
		     const struct ft_size *size)
{
	const struct ft_model_record *record;

	return ft__ask_has_value(answerer, resource) &&
	       !ft_ask_model(answerer, resource, size, &record, NULL) && ft_model_facts(record->model)->rough;
}

/* What it may need: its part of what was stated, else of what the machine has; INFINITY where its need is not
 * known. */
static double memory_of(const struct ft_answerer *answerer, const struct ft__costing *c)
{
	double bytes = c->options.memory_bytes > 0 ? c->options.memory_bytes
						   : (double)ft_ask_answered_machine(answerer)->memory_bytes;

	if (!c->memory || !(bytes > 0))
		return INFINITY;
	return bytes / (c->options.processors > 1 ? (double)c->options.processors : 1);
}

enum ft_status ft__costing_init(struct ft__costing *c, struct ft_answerer *answerer,
				const struct ft_size *size, size_t varying,
				const struct ft_cost_options *options, struct ft_err *err)
{
	*c = (struct ft__costing){
		.answerer = answerer, .size = *size, .varying = varying, .failing = INFINITY, .cap = NAN};
	if (options)
		c->options = *options;
	if (!c->options.resource)
		c->options.resource = &ft_wall_s;
	if (!(c->options.memory_risk > 0))
		c->options.memory_risk = usual_memory_risk;
	if (!(c->options.risk >= 0 && c->options.risk <= 0.25) || c->options.memory_risk > 0.25) {
		(void)ft_fail(err, FT_EINVAL, "a risk of %g is not within 0 and 25 %%",
			      fmax(c->options.risk, c->options.memory_risk));
		return ft_remedy(err, "state the share of runs that may need more, as in 5%%");
	}
	c->risk = c->options.risk;
	c->rough = is_rough(answerer, c->options.resource, size);
	if (c->rough && !(c->risk > 0))
		c->risk = rough_risk;
	c->memory = ft__ask_has_value(answerer, &ft_peak_tree_bytes)  ? &ft_peak_tree_bytes
		    : ft__ask_has_value(answerer, &ft_peak_rss_bytes) ? &ft_peak_rss_bytes
								      : NULL;
	c->memory_bytes = memory_of(answerer, c);
	const struct ft_run *failing = ft_runs_failing(&answerer->runs, varying, size);
	if (failing)
		c->failing = failing->size.value[varying];
	return FT_OK;
}

/* One-sided: the upper end, which a share `risk` of single runs is above. */
static enum ft_status upper_cost(struct ft__costing *c, double risk, double *value, struct ft_err *err)
{
	struct ft_prediction at;
	enum ft_status status;

	risk = fmax(risk, FT_COST_RAREST);
	if (ft__ask_has_value(c->answerer, c->options.resource))
		status = ft__request_upper(c->answerer, c->options.resource, &c->size, risk, &at, value, err);
	else {
		status = ft_ask_predict(c->answerer, c->options.resource, &c->size, fmin(0.999, 1 - 2 * risk),
					&at, err);
		*value = at.upper;
	}
	if (status || !isnan(*value))
		return status;
	(void)ft_fail(err, FT_ENOMODEL, "what was stated of '%s' was never tried: it has no risk",
		      c->answerer->program.name);
	return ft_remedy(err, "try it with foretime build or run --save, or plan without --risk");
}

/* Far beyond the data intervals of memory grow wide where memory does not grow: the question of the largest
 * size knows that. */
static enum ft_status find_cap(struct ft__costing *c, struct ft_err *err)
{
	struct ft_limit limit = {.most = c->memory_bytes};
	struct ft_largest found;

	limit.resource = c->memory;
	enum ft_status status = ft_ask_largest(c->answerer, &limit, 1, &c->size, c->varying,
					       fmin(0.9995, 1 - c->options.memory_risk), &found, err);
	c->cap = status || found.kind == FT_LARGEST_NONE         ? 0
		 : found.kind == FT_LARGEST_FOUND && limit.binds ? found.size.value[c->varying]
								 : (double)INFINITY;
	return status;
}

static enum ft_status fits_memory(struct ft__costing *c, bool *fits, struct ft_err *err)
{
	struct ft_prediction at;
	double need;

	*fits = true;
	if (isinf(c->memory_bytes))
		return FT_OK;
	enum ft_status status =
		ft__request_upper(c->answerer, c->memory, &c->size, c->options.memory_risk, &at, &need, err);
	*fits = !status && need <= c->memory_bytes;
	if (status || *fits)
		return status;
	if (isnan(c->cap))
		status = find_cap(c, err);
	*fits = !status && c->size.value[c->varying] <= c->cap;
	return status;
}

/* Whether the constraint is met: what it cannot say of a size is no. */
static enum ft_status meets_where(struct ft__costing *c, bool *meets, struct ft_err *err)
{
	enum ft_status status = ft_ask_admits(c->answerer, &c->size, NULL);

	*meets = !status;
	return status == FT_ENOMEM ? ft_nomem(err) : FT_OK;
}

static enum ft_status typical_cost(struct ft__costing *c, double *value, struct ft_err *err)
{
	struct ft_prediction at;
	enum ft_status status = ft_ask_predict(c->answerer, c->options.resource, &c->size, 0.9, &at, err);

	*value = at.value;
	return status;
}

enum ft_status ft__costing_at(struct ft__costing *c, double x, double *value, enum ft_cost_end *end,
			      struct ft_err *err)
{
	bool good;

	c->size.value[c->varying] = x;
	*value = INFINITY;
	*end = FT_COST_FAILED;
	if (x >= c->failing)
		return FT_OK;
	*end = FT_COST_WHERE;
	enum ft_status status = meets_where(c, &good, err);
	if (status || !good)
		return status;
	*end = FT_COST_MEMORY;
	status = fits_memory(c, &good, err);
	if (status || !good)
		return status;
	status = c->risk > 0 ? upper_cost(c, c->risk, value, err) : typical_cost(c, value, err);
	*end = c->options.most > 0 && *value > c->options.most ? FT_COST_LIMIT : FT_COST_NONE;
	if (status || *end)
		*value = INFINITY;
	return status;
}

enum ft_status ft_cost_at(struct ft_answerer *answerer, const struct ft_size *size, size_t varying,
			  const struct ft_cost_options *options, double *value, enum ft_cost_end *end,
			  struct ft_err *err)
{
	struct ft__costing c;
	enum ft_cost_end why;
	enum ft_status status = ft__costing_init(&c, answerer, size, varying, options, err);

	*value = INFINITY;
	return status ? status : ft__costing_at(&c, size->value[varying], value, end ? end : &why, err);
}
