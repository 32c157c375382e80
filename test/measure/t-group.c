/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-group.c - runs at the same time: each is measured by itself, and each is ended that must be. */
#include "base/alloc.h"
#include "facts/door.h"
#include "foretime/measure.h"
#include "measure/door.h"
#include "tap.h"

enum { PLACES = 4 };

static char shell[] = "sh", option[] = "-c";

static struct ft_program program_of(char **argv, char *script)
{
	struct ft_program program = {.argv = argv, .argc = 3};

	argv[0] = shell;
	argv[1] = option;
	argv[2] = script;
	argv[3] = NULL;
	return program;
}

static struct ft_group *open_group(const struct ft_program *program)
{
	const struct ft_launch launch = {.program = program, .counters = "none"};
	struct ft_group *group;
	struct ft_err err = {0};

	if (ft_group_open(&group, &launch, PLACES, &err))
		diag("%s", err.text);
	return group;
}

/* Each waits for all others to be there: they do run at once. */
static void test_together(void)
{
	char script[] =
		"cd \"$FORETIME_TEST_GROUP\" || exit 9; : >here.$$; i=0;"
		"while [ \"$(ls | wc -l)\" -lt 4 ] && [ $i -lt 500 ]; do sleep 0.02; i=$((i + 1)); done;"
		"[ $i -lt 500 ]";
	char folder[] = "/tmp/t-group-XXXXXX", clean[128], *argv[4];
	const struct ft_program program = program_of(argv, script);
	const struct ft_size size = {0};
	struct ft_runs runs = {0};
	struct ft_err err = {0};
	size_t good = 0;

	ok(mkdtemp(folder) && !setenv("FORETIME_TEST_GROUP", folder, 1), "a folder");
	struct ft_group *group = open_group(&program);
	ok(group && ft_group_run(group, &size, PLACES, 60, &runs, &err) == FT_OK && runs.n == PLACES,
	   "four at once: %s", err.text);
	for (size_t i = 0; i < runs.n; i++)
		good += runs.run[i].outcome == FT_DONE && ft_run_value(&runs.run[i], &ft_wall_s) > 0 &&
			ft_run_footprint(&runs.run[i]) > 0;
	ok(good == PLACES, "each saw all others, and was measured: %zu", good);
	ft_runs_clear(&runs);
	ok(ft_group_run(group, &size, PLACES + 1, 1, &runs, &err) == FT_EINVAL && !runs.n,
	   "no room for five");
	ok(ft_group_run(group, &size, 0, 1, &runs, &err) == FT_EINVAL, "none at all");
	ft_group_close(group);
	ft_group_close(NULL);
	(void)snprintf(clean, sizeof clean, "rm -r %s", folder);
	ok(!system(clean), "removed");
}

static void test_ended(void)
{
	char script[] = "sleep 600", *argv[4];
	const struct ft_program program = program_of(argv, script);
	const struct ft_size size = {0};
	volatile sig_atomic_t flag = 0;
	struct ft_group *group = open_group(&program);
	struct ft_runs runs = {0};

	ok(group && ft_group_run(group, &size, 3, 0.2, &runs, NULL) == FT_OK && runs.n == 3 &&
		   runs.run[0].outcome == FT_TIMED_OUT && runs.run[2].outcome == FT_TIMED_OUT,
	   "those that hang are ended at their limit");
	ft_runs_clear(&runs);
	flag = SIGINT;
	ft_group_interrupt(group, &flag);
	ok(ft_group_run(group, &size, 2, 0, &runs, NULL) == FT_OK && runs.n == 2 &&
		   runs.run[1].outcome == FT_INTERRUPTED,
	   "... and all of them when somebody wishes it");
	ft_runs_clear(&runs);
	ft_group_close(group);
}

static void test_faults(void)
{
	char script[] = "true", *argv[4];
	const struct ft_program program = program_of(argv, script);
	const struct ft_launch launch = {.program = &program, .counters = "none"};
	struct ft_group *group;
	bool passed = false, good = true;
	unsigned long n;

	for (n = 1; n < 300 && !passed && good; n++) {
		(void)ft_alloc_fail_at(n);
		enum ft_status status = ft_group_open(&group, &launch, 2, NULL);
		(void)ft_alloc_fail_at(0);
		passed = !status;
		good = passed || (status == FT_ENOMEM && !group);
		ft_group_close(group);
	}
	ok(passed && good, "each allocation may fail: %lu did", n - 2);
}

int main(void)
{
	test_together();
	test_ended();
	test_faults();
	return done();
}
