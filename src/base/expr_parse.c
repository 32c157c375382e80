/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expr_parse.c - the grammar of expressions, by recursive descent. */
#include "base/alloc.h"
#include "base/expr_node.h"
#include "base/number.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct parser {
	struct ft_expr *expr;
	const char *text, *at; /* at: never a blank between calls */
	int depth;
	enum ft_status status; /* of the first failure; parsing goes no further */
	struct ft_err *err;
};

/* A sign, its operator, and the rule for what stands behind it. */
struct sign {
	const char *text;
	enum ft__op op;
};

static const struct sign or_signs[] = {{"||", FT__OR}, {NULL, FT__OPS}};
static const struct sign and_signs[] = {{"&&", FT__AND}, {NULL, FT__OPS}};
static const struct sign sum_signs[] = {{"+", FT__ADD}, {"-", FT__SUB}, {NULL, FT__OPS}};
static const struct sign product_signs[] = {{"*", FT__MUL}, {"/", FT__DIV}, {"%", FT__MOD}, {NULL, FT__OPS}};
static const struct sign power_signs[] = {{"**", FT__POW}, {"^", FT__POW}, {NULL, FT__OPS}};
/* The longer of two that begin alike comes first. */
static const struct sign comparison_signs[] = {{"==", FT__EQ}, {"!=", FT__NE}, {"<=", FT__LE}, {">=", FT__GE},
					       {"<", FT__LT},  {">", FT__GT},  {NULL, FT__OPS}};

static const struct expr_parse_function {
	const char *name;
	enum ft__op op;
	int operands;
} functions[] = {
	{"abs", FT__ABS, 1},     {"sqrt", FT__SQRT, 1},   {"exp", FT__EXP, 1},   {"log", FT__LOG, 1},
	{"log2", FT__LOG2, 1},   {"log10", FT__LOG10, 1}, {"ceil", FT__CEIL, 1}, {"floor", FT__FLOOR, 1},
	{"round", FT__ROUND, 1}, {"min", FT__MIN, 2},     {"max", FT__MAX, 2},   {"pow", FT__POW, 2},
};

enum { N_FUNCTIONS = sizeof functions / sizeof *functions };

#define FUNCTION_NAMES "abs sqrt exp log log2 log10 ceil floor round min max pow"

static size_t parse_or(struct parser *parser);
static size_t parse_unary(struct parser *parser);

static void skip_blanks(struct parser *parser)
{
	while (*parser->at && strchr(" \t\r\n", *parser->at))
		parser->at++;
}

/* What stands where something else was expected, for messages. */
static void describe_at(const char *at, char *buffer, size_t size)
{
	size_t length = ft__name_length(at);

	if (!*at)
		(void)snprintf(buffer, size, "the end");
	else if (length)
		(void)snprintf(buffer, size, "'%.*s'", (int)(length < 40 ? length : 40), at);
	else if (*at > ' ' && *at <= '~')
		(void)snprintf(buffer, size, "'%c'", *at);
	else
		(void)snprintf(buffer, size, "a character that no expression has");
}

/* "cannot read expression '2*': column 3: expected a number, ..., found the end"; keeps the first failure. */
static size_t fail(struct parser *parser, const char *at, const char *expected, const char *remedy)
{
	char found[64];

	if (parser->status != FT_OK)
		return 0;
	describe_at(at, found, sizeof found);
	parser->status = ft_fail(parser->err, FT_EPARSE,
				 "cannot read expression '%.120s': column %zu: expected %s, found %s",
				 parser->text, (size_t)(at - parser->text) + 1, expected, found);
	(void)ft_remedy(parser->err, "%s", remedy);
	return 0;
}

static size_t fail_nomem(struct parser *parser)
{
	if (parser->status == FT_OK)
		parser->status = ft_nomem(parser->err);
	return 0;
}

/* One level deeper, for what can nest; the caller goes up again. */
static bool go_deeper(struct parser *parser)
{
	if (++parser->depth <= FT__EXPR_DEPTH)
		return parser->status == FT_OK;
	if (parser->status != FT_OK)
		return false;
	parser->status =
		ft_fail(parser->err, FT_EPARSE,
			"cannot read expression '%.120s': column %zu: nested more than %d levels deep",
			parser->text, (size_t)(parser->at - parser->text) + 1, FT__EXPR_DEPTH);
	(void)ft_remedy(parser->err, "take parentheses out, or compute a part beforehand");
	return false;
}

