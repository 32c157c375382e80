/* SPDX-License-Identifier: GPL-3.0-or-later */
/* subject.c - the launch of a kernel, made of what was typed. */
#include "cli/device/subject.h"
#include "cli/common.h"
#include "cli/words.h"
#include "foretime/expr.h"
#include "tell/read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void cli_subject_clear(struct cli_subject *s)
{
	for (size_t i = 0; i < s->n; i++) {
		free((char *)(uintptr_t)s->argument[i].name);
		free((char *)(uintptr_t)s->argument[i].bytes);
		free((char *)(uintptr_t)s->argument[i].count);
		free((void *)(uintptr_t)s->argument[i].data);
	}
	free(s->argument);
	free(s->sizes[0]);
	free(s->sizes[1]);
}

/* The argument of a name, a new one where there is none; the name is taken. */
static struct ft_kernel_argument *argument_of(struct cli_subject *s, char *name)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		if (!strcmp(s->argument[i].name, name)) {
			free(name);
			return &s->argument[i];
		}
	s->argument = cli_grow(s->argument, s->n, sizeof *s->argument);
	s->argument[i] = (struct ft_kernel_argument){.name = name, .value = NAN};
	s->n++;
	return &s->argument[i];
}

static int take_values(struct cli_subject *s, const struct cli_kernel *k)
{
	for (size_t i = 1; i < k->words; i++) {
		char *name = NULL;
		double value;

		CLI_TRY(cli_kernel_value(k->word[i], &name, &value));
		argument_of(s, name)->value = value;
	}
	return CLI_DONE;
}

/* NAME=REST of an option; NULL after a complaint. */
static struct ft_kernel_argument *split_named(struct cli_subject *s, const char *option, const char *text,
					      const char **rest)
{
	const char *equals = strchr(text, '=');

	if (!equals || equals == text || !equals[1]) {
		(void)cli_fail("--%s is NAME=..., not '%s'", option, text);
		return NULL;
	}
	*rest = equals + 1;
	return argument_of(s, cli_printed("%.*s", (int)(equals - text), text));
}

/* ---- --arg ------------------------------------------------------------------------------------------- */

/* bytes: out, of one such element; 0: the text names none. */
static size_t read_element(const char *text, size_t length, enum ft_kernel_element *element)
{
#define WORD(NAME, word, bytes)  word,
#define BYTES(NAME, word, bytes) bytes,
	static const char *const word[] = {FT_KERNEL_ELEMENT_LIST(WORD)};
	static const size_t bytes[] = {FT_KERNEL_ELEMENT_LIST(BYTES)};
#undef BYTES
#undef WORD
	size_t i;

	for (i = 0; i < FT_KERNEL_ELEMENTS; i++)
		if (strlen(word[i]) == length && !strncmp(word[i], text, length)) {
			*element = (enum ft_kernel_element)i;
			return bytes[i];
		}
	return 0;
}

static int load_argument(struct ft_kernel_argument *a, const char *path)
{
	struct ft_err err = {0};
	char *bytes;

	if (ft_tell_read(path, &bytes, &a->data_bytes, &err))
		return cli_error(&err);
	free((void *)(uintptr_t)a->data);
	a->data = bytes;
	return CLI_DONE;
}

/* "float[n*n]", which says how large the buffer is, too; false: it is not written so. */
static bool take_array(struct ft_kernel_argument *a, const char *text)
{
	const char *open = strchr(text, '['), *end = text + strlen(text) - 1;
	size_t bytes;

	if (!open || *end != ']' || end == open + 1 ||
	    !(bytes = read_element(text, (size_t)(open - text), &a->element)))
		return false;
	free((char *)(uintptr_t)a->count);
	free((char *)(uintptr_t)a->bytes);
	a->count = cli_printed("%.*s", (int)(end - open - 1), open + 1);
	a->bytes = cli_printed("%zu*(%s)", bytes, a->count);
	return true;
}

static int take_number(struct cli_subject *s, size_t at, const char *text)
{
	const char *name[FT_KERNEL_PARAMS];
	double value[FT_KERNEL_PARAMS], out = NAN;
	struct ft_expr *expr = NULL;
	struct ft_err err = {0};
	enum ft_status status = ft_expr_new(&expr, text, &err);
	size_t n = 0;

	for (size_t i = 0; i < s->n && n < FT_KERNEL_PARAMS; i++)
		if (!isnan(s->argument[i].value)) {
			name[n] = s->argument[i].name;
			value[n++] = s->argument[i].value;
		}
	if (!status)
		status = ft_expr_eval(expr, name, value, n, &out, &err);
	ft_expr_free(expr);
	s->argument[at].value = out;
	return status ? cli_error_at(&err, "--arg %s=%s", s->argument[at].name, text) : CLI_DONE;
}

/* An array, a file, a number, or "fixed": it keeps its value in expressions. */
static int take_args(struct cli_subject *s, const struct cli_kernel *k)
{
	const char *rest;

	for (size_t i = 0; i < k->args.n; i++) {
		struct ft_kernel_argument *a = split_named(s, "arg", k->args.text[i], &rest);

		if (!a)
			return CLI_WRONG;
		a->fixed |= !strcmp(rest, "fixed");
		if (a->fixed || take_array(a, rest))
			continue;
		if (strchr(rest, '['))
			return cli_fail("--arg %s: an array is TYPE[COUNT], not '%s'\n"
					"hint: types are char, short, int, long, float, double, and u before "
					"the first four",
					a->name, rest);
		if (access(rest, F_OK) == 0)
			CLI_TRY(load_argument(a, rest));
		else
			CLI_TRY(take_number(s, (size_t)(a - s->argument), rest));
	}
	return CLI_DONE;
}

