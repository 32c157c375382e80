/* SPDX-License-Identifier: GPL-3.0-or-later */
/* field.c - parses a typed value by the row of its field. */
#include "base/alloc.h"
#include "base/field.h"
#include "base/text.h"
#include "foretime/base.h"

#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const struct ft_field *ft_field_find(const struct ft_field *fields, const char *name, size_t length)
{
	for (; fields->name; fields++)
		if (fields->kind != FT_FIELD_HEADING && strlen(fields->name) == length &&
		    !strncmp(fields->name, name, length))
			return fields;
	return NULL;
}

bool ft_fields_exclude(const struct ft_field *one, const struct ft_field *other)
{
	return (one->not_with && ft_word_at(one->not_with, other->name) != SIZE_MAX) ||
	       (other->not_with && ft_word_at(other->not_with, one->name) != SIZE_MAX);
}

enum ft_status ft_fields_together(const struct ft_field *one, const struct ft_field *other,
				  const char *dashes, struct ft_err *err)
{
	if (!ft_fields_exclude(one, other))
		return FT_OK;
	(void)ft_fail(err, FT_EINVAL, "%s%s%s%s and %s%s%s%s exclude each other", dashes,
		      one->of ? one->of : "", one->of ? " " : "", one->name, dashes,
		      other->of ? other->of : "", other->of ? " " : "", other->name);
	return ft_remedy(err, "leave one of them out");
}

struct ft_field *ft_fields_flat(const struct ft_field *fields)
{
	size_t n = 1;

	for (const struct ft_field *f = fields; f->name; f++, n++)
		for (const struct ft_field *row = f->rows; row && row->name; row++)
			n++;
	struct ft_field *flat = ft_calloc(n, sizeof *flat), *next = flat;
	for (const struct ft_field *f = fields; flat && f->name; f++) {
		bool rest = false;

		if (f->kind != FT_FIELD_ROWS && f->kind != FT_FIELD_REST) {
			*next++ = *f;
			continue;
		}
		for (const struct ft_field *row = f->rows; row && row->name; row++) {
			rest |= row->kind == FT_FIELD_HEADING;
			if (rest != (f->kind == FT_FIELD_REST))
				continue;
			*next = *row;
			next++->where = row->kind == FT_FIELD_HEADING ? NULL : (char *)f->where + row->at;
		}
	}
	return flat;
}

enum ft_status ft_flag_read(const char *text, bool *flag, struct ft_err *err)
{
	static const char *const words[] = {"no", "yes", "false", "true", "off", "on", "0", "1"};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (!strcasecmp(text, words[i])) {
			*flag = i % 2;
			return FT_OK;
		}
	(void)ft_fail(err, FT_EPARSE, "'%.40s' is neither yes nor no", text);
	return ft_remedy(err, "write yes, or leave it out");
}

/* "idle, usual or now" */
static void list_words(const char *words, char list[128])
{
	size_t at = 0;

	for (; *words && at < 128 - 1; words++) {
		bool last = !strchr(words + 1, '|');

		if (*words != '|')
			list[at++] = *words;
		else
			for (const char *s = last ? " or " : ", "; *s && at < 128 - 1; s++)
				list[at++] = *s;
	}
	list[at] = '\0';
}

/* Digits up to `end`, as a count. */
static bool read_count(const char *text, char end, const char **rest, size_t *count)
{
	char *stop;

	if (!isdigit((unsigned char)*text))
		return false;
	errno = 0;
	unsigned long long value = strtoull(text, &stop, 10);
	if (errno || value > SIZE_MAX || (*stop != end && *stop))
		return false;
	*count = (size_t)value;
	*rest = *stop ? stop + 1 : NULL;
	return true;
}

static enum ft_status read_counts(const char *text, struct ft_field_counts *counts, struct ft_err *err)
{
	struct ft_field_counts read = {0};
	const char *rest = text;

