/* SPDX-License-Identifier: GPL-3.0-or-later */
/* largest.c - finds the largest size within a time, a memory, or any other limit. */
#include "cli/cli.h"
#include "cli/options.h"
#include "tell/answers.h"

#include <math.h>
#include <stdlib.h>

struct largest {
	const char *store_path;
	struct ft_query query;
	bool json, verbose;
	struct cli_models models;
	struct ft_largest_answers found;
};

static const struct ft_program *program_of(const struct largest *q)
{
	return ft_ask_program(q->models.answerer);
}

static const char *name_of(const struct largest *q, size_t i)
{
	return ft_largest_name(&q->found, program_of(q), i);
}

/* The parameters to find: "n, m and p"; the caller frees it. */
static char *names_of(const struct largest *q)
{
	char *text = cli_strdup(name_of(q, 0));

	for (size_t i = 1; i < q->found.n_open; i++)
		cli_reprint(&text, i + 1 < q->found.n_open ? "%s, %s" : "%s and %s", text, name_of(q, i));
	return text;
}

static double size_query(const struct largest *q, const struct ft_answer_largest *a)
{
	return a->found.size.value[q->found.open[q->found.n_open - 1]];
}

/* The conditions of the answer: warnings, and everything with -v. */
static void print_about(const struct largest *q)
{
	const struct ft_resource *resource[FT_LIMITS_MOST];

	for (size_t i = 0; i < q->found.n; i++)
		resource[i] = q->found.limit[i].limit.resource;
	if (!q->verbose) {
		(void)cli_models_warnings(&q->models, stdout);
		return;
	}
	cli_models_headline(&q->models, stdout);
	cli_axes_print(&q->models, resource, q->found.n, stdout);
}

/* The head of the column of bounds: "90 % of runs below". */
static char *below_of(const struct largest *q)
{
	CLI_OWN char *runs = cli_runs_within(q->query.confidence);

	return cli_printed("%s below", runs);
}

/* ---- one answer --------------------------------------------------------------------------------------- */

/* The range of the parameter to find. */
static const char *listed(const struct largest *q, char range[FT_RANGE_LENGTH])
{
	(void)ft_param_format(&program_of(q)->param[q->found.open[0]], range, FT_RANGE_LENGTH);
	return range;
}

/* Notes on sizes above the answer, and on uncertain ones below it. */
static void print_notes(const struct largest *q, const struct ft_largest *found)
{
	char from[FT_NUMBER_LENGTH], to[FT_NUMBER_LENGTH], range[FT_RANGE_LENGTH];
	const char *name = name_of(q, 0);

	if (found->by_where)
		printf("no larger %s meets %s\n", name, program_of(q)->where);
	if (found->by_list)
		printf("no larger %s is in its range, %s\n", name, listed(q, range));
	if (found->by_kill)
		printf("a run at %s=%s was killed for memory: no size from there on fits, and below it no "
		       "size "
		       "beyond the largest measured is known to\n",
		       name, ft_number_format(found->killed, from));
	else if (!isnan(found->killed))
		printf("a run at %s=%s was killed for memory\n", name, ft_number_format(found->killed, from));
	if (!isnan(found->uncertain)) {
		printf("between measured sizes, from %s=%s ", name, ft_number_format(found->uncertain, from));
		printf("to %s, a run may not fit\n", ft_number_format(found->uncertain_to, to));
	}
	if (isnan(found->again))
		return;
	printf("%s=%s does not fit; larger sizes fit again, ", name, ft_number_format(found->next, from));
	printf("from %s=%s ", name, ft_number_format(found->again, from));
	if (isinf(found->last))
		puts("on");
	else
		printf("to %s\n", ft_number_format(found->last, to));
}

static int print_answer(const struct largest *q, const struct ft_answer_largest *a)
{
	CLI_OWN char *below = below_of(q);
	const struct ft_tell_with with = {.program = program_of(q), .runs = below, .verbose = q->verbose};
	char digits[FT_NUMBER_LENGTH], far[FT_TELL_FAR];

	printf("largest %s: ", name_of(q, 0));
	cli_terminal_paint(CLI_BOLD);
	fputs(ft_number_format(size_query(q, a), digits), stdout);
	cli_terminal_paint(CLI_PLAIN);
	if (a->distance > 1)
		printf(", extrapolated %s", ft_tell_far(a->distance, far));
	puts(cli_load_text(q->query.load.view));
	cli_tell_table(&ft_tell_limit, a->limit, a->n, &with);
	print_notes(q, &a->found);
	print_about(q);
	return CLI_DONE;
}

