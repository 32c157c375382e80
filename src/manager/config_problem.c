/* SPDX-License-Identifier: GPL-3.0-or-later */
/* config_problem.c - a program that gets a model: what is run, how the model is built, when. */
#include "manager/config_parts.h"

#include "base/alloc.h"
#include "foretime/expr.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define FIELD(name) offsetof(struct ft_manager_problem, name)

/* PMM's three fields for what is run become one command. */
struct config_problem {
	struct ft_manager_problem out; /* the first */
	char *executable;
	char **words; /* of exe_args, or of the command */
	size_t n_words;
};

void ft__problem_clear(struct ft_manager_problem *problem)
{
	ft_program_clear(&problem->program);
	ft_free(problem->directory);
	ft_free(problem->model_path);
	ft_policies_clear(&problem->policies);
	*problem = (struct ft_manager_problem){0};
}

static enum ft_status read_policies(struct ft__conf_reading *r, const struct ft__conf_node *node, void *into)
{
	return ft__policies_read(r, node, &((struct config_problem *)into)->out.policies);
}

static enum ft_status read_policy(struct ft__conf_reading *r, const struct ft__conf_node *node, void *into)
{
	return ft__policy_read(r, node, &((struct config_problem *)into)->out.policies);
}

static enum ft_status read_policy_word(struct ft__conf_reading *r, const struct ft__conf_node *node,
				       void *into)
{
	return ft__policy_of_word(r, node, &((struct config_problem *)into)->out.policies);
}

static enum ft_status read_params(struct ft__conf_reading *r, const struct ft__conf_node *node, void *into)
{
	struct config_problem *p = into;

	return p->out.program.n_params ? ft__reading_fail(r, node, FT_EPARSE, "parameters are listed once")
				       : ft__params_read(r, node, &p->out);
}

static const char *method_word(const void *ctx, size_t i)
{
	(void)ctx;
	return ft_builder_type_get(i)->name;
}

static enum ft_status read_method(struct ft__conf_reading *r, const struct ft__conf_node *node, void *into)
{
	const char *text = ft__reading_text(r, node);
	struct config_problem *p = into;
	size_t n = 0;

	p->out.builder = text ? ft_builder_type_find(text) : NULL;
	if (!text || p->out.builder)
		return text ? FT_OK : FT_EPARSE;
	while (ft_builder_type_get(n))
		n++;
	(void)ft__reading_fail(r, node, FT_EPARSE, "there is no method '%.60s'", text);
	ft__reading_nearest(r, text, method_word, NULL, n);
	return FT_EPARSE;
}

static enum ft_status read_construction(struct ft__conf_reading *r, const struct ft__conf_node *node,
					void *into);

