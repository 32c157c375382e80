/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sets.c - sums of sets, over intervals or over bits. */
#include "base/alloc.h"
#include "plan/sets.h"

#include <stdlib.h>
#include <string.h>

enum { WORD = 64 };

static int by_from(const void *a, const void *b)
{
	const struct ft__interval *p = a, *q = b;

	return (p->from > q->from) - (p->from < q->from);
}

static int by_length(const void *a, const void *b)
{
	const struct ft__interval *p = a, *q = b;
	int64_t lp = p->to - p->from, lq = q->to - q->from;

	return (lp > lq) - (lp < lq);
}

static bool append_interval(struct ft__intervals *out, size_t start, int64_t from, int64_t to)
{
	if (out->n > start && from <= out->of[out->n - 1].to + 1) {
		if (to > out->of[out->n - 1].to)
			out->of[out->n - 1].to = to;
		return true;
	}
	return ft__interval_push(out, from, to);
}

static bool add_pairs(struct ft__sets *work, const struct ft__interval *a, size_t na,
		      const struct ft__interval *b, size_t nb, int64_t limit, struct ft__intervals *out)
{
	work->pairs.n = 0;
	for (size_t i = 0; i < na; i++)
		for (size_t j = 0; j < nb && a[i].from + b[j].from <= limit; j++) {
			int64_t to = a[i].to + b[j].to;

			if (!ft__interval_push(&work->pairs, a[i].from + b[j].from, to < limit ? to : limit))
				return false;
		}
	work->looks += work->pairs.n + 1;
	if (na > 1 && nb > 1)
		qsort(work->pairs.of, work->pairs.n, sizeof *work->pairs.of, by_from);
	size_t start = out->n;
	for (size_t i = 0; i < work->pairs.n; i++)
		if (!append_interval(out, start, work->pairs.of[i].from, work->pairs.of[i].to))
			return false;
	return true;
}

/* r |= a << k */
static void or_shifted(uint64_t *r, const uint64_t *a, size_t words, int64_t k)
{
	size_t w = (size_t)(k / WORD), b = (size_t)(k % WORD), i;

	for (i = words; i-- > w;) {
		uint64_t v = a[i - w] << b;

		if (b && i > w)
			v |= a[i - w - 1] >> (WORD - b);
		r[i] |= v;
	}
}

static void set_bits(uint64_t *bits, const struct ft__interval *a, size_t n, int64_t limit)
{
	for (size_t i = 0; i < n; i++) {
		int64_t v, to = a[i].to < limit ? a[i].to : limit;

		for (v = a[i].from; v <= to; v++) {
			if (v % WORD == 0 && v + WORD <= to) {
				bits[v / WORD] = UINT64_MAX;
				v += WORD - 1;
			} else {
				bits[v / WORD] |= (uint64_t)1 << (v % WORD);
			}
		}
	}
}

static bool read_bits(const uint64_t *bits, int64_t limit, struct ft__intervals *out)
{
	int64_t from = -1;

	for (int64_t v = 0; v <= limit; v++) {
		uint64_t word = bits[v / WORD];
		bool on = word >> (v % WORD) & 1;

		if (on && from < 0)
			from = v;
		if (!on && from >= 0) {
			if (!ft__interval_push(out, from, v - 1))
				return false;
			from = -1;
		}
		/* whole words that say nothing new */
		if (v % WORD == 0 && word == (from >= 0 ? UINT64_MAX : 0) && v + WORD <= limit)
			v += WORD - 1;
	}
	return from < 0 || ft__interval_push(out, from, limit);
}

static bool make_bits(struct ft__sets *work, int64_t limit)
{
	size_t words = (size_t)(limit / WORD) + 1;

	if (words > work->words) {
		ft_free(work->bits);
		work->words = 0;
		work->bits = ft_malloc(3 * words * sizeof *work->bits);
		if (!work->bits)
			return false;
		work->words = words;
	}
	memset(work->bits, 0, 3 * words * sizeof *work->bits);
	return true;
}

/* a widened to the length of each interval of b in turn (the shortest first), and shifted to its start. */
static bool add_bits(struct ft__sets *work, const struct ft__interval *a, size_t na,
		     const struct ft__interval *b, size_t nb, int64_t limit, struct ft__intervals *out)
{
	size_t words = (size_t)(limit / WORD) + 1, i;
	int64_t length = 0;

	work->pairs.n = 0;
	for (i = 0; i < nb; i++)
		if (!ft__interval_push(&work->pairs, b[i].from, b[i].to))
			return false;
	if (!make_bits(work, limit))
		return false;
	uint64_t *wide = work->bits;
	uint64_t *copy = wide + words;
	uint64_t *sum = copy + words;
	set_bits(wide, a, na, limit);
	qsort(work->pairs.of, nb, sizeof *work->pairs.of, by_length);
	for (i = 0; i < nb; i++) {
		int64_t wanted = work->pairs.of[i].to - work->pairs.of[i].from;

		wanted = wanted < limit ? wanted : limit;
		while (length < wanted) {
			int64_t more = wanted - length < length + 1 ? wanted - length : length + 1;

			memcpy(copy, wide, words * sizeof *wide);
			or_shifted(wide, copy, words, more);
			length += more;
			work->looks += words;
		}
		if (work->pairs.of[i].from <= limit)
			or_shifted(sum, wide, words, work->pairs.of[i].from);
		work->looks += words;
	}
	return read_bits(sum, limit, out);
}

bool ft__sets_add(struct ft__sets *work, const struct ft__interval *a, size_t na,
		  const struct ft__interval *b, size_t nb, int64_t limit, struct ft__intervals *out)
{
	if (na < nb)
		return ft__sets_add(work, b, nb, a, na, limit, out);
	if ((double)na * (double)nb > WORD + 2.0 * (double)limit)
		return add_bits(work, a, na, b, nb, limit, out);
	return add_pairs(work, a, na, b, nb, limit, out);
}

void ft__sets_clear(struct ft__sets *work)
{
	ft_free(work->pairs.of);
	ft_free(work->bits);
	*work = (struct ft__sets){0};
}
