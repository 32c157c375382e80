/* SPDX-License-Identifier: GPL-3.0-or-later */
/* decide.c - drives a chooser: request, run, store, report, until the choice is certain or no run is
   decisive. */
#include "base/alloc.h"
#include "device/door.h"
#include "energy/door.h"
#include "facts/door.h"
#include "foretime/base.h"
#include "measure/door.h"
#include "store/door.h"

#include <math.h>

struct deciding {
	struct ft_store *store;
	struct ft_decide_device *device;
	size_t n;
	const struct ft_machine *machine;
	const struct ft_decide_options *options;
	struct ft_decide_report *report;
	struct ft_chooser *chooser;
	struct ft_expr *where;    /* NULL: every size makes sense */
	bool ran[FT_DEVICES_MAX]; /* a run that counts ended well */
	struct ft_err *err;
};

void ft_decide_clear(struct ft_decide_device *device, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		ft_free(device[i].detail);
		device[i].detail = NULL;
	}
}

/* ---- before the first run -------------------------------------------------------------------------------
 */

static bool admits_size(void *ctx, const struct ft_size *size)
{
	const struct deciding *d = ctx;
	const struct ft_program *program = d->device[0].program;
	const char *name[FT_PARAMS_MAX];
	double value = 0;

	for (size_t i = 0; i < program->n_params; i++)
		name[i] = program->param[i].name;
	return !d->where ||
	       (!ft_expr_eval(d->where, name, size->value, program->n_params, &value, NULL) && value != 0);
}

static const struct ft_resource *resource_of(const struct deciding *d)
{
	return d->options->resource ? d->options->resource : &ft_wall_s;
}

static enum ft_status new_chooser(struct deciding *d)
{
	const struct ft_program *program = d->device[0].program;
	struct ft_chooser_options options = {.n_params = program->n_params,
					     .admits = admits_size,
					     .ctx = d,
					     .n_devices = d->n,
					     .tolerance = d->options->tolerance,
					     .budget_s = d->options->budget_s,
					     .longest_s = d->options->timeout_s,
					     .points = d->options->points,
					     .by_value = resource_of(d) != &ft_wall_s,
					     .watts = d->options->watts};

	for (size_t i = 0; i < program->n_params; i++)
		options.space[i] = ft_param_space(&program->param[i]);
	return ft_chooser_new(&d->chooser, &options, d->err);
}

/* ---- results ----------------------------------------------------------------------------------- */

/* The energy of a run, as it was measured, else by the powers of the machine. over_s: out, in which time. */
static double energy_of(const struct ft_decide_device *device, const struct ft_run *run, double *over_s)
{
	double joules = ft_run_value(run, &ft_energy_j), time_s[FT_POWER_PARTS];

	*over_s = ft_run_value(run, &ft_wall_s);
	if (!isnan(joules) || !device->power.parts)
		return joules;
	*over_s = ft_run_idle_value(run, &ft_wall_s);
	if (ft_power_times(&device->power, *over_s, ft_run_value(run, &ft_cpu_s), time_s, NULL))
		return NAN;
	return ft_power_energy(&device->power, time_s, *over_s, 0.9).joules;
}

/* seconds NaN: failed, no value. */
static struct ft_chooser_run result_of(const struct deciding *d, const struct ft_decide_device *device,
				       const struct ft_run *run)
{
	struct ft_chooser_run result = {NAN, NAN, NAN};
	double over_s;

	if (run->outcome != FT_DONE || run->warmup || !(ft_run_idle_value(run, &ft_wall_s) > 0))
		return result;
	double joules = energy_of(device, run, &over_s);
	result.seconds = ft_run_idle_value(run, &ft_wall_s);
	result.value = resource_of(d) != &ft_energy_j ? ft_run_idle_value(run, resource_of(d)) : joules;
	result.watts = joules / over_s;
	return result;
}

/* Whether it has the values that devices are compared by. */
static bool is_enough(const struct deciding *d, const struct ft_chooser_run *result)
{
	return result->seconds > 0 && result->value > 0 && (!(d->options->watts > 0) || result->watts > 0);
}

/* ---- runs -----------------------------------------------------------------------------------------------
 */

static bool is_interrupted(const struct deciding *d)
{
	return d->options->interrupt && *d->options->interrupt;
}

static double limit_of(const struct deciding *d)
{
	double left = d->options->budget_s > 0 ? fmax(0.01, d->options->budget_s - d->report->cost_s) : 0;

	if (d->options->timeout_s > 0 && left > 0)
		return fmin(left, d->options->timeout_s);
	return d->options->timeout_s > 0 ? d->options->timeout_s : left;
}

/* The process, and each routine that it reported. */
static enum ft_status keep_runs(struct deciding *d, const struct ft_program *program, struct ft_runs *runs,
				bool warmup)
{
	enum ft_status status = FT_OK;

	FT_TRY(ft_store_begin(d->store, d->err));
	for (size_t i = 0; i < runs->n && !status; i++) {
		runs->run[i].warmup = warmup;
		status = ft_store_keep_run(d->store, program, d->machine->id, &runs->run[i], d->err);
	}
	return ft_store_end(d->store, status, d->err);
}

