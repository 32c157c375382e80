/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pack.h - numbers as bytes, the same on every machine: doubles as IEEE 754, least byte first. */
#ifndef FT_MODEL_PACK_H
#define FT_MODEL_PACK_H

#include "foretime/law.h"

#include <stdbool.h>
#include <stddef.h>

/* Zero-initialise. */
struct ft__packer {
	unsigned char *bytes; /* [n] heap */
	size_t n, capacity;
	bool failed; /* no memory */
};

void ft__pack(struct ft__packer *packer, double value);
void ft__pack_many(struct ft__packer *packer, const double *values, size_t n);

struct ft__unpacker {
	const unsigned char *bytes;
	size_t left;
	bool failed; /* there were fewer than asked for */
};

double ft__unpack(struct ft__unpacker *from);
void ft__unpack_many(struct ft__unpacker *from, double *values, size_t n);

/* ft__unpack_count - a number of things, of which each takes so many doubles: fails beyond what is left. */
size_t ft__unpack_count(struct ft__unpacker *from, size_t doubles);

/* ft__pack_factor, ft__pack_law - a law's factor, and a law: finding one again costs more than all else that
 * a model in a store is read for. ft__unpack_law - of so many parameters, with so many terms at most. false:
 * no finite numbers of one. */
void ft__pack_factor(struct ft__packer *packer, const struct ft_law_factor *factor);
void ft__pack_law(struct ft__packer *packer, const struct ft_law *law);
bool ft__unpack_factor(struct ft__unpacker *from, struct ft_law_factor *factor);
bool ft__unpack_law(struct ft__unpacker *from, size_t params, size_t most, struct ft_law *law);

#endif
