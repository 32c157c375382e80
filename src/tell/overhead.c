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
	{FT_TELL(JOB, job), .about = "the variable that says which job this is",
	 .null = "the session was looked at"},
	{FT_TELL(JOB, processes), .about = "so many of this user ran beside this one"},
	{FT_TELL_WHOLE(GOT, "overhead"), .get = bytes, .whole = true,
	 .about = "bytes that they held at most, in whole MB"},
	{0},
};
const struct ft_tell_record ft_tell_overhead = {
	.name = "overhead", .typed = "request --calibrate-executor", .version = 1, .row = rows};
