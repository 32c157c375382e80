/* SPDX-License-Identifier: GPL-3.0-or-later */
/* word.c - how much two words differ, which of a list one is, and how one ends. */
#include "base/word.h"

#include <stdint.h>
#include <string.h>
#include <strings.h>

enum { LENGTH = 200 };

static size_t least_of(size_t a, size_t b)
{
	return a < b ? a : b;
}

size_t ft_word_distance(const char *a, const char *b)
{
	size_t room[3][LENGTH + 1], *before = room[0], *last = room[1], *now = room[2];
	size_t n = strnlen(a, LENGTH), m = strnlen(b, LENGTH), i, j;

	for (j = 0; j <= m; j++)
		before[j] = last[j] = j;
	for (i = 1; i <= n; i++) {
		size_t *spare = before;

		now[0] = i;
		for (j = 1; j <= m; j++) {
			now[j] = least_of(last[j - 1] + (a[i - 1] != b[j - 1]),
					  least_of(last[j], now[j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				now[j] = least_of(now[j], before[j - 2] + 1);
		}
		before = last;
		last = now;
		now = spare;
	}
	return last[m];
}

size_t ft_word_mistaken(const char *word, const char *candidate)
{
	size_t length = strlen(word), distance = ft_word_distance(word, candidate);

	if (length >= 3 && !strncmp(word, candidate, length))
		return distance ? 1 : 0;
	if (!strcasecmp(word, candidate))
		return distance ? 1 : 0;
	return distance <= 2 && 3 * distance <= length ? distance : SIZE_MAX;
}

size_t ft_word_at(const char *words, const char *text)
{
	static const char between[] = "|, \t\r\n";
	size_t length = strlen(text), i = 0;

	for (const char *at = words + strspn(words, between); *at; i++) {
		size_t n = strcspn(at, between);

		if (n == length && !strncmp(at, text, n))
			return i;
		at += n;
		at += strspn(at, between);
	}
	return SIZE_MAX;
}

bool ft_word_ends(const char *text, const char *end)
{
	size_t length = strlen(text), tail = strlen(end);

	return length > tail && !strcmp(text + length - tail, end);
}
