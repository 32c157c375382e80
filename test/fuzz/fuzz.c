/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz.c - what the harnesses share. */
#include "fuzz.h"
#include "temp.h"

#include <sqlite3.h>
#include <sys/mman.h>
#include <unistd.h>

const char *fuzz_file(const uint8_t *bytes, size_t length)
{
	static char path[64];
	static int fd = -1;

	if (fd < 0)
		fd = memfd_create("fuzz", MFD_CLOEXEC);
	if (fd < 0 || pwrite(fd, bytes, length, 0) != (ssize_t)length || ftruncate(fd, (off_t)length)) {
		perror("memfd");
		exit(99);
	}
	(void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	return path;
}

/* SQLite's pages lie in memory that is there, and nobody waits for another thread: a sixth of what an input
 * costs that opens a store. */
static void settle_sqlite(void)
{
	enum { PAGE = 4096 + 512, PAGES = 400 };
	static char pages[PAGES * PAGE];

	(void)sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);
	(void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
	(void)sqlite3_config(SQLITE_CONFIG_PAGECACHE, pages, PAGE, PAGES);
}

const char *fuzz_path(const char *name)
{
	if (!temp_folder[0]) {
		settle_sqlite();
		(void)snprintf(temp_folder, sizeof temp_folder, "%s/foretime-fuzz-XXXXXX",
			       access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm");
		if (!mkdtemp(temp_folder) || atexit(temp_remove)) {
			perror(temp_folder);
			exit(99);
		}
	}
	return temp_path(name);
}

int fuzz_is_told(enum ft_status status, const struct ft_err *err)
{
	return status && err->status == status && *err->text;
}
