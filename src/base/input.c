/* SPDX-License-Identifier: GPL-3.0-or-later */
/* input.c - the bytes of a file, plain or gzip (zlib detects which by the first bytes), or of memory. */
#include "base/alloc.h"
#include "base/input.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { CHUNK = FT__INPUT_HEAD, WINDOW = 256 };

struct ft_input {
	char *name;
	gzFile file; /* NULL: memory */
	double file_bytes;
	char *buffer; /* of a file; holds what was read and not yet taken */
	size_t capacity;
	const char *bytes; /* the buffer, or the memory */
	size_t at, end;    /* of what is still to be taken */
	size_t line;
	bool ended; /* nothing is left to read behind `end` */
};

void ft__input_close(struct ft_input *input)
{
	if (!input)
		return;
	if (input->file)
		(void)gzclose(input->file);
	ft_free(input->buffer);
	ft_free(input->name);
	ft_free(input);
}

static enum ft_status input_new(struct ft_input **out, const char *name, struct ft_err *err)
{
	struct ft_input *input = ft_calloc(1, sizeof *input);

	*out = NULL;
	if (!input)
		return ft_nomem(err);
	input->name = ft_strdup(name);
	if (!input->name) {
		ft__input_close(input);
		return ft_nomem(err);
	}
	*out = input;
	return FT_OK;
}

static double length_of(int fd)
{
	struct stat st;

	return fstat(fd, &st) || !S_ISREG(st.st_mode) ? NAN : (double)st.st_size;
}

enum ft_status ft__input_open(struct ft_input **out, const char *path, struct ft_err *err)
{
	struct ft_input *input;
	enum ft_status status = input_new(&input, strcmp(path, "-") ? path : "standard input", err);

	*out = NULL;
	if (status)
		return status;
	int fd = strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC)
				   : fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
	if (fd < 0) {
		status = ft_fail_errno(err, errno, "cannot open '%s'", input->name);
		ft__input_close(input);
		return status;
	}
	input->file_bytes = length_of(fd);
	input->file = gzdopen(fd, "rb");
	input->buffer = ft_malloc(CHUNK + 1);
	if (input->file)
		(void)gzbuffer(input->file, CHUNK);
	if (!input->file)
		(void)close(fd);
	if (!input->file || !input->buffer) {
		ft__input_close(input);
		return ft_nomem(err);
	}
	input->capacity = CHUNK + 1;
	input->bytes = input->buffer;
	*out = input;
	return FT_OK;
}

enum ft_status ft__input_memory(struct ft_input **out, const char *name, const char *bytes, size_t length,
				struct ft_err *err)
{
	FT_TRY(input_new(out, name, err));
	(*out)->bytes = bytes;
	(*out)->end = length;
	(*out)->file_bytes = (double)length;
	(*out)->ended = true;
	return FT_OK;
}

const char *ft__input_name(const struct ft_input *input)
{
	return input->name;
}

size_t ft__input_number(const struct ft_input *input)
{
	return input->line;
}

double ft__input_share(const struct ft_input *input)
{
	double read = input->file ? (double)gzoffset(input->file) : (double)input->at;

	return input->file_bytes > 0 ? fmin(read / input->file_bytes, 1) : (double)NAN;
}

static enum ft_status fail_reading(const struct ft_input *input, struct ft_err *err)
{
	int why, number = errno;

	(void)gzerror(input->file, &why);
	if (why == Z_MEM_ERROR)
		return ft_nomem(err);
	if (why == Z_ERRNO)
		return ft_fail_errno(err, number, "cannot read '%s'", input->name);
	(void)ft_fail(err, FT_EIO, "cannot read '%s': the gzip data is damaged or ends early", input->name);
	(void)ft_remedy(err, "copy or compress the file again; 'gzip -t' checks it");
	return FT_EIO;
}

