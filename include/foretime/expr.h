/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expr.h - expressions of named numbers: the work of a program (`2*n^3`), a constraint (`np <= nx`).
 *
 * Grammar, loosest first:  a||b  a&&b  !a  == != < <= > >=  + -  * / %  unary -  ^ (right to left)  ( )
 * Numbers as in C, decimal. Names: letter or _, then letters, digits, _. Functions: abs sqrt exp log
 * (natural) log2 log10 ceil floor round (halves up), pow of two arguments, min and max of two or more.
 * Comparisons and logic give 1 or 0.
 * `**` is read as `^`. -2^2 is -4; 2^-1 is allowed. % has the sign of its left side, as in C. a < b < c is
 * refused.
 */
#ifndef FORETIME_EXPR_H
#define FORETIME_EXPR_H

#include "foretime/status.h"

FT_BEGIN_DECLS

struct ft_expr;

enum ft_expr_language { FT_EXPR_OWN, FT_EXPR_PYTHON, FT_EXPR_GROOVY };

/* ft_expr_new - parse text.
 *
 * out  heap, ends with ft_expr_free; NULL on failure
 *
 * Returns FT_OK; FT_EPARSE (what was expected, and at which column); FT_ENOMEM. Depth and length are bounded
 * (200 levels, 4096 bytes): FT_EPARSE beyond.
 */
enum ft_status ft_expr_new(struct ft_expr **out, const char *text, struct ft_err *err);
void ft_expr_free(struct ft_expr *expr);

/* ft_expr_name - the i-th different name that the expression uses, in order of appearance; NULL past the
 * last. */
const char *ft_expr_name(const struct ft_expr *expr, size_t i);

/* ft_expr_eval - the value where name[i] has value[i].
 *
 * Returns FT_OK; FT_EINVAL: a name without a value (the text names it), or a result that is not finite.
 * Cost O(nodes x n). Threads: no shared state.
 */
enum ft_status ft_expr_eval(const struct ft_expr *expr, const char *const name[], const double value[],
			    size_t n, double *out, struct ft_err *err);

/* ft_expr_print - the expression in a language's own syntax, with as few parentheses as it needs.
 *
 * buffer  [size] the caller's; always ends in a zero byte when size > 0
 *
 * Returns the length of the whole text, as snprintf does. FT_EXPR_OWN parses back to the same expression
 * (while it is within the length that is read). FT_EXPR_PYTHON is for after `import math`; FT_EXPR_GROOVY
 * expects doubles for names. Comparisons and logic give true or false there, but 1 or 0 where a number is
 * needed.
 */
size_t ft_expr_print(const struct ft_expr *expr, enum ft_expr_language language, char *buffer, size_t size);

FT_END_DECLS
#endif
