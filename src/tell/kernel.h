/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kernel.h - what `foretime device` tells, and reads again. */
#ifndef FT_TELL_KERNEL_H
#define FT_TELL_KERNEL_H

#include "foretime/kernel.h"
#include "tell/tell.h"

struct ft_told_count {
	const char *name;
	double value, each; /* of the launch, of a work-item */
};

struct ft_told_expression {
	const char *count, *text; /* text: NULL: not known, or too long */
	bool known;
	int64_t difference[FT_KERNEL_TERMS];
	size_t n; /* 0: not known */
};

struct ft_told_expressions {
	struct ft_kernel_variable variable[FT_KERNEL_VARIABLES];
	size_t n_variables, degree, runs;
	struct ft_told_expression expression[FT_KERNEL_COUNTS];
	size_t n;
};

struct ft_told_kernel {
	const char *file, *kernel, *hash;
	int compiler;
	struct ft_kernel_features features;
	double operations, operations_each;
	struct ft_told_count *count;             /* [n] borrowed */
	size_t n, dims;                          /* dims: FT_KERNEL_DIMS */
	struct ft_told_expressions *expressions; /* NULL: not asked for */
};

struct ft_told_kernel_at {
	const char *kernel, *hash;
	double operations;
	struct ft_told_count *count; /* [n] borrowed */
	size_t n;
};

extern const struct ft_tell_record ft_tell_kernel;    /* struct ft_told_kernel */
extern const struct ft_tell_record ft_tell_kernel_at; /* struct ft_told_kernel_at */
extern const struct ft_tell_record ft_tell_kernel_count, ft_tell_kernel_expression, ft_tell_kernel_access,
	ft_tell_kernel_met;

/* ft_tell_kernel_counts - those that are not zero; each: work-items. Returns how many. */
size_t ft_tell_kernel_counts(struct ft_told_count out[FT_KERNEL_COUNTS], const double count[FT_KERNEL_COUNTS],
			     double work_items);

/* ft_tell_kernel_expressions - of those that are not zero everywhere. */
void ft_tell_kernel_expressions(struct ft_told_expressions *out, const struct ft_kernel_expressions *from);

/* ft_tell_kernel_read - the expressions of an answer.
 *
 * name   of the file, for messages
 * out    ends with ft_kernel_expressions_clear; cleared on failure
 *
 * Returns FT_OK; FT_EPARSE: it is no answer of foretime device features, or has no expressions; FT_ENOMEM.
 */
enum ft_status ft_tell_kernel_read(const char *name, const json_t *json, struct ft_kernel_expressions *out,
				   struct ft_err *err);

#endif
