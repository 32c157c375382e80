/* SPDX-License-Identifier: GPL-3.0-or-later */
/* launch.h - find foretime-helper and start it. */
#ifndef FT_MEASURE_LAUNCH_H
#define FT_MEASURE_LAUNCH_H

#include "measure/client.h"

enum { FT__HELPER_PATH = 4096 };

/* ft__launch_helper - start the helper: $FORETIME_HELPER, else one beside our own executable, else the
 * installed one.
 *
 * threads  > 0: put into its environment as OMP_NUM_THREADS and the like
 * client   out: our end of the socket and the helper's number; ends with ft__client_close, also on failure
 * path     out: where it was found
 *
 * Returns FT_OK; FT_EUNAVAIL: there is none, or it cannot be executed; FT_ENOMEM.
 */
enum ft_status ft__launch_helper(int threads, struct ft__client *client, char path[FT__HELPER_PATH],
				 struct ft_err *err);

#endif
