/* SPDX-License-Identifier: GPL-3.0-or-later */
/* visitor.c - connections: how many one user may have, and how long they may take.
 *
 * The library ends a silent connection. One that sends a byte a second is never silent: so the whole
 * request is timed here, from the end of the last one. */
#include "base/alloc.h"
#include "base/clock.h"
#include "http/http.h"
#include "http/inside.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

/*
 * The user or address that a connection counts for: the user of this machine who made it, also over TCP, or
 * an address.
 */

struct guest_question {
	struct nlmsghdr head;
	struct inet_diag_req_v2 of;
};

struct guest_answer {
	struct nlmsghdr head;
	struct inet_diag_msg output;
	char more[512]; /* further attributes of a socket */
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

/* The kernel reports the owner of a local socket to everybody (sock_diag(7)), within the call. A socket
 * that only listens at that port is not the one. */
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
	if (n < (ssize_t)(sizeof answer.head + sizeof answer.output) ||
	    answer.head.nlmsg_type != SOCK_DIAG_BY_FAMILY || answer.output.id.idiag_dport != id->idiag_dport)
		return false;
	*uid = answer.output.idiag_uid;
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

/*
 * Sockets to listen on.
 */

enum { BACKLOG = 1024 };

static bool address_of(const char *path, struct sockaddr_un *address)
{
	*address = (struct sockaddr_un){.sun_family = AF_UNIX};
	if (!*path || strlen(path) >= sizeof address->sun_path)
		return false;
	memcpy(address->sun_path, path, strlen(path) + 1);
	return true;
}

/* Whether a server answers there; a socket left by a killed server has none. */
static bool somebody_answers(const struct sockaddr_un *address)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	/* Its queue may be full. */
	bool answers = fd >= 0 &&
		       (!connect(fd, (const struct sockaddr *)address, sizeof *address) || errno == EAGAIN);

	if (fd >= 0)
		(void)close(fd);
	return answers;
}

static enum ft_status make_way(const char *path, const struct sockaddr_un *address, struct ft_err *err)
{
	struct stat there;

	if (lstat(path, &there))
		return FT_OK;
	if (!S_ISSOCK(there.st_mode))
		return ft_fail(err, FT_EINVAL, "'%s' is there, and is no socket", path);
	if (somebody_answers(address))
		return ft_fail(err, FT_EEXIST, "somebody answers at '%s' already", path);
	if (unlink(path) && errno != ENOENT)
		return ft_fail(err, FT_EACCESS, "cannot remove the stale socket '%s': %s", path,
			       strerror(errno));
	return FT_OK;
}

/* Listening starts after chmod, so that nobody can connect in between. */
static enum ft_status bind_unix(int fd, const char *path, const struct sockaddr_un *address, mode_t mode,
				struct ft_err *err)
{
	if (bind(fd, (const struct sockaddr *)address, sizeof *address) || chmod(path, mode) ||
	    listen(fd, BACKLOG)) {
		enum ft_status status =
			errno == EACCES || errno == EPERM || errno == EROFS ? FT_EACCESS : FT_EIO;

		return ft_fail(err, status, "cannot listen at '%s': %s", path, strerror(errno));
	}
	return FT_OK;
}

enum ft_status ft_http_listen_unix(const char *path, mode_t mode, int *fd, struct ft_err *err)
{
	struct sockaddr_un address;

	*fd = -1;
	if (!address_of(path, &address)) {
		(void)ft_fail(err, FT_EINVAL, "'%s' is too long for a socket", path);
		return ft_remedy(err, "a path has %zu bytes at most", sizeof address.sun_path - 1);
	}
	FT_TRY(make_way(path, &address, err));
	int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (made < 0)
		return ft_fail(err, FT_EIO, "cannot make a socket: %s", strerror(errno));
	enum ft_status status = bind_unix(made, path, &address, mode, err);
	if (status)
		(void)close(made);
	else
		*fd = made;
	return status;
}

static bool is_listening(int fd, int domain)
{
	int is_domain = 0, type = 0, accepts = 0;
	socklen_t bytes = sizeof type;

	return !getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &is_domain, &bytes) && is_domain == domain &&
	       !getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &bytes) && type == SOCK_STREAM &&
	       !getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &accepts, &bytes) && accepts;
}

