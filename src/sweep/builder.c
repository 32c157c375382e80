/* SPDX-License-Identifier: GPL-3.0-or-later */
/* builder.c - the builder of a sweep: made from its options, and given its results. */
#include "base/alloc.h"
#include "foretime/base.h"
#include "model/door.h"
#include "num/num.h"
#include "sweep/sweep.h"

#include <math.h>
#include <string.h>

/* Sizes from end to end at which the work is checked before anything runs. */
enum { WORK_CHECKS = 257 };

/* And where larger sizes than those that were run are looked for. */
enum { CORNER_CHECKS = 32 };

/* ---- constraints -------------------------------------------------------------------------------------- */

bool ft__admits(const struct ft_sweep *sweep, const struct ft_size *size)
{
	const char *name[FT_PARAMS_MAX];
	double value;

	if (!sweep->where)
		return true;
	for (size_t i = 0; i < sweep->program->n_params; i++)
		name[i] = sweep->program->param[i].name;
	/* A value that cannot be computed (a division by zero) is no yes. */
	return !ft_expr_eval(sweep->where, name, size->value, size->n, &value, NULL) && value != 0;
}

enum ft_status ft__where_parse(struct ft_sweep *sweep, struct ft_err *err)
{
	const char *name;

	if (!sweep->program->where)
		return FT_OK;
	enum ft_status status = ft_expr_new(&sweep->where, sweep->program->where, err);
	for (size_t i = 0; !status && (name = ft_expr_name(sweep->where, i)); i++) {
		if (ft_program_find_param(sweep->program, name) >= 0)
			continue;
		ft_fail(err, FT_EINVAL, "the constraint '%s' uses '%s', which is no parameter",
			sweep->program->where, name);
		return ft_remedy(err, "mend --where");
	}
	return status;
}

double ft__value_at(const struct ft_param *param, double share)
{
	struct ft_space space = ft_param_space(param);

	return ft_space_nearest(&space, param->least + share * (param->most - param->least));
}

/* ---- work --------------------------------------------------------------------------------------------- */

/* The builder's view of the work; checked before, so that it cannot fail here. */
static double work_at(void *ctx, const struct ft_size *size)
{
	const struct ft_sweep *sweep = ctx;
	double work;

	return ft_program_work(sweep->program, size, &work, NULL) || isnan(work) ? 1 : work;
}

static bool admits_at(void *ctx, const struct ft_size *size)
{
	return ft__admits(ctx, size);
}

/* Over one parameter from end to end; over several at all corners, and along the diagonals from corner to
 * corner. */
static enum ft_status check_work(const struct ft_sweep *sweep, struct ft_err *err)
{
	size_t halves = (size_t)1 << (sweep->n_axes - 1), corner, i, k;

	for (corner = 0; corner < halves; corner++)
		for (i = 0; i < WORK_CHECKS; i++) {
			double share = (double)i / (WORK_CHECKS - 1), work;
			struct ft_size size = sweep->fixed;

			for (k = 0; k < sweep->n_axes; k++)
				size.value[sweep->axis[k]] =
					ft__value_at(&sweep->program->param[sweep->axis[k]],
						     corner >> k & 1 ? 1 - share : share);
			if (!ft__admits(sweep, &size))
				continue;
			FT_TRY(ft_program_work(sweep->program, &size, &work, err));
		}
	return FT_OK;
}

/* ---- making ------------------------------------------------------------------------------------------- */

/* The admissible sizes on an axis: those of its range, or the recorded ones. */
static enum ft_status make_space(struct ft_sweep *sweep, size_t axis, struct ft_space *space,
				 struct ft_err *err)
{
	const double *recorded;
	size_t n = sweep->source ? ft_source_sizes_of(sweep->source, axis, &recorded) : 0;

	*space = ft_param_space(&sweep->program->param[axis]);
	if (!n)
		return FT_OK;
	space->sizes = recorded;
	space->n_sizes = n;
	/* The recorded values of a parameter inside its range, if they are to be listed one by one. */
	const struct ft_param *param = &sweep->program->param[axis];
	double *list;
	size_t kept = 0;

	if (!param->n_list && !(param->factor > 0))
		return FT_OK;
	list = sweep->covered[axis] = ft_calloc(space->n_sizes, sizeof *list);
	if (!list)
		return ft_nomem(err);
	for (size_t i = 0; i < space->n_sizes; i++)
		if (ft_param_covers(param, space->sizes[i]))
			list[kept++] = space->sizes[i];
	space->sizes = list;
	space->n_sizes = kept;
	return FT_OK;
}