	if (!read_count(text, ':', &rest, &read.least) || !rest || !read_count(rest, ':', &rest, &read.most))
		return ft_fail(err, FT_EPARSE,
			       "'%s' is not of the form LEAST:MOST or LEAST:MOST:DURATION, such as 2:10",
			       text);
	if (!read.least || read.most < read.least)
		return ft_fail(err, FT_EINVAL, "'%s' is an empty range of runs", text);
	if (rest)
		FT_TRY(ft_duration_parse(rest, &read.limit_s, err));
	*counts = read;
	return FT_OK;
}

/* Kinds that are doubles; a range that the row states is theirs. */
static enum ft_status read_double(const struct ft_field *field, double *where, const char *text,
				  struct ft_err *err)
{
	const bool bounded = field->least != 0 || field->most != 0;
	double value;

	switch (field->kind) {
	case FT_FIELD_DURATION:
		FT_TRY(ft_duration_parse(text, &value, err));
		break;
	case FT_FIELD_BYTES:
		FT_TRY(ft_bytes_parse(text, &value, err));
		break;
	case FT_FIELD_SHARE:
		FT_TRY(ft_share_parse(text, bounded ? field->least : 1e-6, bounded ? field->most : 1 - 1e-6,
				      &value, err));
		break;
	case FT_FIELD_PART:
		FT_TRY(ft_share_parse(text, bounded ? field->least : 0, bounded ? field->most : 1, &value,
				      err));
		break;
	default:
		FT_TRY(ft_number_parse(text, &value, err));
	}
	if (bounded && !(value >= field->least && value <= field->most))
		return ft_fail(err, FT_EINVAL, "'%s' is not within %g and %g", text, field->least,
			       field->most);
	*where = value;
	return FT_OK;
}

enum ft_status ft_field_read(const struct ft_field *field, void *where, const char *text, struct ft_err *err)
{
	struct ft_field_texts *texts = where;
	const char *rest = NULL;
	char list[128];
	size_t word, count;

	if (field->kind != FT_FIELD_FLAG && !*text)
		return ft_fail(err, FT_EPARSE, "it is empty");
	switch (field->kind) {
	case FT_FIELD_FLAG:
		*(bool *)where = true;
		return FT_OK;
	case FT_FIELD_TEXT:
		*(const char **)where = text;
		return FT_OK;
	case FT_FIELD_TEXTS:
		if (texts->n == FT_FIELD_TEXTS_MOST)
			return ft_fail(err, FT_EINVAL, "it is given more than %d times", FT_FIELD_TEXTS_MOST);
		texts->text[texts->n++] = text;
		return FT_OK;
	case FT_FIELD_COUNTS:
		return read_counts(text, where, err);
	case FT_FIELD_COUNT:
		word = field->words ? ft_word_at(field->words, text) : SIZE_MAX;
		if (word != SIZE_MAX) {
			*(size_t *)where = SIZE_MAX - word;
			return FT_OK;
		}
		if (read_count(text, '\0', &rest, &count) && (double)count >= field->least &&
		    (field->most == 0 || (double)count <= field->most)) {
			*(size_t *)where = count;
			return FT_OK;
		}
		(void)ft_fail(err, FT_EPARSE, "'%s' is not a whole number%s", text,
			      field->most > 0 ? " in range" : "");
		return field->most > 0
			       ? ft_remedy(err, "write one from %.0f to %.0f", field->least, field->most)
			       : ft_remedy(err, "write one from %.0f on", field->least);
	case FT_FIELD_WORD:
		word = ft_word_at(field->words, text);
		if (word != SIZE_MAX) {
			*(unsigned *)where = (unsigned)word;
			return FT_OK;
		}
		list_words(field->words, list);
		(void)ft_fail(err, FT_EINVAL, "'%s' is none of its words", text);
		return ft_remedy(err, "write %s", list);
	default:
		word = field->words ? ft_word_at(field->words, text) : SIZE_MAX;
		if (word == SIZE_MAX)
			return read_double(field, where, text, err);
		*(double *)where = -1 - (double)word;
		return FT_OK;
	}
}
