/* SPDX-License-Identifier: GPL-3.0-or-later */
/* order.h - ascending order: doubles sorted, and places among what is sorted.
 *
 * What searches stands here as a whole, so that the comparison is compiled into it, and the helper, which
 * links nothing, has it too.
 */
#ifndef FT_NUM_ORDER_H
#define FT_NUM_ORDER_H

#include <stdbool.h>
#include <stddef.h>

/* ft_search - the first of n sorted entries of `size` bytes that is not below a key; n: all are below. An
 * equal one, if there is any, stands there; else a new one belongs there. compare: as for bsearch. */
static inline size_t ft_search(const void *key, const void *entries, size_t n, size_t size,
			       int (*compare)(const void *key, const void *entry))
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare(key, (const char *)entries + middle * size) > 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* stride: how many bytes a number stands behind the one before. */
static inline size_t ft__place_among(const double *sorted, size_t n, size_t stride, double x, bool equal)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		double key = *(const double *)(const void *)((const char *)sorted + middle * stride);

		if (key < x || (equal && key == x))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* ft_count_upto - how many of n ascending doubles are at most x: the place of the first above it. */
static inline size_t ft_count_upto(const double *sorted, size_t n, double x)
{
	return ft__place_among(sorted, n, sizeof *sorted, x, true);
}

/* ft_count_below - how many of them are below x. */
static inline size_t ft_count_below(const double *sorted, size_t n, double x)
{
	return ft__place_among(sorted, n, sizeof *sorted, x, false);
}

/* ft_count_below_of - the same of a member of n things of `size` bytes, which ascends: that of the first. */
static inline size_t ft_count_below_of(const double *first, size_t n, size_t size, double x)
{
	return ft__place_among(first, n, size, x, false);
}

/* ft_last_upto_of - the last of such things whose member is at most x; 0 where there is none. */
static inline size_t ft_last_upto_of(const double *first, size_t n, size_t size, double x)
{
	size_t upto = ft__place_among(first, n, size, x, true);

	return upto ? upto - 1 : 0;
}

/* ft_compare_doubles - how one stands to the other, for bsearch and its like. */
int ft_compare_doubles(const void *a, const void *b);

/* ft_sort - values [n], finite, in place. */
void ft_sort(double *values, size_t n);

/* ft_sort_different - the same, each value once. Returns how many there are. */
size_t ft_sort_different(double *values, size_t n);

/* Numbers of things, in the order of their keys. */
struct ft_keyed {
	double key;
	size_t of;
};

/* ft_keyed_sort - ascending; those of equal keys by their numbers. */
void ft_keyed_sort(struct ft_keyed *order, size_t n);

#endif
