/* SPDX-License-Identifier: GPL-3.0-or-later */
/* largest.c - the largest size that fits a time, a memory, or any other limit. */
#include "cli/common.h"
#include "cli/facts.h"
#include "cli/models.h"
#include "cli/options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LIMITS_MOST = 16 };

/* What is asked, and the answer. */
struct question {
	const char *store_path, *machine;
	double confidence;
	bool json;
	struct cli_models models;
	const char *param; /* the one that is asked for */
	struct ft_limit limit[LIMITS_MOST];
	const char *typed[LIMITS_MOST]; /* each limit's value, as it was typed */
	size_t n;
	struct ft_size fixed;
	struct ft_largest answer;
};

/* ---- the question -------------------------------------------------------------------------------------- */

static bool is_measured(const struct question *q, const char *resource)
{
	const struct ft_resource *each;
	size_t i;

	for (i = 0; (each = ft_ask_resource(q->models.answerer, i)); i++)
		if (!strcmp(each->name, resource))
			return true;
	return false;
}

/* The resource that is meant by a word; NULL after a complaint. */
static const char *resource_of(const struct question *q, const char *word)
{
	if (!strcmp(word, "time"))
		word = "wall_s";
	else if (!strcmp(word, "memory"))
		word = is_measured(q, "peak_tree_bytes") ? "peak_tree_bytes" : "peak_rss_bytes";
	return cli_models_resource(&q->models, word);
}

static int add_limit(struct question *q, const char *word, const char *name, const char *value)
{
	struct ft_limit *limit = &q->limit[q->n];
	const char *resource;
	struct ft_err err = {0};
	size_t i;

	if (q->n == LIMITS_MOST)
		return cli_fail("more than %d limits", LIMITS_MOST);
	resource = resource_of(q, name);
	if (!resource)
		return CLI_WRONG;
	for (i = 0; i < q->n; i++)
		if (!strcmp(q->limit[i].resource, resource))
			return cli_fail("there are two limits on %s", resource);
	*limit = (struct ft_limit){0};
	(void)snprintf(limit->resource, sizeof limit->resource, "%s", resource);
	if (ft_value_parse(value, cli_unit(resource), &limit->most, &err))
		return cli_error_at(&err, "limit '%s'", word);
	if (!(limit->most > 0))
		return cli_fail("limit '%s' is not positive", word);
	q->typed[q->n++] = value;
	return CLI_DONE;
}

/* NAME=VALUE: a limit, or the value of another parameter. */
static int read_word(struct question *q, const char *word, const char *names[], double values[], size_t *n)
{
	const struct ft_program *program = ft_ask_program(q->models.answerer);
	const char *equals = strchr(word, '=');
	char name[FT_RESOURCE_LENGTH + FT_PARAM_LENGTH];
	struct ft_err err = {0};
	int param;

	if (!equals || equals == word || (size_t)(equals - word) >= sizeof name) {
		(void)cli_fail("'%s' is no limit", word);
		cli_hint("write time=60s, memory=8GiB, or a resource as in cpu_s=1h; m=100 for another "
			 "parameter");
		return CLI_WRONG;
	}
	(void)snprintf(name, sizeof name, "%.*s", (int)(equals - word), word);
	param = ft_program_find_param(program, name);
	if (param < 0)
		return add_limit(q, word, name, equals + 1);
	if (!strcmp(name, q->param))
		return cli_fail("'%s' is what is asked for: it takes no value", name);
	if (*n == FT_PARAMS_MAX)
		return cli_fail("more than %d parameters", FT_PARAMS_MAX);
	if (ft_number_parse(equals + 1, &values[*n], &err))
		return cli_error_at(&err, "parameter '%s'", name);
	names[(*n)++] = program->param[param].name;
	return CLI_DONE;
}

