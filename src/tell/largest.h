/* SPDX-License-Identifier: GPL-3.0-or-later */
/* largest.h - what `foretime largest` tells. */
#ifndef FT_TELL_LARGEST_H
#define FT_TELL_LARGEST_H

#include "tell/model.h"

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

#endif
