/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep.c - the loop of the main job: ask the builder, measure, store, tell; model at the end. */
#include "sweep/sweep.h"
#include "base/alloc.h"

#include <math.h>
#include <string.h>

void ft_sweep_report_clear(struct ft_sweep_report *report)
{
	size_t i;

	if (!report)
		return;
	for (i = 0; i < report->n_sizes; i++)
		ft_free(report->size[i].detail);
	ft_free(report->size);
	*report = (struct ft_sweep_report){0};
}

static enum ft_status fill_options(const struct ft_sweep_options *given, struct ft_sweep_options *o,
				   struct ft_err *err)
{
	*o = *given;
	if (!(o->tolerance > 0))
		o->tolerance = o->builder->tolerance;
	if (!(o->confidence > 0))
		o->confidence = 0.9;
	if (!o->reps_least)
		o->reps_least = 2;
	if (!o->reps_most)
		o->reps_most = o->reps_least > 10 ? o->reps_least : 10;
	if (!(o->reps_limit_s > 0))
		o->reps_limit_s = o->budget_s > 0 ? fmin(60, o->budget_s / 10) : 60;
	if (o->reps_most < o->reps_least)
		return ft_fail(err, FT_EINVAL,
			       "at most %zu repetitions and at least %zu contradict each other", o->reps_most,
			       o->reps_least);
	if (!ft_resource_find(o->resource))
		return ft_fail(err, FT_EINVAL, "foretime knows no resource '%s'", o->resource);
	return FT_OK;
}

/* The range of the data where the user gave none ("n" alone); and which parameters have one. */
static enum ft_status fill_range(struct ft__sweep *sweep, struct ft_err *err)
{
	struct ft_param *param = &sweep->program->param[ft_program_varying(sweep->program)];
	const double *sizes;
	size_t n = ft_source_sizes(sweep->source, &sizes), i;

	if (n && param->least == 0 && param->most == 0) {
		param->least = sizes[0];
		param->most = sizes[n - 1];
		param->of_data = true;
	}
	for (i = 0; i < sweep->program->n_params; i++)
		if (sweep->program->param[i].least < sweep->program->param[i].most)
			sweep->axis[sweep->n_axes++] = i;
	if (sweep->n_axes)
		return FT_OK;
	ft_fail(err, FT_EINVAL, "no parameter has a range");
	return ft_remedy(err, "say between which sizes to measure, as in %s=64:3000", param->name);
}

const char *ft_sweep_method(const struct ft_sweep_options *options)
{
	return options->of_top ? options->builder->of_top : options->builder->name;
}

static enum ft_status put_program(struct ft__sweep *sweep, struct ft_err *err)
{
	ft_free(sweep->program->method);
	sweep->program->method = ft_strdup(ft_sweep_method(sweep->options));
	return sweep->program->method ? ft_store_put_program(sweep->store, sweep->program, err)
				      : ft_nomem(err);
}

static enum ft_status get_known(struct ft__sweep *sweep, struct ft_err *err)
{
	enum ft_status status =
		ft_store_get_runs(sweep->store, sweep->program->id, sweep->machine->id, &sweep->known, err);

	(void)ft_runs_settle(&sweep->known);
	ft__count_known(sweep);
	return status;
}

static enum ft_status set_up(struct ft__sweep *sweep, struct ft_err *err)
{
	enum ft_status status = fill_range(sweep, err);
	size_t i;

	if (status)
		return status;
	sweep->varying = sweep->axis[0];
	sweep->fixed.n = sweep->program->n_params;
	for (i = 0; i < sweep->fixed.n; i++)
		sweep->fixed.value[i] = sweep->program->param[i].least;
	for (i = 0; i < sweep->n_axes; i++)
		sweep->fixed.value[sweep->axis[i]] = 0;
	sweep->warm = !ft_source_is_live(sweep->source);
	ft_source_interrupt(sweep->source, sweep->options->interrupt);
	ft__guard_begin(sweep);
	status = ft__load_begin(sweep, err);
	if (!status && sweep->program->id)
		status = get_known(sweep, err);
	if (!status)
		status = ft__builder_make(sweep, err);
	if (!status)
		status = put_program(sweep, err);
	if (!status && !sweep->known.n)
		status = get_known(sweep, err);
	if (!status)
		status = ft__guard_known(sweep, err);
	if (!status && ft__builder_repeats(sweep))
		status = ft__tell_known(sweep, err);
	return status;
}

/* Tell the builder what is now known of the sizes it asked for. One that failed, or that the budget does not
 * reach, is told with no time: the builder then approaches it from below. */
static enum ft_status tell(struct ft__sweep *sweep, const size_t *index, size_t n, struct ft_err *err)
{
	enum ft_status status = FT_OK;
	size_t i;

