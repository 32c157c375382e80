/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Construction while the world is odd: somebody sets the clock, or the disk is full. */
#include "construct-world.h"

#include <sched.h>
#include <sys/mount.h>

/* Ten years on, and back: what was waited for in seconds is waited for as long, neither less nor for ever. */
static void test_clock(void)
{
	static const char conf[] = UNLESS_HALT("freeze") "problems = ( " PROBLEM(
		"a", "held", "priority = 1;") ", " PROBLEM("b", "bad", "") " );";
	const int64_t years_ns = 10 * 365 * INT64_C(86400000000000);
	int64_t now_ns = system_ns(CLOCK_REALTIME);

	hold_all();
	if (!begin(conf_of(conf), false))
		return;
	ok(one_is_held(), "a benchmark");
	(void)temp_write(temp_path("halt"), "", 0600);
	ok(wait_for(frozen_so, 1), "stands still");
	real_ns = now_ns + years_ns;
	turn_for(0.3);
	ok(!seen.ended && !strcmp(state_of(0), "frozen"), "the clock is set ten years on: it stands: %s",
	   seen.last);
	real_ns = now_ns - years_ns;
	turn_for(0.3);
	ok(!seen.ended, "and back: it stands");
	let_all_end();
	(void)unlink(temp_path("halt"));
	(void)wait_for(ran_so, 1);
	ok(seen.frozen_s > 0.5 && seen.frozen_s < 3600, "it stood for %g s", seen.frozen_s);
	ok(wait_for(model_so, 1), "its model is built");
	(void)wait_for(failed_so, 1);
	ok(seen.again_s > 59 && seen.again_s < 60.1, "what fails is tried again in %g s", seen.again_s);
	real_ns = now_ns + years_ns;
	turn_for(0.3);
	ok(!strcmp(state_of(1), "failed"), "a clock that is set makes no minute: it %s", state_of(1));
	real_ns = now_ns - years_ns;
	pass(61);
	turn();
	ok(!strcmp(state_of(1), "begins"), "nor does it take one away: it %s", state_of(1));
	real_ns = 0;
	end();
}

/* A disk of our own, where nobody else sees it. */
#define SMALL "/mnt"

static bool mount_small(void)
{
	return !unshare(CLONE_NEWNS) && !mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) &&
	       !mount("tmpfs", SMALL, "tmpfs", 0, "size=1m,mode=777");
}

static void fill(const char *path)
{
	static char block[4096];
	FILE *file = fopen(path, "w");

	while (file && fwrite(block, sizeof block, 1, file) == 1 && !fflush(file))
		continue;
	if (file)
		(void)fclose(file);
}

static void test_full(bool small)
{
	static const char conf[] = "problems = ( " PROBLEM("a", "held", "") " );";
	char before[PATH_MAX];

	if (!small) {
		skip("a full disk", "only root may mount one");
		return;
	}
	(void)snprintf(before, sizeof before, "%s", store);
	(void)snprintf(store, sizeof store, "%s", SMALL "/store.db");
	hold_all();
	if (begin(conf_of(conf), false)) {
		let_one_end();
		ok(wait_for(ran_so, 1), "a run");
		fill(SMALL "/filler");
		let_all_end();
		ok(wait_for(failed_so, 1) || seen.model == 1, "the disk is full: %s", seen.last);
		ok(runs_of("a") >= 0, "what was measured is read");
		(void)unlink(SMALL "/filler");
		pass(61);
		ok(wait_for(model_so, 1), "there is room again: its model is built");
		ok(runs_of("a") >= 3 && runs_of("a") >= (long)seen.ran, "of all that was measured: %ld of %u",
		   runs_of("a"), seen.ran);
		end();
	}
	(void)snprintf(store, sizeof store, "%s", before);
}

int main(void)
{
	bool small = mount_small(); /* while this is root */

	if (!begin_world()) {
		skip("construction", "root that cannot be somebody else");
		return done();
	}
	test_clock();
	test_full(small);
	ft_clock_set(NULL);
	temp_remove();
	return done();
}
