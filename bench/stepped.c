/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stepped.c - see stepped.h. Operations are counted while the algorithm runs, where it depends on its data. */
#include "stepped.h"

#include "base/alloc.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static uint32_t *get(size_t n)
{
	uint32_t *a = ft_calloc(n, sizeof *a);

	if (!a)
		abort();
	return a;
}

static double padded(double x)
{
	return exp2(ceil(log2(fmax(x, 1))));
}

/*
 * Tables.
 */

enum probing { LINEAR, QUADRATIC, NEAREST };

static double put(uint32_t *slot, size_t slots, uint32_t x, enum probing probing)
{
	size_t at = (size_t)((uint64_t)(x * 2654435761U) * slots >> 32), from = 0;
	double ops = 9;

	for (; slot[at]; at = (at + (probing == QUADRATIC && from < 9 ? from : 1)) % slots, ops += 5) {
		const size_t home = (size_t)((uint64_t)(slot[at] * 2654435761U) * slots >> 32);

		from++;
		if (probing == NEAREST && (at + slots - home) % slots < from) {
			uint32_t other = slot[at];

			slot[at] = x;
			x = other;
			from = (at + slots - home) % slots;
			ops += 6;
		}
	}
	slot[at] = x;
	return ops;
}

/* Open addressing: full at a load, then larger by a factor. */
static double open_table(size_t n, double load, double factor, enum probing probing, struct ft_random *r)
{
	size_t slots = 8;
	uint32_t *slot = get(slots);
	double ops = 0;

	for (size_t i = 0; i < n; i++) {
		if ((double)i >= load * (double)slots) {
			const size_t more = (size_t)((double)slots * factor);
			uint32_t *larger = get(more);

			for (size_t k = 0; k < slots; k++, ops += 4)
				ops += slot[k] ? put(larger, more, slot[k], probing) : 0;
			free(slot);
			slot = larger;
			slots = more;
			ops += 300 + (double)slots / 4;
		}
		ops += 14 + put(slot, slots, (uint32_t)ft_random_below(r, UINT32_MAX) + 1, probing);
	}
	free(slot);
	return ops;
}

static size_t prime_from(size_t n)
{
	for (n |= 1;; n += 2)
		for (size_t k = 3;; k += 2)
			if (k * k > n)
				return n;
			else if (n % k == 0)
				break;
}

/* Lists of each slot, as std::unordered_map and others have them. each: of what is moved when the table grows. */
static double chained(size_t n, double load, double factor, bool prime, double each, struct ft_random *r)
{
	size_t slots = 13;
	uint32_t *count = get(slots);
	double ops = 0;

	for (size_t i = 0; i < n; i++) {
		if ((double)i >= load * (double)slots) {
			slots = (size_t)((double)slots * factor);
			slots = prime ? prime_from(slots) : slots;
			free(count);
			count = get(slots);
			for (size_t k = 0; k < i; k++)
				count[ft_random_below(r, slots)]++;
			ops += each * (double)i + (double)slots / 4;
		}
		ops += 95 + 5.0 * count[ft_random_below(r, slots)]++;
	}
	free(count);
	return ops;
}

/* Two functions, one key a slot: who is thrown out goes to its other slot. */
static double cuckoo(size_t n, struct ft_random *r)
{
	size_t slots = 16;
	double ops = 0;
	uint32_t *slot = get(slots), *old = NULL;

	for (size_t i = 0, waiting = 0, room = 0; i < n || waiting;) {
		uint32_t x;

		if (!waiting && 5 * i >= 2 * slots) {
			old = slot;
			waiting = room = slots;
			slots *= 2;
			slot = get(slots);
			ops += (double)slots / 4 + 200;
		}
		if (waiting) {
			x = old[room - waiting--];
			ops += 4;
			if (!waiting)
				free(old);
			if (!x)
				continue;
		} else {
			x = (uint32_t)ft_random_below(r, UINT32_MAX) | 1;
			i++;
		}
		for (int turn = 0; x && turn < 500; turn++, ops += 11) {
			const uint32_t hash = turn % 2 ? x * 2246822519U : x * 2654435761U;
			const size_t at = hash >> 5 & (slots - 1);
			uint32_t other = slot[at];

			slot[at] = x;
			x = other;
		}
	}
	free(slot);
	return ops;
}

