/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tell.h - the fields of answers, each defined once: a row has its key, its place in a struct of C, its
 * meaning, and its form for people. JSON, columns for people, CSV and the schema in doc/schema come from
 * rows.
 *
 *	static const struct ft_tell_row rows[] = {
 *		{FT_TELL(struct ft_pass, level), .words = "L2 cache|L3 cache|memory"},
 *		{FT_TELL(struct ft_pass, bytes), .head = ">size", .unit = "bytes"},
 *		{FT_TELL(struct ft_pass, needed), .about = "as expected at the size", .null = "not known"},
 *		{0},
 *	};
 *	const struct ft_tell_record ft_tell_pass = {.bytes = sizeof(struct ft_pass), .row = rows};
 *
 * Tables show "-", or the text of the row, for a number that is NaN, or a text that is NULL if the row has a
 * meaning of null.
 *
 * In JSON a number that is NaN or infinite is null, and so is a text that is NULL, a time of 0, and, if
 * the row has a meaning of null, an integer of 0 and an embedded array that is empty. If it has a meaning
 * of absent, the member is left out instead. */
#ifndef FT_TELL_TELL_H
#define FT_TELL_TELL_H

#include "base/field.h"
#include "foretime/ask.h"
#include "foretime/facts.h"
#include "foretime/law.h"
#include "tell/answers.h"

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

struct ft_tell_bounds;

enum ft_tell_kind {
	FT_TELL_END,
	/* by the member's type: double, size_t, int, int64_t, bool, char *, char [], const struct
	   ft_resource *, struct ft_size, json_t */
	FT_TELL_NUMBER,
	FT_TELL_COUNT,
	FT_TELL_INT,
	FT_TELL_LONG,
	FT_TELL_BOOL,
	FT_TELL_TEXT,
	FT_TELL_CHARS,
	FT_TELL_RESOURCE, /* const struct ft_resource *: its name; BY UNIT: its unit */
	FT_TELL_UNIT,
	FT_TELL_SIZE, /* a member for each parameter; with a key: an object of them; with a head: columns
			 alone */
	FT_TELL_DONE, /* already a JSON value, of kind `of` */
	/* by name */
	FT_TELL_TIME,    /* int64_t, nanoseconds of the wall clock */
	FT_TELL_SAID,    /* a text computed by say() */
	FT_TELL_WORD,    /* an enum: the text that word() has for its value */
	FT_TELL_MADE,    /* the text that cell() makes; NULL: null, or no memory */
	FT_TELL_GOT,     /* the number that get() has for it */
	FT_TELL_RECORD,  /* a struct inside; FT_TELL_POINTER: behind a pointer */
	FT_TELL_POINTER, /* NULL: null */
	FT_TELL_ROWS,    /* the rows of another record, as though they stood here */
	FT_TELL_PERHAPS, /* the same behind a pointer; NULL: all of them are absent */
	FT_TELL_LIST,    /* a pointer to an array of structs; FT_TELL_ARRAY: an embedded array */
	FT_TELL_ARRAY,
	FT_TELL_MAP,    /* a list, as an object whose keys are the first rows' texts */
	FT_TELL_PROGRAM /* no member: a pointer to the program that names the parameters of this struct */
};

/* The context of rows besides their struct. */
struct ft_tell_with {
	const struct ft_program *program; /* names the parameters of sizes */
	const char *unit;                 /* of values whose struct has no unit */
	const char *runs;                 /* "90 % of runs", for heads with %s */
	bool verbose;                     /* people get the columns of details, too */
};

struct ft_tell_record;

struct ft_tell_row {
	const char *key; /* "": the struct is this value and no object; NULL: a column for people only, and
			    see SIZE, ROWS, PERHAPS */
	enum ft_tell_kind kind;
	size_t offset, count; /* offset of the member; of lists also of their number, a size_t */
	const struct ft_tell_record *of;
	const char *(*say)(const void *at);  /* at: the member */
	const char *(*word)(unsigned value); /* ft_outcome_text, and the like */
	double (*get)(const void *at);

