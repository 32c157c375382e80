/* SPDX-License-Identifier: GPL-3.0-or-later */
/* say.c - what `foretime largest` prints: the answer, or a row for each of several; text and JSON. */
#include "cli/common.h"
#include "cli/facts.h"
#include "cli/largest/largest.h"
#include "tell/largest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct ft_program *program_of(const struct cli_largest *q)
{
	return ft_ask_program(q->models.answerer);
}

const char *cli_largest_name(const struct cli_largest *q, size_t i)
{
	const struct ft_program *program = program_of(q);

	return program->n_params ? program->param[q->open[i]].name : "n";
}

char *cli_largest_names(const struct cli_largest *q)
{
	char *text = cli_strdup(cli_largest_name(q, 0));

	for (size_t i = 1; i < q->n_open; i++) {
		cli_reprint(&text, i + 1 < q->n_open ? "%s, %s" : "%s and %s", text, cli_largest_name(q, i));
	}
	return text;
}

static double size_asked(const struct cli_largest *q, const struct cli_largest_answer *a)
{
	return a->found.size.value[q->open[q->n_open - 1]];
}

/* How far beyond the data the answer lies; 1: inside. */
static double distance(const struct cli_largest *q, const struct cli_largest_answer *a)
{
	double far = 1;

	for (size_t i = 0; i < q->n; i++)
		far = fmax(far, a->limit[i].at.distance);
	return far;
}

size_t cli_largest_resources(const struct cli_largest *q, const struct ft_resource *resource[CLI_LIMITS_MOST])
{
	for (size_t i = 0; i < q->n; i++)
		resource[i] = q->limit[i].resource;
	return q->n;
}

static void print_headline(const struct cli_largest *q)
{
	const struct ft_resource *resource[CLI_LIMITS_MOST];
	size_t n = cli_largest_resources(q, resource);

	cli_models_headline(&q->models, stdout);
	cli_axes_print(&q->models, resource, n, stdout);
}

/* ---- JSON --------------------------------------------------------------------------------------------- */

/* The limits of an answer; ends with free. */
static struct ft_told_limit *limits_of(const struct cli_largest *q, const struct cli_largest_answer *a)
{
	struct ft_told_limit *told = cli_alloc(q->n * sizeof *told);

	for (size_t i = 0; i < q->n; i++)
		told[i] = (struct ft_told_limit){a->limit[i], q->typed[i]};
	return told;
}

static struct ft_told_largest tell_answer(const struct cli_largest *q, const struct cli_largest_answer *a)
{
	bool found = a->found.kind == FT_LARGEST_FOUND;

	return (struct ft_told_largest){a->found, found ? size_asked(q, a) : (double)NAN,
					found ? distance(q, a) : (double)NAN, limits_of(q, a), q->n};
}

void cli_largest_json(const struct cli_largest *q)
{
	const struct ft_tell_with with = {.program = program_of(q)};
	struct ft_told_several several = {.frontier = q->n_open > 1, .n = q->several ? q->n_answers : 1};
	struct ft_told_limits told = {
		.name = program_of(q)->name,
		.machine = ft_ask_machine(q->models.answerer),
		.confidence = q->confidence,
		.load = q->load.view,
		.parameter = cli_largest_name(q, q->n_open - 1),
		.failing = ft_ask_failing(q->models.answerer),
		.several = q->several ? &several : NULL,
	};
	const struct ft_resource *resource[CLI_LIMITS_MOST];

	ft_tell_axes_find(q->models.answerer, resource, cli_largest_resources(q, resource), &told.axes);
	several.answer = cli_alloc(several.n * sizeof *several.answer);
	for (size_t i = 0; i < several.n; i++)
		several.answer[i] = tell_answer(q, &q->answer[i]);
	told.only = q->several ? NULL : several.answer;
	cli_tell(&ft_tell_largest, &told, &with);
	for (size_t i = 0; i < several.n; i++)
		free(several.answer[i].limit);
	free(several.answer);
}

/* ---- one answer --------------------------------------------------------------------------------------- */

static void print_table(const struct cli_largest *q, const struct cli_largest_answer *a)
{
	struct ft_told_limit *told = limits_of(q, a);

	cli_tell_table(&ft_tell_limit, told, q->n, NULL);
	free(told);
}

/* The range of the parameter that is asked for. */
static const char *listed(const struct cli_largest *q, char range[FT_RANGE_LENGTH])
{
	(void)ft_param_format(&program_of(q)->param[q->open[0]], range, FT_RANGE_LENGTH);
	return range;
}