static size_t add_node(struct parser *parser, struct ft__node node)
{
	struct ft_expr *expr = parser->expr;

	if (parser->status != FT_OK)
		return 0;
	struct ft__node *grown = ft_grow(expr->node, expr->n_nodes, &expr->nodes_capacity, sizeof *grown);
	if (!grown)
		return fail_nomem(parser);
	expr->node = grown;
	expr->node[expr->n_nodes] = node;
	return expr->n_nodes++;
}

/* Take one of some signs; FT__OPS when none stands here. */
static enum ft__op take_sign(struct parser *parser, const struct sign *sign)
{
	for (; sign->text && strncmp(parser->at, sign->text, strlen(sign->text)) != 0; sign++)
		;
	if (sign->text) {
		parser->at += strlen(sign->text);
		skip_blanks(parser);
	}
	return sign->op;
}

/* operand { sign operand }, from left to right. */
static size_t parse_chain(struct parser *parser, const struct sign *signs, size_t (*operand)(struct parser *))
{
	size_t a = operand(parser);
	enum ft__op op;

	while (parser->status == FT_OK && (op = take_sign(parser, signs)) != FT__OPS) {
		size_t b = operand(parser);

		a = add_node(parser, (struct ft__node){.op = op, .a = a, .b = b});
	}
	return a;
}

/* The number of a name among the different ones. */
static size_t find_name(struct parser *parser, const char *name, size_t length)
{
	struct ft_expr *expr = parser->expr;
	size_t i;

	for (i = 0; i < expr->n_names; i++)
		if (!strncmp(expr->name[i], name, length) && !expr->name[i][length])
			return i;
	char **grown = ft_grow(expr->name, expr->n_names, &expr->names_capacity, sizeof *grown);
	if (!grown)
		return fail_nomem(parser);
	expr->name = grown;
	expr->name[i] = ft_strndup(name, length);
	if (!expr->name[i])
		return fail_nomem(parser);
	return expr->n_names++;
}

/* The second operand; min and max take any number more: max(a, b, c) is max(max(a, b), c). */
static void parse_operands(struct parser *parser, struct ft__node *node)
{
	bool more = false;

	do {
		if (*parser->at != ',') {
			(void)fail(parser, parser->at, "',' and a second operand",
				   "pow takes two operands, min and max two or more: max(n, 100)");
			return;
		}
		parser->at++;
		skip_blanks(parser);
		node->a = more ? add_node(parser, *node) : node->a;
		node->b = parse_or(parser);
		more = node->op == FT__MIN || node->op == FT__MAX;
	} while (parser->status == FT_OK && more && *parser->at == ',');
}

static size_t parse_call(struct parser *parser, const char *name, size_t length)
{
	const struct expr_parse_function *function = functions, *end = functions + N_FUNCTIONS;
	struct ft__node node = {0};

	while (function < end && (strncmp(function->name, name, length) != 0 || function->name[length]))
		function++;
	if (function == end)
		return fail(parser, name, "the name of a function before '('",
			    "functions are " FUNCTION_NAMES "; for a product write *");
	parser->at++; /* '(' */
	skip_blanks(parser);
	if (!go_deeper(parser))
		return 0;
	node.op = function->op;
	node.a = parse_or(parser);
	if (parser->status == FT_OK && function->operands == 2)
		parse_operands(parser, &node);
	if (parser->status == FT_OK && *parser->at != ')')
		return fail(parser, parser->at, "an operator or ')'",
			    "close the parenthesis of the function");
	parser->at += parser->status == FT_OK;
	parser->depth--;
	return add_node(parser, node);
}

static size_t parse_name(struct parser *parser)
{
	const char *name = parser->at;
	size_t length = ft__name_length(name), index;

	parser->at += length;
	skip_blanks(parser);
	if (*parser->at == '(')
		return parse_call(parser, name, length);
	index = find_name(parser, name, length);
	return add_node(parser, (struct ft__node){.op = FT__NAME, .name = index});
}

static size_t parse_parentheses(struct parser *parser)
{
	parser->at++;
	skip_blanks(parser);
	if (!go_deeper(parser))
		return 0;
	size_t inside = parse_or(parser);
	if (parser->status == FT_OK && *parser->at != ')')
		return fail(parser, parser->at, "an operator or ')'", "close the parenthesis");
	parser->at += parser->status == FT_OK;
	parser->depth--;
	return inside;
}

