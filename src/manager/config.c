/* SPDX-License-Identifier: GPL-3.0-or-later */
/* config.c - reads a whole configuration. */
#include "base/alloc.h"
#include "base/text.h"
#include "facts/door.h"
#include "foretime/base.h"
#include "manager/config.h"
#include "manager/config_node.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * The parameters of a program: as foretime build takes them ("n=64:3000:64"), or field by field as in PMM
 * (001 Fig. 4).
 */

/* One, field by field. NaN: not given. */
struct config_params_param {
	char *name;
	double order, least, most, stride, offset;
	bool measured_end; /* nonzero_end */
};

/* All of a program. */
struct params {
	struct ft_manager_problem *problem;
	double order[FT_PARAMS_MAX];
	double stated; /* n_p; NaN */
};

static const struct ft__conf_row param_rows[] = {
	{FT__CONF("name", FT_FIELD_TEXT, .at = offsetof(struct config_params_param, name))},
	{FT__CONF("order", FT_FIELD_NUMBER, .at = offsetof(struct config_params_param, order))},
	{FT__CONF("min", FT_FIELD_NUMBER, .at = offsetof(struct config_params_param, least))},
	{FT__CONF("start", FT_FIELD_NUMBER, .at = offsetof(struct config_params_param, least))},
	{FT__CONF("max", FT_FIELD_NUMBER, .at = offsetof(struct config_params_param, most))},
	{FT__CONF("end", FT_FIELD_NUMBER, .at = offsetof(struct config_params_param, most))},
	{FT__CONF("stride", FT_FIELD_NUMBER, .at = offsetof(struct config_params_param, stride))},
	{FT__CONF("offset", FT_FIELD_NUMBER, .at = offsetof(struct config_params_param, offset))},
	{FT__CONF("nonzero_end", FT_FIELD_FLAG, .at = offsetof(struct config_params_param, measured_end))},
	{FT__CONF("fuzzy_max", FT_FIELD_FLAG, .at = offsetof(struct config_params_param, measured_end))},
	{.call = NULL},
};

static enum ft_status take_param(struct ft__conf_reading *r, const struct ft__conf_node *node,
				 struct params *all, const char *text, double order)
{
	struct ft_program *program = &all->problem->program;
	struct ft_param *param = &program->param[program->n_params];
	struct ft_err err = {0};

	if (program->n_params == FT_PARAMS_MAX)
		return ft__reading_fail(r, node, FT_EPARSE, "a program has %d parameters at most",
					FT_PARAMS_MAX);
	enum ft_status status = ft_param_parse(text, param, &err);
	if (status)
		return ft__reading_explain(r, node, status, &err);
	if (!strchr(text, '='))
		return ft__reading_fail(r, node, FT_EPARSE, "parameter '%s' needs a range: \"%s=64:3000\"",
					param->name, param->name);
	for (size_t i = 0; i < program->n_params; i++)
		if (!strcmp(program->param[i].name, param->name))
			return ft__reading_fail(r, node, FT_EPARSE, "there are two parameters '%s'",
						param->name);
	all->order[program->n_params++] = order;
	return FT_OK;
}

/* The least value that lies on the steps from an offset on. */
static double first_value(const struct config_params_param *p)
{
	return isnan(p->offset) ? p->least : p->offset + p->stride * ceil((p->least - p->offset) / p->stride);
}

static enum ft_status take_fields(struct ft__conf_reading *r, const struct ft__conf_node *node,
				  struct params *all, const struct config_params_param *p)
{
	struct ft_text text = {0};

	if (!p->name || isnan(p->least) || isnan(p->most))
		return ft__reading_fail(r, node, FT_EPARSE, "a parameter needs a name, min and max");
	if (!(p->stride > 0) || (!isnan(p->order) && (p->order < 0 || p->order != floor(p->order))))
		return ft__reading_fail(r, node, FT_EPARSE, "a stride is above 0, and an order 0, 1, 2 ...");
	if (!ft__name_length(p->name) || p->name[ft__name_length(p->name)])
		return ft__reading_fail(r, node, FT_EPARSE, "'%.40s' is no name of a parameter", p->name);
	ft_text_add(&text, "%s=", p->name);
	ft_text_add_number(&text, first_value(p));
	ft_text_add(&text, ":");
	ft_text_add_number(&text, p->most);
	if (p->stride != 1) {
		ft_text_add(&text, ":");
		ft_text_add_number(&text, p->stride);
	}
	enum ft_status status = text.failed ? ft_nomem(r->err) : take_param(r, node, all, text.s, p->order);
	ft_text_clear(&text);
	return status;
}

