/* SPDX-License-Identifier: GPL-3.0-or-later */
/* asked.h - what a manager is asked, and its answer as it is told. */
#ifndef FT_TELL_ASKED_H
#define FT_TELL_ASKED_H

#include "foretime/manager.h"

#include <jansson.h>

/* ft_tell_ask_predict - the whole of an answer, in which "predictions" is a list.
 *
 * out  ends with json_decref; NULL on failure
 *
 * Returns as ft_manager_predict does. */
enum ft_status ft_tell_ask_predict(const struct ft_manager_question *question, json_t **out,
				   struct ft_err *err);

/* ft_tell_get_number - a member of an object; NaN: it is none, or null. */
double ft_tell_get_number(const json_t *object, const char *key);

#endif
