/* SPDX-License-Identifier: GPL-3.0-or-later */
/* random.c - splitmix64, and what is derived from it. */
#include "base/random.h"

#include <math.h>

uint64_t ft_random_bits(struct ft_random *random)
{
	uint64_t z = random->state += 0x9e3779b97f4a7c15U;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
	return z ^ (z >> 31);
}

double ft_random_uniform(struct ft_random *random)
{
	return (double)(ft_random_bits(random) >> 11) * 0x1p-53;
}

double ft_random_normal(struct ft_random *random)
{
	double u = 1 - ft_random_uniform(random); /* never 0 */
	double v = ft_random_uniform(random);

	return sqrt(-2 * log(u)) * cos(2 * 3.14159265358979323846 * v);
}

size_t ft_random_below(struct ft_random *random, size_t n)
{
	return (size_t)(ft_random_uniform(random) * (double)n);
}

static void swap_bytes(unsigned char *a, unsigned char *b, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		unsigned char held = a[i];

		a[i] = b[i];
		b[i] = held;
	}
}

void ft_random_shuffle(struct ft_random *random, void *array, size_t n, size_t size)
{
	unsigned char *bytes = array;

	for (; n > 1; n--)
		swap_bytes(bytes + (n - 1) * size, bytes + ft_random_below(random, n) * size, size);
}
