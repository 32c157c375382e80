/* SPDX-License-Identifier: GPL-3.0-or-later */
/* predict.c - the output of `foretime predict`. */
#include "base/alloc.h"
#include "foretime/base.h"
#include "foretime/law.h"
#include "model/door.h"
#include "tell/answers.h"
#include "tell/tell.h"

#include <math.h>
#include <string.h>

static char *interval(const void *record, const struct ft_tell_with *with)
{
	const struct ft_answer_prediction *output = record;

	return ft_tell_interval(&output->prediction, output->resource ? output->resource->unit : with->unit);
}

static char *basis(const void *record, const struct ft_tell_with *with)
{
	const struct ft_answer_prediction *output = record;

	(void)with;
	return ft_tell_basis(&output->prediction, output->law);
}

/* The usual source needs no word. */
static char *unusual_source(const void *record, const struct ft_tell_with *with)
{
	const struct ft_answer_prediction *output = record;

	(void)with;
	return ft_strdup(output->prediction.level == FT_LEVEL_MODEL ? "" : output->source);
}

#define PREDICTION struct ft_answer_prediction
static const struct ft_tell_row prediction_rows[] = {
	{FT_TELL(PREDICTION, resource), .absent = "all are of one", .head = "resource", .csv = true},
	{FT_TELL_BY(UNIT, "unit", PREDICTION, resource), .absent = "all are of one"},
	{FT_TELL_AS(NULL, PREDICTION, size)},
	{FT_TELL_AS("value", PREDICTION, prediction.value),
	 .null = "unbounded: background load leaves no processor time", .head = ">typical", .unit = "",
	 .csv = true},
	{FT_TELL_AS("accuracy", PREDICTION, prediction.known), .about = FT_TELL_KNOWN,
	 .null = "not available", .head = ">accuracy", .unit = "+-", .csv = true, .detail = true},
	{FT_TELL_AS("lower", PREDICTION, prediction.lower), .null = "the stated law has no runs",
	 .head = ">%s", .cell = interval, .csv = true},
	{FT_TELL_AS("upper", PREDICTION, prediction.upper), .null = "unbounded, or as lower", .csv = true},
	{FT_TELL_AS(NULL, PREDICTION, cpu_s), .head = ">processor time", .unit = "s", .none = ""},
	{FT_TELL(PREDICTION, source),
	 .about = "source: model; table (runs of that size, if the model is poor or absent); law "
		  "stated (by an expert); instructions of HERE, cycles of OTHER; times of HERE, calibrations "
		  "of both; powers of HERE"},
	{FT_TELL_BY(WORD, "basis", PREDICTION, prediction.basis), .word = ft_basis_text,
	 .words = FT_TELL_BASES, .head = "basis", .cell = basis, .csv = true},
	{FT_TELL_AS("distance", PREDICTION, prediction.distance),
	 .about = "extrapolation: size divided by the measured range; 1 inside", .csv = true},
	{FT_TELL_AS("runs", PREDICTION, prediction.runs), .about = "number of runs behind it",
	 .head = ">runs", .detail = true},
	{FT_TELL_AS("limits", PREDICTION, prediction.limits), .about = "how many of these met a limit"},
	{FT_TELL_AS("zeros", PREDICTION, prediction.zeros),
	 .about = "number of runs that are 0, if more than half are: upper is the largest of them, times "
		  "distance"},
	{FT_TELL_BY(ROWS, NULL, PREDICTION, cost), .of = &ft_tell_cost},
	{FT_TELL_AS(NULL, PREDICTION, source), .head = "source", .cell = unusual_source},
	{0},
};
const struct ft_tell_record ft_tell_prediction = {.bytes = sizeof(PREDICTION), .row = prediction_rows};

#define AT struct ft_answer_begun
static const struct ft_tell_row at_rows[] = {
	{FT_TELL_BY(TIME, "begins", AT, begins_ns)},
	{FT_TELL_AS("slowdown", AT, hour.slow_down), .about = "of its processor time, typical"},
	{FT_TELL_AS("lower", AT, hour.lower), .about = "slowdowns of a share `confidence` of runs"},
	{FT_TELL_AS("upper", AT, hour.upper)},
	{FT_TELL_AS("load", AT, hour.load), .about = "background load at that hour, in processors"},
	{FT_TELL_BY(WORD, "compared_hours", AT, hour.alike), .word = ft_load_alike_text,
	 .words = FT_TELL_ALIKE},
	{FT_TELL_AS("days", AT, hour.days), .about = "of history behind it"},
	{0},
};
static bool at_there(const void *output)
{
	return ((const AT *)output)->hour.days > 0;
}
static const struct ft_tell_record at_answer = {.row = at_rows, .there = at_there};

