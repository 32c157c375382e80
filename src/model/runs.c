/* SPDX-License-Identifier: GPL-3.0-or-later */
/* runs.c - turns the runs of a program into the samples that a model is fitted to. */
#include "base/alloc.h"
#include "base/text.h"
#include "facts/door.h"
#include "foretime/base.h"
#include "foretime/model.h"
#include "model/model.h"

#include <math.h>
#include <stdio.h>
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

	*work = NAN;
	if (!expr)
		return FT_OK;
	for (size_t i = 0; i < program->n_params; i++)
		name[i] = program->param[i].name;
	FT_TRY(ft_expr_eval(expr, name, size->value, program->n_params, work, err));
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

/* The request: a resource of a program, as a function of some parameters, the others fixed. */
struct wish {
	const struct ft_program *program;
	const struct ft_resource *resource;
	const struct ft_size *fixed;
	bool varies[FT_PARAMS_MAX];
	bool several;
};

static struct wish wish_of(const struct ft_program *program, const struct ft_resource *resource,
			   const struct ft_size *fixed, const struct ft_model_options *options)
{
	struct wish wish = {program, resource, fixed, {!options->axis}, options->axis && options->n_axes > 1};

	for (size_t i = 0; options->axis && i < options->n_axes; i++)
		wish.varies[options->axis[i]] = true;
	return wish;
}

/* Its value, or the limit that it met; NaN: neither. */
static double value_of(const struct wish *wish, const struct ft_run *run)
{
	return run->outcome == FT_DONE ? ft_run_idle_value(run, wish->resource)
				       : ft_run_limit(run, wish->resource);
}

static bool belongs_to_wish(const struct wish *wish, const struct ft_run *run, const struct ft_size *fixed)
{
	if (run->warmup || run->size.n != fixed->n)
		return false;
	for (size_t i = 0; i < fixed->n; i++)
		if (!wish->varies[i] && run->size.value[i] != fixed->value[i])
			return false;
	return !isnan(value_of(wish, run));
}

/* Times have cliffs where caches and memory end. What else is modelled, memory above all, does not depend on
 * the footprint; it may be the footprint. */
static double footprint_of(const struct wish *wish, const struct ft_run *run)
{
	double bytes = wish->resource->of == FT_CLASS_TIME ? ft_run_footprint(run) : 0;

	return bytes > 0 ? bytes : 0;
}

/* Whether a run that is as large in every parameter ended well. */
static bool is_survived(const struct ft_runs *runs, const struct ft_size *size)
{
	size_t p;

	for (size_t i = 0; i < runs->n; i++) {
		const struct ft_run *run = &runs->run[i];

		if (run->outcome != FT_DONE || run->size.n != size->n)
			continue;
		for (p = 0; p < size->n && run->size.value[p] >= size->value[p];)
			p++;
		if (p == size->n)
			return true;
	}
	return false;
}

/* The usual noise of runs like this one: by their duration, and the background load. */
static double noise_of(const struct wish *wish, const struct ft_run *run)
{
	double seconds = ft_run_value(run, &ft_wall_s);

	if (!(seconds > 0))
		seconds = ft_run_value(run, &ft_cpu_s);
	return ft__noise_usual(wish->resource->of, seconds,
			       run->processors ? fmax(0, ft_run_runnable(run)) / run->processors
					       : (double)NAN);
}

/* Nodes and users only need to be distinguished. */
static unsigned number_of(const char *text)
{
	unsigned number = text ? (unsigned)ft_hash_text(text) : 0;

	return text && !number ? 1 : number;
}

/* The samples of a resource; *reported is false when some run that ended did not report its work. */
static size_t collect_samples(const struct wish *wish, const struct ft_runs *runs, struct ft_observation *out,
			      bool *reported)
{
	double most_done = -INFINITY; /* with one parameter it is equivalent to is_survived */
	size_t n = 0;

	*reported = true;
	for (size_t i = 0; i < runs->n; i++)
		if (runs->run[i].outcome == FT_DONE)
			most_done = fmax(most_done, runs->run[i].size.value[0]);
	for (size_t i = 0; i < runs->n; i++) {
		const struct ft_run *run = &runs->run[i];
		bool ended = run->outcome == FT_DONE;

		if (!belongs_to_wish(wish, run, wish->fixed))
			continue;
		/* A run that was killed for memory, when none as large ended well, is no censored sample:
		 * how much more it needed was never observed, and requests refuse such sizes
		 * (ft_runs_killer). */
		if (run->outcome == FT_OUT_OF_MEMORY &&
		    (run->size.value[0] > most_done || (run->size.n > 1 && !is_survived(runs, &run->size))))
			continue;
		out[n++] = (struct ft_observation){run->size,
						   run->work,
						   value_of(wish, run),
						   run->started_ns,
						   ended ? footprint_of(wish, run) : 0,
						   !ended,
						   noise_of(wish, run),
						   number_of(run->node),
						   number_of(run->user)};
		*reported = *reported && (run->work > 0 || !ended);
	}
	return n;
}

