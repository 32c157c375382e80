/* SPDX-License-Identifier: GPL-3.0-or-later */
/* asked.h - what a manager is asked, and its answer as it is told. */
#ifndef FT_TELL_ASKED_H
#define FT_TELL_ASKED_H

#include "base/text.h"
#include "foretime/manager.h"

#include <jansson.h>

/* ft_tell_target_add - one pair more behind '?' of what is asked, encoded. prefix: "size." of a parameter, or
 * "". */
void ft_tell_target_add(struct ft_text *target, const char *prefix, const char *key, const char *value);

/* ft_tell_ask - ask what such a target names.
 *
 * socket  NULL: the usual one
 * target  "/predict/NAME?size.n=512", taken; NULL: no memory
 * out     the answer, an object; ends with json_decref; NULL on failure
 *
 * Returns as ft_manager_predict does. */
enum ft_status ft_tell_ask(const char *socket, char *target, json_t **out, struct ft_err *err);

/* ft_tell_get_number - a member of an object; NaN: it is none, or null. */
double ft_tell_get_number(const json_t *object, const char *key);

#endif
