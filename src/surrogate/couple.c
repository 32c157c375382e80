/* SPDX-License-Identifier: GPL-3.0-or-later */
/* couple.c - routines that run one after the other: how they influence each other, and what all take together
 * (002 1.3.2; Taylor, Wu, Geisler 2002). */
#include "foretime/surrogate.h"

#include <math.h>

size_t ft_chain_windows(size_t k, size_t length, bool loop)
{
	if (length < 2 || length > k)
		return 0;
	return loop && length < k ? k : k - length + 1;
}

/* What the routines of a window take alone. */
static double sum_of(const double *alone, size_t k, size_t begin, size_t length)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < length; i++)
		sum += alone[(begin + i) % k];
	return sum;
}

enum ft_status ft_chain_couple(const double *alone, size_t k, const double *together, size_t length,
			       bool loop, double *coupling, double *weight, double *whole, struct ft_err *err)
{
	size_t windows = ft_chain_windows(k, length, loop), i, w;

	if (!windows)
		return ft_fail(err, FT_EINVAL, "%zu routines have no windows of %zu", k, length);
	for (w = 0; w < windows; w++) {
		double sum = sum_of(alone, k, w, length);

		if (!(sum > 0) || !(together[w] > 0))
			return ft_fail(err, FT_EINVAL, "what takes nothing has no coupling");
		coupling[w] = together[w] / sum;
	}
	*whole = 0;
	for (i = 0; i < k; i++) {
		double above = 0, below = 0;

		for (w = 0; w < windows; w++)
			if ((i + k - w) % k < length) {
				above += coupling[w] * together[w];
				below += together[w];
			}
		weight[i] = above / below;
		*whole += weight[i] * alone[i];
	}
	return FT_OK;
}
