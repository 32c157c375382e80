/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text.c - a string that grows. */
#include "base/text.h"
#include "base/alloc.h"
#include "foretime/units.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Make room for `length` more bytes and the zero byte. */
static bool make_room(struct ft_text *text, size_t length)
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
	if (!make_room(text, length))
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
	if (!make_room(text, (size_t)length))
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
