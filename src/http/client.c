/* SPDX-License-Identifier: GPL-3.0-or-later */
/* client.c - a client of HTTP over a unix socket. */
#include "base/alloc.h"
#include "base/clock.h"
#include "base/text.h"
#include "http/client.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { WAIT_S = 10, ANSWER_MOST = 64 << 20 };

/* The default path may be in /tmp, where another user could have made that folder: check the peer. */
static bool is_trusted(int fd)
{
	const char *named = secure_getenv("FORETIME_MANAGER");
	struct ucred who;
	socklen_t bytes = sizeof who;

	return (named && *named) || (!getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &bytes) &&
				     (who.uid == geteuid() || who.uid == 0));
}

static enum ft_status open_at(const char *path, int *out, struct ft_err *err)
{
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	const struct timeval wait = {.tv_sec = WAIT_S};

	if (strlen(path) >= sizeof at.sun_path)
		return ft_fail(err, FT_EINVAL, "'%s' is too long for a socket", path);
	memcpy(at.sun_path, path, strlen(path) + 1);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return ft_fail_errno(err, errno, "cannot make a socket");
	(void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait);
	(void)setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &wait, sizeof wait);
	if (!connect(fd, (const struct sockaddr *)&at, sizeof at)) {
		if (is_trusted(fd)) {
			*out = fd;
			return FT_OK;
		}
		(void)close(fd);
		(void)ft_fail(err, FT_EACCESS, "who answers at '%s' is another user", path);
		return ft_remedy(err, "name it in FORETIME_MANAGER if he is to be believed");
	}
	int why = errno;
	(void)close(fd);
	return ft_fail(err, FT_ENOENT, "no manager answers at '%s': %s", path, strerror(why));
}

static bool send_request(int fd, const char *method, const char *target)
{
	struct ft_text text = {0};
	size_t done = 0;
	ssize_t n = 0;

	ft_text_add(&text,
		    "%s %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
		    method, target);
	while (!text.failed && done < text.length &&
	       (n = send(fd, text.s + done, text.length - done, MSG_NOSIGNAL)) > 0)
		done += (size_t)n;
	ft_text_clear(&text);
	return n > 0;
}

/* A peer that sends a byte now and then is never silent, and never ends: limit the total time. */
static bool hear_answer(int fd, struct ft_text *text)
{
	char buffer[16384];
	double began_s = 0;
	ssize_t n;

	while ((n = recv(fd, buffer, sizeof buffer, 0)) > 0 && text->length < ANSWER_MOST && !text->failed) {
		if (!text->length)
			began_s = ft_clock_s();
		if (ft_clock_s() - began_s > WAIT_S)
			return false;
		ft_text_add_bytes(text, buffer, (size_t)n);
	}
	return !n && !text->failed;
}

/* The length is required, since a dying server sends less. */
static bool read_answer(const struct ft_text *text, unsigned *code, const char **body)
{
	const char *end = text->s ? strstr(text->s, "\r\n\r\n") : NULL;
	const char *header = end ? strcasestr(text->s, "\r\nContent-Length:") : NULL;

	if (!header || header > end || strncmp(text->s, "HTTP/1.", 7) != 0 || text->length < 12)
		return false;
	*code = (unsigned)strtoul(text->s + 9, NULL, 10);
	*body = end + 4;
	return strtoul(header + 17, NULL, 10) == text->length - (size_t)(*body - text->s);
}

static enum ft_status ask_once(const char *socket_path, const char *method, const char *target,
			       unsigned *code, char **body, struct ft_err *err)
{
	struct ft_text text = {0};
	const char *at = NULL;
	int fd = -1;
	enum ft_status status = open_at(socket_path, &fd, err);

	*body = NULL;
	if (status)
		return status;
	if (!send_request(fd, method, target) || !hear_answer(fd, &text) || !read_answer(&text, code, &at))
		status = ft_fail(err, FT_EIO, "what comes from '%s' is no answer", socket_path);
	(void)close(fd);
	if (!status && !(*body = ft_strdup(at)))
		status = ft_nomem(err);
	ft_text_clear(&text);
	return status;
}

enum ft_status ft__http_get(const char *socket_path, const char *target, unsigned *code, char **body,
			    struct ft_err *err)
{
	return ask_once(socket_path, "GET", target, code, body, err);
}

enum ft_status ft__http_post(const char *socket_path, const char *target, unsigned *code, char **body,
			     struct ft_err *err)
{
	return ask_once(socket_path, "POST", target, code, body, err);
}

char *ft__http_encode(const char *text)
{
	struct ft_text target = {0};

	ft_text_add(&target, "%s", "");
	for (; *text; text++)
		if (isalnum((unsigned char)*text) || strchr("-_.~/", *text))
			ft_text_add_bytes(&target, text, 1);
		else
			ft_text_add(&target, "%%%02X", (unsigned)(unsigned char)*text);
	return ft_text_take(&target);
}

char *ft__http_socket(void)
{
	const char *named = secure_getenv("FORETIME_MANAGER"), *runtime = secure_getenv("XDG_RUNTIME_DIR");
	struct ft_text text = {0};

	if (named && *named)
		ft_text_add(&text, "%s", named);
	else if (runtime && *runtime == '/')
		ft_text_add(&text, "%s/foretime/manager.sock", runtime);
	else
		ft_text_add(&text, "/tmp/foretime-%lu/manager.sock", (unsigned long)geteuid());
	return ft_text_take(&text);
}