enum ft_status ft_http_listen_handed(int *fd, char **path, struct ft_err *err)
{
	enum { FIRST = 3 };
	struct sockaddr_un at = {0};
	socklen_t bytes = sizeof at - 1;
	long n;

	*fd = -1;
	*path = NULL;
	/* sd_listen_fds(3): the first is number 3. */
	const char *pid = getenv("LISTEN_PID"), *fds = getenv("LISTEN_FDS");

	n = fds ? strtol(fds, NULL, 10) : 0;
	if (!(pid && strtol(pid, NULL, 10) == getpid() && n > 0))
		return FT_OK;
	if (n > 1 || !is_listening(FIRST, AF_UNIX)) {
		(void)ft_fail(err, FT_EINVAL, "what was handed over is not one unix socket that listens");
		return ft_remedy(err, "let the socket unit have one ListenStream= with a path");
	}
	if (!getsockname(FIRST, (struct sockaddr *)&at, &bytes) && at.sun_path[0] &&
	    !(*path = ft_strdup(at.sun_path)))
		return ft_nomem(err);
	(void)fcntl(FIRST, F_SETFD, FD_CLOEXEC);
	(void)fcntl(FIRST, F_SETFL, O_NONBLOCK);
	*fd = FIRST;
	return FT_OK;
}

/* "HOST:PORT", "[ADDRESS]:PORT" */
static bool split_address(const char *address, char *host, size_t bytes, const char **port)
{
	const char *colon = strrchr(address, ':'), *end = colon;

	if (!colon || colon == address || !colon[1])
		return false;
	if (*address == '[') {
		end = colon - 1;
		address++;
		if (end <= address || *end != ']')
			return false;
	}
	if ((size_t)(end - address) >= bytes)
		return false;
	(void)snprintf(host, bytes, "%.*s", (int)(end - address), address);
	*port = colon + 1;
	return true;
}

static int listen_at(const struct addrinfo *at)
{
	int fd = socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), yes = 1, why;

	if (fd < 0)
		return -1;
	(void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
	if (!bind(fd, at->ai_addr, at->ai_addrlen) && !listen(fd, BACKLOG))
		return fd;
	why = errno;
	(void)close(fd);
	errno = why;
	return -1;
}

enum ft_status ft_http_listen_tcp(const char *address, int *fd, struct ft_err *err)
{
	const struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE | AI_NUMERICSERV};
	struct addrinfo *found = NULL;
	char host[NI_MAXHOST];
	const char *port;

	*fd = -1;
	if (!split_address(address, host, sizeof host, &port)) {
		(void)ft_fail(err, FT_EINVAL, "'%s' is no address", address);
		return ft_remedy(err, "write 127.0.0.1:8080 or [::1]:8080");
	}
	int failed = getaddrinfo(host, port, &hints, &found);
	if (failed)
		return ft_fail(err, FT_EINVAL, "'%s' is no address: %s", address, gai_strerror(failed));
	*fd = listen_at(found);
	failed = errno;
	freeaddrinfo(found);
	if (*fd >= 0)
		return FT_OK;
	return ft_fail(err, failed == EADDRINUSE ? FT_EEXIST : FT_EUNAVAIL, "cannot listen at %s: %s",
		       address, strerror(failed));
}

unsigned ft_http_port(int fd)
{
	struct sockaddr_storage at = {0};
	socklen_t bytes = sizeof at;

	if (getsockname(fd, (struct sockaddr *)&at, &bytes))
		return 0;
	if (at.ss_family == AF_INET)
		return ntohs(((const struct sockaddr_in *)&at)->sin_port);
	return at.ss_family == AF_INET6 ? ntohs(((const struct sockaddr_in6 *)&at)->sin6_port) : 0;
}

/*
 * Connections: how many one user may have, and how long they may take.
 */

static struct ft_http_peer peer_of(int fd)
{
	struct ft_http_peer peer = {0};
	struct ucred who;
	socklen_t bytes = sizeof who;
	struct sockaddr_storage at = {0};
	socklen_t length = sizeof at;

