/* SPDX-License-Identifier: GPL-3.0-or-later */
/* child-sockets.c - sends K KiB over loopback TCP to a child of its own: MODE K TENTHS. Then both wait for so many
 * tenths of a second with the connection open. six: over IPv6. late: they wait before it is sent. early: it goes
 * first through a connection that is closed at once. 77: there is no such address. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static char block[1024];
static long tenths;

static void send_all(int file, long kib)
{
	for (long i = 0; i < kib; i++)
		for (size_t sent = 0; sent < sizeof block;) {
			ssize_t length = send(file, block + sent, sizeof block - sent, 0);

			if (length <= 0)
				_exit(1);
			sent += (size_t)length;
		}
}

/* The other end gets all of it, and sends a byte when it may be closed. */
static int connect_to(int listener, const struct sockaddr_storage *address, socklen_t length, int late,
		      long kib)
{
	int file = socket(address->ss_family, SOCK_STREAM, 0), pid = fork();

	if (file < 0 || pid < 0)
		_exit(1);
	if (!pid) {
		(void)close(file); /* else the connection never closes */
		int other = accept(listener, NULL, NULL);
		long left = kib * (long)sizeof block;

		while (left > 0) {
			ssize_t got = recv(other, block, sizeof block, 0);

			if (got <= 0)
				_exit(1);
			left -= got;
		}
		(void)send(other, block, 1, 0);
		(void)recv(other, block, 1, 0); /* until the other end is closed */
		_exit(0);
	}
	if (connect(file, (const void *)address, length))
		_exit(1);
	if (late)
		(void)usleep((useconds_t)tenths * 100000);
	send_all(file, kib);
	(void)recv(file, block, 1, 0);
	return file;
}

int main(int argc, char **argv)
{
	struct sockaddr_storage address = {0};
	socklen_t length = sizeof address;
	long kib = argc > 3 ? strtol(argv[2], NULL, 10) : 0;
	int six = argc > 3 && !strcmp(argv[1], "six"), late = argc > 3 && !strcmp(argv[1], "late");

	tenths = argc > 3 ? strtol(argv[3], NULL, 10) : 0;
	if (six) {
		((struct sockaddr_in6 *)&address)->sin6_addr = in6addr_loopback;
		address.ss_family = AF_INET6;
	} else {
		((struct sockaddr_in *)&address)->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
		address.ss_family = AF_INET;
	}
	int listener = socket(address.ss_family, SOCK_STREAM, 0);
	if (listener < 0 || bind(listener, (const void *)&address, sizeof address) || listen(listener, 4) ||
	    getsockname(listener, (void *)&address, &length))
		return 77;
	if (argc > 3 && !strcmp(argv[1], "early"))
		(void)close(connect_to(listener, &address, length, 0, kib));
	int file = connect_to(listener, &address, length, late, kib);
	if (!late)
		(void)usleep((useconds_t)tenths * 100000);
	(void)close(file);
	while (wait(NULL) > 0)
		continue;
	return 0;
}
