/* SPDX-License-Identifier: GPL-3.0-or-later */
/* elsewhere.c - predicts a program on a machine where it was never run: its instructions, counted here, at
 * the pace of that machine.
 *
 * 002 eq. 3.1: compT = Instr(N) (cycles per instruction) / (available cycles per second). Cycles per
 * instruction depend on program and machine; they are estimated from other programs there, and the
 * differences between these give their uncertainty. */
#include "ask/ask.h"
#include "base/alloc.h"
#include "energy/door.h"
#include "num/num.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ratios_of - the ratio of times there to here for a run of some memory (NaN: not known). The shares of
 * micro-benchmarks in the program are unknown: all that use no more memory than the run have equal weight,
 * and the variation between them is the error. Returns false: fewer than FT__ROWS_LEAST. */
enum { FT__ROWS_LEAST = 5 };

/*
 * Compare two calibrated machines: the ratio of their times.
 *
 * 004 eq. 5.2: the time of a target is the sum of the micro-benchmarks, each weighted by its share. With
 * w(n) the shares of its time here, it takes sum w_k(n) r_k times as long there, r_k being the ratios of the
 * two rows. One machine alone does not determine the shares.
 */

static const char prefix[] = "calibration/";

/* A calibration never takes more than a minute. */
static const double CALIBRATION_S = 60;

static void ratios_clear(struct ft__rows *rows)
{
	ft_free(rows->ratio);
	*rows = (struct ft__rows){0};
}

/* The name of a micro-benchmark that goes over memory ends with how much: "load_8m". */
static double bytes_of(const char *name)
{
	const char *last = strrchr(name, '_');
	char *end;

	if (!last)
		return 0;
	double amount = strtod(last + 1, &end);
	return amount * (!strcmp(end, "k") ? 1024 : !strcmp(end, "m") ? 1048576 : 0);
}

/* The median of the newest calibration; NaN: none. */
static enum ft_status median_of(struct ft_store *store, int64_t program, int64_t machine, double *median,
				struct ft_err *err)
{
	struct ft_runs runs = {0};
	enum ft_status status = ft_store_get_runs(store, program, machine, &runs, err);
	double *value = status ? NULL : ft_malloc((runs.n + 1) * sizeof *value);
	int64_t newest = 0;
	size_t n = 0;

	if (!status && !value)
		status = ft_nomem(err);
	for (size_t i = 0; !status && i < runs.n; i++)
		newest = runs.run[i].started_ns > newest ? runs.run[i].started_ns : newest;
	for (size_t i = 0; !status && i < runs.n; i++) {
		double s = ft_run_value(&runs.run[i], &ft_wall_s);

		if (s > 0 && (double)(newest - runs.run[i].started_ns) / 1e9 <= CALIBRATION_S)
			value[n++] = s;
	}
	*median = n ? ft_stats_median(value, n) : (double)NAN;
	ft_free(value);
	ft_runs_clear(&runs);
	return status;
}

/* The same operations, of the same version: the program is the same one. */
static bool has_entry(const struct ft_store_list *list, int64_t program, int64_t machine)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->entry[i].program == program && list->entry[i].machine == machine)
			return true;
	return false;
}

static enum ft_status add_ratio(struct ft_store *store, const struct ft_store_entry *entry, int64_t here,
				int64_t there, struct ft__rows *out, struct ft_err *err)
{
	double at[2];
	enum ft_status status = median_of(store, entry->program, here, &at[0], err);

	if (!status)
		status = median_of(store, entry->program, there, &at[1], err);
	if (status || isnan(at[0]) || isnan(at[1]))
		return status;
	struct ft__ratio *grown = ft_grow(out->ratio, out->n, &out->capacity, sizeof *grown);
	if (!grown)
		return ft_nomem(err);
	out->ratio = grown;
	grown[out->n++] = (struct ft__ratio){log(at[1] / at[0]), bytes_of(entry->name)};
	return FT_OK;
}

