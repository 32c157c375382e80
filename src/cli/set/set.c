/* SPDX-License-Identifier: GPL-3.0-or-later */
/* set.c - stores what an expert states about a program: laws that predict before any run, and
   requirements. */
#include "cli/cli.h"
#include "cli/options.h"
#include "foretime/base.h"

#include <math.h>
#include <string.h>

/* The statements, and the program they are about. */
struct program_statement {
	const char *store_path, *name;
	struct ft_field_texts law, require, param;
	bool json, unset;
	struct ft_store *store;
	struct ft_program program; /* id 0: not stored yet */
	struct ft_knowledge knowledge;
};

/* Load the program from the store; it may be missing when `fresh`. */
static int load_program(struct program_statement *statement, bool fresh)
{
	struct ft_err err = {0};
	int opened = cli_store_open(&statement->store, statement->store_path, fresh ? CLI_WRITE : CLI_ANSWER);

	if (opened != CLI_DONE)
		return opened;
	enum ft_status status =
		ft_store_get_program(statement->store, statement->name, &statement->program, &err);
	if (status == FT_ENOENT && fresh)
		status = FT_OK;
	if (!status)
		status = ft_store_get_knowledge(statement->store, statement->name, &statement->knowledge,
						&err);
	return status ? cli_error(&err) : CLI_DONE;
}

/* ---- set ---------------------------------------------------------------------------------------------- */

/* The names that laws use become parameters of a program that has none. */
static int take_names(struct program_statement *statement, bool fresh)
{
	struct ft_program *program = &statement->program;

	for (size_t i = 0; i < statement->knowledge.n_stated; i++) {
		const char *law = statement->knowledge.stated[i].law, *name;
		struct ft_expr *expr;
		struct ft_err err = {0};

		if (ft_expr_new(&expr, law, &err))
			return cli_error(&err);
		for (size_t j = 0; (name = ft_expr_name(expr, j)); j++) {
			struct ft_param param = {.stride = 1};

			if (ft_program_find_param(program, name) >= 0)
				continue;
			if (!fresh || program->n_params == FT_PARAMS_MAX ||
			    strlen(name) >= sizeof param.name) {
				(void)cli_fail("the law '%s' uses '%s', which is not a parameter of '%s'\n"
					       "hint: see its parameters: foretime show %s",
					       law, name, statement->name, statement->name);
				ft_expr_free(expr);
				return CLI_WRONG;
			}
			memcpy(param.name, name, strlen(name) + 1);
			program->param[program->n_params++] = param;
		}
		ft_expr_free(expr);
	}
	return CLI_DONE;
}

/* Each law at the ends of the ranges that are known: a law that is negative there is a mistake. */
static int check_laws(const struct program_statement *statement)
{
	const struct ft_program *program = &statement->program;
	struct ft_size least = {.n = program->n_params}, most = least;
	struct ft_err err = {0};
	double value;

	for (size_t i = 0; i < program->n_params; i++) {
		least.value[i] = program->param[i].least;
		most.value[i] = program->param[i].most;
		if (least.value[i] == 0 && most.value[i] == 0)
			return CLI_DONE;
	}
	for (size_t i = 0; i < statement->knowledge.n_stated; i++) {
		const struct ft_resource *resource = statement->knowledge.stated[i].resource;

		if (ft_knowledge_value(&statement->knowledge, program, resource, &least, &value, &err) ||
		    ft_knowledge_value(&statement->knowledge, program, resource, &most, &value, &err))
			return cli_error(&err);
	}
	return CLI_DONE;
}

static int set_known(struct program_statement *statement)
{
	struct ft_err err = {0};

	CLI_TRY(load_program(statement, true));
	bool fresh = !statement->program.id;
	for (size_t i = 0; i < statement->law.n; i++) {
		/* "wall_s=1e-9*n^3": before the first '=' stands the resource. */
		const char *equals = strchr(statement->law.text[i], '=');

		if (!equals || equals == statement->law.text[i] || !equals[1])
			return cli_fail("'%s' is not a law\n"
					"hint: write a resource and a formula of the parameters: --law "
					"wall_s='1e-9*n^3'",
					statement->law.text[i]);
		CLI_OWN char *resource = cli_strdup(statement->law.text[i]);
		resource[equals - statement->law.text[i]] = '\0';
		const struct ft_resource *found = cli_resource_typed(resource);
		if (!found)
			return CLI_WRONG;
		if (ft_knowledge_state(&statement->knowledge, found, equals + 1, &err))
			return cli_error(&err);
	}
	for (size_t i = 0; i < statement->require.n; i++)
		if (ft_knowledge_require(&statement->knowledge, statement->require.text[i], &err))
			return cli_error(&err);
	struct ft_program given = {0};
	char *word[FT_FIELD_TEXTS_MOST];

	for (size_t i = 0; i < statement->param.n; i++)
		word[i] = (char *)(uintptr_t)statement->param.text[i];
	int status = cli_program_params(&given, word, statement->param.n, true);
	for (size_t i = 0; i < given.n_params && status == CLI_DONE; i++) {
		int at = ft_program_find_param(&statement->program, given.param[i].name);

		if (at >= 0)
			statement->program.param[at] = given.param[i];
		else if (statement->program.n_params == FT_PARAMS_MAX)
			status = cli_fail("more than %d parameters", FT_PARAMS_MAX);
		else
			statement->program.param[statement->program.n_params++] = given.param[i];
	}
	CLI_TRY(status);
	CLI_TRY(take_names(statement, fresh || !statement->program.n_params));
	CLI_TRY(check_laws(statement));
	if (fresh) {
		statement->program.name = cli_strdup(statement->name);
		statement->program.hash = cli_strdup("");
	}
	if ((fresh || statement->param.n) &&
	    ft_store_put_program(statement->store, &statement->program, &err))
		return cli_error(&err);
	return ft_store_put_knowledge(statement->store, statement->name, &statement->knowledge, &err)
		       ? cli_error(&err)
		       : CLI_DONE;
}

