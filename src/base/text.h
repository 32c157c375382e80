/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text.h - a string that grows.
 *
 * Zero-initialise; add; read .s; end with ft_text_clear or take the string with ft_text_take. An addition
 * that finds no memory marks the text as failed and adds nothing more: check once, at the end. */
#ifndef FT_BASE_TEXT_H
#define FT_BASE_TEXT_H

#include "foretime/base.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ft_text {
	char *s; /* NULL until something was added, else ends in a zero byte */
	size_t length, capacity;
	bool failed;
};

void ft_text_add(struct ft_text *text, const char *format, ...) FT_PRINTF(2, 3);
void ft_text_add_bytes(struct ft_text *text, const char *bytes, size_t length);

/* ft_text_add_number - the shortest decimal that strtod reads back as the same double; integers without
 * point. NaN and infinities add "nan", "inf", "-inf": keep them out of files for other programs. */
void ft_text_add_number(struct ft_text *text, double value);

/* ft_text_add_note - "# KEY: VALUE", a line of its own in a table; nothing if the value is NULL or empty.
 * A value of several lines becomes one. */
void ft_text_add_note(struct ft_text *text, const char *key, const char *value);

/* ft__word_is_plain - whether sh takes a text as exactly one literal word in any position. */
bool ft__word_is_plain(const char *word);

/* ft_text_add_word - one word of sh: in single quotes where it needs them. */
void ft_text_add_word(struct ft_text *text, const char *word);

/* ft_text_add_words - a command of sh: words that end with NULL, a blank between them. */
void ft_text_add_words(struct ft_text *text, const char *const *words);

/* ft_text_add_command - the same quoted as one word, to be passed to another sh. */
void ft_text_add_command(struct ft_text *text, const char *const *words);

/* ft_text_take - the string, the caller's from now on (ft_free); NULL when an addition failed. An empty text
 * gives an empty string. The text is cleared. */
char *ft_text_take(struct ft_text *text);

void ft_text_clear(struct ft_text *text); /* accepts NULL, and twice */

/* ft__name_length - the bytes of the name at a place, as parameters and expressions have them: letters of
 * ASCII, digits, '_', the first no digit; 0: there is none. */
size_t ft__name_length(const char *text);

/*
 * Characters of foreign text.
 */

/* ft__utf8_length - the bytes (1 to 4) of the character at a place; 0: there is none. most: bytes that may be
 * read; of a string that ends in a zero byte, SIZE_MAX. Source: RFC 3629, sections 3 and 4. */
size_t ft__utf8_length(const char *at, size_t most);

/* ft__utf8_is_control - whether the character at a place is a control character: below a blank, delete, or
 * one of U+0080 to U+009F. */
bool ft__utf8_is_control(const char *at);

/* ft__utf8_line - as much of a text as fits, in one printable line: a control character becomes a blank,
 * an invalid byte '?', and no character is cut. bytes: of `to`, with the zero byte; it may be the text
 * itself. */
void ft__utf8_line(char *to, size_t bytes, const char *text);

/*
 * Comparison of words.
 */

/* ft_word_distance - bytes to change, insert, leave out, or swap with their neighbour, of the first 200 bytes
 * of each (optimal string alignment). O(n m). */
size_t ft_word_distance(const char *a, const char *b);

/* ft_word_mistaken - how far a typed word is from a candidate that it may be a slip of: their distance, where
 * that is no more than 2 and than a third of the word; 1 where three letters or more begin it, or capitals
 * alone differ; else SIZE_MAX. */
size_t ft_word_mistaken(const char *word, const char *candidate);

/* ft_word_at - the index of a text in a list of words, "idle|usual" or "a, b c", from 0; SIZE_MAX: none.
 * Words have '|', commas or white space between them. */
size_t ft_word_at(const char *words, const char *text);

/* ft_word_ends - whether a text ends in these bytes, with something before them. */
bool ft_word_ends(const char *text, const char *end);

/*
 * Compress stored texts (zlib's deflate).
 */

/* ft__squeeze - out: heap, ends with ft_free, [*n]. FT_OK; FT_ENOMEM. */
enum ft_status ft__squeeze(const char *text, size_t length, void **out, size_t *n, struct ft_err *err);

/* ft__unsqueeze - restore compressed bytes to a text of that length, with a zero byte behind it; heap.
 * FT_OK; FT_EPARSE: not compressed; FT_ENOMEM. */
enum ft_status ft__unsqueeze(const void *bytes, size_t n, size_t length, char **out, struct ft_err *err);

/*
 * The fingerprint of bytes. Not for secrets.
 * Source: Fowler, Noll, Vo: FNV-1a, 64 bits (IETF draft-eastlake-fnv, sections 2 and 5).
 */

#define FT_HASH_START  UINT64_C(0xcbf29ce484222325)
#define FT_HASH_LENGTH 17 /* 16 digits and the zero byte */

/* ft_hash_bytes - a hash (at first FT_HASH_START) continued over bytes. ft_hash_text - of a text, whole. */
uint64_t ft_hash_bytes(uint64_t hash, const void *bytes, size_t length);
uint64_t ft_hash_text(const char *text);

/* ft_hash_crc - CRC-32 of ISO 3309 (at first 0) continued over bytes: it sees each flip of one to three bits,
 * which a hash sees only very probably. */
uint32_t ft_hash_crc(uint32_t crc, const void *bytes, size_t length);

/* ft_hash_format - as 16 hexadecimal digits. Returns buffer. */
char *ft_hash_format(uint64_t hash, char buffer[FT_HASH_LENGTH]);

enum { FT_CHARACTER_LENGTH = 8 };

/* ft_character_show - the first character of a text as a terminal may be given it: as it is, or by its number
 * where it would steer the terminal (controls but for tab and line feed; what turns the direction in which is
 * written), or is none: "\u001b" (as JSON has it too), "\x9b" of a byte that begins no character.
 *
 * text   [n] UTF-8 of strangers, n >= 1
 * shown  with its zero byte
 *
 * Returns how many bytes it takes; 0: those there are begin a character, and its rest is missing.
 * Source: RFC 3629, sections 3 and 4; Unicode Standard Annex 9, section 2.
 */
size_t ft_character_show(const char *text, size_t n, char shown[FT_CHARACTER_LENGTH]);

#endif
