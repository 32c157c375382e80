/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fit.c - fits laws to samples, predicts with them, and prints them. */
#include "model/door.h"
#include "tell/answers.h"

#include <math.h>
#include <string.h>

enum { LAW_TEXT = 1024 };

#define PREDICTION struct ft_fit_prediction
static const struct ft_tell_row prediction_rows[] = {
	{FT_TELL_AS(NULL, PREDICTION, size)},
	{FT_TELL_AS("value", PREDICTION, law.value), .null = "the law has no value there", .head = ">value",
	 .unit = "", .none = "unknown"},
	{FT_TELL_AS("median", PREDICTION, law.median), .about = "of the belief", .null = "", .unit = ""},
	{FT_TELL_AS("lower", PREDICTION, law.lower), .null = "no interval", .head = ">lower", .unit = "",
	 .none = "unknown"},
	{FT_TELL_AS("upper", PREDICTION, law.upper), .null = "no interval", .head = ">upper", .unit = "",
	 .none = "unknown"},
	{FT_TELL_AS("predicted", PREDICTION, model.value),
	 .about = "what foretime predict returns for these samples", .null = "no model", .head = ">predict",
	 .unit = "", .none = "unknown"},
	{FT_TELL_AS("predicted_lower", PREDICTION, model.lower), .null = "no interval", .head = ">its lower",
	 .unit = "", .none = "unknown"},
	{FT_TELL_AS("predicted_upper", PREDICTION, model.upper), .null = "no interval", .head = ">its upper",
	 .unit = "", .none = "unknown"},
	{0},
};
const struct ft_tell_record ft_fit_predictions = {.bytes = sizeof(PREDICTION), .row = prediction_rows};

#define CLASS struct ft_fit_class
static const struct ft_tell_row class_rows[] = {
	{FT_TELL_AS("class", CLASS, text)},
	{FT_TELL_AS("power", CLASS, factor.power), .about = "of n"},
	{FT_TELL_AS("log", CLASS, factor.log), .about = "the power of log2 n"},
	{FT_TELL_AS("rate", CLASS, factor.rate),
	 .about = "how often it doubles while n grows by 1; below 0: how often it halves"},
	{FT_TELL_AS("factorial", CLASS, factor.factorial), .about = "the power of n!"},
	{FT_TELL(CLASS, weight),
	 .about = "how much of the belief it has; all sum to 1 but for those under 0.0005"},
	{0},
};
static const struct ft_tell_record classes = {.bytes = sizeof(CLASS), .row = class_rows};

static const struct ft_tell_row candidate_rows[] = {
	{FT_TELL(struct ft_fit_candidate, law)},
	{FT_TELL(struct ft_fit_candidate, weight)},
	{0},
};
static const struct ft_tell_record candidates = {.bytes = sizeof(struct ft_fit_candidate),
						 .row = candidate_rows};

static const struct ft_tell_row break_rows[] = {
	{FT_TELL_AS("after", struct ft_fit_break, at.after), .about = "the last size of the law before"},
	{FT_TELL_AS("from", struct ft_fit_break, at.from), .about = "the first size of the next one"},
	{FT_TELL(struct ft_fit_break, law), .about = "the one before"},
	{FT_TELL_AS("error", struct ft_fit_break, at.error),
	 .about = "its relative error, one standard deviation"},
	{FT_TELL_AS("evidence", struct ft_fit_break, at.evidence),
	 .about = "ln of how much likelier the runs are with all breaks than with none"},
	{0},
};
static const struct ft_tell_record breaks = {.bytes = sizeof(struct ft_fit_break), .row = break_rows};

