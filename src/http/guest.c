/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guest.c - whom a connection counts for: the user of this machine who made it, also over TCP, or an address.
 */
#include "http/inside.h"

#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct guest_question {
	struct nlmsghdr head;
	struct inet_diag_req_v2 of;
};

struct guest_answer {
	struct nlmsghdr head;
	struct inet_diag_msg told;
	char more[512]; /* what else is told of a socket */
};

int ft__guests_open(void)
{
	return socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_SOCK_DIAG);
}

/* The two ends of a connection, as the socket at its other end has them; false: it is not of TCP. */
static bool ends_of(int fd, struct inet_diag_sockid *id, unsigned char *family)
{
	struct sockaddr_storage ours = {0}, theirs = {0};
	socklen_t length = sizeof ours, other = sizeof theirs;
	const struct sockaddr_in *in[2] = {(const void *)&theirs, (const void *)&ours};
	const struct sockaddr_in6 *in6[2] = {(const void *)&theirs, (const void *)&ours};

	if (getsockname(fd, (struct sockaddr *)&ours, &length) ||
	    getpeername(fd, (struct sockaddr *)&theirs, &other))
		return false;
	*family = (unsigned char)ours.ss_family;
	*id = (struct inet_diag_sockid){.idiag_cookie = {INET_DIAG_NOCOOKIE, INET_DIAG_NOCOOKIE}};
	if (ours.ss_family == AF_INET) {
		id->idiag_sport = in[0]->sin_port;
		id->idiag_dport = in[1]->sin_port;
		memcpy(id->idiag_src, &in[0]->sin_addr, sizeof in[0]->sin_addr);
		memcpy(id->idiag_dst, &in[1]->sin_addr, sizeof in[1]->sin_addr);
	} else if (ours.ss_family == AF_INET6) {
		id->idiag_sport = in6[0]->sin6_port;
		id->idiag_dport = in6[1]->sin6_port;
		memcpy(id->idiag_src, &in6[0]->sin6_addr, sizeof in6[0]->sin6_addr);
		memcpy(id->idiag_dst, &in6[1]->sin6_addr, sizeof in6[1]->sin6_addr);
	}
	return ours.ss_family == AF_INET || ours.ss_family == AF_INET6;
}

/* The kernel tells the owner of a socket of this machine to everybody (sock_diag(7)), in the call that asks.
 * A socket that only listens at that port is not the one. */
static bool ask_owner(int netlink, const struct inet_diag_sockid *id, unsigned char family, uid_t *uid)
{
	const struct guest_question question = {
		.head = {.nlmsg_len = sizeof question,
			 .nlmsg_type = SOCK_DIAG_BY_FAMILY,
			 .nlmsg_flags = NLM_F_REQUEST},
		.of = {.sdiag_family = family, .sdiag_protocol = IPPROTO_TCP, .idiag_states = ~0U, .id = *id},
	};
	struct guest_answer answer = {0};

	if (send(netlink, &question, sizeof question, 0) != (ssize_t)sizeof question)
		return false;
	ssize_t n = recv(netlink, &answer, sizeof answer, 0);
	if (n < (ssize_t)(sizeof answer.head + sizeof answer.told) ||
	    answer.head.nlmsg_type != SOCK_DIAG_BY_FAMILY || answer.told.id.idiag_dport != id->idiag_dport)
		return false;
	*uid = answer.told.idiag_uid;
	return true;
}

struct ft__guest ft__guest_of(int netlink, int fd, const struct ft_http_peer *peer)
{
	struct ft__guest guest = {.here = peer->local, .uid = peer->uid};
	struct inet_diag_sockid id;
	unsigned char family;

	if (peer->local || !ends_of(fd, &id, &family))
		return guest;
	guest.here = netlink >= 0 && ask_owner(netlink, &id, family, &guest.uid);
	if (!guest.here)
		memcpy(guest.address, id.idiag_src, sizeof guest.address);
	return guest;
}