/* Why not even the smallest size fits. */
static int complain_none(const struct largest *q, const struct ft_answer_largest *a)
{
	char at[FT_NUMBER_LENGTH], upper[FT_UNIT_LENGTH], most[FT_UNIT_LENGTH];
	const char *name = name_of(q, q->found.n_open - 1);
	size_t i;

	(void)ft_number_format(size_query(q, a), at);
	for (i = 0; i < q->found.n && !a->limit[i].limit.binds; i++)
		;
	if (a->found.by_where) {
		char *names = names_of(q);

		(void)cli_fail("no %s meet%s %s%s", names, q->found.n_open > 1 ? "" : "s",
			       program_of(q)->where, q->found.values.n ? " there" : "");
		cli_hint(q->found.values.n ? "give the other parameters values that allow one"
					   : "state another constraint with foretime build --where");
		free(names);
		return CLI_NO;
	}
	if (i == q->found.n) {
		(void)cli_fail("not even %s=%s fits: it was killed for memory", name, at);
	} else {
		const struct ft_limit *limit = &a->limit[i].limit;
		const char *unit = limit->resource->unit;

		(void)cli_fail("not even %s=%s fits: there %s is up to %s, and the limit %s", name, at,
			       limit->resource->name, ft_value_format(limit->at.upper, unit, upper),
			       ft_value_format(limit->most, unit, most));
	}
	if (!isnan(a->found.again))
		cli_hint("larger sizes do, from %s=%s on", name, ft_number_format(a->found.again, at));
	else
		cli_hint("measure smaller sizes with foretime build, or allow more");
	return CLI_NO;
}

/* Whether the growth of a resource is unknown: one measured size gives no shape. */
static bool of_one_size(const struct largest *q, const struct ft_resource *resource)
{
	struct ft_size size = ft_ask_any_size(q->models.answerer);
	const struct ft_model_record *record;

	return !ft_ask_model(q->models.answerer, resource, &size, &record, NULL) &&
	       ft_model_facts(record->model)->sizes == 1;
}

/* Why every size fits. */
static int complain_any(const struct largest *q, const struct ft_answer_largest *a)
{
	char at[FT_NUMBER_LENGTH], reach[FT_NUMBER_LENGTH], value[FT_UNIT_LENGTH], most[FT_UNIT_LENGTH];
	const char *name = name_of(q, q->found.n_open - 1);

	(void)ft_number_format(size_query(q, a), at);
	for (size_t i = 0; i < q->found.n; i++) {
		const struct ft_limit *limit = &a->limit[i].limit;
		const char *unit = limit->resource->unit;

		(void)ft_value_format(limit->at.value, unit, value);
		(void)ft_value_format(limit->most, unit, most);
		if (limit->grows)
			(void)cli_fail("%s does not limit %s: up to %s=%s it stays below %s",
				       limit->resource->name, name, name,
				       ft_number_format(a->found.reach, reach), most);
		else if (of_one_size(q, limit->resource))
			(void)cli_fail("how %s grows with %s is unknown: it was measured at %s=%s only (%s; "
				       "the limit is %s)",
				       limit->resource->name, name, name, at, value, most);
		else
			(void)cli_fail("%s does not limit %s: it does not grow with it (%s at %s=%s, the "
				       "largest measured; the limit is %s)",
				       limit->resource->name, name, value, name, at, most);
	}
	cli_hint("measure larger sizes with foretime build, or set a lower limit");
	return CLI_NO;
}

/* ---- several answers ---------------------------------------------------------------------------------- */

static void add_row(struct cli_table *table, const struct largest *q, const struct ft_answer_largest *a)
{
	static const char *const words[] = {[FT_LARGEST_NONE] = "none", [FT_LARGEST_ANY] = "no limit"};
	const struct ft_program *program = program_of(q);
	size_t last = q->found.open[q->found.n_open - 1], i;
	bool found = a->found.kind == FT_LARGEST_FOUND;
	char text[FT_UNIT_LENGTH], digits[FT_NUMBER_LENGTH], far[FT_TELL_FAR];

	for (i = 0; i < program->n_params; i++)
		if (i != last)
			cli_table_add(table, "%s", ft_number_format(a->found.size.value[i], digits));
	cli_table_add(table, "%s",
		      found ? ft_number_format(a->found.size.value[last], digits) : words[a->found.kind]);
	for (i = 0; i < q->found.n; i++)
		cli_table_add(table, "%s",
			      found ? ft_value_format(a->limit[i].limit.at.upper,
						      a->limit[i].limit.resource->unit, text)
				    : "");
	if (found && a->distance > 1)
		cli_table_add(table, "extrapolated %s", ft_tell_far(a->distance, far));
	else
		cli_table_add(table, "%s", "");
	/* The limits that exclude larger sizes. */
	char bounds[512] = "";
	size_t length = 0;

	for (size_t k = 0; k < q->found.n; k++)
		if (a->limit[k].limit.binds && length < sizeof bounds)
			length += (size_t)snprintf(bounds + length, sizeof bounds - length, "%s%s",
						   length ? ", " : "", a->limit[k].limit.resource->name);
	if (a->found.by_where && length < sizeof bounds)
		length += (size_t)snprintf(bounds + length, sizeof bounds - length, "%s%s",
					   length ? ", " : "", program_of(q)->where);
	if (a->found.by_list && length < sizeof bounds)
		length += (size_t)snprintf(bounds + length, sizeof bounds - length, "%sthe list",
					   length ? ", " : "");
	if (a->found.by_kill && length < sizeof bounds)
		(void)snprintf(bounds + length, sizeof bounds - length, "%sa run killed for memory",
			       length ? ", " : "");
	cli_table_add(table, "%s", bounds);
}

