/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cells-test.h - what the tests of cells share: texts with more behind their end, chance. */
#ifndef FT_TEST_TRACE_CELLS_TEST_H
#define FT_TEST_TRACE_CELLS_TEST_H

#include "base/random.h"
#include "tap.h"
#include "trace/trace.h"

enum { LENGTH = 128 };

/* A text, and a 7 behind its end. */
struct text {
	char s[LENGTH];
	struct ft__cell cell;
};

__attribute__((unused)) static struct ft__cell *text_of(struct text *text, const char *s)
{
	size_t n = strlen(s);

	memcpy(text->s, s, n);
	memcpy(text->s + n, "7", 2);
	text->cell = (struct ft__cell){text->s, text->s + n};
	return &text->cell;
}

__attribute__((unused)) static void add(char *s, const char *more)
{
	(void)strncat(s, more, LENGTH - 2 - strlen(s));
}

__attribute__((unused)) static const char *one_of(struct ft_random *random, const char *const *words,
						  size_t n)
{
	return words[ft_random_below(random, n)];
}

#define ONE_OF(...)                                                                                          \
	one_of(random, (const char *const[]){__VA_ARGS__},                                                   \
	       sizeof(const char *const[]){__VA_ARGS__} / sizeof(char *))

__attribute__((unused)) static int below(struct ft_random *random, int n)
{
	return (int)ft_random_below(random, (size_t)n);
}

#endif