static int read_words(struct question *q, const struct cli_words *words)
{
	const struct ft_program *program = ft_ask_program(q->models.answerer);
	const char *names[FT_PARAMS_MAX + 1];
	double values[FT_PARAMS_MAX + 1];
	struct ft_err err = {0};
	size_t n = 0, i;
	int status = CLI_DONE;

	q->param = program->n_params ? program->param[ft_program_varying(program)].name : "n";
	for (i = 1; i < words->n && status == CLI_DONE; i++)
		status = read_word(q, words->word[i], names, values, &n);
	if (status != CLI_DONE)
		return status;
	if (!q->n) {
		(void)cli_fail("the largest %s that fits what?", q->param);
		cli_hint("write foretime largest %s time=60s, memory=8GiB, or both", program->name);
		return CLI_WRONG;
	}
	names[n] = q->param; /* any value */
	values[n++] = program->param[ft_program_varying(program)].most;
	return ft_ask_size(q->models.answerer, names, values, n, &q->fixed, &err) ? cli_error(&err)
										  : CLI_DONE;
}

/* ---- the answer -----------------------------------------------------------------------------------------
 */

static double size_asked(const struct question *q)
{
	const struct ft_program *program = ft_ask_program(q->models.answerer);

	return q->answer.size.value[ft_program_varying(program)];
}

/* How far beyond the data the answer lies; 1: inside. */
static double distance(const struct question *q)
{
	double far = 1;
	size_t i;

	for (i = 0; i < q->n; i++)
		far = fmax(far, q->limit[i].at.distance);
	return far;
}

static json_t *json_of_limits(const struct question *q)
{
	json_t *array = cli_json_array();
	size_t i;

	for (i = 0; i < q->n; i++) {
		const struct ft_limit *limit = &q->limit[i];
		json_t *object = cli_json_object();

		cli_json_set(object, "resource", cli_json_text(limit->resource));
		cli_json_set(object, "unit", cli_json_text(cli_unit(limit->resource)));
		cli_json_set(object, "limit", cli_json_number(limit->most));
		cli_json_set(object, "binds", cli_json_bool(limit->binds));
		cli_json_set(object, "grows", cli_json_bool(limit->grows));
		cli_json_set(object, "value", cli_json_number(limit->at.value));
		cli_json_set(object, "lower", cli_json_number(limit->at.lower));
		cli_json_set(object, "upper", cli_json_number(limit->at.upper));
		cli_json_set(object, "basis", cli_json_text(ft_basis_text(limit->at.basis)));
		cli_json_set(object, "distance", cli_json_number(limit->at.distance));
		cli_json_set(object, "runs", cli_json_number((double)limit->at.runs));
		cli_json_append(array, object);
	}
	return array;
}

static void print_json(const struct question *q)
{
	static const char *const words[] = {
		[FT_LARGEST_FOUND] = "found", [FT_LARGEST_NONE] = "none", [FT_LARGEST_ANY] = "any"};
	const struct ft_program *program = ft_ask_program(q->models.answerer);
	const struct ft_largest *answer = &q->answer;
	bool found = answer->kind == FT_LARGEST_FOUND;
	json_t *object = cli_json_new("largest"), *size = cli_json_object(), *again = json_null();

	cli_json_set_size(size, program, &answer->size);
	if (!isnan(answer->again)) {
		again = cli_json_object();
		cli_json_set(again, "from", cli_json_number(answer->again));
		cli_json_set(again, "to", cli_json_number(answer->last));
	}
	cli_json_set(object, "name", cli_json_text(program->name));
	cli_json_set(object, "machine", cli_json_machine(ft_ask_machine(q->models.answerer)));
	cli_json_set(object, "confidence", cli_json_number(q->confidence));
	cli_json_set(object, "parameter", cli_json_text(q->param));
	cli_json_set(object, "answer", cli_json_text(words[answer->kind]));
	cli_json_set(object, "largest", cli_json_number(found ? size_asked(q) : NAN));
	cli_json_set(object, "distance", cli_json_number(found ? distance(q) : NAN));
	cli_json_set(object, "next", cli_json_number(answer->next));
	cli_json_set(object, "again", again);
	cli_json_set(object, "killed", cli_json_number(answer->killed));
	cli_json_set(object, "binds_killed", cli_json_bool(answer->by_kill));
	cli_json_set(object, "size", size);
	cli_json_set(object, "limits", json_of_limits(q));
	cli_json_print(object, stdout);
}