/* Every run met a limit: a bound is known, and no more. */
static enum ft_status refuse_limits(const struct wish *wish, const struct ft_observation *o, size_t n,
				    struct ft_err *err)
{
	bool memory = wish->resource->of == FT_CLASS_MEMORY;
	char bound[FT_UNIT_LENGTH];
	double least = INFINITY;

	for (size_t i = 0; i < n; i++)
		least = fmin(least, o[i].value);
	(void)ft_value_format(least, wish->resource->unit, bound);
	if (n == 1)
		(void)ft_fail(err, FT_ENOMODEL, "the only run met a limit: %s is at least %s",
			      wish->resource->name, bound);
	else
		(void)ft_fail(err, FT_ENOMODEL, "all %zu runs met a limit: %s is at least %s", n,
			      wish->resource->name, bound);
	return ft_remedy(err, memory ? "give runs more memory, or measure smaller sizes"
				     : "allow runs more time, or measure smaller sizes");
}

/* No run has the requested resource: there is none at all, or none with these values of the other
   parameters. */
static enum ft_status refuse_wish(const struct wish *wish, const struct ft_runs *runs, struct ft_err *err)
{
	const struct ft_program *program = wish->program;
	const struct ft_size *other = NULL, *fixed = wish->fixed;
	char value[FT_NUMBER_LENGTH];

	if (!wish->resource->predicted)
		return ft_fail(err, FT_ENOMODEL,
			       "%s describes what was done to a run, and does not predict other runs",
			       wish->resource->name);
	for (size_t i = 0; i < runs->n && !other; i++)
		if (belongs_to_wish(wish, &runs->run[i], &runs->run[i].size))
			other = &runs->run[i].size;
	for (size_t i = 0; other && i < fixed->n && i < program->n_params; i++) {
		if (wish->varies[i] || other->value[i] == fixed->value[i])
			continue;
		(void)ft_number_format(fixed->value[i], value);
		ft_fail(err, FT_ENOMODEL, "no run that ended well has %s=%s", program->param[i].name, value);
		(void)ft_number_format(other->value[i], value);
		(void)ft_remedy(err, "there are runs at %s=%s; measure more with foretime build",
				program->param[i].name, value);
		return FT_ENOMODEL;
	}
	return ft_fail(err, FT_ENOMODEL, "no run that ended well has a value of %s", wish->resource->name);
}

/* The work at each sample's size. What runs report of theirs is not known at other sizes: over several
 * parameters only an expression serves. */
static enum ft_status set_works(const struct wish *wish, struct ft_observation *o, size_t *n, bool reported,
				struct ft_err *err)
{
	struct ft_expr *expr;
	enum ft_status status = parse_work(wish->program, &expr, err);
	size_t kept = 0;

	for (size_t i = 0; i < *n && !status; i++) {
		if (expr)
			status = eval_work(expr, wish->program, &o[i].size, &o[i].work, err);
		else if (!reported || wish->several)
			o[i].work = 1;
		/* A run that met a limit reported no work: take that of another run of its size. */
		for (size_t k = 0; k < *n && !status && !(o[i].work > 0); k++)
			if (!o[k].censored && ft_size_equal(&o[k].size, &o[i].size))
				o[i].work = o[k].work;
	}
	for (size_t i = 0; i < *n && !status; i++)
		if (!o[i].censored || o[i].work > 0)
			o[kept++] = o[i];
	*n = status ? *n : kept;
	ft_expr_free(expr);
	return status;
}

