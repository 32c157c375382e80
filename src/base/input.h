/* SPDX-License-Identifier: GPL-3.0-or-later */
/* input.h - the bytes of a file, plain or gzip, of standard input or of memory: its beginning can be
 * inspected, then it is read line by line, in memory that does not grow with the file. */
#ifndef FT_BASE_INPUT_H
#define FT_BASE_INPUT_H

#include "foretime/base.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ft_input;

enum {
	FT__LINE_MAX = 1 << 20,    /* a longer line belongs to no format that we read */
	FT__INPUT_HEAD = 1 << 16,  /* how much of the beginning can be looked at */
	FT__TEXT_MOST = 256 << 20, /* bytes of a text that has to be read at once */
	FT__READ_MOST = 1 << 30,   /* bytes of memory for what was read: more is no file of ours */
};

/* ft__input_open - path "-" is standard input.
 *
 * out  heap, ends with ft__input_close; NULL on failure
 *
 * Returns FT_OK; FT_ENOENT, FT_EACCESS, FT_EIO; FT_ENOMEM.
 */
enum ft_status ft__input_open(struct ft_input **out, const char *path, struct ft_err *err);

/* ft__input_memory - bytes, borrowed until the input is closed, as a file of that name. */
enum ft_status ft__input_memory(struct ft_input **out, const char *name, const char *bytes, size_t length,
				struct ft_err *err);
void ft__input_close(struct ft_input *input); /* accepts NULL */

/* ft__input_name - what stands in messages: the path, or "standard input". */
const char *ft__input_name(const struct ft_input *input);

/* ft__input_head - the first bytes, up to FT__INPUT_HEAD of them, which are still to be read. Borrowed until
 * the first line is read. */
enum ft_status ft__input_head(struct ft_input *input, const char **bytes, size_t *length, struct ft_err *err);

/* ft__input_line - the next line with its end (LF, CR or CRLF), which the last one may lack. A byte order
 * mark before the first line is passed over. Borrowed until the next call.
 *
 * Returns FT_OK; FT_EEND; FT_EPARSE: longer than FT__LINE_MAX; FT_EIO: reading, a damaged gzip; FT_ENOMEM.
 */
enum ft_status ft__input_line(struct ft_input *input, const char **line, size_t *length, struct ft_err *err);

/* ft__input_number - the number of the line that was read last, from 1. */
size_t ft__input_number(const struct ft_input *input);

/* ft__input_all - all unread bytes, and a zero byte behind them; heap, ends with ft_free. Nothing
 * but its end can be read of the input then.
 *
 * most  bytes; more are FT_EINVAL
 */
enum ft_status ft__input_all(struct ft_input *input, size_t most, char **bytes, size_t *length,
			     struct ft_err *err);

/* ft__json_check - whether the JSON value that a text begins with may be parsed: FT_EINVAL where its parts
 * would take more than FT__READ_MOST bytes. A text of three bytes for each takes 80 times as much parsed.
 *
 * name  of the file, for the message
 * most  FT__READ_MOST, but for tests
 */
enum ft_status ft__json_check(const char *name, const char *text, size_t length, size_t most,
			      struct ft_err *err);

/* ft__input_share - how much of the file has been read, 0 .. 1; NaN: its length is not known. */
double ft__input_share(const struct ft_input *input);

/* ft__gzip_each - hand on all bytes from the place of an open file on, unpacked where they are of gzip, piece by piece;
 * the file stays open, and its place moves. false: it is damaged, cannot be read, memory is out, or `take` returned
 * false. */
bool ft__gzip_each(int fd, bool (*take)(void *own, const char *bytes, size_t n), void *own);

#endif
