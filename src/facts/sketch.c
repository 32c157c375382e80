/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sketch.c - very many values in little memory: their number, sum, ends, and quantiles. */
#include "base/text.h"
#include "facts/door.h"
#include "foretime/base.h"

#include <math.h>
#include <string.h>

/* Buckets are equally wide in the logarithm, each twice as wide at the next level: as DDSketch (Masson, Rim, Lee, VLDB
 * 2019), whose buckets are joined in pairs when they are too many (UDDSketch, Epicoco et al., IEEE Access 2020). Without
 * a random choice, and so that joined sketches are the sketch of all values. */
static const double finest = 0.002;

enum { LEVELS = 20 };

static int key_of(double value, int level)
{
	return (int)ceil(log(value) / ldexp(finest, level));
}

/* The bucket of the next level: ceil(key / 2). */
static int coarser(int key)
{
	return key > 0 ? (key + 1) / 2 : key / 2;
}

static void join_pairs(struct ft_sketch *sketch)
{
	size_t n = 0;

	sketch->level++;
	for (size_t i = 0; i < sketch->n_buckets; i++) {
		const int key = coarser(sketch->key[i]);

		if (n && sketch->key[n - 1] == key) {
			sketch->count[n - 1] += sketch->count[i];
		} else {
			sketch->key[n] = key;
			sketch->count[n++] = sketch->count[i];
		}
	}
	sketch->n_buckets = n;
}

/* Count values of a bucket at some level, which is at most the sketch's. */
static void count_values(struct ft_sketch *sketch, int key, int level, size_t count)
{
	size_t at;

	for (;;) {
		for (; level < sketch->level; level++)
			key = coarser(key);
		size_t from = 0, to = sketch->n_buckets;

		while (from < to) {
			const size_t middle = (from + to) / 2;

			if (sketch->key[middle] < key)
				from = middle + 1;
			else
				to = middle;
		}
		at = from;
		if ((at < sketch->n_buckets && sketch->key[at] == key) ||
		    sketch->n_buckets < FT_SKETCH_BUCKETS)
			break;
		join_pairs(sketch);
	}
	if (at == sketch->n_buckets || sketch->key[at] != key) {
		memmove(sketch->key + at + 1, sketch->key + at,
			(sketch->n_buckets - at) * sizeof *sketch->key);
		memmove(sketch->count + at + 1, sketch->count + at,
			(sketch->n_buckets - at) * sizeof *sketch->count);
		sketch->key[at] = key;
		sketch->count[at] = 0;
		sketch->n_buckets++;
	}
	sketch->count[at] += count;
}

void ft_sketch_add(struct ft_sketch *sketch, double value)
{
	if (!isfinite(value))
		return;
	sketch->least = sketch->n ? fmin(sketch->least, value) : value;
	sketch->most = sketch->n ? fmax(sketch->most, value) : value;
	sketch->sum += value;
	sketch->n++;
	if (value > 0)
		count_values(sketch, key_of(value, 0), 0, 1);
	else
		sketch->zeros++;
}

void ft_sketch_join(struct ft_sketch *sketch, const struct ft_sketch *other)
{
	if (!other->n)
		return;
	sketch->least = sketch->n ? fmin(sketch->least, other->least) : other->least;
	sketch->most = sketch->n ? fmax(sketch->most, other->most) : other->most;
	sketch->sum += other->sum;
	sketch->n += other->n;
	sketch->zeros += other->zeros;
	while (sketch->level < other->level)
		join_pairs(sketch);
	for (size_t i = 0; i < other->n_buckets; i++)
		count_values(sketch, other->key[i], other->level, other->count[i]);
}

double ft_sketch_quantile(const struct ft_sketch *sketch, double share)
{
	const double rank = share * ((double)sketch->n - 1);
	double below = (double)sketch->zeros, width = ldexp(finest, sketch->level);

	if (!sketch->n)
		return NAN;
	if (rank < below)
		return sketch->least;
	for (size_t i = 0; i < sketch->n_buckets; i++) {
		below += (double)sketch->count[i];
		if (rank < below)
			return fmax(sketch->least, fmin(sketch->most, exp(width * (sketch->key[i] - 0.5))));
	}
	return sketch->most;
}

double ft_sketch_error(const struct ft_sketch *sketch)
{
	return expm1(ldexp(finest, sketch->level) / 2);
}

/* ---- as bytes ----------------------------------------------------------------------------------------- */

static void add_count(struct ft_text *text, uint64_t count)
{
	do {
		const char byte = (char)((count & 127) | (count > 127 ? 128 : 0));

		ft_text_add_bytes(text, &byte, 1);
		count >>= 7;
	} while (count);
}

/* False: there is no such count. */
static bool read_count(const unsigned char **at, const unsigned char *end, uint64_t most, uint64_t *count)
{
	*count = 0;
	for (unsigned shift = 0; *at < end && shift < 63; shift += 7) {
		const unsigned char byte = *(*at)++;

		*count |= (uint64_t)(byte & 127) << shift;
		if (!(byte & 128))
			return *count <= most;
	}
	return false;
}

/* Small numbers of either sign as small counts. */
static uint64_t fold_sign(int64_t value)
{
	return value < 0 ? 2 * (uint64_t)-value - 1 : 2 * (uint64_t)value;
}

enum ft_status ft_sketch_pack(const struct ft_sketch *sketch, void **out, size_t *length, struct ft_err *err)
{
	struct ft_text text = {0};
	int64_t last = 0;

	add_count(&text, (uint64_t)sketch->level);
	add_count(&text, sketch->zeros);
	for (size_t i = 0; i < sketch->n_buckets; last = sketch->key[i++]) {
		add_count(&text, fold_sign(sketch->key[i] - last));
		add_count(&text, sketch->count[i]);
	}
	*length = text.length;
	*out = ft_text_take(&text);
	return *out ? FT_OK : ft_nomem(err);
}

enum ft_status ft_sketch_unpack(const void *bytes, size_t length, double least, double most, double sum,
				struct ft_sketch *out, struct ft_err *err)
{
	static const uint64_t counts = UINT64_C(1) << 53;
	const unsigned char *at = bytes, *end = at + length;
	uint64_t level, zeros, step, count, n;
	int64_t key = 0;

	*out = (struct ft_sketch){.least = least, .most = most, .sum = sum};
	bool good = read_count(&at, end, LEVELS, &level) && read_count(&at, end, counts, &zeros) &&
		    isfinite(least) && isfinite(most) && least <= most;
	n = good ? zeros : 0;
	while (good && at < end) {
		good = out->n_buckets < FT_SKETCH_BUCKETS && read_count(&at, end, UINT64_C(1) << 31, &step) &&
		       read_count(&at, end, counts, &count) && count;
		if (!good)
			break;
		key += step & 1 ? -(int64_t)(step / 2) - 1 : (int64_t)(step / 2);
		good = key > -(1 << 30) && key < 1 << 30 &&
		       (!out->n_buckets || key > out->key[out->n_buckets - 1]);
		if (!good)
			break;
		out->key[out->n_buckets] = (int)key;
		out->count[out->n_buckets++] = count;
		n += count;
	}
	if (!good || n > counts)
		return ft_fail(err, FT_EPARSE, "these bytes are no sketch of values");
	out->level = (int)level;
	out->zeros = zeros;
	out->n = n;
	return FT_OK;
}
