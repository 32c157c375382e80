/* SPDX-License-Identifier: GPL-3.0-or-later */
/* promised.h - made functions of two and three parameters, smooth, with edges, cliffs and sizes that are bad.
 */
#ifndef FT_BENCH_PROMISED_H
#define FT_BENCH_PROMISED_H

#include <stdbool.h>
#include <stddef.h>

enum { PROMISED = 22, PROMISED_PARAMS = 3, PROMISED_RANDOM = 6 };
static const double promised_middle = 128;

/* x [PROMISED_PARAMS] by the middle one, so that all terms matter; r [PROMISED_RANDOM] 0 .. 1: of the
 * program. */
struct promised {
	const char *name;
	double (*seconds)(const double *x, const double *r);
	double (*bytes)(const double *x); /* NULL: not known */
	size_t params;
	bool kept; /* for looking at in the end */
};

extern const struct promised promised[PROMISED];

#endif
