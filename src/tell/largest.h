/* SPDX-License-Identifier: GPL-3.0-or-later */
/* largest.h - what `foretime largest` tells. */
#ifndef FT_TELL_LARGEST_H
#define FT_TELL_LARGEST_H

#include "tell/model.h"
#include "tell/question.h"
#include "tell/values.h"

struct ft_told_limit {
	struct ft_limit limit;
	const char *typed; /* its value, as it was typed */
};
extern const struct ft_tell_record ft_tell_limit;

/* One answer. */
struct ft_told_largest {
	struct ft_largest found;
	double largest, distance; /* NaN unless found */
	struct ft_told_limit *limit;
	size_t n;
};

/* Several of them, for combinations of the others. */
struct ft_told_several {
	bool frontier;
	struct ft_told_largest *answer;
	size_t n;
};

struct ft_told_limits {
	const char *name;
	const struct ft_machine *machine;
	double confidence;
	enum ft_load_view load;
	const char *parameter;
	const struct ft_run *failing; /* NULL: all ended well */
	struct ft_told_axes axes;
	const struct ft_told_largest *only; /* or NULL */
	const struct ft_told_several *several;
};
extern const struct ft_tell_record ft_tell_largest;

enum { FT_LIMITS_MOST = 16 };

/* The question as it was understood, and its answers. Ends with ft_largest_clear. */
struct ft_largest_answers {
	struct ft_told_limits told; /* the object; borrows of the answerer and of what follows */
	struct ft_told_limit limit[FT_LIMITS_MOST]; /* [n] as they were asked */
	size_t n;
	struct ft_values values;            /* of the parameters that have some */
	size_t open[FT_PARAMS_MAX], n_open; /* the parameters that are asked for: several for the frontier */
	size_t left[FT_PARAMS_MAX], n_left; /* those that change nothing, and have no value either */
	struct ft_told_several several;     /* the answers; told.several where they are one a row */
	size_t room;
};

/* ft_largest_find - the largest size that fits the limits, for each combination of the values of the others;
 * where several parameters have no value, their largest combinations.
 *
 * asked  its words are limits (time, memory, or a resource) and values of parameters
 * out    cleared on failure
 *
 * Returns FT_OK; FT_EINVAL: no limit, two on one resource, no parameter left to ask for, more combinations
 * than answers_most; what ft_ask_largest and ft_ask_frontier return.
 */
enum ft_status ft_largest_find(struct ft_largest_answers *out, struct ft_answerer *answerer,
			       const struct ft_asked *asked, struct ft_err *err);
void ft_largest_clear(struct ft_largest_answers *answers); /* accepts twice */

/* ft_largest_name - of the i-th parameter that is asked for. */
const char *ft_largest_name(const struct ft_largest_answers *answers, const struct ft_program *program,
			    size_t i);

#endif
