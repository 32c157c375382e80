/* SPDX-License-Identifier: GPL-3.0-or-later */
/* now.c - the load at this moment. */
#include "base/clock.h"
#include "foretime/load.h"

#include <stddef.h>

enum { LOOKS = 10 };

enum ft_status ft_load_now(double seconds, enum ft_sharing sharing, double *load, int *processors,
			   struct ft_err *err)
{
	struct ft_load_recorder *recorder;
	struct ft_load seen;
	enum ft_status status = ft_load_recorder_open(&recorder, "", false, err);

	*load = 0;
	*processors = 0;
	if (status)
		return status;
	for (int i = 0; i < LOOKS; i++) {
		ft_clock_sleep(seconds / LOOKS);
		ft_load_recorder_look(recorder);
	}
	status = ft_load_recorder_read(recorder, &seen, err);
	ft_load_recorder_close(recorder);
	if (status)
		return status == FT_EEND
			       ? ft_fail(err, FT_EUNAVAIL, "the clock of '/proc/stat' does not advance")
			       : status;
	*load = sharing == FT_SHARING_NICED ? seen.busy : seen.load;
	*processors = seen.processors;
	return FT_OK;
}
