/* SPDX-License-Identifier: GPL-3.0-or-later */
/* local.c - the wall clock: it is put forward and back, but rarely. */
#include "policy/local.h"

#include <string.h>

enum { DAY_S = 24 * 60 * 60 };

void ft__local_show(int64_t at_s, struct tm *tm)
{
	time_t at = (time_t)at_s, epoch = 0;

	if (!localtime_r(&at, tm))
		(void)gmtime_r(&epoch, tm);
}

static int64_t offset_at(int64_t at_s)
{
	struct tm tm;

	ft__local_show(at_s, &tm);
	return tm.tm_gmtoff;
}

/* The first moment after `before` that has another offset; `after` has. */
static int64_t first_shifted(int64_t before, int64_t after)
{
	int64_t offset = offset_at(before);

	while (after - before > 1) {
		int64_t middle = before + (after - before) / 2;

		if (offset_at(middle) == offset)
			before = middle;
		else
			after = middle;
	}
	return after;
}

int64_t ft__local_pass(int64_t at_s, int64_t seconds)
{
	return offset_at(at_s) == offset_at(at_s + seconds) ? at_s + seconds
							    : first_shifted(at_s, at_s + seconds);
}

/* A time that is shown twice has two offsets, the larger one first; one that is skipped has none, and the
 * clock shows a later one from the moment on when it is put forward. */
int64_t ft__local_first(int64_t shown_s)
{
	int64_t a = shown_s - offset_at(shown_s - DAY_S), b = shown_s - offset_at(shown_s + DAY_S);
	int64_t early = a < b ? a : b, late = a < b ? b : a;

	if (early + offset_at(early) == shown_s)
		return early;
	if (late + offset_at(late) == shown_s)
		return late;
	return first_shifted(early, late);
}
