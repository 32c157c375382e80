/* SPDX-License-Identifier: GPL-3.0-or-later */
/* auto.h - n=64:auto: the upper end of a range is found, from the memory that runs need. */
#ifndef FT_CLI_BUILD_AUTO_H
#define FT_CLI_BUILD_AUTO_H

#include "cli/options.h"
#include "cli/output.h"
#include "foretime/sweep.h"

struct cli_build;

/* Zero-initialise; ends with cli_auto_clear. */
struct cli_auto {
	char *word; /* "n=64:64:8" in place of "n=64:auto:8"; NULL: no range is automatic */
	char name[FT_PARAM_LENGTH];
	struct ft_reach reach;
	double memory_bytes; /* that a run could have here; of these reach.limit_bytes are used */
	const char *why;     /* what limits them */
};

/* cli_auto_read - find the word with `auto` and put another in its place. Returns CLI_DONE, or the exit
 * status after a complaint; so does the next. */
int cli_auto_read(struct cli_auto *automatic, const struct cli_words *words, size_t first);

/* cli_auto_find - climb until memory tells where to end; the program gets its range, the budget is less by
 * the cost. */
int cli_auto_find(struct cli_build *build);
void cli_auto_clear(struct cli_auto *automatic);

/* cli_auto_print - what was found; nothing where no range is automatic. */
void cli_auto_print(const struct cli_build *build);

#endif
