/* SPDX-License-Identifier: GPL-3.0-or-later */
/* words.h - the words behind a benchmark's name, by a table of its options. Include in one file of a program.
 */
#ifndef FT_BENCH_WORDS_H
#define FT_BENCH_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct word {
	const char *name; /* "--seed"; the last row has none */
	enum {
		WORD_FLAG,   /* bool */
		WORD_COUNT,  /* uint64_t */
		WORD_NUMBER, /* double */
		WORD_TEXT,   /* const char *, borrowed */
	} kind;
	void *where;
};

static void word_set(const struct word *word, const char *value)
{
	switch (word->kind) {
	case WORD_FLAG:
		*(bool *)word->where = true;
		break;
	case WORD_COUNT:
		*(uint64_t *)word->where = strtoull(value, NULL, 10);
		break;
	case WORD_NUMBER:
		*(double *)word->where = strtod(value, NULL);
		break;
	case WORD_TEXT:
		*(const char **)word->where = value;
		break;
	}
}

/* words_read - false where there is a word that the table has not, but for one that is no option: *other,
 * which may be NULL where there is to be none. */
static inline bool words_read(const struct word *table, int argc, char **argv, const char **other)
{
	const struct word *word;
	int i;

	for (i = 1; i < argc; i++) {
		for (word = table; word->name && strcmp(word->name, argv[i]) != 0; word++)
			;
		if (word->name && (word->kind == WORD_FLAG || i + 1 < argc)) {
			word_set(word, word->kind == WORD_FLAG ? NULL : argv[++i]);
		} else if (other && !*other && argv[i][0] != '-') {
			*other = argv[i];
		} else {
			return false;
		}
	}
	return true;
}

/* words_number - the only word as a number of `least` at least, `otherwise` where there is none. False: it is
 * no such number, or there are more. */
static inline bool words_number(int argc, char **argv, double least, double otherwise, double *out)
{
	char *end;

	*out = otherwise;
	if (argc < 2)
		return true;
	*out = strtod(argv[1], &end);
	return argc == 2 && end > argv[1] && !*end && *out >= least && *out < 1e9;
}

#endif
