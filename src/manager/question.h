/* SPDX-License-Identifier: GPL-3.0-or-later */
/* question.h - what a request asks, and the answer of a program's models, as foretime NAME --json has it. */
#ifndef FT_MANAGER_QUESTION_H
#define FT_MANAGER_QUESTION_H

#include "foretime/ask.h"
#include "http/http.h"
#include "manager/snapshot.h"

#include <jansson.h>

enum { FT__WORDS_MOST = 2 * FT_PARAMS_MAX };

/* One that was read. Texts are borrowed of the request. */
struct ft__query {
	struct ft__subject subject;
	const char *resource; /* NULL: the usual one */
	const char *format;   /* of the answer; NULL: json */
	double confidence;
	double risk, overhead, at_least, cpus; /* of a request; bytes; NaN, and 0: as usual */
	const char *at_most, *retry;           /* of a request; NULL: as usual */
	/* What is no option: values of parameters, and limits. */
	struct {
		const char *key, *value;
		bool size; /* "size.KEY": it is a parameter, though an option is called so */
	} word[FT__WORDS_MOST];
	size_t n;
};

/* ft__query_check - whether what stands behind '?' is there once, and among these names, with a blank between
 * them; NULL: any. FT_OK; FT_EINVAL. */
enum ft_status ft__query_check(const struct ft_http_ask *ask, const char *options, struct ft_err *err);

/* ft__query_read - options: names of those that are taken, with a blank between them. FT_OK; FT_EINVAL. */
enum ft_status ft__query_read(const struct ft_http_ask *ask, const char *options, struct ft__query *out,
			      struct ft_err *err);

/* How a question is answered: a JSON object, which is the caller's. */
typedef enum ft_status ft__answering(struct ft_answerer *answerer, const struct ft__query *question,
				     json_t **out, struct ft_err *err);

ft__answering ft__answer_predict, ft__answer_largest, ft__answer_rank, ft__answer_request;

#endif
