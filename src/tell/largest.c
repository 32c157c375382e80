/* SPDX-License-Identifier: GPL-3.0-or-later */
/* largest.c - finds the largest size that fits a time, a memory, or any other limit; and the rows of the
   answers. */
#include "base/alloc.h"
#include "foretime/base.h"
#include "tell/answers.h"

#include <math.h>
#include <string.h>

static char *basis_cell(const void *record, const struct ft_tell_with *with)
{
	(void)with;
	return ft_tell_basis(&((const struct ft_answer_limit *)record)->limit.at, NULL);
}

static char *binds_cell(const void *record, const struct ft_tell_with *with)
{
	(void)with;
	return ft_strdup(((const struct ft_answer_limit *)record)->limit.binds ? "binds" : "");
}

#define LIMIT struct ft_answer_limit
static const struct ft_tell_row limit_rows[] = {
	{FT_TELL_AS("resource", LIMIT, limit.resource), .head = "resource"},
	{FT_TELL_BY(UNIT, "unit", LIMIT, limit.resource)},
	{FT_TELL_AS("limit", LIMIT, limit.most)},
	{FT_TELL_AS(NULL, LIMIT, typed), .head = ">limit"},
	{FT_TELL_AS("binds", LIMIT, limit.binds), .about = "the next size is over it"},
	{FT_TELL_AS("grows", LIMIT, limit.grows),
	 .about = "the value grows with the size where the data ends"},
	{FT_TELL_AS("value", LIMIT, limit.at.value), .head = ">typical", .unit = ""},
	{FT_TELL_AS("accuracy", LIMIT, limit.at.known), .about = "accuracy of the typical run, +- this share",
	 .null = "not available", .head = ">accuracy", .unit = "+-", .detail = true},
	{FT_TELL_AS("lower", LIMIT, limit.at.lower)},
	{FT_TELL_AS("upper", LIMIT, limit.at.upper), .about = "one-sided, at the confidence",
	 .null = "not known", .head = ">%s", .unit = ""},
	{FT_TELL_BY(WORD, "basis", LIMIT, limit.at.basis), .word = ft_basis_text, .words = FT_TELL_BASES,
	 .head = "basis", .cell = basis_cell},
	{FT_TELL_AS("distance", LIMIT, limit.at.distance)},
	{FT_TELL_AS("runs", LIMIT, limit.at.runs)},
	{FT_TELL_AS(NULL, LIMIT, limit.binds), .head = "", .cell = binds_cell},
	{0},
};
const struct ft_tell_record ft_tell_limit = {.name = "limit", .bytes = sizeof(LIMIT), .row = limit_rows};

static const char *kind_word(const void *at)
{
	static const char *const words[] = {
		[FT_LARGEST_FOUND] = "found", [FT_LARGEST_NONE] = "none", [FT_LARGEST_ANY] = "any"};

	return words[*(const enum ft_largest_kind *)at];
}

static bool fits_again(const void *output)
{
	return !isnan(((const struct ft_largest *)output)->again);
}

static const struct ft_tell_row again_rows[] = {
	{FT_TELL_AS("from", struct ft_largest, again)},
	{FT_TELL_AS("to", struct ft_largest, last), .null = "no limit any more"},
	{0},
};
static const struct ft_tell_record again = {.row = again_rows, .there = fits_again};

static bool is_uncertain(const void *output)
{
	return !isnan(((const struct ft_largest *)output)->uncertain);
}

static const struct ft_tell_row uncertain_rows[] = {
	{FT_TELL_AS("from", struct ft_largest, uncertain)},
	{FT_TELL_AS("to", struct ft_largest, uncertain_to)},
	{0},
};
static const struct ft_tell_record uncertain = {.row = uncertain_rows, .there = is_uncertain};

