/* SPDX-License-Identifier: GPL-3.0-or-later */
/* number.h - plain decimal numbers inside longer texts, alike in every locale. */
#ifndef FT_BASE_NUMBER_H
#define FT_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

/* ft__number_scan - the decimal number at the beginning of a text: digits, a point, an exponent; no sign, no
 * blank.
 *
 * end    the first byte behind the number; text when there is none
 * value  what it says; an infinity when it is too large for a double; 0 when there is none
 *
 * Returns whether there is a number. What strtod would take besides (hexadecimal, "nan", "inf") is none.
 */
bool ft__number_scan(const char *text, const char **end, double *value);

/* ft__number_scan_signed - the same with an optional sign. */
bool ft__number_scan_signed(const char *text, const char **end, double *value);

/* ft__whole_scan - the same, digits only. */
bool ft__whole_scan(const char *text, const char **end, double *value);

/* ft__double_print - "%.*g", "%.*e" or "%.*f" (conversion: its letter), with a point. */
void ft__double_print(char *buffer, size_t size, int precision, char conversion, double value);

#endif
