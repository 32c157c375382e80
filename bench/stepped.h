/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stepped.h - algorithms whose cost rises by steps: tables and arrays that grow, trees, passes, padded transforms. */
#pragma once
#include "base/random.h"

#include <stddef.h>

struct algorithm {
	const char *name, *bound;
	double power, most; /* of the bound; the largest size */
};

enum { STEPPED = 16 };

/* Those that may choose how the test works, and those that only judge it. The last two of each are by a memory
 * hierarchy: seconds only. */
extern const struct algorithm stepped_chosen[STEPPED], stepped_held[STEPPED];

/* What one of them costs at a size, in operations. */
double stepped_operations(const struct algorithm *algorithm, size_t n, struct ft_random *random);

enum { STEPPED_TIMES = 2 };
