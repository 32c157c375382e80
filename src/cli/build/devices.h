/* SPDX-License-Identifier: GPL-3.0-or-later */
/* devices.h - several devices of one program: measured until the choice is known, or each to its model. */
#ifndef FT_CLI_BUILD_DEVICES_H
#define FT_CLI_BUILD_DEVICES_H

#include "cli/build/build.h"

/* cli_build_is_on_devices - whether commands of devices were given, or what was stored of them shall be
 * decided on. */
bool cli_build_is_on_devices(const struct cli_build *build);

/* cli_build_devices - the whole command, once its options are read. Returns the exit status. */
int cli_build_devices(struct cli_build *build, const struct cli_words *words);

#endif
