/* SPDX-License-Identifier: GPL-3.0-or-later */
/* routes.h - what the files that answer requests share. */
#ifndef FT_MANAGER_ROUTES_H
#define FT_MANAGER_ROUTES_H

#include "base/field.h"
#include "manager/inside.h"
#include "tell/question.h"

#include <jansson.h>

/* Longest model that may be put. As foretime export --json prints it, a run of 22 resources takes 2.7 KB, of
 * 40 some 5: a thousand of them fit, and as CSV 40 times as many. */
enum { FT__MODEL_MOST = 6 << 20 };

/* ft__routes_tell - object: taken; NULL: no memory. ft__routes_refuse - a failure, with HTTP's status for it.
 */
struct ft_http_answer *ft__routes_tell(json_t *object);
struct ft_http_answer *ft__routes_refuse(const struct ft_err *err);

/* A route, which is asked again when what it waited for is there. */
typedef struct ft_http_answer *ft__routes_again_by(void *ctx, struct ft_http_ask *ask);

/* ft__routes_wait - until a snapshot is ready, or what is answered later was. Returns what the route does. */
struct ft_http_answer *ft__routes_wait(struct ft_manager *manager, struct ft_http_ask *ask,
				       ft__routes_again_by *again);

/* ft__routes_snapshot - one that has models. false: the route returns *answer, which is NULL where it waits.
 */
bool ft__routes_snapshot(struct ft_manager *manager, struct ft_http_ask *ask,
			 const struct ft__subject *subject, const struct ft__snapshot **out,
			 struct ft_http_answer **answer, ft__routes_again_by *again);

/* What takes the worker a while to answer: a part of a struct, and its first, of whoever begins it. */
struct ft__later {
	struct ft__task task; /* first: one is the other; but for `next` by whoever begins it */
	struct ft_manager *manager;
	struct ft_http_ask *ask;
	const struct ft__snapshot *snapshot; /* of which it is the answer; kept */
	struct ft__later *next;
};

/* ft__later_find - what is asked was answered meanwhile (out, for whoever asks), or is just being made: then
 * it is waited for, and *out is NULL. `again`: the route. false: neither. */
bool ft__later_find(struct ft_manager *manager, struct ft_http_ask *ask, struct ft_http_answer **out,
		    ft__routes_again_by *again);

/* ft__later_begin - have the worker do it; the route returns NULL. snapshot NULL: of none, and not kept. */
void ft__later_begin(struct ft__later *later, struct ft_manager *manager, struct ft_http_ask *ask,
		     const struct ft__snapshot *snapshot);

/* ft__later_give - by `done`. answer: taken; NULL: no memory. until_ns: as of ft__cache_put; 0: it is not
 * kept. */
void ft__later_give(struct ft__later *later, struct ft_http_answer *answer, int64_t until_ns);

/* What routes are asked besides the words of a question: rows of structs of their own. */
extern const struct ft_field ft__routes_model_fields[];

/* ft__routes_forms - the forms in which a question is answered; NULL: JSON alone. */
const struct ft_field *ft__routes_forms(const struct ft_question *question);

/* Routes. */
struct ft_http_answer *ft__routes_openapi(void *ctx, struct ft_http_ask *ask);
struct ft_http_answer *ft__routes_metrics(void *ctx, struct ft_http_ask *ask);
struct ft_http_answer *ft__routes_model(void *ctx, struct ft_http_ask *ask);
struct ft_http_answer *ft__routes_put_model(void *ctx, struct ft_http_ask *ask);

#endif
