/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep.c - a sweep from its beginning to its end, when all that was measured is modelled; and the usual
 * driver, which makes the runs here, one after another. */
#include "base/alloc.h"
#include "base/clock.h"
#include "store/door.h"
#include "sweep/sweep.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/*
 * A sweep and the background load: observed between its runs, and used in the builder's cuts.
 *
 * An observation reaches from one moment between two runs to another, so that all that our processes used is
 * counted by then.
 */

/* Shorter observations are coarse, for the clock's ticks are. */
static const double LAST_LEAST_S = 1;

/* Too little history is as none: the machine counts as idle. */
static enum ft_status read_history(struct ft_sweep *sweep, struct ft_err *err)
{
	struct ft_loads loads = {0};
	enum ft_status status =
		ft_store_get_load(sweep->store, sweep->machine->id,
				  ft_clock_real_ns() - FT_LOAD_AGE_S * 1000000000LL, &loads, err);

	if (!status)
		status = ft_load_usual(&sweep->load, &loads, sweep->options.sharing,
				       sweep->options.confidence, err);
	ft_loads_clear(&loads);
	return status == FT_ENOMODEL ? FT_OK : status;
}

enum ft_status ft__load_begin(struct ft_sweep *sweep, struct ft_err *err)
{
	enum ft_status status = FT_OK;

	if (!ft__is_here(sweep))
		return FT_OK;
	if (sweep->options.load == FT_LOAD_USUAL)
		status = read_history(sweep, err);
	if (!status)
		status = ft_load_recorder_open(&sweep->recorder, "", true, err);
	return status == FT_EUNAVAIL ? FT_OK : status;
}

/* A failure to store it is not worth a sweep: if the store is damaged, the next run reports it. */
static void load_observe(struct ft_sweep *sweep, bool last)
{
	struct ft_load load;

	if (!sweep->recorder)
		return;
	ft_load_recorder_look(sweep->recorder);
	if (ft_load_recorder_elapsed(sweep->recorder) < (last ? LAST_LEAST_S : (double)FT_LOAD_INTERVAL_S) ||
	    ft_load_recorder_read(sweep->recorder, &load, NULL))
		return;
	load.by_sweep = true;
	(void)ft_store_add_load(sweep->store, sweep->machine->id, &load, NULL);
}

void ft__load_end(struct ft_sweep *sweep)
{
	load_observe(sweep, true);
	ft_load_recorder_close(sweep->recorder);
	sweep->recorder = NULL;
	ft_load_functions_clear(&sweep->load);
}

/* The least number of runs, and how much longer than on an idle machine they took all together. */
enum { HINDERED_LEAST = 5 };
static const double hindered_by = 1.15;

void ft__hindrance_add(struct ft_sweep *sweep, const struct ft_run *run)
{
	double alone_s = ft_run_alone(run).wall_s, others = ft_run_runnable(run);

	if (run->outcome != FT_DONE || isnan(alone_s) || isnan(others))
		return;
	sweep->hindered_s += ft_run_value(run, &ft_wall_s);
	sweep->alone_s += alone_s;
	sweep->others += fmax(0, others);
	sweep->processors = run->processors;
	sweep->n_hindered++;
}

static struct ft_hindrance ft__hindrance(const struct ft_sweep *sweep)
{
	struct ft_hindrance h = {.slow_down = 1, .others = NAN, .processors = sweep->processors};

	if (!sweep->n_hindered)
		return h;
	h.slow_down = sweep->hindered_s / sweep->alone_s;
	h.others = sweep->others / (double)sweep->n_hindered;
	h.busy = sweep->n_hindered >= HINDERED_LEAST && h.slow_down >= hindered_by;
	return h;
}

