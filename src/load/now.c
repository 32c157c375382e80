/* SPDX-License-Identifier: GPL-3.0-or-later */
/* now.c - the load at this moment. */
#include "foretime/load.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

enum ft_status ft_load_now(double seconds, double load[2], int *processors, struct ft_err *err)
{
	struct timespec wait = {.tv_sec = (time_t)seconds};
	struct ft_load_recorder *recorder;
	struct ft_load seen;
	double average;
	enum ft_status status = ft_load_recorder_open(&recorder, "", false, err);

	load[0] = load[1] = 0;
	*processors = 0;
	if (status)
		return status;
	wait.tv_nsec = (long)((seconds - (double)wait.tv_sec) * 1e9);
	while (nanosleep(&wait, &wait) && errno == EINTR)
		;
	status = ft_load_recorder_read(recorder, &seen, err);
	ft_load_recorder_close(recorder);
	if (status)
		return status == FT_EEND ? ft_fail(err, FT_EUNAVAIL, "the clock of '/proc/stat' stands still")
					 : status;
	if (getloadavg(&average, 1) != 1)
		average = seen.load;
	load[0] = fmin(seen.load, average);
	load[1] = fmax(seen.load, average);
	*processors = seen.processors;
	return FT_OK;
}