static enum ft_status make_builder(struct ft_sweep *sweep, double tolerance, struct ft_builder **out,
				   struct ft_err *err)
{
	const struct ft_sweep_options *o = &sweep->options;
	bool bounded = o->budget_s > 0 && o->resource->of == FT_CLASS_TIME;
	enum ft_status status = FT_OK;
	struct ft_build_options options = {
		.n_params = sweep->program->n_params,
		.work = sweep->program->work ? work_at : NULL,
		.admits = sweep->where ? admits_at : NULL,
		.load = sweep->load.n ? ft__load_at : NULL,
		.ctx = sweep,
		.tolerance = tolerance,
		.of_top = o->of_top,
		.confidence = o->confidence,
		.points = o->points,
		.seed = o->seed,
		.budget_s = bounded ? o->budget_s : 0,
		.reps_least = sweep->given.reps_least,
		.reps_most = sweep->given.reps_most,
		.far = o->far,
		.end_zero = o->end_zero,
		.climb_strict = o->climb_strict,
	};

	for (size_t i = 0; i < options.n_params && !status; i++)
		status = make_space(sweep, i, &options.space[i], err);
	return status ? status : ft_builder_new(out, o->builder, &options, err);
}

enum ft_status ft__builder_make(struct ft_sweep *sweep, struct ft_err *err)
{
	enum ft_status status = ft__where_parse(sweep, err);

	if (!status)
		status = check_work(sweep, err);
	return status ? status : make_builder(sweep, sweep->options.tolerance, &sweep->builder, err);
}

void ft__builder_clear(struct ft_sweep *sweep)
{
	ft_builder_free(sweep->builder);
	ft_expr_free(sweep->where);
	for (size_t i = 0; i < FT_PARAMS_MAX; i++) {
		ft_free(sweep->covered[i]);
		sweep->covered[i] = NULL;
	}
	sweep->builder = NULL;
	sweep->where = NULL;
}

/* ---- requests and results
   ------------------------------------------------------------------------------- */

/* The cost of a run besides its duration: the median over all runs. */
static enum ft_status find_rest(const struct ft_sweep *sweep, double *each_s, struct ft_err *err)
{
	size_t n = 0, k = 0;

	for (size_t i = 0; i < sweep->report.n_sizes; i++)
		n += sweep->place[i].n;
	*each_s = 0;
	if (!n)
		return FT_OK;
	double *rest = ft_calloc(n, sizeof *rest);
	if (!rest)
		return ft_nomem(err);
	for (size_t i = 0; i < sweep->report.n_sizes; i++)
		for (size_t j = 0; j < sweep->place[i].n; j++)
			rest[k++] = sweep->place[i].rest_s[j];
	*each_s = fmax(0, ft_stats_median(rest, n));
	ft_free(rest);
	return FT_OK;
}

/* The duration of a run per second that the builder counts: of wall time, more if it waits for other
   processes. */
static double stretch_of_load(const struct ft_sweep *sweep)
{
	double counted_s = 0, ran_s = 0;

	for (size_t i = 0; i < sweep->report.n_sizes; i++) {
		counted_s += sweep->place[i].told_s;
		ran_s += sweep->place[i].ran_s;
	}
	return counted_s > 0 && ran_s > 0 ? ran_s / counted_s : 1;
}

/* With a resource other than time the builder has no seconds. */
enum ft_status ft__builder_price(struct ft_sweep *sweep, struct ft_err *err)
{
	double each_s;

	if (sweep->options.resource->of != FT_CLASS_TIME)
		return FT_OK;
	FT_TRY(find_rest(sweep, &each_s, err));
	ft_builder_price(sweep->builder, each_s, stretch_of_load(sweep), sweep->given_s);
	return FT_OK;
}

enum ft_status ft__builder_ask(struct ft_sweep *sweep, struct ft_size *sizes, size_t most, size_t *n,
			       struct ft_err *err)
{
	enum ft_status status = ft__builder_price(sweep, err);

	*n = 0;
	return status ? status : ft_builder_ask(sweep->builder, sizes, most, n, err);
}