	if (getsockname(fd, (struct sockaddr *)&at, &length) || at.ss_family != AF_UNIX ||
	    getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &bytes))
		return peer;
	peer.local = true;
	peer.uid = who.uid;
	return peer;
}

/* ---- users --------------------------------------------------------------------------------------------- */

static struct ft__user *find_user(struct ft_http *http, const struct ft__guest *guest)
{
	for (size_t i = 0; i < http->n_users; i++)
		if (http->user[i].guest.here == guest->here &&
		    (http->user[i].guest.here ? http->user[i].guest.uid == guest->uid
					      : !memcmp(http->user[i].guest.address, guest->address,
							sizeof http->user[i].guest.address)))
			return &http->user[i];
	return NULL;
}

static bool user_comes(struct ft_http *http, const struct ft__guest *guest)
{
	struct ft__user *user = find_user(http, guest), *more;

	if (user && user->connections >= http->limits.connections_each &&
	    !(guest->here && guest->uid == geteuid()))
		return false;
	if (!user) {
		more = ft_grow(http->user, http->n_users, &http->users_capacity, sizeof *more);
		if (!more)
			return false;
		http->user = more;
		user = &more[http->n_users++];
		*user = (struct ft__user){.guest = *guest};
	}
	user->connections++;
	return true;
}

/* ---- the list, the oldest first -------------------------------------------------------------------------
 */

static void put_last(struct ft__visitor *visitor)
{
	struct ft_http *http = visitor->http;

	visitor->before = http->youngest;
	visitor->after = NULL;
	if (http->youngest)
		http->youngest->after = visitor;
	else
		http->oldest = visitor;
	http->youngest = visitor;
}

static void take_out(struct ft__visitor *visitor)
{
	struct ft_http *http = visitor->http;

	if (visitor->before)
		visitor->before->after = visitor->after;
	else
		http->oldest = visitor->after;
	if (visitor->after)
		visitor->after->before = visitor->before;
	else
		http->youngest = visitor->before;
}

struct ft__visitor *ft__visitor_new(struct ft_http *http, struct MHD_Connection *connection)
{
	int fd = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
	struct ft_http_peer peer = peer_of(fd);
	struct ft__guest guest = ft__guest_of(http->netlink, fd, &peer);
	struct ft__visitor *visitor = ft_malloc(sizeof *visitor);

	if (!visitor || !user_comes(http, &guest)) {
		ft_free(visitor);
		(void)shutdown(fd, SHUT_RDWR);
		http->counts.refused++;
		return NULL;
	}
	*visitor = (struct ft__visitor){
		.http = http, .fd = fd, .peer = peer, .guest = guest, .since_ns = ft_clock_ns()};
	put_last(visitor);
	http->counts.connections++;
	return visitor;
}

void ft__visitor_free(struct ft__visitor *visitor)
{
	if (!visitor)
		return;
	take_out(visitor);
	struct ft__user *user = find_user(visitor->http, &visitor->guest);

	if (user && !--user->connections)
		*user = visitor->http->user[--visitor->http->n_users];
	visitor->http->counts.connections--;
	ft_free(visitor);
}

void ft__visitor_wait(struct ft__visitor *visitor, bool patient)
{
	if (!visitor)
		return;
	take_out(visitor);
	visitor->patient = patient;
	visitor->since_ns = ft_clock_ns();
	put_last(visitor);
}

void ft__visitor_cut(struct ft__visitor *visitor)
{
	(void)shutdown(visitor->fd, SHUT_RDWR);
	visitor->patient = true; /* it is on its way out */
	visitor->http->counts.slow++;
}

int64_t ft__visitors_look(struct ft_http *http)
{
	const int64_t most_ns = (int64_t)(http->limits.request_s * 1e9), now = ft_clock_ns();

	for (struct ft__visitor *visitor = http->oldest; visitor; visitor = visitor->after) {
		if (visitor->patient)
			continue;
		if (now - visitor->since_ns < most_ns)
			return most_ns - (now - visitor->since_ns);
		ft__visitor_cut(visitor);
	}
	return -1;
}
