/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calibrate_processor.c - micro-benchmarks of arithmetic and branches. */
#include "base/alloc.h"
#include "base/random.h"
#include "measure/calibrate.h"

/* ---- one after the other: how long until a result can be used ------------------------------------------ */

/* x and y begin as such, and x goes on from step to step. */
/* clang-format off */
/* NOLINTBEGIN(bugprone-macro-parentheses): a type cannot stand in parentheses. */
#define CHAIN(name, type, keep, x_first, y_first, step) \
	static uint64_t name(struct ft__workplace *place, uint64_t count) \
	{ \
		type x = x_first, y = y_first; \
		uint64_t i; \
\
		keep(y); \
		for (i = 0; i < count; i += 16) { \
			FT__16(step; keep(x);) \
		} \
		place->sink += (uint64_t)x; \
		return i; \
	}
/* NOLINTEND(bugprone-macro-parentheses) */
CHAIN(int_add, uint64_t, FT__KEEP, 1, 3, x += y)
CHAIN(int_multiply, uint64_t, FT__KEEP, 3, 5, x *= y)
/* 1 + 0 and 1 x 1 take as long as any normal numbers, and stay what they are. */
CHAIN(real_add, double, FT__KEEP_REAL, 1, 0, x += y)
CHAIN(real_multiply, double, FT__KEEP_REAL, 1, 1, x *= y)
/* 1.1 / x is neither a power of two nor easy, and returns to x every second time. */
CHAIN(real_divide, double, FT__KEEP_REAL, 1.7, 1.1, x = y / x)
/* clang-format on */

/* Processors divide small numbers faster: the dividend is made large again each time. */
static uint64_t int_divide(struct ft__workplace *place, uint64_t count)
{
	uint64_t x = 1, y = 1000003, large = UINT64_C(1) << 62, i;

	FT__KEEP(y);
	FT__KEEP(large);
	for (i = 0; i < count; i += 16) {
		FT__16(x = (x | large) / y; FT__KEEP(x);)
	}
	place->sink += x;
	return i;
}

/* ---- side by side: how many at once -------------------------------------------------------------------- */

static uint64_t int_add_apart(struct ft__workplace *place, uint64_t count)
{
	uint64_t a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8, y = 3, i;

	FT__KEEP(y);
	for (i = 0; i < count; i += 32) {
		FT__4(a += y; FT__KEEP(a); b += y; FT__KEEP(b); c += y; FT__KEEP(c); d += y; FT__KEEP(d);
		      e += y; FT__KEEP(e); f += y; FT__KEEP(f); g += y; FT__KEEP(g); h += y; FT__KEEP(h);)
	}
	place->sink += a + b + c + d + e + f + g + h;
	return i;
}

/* A multiplication and the addition to it, as they are written (not fused), in eight chains. */
static uint64_t real_multiply_add(struct ft__workplace *place, uint64_t count)
{
	double a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8, y = 0.5, z = 0.5;
	uint64_t i;

	FT__KEEP_REAL(y);
	FT__KEEP_REAL(z);
	for (i = 0; i < count; i += 32) {
		FT__4(a = a * y + z; FT__KEEP_REAL(a); b = b * y + z; FT__KEEP_REAL(b); c = c * y + z;
		      FT__KEEP_REAL(c); d = d * y + z; FT__KEEP_REAL(d); e = e * y + z; FT__KEEP_REAL(e);
		      f = f * y + z; FT__KEEP_REAL(f); g = g * y + z; FT__KEEP_REAL(g); h = h * y + z;
		      FT__KEEP_REAL(h);)
	}
	place->sink += (uint64_t)(a + b + c + d + e + f + g + h);
	return i;
}

/* ---- branches ------------------------------------------------------------------------------------------ */

enum { WORDS = 2048 }; /* 131,072 branches: far more than a predictor remembers; 16 KiB: in the first cache */

static enum ft_status take_words(struct ft__workplace *place, struct ft_err *err)
{
	place->bytes = WORDS * sizeof(uint64_t);
	place->memory = ft_malloc(place->bytes);
	return place->memory ? FT_OK : ft_nomem(err);
}

static enum ft_status prepare_regular(const struct ft_micro *micro, struct ft__workplace *place,
				      struct ft_err *err)
{
	enum ft_status status = take_words(place, err);
	uint64_t *word = place->memory;

	(void)micro;
	for (size_t i = 0; !status && i < WORDS; i++)
		word[i] = UINT64_C(0xaaaaaaaaaaaaaaaa); /* taken, not taken, ... */
	return status;
}

static enum ft_status prepare_random(const struct ft_micro *micro, struct ft__workplace *place,
				     struct ft_err *err)
{
	enum ft_status status = take_words(place, err);
	struct ft_random random = {1};
	uint64_t *word = place->memory;

	(void)micro;
	for (size_t i = 0; !status && i < WORDS; i++)
		word[i] = ft_random_bits(&random);
	return status;
}

/* What stands in the branches must not be computed unless it is reached: they cannot become selections. */
static uint64_t branch(struct ft__workplace *place, uint64_t count)
{
	const uint64_t *word = place->memory;
	uint64_t x = 0, done, i = 0;

	for (done = 0; done < count; done += 64) {
		uint64_t bits = word[i++ % WORDS];

		for (int bit = 0; bit < 64; bit++, bits >>= 1) {
			if (bits & 1) {
				x += 3;
				FT__KEEP(x);
			} else {
				x ^= 5;
				FT__KEEP(x);
			}
		}
	}
	place->sink += x;
	return done;
}

static void free_words(struct ft__workplace *place)
{
	ft_free(place->memory);
}

/* ---- the table ----------------------------------------------------------------------------------------- */

const struct ft__micro ft__micro_processor[] = {
	{{"int_add", "addition", "additions of integers, each of the result before: one cycle on most", 0},
	 NULL,
	 int_add,
	 NULL},
	{{"int_add_apart", "addition", "additions of integers that do not wait for each other", 0},
	 NULL,
	 int_add_apart,
	 NULL},
	{{"int_multiply", "multiplication", "64-bit multiplications, each of the result before", 0},
	 NULL,
	 int_multiply,
	 NULL},
	{{"int_divide", "division", "64-bit divisions of large integers, each of the result before", 0},
	 NULL,
	 int_divide,
	 NULL},
	{{"real_add", "addition", "additions of doubles, each of the result before", 0},
	 NULL,
	 real_add,
	 NULL},
	{{"real_multiply", "multiplication", "multiplications of doubles, each of the result before", 0},
	 NULL,
	 real_multiply,
	 NULL},
	{{"real_divide", "division", "divisions of doubles, each by the result before", 0},
	 NULL,
	 real_divide,
	 NULL},
	{{"real_multiply_add", "pair", "pairs of a multiplication and an addition of doubles, eight at once",
	  0},
	 NULL,
	 real_multiply_add,
	 NULL},
	{{"branch_regular", "branch", "branches that are easy to predict", 0},
	 prepare_regular,
	 branch,
	 free_words},
	{{"branch_random", "branch", "the same branches, mispredicted every second time", 0},
	 prepare_random,
	 branch,
	 free_words},
	{{0}, NULL, NULL, NULL},
};
