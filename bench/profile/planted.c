/* SPDX-License-Identifier: GPL-3.0-or-later */
/* planted.c - ten kinds of accidental quadratic work beside ordinary work: -DFORM=0..9, -DRARE=how many of n take
 * part in it. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef FORM
#define FORM 0
#endif
#ifndef RARE
#define RARE 100
#endif

#define APART __attribute__((noinline, noclone))

static volatile uint64_t sink;

static uint32_t next_number(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 8;
}

/* ---- the ordinary work -------------------------------------------------------------------------------- */

APART static void fill_numbers(uint32_t *number, size_t n)
{
	uint32_t state = 1;

	for (size_t i = 0; i < n; i++)
		number[i] = next_number(&state);
}

APART static void merge_sort(uint32_t *number, uint32_t *other, size_t n)
{
	size_t half = n / 2, i = 0, k = half;

	if (n < 2)
		return;
	merge_sort(number, other, half);
	merge_sort(number + half, other, n - half);
	for (size_t at = 0; at < n; at++)
		other[at] = i < half && (k == n || number[i] <= number[k]) ? number[i++] : number[k++];
	for (size_t at = 0; at < n; at++)
		number[at] = other[at];
}

APART static void count_hashed(const uint32_t *number, uint32_t *table, size_t n)
{
	size_t slots = 1;

	while (slots < 2 * n)
		slots *= 2;
	for (size_t i = 0; i < n; i++)
		for (size_t at = number[i] * 2654435761u & (slots - 1);; at = (at + 1) & (slots - 1))
			if (!table[at] || table[at] == number[i] + 1) {
				table[at] = number[i] + 1;
				break;
			}
}

/* ---- what is quadratic -------------------------------------------------------------------------------- */

#if FORM == 0 /* the length of a text at each step */
APART static void quadratic(char *text, size_t n)
{
	for (size_t i = 0; i < strlen(text); i += RARE) {
		sink += (uint64_t)text[i];
		__asm__ volatile("" : : "r"(text) : "memory");
	}
	(void)n;
}
#elif FORM == 1 /* each with each */
APART static void quadratic(char *text, size_t n)
{
	for (size_t i = 0; i < n; i += RARE)
		for (size_t k = 0; k < i; k++)
			sink += text[i] == text[k];
}
#elif FORM == 2 /* insertion into a sorted array */
APART static void quadratic(char *text, size_t n)
{
	static uint32_t sorted[1 << 20];
	uint32_t state = 7;
	size_t length = 0;

	(void)text;
	for (size_t i = 0; i < n; i += RARE / 8 + 1) {
		const uint32_t value = next_number(&state);
		size_t at = length++;

		for (; at > 0 && sorted[at - 1] > value; at--)
			sorted[at] = sorted[at - 1];
		sorted[at] = value;
	}
	sink += sorted[0];
}
#elif FORM == 3 /* a list whose end is looked for */
struct link {
	struct link *next;
};
APART static void quadratic(char *text, size_t n)
{
	struct link *first = NULL;

	(void)text;
	for (size_t i = 0; i < n; i += RARE / 8 + 1) {
		struct link **at = &first;

		while (*at)
			at = &(*at)->next;
		*at = calloc(1, sizeof **at);
	}
	sink += first != NULL;
}
#elif FORM == 4 /* texts put behind one another */
APART static void quadratic(char *text, size_t n)
{
	static char all[1 << 22];

	(void)text;
	all[0] = '\0';
	for (size_t i = 0; i < n; i += RARE)
		(void)strcat(all, "0123456789012345678901234567890123456789");
	sink += (uint64_t)all[1];
}
#elif FORM == 5 /* the first of an array taken away */
APART static void quadratic(char *text, size_t n)
{
	for (size_t i = 0, left = n; i + RARE < n && left > 1; i += RARE, left--)
		(void)memmove(text, text + 1, left - 1);
}
#elif FORM == 6 /* an array that grows by a little */
APART static void quadratic(char *text, size_t n)
{
	size_t have = 0;
	char *array = NULL;

	for (size_t i = 0; i < n; i += RARE) {
		char *grown = malloc(have + RARE);

		memcpy(grown, array ? array : text, have);
		free(array);
		array = grown;
		have += RARE;
	}
	free(array);
}
#elif FORM == 7 /* sums begun anew */
APART static void quadratic(char *text, size_t n)
{
	for (size_t i = 0; i < n; i += RARE) {
		uint64_t sum = 0;

		for (size_t k = 0; k <= i; k++)
			sum += (unsigned char)text[k] ^ k;
		sink += sum;
	}
}
#elif FORM == 8 /* passes until nothing changes */
APART static void quadratic(char *text, size_t n)
{
	for (size_t pass = 0; pass < n / RARE; pass++)
		for (size_t k = 1; k < n - pass; k++)
			if (text[k - 1] > text[k]) {
				const char c = text[k];

				text[k] = text[k - 1];
				text[k - 1] = c;
			}
}
#else           /* a search through all names for each */
APART static void quadratic(char *text, size_t n)
{
	for (size_t i = 0; i < n; i += RARE) {
		const char wanted[2] = {(char)1, 0};

		sink += (uint64_t)(uintptr_t)strstr(text, wanted);
	}
}
#endif

int main(int argc, char **argv)
{
	const size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
	uint32_t *number = malloc((n + 1) * sizeof *number), *other = malloc((n + 1) * sizeof *other),
		 *table = calloc(8 * n + 64, sizeof *table);
	char *text = malloc(n + 1);

	if (!number || !other || !table || !text)
		return 1;
	fill_numbers(number, n);
	for (size_t i = 0; i < n; i++)
		text[i] = (char)('a' + number[i] % 26);
	text[n] = '\0';
	count_hashed(number, table, n);
	merge_sort(number, other, n);
	quadratic(text, n);
	printf("%u\n", (unsigned)number[n / 2]);
	return 0;
}
