/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wire.c - whole blocks over a stream socket; for both sides, in the library and in foretime-helper. */
#include "measure/helper.h"

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

/* A byte, with a descriptor (unix(7), SCM_RIGHTS). */
struct parcel {
	struct msghdr message;
	struct iovec block;
	char byte;
	_Alignas(struct cmsghdr) char rights[CMSG_SPACE(sizeof(int))];
};

static void wrap_byte(struct parcel *parcel)
{
	memset(parcel, 0, sizeof *parcel);
	parcel->block = (struct iovec){&parcel->byte, 1};
	parcel->message.msg_iov = &parcel->block;
	parcel->message.msg_iovlen = 1;
	parcel->message.msg_control = parcel->rights;
	parcel->message.msg_controllen = sizeof parcel->rights;
}

bool ft__wire_send_file(int socket, int file)
{
	struct parcel parcel;
	ssize_t sent;

	wrap_byte(&parcel);
	struct cmsghdr *head = CMSG_FIRSTHDR(&parcel.message);
	head->cmsg_level = SOL_SOCKET;
	head->cmsg_type = SCM_RIGHTS;
	head->cmsg_len = CMSG_LEN(sizeof file);
	memcpy(CMSG_DATA(head), &file, sizeof file);
	do
		sent = sendmsg(socket, &parcel.message, MSG_NOSIGNAL);
	while (sent < 0 && errno == EINTR);
	return sent == 1;
}

bool ft__wire_receive_file(int socket, int *file)
{
	struct parcel parcel;
	ssize_t got;

	*file = -1;
	wrap_byte(&parcel);
	do
		got = recvmsg(socket, &parcel.message, MSG_CMSG_CLOEXEC);
	while (got < 0 && errno == EINTR);
	if (got != 1)
		return false;
	const struct cmsghdr *head = CMSG_FIRSTHDR(&parcel.message);
	if (head && head->cmsg_type == SCM_RIGHTS && head->cmsg_len == CMSG_LEN(sizeof *file))
		memcpy(file, CMSG_DATA(head), sizeof *file);
	return true;
}