#define ANSWER struct ft_answer_largest
static const struct ft_tell_row answer_rows[] = {
	{FT_TELL_BY(SAID, "answer", ANSWER, found.kind), .say = kind_word, .words = "found|none|any",
	 .about = "none: not even the smallest size fits; any: nothing limits"},
	{FT_TELL(ANSWER, largest),
	 .about = "the largest size such that all sizes up to it fit, but those that are uncertain",
	 .null = "unless found"},
	{FT_TELL(ANSWER, distance), .about = "extrapolation: size divided by the measured range; 1 inside",
	 .null = "unless found"},
	{FT_TELL_AS("next", ANSWER, found.next), .about = "the next size, which does not fit",
	 .null = "none"},
	{FT_TELL_BY(RECORD, "again", ANSWER, found), .of = &again,
	 .about = "larger sizes fit again: the first of them, and the last", .null = "none does"},
	{FT_TELL_BY(RECORD, "uncertain", ANSWER, found), .of = &uncertain,
	 .about = "smaller sizes that may not fit, between measured ones that do: the first and the last",
	 .null = "none"},
	{FT_TELL_AS("killed", ANSWER, found.killed),
	 .about = "smallest size at which a run was killed for memory", .null = "no run was"},
	{FT_TELL_AS("binds_killed", ANSWER, found.by_kill), .about = "and that bounds the answer"},
	{FT_TELL_AS("binds_where", ANSWER, found.by_where),
	 .about = "no larger size meets the constraint of the program; with answer none: no size does"},
	{FT_TELL_AS("binds_list", ANSWER, found.by_list),
	 .about = "all sizes that the range lists fit: larger ones are not admissible"},
	{FT_TELL_AS("size", ANSWER, found.size),
	 .about = "size of the limits below: the largest, with answer none the smallest, with any the "
		  "largest measured; a member for each parameter"},
	{FT_TELL_MANY(LIST, "limits", ANSWER, limit, n, &ft_tell_limit)},
	{0},
};
static const struct ft_tell_record combination = {
	.name = "combination",
	.about = "the largest value for one combination of the other parameters",
	.bytes = sizeof(ANSWER),
	.row = answer_rows,
};

static const struct ft_tell_row several_rows[] = {
	{FT_TELL(struct ft_answer_several, frontier),
	 .about = "where there are several answers: whether they are the largest combinations of several "
		  "parameters"},
	{FT_TELL_MANY(LIST, "answers", struct ft_answer_several, answer, n, &combination),
	 .about = "several answers, for the combinations of the other parameters; then the members of a "
		  "single answer are absent"},
	{0},
};
static const struct ft_tell_record several = {.row = several_rows};

#define OUTPUT struct ft_answer_limits
static const struct ft_tell_row rows[] = {
	{FT_TELL(OUTPUT, name)},
	{FT_TELL_BY(POINTER, "machine", OUTPUT, machine), .of = &ft_tell_machine},
	{FT_TELL(OUTPUT, confidence),
	 .about = "share of future single runs at that size that stay within each limit by itself"},
	{FT_TELL_BY(WORD, "load", OUTPUT, load), .word = ft_load_view_text, .words = FT_TELL_VIEWS},
	{FT_TELL(OUTPUT, parameter), .about = "the parameter to maximise; of a frontier the last one"},
	{FT_TELL_BY(POINTER, "failing", OUTPUT, failing), .of = &ft_tell_failing, .null = "there is none"},
	{FT_TELL_BY(ROWS, NULL, OUTPUT, axes), .of = &ft_tell_axes},
	{FT_TELL_BY(PERHAPS, NULL, OUTPUT, only), .of = &combination},
	{FT_TELL_BY(PERHAPS, NULL, OUTPUT, several), .of = &several},
	{0},
};
const struct ft_tell_record ft_tell_largest = {.name = "largest", .version = 2, .row = rows};

/* ---- the question -------------------------------------------------------------------------------------- */

const char *ft_largest_name(const struct ft_largest_answers *a, const struct ft_program *program, size_t i)
{
	return program->n_params ? program->param[a->open[i]].name : "n";
}

static enum ft_status add_limit(struct ft_largest_answers *a, struct ft_answerer *answerer,
				const struct ft_query_word *word, struct ft_err *err)
{
	struct ft_limit *limit = &a->limit[a->n].limit;
	const struct ft_resource *resource;

	if (a->n == FT_LIMITS_MOST)
		return ft_fail(err, FT_EINVAL, "more than %d limits", (int)FT_LIMITS_MOST);
	FT_TRY(ft_ask_find(answerer, word->key, &resource, err));
	for (size_t i = 0; i < a->n; i++)
		if (a->limit[i].limit.resource == resource)
			return ft_fail(err, FT_EINVAL, "there are two limits on %s", resource->name);
	*limit = (struct ft_limit){.resource = resource};
	if (ft_value_parse(word->value, resource->unit, &limit->most, err))
		return ft_fail_at(err, "limit '%s=%s'", word->key, word->value);
	if (!(limit->most > 0))
		return ft_fail(err, FT_EINVAL, "limit '%s=%s' is not positive", word->key, word->value);
	a->limit[a->n++].typed = word->value;
	return FT_OK;
}

