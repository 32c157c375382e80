/* SPDX-License-Identifier: GPL-3.0-or-later */
/* facts.c - answers about machines, programs and runs. */
#include "base/alloc.h"
#include "base/input.h"
#include "base/text.h"
#include "foretime/base.h"
#include "foretime/measure.h"
#include "tell/answers.h"

#include <math.h>
#include <string.h>

/*
 * Parameters without effect, and those whose effects cannot be separated, for all answers.
 */

void ft_tell_axes_flat(struct ft_answerer *answerer, const struct ft_resource *const *resource, size_t n,
		       bool flat[FT_PARAMS_MAX])
{
	struct ft_size size = ft_ask_any_size(answerer);
	const struct ft_resource *each;

	for (size_t p = 0; p < FT_PARAMS_MAX; p++)
		flat[p] = true;
	for (size_t i = 0; n ? i < n : (each = ft_ask_resource(answerer, i)) != NULL; i++) {
		bool here[FT_PARAMS_MAX];

		(void)ft_ask_flat(answerer, n ? resource[i] : each, &size, here, NULL);
		for (size_t p = 0; p < FT_PARAMS_MAX; p++)
			flat[p] = flat[p] && here[p];
	}
}

static const char *name_of(struct ft_answerer *answerer, size_t param)
{
	const struct ft_program *program = ft_ask_program(answerer);

	return program->n_params ? program->param[param].name : "n";
}

void ft_tell_axes_find(struct ft_answerer *answerer, const struct ft_resource *const *resource, size_t n,
		       struct ft_answer_axes *out)
{
	struct ft_together pair[FT_PARAMS_MAX];
	bool flat[FT_PARAMS_MAX];

	*out = (struct ft_answer_axes){0};
	ft_tell_axes_flat(answerer, resource, n, flat);
	for (size_t i = 0; i < FT_PARAMS_MAX; i++)
		if (flat[i])
			out->flat[out->n_flat++] = name_of(answerer, i);
	(void)ft_ask_together(answerer, pair, &out->n_together, NULL);
	for (size_t i = 0; i < out->n_together; i++)
		out->together[i] = (struct ft_answer_together){
			{name_of(answerer, pair[i].one), name_of(answerer, pair[i].other)}, 2, pair[i].equal};
}

/*
 * The output of `foretime export --json`.
 */

#define RUN struct ft_run
static const struct ft_tell_row run_rows[] = {
	{FT_TELL(RUN, size), .about = "a value for each parameter"},
	{FT_TELL_BY(WORD, "outcome", RUN, outcome), .word = ft_outcome_text, .words = FT_TELL_OUTCOMES},
	{FT_TELL(RUN, exit_status)},
	{FT_TELL(RUN, signal)},
	{FT_TELL(RUN, warmup)},
	{FT_TELL(RUN, cost_s), .null = "not known"},
	{FT_TELL(RUN, work), .about = "that the run itself reported", .null = "it did not"},
	{FT_TELL_BY(TIME, "started", RUN, started_ns), .about = "UTC, as 2026-01-31T12:00:00Z",
	 .null = "not known"},
	{FT_TELL_WHOLE(ROWS, NULL), .of = &ft_tell_queue},
	{FT_TELL_AS("requested_s", RUN, asked_s), .about = "of a batch system",
	 .absent = "nothing, or not known"},
	{FT_TELL_AS("requested_bytes", RUN, asked_bytes), .about = "of a batch system",
	 .absent = "nothing, or not known"},
	{FT_TELL(RUN, node), .about = "of a record: where it ran", .absent = "not known, or measured here"},
	{FT_TELL(RUN, user), .about = "of a record: a number in place of the user's name",
	 .absent = "not known, or measured here"},
	{FT_TELL(RUN, version), .about = "of the foretime that measured it", .null = ""},
	{FT_TELL(RUN, detail), .about = "its last words, where it did not end well", .null = ""},
	{FT_TELL_MANY(MAP, "samples", RUN, sample, n_samples, &ft_tell_sample_by), .about = "by resource"},
	{0},
};
static const struct ft_tell_record export_runs = {.bytes = sizeof(RUN), .row = run_rows};

#define EXPORT struct ft_answer_export
static const struct ft_tell_row rows[] = {
	{FT_TELL_BY(ROWS, NULL, EXPORT, program), .of = &ft_tell_program},
	{FT_TELL_AS("where", EXPORT, program.where), .about = "what a size must meet", .null = "nothing"},
	{FT_TELL_BY(POINTER, "machine", EXPORT, machine), .of = &ft_tell_machine},
	{FT_TELL_MANY(LIST, "runs", EXPORT, runs.run, runs.n, &export_runs),
	 .about = "in the order in which they were made"},
	{0},
};
const struct ft_tell_record ft_tell_export = {.name = "export", .version = 1, .row = rows};

/*
 * The cost of energy, in several answers.
 */

static const double J_PER_KWH = 3.6e6;

