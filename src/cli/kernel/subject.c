/* SPDX-License-Identifier: GPL-3.0-or-later */
/* subject.c - a kernel and its launch, made of what was typed. */
#include "cli/common.h"
#include "cli/kernel/kernel.h"
#include "cli/words.h"
#include "tell/read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void cli_kernel_subject_clear(struct cli_kernel_subject *s)
{
	for (size_t i = 0; i < s->n; i++) {
		free((char *)(uintptr_t)s->argument[i].name);
		free((char *)(uintptr_t)s->argument[i].bytes);
		free((void *)(uintptr_t)s->argument[i].data);
	}
	free(s->argument);
	free(s->sizes[0]);
	free(s->sizes[1]);
	ft_kernel_close(s->kernel);
}

/* The argument of a name, a new one where there is none; the name is taken. */
static struct ft_kernel_argument *argument(struct cli_kernel_subject *s, char *name)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		if (!strcmp(s->argument[i].name, name)) {
			free(name);
			return &s->argument[i];
		}
	s->argument = cli_grow(s->argument, s->n, &s->capacity, sizeof *s->argument);
	s->argument[i] = (struct ft_kernel_argument){.name = name, .value = NAN};
	s->n++;
	return &s->argument[i];
}

static int take_values(struct cli_kernel_subject *s, const struct cli_kernel *k)
{
	for (size_t i = 1; i < k->words; i++) {
		char *name = NULL;
		double value;
		int status = cli_kernel_value(k->word[i], &name, &value);

		if (status != CLI_DONE)
			return status;
		argument(s, name)->value = value;
	}
	return CLI_DONE;
}

/* NAME=REST of an option; NULL after a complaint. */
static struct ft_kernel_argument *named(struct cli_kernel_subject *s, const char *option, const char *text,
					const char **rest)
{
	const char *equals = strchr(text, '=');

	if (!equals || equals == text || !equals[1]) {
		(void)cli_fail("--%s is NAME=..., not '%s'", option, text);
		return NULL;
	}
	*rest = equals + 1;
	return argument(s, cli_printed("%.*s", (int)(equals - text), text));
}

static int take_buffers(struct cli_kernel_subject *s, const struct cli_kernel *k)
{
	const char *rest;
	struct ft_err err = {0};
	size_t i;

	for (i = 0; i < k->buffers.n; i++) {
		struct ft_kernel_argument *a = named(s, "buffer", k->buffers.text[i], &rest);

		if (!a)
			return CLI_WRONG;
		free((char *)(uintptr_t)a->bytes);
		a->bytes = cli_strdup(rest);
	}
	for (i = 0; i < k->data.n; i++) {
		struct ft_kernel_argument *a = named(s, "data", k->data.text[i], &rest);
		char *bytes;

		if (!a)
			return CLI_WRONG;
		if (ft_tell_read(rest, &bytes, &a->data_bytes, &err))
			return cli_error(&err);
		free((void *)(uintptr_t)a->data);
		a->data = bytes;
	}
	for (i = 0; i < k->fixed.n; i++)
		argument(s, cli_strdup(k->fixed.text[i]))->fixed = true;
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

/* Arguments that neither the kernel nor a size has were mistyped. */
static int check_names(const struct cli_kernel_subject *s)
{
	size_t n, i, k;
	const struct ft_kernel_param *param = ft_kernel_params(s->kernel, &n);

	for (i = 0; i < s->n; i++) {
		const struct ft_kernel_argument *a = &s->argument[i];

		for (k = 0; k < n && strcmp(param[k].name, a->name) != 0; k++)
			;
		if (k < n && (a->data || a->bytes) &&
		    (param[k].kind == FT_KERNEL_WHOLE || param[k].kind == FT_KERNEL_REAL))
			return cli_fail("%s is a number, no buffer", a->name);
		if (k < n && !isnan(a->value) &&
		    (param[k].kind == FT_KERNEL_GLOBAL || param[k].kind == FT_KERNEL_LOCAL)) {
			(void)cli_fail("%s is a buffer, no number", a->name);
			cli_hint("--buffer %s=BYTES says how large it is", a->name);
			return CLI_WRONG;
		}
		if (k == n && (a->data || a->bytes))
			return cli_fail("kernel %s has no parameter %s", ft_kernel_name(s->kernel), a->name);
	}
	return CLI_DONE;
}

static int take(struct cli_kernel_subject *s, const struct cli_kernel *k)
{
	int status;

	if (!k->global || !k->local) {
		(void)cli_fail("how many work-items there are is not said");
		cli_hint("-g 1024,1024 -l 16,16: all of them, and those of a group");
		return CLI_WRONG;
	}
	status = take_values(s, k);
	if (status == CLI_DONE)
		status = take_buffers(s, k);
	if (status == CLI_DONE)
		status = take_sizes("g", k->global, s->launch.global, &s->sizes[0]);
	if (status == CLI_DONE)
		status = take_sizes("l", k->local, s->launch.local, &s->sizes[1]);
	s->launch.argument = s->argument;
	s->launch.n = s->n;
	return status;
}

static int compile(struct cli_kernel_subject *s, const struct cli_kernel *k)
{
	struct ft_kernel_source source = {.path = k->word[0], .kernel = k->kernel, .clang = k->clang};
	struct ft_err err = {0};
	char **flag = NULL;
	size_t n = 0;
	int status = CLI_DONE;

	if (k->flags)
		status = cli_words_split(k->flags, &flag, &n);
	source.flag = (const char *const *)flag;
	source.n_flags = n;
	if (status == CLI_DONE && ft_kernel_open(&s->kernel, &source, &err))
		status = cli_error(&err);
	for (size_t i = 0; i < n; i++)
		free(flag[i]);
	free(flag);
	return status;
}

int cli_kernel_subject_open(struct cli_kernel_subject *s, const struct cli_kernel *k)
{
	int status = take(s, k);

	if (status == CLI_DONE)
		status = compile(s, k);
	return status == CLI_DONE ? check_names(s) : status;
}
