/* SPDX-License-Identifier: GPL-3.0-or-later */
/* utf8.c - characters of text that others wrote. */
#include "base/utf8.h"

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
