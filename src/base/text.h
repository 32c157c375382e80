/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text.h - a string that grows.
 *
 * Zero-initialise; add; look at .s; end with ft_text_clear or take the string with ft_text_take. An addition
 * that finds no memory marks the text as failed and adds nothing more: check once, at the end.
 */
#ifndef FT_BASE_TEXT_H
#define FT_BASE_TEXT_H

#include "foretime/status.h"

#include <stdbool.h>

struct ft_text {
	char *s; /* NULL until something was added, else ends in a zero byte */
	size_t length, capacity;
	bool failed;
};

void ft_text_add(struct ft_text *text, const char *format, ...) FT_PRINTF(2, 3);
void ft_text_add_bytes(struct ft_text *text, const char *bytes, size_t length);

/* ft_text_add_number - the shortest decimal that strtod reads back as the same double; integers without
 * point. NaN and infinities add "nan", "inf", "-inf": keep them out of what others read. */
void ft_text_add_number(struct ft_text *text, double value);

/* ft_text_add_note - "# KEY: VALUE", a line of its own in a table; nothing where the value is NULL or empty.
 * A value of several lines becomes one. */
void ft_text_add_note(struct ft_text *text, const char *key, const char *value);

/* ft__word_is_plain - whether sh takes a text for one word, and for nothing else, wherever it stands. */
bool ft__word_is_plain(const char *word);

/* ft_text_add_word - one word of sh: in single quotes where it needs them. */
void ft_text_add_word(struct ft_text *text, const char *word);

/* ft_text_add_words - a command of sh: words that end with NULL, a blank between them. */
void ft_text_add_words(struct ft_text *text, const char *const *words);

/* ft_text_add_command - the same as one word, for what hands it to another sh. */
void ft_text_add_command(struct ft_text *text, const char *const *words);

/* ft_text_take - the string, the caller's from now on (ft_free); NULL when an addition failed. An empty text
 * gives an empty string. The text is cleared. */
char *ft_text_take(struct ft_text *text);

void ft_text_clear(struct ft_text *text); /* accepts NULL, and twice */

/* ft__name_length - the bytes of the name at a place, as parameters and expressions have them: letters of
 * ASCII, digits, '_', the first no digit; 0: there is none. */
size_t ft__name_length(const char *text);

#endif