/* ratios_read - the newest calibrations of both in the store; it is no error if there are none.
 *
 * list  all that was run (ft_store_find_runs)
 * out   zero-initialised; ends with ratios_clear
 */
static enum ft_status ratios_read(struct ft_store *store, const struct ft_store_list *list, int64_t here,
				  int64_t there, struct ft__rows *out, struct ft_err *err)
{
	enum ft_status status = FT_OK;

	for (size_t i = 0; !status && here && there && i < list->n; i++) {
		const struct ft_store_entry *entry = &list->entry[i];

		if (entry->machine == there && !strncmp(entry->name, prefix, sizeof prefix - 1) &&
		    has_entry(list, entry->program, here))
			status = add_ratio(store, entry, here, there, out, err);
	}
	return status;
}

static bool ratios_of(const struct ft__rows *rows, double bytes, struct ft_pace *out)
{
	double sum = 0, squares = 0, n = 0;

	*out = (struct ft_pace){0};
	for (size_t i = 0; i < rows->n; i++)
		if (isnan(bytes) || rows->ratio[i].bytes <= bytes) {
			sum += rows->ratio[i].ln;
			n++;
		}
	if (n < FT__ROWS_LEAST)
		return false;
	for (size_t i = 0; i < rows->n; i++)
		if (isnan(bytes) || rows->ratio[i].bytes <= bytes)
			squares += (rows->ratio[i].ln - sum / n) * (rows->ratio[i].ln - sum / n);
	out->programs = (size_t)n;
	out->s = exp(sum / n);
	out->dof = n - 1;
	out->spread = sqrt(squares / (n - 1) * (1 + 1 / n));
	return true;
}

/*
 * Predict energy that was not measured, by the powers of the machine.
 */

void ft_ask_powers(struct ft_answerer *answerer, const struct ft_power *power)
{
	answerer->power = *power;
}

bool ft__ask_by_power(const struct ft_answerer *a, const struct ft_resource *resource)
{
	return a->power.parts && resource == &ft_energy_j && !ft__ask_has_value(a, resource) &&
	       !ft_knowledge_law(&a->knowledge, resource);
}

static bool needs_cores(const struct ft_power *power)
{
	return ft_power_part(power, "core") >= 0;
}

/* The time of the run, and both ends of its interval. */
static enum ft_status ask_times(struct ft_answerer *a, const struct ft_size *size, double confidence,
				struct ft_prediction *wall, struct ft_prediction *cpu, struct ft_err *err)
{
	enum ft_status status = ft_ask_predict(a, &ft_wall_s, size, confidence, wall, err);

	*cpu = (struct ft_prediction){.known = 0};
	if (status || !needs_cores(&a->power))
		return status;
	status = ft_ask_predict(a, &ft_cpu_s, size, confidence, cpu, err);
	if (status == FT_ENOENT) {
		(void)ft_fail(err, FT_ENOMODEL, "for how long '%s' keeps cores busy is not known",
			      a->program.name);
		return ft_remedy(err, "run it under foretime, which measures processor time (cpu_s)");
	}
	return status;
}

/* Time and processor time of a run go up and down together, as they mostly do; the doubt of the powers is
 * another one. */
enum ft_status ft__ask_power_predict(struct ft_answerer *a, const struct ft_size *size, double confidence,
				     struct ft_prediction *out, struct ft_err *err)
{
	struct ft_prediction wall, cpu;
	double time[3][FT_POWER_PARTS], doubt, down, up;