static int take_buffers(struct cli_subject *s, const struct cli_kernel *k)
{
	const char *rest;

	for (size_t i = 0; i < k->buffers.n; i++) {
		struct ft_kernel_argument *a = split_named(s, "buffer", k->buffers.text[i], &rest);

		if (!a)
			return CLI_WRONG;
		free((char *)(uintptr_t)a->bytes);
		a->bytes = cli_strdup(rest);
	}
	for (size_t i = 0; i < k->data.n; i++) {
		struct ft_kernel_argument *a = split_named(s, "data", k->data.text[i], &rest);

		if (!a || load_argument(a, rest) != CLI_DONE)
			return CLI_WRONG;
	}
	for (size_t i = 0; i < k->fixed.n; i++)
		argument_of(s, cli_strdup(k->fixed.text[i]))->fixed = true;
	return CLI_DONE;
}

/* "n,max(n,2)" in pieces: a comma within parentheses parts nothing. The copy is cut, and kept. */
static int take_sizes(const char *option, const char *text, const char *out[FT_KERNEL_DIMS], char **kept)
{
	char *at = cli_strdup(text);
	size_t n = 0;
	int depth = 0;

	*kept = at;
	out[n++] = at;
	for (; *at; at++) {
		depth += (*at == '(') - (*at == ')');
		if (*at != ',' || depth > 0)
			continue;
		if (n == FT_KERNEL_DIMS)
			return cli_fail("-%s has %d dimensions at most", option, FT_KERNEL_DIMS);
		*at = '\0';
		out[n++] = at + 1;
	}
	return CLI_DONE;
}

int cli_subject_take(struct cli_subject *s, const struct cli_kernel *k, bool grouped)
{
	if (!k->global || (grouped && !k->local))
		return cli_fail(
			"the number of work-items is missing\n"
			"hint: give the global size and the size of a work-group: -g 1024,1024 -l 16,16");
	CLI_TRY(take_values(s, k));
	CLI_TRY(take_args(s, k));
	CLI_TRY(take_buffers(s, k));
	CLI_TRY(take_sizes("g", k->global, s->launch.global, &s->sizes[0]));
	if (k->local)
		CLI_TRY(take_sizes("l", k->local, s->launch.local, &s->sizes[1]));
	s->launch.argument = s->argument;
	s->launch.n = s->n;
	return CLI_DONE;
}

int cli_kernel_source(struct ft_kernel_source *source, const struct cli_kernel *k, char ***flag)
{
	*source = (struct ft_kernel_source){.path = k->word[0], .kernel = k->kernel, .clang = k->clang};
	if (k->flags && cli_words_split(k->flags, flag, &source->n_flags) != CLI_DONE)
		return CLI_WRONG;
	source->flag = (const char *const *)*flag;
	return CLI_DONE;
}

void cli_kernel_source_clear(const struct ft_kernel_source *source, char **flag)
{
	for (size_t i = 0; i < source->n_flags; i++)
		free(flag[i]);
	free(flag);
}

/* ---- compiled ---------------------------------------------------------------------------------------- */

/* Arguments that neither the kernel nor a size has were mistyped. */
static int check_names(const struct cli_kernel_subject *s)
{
	size_t n, k;
	const struct ft_kernel_param *param = ft_kernel_params(s->kernel, &n);

	for (size_t i = 0; i < s->typed.n; i++) {
		const struct ft_kernel_argument *a = &s->typed.argument[i];

		for (k = 0; k < n && strcmp(param[k].name, a->name) != 0; k++)
			;
		if (k < n && (a->data || a->bytes) &&
		    (param[k].kind == FT_KERNEL_WHOLE || param[k].kind == FT_KERNEL_REAL))
			return cli_fail("%s is a number, not a buffer", a->name);
		if (k < n && !isnan(a->value) &&
		    (param[k].kind == FT_KERNEL_GLOBAL || param[k].kind == FT_KERNEL_LOCAL))
			return cli_fail("%s is a buffer, not a number\n"
					"hint: give its size: --arg %s=float[COUNT]",
					a->name, a->name);
		if (k == n && (a->data || a->bytes))
			return cli_fail("kernel %s has no parameter %s", ft_kernel_name(s->kernel), a->name);
	}
	return CLI_DONE;
}

static int compile_subject(struct cli_kernel_subject *s, const struct cli_kernel *k)
{
	struct ft_kernel_source source = {0};
	struct ft_err err = {0};
	char **flag = NULL;
	int status = cli_kernel_source(&source, k, &flag);

	if (status == CLI_DONE && ft_kernel_open(&s->kernel, &source, &err))
		status = cli_error(&err);
	cli_kernel_source_clear(&source, flag);
	return status;
}

int cli_kernel_subject_open(struct cli_kernel_subject *s, const struct cli_kernel *k)
{
	CLI_TRY(cli_subject_take(&s->typed, k, true));
	CLI_TRY(compile_subject(s, k));
	return check_names(s);
}

void cli_kernel_subject_clear(struct cli_kernel_subject *s)
{
	cli_subject_clear(&s->typed);
	ft_kernel_close(s->kernel);
}
