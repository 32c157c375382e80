/* SPDX-License-Identifier: GPL-3.0-or-later */
/* launch.h - find foretime-helper and start it. */
#ifndef FT_MEASURE_LAUNCH_H
#define FT_MEASURE_LAUNCH_H

#include "measure/client.h"

enum { FT__HELPER_PATH = 4096 };

/* ft__launch_helper - start the helper: $FORETIME_HELPER, else one beside our own executable, else the
 * installed one.
 *
 * setup    threads are put into its environment; a fixed one holds PATH, HOME, LD_LIBRARY_PATH and what says
 *          how many threads there shall be as they are here, and LC_ALL=C
 * client   out: our end of the socket and the helper's number; ends with ft__client_close, also on failure
 * path     out: where it was found
 *
 * Returns FT_OK; FT_EUNAVAIL: there is none, or it cannot be executed; FT_ENOMEM.
 */
enum ft_status ft__launch_helper(const struct ft__setup *setup, struct ft__client *client,
				 char path[FT__HELPER_PATH], struct ft_err *err);

/* ft__launch_find - a file that is installed beside the helper. Returns FT_OK; FT_EUNAVAIL. */
enum ft_status ft__launch_find(const char *name, char path[FT__HELPER_PATH], struct ft_err *err);

#endif
