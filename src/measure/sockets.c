/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sockets.c - bytes of TCP sockets, as the kernel's sock_diag reports them; in the helper, and to see whether it works.
 *
 * The kernel lists its sockets with their counters (INET_DIAG_INFO), and announces each that is destroyed with its
 * last ones. Those of a run are found by the numbers of the descriptors of its processes, once; then by their cookie,
 * which none has again. It has no such counters for UDP, nor for unix sockets.
 * Source: Linux, sock_diag(7), include/uapi/linux/inet_diag.h, RFC 4898. */
#include "measure/sockets.h"

#include "base/alloc.h"

#include <errno.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

enum {
	SOCKETS_MOST = 65536, /* of a run */
	BUFFER = 32768,       /* the kernel fills no more at once */
	LISTENING = 10,       /* states without counters: TCP_LISTEN, TCP_TIME_WAIT, TCP_NEW_SYN_RECV */
	WAITING = 6,
	NOT_YET = 12,
	ENDS_MS = 10, /* how long the kernel may take to announce what has been closed */
};

static struct ft__socket *find(const struct ft__sockets *sockets, uint64_t cookie, uint32_t inode)
{
	struct ft__socket *empty = NULL;

	for (size_t i = 0; i < sockets->n; i++) {
		if (sockets->socket[i].cookie == cookie)
			return &sockets->socket[i];
		if (inode && !sockets->socket[i].cookie && sockets->socket[i].inode == inode)
			empty = &sockets->socket[i];
	}
	return empty;
}

void ft__sockets_add(struct ft__sockets *sockets, uint32_t inode)
{
	struct ft__socket *grown;

	for (size_t i = 0; i < sockets->n; i++)
		if (sockets->socket[i].inode == inode && !sockets->socket[i].gone)
			return;
	grown = sockets->n < SOCKETS_MOST
			? ft_grow(sockets->socket, sockets->n, &sockets->capacity, sizeof *grown)
			: NULL;
	if (!grown)
		return;
	sockets->socket = grown;
	grown[sockets->n++] = (struct ft__socket){.inode = inode};
}

/* A socket and its attributes. Retransmitted bytes are not the program's. */
static void take_socket(struct ft__sockets *sockets, const struct nlmsghdr *head, bool gone)
{
	struct inet_diag_msg message;
	struct tcp_info info;
	const char *at = (const char *)NLMSG_DATA(head) + sizeof message,
		   *end = (const char *)head + head->nlmsg_len;

	if (head->nlmsg_len < NLMSG_LENGTH(sizeof message))
		return;
	memcpy(&message, NLMSG_DATA(head), sizeof message);
	struct ft__socket *socket =
		find(sockets, (uint64_t)message.id.idiag_cookie[1] << 32 | message.id.idiag_cookie[0],
		     message.idiag_inode);

	while (socket && end - at >= (ptrdiff_t)sizeof(struct rtattr)) {
		struct rtattr attribute;

		memcpy(&attribute, at, sizeof attribute);
		if (attribute.rta_len < sizeof attribute || attribute.rta_len > end - at)
			return;
		if (attribute.rta_type == INET_DIAG_INFO) {
			const size_t length = attribute.rta_len - RTA_LENGTH(0);

			if (length <
			    offsetof(struct tcp_info, tcpi_bytes_retrans) + sizeof info.tcpi_bytes_retrans) {
				sockets->error = EOPNOTSUPP;
				return;
			}
			memcpy(&info, at + RTA_LENGTH(0), length < sizeof info ? length : sizeof info);
			socket->cookie =
				(uint64_t)message.id.idiag_cookie[1] << 32 | message.id.idiag_cookie[0];
			socket->sent_bytes = info.tcpi_bytes_sent - info.tcpi_bytes_retrans;
			socket->received_bytes = info.tcpi_bytes_received;
			socket->gone = gone;
			socket->look = sockets->look;
		}
		at += RTA_ALIGN(attribute.rta_len) < (size_t)(end - at) ? RTA_ALIGN(attribute.rta_len)
									: (size_t)(end - at);
	}
}

bool ft__sockets_take(struct ft__sockets *sockets, const void *bytes, size_t length, bool gone)
{
	const char *at = bytes;
	struct nlmsghdr head;

	while (length >= sizeof head) {
		memcpy(&head, at, sizeof head);
		if (head.nlmsg_len < sizeof head || head.nlmsg_len > length)
			return false;
		if (head.nlmsg_type == NLMSG_DONE)
			return false;
		if (head.nlmsg_type == NLMSG_ERROR) {
			int32_t error = 0;

			if (head.nlmsg_len >= NLMSG_LENGTH(sizeof error))
				memcpy(&error, at + NLMSG_LENGTH(0), sizeof error);
			sockets->error = error < 0 ? -error : EPROTO;
			return false;
		}
		if (head.nlmsg_type == SOCK_DIAG_BY_FAMILY)
			take_socket(sockets, (const void *)at, gone);
		const size_t step = NLMSG_ALIGN(head.nlmsg_len);
		at += step < length ? step : length;
		length -= step < length ? step : length;
	}
	return true;
}

