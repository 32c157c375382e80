/* SPDX-License-Identifier: 0BSD */
/* foretime-client.h - a program reports the cost of its calls to foretime, which keeps models of them.
 *
 *	#include <foretime-client.h>
 *
 *	const char *const param[] = {"n"};
 *	double value[] = {(double)n};
 *
 *	... solve(n) takes `seconds` ...
 *	ft_probe_submit("solve", param, value, 1, seconds);
 *
 * A line is appended to a file of this process (each source that includes this has its own) in
 * $FORETIME_SPOOL, else $XDG_STATE_HOME/foretime/spool, else ~/.local/state/foretime/spool; foretime serve
 * (foretime-serve(1)) takes each in exactly once, now or when it is begun again. Nothing has to run
 * meanwhile, and nothing is waited for: some microseconds a call. A line that was written is lost by a power
 * failure only, or when somebody removes the file.
 *
 * foretime-fetch.h predicts what a size will take.
 *
 * One header, no library. C (from C99 on) and C++, with gcc or clang on POSIX systems. With a strict -std=c99
 * include it before any header of the system, or define _POSIX_C_SOURCE as 200809L.
 */
#ifndef FORETIME_CLIENT_H
#define FORETIME_CLIENT_H

#if defined(__STRICT_ANSI__) && !defined(_POSIX_C_SOURCE) && !defined(_GNU_SOURCE) && !defined(_FEATURES_H)
#define _POSIX_C_SOURCE 200809L
#endif

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

enum { FT_PROBE_PATH = 1024, FT_PROBE_HOST = 256, FT_PROBE_LINE = 2048 };

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
	return n > 0 && n < FT_PROBE_PATH - FT_PROBE_HOST - 64 ? ft_probe_folder(path) : -1;
}

/* The file of this process, as it was opened. */
struct ft_probe_open {
	pid_t held; /* by a thread of this process; 0: by none */
	pid_t pid;
	int fd;
	int torn; /* half a line stands at its end */
	dev_t device;
	ino_t inode;
};

/* One thread at a time. A thread that was cancelled, or forked, while holding it does not hold up the others
 * for ever: after a tenth of a second it is taken from him. Two who then write do so to a file that is ours.
 */
static inline void ft_probe_hold(struct ft_probe_open *file)
{
	const struct timespec moment = {0, 100000};
	const pid_t self = getpid();
	int i;

	for (i = 0; i < 1000; i++) {
		pid_t holder = 0;

		if (__atomic_compare_exchange_n(&file->held, &holder, self, 0, __ATOMIC_ACQUIRE,
						__ATOMIC_RELAXED))
			return;
		if (holder != self && __atomic_compare_exchange_n(&file->held, &holder, self, 0,
								  __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
			return; /* it was of a thread that this child has not */
		if (i < 100)
			(void)sched_yield();
		else
			(void)nanosleep(&moment, NULL);
	}
	__atomic_store_n(&file->held, self, __ATOMIC_RELAXED);
}

static inline void ft_probe_release(struct ft_probe_open *file)
{
	__atomic_store_n(&file->held, 0, __ATOMIC_RELEASE);
}

/* Whether the number is that of our file: a program may close all that it has, and open other ones. */
static inline int ft_probe_is_ours(const struct ft_probe_open *file, struct stat *st)
{
	return file->fd >= 0 && !fstat(file->fd, st) && st->st_dev == file->device &&
	       st->st_ino == file->inode;
}

static inline int ft_probe_create(void)
{
	char path[FT_PROBE_PATH], host[FT_PROBE_HOST];
	struct timespec now;
	size_t n;

	if (ft_probe_spool(path) || gethostname(host, sizeof host) || clock_gettime(CLOCK_REALTIME, &now))
		return -1;
	host[sizeof host - 1] = '\0';
	n = strlen(path);
	(void)snprintf(path + n, sizeof path - n, "/%s.%ld.%lld%09ld.jsonl", host, (long)getpid(),
		       (long long)now.tv_sec, now.tv_nsec);
	return open(path, O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
}

/* Another file is begun. A number that is ours stays so, whichever digit follows: were it closed, the next
 * open of another thread would get it. One that is not is left to whom it belongs. */
static inline int ft_probe_begin(struct ft_probe_open *file, int ours)
{
	struct stat st;
	int fd = ft_probe_create();

	if (fd < 0)
		return -1;
	if (fstat(fd, &st) || (ours && dup2(fd, file->fd) < 0)) {
		(void)close(fd);
		return -1;
	}
	if (ours) {
		(void)fcntl(file->fd, F_SETFD, FD_CLOEXEC);
		(void)close(fd);
	} else {
		file->fd = fd;
	}
	file->pid = getpid();
	file->torn = 0;
	file->device = st.st_dev;
	file->inode = st.st_ino;
	return 0;
}

/* A line goes to the file of this process, of which a child has its own, or to another one where it was
 * removed or has half a line at its end. */
static inline int ft_probe_append(const char *line, size_t length)
{
	static struct ft_probe_open file = {0, 0, -1, 0, 0, 0};
	struct stat st;
	ssize_t written = -1;
	int ours;

	ft_probe_hold(&file);
	ours = ft_probe_is_ours(&file, &st);
	if ((ours && st.st_nlink > 0 && !file.torn && file.pid == getpid()) || !ft_probe_begin(&file, ours)) {
		written = write(file.fd, line, length);
		file.torn = written > 0 && written < (ssize_t)length; /* the disk is full */
	}
	ft_probe_release(&file);
	return written == (ssize_t)length ? 0 : -1;
}

/* Digits that no locale changes: a point, independent of the locale's. */
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

/* ft_probe_submit - a call of `name` at a size took this long.
 *
 * name    as foretime keeps it
 * param   [n] the names of its parameters; value: [n] their values
 * wall_s  seconds, > 0
 *
 * Returns 0; -1: nothing was written (a name with quotes, a number that is none, no folder, a full disk).
 * Threads may call it at once; a handler of a signal may not.
 */
static inline int ft_probe_submit_on(const char *name, const char *device, const char *const *param,
				     const double *value, int n, double wall_s);

static inline int ft_probe_submit(const char *name, const char *const *param, const double *value, int n,
				  double wall_s)
{
	return ft_probe_submit_on(name, NULL, param, value, n, wall_s);
}

/* ft_probe_submit_on - the same of one of its devices, as foretime build --device names it; NULL: it has
 * none. */
static inline int ft_probe_submit_on(const char *name, const char *device, const char *const *param,
				     const double *value, int n, double wall_s)
{
	char line[FT_PROBE_LINE], digits[64];
	struct timespec now;
	size_t length;
	int i;

	if (!ft_probe_plain(name) || (device && !ft_probe_plain(device)) || !(wall_s > 0) ||
	    clock_gettime(CLOCK_REALTIME, &now))
		return -1;
	length = (size_t)snprintf(line, sizeof line, "{\"name\":\"%s\",%s%s%s\"at\":%lld.%09ld,\"size\":{",
				  name, device ? "\"device\":\"" : "", device ? device : "",
				  device ? "\"," : "", (long long)now.tv_sec, now.tv_nsec);
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
	return ft_probe_append(line, length);
}

#endif