#define LAW struct ft_fit_law
static const struct ft_tell_row law_rows[] = {
	{FT_TELL(LAW, group), .about = "the value of the column --by", .null = "without it"},
	{FT_TELL(LAW, runs)},
	{FT_TELL(LAW, sizes), .whole = true, .null = "there is no law"},
	{FT_TELL(LAW, error), .about = "why there is no law", .null = "there is one"},
	{FT_TELL(LAW, law), .about = "an expression of the parameters, in SI units; 17 digits",
	 .null = "there is none"},
	{FT_TELL(LAW, words), .about = "the class with its evidence",
	 .null = "of power, polylog, several parameters"},
	{FT_TELL(LAW, terms), .whole = true, .about = "of the law, besides the constant",
	 .null = "there is none"},
	{FT_TELL(LAW, called), .about = "more than one term because the runs call for it"},
	{FT_TELL(LAW, exact), .about = "it passes through all runs"},
	{FT_TELL(LAW, misfit),
	 .about = "how far the means of the sizes are from the law: root mean square, relative; of power and "
		  "polylog the mean of the relative errors",
	 .null = "there is no law"},
	{FT_TELL_AS("noise_sd", LAW, noise), .about = "relative standard deviation of runs of one size",
	 .null = "no size has two"},
	{FT_TELL(LAW, residual),
	 .about = "R: root of the sum of squares over the sizes (002 appendix .1, eq. 6)",
	 .null = "there is no law"},
	{FT_TELL(LAW, residual_ln),
	 .about = "the same of logarithms, which is what 002 prints of power laws (tables 5.1, 5.2, 5.5)",
	 .null = "there is no law, or no logarithm"},
	{FT_TELL_AS("power", LAW, power.value), .about = "of n, where that number was found",
	 .null = "it is one of the usual ones"},
	{FT_TELL_AS("power_lower", LAW, power.lower), .about = "with power_upper: holds the confidence",
	 .null = ""},
	{FT_TELL_AS("power_upper", LAW, power.upper), .null = ""},
	{FT_TELL_MANY(LIST, "classes", LAW, class, n_classes, &classes),
	 .about = "of laws of one parameter, the heaviest first"},
	{FT_TELL_MANY(LIST, "candidates", LAW, candidate, n_candidates, &candidates),
	 .about = "of laws of several parameters, and of signed: the heaviest first"},
	{FT_TELL_MANY(LIST, "breaks", LAW, broken, n_breaks, &breaks),
	 .about = "`law` is that of the sizes from the last break on"},
	{FT_TELL_MANY(LIST, "predictions", LAW, prediction, n_predictions, &ft_fit_predictions)},
	{0},
};
static const struct ft_tell_record laws = {.bytes = sizeof(LAW), .row = law_rows};

struct output {
	const char *name;
	const struct ft_machine *machine; /* NULL, as axes: the samples come from a table */
	const struct ft_resource *resource;
	const char *parameter[FT_LAW_PARAMS], *class;
	size_t n_parameters;
	double confidence;
	const char *of;
	const struct ft_answer_axes *axes;
	struct ft_model_facts facts;
	LAW *fit;
	size_t n_fits;
};

static const struct ft_tell_row rows[] = {
	{FT_TELL(struct output, name), .about = "of the program, or the path of the table"},
	{FT_TELL_BY(POINTER, "machine", struct output, machine), .of = &ft_tell_machine,
	 .null = "the samples come from a table"},
	{FT_TELL(struct output, resource), .about = "or the column of values"},
	{FT_TELL_BY(UNIT, "unit", struct output, resource)},
	{FT_TELL_MANY(ARRAY, "parameters", struct output, parameter, n_parameters, &ft_tell_texts),
	 .about = "that the laws are of"},
	{FT_TELL(struct output, class), .words = "laws|power|polylog|signed"},
	{FT_TELL(struct output, confidence)},
	{FT_TELL(struct output, of), .words = "run|mean",
	 .about = "what the intervals hold: single runs, or means of many"},
	{FT_TELL_BY(PERHAPS, NULL, struct output, axes), .of = &ft_tell_axes}, /* of a table */
	{FT_TELL_BY(RECORD, "limits", struct output, facts), .of = &ft_tell_limits,
	 .null = "no run met one, or the samples come from a table"},
	{FT_TELL_MANY(LIST, "fits", struct output, fit, n_fits, &laws),
	 .about = "one; with --by one for each group"},
	{0},
};
const struct ft_tell_record ft_tell_fit = {.name = "fit", .version = 2, .row = rows};

void ft_fit_clear(struct ft_fit *fit)
{
	ft_arena_clear(&fit->memory);
}

/* ---- samples ------------------------------------------------------------------------------------------- */

enum ft_status ft_fit_add(struct ft_fit *fit, const char *group, const struct ft_law_place *sample,
			  struct ft_err *err)
{
	struct ft_fit_group *at = NULL;