/* 000 section 2.2: the ideal time is the processor time; of each of k threads where there are several. */
void ft__load_at(void *ctx, const struct ft_size *size, double seconds, double load[2])
{
	const struct ft_sweep *sweep = ctx;
	struct ft_load_outlook outlook;
	double threads = sweep->options.threads, ideal = seconds;

	for (size_t i = 0; i < sweep->report.n_sizes; i++) {
		const struct ft__tally *place = &sweep->place[i];

		if (!ft_size_equal(&sweep->report.size[i].size, size) || !place->n_cpu)
			continue;
		if (!(threads > 0))
			threads = fmax(1, place->cpu_s / place->wall_s);
		ideal = place->cpu_s / (double)place->n_cpu / threads;
	}
	ft_load_predict(&sweep->load, ideal, threads > 0 ? threads : 1, sweep->options.sharing, &outlook);
	for (size_t i = 0; i < 2; i++)
		load[i] = ft_load_of_slow_down(outlook.slow_down[i]);
}

/*
 * Load the store's runs, at the beginning of a sweep and when other processes have added some. Then a sweep
 * begins again with all of them: independent of their order of arrival, its state is a function of the
 * store, as after a restart.
 */

/* known_get - the store's runs of the program on the machine, into sweep->known, and their costs.
 * known_learn - pass them to the builder, and watch the memory of runs. */
static enum ft_status known_get(struct ft_sweep *sweep, struct ft_err *err)
{
	struct ft_runs *known = &sweep->known;
	enum ft_status status =
		ft_store_get_runs(sweep->store, sweep->program->id, sweep->machine->id, known, err);

	sweep->seen = known->n ? known->run[known->n - 1].id : 0;
	(void)ft_runs_settle(known);
	for (size_t i = 0; i < known->n; i++)
		ft__count_known(sweep, &known->run[i]);
	return status;
}

static enum ft_status known_learn(struct ft_sweep *sweep, struct ft_err *err)
{
	enum ft_status status = ft__guard_known(sweep, err);

	if (!status && ft__builder_repeats(sweep))
		status = ft__tell_known(sweep, err);
	return status;
}

/* places_free - the state of sizes, except for the report on them. */
static void places_free(struct ft_sweep *sweep)
{
	for (size_t i = 0; i < sweep->report.n_sizes; i++) {
		ft_free(sweep->place[i].seconds);
		ft_free(sweep->place[i].cost_s);
		ft_free(sweep->place[i].rest_s);
		ft_free(sweep->place[i].limit_s);
	}
}

/* known_clear - all that follows from what the store has. */
static void known_clear(struct ft_sweep *sweep)
{
	places_free(sweep);
	ft_free(sweep->place);
	ft__guard_end(sweep);
	ft__builder_clear(sweep);
	ft_runs_clear(&sweep->known);
	ft_sweep_report_clear(&sweep->report);
}

/* ---- news --------------------------------------------------------------------------------------------- */

/* The same sweep without results, except for the caller's options and its own work. */
static struct ft_sweep blank_sweep(const struct ft_sweep *old)
{
	struct ft_sweep sweep = *old;

	sweep.report = ft__no_report;
	sweep.report.runs = old->report.runs;
	sweep.report.cost_s = old->report.cost_s;
	sweep.known = (struct ft_runs){0};
	sweep.builder = NULL;
	sweep.where = NULL;
	memset(sweep.covered, 0, sizeof sweep.covered);
	sweep.place = NULL;
	sweep.need = NULL;
	sweep.kill = NULL;
	sweep.memory = NULL;
	sweep.memory_model = NULL;
	sweep.n_visits = sweep.capacity = sweep.kept = sweep.n_hindered = 0;
	sweep.n_needs = sweep.needs_capacity = sweep.n_kills = sweep.kills_capacity = 0;
	sweep.n_memory = sweep.memory_capacity = 0;
	sweep.hindered_s = sweep.alone_s = sweep.others = sweep.given_s = 0;
	sweep.ended = sweep.out_of_budget = false;
	return sweep;
}

/* Places have other numbers now. place: [old->report.n_sizes] room for them */
static enum ft_status carry_places(struct ft_sweep *sweep, const struct ft_sweep *old, size_t *place,
				   struct ft_err *err)
{
	enum ft_status status = FT_OK;

