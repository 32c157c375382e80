/* SPDX-License-Identifier: GPL-3.0-or-later */
/* show.h - what the files of `foretime show` share. */
#ifndef FT_CLI_SHOW_H
#define FT_CLI_SHOW_H

#include "tell/kept.h"

/* cli_kept_find - the newest `most` runs, judged. answerer NULL: no run ended well. out: ends with
 * ft_kept_clear of its kept. Returns CLI_DONE; CLI_WRONG: said. */
int cli_kept_find(struct ft_answerer *answerer, const char *resource, size_t most, struct ft_told_kept *out);
void cli_kept_print(const struct ft_told_kept *told, const struct ft_program *program);

#endif
