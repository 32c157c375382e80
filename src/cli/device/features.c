/* SPDX-License-Identifier: GPL-3.0-or-later */
/* features.c - the features of a launch, and its expressions. */
#include "base/hash.h"
#include "cli/common.h"
#include "cli/device/device.h"
#include "cli/device/subject.h"
#include "cli/output.h"
#include "foretime/units.h"
#include "tell/kernel.h"

#include <math.h>
#include <stdlib.h>

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
	if (!n)
		return;
	cli_tell_table(record, rows, n, NULL);
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
		cli_note("counts depend on what is not known: they are guesses");
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

static int tell_features(const struct cli_kernel *k, const struct cli_kernel_subject *s,
			 struct ft_kernel_features *features, const struct ft_kernel_expressions *expressions)
{
	struct ft_told_count count[FT_KERNEL_COUNTS];
	CLI_OWN struct ft_told_expressions *told_expressions = NULL;
	char hash[FT_HASH_LENGTH];
	size_t length;
	const char *code = ft_kernel_code(s->kernel, &length);
	struct ft_told_kernel told = {.file = k->word[0],
				      .kernel = ft_kernel_name(s->kernel),
				      .features = *features,
				      .count = count,
				      .dims = FT_KERNEL_DIMS};

	told.hash = ft_hash_format(ft_hash_bytes(FT_HASH_START, code, length), hash);
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
	return CLI_DONE;
}

int cli_kernel_features(void *asked)
{
	struct cli_kernel *k = &((struct cli_device *)asked)->kernel;
	FT_CLEANUP(cli_kernel_subject_clear) struct cli_kernel_subject s = {0};
	FT_CLEANUP(ft_kernel_features_clear) struct ft_kernel_features features = {0};
	FT_CLEANUP(ft_kernel_expressions_clear) struct ft_kernel_expressions expressions = {0};
	struct ft_err err = {0};

	CLI_TRY(cli_kernel_check(k, false));
	CLI_TRY(cli_kernel_subject_open(&s, k));
	if (ft_kernel_features(&features, s.kernel, &s.typed.launch, &k->options, &err))
		return cli_error(&err);
	if (k->expressions &&
	    ft_kernel_express(&expressions, s.kernel, &s.typed.launch, &k->options, &features, &err))
		return cli_error(&err);
	return tell_features(k, &s, &features, &expressions);
}
