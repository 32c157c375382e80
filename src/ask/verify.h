/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verify.h - what contracts with models and contracts with other runs share. */
#ifndef FT_ASK_VERIFY_H
#define FT_ASK_VERIFY_H

#include "foretime/verify.h"

/* A change by less is none that matters: counts that are the same to a millionth would break contracts. */
extern const double ft__least_shift;

/* Typical runs of one size: what tests over all sizes go by. */
struct ft__held {
	double now, before; /* > 0; else the size says nothing */
	double sd;          /* of ln (now / before), without what is common to all sizes */
	double of_runs;     /* the part of its square that more runs make smaller */
	/* Against old runs, of a size that is judged alone: the same, wild steps as they are, and its degrees
	   of freedom. */
	double alone_sd, alone_freedom;
};

/* What all sizes of a resource share. */
struct ft__common {
	double sd;      /* of ln (now / before), the same for all sizes */
	double session; /* the part of it that another session adds */
	double freedom; /* degrees of it, behind sd of the sizes; INFINITY: that is known */
	double scatter; /* variance of ln of single new runs; 0: nothing tells */
};

/* What is being verified. */
struct ft__verifying {
	const struct ft_verify_options *options;
	struct ft_verification *out;
	struct ft__held *held;     /* [n_checks] beside out->check */
	struct ft__common *common; /* [options->n] beside out->shift */
};

/* ft__verify_value - what a new run says of a resource, at least where it was ended at a time limit; NaN:
 * nothing. */
double ft__verify_value(const struct ft_run *run, const struct ft_resource *resource, bool *at_least);

/* ft__verify_begin - check the options, room for as many checks as there may be. FT_OK, FT_EINVAL, FT_ENOMEM;
 * ft__verify_end is due also on failure. */
enum ft_status ft__verify_begin(struct ft__verifying *v, const struct ft_verify_options *options,
				size_t most_checks, struct ft_verification *out, struct ft_err *err);

/* ft__verify_share - all checks are there: the risk is shared among the tests. */
void ft__verify_share(struct ft__verifying *v);

/* ft__verify_values - a size's new values [n], ascending: the check's median, and what the tests go by. */
void ft__verify_values(struct ft_check *check, const double *value, size_t n);

/* ft__verify_judge - promised, held and common are filled in: what holds, and what does not. FT_OK,
 * FT_ENOMEM. */
enum ft_status ft__verify_judge(struct ft__verifying *v, struct ft_err *err);

/* ft__verify_end - free what is ours; `status` not FT_OK: *out is cleared. Returns `status`. */
enum ft_status ft__verify_end(struct ft__verifying *v, enum ft_status status);

/* ft__shift_test - all sizes of a resource together; fills the numbers and the verdict.
 *
 * held  [n]; risk: of either side; at_least: some `now` is a lower bound
 */
void ft__shift_test(const struct ft__held *held, size_t n, const struct ft__common *common, double risk,
		    bool at_least, struct ft_shift *out);

/* ft__common_quantile - of an estimate whose errors have the scatter that all sizes share, as far as that is
 * known. confidence: one-sided */
double ft__common_quantile(const struct ft__common *common, double confidence);

/* ft__median_variance - of the median of n values, by that of one: pi / 2 times the mean's for many, the
 * mean's for two. */
double ft__median_variance(double one, size_t n);

/* ft__scatter - the variance of single values, from how far each lies from the one of its group before it
 * (von Neumann 1941): what wanders in between counts little. Those `far` times as far as the middle one count
 * as if they stood there: others on the machine are no property of the program.
 *
 * step     [n] |differences| of neighbours in time; n >= 1
 * far      ft__far; INFINITY: all as they are
 * freedom  out, degrees of it
 */
double ft__scatter(const double *step, size_t n, double far, double *freedom);
extern const double ft__far;

#endif
