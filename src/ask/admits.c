/* SPDX-License-Identifier: GPL-3.0-or-later */
/* admits.c - whether a size meets the constraint of its program, and which one does where it does not. */
#include "ask/ask.h"
#include "foretime/expr.h"

#include <math.h>

static enum ft_status meets_where(const struct ft_program *program, const struct ft_expr *where,
				  const struct ft_size *size, bool *yes, struct ft_err *err)
{
	const char *name[FT_PARAMS_MAX];
	double value = 0;

	for (size_t i = 0; i < program->n_params; i++)
		name[i] = program->param[i].name;
	enum ft_status status = ft_expr_eval(where, name, size->value, size->n, &value, err);
	*yes = !status && value != 0;
	return status;
}

/* Of the sizes that were run and meet the constraint the nearest; NULL: there is none. */
static const struct ft_size *nearest_size(const struct ft_answerer *a, const struct ft_expr *where,
					  const struct ft_size *size)
{
	const struct ft_size *best = NULL;
	double least = INFINITY;

	for (size_t i = 0; i < a->runs.n; i++) {
		const struct ft_run *run = &a->runs.run[i];
		double far = ft__size_distance(&run->size, size);
		bool yes;

		if (run->outcome == FT_DONE && far < least &&
		    !meets_where(&a->program, where, &run->size, &yes, NULL) && yes) {
			least = far;
			best = &run->size;
		}
	}
	return best;
}

enum ft_status ft_ask_admits(const struct ft_answerer *answerer, const struct ft_size *size,
			     struct ft_err *err)
{
	const struct ft_program *program = &answerer->program;
	struct ft_expr *where;
	char at[256];
	bool yes;

	if (!program->where)
		return FT_OK;
	FT_TRY(ft_expr_new(&where, program->where, err));
	enum ft_status status = meets_where(program, where, size, &yes, err);
	const struct ft_size *near = status || yes || !err ? NULL : nearest_size(answerer, where, size);
	ft_expr_free(where);
	if (status || yes)
		return status;
	(void)ft_size_format(program, size, at, sizeof at);
	(void)ft_fail(err, FT_EINVAL, "'%s' makes no sense at %s: its sizes meet %s", program->name, at,
		      program->where);
	if (near) {
		(void)ft_size_format(program, near, at, sizeof at);
		(void)ft_remedy(err, "ask for a size that does; the nearest that was run is %s", at);
	} else {
		(void)ft_remedy(err,
				"no size that was run does: state another one with foretime build --where");
	}
	return FT_EINVAL; /* also without err */
}
