/* SPDX-License-Identifier: GPL-3.0-or-later */
/* client.h - a client of HTTP over a unix socket. Needs libc alone, and is part of the library. */
#ifndef FT_HTTP_CLIENT_H
#define FT_HTTP_CLIENT_H

#include "foretime/base.h"

/* ft__http_get - send a request, receive an answer.
 *
 * target  path and query string, encoded
 * code    out, HTTP's status
 * body    out, heap, ends with free; NULL on failure
 *
 * Returns FT_OK for any code; FT_ENOENT: no server there; FT_EIO: an invalid answer, none for ten seconds,
 * or one that is incomplete after ten more; FT_EINVAL: a path that is too long;
 * FT_ENOMEM. */
enum ft_status ft__http_get(const char *socket_path, const char *target, unsigned *code, char **body,
			    struct ft_err *err);

/* ft__http_post - the same with POST, without a body. */
enum ft_status ft__http_post(const char *socket_path, const char *target, unsigned *code, char **body,
			     struct ft_err *err);

/* ft__http_socket - the default socket of this user's manager: $FORETIME_MANAGER, else
 * $XDG_RUNTIME_DIR/foretime/manager.sock, else /tmp/foretime-UID/manager.sock. Heap, ends with ft_free. */
char *ft__http_socket(void);

/* ft__http_encode - a text as a part of a target. Heap, ends with free; NULL: no memory. */
char *ft__http_encode(const char *text);

#endif
