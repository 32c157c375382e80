/* SPDX-License-Identifier: GPL-3.0-or-later */
/* files.h - reads the small files of /proc and /sys, of this machine (root "") or of a recorded one. */
#ifndef FT_BASE_FILES_H
#define FT_BASE_FILES_H

#include "foretime/base.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

enum { FT__LINE_LENGTH = 256 };

/* ft__file_read - the beginning of the file root + path.
 *
 * buffer  [size] always ends in a zero byte
 *
 * Returns its length in the buffer; 0, with errno set, when it cannot be read (errno 0: it is empty).
 */
size_t ft__file_read(char *buffer, size_t size, const char *root, const char *path, ...) FT_PRINTF(4, 5);

/* ft__file_line - its first line without blanks around; false, with errno as above and line "", when there is
 * none. */
bool ft__file_line(char line[FT__LINE_LENGTH], const char *root, const char *path, ...) FT_PRINTF(3, 4);

/* ft__file_value - what stands behind "key :" or "key=" at the beginning of a line of a text, up to the end
 * of the line, with every run of blanks made one; false, and value "", when no line has the key. */
bool ft__file_value(char value[FT__LINE_LENGTH], const char *text, const char *key);

/* ft__file_count - the number of a line "key number" of a text, as in memory.stat; 0: there is none. */
double ft__file_count(const char *text, const char *key);

/* ft__file_find - the first file that fits the pattern root + pattern; false, and path "", when there is
 * none.
 */
bool ft__file_find(char path[PATH_MAX], const char *root, const char *pattern);

/* ft__file_write - all of these bytes to an open file. 0; -1 with errno. */
int ft__file_write(int fd, const char *bytes, size_t length);

/* ft__file_exchange - replace the file at a path by a new one with these bytes: made next to it, as
 * PATH.new. Readers have the old one meanwhile. 0; -1 with errno. */
int ft__file_exchange(const char *path, const char *bytes, size_t length);

/* ft_files_below - the paths of all regular files in a folder and below it, in the order of their names. What
 * begins with a dot is passed over, and so are links to folders and more than 32 folders in each other.
 *
 * path  out: [n] heap, and so is each; end with ft_files_free
 *
 * Returns FT_OK; FT_ENOENT, FT_EACCESS, FT_EIO: of the folder; FT_EINVAL: more than FT_FILES_MOST; FT_ENOMEM. */
enum { FT_FILES_MOST = 200000 };
enum ft_status ft_files_below(const char *folder, char ***path, size_t *n, struct ft_err *err);
void ft_files_free(char **path, size_t n);

/*
 * Find a program's file as execvp does.
 */

/* ft_path_check - 0 when execve would take a file, else the errno that it would give. */
int ft_path_check(const char *file);

/* ft_path_find - the file of a name: itself where it has a slash, else the first of the folders of PATH that
 * has one which can be executed; an empty folder is the one of this process (POSIX, XBD 8.3).
 *
 * Returns 0; EACCES: found cannot be executed, and no other is there; ENOENT, or what ft_path_check returns
 * of a name with a slash: found is "".
 */
int ft_path_find(const char *name, char found[PATH_MAX]);

/*
 * Shared libraries that few runs need, loaded when they are first needed: each linked one slows every start
 * of the command, libpfm4 with its 41,000 relocations more than all else.
 */

struct ft_symbol {
	const char *name;
	void *where; /* a pointer to a function of its type, which is set */
};

/* ft_library_load - load a library, to stay for the life of the process, and find functions in it.
 *
 * file    as the loader finds it: "libpfm.so.4"
 * symbol  [n] all are set, or none
 *
 * Returns FT_OK; FT_EUNAVAIL: it is missing, or has no such function.
 */
enum ft_status ft_library_load(const char *file, const struct ft_symbol *symbol, size_t n,
			       struct ft_err *err);

#endif