enum ft_status ft__builder_tell(struct ft_sweep *sweep, size_t index, struct ft_err *err)
{
	const struct ft__tally *place = &sweep->place[index];
	struct ft_build_result result = {
		.seconds = place->seconds,
		.n = place->n,
		.hole = place->absent,
		.work = place->work,
		.footprint_bytes = place->footprint_bytes,
		.given = place->given,
		.limit_s = place->limit_s,
		.limits = place->n ? place->limits : 0,
		.over = place->over,
	};
	double *all = NULL;

	/* Methods that use means count a limit as a lower bound of such a run. */
	if (result.limits && !ft__builder_repeats(sweep)) {
		all = ft_calloc(result.n + result.limits, sizeof *all);
		if (!all)
			return ft_nomem(err);
		memcpy(all, result.seconds, result.n * sizeof *all);
		memcpy(all + result.n, result.limit_s, result.limits * sizeof *all);
		result.seconds = all;
		result.n += result.limits;
		result.limits = 0;
	}
	enum ft_status status =
		ft_builder_tell(sweep->builder, &sweep->report.size[index].size, &result, err);
	ft_free(all);
	return status;
}

bool ft__builder_repeats(const struct ft_sweep *sweep)
{
	return sweep->options.builder->repeats;
}

double ft__builder_seconds(const struct ft_sweep *sweep, const struct ft_size *size)
{
	struct ft_build_gain gain;

	if (sweep->options.resource->of != FT_CLASS_TIME)
		return NAN;
	ft_builder_gain(sweep->builder, &gain);
	return ft_size_equal(&gain.size, size) && gain.seconds > 0 ? gain.seconds : (double)NAN;
}

/* The distance of a size from the largest corner of the queried sizes, by ln along each parameter. */
static double from_corner(const struct ft_sweep *sweep, const struct ft_size *size)
{
	double sum = 0;

	for (size_t k = 0; k < sweep->n_axes; k++) {
		const struct ft_space *space = ft_builder_space(sweep->builder, sweep->axis[k]);
		double shift = space->least > 0 ? 0 : 1 - space->least;

		sum += log((space->most + shift) / (size->value[sweep->axis[k]] + shift));
	}
	return sum;
}

/* Whether any size above one is valid: searched on the way to the largest corner. */
static bool has_larger(const struct ft_sweep *sweep, const struct ft_size *size)
{
	struct ft_size larger = *size;

	for (size_t i = 1; i <= CORNER_CHECKS; i++) {
		for (size_t k = 0; k < sweep->n_axes; k++) {
			const struct ft_space *space = ft_builder_space(sweep->builder, sweep->axis[k]);
			double from = size->value[sweep->axis[k]];

			larger.value[sweep->axis[k]] = ft_space_nearest(
				space, from + (space->most - from) * (double)i / CORNER_CHECKS);
		}
		if (from_corner(sweep, &larger) < from_corner(sweep, size) && ft__admits(sweep, &larger))
			return true;
	}
	return false;
}

static bool is_larger(const struct ft_size *a, const struct ft_size *b)
{
	for (size_t i = 0; i < a->n; i++)
		if (a->value[i] < b->value[i])
			return false;
	return true;
}

/* The size nearest to the largest corner that was run, where the builder left out larger ones that it could
 * have run. */
static struct ft_size run_up_to(const struct ft_sweep *sweep)
{
	const struct ft_sweep_report *report = &sweep->report;
	const struct ft_size none = {0}, *last = NULL;

	if (!ft__builder_repeats(sweep) ||
	    (sweep->options.far == FT_FAR_MEASURE && report->stop != FT_STOP_BUDGET))
		return none;
	for (size_t i = 0; i < report->n_sizes; i++) {
		const struct ft_size *size = &report->size[i].size;

		if (sweep->place[i].n && (!last || from_corner(sweep, size) < from_corner(sweep, last)))
			last = size;
	}
	/* If larger ones fail, that is reported instead. */
	for (size_t i = 0; last && i < report->n_sizes; i++)
		if (!sweep->place[i].n && report->size[i].failed && report->size[i].failure != FT_TIMED_OUT &&
		    is_larger(last, &report->size[i].size))
			return none;
	return last && has_larger(sweep, last) ? *last : none;
}

/* A measured size takes its measured time; one between two of them the straight line through their speeds,
 * which is GBBP's own model (000 section 2.1); NaN: the nearest larger size failed. */
