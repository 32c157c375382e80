/* SPDX-License-Identifier: GPL-3.0-or-later */
/* aside.h - runs a query that may block for ever (on a file system whose server is gone) in a thread of its
 * own, so that the caller can stop waiting.
 *
 *	ft__aside_new(&aside, sizeof question, answer, NULL, err);
 *	if (ft__aside_ask(aside, &question) && ft__aside_answer(aside, &question, 2))
 *		... it is answered; else ft__aside_fd(aside) tells when it is, if ever
 */
#ifndef FT_WATCH_ASIDE_H
#define FT_WATCH_ASIDE_H

#include "foretime/base.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ft__aside;

/* ft__aside_new - for queries of one kind, one at a time.
 *
 * size   of a query, with room for its answer: it is copied, and shares nothing with the caller
 * work   run by the thread: writes the answer to its place
 * clear  releases an abandoned answer; NULL: it owns nothing
 *
 * FT_OK; FT_EUNAVAIL: no descriptor; FT_ENOMEM. */
enum ft_status ft__aside_new(struct ft__aside **out, size_t size, void (*work)(void *what),
			     void (*clear)(void *what), struct ft_err *err);

/* ft__aside_free - never waits: a running query is left to its thread. Accepts NULL. */
void ft__aside_free(struct ft__aside *aside);

int ft__aside_fd(const struct ft__aside *aside); /* readable: an answer is there */

/* ft__aside_ask - what: taken. false: it is still ours; the one before is not answered, or its answer not
 * taken, or there is no thread. */
bool ft__aside_ask(struct ft__aside *aside, const void *what);

/* ft__aside_answer - the answer, which then belongs to the caller; false: there is none after that many
   milliseconds. */
bool ft__aside_answer(struct ft__aside *aside, void *what, int wait_ms);

/* ft__aside_asked_ns - when the running query was started; 0: there is none. */
int64_t ft__aside_asked_ns(struct ft__aside *aside);

#endif
