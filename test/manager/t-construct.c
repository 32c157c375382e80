/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Construction with real sweeps and real benchmarks, and a clock that the test puts forward: models are
 * built, failures back off, and what it stood at outlives it. */
#include "construct-world.h"

static void test_build(void)
{
	static const char conf[] = "problems = ( " PROBLEM("low", "quick", "") ", " PROBLEM(
		"high", "quick", "priority = 7;") ", " PROBLEM("none", "nothere", "priority = 9;") " );";
	size_t failed;

	if (!begin(conf_of(conf), true))
		return;
	ok(wait_for(over_so, 0), "all is built");
	(void)ft__construct_over(construct, &failed);
	ok(failed == 1 && seen.failed == 1, "but what is not there: %s", seen.last);
	ok(!strcmp(seen.order, "high low "), "by priority: %s", seen.order);
	ok(runs_of("high") == (long)(seen.ran / 2) && runs_of("low") == runs_of("high") && seen.ran >= 6,
	   "each run is in the store: %u, %ld and %ld", seen.ran, runs_of("high"), runs_of("low"));
	end();
}

static void test_twenty(void)
{
	enum { N = 20 };
	static char conf[1 << 14];
	size_t n = (size_t)snprintf(conf, sizeof conf, "problems = ( "), most = 0;

	for (int i = 0; i < N; i++)
		n += (size_t)snprintf(
			conf + n, sizeof conf - n, "%s%s%d%s", i ? ", " : "", "{ name = \"p", i,
			"\"; command = \"@/quick {n}\"; parameters = \"n=1:8\"; method = \"naive\"; "
			"points = 2; reps_least = 1; reps_most = 1; }");
	(void)snprintf(conf + n, sizeof conf - n, " );");
	if (!begin(conf_of(conf), false))
		return;
	while (seen.model < N && seen.failed == 0 && wait_for(ran_so, seen.ran + 1)) {
		struct ft_answer_benchmarks answer;
		size_t busy = 0;

		if (ft__construct_answer(construct, &answer, NULL))
			break;
		for (size_t k = 0; k < answer.n; k++)
			busy += !strcmp(answer.problem[k].state, "runs");
		free(answer.problem);
		most = busy > most ? busy : most;
		if (seen.ran >= 2 * N)
			(void)wait_for(model_so, N);
	}
	ok(seen.model == N && !seen.failed, "twenty problems: %u models", seen.model);
	ok(most <= 1, "one benchmark at a time");
	end();
}

static void test_failures(void)
{
	static const char conf[] = "problems = ( " PROBLEM("a", "held", "priority = 1;") ", " PROBLEM(
		"b", "quick", "") ", " PROBLEM("c", "bad", "") " );";

	if (!begin(conf_of(conf), false))
		return;
	hold_all();
	ok(wait_for(started_so, 1), "a sweep");
	pid_t keeper = child_of(getpid(), "foretime-keeper");
	pid_t sweep = keeper ? child_of(keeper, "foretime") : 0;
	ok(sweep && !kill(sweep, SIGKILL), "that is killed (%ld)", (long)sweep);
	ok(wait_for(failed_so, 1) && seen.again_s > 59 && seen.again_s < 60.1, "backs off for a minute: %s",
	   seen.last);
	ok(wait_for(model_so, 1) && !strncmp(seen.order, "b ", 2), "others go on meanwhile: %s", seen.order);
	ok(wait_for(failed_so, 2), "where all benchmarks fail that is told: %s", seen.last);
	ok(!strcmp(state_of(0), "failed") && !strcmp(state_of(2), "failed"), "both wait");
	let_all_end();
	pass(61);
	ok(wait_for(model_so, 2) && !strcmp(state_of(0), "done"),
	   "the first is built when it is tried again");
	end();
}