	/* for the schema */
	const char *about;
	const char *null;   /* meaning of null, may be ""; NULL: it is never null */
	const char *absent; /* the same of its absence */
	const char *words;  /* all that it may be: "inside|over|under" */
	bool whole;         /* a double that is an integer */
	bool deep;          /* of DONE: items, or lists of them */

	/* for people */
	const char *head; /* head of its column, '>' before it: right-aligned; NULL: no column */
	/* of a number: "s", "bytes", "%", "+-" (accuracy as a share), ".2f" (digits), ".1f %" (of a
	 * share), "" (the record's own) */
	const char *unit;
	const char *none; /* text of unknown values; NULL: "-" */
	/* another text, heap. record: the struct */
	char *(*cell)(const void *record, const struct ft_tell_with *with);
	bool csv;    /* a column of CSV, too */
	bool detail; /* people get the column with -v only (ft_tell_with) */
};

struct ft_tell_record {
	const char *name;   /* of an answer: the command. Else its name in the schema; NULL: inline */
	const char *action; /* of a command with several answers */
	const char *typed;  /* the words typed, if they differ from the name; NULL: they do not */
	int version;        /* of an answer: "foretime-NAME-VERSION"; else 0 */
	const char *about;
	size_t bytes;                      /* of the struct */
	bool (*there)(const void *output); /* false: null stands for it; NULL: it always is */
	const struct ft_tell_row *row;
};

#define FT_TELL_AT(type, member) .offset = offsetof(type, member)
#define FT_TELL_KIND(type, member)                                                                           \
	.kind = _Generic(&((type *)0)->member,                                                               \
		double *: FT_TELL_NUMBER,                                                                    \
		size_t *: FT_TELL_COUNT,                                                                     \
		int *: FT_TELL_INT,                                                                          \
		int64_t *: FT_TELL_LONG,                                                                     \
		bool *: FT_TELL_BOOL,                                                                        \
		char **: FT_TELL_TEXT,                                                                       \
		const char **: FT_TELL_TEXT,                                                                 \
		const struct ft_resource **: FT_TELL_RESOURCE,                                               \
		struct ft_size *: FT_TELL_SIZE,                                                              \
		json_t **: FT_TELL_DONE,                                                                     \
		default: FT_TELL_CHARS)

/* FT_TELL - a row whose key is the member's name; FT_TELL_AS: another key, or NULL. */
#define FT_TELL(type, member)          FT_TELL_AS(#member, type, member)
#define FT_TELL_AS(name, type, member) .key = (name), FT_TELL_AT(type, member), FT_TELL_KIND(type, member)

/* FT_TELL_BY - a row of a kind that no type of C determines. */
#define FT_TELL_BY(how, name, type, member) .key = (name), FT_TELL_AT(type, member), .kind = FT_TELL_##how

/* FT_TELL_WHOLE - the same of the struct itself, not of a member. */
#define FT_TELL_WHOLE(how, name) .key = (name), .offset = 0, .kind = FT_TELL_##how

/* FT_TELL_MANY - several structs of a record: behind a pointer (LIST, MAP), or embedded (ARRAY). */
#define FT_TELL_MANY(how, name, type, member, number, record)                                                \
	FT_TELL_BY(how, name, type, member), .count = offsetof(type, number), .of = (record)

/* Lists of these are lists of values. */
extern const struct ft_tell_record ft_tell_texts, ft_tell_numbers;

/* ---- JSON --------------------------------------------------------------------------------------------- */

/* ft_tell_json - an object of the caller's; NULL: no memory. An answer begins with its "schema". with: may be
 * NULL where no row needs it. */
json_t *ft_tell_json(const struct ft_tell_record *record, const void *answer,
		     const struct ft_tell_with *with);

/* Values; NULL: no memory. Text that is no UTF-8 loses the bytes that are not. */
json_t *ft_tell_number(double value);
json_t *ft_tell_text(const char *text);
/* "2026-01-31T12:00:00Z"; null for 0 */

/* ft_tell_print - a value and a newline, real numbers as short as they read back the same. Returns FT_OK;
 * FT_ENOMEM. */
enum ft_status ft_tell_print(const json_t *value, FILE *file);

