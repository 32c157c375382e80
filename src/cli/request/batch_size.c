/* SPDX-License-Identifier: GPL-3.0-or-later */
/* batch_size.c - where a workflow takes sizes from, and expressions of them in its language. */
#include "cli/request/batch.h"
#include "base/word.h"
#include "cli/common.h"
#include "cli/facts.h"
#include "foretime/expr.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The parameter that a --size is about, and its expression; -1 when it names none and several are open.
 */
static int size_from_of(const struct cli_request *r, const char *text, const char **expression)
{
	const struct ft_program *program = ft_ask_program(r->models.answerer);
	size_t length = strcspn(text, "="), i;
	int only = -1;

	for (i = 0; i < program->n_params; i++) {
		const char *name = program->param[i].name;

		if (text[length] == '=' && text[length + 1] != '=' && strlen(name) == length &&
		    !strncmp(name, text, length)) {
			*expression = text + length + 1;
			return (int)i;
		}
		if (r->open[i])
			only = only == -1 ? (int)i : -2;
	}
	*expression = text;
	return only < 0 ? -1 : only;
}

int cli_batch_check(const struct cli_request *r)
{
	const struct ft_program *program = ft_ask_program(r->models.answerer);
	bool said[FT_PARAMS_MAX] = {false};

	for (size_t i = 0; i < r->size_from.n; i++) {
		const char *expression;
		int param = size_from_of(r, r->size_from.text[i], &expression);

		if (param < 0)
			return cli_fail("--size '%s' is of which parameter?\n"
					"hint: write --size 'NAME=EXPRESSION', once for each",
					r->size_from.text[i]);
		if (!r->open[param])
			return cli_fail("--size '%s': parameter '%s' is not left open", r->size_from.text[i],
					program->param[param].name);
		if (said[param])
			return cli_fail("--size gives '%s' twice", program->param[param].name);
		said[param] = true;
		for (const char *c = expression; *c; c++)
			if (iscntrl((unsigned char)*c))
				return cli_fail("--size holds a control character");
		if (!*expression)
			return cli_fail("--size '%s' has no expression", r->size_from.text[i]);
	}
	return CLI_DONE;
}

const char *cli_batch_size_from(const struct cli_request *r, size_t param)
{
	const char *expression;

	for (size_t i = 0; i < r->size_from.n; i++)
		if (size_from_of(r, r->size_from.text[i], &expression) == (int)param)
			return expression;
	return NULL;
}

double cli_batch_unit(const char *name)
{
	return ft_word_at("bytes size_bytes input_bytes", name) != SIZE_MAX     ? 1
	       : ft_word_at("mb size_mb input_mb", name) != SIZE_MAX            ? 0x1p20
	       : ft_word_at("gb size_gb input_gb input_size", name) != SIZE_MAX ? 0x1p30
										: NAN;
}

/* A name as an identifier. */
char *cli_batch_identifier(const char *name)
{
	char *out = cli_printed("%s%s", isdigit((unsigned char)*name) ? "_" : "", name), *c;

	for (c = out; *c; c++)
		if (!isalnum((unsigned char)*c) && *c != '_')
			*c = '_';
	return out;
}

double cli_batch_least(const struct cli_request *r, size_t param)
{
	const struct ft_runs *runs = ft_ask_runs(r->models.answerer);
	double least = fmax(r->all.time.text ? r->all.time.from : (double)NAN,
			    r->all.memory.text ? r->all.memory.from : (double)NAN); /* passes over NaN */
	bool told = !isnan(least);

	for (size_t i = 0; i < runs->n && !told; i++)
		if (runs->run[i].outcome == FT_DONE && runs->run[i].size.value[param] > 0)
			least = fmin(least, runs->run[i].size.value[param]);
	return least;
}

/* ---- expressions in other languages ------------------------------------------------------------------- */

/* Parameters under names that no language keeps for itself: n is size_n. A name before '(' is a function. */
static char *rename_params(const struct ft_program *program, const char *text)
{
	char *out = cli_strdup("");

	while (*text) {
		size_t length = 0;
		bool is_param = false;

		while (isalnum((unsigned char)text[length]) || text[length] == '_')
			length++;
		for (size_t i = 0; i < program->n_params && text[length] != '('; i++)
			is_param = is_param || (strlen(program->param[i].name) == length &&
						!strncmp(text, program->param[i].name, length));
		length = length ? length : 1;
		cli_reprint(&out, "%s%s%.*s", out, is_param ? "size_" : "", (int)length, text);
		text += length;
	}
	return out;
}

char *cli_batch_language(const struct cli_request *r, const char *text, bool python)
{
	enum ft_expr_language language = python ? FT_EXPR_PYTHON : FT_EXPR_GROOVY;
	char *renamed = rename_params(ft_ask_program(r->models.answerer), text), *out = NULL;
	struct ft_expr *expr;
	struct ft_err err = {0};

	if (ft_expr_new(&expr, renamed, &err)) {
		(void)cli_error(&err);
	} else {
		size_t length = ft_expr_print(expr, language, NULL, 0);
		out = cli_alloc(length + 1);
		(void)ft_expr_print(expr, language, out, length + 1);
	}
	ft_expr_free(expr);
	free(renamed);
	return out;
}
