/* SPDX-License-Identifier: GPL-3.0-or-later */
/* subject.h - kernels of the tests, opened; and the cases that oclgrind was asked, too. */
#ifndef FT_TEST_KERNEL_SUBJECT_H
#define FT_TEST_KERNEL_SUBJECT_H

#include "foretime/kernel.h"

/* subject_open - a kernel of test/kernel/data/FILE; NULL: *why says why not, and whether that is no failure
 * (no compiler here). */
struct ft_kernel *subject_open(const char *file, const char *kernel, struct ft_err *why);

/* subject_missing - whether a failure is that there is no clang, or no libLLVM. */
bool subject_missing(const struct ft_err *why);

enum subject_kind { SUBJECT_END, WHOLE, SINGLE, DOUBLE, SINGLES, DOUBLES, WHOLES, LOCAL };

/* A number, or a buffer of n numbers that are all `value`; of LOCAL: n bytes. */
struct subject_argument {
	const char *name;
	enum subject_kind kind;
	double n, value; /* of a number: value */
};

enum { SUBJECT_ARGUMENTS = 10 };

struct subject {
	const char *kernel;
	const char *global[3], *local[3];
	bool given; /* buffers are handed to the kernel with what they hold */
	struct subject_argument argument[SUBJECT_ARGUMENTS];
};

extern const struct subject subjects[];
extern const size_t subjects_n;

/* subject_launch - of a case. argument: [SUBJECT_ARGUMENTS] out. Buffers are heap: subject_release. */
struct ft_kernel_launch subject_launch(const struct subject *subject, struct ft_kernel_argument *argument);
void subject_release(struct ft_kernel_launch *launch);

#endif