static enum ft_status read_param(struct ft__conf_reading *r, const struct ft__conf_node *node, void *into)
{
	struct config_params_param p = {
		.order = NAN, .least = NAN, .most = NAN, .stride = 1, .offset = NAN, .measured_end = true};
	struct params *all = into;

	if (node->text && !node->n)
		return take_param(r, node, all, node->text, NAN);
	enum ft_status status = ft__rows_read(r, node, "a parameter", param_rows, &p);
	if (!status)
		status = take_fields(r, node, all, &p);
	all->problem->end_zero = all->problem->end_zero || !p.measured_end;
	ft_free(p.name);
	return status;
}

/* ---- constraints ---------------------------------------------------------------------------- */

struct constraint {
	char *formula;
	double least, most;
};

static const struct ft__conf_row constraint_rows[] = {
	{FT__CONF("formula", FT_FIELD_TEXT, .at = offsetof(struct constraint, formula))},
	{FT__CONF("min", FT_FIELD_NUMBER, .at = offsetof(struct constraint, least))},
	{FT__CONF("max", FT_FIELD_NUMBER, .at = offsetof(struct constraint, most))},
	{.call = NULL},
};

static void add_bound(struct ft_text *text, const char *formula, const char *relation, double bound)
{
	if (isnan(bound))
		return;
	ft_text_add(text, "%s(%s) %s ", text->length ? " && " : "", formula, relation);
	ft_text_add_number(text, bound);
}

/* min <= formula <= max; a formula alone is one that has to hold. */
static enum ft_status take_constraint(struct ft__conf_reading *r, const struct ft__conf_node *node,
				      const struct constraint *c, struct ft_program *program)
{
	struct ft_text text = {0};

	if (!c->formula)
		return ft__reading_fail(r, node, FT_EPARSE, "a constraint needs a formula");
	add_bound(&text, c->formula, ">=", c->least);
	add_bound(&text, c->formula, "<=", c->most);
	if (!text.length)
		ft_text_add(&text, "%s", c->formula);
	ft_free(program->where);
	program->where = ft_text_take(&text);
	return program->where ? FT_OK : ft_nomem(r->err);
}

static enum ft_status read_constraint(struct ft__conf_reading *r, const struct ft__conf_node *node,
				      void *into)
{
	struct constraint c = {NULL, NAN, NAN};
	enum ft_status status = ft__rows_read(r, node, "a constraint", constraint_rows, &c);

	if (!status)
		status = take_constraint(r, node, &c, &((struct params *)into)->problem->program);
	ft_free(c.formula);
	return status;
}

static const struct ft__conf_row params_rows[] = {
	{FT__CONF("n_p", FT_FIELD_NUMBER, .at = offsetof(struct params, stated))},
	{FT__OLD("param", read_param), .many = true},
	{FT__OLD("parameter", read_param), .many = true},
	{FT__OLD("param_constraint", read_constraint)},
	{.call = NULL},
};

/* ---- their order ------------------------------------------------------------------------------------- */

/* If an order is given, it is the order of all parameters. */
static enum ft_status sort_params(struct ft__conf_reading *r, const struct ft__conf_node *node,
				  const struct params *all)
{
	struct ft_program *program = &all->problem->program;
	size_t given = 0, seen = 0;

	for (size_t i = 0; i < program->n_params; i++)
		given += isnan(all->order[i]) ? 0 : 1;
	for (size_t i = 0; i < program->n_params && given; i++)
		if (all->order[i] < (double)program->n_params)
			seen |= (size_t)1 << (size_t)all->order[i];
	if (!given)
		return FT_OK;
	if (seen + 1 != (size_t)1 << program->n_params)
		return ft__reading_fail(r, node, FT_EPARSE,
					"the orders of %zu parameters are 0 to %zu, each once",
					program->n_params, program->n_params - 1);
	struct ft_param *sorted = ft_calloc(program->n_params, sizeof *sorted);
	if (!sorted)
		return ft_nomem(r->err);
	for (size_t i = 0; i < program->n_params; i++)
		sorted[(size_t)all->order[i]] = program->param[i];
	memcpy(program->param, sorted, program->n_params * sizeof *sorted);
	ft_free(sorted);
	return FT_OK;
}