	FT_TRY(ask_times(a, size, confidence, &wall, &cpu, err));
	FT_TRY(ft_power_times(&a->power, wall.value, cpu.value, time[0], err));
	FT_TRY(ft_power_times(&a->power, wall.lower, cpu.lower, time[1], err));
	FT_TRY(ft_power_times(&a->power, wall.upper, cpu.upper, time[2], err));
	struct ft_energy at = ft_power_energy(&a->power, time[0], wall.value, confidence);
	struct ft_energy low = ft_power_energy(&a->power, time[1], wall.lower, confidence);
	struct ft_energy high = ft_power_energy(&a->power, time[2], wall.upper, confidence);
	*out = wall;
	out->level = FT_LEVEL_POWER;
	out->basis = FT_BASIS_STATED;
	out->value = at.joules;
	/* Stated powers have no known error. */
	doubt = isnan(at.upper) ? 0 : log(at.upper / at.joules);
	down = log(at.joules / fmax(low.joules, at.joules * 1e-9));
	up = log(high.joules / at.joules);
	out->known = expm1(hypot(fmax(log1p(wall.known), log1p(cpu.known)), doubt));
	out->lower = at.joules * exp(-hypot(down, doubt));
	out->upper = at.joules * exp(hypot(up, doubt));
	if (isnan(wall.lower) || isnan(cpu.lower))
		out->lower = out->upper = out->known = NAN;
	if (at.joules > 0)
		return FT_OK;
	(void)ft_fail(err, FT_ENOMODEL, "these powers make the energy of a run %g J", at.joules);
	return ft_remedy(err, "they are below 0 in part: fit runs that use the parts more differently");
}

/*
 * Predicts a program on a machine where it was never run: its instructions, counted here, at the pace of
 * that machine.
 */

/* The prior of the variation between the paces of programs (one standard deviation of ln), with the weight
 * of two programs. Cycles per instruction are usually between 0.3 and 2. */
static const double prior_spread = 0.5;
enum { PRIOR_PROGRAMS = 2, NEAREST = 5 };

/* A run of some program there: how many instructions, how fast. */
struct elsewhere_sample {
	int64_t program;
	double ln_instructions, ln_pace, distance;
};

struct ft__elsewhere {
	struct ft_machine machine;
	struct ft_cycles stated;
	struct elsewhere_sample *sample; /* [n] in the order of programs */
	size_t n, capacity;
	const struct ft_resource *resource; /* the resource of the paces */
	struct ft__rows rows;               /* of here and of there */
};

void ft__elsewhere_free(struct ft__elsewhere *elsewhere)
{
	if (!elsewhere)
		return;
	ft_machine_clear(&elsewhere->machine);
	ft_free(elsewhere->sample);
	ratios_clear(&elsewhere->rows);
	ft_free(elsewhere);
}

const struct ft_machine *ft_ask_elsewhere_machine(const struct ft_answerer *answerer)
{
	return answerer->elsewhere ? &answerer->elsewhere->machine : NULL;
}

const struct ft_machine *ft_ask_answered_machine(const struct ft_answerer *answerer)
{
	return answerer->elsewhere ? &answerer->elsewhere->machine : &answerer->machine;
}

/* ---- the other machine ------------------------------------------------------------------------ */

/* FT_ENOENT: it has no runs. */
static enum ft_status find_machine(struct ft_answerer *a, const struct ft_store_list *list, const char *name,
				   struct ft_machine *out, struct ft_err *err)
{
	for (size_t i = 0; i < list->n; i++) {
		if (!list->entry[i].machine)
			continue;
		enum ft_status status = ft_store_get_machine(a->store, list->entry[i].machine, out, err);
		if (status || ft_machine_is_called(out, name))
			return status;
		ft_machine_clear(out);
	}
	(void)ft_fail(err, FT_ENOENT, "nothing was run on a machine '%s'", name);
	(void)ft_remedy(
		err,
		"export some runs with instructions there and import them here, or state its cycles with "
		"--cpi C,hz=F");
	return FT_ENOENT;
}

static enum ft_status add_sample(struct ft__elsewhere *e, int64_t program, double instructions, double pace,
				 struct ft_err *err)
{
	struct elsewhere_sample *grown = ft_grow(e->sample, e->n, &e->capacity, sizeof *grown);

	if (!grown)
		return ft_nomem(err);
	e->sample = grown;
	e->sample[e->n++] = (struct elsewhere_sample){program, log(instructions), log(pace), 0};
	return FT_OK;
}