static double grown(size_t n, double factor, double more, double each)
{
	double ops = 0, room = 4;

	for (size_t i = 0; i < n; i++, ops += 11)
		if ((double)i >= room) {
			ops += 250 + each * (double)i;
			room = floor(room * factor + more);
		}
	return ops;
}

/*
 * Trees: keys at random into leaves of `most`, which are halved; each level above as well.
 */

static double b_tree(size_t n, size_t most, struct ft_random *r)
{
	enum { LEVELS = 12 };
	double ops = 0;
	size_t nodes[LEVELS] = {1}, levels = 1;
	uint32_t *filled = get(2 * n / most + 4);

	for (size_t i = 0; i < n; i++) {
		/* A leaf by its part of the keys. */
		size_t leaf = (size_t)ft_random_below(r, nodes[0]);

		ops += (double)levels * (12 + 4 * ceil(log2((double)most))) +
		       3 * (double)ft_random_below(r, filled[leaf] + 1);
		if (++filled[leaf] < most)
			continue;
		filled[nodes[0]++] = (uint32_t)(most / 2);
		filled[leaf] -= (uint32_t)(most / 2);
		ops += 180 + 2 * (double)most;
		for (size_t k = 1; k < LEVELS && nodes[k - 1] > (nodes[k] ? nodes[k] : 1) * 2 * most / 3;
		     k++) {
			levels = nodes[k] ? levels : levels + 1;
			nodes[k] += nodes[k] ? 1 : 2;
			ops += 180 + 3 * (double)most;
		}
	}
	free(filled);
	return ops;
}

/*
 * Transforms and products of any size.
 */

static double transform(size_t n)
{
	double ops = 0, m = padded(2 * (double)n - 1);
	size_t rest = n;

	for (size_t p = 2; p <= 13; p++)
		for (; rest % p == 0; rest /= p)
			ops += (double)n * (4 + 3 * (double)p);
	return rest == 1 ? ops : 3 * 8 * m * log2(m) + 30 * m;
}

/* Prime factors by a convolution of the next power of two. */
static double mixed_transform(double n, size_t rest)
{
	double ops = 6 * n;

	for (size_t p = 2; rest > 1; p++)
		for (; rest % p == 0; rest /= p) {
			double m = padded(2 * (double)p);

			ops += n * (p <= 16 ? 4 + 2.5 * (double)p : 2 * 7 * m * log2(m) / (double)p);
		}
	return ops;
}

static double strassen(double n)
{
	double half = ceil(n / 2);

	return n <= 48 ? 2.3 * n * n * n : 7 * strassen(half) + 20 * half * half;
}

static double toom(double n)
{
	return n <= 40 ? 1.3 * n * n + 30 : 5 * toom(ceil(n / 3)) + 33 * n;
}

/*
 * Sorts by passes.
 */

/* Runs of 32 to 64 by insertion, merged in pairs. */
static double runs_merged(double n)
{
	double run = n, odd = 0;

	while (run >= 64) {
		odd = fmax(odd, fmod(run, 2));
		run = floor(run / 2);
	}
	run += odd;
	return n * (run / 4 * 5 + 9) + 10.5 * n * ceil(log2(fmax(n / run, 1)));
}

static double merged_up(double n)
{
	double ops = 0;

	for (double width = 1; width < n; width *= 2)
		ops += 10 * n + 14 * ceil(n / (2 * width));
	return ops;
}

static double by_digits(double n, double bits)
{
	return ceil(log2(n) / bits) * (11 * n + 6 * exp2(bits)) + 9 * n;
}

static double external_sort(double n)
{
	double runs = ceil(n / 1500);

	return n * (4.4 * log2(1500) + 20) + 17 * n * ceil(log2(runs) / 3);
}

/* Rows of the smallest value of each power of two: all of them. */
static double sparse_rows(double n)
{
	double ops = 3 * n;

	for (double width = 2; width <= n; width *= 2)
		ops += 5 * (n - width + 1);
	return ops;
}

/* Random reads of a table: each level of memory that it leaves makes them slower. */
static double missed(double n, double level, double slower)
{
	return slower * fmax(0, 1 - level / n);
}