	/* Tables are mostly sorted by group: the last one is looked at first. */
	for (size_t i = fit->n; i-- > 0 && !at;)
		if (!group || !strcmp(fit->group[i].name, group))
			at = &fit->group[i];
	if (!at) {
		struct ft_fit_group *grown =
			ft_arena_grow(&fit->memory, fit->group, fit->n, &fit->capacity, sizeof *grown);

		if (!grown)
			return ft_nomem(err);
		fit->group = grown;
		at = &grown[fit->n++];
		*at = (struct ft_fit_group){.name = ft_arena_text(&fit->memory, group)};
	}
	struct ft_law_place *grown =
		ft_arena_grow(&fit->memory, at->sample, at->n, &at->capacity, sizeof *grown);
	if (!grown)
		return ft_nomem(err);
	at->sample = grown;
	grown[at->n++] = *sample;
	return ft_arena_check(&fit->memory, err);
}

/* The expected value of a run that met a limit; NaN: it met none. Runs at one limit are spread over the
 * values above it by the multiples of the golden section, whose fractions fill an interval evenly. met:
 * how many there were before. */
static double value_above(struct ft_fit *fit, const struct ft_run *run, size_t *met)
{
	static const double golden = 0.6180339887498949;
	const struct ft_model_record *record;
	double limit = ft_run_limit(run, fit->resource), turn, work;

	if (isnan(limit) || run->warmup ||
	    ft_ask_model(fit->answerer, fit->resource, &run->size, &record, NULL) ||
	    ft_program_work(ft_ask_program(fit->answerer), &run->size, &work, NULL))
		return NAN;
	fit->facts = *ft_model_facts(record->model);
	turn = 0.5 + golden * (double)(*met)++;
	return ft_model_above(record->model, &run->size, work, limit, turn - floor(turn));
}

enum ft_status ft_fit_runs(struct ft_fit *fit, struct ft_answerer *answerer, struct ft_err *err)
{
	const struct ft_program *program = ft_ask_program(answerer);
	const struct ft_runs *runs = ft_ask_runs(answerer);
	size_t axis[FT_PARAMS_MAX], axes = ft_ask_axes(answerer, axis), met = 0;

	ft_ask_under(answerer, &(struct ft_ask_load){0});
	fit->answerer = answerer;
	fit->source = program->name;
	FT_TRY(ft_ask_find(answerer, fit->query->resource, &fit->resource, err));
	if (axes > FT_LAW_PARAMS) { /* those without effect are left out */
		bool flat[FT_PARAMS_MAX];
		size_t kept = 0;

		ft_tell_axes_flat(answerer, &fit->resource, 1, flat);
		for (size_t i = 0; i < axes; i++)
			if (!flat[axis[i]])
				axis[kept++] = axis[i];
		axes = kept ? kept : axes;
	}
	if (axes > FT_LAW_PARAMS) {
		(void)ft_fail(err, FT_ENOMODEL,
			      "the runs of '%s' differ in %zu parameters that matter; laws are of %d at most",
			      program->name, axes, FT_LAW_PARAMS);
		return ft_remedy(err, "export the runs, and fit those that agree in some parameters");
	}
	fit->program.n_params = axes;
	for (size_t p = 0; p < axes; p++)
		(void)snprintf(fit->program.param[p].name, sizeof fit->program.param[p].name, "%s",
			       program->n_params ? program->param[axis[p]].name : "n");
	for (size_t i = 0; i < runs->n; i++) {
		const struct ft_run *run = &runs->run[i];
		struct ft_law_place sample = {.value = run->outcome == FT_DONE
							       ? ft_run_idle_value(run, fit->resource)
							       : value_above(fit, run, &met)};

		if (run->warmup || isnan(sample.value))
			continue;
		for (size_t p = 0; p < axes; p++)
			sample.x[p] = run->size.value[axis[p]];
		FT_TRY(ft_fit_add(fit, NULL, &sample, err));
	}
	if (fit->n)
		return FT_OK;
	(void)ft_fail(err, FT_ENOENT, "no run of '%s' has a value of %s", program->name, fit->resource->name);
	return ft_remedy(err,
			 runs->n ? "'foretime show %s' lists what was measured"
				 : "it has no run yet: measure it with foretime build %s",
			 program->name);
}

/* ---- sizes --------------------------------------------------------------------------------------------- */

enum ft_status ft_fit_sizes(struct ft_fit *fit, struct ft_err *err)
{
	FT_CLEANUP(ft_values_clear) struct ft_values values = {0};
	const struct ft_param *param = fit->program.param;
	size_t step[FT_PARAMS_MAX] = {0}, at[FT_LAW_PARAMS] = {0}, params = fit->program.n_params;