struct ft_answer_cost ft_tell_cost_of(const struct ft_answer_price *price, double joules)
{
	double kwh = joules / J_PER_KWH;

	return (struct ft_answer_cost){price->per_kwh > 0 ? kwh * price->per_kwh : (double)NAN,
				       price->co2_g_per_kwh > 0 ? kwh * price->co2_g_per_kwh : (double)NAN};
}

double ft_tell_cost_of_time(const struct ft_answer_price *price, double seconds, double cores)
{
	if (price->per_core_hour > 0)
		return price->per_core_hour * cores * seconds / 3600;
	return price->per_hour > 0 ? price->per_hour * seconds / 3600 : (double)NAN;
}

static bool is_stated(const void *answer)
{
	const struct ft_answer_price *price = answer;

	return price->per_kwh > 0 || price->co2_g_per_kwh > 0 || price->per_hour > 0 ||
	       price->per_core_hour > 0;
}

static const struct ft_tell_row price_rows[] = {
	{FT_TELL(struct ft_answer_price, per_kwh), .null = "not stated"},
	{FT_TELL(struct ft_answer_price, currency), .about = "as it was typed"},
	{FT_TELL(struct ft_answer_price, co2_g_per_kwh), .null = "not stated"},
	{FT_TELL(struct ft_answer_price, per_hour), .null = "not stated"},
	{FT_TELL(struct ft_answer_price, per_core_hour), .null = "not stated"},
	{0},
};
const struct ft_tell_record ft_tell_price = {.row = price_rows, .there = is_stated};

/* Columns that are empty are not there. */
static char *number_cell(double value, const char *unit)
{
	struct ft_text text = {0};
	char buffer[FT_UNIT_LENGTH];

	if (isnan(value))
		ft_text_add(&text, "%s", "");
	else if (unit)
		ft_text_add(&text, "%s", ft_value_format(value, unit, buffer));
	else if (value > 0 && (value < 1e-4 || value >= 1000)) /* without an exponent */
		ft_text_add(&text, "%.*f", (int)fmax(0, fmin(12, 2 - floor(log10(value)))), value);
	else
		ft_text_add(&text, "%.3g", value);
	return ft_text_take(&text);
}

char *ft_tell_money(double value)
{
	return number_cell(value, NULL);
}

static char *cost_cell(const void *record, const struct ft_tell_with *with)
{
	(void)with;
	return ft_tell_money(((const struct ft_answer_cost *)record)->cost);
}

static char *co2_cell(const void *record, const struct ft_tell_with *with)
{
	(void)with;
	return number_cell(((const struct ft_answer_cost *)record)->co2_g, "g");
}

static const struct ft_tell_row cost_rows[] = {
	{FT_TELL(struct ft_answer_cost, cost),
	 .about = "of the energy, or the time, in the currency of the price", .absent = "no price was stated",
	 .head = ">cost", .cell = cost_cell, .csv = true},
	{FT_TELL(struct ft_answer_cost, co2_g), .about = "of the energy, grams of carbon dioxide",
	 .absent = "not stated", .head = ">CO2", .cell = co2_cell, .csv = true},
	{0},
};
const struct ft_tell_record ft_tell_cost = {.row = cost_rows};

/*
 * Parse answers that were stored in files.
 */

enum ft_status ft_tell_read(const char *path, char **bytes, size_t *length, struct ft_err *err)
{
	struct ft_input *input;
	enum ft_status status = ft__input_open(&input, path, err);

	*bytes = NULL;
	*length = 0;
	if (!status)
		status = ft__input_all(input, FT__TEXT_MOST, bytes, length, err);
	ft__input_close(input);
	return status;
}

enum ft_status ft_tell_parse(const char *name, const char *bytes, size_t length, json_t **out,
			     struct ft_err *err)
{
	json_error_t error;
	enum ft_status status = ft__json_check(name, bytes, length, FT__READ_MOST, err);

	*out = NULL;
	if (status)
		return status;
	*out = json_loadb(bytes, length, JSON_REJECT_DUPLICATES, &error);
	if (*out)
		return FT_OK;
	if (json_error_code(&error) == json_error_out_of_memory)
		return ft_nomem(err);
	return ft_fail(err, FT_EPARSE, "cannot read '%.200s': line %d: %.160s", name, error.line, error.text);
}

enum ft_status ft_tell_read_json(const char *path, json_t **out, struct ft_err *err)
{
	char *bytes;
	size_t length;
	enum ft_status status = ft_tell_read(path, &bytes, &length, err);

	*out = NULL;
	if (!status)
		status = ft_tell_parse(path, bytes, length, out, err);
	ft_free(bytes);
	return status;
}

/*
 * Answers about machines, programs and runs.
 */

int64_t ft_tell_machine_here(struct ft_store *store)
{
	FT_CLEANUP(ft_machine_clear) struct ft_machine here = {0};
	int64_t id = 0;

	if (ft_machine_read("", &here, NULL) || !here.fingerprint ||
	    ft_store_find_machine(store, here.fingerprint, &id, NULL))
		return 0;
	return id;
}