static double seconds_between(const struct ft_sweep *sweep, const struct ft_size *size)
{
	const struct ft_sweep_report *report = &sweep->report;
	size_t axis = sweep->axis[0], i;
	const struct ft_sweep_size *low = NULL, *high = NULL, *failed = NULL;
	double x = size->value[axis], u;

	for (i = 0; i < report->n_sizes; i++) {
		const struct ft_sweep_size *s = &report->size[i];
		double at = s->size.value[axis];

		if (!s->runs && s->failed && at >= x && (!failed || at < failed->size.value[axis]))
			failed = s;
		if (s->runs && at <= x && (!low || at > low->size.value[axis]))
			low = s;
		if (s->runs && at >= x && (!high || at < high->size.value[axis]))
			high = s;
	}
	if (failed && (!high || failed->size.value[axis] < high->size.value[axis]))
		return NAN;
	if (!low || !high || low == high)
		return low ? low->seconds : high ? high->seconds : (double)NAN;
	u = (x - low->size.value[axis]) / (high->size.value[axis] - low->size.value[axis]);
	return work_at((void *)sweep, size) / ((1 - u) * work_at((void *)sweep, &low->size) / low->seconds +
					       u * work_at((void *)sweep, &high->size) / high->seconds);
}

/* Simulate the same build at another tolerance. sizes = 0: no memory. */
static struct ft_sweep_price find_price(struct ft_sweep *sweep, double tolerance)
{
	enum { SIZES_MOST = 10000 };
	struct ft_sweep_price price = {.tolerance = tolerance};
	size_t axis = sweep->axis[0], n;
	double *covered = sweep->covered[axis];
	struct ft_builder *builder = NULL;
	struct ft_size size;

	sweep->covered[axis] = NULL;
	enum ft_status status = make_builder(sweep, tolerance, &builder, NULL);
	while (!status && !(status = ft_builder_ask(builder, &size, 1, &n, NULL)) && n &&
	       price.sizes < SIZES_MOST) {
		double seconds = seconds_between(sweep, &size);
		struct ft_build_result result = {.seconds = &seconds, .n = isnan(seconds) ? 0U : 1U};

		status = ft_builder_tell(builder, &size, &result, NULL);
		price.sizes += result.n;
		price.seconds += result.n ? seconds : 0;
	}
	ft_builder_free(builder);
	ft_free(sweep->covered[axis]);
	sweep->covered[axis] = covered;
	if (status || price.sizes == SIZES_MOST)
		price.sizes = 0;
	return price;
}

void ft__builder_report(struct ft_sweep *sweep)
{
	struct ft_sweep_report *report = &sweep->report;

	report->stop = sweep->out_of_budget ? FT_STOP_BUDGET : ft_builder_stop(sweep->builder);
	report->holes = ft_builder_holes(sweep->builder) - report->too_large;
	for (size_t i = 0; i < sweep->program->n_params; i++) {
		report->flat[i] = ft_builder_flat(sweep->builder, i);
		/* Without memory there is nothing to report. */
		(void)ft_builder_shape(sweep->builder, i, &report->shape[i], NULL);
	}
	report->not_run_beyond = run_up_to(sweep);
	/* Time alone has seconds, and one parameter a line. */
	static const double times[FT_SWEEP_PRICES] = {2, 0.5};
	double tolerance =
		sweep->options.tolerance > 0 ? sweep->options.tolerance : sweep->options.builder->tolerance;

	report->n_prices = 0;
	report->own = (struct ft_sweep_price){.tolerance = tolerance};
	if (!sweep->options.builder->usually_top || sweep->n_axes != 1 || report->stop != FT_STOP_TOLERANCE ||
	    sweep->options.resource->of != FT_CLASS_TIME)
		return;
	for (size_t i = 0; i < report->n_sizes; i++) {
		report->own.sizes += report->size[i].runs > 0;
		report->own.seconds += report->size[i].runs ? report->size[i].seconds : 0;
	}
	for (size_t i = 0; i < FT_SWEEP_PRICES; i++) {
		struct ft_sweep_price *price = &report->price[report->n_prices];

		if (times[i] * tolerance < 1)
			*price = find_price(sweep, times[i] * tolerance);
		if (times[i] * tolerance < 1 && price->sizes)
			report->n_prices++;
	}
}
