/* SPDX-License-Identifier: GPL-3.0-or-later */
/* features.c - the features of a launch, and its expressions. */
#include "cli/common.h"
#include "cli/kernel/kernel.h"
#include "cli/output.h"
#include "cli/words.h"
#include "foretime/units.h"
#include "measure/hash.h"
#include "tell/kernel.h"
#include "tell/read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A kernel and its launch, made of what was typed. */
struct subject {
	struct ft_kernel *kernel;
	struct ft_kernel_launch launch;
	struct ft_kernel_argument *argument;
	size_t n, capacity;
	char *sizes[2]; /* -g and -l, in pieces */
};

static void subject_clear(struct subject *s)
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
static struct ft_kernel_argument *argument(struct subject *s, char *name)
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

static int take_values(struct subject *s, const struct cli_kernel *k)
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
static struct ft_kernel_argument *named(struct subject *s, const char *option, const char *text,
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

static int take_buffers(struct subject *s, const struct cli_kernel *k)
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
static int check_names(const struct subject *s)
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

static int take(struct subject *s, const struct cli_kernel *k)
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

static int compile(struct subject *s, const struct cli_kernel *k)
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

/* ---- telling ------------------------------------------------------------------------------------------ */

static void print_head(const struct ft_told_kernel *told)
{
	const struct ft_kernel_features *f = &told->features;
	char each[FT_UNIT_LENGTH];

	printf("kernel %s: %.15g work-items in %.15g groups of %g x %g x %g", told->kernel, f->work_items,
	       f->groups, f->local[0], f->local[1], f->local[2]);
	if ((double)f->groups_run < f->groups) {
		printf("; %zu groups were carried out", f->groups_run);
		if (!isnan(f->error))
			printf(", the draw adds +- %s", ft_share_format(f->error, each));
	}
	printf("\n\n");
}

static void print_table(const struct ft_tell_record *record, const void *rows, size_t n)
{
	struct cli_table table = {0};

	if (!n)
		return;
	cli_table_tell(&table, record, rows, n, NULL);
	cli_table_print(&table, stdout);
	cli_table_clear(&table);
	putchar('\n');
}

static void print_sums(const struct ft_told_kernel *told)
{
	const struct ft_kernel_features *f = &told->features;

	printf("operations    %.10g, %.6g a work-item\n", told->operations, told->operations_each);
	if (!isnan(f->misses_rule))
		printf("cache misses  %.6g by the largest strides, %.6g replayed\n", f->misses_rule,
		       f->misses_replay);
	if (f->local_bytes > 0)
		printf("local memory  %g bytes of a group\n", f->local_bytes);
	for (size_t i = 0; i < f->n_calls; i++)
		printf("%s%s %.10g", i ? ", " : "calls         ", f->call[i].name, f->call[i].times);
	if (f->n_calls)
		putchar('\n');
	putchar('\n');
}

static void print_met(const struct ft_told_kernel *told)
{
	const struct ft_kernel_features *f = &told->features;

	print_table(&ft_tell_kernel_met, f->met, f->n_met);
	if (!f->decided)
		cli_note("counts hang on what is not known: they are guesses");
}

static void print_expressions(const struct ft_told_expressions *e)
{
	for (size_t i = 0; i < e->n_variables; i++)
		printf("%s%s = %lld, %lld, ...", i ? "; " : "for ", e->variable[i].name,
		       (long long)e->variable[i].first,
		       (long long)e->variable[i].first + e->variable[i].step);
	printf(" (from %zu small sizes):\n", e->runs);
	print_table(&ft_tell_kernel_expression, e->expression, e->n);
}

static void print_all(const struct ft_told_kernel *told)
{
	print_head(told);
	print_table(&ft_tell_kernel_count, told->count, told->n);
	print_sums(told);
	print_table(&ft_tell_kernel_access, told->features.access, told->features.n_accesses);
	print_met(told);
	if (told->expressions)
		print_expressions(told->expressions);
}

static int tell(const struct cli_kernel *k, const struct subject *s, struct ft_kernel_features *features,
		const struct ft_kernel_expressions *expressions)
{
	struct ft_told_count count[FT_KERNEL_COUNTS];
	struct ft_told_expressions *told_expressions = NULL;
	char hash[FT__HASH_LENGTH];
	size_t length;
	const char *code = ft_kernel_code(s->kernel, &length);
	struct ft_told_kernel told = {.file = k->word[0],
				      .kernel = ft_kernel_name(s->kernel),
				      .features = *features,
				      .count = count,
				      .dims = FT_KERNEL_DIMS};

	told.hash = ft__hash_format(ft__hash_bytes(FT__HASH_START, code, length), hash);
	told.compiler = ft_kernel_compiler(s->kernel);
	told.operations = ft_kernel_operations(features->count);
	told.operations_each = told.operations / features->work_items;
	told.n = ft_tell_kernel_counts(count, features->count, features->work_items);
	if (k->expressions) {
		told_expressions = cli_alloc(sizeof *told_expressions);
		ft_tell_kernel_expressions(told_expressions, expressions);
		told.expressions = told_expressions;
	}
	if (k->json)
		cli_tell(&ft_tell_kernel, &told, NULL);
	else
		print_all(&told);
	free(told_expressions);
	return CLI_DONE;
}

int cli_kernel_features(void *asked)
{
	const struct cli_kernel *k = asked;
	struct subject s = {0};
	struct ft_kernel_features features = {0};
	struct ft_kernel_expressions expressions = {0};
	struct ft_err err = {0};
	int status = take(&s, k);

	if (status == CLI_DONE)
		status = compile(&s, k);
	if (status == CLI_DONE)
		status = check_names(&s);
	if (status == CLI_DONE && ft_kernel_features(&features, s.kernel, &s.launch, &k->options, &err))
		status = cli_error(&err);
	if (status == CLI_DONE && k->expressions &&
	    ft_kernel_express(&expressions, s.kernel, &s.launch, &k->options, &features, &err))
		status = cli_error(&err);
	if (status == CLI_DONE)
		status = tell(k, &s, &features, &expressions);
	ft_kernel_expressions_clear(&expressions);
	ft_kernel_features_clear(&features);
	subject_clear(&s);
	return status;
}
