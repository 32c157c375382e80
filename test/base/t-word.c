/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-word.c - how much two words differ, and how one ends. */
#include "tap.h"

#include "base/random.h"
#include "base/text.h"

#include <stdint.h>

/* Slow and plain: the last bytes stay, are changed, left out, inserted, or swapped. */
static size_t slow_distance(const char *a, size_t n, const char *b, size_t m)
{
	if (!n || !m)
		return n + m;
	size_t least = slow_distance(a, n - 1, b, m - 1) + (a[n - 1] != b[m - 1]);
	size_t other = slow_distance(a, n - 1, b, m) + 1;
	least = other < least ? other : least;
	other = slow_distance(a, n, b, m - 1) + 1;
	least = other < least ? other : least;
	if (n > 1 && m > 1 && a[n - 1] == b[m - 2] && a[n - 2] == b[m - 1]) {
		other = slow_distance(a, n - 2, b, m - 2) + 1;
		least = other < least ? other : least;
	}
	return least;
}

static void test_distance(void)
{
	struct ft_random random = {test_seed()};
	char many[302] = "", a[7], b[7];
	int cases = test_cases(2000), i, bad = 0;

	ok(ft_word_distance("predict", "predcit") == 1, "two letters swapped are one mistake");
	ok(ft_word_distance("kitten", "sitting") == 3 && ft_word_distance("", "abc") == 3,
	   "as everybody has it");
	memset(many, 'x', 301);
	ok(ft_word_distance(many, many + 50) == 0 && ft_word_distance(many, "") == 200,
	   "of long ones the first 200 bytes count");
	for (i = 0; i < cases; i++) {
		size_t n = ft_random_below(&random, 7), m = ft_random_below(&random, 7);

		for (size_t k = 0; k < n; k++)
			a[k] = (char)('a' + ft_random_below(&random, 3));
		for (size_t k = 0; k < m; k++)
			b[k] = (char)('a' + ft_random_below(&random, 3));
		a[n] = b[m] = '\0';
		bad += ft_word_distance(a, b) != slow_distance(a, n, b, m);
	}
	ok(!bad, "%d pairs as a slow one has them, seed %llu", cases, (unsigned long long)test_seed());
}

static void test_mistaken(void)
{
	static const struct {
		const char *word, *candidate;
		size_t distance; /* 9: it is no slip of that */
	} example[] = {
		{"predcit", "predict", 1},
		{"lst", "list", 1},
		{"pred", "predict", 1},
		{"predict", "predict", 0},
		{"buidl", "build", 1},
		{"delete", "device", 9},
		{"version", "verify", 9},
		{"remove", "serve", 9},
		{"PT", "pT", 1},
		{"nope", "loops", 9},
		{"rm", "m", 9},
		{"pr", "predict", 9},
		{"confidnce", "confidence", 1},
		{"lagrets", "largest", 2},
		{"exprot", "import", 9},
		{"", "a", 9},
	};
	size_t wrong = 0;

	for (size_t i = 0; i < sizeof example / sizeof *example; i++) {
		size_t got = ft_word_mistaken(example[i].word, example[i].candidate);

		if ((got == SIZE_MAX ? 9 : got) != example[i].distance) {
			diag("%s, %s: %zu", example[i].word, example[i].candidate, got);
			wrong++;
		}
	}
	ok(!wrong, "a slip is two letters at most, and a third of the word");
}

static void test_list(void)
{
	ok(ft_word_at("idle|usual|now", "usual") == 1 && ft_word_at("a, b c\td\n", "d") == 3,
	   "words of a list have '|', commas or white space between them");
	ok(ft_word_at("idle|usual", "usua") == SIZE_MAX &&
		   ft_word_at("idle|usual", "idle|usual") == SIZE_MAX &&
		   ft_word_at("idle|usual", "") == SIZE_MAX && ft_word_at(" , |", "") == SIZE_MAX &&
		   ft_word_at("", "idle") == SIZE_MAX,
	   "part of a word, several, and nothing are none of them");
	ok(ft_word_at(" first ", "first") == 0 && ft_word_at("xfirst first", "first") == 1,
	   "a word is a whole one");
}

int main(void)
{
	test_distance();
	test_list();
	test_mistaken();
	ok(ft_word_ends("runs.csv.gz", ".gz") && !ft_word_ends("runs.csv", ".gz"),
	   "a text ends in these bytes");
	ok(!ft_word_ends(".gz", ".gz") && !ft_word_ends("z", ".gz"), "with something before them");
	return done();
}
