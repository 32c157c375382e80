/* SPDX-License-Identifier: GPL-3.0-or-later */
/* files.h - the small files of /proc and /sys, of this machine (root "") or of a recorded one. */
#ifndef FT_BASE_FILES_H
#define FT_BASE_FILES_H

#include "foretime/status.h"

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

/* ft__file_exchange - a new file of these bytes in the place of what stands at the path: made beside it, as
 * PATH.new. Whoever reads meanwhile has the one before. 0; -1 with errno. */
int ft__file_exchange(const char *path, const char *bytes, size_t length);

#endif