static const char *resource_or_all(const void *at)
{
	const struct ft_resource *resource = *(const struct ft_resource *const *)at;

	return resource ? resource->name : "all";
}

#define PREDICT struct ft_answer_predict
static const struct ft_tell_row predict_rows[] = {
	{FT_TELL(PREDICT, name)},
	{FT_TELL_BY(SAID, "resource", PREDICT, resource), .say = resource_or_all, .about = "or: all"},
	{FT_TELL_BY(UNIT, "unit", PREDICT, resource), .null = "all"},
	{FT_TELL(PREDICT, confidence), .about = "share of future runs within the interval"},
	{FT_TELL_BY(WORD, "load", PREDICT, load), .word = ft_load_view_text, .words = FT_TELL_VIEWS},
	{FT_TELL_BY(RECORD, "at", PREDICT, at), .of = &at_answer,
	 .about = "start of runs (--at), and recorded hours like it; of several sizes the last",
	 .null = "no start was given"},
	{FT_TELL_BY(RECORD, "price", PREDICT, price), .of = &ft_tell_price, .about = "of energy",
	 .null = "not stated"},
	{FT_TELL_BY(POINTER, "machine", PREDICT, machine), .of = &ft_tell_machine},
	{FT_TELL_BY(RECORD, "change", PREDICT, change), .of = &ft_tell_change,
	 .about = "of the first resource that has one", .null = "there is none"},
	{FT_TELL_BY(RECORD, "limits", PREDICT, facts), .of = &ft_tell_limits,
	 .about = "of the first resource that has some", .null = "no run met one"},
	{FT_TELL_BY(RECORD, "batches", PREDICT, facts), .of = &ft_tell_batches,
	 .about = "of the same resource, or of the first one",
	 .null = "not known, or the resource does not depend on the background load"},
	{FT_TELL(PREDICT, older_runs), .about = "runs of older programs of that name, which are not used"},
	{FT_TELL_BY(POINTER, "failing", PREDICT, failing), .of = &ft_tell_failing, .null = "there is none"},
	{FT_TELL_BY(ROWS, NULL, PREDICT, axes), .of = &ft_tell_axes},
	{FT_TELL_MANY(ARRAY, "passes", PREDICT, pass, n_passes, &ft_tell_pass),
	 .about = "levels of the memory hierarchy between the memory of runs and that of the extrapolated "
		  "size, bytes"},
	{FT_TELL(PREDICT, predictions), .of = &ft_tell_prediction},
	{0},
};
const struct ft_tell_record ft_tell_predict = {.name = "predict", .version = 2, .row = predict_rows};

/* ---- querying
   -------------------------------------------------------------------------------------------- */

/* The first change, and the first limits that runs met. */
static void look_for_facts(struct ft_answer_predict *output, struct ft_answerer *answerer,
			   const struct ft_resource *resource, const struct ft_size *size)
{
	const struct ft_model_record *record;

	if ((output->change.runs && output->facts.limits.runs) || !ft_ask_runs(answerer)->n ||
	    ft_ask_model(answerer, resource, size, &record, NULL))
		return;
	const struct ft_model_facts *facts = ft_model_facts(record->model);
	if (!output->change.runs) {
		output->changed = resource;
		output->change = facts->change;
	}
	if (!output->limited || (!output->facts.limits.runs && facts->limits.runs)) {
		output->limited = resource;
		output->facts = *facts;
	}
}

static void look_for_passes(struct ft_answer_predict *output, struct ft_answerer *answerer,
			    const struct ft_size *size, const struct ft_prediction *p)
{
	struct ft_pass pass[FT_PASSES_MAX];
	size_t n = p->basis == FT_BASIS_BEYOND ? ft_ask_passes(answerer, size, pass) : 0;

	if (!n || (output->n_passes && pass[n - 1].needed <= output->pass[output->n_passes - 1].needed))
		return;
	memcpy(output->pass, pass, sizeof pass);
	output->n_passes = n;
}

/* Sizes, medians and their noise give laws nearly the information of the engine's own samples: enough to
 * name a class, and no more is printed. */
