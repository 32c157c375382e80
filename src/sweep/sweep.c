/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep.c - a sweep from its beginning to its end, when all that was measured is modelled; and the main job:
 * one whose runs are made here, one after another. */
#include "sweep/sweep.h"
#include "base/alloc.h"

#include <math.h>
#include <string.h>

const struct ft_sweep_report ft__no_report = {
	.known_to = NAN, .scatter = NAN, .killed = NAN, .hindrance = {.slow_down = 1, .others = NAN}};

void ft_sweep_report_clear(struct ft_sweep_report *report)
{
	if (!report)
		return;
	for (size_t i = 0; i < report->n_sizes; i++)
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
			       "at most %zu runs of a size and at least %zu contradict each other",
			       o->reps_most, o->reps_least);
	if (!o->at_once)
		o->at_once = 1;
	if (o->at_once > FT_ASK_MAX)
		return ft_fail(err, FT_EINVAL, "%zu runs at once are more than %d", o->at_once, FT_ASK_MAX);
	if (o->resource->counter || !o->resource->predicted)
		return ft_fail(err, FT_EINVAL, "%s is %s, and cannot steer a build", o->resource->name,
			       o->resource->counter ? "a counter" : "what is done to a run");
	return FT_OK;
}

/* The range of the data where the user gave none ("n" alone); and which parameters have one. */
static enum ft_status fill_range(struct ft_sweep *sweep, struct ft_err *err)
{
	struct ft_param *param = &sweep->program->param[ft_program_varying(sweep->program)];
	const double *sizes;
	size_t n = sweep->source ? ft_source_sizes(sweep->source, &sizes) : 0, i;

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
	return ft_remedy(err, "give the range of sizes to measure, as in %s=64:3000", param->name);
}

const char *ft_sweep_method(const struct ft_sweep_options *options)
{
	return options->of_top ? options->builder->of_top : options->builder->name;
}

static enum ft_status put_program(struct ft_sweep *sweep, struct ft_err *err)
{
	ft_free(sweep->program->method);
	sweep->program->method = ft_strdup(ft_sweep_method(&sweep->options));
	return sweep->program->method ? ft_store_put_program(sweep->store, sweep->program, err)
				      : ft_nomem(err);
}

bool ft__is_here(const struct ft_sweep *sweep)
{
	return sweep->source && !sweep->options.elsewhere && ft_source_is_live(sweep->source);
}

static enum ft_status set_up(struct ft_sweep *sweep, struct ft_err *err)
{
	FT_TRY(fill_range(sweep, err));
	sweep->varying = sweep->axis[0];
	sweep->fixed.n = sweep->program->n_params;
	for (size_t i = 0; i < sweep->fixed.n; i++)
		sweep->fixed.value[i] = sweep->program->param[i].least;
	for (size_t i = 0; i < sweep->n_axes; i++)
		sweep->fixed.value[sweep->axis[i]] = 0;
	sweep->warm = !ft__is_here(sweep);
	if (sweep->source)
		ft_source_interrupt(sweep->source, sweep->options.interrupt);
	ft__guard_begin(sweep);
	enum ft_status status = ft__load_begin(sweep, err);
	if (!status && sweep->program->id)
		status = ft__known_get(sweep, err);
	if (!status)
		status = ft__builder_make(sweep, err);
	if (!status)
		status = put_program(sweep, err);
	if (!status && !sweep->known.n)
		status = ft__known_get(sweep, err);
	return status ? status : ft__known_learn(sweep, err);
}

enum ft_status ft_sweep_new(struct ft_sweep **out, struct ft_store *store, struct ft_program *program,
			    const struct ft_machine *machine, struct ft_source *source,
			    const struct ft_sweep_options *options, struct ft_err *err)
{
	struct ft_sweep *sweep = *out = ft_calloc(1, sizeof *sweep);

	if (!sweep)
		return ft_nomem(err);
	sweep->store = store;
	sweep->program = program;
	sweep->machine = machine;
	sweep->source = source;
	sweep->given = *options;
	sweep->report = ft__no_report;
	enum ft_status status = fill_options(options, &sweep->options, err);
	if (!status)
		status = set_up(sweep, err);
	if (!status)
		return FT_OK;
	ft_sweep_free(sweep);
	*out = NULL;
	return status;
}

void ft_sweep_free(struct ft_sweep *sweep)
{
	if (!sweep)
		return;
	ft_free(sweep->piece);
	ft_free(sweep->own);
	ft_free(sweep->stamp);
	ft__known_clear(sweep);
	ft__load_end(sweep);
	ft_free(sweep);
}

enum ft_status ft__sweep_check(const struct ft_sweep *sweep, struct ft_err *err)
{
	if (!sweep->broken)
		return FT_OK;
	if (sweep->broken == FT_EEND)
		return ft_fail(err, FT_EEND, "the sweep has ended");
	(void)ft_fail(err, sweep->broken, "the sweep lost track of its runs when it failed: %s",
		      ft_status_text(sweep->broken));
	return ft_remedy(err, "begin it again; every run that was reported is kept");
}

/* ---- what is known so far ----------------------------------------------------------------------------- */

static size_t count_points(const struct ft_sweep *sweep)
{
	size_t n = 0;

	for (size_t i = 0; i < sweep->report.n_sizes; i++)
		n += sweep->place[i].n > 0;
	return n;
}

/* What the builder will want is there when the sweep has ended: but of runs that all failed comes nothing. */
static double complete_of(const struct ft_sweep *sweep, const struct ft_progress *at)
{
	if (!at->points)
		return 0;
	if (sweep->ended)
		return 1;
	double complete = ft_builder_complete(sweep->builder, ft__visit_made(sweep));
	return at->budget_s > 0 ? fmin(1, fmax(complete, at->spent_s / at->budget_s)) : complete;
}

