/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wire.c - whole blocks over a stream socket; on both sides of the talk, in the library and in
 * foretime-helper. */
#include "measure/wire.h"

#include <errno.h>
#include <sys/socket.h>

bool ft__wire_receive(int socket, void *bytes, size_t length)
{
	char *to = bytes;

	while (length) {
		ssize_t got = recv(socket, to, length, MSG_WAITALL);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		to += got;
		length -= (size_t)got;
	}
	return true;
}

bool ft__wire_send(int socket, const void *bytes, size_t length)
{
	const char *from = bytes;

	while (length) {
		ssize_t sent = send(socket, from, length, MSG_NOSIGNAL);

		if (sent < 0 && errno == EINTR)
			continue;
		if (sent < 0)
			return false;
		from += sent;
		length -= (size_t)sent;
	}
	return true;
}
