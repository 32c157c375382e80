/* SPDX-License-Identifier: GPL-3.0-or-later */
/* random.h - small seeded random numbers: the same everywhere for the same seed. Not for secrets.
 * Source: Steele, Lea, Flood: Fast splittable pseudorandom number generators (splitmix64), OOPSLA 2014. */
#ifndef FT_BASE_RANDOM_H
#define FT_BASE_RANDOM_H

#include <stddef.h>
#include <stdint.h>

struct ft_random {
	uint64_t state;
};

uint64_t ft_random_bits(struct ft_random *random);
double ft_random_uniform(struct ft_random *random);         /* in [0, 1) */
double ft_random_normal(struct ft_random *random);          /* mean 0, variance 1 */
size_t ft_random_below(struct ft_random *random, size_t n); /* 0 .. n - 1; n >= 1 */

/* ft_random_shuffle - n elements of so many bytes into an order of which all are equally likely.
 * Source: Durstenfeld: Algorithm 235, CACM 1964. */
void ft_random_shuffle(struct ft_random *random, void *array, size_t n, size_t size);

#endif
