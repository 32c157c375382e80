/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hash.c - the fingerprint of bytes. */
#include "base/hash.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

uint64_t ft_hash_bytes(uint64_t hash, const void *bytes, size_t length)
{
	const unsigned char *byte = bytes;

	for (size_t i = 0; i < length; i++)
		hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
	return hash;
}

uint64_t ft_hash_text(const char *text)
{
	return ft_hash_bytes(FT_HASH_START, text, strlen(text));
}

uint32_t ft_hash_crc(uint32_t crc, const void *bytes, size_t length)
{
	return (uint32_t)crc32_z(crc, bytes, length);
}

char *ft_hash_format(uint64_t hash, char buffer[FT_HASH_LENGTH])
{
	(void)snprintf(buffer, FT_HASH_LENGTH, "%016" PRIx64, hash);
	return buffer;
}
