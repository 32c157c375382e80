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

#ifdef FT_FUZZ_ENTRY
/* libFuzzer looks through our memory, not SQLite's, which took a third of an input's time; the tests that run
 * the same harnesses look through all of it. Each piece has its length before it. */
extern void *__libc_realloc(void *memory, size_t bytes);

enum { BEFORE = 16 };

static void *plain_realloc(void *memory, int bytes)
{
	int *piece = __libc_realloc(memory ? (char *)memory - BEFORE : NULL, (size_t)bytes + BEFORE);

	if (!piece)
		return NULL;
	*piece = bytes;
	return (char *)piece + BEFORE;
}

static void *plain_malloc(int bytes)
{
	return plain_realloc(NULL, bytes);
}

static void plain_free(void *memory)
{
	if (memory)
		(void)__libc_realloc((char *)memory - BEFORE, 0);
}

static int plain_size(void *memory)
{
	return memory ? *(int *)(void *)((char *)memory - BEFORE) : 0;
}

static int round_up(int bytes)
{
	return (bytes + 7) & ~7;
}

static int begin_plain(void *context)
{
	(void)context;
	return SQLITE_OK;
}

static void end_plain(void *context)
{
	(void)context;
}

static void use_plain_memory(void)
{
	const sqlite3_mem_methods methods = {plain_malloc, plain_free,  plain_realloc, plain_size,
					     round_up,     begin_plain, end_plain,     NULL};

	(void)sqlite3_config(SQLITE_CONFIG_MALLOC, &methods);
}
#else
static void use_plain_memory(void)
{
}
#endif

/* SQLite's pages lie in memory that is there, and nobody waits for another thread: a sixth of what an input
 * costs that opens a store. */
static void settle_sqlite(void)
{
	enum { PAGE = 4096 + 512, PAGES = 400 };
	static char pages[PAGES * PAGE];

	(void)sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);
	(void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
	use_plain_memory();
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