static const struct ft_tell_row machine_rows[] = {
	{FT_TELL(struct ft_machine, fingerprint), .null = "a machine of which only its cycles were stated"},
	{FT_TELL(struct ft_machine, host), .null = ""},
	{FT_TELL(struct ft_machine, cpu), .null = ""},
	{FT_TELL(struct ft_machine, architecture), .null = ""},
	{FT_TELL(struct ft_machine, sockets), .null = ""},
	{FT_TELL(struct ft_machine, cores), .null = ""},
	{FT_TELL(struct ft_machine, threads), .null = ""},
	{FT_TELL(struct ft_machine, l1d_bytes), .null = ""},
	{FT_TELL(struct ft_machine, l2_bytes), .null = ""},
	{FT_TELL(struct ft_machine, l3_bytes), .null = ""},
	{FT_TELL(struct ft_machine, memory_bytes), .null = ""},
	{FT_TELL(struct ft_machine, system), .null = ""},
	{FT_TELL(struct ft_machine, governor), .null = ""},
	{FT_TELL(struct ft_machine, hypervisor), .null = ""},
	{FT_TELL(struct ft_machine, scheduler), .null = ""},
	{0},
};
const struct ft_tell_record ft_tell_machine = {
	.name = "machine",
	.about = "unknown members are null",
	.bytes = sizeof(struct ft_machine),
	.row = machine_rows,
};

static const struct ft_tell_row failing_rows[] = {
	{FT_TELL_AS(NULL, struct ft_run, size)},
	{FT_TELL_BY(WORD, "outcome", struct ft_run, outcome), .word = ft_outcome_text,
	 .words = FT_TELL_OUTCOMES},
	{0},
};
const struct ft_tell_record ft_tell_failing = {
	.name = "failing",
	.about = "the run of the smallest size from which on none ended well",
	.row = failing_rows,
};

/* ---- programs ----------------------------------------------------------------------------------------- */

static char *range_of(const void *at, const struct ft_tell_with *with)
{
	char range[FT_RANGE_LENGTH];

	(void)with;
	(void)ft_param_format(at, range, sizeof range);
	return ft_strdup(range);
}

static double stride_of(const void *at)
{
	const struct ft_param *param = at;

	return param->n_list || param->factor > 0 ? NAN : param->stride;
}

static double factor_of(const void *at)
{
	const struct ft_param *param = at;

	return param->factor > 0 ? param->factor : NAN;
}

#define PARAM struct ft_param
static const struct ft_tell_row param_rows[] = {
	{FT_TELL(PARAM, name)},
	{FT_TELL_WHOLE(MADE, "range"), .cell = range_of,
	 .about = "as it is typed: 64:3000, 64:3000:8, 16:131072:*2, 16,32,64 or 100; empty: not known"},
	{FT_TELL(PARAM, least)},
	{FT_TELL(PARAM, most)},
	{FT_TELL_WHOLE(GOT, "stride"), .get = stride_of,
	 .about = "admissible are least, least + stride, ... and most",
	 .null = "given by a factor or a list"},
	{FT_TELL_WHOLE(GOT, "factor"), .get = factor_of,
	 .about = "each admissible value is that many times the one before it", .null = "none"},
	{FT_TELL_MANY(ARRAY, "list", PARAM, list, n_list, &ft_tell_numbers),
	 .about = "the only admissible values", .null = "no list"},
	{0},
};
const struct ft_tell_record ft_tell_param = {
	.name = "param",
	.about = "a parameter and its range",
	.bytes = sizeof(PARAM),
	.row = param_rows,
};

#define PROGRAM struct ft_program
static const struct ft_tell_row params_rows[] = {
	{FT_TELL_MANY(ARRAY, "params", PROGRAM, param, n_params, &ft_tell_param)},
	{0},
};
const struct ft_tell_record ft_tell_params = {.row = params_rows};

static const struct ft_tell_row program_rows[] = {
	{FT_TELL(PROGRAM, name)},
	{FT_TELL_MANY(LIST, "argv", PROGRAM, argv, argc, &ft_tell_texts), .null = "runs come from a file"},
	{FT_TELL(PROGRAM, device), .null = "it has none"},
	{FT_TELL(PROGRAM, driver), .about = "of the device, as it reports it", .null = "not known"},
	{FT_TELL(PROGRAM, hash), .about = "of the executable", .null = ""},
	{FT_TELL(PROGRAM, work), .null = "not stated"},
	{FT_TELL(PROGRAM, method), .null = "no build yet"},
	{FT_TELL_WHOLE(ROWS, NULL), .of = &ft_tell_params},
	{0},
};
const struct ft_tell_record ft_tell_program = {.row = program_rows};

/* ---- runs --------------------------------------------------------------------------------------------- */

