/* SPDX-License-Identifier: GPL-3.0-or-later */
/* phases.h - the names and words of phases. */
#ifndef FT_TRACE_PHASES_H
#define FT_TRACE_PHASES_H

#include "foretime/trace.h"

/* A jump of less than this share of the range is none. */
#define FT__ABRUPT 0.1

/* ft__phases_name - name and text of each.
 *
 * all  [m] of the curves f, cut at the same times: phases have one name where all curves are at about the
 *      same level
 */
enum ft_status ft__phases_name(struct ft_phases *all, const struct ft_pwl *const *f, size_t m,
			       struct ft_err *err);

#endif
