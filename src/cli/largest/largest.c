/* SPDX-License-Identifier: GPL-3.0-or-later */
/* largest.c - the largest size that fits a time, a memory, or any other limit. */
#include "cli/common.h"
#include "cli/facts.h"
#include "cli/largest/largest.h"
#include "cli/options.h"
#include "foretime/expr.h"

#include <stdlib.h>
#include <string.h>

/* More combinations than this are no question of a person. */
enum { ANSWERS_MOST = 10000 };

/* ---- the question -------------------------------------------------------------------------------------- */

static int add_limit(struct cli_largest *q, const char *word, const char *name, const char *value)
{
	struct ft_limit *limit = &q->limit[q->n];
	struct ft_err err = {0};

	if (q->n == CLI_LIMITS_MOST)
		return cli_fail("more than %d limits", CLI_LIMITS_MOST);
	const struct ft_resource *resource = cli_models_resource(&q->models, name);
	if (!resource)
		return CLI_WRONG;
	for (size_t i = 0; i < q->n; i++)
		if (q->limit[i].resource == resource)
			return cli_fail("there are two limits on %s", resource->name);
	*limit = (struct ft_limit){0};
	limit->resource = resource;
	if (ft_value_parse(value, resource->unit, &limit->most, &err))
		return cli_error_at(&err, "limit '%s'", word);
	if (!(limit->most > 0))
		return cli_fail("limit '%s' is not positive", word);
	q->typed[q->n++] = value;
	return CLI_DONE;
}

/* NAME=VALUE: a limit, or values of a parameter. */
static int read_word(struct cli_largest *q, const char *word)
{
	const char *equals = strchr(word, '=');
	char name[FT_RESOURCE_LENGTH + FT_PARAM_LENGTH];

	if (!equals || equals == word || (size_t)(equals - word) >= sizeof name)
		return cli_fail("'%s' is no limit\n"
				"hint: write time=60s, memory=8GiB, or a resource as in cpu_s=1h; m=100 for "
				"another parameter",
				word);
	(void)snprintf(name, sizeof name, "%.*s", (int)(equals - word), word);
	if (ft_program_find_param(ft_ask_program(q->models.answerer), name) < 0)
		return add_limit(q, word, name, equals + 1);
	return cli_values_add(&q->values, word);
}

static bool has_value(const struct cli_largest *q, const char *name)
{
	for (size_t i = 0; i < q->values.n; i++)
		if (!strcmp(q->values.axis[i].name, name))
			return true;
	return false;
}

/* Whether the constraint is about a parameter. */
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

/* What changes nothing has no largest value, but what the constraint gives it: beside others it stands where
 * it was measured. */
static void leave_out_flat(struct cli_largest *q)
{
	const struct ft_resource *resource[CLI_LIMITS_MOST];
	bool flat[FT_PARAMS_MAX];
	size_t n = cli_largest_resources(q, resource), i, kept = 0;

	if (q->n_open < 2)
		return;
	ft_tell_axes_flat(q->models.answerer, resource, n, flat);
	for (i = 0; i < q->n_open; i++) {
		size_t param = q->open[i];

		flat[param] = flat[param] && !is_constrained(ft_ask_program(q->models.answerer), param);
		kept += !flat[param];
	}
	if (!kept)
		return;
	n = q->n_open;
	for (i = q->n_open = 0; i < n; i++)
		if (flat[q->open[i]])
			q->left[q->n_left++] = q->open[i];
		else
			q->open[q->n_open++] = q->open[i];
}

