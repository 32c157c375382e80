/* SPDX-License-Identifier: GPL-3.0-or-later */
/* runs.c - from the runs of a program to the samples that a model is fitted to. */
#include "foretime/expr.h"
#include "foretime/model.h"
#include "foretime/units.h"
#include "base/alloc.h"
#include "model/change.h"

#include <math.h>
#include <string.h>

/* The parsed work of a program, or NULL where it states none. */
static enum ft_status parse_work(const struct ft_program *program, struct ft_expr **work, struct ft_err *err)
{
	*work = NULL;
	return program->work ? ft_expr_new(work, program->work, err) : FT_OK;
}

static enum ft_status eval_work(const struct ft_expr *expr, const struct ft_program *program,
				const struct ft_size *size, double *work, struct ft_err *err)
{
	const char *name[FT_PARAMS_MAX];
	char where[256];
	enum ft_status status;
	size_t i;

	*work = NAN;
	if (!expr)
		return FT_OK;
	for (i = 0; i < program->n_params; i++)
		name[i] = program->param[i].name;
	status = ft_expr_eval(expr, name, size->value, program->n_params, work, err);
	if (status)
		return status;
	if (*work > 0)
		return FT_OK;
	(void)ft_size_format(program, size, where, sizeof where);
	ft_fail(err, FT_EINVAL, "the work '%s' is %g at %s, and must be positive", program->work, *work,
		where);
	return ft_remedy(err, "change the range, or the expression after --work");
}

enum ft_status ft_program_work(const struct ft_program *program, const struct ft_size *size, double *work,
			       struct ft_err *err)
{
	struct ft_expr *expr;
	enum ft_status status = parse_work(program, &expr, err);

	*work = NAN;
	if (!status)
		status = eval_work(expr, program, size, work, err);
	ft_expr_free(expr);
	return status;
}

static bool belongs(const struct ft_run *run, size_t varying, const struct ft_size *fixed)
{
	size_t i;

	if (run->outcome != FT_DONE || run->warmup || run->size.n != fixed->n)
		return false;
	for (i = 0; i < fixed->n; i++)
		if (i != varying && run->size.value[i] != fixed->value[i])
			return false;
	return true;
}

/* The samples of a resource; *reported is false when some run did not report its work. */
static size_t collect(const struct ft_runs *runs, size_t varying, const struct ft_size *fixed,
		      const char *resource, struct ft_surface_observation *out, size_t *index, bool *reported)
{
	size_t i, n = 0;

	*reported = true;
	for (i = 0; i < runs->n; i++) {
		const struct ft_run *run = &runs->run[i];
		double value = ft_run_value(run, resource);

		if (!belongs(run, varying, fixed) || isnan(value))
			continue;
		index[n] = i;
		out[n++] = (struct ft_surface_observation){{1, {run->size.value[varying]}}, run->work, value};
		*reported = *reported && run->work > 0;
	}
	return n;
}

/* No run has what is asked for: there is none at all, or none with these values of the other parameters. */
static enum ft_status refuse(const struct ft_program *program, size_t varying, const struct ft_size *fixed,
			     const struct ft_runs *runs, const char *resource, struct ft_err *err)
{
	const struct ft_size *other = NULL;
	char value[FT_NUMBER_LENGTH];
	size_t i;

	for (i = 0; i < runs->n && !other; i++)
		if (belongs(&runs->run[i], varying, &runs->run[i].size) &&
		    !isnan(ft_run_value(&runs->run[i], resource)))
			other = &runs->run[i].size;
	for (i = 0; other && i < fixed->n && i < program->n_params; i++) {
		if (i == varying || other->value[i] == fixed->value[i])
			continue;
		(void)ft_number_format(fixed->value[i], value);
		ft_fail(err, FT_ENOMODEL, "no run that ended well has %s=%s", program->param[i].name, value);
		(void)ft_number_format(other->value[i], value);
		(void)ft_remedy(err, "there are runs at %s=%s; measure more with foretime build",
				program->param[i].name, value);
		return FT_ENOMODEL;
	}
	return ft_fail(err, FT_ENOMODEL, "no run that ended well has a value of %s", resource);
}

static enum ft_status set_works(struct ft_surface_observation *o, const size_t *index, size_t n,
				bool reported, const struct ft_program *program, const struct ft_runs *runs,
				struct ft_err *err)
{
	struct ft_expr *expr;
	enum ft_status status = parse_work(program, &expr, err);
	size_t i;

	for (i = 0; i < n && !status; i++) {
		if (expr)
			status = eval_work(expr, program, &runs->run[index[i]].size, &o[i].work, err);
		else if (!reported)
			o[i].work = 1;
	}
	ft_expr_free(expr);
	return status;
}

/* The bands of the documents' builders are theirs. */
static enum ft_join join_of(const struct ft_program *program)
{
	const char *method = program->method;

	return method && (!strcmp(method, "gbbp") || !strcmp(method, "naive")) ? FT_JOIN_SPEED : FT_JOIN_BEST;
}

enum ft_status ft_model_fit_runs(struct ft_model *out, const struct ft_program *program, size_t varying,
				 const struct ft_size *fixed, const struct ft_runs *runs,
				 const char *resource, struct ft_err *err)
{
	const struct ft_resource *known = ft_resource_find(resource);
	struct ft_surface_observation *o = ft_calloc(runs->n, sizeof *o);
	struct ft__older older = {
		.type = &ft__older_band, .through_speed = known && known->is_time, .join = join_of(program)};
	size_t *index = ft_calloc(runs->n, sizeof *index), n;
	struct ft_change drift = {0};
	enum ft_status status;
	bool reported;

	*out = (struct ft_model){0};
	if (!o || !index) {
		status = ft_nomem(err);
		goto out;
	}
	n = collect(runs, varying, fixed, resource, o, index, &reported);
	if (!n) {
		status = refuse(program, varying, fixed, runs, resource, err);
		goto out;
	}
	status = set_works(o, index, n, reported, program, runs, err);
	if (!status)
		status = ft__change_settle(o, index, &n, &older, &drift, err);
	if (!status)
		status = ft__older_fit_band(out, o, n, older.through_speed, older.join, err);
	if (!status && drift.runs) {
		out->change = drift;
		out->change.since_ns = runs->run[index[n - drift.runs]].started_ns;
	}
out:
	ft_free(o);
	ft_free(index);
	return status;
}
