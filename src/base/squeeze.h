/* SPDX-License-Identifier: GPL-3.0-or-later */
/* squeeze.h - texts made smaller while they are kept (zlib's deflate). */
#ifndef FT_BASE_SQUEEZE_H
#define FT_BASE_SQUEEZE_H

#include "foretime/status.h"

#include <stddef.h>

/* ft__squeeze - out: heap, ends with ft_free, [*n]. FT_OK; FT_ENOMEM. */
enum ft_status ft__squeeze(const char *text, size_t length, void **out, size_t *n, struct ft_err *err);

/* ft__unsqueeze - what was squeezed, of that length, and a zero byte behind it; heap. FT_OK; FT_EPARSE: it is
 * no such thing; FT_ENOMEM. */
enum ft_status ft__unsqueeze(const void *bytes, size_t n, size_t length, char **out, struct ft_err *err);

#endif
