/* SPDX-License-Identifier: GPL-3.0-or-later */
/* utf8.c - characters of text that others wrote. */
#include "base/utf8.h"
#include "foretime/units.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static size_t length_of(unsigned char first)
{
	if (first < 0x80)
		return 1;
	if (first < 0xc2 || first >= 0xf5)
		return 0;
	return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

size_t ft__utf8_length(const char *at, size_t most)
{
	const unsigned char *byte = (const unsigned char *)at;
	size_t length = most ? length_of(*byte) : 0, i;

	if (length > most)
		return 0;
	for (i = 1; i < length; i++)
		if ((byte[i] & 0xc0) != 0x80)
			return 0;
	/* Too long a form, a surrogate, or past U+10FFFF. */
	if ((*byte == 0xe0 && byte[1] < 0xa0) || (*byte == 0xed && byte[1] >= 0xa0) ||
	    (*byte == 0xf0 && byte[1] < 0x90) || (*byte == 0xf4 && byte[1] >= 0x90))
		return 0;
	return length;
}

bool ft__utf8_is_control(const char *at)
{
	unsigned char first = (unsigned char)*at;

	return first < 0x20 || first == 0x7f || (first == 0xc2 && (unsigned char)at[1] < 0xa0);
}

void ft__utf8_line(char *to, size_t bytes, const char *text)
{
	size_t n = 0, length;

	for (; *text; text += length ? length : 1) {
		length = ft__utf8_length(text, SIZE_MAX);
		bool shows = length && !ft__utf8_is_control(text);
		if (n + (shows ? length : 1) >= bytes)
			break;
		if (shows)
			memmove(to + n, text, length);
		else
			to[n] = length ? ' ' : '?';
		n += shows ? length : 1;
	}
	to[n] = '\0';
}

/* The number of the character at a place, of so many bytes. */
static uint32_t number_of(const char *at, size_t length)
{
	uint32_t number = length > 1 ? (unsigned char)*at & (0x7fU >> length) : (unsigned char)*at;

	for (size_t i = 1; i < length; i++)
		number = number << 6 | ((unsigned char)at[i] & 0x3f);
	return number;
}

/* UAX 9, table 4: marks, embeddings, overrides, isolates. */
static bool turns_direction(uint32_t number)
{
	return number == 0x061c || number == 0x200e || number == 0x200f ||
	       (number >= 0x202a && number <= 0x202e) || (number >= 0x2066 && number <= 0x2069);
}

/* Whether the bytes there are may be the beginning of a character. */
static bool is_cut(const char *text, size_t n)
{
	if (n >= length_of((unsigned char)*text))
		return false;
	for (size_t i = 1; i < n; i++)
		if (((unsigned char)text[i] & 0xc0) != 0x80)
			return false;
	return true;
}

size_t ft_character_show(const char *text, size_t n, char shown[FT_CHARACTER_LENGTH])
{
	size_t length = ft__utf8_length(text, n);

	if (!length && is_cut(text, n))
		return 0;
	if (!length) {
		(void)snprintf(shown, FT_CHARACTER_LENGTH, "\\x%02x", (unsigned)(unsigned char)*text);
		return 1;
	}
	uint32_t number = number_of(text, length);
	if (turns_direction(number) || (ft__utf8_is_control(text) && *text != '\n' && *text != '\t')) {
		(void)snprintf(shown, FT_CHARACTER_LENGTH, "\\u%04x", (unsigned)number & 0xffff);
	} else {
		memcpy(shown, text, length);
		shown[length] = '\0';
	}
	return length;
}
