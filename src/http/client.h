/* SPDX-License-Identifier: GPL-3.0-or-later */
/* client.h - a client of HTTP: requests to servers at unix sockets, or over TLS, all at the same time. Needs libc
 * alone, and libgnutls once an address is https. Part of the library. */
#ifndef FT_HTTP_CLIENT_H
#define FT_HTTP_CLIENT_H

#include "foretime/base.h"

#include <stdbool.h>
#include <stddef.h>

/* A request to one server, and its answer. Texts are borrowed. */
struct ft__http_fetch {
	const char *address;         /* "https://HOST:PORT", "unix:PATH", or the path of a socket */
	const char *method, *target; /* target: path and query string, encoded */
	const char *token;           /* sent over TLS alone; NULL: none */
	const char *authority;       /* file of certificates that are trusted; NULL: those of the system */
	bool ours;                   /* refuse a unix socket that another user serves */
	/* out */
	unsigned code; /* HTTP's status */
	char *body;    /* heap, ends with ft_free; NULL on failure */
	struct ft_err err;
};

/* ft__http_fetch - send all of them at the same time, and wait for their answers, or until the time is over.
 * One that fails costs the other ones nothing.
 *
 * limit_s     for all together
 * most_bytes  of each answer
 *
 * err.status of each is FT_OK for any code; FT_ENOENT: no server there; FT_EIO: an invalid answer, one that
 * is too long, or none in time; FT_EACCESS: another user, or a certificate that is not trusted; FT_EINVAL: no
 * such address; FT_EUNAVAIL: no TLS here; FT_ENOMEM. */
void ft__http_fetch(struct ft__http_fetch *fetch, size_t n, double limit_s, size_t most_bytes);

/* ft__http_address - whether a text has the form of an address. FT_EINVAL. */
enum ft_status ft__http_address(const char *address, struct ft_err *err);

/* ft__http_get - one request to a unix socket, and its answer within ten seconds.
 *
 * code    out, HTTP's status
 * body    out, heap, ends with free; NULL on failure
 *
 * Returns as ft__http_fetch does. */
enum ft_status ft__http_get(const char *socket_path, const char *target, unsigned *code, char **body,
			    struct ft_err *err);

/* ft__http_post - the same with POST, without a body. */
enum ft_status ft__http_post(const char *socket_path, const char *target, unsigned *code, char **body,
			     struct ft_err *err);

/* ft__http_socket - the default socket of this user's manager: $FORETIME_MANAGER, else
 * $XDG_RUNTIME_DIR/foretime/manager.sock, else /tmp/foretime-UID/manager.sock. Heap, ends with ft_free. */
char *ft__http_socket(void);

/* ft__http_encode - a text as a part of a target. Heap, ends with ft_free; NULL: no memory. */
char *ft__http_encode(const char *text);

#endif