	if (fit->query->terms && fit->query->class != FT_LAW_LAWS)
		return ft_fail(err, FT_EINVAL, "terms are of the class laws only");
	if (params > 1 && (fit->query->class != FT_LAW_LAWS || fit->query->terms))
		return ft_fail(err, FT_EINVAL,
			       "class and terms are for laws of one parameter; these are of %zu", params);
	for (size_t i = 0; i < fit->query->n; i++) {
		const struct ft_query_word *word = &fit->query->word[i];
		size_t p = 0;
		char typed[2 * FT_PARAM_LENGTH];

		FT_TRY(ft_values_add(&values, word->key, word->value, err));
		(void)snprintf(typed, sizeof typed, "%s=%s", word->key, word->value);
		FT_TRY(ft_values_count(&values, fit->query->answers_most, typed, err));
		while (p < params && strcmp(param[p].name, word->key) != 0)
			p++;
		if (p < params)
			continue;
		char names[FT_LAW_PARAMS * (FT_PARAM_LENGTH + 2)] = "";
		for (size_t k = 0, length = 0; k < params; k++)
			length += (size_t)snprintf(names + length, sizeof names - length, "%s%s",
						   k ? ", " : "", param[k].name);
		(void)ft_fail(err, FT_EINVAL, "the runs do not differ in a parameter '%s'", word->key);
		return ft_remedy(err, "laws here are of %s", names);
	}
	for (size_t p = 0; p < params && values.n; p++) {
		while (at[p] < values.n && strcmp(param[p].name, values.axis[at[p]].name) != 0)
			at[p]++;
		if (at[p] == values.n)
			return ft_fail(err, FT_EINVAL, "no value for parameter '%s'", param[p].name);
	}
	for (bool more = values.n > 0; more; more = ft_values_next(&values, step)) {
		double(*grown)[FT_LAW_PARAMS] =
			ft_arena_grow(&fit->memory, fit->x, fit->n_x, &fit->x_capacity, sizeof *grown);
		const char *name[FT_LAW_PARAMS];
		struct ft_size size;

		if (!grown)
			return ft_nomem(err);
		fit->x = grown;
		memset(grown[fit->n_x], 0, sizeof *grown);
		for (size_t p = 0; p < params; p++) {
			name[p] = param[p].name;
			grown[fit->n_x][p] = values.axis[at[p]].value[step[at[p]]];
		}
		if (fit->answerer && ft_ask_program(fit->answerer)->where &&
		    !ft_ask_size(fit->answerer, name, grown[fit->n_x], params, &size, NULL))
			FT_TRY(ft_ask_admits(fit->answerer, &size, err));
		fit->n_x++;
	}
	return FT_OK;
}

/* ---- laws ---------------------------------------------------------------------------------------------- */

const char *ft_fit_text(struct ft_fit *fit, const struct ft_law *law, int digits)
{
	const char *name[FT_LAW_PARAMS];
	char text[LAW_TEXT];

	for (size_t p = 0; p < FT_LAW_PARAMS; p++)
		name[p] = fit->program.param[p].name;
	(void)ft_law_format(law, name, digits, text, sizeof text);
	const char *kept = ft_arena_text(&fit->memory, text);
	return kept ? kept : "";
}

/* The model of a group of a table; NULL: there is none. Ends with ft_model_free. */
static struct ft_model *model_of_table(struct ft_fit *fit, const struct ft_fit_group *group)
{
	struct ft_observation *o = ft_arena_take(&fit->memory, group->n, sizeof *o);
	size_t axis[FT_LAW_PARAMS], params = fit->program.n_params;
	const struct ft_model_options options = {.n_axes = params,
						 .axis = axis,
						 .of = fit->resource->of,
						 .prior = fit->prior,
						 /* as models of runs are */
						 .through_speed =
							 fit->resource->of == FT_CLASS_TIME && params == 1};
	struct ft_model *model = NULL;

	for (size_t p = 0; p < params; p++)
		axis[p] = p;
	for (size_t i = 0; o && i < group->n; i++) {
		o[i].size.n = params;
		memcpy(o[i].size.value, group->sample[i].x, params * sizeof(double));
		o[i].work = 1;
		o[i].value = group->sample[i].value;
	}
	if (o)
		(void)ft_model_fit(&model, o, group->n, &options, NULL);
	return model;
}

