/* SPDX-License-Identifier: GPL-3.0-or-later */
/* recorded-proc.h - a /proc that a test writes: the processes it needs, with what is to be read of them. */
#ifndef FT_TEST_MEASURE_RECORDED_PROC_H
#define FT_TEST_MEASURE_RECORDED_PROC_H

#include "tap.h"
#include "temp.h"

#include <unistd.h>

enum { PROC_SELF = 100 }; /* whose descendants are the tree */

static void proc_file(const char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Write a file below /proc, and the folders on the way. */
static void proc_file(const char *text, const char *format, ...)
{
	char name[128], path[256], *slash;
	va_list args;

	va_start(args, format);
	(void)vsnprintf(name, sizeof name, format, args);
	va_end(args);
	(void)mkdir(temp_path("proc"), 0755);
	(void)snprintf(path, sizeof path, "%s%s", temp_path("proc/"), name);
	for (slash = strchr(path + strlen(temp_path("proc/")), '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		(void)mkdir(path, 0755);
		*slash = '/';
	}
	if (!temp_write(path, text, 0644))
		diag("cannot write '%s'", path);
}

/* The number that was given out last. */
static void proc_last(int pid)
{
	char text[64];

	(void)snprintf(text, sizeof text, "0.00 0.00 0.00 1/100 %d\n", pid);
	proc_file(text, "loadavg");
}

static void proc_put(int pid, int parent, int pages)
{
	char text[128];

	(void)snprintf(text, sizeof text, "%d (a) b) S %d %d 0", pid, parent, pid);
	proc_file(text, "%d/stat", pid);
	(void)snprintf(text, sizeof text, "%d %d 0 0 0 0 0\n", 2 * pages, pages);
	proc_file(text, "%d/statm", pid);
}

static void proc_remove(int pid)
{
	char name[32];

	(void)snprintf(name, sizeof name, "proc/%d", pid);
	(void)nftw(temp_path(name), temp_remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* Nothing but ourselves, and an init. */
static void proc_begin(void)
{
	char number[16];

	(void)nftw(temp_path("proc"), temp_remove_one, 8, FTW_DEPTH | FTW_PHYS);
	proc_put(1, 0, 1000000);
	proc_put(PROC_SELF, 1, 1000000);
	(void)snprintf(number, sizeof number, "%d", PROC_SELF);
	if (symlink(number, temp_path("proc/self")))
		perror("symlink");
}

#endif
