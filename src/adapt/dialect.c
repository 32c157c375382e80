/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dialect.c - times, amounts and moments as the tools of others write them. */
#include "adapt/job.h"
#include "base/moment.h"
#include "base/number.h"
#include "foretime/units.h"

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

/* sacct(1): [DD-[HH:]]MM:SS, TotalCPU with .mmm behind it; no bare number. */
bool ft__read_slurm_time(const char *text, double *value)
{
	return strchr(text, ':') && !ft_duration_parse(text, value, NULL);
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

/* nextflow.util.Duration: "1h 2m 3s", "650ms"; a bare number of milliseconds with trace.raw. */
bool ft__read_nextflow_time(const char *text, double *value)
{
	if (!ft__read_number(text, value))
		return !strchr(text, ':') && !ft_duration_parse(text, value, NULL);
	*value *= 1e-3;
	return *value >= 0;
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
