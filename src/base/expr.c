/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expr.c - parses, evaluates and prints expressions of named numbers. */
#include "base/alloc.h"
#include "base/expr_node.h"
#include "base/number.h"
#include "base/text.h"
#include "foretime/base.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The precedence of operators. */
enum ft__level {
	FT__ANY,
	FT__OR_LEVEL,
	FT__AND_LEVEL,
	FT__NOT_LEVEL,
	FT__COMPARISON,
	FT__SUM,
	FT__PRODUCT,
	FT__UNARY,
	FT__POWER,
	FT__ATOM
};

/* Each text byte makes at most one node. */
enum { FT__EXPR_BYTES = 4096, FT__EXPR_DEPTH = 200 };

/*
 * An expression as text, in our own syntax and in those of other languages.
 */

/* The text around operands a and b: "before a between b after". */
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

static void put_node(struct expr_print_printer *printer, size_t i, enum ft__level least);

/* An operand. Python's `2 and 3` is 3, Groovy's true is no number: convert it to the expected type. */
static void put_operand(struct expr_print_printer *printer, enum ft__op parent, size_t i,
			enum ft__level least)
{
	bool is = printer->expr->node[i].op >= FT__OR && printer->expr->node[i].op <= FT__GE,
	     wanted = (printer->language != FT_EXPR_OWN && (parent == FT__OR || parent == FT__AND)) ||
		      (printer->language == FT_EXPR_GROOVY && parent == FT__NOT);

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

static void put_both(struct expr_print_printer *printer, const struct ft__node *node,
		     const struct expr_print_form *form)
{
	const struct ft__node *first = &printer->expr->node[node->a];

	if (printer->language != FT_EXPR_GROOVY && (node->op == FT__MIN || node->op == FT__MAX) &&
	    printer->expr->node[node->a].op == node->op)
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

/*
 * Parses, evaluates and prints expressions of named numbers.
 */

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

/*
 * The grammar of expressions, by recursive descent.
 */

struct parser {
	struct ft_expr *expr;
	const char *text, *at; /* at: never a blank between calls */
	int depth;
	enum ft_status status; /* of the first failure; parsing goes no further */
	struct ft_err *err;
};

/* A sign, its operator, and the rule for its operand. */
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

/* The unexpected text, for messages. */
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

/* Enter a nested level; the caller leaves it again. */
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

/* sum [sign sum]: a < b < c has different meanings in C and Python, so it is rejected. */
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

/* The remedy for text after the end of the expression. */
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