/* The runs of one program there that have both a time and instructions; and their clock rates. */
static enum ft_status read_entry(struct ft_answerer *a, struct ft__elsewhere *e,
				 const struct ft_store_entry *entry, double *hz, size_t *n_hz,
				 struct ft_err *err)
{
	struct ft_runs runs = {0};
	enum ft_status status = ft_store_get_runs(a->store, entry->program, entry->machine, &runs, err);

	for (size_t i = 0; i < runs.n && !status; i++) {
		const struct ft_run *run = &runs.run[i];
		double instructions = ft_run_value(run, &ft_instructions),
		       time = ft_run_idle_value(run, e->resource);

		if (run->cpu_hz > 0) {
			*hz += run->cpu_hz;
			(*n_hz)++;
		}
		if (run->outcome == FT_DONE && !run->warmup && instructions > 0 && time > 0)
			status = add_sample(e, entry->program, instructions, time / instructions, err);
	}
	ft_runs_clear(&runs);
	return status;
}

/* All that was run there; the clock rate, where it was not stated. */
static enum ft_status learn_runs(struct ft_answerer *a, struct ft__elsewhere *e, struct ft_err *err)
{
	struct ft_store_list list;
	double hz = 0;
	size_t n_hz = 0;
	enum ft_status status = ft_store_find_runs(a->store, NULL, &list, err);

	e->n = 0;
	for (size_t i = 0; i < list.n && !status; i++)
		if (list.entry[i].machine && list.entry[i].machine == e->machine.id)
			status = read_entry(a, e, &list.entry[i], &hz, &n_hz, err);
	ft_store_list_clear(&list);
	if (!status && !(e->stated.hz > 0) && n_hz)
		e->stated.hz = hz / (double)n_hz;
	return status;
}

static enum ft_status check_stated(const struct ft__elsewhere *e, const char *name, struct ft_err *err)
{
	const struct ft_cycles *c = &e->stated;

	if (c->cpi > 0 && !(c->hz > 0)) {
		(void)ft_fail(err, FT_EUNAVAIL, "the clock rate of '%s' is not known", name);
		(void)ft_remedy(err, "state it with --cpi hz=3e9");
		return FT_EUNAVAIL;
	}
	if (!(c->cpi > 0) && !e->n && e->rows.n < FT__ROWS_LEAST) {
		(void)ft_fail(err, FT_ENOMODEL, "no run on '%s' has both a time and instructions", name);
		(void)ft_remedy(err, "import such runs of any program, or calibrate both machines (foretime "
				     "machine calibrate), or state its cycles with --cpi C,hz=F");
		return FT_ENOMODEL;
	}
	return FT_OK;
}

enum ft_status ft_ask_elsewhere(struct ft_answerer *answerer, const char *machine,
				const struct ft_cycles *stated, struct ft_err *err)
{
	struct ft__elsewhere *e = ft_calloc(1, sizeof *e);
	struct ft_store_list list = {0};
	struct ft_err unknown = {0};

	if (!e)
		return ft_nomem(err);
	e->stated = *stated;
	e->resource = &ft_wall_s;
	enum ft_status status = ft_store_find_runs(answerer->store, NULL, &list, err);
	if (!status) {
		status = find_machine(answerer, &list, machine, &e->machine, &unknown);
		/* With its cycles stated, it need not be known. */
		if (status == FT_ENOENT && stated->cpi > 0 && stated->hz > 0) {
			e->machine.host = ft_strdup(machine);
			status = e->machine.host ? FT_OK : ft_nomem(err);
		} else if (status && err) {
			*err = unknown;
		}
	}
	if (!status)
		status = ratios_read(answerer->store, &list, answerer->machine.id, e->machine.id, &e->rows,
				     err);
	if (!status)
		status = learn_runs(answerer, e, err);
	if (!status)
		status = check_stated(e, machine, err);
	ft_store_list_clear(&list);
	if (status) {
		ft__elsewhere_free(e);
		return status;
	}
	ft__elsewhere_free(answerer->elsewhere);
	answerer->elsewhere = e;
	return FT_OK;
}

