/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Construction whose sweeps and keepers go while they are at work: what comes after them runs, and alone. */
#include "construct-world.h"

/* What stands still goes, by itself or by a configuration without it: others run when they may. */
static void test_gone_frozen(void)
{
	static const char both[] = UNLESS_HALT("freeze") "problems = ( " PROBLEM(
		"a", "slow", "priority = 1;") ", " PROBLEM("b", "quick", "") " );",
			  one[] = UNLESS_HALT("freeze") "problems = ( " PROBLEM("b", "quick", "") " );";
	struct ft_manager_config other = {0};
	int way;

	for (way = 0; way < 2 && begin(conf_of(both), false); way++) {
		ok(wait_for(started_so, 1), "a benchmark");
		(void)temp_write(temp_path("halt"), "", 0600);
		ok(wait_for(frozen_so, 1), "stands still");
		if (way) {
			if (!read_config(&other, conf_of(one)) ||
			    !ok(!ft__construct_take(construct, &other, NULL), "is not wanted any more"))
				break;
			ft_manager_config_clear(&config);
			config = other;
		} else {
			(void)kill(child_of(child_of(getpid(), "foretime-keeper"), "foretime"), SIGKILL);
			ok(wait_for(failed_so, 1), "and is killed: %s", seen.last);
		}
		(void)unlink(temp_path("halt"));
		ok(wait_for(model_so, 1) && !strcmp(seen.order, "b "), "the other is built: %s", seen.order);
		end();
	}
	(void)unlink(temp_path("halt"));
}

/* A keeper is killed: its benchmark is gone before another one begins, running or not. */
static void test_keeper(void)
{
	static const char conf[] = UNLESS_HALT("freeze") "problems = ( " PROBLEM(
		"a", "lasting", "priority = 1;") ", " PROBLEM("b", "quick", "") " );";
	int frozen;

	(void)temp_write(temp_path("lasting"), "#!/bin/sh\nsleep 1000\n", 0755);
	for (frozen = 0; frozen < 2 && begin(conf_of(conf), false); frozen++) {
		ok(wait_for(started_so, 1), "a benchmark");
		while (!is_there("lasting"))
			turn();
		if (frozen) {
			(void)temp_write(temp_path("halt"), "", 0600);
			ok(wait_for(frozen_so, 1), "that stands still");
		}
		(void)kill(child_of(getpid(), "foretime-keeper"), SIGKILL);
		ok(wait_for(failed_so, 1), "its keeper is killed: %s", seen.last);
		(void)unlink(temp_path("halt"));
		ok(wait_for(started_so, 2) && !is_there("lasting"), "it is gone when another one begins");
		ok(wait_for(model_so, 1), "which is built");
		end();
	}
}

int main(void)
{
	if (!begin_world()) {
		skip("construction", "root that cannot be somebody else");
		return done();
	}
	test_gone_frozen();
	test_keeper();
	ft_clock_set(NULL);
	temp_remove();
	return done();
}
