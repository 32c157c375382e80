/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz-kernel.c - any bytes as kept expressions of a kernel: refused with words and nothing left, or counts
 * that are numbers below 2^63, not known, or refused with words, at any size. */
#include "fuzz.h"
#include "tell/answers.h"

#include <math.h>

#define HEAD                                                                                                 \
	"{\"schema\":\"foretime-kernel-1\",\"kernel\":\"k\",\"hash\":\"0\",\"expressions\":{\"arguments\":["

const char *const fuzz_kernel_seeds[] = {
	HEAD "{\"name\":\"n\",\"first\":16,\"step\":16}],\"degree\":3,\"runs\":8,\"counts\":[{\"count\":"
	     "\"f32_fused\","
	     "\"expression\":\"n^3\",\"differences\":[4096,28672,49152,24576]}]}}",
	HEAD "{\"name\":\"w\",\"first\":1,\"step\":1},{\"name\":\"h\",\"first\":2,\"step\":2}],\"degree\":1,"
	     "\"runs\":1,"
	     "\"counts\":[{\"count\":\"sectors\",\"expression\":null,\"differences\":null},{\"count\":"
	     "\"branches\","
	     "\"differences\":[1,2,3]}]}}",
	HEAD "{\"name\":\"n\",\"first\":-9007199254740992,\"step\":9007199254740992}],\"degree\":8,"
	     "\"counts\":[{\"count\":"
	     "\"integer\",\"differences\":[1,2,3,4,5,6,7,8,9223372036854775807]}]}}",
	NULL,
};

const char *const fuzz_kernel_pieces[] = {
	"\"first\":",
	"\"step\":",
	"\"degree\":",
	"\"counts\":",
	"\"arguments\":",
	"\"differences\":[",
	"null",
	"0",
	"-1",
	"1",
	"8",
	"9",
	"[",
	"]",
	"{",
	"}",
	",",
	"\"n\"",
	"9223372036854775807",
	"-9223372036854775808",
	"1e300",
	"f32_add",
	NULL,
};

static const char *check_at(const struct ft_kernel_expressions *e, int64_t at)
{
	int64_t value[FT_KERNEL_VARIABLES] = {at, at / 2, -at};
	double count[FT_KERNEL_COUNTS];
	struct ft_err err = {0};
	enum ft_status status = ft_kernel_evaluate(e, value, count, &err);

	if (status)
		return fuzz_is_told(status, &err) ? NULL : "a refusal has words";
	for (size_t i = 0; i < FT_KERNEL_COUNTS; i++)
		if (!isnan(count[i]) && !(fabs(count[i]) <= 0x1p63))
			return "a count is a number below 2^63";
	return NULL;
}

static const char *check(const struct ft_kernel_expressions *e)
{
	static const int64_t at[] = {0, 1, 16, 32, 4096, -3, INT64_MAX, -INT64_MAX, (int64_t)1 << 53};
	const char *broken = NULL;

	for (size_t i = 0; i < sizeof at / sizeof *at && !broken; i++)
		broken = check_at(e, at[i]);
	for (size_t j = 0; j < e->n && !broken; j++)
		broken = check_at(e, e->variable[j].first);
	return broken;
}

const char *fuzz_kernel(const uint8_t *bytes, size_t length)
{
	struct ft_kernel_expressions expressions;
	struct ft_err err = {0};
	json_t *json = NULL;
	enum ft_status status = ft_tell_parse("fuzz", (const char *)bytes, length, &json, &err);
	const char *broken = NULL;

	if (!status)
		status = ft_tell_kernel_read("fuzz", json, &expressions, &err);
	json_decref(json);
	if (status)
		return fuzz_is_told(status, &err) ? NULL : "a refusal has words";
	broken = check(&expressions);
	ft_kernel_expressions_clear(&expressions);
	return broken;
}

#ifdef FT_FUZZ_ENTRY
FUZZ_ENTRY(fuzz_kernel)
#endif