/* ---- the kernel ----------------------------------------------------------------------------------------- */

/* What was destroyed since the last time; messages that did not fit into the kernel's room are lost. */
static void hear_ends(struct ft__sockets *sockets)
{
	_Alignas(struct nlmsghdr) static char buffer[BUFFER];
	ssize_t length;

	while ((length = recv(sockets->ends, buffer, sizeof buffer, MSG_DONTWAIT)) > 0 ||
	       (length < 0 && (errno == EINTR || errno == ENOBUFS)))
		if (length > 0)
			(void)ft__sockets_take(sockets, buffer, (size_t)length, true);
}

static void dump(struct ft__sockets *sockets, unsigned char family)
{
	_Alignas(struct nlmsghdr) static char buffer[BUFFER];
	const struct {
		struct nlmsghdr head;
		struct inet_diag_req_v2 wish;
	} request = {{.nlmsg_len = sizeof request,
		      .nlmsg_type = SOCK_DIAG_BY_FAMILY,
		      .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP},
		     {.sdiag_family = family,
		      .sdiag_protocol = IPPROTO_TCP,
		      .idiag_ext = 1 << (INET_DIAG_INFO - 1),
		      .idiag_states = ~(1U << LISTENING | 1U << WAITING | 1U << NOT_YET)}};
	ssize_t length;

	if (send(sockets->file, &request, sizeof request, 0) < 0) {
		sockets->error = errno;
		return;
	}
	do {
		length = recv(sockets->file, buffer, sizeof buffer, 0);
		if (length < 0 && errno != EINTR)
			sockets->error = errno;
	} while (length < 0 ? errno == EINTR : ft__sockets_take(sockets, buffer, (size_t)length, false));
}

int ft__sockets_open(struct ft__sockets *sockets)
{
	const struct sockaddr_nl ends = {.nl_family = AF_NETLINK,
					 .nl_groups = 1U << (SKNLGRP_INET_TCP_DESTROY - 1) |
						      1U << (SKNLGRP_INET6_TCP_DESTROY - 1)};
	const struct timeval patience = {.tv_sec = 1};

	*sockets = (struct ft__sockets){.ends = -1};
	sockets->file = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
	if (sockets->file < 0)
		return sockets->error = errno;
	(void)setsockopt(sockets->file, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
	/* Without it a socket keeps the figures of the last look. */
	sockets->ends = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
	if (sockets->ends >= 0 && bind(sockets->ends, (const void *)&ends, sizeof ends)) {
		(void)close(sockets->ends);
		sockets->ends = -1;
	}
	dump(sockets, AF_INET);
	return sockets->error;
}

void ft__sockets_look(struct ft__sockets *sockets)
{
	sockets->look++;
	if (sockets->error || !sockets->n)
		return;
	dump(sockets, AF_INET);
	const int error = sockets->error;
	dump(sockets, AF_INET6);
	sockets->error = error; /* a kernel without IPv6 has none of those */
	hear_ends(sockets);
}

/* Whether the kernel owes the end of one. */
static bool is_owed(const struct ft__sockets *sockets)
{
	for (size_t i = 0; i < sockets->n; i++)
		if (sockets->socket[i].cookie && !sockets->socket[i].gone &&
		    sockets->socket[i].look != sockets->look)
			return true;
	return false;
}

void ft__sockets_sum(struct ft__sockets *sockets, uint64_t *sent_bytes, uint64_t *received_bytes)
{
	struct pollfd event = {.fd = sockets->ends, .events = POLLIN};

	ft__sockets_look(sockets);
	while (sockets->ends >= 0 && is_owed(sockets) && poll(&event, 1, ENDS_MS) > 0)
		hear_ends(sockets);
	*sent_bytes = *received_bytes = 0;
	for (size_t i = 0; i < sockets->n; i++) {
		*sent_bytes += sockets->socket[i].sent_bytes;
		*received_bytes += sockets->socket[i].received_bytes;
	}
}

void ft__sockets_close(struct ft__sockets *sockets)
{
	if (sockets->file >= 0)
		(void)close(sockets->file);
	if (sockets->ends >= 0)
		(void)close(sockets->ends);
	ft_free(sockets->socket);
	*sockets = (struct ft__sockets){.file = -1, .ends = -1};
}
