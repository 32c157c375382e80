/* SPDX-License-Identifier: GPL-3.0-or-later */
/* visitor.c - connections: how many one user may have, and how long they may take.
 *
 * The library ends a connection that is silent. One that sends a byte a second is never silent: here the
 * whole request counts, from the end of the last one. */
#include "base/alloc.h"
#include "base/clock.h"
#include "http/inside.h"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

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

static bool is_same(const struct ft__guest *a, const struct ft__guest *b)
{
	return a->here == b->here &&
	       (a->here ? a->uid == b->uid : !memcmp(a->address, b->address, sizeof a->address));
}

static struct ft__user *find_user(struct ft_http *http, const struct ft__guest *guest)
{
	for (size_t i = 0; i < http->n_users; i++)
		if (is_same(&http->user[i].guest, guest))
			return &http->user[i];
	return NULL;
}

static bool is_owner(const struct ft__guest *guest)
{
	return guest->here && guest->uid == geteuid();
}

static bool user_comes(struct ft_http *http, const struct ft__guest *guest)
{
	struct ft__user *user = find_user(http, guest), *more;

	if (user && user->connections >= http->limits.connections_each && !is_owner(guest))
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

static void user_goes(struct ft_http *http, const struct ft__guest *guest)
{
	struct ft__user *user = find_user(http, guest);

	if (user && !--user->connections)
		*user = http->user[--http->n_users];
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
	user_goes(visitor->http, &visitor->guest);
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