	for (size_t i = 0; i < old->report.n_sizes && !status; i++)
		if (old->place[i].last_piece || old->place[i].lost)
			status = ft__place_of(sweep, &old->report.size[i].size, &place[i], err);
	if (status)
		return status;
	for (size_t i = 0; i < old->report.n_sizes; i++)
		if (old->place[i].last_piece || old->place[i].lost) {
			/* The state of this process on sizes: pieces that are out, were lost, or were ended early. */
			struct ft__tally *to = &sweep->place[place[i]];
			const struct ft__tally *from = &old->place[i];

			to->in_flight = from->in_flight;
			to->lost = from->lost;
			to->last_piece = from->last_piece;
			to->ended_s = from->ended_s;
		}
	for (size_t i = 0; i < sweep->n_pieces; i++)
		sweep->piece[i].place = place[sweep->piece[i].place];
	return FT_OK;
}

enum ft_status ft_sweep_look(struct ft_sweep *sweep, size_t *n_new, struct ft_err *err)
{
	enum ft_status status = ft__sweep_check(sweep, err);
	struct ft_sweep old = *sweep;
	size_t n = 0;

	*n_new = 0;
	if (!status)
		status = ft_store_count_runs(sweep->store, sweep->program->id, sweep->machine->id,
					     sweep->seen, &n, err);
	if (status || n <= sweep->kept)
		return status;
	*sweep = blank_sweep(&old);
	size_t *place = ft_calloc(old.report.n_sizes + 1, sizeof *place);
	status = place ? FT_OK : ft_nomem(err);
	ft__guard_begin(sweep);
	if (!status)
		status = known_get(sweep, err);
	if (!status)
		status = ft__builder_make(sweep, err);
	if (!status)
		status = known_learn(sweep, err);
	if (!status)
		status = carry_places(sweep, &old, place, err);
	ft_free(place);
	if (status) {
		known_clear(sweep);
		*sweep = old;
		return status;
	}
	*n_new = n - old.kept;
	known_clear(&old);
	return FT_OK;
}

/*
 * At the end of a sweep: a model of every resource that was measured, kept in the store.
 */

/* Within the tolerance: an uncertain model cannot show that a parameter has no effect. */
static bool is_known(const struct ft_sweep *sweep, const struct ft_model_facts *facts)
{
	return !facts->too_few && facts->known <= sweep->options.tolerance;
}

/* Whether one parameter has no effect: at all measured sizes the typical run is the same within the
 * tolerance, and it is as accurate between them. */
static bool is_flat(const struct ft_sweep *sweep, const struct ft_model *model)
{
	const struct ft_model_facts *facts = ft_model_facts(model);
	double least = INFINITY, most = 0, tolerance = sweep->options.tolerance;
	size_t n;
	const struct ft_knot *knot = ft_model_knots(model, &n);

	for (size_t i = 0; i < n; i++) {
		struct ft_prediction at;

		if (ft_model_predict(model, &knot[i].size, knot[i].work, 0.9, &at, NULL))
			return false;
		least = fmin(least, at.value);
		most = fmax(most, at.value);
	}
	return is_known(sweep, facts) && most <= least * (1 + tolerance);
}

/* FT_ENOMODEL: no run has the resource. The record is the caller's, also on failure. */
static enum ft_status fit_model(const struct ft_sweep *sweep, const struct ft_program *program,
				const struct ft_runs *runs, const struct ft_resource *resource,
				struct ft_model_record *record, struct ft_err *err)
{
	size_t axis[FT_PARAMS_MAX] = {sweep->varying}, n_axes = ft_runs_axes(runs, NULL, axis);

	*record = (struct ft_model_record){
		.resource = resource,
		.stop = sweep->report.stop,
		.made_ns = ft_clock_real_ns(),
		.last_run = runs->n ? runs->run[runs->n - 1].id : 0,
	};
	if (!runs->n)
		return ft_fail(err, FT_ENOMODEL, "there are no runs");
	if (!n_axes)
		axis[n_axes++] = sweep->varying;
	/* The parameters that do not vary in the runs; the others are 0. */
	struct ft_size fixed = {0};

