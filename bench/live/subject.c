/* SPDX-License-Identifier: GPL-3.0-or-later */
/* subject.c - two programs of the live bench: one whose two threads wait for each other, one that sleeps.
 *
 *	live-subject threads|naps n
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { STEPS = 40, SPINS = 100000, NAP_NS = 500000 };

/* A plate of n x n points, heated at its upper edge; each thread has half of the rows. */
struct plate {
	size_t n;
	double *point[2];
	pthread_barrier_t barrier;
};

struct half {
	struct plate *plate;
	size_t first, end;
};

static void relax_rows(const double *from, double *to, const struct half *half)
{
	size_t n = half->plate->n;

	for (size_t i = half->first; i < half->end; i++)
		for (size_t j = 1; j + 1 < n; j++)
			to[i * n + j] = 0.25 * (from[(i - 1) * n + j] + from[(i + 1) * n + j] +
						from[i * n + j - 1] + from[i * n + j + 1]);
}

static void *relax_half(void *context)
{
	struct half *half = context;

	for (int step = 0; step < STEPS; step++) {
		relax_rows(half->plate->point[step % 2], half->plate->point[(step + 1) % 2], half);
		(void)pthread_barrier_wait(&half->plate->barrier);
	}
	return NULL;
}

static bool has_relaxed(struct plate *plate)
{
	struct half upper = {plate, 1, plate->n / 2}, lower = {plate, plate->n / 2, plate->n - 1};
	pthread_t thread;

	if (!plate->point[0] || !plate->point[1] || pthread_barrier_init(&plate->barrier, NULL, 2))
		return false;
	for (size_t i = 0; i < plate->n; i++)
		plate->point[0][i] = plate->point[1][i] = 1;
	if (pthread_create(&thread, NULL, relax_half, &lower))
		return false;
	(void)relax_half(&upper);
	return !pthread_join(thread, NULL);
}

static int run_threads(size_t n)
{
	struct plate plate = {.n = n,
			      .point = {calloc(n, n * sizeof(double)), calloc(n, n * sizeof(double))}};
	bool done = has_relaxed(&plate);

	if (done)
		printf("%.9g\n", plate.point[0][n + n / 2]);
	else
		(void)fprintf(stderr, "live-subject: no memory for n = %zu, or no thread\n", n);
	free(plate.point[0]);
	free(plate.point[1]);
	return done ? 0 : 1;
}

/* A service with n requests: it computes for each, then waits for an answer. */
static int run_naps(size_t n)
{
	struct timespec nap = {.tv_nsec = NAP_NS};
	uint64_t state = 1;

	for (size_t i = 0; i < n; i++) {
		for (int spin = 0; spin < SPINS; spin++)
			state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		(void)nanosleep(&nap, NULL);
	}
	printf("%llu\n", (unsigned long long)state);
	return 0;
}

int main(int argc, char **argv)
{
	char *end = NULL;
	unsigned long n = argc == 3 ? strtoul(argv[2], &end, 10) : 0;

	if (n >= 4 && !*end && !strcmp(argv[1], "threads"))
		return run_threads(n);
	if (n >= 4 && !*end && !strcmp(argv[1], "naps"))
		return run_naps(n);
	(void)fprintf(stderr, "usage: live-subject threads|naps n (at least 4)\n");
	return 2;
}
