/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Models that are there are built again: of programs that changed, that came back, that break their contract.
 */
#include "construct-world.h"

static void test_again(void)
{
	static const char conf[] = "problems = ( " PROBLEM("a", "cur/mine", "") " );";
	struct ft__state first = {(char *)"a", (char *)"1"}, second = {(char *)"a", (char *)"2"};
	unsigned ran;

	(void)!symlink(".", temp_path("cur"));
	(void)temp_write(temp_path("mine"), "#!/bin/sh\nexit 0\n", 0755);
	if (!begin(conf_of(conf), false))
		return;
	ok(wait_for(model_so, 1), "a model");
	(void)temp_write(temp_path("other"), "#!/bin/sh\nexit  0\n", 0755);
	(void)rename(temp_path("other"), temp_path("mine"));
	ran = seen.ran;
	ok(wait_for(model_so, 2) && seen.ran == 2 * ran, "another version of the program: another model");
	ft__construct_give(construct, &first, 1);
	ft__construct_give(construct, &second, 1);
	turn_for(0.3);
	ok(seen.model == 2, "what others add at once waits");
	pass(601);
	ft__construct_give(construct, &first, 1);
	turn_for(0.3);
	ok(seen.model == 2, "nothing was added");
	ft__construct_give(construct, &second, 1);
	ok(wait_for(model_so, 3) && seen.ran == 2 * ran, "something was: it is looked at again");
	(void)unlink(temp_path("mine"));
	ok(wait_for(failed_so, 1), "it is gone: %s", seen.last);
	(void)temp_write(temp_path("mine"), "#!/bin/sh\nexit 0\n", 0755);
	ok(wait_for(model_so, 4) && !strcmp(state_of(0), "done"), "it is back, and not waited for");
	(void)mkdir(temp_path("new"), 0755);
	(void)temp_write(temp_path("new/mine"), "#!/bin/sh\nexit  0\n", 0755);
	(void)unlink(temp_path("cur"));
	(void)!symlink("new", temp_path("cur"));
	pass(61);
	ok(wait_for(model_so, 5), "a link that leads elsewhere is seen within a minute");
	end();
}

static void test_contract(void)
{
	static const char conf[] = "problems = ( " PROBLEM("a", "mine", "contract = true;") " );";

	(void)temp_write(temp_path("mine"), "#!/bin/sh\nexit 0\n", 0755);
	if (!begin(conf_of(conf), false))
		return;
	ok(wait_for(model_so, 1) && !seen.kept && !seen.broken, "a model with a contract");
	(void)temp_write(temp_path("other"), "#!/bin/sh\nsleep 2\n", 0755);
	(void)rename(temp_path("other"), temp_path("mine"));
	ok(wait_for(broken_so, 1) && strstr(seen.last, "wall_s") && strstr(seen.last, ": over"),
	   "a version that takes seconds more breaks it: %s", seen.last);
	ok(wait_for(model_so, 2), "and is built");
	/* One that takes as long would have to do so to the millisecond, in processor time too, on a machine
	 * that others use. */
	(void)temp_write(temp_path("other"), "#!/bin/sh\nexit  0\n", 0755);
	(void)rename(temp_path("other"), temp_path("mine"));
	ok(wait_for(kept_so, 1) && seen.broken == 1, "one that takes less keeps it: %s", seen.last);
	end();
}

/* Another version, in the place of the one before. */
static void put(const char *program)
{
	(void)temp_write(temp_path("other"), program, 0755);
	(void)rename(temp_path("other"), temp_path("mine"));
}

static void test_crashing(void)
{
	static const char conf[] = "problems = ( " PROBLEM("a", "mine", "contract = true;") " );";

	put("#!/bin/sh\nexit 0\n");
	if (!begin(conf_of(conf), false))
		return;
	ok(wait_for(model_so, 1), "a model with a contract");
	put("#!/bin/sh\nexit 3\n");
	ok(wait_for(broken_so, 1) && strstr(seen.last, "status 3"), "a version that fails breaks it: %s",
	   seen.last);
	ok(wait_for(failed_so, 1) && seen.broken == 1, "which is told once: %s", seen.last);
	put("#!/bin/sh\nexit  0\n");
	ok(wait_for(model_so, 2) && seen.kept == 0 && seen.broken == 1 && seen.failed == 2,
	   "what comes after it is held to nothing, for there is no model, and built: %s", seen.last);
	ft__construct_free(construct);
	put("#!/bin/sh\nexit 4\n");
	ok(begin_again(false) && wait_for(broken_so, 1) && strstr(seen.last, "status 4"),
	   "one that came while nobody looked is held to it: %s", seen.last);
	ok(wait_for(failed_so, 1), "and fails: %s", seen.last);
	(void)unlink(store);
	put("#!/bin/sh\nexit   0\n");
	ok(wait_for(failed_so, 2) && wait_for(model_so, 1) && seen.broken == 1 && seen.failed == 2,
	   "where nothing can be decided that is told, and it is built: %s", seen.last);
	end();
}

int main(void)
{
	if (!begin_world()) {
		skip("construction", "root that cannot be somebody else");
		return done();
	}
	test_again();
	test_crashing();
	if (!test_quick() && !test_sanitized())
		test_contract();
	ft_clock_set(NULL);
	temp_remove();
	return done();
}