const struct ft__conf_row ft__problem_rows[] = {
	{FT__CONF("name", FT_FIELD_TEXT, .at = FIELD(program.name),
		  .help = "name in the store, NAME or NAME/ROUTINE; each once")},
	{FT__CONF("command", FT_FIELD_TEXTS, .at = offsetof(struct config_problem, words),
		  .help = "the program and its words: a text with blanks between them, or a list"),
	 .at_n = offsetof(struct config_problem, n_words)},
	{FT__CONF("exe_path", FT_FIELD_TEXT, .at = offsetof(struct config_problem, executable))},
	{FT__CONF("exe_args", FT_FIELD_TEXTS, .at = offsetof(struct config_problem, words)),
	 .at_n = offsetof(struct config_problem, n_words)},
	{FT__CONF("directory", FT_FIELD_TEXT, .at = FIELD(directory),
		  .help = "folder where it runs; default: that of the manager")},
	{FT__CONF("model_path", FT_FIELD_TEXT, .at = FIELD(model_path),
		  .help = "a file to which the model is written, too, whenever it was built")},
	{FT__PART("parameters", read_params,
		  "a list of ranges as foretime build has them, \"n=64:8192:64\", \"n=16:4096:*2\", "
		  "\"m=100\", or of groups")},
	{FT__CONF("where", FT_FIELD_TEXT, .at = FIELD(program.where),
		  .help = "what a size has to meet, an expression of the parameters: \"np <= nx\"")},
	{FT__CONF("work", FT_FIELD_TEXT, .at = FIELD(program.work),
		  .help = "volume of computation, an expression of the parameters: \"2*n^3\"")},
	{FT__CONF("priority", FT_FIELD_NUMBER, .at = FIELD(priority),
		  .help = "a number; higher ones go first; default 0")},
	{FT__PART("policies", read_policies, "its own policies, which replace those of all problems")},
	{FT__OLD("benchmarking_policies", read_policies)},
	{FT__OLD("policy", read_policy), .many = true},
	{FT__OLD("condition", read_policy_word)},
	{FT__PART("method", read_method,
		  "how sizes are chosen, as of foretime build --method; default adaptive")},
	{FT__OLD("construction", read_construction)},
	{FT__CONF("tolerance", FT_FIELD_SHARE, .at = FIELD(tolerance),
		  .help = "target accuracy of the model, a share; default: that of the method")},
	{FT__CONF("budget", FT_FIELD_DURATION, .at = FIELD(budget_s),
		  .help = "total time of benchmarks; default: that of the method")},
	{FT__CONF("time", FT_FIELD_DURATION, .at = FIELD(timeout_s),
		  .help = "end a benchmark after this time; default: never")},
	{FT__CONF("memory", FT_FIELD_BYTES, .at = FIELD(memory_bytes),
		  .help = "end a benchmark that needs more memory; default: no limit")},
	{FT__CONF("points", FT_FIELD_COUNT, .at = FIELD(points), .least = 1, .most = 1e9,
		  .help = "number of sizes; default: that of the method")},
	{FT__CONF("max_completion", FT_FIELD_COUNT, .at = FIELD(points), .least = 1, .most = 1e9)},
	{FT__CONF("reps_least", FT_FIELD_COUNT, .at = FIELD(reps_least), .least = 1, .most = 1e9,
		  .help = "least number of runs of one size; default 2")},
	{FT__CONF("min_sample_num", FT_FIELD_COUNT, .at = FIELD(reps_least), .least = 1, .most = 1e9)},
	{FT__CONF("reps_most", FT_FIELD_COUNT, .at = FIELD(reps_most), .least = 1, .most = 1e9,
		  .help = "largest number of runs of one size; default 10")},
	{FT__CONF("reps_time", FT_FIELD_DURATION, .at = FIELD(reps_limit_s),
		  .help = "no more runs of one size after this time; default: a minute, or a tenth of the "
			  "budget")},
	{FT__CONF("min_sample_time", FT_FIELD_DURATION, .at = FIELD(reps_limit_s))},
	{FT__CONF("end_zero", FT_FIELD_FLAG, .at = FIELD(end_zero),
		  .help = "gbbp: the speed at the largest size is taken for zero and not measured; default: "
			  "false")},
	{FT__CONF("contract", FT_FIELD_FLAG, .at = FIELD(contract),
		  .help = "whether a new version of the executable is verified against the model of the one "
			  "before; default: false")},
	{.call = NULL},
};

static enum ft_status read_construction(struct ft__conf_reading *r, const struct ft__conf_node *node,
					void *into)
{
	return ft__rows_read(r, node, "a construction", ft__problem_rows, into);
}

/* ---- the command ------------------------------------------------------------------------------------- */

/* Whether any word names a parameter, as "{n}". */
static bool names_params(const struct config_problem *p)
{
	char place[FT_PARAM_LENGTH + 3];

	for (size_t k = 0; k < p->out.program.n_params; k++) {
		(void)snprintf(place, sizeof place, "{%s}", p->out.program.param[k].name);
		for (size_t i = 0; i < p->n_words; i++)
			if (strstr(p->words[i], place))
				return true;
	}
	return false;
}

static bool put_word(struct ft_program *program, char *word)
{
	program->argv[program->argc++] = word;
	return word;
}

/* The executable, its words, and the sizes behind them in their order, where no word has them. */
static enum ft_status make_command(struct ft__conf_reading *r, struct config_problem *p)
{
	struct ft_program *program = &p->out.program;
	bool append = !names_params(p), good;
	char place[FT_PARAM_LENGTH + 3];

