/* SPDX-License-Identifier: GPL-3.0-or-later */
/* judge.c - what policies say at a moment: the most lenient of the alternatives, each as strict as the
 * strictest of what speaks against it. */
#include "policy/policy.h"

#include <math.h>
#include <stdio.h>

/* What one policy says. */
struct judge_said {
	enum ft_say say;
	double patience_s;
	char why[FT_WHY_LENGTH]; /* of the strictest */
};

/* Whatever speaks against it keeps benchmarks from starting, at least. */
static void say_against(struct judge_said *said, enum ft_say say, double patience_s, const char *why)
{
	if (say == FT_SAY_START)
		say = FT_SAY_FINISH;
	if (say == said->say)
		said->patience_s = fmin(said->patience_s, patience_s);
	if (say <= said->say)
		return;
	said->say = say;
	said->patience_s = patience_s;
	(void)snprintf(said->why, sizeof said->why, "%s", why);
}

static void object_time(struct judge_said *said, const struct ft_policy *policy)
{
	char why[FT_WHY_LENGTH];
	struct ft__phrase line = {why, sizeof why, 0};
	char moment[32];

	if (policy->time == FT_TIME_UNTIL)
		ft__phrase_add(&line, "its time ended %s", ft_moment_format(policy->until_s, moment));
	else {
		ft__phrase_add(&line, "it is not ");
		ft__policy_add_time(&line, policy);
	}
	say_against(said, policy->at_end, policy->patience_s, why);
}

/* Returns whether its time holds. */
static bool judge_policy(const struct ft_policy *policy, const struct ft_seen *seen, int64_t at_s,
			 struct judge_said *said)
{
	bool open = ft__policy_open(policy, at_s);
	char why[FT_WHY_LENGTH];

	*said = (struct judge_said){FT_SAY_START, INFINITY, ""};
	if (!open)
		object_time(said, policy);
	for (size_t i = 0; i < policy->n_conditions; i++) {
		const struct ft_condition *c = &policy->conditions[i];

		if (ft_condition_holds(c, seen, why))
			say_against(said, c->say, c->patience_s, why);
	}
	return open;
}

/* Whether all that there is had its end. */
static bool is_over(const struct ft_policies *policies, int64_t at_s)
{
	for (size_t i = 0; i < policies->n; i++)
		if (policies->policy[i].time != FT_TIME_UNTIL || at_s < policies->policy[i].until_s)
			return false;
	return policies->n;
}

/* One alternative more: the most lenient counts. */
static void take_alternative(struct ft_judgement *j, const struct judge_said *said, struct ft__phrase *why)
{
	if (said->say == j->say)
		j->patience_s = fmax(j->patience_s, said->patience_s);
	if (said->say < j->say) {
		j->say = said->say;
		j->patience_s = said->patience_s;
	}
	ft__phrase_add(why, "%s%s", why->length ? "; " : "", said->why);
}

static void permit_start(struct ft_judgement *j, const struct ft_policy *policy, size_t which)
{
	struct ft__phrase why = {j->why, sizeof j->why, 0};

	j->say = FT_SAY_START;
	j->patience_s = INFINITY;
	j->which = (int)which;
	ft__policy_add_time(&why, policy);
}

/* What those say whose time holds; with `closed` those whose time does not. A policy that had its last time
 * says nothing where others are left. Returns whether there is any. */
static bool judge_policies(const struct ft_policies *policies, const struct ft_seen *seen, int64_t at_s,
			   bool closed, struct ft_judgement *j)
{
	struct ft__phrase why = {j->why, sizeof j->why, 0};
	struct judge_said said;
	bool any = false;

	for (size_t i = 0; i < policies->n && ft__policies_count(policies, i, at_s); i++) {
		const struct ft_policy *policy = &policies->policy[i];

		if (judge_policy(policy, seen, at_s, &said) == closed ||
		    (closed && policy->time == FT_TIME_UNTIL && !j->over))
			continue;
		any = true;
		if (said.say == FT_SAY_START) {
			permit_start(j, policy, i);
			return true;
		}
		take_alternative(j, &said, &why);
	}
	return any;
}

void ft_policies_judge(const struct ft_policies *policies, const struct ft_seen *seen, int64_t at_s,
		       struct ft_judgement *judgement)
{
	*judgement = (struct ft_judgement){.say = FT_SAY_END,
					   .which = -1,
					   .over = is_over(policies, at_s),
					   .next_s = ft_policies_next(policies, at_s)};
	if (!policies->n) {
		judgement->say = FT_SAY_START;
		(void)snprintf(judgement->why, sizeof judgement->why, "nothing is restricted");
	} else if (!judge_policies(policies, seen, at_s, false, judgement))
		(void)judge_policies(policies, seen, at_s, true, judgement);
}