/* Whatever it is that stands where foretime should. */
static void test_nonsense(void)
{
	static const char conf[] = "problems = ( " PROBLEM("a", "quick", "") " );";
	static const struct {
		const char *program, *why;
	} row[] = {{"#!/bin/sh\necho nonsense; exec sleep 100\n", "not understood"},
		   {"#!/bin/sh\necho '{\"event\":\"ready\"}'; echo '{\"event\":\"ready\"}'; exec sleep 100\n",
		    "sent an unexpected answer"},
		   {"#!/bin/sh\necho '{\"event\":\"failed\",\"error\":\"it is so\"}'; exit 2\n", "it is so"},
		   {"#!/bin/sh\nprintf 'no\\303' >&2; exit 7\n", "status 7: no?"},
		   {"#!/bin/sh\nyes | head -c 1000000 | tr -d '\\n'; exec sleep 100\n", "not understood"}};
	char before[PATH_MAX];

	(void)snprintf(before, sizeof before, "%s", command);
	(void)snprintf(command, sizeof command, "%s", temp_path("foretime"));
	for (size_t i = 0; i < sizeof row / sizeof *row && begin(conf_of(conf), true); i++) {
		(void)temp_write(command, row[i].program, 0755);
		ok(wait_for(over_so, 0) && seen.failed == 1 && strstr(seen.last, row[i].why), "%s: %s",
		   row[i].why, seen.last);
		end();
	}
	(void)snprintf(command, sizeof command, "%s", before);
}

static void test_changed(void)
{
	static const char conf[] = "problems = ( " PROBLEM("a", "mine", "") " );";

	(void)temp_write(temp_path("mine"), "#!/bin/sh\nsleep 0.2\n", 0755);
	if (!begin(conf_of(conf), false))
		return;
	ok(wait_for(ran_so, 1), "a program");
	(void)chmod(temp_path("mine"), 0757);
	ok(wait_for(failed_so, 1) && seen.ran <= 2, "that others may change is not run: %s", seen.last);
	(void)chmod(temp_path("mine"), 0755);
	pass(61);
	ok(wait_for(model_so, 1), "it is when they may not");
	end();
}

static void test_written(void)
{
	static const char conf[] =
		"problems = ( " PROBLEM("a", "quick", "model_path = \"@/knots\";") ", " PROBLEM(
			"b", "quick", "model_path = \"@/nowhere/knots\";") " );";

	if (!begin(conf_of(conf), false))
		return;
	ok(wait_for(model_so, 1) && !access(temp_path("knots"), R_OK),
	   "a model is written where it is to stand");
	ok(wait_for(failed_so, 1) && strstr(seen.last, "nowhere"), "where it cannot be that is told: %s",
	   seen.last);
	(void)mkdir(temp_path("nowhere"), 0755);
	pass(61);
	ok(wait_for(model_so, 2) && !access(temp_path("nowhere/knots"), R_OK), "and tried again");
	end();
}

static void test_state(void)
{
	static const char conf[] = "problems = ( " PROBLEM("a", "quick", "") " );";
	struct ft_answer_benchmarks answer = {0};

	if (!begin(conf_of(conf), false))
		return;
	ok(wait_for(model_so, 1), "built");
	ft__construct_free(construct);
	ok(begin_again(false) && !ft__construct_answer(construct, &answer, NULL) &&
		   answer.problem[0].complete == 1 && !seen.failed,
	   "what it stood at outlives it");
	free(answer.problem);
	ok(wait_for(model_so, 1) && seen.ran == 0, "nothing of it is run twice");
	ft__construct_free(construct);
	(void)temp_write(state, "{\"problems\": [", 0600);
	ok(begin_again(false) && seen.failed == 1 && strstr(seen.last, "damaged"),
	   "a broken file is told: %s", seen.last);
	ok(wait_for(model_so, 1), "and does no harm");
	end();
}

int main(void)
{
	if (!begin_world()) {
		skip("construction", "root that cannot be somebody else");
		return done();
	}
	test_build();
	test_failures();
	test_nonsense();
	test_changed();
	test_written();
	test_state();
	if (!test_quick() && !test_sanitized())
		test_twenty();
	ft_clock_set(NULL);
	temp_remove();
	return done();
}
