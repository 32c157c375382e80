/* SPDX-License-Identifier: GPL-3.0-or-later */
/* squeeze.c - texts made smaller while they are kept. */
#include "base/squeeze.h"
#include "base/alloc.h"

#include <zlib.h>

enum ft_status ft__squeeze(const char *text, size_t length, void **out, size_t *n, struct ft_err *err)
{
	uLongf room = compressBound(length);
	unsigned char *bytes = ft_malloc(room);

	*out = NULL;
	*n = 0;
	/* It fits: nothing but memory of its own can fail it. */
	if (!bytes || compress2(bytes, &room, (const unsigned char *)text, length, 6) != Z_OK) {
		ft_free(bytes);
		return ft_nomem(err);
	}
	*out = bytes;
	*n = room;
	return FT_OK;
}

enum ft_status ft__unsqueeze(const void *bytes, size_t n, size_t length, char **out, struct ft_err *err)
{
	uLongf got = length;
	char *text = ft_malloc(length + 1);

	*out = NULL;
	if (!text)
		return ft_nomem(err);
	int rc = uncompress((unsigned char *)text, &got, bytes, n);
	if (rc == Z_OK && got == length) {
		text[length] = '\0';
		*out = text;
		return FT_OK;
	}
	ft_free(text);
	return rc == Z_MEM_ERROR ? ft_nomem(err) : ft_fail(err, FT_EPARSE, "a text that was kept is damaged");
}
