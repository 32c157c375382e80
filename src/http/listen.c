/* SPDX-License-Identifier: GPL-3.0-or-later */
/* listen.c - sockets that one can be asked at. */
#include "base/alloc.h"
#include "http/http.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum { BACKLOG = 1024 };

static bool address_of(const char *path, struct sockaddr_un *address)
{
	*address = (struct sockaddr_un){.sun_family = AF_UNIX};
	if (!*path || strlen(path) >= sizeof address->sun_path)
		return false;
	memcpy(address->sun_path, path, strlen(path) + 1);
	return true;
}

/* Whether somebody answers there; nobody does at a socket that a killed server left. */
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

/* Nobody may come in between bind and chmod: it listens afterwards. */
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

/* sd_listen_fds(3): the first is number 3. */
static bool was_handed(long *n)
{
	const char *pid = getenv("LISTEN_PID"), *fds = getenv("LISTEN_FDS");

	*n = fds ? strtol(fds, NULL, 10) : 0;
	return pid && strtol(pid, NULL, 10) == getpid() && *n > 0;
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
	if (!was_handed(&n))
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
