/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-utf8.c - characters of UTF-8: every one there is, and bytes that are none, against a slow decoder. */
#include "base/random.h"
#include "base/text.h"
#include "foretime/base.h"
#include "tap.h"

/* RFC 3629, section 3: the table. */
static size_t encode(uint32_t character, unsigned char to[4])
{
	static const unsigned char head[] = {0, 0, 0xc0, 0xe0, 0xf0};
	size_t n = character < 0x80 ? 1 : character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;

	for (size_t i = n; i-- > 1; character >>= 6)
		to[i] = (unsigned char)(0x80 | (character & 0x3f));
	to[0] = (unsigned char)(head[n] | character);
	return n;
}

static bool is_character(uint32_t character)
{
	return character < 0x110000 && (character < 0xd800 || character > 0xdfff);
}

static void test_all(void)
{
	uint32_t wrong = 0, controls = 0;
	unsigned char bytes[5] = {0};

	for (uint32_t character = 0; character < 0x200000; character++) {
		size_t n = encode(character, bytes);
		bytes[n] = 0;
		wrong += ft__utf8_length((char *)bytes, SIZE_MAX) != (is_character(character) ? n : 0);
		wrong += n > 1 && ft__utf8_length((char *)bytes, n - 1) != 0;
		controls += is_character(character) && ft__utf8_is_control((char *)bytes);
	}
	ok(!wrong, "every character, and nothing beyond: %u wrong", wrong);
	ok(controls == 0x20 + 1 + 0x20, "65 controls: %u", controls);
	ok(!ft__utf8_length("x", 0), "nothing may be read");
}

/* What a slow decoder takes: the characters whose bytes these are. */
static size_t slow(const unsigned char *bytes)
{
	unsigned char expected[4];
	uint32_t character = 0;

	for (size_t n = 1; n <= 4; n++) {
		character = n == 1 ? bytes[0] : bytes[0] & (0x7fU >> n);
		for (size_t i = 1; i < n; i++)
			character = character << 6 | (bytes[i] & 0x3f);
		if (is_character(character) && encode(character, expected) == n &&
		    !memcmp(expected, bytes, n))
			return n;
	}
	return 0;
}

static void test_random(void)
{
	struct ft_random random = {test_seed()};
	int i, k, wrong = 0, n = test_cases(200000);

	for (i = 0; i < n; i++) {
		unsigned char bytes[4];

		for (k = 0; k < 4; k++)
			bytes[k] = (unsigned char)(ft_random_below(&random, 2)
							   ? ft_random_below(&random, 256)
							   : 0x80 + ft_random_below(&random, 64));
		if (ft__utf8_length((char *)bytes, 4) != slow(bytes) && !wrong++)
			diag("seed %llu: %02x %02x %02x %02x", (unsigned long long)test_seed(), bytes[0],
			     bytes[1], bytes[2], bytes[3]);
	}
	ok(!wrong, "%d random strings", n);
}

/* What a terminal is given: characters that steer nothing, the numbers of others; a text in pieces is shown
 * as the whole. */
static void test_show(void)
{
	static const struct {
		const char *text, *shown;
	} rows[] = {
		{"a\tb\n \xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80",
		 "a\tb\n \xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"},
		{"\033]0;x\007\r\177", "\\u001b]0;x\\u0007\\u000d\\u007f"},
		{"\xc2\x9b\xe2\x80\xae\xe2\x81\xa6\xd8\x9c", "\\u009b\\u202e\\u2066\\u061c"},
		{"\x9b\xff\xed\xa0\x80z\xc3(", "\\x9b\\xff\\xed\\xa0\\x80z\\xc3("},
	};
	char shown[FT_CHARACTER_LENGTH], all[128];

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *at = rows[i].text, *end = at + strlen(at);
		size_t used = 1;

		all[0] = '\0';
		for (; at < end && used; at += used)
			if ((used = ft_character_show(at, (size_t)(end - at), shown)))
				(void)strcat(all, shown);
		ok(!strcmp(all, rows[i].shown), "text %zu", i);
	}
	ok(!ft_character_show("\xe2\x80", 2, shown) && !ft_character_show("\xf0", 1, shown),
	   "the beginning of a character is waited for");
	ok(ft_character_show("\xe2x", 2, shown) == 1 && ft_character_show("\x80", 1, shown) == 1 &&
		   ft_character_show("\0", 1, shown) == 1 && !strcmp(shown, "\\u0000"),
	   "what begins none is not");
}

static void test_lines(void)
{
	static const struct {
		const char *text, *line;
		size_t bytes;
	} row[] = {{"", "", 1},
		   {"abc", "abc", 4},
		   {"abc", "ab", 3},
		   {"a\nb\tc\033[31m\177", "a b c [31m ", 99},
		   {"\xc3\xa4\xe2\x82\xac", "\xc3\xa4\xe2\x82\xac", 6},
		   {"\xc3\xa4\xe2\x82\xac", "\xc3\xa4", 5},
		   {"a\xc2\x85z", "a z", 99},
		   {"no\xc3", "no?", 99},
		   {"\xff\xe2\x82z", "???z", 99}};
	char to[128];

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		ft__utf8_line(to, row[i].bytes, row[i].text);
		ok(!strcmp(to, row[i].line), "a line of %zu bytes: '%s'", row[i].bytes, to);
		(void)snprintf(to, sizeof to, "%s", row[i].text);
		ft__utf8_line(to, row[i].bytes, to);
		ok(!strcmp(to, row[i].line), "in its own place");
	}
}

int main(void)
{
	test_show();
	test_all();
	test_random();
	test_lines();
	return done();
}
