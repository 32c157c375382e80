/* SPDX-License-Identifier: GPL-3.0-or-later */
/* program.h - from words of the command line to a program that is stored. */
#ifndef FT_CLI_PROGRAM_H
#define FT_CLI_PROGRAM_H

#include "cli/options.h"
#include "foretime/measure.h"
#include "foretime/store.h"

/* cli_program_params - add "n=64:3000", "m=100" to a program. bare: "n" alone is allowed (its range is in the
 * data). Returns CLI_DONE, or the exit status after a complaint; so do all below. */
int cli_program_params(struct ft_program *program, char **word, size_t n, bool bare);

/* cli_list_note - a note where the list of a word (n=1,234) may have been meant for one number. */
void cli_list_note(const char *word);

/* cli_program_argv - the command behind `--`. */
void cli_program_argv(struct ft_program *program, char **word, size_t n);

/* cli_program_name - NAME for a program that has none: the file name of its executable. */
void cli_program_name(struct ft_program *program);

/* cli_work_check - the work expression can be read, knows its names, and is > 0 at the ends and the middle of
 * the ranges. */
int cli_work_check(const struct ft_program *program);

/* cli_where_check - complain unless a constraint that came with runs can be read and is of its parameters. */
int cli_where_check(const struct ft_program *program);

/* cli_program_where - what sizes must meet: all of some expressions of the parameters. */
int cli_program_where(struct ft_program *program, const char *const *where, size_t n);

/* cli_name_check - that a name is not one that foretime keeps for itself. */
int cli_name_check(const char *name);

/* cli_program_tell_version - say, before a program is put, that its executable is another than that of the
 * stored one, or that runs of which the version is not known are taken for its own. */
void cli_program_tell_version(struct ft_store *store, const struct ft_program *program);

/* cli_program_put - keep a program; says so when its executable is another than that of the stored one. */
int cli_program_put(struct ft_store *store, struct ft_program *program);

/* cli_program_cases - the ranges of parameters that have none ("n" alone) from the columns of a table. */
int cli_program_cases(struct ft_program *program, const struct ft_csv *csv, const char *path);

#endif
