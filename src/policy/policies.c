/* SPDX-License-Identifier: GPL-3.0-or-later */
/* policies.c - lists of policies over time: which of them apply, and when their times begin and end. */
#include "base/alloc.h"
#include "foretime/base.h"
#include "policy/policy.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/*
 * Texts of bounded length.
 */

/*
 * The words of policies in files and answers; and their ends.
 */

#define TEXT2(name, word)        word,
#define TEXT3(name, word, about) word,

static const char *const says[] = {FT_SAY_LIST(TEXT3)};
static const char *const conditions[] = {FT_CONDITION_LIST(TEXT3)};
static const char *const times[] = {FT_TIME_LIST(TEXT2)};
static const char *const orders[] = {FT_ORDER_LIST(TEXT3)};

enum {
	SAYS = sizeof says / sizeof *says,
	TIMES = sizeof times / sizeof *times,
	ORDERS = sizeof orders / sizeof *orders
};

/* The index of a word; -1: none. */
static int number_of(const char *const *words, int n, const char *text)
{
	for (int i = 0; i < n; i++)
		if (!strcmp(words[i], text))
			return i;
	return -1;
}

const char *ft_say_text(enum ft_say say)
{
	return says[say];
}

bool ft_say_parse(const char *text, enum ft_say *say)
{
	int i = number_of(says, SAYS, text);

	if (i >= 0)
		*say = (enum ft_say)i;
	return i >= 0;
}

const char *ft_condition_text(enum ft_condition_kind kind)
{
	return conditions[kind];
}

bool ft_condition_parse(const char *text, enum ft_condition_kind *kind)
{
	int i = number_of(conditions, FT_CONDITIONS, text);

	if (i >= 0)
		*kind = (enum ft_condition_kind)i;
	return i >= 0;
}

const char *ft_time_text(enum ft_time_kind kind)
{
	return times[kind];
}

bool ft_time_parse(const char *text, enum ft_time_kind *kind)
{
	int i = number_of(times, TIMES, text);

	if (i >= 0)
		*kind = (enum ft_time_kind)i;
	return i >= 0;
}

const char *ft_order_text(enum ft_order order)
{
	return orders[order];
}

bool ft_order_parse(const char *text, enum ft_order *order)
{
	int i = number_of(orders, ORDERS, text);

	if (i >= 0)
		*order = (enum ft_order)i;
	return i >= 0;
}

void ft_condition_clear(struct ft_condition *condition)
{
	if (!condition)
		return;
	for (size_t i = 0; i < condition->n_names; i++)
		ft_free(condition->names[i]);
	ft_free(condition->names);
	*condition = (struct ft_condition){0};
}

void ft_policy_clear(struct ft_policy *policy)
{
	if (!policy)
		return;
	for (size_t i = 0; i < policy->n_conditions; i++)
		ft_condition_clear(&policy->conditions[i]);
	ft_free(policy->conditions);
	ft_free(policy->windows);
	*policy = (struct ft_policy){0};
}

void ft_policies_clear(struct ft_policies *policies)
{
	if (!policies)
		return;
	for (size_t i = 0; i < policies->n; i++)
		ft_policy_clear(&policies->policy[i]);
	ft_free(policies->policy);
	*policies = (struct ft_policies){0};
}

/*
 * Decide whether the machine is in use, and describe how.
 */

enum { COMM_LENGTH = 15 }; /* a process's name in the kernel: TASK_COMM_LEN less its zero byte */

static bool has_name(const struct ft_condition *c, const char *name)
{
	for (size_t i = 0; i < c->n_names; i++)
		if (!strcmp(c->names[i], name))
			return true;
	return false;
}

static bool has_process(const struct ft_condition *c, const char *name)
{
	for (size_t i = 0; i < c->n_names; i++)
		if (!strncmp(c->names[i], name, COMM_LENGTH))
			return true;
	return false;
}

static bool counts_user(const struct ft_condition *c, const char *user)
{
	return has_name(c, user) == c->only;
}

static bool see_login(const struct ft_condition *c, const struct ft_seen *seen, struct ft__phrase *why)
{
	size_t n = 0, first = 0;

	for (size_t i = 0; i < seen->n_logins; i++)
		if (counts_user(c, seen->logins[i].user) && !n++)
			first = i;
	if (!n)
		return false;
	ft__phrase_add(why, "user %s is logged in", seen->logins[first].user);
	if (seen->logins[first].where)
		ft__phrase_add(why, " (%s)", seen->logins[first].where);
	if (n > 1)
		ft__phrase_add(why, ", and %zu more", n - 1);
	return true;
}

