/* SPDX-License-Identifier: GPL-3.0-or-later */
/* notify.c - tell who started us how it goes: a datagram. libsystemd does no more, and would have to be
 * loaded. */
#include "manager/notify.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

void ft__notify(const char *text)
{
	const char *path = getenv("NOTIFY_SOCKET");
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	size_t length = path ? strlen(path) : 0;

	if (!length || length >= sizeof at.sun_path || (*path != '/' && *path != '@'))
		return;
	memcpy(at.sun_path, path, length);
	if (*path == '@') /* it has no file */
		at.sun_path[0] = '\0';
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return;
	(void)sendto(fd, text, strlen(text), MSG_NOSIGNAL | MSG_DONTWAIT, (const struct sockaddr *)&at,
		     (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length));
	(void)close(fd);
}
