/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sizes.h - the sizes that are asked about. */
#ifndef FT_CLI_SIZES_H
#define FT_CLI_SIZES_H

#include "cli/options.h"
#include "foretime/ask.h"

/* The values that are asked of each parameter: "n=512,1000:2000:100" are twelve of n. Zero-initialise; ends
 * with cli_values_clear. */
struct cli_values {
	struct cli_axis {
		char name[FT_PARAM_LENGTH];
		double *value; /* [n], n > 0 */
		size_t n;
	} axis[FT_PARAMS_MAX];
	size_t n;
};

/* cli_values_add - those of a word, NAME=VALUE|LEAST:MOST[:STEP|:*FACTOR],...; several words of one parameter
 * add up.
 *
 * Returns CLI_DONE, or the exit status after a complaint.
 */
int cli_values_add(struct cli_values *values, const char *word);

/* cli_values_count - complains, of the last word, where the combinations are more than a million. */
int cli_values_count(const struct cli_values *values, const char *word);

/* cli_values_get - the names and the values of a combination. name, value  [FT_PARAMS_MAX] out */
void cli_values_get(const struct cli_values *values, const size_t step[], const char **name, double *value);

/* cli_values_next - from one combination, a place on each axis, to the next; all zero is the first, the last
 * parameter varies fastest. False: that was the last. */
bool cli_values_next(const struct cli_values *values, size_t step[]);
void cli_values_clear(struct cli_values *values);

/* Zero-initialise; ends with cli_sizes_clear. */
struct cli_sizes {
	struct ft_size *size;
	size_t n;
};

/* cli_sizes_find - every combination of the values in words 1, 2, ... ("n=64:3000:64", "m=100,200"; several
 * of one parameter are all taken), or the rows of a table at path. Parameters that are left out take their
 * only value in the runs.
 *
 * Returns CLI_DONE, or the exit status after a complaint.
 */
int cli_sizes_find(struct cli_sizes *sizes, const struct ft_answerer *answerer, const struct cli_words *words,
		   const char *path);
void cli_sizes_clear(struct cli_sizes *sizes);

/* cli_size_refuse - complains of a word that is no size of a parameter; returns CLI_WRONG. */
int cli_size_refuse(const char *word, const char *parameter);

#endif