static enum ft_status predict_all(struct ft_fit *fit, const struct ft_fit_group *group, LAW *out,
				  struct ft_err *err)
{
	const enum ft_law_of of = fit->query->mean ? FT_LAW_MEAN : FT_LAW_RUN;
	const double confidence = fit->query->confidence;
	struct ft_model *model = fit->n_x && !fit->answerer ? model_of_table(fit, group) : NULL;

	out->prediction = ft_arena_take(&fit->memory, fit->n_x, sizeof *out->prediction);
	for (size_t i = 0; out->prediction && i < fit->n_x; i++) {
		PREDICTION *at = &out->prediction[out->n_predictions++];
		enum ft_status status = FT_ENOMODEL;

		at->size.n = fit->program.n_params;
		memcpy(at->size.value, fit->x[i], at->size.n * sizeof(double));
		if (ft_law_any_predict(fit->found, fit->x[i], confidence, of, &at->law, NULL))
			at->law = (struct ft_law_prediction){NAN, NAN, NAN, NAN, NAN, NAN};
		if (fit->answerer) {
			/* Parameters that the laws are not of are as in a run. */
			struct ft_size size = ft_ask_any_size(fit->answerer);

			for (size_t p = 0; p < at->size.n; p++) {
				int param = ft_program_find_param(ft_ask_program(fit->answerer),
								  fit->program.param[p].name);

				size.value[param < 0 ? p : (size_t)param] = fit->x[i][p];
			}
			status = ft_ask_predict(fit->answerer, fit->resource, &size, confidence, &at->model,
						NULL);
		} else if (model) {
			status = ft_model_predict(model, &at->size, 1, confidence, &at->model, NULL);
		}
		if (status)
			at->model = (struct ft_prediction){
				.value = NAN, .lower = NAN, .upper = NAN, .known = NAN};
		else if (of == FT_LAW_MEAN) { /* the typical run, not single ones */
			at->model.lower = at->model.value / (1 + at->model.known);
			at->model.upper = at->model.value * (1 + at->model.known);
		}
	}
	ft_model_free(model);
	return ft_arena_check(&fit->memory, err);
}

enum ft_status ft_fit_find(struct ft_fit *fit, size_t index, LAW *out, struct ft_err *err)
{
	const struct ft_fit_group *group = &fit->group[index];
	const char *name = fit->program.param[0].name;
	const struct ft_law_candidate *candidate = NULL;
	char text[LAW_TEXT];

	*out = (LAW){.group = group->name,
		     .runs = group->n,
		     .sizes = NAN,
		     .terms = NAN,
		     .misfit = NAN,
		     .noise = NAN,
		     .residual = NAN,
		     .residual_ln = NAN,
		     .power = {NAN, NAN, NAN}};
	if (!fit->found)
		fit->found = ft_arena_take(&fit->memory, 1, sizeof *fit->found);
	FT_TRY(ft_arena_check(&fit->memory, err));
	if (ft_law_any_fit(fit->found, fit->query->class, group->sample, group->n, fit->program.n_params,
			   fit->query->terms, fit->resource->name, &out->why)) {
		out->error = out->why.text;
		return out->why.status == FT_ENOMEM ? ft_nomem(err) : FT_OK;
	}
	const struct ft_law_any *found = fit->found;
	out->law = ft_fit_text(fit, &found->law, 17);
	out->sizes = (double)found->sizes;
	out->terms = (double)found->law.terms;
	out->misfit = found->misfit;
	out->noise = found->noise;
	out->residual = found->residual;
	out->residual_ln = found->residual_ln;
	if (!ft_law_any_power(found, fit->query->confidence, &out->power))
		out->power = (struct ft_law_number){NAN, NAN, NAN};
	if (found->many) {
		out->exact = found->multi.exact;
		candidate = found->multi.candidate;
		out->n_candidates = found->multi.candidates;
	} else if (found->kind == FT_LAW_SIGNED) {
		candidate = found->sums.candidate;
		out->n_candidates = found->sums.candidates;
	} else if (found->kind == FT_LAW_LAWS) {
		(void)ft_laws_words(&found->laws, name, text, sizeof text);
		out->words = ft_arena_text(&fit->memory, text);
		out->called = found->laws.called;
		out->exact = found->laws.exact;
		out->n_classes = found->laws.kinds;
		out->n_breaks = found->laws.breaks;
	}
	out->class = ft_arena_take(&fit->memory, out->n_classes, sizeof *out->class);
	out->broken = ft_arena_take(&fit->memory, out->n_breaks, sizeof *out->broken);
	out->candidate = ft_arena_take(&fit->memory, out->n_candidates, sizeof *out->candidate);
	FT_TRY(ft_arena_check(&fit->memory, err));
	for (size_t i = 0; i < out->n_classes; i++) {
		const struct ft_law_class *kind = &found->laws.kind[i];

		(void)ft_law_class_format(&kind->factor, name, text, sizeof text);
		out->class[i] = (CLASS){ft_arena_text(&fit->memory, text), kind->factor, kind->weight};
	}
	for (size_t i = 0; i < out->n_breaks; i++)
		out->broken[i] = (struct ft_fit_break){found->laws.broken[i],
						       ft_fit_text(fit, &found->laws.broken[i].law, 17)};
	for (size_t i = 0; candidate && i < out->n_candidates; i++)
		out->candidate[i] = (struct ft_fit_candidate){ft_fit_text(fit, &candidate[i].law, 17),
							      candidate[i].weight};
	return predict_all(fit, group, out, err);
}

