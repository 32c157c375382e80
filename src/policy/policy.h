/* SPDX-License-Identifier: GPL-3.0-or-later */
/* policy.h - what the files of this room share. */
#ifndef FT_POLICY_POLICY_H
#define FT_POLICY_POLICY_H

#include "foretime/policy.h"

/* A text in the caller's buffer, which is cut where it does not fit. */
struct ft__phrase {
	char *s;
	size_t size;
	size_t length; /* of the whole */
};

void ft__phrase_add(struct ft__phrase *line, const char *format, ...) FT_PRINTF(2, 3);

/* All that a field of a window can have. */
#define FT__MINUTES    ((UINT64_C(1) << 60) - 1)
#define FT__HOURS      ((UINT32_C(1) << 24) - 1)
#define FT__MONTH_DAYS (UINT32_C(0xfffffffe))
#define FT__MONTHS     (((UINT32_C(1) << 12) - 1) << 1)
#define FT__WEEK_DAYS  ((UINT32_C(1) << 7) - 1)

/* ft__policy_add_time - "sat-sun, or 22:00-06:00", "until 2026-12-24 08:00", "now". */
void ft__policy_add_time(struct ft__phrase *line, const struct ft_policy *policy);

/* ft__policies_count - whether a policy is an alternative: those before it have had their time. */
bool ft__policies_count(const struct ft_policies *policies, size_t which, int64_t at_s);

/* ft__policy_open - whether its time holds. */
bool ft__policy_open(const struct ft_policy *policy, int64_t at_s);

#endif
