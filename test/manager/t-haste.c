/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Root's manager goes before others while a benchmark runs that it may have to stop, and at no other time;
 * what it starts does not. */
#include "construct-world.h"

#include <sched.h>

static int policy_of(pid_t pid)
{
	return sched_getscheduler(pid) & ~SCHED_RESET_ON_FORK;
}

static bool may(void)
{
	const struct sched_param most = {.sched_priority = 1}, least = {0};
	bool good = !geteuid() && !sched_setscheduler(0, SCHED_RR, &most);

	return good && !sched_setscheduler(0, SCHED_OTHER, &least);
}

static void test_haste(void)
{
	static const char conf[] = "user = \"nobody\"; " UNLESS_HALT("freeze") "problems = ( " PROBLEM(
		"a", "stubborn", "") " );";

	if (!begin(conf_of(conf), false))
		return;
	ok(policy_of(0) == SCHED_OTHER, "it begins as all others");
	ok(wait_for(started_so, 1), "a benchmark runs: %s", seen.last);
	while (!is_there("stubborn"))
		turn();
	ok(policy_of(0) == SCHED_RR, "it goes before others");
	ok(policy_of(child_of(getpid(), "foretime-keeper")) == SCHED_OTHER, "what it started does not");
	(void)temp_write(temp_path("halt"), "", 0644);
	ok(wait_for(frozen_so, 1), "it stands still");
	turn();
	ok(policy_of(0) == SCHED_OTHER, "nor does the manager any more");
	(void)unlink(temp_path("halt"));
	ok(wait_for(thawed_so, 1), "it goes on");
	turn();
	ok(policy_of(0) == SCHED_RR, "and so does it");
	end();
	ok(policy_of(0) == SCHED_OTHER, "until it ends");
}

int main(void)
{
	const char *build = getenv("FORETIME_TEST_BUILD");

	if (!may()) {
		skip("haste", "no right to it");
		return done();
	}
	(void)setenv("TZ", "UTC", 1);
	(void)umask(022);
	(void)snprintf(command, sizeof command, "%s/foretime", build ? build : ".");
	(void)snprintf(store, sizeof store, "%s", temp_path("store.db"));
	(void)snprintf(state, sizeof state, "%s", temp_path("state"));
	make_programs();
	(void)chmod(temp_folder, 0755);
	(void)!chown(temp_folder, NOBODY, NOBODY);
	test_haste();
	ft_clock_set(NULL);
	temp_remove();
	return done();
}
