/* SPDX-License-Identifier: GPL-3.0-or-later */
/* request.c - the output of `foretime request`. */
#include "adapt/door.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/text.h"
#include "foretime/adapt.h"
#include "foretime/plan.h"
#include "tell/answers.h"
#include "tell/tell.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum ft_status ft_tell_holdable(const struct ft_request *request, const struct ft_tell_bounds *bounds,
				       struct ft_err *err);

/*
 * Round a request, and print it as a line of a batch system.
 */

/* Memory measured in runs of under a second gets half more: samples a few times a second, as workflow
 * systems take them, may have come before the peak. */
static const double brief_margin = 1.5;

/* Less temporary disk than this is not requested. */
static const double scratch_least = 0x1p26;

/* The largest values of a batch system. */
static const double seconds_most = 0x1p31 - 1, bytes_most = 0x1p63;

/* ---- rounding ------------------------------------------------------------------------------------------ */

double ft_tell_minutes(double seconds)
{
	static const double steps[] = {1, 5, 10, 15, 30, 60, 120, 240, 720, 1440};
	double minutes = ceil(seconds / 60), step = 1;

	for (size_t i = 0; i < sizeof steps / sizeof *steps && steps[i] <= minutes / 20; i++)
		step = steps[i];
	return fmax(1, step * ceil(minutes / step));
}

double ft_tell_mib(double bytes)
{
	return fmax(1, ceil(bytes / 1048576));
}

double ft_tell_cpus(double busy)
{
	return isnan(busy) ? busy : fmax(1, ceil(busy - 0.1));
}

double ft_tell_margin(bool brief)
{
	return brief ? brief_margin : 1;
}

double ft_tell_bytes(double most, bool brief, double overhead, const struct ft_tell_bounds *bounds)
{
	double bytes = ft_tell_margin(brief) * most + overhead;

	if (bounds && bounds->most_bytes > 0 && bytes > bounds->most_bytes)
		bytes = bounds->most_bytes;
	return bounds && bounds->least_bytes > bytes ? bounds->least_bytes : bytes;
}

double ft_tell_seconds(double most, const struct ft_tell_bounds *bounds)
{
	return bounds && bounds->most_s > 0 && most > bounds->most_s ? bounds->most_s : most;
}

double ft_tell_scratch(const struct ft_request *request)
{
	const struct ft_need *need = &request->scratch;

	return need->resource && !need->doubt && need->most >= scratch_least
		       ? 1048576 * ft_tell_mib(need->most)
		       : 0;
}

/* ---- bounds -------------------------------------------------------------------------------------------- */

/* Check a typical run against a bound; unknown needs are not compared. */
static enum ft_status within_bound(const struct ft_need *need, double overhead, double bound,
				   const char *what, const char *unit, const char *at, struct ft_err *err)
{
	char typical[FT_UNIT_LENGTH], most[FT_UNIT_LENGTH];

	if (!need->resource || need->doubt || !(bound > 0) || !(need->at.value + overhead > bound))
		return FT_OK;
	(void)ft_fail(err, FT_ENOMODEL, "a typical run at %s needs %s of %s, more than %s", at,
		      ft_value_format(need->at.value + overhead, unit, typical), what,
		      ft_value_format(bound, unit, most));
	return ft_remedy(err, "ask for a smaller size (foretime largest), or raise --at-most");
}

static enum ft_status known_enough(struct ft_need *need, double bound, const char *what, const char *unit,
				   const char *at, const char *measure, struct ft_err *err)
{
	char typical[FT_UNIT_LENGTH], upper[FT_UNIT_LENGTH], advice[FT_UNIT_LENGTH], seen[FT_UNIT_LENGTH],
		far[FT_TELL_FAR];

	if (!need->resource || !need->doubt)
		return FT_OK;
	if (bound > 0) {
		need->most = bound;
		return FT_OK;
	}
	if (need->doubt == FT_DOUBT_FAR)
		(void)ft_fail(err, FT_ENOMODEL,
			      "the %s at %s is not known: extrapolated %s, and requests end at %gx", what, at,
			      ft_tell_far(need->at.distance, far), FT_REQUEST_FARTHEST);
	else
		(void)ft_fail(err, FT_ENOMODEL,
			      "the %s at %s is not known: typical %s, perhaps %s, extrapolated %s", what, at,
			      ft_value_format(need->at.value, unit, typical),
			      ft_value_format(need->upper, unit, upper), ft_tell_far(need->at.distance, far));
	return ft_remedy(err,
			 "measure up to %s, or give --at-most; runs needed %s at most, in proportion to the "
			 "size that is %s",
			 measure, ft_value_format(need->seen, unit, seen),
			 ft_value_format(need->proportional, unit, advice));
}