static char *probe_cell(const void *record, const struct ft_tell_with *with)
{
	const struct ft_sample *sample = record;
	struct ft_text text = {0};

	(void)with;
	ft_text_add(&text, "%s%s%s", sample->probe, sample->reason ? ": " : "",
		    sample->reason ? sample->reason : "");
	return ft_text_take(&text);
}

static const struct ft_tell_row queue_rows[] = {
	{FT_TELL(struct ft_run, load_before), .about = "load average of a minute", .null = "not known"},
	{FT_TELL(struct ft_run, runnable_before),
	 .about = "runnable tasks of other processes just before it started", .null = "not known"},
	{FT_TELL(struct ft_run, runnable_after), .about = "the same right after it ended",
	 .null = "not known"},
	{FT_TELL(struct ft_run, pressure),
	 .about = "share of its time in which some task, perhaps its own, waited for a processor (PSI)",
	 .null = "not known"},
	{FT_TELL(struct ft_run, processors), .about = "that the operating system scheduled on",
	 .null = "not known"},
	{FT_TELL(struct ft_run, cpu_hz), .null = "not known"},
	{0},
};
const struct ft_tell_record ft_tell_queue = {.row = queue_rows};

static const struct ft_tell_row sample_by_rows[] = {
	{FT_TELL(struct ft_sample, resource)},
	{FT_TELL(struct ft_sample, value), .null = "unavailable"},
	{FT_TELL_BY(WORD, "label", struct ft_sample, label), .word = ft_label_text, .words = FT_TELL_LABELS},
	{FT_TELL(struct ft_sample, probe)},
	{FT_TELL(struct ft_sample, reason), .about = "why it is unavailable", .null = "it is not"},
	{0},
};
const struct ft_tell_record ft_tell_sample_by = {.bytes = sizeof(struct ft_sample), .row = sample_by_rows};

static const struct ft_tell_row sample_rows[] = {
	{FT_TELL(struct ft_sample, resource), .head = "resource"},
	{FT_TELL(struct ft_sample, value), .null = "unavailable", .head = ">value", .unit = ""},
	{FT_TELL_BY(UNIT, "unit", struct ft_sample, resource)},
	{FT_TELL_BY(WORD, "label", struct ft_sample, label), .word = ft_label_text, .words = FT_TELL_LABELS,
	 .head = "label"},
	{FT_TELL(struct ft_sample, probe), .head = "probe", .cell = probe_cell},
	{FT_TELL(struct ft_sample, reason), .about = "why it is unavailable", .null = "it is not"},
	{0},
};
const struct ft_tell_record ft_tell_sample = {
	.name = "sample",
	.about = "one resource of a run",
	.bytes = sizeof(struct ft_sample),
	.row = sample_rows,
};

char *ft_tell_failure_text(enum ft_outcome outcome, const struct ft_run *run, const char *detail)
{
	const char *text = ft_outcome_text(outcome);
	FT_OWN char *line = ft_strdup(detail ? detail : "");
	char *last = line, *end, took[FT_UNIT_LENGTH];
	struct ft_text joined = {0};

	if (!line)
		return NULL;
	/* Control characters of a terminal are not repeated. */
	for (end = line; *end; end++)
		if ((unsigned char)*end < ' ' && *end != '\n')
			*end = *end == '\t' ? ' ' : '?';
	/* The last line of its output. */
	for (end = line + strlen(line); end > line && end[-1] == '\n'; end--)
		end[-1] = '\0';
	if (strrchr(line, '\n'))
		last = strrchr(line, '\n') + 1;
	ft_text_add(&joined, "%s", text);
	if (run && outcome == FT_FAILED)
		ft_text_add(&joined, " with status %d", run->exit_status);
	if (run && outcome == FT_TIMED_OUT && run->cost_s > 0)
		ft_text_add(&joined, " after %s", ft_value_format(run->cost_s, "s", took));
	else if (run && outcome == FT_CRASHED && run->signal > 0)
		ft_text_add(&joined, ": %s%s%s", strsignal(run->signal), *last ? ": " : "", last);
	else if (*last)
		ft_text_add(&joined, ": %s", last);
	return ft_text_take(&joined);
}

/*
 * Facts about models, in several answers.
 */

char *ft_tell_interval(const struct ft_prediction *prediction, const char *unit)
{
	char lower[FT_UNIT_LENGTH], upper[FT_UNIT_LENGTH];
	struct ft_text text = {0};

	/* Ends that ft_ask_predict found too far off to be useful are 0, or infinite. */
	bool far_below = prediction->lower == 0 && prediction->value > 0;

	if (isnan(prediction->lower))
		ft_text_add(&text, "-");
	else if (far_below && !isfinite(prediction->upper))
		ft_text_add(&text, "not known");
	else if (far_below)
		ft_text_add(&text, "at most %s", ft_value_format(prediction->upper, unit, upper));
	else
		ft_text_add(&text, "%s .. %s", ft_value_format(prediction->lower, unit, lower),
			    isfinite(prediction->upper) ? ft_value_format(prediction->upper, unit, upper)
							: "not known");
	return ft_text_take(&text);
}

