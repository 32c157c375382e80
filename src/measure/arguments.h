/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arguments.h - a program's command at a size: what stands in braces replaced.
 *
 * Only {identifier} is a placeholder: a column of the cases or a parameter. Any other brace is an ordinary
 * character, so JSON and awk survive. {{identifier}} stands for {identifier}, {{{identifier}}} for the value
 * in braces.
 */
#ifndef FT_MEASURE_ARGUMENTS_H
#define FT_MEASURE_ARGUMENTS_H

#include "base/text.h"
#include "foretime/measure.h"

/* Whose values fill the placeholders. */
struct ft__filling {
	const struct ft_program *program;
	const struct ft_csv *cases; /* NULL: none */
	size_t row;
	const struct ft_size *size;
	bool shell; /* values are words of sh, and ${identifier} is the shell's own */
};

/* ft__arguments_check - whether each placeholder has a value. FT_EINVAL names the first that has none, or
 * that stands within quotes of sh and has a value which is not safe there. */
enum ft_status ft__arguments_check(const struct ft__filling *filling, const char *template,
				   struct ft_err *err);

/* ft__arguments_any - whether a template has a placeholder, {{identifier}} too. */
bool ft__arguments_any(const char *template);

/* ft__arguments_name - whether a template depends on a parameter: it names it, or any column of the cases. */
bool ft__arguments_name(const struct ft__filling *filling, const char *template, const char *name);

/* ft__arguments_fill - add the template to a text, placeholders replaced; it has been checked. */
void ft__arguments_fill(const struct ft__filling *filling, const char *template, struct ft_text *text);

/* ft__arguments_list - all of a program's arguments at a size: a vector that ends with NULL.
 * out  heap, ends with ft_arguments_free; NULL on failure, FT_ENOMEM */
enum ft_status ft__arguments_list(const struct ft__filling *filling, char ***out, struct ft_err *err);

#endif