enum ft_status ft_tell_answered(struct ft_request *request, const struct ft_program *program,
				const struct ft_size *size, double overhead,
				const struct ft_tell_bounds *bounds, struct ft_err *err)
{
	char at[256], measure[256];

	(void)ft_size_format(program, size, at, sizeof at);
	(void)ft_size_format(program, request->doubted ? &request->measure : size, measure, sizeof measure);
	enum ft_status status =
		known_enough(&request->memory, bounds->most_bytes, "memory", "bytes", at, measure, err);
	if (!status)
		status = known_enough(&request->time, bounds->most_s, "time", "s", at, measure, err);
	if (!status)
		status = within_bound(&request->memory, overhead, bounds->most_bytes, "memory", "bytes", at,
				      err);
	if (!status)
		status = within_bound(&request->time, 0, bounds->most_s, "time", "s", at, err);
	return status ? status : ft_tell_holdable(request, bounds, err);
}

/* ft_tell_holdable - whether batch systems can hold what is requested: of time 2^31 - 1 seconds, 68 years
 * (Slurm reads a time into an int of seconds, src/common/parse_time.c time_str2secs), of memory 2^63 - 1
 * bytes. Returns FT_OK; FT_ENOMODEL with the distance from the data. */
static enum ft_status ft_tell_holdable(const struct ft_request *request, const struct ft_tell_bounds *bounds,
				       struct ft_err *err)
{
	bool long_run =
		request->time.resource && !(ft_tell_seconds(request->time.most, bounds) <= seconds_most);
	bool large = request->memory.resource &&
		     !(ft_tell_bytes(request->memory.most, false, 0, bounds) <= bytes_most);
	const struct ft_need *need = long_run ? &request->time : &request->memory;
	char most[FT_UNIT_LENGTH], far[FT_TELL_FAR];

	if (!long_run && !large)
		return FT_OK;
	(void)ft_fail(err, FT_ENOMODEL, "no batch system %s: %s, extrapolated %s",
		      long_run ? "takes that long" : "has that much memory",
		      ft_value_format(need->most, long_run ? "s" : "bytes", most),
		      ft_tell_far(need->at.distance, far));
	return ft_remedy(err, "ask for a smaller size, or measure larger ones");
}

static char *clock_of(double minutes, char buffer[FT_TELL_CLOCK])
{
	double days = floor(minutes / 1440), hours = floor(fmod(minutes, 1440) / 60),
	       rest = fmod(minutes, 60);

	if (days > 0)
		(void)snprintf(buffer, FT_TELL_CLOCK, "%.0f-%02.0f:%02.0f:00", days, hours, rest);
	else if (hours > 0)
		(void)snprintf(buffer, FT_TELL_CLOCK, "%02.0f:%02.0f:00", hours, rest);
	else
		(void)snprintf(buffer, FT_TELL_CLOCK, "%02.0f:00", rest);
	return buffer;
}

/* ---- lines of batch systems ---------------------------------------------------------------------------- */

struct ft_tell_batch {
	const char *name, *time, *memory, *cpus;
	const char *suffix; /* behind the number of memory */
	char between;
	double bytes; /* unit of its memory */
	enum { CLOCK, HOURS_CLOCK, HOURS_MINUTES, SECONDS } clock;
	const char *scratch, *scratch_suffix; /* NULL: it has no such request */
	double scratch_unit;
	const char *gpu; /* one graphics device; NULL: it has no such request */
};

static const struct ft_tell_batch table[] = {
	{"slurm", "--time=", "--mem=", "--cpus-per-task=", "M", ' ', 1048576, CLOCK, "--tmp=", "M", 1048576,
	 "--gres=gpu:1"},
	{"pbs", "-l walltime=", "-l mem=", "-l ncpus=", "mb", ' ', 1048576, HOURS_CLOCK, NULL, NULL, 1, NULL},
	{"lsf", "-W ", "-M ", "-n ", "MB", ' ', 1e6, HOURS_MINUTES, "-R \"rusage[tmp=", "]\"", 1e6,
	 "-gpu \"num=1\""},
	{"htcondor", "allowed_job_duration = ", "request_memory = ", "request_cpus = ", "", '\n', 1048576,
	 SECONDS, "request_disk = ", "", 1024, "request_gpus = 1"},
};