static void print_table(const struct question *q)
{
	struct cli_table table = {0};
	char text[FT_UNIT_LENGTH];
	size_t i;

	cli_table_head(&table, "resource");
	cli_table_head(&table, ">limit");
	cli_table_head(&table, ">value");
	cli_table_head(&table, ">lower");
	cli_table_head(&table, ">upper");
	cli_table_head(&table, "basis");
	cli_table_head(&table, "");
	for (i = 0; i < q->n; i++) {
		const struct ft_limit *limit = &q->limit[i];
		const char *unit = cli_unit(limit->resource);

		cli_table_add(&table, "%s", limit->resource);
		cli_table_add(&table, "%s", q->typed[i]);
		cli_table_add(&table, "%s", ft_value_format(limit->at.value, unit, text));
		cli_table_add(&table, "%s", ft_value_format(limit->at.lower, unit, text));
		cli_table_add(&table, "%s", ft_value_format(limit->at.upper, unit, text));
		cli_table_add(&table, "%s", ft_basis_text(limit->at.basis));
		cli_table_add(&table, "%s", limit->binds ? "binds" : "");
	}
	cli_table_print(&table, stdout);
	cli_table_clear(&table);
}

/* What else is to be known of sizes beyond the answer. */
static void print_notes(const struct question *q)
{
	char from[FT_NUMBER_LENGTH], to[FT_NUMBER_LENGTH];

	if (q->answer.by_kill)
		printf("\na run at %s=%s was killed for memory: nothing from there on fits, and what lies "
		       "between that "
		       "and\nthe largest size measured is not known to\n",
		       q->param, ft_number_format(q->answer.killed, from));
	else if (!isnan(q->answer.killed))
		printf("\na run at %s=%s was killed for memory\n", q->param,
		       ft_number_format(q->answer.killed, from));
	if (isnan(q->answer.again))
		return;
	printf("\n%s=%s does not fit; larger sizes fit again, ", q->param,
	       ft_number_format(q->answer.next, from));
	printf("from %s=%s ", q->param, ft_number_format(q->answer.again, from));
	if (isinf(q->answer.last))
		puts("on");
	else
		printf("to %s\n", ft_number_format(q->answer.last, to));
}

static void print_text(const struct question *q)
{
	char share[FT_UNIT_LENGTH], digits[FT_NUMBER_LENGTH];
	double far = distance(q);

	cli_models_headline(&q->models, stdout);
	printf("the largest %s that fits: %s", q->param, ft_number_format(size_asked(q), digits));
	if (far > 1)
		printf(", %.3gx beyond the data", far);
	printf("\n%s of runs at that size are expected to stay below upper",
	       ft_share_format(q->confidence, share));
	puts(q->n > 1 ? ", for each limit by itself\n" : "\n");
	print_table(q);
	print_notes(q);
}

/* Why not even the smallest size fits. */
static int complain_none(const struct question *q)
{
	char at[FT_NUMBER_LENGTH], upper[FT_UNIT_LENGTH], most[FT_UNIT_LENGTH];
	size_t i;

	(void)ft_number_format(size_asked(q), at);
	for (i = 0; i < q->n && !q->limit[i].binds; i++)
		;
	if (i == q->n) {
		(void)cli_fail("not even %s=%s fits: it was killed for memory", q->param, at);
	} else {
		const char *unit = cli_unit(q->limit[i].resource);

		(void)cli_fail("not even %s=%s fits: there %s is up to %s, and the limit %s", q->param, at,
			       q->limit[i].resource, ft_value_format(q->limit[i].at.upper, unit, upper),
			       ft_value_format(q->limit[i].most, unit, most));
	}
	if (!isnan(q->answer.again))
		cli_hint("larger sizes do, from %s=%s on", q->param, ft_number_format(q->answer.again, at));
	else
		cli_hint("measure smaller sizes with foretime build, or allow more");
	return CLI_NO;
}

