/* SPDX-License-Identifier: GPL-3.0-or-later */
/* field.h - rows that define each field of a question: its name, its kind and range, where its value goes,
 * and its meaning. Options of a command, words of HTTP's query, OpenAPI, completion and --help use the same
 * rows, so that a range is stated and checked once.
 *
 *	static const struct ft_field fields[] = {
 *		{.name = "confidence", .kind = FT_FIELD_SHARE, .at = offsetof(struct query, confidence),
 *		 .argument = "C", .least = 0.5, .most = 0.9995, .help = "share of runs inside the interval"},
 *		{0},
 *	};
 */
#ifndef FT_BASE_FIELD_H
#define FT_BASE_FIELD_H

#include "foretime/base.h"

#include <stdbool.h>
#include <stddef.h>

enum ft_field_kind {
	FT_FIELD_FLAG,     /* bool */
	FT_FIELD_TEXT,     /* const char *: borrowed from the caller; not empty */
	FT_FIELD_TEXTS,    /* struct ft_field_texts: the same, given several times */
	FT_FIELD_NUMBER,   /* double */
	FT_FIELD_DURATION, /* double, seconds */
	FT_FIELD_BYTES,    /* double */
	FT_FIELD_SHARE,    /* double within 0 .. 1, both excluded */
	FT_FIELD_PART,     /* double within 0 .. 1, both included */
	FT_FIELD_COUNT,    /* size_t */
	FT_FIELD_COUNTS,   /* struct ft_field_counts */
	FT_FIELD_WORD,     /* unsigned, or an enum: index of the word in `words` */
	FT_FIELD_HEADING,  /* no field, its name is "": what those behind it are about */
	FT_FIELD_ROWS, /* the rows of a question up to its first heading, as though they stood here; where:
			  its struct */
	FT_FIELD_REST, /* a heading: the rest of the rows, from here on */
};

/* "2:10" or "2:10:30s" */
struct ft_field_counts {
	size_t least, most;
	double limit_s; /* 0: not stated */
};

enum { FT_FIELD_TEXTS_MOST = 16 };

struct ft_field_texts {
	const char *text[FT_FIELD_TEXTS_MOST];
	size_t n;
};

/* A row; the last one of a table has no name. Those before the first heading are the everyday ones: where a
 * page of 25 lines is not enough for all, --help prints them alone. A row without help is an old spelling,
 * and is printed nowhere. A row with `of` is a key of that option: it stands behind its value, as in --solver
 * nmf,rank=3, and is explained below it. */
struct ft_field {
	char letter; /* of the option's short form; 0: none */
	const char *name;
	enum ft_field_kind kind;
	void *where;          /* of an option: what keeps its value when it is not given */
	const char *argument; /* as --help calls the value; NULL for a flag */
	const char *help;     /* what it means, and its default */
	size_t at;            /* in a table of a question: the place in its struct */
	double least, most;   /* of a number; both 0: all that the kind allows */
	const char *words;    /* of a WORD all that it may be: "idle|usual"; so of a TEXT where a command has
				 several formats; of a number words that it may be instead, which are stored
				 as -1, -2, ... */
	const char *of;       /* the option whose key it is; NULL: an option of its own */
	const struct ft_field *rows; /* of ROWS and REST */
	const char
		*not_with; /* names of fields that it excludes, separated by blanks; stated on one of two */
};

#define FT_AT(question, member)                                                                              \
	{                                                                                                    \
		.at = offsetof(question, member)                                                             \
	}

/* ft_field_find - the row of that name, which is `length` bytes long; NULL: there is none. */
const struct ft_field *ft_field_find(const struct ft_field *fields, const char *name, size_t length);

/* ft_fields_exclude - whether one of two fields excludes the other one. */
bool ft_fields_exclude(const struct ft_field *one, const struct ft_field *other);

/* ft_fields_together - two fields that both have a value. FT_EINVAL: they exclude each other. dashes: what
 * stands before the name of an option, "--", or "". */
enum ft_status ft_fields_together(const struct ft_field *one, const struct ft_field *other,
				  const char *dashes, struct ft_err *err);

/* ft_fields_flat - the rows of a table with those of its questions in place of ROWS and REST, and `where` set
 * in each.
 *
 * flat  heap, ends with ft_free; NULL: no memory
 */
struct ft_field *ft_fields_flat(const struct ft_field *fields);

/* ft_field_read - parse a value into `where`, by its row.
 *
 * Returns FT_OK; FT_EPARSE: another kind; FT_EINVAL: out of range, or none of the words. Then *where is
 * unchanged.
 */
enum ft_status ft_field_read(const struct ft_field *field, void *where, const char *text, struct ft_err *err);

/* ft_flag_read - a flag of a file: yes, true, on, 1, or no, false, off, 0, in letters of either case.
 * FT_EPARSE. */
enum ft_status ft_flag_read(const char *text, bool *flag, struct ft_err *err);

#endif