const struct ft_tell_batch *ft_tell_batch_find(const char *name)
{
	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		if (!strcmp(table[i].name, name))
			return &table[i];
	return NULL;
}

/* Append its name. */
static void add_name(struct ft_text *text, const struct ft_tell_batch *batch, const char *name)
{
	if (text->length)
		ft_text_add_bytes(text, &batch->between, 1);
	ft_text_add(text, "%s", name);
}

char *ft_tell_batch_line(const struct ft_tell_batch *batch, const struct ft_tell_query *query)
{
	struct ft_text text = {0};

	ft_text_add(&text, "%s", "");
	if (!isnan(query->seconds)) {
		add_name(&text, batch, batch->time);
		double minutes = ft_tell_minutes(query->seconds), rest = fmod(minutes, 60),
		       hours = (minutes - rest) / 60;
		char clock[FT_TELL_CLOCK];

		switch (batch->clock) {
		case HOURS_CLOCK:
			ft_text_add(&text, "%02.0f:%02.0f:00", hours, rest);
			break;
		case HOURS_MINUTES:
			ft_text_add(&text, "%.0f:%02.0f", hours, rest);
			break;
		case SECONDS:
			ft_text_add(&text, "%.0f", 60 * minutes);
			break;
		case CLOCK:
		default:
			ft_text_add(&text, "%s", clock_of(minutes, clock));
		}
	}
	if (!isnan(query->bytes)) {
		add_name(&text, batch, batch->memory);
		ft_text_add(&text, "%.0f%s", fmax(1, ceil(query->bytes / batch->bytes)), batch->suffix);
	}
	if (!isnan(query->cpus)) {
		add_name(&text, batch, batch->cpus);
		ft_text_add(&text, "%.0f", query->cpus);
	}
	if (query->scratch > 0 && batch->scratch) {
		add_name(&text, batch, batch->scratch);
		ft_text_add(&text, "%.0f%s", ceil(query->scratch / batch->scratch_unit),
			    batch->scratch_suffix);
	}
	if (query->gpu && batch->gpu)
		add_name(&text, batch, batch->gpu);
	return ft_text_take(&text);
}

/* ---- a request at one size ----------------------------------------------------------------------------- */

enum ft_status ft_tell_request_sized(struct ft_answer_request *output, const struct ft_request *request,
				     const struct ft_tell_bounds *bounds, struct ft_tell_request_text *text,
				     struct ft_err *err)
{
	const double needed = ft_tell_bytes(request->memory.most, request->brief, output->overhead, bounds);
	struct ft_tell_query query = {request->time.resource ? ft_tell_seconds(request->time.most, bounds)
							     : NAN,
				      request->memory.resource ? needed : NAN,
				      output->cpus > 0 ? output->cpus : ft_tell_cpus(request->cpus),
				      ft_tell_scratch(request), request->gpu_memory.resource != NULL};
	double minutes = ft_tell_minutes(query.seconds), bytes = 1048576 * ft_tell_mib(query.bytes);

	output->time = (struct ft_answer_need){.need = request->time, .request = NAN};
	output->memory = (struct ft_answer_need){.need = request->memory, .request = NAN};
	output->scratch = (struct ft_answer_need){.need = request->scratch, .request = NAN};
	output->gpu_memory = (struct ft_answer_need){.need = request->gpu_memory, .request = NAN};
	output->cpus = query.cpus;
	output->gpus = query.gpu;
	output->brief = request->brief;
	output->killed = request->killed;
	output->refuted = request->refuted;
	output->risk = request->risk;
	output->measure = request->doubted ? &request->measure : NULL;
	if (!output->answered) {
		output->time.need.most = request->time.doubt ? NAN : output->time.need.most;
		output->memory.need.most = request->memory.doubt ? NAN : output->memory.need.most;
		return FT_OK;
	}
	output->time.request = 60 * minutes;
	output->time.query = clock_of(minutes, text->time);
	output->memory.request = bytes;
	output->memory.query = ft_value_format(bytes, "bytes", text->memory);
	if (query.scratch > 0) {
		output->scratch.request = query.scratch;
		output->scratch.query = ft_value_format(query.scratch, "bytes", text->scratch);
	}
	if (query.gpu && !request->gpu_memory.doubt) {
		output->gpu_memory.request = 1048576 * ft_tell_mib(request->gpu_memory.most);
		output->gpu_memory.query =
			ft_value_format(output->gpu_memory.request, "bytes", text->gpu_memory);
	}
	text->slurm = ft_tell_batch_line(&table[0], &query);
	output->slurm = text->slurm;
	return text->slurm ? FT_OK : ft_nomem(err);
}

