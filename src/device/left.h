/* SPDX-License-Identifier: GPL-3.0-or-later */
/* left.h - kernels that are left out in turn. */
#ifndef FT_DEVICE_LEFT_H
#define FT_DEVICE_LEFT_H

#include "foretime/rates.h"

/* ft__launches_check - FT_EINVAL: a launch whose seconds or amounts make no sense (which). */
enum ft_status ft__launches_check(const struct ft_timed_launch *row, size_t n, struct ft_err *err);

/* ft__is_first - whether row i is the first launch of its kernel. */
bool ft__is_first(const struct ft_timed_launch *row, size_t i);

/* ft__left_tell - of the errors |ln(foretold / measured)| in the middle of each kernel, [n]: which factor
 * half of them, and nine in ten, are off by at most; NaN: there is none. */
void ft__left_tell(double *error, size_t n, double *off, double *off_most);

#endif