enum ft_status ft_fit_answer(struct ft_fit *fit, LAW *law, json_t **out, struct ft_err *err)
{
	const struct ft_tell_with with = {.program = &fit->program};
	struct ft_answer_axes axes;
	struct output output = {
		.name = fit->source,
		.machine = fit->answerer ? ft_ask_machine(fit->answerer) : NULL,
		.resource = fit->resource,
		.n_parameters = fit->program.n_params,
		.class = ft_law_kind_text(fit->query->class),
		.confidence = fit->query->confidence,
		.of = fit->query->mean ? "mean" : "run",
		.axes = fit->answerer ? &axes : NULL,
		.facts = fit->facts,
		.fit = law,
		.n_fits = fit->n,
	};

	for (size_t p = 0; p < output.n_parameters; p++)
		output.parameter[p] = fit->program.param[p].name;
	if (fit->answerer)
		ft_tell_axes_find(fit->answerer, &fit->resource, 1, &axes);
	*out = ft_tell_json(&ft_tell_fit, &output, &with);
	return *out ? FT_OK : ft_nomem(err);
}

/* ---- the question -------------------------------------------------------------------------------------- */

static enum ft_status answer_fit(struct ft_answerer *answerer, const struct ft_query *query, json_t **out,
				 struct ft_err *err)
{
	FT_CLEANUP(ft_fit_clear) struct ft_fit fit = {.query = query};
	LAW law;

	FT_TRY(ft_fit_runs(&fit, answerer, err));
	FT_TRY(ft_fit_sizes(&fit, err));
	FT_TRY(ft_fit_find(&fit, 0, &law, err));
	return ft_fit_answer(&fit, &law, out, err);
}

static const struct ft_field fields[] = {
	{FT_QUERY("resource", resource), .letter = 'r', .kind = FT_FIELD_TEXT, .argument = "R",
	 .help = "resource: wall_s (default), peak_rss_bytes, ...; of a table: the column of values"},
	FT_QUERY_CONFIDENCE,
	FT_QUERY_MODELS,
	FT_QUERY_GROUP("the law"),
	{FT_QUERY("terms", terms), .kind = FT_FIELD_COUNT, .argument = "K", .least = 1, .most = FT_LAW_MIXED,
	 .help = "terms besides a constant, 1 to 3; default: one, or two where the runs require it"},
	{FT_QUERY("class", class), .kind = FT_FIELD_WORD, .argument = "C",
	 .words = "laws|power|polylog|signed",
	 .help = "laws (default), power: a n^b, polylog: a polynomial in log2 n, signed: terms of either "
		 "sign"},
	{FT_QUERY("mean", mean), .kind = FT_FIELD_FLAG,
	 .help = "intervals of the mean of many runs, not of single runs"},
	{0},
};

const struct ft_question ft_question_fit = {
	.name = "fit",
	.about = "the law that the runs obey",
	.fields = fields,
	.words = "PARAM: sizes to predict, as n=2048 or n=64:512:64; size.PARAM where a field is called so",
	.slow = true,
	.most = 32,
	.answer = answer_fit};
