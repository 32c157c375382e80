/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-hash.c - the fingerprint of bytes. */
#include "tap.h"

#include "base/text.h"

int main(void)
{
	char digits[FT_HASH_LENGTH];

	/* draft-eastlake-fnv, appendix C */
	ok(ft_hash_bytes(FT_HASH_START, "", 0) == UINT64_C(0xcbf29ce484222325), "nothing");
	ok(ft_hash_text("a") == UINT64_C(0xaf63dc4c8601ec8c), "a");
	ok(ft_hash_text("foobar") == UINT64_C(0x85944171f73967e8), "foobar");
	ok(ft_hash_bytes(ft_hash_text("foo"), "bar", 3) == UINT64_C(0x85944171f73967e8), "in two pieces");
	ok(!strcmp(ft_hash_format(0x1f, digits), "000000000000001f"), "always 16 digits");
	/* ISO 3309: the check value of CRC-32 */
	ok(ft_hash_crc(0, "123456789", 9) == 0xcbf43926 &&
		   ft_hash_crc(ft_hash_crc(0, "1234", 4), "56789", 5) == 0xcbf43926,
	   "the CRC of nine digits, also in two pieces");
	return done();
}