/* ft_tell_schema - what describes the answers of a command, one for each action; NULL: no memory. */
json_t *ft_tell_schema(const struct ft_tell_record *const *answer, size_t n);

/* ---- columns ------------------------------------------------------------------------------------------ */

/* One of a table: a row, or one parameter of a size. */
struct ft_tell_column {
	const struct ft_tell_row *row;
	size_t offset; /* in the struct */
	size_t param;
};

enum { FT_TELL_COLUMNS = 48 };

/* ft_tell_columns - the columns for people, or those of CSV. first: a struct to print, which decides the
 * columns absent from CSV; may be NULL. with NULL: with all details. Returns their number. */
size_t ft_tell_columns(const struct ft_tell_record *record, const void *first,
		       const struct ft_tell_with *with, bool csv,
		       struct ft_tell_column column[FT_TELL_COLUMNS]);

/* ft_tell_head, ft_tell_cell - heap, ends with ft_free; NULL: no memory. */
char *ft_tell_head(const struct ft_tell_column *column, const struct ft_tell_with *with);
char *ft_tell_cell(const struct ft_tell_record *record, const struct ft_tell_column *column,
		   const void *answer, const struct ft_tell_with *with);

/* ft_tell_csv - n structs as lines, below one of keys where `head`; values are SI. Returns FT_OK; FT_ENOMEM.
 */
enum ft_status ft_tell_csv(FILE *file, const struct ft_tell_record *record, const void *answer, size_t n,
			   const struct ft_tell_with *with, bool head);

/* ft_tell_age - "3 min ago" of a wall clock time; "at an unknown time" for 0. */
enum { FT_TELL_AGE = 64 };
char *ft_tell_age(int64_t ns, char buffer[FT_TELL_AGE]);

/* ft_tell_within - "4.9 %", an accuracy; "-" for NaN. */
enum { FT_TELL_WITHIN = 24 };
char *ft_tell_within(double share, char buffer[FT_TELL_WITHIN]);

/* ft_tell_far - "8.5x", a ratio; "over 1000x" above that. */
enum { FT_TELL_FAR = 24 };
char *ft_tell_far(double distance, char buffer[FT_TELL_FAR]);

/*
 * A question to the models of a program, or to a store, as a value: the command, HTTP and the page fill the
 * same struct by the same rows, and each returns the same JSON.
 *
 * 	struct ft_query query = ft_query_usual;
 *
 * 	ft_query_take(&ft_question_predict, &query, "confidence", "99%", err);
 * 	ft_query_take(&ft_question_predict, &query, "n", "512", err);
 * 	ft_question_predict.answer(answerer, &query, &object, err);
 */

enum { FT_QUERY_WORDS = 2 * FT_PARAMS_MAX };

/* The policy for a job that was killed: FT_RISK_LEAST_MOST or FT_RISK_LEAST_DOUBLE. */
enum ft_retry { FT_RETRY_MOST, FT_RETRY_DOUBLE, FT_RETRY_UNSTATED };

/* Texts are borrowed from the caller. */
struct ft_query {
	const char *name, *device, *machine;
	const char *resource; /* NULL: the usual one; "all" */
	double confidence;
	struct ft_ask_load load;
	bool niced;
	/* of a request */
	double risk; /* also FT_RISK_LEAST_MOST */
	enum ft_retry retry;
	size_t cpus;               /* 0: as measured; SIZE_MAX: the number that costs least (auto) */
	double overhead, at_least; /* bytes; overhead NaN: as usual */
	const char *at_most;
	/* of fit */
	enum ft_law_kind class;
	size_t terms; /* 0: as the runs require */
	bool mean;
	/* of show: how many of the newest runs and jobs; 0: none */
	size_t kept, jobs;
	/* of list */
	const char *search, *after;
	size_t limit; /* names; 0: all */
	bool traces;  /* only programs with stored traces */
	/* Limits of the interface: the most combinations of values, or names; and whether the answer
	 * leaves the process, so that private fields of the owner are left out. */
	size_t answers_most;
	bool served;
	/* Words that are no fields: values of parameters, and limits. */
	struct ft_query_word {
		const char *key, *value;
		bool size; /* "size.KEY": a parameter, though a field is called so */
	} word[FT_QUERY_WORDS];
	size_t n;
	uint64_t given; /* the fields with a value: a bit for each row of the question */
};
extern const struct ft_query ft_query_usual;