/* params_read - the parameters of a program, in the order of its command, and what constrains them. */
static enum ft_status params_read(struct ft__conf_reading *r, const struct ft__conf_node *node,
				  struct ft_manager_problem *problem)
{
	struct params all = {.problem = problem, .stated = NAN};
	enum ft_status status = FT_OK;

	if (node->n && node->child[0].name)
		status = ft__rows_read(r, node, "the list of parameters", params_rows, &all);
	else if (node->text)
		status = read_param(r, node, &all);
	else
		for (size_t i = 0; !status && i < node->n; i++)
			status = read_param(r, &node->child[i], &all);
	if (!status && !isnan(all.stated) && all.stated != (double)problem->program.n_params)
		status = ft__reading_fail(r, node, FT_EPARSE, "n_p is %g, and %zu parameters are there",
					  all.stated, problem->program.n_params);
	return status ? status : sort_params(r, node, &all);
}

/*
 * A program that gets a model: its command, how the model is built, and when.
 */

#define PROBLEM_FIELD(name) offsetof(struct ft_manager_problem, name)

/* PMM's three fields for executable and arguments become one command. */
struct config_problem {
	struct ft_manager_problem out; /* the first */
	char *executable;
	char **words; /* of exe_args, or of the command */
	size_t n_words;
};

static void ft__problem_clear(struct ft_manager_problem *problem)
{
	ft_program_clear(&problem->program);
	ft_free(problem->directory);
	ft_free(problem->model_path);
	ft_policies_clear(&problem->policies);
	*problem = (struct ft_manager_problem){0};
}

static enum ft_status problem_read_policies(struct ft__conf_reading *r, const struct ft__conf_node *node,
					    void *into)
{
	return ft__policies_read(r, node, &((struct config_problem *)into)->out.policies);
}

