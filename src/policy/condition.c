/* SPDX-License-Identifier: GPL-3.0-or-later */
/* condition.c - whether others use the machine, and how that looks in words. */
#include "policy/policy.h"

#include <math.h>
#include <string.h>

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
