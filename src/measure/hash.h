/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hash.h - the fingerprint of bytes, and where a program's file lies.
 * Source: Fowler, Noll, Vo: FNV-1a, 64 bits (IETF draft-eastlake-fnv, sections 2 and 5). Not for secrets. */
#ifndef FT_MEASURE_HASH_H
#define FT_MEASURE_HASH_H

#include "foretime/status.h"

#include <stddef.h>
#include <stdint.h>

#define FT__HASH_START  UINT64_C(0xcbf29ce484222325)
#define FT__HASH_LENGTH 17 /* 16 digits and the zero byte */

/* ft__hash_bytes - a hash (at first FT__HASH_START) continued over bytes. */
uint64_t ft__hash_bytes(uint64_t hash, const void *bytes, size_t length);

/* ft__hash_format - as 16 hexadecimal digits. */
char *ft__hash_format(uint64_t hash, char buffer[FT__HASH_LENGTH]);

/* ft__program_find - the file that execvp would execute for a name.
 *
 * out  heap, ends with ft_free; NULL on failure
 *
 * Returns FT_OK; FT_ENOENT, FT_EACCESS, with the nearest remedy; FT_ENOMEM.
 */
enum ft_status ft__program_find(const char *name, char **out, struct ft_err *err);

#endif
