/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expr_print.c - an expression as text, in our own syntax and in those of other languages. */
#include "base/expr_node.h"
#include "foretime/units.h"

#include <string.h>

/* What stands around operands a and b: "before a between b after". */
struct expr_print_form {
	const char *before, *between, *after; /* between: NULL where there is one operand */
	enum ft__level level;                 /* how tightly the whole binds */
	enum ft__level left, right;           /* and how tightly operands must, to go without parentheses */
};

#define FUNCTION(name)                                                                                       \
	{                                                                                                    \
		name "(", NULL, ")", FT__ATOM, FT__ANY, FT__ANY                                              \
	}
#define FUNCTION_2(name)                                                                                     \
	{                                                                                                    \
		name "(", ", ", ")", FT__ATOM, FT__ANY, FT__ANY                                              \
	}
#define COMPARISON(sign)                                                                                     \
	{                                                                                                    \
		"", " " sign " ", "", FT__COMPARISON, FT__SUM, FT__SUM                                       \
	}

static const struct expr_print_form own[FT__OPS] = {
	[FT__OR] = {"", " || ", "", FT__OR_LEVEL, FT__OR_LEVEL, FT__AND_LEVEL},
	[FT__AND] = {"", " && ", "", FT__AND_LEVEL, FT__AND_LEVEL, FT__NOT_LEVEL},
	[FT__NOT] = {"!", NULL, "", FT__NOT_LEVEL, FT__NOT_LEVEL, FT__ANY},
	[FT__EQ] = COMPARISON("=="),
	[FT__NE] = COMPARISON("!="),
	[FT__LT] = COMPARISON("<"),
	[FT__LE] = COMPARISON("<="),
	[FT__GT] = COMPARISON(">"),
	[FT__GE] = COMPARISON(">="),
	[FT__ADD] = {"", " + ", "", FT__SUM, FT__SUM, FT__PRODUCT},
	[FT__SUB] = {"", " - ", "", FT__SUM, FT__SUM, FT__PRODUCT},
	[FT__MUL] = {"", "*", "", FT__PRODUCT, FT__PRODUCT, FT__UNARY},
	[FT__DIV] = {"", "/", "", FT__PRODUCT, FT__PRODUCT, FT__UNARY},
	[FT__MOD] = {"", "%", "", FT__PRODUCT, FT__PRODUCT, FT__UNARY},
	[FT__NEG] = {"-", NULL, "", FT__UNARY, FT__UNARY, FT__ANY},
	[FT__POW] = {"", "^", "", FT__POWER, FT__ATOM, FT__UNARY},
	[FT__ABS] = FUNCTION("abs"),
	[FT__SQRT] = FUNCTION("sqrt"),
	[FT__EXP] = FUNCTION("exp"),
	[FT__LOG] = FUNCTION("log"),
	[FT__LOG2] = FUNCTION("log2"),
	[FT__LOG10] = FUNCTION("log10"),
	[FT__CEIL] = FUNCTION("ceil"),
	[FT__FLOOR] = FUNCTION("floor"),
	[FT__ROUND] = FUNCTION("round"),
	[FT__MIN] = FUNCTION_2("min"),
	[FT__MAX] = FUNCTION_2("max"),
};

/* Where other languages differ. Their % and round differ in sign and in halves: fmod and floor do not. */
static const struct expr_print_form python[FT__OPS] = {
	[FT__OR] = {"", " or ", "", FT__OR_LEVEL, FT__OR_LEVEL, FT__AND_LEVEL},
	[FT__AND] = {"", " and ", "", FT__AND_LEVEL, FT__AND_LEVEL, FT__NOT_LEVEL},
	[FT__NOT] = {"not ", NULL, "", FT__NOT_LEVEL, FT__NOT_LEVEL, FT__ANY},
	[FT__MOD] = FUNCTION_2("math.fmod"),
	[FT__POW] = {"", "**", "", FT__POWER, FT__ATOM, FT__UNARY},
	[FT__SQRT] = FUNCTION("math.sqrt"),
	[FT__EXP] = FUNCTION("math.exp"),
	[FT__LOG] = FUNCTION("math.log"),
	[FT__LOG2] = FUNCTION("math.log2"),
	[FT__LOG10] = FUNCTION("math.log10"),
	[FT__CEIL] = FUNCTION("math.ceil"),
	[FT__FLOOR] = FUNCTION("math.floor"),
	[FT__ROUND] = {"math.floor(", NULL, " + 0.5)", FT__ATOM, FT__SUM, FT__ANY},
};

/* Groovy's "--x" is a decrement, and its ! binds tightly. */
static const struct expr_print_form groovy[FT__OPS] = {
	[FT__NOT] = {"!", NULL, "", FT__UNARY, FT__ATOM, FT__ANY},
	[FT__NEG] = {"-", NULL, "", FT__UNARY, FT__POWER, FT__ANY},
	[FT__POW] = FUNCTION_2("Math.pow"),
	[FT__ABS] = FUNCTION("Math.abs"),
	[FT__SQRT] = FUNCTION("Math.sqrt"),
	[FT__EXP] = FUNCTION("Math.exp"),
	[FT__LOG] = FUNCTION("Math.log"),
	[FT__LOG2] = {"(Math.log(", NULL, ") / Math.log(2.0d))", FT__ATOM, FT__ANY, FT__ANY},
	[FT__LOG10] = FUNCTION("Math.log10"),
	[FT__CEIL] = FUNCTION("Math.ceil"),
	[FT__FLOOR] = FUNCTION("Math.floor"),
	[FT__ROUND] = {"Math.floor(", NULL, " + 0.5d)", FT__ATOM, FT__SUM, FT__ANY},
	[FT__MIN] = FUNCTION_2("Math.min"),
	[FT__MAX] = FUNCTION_2("Math.max"),
};