char *ft_tell_basis(const struct ft_prediction *prediction, const char *law)
{
	struct ft_text text = {0};
	char far[FT_TELL_FAR];

	ft_text_add(&text, "%s", ft_basis_text(prediction->basis));
	if (prediction->basis == FT_BASIS_BEYOND ||
	    (prediction->basis == FT_BASIS_STATED && prediction->distance > 1))
		ft_text_add(&text, " %s", ft_tell_far(prediction->distance, far));
	if (law)
		ft_text_add(&text, ", %s", law);
	if (prediction->zeros)
		ft_text_add(&text, ", 0 in %zu of %zu runs", prediction->zeros, prediction->runs);
	return ft_text_take(&text);
}

static double exponential(const void *at)
{
	return exp(*(const double *)at);
}

static bool has_changed(const void *answer)
{
	return ((const struct ft_change *)answer)->runs > 0;
}

static const struct ft_tell_row change_rows[] = {
	{FT_TELL_BY(GOT, "ratio", struct ft_change, shift), .get = exponential,
	 .about = "newer divided by older values"},
	{FT_TELL(struct ft_change, error), .about = "standard error of its logarithm"},
	{FT_TELL(struct ft_change, runs), .about = "number of newer runs"},
	{FT_TELL_BY(TIME, "since", struct ft_change, since_ns), .about = "start of the first newer run",
	 .null = ""},
	{0},
};
const struct ft_tell_record ft_tell_change = {
	.name = "change",
	.about = "newer runs differ systematically from older ones, which get less weight",
	.row = change_rows,
	.there = has_changed,
};

static const struct ft_tell_row together_rows[] = {
	{FT_TELL_MANY(ARRAY, "", struct ft_answer_together, name, n, &ft_tell_texts)},
	{0},
};
static const struct ft_tell_record together = {.bytes = sizeof(struct ft_answer_together),
					       .row = together_rows};

static const struct ft_tell_row axes_rows[] = {
	{FT_TELL_MANY(ARRAY, "flat", struct ft_answer_axes, flat, n_flat, &ft_tell_texts),
	 .about = "parameters without effect on the prediction"},
	{FT_TELL_MANY(ARRAY, "inseparable", struct ft_answer_axes, together, n_together, &together),
	 .about = "pairs of parameters that rise or fall together in all runs: their effects cannot be "
		  "distinguished"},
	{0},
};
const struct ft_tell_record ft_tell_axes = {.row = axes_rows};

static const struct ft_tell_row pass_rows[] = {
	{FT_TELL(struct ft_pass, level), .words = "L2 cache|L3 cache|memory"},
	{FT_TELL(struct ft_pass, bytes), .about = "of a cache that of one instance"},
	{FT_TELL(struct ft_pass, held), .about = "by the largest run that ended well"},
	{FT_TELL(struct ft_pass, needed), .about = "as expected at the size"},
	{0},
};
const struct ft_tell_record ft_tell_pass = {.bytes = sizeof(struct ft_pass), .row = pass_rows};

/* ---- a model ------------------------------------------------------------------------------------------ */

static bool has_worst(const void *answer)
{
	return !isnan(((const struct ft_model_facts *)answer)->worst[0]);
}

static bool has_corner(const void *answer)
{
	return ((const struct ft_model_facts *)answer)->corner.n > 0;
}

static bool has_spikes(const void *answer)
{
	return ((const struct ft_model_facts *)answer)->spike_rate > 0;
}

#define FACTS struct ft_model_facts
static const struct ft_tell_row worst_rows[] = {
	{FT_TELL_AS("from", FACTS, worst[0])},
	{FT_TELL_AS("to", FACTS, worst[1])},
	{FT_TELL_AS("accuracy", FACTS, worst_known), .null = ""},
	{0},
};
static const struct ft_tell_record worst = {.row = worst_rows, .there = has_worst};

static const struct ft_tell_row corner_rows[] = {
	{FT_TELL_AS("size", FACTS, corner)},
	{FT_TELL_AS("accuracy", FACTS, worst_known), .null = ""},
	{0},
};
static const struct ft_tell_record corner = {.row = corner_rows, .there = has_corner};

static const struct ft_tell_row spike_rows[] = {
	{FT_TELL_AS("rate", FACTS, spike_rate),
	 .about = "share of runs that take much longer than all others"},
	{FT_TELL_AS("ratio", FACTS, spike_ratio), .about = "their slowdown, the median"},
	{0},
};
static const struct ft_tell_record spikes = {.row = spike_rows, .there = has_spikes};

static bool has_limits(const void *answer)
{
	return ((const FACTS *)answer)->limits.runs > 0;
}