/* Whether the constraint uses a parameter. */
static bool is_constrained(const struct ft_program *program, size_t param)
{
	struct ft_expr *where = NULL;
	const char *name;
	bool found = false;

	if (!program->where || ft_expr_new(&where, program->where, NULL))
		return false;
	for (size_t i = 0; (name = ft_expr_name(where, i)) && !found; i++)
		found = !strcmp(name, program->param[param].name);
	ft_expr_free(where);
	return found;
}

static size_t resources_of(const struct ft_largest_answers *a,
			   const struct ft_resource *resource[FT_LIMITS_MOST])
{
	for (size_t i = 0; i < a->n; i++)
		resource[i] = a->limit[i].limit.resource;
	return a->n;
}

/* The open parameters: those in which the runs differ, without a value. A parameter without effect has no
 * largest value unless the constraint gives one: next to other open ones it stays at a measured value. */
static enum ft_status find_open(struct ft_largest_answers *a, struct ft_answerer *answerer,
				struct ft_err *err)
{
	const struct ft_program *program = ft_ask_program(answerer);
	const struct ft_resource *resource[FT_LIMITS_MOST];
	size_t axis[FT_PARAMS_MAX], n = ft_ask_axes(answerer, axis), kept = 0, i, j;
	bool flat[FT_PARAMS_MAX] = {false};

	for (i = 0; i < n; i++) {
		for (j = 0;
		     j < a->values.n && (!program->n_params ||
					 strcmp(a->values.axis[j].name, program->param[axis[i]].name) != 0);)
			j++;
		if (j == a->values.n)
			a->open[a->n_open++] = axis[i];
	}
	if (a->n_open > 1) {
		ft_tell_axes_flat(answerer, resource, resources_of(a, resource), flat);
		for (i = 0; i < a->n_open; i++) {
			flat[a->open[i]] = flat[a->open[i]] && !is_constrained(program, a->open[i]);
			kept += !flat[a->open[i]];
		}
		for (i = j = 0; kept && i < a->n_open; i++)
			if (flat[a->open[i]])
				a->left[a->n_left++] = a->open[i];
			else
				a->open[j++] = a->open[i];
		a->n_open = kept ? j : a->n_open;
	}
	if (a->n_open)
		return FT_OK;
	a->open[0] = axis[0];
	if (n == 1) {
		(void)ft_fail(err, FT_EINVAL, "'%s' is the parameter to maximise: it takes no value",
			      ft_largest_name(a, program, 0));
		return ft_remedy(err, "leave '%s' out", ft_largest_name(a, program, 0));
	}
	(void)ft_fail(err, FT_EINVAL, "every parameter has a value: no parameter is left to maximise");
	return ft_remedy(err, "leave out the one to maximise, or use foretime predict");
}

static enum ft_status read_words(struct ft_largest_answers *a, struct ft_answerer *answerer,
				 const struct ft_query *query, struct ft_err *err)
{
	const struct ft_program *program = ft_ask_program(answerer);
	char last[2 * FT_PARAM_LENGTH];

	for (size_t i = 0; i < query->n; i++) {
		const struct ft_query_word *word = &query->word[i];

		if (!word->size && ft_program_find_param(program, word->key) < 0) {
			FT_TRY(add_limit(a, answerer, word, err));
			continue;
		}
		FT_TRY(ft_values_add(&a->values, word->key, word->value, err));
		(void)snprintf(last, sizeof last, "%s=%s", word->key, word->value);
		FT_TRY(ft_values_count(&a->values, query->answers_most, last, err));
	}
	FT_TRY(find_open(a, answerer, err));
	if (a->n)
		return FT_OK;
	(void)ft_fail(err, FT_EINVAL, "the largest %s that fits what?", ft_largest_name(a, program, 0));
	return ft_remedy(err, "write foretime largest %s time=60s, memory=8GiB, or both", program->name);
}

/* ---- the answers --------------------------------------------------------------------------------------- */

