/* SPDX-License-Identifier: GPL-3.0-or-later */
/* config_params.c - the parameters of a program: as foretime build has them ("n=64:3000:64"), or field by
 * field as PMM (001 Fig. 4). */
#include "manager/config_parts.h"

#include "base/alloc.h"
#include "base/text.h"
#include "foretime/expr.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

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

/* ---- what constrains them ---------------------------------------------------------------------------- */

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

static const struct ft__conf_row rows[] = {
	{FT__CONF("n_p", FT_FIELD_NUMBER, .at = offsetof(struct params, stated))},
	{FT__OLD("param", read_param), .many = true},
	{FT__OLD("parameter", read_param), .many = true},
	{FT__OLD("param_constraint", read_constraint)},
	{.call = NULL},
};

/* ---- their order ------------------------------------------------------------------------------------- */

/* Where orders are given, they are those of all. */
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

enum ft_status ft__params_read(struct ft__conf_reading *r, const struct ft__conf_node *node,
			       struct ft_manager_problem *problem)
{
	struct params all = {.problem = problem, .stated = NAN};
	enum ft_status status = FT_OK;

	if (node->n && node->child[0].name)
		status = ft__rows_read(r, node, "the list of parameters", rows, &all);
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
