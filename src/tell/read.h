/* SPDX-License-Identifier: GPL-3.0-or-later */
/* read.h - what an answer told, read again from the file that it was kept in. */
#ifndef FT_TELL_READ_H
#define FT_TELL_READ_H

#include "foretime/status.h"

#include <jansson.h>

/* ft_tell_read - a file, plain or gzip, "-" for standard input: its bytes, and a zero byte behind them; heap,
 * ends with free.
 *
 * Returns FT_OK; FT_ENOENT, FT_EACCESS, FT_EIO: also a damaged gzip; FT_EINVAL: more than 256 MiB; FT_ENOMEM.
 */
enum ft_status ft_tell_read(const char *path, char **bytes, size_t *length, struct ft_err *err);

/* ft_tell_parse - the JSON document of some bytes. name: of the file, for messages. out: ends with
 * json_decref.
 *
 * Returns FT_OK; FT_EPARSE: it is none; FT_EINVAL: parsed it would take more than 1 GiB; FT_ENOMEM.
 */
enum ft_status ft_tell_parse(const char *name, const char *bytes, size_t length, json_t **out,
			     struct ft_err *err);

/* ft_tell_read_json - both. */
enum ft_status ft_tell_read_json(const char *path, json_t **out, struct ft_err *err);

#endif