/* The size of a combination; open parameters may have any value. */
static enum ft_status size_of(const struct ft_largest_answers *a, const struct ft_answerer *answerer,
			      const size_t *step, struct ft_size *size, struct ft_err *err)
{
	const struct ft_program *program = ft_ask_program(answerer);
	const char *name[3 * FT_PARAMS_MAX];
	double value[3 * FT_PARAMS_MAX];
	size_t n = a->values.n;

	ft_values_get(&a->values, step, name, value);
	for (size_t i = 0; i < a->n_open; i++) {
		name[n] = ft_largest_name(a, program, i);
		value[n++] = program->param[a->open[i]].most;
	}
	for (size_t i = 0; i < a->n_left; i++) {
		name[n] = program->param[a->left[i]].name;
		value[n++] = ft_ask_any_size(answerer).value[a->left[i]];
	}
	return ft_ask_size(answerer, name, value, n, size, err);
}

/* Append an answer with the limits of the query. NULL: no memory. */
static struct ft_answer_largest *add_answer(struct ft_largest_answers *a)
{
	struct ft_answer_largest *grown = ft_grow(a->several.answer, a->several.n, &a->room, sizeof *grown);

	if (!grown)
		return NULL;
	a->several.answer = grown;
	grown += a->several.n;
	*grown = (struct ft_answer_largest){.found = {.kind = FT_LARGEST_NONE},
					    .limit = ft_calloc(a->n, sizeof *grown->limit),
					    .n = a->n};
	if (!grown->limit)
		return NULL;
	memcpy(grown->limit, a->limit, a->n * sizeof *grown->limit);
	a->several.n++;
	return grown;
}

/* Store what was found, and the value of each limit there. */
static void fill_answer(const struct ft_largest_answers *a, struct ft_answer_largest *answer,
			const struct ft_largest *found, const struct ft_limit *limit)
{
	answer->found = *found;
	answer->largest = answer->distance = NAN;
	for (size_t i = 0; i < a->n; i++)
		answer->limit[i].limit = limit[i];
	if (found->kind != FT_LARGEST_FOUND)
		return;
	answer->largest = found->size.value[a->open[a->n_open - 1]];
	answer->distance = 1;
	for (size_t i = 0; i < a->n; i++)
		answer->distance = fmax(answer->distance, limit[i].at.distance);
}

static void copy_limits(const struct ft_largest_answers *a, struct ft_limit limit[FT_LIMITS_MOST])
{
	for (size_t i = 0; i < a->n; i++)
		limit[i] = a->limit[i].limit;
}

static enum ft_status ask_each(struct ft_largest_answers *a, struct ft_answerer *answerer, double confidence,
			       struct ft_err *err)
{
	size_t step[FT_PARAMS_MAX] = {0};
	struct ft_limit limit[FT_LIMITS_MOST];
	struct ft_largest found;
	struct ft_size size;

	do {
		FT_TRY(size_of(a, answerer, step, &size, err));
		struct ft_answer_largest *answer = add_answer(a);
		if (!answer)
			return ft_nomem(err);
		copy_limits(a, limit);
		FT_TRY(ft_ask_largest(answerer, limit, a->n, &size, a->open[0], confidence, &found, err));
		fill_answer(a, answer, &found, limit);
	} while (ft_values_next(&a->values, step));
	a->output.several = a->several.n > 1 ? &a->several : NULL;
	return FT_OK;
}

/* A parameter without limit goes last: the largest values of the rest are reported at its minimum. */
static void put_endless_last(struct ft_largest_answers *a, struct ft_answerer *answerer,
			     const struct ft_size *from, double confidence)
{
	const struct ft_program *program = ft_ask_program(answerer);
	struct ft_limit limit[FT_LIMITS_MOST];
	struct ft_size size = *from;
	struct ft_largest found;

	for (size_t i = 0; i < a->n_open; i++)
		size.value[a->open[i]] = program->param[a->open[i]].least;
	for (size_t i = a->n_open; i-- > 0;) {
		size_t param = a->open[i];

		copy_limits(a, limit);
		if (ft_ask_largest(answerer, limit, a->n, &size, param, confidence, &found, NULL) ||
		    found.kind != FT_LARGEST_ANY)
			continue;
		for (size_t j = i; j + 1 < a->n_open; j++)
			a->open[j] = a->open[j + 1];
		a->open[a->n_open - 1] = param;
		return;
	}
}

