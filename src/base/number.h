/* SPDX-License-Identifier: GPL-3.0-or-later */
/* number.h - plain decimal numbers inside longer texts, independent of the locale. */
#ifndef FT_BASE_NUMBER_H
#define FT_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ft__number_scan - the decimal number at the beginning of a text: digits, a point, an exponent; no sign, no
 * blank.
 *
 * end    the first byte behind the number; text when there is none
 * value  its value; an infinity when it is too large for a double; 0 when there is none
 *
 * Returns whether there is a number. Other forms that strtod accepts (hexadecimal, "nan", "inf") are none.
 */
bool ft__number_scan(const char *text, const char **end, double *value);

/* ft__number_scan_signed - the same with an optional sign. */
bool ft__number_scan_signed(const char *text, const char **end, double *value);

/* The separators of groups of digits in a number. */
struct ft__groups {
	size_t commas;
	bool zero; /* a group after a comma begins with 0, as in 1,000: not a list of values */
};

/* ft__number_scan_grouped - the same, also with '_' or ',' between groups of its digits, as in 1_000_000: the
 * first group has one to three digits and no leading zero, each other one has three. */
bool ft__number_scan_grouped(const char *text, const char **end, double *value, struct ft__groups *groups);

/* ft__number_read - a number of a table's cell, where no list stands, as ft_number_parse reads it: "10k",
 * "10MB", "1,234,567". single: also "1,234", which is a decimal point where ';' is between cells. Of the
 * whole text. */
bool ft__number_read(const char *cell, bool single, double *value);

/* ft__commas_group - whether the commas of a typed text part groups of digits, and not the values of a list:
 * a group of several digits begins with 0, as no value of a list does. So 1,000,000 is one number;
 * 100,200,300 are three. */
bool ft__commas_group(const char *text);

/* ft__whole_scan - the same as ft__number_scan, digits only. */
bool ft__whole_scan(const char *text, const char **end, double *value);

/* ft__double_print - "%.*g", "%.*e" or "%.*f" (conversion: its letter), with a point. */
void ft__double_print(char *buffer, size_t size, int precision, char conversion, double value);

/*
 * Moments of the wall clock as text: ISO 8601, UTC, to the nanosecond.
 */

enum { FT__MOMENT_LENGTH = 48 };

/* ft__moment_format - nanoseconds since 1970 as "2026-01-31T12:00:00.123456789Z"; 0 as an empty text. */
char *ft__moment_format(int64_t ns, char buffer[FT__MOMENT_LENGTH]);

/* ft__moment_parse - the same back; fewer decimals, a blank for T, and no Z are accepted. */
bool ft__moment_parse(const char *text, int64_t *ns);

#endif
