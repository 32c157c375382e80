/* SPDX-License-Identifier: GPL-3.0-or-later */
/* policies.c - lists of policies in time: which of them count, and when their times begin and end. */
#include "policy/policy.h"

#include "foretime/units.h"

#include <math.h>

bool ft__policy_open(const struct ft_policy *policy, int64_t at_s)
{
	if (policy->time != FT_TIME_PERIODIC)
		return policy->time == FT_TIME_NOW || at_s < policy->until_s;
	for (size_t i = 0; i < policy->n_windows; i++)
		if (ft_window_open(&policy->windows[i], at_s))
			return true;
	return false;
}

bool ft__policies_count(const struct ft_policies *policies, size_t which, int64_t at_s)
{
	for (size_t i = 0; i < which; i++)
		if (policies->policy[i].time == FT_TIME_UNTIL && at_s < policies->policy[i].until_s)
			return false;
	return true;
}

const struct ft_policies *ft_policies_of(const struct ft_policies *own, const struct ft_policies *system)
{
	return own && own->n ? own : system;
}

/* The first policy whose time holds; -1: none. */
static int first_open(const struct ft_policies *policies, int64_t at_s)
{
	for (size_t i = 0; i < policies->n && ft__policies_count(policies, i, at_s); i++)
		if (ft__policy_open(&policies->policy[i], at_s))
			return (int)i;
	return -1;
}

static int64_t earlier_of(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t next_of(const struct ft_policy *policy, int64_t at_s)
{
	int64_t next = FT_NEVER;

	if (policy->time == FT_TIME_UNTIL)
		return at_s < policy->until_s ? policy->until_s : FT_NEVER;
	for (size_t i = 0; i < policy->n_windows; i++)
		next = earlier_of(next, ft_window_next(&policy->windows[i], at_s));
	return next;
}

int64_t ft_policies_next(const struct ft_policies *policies, int64_t at_s)
{
	int64_t next = FT_NEVER;

	for (size_t i = 0; i < policies->n && ft__policies_count(policies, i, at_s); i++)
		next = earlier_of(next, next_of(&policies->policy[i], at_s));
	return next;
}

size_t ft_policies_openings(const struct ft_policies *policies, int64_t from_s, int64_t to_s,
			    struct ft_opening *openings, size_t most)
{
	size_t n = 0;
	int64_t next;

	for (int64_t t = from_s; t < to_s; t = next) {
		int which = policies->n ? first_open(policies, t) : 0;

		next = earlier_of(ft_policies_next(policies, t), to_s);
		if (which < 0)
			continue;
		if (n && openings[n - 1].to_s == t && openings[n - 1].which == which)
			openings[n - 1].to_s = next;
		else if (n == most)
			break;
		else
			openings[n++] = (struct ft_opening){t, next, which};
	}
	return n;
}

/* ---- in words ---------------------------------------------------------------------------------------- */

void ft__policy_add_time(struct ft__phrase *line, const struct ft_policy *policy)
{
	char window[FT_WINDOW_LENGTH], moment[32];

	if (policy->time == FT_TIME_NOW)
		ft__phrase_add(line, "now");
	if (policy->time == FT_TIME_UNTIL)
		ft__phrase_add(line, "until %s", ft_moment_format(policy->until_s, moment));
	for (size_t i = 0; policy->time == FT_TIME_PERIODIC && i < policy->n_windows; i++) {
		(void)ft_window_format(&policy->windows[i], window, sizeof window);
		ft__phrase_add(line, "%s%s", i ? ", or " : "", window);
	}
}

static void add_say(struct ft__phrase *line, enum ft_say say, double patience_s)
{
	char value[FT_UNIT_LENGTH];

	ft__phrase_add(line, " (%s", ft_say_text(say));
	if (say == FT_SAY_FREEZE && isfinite(patience_s))
		ft__phrase_add(line, ", %s at most", ft_value_format(patience_s, "s", value));
	ft__phrase_add(line, ")");
}

static void add_names(struct ft__phrase *line, const struct ft_condition *c, const char *before)
{
	for (size_t i = 0; i < c->n_names; i++)
		ft__phrase_add(line, "%s%s", i ? ", " : before, c->names[i]);
}

static void add_condition(struct ft__phrase *line, const struct ft_condition *c)
{
	const char *but = c->only ? " of " : " other than ";

	switch (c->kind) {
	case FT_CONDITION_USER_LOGIN:
		ft__phrase_add(line, "a user");
		add_names(line, c, but);
		ft__phrase_add(line, " is logged in");
		break;
	case FT_CONDITION_LOAD_THRESHOLD:
		ft__phrase_add(line, "the background load is above %g processors", c->threshold);
		break;
	case FT_CONDITION_PROCESS:
		add_names(line, c, "");
		ft__phrase_add(line, " runs");
		break;
	case FT_CONDITION_USER_PROCESS:
		ft__phrase_add(line, "a process of a user");
		add_names(line, c, but);
		ft__phrase_add(line, " runs");
		break;
	case FT_CONDITION_HALT_FILE:
		add_names(line, c, "");
		ft__phrase_add(line, " is there");
		break;
	default:
		ft__phrase_add(line, "it runs on its battery");
	}
	add_say(line, c->say, c->patience_s);
}

size_t ft_policy_format(const struct ft_policy *policy, char *buffer, size_t length)
{
	struct ft__phrase line = {buffer, length, 0};

	ft__policy_add_time(&line, policy);
	if (policy->time != FT_TIME_NOW)
		add_say(&line, policy->at_end, policy->patience_s);
	for (size_t i = 0; i < policy->n_conditions; i++) {
		ft__phrase_add(&line, "%s", i ? ", or " : "; not while ");
		add_condition(&line, &policy->conditions[i]);
	}
	return line.length;
}