static const struct ft_tell_row limits_rows[] = {
	{FT_TELL_AS("runs", FACTS, limits.runs),
	 .about = "how many met a limit: they count as at least that"},
	{FT_TELL_AS("of", FACTS, runs), .about = "how many runs there are"},
	{FT_TELL_AS("least", FACTS, limits.least),
	 .about = "the smallest limit, in the unit of the resource"},
	{FT_TELL_AS("most", FACTS, limits.most), .about = "the largest"},
	{0},
};
const struct ft_tell_record ft_tell_limits = {
	.about = "runs that were ended at a limit of this resource", .row = limits_rows, .there = has_limits};

static bool has_batches(const void *answer)
{
	return ((const FACTS *)answer)->batches.n > 0;
}

static const char *batch_text(unsigned kind)
{
	static const char *const text[FT_BATCH_N] = {"hours", "nodes", "users"};

	return text[kind];
}

static const struct ft_tell_row batches_rows[] = {
	{FT_TELL_BY(WORD, "of", FACTS, batches.of), .word = batch_text, .words = "hours|nodes|users",
	 .about = "batches with the most uncertainty; count, deviation, learned and doubt are of these"},
	{FT_TELL_AS("count", FACTS, batches.n)},
	{FT_TELL_AS("span_s", FACTS, batches.span_s),
	 .about = "from the start of the first run to that of the last"},
	{FT_TELL_AS("deviation", FACTS, batches.deviation),
	 .about = "standard deviation of the logarithm between batches"},
	{FT_TELL_AS("learned", FACTS, batches.learned),
	 .about = "from these batches; false: the stated value"},
	{FT_TELL_AS("variance", FACTS, batches.doubt),
	 .about = "variance of the logarithm that widens intervals; 0: none"},
	{FT_TELL_AS("hours", FACTS, batches.count[FT_BATCH_HOURS]),
	 .about = "hours in which runs started, merged when less than an hour apart; 0: not known"},
	{FT_TELL_AS("nodes", FACTS, batches.count[FT_BATCH_NODES]), .about = "of records; 0: not known"},
	{FT_TELL_AS("users", FACTS, batches.count[FT_BATCH_USERS]), .about = "of records; 0: not known"},
	{0},
};
const struct ft_tell_record ft_tell_batches = {
	.about = "runs of one hour, records of one node or of one user are a batch, with a level in common",
	.row = batches_rows,
	.there = has_batches};

static const struct ft_tell_row fine_rows[] = {
	{FT_TELL(struct ft_fine, kind), .about = "as 'multiples of 8'"},
	{FT_TELL(struct ft_fine, ratio), .about = "factor of the value"},
	{0},
};
static const struct ft_tell_record fine = {.bytes = sizeof(struct ft_fine), .row = fine_rows};

char *ft_tell_limits_text(const struct ft_model_facts *facts, const char *unit)
{
	const struct ft_limits *limits = &facts->limits;
	char least[FT_UNIT_LENGTH], most[FT_UNIT_LENGTH];
	struct ft_text text = {0};

	if (!limits->runs)
		return NULL;
	(void)ft_value_format(limits->least, unit, least);
	(void)ft_value_format(limits->most, unit, most);
	ft_text_add(&text, "%zu of %zu runs met a limit of %s", limits->runs, facts->runs, least);
	if (strcmp(least, most) != 0)
		ft_text_add(&text, " to %s", most);
	return ft_text_take(&text);
}

/* Less is not worth a line. */
static const double batches_differ = 0.05;

char *ft_tell_batches_text(const struct ft_model_facts *facts)
{
	const struct ft_batches *batches = &facts->batches;
	bool differ = batches->n > 1 && batches->learned && batches->deviation >= batches_differ;
	const char *single[FT_BATCH_N], *other = NULL;
	char span[FT_UNIT_LENGTH], share[FT_UNIT_LENGTH], hour[FT_UNIT_LENGTH + 16], node[128];
	struct ft_text text = {0};
	size_t n = 0;

	(void)snprintf(hour, sizeof hour, "within %s",
		       batches->span_s <= 3600 ? "one hour" : ft_value_format(batches->span_s, "s", span));
	(void)snprintf(node, sizeof node,
		       strpbrk(batches->node, ",[") ? "of the nodes %s" : "of one node (%s)", batches->node);
	if (batches->count[FT_BATCH_HOURS] == 1)
		single[n++] = hour, other = "runs of another hour";
	if (batches->count[FT_BATCH_NODES] == 1)
		single[n++] = node, other = "runs of another node";
	if (batches->count[FT_BATCH_USERS] == 1)
		single[n++] = "of one user", other = "runs of another user";
	n = batches->doubt > 0 && facts->runs > 1 ? n : 0;
	if (!n && !differ)
		return NULL;
	(void)ft_share_format(expm1(batches->deviation), share);
	if (n)
		ft_text_add(&text, "%zu runs, all ", facts->runs);
	for (size_t i = 0; i < n; i++)
		ft_text_add(&text, "%s%s", !i ? "" : i + 1 < n ? ", " : " and ", single[i]);
	if (differ)
		ft_text_add(&text, "%s of %zu %s differ by %s", n ? ": those" : "runs", batches->n,
			    batches->of == FT_BATCH_HOURS ? "batches, an hour or more apart,"
							  : batch_text(batches->of),
			    share);
	else
		ft_text_add(&text, ": %s may differ by %s", n > 1 ? "others" : other, share);
	return ft_text_take(&text);
}

