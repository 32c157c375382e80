/* SPDX-License-Identifier: GPL-3.0-or-later */
/* utf8.h - characters of text that others wrote. */
#ifndef FT_BASE_UTF8_H
#define FT_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* ft__utf8_length - the bytes (1 to 4) of the character at a place; 0: there is none. most: bytes that may be
 * read; of a string that ends in a zero byte, SIZE_MAX. Source: RFC 3629, sections 3 and 4. */
size_t ft__utf8_length(const char *at, size_t most);

/* ft__utf8_is_control - whether the character at a place is a control character: below a blank, delete, or
 * one of U+0080 to U+009F. */
bool ft__utf8_is_control(const char *at);

/* ft__utf8_line - what fits of a text, in one line that can be shown: a control character becomes a blank,
 * what is no character '?', and none is cut. bytes: of `to`, with the zero byte; it may be the text itself.
 */
void ft__utf8_line(char *to, size_t bytes, const char *text);

#endif
