/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wire.c - whole blocks over a stream socket; on both sides of the talk, in the library and in
 * foretime-helper. */
#include "measure/wire.h"

#include <errno.h>
#include <string.h>
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

/* unix(7), SCM_RIGHTS. */
union rights {
	char bytes[CMSG_SPACE(sizeof(int))];
	struct cmsghdr align;
};

bool ft__wire_send_file(int socket, int file)
{
	char byte = 0;
	struct iovec block = {&byte, 1};
	union rights rights = {{0}};
	struct msghdr message = {.msg_iov = &block,
				 .msg_iovlen = 1,
				 .msg_control = rights.bytes,
				 .msg_controllen = sizeof rights.bytes};
	struct cmsghdr *head = CMSG_FIRSTHDR(&message);
	ssize_t sent;

	head->cmsg_level = SOL_SOCKET;
	head->cmsg_type = SCM_RIGHTS;
	head->cmsg_len = CMSG_LEN(sizeof file);
	memcpy(CMSG_DATA(head), &file, sizeof file);
	do
		sent = sendmsg(socket, &message, MSG_NOSIGNAL);
	while (sent < 0 && errno == EINTR);
	return sent == 1;
}

bool ft__wire_receive_file(int socket, int *file)
{
	char byte;
	struct iovec block = {&byte, 1};
	union rights rights = {{0}};
	struct msghdr message = {.msg_iov = &block,
				 .msg_iovlen = 1,
				 .msg_control = rights.bytes,
				 .msg_controllen = sizeof rights.bytes};
	const struct cmsghdr *head;
	ssize_t got;

	*file = -1;
	do
		got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
	while (got < 0 && errno == EINTR);
	if (got != 1)
		return false;
	head = CMSG_FIRSTHDR(&message);
	if (head && head->cmsg_type == SCM_RIGHTS && head->cmsg_len == CMSG_LEN(sizeof *file))
		memcpy(file, CMSG_DATA(head), sizeof *file);
	else
		errno = EMFILE;
	return true;
}