/* ---- its pace ----------------------------------------------------------------------------------------- */

/* The pace of one program [n samples]: the mean of those with the nearest number of instructions. */
static double pace_of(struct elsewhere_sample *sample, size_t n, double ln_instructions)
{
	size_t count = n < NEAREST ? n : NEAREST;
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sample[i].distance = fabs(sample[i].ln_instructions - ln_instructions);
	for (size_t i = 0; i < count; i++) {
		for (size_t j = i + 1; j < n; j++)
			if (sample[j].distance < sample[i].distance) {
				struct elsewhere_sample nearer = sample[j];

				sample[j] = sample[i];
				sample[i] = nearer;
			}
		sum += sample[i].ln_pace;
	}
	return sum / (double)count;
}

static void find_pace(struct ft__elsewhere *e, double instructions, struct ft_pace *out)
{
	double mean = 0, squares = 0, share = e->stated.available > 0 ? e->stated.available : 1;
	size_t j;

	*out = (struct ft_pace){.stated = e->stated.cpi > 0};
	if (out->stated) {
		out->s = e->stated.cpi / (e->stated.hz * share);
		return;
	}
	for (size_t pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < e->n; i = j) {
			for (j = i; j < e->n && e->sample[j].program == e->sample[i].program; j++)
				continue;
			double ln = pace_of(&e->sample[i], j - i, log(instructions));
			mean += pass ? 0 : ln;
			squares += pass ? (ln - mean) * (ln - mean) : 0;
			out->programs += pass ? 0 : 1;
			if (!pass && j == e->n)
				mean /= (double)out->programs;
		}
	out->s = exp(mean) / share;
	out->dof = PRIOR_PROGRAMS + (double)out->programs - 1;
	out->spread = sqrt((PRIOR_PROGRAMS * prior_spread * prior_spread + squares) / out->dof *
			   (1 + 1 / (double)out->programs));
}

enum ft_status ft_ask_pace(struct ft_answerer *answerer, double instructions, struct ft_pace *out,
			   struct ft_err *err)
{
	*out = (struct ft_pace){0};
	if (!answerer->elsewhere)
		return ft_fail(err, FT_EINVAL, "no other machine was given");
	if (!(instructions > 0))
		return ft_fail(err, FT_EINVAL, "%g instructions have no pace", instructions);
	find_pace(answerer->elsewhere, instructions, out);
	return FT_OK;
}

/* ---- the answer --------------------------------------------------------------------------------------- */

static enum ft_status carries_over(const struct ft_resource *resource, struct ft_err *err)
{
	if (resource == &ft_instructions || resource == &ft_peak_rss_bytes || resource == &ft_peak_tree_bytes)
		return FT_OK;
	(void)ft_fail(err, FT_ENOMODEL, "%s on one machine does not predict %s on another", resource->name,
		      resource->name);
	(void)ft_remedy(err, "use wall_s, cpu_s, instructions or memory");
	return FT_ENOMODEL;
}

static enum ft_status no_instructions(const struct ft_answerer *a, struct ft_err *err)
{
	(void)ft_fail(err, FT_ENOMODEL, "the instructions of '%s' are not known", a->program.name);
	(void)ft_remedy(err,
			"count them (foretime machine info shows how), or state them: foretime set %s "
			"--law instructions='...'",
			a->program.name);
	return FT_ENOMODEL;
}

/* Scale the prediction of this machine by the ratio, and add the ratio's uncertainty to its own. */
static void stretch_by_pace(struct ft_prediction *out, const struct ft_pace *pace, double confidence)
{
	double t = pace->stated ? 0 : ft_student_t(confidence, pace->dof) * pace->spread, up, down;

	up = hypot(t, log(out->upper / out->value));
	down = out->lower > 0 ? hypot(t, log(out->value / out->lower)) : INFINITY;
	out->value *= pace->s;
	if (!isnan(out->known))
		out->known = expm1(fmin(hypot(t, log1p(out->known)), 700));
	if (!isnan(out->lower)) {
		out->lower = out->value * exp(-down);
		out->upper = fmin(out->value * exp(fmin(up, 700)), 1e300);
	}
}