/* What else is to be known of sizes beyond the answer. */
static void print_notes(const struct cli_largest *q, const struct ft_largest *found)
{
	char from[FT_NUMBER_LENGTH], to[FT_NUMBER_LENGTH], range[FT_RANGE_LENGTH];
	const char *name = cli_largest_name(q, 0);

	if (found->by_where)
		printf("\nno larger %s meets %s\n", name, program_of(q)->where);
	if (found->by_list)
		printf("\nno larger %s is listed: its range is %s\n", name, listed(q, range));
	if (found->by_kill)
		printf("\na run at %s=%s was killed for memory: nothing from there on fits, and what lies "
		       "between that and\nthe largest size measured is not known to\n",
		       name, ft_number_format(found->killed, from));
	else if (!isnan(found->killed))
		printf("\na run at %s=%s was killed for memory\n", name,
		       ft_number_format(found->killed, from));
	if (isnan(found->again))
		return;
	printf("\n%s=%s does not fit; larger sizes fit again, ", name, ft_number_format(found->next, from));
	printf("from %s=%s ", name, ft_number_format(found->again, from));
	if (isinf(found->last))
		puts("on");
	else
		printf("to %s\n", ft_number_format(found->last, to));
}

static void print_promise(const struct cli_largest *q, const char *where, const char *what)
{
	char share[FT_UNIT_LENGTH];

	cli_beside_print(q->load.view);
	printf("%s of runs at %s are expected to stay below %s", ft_share_format(q->confidence, share), where,
	       what);
	puts(q->n > 1 ? ", for each limit by itself\n" : "\n");
}

static int print_answer(const struct cli_largest *q, const struct cli_largest_answer *a)
{
	char digits[FT_NUMBER_LENGTH], beyond[FT_TELL_FAR];
	double far = distance(q, a);

	print_headline(q);
	printf("the largest %s that fits: %s", cli_largest_name(q, 0),
	       ft_number_format(size_asked(q, a), digits));
	if (far > 1)
		printf(", %s the data", ft_tell_far(far, beyond));
	putchar('\n');
	print_promise(q, "that size", "what is told there");
	print_table(q, a);
	print_notes(q, &a->found);
	return CLI_DONE;
}