/* The verdict on a model: uneven, and where most; noisy; too few sizes. */
static char *judgement(const void *record, const struct ft_tell_with *with)
{
	const struct ft_answer_model *answer = record;
	const FACTS *facts = &answer->facts;
	char most[FT_UNIT_LENGTH], share[FT_TELL_WITHIN], from[FT_NUMBER_LENGTH], to[FT_NUMBER_LENGTH];
	struct ft_text text = {0};

	(void)with;
	ft_text_add(&text, "%s",
		    facts->runs == 1 ? "1 run: variation not known"
		    : facts->too_few ? "too few sizes"
				     : "");
	if (!facts->too_few && facts->rough && facts->corner.n)
		ft_text_add(&text, "uneven");
	else if (!facts->too_few && facts->rough && isnan(facts->worst[0]))
		ft_text_add(&text, "uneven: too few sizes for its shape");
	else if (!facts->too_few && facts->rough && facts->worst[1] < 1.05 * facts->worst[0])
		ft_text_add(&text, "uneven near %s (%s)", ft_number_format(facts->worst[0], from),
			    ft_tell_within(facts->worst_known, share));
	else if (!facts->too_few && facts->rough)
		ft_text_add(&text, "uneven between %s and %s (%s)", ft_number_format(facts->worst[0], from),
			    ft_number_format(facts->worst[1], to), ft_tell_within(facts->worst_known, share));
	if (facts->noisy)
		ft_text_add(&text, "%snoisy", text.length ? "; " : "");
	if (facts->zeros)
		ft_text_add(&text, "mostly 0, at most %s in %zu runs",
			    ft_value_format(facts->most, answer->resource->unit, most), facts->runs);
	return ft_text_take(&text);
}

#define MODEL struct ft_answer_model
static const struct ft_tell_row model_rows[] = {
	{FT_TELL(MODEL, resource), .head = "model"},
	{FT_TELL_BY(UNIT, "unit", MODEL, resource)},
	{FT_TELL(MODEL, method), .about = "the builder", .null = "fitted to imported runs"},
	{FT_TELL_AS("type", MODEL, facts.type),
	 .about = "the kind of model: engine, band, process, or shipped (from elsewhere)"},
	{FT_TELL_AS("through_speed", MODEL, facts.through_speed),
	 .about = "interpolates work / time, not the value"},
	{FT_TELL_AS("points", MODEL, facts.sizes), .head = ">sizes", .detail = true},
	{FT_TELL_AS("runs", MODEL, facts.runs), .head = ">runs", .detail = true},
	{FT_TELL_AS("accuracy", MODEL, facts.known), .about = FT_TELL_KNOWN_TO, .null = "not known",
	 .head = ">accuracy", .unit = "+-"},
	{FT_TELL_AS("noise", MODEL, facts.scatter), .about = FT_TELL_SCATTER, .null = "not known",
	 .head = ">noise", .unit = "+-"},
	{FT_TELL_AS("uneven", MODEL, facts.rough), .about = "`accuracy` is over 20 %"},
	{FT_TELL_AS("noisy", MODEL, facts.noisy), .about = "noise (`scatter`) is over 15 %"},
	{FT_TELL_AS("too_few", MODEL, facts.too_few), .about = "too few sizes to estimate the accuracy"},
	{FT_TELL_BY(RECORD, "worst", MODEL, facts), .of = &worst,
	 .about = "the two sizes between which it is least accurate",
	 .null = "of several parameters, or of one size"},
	{FT_TELL_BY(RECORD, "corner", MODEL, facts), .of = &corner,
	 .about = "the least accurate corner of the measured ranges, itself measured or not; known of the "
		  "model covers the whole ranges",
	 .null = "of one parameter"},
	{FT_TELL_BY(RECORD, "spikes", MODEL, facts), .of = &spikes,
	 .about = "rare runs that take much longer", .null = "none"},
	{FT_TELL_MANY(ARRAY, "fine", MODEL, facts.fine, facts.n_fine, &fine),
	 .about = "structure finer than the distance between sizes"},
	{FT_TELL_BY(RECORD, "change", MODEL, facts.change), .of = &ft_tell_change, .null = "there is none"},
	{FT_TELL_BY(RECORD, "limits", MODEL, facts), .of = &ft_tell_limits, .null = "no run met one"},
	{FT_TELL_BY(RECORD, "batches", MODEL, facts), .of = &ft_tell_batches,
	 .null = "not known, or the resource does not depend on the background load"},
	{FT_TELL_AS("zeros", MODEL, facts.zeros),
	 .about =
		 "number of runs that are 0, if more than half are: then `known` and `scatter` are null, and "
		 "value and lower of a prediction are 0; else 0"},
	{FT_TELL_AS("trust", MODEL, facts.trust),
	 .about = "how far the shape of a model from elsewhere counts, 0 to 1",
	 .null = "there is no such model"},
	{FT_TELL_AS("scale", MODEL, facts.scale), .about = "values here by those of the model from elsewhere",
	 .null = "there is no such model"},
	{FT_TELL_AS("most", MODEL, facts.most), .about = "the largest value of a run"},
	{FT_TELL_BY(TIME, "made", MODEL, made_ns), .null = ""},
	{FT_TELL_AS(NULL, MODEL, resource), .head = "", .cell = judgement},
	{0},
};
const struct ft_tell_record ft_tell_model = {.name = "model", .bytes = sizeof(MODEL), .row = model_rows};

