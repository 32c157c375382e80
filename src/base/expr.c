/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expr.c - what an expression of named numbers is worth. */
#include "base/alloc.h"
#include "base/expr_node.h"
#include "foretime/units.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void ft_expr_free(struct ft_expr *expr)
{
	if (!expr)
		return;
	for (size_t i = 0; i < expr->n_names; i++)
		ft_free(expr->name[i]);
	ft_free(expr->name);
	ft_free(expr->node);
	ft_free(expr);
}

const char *ft_expr_name(const struct ft_expr *expr, size_t i)
{
	return i < expr->n_names ? expr->name[i] : NULL;
}

static double apply_op(enum ft__op op, double a, double b)
{
	switch (op) {
	case FT__OR:
		return a != 0 || b != 0;
	case FT__AND:
		return a != 0 && b != 0;
	case FT__NOT:
		return a == 0;
	case FT__EQ:
		return a == b;
	case FT__NE:
		return a != b;
	case FT__LT:
		return a < b;
	case FT__LE:
		return a <= b;
	case FT__GT:
		return a > b;
	case FT__GE:
		return a >= b;
	case FT__ADD:
		return a + b;
	case FT__SUB:
		return a - b;
	case FT__MUL:
		return a * b;
	case FT__DIV:
		return a / b;
	case FT__MOD:
		return fmod(a, b);
	case FT__NEG:
		return -a;
	case FT__POW:
		return pow(a, b);
	case FT__ABS:
		return fabs(a);
	case FT__SQRT:
		return sqrt(a);
	case FT__EXP:
		return exp(a);
	case FT__LOG:
		return log(a);
	case FT__LOG2:
		return log2(a);
	case FT__LOG10:
		return log10(a);
	case FT__CEIL:
		return ceil(a);
	case FT__FLOOR:
		return floor(a);
	case FT__ROUND: /* not round(): other languages have no function that takes halves away from zero */
		return floor(a + 0.5);
	case FT__MIN:
		return b < a ? b : a;
	case FT__MAX:
		return b > a ? b : a;
	default:
		return NAN;
	}
}

/* The value of a name among those given. */
static bool find_value(const char *wanted, const char *const name[], const double value[], size_t n,
		       double *out)
{
	for (size_t i = 0; i < n; i++) {
		if (strcmp(name[i], wanted) != 0)
			continue;
		*out = value[i];
		return true;
	}
	return false;
}

static enum ft_status fail_name(const char *wanted, const char *const name[], size_t n, struct ft_err *err)
{
	char known[256] = "";
	size_t length = 0;

	for (size_t i = 0; i < n && length + strlen(name[i]) + 3 < sizeof known; i++) {
		if (i)
			length = (size_t)(stpcpy(known + length, ", ") - known);
		length = (size_t)(stpcpy(known + length, name[i]) - known);
	}
	(void)ft_fail(err, FT_EINVAL, "'%.64s' in the expression has no value", wanted);
	if (n)
		(void)ft_remedy(err, "use the parameters that there are: %s", known);
	else
		(void)ft_remedy(err, "give it a value, as in %.64s=100", wanted);
	return FT_EINVAL;
}

static enum ft_status fail_value(const char *const name[], const double value[], size_t n, struct ft_err *err)
{
	char digits[FT_NUMBER_LENGTH];

	(void)ft_fail(err, FT_EINVAL, "the expression has no finite value%s", n ? " where" : "");
	for (size_t i = 0; err && i < n; i++) {
		size_t length = strlen(err->text);

		(void)snprintf(err->text + length, sizeof err->text - length, " %.64s=%s", name[i],
			       ft_number_format(value[i], digits));
	}
	(void)ft_remedy(
		err, "look for a division by zero, a logarithm or root of a negative number, or a power that "
		     "is too large");
	return FT_EINVAL;
}

enum ft_status ft_expr_eval(const struct ft_expr *expr, const char *const name[], const double value[],
			    size_t n, double *out, struct ft_err *err)
{
	double at[FT__EXPR_BYTES]; /* the value of each node */

	*out = 0;
	for (size_t i = 0; i < expr->n_nodes; i++) {
		const struct ft__node *node = &expr->node[i];

		if (node->op == FT__NUMBER)
			at[i] = node->number;
		else if (node->op != FT__NAME)
			at[i] = apply_op(node->op, at[node->a], at[node->b]);
		else if (!find_value(expr->name[node->name], name, value, n, &at[i]))
			return fail_name(expr->name[node->name], name, n, err);
	}
	assert(expr->n_nodes > 0);
	/* Every node was set above. NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage) */
	if (!isfinite(at[expr->n_nodes - 1]))
		return fail_value(name, value, n, err);
	*out = at[expr->n_nodes - 1];
	return FT_OK;
}
