/* SPDX-License-Identifier: GPL-3.0-or-later */
/* word.h - words beside words. */
#ifndef FT_BASE_WORD_H
#define FT_BASE_WORD_H

#include <stdbool.h>
#include <stddef.h>

/* ft_word_distance - bytes to change, insert, leave out, or swap with their neighbour, of the first 200 bytes
 * of each (optimal string alignment). O(n m). */
size_t ft_word_distance(const char *a, const char *b);

/* ft_word_mistaken - how far a typed word is from a candidate that it may be a slip of: their distance, where
 * that is no more than 2 and than a third of the word; 1 where three letters or more begin it, or capitals
 * alone differ; else SIZE_MAX. */
size_t ft_word_mistaken(const char *word, const char *candidate);

/* ft_word_at - which of the words of a list, "idle|usual" or "a, b c", a text is, from 0; SIZE_MAX: none. Words
 * have '|', commas or white space between them. */
size_t ft_word_at(const char *words, const char *text);

/* ft_word_ends - whether a text ends in these bytes, with something before them. */
bool ft_word_ends(const char *text, const char *end);

#endif
