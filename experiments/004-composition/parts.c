/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parts.c - the small programs of document 004, chapter 10, some 16 times smaller so that valgrind can count
 * them: cpu, mem, f, g, both one after the other, g called within f, and three sorts. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CPU_LOOPS = 1 << 20, F_LOOPS = 1 << 16, MEM_LENGTH = 1 << 22, KEYS = 32 };

static volatile uint32_t sink;

/* Knuth's linear congruential generator: its high bits, so that every run is the same. */
static uint32_t draw(void)
{
	static uint64_t state = 1;

	state = state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(state >> 33);
}

static void *need(size_t count, size_t size)
{
	void *memory = calloc(count, size);

	if (memory)
		return memory;
	(void)fputs("parts: no memory\n", stderr);
	exit(2);
}

/* Sums random numbers between 0 and 1024 (10.1.2). */
static uint32_t cpu(void)
{
	uint32_t sum = 0;

	for (int i = 0; i < CPU_LOOPS; i++)
		sum += draw() % 1024;
	return sum;
}

/* Every element of a buffer once, n apart; n is odd (10.1.2). */
static uint32_t mem(uint32_t n)
{
	uint32_t *buffer = need(MEM_LENGTH, sizeof *buffer), i, sum;

	for (i = 0; i < MEM_LENGTH; i++)
		buffer[(uint64_t)i * n % MEM_LENGTH] = i;
	sum = buffer[n % MEM_LENGTH];
	free(buffer);
	return sum;
}

/* n random writes to a buffer of n integers, and n random reads (10.2.1). */
static uint32_t g(uint32_t n)
{
	uint32_t *buffer = need(n, sizeof *buffer), sum = 0, i;

	for (i = 0; i < n; i++)
		buffer[draw() % n] = draw();
	for (i = 0; i < n; i++)
		sum += buffer[draw() % n];
	free(buffer);
	return sum;
}

/* Sums, products and remainders, as often as n can be halved; each time g too, where it is asked for. */
static uint32_t f(uint32_t n, int with_g)
{
	uint32_t total = 0;

	for (uint32_t left = n; left > 1; left /= 2) {
		uint32_t sum = draw() | 1;

		for (uint32_t i = 1; i <= F_LOOPS; i++)
			sum = (sum + i) % 65521 * (i % 1021 + 1);
		total += sum;
		if (with_g)
			total += g(n);
	}
	return total;
}

static void sift(uint32_t *a, size_t root, size_t n)
{
	uint32_t value = a[root];
	size_t child;

	while ((child = 2 * root + 1) < n) {
		if (child + 1 < n && a[child] < a[child + 1])
			child++;
		if (a[child] <= value)
			break;
		a[root] = a[child];
		root = child;
	}
	a[root] = value;
}

static void heapsort_all(uint32_t *a, size_t n)
{
	for (size_t i = n / 2; i-- > 0;)
		sift(a, i, n);
	for (size_t i = n; i-- > 1;) {
		uint32_t top = a[0];

		a[0] = a[i];
		a[i] = top;
		sift(a, 0, i);
	}
}

static void merge(uint32_t *a, uint32_t *spare, size_t n)
{
	size_t half = n / 2, i = 0, j = half, k = 0;

	if (n < 2)
		return;
	merge(a, spare, half);
	merge(a + half, spare, n - half);
	while (i < half && j < n)
		spare[k++] = a[j] < a[i] ? a[j++] : a[i++];
	while (i < half)
		spare[k++] = a[i++];
	memcpy(a, spare, k * sizeof *a);
}

static void mergesort_all(uint32_t *a, size_t n)
{
	uint32_t *spare = need(n, sizeof *spare);

	merge(a, spare, n);
	free(spare);
}

/* The textbook's: keys equal to the pivot all go to one side. */
static void quicksort_all(uint32_t *a, size_t n)
{
	while (n > 1) {
		size_t low = 0;
		uint32_t pivot = a[n / 2], swap;

		a[n / 2] = a[n - 1];
		a[n - 1] = pivot;
		for (size_t i = 0; i + 1 < n; i++)
			if (a[i] < pivot) {
				swap = a[i];
				a[i] = a[low];
				a[low++] = swap;
			}
		a[n - 1] = a[low];
		a[low] = pivot;
		if (low < n / 2) {
			quicksort_all(a, low);
			a += low + 1;
			n -= low + 1;
		} else {
			quicksort_all(a + low + 1, n - low - 1);
			n = low;
		}
	}
}

static uint32_t sorted(void (*sort)(uint32_t *a, size_t n), size_t n, uint32_t keys)
{
	uint32_t *a = need(n, sizeof *a), last;

	for (size_t i = 0; i < n; i++)
		a[i] = draw() % keys;
	sort(a, n);
	for (size_t i = 1; i < n; i++)
		if (a[i] < a[i - 1]) {
			(void)fputs("parts: not sorted\n", stderr);
			exit(1);
		}
	last = a[n - 1];
	free(a);
	return last;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	uint32_t n = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 0;

	if (strcmp(what, "empty") == 0)
		sink = 0;
	else if (strcmp(what, "cpu") == 0)
		sink = cpu();
	else if (strcmp(what, "mem") == 0 && n % 2)
		sink = mem(n);
	else if (strcmp(what, "f") == 0 && n)
		sink = f(n, 0);
	else if (strcmp(what, "g") == 0 && n)
		sink = g(n);
	else if (strcmp(what, "f+g") == 0 && n)
		sink = f(n, 0) + g(n);
	else if (strcmp(what, "fg") == 0 && n)
		sink = f(n, 1);
	else if (strcmp(what, "heapsort") == 0 && n)
		sink = sorted(heapsort_all, n, UINT32_MAX);
	else if (strcmp(what, "mergesort") == 0 && n)
		sink = sorted(mergesort_all, n, UINT32_MAX);
	else if (strcmp(what, "quicksort") == 0 && n)
		sink = sorted(quicksort_all, n, KEYS);
	else {
		(void)fputs(
			"usage: parts empty | cpu | mem ODD | f|g|f+g|fg|heapsort|mergesort|quicksort N\n",
			stderr);
		return 2;
	}
	return 0;
}
