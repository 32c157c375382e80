/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bytes.c - numbers as bytes, the same on every machine: doubles as IEEE 754, least byte first */
#include "base/alloc.h"
#include "model/model.h"

#include <endian.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

enum { WIDTH = 8 };

static bool reserve_bytes(struct ft__packer *packer)
{
	size_t capacity = packer->capacity ? 2 * packer->capacity : 1024;

	if (packer->n + WIDTH <= packer->capacity)
		return true;
	unsigned char *grown = packer->failed ? NULL : ft_realloc(packer->bytes, capacity);
	packer->failed = packer->failed || !grown;
	if (!grown)
		return false;
	packer->bytes = grown;
	packer->capacity = capacity;
	return true;
}

void ft__pack(struct ft__packer *packer, double value)
{
	uint64_t bits;

	if (!reserve_bytes(packer))
		return;
	memcpy(&bits, &value, sizeof bits);
	bits = htole64(bits);
	memcpy(packer->bytes + packer->n, &bits, sizeof bits);
	packer->n += WIDTH;
}

void ft__pack_many(struct ft__packer *packer, const double *values, size_t n)
{
	for (size_t i = 0; i < n; i++)
		ft__pack(packer, values[i]);
}

double ft__unpack(struct ft__unpacker *from)
{
	uint64_t bits;
	double value;

	if (from->left < WIDTH) {
		from->failed = true;
		return NAN;
	}
	memcpy(&bits, from->bytes, sizeof bits);
	bits = le64toh(bits);
	from->bytes += WIDTH;
	from->left -= WIDTH;
	memcpy(&value, &bits, sizeof value);
	return value;
}

void ft__unpack_many(struct ft__unpacker *from, double *values, size_t n)
{
	for (size_t i = 0; i < n; i++)
		values[i] = ft__unpack(from);
}

size_t ft__unpack_count(struct ft__unpacker *from, size_t doubles)
{
	double n = ft__unpack(from);

	if (n >= 0 && n < 9e15 && n == floor(n) && n * (double)doubles * WIDTH <= (double)from->left)
		return (size_t)n;
	from->failed = true;
	return 0;
}

void ft__pack_factor(struct ft__packer *packer, const struct ft_law_factor *factor)
{
	const double number[] = {factor->power,     factor->log,  factor->rate,
				 factor->factorial, factor->less, factor->level};

	ft__pack_many(packer, number, sizeof number / sizeof *number);
}

void ft__pack_law(struct ft__packer *packer, const struct ft_law *law)
{
	ft__pack(packer, law->constant);
	ft__pack(packer, (double)law->terms);
	for (size_t i = 0; i < law->terms; i++) {
		ft__pack(packer, law->term[i].c);
		for (size_t p = 0; p < law->params; p++)
			ft__pack_factor(packer, &law->term[i].factor[p]);
	}
}

bool ft__unpack_factor(struct ft__unpacker *from, struct ft_law_factor *factor)
{
	double number[6];
	bool good = true;

	ft__unpack_many(from, number, 6);
	for (size_t i = 0; i < 6; i++)
		good = good && isfinite(number[i]);
	*factor = (struct ft_law_factor){number[0], number[1], number[2], number[3], number[4], number[5]};
	return good;
}

bool ft__unpack_law(struct ft__unpacker *from, size_t params, size_t most, struct ft_law *law)
{
	*law = (struct ft_law){.params = params, .constant = ft__unpack(from)};
	law->terms = ft__unpack_count(from, 1 + 6 * params);
	bool good = isfinite(law->constant) && law->terms <= most;
	for (size_t i = 0; good && i < law->terms; i++) {
		law->term[i].c = ft__unpack(from);
		good = isfinite(law->term[i].c);
		for (size_t p = 0; p < params; p++)
			good = ft__unpack_factor(from, &law->term[i].factor[p]) && good;
	}
	return good && !from->failed;
}
