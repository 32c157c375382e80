/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz-report.c - any bytes as what a program reported of itself: routines with names that can be printed and
 * figures that can be true, the same in whatever pieces they are read. */
#include "base/text.h"
#include "fuzz.h"
#include "measure/measure.h"

#include <math.h>
#include <string.h>

const char *const fuzz_report_seeds[] = {
	"ft1 routine multiply 1 1500000000 1400000000 2e9\n",
	"ft1 routine a 2 5 5 0\nft1 routine b 1 7 7 0\nft1 routine a 1 5 5 3\n",
	"ft1 invalid\n",
	"ft1 routine \xc3\xa4 1 0 0 0\nrubbish\nft2 routine x 1 1 1 1\nft1 routine half 1 1",
	"ft1 routine b 9007199254740993 18446744073709551615 1e308 1e308\n",
	"ft1 routine b 1 7 745674 1e308\nft1 routine b 1 7 745674 1e308\n",
	NULL,
};

const char *const fuzz_report_pieces[] = {
	"ft1 ",
	"routine ",
	"invalid",
	"\n",
	" ",
	"  ",
	"-1",
	"nan",
	"inf",
	"1e308",
	"0x1p3",
	"\xc2\x9b",
	"\xe2\x80\xae",
	"\x1b",
	"/",
	"18446744073709551616",
	"0",
	"1",
	"ft1 routine a 1 1 1 1\n",
	NULL,
};

static const char *check_name(const char *name)
{
	const char *at;
	size_t length;

	for (at = name; *at; at += length) {
		length = ft__utf8_length(at, SIZE_MAX);
		if (!length || ft__utf8_is_control(at) || *at == ' ' || *at == '/')
			return "a name is text of one word";
	}
	return at > name ? NULL : "a routine has a name";
}

static const char *check(const struct ft__report *report)
{
	const char *broken = NULL;

	if (report->n > FT__ROUTINES_MAX)
		return "there are no more routines than may be";
	for (size_t i = 0; i < report->n && !broken; i++) {
		const struct ft__routine *r = &report->routine[i];

		broken = check_name(r->name);
		if (!r->absurd && !(r->calls >= 1 && isfinite(r->calls) && r->wall_s > 0 &&
				    isfinite(r->wall_s) && r->cpu_s > 0 && isfinite(r->cpu_s)))
			broken = "a routine has calls, wall and processor seconds";
		if (!r->absurd && !isnan(r->work) && !(r->work > 0 && isfinite(r->work)))
			broken = "work is a number above 0, or was not said";
		for (size_t j = 0; j < i; j++)
			if (!strcmp(r->name, report->routine[j].name))
				broken = "a name stands once";
	}
	return broken;
}

/* The same in two pieces: where a read ended changes nothing. */
static const char *check_cut(const char *bytes, size_t length, size_t at, const struct ft__report *whole)
{
	struct ft__report parts = {0};
	const char *broken = NULL;

	if (ft__report_add(&parts, bytes, at, NULL) || ft__report_add(&parts, bytes + at, length - at, NULL))
		broken = "what was read is read in pieces";
	else if (parts.n != whole->n || parts.invalid != whole->invalid || parts.more != whole->more)
		broken = "the same routines in pieces";
	for (size_t i = 0; !broken && i < whole->n; i++)
		if (strcmp(parts.routine[i].name, whole->routine[i].name) != 0 ||
		    parts.routine[i].wall_s != whole->routine[i].wall_s)
			broken = "the same seconds in pieces";
	ft__report_clear(&parts);
	return broken;
}

const char *fuzz_report(const uint8_t *bytes, size_t length)
{
	const char *text = (const char *)bytes;
	struct ft__report report = {0};

	if (ft__report_add(&report, text, length, NULL) != FT_OK)
		return "any report can be read";
	const char *broken = check(&report);
	if (!broken)
		broken = check_cut(text, length, length / 3, &report);
	if (!broken && length)
		broken = check_cut(text, length, length - 1, &report);
	ft__report_clear(&report);
	return broken;
}

#ifdef FT_FUZZ_ENTRY
FUZZ_ENTRY(fuzz_report)
#endif
