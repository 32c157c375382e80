/* SPDX-License-Identifier: GPL-3.0-or-later */
/* day.h - what a configuration means for the next day: when each problem may run, and the present value of
 * each condition. For `foretime serve explain` and a running manager. */
#ifndef FT_MANAGER_DAY_H
#define FT_MANAGER_DAY_H

#include "manager/config.h"
#include "tell/answers.h"

/* ft__day_read - the problems by priority, each with its windows from now on.
 *
 * fault   called with the reason for each problem that cannot run; may be NULL
 * answer  out; names are borrowed from config; ends with ft__day_clear; cleared on failure
 *
 * FT_OK; FT_ENOMEM. */
typedef void ft__day_fault(void *ctx, size_t problem, struct ft_err *out);
enum ft_status ft__day_read(const struct ft_manager_config *config, int64_t now_s, ft__day_fault *fault,
			    void *ctx, struct ft_answer_day *answer, struct ft_err *err);

/* ft__day_see - the present value of each condition in policies; equal ones are listed once. policies:
 * [n]. FT_OK; FT_ENOMEM. */
enum ft_status ft__day_see(struct ft_answer_day *answer, const struct ft_policies *const *policies, size_t n,
			   const struct ft_seen *seen, struct ft_err *err);

void ft__day_clear(struct ft_answer_day *answer); /* accepts NULL, and twice */

#endif
