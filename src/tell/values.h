/* SPDX-License-Identifier: GPL-3.0-or-later */
/* values.h - the values that are asked of each parameter: "n=512,1000:2000:100" are twelve of n. */
#ifndef FT_TELL_VALUES_H
#define FT_TELL_VALUES_H

#include "foretime/facts.h"

enum { FT_VALUES_MOST = 1000000 }; /* combinations of one question */

/* Zero-initialise; ends with ft_values_clear. */
struct ft_values {
	struct ft_values_axis {
		char name[FT_PARAM_LENGTH];
		double *value; /* [n], n > 0 */
		size_t n, room;
	} axis[FT_PARAMS_MAX];
	size_t n;
};

/* ft_values_add - those of a list, VALUE|LEAST:MOST[:STEP|:*FACTOR],...; several lists of one parameter add
 * up.
 *
 * Returns FT_OK; FT_EPARSE, FT_EINVAL: as ft_param_parse; FT_EINVAL: more than FT_VALUES_MOST, or too many
 * parameters; FT_ENOMEM.
 */
enum ft_status ft_values_add(struct ft_values *values, const char *name, const char *list,
			     struct ft_err *err);

/* ft_values_count - FT_EINVAL: the combinations are more than `most`. last: the word that is to blame, as
 * typed. */
enum ft_status ft_values_count(const struct ft_values *values, size_t most, const char *last,
			       struct ft_err *err);

/* ft_values_get - the names and the values of a combination. name, value  [FT_PARAMS_MAX] out */
void ft_values_get(const struct ft_values *values, const size_t step[], const char **name, double *value);

/* ft_values_next - from one combination, a place on each axis, to the next; all zero is the first, the last
 * parameter varies fastest. False: that was the last. */
bool ft_values_next(const struct ft_values *values, size_t step[]);
void ft_values_clear(struct ft_values *values);

#endif