struct ft_question {
	const char *name;  /* as in the command and the path */
	const char *about; /* one line, without full stop */
	const struct ft_field *fields;
	const char *words; /* the meaning of words that are no fields; NULL: it takes none */
	bool slow;         /* it may take a second: a server must not answer it in its main thread */
	bool all;          /* it may be about no program in particular */
	size_t most;       /* answers that a server gives at once */
	/* Exactly one is set: answers from the models of query->name, or from a store, which is read. out:
	 * the caller's, ends with json_decref. Sets the load of the answerer. */
	enum ft_status (*answer)(struct ft_answerer *answerer, const struct ft_query *query, json_t **out,
				 struct ft_err *err);
	enum ft_status (*look)(struct ft_store *store, const struct ft_query *query, json_t **out,
			       struct ft_err *err);
};
extern const struct ft_question ft_question_predict, ft_question_largest, ft_question_request,
	ft_question_rank, ft_question_fit, ft_question_show, ft_question_list;

/* All of them; the last is NULL. */
extern const struct ft_question *const ft_questions[];

/* Rows that all of them have: the everyday ones, and those of the load. */
/* clang-format off */
#define FT_QUERY(key, member) .name = (key), .at = offsetof(struct ft_query, member)
#define FT_QUERY_GROUP(title) {.name = "", .kind = FT_FIELD_HEADING, .help = (title)}
#define FT_QUERY_CONFIDENCE \
	{FT_QUERY("confidence", confidence), .letter = 'c', .kind = FT_FIELD_SHARE, .argument = "C", \
	 .least = FT_CONFIDENCE_LEAST, .most = FT_CONFIDENCE_MOST, \
	 .help = "share of future runs inside the interval; default 90%"}
#define FT_QUERY_MODELS \
	{FT_QUERY("device", device), .kind = FT_FIELD_TEXT, .argument = "D", .help = "device to use, if NAME has several"}, \
	{FT_QUERY("machine", machine), .kind = FT_FIELD_TEXT, .argument = "M", \
	 .help = "host name or fingerprint of the machine; default: this one"}
#define FT_QUERY_LOAD \
	FT_QUERY_GROUP("background load"), \
	{FT_QUERY("load", load.view), .kind = FT_FIELD_WORD, .argument = "KIND", .words = "idle|usual|now", \
	 .help = "background load: idle (default), usual (from the recorded history) or now"}, \
	{FT_QUERY("threads", load.threads), .kind = FT_FIELD_NUMBER, .argument = "K", .least = 1e-3, .most = 1e6, \
	 .help = "processors that the run keeps busy; default: from its processor time"}, \
	{FT_QUERY("niced", niced), .kind = FT_FIELD_FLAG, .help = "the run takes only what other processes leave"}
/* clang-format on */

/* ft_query_take - add a value: of a field of the question, or else of a parameter or a limit.
 *
 * Returns FT_OK; FT_EINVAL, FT_EPARSE: as ft_field_read; FT_EINVAL: too many, no value (NULL), a field that
 * an earlier one excludes, or the question takes no such word.
 */
enum ft_status ft_query_take(const struct ft_question *question, struct ft_query *query, const char *key,
			     const char *value, struct ft_err *err);

/* ft_query_size - the size that the words name, all of which are parameters: one that the program admits.
 * FT_EINVAL. */
enum ft_status ft_query_size(struct ft_answerer *answerer, const struct ft_query *query, struct ft_size *out,
			     struct ft_err *err);

/* ft_query_load - the load to predict for. */
struct ft_ask_load ft_query_load(const struct ft_query *query);

/* ft_query_risk - the risk and the bounds of a request, as ft_ask_request and ft_tell_answered take them.
 * FT_EINVAL: fields that exclude each other. */
enum ft_status ft_query_risk(const struct ft_query *query, double *risk, struct ft_tell_bounds *bounds,
			     struct ft_err *err);

#endif
