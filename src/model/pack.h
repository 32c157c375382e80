/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pack.h - numbers as bytes, the same on every machine: doubles as IEEE 754, least byte first. */
#ifndef FT_MODEL_PACK_H
#define FT_MODEL_PACK_H

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

#endif