void ft_tell_request_clear(struct ft_tell_request_text *text)
{
	free(text->slurm);
	text->slurm = NULL;
}

/*
 * Requests for all sizes, as a file of knots for Slurm's submission functions.
 */

static struct ft_carry_knot knot_of(const struct ft_request_knots *knots, const struct ft_request_knot *knot)
{
	return (struct ft_carry_knot){.at = knot->at,
				      .typical_s = knot->typical_s,
				      .most_s = knot->most_s,
				      .bytes = isnan(knot->bytes) ? knot->bytes
								  : ft_tell_bytes(knot->bytes, knots->brief,
										  FT_TELL_SHELL_BYTES, NULL)};
}

/* The values of the other parameters: each has one. */
static size_t fixed_values(const struct ft_program *program, const struct ft_size *size, size_t axis,
			   struct ft_carry_value *fixed)
{
	size_t n = 0;

	for (size_t i = 0; i < program->n_params; i++)
		if (i != axis)
			fixed[n++] = (struct ft_carry_value){program->param[i].name, size->value[i]};
	return n;
}

/* ---- partitions --------------------------------------------------------------------------------------- */

struct places {
	const struct ft_tell_place *place; /* [n] */
	size_t n;
	double risk;
};

/* The prediction at a place for the ranking, and the request that suffices there. */
static void ask_place(const struct places *places, size_t i, const struct ft_size *size,
		      struct ft_plan_server *server, struct ft_carry_knot *most)
{
	const struct ft_tell_place *place = &places->place[i];
	struct ft_request request;
	struct ft_prediction at;

	*server = (struct ft_plan_server){.time_s = INFINITY,
					  .limit_s = isinf(place->limit_s) ? 0 : place->limit_s};
	if (ft_ask_request(place->answerer, size, places->risk, &request, NULL) || request.refuted ||
	    request.beyond_kill || request.doubted || !request.time.resource ||
	    ft_ask_predict(place->answerer, &ft_wall_s, size, 0.9, &at, NULL) || !isfinite(at.upper))
		return;
	most->alike_s = request.time.most;
	most->alike_bytes = request.memory.resource ? ft_tell_bytes(request.memory.most, request.brief,
								    FT_TELL_SHELL_BYTES, NULL)
						    : NAN;
	if (place->memory_bytes > 0 && most->alike_bytes > place->memory_bytes)
		return;
	server->time_s = at.value;
	server->spread_s = fmax(0, at.upper - at.value) / 1.6448536;
}

/* Whether all kinds of nodes of the partition of `first` are tied: a job may come to any. behind: out */
static bool all_alike(const struct places *places, const bool *alike, size_t first, size_t *behind)
{
	bool all = true;
	size_t i;

	for (i = first; i < places->n && !strcmp(places->place[i].partition, places->place[first].partition);
	     i++)
		all = all && alike[i];
	*behind = i;
	return all;
}

/* The list, and what suffices wherever in it a job comes to. text: empty; it stays so where there is none */
static void join_alike(const struct places *places, const bool *alike, const struct ft_carry_knot *most,
		       struct ft_carry_knot *knot, struct ft_text *text)
{
	size_t next;

	knot->alike_s = knot->alike_bytes = 0;
	for (size_t i = 0; i < places->n; i = next) {
		if (!all_alike(places, alike, i, &next))
			continue;
		ft_text_add(text, "%s%s", text->length ? "," : "", places->place[i].partition);
		for (; i < next; i++) { /* NaN stays */
			knot->alike_s = fmax(knot->alike_s, most[i].alike_s);
			knot->alike_bytes = isnan(most[i].alike_bytes)                ? NAN
					    : knot->alike_bytes < most[i].alike_bytes ? most[i].alike_bytes
										      : knot->alike_bytes;
		}
	}
}