struct expr_print_printer {
	const struct ft_expr *expr;
	enum ft_expr_language language;
	char *buffer;
	size_t size, length;
};

static void put_text(struct expr_print_printer *printer, const char *text)
{
	for (; *text; text++) {
		if (printer->length + 1 < printer->size)
			printer->buffer[printer->length] = *text;
		printer->length++;
	}
}

static void put_number(struct expr_print_printer *printer, double number)
{
	char digits[FT_NUMBER_LENGTH];

	put_text(printer, ft_number_format(number, digits));
	if (printer->language != FT_EXPR_GROOVY)
		return;
	/* Groovy's 2 is an integer, which overflows, and its 0.1 a decimal fraction of ten digits. */
	put_text(printer, strpbrk(digits, ".e") ? "d" : ".0d");
}

static const struct expr_print_form *form_of(const struct expr_print_printer *printer, enum ft__op op)
{
	const struct expr_print_form *form = printer->language == FT_EXPR_PYTHON   ? &python[op]
					     : printer->language == FT_EXPR_GROOVY ? &groovy[op]
										   : &own[op];

	return form->before ? form : &own[op];
}

static bool is_truth(enum ft__op op)
{
	return op >= FT__OR && op <= FT__GE;
}

/* Whether an operator's operands must be true or false, not numbers. Ours and Python's `not` take both. */
static bool wants_truth(const struct expr_print_printer *printer, enum ft__op op)
{
	return (printer->language != FT_EXPR_OWN && (op == FT__OR || op == FT__AND)) ||
	       (printer->language == FT_EXPR_GROOVY && op == FT__NOT);
}

static void put_node(struct expr_print_printer *printer, size_t i, enum ft__level least);

/* An operand. Python's `2 and 3` is 3, Groovy's true is no number: what is expected is made of what is there.
 */
static void put_operand(struct expr_print_printer *printer, enum ft__op parent, size_t i,
			enum ft__level least)
{
	bool is = is_truth(printer->expr->node[i].op), wanted = wants_truth(printer, parent);

	if (wanted && !is) {
		put_text(printer, least > FT__COMPARISON ? "(" : "");
		put_node(printer, i, FT__SUM);
		put_text(printer, printer->language == FT_EXPR_GROOVY ? " != 0.0d" : " != 0");
		put_text(printer, least > FT__COMPARISON ? ")" : "");
	} else if (is && !wanted && printer->language == FT_EXPR_GROOVY) {
		put_text(printer, "(");
		put_node(printer, i, FT__OR_LEVEL);
		put_text(printer, " ? 1.0d : 0.0d)");
	} else {
		put_node(printer, i, least);
	}
}

/* The first operand of a maximum that is one itself stands without its name, as it was read; Groovy's have
 * two.
 */
static bool goes_on(const struct expr_print_printer *printer, const struct ft__node *node)
{
	return printer->language != FT_EXPR_GROOVY && (node->op == FT__MIN || node->op == FT__MAX) &&
	       printer->expr->node[node->a].op == node->op;
}

static void put_both(struct expr_print_printer *printer, const struct ft__node *node,
		     const struct expr_print_form *form)
{
	const struct ft__node *first = &printer->expr->node[node->a];

	if (goes_on(printer, node))
		put_both(printer, first, form);
	else
		put_operand(printer, node->op, node->a, form->left);
	if (form->between) {
		put_text(printer, form->between);
		put_operand(printer, node->op, node->b, form->right);
	}
}

/* A node, in parentheses when it binds less tightly than `least`. */
static void put_node(struct expr_print_printer *printer, size_t i, enum ft__level least)
{
	const struct ft__node *node = &printer->expr->node[i];

	if (node->op == FT__NUMBER) {
		put_number(printer, node->number);
		return;
	}
	if (node->op == FT__NAME) {
		put_text(printer, printer->expr->name[node->name]);
		return;
	}
	const struct expr_print_form *form = form_of(printer, node->op);
	put_text(printer, form->level < least ? "(" : "");
	put_text(printer, form->before);
	put_both(printer, node, form);
	put_text(printer, form->after);
	put_text(printer, form->level < least ? ")" : "");
}

size_t ft_expr_print(const struct ft_expr *expr, enum ft_expr_language language, char *buffer, size_t size)
{
	struct expr_print_printer printer = {
		.expr = expr, .language = language, .buffer = buffer, .size = size};

	put_node(&printer, expr->n_nodes - 1, FT__ANY);
	if (size)
		buffer[printer.length < size ? printer.length : size - 1] = '\0';
	return printer.length;
}