/* ---- unset -------------------------------------------------------------------------------------------- */

static int unset_known(struct program_statement *statement)
{
	struct ft_err err = {0};
	int status = load_program(statement, false);

	for (size_t i = 0; i < statement->law.n && status == CLI_DONE; i++) {
		const struct ft_resource *resource = cli_resource_typed(statement->law.text[i]);

		if (!resource)
			status = CLI_WRONG;
		else if (!ft_knowledge_law(&statement->knowledge, resource))
			status = cli_fail("no law of '%s' was stated for '%s'", resource->name,
					  statement->name);
		else
			(void)ft_knowledge_state(&statement->knowledge, resource, NULL, NULL);
	}
	for (size_t i = 0; i < statement->require.n && status == CLI_DONE; i++)
		if (ft_knowledge_release(&statement->knowledge, statement->require.text[i], &err))
			status = cli_error(&err);
	if (!statement->law.n && !statement->require.n)
		ft_knowledge_clear(&statement->knowledge);
	if (status == CLI_DONE &&
	    ft_store_put_knowledge(statement->store, statement->name, &statement->knowledge, &err))
		status = cli_error(&err);
	return status;
}

/* ---- show --------------------------------------------------------------------------------------------- */

struct program_answer {
	const char *name;
	struct ft_program program; /* borrowed */
	struct ft_answer_knowledge knowledge;
};

static const struct ft_tell_row rows[] = {
	{FT_TELL(struct program_answer, name)},
	{FT_TELL_BY(ROWS, NULL, struct program_answer, program), .of = &ft_tell_params},
	{FT_TELL_BY(ROWS, NULL, struct program_answer, knowledge), .of = &ft_tell_knowledge},
	{0},
};
const struct ft_tell_record cli_program_answer = {
	.name = "program", .typed = "set", .version = 1, .row = rows};

/* ---- the command -------------------------------------------------------------------------------------- */

static int run_set(const struct cli_command *command, int argc, char **argv)
{
	struct program_statement statement = {0};
	const struct ft_field options[] = {
		{0, "law", FT_FIELD_TEXTS, &statement.law, "R='LAW'",
		 "resource R as a formula of the parameters, in SI units (--unset: R alone)"},
		{0, "require", FT_FIELD_TEXTS, &statement.require, "WHAT=VALUE",
		 "memory=8GiB, processors=4, architecture=x86_64 or software=COMMAND (--unset: WHAT alone)"},
		{0, "param", FT_FIELD_TEXTS, &statement.param, "n=LEAST:MOST", NULL},
		{0, "unset", FT_FIELD_FLAG, &statement.unset, NULL,
		 "take back the laws and requirements named, or all of them"},
		CLI_ANSWER_OPTIONS(statement.json, statement.store_path),
		{0},
	};
	struct cli_words words;
	int status = cli_options_parse(command, options, argc, argv, &words);

	if (status != CLI_GO)
		return status;
	while (words.n > 1 && strchr(words.word[words.n - 1], '=') && statement.param.n < FT_FIELD_TEXTS_MOST)
		statement.param.text[statement.param.n++] = words.word[--words.n];
	statement.name = cli_name_word(command, &words);
	if (!statement.name)
		return CLI_WRONG;
	bool states = statement.law.n || statement.require.n || statement.param.n;
	if (statement.unset && statement.param.n) /* its sizes are stored by position */
		status = cli_fail("a parameter cannot be unset\n"
				  "hint: foretime rm %s removes it with all its runs",
				  statement.name);
	else if (statement.unset)
		status = unset_known(&statement);
	else
		status = states ? set_known(&statement) : load_program(&statement, false);
	if (status == CLI_DONE && statement.json) {
		struct program_answer answer = {.name = statement.name, .program = statement.program};
		struct ft_arena memory = {0};

		if (ft_tell_knowledge_find(&statement.knowledge, NULL, &memory, &answer.knowledge, NULL))
			(void)cli_given(NULL);
		cli_tell(&cli_program_answer, &answer, NULL);
		ft_arena_clear(&memory);
	} else if (status == CLI_DONE && !statement.unset && !states) {
		struct ft_answer_knowledge knowledge;
		struct ft_arena room = {0};
		const struct ft_program *program = &statement.program;

		printf("name       %s\n", statement.name);
		for (size_t i = 0; i < program->n_params; i++)
			cli_print_param(&program->param[i], false, stdout);
		if (ft_tell_knowledge_find(&statement.knowledge, NULL, &room, &knowledge, NULL))
			(void)cli_given(NULL);
		cli_print_knowledge(&knowledge, stdout);
		ft_arena_clear(&room);
		if (!statement.knowledge.n_stated && !statement.knowledge.n_requirements)
			puts("no knowledge is stored");
	}
	ft_store_close(statement.store);
	ft_program_clear(&statement.program);
	ft_knowledge_clear(&statement.knowledge);
	return status;
}

const struct cli_command cli_set = {
	"set",
	"state what is known of a program before it runs",
	"NAME [n=64:3000] --law wall_s='1e-9*n^3' [--require memory=8GiB] [OPTION...]\n"
	"NAME --unset [--law R] [--require WHAT] [OPTION...]\n"
	"NAME [OPTION...]",
	"A stated law answers where there are no runs; once there are, it is set to them, and answers beyond "
	"them\n"
	"as long as it fits. Requirements are checked by foretime predict. NAME alone prints what was "
	"stated.\n",
	NULL,
	run_set,
};
