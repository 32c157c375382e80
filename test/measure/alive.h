/* SPDX-License-Identifier: GPL-3.0-or-later */
/* alive.h - which processes of a test are still there. */
#ifndef FT_TEST_MEASURE_ALIVE_H
#define FT_TEST_MEASURE_ALIVE_H

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How many processes have a tag in their command line. Zombies have none. */
static int count_alive(const char *tag)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	int count = 0;

	while (proc && (entry = readdir(proc))) {
		char path[300], line[4096];

		if (entry->d_name[0] < '1' || entry->d_name[0] > '9' || atoi(entry->d_name) == getpid())
			continue;
		(void)snprintf(path, sizeof path, "/proc/%s/cmdline", entry->d_name);
		int file = open(path, O_RDONLY);
		ssize_t length = file < 0 ? -1 : read(file, line, sizeof line);
		if (file >= 0)
			(void)close(file);
		count += length > 0 && memmem(line, (size_t)length, tag, strlen(tag));
	}
	if (proc)
		(void)closedir(proc);
	return count;
}

#endif
