/* SPDX-License-Identifier: GPL-3.0-or-later */
/* steps.h - `foretime build --via steps`: a sweep that another program drives, who says over standard input
 * when the next run may be made, and is told of each on standard output. */
#ifndef FT_CLI_BUILD_STEPS_H
#define FT_CLI_BUILD_STEPS_H

#include "cli/build/build.h"

/* cli_build_steps - until its end. Returns the exit status. */
int cli_build_steps(struct cli_build *build);

/* cli_build_steps_failed - the last complaint on standard error is told on standard output, too. */
void cli_build_steps_failed(const struct cli_build *build);

#endif
