/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expr_node.h - the tree of an expression, shared by its parser, evaluator and printer. */
#ifndef FT_BASE_EXPR_NODE_H
#define FT_BASE_EXPR_NODE_H

#include "foretime/base.h"

#include <stdbool.h>

enum ft__op {
	FT__NUMBER,
	FT__NAME,
	FT__OR,
	FT__AND,
	FT__NOT,
	FT__EQ,
	FT__NE,
	FT__LT,
	FT__LE,
	FT__GT,
	FT__GE,
	FT__ADD,
	FT__SUB,
	FT__MUL,
	FT__DIV,
	FT__MOD,
	FT__NEG,
	FT__POW,
	FT__ABS,
	FT__SQRT,
	FT__EXP,
	FT__LOG,
	FT__LOG2,
	FT__LOG10,
	FT__CEIL,
	FT__FLOOR,
	FT__ROUND,
	FT__MIN,
	FT__MAX,
	FT__OPS /* how many */
};

struct ft__node {
	enum ft__op op;
	size_t a, b;   /* its operands among the nodes; b of two-place ones only */
	size_t name;   /* of FT__NAME: among the names */
	double number; /* of FT__NUMBER: >= 0 */
};

struct ft_expr {
	struct ft__node *node; /* operands before their operators: the last one is the whole */
	size_t n_nodes, nodes_capacity;
	char **name; /* different ones, in order of appearance */
	size_t n_names, names_capacity;
};

#endif
