/* SPDX-License-Identifier: GPL-3.0-or-later */
/* csv_file.c - a table of text from a file, plain or gzip: zlib tells them apart by their first bytes. */
#include "foretime/csv.h"
#include "base/alloc.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

/* The file descriptor of a path; that of "-" is a copy, so that closing it leaves standard input open. */
static int open_path(const char *path)
{
	return strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC) : fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
}

static enum ft_status fail_reading(gzFile file, const char *name, struct ft_err *err)
{
	int why, number = errno;

	(void)gzerror(file, &why);
	if (why == Z_MEM_ERROR)
		return ft_nomem(err);
	if (why == Z_ERRNO)
		return ft_fail_errno(err, number, "cannot read '%s'", name);
	(void)ft_fail(err, FT_EIO, "cannot read '%s': the gzip data is damaged or ends early", name);
	(void)ft_remedy(err, "copy or compress the file again; 'gzip -t' checks it");
	return FT_EIO;
}

/* All bytes of an open file, unpacked. */
static enum ft_status slurp(gzFile file, const char *name, struct ft_text *text, struct ft_err *err)
{
	enum { CHUNK = 1 << 16 };
	char *chunk = ft_malloc(CHUNK);
	enum ft_status status = FT_OK;
	int n = 0, why = Z_OK;

	if (!chunk)
		return ft_nomem(err);
	while (!text->failed && (n = gzread(file, chunk, CHUNK)) > 0)
		ft_text_add_bytes(text, chunk, (size_t)n);
	(void)gzerror(file, &why);
	if (text->failed)
		status = ft_nomem(err);
	else if (n < 0 || why == Z_BUF_ERROR) /* gzread returns what a cut file still gave */
		status = fail_reading(file, name, err);
	ft_free(chunk);
	return status;
}

enum ft_status ft_csv_read(const char *path, char separator, struct ft_csv **out, struct ft_err *err)
{
	const char *name = strcmp(path, "-") ? path : "standard input";
	struct ft_text text = {0};
	enum ft_status status;
	gzFile file;
	int fd = open_path(path);

	*out = NULL;
	if (fd < 0)
		return ft_fail_errno(err, errno, "cannot open '%s'", name);
	file = gzdopen(fd, "rb");
	if (!file) {
		(void)close(fd);
		return ft_nomem(err);
	}
	status = slurp(file, name, &text, err);
	(void)gzclose(file);
	if (status == FT_OK)
		status = ft_csv_parse(name, text.length ? text.s : "", text.length, separator, out, err);
	ft_text_clear(&text);
	return status;
}
