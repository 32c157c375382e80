/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lines.c - line after line of a file or stream, in bounded memory. */
#include "trace/lines.h"
#include "base/alloc.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { CHUNK = 1 << 18, LONGEST = 1 << 26 };

enum ft_status ft__lines_open(struct ft__lines *l, const char *path, struct ft_err *err)
{
	int fd;

	*l = (struct ft__lines){.stream = !strcmp(path, "-")};
	l->name = l->stream ? "standard input" : path;
	fd = l->stream ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return ft_fail_errno(err, errno, "cannot open '%s'", l->name);
	l->file = gzdopen(fd, "rb");
	if (!l->file) {
		(void)close(fd);
		return ft_nomem(err);
	}
	(void)gzbuffer(l->file, CHUNK);
	l->buffer = ft_malloc((size_t)2 * CHUNK);
	if (!l->buffer) {
		ft__lines_close(l);
		return ft_nomem(err);
	}
	l->text = l->buffer;
	l->capacity = (size_t)2 * CHUNK;
	return FT_OK;
}

void ft__lines_memory(struct ft__lines *l, const char *name, const char *bytes, size_t length)
{
	*l = (struct ft__lines){.name = name, .text = bytes, .end = length, .all = true, .bytes = length};
}

void ft__lines_close(struct ft__lines *l)
{
	if (l->file)
		(void)gzclose(l->file);
	ft_free(l->buffer);
	*l = (struct ft__lines){0};
}

/* A longer line than any before: a larger buffer. */
static enum ft_status widen(struct ft__lines *l, struct ft_err *err)
{
	char *wider;

	if (l->capacity >= LONGEST) {
		(void)ft_fail(err, FT_EPARSE, "%s:%zu: a line without end", l->name, l->line + 1);
		return ft_remedy(err, "give a text of lines, one for each time");
	}
	wider = ft_realloc(l->buffer, 2 * l->capacity);
	if (!wider)
		return ft_nomem(err);
	l->text = l->buffer = wider;
	l->capacity *= 2;
	return FT_OK;
}

/* More bytes behind those that are there. */
static enum ft_status fill(struct ft__lines *l, struct ft_err *err)
{
	int n, why = Z_OK;

	memmove(l->buffer, l->buffer + l->begin, l->end - l->begin);
	l->end -= l->begin;
	l->begin = 0;
	if (l->capacity - l->end < CHUNK) {
		enum ft_status status = widen(l, err);

		if (status != FT_OK)
			return status;
	}
	errno = 0;
	n = gzread(l->file, l->buffer + l->end, CHUNK);
	(void)gzerror(l->file, &why);
	if (n < 0 || why == Z_BUF_ERROR) {
		if (why == Z_ERRNO)
			return ft_fail_errno(err, errno, "cannot read '%s'", l->name);
		(void)ft_fail(err, FT_EIO, "cannot read '%s': the gzip data is damaged or ends early",
			      l->name);
		return ft_remedy(err, "copy or compress the file again; 'gzip -t' checks it");
	}
	l->all = !n;
	l->end += (size_t)n;
	l->bytes += (uint64_t)n;
	return FT_OK;
}

enum ft_status ft__lines_next(struct ft__lines *l, const char **text, size_t *length, bool *ended,
			      struct ft_err *err)
{
	size_t seen = 0;
	const char *begin, *newline = NULL;
	enum ft_status status;

	for (;;) {
		if (l->end > l->begin + seen)
			newline = memchr(l->text + l->begin + seen, '\n', l->end - l->begin - seen);
		if (newline || l->all)
			break;
		seen = l->end - l->begin;
		status = fill(l, err);
		if (status != FT_OK)
			return status;
	}
	if (l->begin == l->end)
		return FT_EEND;
	begin = l->text + l->begin;
	*text = begin;
	*ended = newline != NULL;
	*length = newline ? (size_t)(newline - begin) : l->end - l->begin;
	l->begin += *length + *ended;
	l->line++;
	if (*length && begin[*length - 1] == '\r')
		--*length;
	if (l->line == 1 && *length >= 3 && !memcmp(begin, "\xef\xbb\xbf", 3)) { /* byte order mark */
		*text += 3;
		*length -= 3;
	}
	return FT_OK;
}