static bool see_load(const struct ft_condition *c, const struct ft_seen *seen, struct ft__phrase *why)
{
	bool more = seen->load > c->threshold;

	if (isnan(seen->load)) {
		ft__phrase_add(why, "the background load is not known");
		return true;
	}
	if (more)
		ft__phrase_add(why, "the background load is %.3g processors, more than %g", seen->load,
			       c->threshold);
	return more;
}

static bool see_process(const struct ft_condition *c, const struct ft_seen *seen, struct ft__phrase *why)
{
	for (size_t i = 0; i < seen->n_processes; i++) {
		const struct ft_seen_process *p = &seen->processes[i];

		if (!has_process(c, p->name))
			continue;
		ft__phrase_add(why, "process %s runs (%d, of %s)", p->name, p->pid, p->user);
		return true;
	}
	return false;
}

static bool see_user_process(const struct ft_condition *c, const struct ft_seen *seen, struct ft__phrase *why)
{
	for (size_t i = 0; i < seen->n_processes; i++) {
		const struct ft_seen_process *p = &seen->processes[i];

		if (!counts_user(c, p->user))
			continue;
		ft__phrase_add(why, "a process of user %s runs (%s, %d)", p->user, p->name, p->pid);
		return true;
	}
	return false;
}

static bool see_file(const struct ft_condition *c, const struct ft_seen *seen, struct ft__phrase *why)
{
	for (size_t i = 0; i < seen->n_files; i++) {
		if (!has_name(c, seen->files[i]))
			continue;
		ft__phrase_add(why, "halt file %s is there", seen->files[i]);
		return true;
	}
	return false;
}

static bool see_battery(const struct ft_condition *c, const struct ft_seen *seen, struct ft__phrase *why)
{
	(void)c;
	if (seen->on_battery)
		ft__phrase_add(why, "the machine runs on its battery");
	return seen->on_battery;
}

bool ft_condition_holds(const struct ft_condition *condition, const struct ft_seen *seen,
			char why[FT_WHY_LENGTH])
{
	static bool (*const see[FT_CONDITIONS])(const struct ft_condition *, const struct ft_seen *,
						struct ft__phrase *) = {
		[FT_CONDITION_USER_LOGIN] = see_login, [FT_CONDITION_LOAD_THRESHOLD] = see_load,
		[FT_CONDITION_PROCESS] = see_process,  [FT_CONDITION_USER_PROCESS] = see_user_process,
		[FT_CONDITION_HALT_FILE] = see_file,   [FT_CONDITION_BATTERY] = see_battery,
	};
	struct ft__phrase line = {why, why ? FT_WHY_LENGTH : 0, 0};

	if (seen->unseen[condition->kind]) {
		ft__phrase_add(&line, "%s cannot be judged: %s", ft_condition_text(condition->kind),
			       seen->unseen[condition->kind]);
		return true;
	}
	return see[condition->kind](condition, seen, &line);
}

/*
 * Lists of policies over time: which of them apply, and when their times begin and end.
 */

/* policy_open - whether its time holds. */
static bool policy_open(const struct ft_policy *policy, int64_t at_s)
{
	if (policy->time != FT_TIME_PERIODIC)
		return policy->time == FT_TIME_NOW || at_s < policy->until_s;
	for (size_t i = 0; i < policy->n_windows; i++)
		if (ft_window_open(&policy->windows[i], at_s))
			return true;
	return false;
}

/* policies_count - whether a policy is an alternative: those before it have had their time. */
static bool policies_count(const struct ft_policies *policies, size_t which, int64_t at_s)
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
	for (size_t i = 0; i < policies->n && policies_count(policies, i, at_s); i++)
		if (policy_open(&policies->policy[i], at_s))
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

	for (size_t i = 0; i < policies->n && policies_count(policies, i, at_s); i++)
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

/* policy_add_time - "sat-sun, or 22:00-06:00", "until 2026-12-24 08:00", "now". */
static void policy_add_time(struct ft__phrase *line, const struct ft_policy *policy)
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