/* Why every size fits. */
static int complain_any(const struct question *q)
{
	char at[FT_NUMBER_LENGTH], reach[FT_NUMBER_LENGTH], value[FT_UNIT_LENGTH], most[FT_UNIT_LENGTH];
	size_t i;

	(void)ft_number_format(size_asked(q), at);
	for (i = 0; i < q->n; i++) {
		const struct ft_limit *limit = &q->limit[i];
		const char *unit = cli_unit(limit->resource);

		(void)ft_value_format(limit->at.value, unit, value);
		(void)ft_value_format(limit->most, unit, most);
		if (limit->grows)
			(void)cli_fail("%s does not limit %s: up to %s=%s it stays below %s", limit->resource,
				       q->param, q->param, ft_number_format(q->answer.reach, reach), most);
		else
			(void)cli_fail(
				"%s does not limit %s: it does not grow with it (%s at %s=%s, the largest "
				"measured; the limit is %s)",
				limit->resource, q->param, value, q->param, at, most);
	}
	cli_hint("measure larger sizes with foretime build, or set a lower limit");
	return CLI_NO;
}

static int answer(struct question *q)
{
	struct ft_err err = {0};

	if (ft_ask_largest(q->models.answerer, q->limit, q->n, &q->fixed,
			   ft_program_varying(ft_ask_program(q->models.answerer)), q->confidence, &q->answer,
			   &err))
		return cli_error(&err);
	if (q->json)
		print_json(q);
	switch (q->answer.kind) {
	case FT_LARGEST_NONE:
		return complain_none(q);
	case FT_LARGEST_ANY:
		return complain_any(q);
	case FT_LARGEST_FOUND:
		break;
	}
	if (!q->json)
		print_text(q);
	return CLI_DONE;
}

static int largest(struct question *q, const struct cli_words *words)
{
	int status;

	if (!words->n || strchr(words->word[0], '=')) {
		(void)cli_fail("of which program? its NAME stands before the limits");
		cli_hint("foretime list shows the names");
		return CLI_WRONG;
	}
	status = cli_models_open(&q->models, q->store_path, words->word[0], q->machine);
	if (status != CLI_DONE)
		return status;
	status = read_words(q, words);
	if (status == CLI_DONE)
		status = answer(q);
	cli_models_close(&q->models);
	return status;
}

static int run(const struct cli_command *command, int argc, char **argv)
{
	struct question q = {.confidence = 0.9};
	const struct cli_option options[] = {
		{0, "confidence", CLI_SHARE, &q.confidence, "C",
		 "share of future runs that stay within each limit, 75% to 99.95%; default 90%"},
		{0, "machine", CLI_TEXT, &q.machine, "M",
		 "host name or fingerprint of the machine measured; default: this one"},
		{0, "json", CLI_FLAG, &q.json, NULL, "print one JSON object"},
		{0, "store", CLI_TEXT, &q.store_path, "PATH", "the store; default $FORETIME_STORE"},
		{0},
	};
	struct cli_words words;
	int status = cli_options_parse(command, options, argc, argv, &words);

	if (status != CLI_GO)
		return status;
	status = largest(&q, &words);
	cli_words_clear(&words);
	return status;
}

const struct cli_command cli_largest = {
	"largest",
	"say up to which size a run fits a time or a memory",
	"NAME time=60s [memory=8GiB] [RESOURCE=VALUE...] [m=100] [OPTION...]",
	"A size fits when the predicted upper end is within each limit. time is wall_s; memory is "
	"peak_tree_bytes,\n"
	"else peak_rss_bytes. Exit status: 0 done, 1 no size fits or nothing limits, 2 wrong use or "
	"failure.\n",
	run,
};