/* The partitions tied with the best one at a knot. */
static enum ft_status find_alike(const struct places *places, const struct ft_size *size,
				 struct ft_carry_knot *knot, struct ft_err *err)
{
	size_t n = places->n;
	struct ft_plan_server *server = ft_calloc(n, sizeof *server);
	struct ft_plan_rank *rank = ft_calloc(n, sizeof *rank);
	struct ft_carry_knot *most = ft_calloc(n, sizeof *most);
	bool *alike = ft_calloc(n, sizeof *alike);
	struct ft_text text = {0};
	enum ft_status status = server && rank && most && alike ? FT_OK : ft_nomem(err);

	for (size_t i = 0; i < n && !status; i++)
		ask_place(places, i, size, &server[i], &most[i]);
	if (!status)
		status = ft_plan_rank(server, n, 0, rank, err);
	for (size_t i = 0; i < n && !status; i++)
		alike[rank[i].server] = rank[i].alike && rank[i].why == FT_RANK_GOOD;
	if (!status)
		join_alike(places, alike, most, knot, &text);
	if (text.length && !(knot->alike = ft_text_take(&text)))
		status = ft_nomem(err);
	ft_free(server);
	ft_free(rank);
	ft_free(most);
	ft_free(alike);
	return status;
}

/* ---- the text ----------------------------------------------------------------------------------------- */

static enum ft_status write_knots(const struct ft_answerer *answerer, const struct places *places,
				  const struct ft_request_knots *knots, const struct ft_size *size,
				  double lives_s, char **out, struct ft_err *err)
{
	const struct ft_program *program = ft_ask_program(answerer);
	const struct ft_machine *machine = ft_ask_machine(answerer);
	struct ft_carry_value fixed[FT_PARAMS_MAX];
	struct ft_carry_knot *knot = ft_calloc(knots->n, sizeof *knot);
	int64_t now_s = ft_clock_real_ns() / 1000000000;
	struct ft_carry_knots output = {.program = program->name,
					.parameter = program->param[knots->axis].name,
					.fingerprint = machine->fingerprint,
					.host = machine->host ? machine->host : "",
					.fixed = fixed,
					.n_fixed = fixed_values(program, size, knots->axis, fixed),
					.made_s = now_s,
					.expires_s = now_s + (int64_t)lives_s,
					.risk = places->risk,
					.cpus = ft_tell_cpus(knots->cpus),
					.knot = knot,
					.n = knots->n};
	enum ft_status status = knot ? FT_OK : ft_nomem(err);
	struct ft_size at = *size;

	for (size_t i = 0; i < knots->n && !status; i++) {
		knot[i] = knot_of(knots, &knots->knot[i]);
		at.value[knots->axis] = knot[i].at;
		if (places->n)
			status = find_alike(places, &at, &knot[i], err);
	}
	if (!status)
		status = ft_carry_write_knots(&output, out, err);
	for (size_t i = 0; knot && i < knots->n; i++)
		ft_free((char *)knot[i].alike);
	ft_free(knot);
	return status;
}

enum ft_status ft_tell_knots(struct ft_answerer *answerer, const struct ft_tell_place *place, size_t n,
			     double risk, double lives_s, char **out, struct ft_err *err)
{
	struct ft_request_knots knots = {0};
	struct ft_size any = ft_ask_any_size(answerer);
	enum ft_status status = ft_ask_request_knots(answerer, &any, risk, &knots, err);

	*out = NULL;
	if (!status)
		status = write_knots(answerer, &(struct places){place, n, risk}, &knots, &any, lives_s, out,
				     err);
	ft_request_knots_clear(&knots);
	return status;
}

/*
 * The output of `foretime request`.
 */

/* An insufficient prediction has no numbers that could be taken for a request: reason and advice describe
   it. */
static bool is_needed(const void *output)
{
	const struct ft_answer_need *n = output;

	return n->need.resource && !(n->need.doubt && isnan(n->request));
}

static char *basis(const void *record, const struct ft_tell_with *with)
{
	(void)with;
	return ft_tell_basis(&((const struct ft_answer_need *)record)->need.at, NULL);
}

#define NEED struct ft_answer_need
static bool is_limited(const void *output)
{
	return ((const NEED *)output)->need.limits.runs > 0;
}