static enum ft_status ask_frontier(struct ft_largest_answers *a, struct ft_answerer *answerer,
				   double confidence, struct ft_err *err)
{
	const struct ft_program *program = ft_ask_program(answerer);
	struct ft_frontier frontier = {0};
	size_t step[FT_PARAMS_MAX] = {0};
	struct ft_limit limit[FT_LIMITS_MOST];
	struct ft_size size;

	FT_TRY(size_of(a, answerer, step, &size, err));
	if (ft_values_next(&a->values, step)) {
		(void)ft_fail(
			err, FT_EINVAL,
			"%s and %s have no value: each other parameter takes one value then, not several",
			ft_largest_name(a, program, 0), ft_largest_name(a, program, 1));
		return ft_remedy(err, "give %s a value, or one value to each of the others",
				 ft_largest_name(a, program, 0));
	}
	put_endless_last(a, answerer, &size, confidence);
	copy_limits(a, limit);
	FT_TRY(ft_ask_frontier(answerer, limit, a->n, &size, a->open, a->n_open, confidence, &frontier, err));
	enum ft_status status = FT_OK;
	for (size_t i = 0; (i < frontier.n || !i) && !status; i++) {
		struct ft_answer_largest *answer = add_answer(a);

		if (answer)
			fill_answer(a, answer, frontier.n ? &frontier.point[i].largest : &frontier.at_least,
				    frontier.n ? frontier.point[i].limit
					       : frontier.limit + frontier.n * a->n);
		else
			status = ft_nomem(err);
	}
	a->several.frontier = true;
	a->output.several = frontier.n ? &a->several : NULL;
	ft_frontier_clear(&frontier);
	return status;
}

enum ft_status ft_largest_find(struct ft_largest_answers *out, struct ft_answerer *answerer,
			       const struct ft_query *query, struct ft_err *err)
{
	const struct ft_program *program = ft_ask_program(answerer);
	const struct ft_resource *resource[FT_LIMITS_MOST];

	*out = (struct ft_largest_answers){.output = {.name = program->name,
						      .machine = ft_ask_machine(answerer),
						      .confidence = query->confidence,
						      .load = query->load.view,
						      .failing = ft_ask_failing(answerer)}};
	enum ft_status status = read_words(out, answerer, query, err);
	if (!status)
		status = out->n_open > 1 ? ask_frontier(out, answerer, query->confidence, err)
					 : ask_each(out, answerer, query->confidence, err);
	if (status) {
		ft_largest_clear(out);
		return status;
	}
	out->output.parameter = ft_largest_name(out, program, out->n_open - 1);
	out->output.only = out->output.several ? NULL : out->several.answer;
	ft_tell_axes_find(answerer, resource, resources_of(out, resource), &out->output.axes);
	return FT_OK;
}

void ft_largest_clear(struct ft_largest_answers *a)
{
	for (size_t i = 0; i < a->several.n; i++)
		ft_free(a->several.answer[i].limit);
	ft_free(a->several.answer);
	ft_values_clear(&a->values);
	*a = (struct ft_largest_answers){0};
}

static enum ft_status answer_largest(struct ft_answerer *answerer, const struct ft_query *query, json_t **out,
				     struct ft_err *err)
{
	const struct ft_tell_with with = {.program = ft_ask_program(answerer)};
	const struct ft_ask_load load = ft_query_load(query);
	struct ft_largest_answers answers;

	ft_ask_under(answerer, &load);
	FT_TRY(ft_largest_find(&answers, answerer, query, err));
	*out = ft_tell_json(&ft_tell_largest, &answers.output, &with);
	ft_largest_clear(&answers);
	return *out ? FT_OK : ft_nomem(err);
}

/* A limit is one-sided. */
static const struct ft_field fields[] = {
	{FT_QUERY("confidence", confidence), .letter = 'c', .kind = FT_FIELD_SHARE, .argument = "C",
	 .least = 0.75, .most = FT_CONFIDENCE_MOST,
	 .help = "share of future runs that stay within each limit, 75% to 99.95%; default 90%"},
	FT_QUERY_MODELS,
	FT_QUERY_LOAD,
	{0},
};

const struct ft_question ft_question_largest = {"largest",
						"the largest size that fits",
						fields,
						"RESOURCE: its limit, as time=60s, memory=8GiB or "
						"cpu_s=1h; PARAM: values of another parameter",
						.answer = answer_largest,
						.slow = true,
						.most = 32};
