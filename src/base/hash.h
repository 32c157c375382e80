/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hash.h - the fingerprint of bytes. Not for secrets.
 * Source: Fowler, Noll, Vo: FNV-1a, 64 bits (IETF draft-eastlake-fnv, sections 2 and 5). */
#ifndef FT_BASE_HASH_H
#define FT_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define FT_HASH_START  UINT64_C(0xcbf29ce484222325)
#define FT_HASH_LENGTH 17 /* 16 digits and the zero byte */

/* ft_hash_bytes - a hash (at first FT_HASH_START) continued over bytes. ft_hash_text - of a text, whole. */
uint64_t ft_hash_bytes(uint64_t hash, const void *bytes, size_t length);
uint64_t ft_hash_text(const char *text);

/* ft_hash_crc - CRC-32 of ISO 3309 (at first 0) continued over bytes: it sees each flip of one to three bits,
 * which a hash sees only very probably. */
uint32_t ft_hash_crc(uint32_t crc, const void *bytes, size_t length);

/* ft_hash_format - as 16 hexadecimal digits. Returns buffer. */
char *ft_hash_format(uint64_t hash, char buffer[FT_HASH_LENGTH]);

#endif
