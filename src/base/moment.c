/* SPDX-License-Identifier: GPL-3.0-or-later */
/* moment.c - moments of the wall clock, written and read. */
#include "base/moment.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { NS_PER_S = 1000000000 };

char *ft__moment_format(int64_t ns, char buffer[FT__MOMENT_LENGTH])
{
	int64_t rest = ns % NS_PER_S;
	time_t seconds = (time_t)(ns / NS_PER_S - (rest < 0));
	struct tm tm;

	buffer[0] = '\0';
	if (!ns || !gmtime_r(&seconds, &tm))
		return buffer;
	size_t length = strftime(buffer, FT__MOMENT_LENGTH, "%Y-%m-%dT%H:%M:%S", &tm);
	(void)snprintf(buffer + length, FT__MOMENT_LENGTH - length, ".%09dZ",
		       (int)(rest < 0 ? rest + NS_PER_S : rest));
	return buffer;
}

/* So many digits as a number; -1 when there are fewer. */
static int take_digits(const char **at, int digits)
{
	int value = 0;

	for (; digits; digits--, ++*at) {
		if (**at < '0' || **at > '9')
			return -1;
		value = value * 10 + (**at - '0');
	}
	return value;
}

/* One of some bytes. */
static bool take_byte(const char **at, const char *accepted)
{
	bool found = **at && strchr(accepted, **at);

	*at += found;
	return found;
}

/* ".123": at most nine decimals; none is 0. */
static bool take_fraction(const char **at, int64_t *ns)
{
	int64_t unit = NS_PER_S;

	*ns = 0;
	if (!take_byte(at, "."))
		return true;
	for (; **at >= '0' && **at <= '9'; ++*at) {
		unit /= 10;
		*ns += unit * (**at - '0');
		if (!unit)
			return false;
	}
	return unit < NS_PER_S;
}

bool ft__moment_parse(const char *text, int64_t *ns)
{
	struct tm tm = {0}, back;
	int64_t fraction;

	*ns = 0;
	tm.tm_year = take_digits(&text, 4) - 1900;
	if (tm.tm_year < 1678 - 1900 || tm.tm_year > 2261 - 1900 ||
	    !take_byte(&text, "-")) /* what int64_t ns can say */
		return false;
	tm.tm_mon = take_digits(&text, 2) - 1;
	if (!take_byte(&text, "-"))
		return false;
	tm.tm_mday = take_digits(&text, 2);
	if (!take_byte(&text, "T "))
		return false;
	tm.tm_hour = take_digits(&text, 2);
	if (!take_byte(&text, ":"))
		return false;
	tm.tm_min = take_digits(&text, 2);
	if (!take_byte(&text, ":"))
		return false;
	tm.tm_sec = take_digits(&text, 2);
	if (!take_fraction(&text, &fraction) || (take_byte(&text, "Z"), *text))
		return false;
	back = tm;
	time_t seconds = timegm(&back); /* puts the 31st of February into March: then it was no date */
	if (back.tm_mon != tm.tm_mon || back.tm_mday != tm.tm_mday || back.tm_hour != tm.tm_hour ||
	    back.tm_min != tm.tm_min || back.tm_sec != tm.tm_sec)
		return false;
	*ns = (int64_t)seconds * NS_PER_S + fraction;
	return true;
}