static const struct ft_tell_row limited_rows[] = {
	{FT_TELL_AS("runs", NEED, need.limits.runs),
	 .about = "how many met a limit: they count as at least that"},
	{FT_TELL_AS("of", NEED, need.runs), .about = "how many runs there are"},
	{FT_TELL_AS("least", NEED, need.limits.least),
	 .about = "the smallest limit, in the unit of the resource"},
	{FT_TELL_AS("most", NEED, need.limits.most), .about = "the largest"},
	{0},
};
static const struct ft_tell_record limited = {
	.about = "runs of all sizes that were ended at a limit of this resource",
	.row = limited_rows,
	.there = is_limited};

static const struct ft_tell_row need_rows[] = {
	{FT_TELL_AS("resource", NEED, need.resource), .head = "resource"},
	{FT_TELL_BY(UNIT, "unit", NEED, need.resource)},
	{FT_TELL_AS("risk", NEED, need.risk), .about = "share of runs that may need more than most"},
	{FT_TELL_AS("value", NEED, need.at.value), .about = "the prediction", .head = ">typical", .unit = ""},
	{FT_TELL_AS("accuracy", NEED, need.at.known), .about = "accuracy of the typical run, +- this share",
	 .null = "not available", .head = ">accuracy", .unit = "+-", .detail = true},
	{FT_TELL_AS("most", NEED, need.most), .about = "upper limit of the request, not rounded",
	 .head = ">up to", .unit = ""},
	{FT_TELL_AS("by_runs", NEED, need.by_runs),
	 .about = "the size explains little: most comes from the runs of the nearest sizes at that risk"},
	{FT_TELL(NEED, request), .about = "rounded up: time to whole minutes, memory to whole MiB",
	 .null = "not answered: it would be over a bound"},
	{FT_TELL_BY(WORD, "refusal", NEED, need.doubt), .word = ft_doubt_text,
	 .words = "none|interval too wide|too far beyond the measured sizes",
	 .about = "why there is no prediction at this size, or none"},
	{FT_TELL_AS("proportional", NEED, need.proportional),
	 .about = "the largest value measured, scaled with the size, if there is doubt", .null = "no doubt"},
	{FT_TELL_AS(NULL, NEED, query), .head = ">request"},
	{FT_TELL_BY(WORD, "basis", NEED, need.at.basis), .word = ft_basis_text, .words = FT_TELL_BASES,
	 .head = "basis", .cell = basis},
	{FT_TELL_AS("distance", NEED, need.at.distance),
	 .about = "extrapolation: size divided by the measured range; 1 inside"},
	{FT_TELL_AS("runs", NEED, need.at.runs)},
	{FT_TELL_AS("limits", NEED, need.at.limits), .about = "how many of these met a limit"},
	{FT_TELL_WHOLE(RECORD, "limited"), .of = &limited, .null = "no run met one"},
	{0},
};
const struct ft_tell_record ft_tell_need = {
	.name = "need", .bytes = sizeof(NEED), .there = is_needed, .row = need_rows};

static bool is_made(const void *output)
{
	return ((const struct ft_answer_formula *)output)->said.text;
}

#define FORMULA struct ft_answer_formula
static const struct ft_tell_row formula_rows[] = {
	{FT_TELL(FORMULA, unit)},
	{FT_TELL_AS("text", FORMULA, said.text), .about = "in foretime's own language"},
	{FT_TELL(FORMULA, python), .about = "for after import math; parameter n is size_n"},
	{FT_TELL(FORMULA, groovy), .about = "parameter n is size_n, a double"},
	{FT_TELL_AS("from", FORMULA, said.from),
	 .about = "the smallest and the largest size at which it was compared with the numbers",
	 .null = "of several parameters"},
	{FT_TELL_AS("to", FORMULA, said.to), .null = "as from"},
	{FT_TELL_AS("known_to", FORMULA, known),
	 .about = "for each parameter the largest value for which this is valid"},
	{FT_TELL_AS("mean", FORMULA, said.mean),
	 .about = "how far above the numbers within the measured range, as a share, on average"},
	{FT_TELL_AS("above", FORMULA, said.above),
	 .about = "how far above the numbers within the measured range at most, as a share"},
	{0},
};
static const struct ft_tell_record formula = {
	.name = "formula", .about = "for all sizes", .there = is_made, .row = formula_rows};

static const struct ft_tell_row at_rows[] = {{FT_TELL_AS(NULL, struct ft_answer_at, size)}, {0}};
static const struct ft_tell_record size_record = {.about = "a member for each parameter", .row = at_rows};

