/* SPDX-License-Identifier: GPL-3.0-or-later */
/* doubt.h - how much less a choice believes its models far from what was run. */
#ifndef FT_DEVICE_DOUBT_H
#define FT_DEVICE_DOUBT_H

#include "foretime/facts.h"

/* Along each axis how far the nearest size that was run lies, in logarithms. */
struct ft__apart {
	const struct ft_size *size; /* that is asked about */
	const size_t *axis;         /* [n] */
	size_t n;
	double nearest[FT_PARAMS_MAX];
};

void ft__apart_begin(struct ft__apart *apart, const struct ft_size *size, const size_t *axis, size_t n);
void ft__apart_run(struct ft__apart *apart, const struct ft_size *run);

/* ft__doubted - the error of ln value that is believed, given that of the model. Without runs it is the same.
 */
double ft__doubted(const struct ft__apart *apart, double error);

#endif
