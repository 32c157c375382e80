/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text.c - a string that grows, and functions on text. */
#include "base/alloc.h"
#include "base/text.h"
#include "foretime/base.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <zlib.h>

/* Make room for `length` more bytes and the zero byte. */
static bool grow_text(struct ft_text *text, size_t length)
{
	size_t wanted = text->length + length + 1;
	size_t capacity = text->capacity ? text->capacity : 64;

	if (text->failed)
		return false;
	if (wanted <= text->capacity)
		return true;
	while (capacity < wanted)
		capacity *= 2;
	char *moved = ft_realloc(text->s, capacity);
	if (!moved) {
		text->failed = true;
		return false;
	}
	text->s = moved;
	text->capacity = capacity;
	return true;
}

void ft_text_add_bytes(struct ft_text *text, const char *bytes, size_t length)
{
	if (!grow_text(text, length))
		return;
	memcpy(text->s + text->length, bytes, length);
	text->length += length;
	text->s[text->length] = '\0';
}

void ft_text_add(struct ft_text *text, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	int length = vsnprintf(NULL, 0, format, args);
	va_end(args);
	if (length < 0) {
		text->failed = true;
		return;
	}
	if (!grow_text(text, (size_t)length))
		return;
	va_start(args, format);
	(void)vsnprintf(text->s + text->length, (size_t)length + 1, format, args);
	va_end(args);
	text->length += (size_t)length;
}

void ft_text_add_number(struct ft_text *text, double value)
{
	char digits[FT_NUMBER_LENGTH];

	ft_number_format(value, digits);
	ft_text_add_bytes(text, digits, strlen(digits));
}

bool ft__word_is_plain(const char *word)
{
	static const char plain[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=+,@%-";

	return *word && !word[strspn(word, plain)];
}

void ft_text_add_word(struct ft_text *text, const char *word)
{
	if (ft__word_is_plain(word)) {
		ft_text_add(text, "%s", word);
		return;
	}
	ft_text_add(text, "'");
	for (const char *at = word; *at; at++)
		if (*at == '\'')
			ft_text_add(text, "'\\''");
		else
			ft_text_add_bytes(text, at, 1);
	ft_text_add(text, "'");
}

void ft_text_add_words(struct ft_text *text, const char *const *words)
{
	for (size_t i = 0; words[i]; i++) {
		if (i)
			ft_text_add_bytes(text, " ", 1);
		ft_text_add_word(text, words[i]);
	}
}

void ft_text_add_command(struct ft_text *text, const char *const *words)
{
	struct ft_text command = {0};

	ft_text_add_words(&command, words);
	ft_text_add_word(text, command.s ? command.s : "");
	text->failed = text->failed || command.failed;
	ft_text_clear(&command);
}

char *ft_text_take(struct ft_text *text)
{
	char *s;

	ft_text_add_bytes(text, "", 0);
	if (text->failed) {
		ft_text_clear(text);
		return NULL;
	}
	s = text->s;
	*text = (struct ft_text){0};
	return s;
}

void ft_text_add_note(struct ft_text *text, const char *key, const char *value)
{
	if (!value || !*value)
		return;
	ft_text_add(text, "# %s: ", key);
	for (; *value; value++)
		ft_text_add_bytes(text, *value == '\n' || *value == '\r' ? " " : value, 1);
	ft_text_add_bytes(text, "\n", 1);
}

void ft_text_clear(struct ft_text *text)
{
	if (!text)
		return;
	ft_free(text->s);
	*text = (struct ft_text){0};
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

size_t ft__name_length(const char *text)
{
	size_t n = 0;

	while (is_letter(text[n]) || (n && text[n] >= '0' && text[n] <= '9'))
		n++;
	return n;
}

/*
 * Characters of foreign text.
 */

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

/* The code point of a character of this many bytes. */
static uint32_t number_of(const char *at, size_t length)
{
	uint32_t number = length > 1 ? (unsigned char)*at & (0x7fU >> length) : (unsigned char)*at;

	for (size_t i = 1; i < length; i++)
		number = number << 6 | ((unsigned char)at[i] & 0x3f);
	return number;
}

/* Whether the bytes may be the beginning of a character. */
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
	if (number == 0x061c || number == 0x200e || number == 0x200f ||
	    (number >= 0x202a && number <= 0x202e) || (number >= 0x2066 && number <= 0x2069) ||
	    (ft__utf8_is_control(text) && *text != '\n' && *text != '\t')) {
		(void)snprintf(shown, FT_CHARACTER_LENGTH, "\\u%04x", (unsigned)number & 0xffff);
	} else {
		memcpy(shown, text, length);
		shown[length] = '\0';
	}
	return length;
}

/*
 * The difference between two words, the index of a word in a list, and ends of words.
 */

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

/*
 * Compress stored texts.
 */

enum ft_status ft__squeeze(const char *text, size_t length, void **out, size_t *n, struct ft_err *err)
{
	uLongf room = compressBound(length);
	unsigned char *bytes = ft_malloc(room);

	*out = NULL;
	*n = 0;
	/* It fits: zlib can fail only for lack of memory. */
	if (!bytes || compress2(bytes, &room, (const unsigned char *)text, length, 6) != Z_OK) {
		ft_free(bytes);
		return ft_nomem(err);
	}
	*out = bytes;
	*n = room;
	return FT_OK;
}

enum ft_status ft__unsqueeze(const void *bytes, size_t n, size_t length, char **out, struct ft_err *err)
{
	uLongf got = length;
	char *text = ft_malloc(length + 1);

	*out = NULL;
	if (!text)
		return ft_nomem(err);
	int rc = uncompress((unsigned char *)text, &got, bytes, n);
	if (rc == Z_OK && got == length) {
		text[length] = '\0';
		*out = text;
		return FT_OK;
	}
	ft_free(text);
	return rc == Z_MEM_ERROR ? ft_nomem(err) : ft_fail(err, FT_EPARSE, "a text that was kept is damaged");
}

/*
 * The fingerprint of bytes.
 */

uint64_t ft_hash_bytes(uint64_t hash, const void *bytes, size_t length)
{
	const unsigned char *byte = bytes;

	for (size_t i = 0; i < length; i++)
		hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
	return hash;
}

uint64_t ft_hash_text(const char *text)
{
	return ft_hash_bytes(FT_HASH_START, text, strlen(text));
}

uint32_t ft_hash_crc(uint32_t crc, const void *bytes, size_t length)
{
	return (uint32_t)crc32_z(crc, bytes, length);
}

char *ft_hash_format(uint64_t hash, char buffer[FT_HASH_LENGTH])
{
	(void)snprintf(buffer, FT_HASH_LENGTH, "%016" PRIx64, hash);
	return buffer;
}
