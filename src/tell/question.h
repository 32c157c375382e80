/* SPDX-License-Identifier: GPL-3.0-or-later */
/* question.h - a question to the models of a program, or to a store, as a value: the command, HTTP and the
 * page fill the same struct by the same rows, and the answer is the JSON that each of them gives.
 *
 *	struct ft_asked asked = ft_asked_usual;
 *
 *	ft_asked_take(&ft_question_predict, &asked, "confidence", "99%", err);
 *	ft_asked_take(&ft_question_predict, &asked, "n", "512", err);
 *	ft_question_predict.answer(answerer, &asked, &object, err);
 */
#ifndef FT_TELL_QUESTION_H
#define FT_TELL_QUESTION_H

#include "base/field.h"
#include "foretime/ask.h"
#include "foretime/law.h"
#include "tell/batch.h"

#include <jansson.h>
#include <stdint.h>

enum { FT_ASKED_WORDS = 2 * FT_PARAMS_MAX };

/* How a job that was killed runs again, of FT_RISK_LEAST_MOST and FT_RISK_LEAST_DOUBLE. */
enum ft_retry { FT_RETRY_MOST, FT_RETRY_DOUBLE, FT_RETRY_UNSTATED };

/* Texts are borrowed of whoever asks. */
struct ft_asked {
	const char *name, *device, *machine;
	const char *resource; /* NULL: the usual one; "all" */
	double confidence;
	struct ft_ask_load load;
	bool niced;
	/* of a request */
	double risk; /* also FT_RISK_LEAST_MOST */
	enum ft_retry retry;
	size_t cpus;               /* 0: as measured */
	double overhead, at_least; /* bytes; overhead NaN: as usual */
	const char *at_most;
	/* of fit */
	enum ft_law_kind class;
	size_t terms; /* 0: as the runs require */
	bool mean;
	/* of show: so many of the newest runs and jobs; 0: none */
	size_t kept, jobs;
	/* of list */
	const char *search, *after;
	size_t limit; /* names; 0: all */
	/* Limits of the door: no more combinations of values, or names, than answers_most; and whether the
	 * answer goes to whoever asks, so that what is the owner's alone is left out. */
	size_t answers_most;
	bool served;
	/* What is no field: values of parameters, and limits. */
	struct ft_asked_word {
		const char *key, *value;
		bool size; /* "size.KEY": a parameter, though a field is called so */
	} word[FT_ASKED_WORDS];
	size_t n;
	uint64_t given; /* which fields have a value: a bit for each row of the question */
};
extern const struct ft_asked ft_asked_usual;

struct ft_question {
	const char *name;  /* as the command and the path are called */
	const char *about; /* one line, without full stop */
	const struct ft_field *fields;
	const char *words; /* what the words are that are no fields; NULL: it takes none */
	bool slow;         /* it may take a second: a server does not answer others meanwhile by itself */
	bool all;          /* it may be about no program in particular */
	size_t most;       /* answers that a server gives at once */
	/* One of the two, by the models of asked->name, or by a store, which is read. out: the caller's, ends
	 * with json_decref. Sets the load of the answerer. */
	enum ft_status (*answer)(struct ft_answerer *answerer, const struct ft_asked *asked, json_t **out,
				 struct ft_err *err);
	enum ft_status (*look)(struct ft_store *store, const struct ft_asked *asked, json_t **out,
			       struct ft_err *err);
};
extern const struct ft_question ft_question_predict, ft_question_largest, ft_question_request,
	ft_question_rank, ft_question_fit, ft_question_show, ft_question_list;

/* All of them; the last is NULL. */
extern const struct ft_question *const ft_questions[];

/* Rows that all of them have: the everyday ones, and those of the load. */
/* clang-format off */
#define FT_ASKED(key, member) .name = (key), .at = offsetof(struct ft_asked, member)
#define FT_ASKED_GROUP(title) {.name = "", .kind = FT_FIELD_HEADING, .help = (title)}
#define FT_ASKED_CONFIDENCE \
	{FT_ASKED("confidence", confidence), .letter = 'c', .kind = FT_FIELD_SHARE, .argument = "C", \
	 .least = FT_CONFIDENCE_LEAST, .most = FT_CONFIDENCE_MOST, \
	 .help = "share of future runs inside the interval; default 90%"}
#define FT_ASKED_MODELS \
	{FT_ASKED("device", device), .kind = FT_FIELD_TEXT, .argument = "D", .help = "device to use, if NAME has several"}, \
	{FT_ASKED("machine", machine), .kind = FT_FIELD_TEXT, .argument = "M", \
	 .help = "host name or fingerprint of the machine; default: this one"}
#define FT_ASKED_LOAD \
	FT_ASKED_GROUP("background load"), \
	{FT_ASKED("load", load.view), .kind = FT_FIELD_WORD, .argument = "KIND", .words = "idle|usual|now", \
	 .help = "background load: idle (default), usual (from the recorded history) or now"}, \
	{FT_ASKED("threads", load.threads), .kind = FT_FIELD_NUMBER, .argument = "K", .least = 1e-3, .most = 1e6, \
	 .help = "processors that the run keeps busy; default: from its processor time"}, \
	{FT_ASKED("niced", niced), .kind = FT_FIELD_FLAG, .help = "the run takes only what other processes leave"}
/* clang-format on */

/* ft_asked_take - one value more: of a field of the question, or else of a parameter or a limit.
 *
 * Returns FT_OK; FT_EINVAL, FT_EPARSE: as ft_field_read; FT_EINVAL: too many, no value (NULL), a field that an
 * earlier one excludes, or the question takes no such word.
 */
enum ft_status ft_asked_take(const struct ft_question *question, struct ft_asked *asked, const char *key,
			     const char *value, struct ft_err *err);

/* ft_asked_size - the size that the words name, all of which are parameters: one that the program admits.
 * FT_EINVAL. */
enum ft_status ft_asked_size(struct ft_answerer *answerer, const struct ft_asked *asked, struct ft_size *out,
			     struct ft_err *err);

/* ft_asked_load - the load that is asked about. */
struct ft_ask_load ft_asked_load(const struct ft_asked *asked);

/* ft_asked_risk - the risk and the bounds of a request, as ft_ask_request and ft_tell_answered take them.
 * FT_EINVAL: fields that exclude each other. */
enum ft_status ft_asked_risk(const struct ft_asked *asked, double *risk, struct ft_tell_bounds *bounds,
			     struct ft_err *err);

#endif
