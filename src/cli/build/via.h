/* SPDX-License-Identifier: GPL-3.0-or-later */
/* via.h - `foretime build --via`: runs are carried to other machines. */
#ifndef FT_CLI_BUILD_VIA_H
#define FT_CLI_BUILD_VIA_H

#include "cli/build/build.h"

/* cli_via_check - what was typed fits together; before anything is opened. */
int cli_via_check(const struct cli_build *build);

/* cli_build_via - until its end. Returns the exit status. */
int cli_build_via(struct cli_build *build);

#endif
