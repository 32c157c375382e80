/* SPDX-License-Identifier: GPL-3.0-or-later */
/* units.h - numbers at the edge: what people type and read. Inside, everything is SI (seconds, bytes,
 * joules).
 *
 * The parsers take the whole text or refuse it: FT_EPARSE, with the text and what was expected. Sizes of
 * memory know decimal (kB MB GB TB) and binary units (KiB MiB GiB TiB); a bare K, M, G, T is binary, as Slurm
 * has it. The formatters write into the caller's buffer and return it. They round: 3 significant digits. They
 * print "unknown" for NaN, never a number.
 */
#ifndef FORETIME_UNITS_H
#define FORETIME_UNITS_H

#include "foretime/status.h"

#include <stdbool.h>
#include <stddef.h>

FT_BEGIN_DECLS

enum { FT_NUMBER_LENGTH = 32, FT_UNIT_LENGTH = 48 };

/* A hundred years. A time of a run beyond that is none: it is one in nanoseconds, taken for seconds. */
#define FT_TIME_MOST_S (100 * 365.25 * 86400)

/* Nor memory, or a file, of more bytes than this. */
#define FT_BYTES_MOST 0x1p60

/* Shares of runs that an interval may have as its confidence. */
#define FT_CONFIDENCE_LEAST 0.5
#define FT_CONFIDENCE_MOST  0.9995

/* ft_number_parse - a finite number: "1e6", "10k", "10M", "10MB", "64KiB", "1_000", "1,000" (not "1,234"). */
enum ft_status ft_number_parse(const char *text, double *value, struct ft_err *err);

/* ft_duration_parse - "30s", "1.5 h", "1h 30m", "10:30" (minutes), "1:30:00", "1-12" (days and hours),
 * "PT1H30M", or a bare number of seconds; >= 0. */
enum ft_status ft_duration_parse(const char *text, double *seconds, struct ft_err *err);

/* ft_bytes_parse - "8GiB", "500MB", "64k", or a bare number of bytes; >= 0. */
enum ft_status ft_bytes_parse(const char *text, double *bytes, struct ft_err *err);

/* ft_share_parse - "5%", "5" or "0.05", as a share; within least..most. A bare number from 1 to 100 is a
 * percentage, but for 1 where a share of 1 is allowed. */
enum ft_status ft_share_parse(const char *text, double least, double most, double *share, struct ft_err *err);

/* ft_value_parse - a value of a unit, as ft_value_format has them: "s" and "bytes" as above; "J": "5kJ",
 * "1.2kWh"; any other unit may stand behind a number, or its prefix k, M, G; "": a bare number. */
enum ft_status ft_value_parse(const char *text, const char *unit, double *value, struct ft_err *err);

/* ft_number_format - the shortest decimal that reads back as the same double; integers without a point. */
char *ft_number_format(double value, char buffer[FT_NUMBER_LENGTH]);

/* ft_value_format - a value of a unit for people: unit "s": "1.23 s", "45.6 ms", "2 h 05 min"; "bytes": "1.50
 * GiB"; "W", "J", "1/s" and any other unit: SI prefixes; unit "": a bare number with SI prefixes ("1.23 G").
 */
char *ft_value_format(double value, const char *unit, char buffer[FT_UNIT_LENGTH]);

/* ft_share_format - a share in percent: "4.9 %". */
char *ft_share_format(double share, char buffer[FT_UNIT_LENGTH]);

enum { FT_CHARACTER_LENGTH = 8 };

/* ft_character_show - the first character of a text as a terminal may be given it: as it is, or by its number
 * where it would steer the terminal (controls but for tab and line feed; what turns the direction in which is
 * written), or is none: "\u001b" (as JSON has it too), "\x9b" of a byte that begins no character.
 *
 * text   [n] UTF-8 of strangers, n >= 1
 * shown  with its zero byte
 *
 * Returns how many bytes it takes; 0: those there are begin a character, and its rest is missing.
 * Source: RFC 3629, sections 3 and 4; Unicode Standard Annex 9, section 2.
 */
size_t ft_character_show(const char *text, size_t n, char shown[FT_CHARACTER_LENGTH]);

FT_END_DECLS
#endif
