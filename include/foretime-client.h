/* SPDX-License-Identifier: 0BSD */
/* foretime-client.h - a program says what its calls took, to the foretime that keeps models of them.
 *
 *	#include <foretime-client.h>
 *
 *	const char *const param[] = {"n"};
 *	double value[] = {(double)n};
 *
 *	... solve(n) takes `seconds` ...
 *	ft_probe_submit("solve", param, value, 1, seconds);
 *
 * A line is appended to a file of this process in $FORETIME_SPOOL, else $XDG_STATE_HOME/foretime/spool, else
 * ~/.local/state/foretime/spool; foretime manager (foretime-manager(1)) takes each in exactly once, now or
 *when it is begun again. Nothing has to run meanwhile, and nothing is waited for: some microseconds a call. A
 *line that was written is lost by a power failure only.
 *
 * One header, no library. C (from C99 on) and C++, on POSIX systems. With a strict -std=c99 include it before
 *any header of the system, or define _POSIX_C_SOURCE as 200809L.
 */
#ifndef FORETIME_CLIENT_H
#define FORETIME_CLIENT_H

#if defined(__STRICT_ANSI__) && !defined(_POSIX_C_SOURCE) && !defined(_GNU_SOURCE) && !defined(_FEATURES_H)
#define _POSIX_C_SOURCE 200809L
#endif

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

enum { FT_PROBE_PATH = 1024, FT_PROBE_LINE = 2048 };

/* A folder and those above it. */
static inline int ft_probe_folder(const char *path)
{
	char part[FT_PROBE_PATH];
	size_t i, n = strlen(path);

	if (n >= sizeof part)
		return -1;
	for (i = 1; i <= n; i++) {
		if (path[i] != '/' && path[i] != '\0')
			continue;
		memcpy(part, path, i);
		part[i] = '\0';
		if (mkdir(part, 0700) && errno != EEXIST)
			return -1;
	}
	return 0;
}

static inline int ft_probe_spool(char path[FT_PROBE_PATH])
{
	const char *spool = getenv("FORETIME_SPOOL"), *state = getenv("XDG_STATE_HOME"),
		   *home = getenv("HOME");
	int n;

	if (spool && *spool)
		n = snprintf(path, FT_PROBE_PATH, "%s", spool);
	else if (state && *state == '/')
		n = snprintf(path, FT_PROBE_PATH, "%s/foretime/spool", state);
	else if (home && *home == '/')
		n = snprintf(path, FT_PROBE_PATH, "%s/.local/state/foretime/spool", home);
	else
		return -1;
	return n > 0 && n < FT_PROBE_PATH - 128 ? ft_probe_folder(path) : -1;
}

/* The file of this process; a child after fork has its own. torn: half a line stands at its end, another one
 * is begun. -1: there can be none. */
static inline int ft_probe_file(int torn)
{
	static int fd = -1;
	static pid_t pid = 0;
	char path[FT_PROBE_PATH], host[64];
	struct timespec now;
	size_t n;

	if (torn && fd >= 0) {
		(void)close(fd);
		fd = -1;
		return -1;
	}
	if (fd >= 0 && pid == getpid())
		return fd;
	if (ft_probe_spool(path) || gethostname(host, sizeof host) || clock_gettime(CLOCK_REALTIME, &now))
		return -1;
	host[sizeof host - 1] = '\0';
	n = strlen(path);
	(void)snprintf(path + n, sizeof path - n, "/%s.%ld.%lld%09ld.jsonl", host, (long)getpid(),
		       (long long)now.tv_sec, now.tv_nsec);
	fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
	pid = getpid();
	return fd;
}

/* Digits that no locale changes: a point, whatever the locale's is. */
static inline int ft_probe_digits(double value, char *text, size_t size)
{
	int n = isfinite(value) ? snprintf(text, size, "%.17g", value) : -1;
	char *comma;

	for (comma = text; n > 0 && *comma; comma++)
		if ((*comma < '0' || *comma > '9') && *comma != '-' && *comma != '+' && *comma != 'e') {
			*comma = '.';
			/* the rest of a point of several bytes */
			while (comma[1] && (comma[1] & 0x80)) {
				memmove(comma + 1, comma + 2, strlen(comma + 2) + 1);
				n--;
			}
		}
	return n;
}

/* Whether a text may stand in quotes as it is. */
static inline int ft_probe_plain(const char *text)
{
	const char *at;

	for (at = text; *at; at++)
		if ((unsigned char)*at < ' ' || *at == '"' || *at == '\\' || *at == 0x7f)
			return 0;
	return at > text && at - text <= 200;
}

/* ft_probe_submit - a call of `name` at a size took so long.
 *
 * name    as foretime keeps it
 * param   [n] the names of its parameters; value: [n] their values
 * wall_s  seconds, > 0
 *
 * Returns 0; -1: nothing was written (a name with quotes, a number that is none, no folder, a full disk).
 * Threads may call it at once.
 */
static inline int ft_probe_submit(const char *name, const char *const *param, const double *value, int n,
				  double wall_s)
{
	char line[FT_PROBE_LINE], digits[64];
	struct timespec now;
	size_t length;
	ssize_t written;
	int fd = ft_probe_file(0), i;

	if (fd < 0 || !ft_probe_plain(name) || !(wall_s > 0) || clock_gettime(CLOCK_REALTIME, &now))
		return -1;
	length = (size_t)snprintf(line, sizeof line, "{\"name\":\"%s\",\"at\":%lld.%09ld,\"size\":{", name,
				  (long long)now.tv_sec, now.tv_nsec);
	for (i = 0; i < n; i++) {
		if (!ft_probe_plain(param[i]) || ft_probe_digits(value[i], digits, sizeof digits) < 0 ||
		    length + strlen(param[i]) + 96 > sizeof line)
			return -1;
		length += (size_t)snprintf(line + length, sizeof line - length, "%s\"%s\":%s", i ? "," : "",
					   param[i], digits);
	}
	if (ft_probe_digits(wall_s, digits, sizeof digits) < 0 || length + 96 > sizeof line)
		return -1;
	length += (size_t)snprintf(line + length, sizeof line - length, "},\"wall_s\":%s}\n", digits);
	written = write(fd, line, length);
	if (written == (ssize_t)length)
		return 0;
	(void)ft_probe_file(written > 0); /* the disk is full */
	return -1;
}

#endif