/* The bands of the documents' builders are theirs. */
static const char *type_of(const struct wish *wish)
{
	static const char *const banded[] = {"gbbp", "gbbp_naive", "naive", "naive_bisect", "rand"};
	const char *method = wish->program->method;

	for (size_t i = 0; i < sizeof banded / sizeof *banded && method && !wish->several; i++)
		if (!strcmp(method, banded[i]))
			return "band";
	return NULL;
}

/* Whether a run's value comes from a clock of whole seconds: its label marks it as an estimate. */
static bool is_coarse(const struct ft_run *run, const struct ft_resource *resource)
{
	for (size_t i = 0; i < run->n_samples; i++)
		if (run->sample[i].resource == resource)
			return run->sample[i].label == FT_ESTIMATED && fmod(run->sample[i].value, 1) == 0;
	return false;
}

/* Events come one by one, memory by pages and files by blocks, where all values are multiples of these; time
 * flows, but for clocks. */
static double step_of(const struct wish *wish, const struct ft_runs *runs, const struct ft_observation *o,
		      size_t n)
{
	static const double page_bytes = 4096;
	const char *unit = wish->resource->unit;
	double step = !*unit ? 1 : !strcmp(unit, "bytes") ? page_bytes : 0;

	if (wish->resource->of == FT_CLASS_TIME) {
		/* Both the start and the end of a run are rounded down by such a clock: twice the variance of rounding. */
		for (size_t i = 0; i < runs->n; i++)
			if (is_coarse(&runs->run[i], wish->resource) &&
			    belongs_to_wish(wish, &runs->run[i], wish->fixed))
				return sqrt(2);
		return 0;
	}
	for (size_t i = 0; i < n && step > 0; i++)
		if (!o[i].censored && fmod(o[i].value, step) != 0)
			return 0;
	return step;
}

/* Whether all runs were made for their result: none is a benchmark of foretime's. */
static bool are_records(const struct wish *wish, const struct ft_runs *runs)
{
	for (size_t i = 0; i < runs->n; i++)
		if (runs->run[i].version && !runs->run[i].real &&
		    belongs_to_wish(wish, &runs->run[i], wish->fixed))
			return false;
	return true;
}

enum ft_status ft_model_fit_runs(struct ft_model **out, const struct ft_program *program,
				 const struct ft_runs *runs, const struct ft_resource *resource,
				 const struct ft_size *fixed, const struct ft_model_options *options,
				 struct ft_err *err)
{
	struct ft_observation *o = ft_calloc(runs->n ? runs->n : 1, sizeof *o);
	struct ft_model_options how = options ? *options : (struct ft_model_options){0};
	struct wish wish = wish_of(program, resource, fixed, &how);
	struct ft_change change = {0};
	bool reported = true;
	size_t ended = 0;

	*out = NULL;
	if (!o)
		return ft_nomem(err);
	how.type = type_of(&wish);
	how.donor = NULL; /* whether newer runs differ is a question of the runs */
	how.through_speed = resource->of == FT_CLASS_TIME && (!wish.several || program->work);
	size_t n = !resource->predicted ? 0 : collect_samples(&wish, runs, o, &reported);
	how.of = resource->of;
	how.step = step_of(&wish, runs, o, n);
	for (size_t i = 0; i < n; i++)
		ended += !o[i].censored;
	enum ft_status status = ended ? set_works(&wish, o, &n, reported, err)
				: n   ? refuse_limits(&wish, o, n, err)
				      : refuse_wish(&wish, runs, err);
	if (!status)
		status = ft__change_settle(o, &n, &how, &change, err);
	how.donor = options ? options->donor : NULL;
	if (!status)
		status = ft_model_fit(out, o, n, &how, err);
	if (!status)
		(*out)->facts.change = change;
	if (!status && resource->disturbed)
		status = ft__batches_find(o, n, (*out)->facts.offset, are_records(&wish, runs),
					  &(*out)->facts.batches, err);
	if (!status) {
		/* The node that all records ran on. */
		struct ft_batches *batches = &(*out)->facts.batches;

		for (size_t k = 0; k < runs->n && batches->count[FT_BATCH_NODES] == 1 && !*batches->node; k++)
			if (runs->run[k].node && runs->run[k].outcome == FT_DONE &&
			    belongs_to_wish(&wish, &runs->run[k], wish.fixed))
				(void)snprintf(batches->node, sizeof batches->node, "%s", runs->run[k].node);
	}
	if (status) {
		ft_model_free(*out);
		*out = NULL;
	}
	ft_free(o);
	return status;
}