const struct algorithm stepped_chosen[STEPPED] = {
	{"linear probing, half full", "n", 1, 60000},
	{"chains, full", "n", 1, 60000},
	{"chains of primes", "n", 1, 60000},
	{"quadratic probing, 2/3, x4", "n", 1, 60000},
	{"array x1.125", "n", 1, 60000},
	{"array x3", "n", 1, 60000},
	{"array x1.5, moved", "n", 1, 60000},
	{"tree of 16", "n log n", 1, 60000},
	{"transform of any size", "n log n", 1, 60000},
	{"runs merged", "n log n", 1, 60000},
	{"digits of 11 bits", "n log n", 1, 60000},
	{"digits of 4 bits", "n log n", 1, 60000},
	{"padded tree", "n log n", 1, 60000},
	{"seven products", "n^2.807", 2.807, 600},
	{"reads past a cache", "n", 1, 4e6},
	{"reads past two caches", "n", 1, 4e6},
};

const struct algorithm stepped_held[STEPPED] = {
	{"nearest probing, 0.9", "n", 1, 60000},
	{"linear probing, 7/8, x2", "n", 1, 60000},
	{"chains, 0.75", "n", 1, 60000},
	{"quadratic probing, 0.6, x1.5", "n", 1, 60000},
	{"cuckoo", "n", 1, 60000},
	{"array x1.6", "n", 1, 60000},
	{"array x2, moved", "n", 1, 60000},
	{"tree of 64", "n log n", 1, 60000},
	{"transform of mixed sizes", "n log n", 1, 60000},
	{"merged from below", "n log n", 1, 60000},
	{"digits of 8 bits", "n log n", 1, 60000},
	{"external sort", "n log n", 1, 60000},
	{"rows of powers of two", "n log n", 1, 60000},
	{"five products of thirds", "n^1.465", 1.465, 6000},
	{"reads past three caches", "n", 1, 4e6},
	{"sort past two caches", "n log n", 1, 4e6},
};

static double chosen_operations(size_t which, size_t n, struct ft_random *r)
{
	const double x = (double)n;

	switch (which) {
	case 0:
		return open_table(n, 0.5, 2, LINEAR, r);
	case 1:
		return chained(n, 1, 2, false, 14, r);
	case 2:
		return chained(n, 1, 2, true, 40, r);
	case 3:
		return open_table(n, 2. / 3, 4, QUADRATIC, r);
	case 4:
		return grown(n, 1.125, 6, 0.5);
	case 5:
		return grown(n, 3, 0, 2);
	case 6:
		return grown(n, 1.5, 0, 6);
	case 7:
		return b_tree(n, 16, r);
	case 8:
		return transform(n);
	case 9:
		return runs_merged(x);
	case 10:
		return by_digits(x, 11);
	case 11:
		return by_digits(x, 4);
	case 12:
		return 9 * padded(x) + 8 * x + 6 * x * log2(padded(x));
	case 13:
		return strassen(x);
	case 14:
		return x * (10 + missed(x, 1e5, 8));
	default:
		return x * (10 + missed(x, 3e4, 5) + missed(x, 5e5, 12));
	}
}

static double held_operations(size_t which, size_t n, struct ft_random *r)
{
	const double x = (double)n;

	switch (which) {
	case 0:
		return open_table(n, 0.9, 2, NEAREST, r);
	case 1:
		return open_table(n, 0.875, 2, LINEAR, r);
	case 2:
		return chained(n, 0.75, 2, false, 12, r);
	case 3:
		return open_table(n, 0.6, 1.5, QUADRATIC, r);
	case 4:
		return cuckoo(n, r);
	case 5:
		return grown(n, 1.6, 1, 4);
	case 6:
		return grown(n, 2, 0, 8);
	case 7:
		return b_tree(n, 64, r);
	case 8:
		return mixed_transform(x, n);
	case 9:
		return merged_up(x);
	case 10:
		return by_digits(x, 8);
	case 11:
		return external_sort(x);
	case 12:
		return sparse_rows(x);
	case 13:
		return toom(x);
	case 14:
		return x * (9 + missed(x, 1e4, 3) + missed(x, 2e5, 6) + missed(x, 2e6, 20));
	default:
		return x * log2(x) * (8 + missed(x, 3e4, 2) + missed(x, 8e5, 5));
	}
}

double stepped_operations(const struct algorithm *algorithm, size_t n, struct ft_random *random)
{
	const size_t which = (size_t)(algorithm - stepped_chosen);

	if (algorithm >= stepped_chosen && algorithm < stepped_chosen + STEPPED)
		return chosen_operations(which, n, random);
	return held_operations((size_t)(algorithm - stepped_held), n, random);
}
