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

/* ft__spikes_height - how far off a curve's level a spike is at least.
 *
 * range  of the curve
 * off    half of the rows of the level lie within so much of it
 */
double ft__spikes_height(double range, double off);

/* ft__spikes_add - one more. */
enum ft_status ft__spikes_add(struct ft_spikes *spikes, double t, struct ft_pwl_stretch at,
			      struct ft_err *err);

/* ft__phases_name - name and text of each.
 *
 * all  [m] of the curves f, cut at the same times: phases have one name where all curves are at about the
 *      same level
 */
enum ft_status ft__phases_name(struct ft_phases *all, const struct ft_pwl *const *f, size_t m,
			       struct ft_err *err);

#endif
