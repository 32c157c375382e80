/* SPDX-License-Identifier: GPL-3.0-or-later */
/* known.c - a program of four known phases, whose lengths and levels are laws of n:
 *
 *	read     one thread, n                       fills n blocks of memory
 *	combine  two threads, n^2                    each pair of blocks
 *	send     one thread, n, half of it waiting   blocks leave one by one
 *	sort     one thread, n log n                 with half of the memory
 *
 * known N FILE writes when each began and ended, in seconds since the program's start, and how many processors it had
 * by its threads' clocks: "read,0.001,0.532,1.000". */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
#include <time.h>

enum { BLOCK = 1 << 16 };

static double clock_s(clockid_t id)
{
	struct timespec now;

	(void)clock_gettime(id, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Some work, of always the same length, on a block. */
static void work(unsigned *block, unsigned long times)
{
	unsigned x = block[0] | 1;

	while (times--)
		for (int i = 0; i < 64; i++) {
			x = x * 1664525u + 1013904223u;
			block[x >> 18 & (BLOCK / sizeof *block - 1)] ^= x;
		}
}

/* What two threads share: who is free takes the next piece, so that both end together. */
struct shared {
	unsigned *blocks;
	atomic_ulong left;
};

struct half {
	struct shared *shared;
	unsigned which;
};

static void *work_half(void *arg)
{
	const struct half *half = arg;
	unsigned *block = half->shared->blocks + half->which * (BLOCK / sizeof(unsigned));

	for (unsigned long left = atomic_load(&half->shared->left); left;)
		if (atomic_compare_exchange_weak(&half->shared->left, &left, left - 1)) {
			work(block, 10000);
			left = atomic_load(&half->shared->left);
		}
	return NULL;
}

int main(int argc, char **argv)
{
	static const char *const names[] = {"read", "combine", "send", "sort"};
	double begun = clock_s(CLOCK_MONOTONIC), edge[5] = {0}, used[5] = {0};
	size_t n = argc == 3 ? strtoul(argv[1], NULL, 10) : 0;
	unsigned *blocks = n ? malloc(n * BLOCK) : NULL;
	FILE *file = argc == 3 ? fopen(argv[2], "w") : NULL;

	if (!blocks || !file) {
		fprintf(stderr, "usage: known N FILE\n");
		return 2;
	}
	for (int phase = 0; phase < 4; phase++) {
		used[phase] = clock_s(CLOCK_PROCESS_CPUTIME_ID);
		edge[phase] = clock_s(CLOCK_MONOTONIC) - begun;
		if (phase == 0)
			for (size_t i = 0; i < n; i++) {
				memset(blocks + i * (BLOCK / sizeof *blocks), (int)i, BLOCK);
				work(blocks + i * (BLOCK / sizeof *blocks), 25000);
			}
		if (phase == 1) {
			struct shared shared = {blocks, n * n * 32 / 1000};
			struct half half[2] = {{&shared, 0}, {&shared, 1}};
			pthread_t other;

			if (pthread_create(&other, NULL, work_half, &half[1]))
				return 1;
			work_half(&half[0]);
			(void)pthread_join(other, NULL);
		}
		if (phase == 2)
			for (size_t i = 0; i < n; i++) {
				const double from = clock_s(CLOCK_MONOTONIC);

				work(blocks + i * (BLOCK / sizeof *blocks), 12500);
				const double took = clock_s(CLOCK_MONOTONIC) - from;
				const struct timespec wait = {0, (long)(1e9 * took)};
				(void)nanosleep(&wait, NULL);
			}
		if (phase == 3) {
			blocks = realloc(blocks, (n + 1) / 2 * BLOCK);
			if (!blocks)
				return 1;
			work(blocks, (unsigned long)(4000 * (double)n * log2((double)n)));
		}
	}
	used[4] = clock_s(CLOCK_PROCESS_CPUTIME_ID);
	edge[4] = clock_s(CLOCK_MONOTONIC) - begun;
	for (int phase = 0; phase < 4; phase++)
		fprintf(file, "%s,%.4f,%.4f,%.3f\n", names[phase], edge[phase], edge[phase + 1],
			(used[phase + 1] - used[phase]) / (edge[phase + 1] - edge[phase]));
	free(blocks);
	return fclose(file) ? 1 : 0;
}