static int print_several(const struct largest *q)
{
	const struct ft_program *program = program_of(q);
	size_t last = q->found.open[q->found.n_open - 1], i, found = 0, any = 0;
	struct cli_table table = {0};
	char head[FT_RESOURCE_LENGTH + 8], digits[FT_NUMBER_LENGTH], *names;

	names = names_of(q);
	printf("largest %s%s; ", names, q->found.n_open > 1 ? " together" : "");
	free(names);
	names = below_of(q);
	printf("%s the values%s\n", names, cli_load_text(q->query.load.view));
	free(names);
	for (i = 0; i < program->n_params; i++)
		if (i != last) {
			(void)snprintf(head, sizeof head, ">%s", program->param[i].name);
			cli_table_head(&table, head);
		}
	(void)snprintf(head, sizeof head, ">%s", name_of(q, q->found.n_open - 1));
	cli_table_head(&table, head);
	for (i = 0; i < q->found.n; i++) {
		(void)snprintf(head, sizeof head, ">%s", q->found.limit[i].limit.resource->name);
		cli_table_head(&table, head);
	}
	cli_table_heads(&table, "", "bound by", NULL);
	for (i = 0; i < q->found.several.n; i++) {
		add_row(&table, q, &q->found.several.answer[i]);
		found += q->found.several.answer[i].found.kind == FT_LARGEST_FOUND;
		any += q->found.several.answer[i].found.kind == FT_LARGEST_ANY;
	}
	cli_table_print(&table, stdout);
	if (any == q->found.several.n)
		printf("nothing limits %s: give it a value, as in %s=%s\n", name_of(q, q->found.n_open - 1),
		       name_of(q, q->found.n_open - 1), ft_number_format(program->param[last].most, digits));
	print_about(q);
	return found ? CLI_DONE : CLI_NO;
}

static int say(const struct largest *q)
{
	size_t found = 0;

	for (size_t i = 0; i < q->found.several.n; i++)
		found += q->found.several.answer[i].found.kind == FT_LARGEST_FOUND;
	if (q->found.output.several && !q->json)
		return print_several(q);
	if (found)
		return q->json ? CLI_DONE : print_answer(q, &q->found.several.answer[0]);
	if (q->found.output.several)
		return CLI_NO;
	return q->found.several.answer[0].found.kind == FT_LARGEST_NONE
		       ? complain_none(q, &q->found.several.answer[0])
		       : complain_any(q, &q->found.several.answer[0]);
}

static int answer_largest(struct largest *q, const struct cli_words *words)
{
	struct ft_err err = {0};

	if (!cli_names_program(words))
		return cli_word_missing(words, 0);
	CLI_TRY(cli_query_words(
		&q->query, words, "limit",
		"write time=60s, memory=8GiB, or a resource as in cpu_s=1h; m=100 for another parameter"));
	const struct ft_ask_load load = ft_query_load(&q->query);
	CLI_TRY(cli_models_open(&q->models, q->store_path, q->query.name, q->query.device, q->query.machine));
	ft_ask_under(q->models.answerer, &load);
	int status =
		ft_largest_find(&q->found, q->models.answerer, &q->query, &err) ? cli_error(&err) : CLI_DONE;
	if (status == CLI_DONE && q->json) {
		const struct ft_tell_with with = {.program = program_of(q)};

		cli_tell(&ft_tell_largest, &q->found.output, &with);
	}
	if (status == CLI_DONE)
		status = say(q);
	ft_largest_clear(&q->found);
	cli_models_close(&q->models);
	return status;
}

static int run_largest(const struct cli_command *command, int argc, char **argv)
{
	struct largest q = {.query = ft_query_usual};
	const struct ft_field options[] = {
		CLI_QUESTION(ft_question_largest, q.query),
		CLI_VERBOSE(q.verbose),
		CLI_ANSWER_OPTIONS(q.json, q.store_path),
		CLI_QUESTION_REST(ft_question_largest, q.query),
		{0},
	};
	struct cli_words words;
	int status = cli_options_parse(command, options, argc, argv, &words);

	return status != CLI_GO ? status : answer_largest(&q, &words);
}

const struct cli_command cli_largest = {
	"largest",
	"find the largest size that fits a time or a memory",
	"NAME time=60s [memory=8GiB] [RESOURCE=VALUE...] [m=100|m=100,200|m=100:500:100] [OPTION...]",
	"A size fits when the predicted upper end is within each limit. time is wall_s; memory is "
	"peak_tree_bytes,\n"
	"else peak_rss_bytes. Of several parameters the one without a value is varied, for each value of "
	"the others;\n"
	"several without a value: their largest combinations. Exit status: 0 done, 1 no size fits or nothing "
	"limits, 2 wrong\n"
	"use or failure.\n",
	NULL,
	run_largest,
};