/* Room for half a chunk or more behind what is still to be taken, which moves to the beginning. */
static enum ft_status grow_input(struct ft_input *input, struct ft_err *err)
{
	memmove(input->buffer, input->buffer + input->at, input->end - input->at);
	input->end -= input->at;
	input->at = 0;
	if (input->capacity - input->end > CHUNK / 2)
		return FT_OK;
	char *grown = ft_realloc(input->buffer, 2 * input->capacity + CHUNK);
	if (!grown)
		return ft_nomem(err);
	input->bytes = input->buffer = grown;
	input->capacity = 2 * input->capacity + CHUNK;
	return FT_OK;
}

/* Read some bytes more, or notice that there are none. */
static enum ft_status read_more(struct ft_input *input, struct ft_err *err)
{
	enum ft_status status = grow_input(input, err);
	int why = Z_OK;

	if (status)
		return status;
	int n = gzread(input->file, input->buffer + input->end, (unsigned)(input->capacity - input->end - 1));
	(void)gzerror(input->file, &why);
	if (n < 0 || (n == 0 && why == Z_BUF_ERROR)) /* gzread returns what a cut file still gave */
		return fail_reading(input, err);
	input->end += (size_t)n;
	input->ended = n == 0;
	return FT_OK;
}

enum ft_status ft__input_head(struct ft_input *input, const char **bytes, size_t *length, struct ft_err *err)
{
	enum ft_status status = FT_OK;

	assert(!input->line);
	while (!status && !input->ended && input->end - input->at < FT__INPUT_HEAD)
		status = read_more(input, err);
	*bytes = input->bytes + input->at;
	*length = input->end - input->at;
	if (*length > FT__INPUT_HEAD)
		*length = FT__INPUT_HEAD;
	return status;
}

/* The first LF or CR, or `to`. By windows: a file may have CRs alone, or none at all. */
static size_t find_break(const char *bytes, size_t from, size_t to)
{
	while (from < to) {
		size_t length = to - from < WINDOW ? to - from : WINDOW;
		const char *lf = memchr(bytes + from, '\n', length), *cr;

		length = lf ? (size_t)(lf - bytes) - from : length;
		cr = memchr(bytes + from, '\r', length);
		if (cr || lf)
			return (size_t)((cr ? cr : lf) - bytes);
		from += length;
	}
	return to;
}

/* The end of the line that begins at input->at, if it is known; searched from `from` on. */
static bool find_end(const struct ft_input *input, size_t *from)
{
	size_t i = *from = find_break(input->bytes, *from, input->end);

	if (i == input->end)
		return input->ended;
	if (input->bytes[i] == '\r') {
		if (i + 1 == input->end && !input->ended) /* a LF may follow */
			return false;
		i += i + 1 < input->end && input->bytes[i + 1] == '\n';
	}
	*from = i + 1;
	return true;
}

static enum ft_status too_long(const struct ft_input *input, struct ft_err *err)
{
	(void)ft_fail(err, FT_EPARSE, "%s:%zu: column 1: the line is longer than %d bytes", input->name,
		      input->line + 1, FT__LINE_MAX);
	(void)ft_remedy(err, "this is no table; name another file");
	return FT_EPARSE;
}

enum ft_status ft__input_line(struct ft_input *input, const char **line, size_t *length, struct ft_err *err)
{
	enum ft_status status;
	size_t searched = input->at;

	*line = NULL;
	*length = 0;
	if (!input->line && !input->ended && input->end - input->at < 3 && (status = read_more(input, err)))
		return status;
	if (!input->line && input->end - input->at >= 3 &&
	    !memcmp(input->bytes + input->at, "\xef\xbb\xbf", 3)) /* byte order mark */
		input->at += 3;
	searched = searched < input->at ? input->at : searched;
	while (!find_end(input, &searched)) {
		size_t offset = searched - input->at;

		if (offset > FT__LINE_MAX)
			return too_long(input, err);
		if ((status = read_more(input, err)))
			return status;
		searched = input->at + offset;
	}
	if (searched - input->at > FT__LINE_MAX)
		return too_long(input, err);
	if (searched == input->at)
		return FT_EEND;
	*line = input->bytes + input->at;
	*length = searched - input->at;
	input->at = searched;
	input->line++;
	return FT_OK;
}