/* Of the parameters in which the runs differ, those without a value are asked for. */
static int find_open(struct cli_largest *q)
{
	const struct ft_program *program = ft_ask_program(q->models.answerer);
	size_t axis[FT_PARAMS_MAX], n = ft_ask_axes(q->models.answerer, axis), i;

	for (i = 0; i < n; i++)
		if (!program->n_params || !has_value(q, program->param[axis[i]].name))
			q->open[q->n_open++] = axis[i];
	leave_out_flat(q);
	if (q->n_open)
		return CLI_DONE;
	q->open[q->n_open++] = axis[0];
	if (n == 1)
		return cli_fail("'%s' is what is asked for: it takes no value", cli_largest_name(q, 0));
	return cli_fail("every parameter has a value: none is left to ask for\n"
			"hint: leave out the one that is asked for, or ask foretime predict");
}

static int read_words(struct cli_largest *q, const struct cli_words *words)
{
	int status = CLI_DONE;

	for (size_t i = 1; i < words->n && status == CLI_DONE; i++)
		status = read_word(q, words->word[i]);
	if (status == CLI_DONE && q->values.n)
		status = cli_values_count(&q->values, words->word[words->n - 1]);
	if (status == CLI_DONE)
		status = find_open(q);
	if (status != CLI_DONE || q->n)
		return status;
	return cli_fail("the largest %s that fits what?\n"
			"hint: write foretime largest %s time=60s, memory=8GiB, or both",
			cli_largest_name(q, 0), ft_ask_program(q->models.answerer)->name);
}

/* ---- the answers --------------------------------------------------------------------------------------- */

/* The size of a combination; what is asked for may be anything. */
static int size_of(const struct cli_largest *q, const size_t *step, struct ft_size *size)
{
	const struct ft_program *program = ft_ask_program(q->models.answerer);
	const char *name[2 * FT_PARAMS_MAX];
	double value[2 * FT_PARAMS_MAX];
	size_t n = q->values.n;
	struct ft_err err = {0};

	cli_values_get(&q->values, step, name, value);
	for (size_t i = 0; i < q->n_open; i++) {
		name[n] = cli_largest_name(q, i);
		value[n++] = program->param[q->open[i]].most;
	}
	for (size_t i = 0; i < q->n_left; i++) {
		name[n] = program->param[q->left[i]].name;
		value[n++] = ft_ask_any_size(q->models.answerer).value[q->left[i]];
	}
	return ft_ask_size(q->models.answerer, name, value, n, size, &err) ? cli_error(&err) : CLI_DONE;
}

static struct cli_largest_answer *add_answer(struct cli_largest *q)
{
	q->answer = cli_grow(q->answer, q->n_answers, sizeof *q->answer);
	q->answer[q->n_answers] = (struct cli_largest_answer){.found = {.kind = FT_LARGEST_NONE}};
	memcpy(q->answer[q->n_answers].limit, q->limit, sizeof q->limit);
	return &q->answer[q->n_answers++];
}

static int ask_each(struct cli_largest *q)
{
	size_t step[FT_PARAMS_MAX] = {0};
	struct ft_err err = {0};

	do {
		struct ft_size size;

		CLI_TRY(size_of(q, step, &size));
		if (q->n_answers == ANSWERS_MOST)
			return cli_fail("more than %d combinations", ANSWERS_MOST);
		struct cli_largest_answer *answer = add_answer(q);
		if (ft_ask_largest(q->models.answerer, answer->limit, q->n, &size, q->open[0], q->confidence,
				   &answer->found, &err))
			return cli_error(&err);
	} while (cli_values_next(&q->values, step));
	q->several = q->n_answers > 1;
	return CLI_DONE;
}

/* A parameter that nothing limits stands last: of the others the largest values are told at its least. */
static void put_endless_last(struct cli_largest *q, const struct ft_size *from)
{
	const struct ft_program *program = ft_ask_program(q->models.answerer);
	struct ft_limit limit[CLI_LIMITS_MOST];
	struct ft_size size = *from;
	struct ft_largest found;

	for (size_t i = 0; i < q->n_open; i++)
		size.value[q->open[i]] = program->param[q->open[i]].least;
	for (size_t i = q->n_open; i-- > 0;) {
		size_t param = q->open[i];

		memcpy(limit, q->limit, sizeof limit);
		if (ft_ask_largest(q->models.answerer, limit, q->n, &size, param, q->confidence, &found,
				   NULL) ||
		    found.kind != FT_LARGEST_ANY)
			continue;
		for (size_t j = i; j + 1 < q->n_open; j++)
			q->open[j] = q->open[j + 1];
		q->open[q->n_open - 1] = param;
		return;
	}
}

