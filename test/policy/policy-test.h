/* SPDX-License-Identifier: GPL-3.0-or-later */
/* policy-test.h - what the tests of the policy room share: zones, moments, lists without heap. */
#ifndef FT_TEST_POLICY_TEST_H
#define FT_TEST_POLICY_TEST_H

#include "policy/door.h"
#include "tap.h"

#include <time.h>

/* Rules written out, so that no machine needs them installed. */
#define ZONE_BERLIN    "CET-1CEST,M3.5.0,M10.5.0/3"
#define ZONE_LORD_HOWE "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0" /* put forward by half an hour */
#define ZONE_APIA      "<+13>-13<+14>,M9.5.0/3,M4.1.0/4"

__attribute__((unused)) static void set_zone(const char *zone)
{
	(void)setenv("TZ", zone, 1);
	tzset();
}

/* Moments as the tests write them. */
__attribute__((unused)) static int64_t at(const char *text)
{
	struct ft_err err = {0};
	int64_t at_s = -1;

	if (ft_moment_parse(text, &at_s, &err))
		diag("%s: %s", text, err.text);
	return at_s;
}

__attribute__((unused)) static struct ft_window window_of(const char *text)
{
	struct ft_window window = {0};
	struct ft_err err = {0};

	if (ft_window_parse(text, &window, &err))
		diag("%s: %s", text, err.text);
	return window;
}

#endif