const char *ft_tell_law(struct ft_answerer *answerer, const struct ft_resource *resource,
			const struct ft_size *size, char buffer[FT_TELL_LAW])
{
	static const struct ft_law_options options = {.unbroken = true, .growing = true};
	const struct ft_model_record *record;
	size_t axis[FT_PARAMS_MAX], n;

	buffer[0] = '\0';
	if (ft_ask_model(answerer, resource, size, &record, NULL) ||
	    strcmp(ft_model_facts(record->model)->type, "engine") != 0 ||
	    ft_model_axes(record->model, axis) != 1)
		return buffer;
	const struct ft_knot *knot = ft_model_knots(record->model, &n);
	struct ft_law_knot *at = ft_calloc(n, sizeof *at);
	struct ft_laws *laws = ft_malloc(sizeof *laws);
	for (size_t i = 0; at && i < n; i++)
		at[i] = (struct ft_law_knot){knot[i].size.value[axis[0]], knot[i].value, knot[i].runs,
					     knot[i].scatter};
	if (at && laws && !ft_laws_fit_knots(laws, at, n, &options, NULL) && laws->kinds &&
	    laws->kind[0].weight >= 0.5)
		(void)ft_law_class_format(&laws->kind[0].factor,
					  ft_ask_program(answerer)->param[axis[0]].name, buffer, FT_TELL_LAW);
	ft_free(laws);
	ft_free(at);
	return buffer;
}

enum ft_status ft_tell_predict_ask(struct ft_answer_predict *output, struct ft_answerer *answerer,
				   const struct ft_resource *resource, const struct ft_size *size,
				   struct ft_prediction *out, struct ft_err *err)
{
	FT_TRY(ft_ask_predict(answerer, resource, size, output->confidence, out, err));
	look_for_facts(output, answerer, resource, size);
	look_for_passes(output, answerer, size, out);
	return FT_OK;
}

void ft_tell_predict_end(struct ft_answer_predict *output, struct ft_answerer *answerer,
			 const struct ft_resource *resource)
{
	output->name = ft_ask_program(answerer)->name;
	output->resource = resource;
	output->older_runs = ft_ask_older(answerer, NULL);
	output->failing = ft_ask_failing(answerer);
	if (ft_ask_hour(answerer))
		output->at.hour = *ft_ask_hour(answerer);
	ft_tell_axes_find(answerer, &resource, resource != NULL, &output->axes);
}

/* ---- the question -------------------------------------------------------------------------------------- */

static enum ft_status add_prediction(struct ft_answer_predict *all, struct ft_answerer *answerer,
				     const struct ft_resource *resource, bool several,
				     const struct ft_size *size, struct ft_err *err)
{
	const struct ft_tell_with with = {.program = ft_ask_program(answerer), .unit = resource->unit};
	struct ft_answer_prediction one = {
		.resource = several ? resource : NULL, .size = *size, .cost = {NAN, NAN}, .cpu_s = NAN};

	FT_TRY(ft_tell_predict_ask(all, answerer, resource, size, &one.prediction, err));
	one.source = ft_level_text(one.prediction.level);
	return json_array_append_new(all->predictions, ft_tell_json(&ft_tell_prediction, &one, &with))
		       ? ft_nomem(err)
		       : FT_OK;
}

/* One size only: an answer for several would be cached and rebuilt as a whole, while those of single sizes
 * are shared by all clients. */
static enum ft_status answer_predict(struct ft_answerer *answerer, const struct ft_query *query, json_t **out,
				     struct ft_err *err)
{
	const struct ft_tell_with with = {.program = ft_ask_program(answerer)};
	const bool several = query->resource && !strcmp(query->resource, "all");
	const struct ft_ask_load load = ft_query_load(query);
	struct ft_answer_predict all = {.confidence = query->confidence,
					.load = load.view,
					.machine = ft_ask_machine(answerer),
					.predictions = json_array()};
	const struct ft_resource *resource = NULL;
	const struct ft_resource *each;
	struct ft_size size;
	enum ft_status status = all.predictions ? ft_query_size(answerer, query, &size, err) : ft_nomem(err);

	ft_ask_under(answerer, &load);
	if (!status && !several)
		status = ft_ask_find(answerer, query->resource, &resource, err);
	if (!status && !several)
		status = add_prediction(&all, answerer, resource, false, &size, err);
	for (size_t i = 0; several && !status && (each = ft_ask_resource(answerer, i)); i++)
		status = add_prediction(&all, answerer, each, true, &size, err);
	if (!status) {
		ft_tell_predict_end(&all, answerer, resource);
		*out = ft_tell_json(&ft_tell_predict, &all, &with);
		status = *out ? FT_OK : ft_nomem(err);
	}
	json_decref(all.predictions);
	return status;
}

static const struct ft_field fields[] = {
	{FT_QUERY("resource", resource), .letter = 'r', .kind = FT_FIELD_TEXT, .argument = "R",
	 .help = "resource to predict: wall_s (default), peak_rss_bytes, ...; or all"},
	FT_QUERY_CONFIDENCE,
	FT_QUERY_MODELS,
	FT_QUERY_LOAD,
	{0},
};

const struct ft_question ft_question_predict = {
	"predict", "what a run will cost", fields,
	"PARAM: of the program, as n=2048; size.PARAM where a field is called so", .answer = answer_predict};