void ft_sweep_progress(const struct ft_sweep *sweep, struct ft_progress *out)
{
	double budget_s = sweep->options.budget_s;

	*out = (struct ft_progress){
		.points = count_points(sweep),
		.runs = sweep->report.runs,
		.known = sweep->report.known,
		.in_flight = sweep->in_flight,
		.spent_s = budget_s > 0 ? ft__spent(sweep) : sweep->report.cost_s,
		.budget_s = budget_s,
		.expected_s = NAN,
		.reason = -1,
		.gain = NAN,
		.hindrance = ft__hindrance(sweep),
		.ended = sweep->ended,
		.stop = sweep->ended ? sweep->report.stop : FT_STOP_INTERRUPTED,
	};
	ft_builder_gain(sweep->builder, &out->next);
	out->complete = complete_of(sweep, out);
}

/* ---- the end ------------------------------------------------------------------------------------------ */

/* Why there is no model at all, by the last failure. */
static enum ft_status no_model(const struct ft_sweep *sweep, struct ft_err *err)
{
	const struct ft_sweep_report *report = &sweep->report;
	char where[256];

	for (size_t i = report->n_sizes; i-- > 0;) {
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
		sweep->options.resource->name);
	return ft_remedy(err, "choose a resource that was measured with --resource; 'foretime machine info' "
			      "lists the probes");
}

/* Sizes that were asked for and never run, because the budget ended or the user, are not worth a line. */
static void drop_unreached(struct ft_sweep_report *report)
{
	size_t kept = 0;

	for (size_t i = 0; i < report->n_sizes; i++)
		if (report->size[i].runs || report->size[i].failed)
			report->size[kept++] = report->size[i];
	report->n_sizes = kept;
}

enum ft_status ft_sweep_end(struct ft_sweep *sweep, struct ft_sweep_report *report, struct ft_err *err)
{
	*report = ft__no_report;
	if (sweep->broken == FT_EEND)
		return ft__sweep_check(sweep, err);
	sweep->report.points = count_points(sweep);
	if (!sweep->ended)
		sweep->report.stop = FT_STOP_INTERRUPTED;
	enum ft_status status = ft__keep_models(sweep, err);
	if (!status && !sweep->report.models && sweep->report.stop != FT_STOP_INTERRUPTED)
		status = no_model(sweep, err);
	sweep->report.killed = ft__guard_killed(sweep);
	sweep->report.hindrance = ft__hindrance(sweep);
	*report = sweep->report;
	ft__places_free(sweep);
	sweep->report = ft__no_report;
	sweep->broken = FT_EEND;
	drop_unreached(report);
	return status;
}

/* ---- the main job ------------------------------------------------------------------------------------- */

enum ft_status ft_sweep_measure(struct ft_sweep *sweep, const struct ft_sweep_piece *piece,
				struct ft_err *err)
{
	struct ft_runs runs = {0};
	enum ft_status status =
		ft_source_run(sweep->source, &piece->size, piece->index, piece->limit_s, &runs, err);

	if (!status && runs.n && sweep->options.ran)
		sweep->options.ran(sweep->options.progress_ctx, &runs.run[0]);
	if (!status || status == FT_EEND)
		status = ft_sweep_report(sweep, piece->id, &runs, err);
	if (status)
		(void)ft_sweep_lose(sweep, piece->id, NULL);
	ft_runs_clear(&runs);
	ft__load_observe(sweep, false);
	return status;
}

static void show_progress(const struct ft_sweep *sweep, const struct ft_sweep_piece *piece)
{
	struct ft_progress progress;

	ft_sweep_progress(sweep, &progress);
	progress.size = piece->size;
	progress.expected_s = piece->expected_s;
	progress.reason = (int)piece->reason;
	progress.gain = piece->gain;
	sweep->options.progress(sweep->options.progress_ctx, &progress);
}

/* One run after another, until the user wants no more. */
static enum ft_status drive_sweep(struct ft_sweep *sweep, struct ft_err *err)
{
	const volatile sig_atomic_t *interrupt = sweep->options.interrupt;
	struct ft_sweep_piece piece;
	enum ft_status status = FT_OK;
	size_t n;

	while (!status && !(interrupt && *interrupt)) {
		status = ft_sweep_step(sweep, &piece, 1, &n, err);
		if (status || !n)
			break;
		if (sweep->options.progress)
			show_progress(sweep, &piece);
		status = ft_sweep_measure(sweep, &piece, err);
	}
	return status;
}

enum ft_status ft_sweep_run(struct ft_store *store, struct ft_program *program,
			    const struct ft_machine *machine, struct ft_source *source,
			    const struct ft_sweep_options *options, struct ft_sweep_report *report,
			    struct ft_err *err)
{
	struct ft_sweep_options alone = *options;
	struct ft_sweep *sweep;

	*report = ft__no_report;
	alone.at_once = 1;
	FT_TRY(ft_sweep_new(&sweep, store, program, machine, source, &alone, err));
	enum ft_status status = drive_sweep(sweep, err);
	if (alone.progress) { /* models of all that was measured may take seconds */
		struct ft_progress progress;

		ft_sweep_progress(sweep, &progress);
		progress.ended = true;
		alone.progress(alone.progress_ctx, &progress);
	}
	/* Also after a failure: what is measured is worth a model. */
	enum ft_status ended = ft_sweep_end(sweep, report, status ? NULL : err);
	ft_sweep_free(sweep);
	return status ? status : ended;
}