static const struct ft_tell_row step_rows[] = {
	{FT_TELL(struct ft_memory_step, from_s), .about = "since the start of the run"},
	{FT_TELL(struct ft_memory_step, bytes), .about = "to request from then on"},
	{0},
};
static const struct ft_tell_record step_record = {.bytes = sizeof(struct ft_memory_step), .row = step_rows};

static bool are_steps(const void *output)
{
	return ((const struct ft_memory_steps *)output)->n;
}

static const struct ft_tell_row steps_rows[] = {
	{FT_TELL_MANY(ARRAY, "steps", struct ft_memory_steps, step, n, &step_record)},
	{FT_TELL(struct ft_memory_steps, runs), .about = "of which memory over time is known"},
	{FT_TELL(struct ft_memory_steps, saved),
	 .about = "share of memory times time that a typical run reserves less than with a constant request"},
	{0},
};
static const struct ft_tell_record steps_record = {.name = "steps", .there = are_steps, .row = steps_rows};

#define REQUEST struct ft_answer_request
static const struct ft_tell_row rows[] = {
	{FT_TELL(REQUEST, name)},
	{FT_TELL_BY(POINTER, "failing", REQUEST, failing), .of = &ft_tell_failing, .null = "there is none"},
	{FT_TELL_BY(ROWS, NULL, REQUEST, axes), .of = &ft_tell_axes},
	{FT_TELL_BY(POINTER, "machine", REQUEST, machine), .of = &ft_tell_machine},
	{FT_TELL(REQUEST, risk),
	 .about = "share of runs for which the time or the memory may turn out too small"},
	{FT_TELL(REQUEST, retry), .about = "how a killed job is retried: the risk wastes least then",
	 .null = "the risk was stated", .words = "most|2x"},
	{FT_TELL_BY(WORD, "load", REQUEST, load), .word = ft_load_view_text, .words = FT_TELL_VIEWS},
	{FT_TELL_BY(POINTER, "size", REQUEST, at), .of = &size_record,
	 .null = "the request is for all sizes"},
	{FT_TELL(REQUEST, answered), .about = "false: no request is known to suffice at this size"},
	{FT_TELL(REQUEST, reason), .about = "why there is no answer", .null = "answered"},
	{FT_TELL(REQUEST, advice), .about = "what to do then", .null = "answered"},
	{FT_TELL_BY(POINTER, "measure", REQUEST, measure), .of = &size_record,
	 .about = "larger sizes to measure to make the request certain", .null = "no doubt"},
	{FT_TELL_BY(RECORD, "time", REQUEST, time), .of = &ft_tell_need,
	 .null = "not measured, not known (see reason), or no size given"},
	{FT_TELL_BY(RECORD, "memory", REQUEST, memory), .of = &ft_tell_need,
	 .null = "not measured, not known (see reason), or no size given"},
	{FT_TELL_BY(RECORD, "scratch", REQUEST, scratch), .of = &ft_tell_need,
	 .null = "no run kept files, not measured, not known, or no size given"},
	{FT_TELL_BY(RECORD, "gpu_memory", REQUEST, gpu_memory), .of = &ft_tell_need,
	 .null = "no run used a graphics device, not measured, not known, or no size given"},
	{FT_TELL_BY(RECORD, "memory_steps", REQUEST, steps), .of = &steps_record,
	 .null = "not requested (--steps)", .about = "memory that rises while a run lasts"},
	{FT_TELL(REQUEST, gpus), .about = "graphics devices to request: 1 where a run used any, else 0"},
	{FT_TELL(REQUEST, cpus), .about = "processors to request", .null = "not known"},
	{FT_TELL(REQUEST, brief),
	 .about = "memory was learned from runs below a second only: half more is requested"},
	{FT_TELL(REQUEST, overhead), .about = "bytes requested on top, for other processes of the job"},
	{FT_TELL(REQUEST, killed), .about = "smallest size at which a run was killed for memory",
	 .null = "no run was"},
	{FT_TELL(REQUEST, refuted), .about = "the killed run had reached more memory than the model allows: "
					     "no request is known to suffice"},
	{FT_TELL(REQUEST, slurm), .about = "the request as options of sbatch", .null = "no size given"},
	{FT_TELL_BY(RECORD, "time_expression", REQUEST, time_of), .of = &formula,
	 .null = "not measured, or not requested"},
	{FT_TELL_BY(RECORD, "memory_expression", REQUEST, memory_of), .of = &formula,
	 .null = "not measured, or not requested"},
	{FT_TELL_BY(RECORD, "scratch_expression", REQUEST, scratch_of), .of = &formula,
	 .null = "not measured, or not requested"},
	{0},
};
const struct ft_tell_record ft_tell_request = {.name = "request", .version = 2, .row = rows};

