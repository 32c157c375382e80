/* SPDX-License-Identifier: GPL-3.0-or-later */
/* open.h - the program that is built. Each returns CLI_DONE, or the exit status after a complaint. */
#ifndef FT_CLI_BUILD_OPEN_H
#define FT_CLI_BUILD_OPEN_H

#include "cli/build/build.h"

/* cli_build_recall - a NAME that is stored goes on with what was left out. */
int cli_build_recall(struct cli_build *build);

/* cli_build_check_params - a parameter has a range. */
int cli_build_check_params(const struct ft_program *program);

/* cli_build_check_named - each range is named in the command. */
int cli_build_check_named(const struct cli_build *build);

/* cli_build_open - the source of runs: recorded ones, or the command; and the machine. */
int cli_build_open(struct cli_build *build);

#endif
