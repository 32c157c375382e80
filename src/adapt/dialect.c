/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dialect.c - times, amounts and moments as the tools of others write them. */
#include "adapt/job.h"
#include "base/moment.h"
#include "base/number.h"

#include <math.h>
#include <string.h>
#include <time.h>

bool ft__is_missing(const char *text)
{
	static const char *const word[] = {"", "-", "NA", "N/A", "nan", "NaN", "None", "null", "Unknown"};

	for (size_t i = 0; i < sizeof word / sizeof *word; i++)
		if (!strcmp(text, word[i]))
			return true;
	return false;
}

bool ft__read_number(const char *text, double *value)
{
	const char *end;

	return ft__number_scan_signed(text, &end, value) && !*end && isfinite(*value);
}

bool ft__read_mib(const char *text, double *value)
{
	if (!ft__read_number(text, value))
		return false;
	*value *= 0x1p20;
	return true;
}

bool ft__read_percent(const char *text, double *value)
{
	const char *end;

	if (!ft__number_scan_signed(text, &end, value) || !isfinite(*value))
		return false;
	*value /= 100;
	return !*end || !strcmp(end, "%");
}

/* The power of 1024 that a letter stands for; -1: none. */
static int power_of(char letter)
{
	static const char letters[] = "KMGTPE";
	const char *at = letter ? strchr(letters, letter >= 'a' ? letter - 'a' + 'A' : letter) : NULL;

	return at ? (int)(at - letters) + 1 : -1;
}

/* sacct(1): suffixes are powers of 1024; behind ReqMem, n says "a node", c "a processor". */
bool ft__read_slurm_bytes(const char *text, double *value)
{
	const char *end;

	if (!ft__number_scan_signed(text, &end, value) || !isfinite(*value))
		return false;
	int power = power_of(*end);
	if (power > 0) {
		*value = ldexp(*value, 10 * power);
		end++;
	}
	end += *end == 'c' || *end == 'n';
	return !*end;
}

/* sacct(1): [DD-[HH:]]MM:SS, TotalCPU with .mmm behind it. */
bool ft__read_slurm_time(const char *text, double *value)
{
	double days = 0, part;
	const char *end;
	size_t parts = 0;

	if (strchr(text, '-')) {
		if (!ft__whole_scan(text, &end, &days) || *end != '-')
			return false;
		text = end + 1;
	}
	for (*value = 0; parts < 3; text = end + 1) {
		if (!ft__number_scan(text, &end, &part))
			return false;
		*value = *value * 60 + part;
		parts++;
		if (*end != ':')
			break;
	}
	*value += days * 86400;
	return !*end && parts >= 2;
}

static const char *skip_blanks(const char *text)
{
	while (*text == ' ')
		text++;
	return text;
}

/* nextflow.util.MemoryUnit: "1.2 GB", where KB is 2^10 bytes; a bare number of bytes with trace.raw. */
bool ft__read_nextflow_bytes(const char *text, double *value)
{
	const char *end;

	if (!ft__number_scan(text, &end, value) || !isfinite(*value))
		return false;
	end = skip_blanks(end);
	int power = power_of(*end);
	if (power > 0) {
		*value = ldexp(*value, 10 * power);
		end++;
	}
	end += *end == 'B' || *end == 'b';
	return !*end;
}

/* One "3m" or "1.8s" of a duration. */
static bool read_piece(const char **text, double *value)
{
	static const struct {
		const char *unit;
		double seconds;
	} units[] = {{"ms", 1e-3},    {"millis", 1e-3}, {"s", 1},       {"sec", 1},
		     {"m", 60},       {"min", 60},      {"h", 3600},    {"hour", 3600},
		     {"hours", 3600}, {"d", 86400},     {"day", 86400}, {"days", 86400}};
	const char *end;

	if (!ft__number_scan(*text, &end, value))
		return false;
	end = skip_blanks(end);
	size_t length = strcspn(end, " 0123456789");
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (strlen(units[i].unit) == length && !strncmp(end, units[i].unit, length)) {
			*value *= units[i].seconds;
			*text = skip_blanks(end + length);
			return true;
		}
	return false;
}

/* nextflow.util.Duration: "1h 2m 3s", "650ms"; a bare number of milliseconds with trace.raw. */
bool ft__read_nextflow_time(const char *text, double *value)
{
	double piece;
	const char *end;

	if (ft__number_scan(text, &end, value) && !*end) {
		*value *= 1e-3;
		return isfinite(*value);
	}
	if (!*text)
		return false;
	for (*value = 0; *text; *value += piece)
		if (!read_piece(&text, &piece))
			return false;
	return true;
}

int64_t ft__read_moment(const char *text)
{
	enum { NS_PER_S = 1000000000 };
	size_t length = strlen(text);
	struct tm tm;
	int64_t ns;

	if (!ft__moment_parse(text, &ns))
		return 0;
	if (length && text[length - 1] == 'Z')
		return ns;
	time_t seconds = (time_t)(ns / NS_PER_S - (ns % NS_PER_S < 0));
	if (!gmtime_r(&seconds, &tm))
		return 0;
	ns -= (int64_t)seconds * NS_PER_S;
	tm.tm_isdst = -1;
	seconds = mktime(&tm);
	return seconds == (time_t)-1 ? 0 : (int64_t)seconds * NS_PER_S + ns;
}
