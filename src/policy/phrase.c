/* SPDX-License-Identifier: GPL-3.0-or-later */
/* phrase.c - texts of bounded length. */
#include "policy/policy.h"

#include <stdarg.h>
#include <stdio.h>

void ft__phrase_add(struct ft__phrase *line, const char *format, ...)
{
	size_t at = line->length < line->size ? line->length : line->size;
	va_list args;

	va_start(args, format);
	int added = vsnprintf(at < line->size ? line->s + at : NULL, line->size - at, format, args);
	va_end(args);
	if (added > 0)
		line->length += (size_t)added;
}