size_t ft_policy_format(const struct ft_policy *policy, char *buffer, size_t length)
{
	struct ft__phrase line = {buffer, length, 0};

	policy_add_time(&line, policy);
	if (policy->time != FT_TIME_NOW)
		add_say(&line, policy->at_end, policy->patience_s);
	for (size_t i = 0; i < policy->n_conditions; i++) {
		ft__phrase_add(&line, "%s", i ? ", or " : "; not while ");
		const struct ft_condition *c = &policy->conditions[i];
		const char *but = c->only ? " of " : " other than ";

		switch (c->kind) {
		case FT_CONDITION_USER_LOGIN:
			ft__phrase_add(&line, "a user");
			add_names(&line, c, but);
			ft__phrase_add(&line, " is logged in");
			break;
		case FT_CONDITION_LOAD_THRESHOLD:
			ft__phrase_add(&line, "the background load is above %g processors", c->threshold);
			break;
		case FT_CONDITION_PROCESS:
			add_names(&line, c, "");
			ft__phrase_add(&line, " runs");
			break;
		case FT_CONDITION_USER_PROCESS:
			ft__phrase_add(&line, "a process of a user");
			add_names(&line, c, but);
			ft__phrase_add(&line, " runs");
			break;
		case FT_CONDITION_HALT_FILE:
			add_names(&line, c, "");
			ft__phrase_add(&line, " is there");
			break;
		default:
			ft__phrase_add(&line, "it runs on its battery");
		}
		add_say(&line, c->say, c->patience_s);
	}
	return line.length;
}

/*
 * The decision of policies at a moment: the most lenient of the alternatives, each as strict as its
 * strictest condition that holds.
 */

/* The decision of one policy. */
struct judge_decision {
	enum ft_say say;
	double patience_s;
	char why[FT_WHY_LENGTH]; /* of the strictest */
};

/* A condition that holds prevents at least the start of benchmarks. */
static void decide_against(struct judge_decision *decision, enum ft_say say, double patience_s,
			   const char *why)
{
	if (say == FT_SAY_START)
		say = FT_SAY_FINISH;
	if (say == decision->say)
		decision->patience_s = fmin(decision->patience_s, patience_s);
	if (say <= decision->say)
		return;
	decision->say = say;
	decision->patience_s = patience_s;
	(void)snprintf(decision->why, sizeof decision->why, "%s", why);
}

static void object_time(struct judge_decision *decision, const struct ft_policy *policy)
{
	char why[FT_WHY_LENGTH];
	struct ft__phrase line = {why, sizeof why, 0};
	char moment[32];

	if (policy->time == FT_TIME_UNTIL)
		ft__phrase_add(&line, "its time ended %s", ft_moment_format(policy->until_s, moment));
	else {
		ft__phrase_add(&line, "it is not ");
		policy_add_time(&line, policy);
	}
	decide_against(decision, policy->at_end, policy->patience_s, why);
}

/* Returns whether its time holds. */
static bool judge_policy(const struct ft_policy *policy, const struct ft_seen *seen, int64_t at_s,
			 struct judge_decision *decision)
{
	bool open = policy_open(policy, at_s);
	char why[FT_WHY_LENGTH];

	*decision = (struct judge_decision){FT_SAY_START, INFINITY, ""};
	if (!open)
		object_time(decision, policy);
	for (size_t i = 0; i < policy->n_conditions; i++) {
		const struct ft_condition *c = &policy->conditions[i];

		if (ft_condition_holds(c, seen, why))
			decide_against(decision, c->say, c->patience_s, why);
	}
	return open;
}

/* Whether all policies have ended. */
static bool is_over(const struct ft_policies *policies, int64_t at_s)
{
	for (size_t i = 0; i < policies->n; i++)
		if (policies->policy[i].time != FT_TIME_UNTIL || at_s < policies->policy[i].until_s)
			return false;
	return policies->n;
}

static void permit_start(struct ft_judgement *j, const struct ft_policy *policy, size_t which)
{
	struct ft__phrase why = {j->why, sizeof j->why, 0};

	j->say = FT_SAY_START;
	j->patience_s = INFINITY;
	j->which = (int)which;
	policy_add_time(&why, policy);
}

/* The decisions of policies whose time holds; with `closed` of those whose time does not. A policy whose
 * times are over is ignored if other ones are left. Returns whether there is any. */
static bool judge_policies(const struct ft_policies *policies, const struct ft_seen *seen, int64_t at_s,
			   bool closed, struct ft_judgement *j)
{
	struct ft__phrase why = {j->why, sizeof j->why, 0};
	struct judge_decision decision;
	bool any = false;

	for (size_t i = 0; i < policies->n && policies_count(policies, i, at_s); i++) {
		const struct ft_policy *policy = &policies->policy[i];

		if (judge_policy(policy, seen, at_s, &decision) == closed ||
		    (closed && policy->time == FT_TIME_UNTIL && !j->over))
			continue;
		any = true;
		if (decision.say == FT_SAY_START) {
			permit_start(j, policy, i);
			return true;
		}
		/* One alternative more: the most lenient counts. */
		if (decision.say == j->say)
			j->patience_s = fmax(j->patience_s, decision.patience_s);
		if (decision.say < j->say) {
			j->say = decision.say;
			j->patience_s = decision.patience_s;
		}
		ft__phrase_add(&why, "%s%s", why.length ? "; " : "", decision.why);
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