static int ask_frontier(struct cli_largest *q)
{
	struct ft_frontier frontier = {0};
	size_t step[FT_PARAMS_MAX] = {0}, i;
	struct ft_err err = {0};
	struct ft_size size;

	CLI_TRY(size_of(q, step, &size));
	if (cli_values_next(&q->values, step)) {
		char *names = cli_largest_names(q);

		(void)cli_fail("%s have no value: each other takes one value then, not several", names);
		free(names);
		return CLI_WRONG;
	}
	put_endless_last(q, &size);
	if (ft_ask_frontier(q->models.answerer, q->limit, q->n, &size, q->open, q->n_open, q->confidence,
			    &frontier, &err))
		return cli_error(&err);
	for (i = 0; i < frontier.n || !i; i++) {
		struct cli_largest_answer *answer = add_answer(q);
		const struct ft_limit *limit =
			frontier.n ? frontier.point[i].limit : frontier.limit + frontier.n * q->n;

		answer->found = frontier.n ? frontier.point[i].largest : frontier.at_least;
		memcpy(answer->limit, limit, q->n * sizeof *limit);
	}
	q->several = frontier.n > 0;
	ft_frontier_clear(&frontier);
	return CLI_DONE;
}

static int answer_largest(struct cli_largest *q, const struct cli_words *words)
{
	if (!cli_names_program(words))
		return cli_name_missing("of which program? its NAME stands before the limits");
	if (cli_beside_read(&q->beside, &q->load) != CLI_DONE)
		return CLI_WRONG;
	CLI_TRY(cli_models_open(&q->models, q->store_path, words->word[0], q->device, q->machine));
	ft_ask_under(q->models.answerer, &q->load);
	int status = read_words(q, words);
	if (status == CLI_DONE)
		status = q->n_open > 1 ? ask_frontier(q) : ask_each(q);
	if (status == CLI_DONE && q->json)
		cli_largest_json(q);
	if (status == CLI_DONE)
		status = cli_largest_say(q);
	free(q->answer);
	cli_values_clear(&q->values);
	cli_models_close(&q->models);
	return status;
}

static int run_largest(const struct cli_command *command, int argc, char **argv)
{
	struct cli_largest q = {.confidence = 0.9};
	const struct cli_option options[] = {
		{0, "confidence", CLI_SHARE, &q.confidence, "C",
		 "share of future runs that stay within each limit, 75% to 99.95%; default 90%"},
		CLI_LOAD_OPTIONS(q.beside),
		CLI_DEVICE_OPTION(q.device),
		CLI_MACHINE_OPTION(q.machine),
		CLI_ANSWER_OPTIONS(q.json, q.store_path),
		{0},
	};
	struct cli_words words;
	int status = cli_options_parse(command, options, argc, argv, &words);

	if (status != CLI_GO)
		return status;
	return answer_largest(&q, &words);
}

const struct cli_command cli_largest = {
	"largest",
	"say up to which size a run fits a time or a memory",
	"NAME time=60s [memory=8GiB] [RESOURCE=VALUE...] [m=100|m=100,200|m=100:500:100] [OPTION...]",
	"A size fits when the predicted upper end is within each limit. time is wall_s; memory is "
	"peak_tree_bytes,\n"
	"else peak_rss_bytes. Of several parameters the one without a value is asked for, for each value of "
	"the others;\n"
	"several without a value: their largest combinations. Exit status: 0 done, 1 no size fits or nothing "
	"limits, 2 wrong\n"
	"use or failure.\n",
	NULL,
	run_largest,
};