	for (size_t i = runs->n; i-- > 0;)
		if (runs->run[i].outcome == FT_DONE && !runs->run[i].warmup)
			fixed = runs->run[i].size;
	for (size_t i = 0; i < n_axes; i++)
		fixed.value[axis[i]] = 0;
	record->fixed = fixed;
	/* If the sizes of the sweep's parameter are listed, the facts of its models are about these. */
	struct ft_model_options options = {
		.axis = axis, .n_axes = n_axes, .prior = ft_store_prior(sweep->store)};

	if (n_axes == 1 && sweep->n_axes == 1 && axis[0] == sweep->varying) {
		const struct ft_space *space = ft_builder_space(sweep->builder, axis[0]);

		options.sizes = space->sizes;
		options.n_sizes = space->n_sizes;
	}
	(void)snprintf(record->method, sizeof record->method, "%s", ft_sweep_method(&sweep->options));
	return ft_model_fit_runs(&record->model, program, runs, resource, &record->fixed, &options, err);
}

/* One model: fitted, stored, counted. No run with the resource is no failure. */
static enum ft_status keep_model(struct ft_sweep *sweep, const struct ft_program *program,
				 const struct ft_runs *runs, const struct ft_resource *resource,
				 struct ft_err *err)
{
	struct ft_model_record record;
	enum ft_status status = fit_model(sweep, program, runs, resource, &record, err);

	if (status == FT_ENOMODEL)
		return FT_OK;
	if (!status)
		status = ft_store_put_model(sweep->store, program->id, sweep->machine->id, &record, err);
	if (!status)
		sweep->report.models++;
	if (!status && program == sweep->program && resource == sweep->options.resource) {
		/* Report on the model of the steering resource. */
		const struct ft_model_facts *facts = ft_model_facts(record.model);
		struct ft_sweep_report *report = &sweep->report;

		if (sweep->n_axes == 1)
			report->flat[sweep->varying] = is_flat(sweep, record.model);
		else if (sweep->options.builder->repeats && !is_known(sweep, facts))
			memset(report->flat, 0, sizeof report->flat);
		report->known_to = facts->known;
		report->scatter = facts->scatter;
		report->rough = facts->rough;
		report->noisy = facts->noisy;
		report->too_few = facts->too_few;
	}
	ft_model_record_clear(&record);
	return status;
}

static enum ft_status keep_program(struct ft_sweep *sweep, const struct ft_program *program,
				   struct ft_err *err)
{
	const struct ft_resource *resource;
	const struct ft_resource **counter = NULL;
	struct ft_runs runs = {0};
	enum ft_status status = ft_store_get_runs(sweep->store, program->id, sweep->machine->id, &runs, err);

	(void)ft_runs_settle(&runs);
	size_t n_counters = 0;

	if (!status)
		status = ft_runs_counters(&runs, &counter, &n_counters, err);
	for (size_t i = 0; runs.n && !status && (resource = ft_resource_get(i)); i++)
		status = keep_model(sweep, program, &runs, resource, err);
	for (size_t i = 0; !status && i < n_counters; i++)
		status = keep_model(sweep, program, &runs, counter[i], err);
	ft_free(counter);
	ft_runs_clear(&runs);
	return status;
}

/* The programs NAME/... of the same executable. */
static enum ft_status keep_routines(struct ft_sweep *sweep, struct ft_err *err)
{
	struct ft_store_list list = {0};
	size_t length = strlen(sweep->program->name), i;
	enum ft_status status = ft_store_find_runs(sweep->store, NULL, &list, err);