/* One run. result: out, of the process, which runs on the device. */
static enum ft_status make_run(struct deciding *d, const struct ft_chooser_next *next, bool warmup,
			       struct ft_chooser_run *result)
{
	struct ft_decide_device *device = &d->device[next->device];
	struct ft_runs runs = {0};
	enum ft_status status = ft_source_run(device->source, &next->size, device->runs + device->known,
					      limit_of(d), &runs, d->err);

	*result = (struct ft_chooser_run){NAN, NAN, NAN};
	if (!status && runs.n && runs.run[0].outcome != FT_INTERRUPTED) {
		const struct ft_run *run = &runs.run[0];
		double cost_s = isnan(run->cost_s) ? 0 : run->cost_s;

		device->runs++;
		device->failed += run->outcome != FT_DONE;
		device->cost_s += cost_s;
		d->report->cost_s += cost_s;
		d->report->runs++;
		if (run->detail) {
			ft_free(device->detail);
			device->detail = ft_strdup(run->detail);
		}
		*result = result_of(d, device, &runs.run[0]);
		status = keep_runs(d, device->program, &runs, warmup);
	}
	ft_runs_clear(&runs);
	return status;
}

/* The requested run: after a warm-up if the device has no run, and once more if it failed. */
static enum ft_status run_next(struct deciding *d, const struct ft_chooser_next *next)
{
	struct ft_decide_device *device = &d->device[next->device];
	struct ft_chooser_run result = {NAN, NAN, NAN};
	enum ft_status status = FT_OK;

	if (!device->runs && !device->known && ft_source_is_live(device->source))
		status = make_run(d, next, true, &result);
	if (!status && !is_interrupted(d))
		status = make_run(d, next, false, &result);
	if (!status && isnan(result.seconds) && !is_interrupted(d))
		status = make_run(d, next, false, &result);
	if (status || is_interrupted(d))
		return status;
	if (!isnan(result.seconds) && !is_enough(d, &result)) {
		bool of_value = !(result.value > 0) && resource_of(d) != &ft_energy_j;

		(void)ft_fail(d->err, FT_EUNAVAIL, "a run of device '%s' does not report its %s",
			      device->program->device, of_value ? resource_of(d)->name : "energy");
		if (of_value)
			return ft_remedy(d->err, "foretime machine info shows what can be measured here");
		return ft_remedy(
			d->err,
			"state what is drawn meanwhile, as in --powers '%s:infr=60,core=8,device=150', or "
			"measure it: "
			"--measure energy=rapl, --meter",
			device->program->device);
	}
	d->ran[next->device] |= !isnan(result.seconds);
	return ft_chooser_tell(d->chooser, next->device, &next->size, &result, d->err);
}

static enum ft_status make_runs(struct deciding *d)
{
	struct ft_chooser_next next;
	enum ft_status status;

	while (!(status = ft_chooser_ask(d->chooser, &next, d->err)) && next.size.n) {
		if (is_interrupted(d))
			break;
		if (d->options->budget_s > 0 && d->report->cost_s >= d->options->budget_s) {
			d->report->stop = FT_CHOOSER_BUDGET;
			d->report->loss = ft_chooser_loss(d->chooser);
			return FT_OK;
		}
		const struct ft_decide_progress progress = {next.device,       next.size,
							    next.expected_s,   ft_chooser_loss(d->chooser),
							    d->report->cost_s, d->options->budget_s,
							    d->report->runs};

		if (d->options->progress)
			d->options->progress(d->options->ctx, &progress);
		if ((status = run_next(d, &next)))
			return status;
	}
	d->report->interrupted = is_interrupted(d);
	d->report->stop = ft_chooser_stop(d->chooser);
	d->report->loss = ft_chooser_loss(d->chooser);
	return status;
}

enum ft_status ft_decide(struct ft_store *store, struct ft_decide_device *device, size_t n,
			 const struct ft_machine *machine, const struct ft_decide_options *options,
			 struct ft_decide_report *report, struct ft_err *err)
{
	struct deciding d = {.store = store,
			     .device = device,
			     .n = n,
			     .machine = machine,
			     .options = options,
			     .report = report,
			     .err = err};

	*report = (struct ft_decide_report){.loss = NAN};
	const char *where = d.device[0].program->where;
	enum ft_status status = where ? ft_expr_new(&d.where, where, d.err) : FT_OK;
	if (!status)
		status = new_chooser(&d);
	for (size_t i = 0; i < n && !status; i++) {
		device[i].runs = device[i].failed = device[i].known = 0;
		device[i].cost_s = 0;
		struct ft_decide_device *each = &d.device[i];
		struct ft_runs runs = {0};
		status = ft_store_get_runs(d.store, each->program->id, d.machine->id, &runs, d.err);

		(void)ft_runs_settle(&runs);
		for (size_t k = 0; k < runs.n && !status; k++) {
			struct ft_chooser_run result = result_of(&d, each, &runs.run[k]);

			if (!is_enough(&d, &result))
				continue;
			status = ft_chooser_tell(d.chooser, i, &runs.run[k].size, &result, d.err);
			each->known++;
		}
		ft_runs_clear(&runs);
	}
	if (!status)
		status = make_runs(&d);
	/* A device that was tried, without any run that ended well except, perhaps, the warm-up. */
	for (size_t i = 0; i < d.n; i++)
		d.device[i].gone = !d.device[i].known && d.device[i].failed && !d.ran[i];
	ft_chooser_free(d.chooser);
	ft_expr_free(d.where);
	return status;
}