static enum ft_status problem_read_policy(struct ft__conf_reading *r, const struct ft__conf_node *node,
					  void *into)
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
				       : params_read(r, node, &p->out);
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
	{FT__CONF("name", FT_FIELD_TEXT, .at = PROBLEM_FIELD(program.name),
		  .help = "name in the store, NAME or NAME/ROUTINE; each once")},
	{FT__CONF("command", FT_FIELD_TEXTS, .at = offsetof(struct config_problem, words),
		  .help = "the program and its words: a text with blanks between them, or a list"),
	 .at_n = offsetof(struct config_problem, n_words)},
	{FT__CONF("exe_path", FT_FIELD_TEXT, .at = offsetof(struct config_problem, executable))},
	{FT__CONF("exe_args", FT_FIELD_TEXTS, .at = offsetof(struct config_problem, words)),
	 .at_n = offsetof(struct config_problem, n_words)},
	{FT__CONF("directory", FT_FIELD_TEXT, .at = PROBLEM_FIELD(directory),
		  .help = "folder where it runs; default: that of the manager")},
	{FT__CONF("model_path", FT_FIELD_TEXT, .at = PROBLEM_FIELD(model_path),
		  .help = "a file to which the model is written, too, whenever it was built")},
	{FT__PART("parameters", read_params,
		  "a list of ranges as foretime build has them, \"n=64:8192:64\", \"n=16:4096:*2\", "
		  "\"m=100\", or of groups")},
	{FT__CONF("where", FT_FIELD_TEXT, .at = PROBLEM_FIELD(program.where),
		  .help = "what a size has to meet, an expression of the parameters: \"np <= nx\"")},
	{FT__CONF("work", FT_FIELD_TEXT, .at = PROBLEM_FIELD(program.work),
		  .help = "volume of computation, an expression of the parameters: \"2*n^3\"")},
	{FT__CONF("priority", FT_FIELD_NUMBER, .at = PROBLEM_FIELD(priority),
		  .help = "a number; higher ones go first; default 0")},
	{FT__PART("policies", problem_read_policies,
		  "its own policies, which replace those of all problems")},
	{FT__OLD("benchmarking_policies", problem_read_policies)},
	{FT__OLD("policy", problem_read_policy), .many = true},
	{FT__OLD("condition", read_policy_word)},
	{FT__PART("method", read_method,
		  "how sizes are chosen, as of foretime build --method; default adaptive")},
	{FT__OLD("construction", read_construction)},
	{FT__CONF("tolerance", FT_FIELD_SHARE, .at = PROBLEM_FIELD(tolerance),
		  .help = "target accuracy of the model, a share; default: that of the method")},
	{FT__CONF("budget", FT_FIELD_DURATION, .at = PROBLEM_FIELD(budget_s),
		  .help = "total time of benchmarks; default: that of the method")},
	{FT__CONF("time", FT_FIELD_DURATION, .at = PROBLEM_FIELD(timeout_s),
		  .help = "end a benchmark after this time; default: never")},
	{FT__CONF("memory", FT_FIELD_BYTES, .at = PROBLEM_FIELD(memory_bytes),
		  .help = "end a benchmark that needs more memory; default: no limit")},
	{FT__CONF("points", FT_FIELD_COUNT, .at = PROBLEM_FIELD(points), .least = 1, .most = 1e9,
		  .help = "number of sizes; default: that of the method")},
	{FT__CONF("max_completion", FT_FIELD_COUNT, .at = PROBLEM_FIELD(points), .least = 1, .most = 1e9)},
	{FT__CONF("reps_least", FT_FIELD_COUNT, .at = PROBLEM_FIELD(reps_least), .least = 1, .most = 1e9,
		  .help = "least number of runs of one size; default 2")},
	{FT__CONF("min_sample_num", FT_FIELD_COUNT, .at = PROBLEM_FIELD(reps_least), .least = 1,
		  .most = 1e9)},
	{FT__CONF("reps_most", FT_FIELD_COUNT, .at = PROBLEM_FIELD(reps_most), .least = 1, .most = 1e9,
		  .help = "largest number of runs of one size; default 10")},
	{FT__CONF("reps_time", FT_FIELD_DURATION, .at = PROBLEM_FIELD(reps_limit_s),
		  .help = "no more runs of one size after this time; default: a minute, or a tenth of the "
			  "budget")},
	{FT__CONF("min_sample_time", FT_FIELD_DURATION, .at = PROBLEM_FIELD(reps_limit_s))},
	{FT__CONF("end_zero", FT_FIELD_FLAG, .at = PROBLEM_FIELD(end_zero),
		  .help = "gbbp: the speed at the largest size is taken for zero and not measured; default: "
			  "false")},
	{FT__CONF("contract", FT_FIELD_FLAG, .at = PROBLEM_FIELD(contract),
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

/* ---- checks -------------------------------------------------------------------------------- */

/* It becomes a part of file names, and must not lead to another folder. */
static const char *fault_of_name(const char *name)
{
	const char *fault = name ? ft_program_name_fault(name) : "it has no name";

	return !fault && strstr(name, "..") ? "it has '..'" : fault;
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
		if (ft_program_find_param(program, name) < 0) {
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

static enum ft_status problem_read(struct ft__conf_reading *r, const struct ft__conf_node *node,
				   struct ft_manager_config *config)
{
	struct config_problem p = {.out = {.builder = ft_builder_type_get(0), .line = node->line}};
	enum ft_status status = ft__rows_read(r, node, "a problem", ft__problem_rows, &p);

	if (!status)
		status = check_problem(r, node, &p, config);
	if (!status) {
		/* The executable, its words, and the sizes behind them in their order, where no word has them. */
		struct ft_program *program = &p.out.program;
		bool append = !names_params(&p), good;
		char place[FT_PARAM_LENGTH + 3];

		program->argv = ft_calloc(p.n_words + program->n_params + 2, sizeof *program->argv);
		good = program->argv && (!p.executable || put_word(program, ft_strdup(p.executable)));
		for (size_t i = 0; good && i < p.n_words; i++)
			good = put_word(program, ft_strdup(p.words[i]));
		for (size_t i = 0; good && append && i < program->n_params; i++) {
			(void)snprintf(place, sizeof place, "{%s}", program->param[i].name);
			good = put_word(program, ft_strdup(place));
		}
		if (!good && program->argc)
			program->argc--; /* the word is missing */
		status = good ? FT_OK : ft_nomem(r->err);
	}
	if (!status)
		status = take_problem(r, config, &p.out);
	ft__problem_clear(&p.out);
	ft_free(p.executable);
	for (size_t i = 0; i < p.n_words; i++)
		ft_free(p.words[i]);
	ft_free(p.words);
	return status;
}

/*
 * Reads a whole configuration.
 */

#define COUNT(rows) (sizeof(rows) / sizeof *(rows))
#define FIELD(name) offsetof(struct ft_manager_config, name)

static void clear_texts(char **list, size_t n)
{
	while (n)
		ft_free(list[--n]);
	ft_free(list);
}

void ft_manager_config_clear(struct ft_manager_config *config)
{
	if (!config)
		return;
	for (size_t i = 0; i < config->n_problems; i++)
		ft__problem_clear(&config->problem[i]);
	ft_free(config->problem);
	ft_policies_clear(&config->policies);
	clear_texts(config->hosts, config->n_hosts);
	clear_texts(config->trusted, config->n_trusted);
	ft_free(config->path);
	ft_free(config->store);
	ft_free(config->socket);
	ft_free(config->spool);
	ft_free(config->address);
	ft_free(config->certificate);
	ft_free(config->key);
	ft_free(config->token);
	ft_free(config->user);
	ft_free(config->load_path);
	*config = (struct ft_manager_config){0};
}

/* ---- fields ------------------------------------------------------------------------------------------ */

static const char *order_word(const void *ctx, size_t i)
{
	(void)ctx;
	return ft_order_text((enum ft_order)i);
}

static enum ft_status read_order(struct ft__conf_reading *r, const struct ft__conf_node *node, void *into)
{
	const char *text = ft__reading_text(r, node);

	if (!text)
		return FT_EPARSE;
	if (ft_order_parse(text, &((struct ft_manager_config *)into)->order))
		return FT_OK;
	(void)ft__reading_fail(r, node, FT_EPARSE, "there is no order '%.60s'", text);
	ft__reading_nearest(r, text, order_word, NULL, FT_ORDER_PMM + 1);
	return FT_EPARSE;
}

static enum ft_status read_policies(struct ft__conf_reading *r, const struct ft__conf_node *node, void *into)
{
	return ft__policies_read(r, node, &((struct ft_manager_config *)into)->policies);
}

static enum ft_status read_policy(struct ft__conf_reading *r, const struct ft__conf_node *node, void *into)
{
	return ft__policy_read(r, node, &((struct ft_manager_config *)into)->policies);
}

static enum ft_status read_problem(struct ft__conf_reading *r, const struct ft__conf_node *node, void *into)
{
	return problem_read(r, node, into);
}

static enum ft_status read_problems(struct ft__conf_reading *r, const struct ft__conf_node *node, void *into)
{
	enum ft_status status = FT_OK;

	if (node->text)
		return ft__reading_fail(r, node, FT_EPARSE,
					"problems are a list, ( { ... } ), and '%.40s' here", node->text);
	for (size_t i = 0; !status && i < node->n; i++)
		status = problem_read(r, &node->child[i], into);
	return status;
}

static const struct ft__conf_row load_rows[] = {
	{FT__CONF("load_path", FT_FIELD_TEXT, .at = FIELD(load_path),
		  .help = "the file; default: the load is kept in the store alone, for a month")},
	{FT__CONF("write_period", FT_FIELD_DURATION, .at = FIELD(load_period_s), .least = 1, .most = 86400,
		  .help = "time between two looks at the load, and two writes; default 10s")},
	{FT__CONF("history_size", FT_FIELD_COUNT, .at = FIELD(load_history), .least = 1, .most = 1e7,
		  .help = "newest observations that the file keeps; default 8640")},
	{.call = NULL},
};

static enum ft_status read_load(struct ft__conf_reading *r, const struct ft__conf_node *node, void *into)
{
	return ft__rows_read(r, node, "a load monitor", load_rows, into);
}

/* Ignored fields of PMM's fixed loop: here events trigger work, and every run is stored at once. */
static enum ft_status pass(struct ft__conf_reading *r, const struct ft__conf_node *node, void *into)
{
	static const struct ft_field number = {.name = "this", .kind = FT_FIELD_NUMBER};
	double value;

	(void)into;
	return ft__reading_value(r, node, &number, &value);
}

static const struct ft__conf_row rows[] = {
	{FT__CONF("store", FT_FIELD_TEXT, .at = FIELD(store),
		  .help = "path of the store; default: as of all commands")},
	{FT__CONF("socket", FT_FIELD_TEXT, .at = FIELD(socket),
		  .help = "path of the socket on which the manager answers; default: "
			  "$XDG_RUNTIME_DIR/foretime/manager.sock")},
	{FT__CONF("spool", FT_FIELD_TEXT, .at = FIELD(spool),
		  .help = "folder where programs write timings; default: as --spool of foretime-serve(1)")},
	{FT__CONF("open_to_all", FT_FIELD_FLAG, .at = FIELD(open_to_all),
		  .help = "whether every user of this machine may ask; default: false, only the user of the "
			  "manager")},
	{FT__CONF("address", FT_FIELD_TEXT, .at = FIELD(address),
		  .help = "network address to answer on, as in \"0.0.0.0:8443\"; default: no network")},
	{FT__CONF("certificate", FT_FIELD_TEXT, .at = FIELD(certificate),
		  .help = "path of the certificate (PEM) for that address")},
	{FT__CONF("key", FT_FIELD_TEXT, .at = FIELD(key),
		  .help = "path of its key (PEM), readable for its owner alone (mode 600)")},
	{FT__CONF("token", FT_FIELD_TEXT, .at = FIELD(token),
		  .help = "path of the file with the token that each request over the network has to show "
			  "(mode 600)")},
	{FT__CONF("hosts", FT_FIELD_TEXTS, .at = FIELD(hosts),
		  .help = "names by which requests over the network may call this machine"),
	 .at_n = FIELD(n_hosts)},
	{FT__CONF("user", FT_FIELD_TEXT, .at = FIELD(user),
		  .help = "user as whom benchmarks run, where the manager runs as root")},
	{FT__CONF("trusted", FT_FIELD_TEXTS, .at = FIELD(trusted),
		  .help = "users (names, or numbers) whose timings enter the models of the names that they "
			  "state"),
	 .at_n = FIELD(n_trusted)},
	{FT__PART("order", read_order, "which benchmark goes first: gain (default) or pmm")},
	{FT__PART("load_monitor", read_load,
		  "a file of the load of other processes: a group with the three settings below")},
	{FT__PART("policies", read_policies,
		  "when benchmarks may run: a list of groups, see A POLICY; default: at any time")},
	{FT__OLD("benchmarking_policies", read_policies)},
	{FT__OLD("policy", read_policy), .many = true},
	{FT__PART("problems", read_problems,
		  "what gets a model: a list of groups, see A PROBLEM; default: none")},
	{FT__OLD("problem", read_problem), .many = true},
	{FT__OLD("routine", read_problem), .many = true},
	{FT__OLD("main_sleep_period", pass)},
	{FT__OLD("model_write_time_threshold", pass)},
	{FT__OLD("model_write_execs_threshold", pass)},
	{.call = NULL},
};

void ft_manager_config_manual(struct ft_text *out)
{
	static const struct {
		const char *name;
		const struct ft__conf_row *row;
	} part[] = {{"CONFIGURATION", rows},
		    {"LOAD", load_rows},
		    {"PROBLEM", ft__problem_rows},
		    {"POLICY", ft__policy_rows},
		    {"CONDITION", ft__condition_rows}};

	for (size_t i = 0; i < COUNT(part); i++) {
		ft_text_add(out, "%s@%s@\n", i ? "\n" : "", part[i].name);
		for (const struct ft__conf_row *row = part[i].row; row->field.name; row++) {
			if (!row->field.help)
				continue;
			ft_text_add(out, "\n*%s*\n\t", row->field.name);
			for (const char *c = row->field.help; *c; c++)
				ft_text_add(out, strchr("*_", *c) ? "\\%c" : "%c", *c);
			ft_text_add(out, ".\n");
		}
	}
}

/* ---- the whole --------------------------------------------------------------------------------------- */

static enum ft_status check_network(struct ft__conf_reading *r, const struct ft__conf_node *root,
				    const struct ft_manager_config *config)
{
	if (config->address && (!config->certificate || !config->key || !config->token))
		return ft__reading_fail(
			r, root, FT_EINVAL,
			"an 'address' needs 'certificate', 'key' and 'token': the manager does not serve "
			"a network without them");
	return FT_OK;
}

static enum ft_status read_tree(struct ft_manager_config *out, const char *name,
				const struct ft__conf_node *root, bool is_xml, struct ft_err *err)
{
	struct ft__conf_reading r = {name, err};
	const struct ft__conf_node *top = is_xml ? &root->child[0] : root;
	enum ft_status status;

	if (is_xml && (!strcmp(top->name, "problem") || !strcmp(top->name, "routine")))
		status = problem_read(&r, top, out);
	else if (is_xml && strcmp(top->name, "config") != 0)
		status = ft__reading_fail(&r, top, FT_EPARSE, "the root is <config>, and '%.40s' here",
					  top->name);
	else
		status = ft__rows_read(&r, top, "a configuration", rows, out);
	return status ? status : check_network(&r, top, out);
}

enum ft_status ft_manager_config_parse(struct ft_manager_config *out, const char *name, const char *bytes,
				       size_t length, struct ft_err *err)
{
	static const char mark[] = "\xef\xbb\xbf";
	struct ft__conf_node root = {.line = 1};

	*out = (struct ft_manager_config){0};
	if (length > FT__CONFIG_MAX || memchr(bytes, '\0', length))
		return ft_fail(err, FT_EPARSE, "'%.100s' is no configuration: it is %s", name,
			       length > FT__CONFIG_MAX ? "larger than 256 KiB" : "no text");
	char *text = ft_strndup(bytes, length);
	out->path = ft_strdup(name);
	if (!text || !out->path) {
		ft_free(text);
		ft_manager_config_clear(out);
		return ft_nomem(err);
	}
	char *at = text + (strncmp(text, mark, 3) ? 0 : 3);
	bool is_xml = at[strspn(at, " \t\r\n")] == '<';
	enum ft_status status = is_xml ? ft__xml_parse(&root, name, at, strlen(at), err)
				       : ft__conf_parse(&root, name, at, err);
	if (!status)
		status = read_tree(out, name, &root, is_xml, err);
	ft__node_clear(&root);
	ft_free(text);
	if (status)
		ft_manager_config_clear(out);
	return status;
}

/* At most `most` bytes; one byte more shows that the file is longer. */
static ssize_t read_bytes(int fd, char *bytes, size_t most)
{
	size_t length = 0;

	while (length < most) {
		ssize_t n = read(fd, bytes + length, most - length);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -1 : (ssize_t)length;
		length += (size_t)n;
	}
	return (ssize_t)length;
}

static enum ft_status read_fd(struct ft_manager_config *out, const char *path, int fd, struct ft_err *err)
{
	char *bytes = ft_malloc(FT__CONFIG_MAX + 1);
	struct stat st;

	if (!bytes)
		return ft_nomem(err);
	if (!fstat(fd, &st) && !S_ISREG(st.st_mode)) {
		ft_free(bytes);
		return ft_fail(err, FT_EIO, "'%.200s' is no file", path);
	}
	ssize_t length = read_bytes(fd, bytes, FT__CONFIG_MAX + 1);
	enum ft_status status = length < 0 ? ft_fail_errno(err, errno, "cannot read '%.200s'", path)
					   : ft_manager_config_parse(out, path, bytes, (size_t)length, err);
	ft_free(bytes);
	return status;
}

enum ft_status ft_manager_config_read(struct ft_manager_config *out, const char *path, struct ft_err *err)
{
	int fd;
	enum ft_status status = ft_manager_open_file(path, (uid_t)-1, &fd, err);

	*out = (struct ft_manager_config){0};
	if (status)
		return status;
	status = read_fd(out, path, fd, err);
	(void)close(fd);
	return status;
}