	for (i = 0; i < list.n && !status; i++) {
		const struct ft_store_entry *entry = &list.entry[i];
		struct ft_program routine;

		if (strncmp(entry->name, sweep->program->name, length) != 0 || entry->name[length] != '/' ||
		    !entry->current || entry->machine != sweep->machine->id)
			continue;
		status = ft_store_get_program_at(sweep->store, entry->program, &routine, err);
		if (!status && !ft_program_is_on(&routine, sweep->program->device)) {
			ft_program_clear(&routine);
			continue;
		}
		if (!status)
			status = keep_program(sweep, &routine, err);
		ft_program_clear(&routine);
	}
	ft_store_list_clear(&list);
	return status;
}

/* keep_models - fit and store the models of everything that was measured for a program (sweep->program,
 * then its routines). */
static enum ft_status keep_models(struct ft_sweep *sweep, struct ft_err *err)
{
	enum ft_status status = keep_program(sweep, sweep->program, err);

	return status ? status : keep_routines(sweep, err);
}

/*
 * A sweep from its beginning to its end, when all that was measured is modelled; and the usual driver,
 * which makes the runs here, one after another.
 */

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
		status = known_get(sweep, err);
	if (!status)
		status = ft__builder_make(sweep, err);
	if (!status) {
		ft_free(sweep->program->method);
		sweep->program->method = ft_strdup(ft_sweep_method(&sweep->options));
		status = sweep->program->method ? ft_store_put_program(sweep->store, sweep->program, err)
						: ft_nomem(err);
	}
	if (!status && !sweep->known.n)
		status = known_get(sweep, err);
	return status ? status : known_learn(sweep, err);
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
	known_clear(sweep);
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

/* ---- progress so far ----------------------------------------------------------------------------- */

static size_t count_points(const struct ft_sweep *sweep)
{
	size_t n = 0;

	for (size_t i = 0; i < sweep->report.n_sizes; i++)
		n += sweep->place[i].n > 0;
	return n;
}

/* The builder's requests are done when the sweep ends; but if all runs fail there is no result. */
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

enum ft_status ft_sweep_end(struct ft_sweep *sweep, struct ft_sweep_report *report, struct ft_err *err)
{
	*report = ft__no_report;
	if (sweep->broken == FT_EEND)
		return ft__sweep_check(sweep, err);
	sweep->report.points = count_points(sweep);
	if (!sweep->ended)
		sweep->report.stop = FT_STOP_INTERRUPTED;
	enum ft_status status = keep_models(sweep, err);
	if (!status && !sweep->report.models && sweep->report.stop != FT_STOP_INTERRUPTED)
		status = no_model(sweep, err);
	sweep->report.killed = ft__guard_killed(sweep);
	sweep->report.hindrance = ft__hindrance(sweep);
	*report = sweep->report;
	places_free(sweep);
	sweep->report = ft__no_report;
	sweep->broken = FT_EEND;
	/* Sizes that were requested and never run, because the budget or the user ended the sweep, are not listed. */
	size_t kept = 0;

	for (size_t i = 0; i < report->n_sizes; i++)
		if (report->size[i].runs || report->size[i].failed)
			report->size[kept++] = report->size[i];
	report->n_sizes = kept;
	return status;
}

/* ---- the main job ------------------------------------------------------------------------------------- */

enum ft_status ft_sweep_measure(struct ft_sweep *sweep, const struct ft_sweep_piece *piece,
				struct ft_err *err)
{
	struct ft_runs runs = {0};
	enum ft_status status =
		ft_source_run(sweep->source, &piece->size, piece->index, piece->limit_s, &runs, err);

	if (!status || status == FT_EEND)
		status = ft_sweep_report(sweep, piece->id, &runs, err);
	if (status)
		(void)ft_sweep_lose(sweep, piece->id, NULL);
	ft_runs_clear(&runs);
	load_observe(sweep, false);
	return status;
}

/* One run after another, until an interrupt. */
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
		if (sweep->options.progress) {
			struct ft_progress progress;

			ft_sweep_progress(sweep, &progress);
			progress.size = piece.size;
			progress.expected_s = piece.expected_s;
			progress.reason = (int)piece.reason;
			progress.gain = piece.gain;
			sweep->options.progress(sweep->options.progress_ctx, &progress);
		}
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
