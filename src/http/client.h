/* SPDX-License-Identifier: GPL-3.0-or-later */
/* client.h - ask an HTTP server at a unix socket. Needs libc alone, and is part of the library. */
#ifndef FT_HTTP_CLIENT_H
#define FT_HTTP_CLIENT_H

#include "foretime/status.h"

/* ft__http_get - one question, one answer.
 *
 * target  path and what stands behind '?', encoded
 * code    out, HTTP's status
 * body    out, heap, ends with free; NULL on failure
 *
 * Returns FT_OK, whatever the code; FT_ENOENT: nobody answers there; FT_EIO: what comes is no answer, none
 * comes for ten seconds, or it is not whole ten seconds after it began; FT_EINVAL: a path that is too long;
 * FT_ENOMEM. */
enum ft_status ft__http_get(const char *socket_path, const char *target, unsigned *code, char **body,
			    struct ft_err *err);

/* ft__http_post - the same of a question that changes something; nothing is sent with it. */
enum ft_status ft__http_post(const char *socket_path, const char *target, unsigned *code, char **body,
			     struct ft_err *err);

/* ft__http_socket - where a manager of this user is asked, unless said otherwise: $FORETIME_MANAGER, else
 * $XDG_RUNTIME_DIR/foretime/manager.sock, else /tmp/foretime-UID/manager.sock. Heap, ends with ft_free. */
char *ft__http_socket(void);

/* ft__http_encode - a text as a part of a target. Heap, ends with free; NULL: no memory. */
char *ft__http_encode(const char *text);

#endif
