/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-moment.c - moments of the wall clock, written and read. */
#include "base/number.h"
#include "base/random.h"
#include "tap.h"

int main(void)
{
	static const char *const bad[] = {
		"",
		"2026",
		"2026-01-31",
		"2026-02-29T00:00:00Z",
		"2026-13-01T00:00:00Z",
		"2026-00-01T00:00:00Z",
		"2026-01-01T24:00:00Z",
		"2026-01-01T00:60:00Z",
		"2026-01-01T00:00:60Z",
		"1677-01-01T00:00:00Z",
		"2262-01-01T00:00:00Z",
		"2026-01-01T00:00:00.Z",
		"2026-01-01T00:00:00x",
		"2026-01-01T00:00:00Z ",
		"12026-01-01T00:00:00Z",
		"2026-01-01X00:00:00Z",
		"-026-01-01T00:00:00Z",
		"2026-01-01T00:00:00.1234567891Z",
	};
	char text[FT__MOMENT_LENGTH];
	struct ft_random random = {test_seed()};
	int64_t ns;
	int wrong = 0;

	ok(!strcmp(ft__moment_format(1767225600123456789, text), "2026-01-01T00:00:00.123456789Z"),
	   "a moment");
	ok(!strcmp(ft__moment_format(-1, text), "1969-12-31T23:59:59.999999999Z"), "before 1970");
	ok(!strcmp(ft__moment_format(0, text), ""), "not known");
	ok(ft__moment_parse("2026-01-01 00:00:00", &ns) && ns == 1767225600000000000,
	   "without Z and decimals");
	ok(ft__moment_parse("2024-02-29T12:00:00.5Z", &ns) && ns == 1709208000500000000,
	   "a leap day, one decimal");
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		ok(!ft__moment_parse(bad[i], &ns) && ns == 0, "refuses '%s'", bad[i]);
	for (size_t i = 0; i < (size_t)test_cases(5000); i++) {
		int64_t want = (int64_t)ft_random_bits(&random) / 4 * 3; /* 1751 to 2189 */

		wrong += !ft__moment_parse(ft__moment_format(want, text), &ns) || ns != want;
	}
	if (!ok(!wrong, "random moments read back"))
		diag("seed %llu: %d do not", (unsigned long long)test_seed(), wrong);
	(void)ft__moment_format(INT64_MIN, text);
	(void)ft__moment_format(INT64_MAX, text);
	ok(!strcmp(text, "2262-04-11T23:47:16.854775807Z"), "the last moment");
	return done();
}