	for (i = 0; i < n && !status; i++) {
		struct ft__place *place = &sweep->place[index[i]];

		/* What would not fit is left out, and nothing is concluded of others. */
		if (!place->n && !place->too_large &&
		    ft__guard_too_large(sweep, &sweep->report->size[index[i]].size)) {
			place->too_large = place->absent = true;
			sweep->report->too_large++;
		}
		status = ft__builder_tell(sweep, index[i], err);
	}
	return status;
}

static enum ft_status loop(struct ft__sweep *sweep, struct ft_err *err)
{
	struct ft_sweep_report *report = sweep->report;
	struct ft_size sizes[FT_ASK_MAX];
	size_t index[FT_ASK_MAX], n;

	for (;;) {
		enum ft_status status = ft__builder_ask(sweep, sizes, &n, err);
		size_t i;

		/* One that asks run by run, and that the budget does not pay for, has no other wish. */
		if (status || !n || (ft__builder_repeats(sweep) && sweep->out_of_budget)) {
			ft__builder_report(sweep);
			return status;
		}
		for (i = 0; i < n && !status; i++)
			status = ft__place_of(sweep, &sizes[i], &index[i], err);
		if (!status)
			status = ft__visit(sweep, index, n, err);
		if (!status && sweep->interrupted) {
			report->stop = FT_STOP_INTERRUPTED;
			return FT_OK;
		}
		if (!status)
			status = tell(sweep, index, n, err);
		if (status)
			return status;
	}
}

/* Why there is no model at all, by the last failure. */
static enum ft_status no_model(const struct ft__sweep *sweep, struct ft_err *err)
{
	const struct ft_sweep_report *report = sweep->report;
	char where[256];
	size_t i;

	for (i = report->n_sizes; i-- > 0;) {
		const struct ft_sweep_size *size = &report->size[i];

		if (!size->failed)
			continue;
		(void)ft_size_format(sweep->program, &size->size, where, sizeof where);
		ft_fail(err, FT_ENOMODEL, "no run of '%s' ended well; at %s: %s%s%s", sweep->program->name,
			where, ft_outcome_text(size->failure), size->detail ? ": " : "",
			size->detail ? size->detail : "");
		return ft_remedy(
			err, size->failure == FT_TIMED_OUT
				     ? "allow a run more time with --timeout, or begin with a smaller size"
				     : "run the command by hand at that size, and mend what it complains of");
	}
	if (report->stop == FT_STOP_BUDGET) {
		ft_fail(err, FT_ENOMODEL, "the budget ended before one run of '%s' did",
			sweep->program->name);
		return ft_remedy(err, "allow more seconds with --budget, or begin with a smaller size");
	}
	ft_fail(err, FT_ENOMODEL, "no run of '%s' has a value of %s", sweep->program->name,
		sweep->options->resource);
	return ft_remedy(
		err,
		"choose a resource that was measured with --resource; 'foretime doctor' lists the probes");
}

/* Sizes that were asked for and never run, because the budget ended or the user, are not worth a line. */
static void drop_unreached(struct ft_sweep_report *report)
{
	size_t i, kept = 0;

	for (i = 0; i < report->n_sizes; i++)
		if (report->size[i].runs || report->size[i].failed)
			report->size[kept++] = report->size[i];
	report->n_sizes = kept;
}

enum ft_status ft_sweep_run(struct ft_store *store, struct ft_program *program,
			    const struct ft_machine *machine, struct ft_source *source,
			    const struct ft_sweep_options *options, struct ft_sweep_report *report,
			    struct ft_err *err)
{
	struct ft_sweep_options filled;
	struct ft__sweep sweep = {
		.store = store,
		.program = program,
		.machine = machine,
		.source = source,
		.options = &filled,
		.given = options,
		.report = report,
	};
	enum ft_status status, kept = FT_OK;
	size_t i;

	*report = (struct ft_sweep_report){
		.known_to = NAN, .scatter = NAN, .killed = NAN, .hindrance = {.slow_down = 1, .others = NAN}};
	status = fill_options(options, &filled, err);
	if (!status)
		status = set_up(&sweep, err);
	if (!status) {
		status = loop(&sweep, err);
		/* Also after a failure: what is measured is worth a model. */
		kept = ft__keep_models(&sweep, status ? NULL : err);
		if (!status)
			status = kept;
	}
	if (!status && !report->models)
		status = report->stop == FT_STOP_INTERRUPTED ? FT_OK : no_model(&sweep, err);
	for (i = 0; sweep.place && i < report->n_sizes; i++) {
		ft_free(sweep.place[i].seconds);
		ft_free(sweep.place[i].cost_s);
		ft_free(sweep.place[i].rest_s);
	}
	ft_free(sweep.place);
	report->killed = ft__guard_killed(&sweep);
	report->hindrance = ft__hindrance(&sweep);
	ft__guard_end(&sweep);
	drop_unreached(report);
	ft__builder_clear(&sweep);
	ft__load_end(&sweep);
	ft_runs_clear(&sweep.known);
	return status;
}