enum ft_status ft_ask_row_ratio(struct ft_answerer *a, const struct ft_size *size, struct ft_pace *out,
				struct ft_err *err)
{
	const struct ft_resource *resource =
		ft__ask_has_value(a, &ft_peak_tree_bytes) ? &ft_peak_tree_bytes : &ft_peak_rss_bytes;
	struct ft_prediction held;
	double bytes = NAN;

	*out = (struct ft_pace){0};
	if (!a->elsewhere)
		return ft_fail(err, FT_EINVAL, "no other machine was given");
	if (!ft__ask_here(a, resource, size, 0.9, &held, NULL))
		bytes = held.value;
	if (!ratios_of(&a->elsewhere->rows, bytes, out)) {
		(void)ft_fail(err, FT_ENOMODEL,
			      "the two machines have fewer than %d micro-benchmarks in common",
			      FT__ROWS_LEAST);
		(void)ft_remedy(err,
				"calibrate both: foretime machine calibrate here, and there with machine "
				"export; then machine import here");
		return FT_ENOMODEL;
	}
	double share = a->elsewhere->stated.available;
	out->s /= share > 0 ? share : 1;
	return FT_OK;
}

static enum ft_status by_rows(struct ft_answerer *a, const struct ft_resource *resource,
			      const struct ft_size *size, double confidence, struct ft_prediction *out,
			      struct ft_err *err)
{
	struct ft_pace ratio;

	FT_TRY(ft_ask_row_ratio(a, size, &ratio, err));
	FT_TRY(ft__ask_here(a, resource, size, confidence, out, err));
	stretch_by_pace(out, &ratio, confidence);
	out->level = FT_LEVEL_ROWS;
	return FT_OK;
}

static enum ft_status by_cycles(struct ft_answerer *a, const struct ft_resource *resource,
				const struct ft_size *size, double confidence, struct ft_prediction *out,
				struct ft_err *err)
{
	struct ft__elsewhere *e = a->elsewhere;
	struct ft_err why = {0};
	struct ft_pace pace;
	enum ft_status status = FT_OK;

	if (e->resource != resource && !(e->stated.cpi > 0)) {
		e->resource = resource;
		status = learn_runs(a, e, err);
		if (!status)
			status = check_stated(e, e->machine.host ? e->machine.host : "it", err);
		if (status)
			return status;
	}
	status = ft__ask_here(a, &ft_instructions, size, confidence, out, &why);
	if (status == FT_ENOENT || (!status && !(out->value > 0)))
		return no_instructions(a, err);
	if (status) {
		if (err)
			*err = why;
		return status;
	}
	find_pace(e, out->value, &pace);
	stretch_by_pace(out, &pace, confidence);
	out->level = FT_LEVEL_CYCLES;
	out->basis = FT_BASIS_STATED;
	return FT_OK;
}

/* Whether instructions and a pace for them are known; else the calibrations of both machines are used. */
static bool has_cycles(const struct ft_answerer *a)
{
	const struct ft__elsewhere *e = a->elsewhere;
	bool counted = ft__ask_has_value(a, &ft_instructions) ||
		       ft_knowledge_law(&a->knowledge, &ft_instructions) != NULL;

	return e->stated.cpi > 0 || (counted && e->n) || e->rows.n < FT__ROWS_LEAST;
}

enum ft_status ft__elsewhere_predict(struct ft_answerer *a, const struct ft_resource *resource,
				     const struct ft_size *size, double confidence, struct ft_prediction *out,
				     struct ft_err *err)
{
	if (resource != &ft_wall_s && resource != &ft_cpu_s) {
		enum ft_status status = carries_over(resource, err);
		return status ? status : ft__ask_here(a, resource, size, confidence, out, err);
	}
	return (has_cycles(a) ? by_cycles : by_rows)(a, resource, size, confidence, out, err);
}
