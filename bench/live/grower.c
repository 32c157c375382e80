/* SPDX-License-Identifier: GPL-3.0-or-later */
/* grower.c - programs of known growth, with a start-up and a hidden term, for bench/live/at-most.
 *
 *	grower KIND N START HIDDEN POWER FROM
 *
 * START rounds of a loop first, then KIND at size N, then HIDDEN x (max(0, N - FROM))^POWER rounds of a loop.
 * Kinds: sort, heap, tree, table, array, text, scan, digits, search, pairs. 0 of all prints their names, with
 * the bounds.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t drawn = 1;

static uint32_t draw(void)
{
	return drawn = drawn * 1664525U + 1013904223U;
}

static int compare(const void *a, const void *b)
{
	const uint32_t *p = a, *q = b;

	return (*p > *q) - (*p < *q);
}

static void *get(size_t n, size_t bytes)
{
	void *room = calloc(n + 1, bytes);

	if (!room)
		exit(3);
	return room;
}

static uint32_t *numbers(size_t n)
{
	uint32_t *a = get(n, sizeof *a);

	for (size_t i = 0; i < n; i++)
		a[i] = draw();
	return a;
}

static unsigned long sort(size_t n)
{
	uint32_t *a = numbers(n);
	unsigned long sum;

	qsort(a, n, sizeof *a, compare);
	sum = a[n / 2];
	free(a);
	return sum;
}

static unsigned long heap(size_t n)
{
	uint32_t *a = get(n, sizeof *a);

	for (size_t k = 0; k < n; k++) {
		uint32_t x = draw();
		size_t i = k;

		for (; i && a[(i - 1) / 2] > x; i = (i - 1) / 2)
			a[i] = a[(i - 1) / 2];
		a[i] = x;
	}
	for (size_t k = n; k > 1;) {
		uint32_t x = a[--k];
		size_t i = 0, child;

		for (; (child = 2 * i + 1) < k; i = child) {
			child += child + 1 < k && a[child + 1] < a[child];
			if (a[child] >= x)
				break;
			a[i] = a[child];
		}
		a[i] = x;
	}
	free(a);
	return 1;
}

static unsigned long tree(size_t n)
{
	uint32_t *key = numbers(n), *link = get(2 * n, sizeof *link);

	for (size_t i = 1; i < n; i++)
		for (uint32_t at = 0, *next; at < n; at = *next) {
			next = &link[2 * at + (key[i] >= key[at])];
			if (!*next) {
				*next = (uint32_t)i;
				break;
			}
		}
	free(key);
	free(link);
	return n;
}

static unsigned long table(size_t n)
{
	size_t slots = 16;
	uint32_t *slot = get(slots, sizeof *slot);

	for (size_t k = 0; k < n; k++) {
		uint32_t x = draw() | 1;
		size_t i = (x * 2654435761U >> 8) & (slots - 1);

		while (slot[i] && slot[i] != x)
			i = (i + 1) & (slots - 1);
		slot[i] = x;
		if (2 * k < slots)
			continue;
		uint32_t *larger = get(2 * slots, sizeof *larger);
		for (size_t j = 0; j < slots; j++) {
			if (!slot[j])
				continue;
			i = (slot[j] * 2654435761U >> 8) & (2 * slots - 1);
			while (larger[i])
				i = (i + 1) & (2 * slots - 1);
			larger[i] = slot[j];
		}
		free(slot);
		slot = larger;
		slots *= 2;
	}
	free(slot);
	return slots;
}

static unsigned long array(size_t n)
{
	size_t room = 4;
	uint32_t *a = get(room, sizeof *a);
	unsigned long sum = 0;

	for (size_t k = 0; k < n; k++) {
		if (k == room) {
			uint32_t *larger = get(room * 3 / 2, sizeof *larger);

			for (size_t i = 0; i < room; i++)
				larger[i] = a[i] ^ 1;
			free(a);
			a = larger;
			room = room * 3 / 2;
		}
		a[k] = draw();
	}
	for (size_t k = 0; k < n; k++)
		sum += a[k];
	free(a);
	return sum;
}

static unsigned long text(size_t n)
{
	size_t room = 16, length = 0;
	char *s = get(room, 1);

	for (size_t k = 0; k < n; k++) {
		char word[16];
		size_t more = (size_t)snprintf(word, sizeof word, "%u,", draw() % 100000);

		if (length + more + 1 > room && !(s = realloc(s, room *= 2)))
			exit(3);
		memcpy(s + length, word, more + 1);
		length += more;
	}
	free(s);
	return length;
}

static unsigned long scan(size_t n)
{
	char *s = get(n, 8);
	unsigned long sum = 0;

	memset(s, 'a', 8 * n);
	for (size_t i = 0; i < 8 * n; i++)
		sum += (unsigned char)s[i] * (i % 5);
	free(s);
	return sum;
}

static unsigned long digits(size_t n)
{
	unsigned long sum = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t k = i; k; k /= 10)
			sum += k % 10;
	return sum;
}

static unsigned long search(size_t n)
{
	uint32_t *a = get(n, sizeof *a);
	unsigned long sum = 0;

	for (size_t i = 0; i < n; i++)
		a[i] = (uint32_t)i;
	for (size_t i = 0; i < n; i++) {
		uint32_t key = draw() % (uint32_t)n;
		size_t low = 0, high = n;

		while (low < high) {
			size_t middle = (low + high) / 2;

			if (a[middle] < key)
				low = middle + 1;
			else
				high = middle;
		}
		sum += low;
	}
	free(a);
	return sum;
}

static unsigned long pairs(size_t n)
{
	uint32_t *a = numbers(n);
	unsigned long sum = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < i; j++)
			sum += a[i] == a[j];
	free(a);
	return sum;
}

static const struct {
	const char *name, *bound, *sizes;
	unsigned long (*work)(size_t n);
} kinds[] = {
	{"sort", "n log n", "1000:64000", sort},     {"heap", "n log n", "1000:64000", heap},
	{"tree", "n log n", "1000:64000", tree},     {"table", "n", "1000:64000", table},
	{"array", "n", "1000:64000", array},         {"text", "n", "1000:64000", text},
	{"scan", "n", "1000:64000", scan},           {"digits", "n log n", "1000:64000", digits},
	{"search", "n log n", "1000:64000", search}, {"pairs", "n^2", "100:3000", pairs},
};

static unsigned long spin(double rounds)
{
	volatile unsigned long sum = 0;

	for (unsigned long i = 0; i < (unsigned long)rounds; i++)
		sum += i;
	return sum;
}

int main(int argc, char **argv)
{
	if (argc < 7) {
		for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
			printf("%s,%s,%s\n", kinds[k].name, kinds[k].bound, kinds[k].sizes);
		return 0;
	}
	double n = strtod(argv[2], NULL), late = fmax(0, n - strtod(argv[6], NULL));
	(void)spin(strtod(argv[3], NULL));
	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
		if (!strcmp(kinds[k].name, argv[1]))
			printf("%lu\n", kinds[k].work((size_t)n));
	(void)spin(strtod(argv[4], NULL) * pow(late, strtod(argv[5], NULL)));
	return 0;
}
