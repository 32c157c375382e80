/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gate.h - how many phases few rows tell apart. */
#ifndef FT_TRACE_GATE_H
#define FT_TRACE_GATE_H

#include "foretime/status.h"

#include <stddef.h>

enum { FT__GATE_ROWS = 200 }; /* with more, what phases leave tells the noise well enough */

/* ft__phases_gate - a phase more is believed where it gains more than on 58 of 59 made rows that have one
 * less: their lines, and noise of the first order as these leave it (parametric bootstrap; what lines
 * take of the likeness of neighbours is given back). The same rows give the same answer.
 *
 * y         [m][n] of m curves at about equal distances, n <= FT__GATE_ROWS; what noise they have in common
 * is made in common weight    [m] of a curve's squares shortest  phase, as a share of all; three rows at
 * least phases    in: the most there are; out: those that are believed, >= 1
 */
enum ft_status ft__phases_gate(const double *const *y, const double *weight, size_t m, size_t n,
			       double shortest, size_t *phases, struct ft_err *err);

#endif