	program->argv = ft_calloc(p->n_words + program->n_params + 2, sizeof *program->argv);
	good = program->argv && (!p->executable || put_word(program, ft_strdup(p->executable)));
	for (size_t i = 0; good && i < p->n_words; i++)
		good = put_word(program, ft_strdup(p->words[i]));
	for (size_t i = 0; good && append && i < program->n_params; i++) {
		(void)snprintf(place, sizeof place, "{%s}", program->param[i].name);
		good = put_word(program, ft_strdup(place));
	}
	if (!good && program->argc)
		program->argc--; /* that word is not there */
	return good ? FT_OK : ft_nomem(r->err);
}

/* ---- what makes sense -------------------------------------------------------------------------------- */

/* Files are called after it: none of them lies elsewhere. */
static const char *fault_of_name(const char *name)
{
	const char *fault = name ? ft_program_name_fault(name) : "it has no name";

	return !fault && strstr(name, "..") ? "it has '..'" : fault;
}

static bool is_known(const struct ft_program *program, const char *name)
{
	return ft_program_find_param(program, name) >= 0;
}

/* An expression of the parameters. */
static enum ft_status check_expr(struct ft__conf_reading *r, const struct ft__conf_node *node,
				 const struct ft_program *program, const char *what, const char *text)
{
	struct ft_err err = {0};
	struct ft_expr *expr;
	enum ft_status status = text ? ft_expr_new(&expr, text, &err) : FT_OK;
	const char *name = NULL;

	if (status || !text) {
		(void)ft__reading_explain(r, node, status, &err);
		return status;
	}
	for (size_t i = 0; (name = ft_expr_name(expr, i)); i++)
		if (!is_known(program, name)) {
			status = ft__reading_fail(r, node, FT_EINVAL,
						  "'%s' names '%.40s', which is no parameter", what, name);
			break;
		}
	ft_expr_free(expr);
	return status;
}

static bool varies_any(const struct ft_program *program)
{
	for (size_t i = 0; i < program->n_params; i++)
		if (program->param[i].least < program->param[i].most)
			return true;
	return false;
}

static enum ft_status check_problem(struct ft__conf_reading *r, const struct ft__conf_node *node,
				    const struct config_problem *p, const struct ft_manager_config *config)
{
	const struct ft_program *program = &p->out.program;
	const char *fault = fault_of_name(program->name);

	if (fault)
		return ft__reading_fail(r, node, FT_EINVAL, "a problem cannot be called '%.60s': %s",
					program->name ? program->name : "", fault);
	for (size_t i = 0; i < config->n_problems; i++)
		if (!strcmp(config->problem[i].program.name, program->name))
			return ft__reading_fail(r, node, FT_EINVAL, "'%.60s' is there already, in line %u",
						program->name, config->problem[i].line);
	if (p->executable ? !*p->executable : !p->n_words || !*p->words[0])
		return ft__reading_fail(r, node, FT_EINVAL, "'%.60s' has no 'command'", program->name);
	if (!varies_any(program))
		return ft__reading_fail(r, node, FT_EINVAL, "'%.60s' has no parameter with a range",
					program->name);
	enum ft_status status = check_expr(r, node, program, "where", program->where);
	return status ? status : check_expr(r, node, program, "work", program->work);
}

static enum ft_status take_problem(struct ft__conf_reading *r, struct ft_manager_config *config,
				   struct ft_manager_problem *problem)
{
	struct ft_manager_problem *moved =
		ft_realloc(config->problem, (config->n_problems + 1) * sizeof *moved);

	if (!moved)
		return ft_nomem(r->err);
	config->problem = moved;
	moved[config->n_problems++] = *problem;
	*problem = (struct ft_manager_problem){0};
	return FT_OK;
}

enum ft_status ft__problem_read(struct ft__conf_reading *r, const struct ft__conf_node *node,
				struct ft_manager_config *config)
{
	struct config_problem p = {.out = {.builder = ft_builder_type_get(0), .line = node->line}};
	enum ft_status status = ft__rows_read(r, node, "a problem", ft__problem_rows, &p);

	if (!status)
		status = check_problem(r, node, &p, config);
	if (!status)
		status = make_command(r, &p);
	if (!status)
		status = take_problem(r, config, &p.out);
	ft__problem_clear(&p.out);
	ft_free(p.executable);
	for (size_t i = 0; i < p.n_words; i++)
		ft_free(p.words[i]);
	ft_free(p.words);
	return status;
}
