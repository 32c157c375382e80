/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sizes.h - the sizes that are asked about. */
#ifndef FT_CLI_SIZES_H
#define FT_CLI_SIZES_H

#include "cli/options.h"
#include "foretime/ask.h"
#include "tell/values.h"

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

/* cli_values_add - those of a word, NAME=VALUE|LEAST:MOST[:STEP|:*FACTOR],... cli_values_count - complains,
 * of the last word, where the combinations are too many.
 *
 * Returns CLI_DONE, or the exit status after a complaint.
 */
int cli_values_add(struct ft_values *values, const char *word);
int cli_values_count(const struct ft_values *values, const char *word);

/* cli_size_refuse - complains of a word that is no size of a parameter; returns CLI_WRONG. */
int cli_size_refuse(const char *word, const char *parameter);

#endif
