/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers that are known, or not: beside C's own, and beside an unknown one. */
#include "base/random.h"
#include "kernel/kernel.h"
#include "tap.h"

static const struct ft__number unknown = {.kind = FT__UNKNOWN};

/* What C says of 32 bits; false: C says nothing. */
static bool of_c(int opcode, int32_t a, int32_t b, int32_t *out)
{
	uint32_t x = (uint32_t)a, y = (uint32_t)b;

	switch (opcode) {
	case FT__ADD:
		*out = (int32_t)(x + y);
		return true;
	case FT__SUB:
		*out = (int32_t)(x - y);
		return true;
	case FT__MUL:
		*out = (int32_t)(x * y);
		return true;
	case FT__UDIV:
		*out = y ? (int32_t)(x / y) : 0;
		return y != 0;
	case FT__SREM:
		*out = b && !(a == INT32_MIN && b == -1) ? a % b : 0;
		return b && !(a == INT32_MIN && b == -1);
	case FT__LSHR:
		*out = y < 32 ? (int32_t)(x >> y) : 0;
		return y < 32;
	case FT__XOR:
		*out = a ^ b;
		return true;
	default:
		return false;
	}
}

static void whole(void)
{
	static const int opcodes[] = {FT__ADD, FT__SUB, FT__MUL, FT__UDIV, FT__SREM, FT__LSHR, FT__XOR};
	struct ft_random random = {test_seed()};
	int wrong = 0, invented = 0;

	for (int i = 0; i < 20000; i++) {
		int opcode = opcodes[ft_random_below(&random, 7)];
		int32_t a = (int32_t)ft_random_bits(&random), b = (int32_t)ft_random_bits(&random), expected;

		if (ft_random_below(&random, 3) == 0)
			b = (int32_t)ft_random_below(&random, 40) - 5;
		struct ft__number got = ft__binary(opcode, 32, ft__whole(a), ft__whole(b));
		if (of_c(opcode, a, b, &expected) && (got.kind != FT__WHOLE || got.whole != expected))
			wrong++;
		got = ft__binary(opcode, 32, ft__whole(a), unknown);
		invented += got.kind != FT__UNKNOWN && a != 0;
	}
	ok(!wrong, "20000 operations of 32 bits are C's (seed %llu)", (unsigned long long)test_seed());
	ok(!invented, "with an unknown number nothing is known");
	ok(ft__binary(FT__AND, 32, unknown, ft__whole(0)).kind == FT__WHOLE,
	   "but that nothing of it is left");
	ok(ft__binary(FT__SDIV, 32, ft__whole(1), ft__whole(0)).kind == FT__UNKNOWN,
	   "division by zero has no value");
}

static void casts(void)
{
	ok(ft__cast(FT__ZEXT, 64, 8, false, ft__whole(-1)).whole == 255, "zero-extended");
	ok(ft__cast(FT__SEXT, 32, 1, false, ft__whole(1)).whole == -1, "true, sign-extended");
	ok(ft__cast(FT__TRUNC, 8, 32, false, ft__whole(200)).whole == -56, "cut");
	ok(ft__cast(FT__UITOFP, 32, 32, true, ft__whole(-1)).real == 4294967296.0,
	   "unsigned, rounded to single precision");
	ok(ft__cast(FT__FPTOSI, 32, 64, false, ft__real(1e300, 64)).kind == FT__UNKNOWN,
	   "too large for an integer");
	ok(ft__cast(FT__BITCAST, 32, 32, false, ft__real(1, 32)).whole == 0x3f800000, "the bits of 1");
	ok(ft__cast(FT__BITCAST, 32, 32, true, ft__whole(0x3f800000)).real == 1, "and back");
	ok(ft__compare_real(14, ft__real(NAN, 64), ft__real(1, 64)).whole == 1, "not a number is unordered");
}

static void builtins(void)
{
	const struct ft__number three[3] = {ft__whole(-5), ft__whole(3), ft__whole(9)};
	char plain[64];
	bool unsigned_;

	ok(ft__builtin_find("_Z3minjj", plain, sizeof plain, &unsigned_)->which == FT__LEAST && unsigned_,
	   "min(uint, uint)");
	ok(ft__builtin_find("_Z4fmaxDv4_fS_", plain, sizeof plain, &unsigned_)->two == fmax && !unsigned_,
	   "fmax(float4)");
	ok(ft__builtin_find("_Z99x", plain, sizeof plain, &unsigned_)->kind == FT__STRANGE, "a damaged name");
	ok(ft__builtin_find("", plain, sizeof plain, &unsigned_)->kind == FT__STRANGE, "no name");
	ok(ft__cheap_whole(FT__LEAST, false, 32, three, 2).whole == -5 &&
		   ft__cheap_whole(FT__LEAST, true, 32, three, 2).whole == 3,
	   "the least of signed and of unsigned numbers");
	ok(ft__cheap_whole(FT__CLAMP, false, 32, three, 3).whole == 3, "clamp");
	ok(ft__cheap_whole(FT__CLAMP, false, 32, three, 2).kind == FT__UNKNOWN, "an operand too few");
}

/* Random writes and reads beside an array of C. */
static void memory(void)
{
	enum { BYTES = 3 * 4096 };
	static uint8_t image[BYTES], known[BYTES], truth[BYTES];
	struct ft__memory m = {0};
	struct ft_random random = {test_seed()};
	int buffer = ft__memory_add(&m, FT__GLOBAL, BYTES, "b"), wrong = 0;

	memset(image, 7, sizeof image / 2);
	memcpy(truth, image, sizeof truth);
	memset(known, 1, sizeof known / 2);
	m.buffer[buffer].image = image;
	m.buffer[buffer].image_bytes = sizeof image / 2;
	for (int i = 0; i < 20000; i++) {
		int64_t at = 4 * (int64_t)ft_random_below(&random, BYTES / 4);
		int32_t value = (int32_t)ft_random_bits(&random), stored;
		struct ft__number got = ft__memory_load(&m, buffer, at, 32, false);

		memcpy(&stored, truth + at, 4);
		wrong += (got.kind == FT__WHOLE) != (known[at] != 0) || (known[at] && got.whole != stored);
		memset(known + at, value & 1, 4);
		memcpy(truth + at, &value, 4);
		ft__memory_store(&m, buffer, at, 32, false, value & 1 ? ft__whole(value) : unknown);
	}
	ok(!wrong, "20000 writes and reads (seed %llu)", (unsigned long long)test_seed());
	ft__memory_forget(&m, -1, FT__GLOBAL);
	ok(ft__memory_load(&m, buffer, 0, 32, false).kind == FT__UNKNOWN, "forgotten");
	ft__memory_reset(&m, buffer);
	ok(ft__memory_load(&m, buffer, 0, 32, false).whole == 0x07070707, "as it was at first");
	ft__memory_clear(&m);
}

int main(void)
{
	whole();
	casts();
	builtins();
	memory();
	return done();
}