/* ---- the question -------------------------------------------------------------------------------------- */

static enum ft_status answer_request(struct ft_answerer *answerer, const struct ft_query *query, json_t **out,
				     struct ft_err *err)
{
	const struct ft_tell_with with = {.program = ft_ask_program(answerer)};
	const struct ft_ask_load load = ft_query_load(query);
	struct ft_answer_at at = {{0}};
	struct ft_answer_request all = {.name = with.program->name,
					.failing = ft_ask_failing(answerer),
					.machine = ft_ask_machine(answerer),
					.load = load.view,
					.at = &at,
					.cpus = (double)query->cpus,
					.overhead = isnan(query->overhead) ? FT_TELL_SHELL_BYTES
									   : query->overhead};
	struct ft_tell_request_text text = {0};
	struct ft_tell_bounds bounds;
	struct ft_request found;
	struct ft_err why = {0};
	const struct ft_resource *resource[2];
	size_t n = 0;
	double risk;

	if (query->cpus == SIZE_MAX) {
		(void)ft_fail(err, FT_EINVAL, "cpus=auto is of the command foretime request alone");
		return ft_remedy(err, "state a number, or leave it out");
	}
	FT_TRY(ft_query_size(answerer, query, &at.size, err));
	FT_TRY(ft_query_risk(query, &risk, &bounds, err));
	ft_ask_under(answerer, &load);
	FT_TRY(ft_ask_request(answerer, &at.size, risk, &found, err));
	all.answered = !ft_tell_answered(&found, with.program, &at.size, all.overhead, &bounds, &why);
	all.reason = all.answered ? NULL : why.text;
	all.advice = all.answered ? NULL : why.remedy;
	all.retry = risk > 0 ? NULL : risk == FT_RISK_LEAST_DOUBLE ? "2x" : "most";
	enum ft_status status = ft_tell_request_sized(&all, &found, &bounds, &text, err);
	if (!status) {
		if (all.time.need.resource)
			resource[n++] = all.time.need.resource;
		if (all.memory.need.resource)
			resource[n++] = all.memory.need.resource;
		ft_tell_axes_find(answerer, resource, n, &all.axes);
		*out = ft_tell_json(&ft_tell_request, &all, &with);
		status = *out ? FT_OK : ft_nomem(err);
	}
	ft_tell_request_clear(&text);
	return status;
}

static const struct ft_field fields[] = {
	{FT_QUERY("risk", risk), .kind = FT_FIELD_SHARE, .argument = "R", .least = 0.001, .most = 0.25,
	 .words = "least",
	 .help = "share of runs that may need more, 0.1% to 25%, or least: the one that wastes least; "
		 "default 5%"},
	{FT_QUERY("cpus", cpus), .kind = FT_FIELD_COUNT, .argument = "K", .least = 1, .words = "auto",
	 .help = "processors to ask for; default: those kept busy; auto: by their hours (the command alone)"},
	{FT_QUERY("at-least", at_least), .kind = FT_FIELD_BYTES, .argument = "B",
	 .help = "ask for no less memory"},
	{FT_QUERY("at-most", at_most), .kind = FT_FIELD_TEXT, .argument = "B[,T]",
	 .help = "ask for no more memory, no more time: 64GiB, 2d or 64GiB,2d"},
	FT_QUERY_MODELS,
	FT_QUERY_GROUP("what is added, and killed jobs"),
	{FT_QUERY("overhead", overhead), .kind = FT_FIELD_BYTES, .argument = "B",
	 .help = "memory of other processes of the job; default: that of the format"},
	{FT_QUERY("retry", retry), .kind = FT_FIELD_WORD, .argument = "HOW", .words = "most|2x",
	 .help = "with risk least, a killed job runs again with the most ever needed (most), or twice as "
		 "much (2x); default most",
	 .of = "risk"},
	FT_QUERY_LOAD,
	{0},
};

const struct ft_question ft_question_request = {
	"request", "what to ask a batch system for", fields,
	"PARAM: of the program, as n=2048; size.PARAM where a field is called so", .answer = answer_request};