static enum ft_status too_much(const struct ft_input *input, size_t most, struct ft_err *err)
{
	(void)ft_fail(err, FT_EINVAL, "'%s' holds more than %zu MiB, which must be read at once", input->name,
		      most >> 20);
	(void)ft_remedy(err, "split it");
	return FT_EINVAL;
}

/* The caller gets the buffer, with the unread bytes at its beginning, and a zero byte. */
static char *take_buffer(struct ft_input *input)
{
	size_t length = input->end - input->at;
	char *bytes = input->buffer;

	memmove(bytes, bytes + input->at, length);
	bytes[length] = '\0';
	char *fitting = ft_realloc(bytes, length + 1);
	input->bytes = input->buffer = NULL;
	input->at = input->end = 0;
	if (!fitting)
		ft_free(bytes);
	return fitting;
}

enum ft_status ft__input_all(struct ft_input *input, size_t most, char **bytes, size_t *length,
			     struct ft_err *err)
{
	enum ft_status status = FT_OK;

	*bytes = NULL;
	*length = 0;
	while (!status && !input->ended && input->end - input->at <= most)
		status = read_more(input, err);
	if (!status && input->end - input->at > most)
		status = too_much(input, most, err);
	if (status)
		return status;
	*length = input->end - input->at;
	*bytes = input->file ? take_buffer(input) : ft_strndup(input->bytes + input->at, *length);
	input->at = input->end;
	return *bytes ? FT_OK : ft_nomem(err);
}

bool ft__gzip_each(int fd, bool (*take)(void *own, const char *bytes, size_t n), void *own)
{
	int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0), n = 0, why = Z_OK;
	gzFile in = copy < 0 ? NULL : gzdopen(copy, "rb");
	char *chunk = ft_malloc(CHUNK);
	bool taken = true;

	while (in && chunk && taken && (n = gzread(in, chunk, CHUNK)) > 0)
		taken = take(own, chunk, (size_t)n);
	if (in)
		(void)gzerror(in, &why); /* gzread returns what a cut file still gave */
	bool good = in && chunk && taken && n == 0 && why == Z_OK;
	ft_free(chunk);
	if (in)
		(void)gzclose(in);
	else if (copy >= 0)
		(void)close(copy);
	return good;
}

/* ---- JSON --------------------------------------------------------------------------------------------- */

/* What the parts take with jansson 2.14 on 64 bits, at most: 238 bytes for {}, 142 for [], 40 for a number in
 * an array, 88 for "" there, 140 for "k":0 in an object; and the text of strings. */
static size_t bytes_of(char c)
{
	switch (c) {
	case '{':
		return 256;
	case '[':
		return 144;
	case ':':
		return 100;
	case ',':
		return 40;
	case '"':
		return 24;
	default:
		return 1;
	}
}

enum ft_status ft__json_check(const char *name, const char *text, size_t length, size_t most,
			      struct ft_err *err)
{
	size_t bytes = 0, depth = 0;
	bool quoted = false;

	for (size_t i = 0; i < length && bytes <= most; i++) {
		char c = text[i];

		bytes += quoted && c != '"' ? 1 : bytes_of(c);
		if (quoted && c == '\\')
			i++;
		else if (c == '"')
			quoted = !quoted;
		else if (!quoted && (c == '{' || c == '['))
			depth++;
		else if (!quoted && (c == '}' || c == ']') && (!depth || !--depth))
			break;
	}
	if (bytes <= most)
		return FT_OK;
	(void)ft_fail(err, FT_EINVAL, "'%.200s' would take more than %zu MiB of memory", name, most >> 20);
	(void)ft_remedy(err, "split it");
	return FT_EINVAL;
}
