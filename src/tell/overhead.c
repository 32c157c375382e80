/* SPDX-License-Identifier: GPL-3.0-or-later */
/* overhead.c - what `foretime request --calibrate-executor` tells. */
#include "tell/overhead.h"

#include <math.h>

double ft_tell_overhead_bytes(const struct ft_beside_job *job)
{
	return 1e6 * ceil(job->bytes / 1e6);
}

static double bytes(const void *at)
{
	return ft_tell_overhead_bytes(at);
}

#define JOB struct ft_beside_job
static const struct ft_tell_row rows[] = {
	{FT_TELL(JOB, job), .about = "the variable that identifies the job", .null = "the session was used"},
	{FT_TELL(JOB, processes), .about = "other processes of this user"},
	{FT_TELL_WHOLE(GOT, "overhead"), .get = bytes, .whole = true,
	 .about = "maximum memory of them in bytes, in whole MB"},
	{0},
};
const struct ft_tell_record ft_tell_overhead = {
	.name = "overhead", .typed = "request --calibrate-executor", .version = 1, .row = rows};