/* number, name, function ( ... ), ( ... ) */
static size_t parse_primary(struct parser *parser)
{
	const char *at = parser->at;
	double number;
	size_t node;

	if (parser->status != FT_OK)
		return 0;
	if (ft__number_scan(at, &parser->at, &number)) {
		if (isinf(number))
			return fail(parser, at, "a number below 1.8e308", "write a smaller number");
		node = add_node(parser, (struct ft__node){.op = FT__NUMBER, .number = number});
	} else if (ft__name_length(at)) {
		node = parse_name(parser);
	} else if (*at == '(') {
		node = parse_parentheses(parser);
	} else {
		return fail(parser, at, "a number, a name, a function or '('",
			    *at == '!' ? "put the negation in parentheses: (!a)"
				       : "write an expression like 2*n^3 or np <= nx");
	}
	skip_blanks(parser);
	return node;
}

/* primary [^ unary]: from right to left, and 2^-1 needs no parentheses. */
static size_t parse_power(struct parser *parser)
{
	size_t a = parse_primary(parser), b;

	if (parser->status != FT_OK || take_sign(parser, power_signs) == FT__OPS)
		return a;
	b = parse_unary(parser);
	return add_node(parser, (struct ft__node){.op = FT__POW, .a = a, .b = b});
}

/* { - } power: -2^2 is -4. */
static size_t parse_unary(struct parser *parser)
{
	if (*parser->at != '-')
		return parse_power(parser);
	parser->at++;
	skip_blanks(parser);
	if (!go_deeper(parser))
		return 0;
	size_t a = parse_unary(parser);
	parser->depth--;
	return add_node(parser, (struct ft__node){.op = FT__NEG, .a = a});
}

static size_t parse_product(struct parser *parser)
{
	return parse_chain(parser, product_signs, parse_unary);
}

static size_t parse_sum(struct parser *parser)
{
	return parse_chain(parser, sum_signs, parse_product);
}

/* sum [sign sum]: a < b < c means one thing in C and another in Python, so it means nothing here. */
static size_t parse_comparison(struct parser *parser)
{
	size_t a = parse_sum(parser), b;

	if (parser->status != FT_OK)
		return 0;
	enum ft__op op = take_sign(parser, comparison_signs);
	if (op == FT__OPS)
		return a;
	b = parse_sum(parser);
	if (parser->status == FT_OK && strchr("<>=!", *parser->at) && *parser->at)
		return fail(parser, parser->at, "no second comparison", "join comparisons: a < b && b < c");
	return add_node(parser, (struct ft__node){.op = op, .a = a, .b = b});
}

/* { ! } comparison */
static size_t parse_not(struct parser *parser)
{
	if (*parser->at != '!' || parser->at[1] == '=')
		return parse_comparison(parser);
	parser->at++;
	skip_blanks(parser);
	if (!go_deeper(parser))
		return 0;
	size_t a = parse_not(parser);
	parser->depth--;
	return add_node(parser, (struct ft__node){.op = FT__NOT, .a = a});
}

static size_t parse_and(struct parser *parser)
{
	return parse_chain(parser, and_signs, parse_not);
}

static size_t parse_or(struct parser *parser)
{
	return parse_chain(parser, or_signs, parse_and);
}

/* What to do about something that stands where the expression could have ended. */
static const char *trailing_remedy(char found)
{
	switch (found) {
	case '=':
		return "for a comparison write ==";
	case '&':
		return "for \"and\" write &&";
	case '|':
		return "for \"or\" write ||";
	case ')':
		return "take the parenthesis out, or open it before";
	case ',':
		return "only min, max and pow take a comma; the decimal separator is a point";
	default:
		return "between factors write *, as in 2*n";
	}
}

static void parse_all(struct parser *parser)
{
	skip_blanks(parser);
	if (strlen(parser->text) > FT__EXPR_BYTES) {
		parser->status =
			ft_fail(parser->err, FT_EPARSE, "the expression '%.40s...' is longer than %d bytes",
				parser->text, FT__EXPR_BYTES);
		(void)ft_remedy(parser->err, "write a shorter one");
		return;
	}
	(void)parse_or(parser);
	if (parser->status == FT_OK && *parser->at)
		(void)fail(parser, parser->at, "an operator or the end", trailing_remedy(*parser->at));
}

enum ft_status ft_expr_new(struct ft_expr **out, const char *text, struct ft_err *err)
{
	struct parser parser = {.text = text, .at = text, .err = err};

	*out = NULL;
	parser.expr = ft_calloc(1, sizeof *parser.expr);
	if (!parser.expr)
		return ft_nomem(err);
	parse_all(&parser);
	if (parser.status != FT_OK) {
		ft_expr_free(parser.expr);
		return parser.status;
	}
	*out = parser.expr;
	return FT_OK;
}