/*
 * The coverage of predictions.
 */

/* A run without a prediction has no numbers. */
static bool was_predicted(const void *answer)
{
	return ((const struct ft_prediction *)answer)->upper > 0;
}

static char *began_cell(const void *record, const struct ft_tell_with *with)
{
	const struct ft_kept_run *run = record;
	char age[FT_TELL_AGE];

	(void)with;
	return ft_strdup(ft_tell_age(run->started_ns, age));
}

static char *predicted_cell(const void *record, const struct ft_tell_with *with)
{
	const struct ft_kept_run *run = record;

	return run->fate == FT_FATE_UNTOLD ? ft_strdup("-") : ft_tell_interval(&run->predicted, with->unit);
}

static const struct ft_tell_row predicted_rows[] = {
	{FT_TELL(struct ft_prediction, value)},
	{FT_TELL_AS("accuracy", struct ft_prediction, known), .about = FT_TELL_KNOWN,
	 .null = "not available"},
	{FT_TELL(struct ft_prediction, lower)},
	{FT_TELL(struct ft_prediction, upper), .null = "not known"},
	{FT_TELL_BY(WORD, "basis", struct ft_prediction, basis), .word = ft_basis_text,
	 .words = FT_TELL_BASES},
	{FT_TELL(struct ft_prediction, runs), .about = "number of runs behind it"},
	{0},
};
static const struct ft_tell_record predicted = {
	.bytes = sizeof(struct ft_prediction), .there = was_predicted, .row = predicted_rows};

#define KEPT_RUN struct ft_kept_run
static const struct ft_tell_row kept_run_rows[] = {
	{FT_TELL_BY(TIME, "started", KEPT_RUN, started_ns), .about = "UTC", .null = "not known",
	 .head = "began", .cell = began_cell},
	{FT_TELL_AS(NULL, KEPT_RUN, size)},
	{FT_TELL(KEPT_RUN, value), .head = ">took", .unit = ""},
	{FT_TELL_BY(RECORD, "predicted", KEPT_RUN, predicted), .of = &predicted,
	 .null = "too few runs before it", .head = ">foretold", .cell = predicted_cell},
	{FT_TELL_BY(WORD, "fate", KEPT_RUN, fate), .word = ft_fate_text,
	 .words = "inside|less|more|not predicted", .head = ""},
	{0},
};
const struct ft_tell_record ft_tell_kept_run = {.bytes = sizeof(KEPT_RUN), .row = kept_run_rows};

#define KEPT struct ft_answer_kept
static const struct ft_tell_row kept_rows[] = {
	{FT_TELL(KEPT, resource)},
	{FT_TELL_BY(UNIT, "unit", KEPT, resource)},
	{FT_TELL_AS("confidence", KEPT, kept.confidence),
	 .about = "confidence: share of runs expected inside"},
	{FT_TELL_AS("inside", KEPT, kept.inside), .about = "runs within their prediction interval"},
	{FT_TELL_AS("less", KEPT, kept.less), .about = "runs that took less"},
	{FT_TELL_AS("more", KEPT, kept.more), .about = "runs that took more"},
	{FT_TELL_AS("unpredicted", KEPT, kept.untold), .about = "runs without a prediction"},
	{FT_TELL_AS("share", KEPT, kept.share), .about = "coverage: inside, of the predicted ones",
	 .null = "no run was predicted"},
	{FT_TELL_AS("least", KEPT, kept.least),
	 .about = "coverage of all such runs, with 95 % confidence: from", .null = "no run was predicted"},
	{FT_TELL_AS("most", KEPT, kept.most), .null = "no run was predicted"},
	{FT_TELL_MANY(LIST, "runs", KEPT, kept.run, kept.n, &ft_tell_kept_run),
	 .about = "in the order of time; each against a model of the runs before it"},
	{0},
};
const struct ft_tell_record ft_tell_kept = {.name = "kept", .bytes = sizeof(KEPT), .row = kept_rows};
