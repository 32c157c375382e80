/* SPDX-License-Identifier: GPL-3.0-or-later */
/* question.h - what stands behind '?', read by rows. */
#ifndef FT_MANAGER_QUESTION_H
#define FT_MANAGER_QUESTION_H

#include "http/http.h"
#include "tell/question.h"

/* ft__query_read - each value once: of a field of the question, of one of the door itself, or else a word of
 * the question.
 *
 * fields, into     rows of the door and their struct; fields NULL: it has none
 * question, asked  NULL: nothing is asked of models, and no other word is taken
 *
 * Texts are borrowed of the request. Returns FT_OK; FT_EINVAL; FT_EPARSE.
 */
enum ft_status ft__query_read(const struct ft_http_ask *ask, const struct ft_field *fields, void *into,
			      const struct ft_question *question, struct ft_asked *asked, struct ft_err *err);

#endif