/* Why not even the smallest size fits. */
static int complain_none(const struct cli_largest *q, const struct cli_largest_answer *a)
{
	char at[FT_NUMBER_LENGTH], upper[FT_UNIT_LENGTH], most[FT_UNIT_LENGTH];
	const char *name = cli_largest_name(q, q->n_open - 1);
	size_t i;

	(void)ft_number_format(size_asked(q, a), at);
	for (i = 0; i < q->n && !a->limit[i].binds; i++)
		;
	if (a->found.by_where) {
		char *names = cli_largest_names(q);

		(void)cli_fail("no %s meet%s %s%s", names, q->n_open > 1 ? "" : "s", program_of(q)->where,
			       q->values.n ? " there" : "");
		cli_hint(q->values.n ? "give the other parameters values that allow one"
				     : "state another constraint with foretime build --where");
		free(names);
		return CLI_NO;
	}
	if (i == q->n) {
		(void)cli_fail("not even %s=%s fits: it was killed for memory", name, at);
	} else {
		const struct ft_limit *limit = &a->limit[i];
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

/* Whether nothing is known of how a resource grows: one size tells of no shape. */
static bool of_one_size(const struct cli_largest *q, const struct ft_resource *resource)
{
	struct ft_size size = ft_ask_any_size(q->models.answerer);
	const struct ft_model_record *record;

	return !ft_ask_model(q->models.answerer, resource, &size, &record, NULL) &&
	       ft_model_facts(record->model)->sizes == 1;
}

/* Why every size fits. */
static int complain_any(const struct cli_largest *q, const struct cli_largest_answer *a)
{
	char at[FT_NUMBER_LENGTH], reach[FT_NUMBER_LENGTH], value[FT_UNIT_LENGTH], most[FT_UNIT_LENGTH];
	const char *name = cli_largest_name(q, q->n_open - 1);

	(void)ft_number_format(size_asked(q, a), at);
	for (size_t i = 0; i < q->n; i++) {
		const struct ft_limit *limit = &a->limit[i];
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

/* What keeps larger sizes out. */
static void add_bounds(struct cli_table *table, const struct cli_largest *q,
		       const struct cli_largest_answer *a)
{
	char text[512] = "";
	size_t length = 0;

	for (size_t i = 0; i < q->n; i++)
		if (a->limit[i].binds && length < sizeof text)
			length += (size_t)snprintf(text + length, sizeof text - length, "%s%s",
						   length ? ", " : "", a->limit[i].resource->name);
	if (a->found.by_where && length < sizeof text)
		length += (size_t)snprintf(text + length, sizeof text - length, "%s%s", length ? ", " : "",
					   program_of(q)->where);
	if (a->found.by_list && length < sizeof text)
		length += (size_t)snprintf(text + length, sizeof text - length, "%sthe list",
					   length ? ", " : "");
	if (a->found.by_kill && length < sizeof text)
		(void)snprintf(text + length, sizeof text - length, "%sa run killed for memory",
			       length ? ", " : "");
	cli_table_add(table, "%s", text);
}

static void add_row(struct cli_table *table, const struct cli_largest *q, const struct cli_largest_answer *a)
{
	static const char *const words[] = {[FT_LARGEST_NONE] = "none", [FT_LARGEST_ANY] = "no limit"};
	const struct ft_program *program = program_of(q);
	size_t last = q->open[q->n_open - 1], i;
	bool found = a->found.kind == FT_LARGEST_FOUND;
	char text[FT_UNIT_LENGTH], digits[FT_NUMBER_LENGTH], beyond[FT_TELL_FAR];

	for (i = 0; i < program->n_params; i++)
		if (i != last)
			cli_table_add(table, "%s", ft_number_format(a->found.size.value[i], digits));
	cli_table_add(table, "%s",
		      found ? ft_number_format(a->found.size.value[last], digits) : words[a->found.kind]);
	for (i = 0; i < q->n; i++)
		cli_table_add(table, "%s",
			      found ? ft_value_format(a->limit[i].at.upper, a->limit[i].resource->unit, text)
				    : "");
	if (found && distance(q, a) > 1)
		cli_table_add(table, "%s", ft_tell_far(distance(q, a), beyond));
	else
		cli_table_add(table, "%s", "");
	add_bounds(table, q, a);
}

static int print_several(const struct cli_largest *q)
{
	const struct ft_program *program = program_of(q);
	size_t last = q->open[q->n_open - 1], i, found = 0, any = 0;
	struct cli_table table = {0};
	char head[FT_RESOURCE_LENGTH + 8], digits[FT_NUMBER_LENGTH], *names;

	print_headline(q);
	names = cli_largest_names(q);
	printf("the largest %s that %s\n", names, q->n_open > 1 ? "fit together" : "fits");
	free(names);
	print_promise(q, "these sizes", "what is told of them");
	for (i = 0; i < program->n_params; i++)
		if (i != last) {
			(void)snprintf(head, sizeof head, ">%s", program->param[i].name);
			cli_table_head(&table, head);
		}
	(void)snprintf(head, sizeof head, ">%s", cli_largest_name(q, q->n_open - 1));
	cli_table_head(&table, head);
	for (i = 0; i < q->n; i++) {
		(void)snprintf(head, sizeof head, ">%s", q->limit[i].resource->name);
		cli_table_head(&table, head);
	}
	cli_table_heads(&table, "", "bound by", NULL);
	for (i = 0; i < q->n_answers; i++) {
		add_row(&table, q, &q->answer[i]);
		found += q->answer[i].found.kind == FT_LARGEST_FOUND;
		any += q->answer[i].found.kind == FT_LARGEST_ANY;
	}
	cli_table_print(&table, stdout);
	if (any == q->n_answers)
		printf("\nnothing limits %s: give it a value, as in %s=%s\n",
		       cli_largest_name(q, q->n_open - 1), cli_largest_name(q, q->n_open - 1),
		       ft_number_format(program->param[last].most, digits));
	return found ? CLI_DONE : CLI_NO;
}

int cli_largest_say(const struct cli_largest *q)
{
	size_t found = 0;

	for (size_t i = 0; i < q->n_answers; i++)
		found += q->answer[i].found.kind == FT_LARGEST_FOUND;
	if (q->several && !q->json)
		return print_several(q);
	if (found)
		return q->json ? CLI_DONE : print_answer(q, &q->answer[0]);
	if (q->several)
		return CLI_NO;
	return q->answer[0].found.kind == FT_LARGEST_NONE ? complain_none(q, &q->answer[0])
							  : complain_any(q, &q->answer[0]);
}
