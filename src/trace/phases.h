/* SPDX-License-Identifier: GPL-3.0-or-later */
/* phases.h - parts of finding phases. */
#ifndef FT_TRACE_PHASES_H
#define FT_TRACE_PHASES_H

#include "trace/pwl.h"

/* A jump of less than this share of the range is none. */
#define FT__ABRUPT 0.1

/* ft__phases_sharpest - between two times the one where cutting leaves least: the change itself.
 * ft__phases_close_up - phases as they were cut, counted from the curve's t0: those that do not meet do in
 * the middle, and their level, work and share become known. */
double ft__phases_sharpest(const struct ft_pwl *f, double a, double b);
void ft__phases_close_up(struct ft_phases *out, const struct ft_pwl *f);

/* ft__phases_name - name and text of each.
 *
 * all  [m] of the curves f, cut at the same times: phases have one name where all curves are at about the
 *      same level
 */
enum ft_status ft__phases_name(struct ft_phases *all, const struct ft_pwl *const *f, size_t m,
			       struct ft_err *err);

#endif
