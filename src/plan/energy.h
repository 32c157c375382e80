/* SPDX-License-Identifier: GPL-3.0-or-later */
/* energy.h - least energy by one deadline after the other, in one memory. */
#ifndef FT_PLAN_ENERGY_H
#define FT_PLAN_ENERGY_H

#include "foretime/plan.h"

struct ft__least;

/* ft__least_new - ends with ft__least_free. effort: steps of dynamic programming, all deadlines together */
enum ft_status ft__least_new(struct ft__least **out, const struct ft_plan_costs *cost, size_t p,
			     int64_t total, uint64_t effort, struct ft_err *err);
void ft__least_end(struct ft__least **k); /* for FT_CLEANUP; accepts NULL there */

/* ft__least_solve - units [p] out, where there is a plan; out: but for fastest_s */
enum ft_status ft__least_solve(struct ft__least *k, double deadline_s, int64_t *units,
			       struct ft_partition_energy *out, struct ft_err *err);

/* ft__least_fastest - the least makespan of all plans; INFINITY: there is none. */
enum ft_status ft__least_fastest(const struct ft__least *k, double *fastest_s, struct ft_err *err);

#endif
