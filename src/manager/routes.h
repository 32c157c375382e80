/* SPDX-License-Identifier: GPL-3.0-or-later */
/* routes.h - what the files that answer requests share. */
#ifndef FT_MANAGER_ROUTES_H
#define FT_MANAGER_ROUTES_H

#include "manager/inside.h"

#include <jansson.h>

/* Longest model that may be put. As foretime export --json prints it, a run of 22 resources takes 2.7 KB, of
 * 40 some 5: a thousand of them fit, and as CSV 40 times as many. */
enum { FT__MODEL_MOST = 6 << 20 };

/* ft__routes_tell - object: taken; NULL: no memory. ft__routes_refuse - a failure, with HTTP's status for it.
 */
struct ft_http_answer *ft__routes_tell(json_t *object);
struct ft_http_answer *ft__routes_refuse(const struct ft_err *err);

/* Routes. */
struct ft_http_answer *ft__routes_openapi(void *ctx, struct ft_http_ask *ask);
struct ft_http_answer *ft__routes_model(void *ctx, struct ft_http_ask *ask);
struct ft_http_answer *ft__routes_put_model(void *ctx, struct ft_http_ask *ask);

#endif
