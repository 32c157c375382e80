/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tls.h - the client's side of TLS over a socket that does not block. */
#ifndef FT_HTTP_TLS_H
#define FT_HTTP_TLS_H

#include "foretime/base.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct ft__tls;

/* ft__tls_new - authority: file of certificates that are trusted; NULL: those of the system. FT_OK;
 * FT_EUNAVAIL: no library; FT_EINVAL: the file has no certificate; FT_ENOMEM. */
enum ft_status ft__tls_new(struct ft__tls **out, int fd, const char *host, const char *authority,
			   struct ft_err *err);
void ft__tls_free(struct ft__tls *tls); /* accepts NULL; the socket stays open */

/* ft__tls_shake - continue the handshake. done: out. FT_OK; FT_EACCESS: the certificate is not trusted;
 * FT_EIO. */
enum ft_status ft__tls_shake(struct ft__tls *tls, bool *done, struct ft_err *err);

/* ft__tls_send, ft__tls_receive - as send(2) and recv(2): -1 with EAGAIN when they would wait. */
ssize_t ft__tls_send(struct ft__tls *tls, const void *bytes, size_t n);
ssize_t ft__tls_receive(struct ft__tls *tls, void *bytes, size_t n);

bool ft__tls_writes(const struct ft__tls *tls); /* what it waits for: to write, else to read */

#endif
