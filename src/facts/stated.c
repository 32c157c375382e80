/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stated.c - whether what is stated of a program's work and sizes makes sense. */
#include "foretime/expr.h"
#include "foretime/facts.h"

/* Each name in it is a parameter. */
static enum ft_status check_names(const struct ft_program *program, const struct ft_expr *expr,
				  const char *what, const char *text, const char *example, struct ft_err *err)
{
	const char *name;

	for (size_t i = 0; (name = ft_expr_name(expr, i)); i++) {
		if (ft_program_find_param(program, name) >= 0)
			continue;
		(void)ft_fail(err, FT_EINVAL, "the %s '%s' uses '%s', which is no parameter", what, text,
			      name);
		return !example ? FT_EINVAL
				: ft_remedy(err, "the parameters are those written before --, such as %s",
					    example);
	}
	return FT_OK;
}

/* The work at a share of the way from the least to the most of every parameter. */
static enum ft_status check_at(const struct ft_program *program, const struct ft_expr *work, double share,
			       struct ft_err *err)
{
	const char *name[FT_PARAMS_MAX];
	struct ft_size size = {.n = program->n_params};
	char at[256];
	double value = 0;

	for (size_t i = 0; i < program->n_params; i++) {
		const struct ft_param *param = &program->param[i];
		struct ft_space space = ft_param_space(param);

		name[i] = param->name;
		size.value[i] = ft_space_nearest(&space, param->least + share * (param->most - param->least));
	}
	(void)ft_size_format(program, &size, at, sizeof at);
	if (ft_expr_eval(work, name, size.value, size.n, &value, err))
		return ft_fail_at(err, "the work '%.100s' at %s", program->work, at);
	if (value > 0)
		return FT_OK;
	(void)ft_fail(err, FT_EINVAL, "the work '%s' is %g at %s, and must be positive", program->work, value,
		      at);
	return ft_remedy(err, "state with --work a volume of computation that is above 0 in the whole range");
}

enum ft_status ft_program_check_work(const struct ft_program *program, struct ft_err *err)
{
	struct ft_expr *work = NULL;

	if (!program->work)
		return FT_OK;
	if (ft_expr_new(&work, program->work, err))
		return ft_fail_at(err, "the work");
	enum ft_status status = check_names(program, work, "work", program->work,
					    program->n_params ? program->param[0].name : NULL, err);
	for (size_t i = 0; !status && i <= 2; i++)
		status = check_at(program, work, (double)i / 2, err);
	ft_expr_free(work);
	return status;
}

enum ft_status ft_program_check_where(const struct ft_program *program, const char *where, struct ft_err *err)
{
	struct ft_expr *expr = NULL;

	if (!where)
		return FT_OK;
	if (ft_expr_new(&expr, where, err))
		return ft_fail_at(err, "the constraint");
	enum ft_status status = check_names(program, expr, "constraint", where,
					    program->n_params ? program->param[0].name : "n=64:3000", err);
	ft_expr_free(expr);
	return status;
}
