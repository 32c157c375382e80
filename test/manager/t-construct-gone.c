/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Construction whose sweeps and keepers go while they are at work: what comes after them runs, and alone. */
#include "construct-world.h"

/* What stands still goes, by itself or by a configuration without it: others run when they may. */
static void test_gone_frozen(void)
{
	static const char both[] = UNLESS_HALT("freeze") "problems = ( " PROBLEM(
		"a", "held", "priority = 1;") ", " PROBLEM("b", "quick", "") " );",
			  one[] = UNLESS_HALT("freeze") "problems = ( " PROBLEM("b", "quick", "") " );";
	struct ft_manager_config other = {0};

	hold_all();
	for (int way = 0; way < 2 && begin(conf_of(both), false); way++) {
		ok(one_is_held(), "a benchmark");
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
		hold_all();
	}
	(void)unlink(temp_path("halt"));
}

/* A keeper is killed: its benchmark is gone before another one begins, running or not. */
static void test_keeper(void)
{
	static const char conf[] = UNLESS_HALT("freeze") "problems = ( " PROBLEM(
		"a", "lasting", "priority = 1;") ", " PROBLEM("b", "quick", "") " );";

	(void)temp_write(temp_path("lasting"), "#!/bin/sh\nsleep 1000\n", 0755);
	for (int frozen = 0; frozen < 2 && begin(conf_of(conf), false); frozen++) {
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

/* What nothing may begin beside, as it says. */
static bool waits_for_left(void)
{
	struct ft_answer_health answer = {0};

	ft__construct_health(construct, &answer);
	return !strcmp(answer.state, "waits") && strstr(answer.why, "left of another benchmark");
}

/* Some turns in which nothing may begin. */
static void turn_some(void)
{
	for (int i = 0; i < 10; i++)
		turn();
}

/* A keeper that does not stir ends nothing, and so does what it keeps: who drops it does not wait for it,
 * nothing begins beside it, and after a while it is killed itself. Or it stirs again. */
static void test_stuck(void)
{
	static const char both[] =
		"problems = ( " PROBLEM("a", "lasting", "priority = 1;") ", " PROBLEM("b", "quick", "") " );",
			  one[] = "problems = ( " PROBLEM("b", "quick", "") " );";

	(void)temp_write(temp_path("lasting"), "#!/bin/sh\ntrap '' TERM INT HUP\nwhile :; do sleep 1; done\n",
			 0755);
	for (int stirs = 0; stirs < 2 && begin(conf_of(both), false); stirs++) {
		ok(wait_for(started_so, 1), "a benchmark");
		while (!is_there("lasting"))
			turn();
		pid_t keeper = child_of(getpid(), "foretime-keeper");
		(void)kill(keeper, SIGSTOP);
		struct ft_manager_config other = (struct ft_manager_config){0};
		if (!read_config(&other, conf_of(one)))
			break;
		ok(!ft__construct_take(construct, &other, NULL) && is_there("lasting"),
		   "it is not wanted any more, and not waited for, though it does not end");
		ft_manager_config_clear(&config);
		config = other;
		turn_some();
		ok(waits_for_left() && seen.started == 1 && is_there("lasting"), "nothing begins beside it");
		if (stirs)
			(void)kill(keeper, SIGCONT);
		else
			pass(31);
		ok(wait_for(started_so, 2) && !is_there("lasting"), "%s: it is gone, and another one begins",
		   stirs ? "its keeper stirs again" : "after half a minute");
		ok(wait_for(model_so, 1) && !seen.failed, "and is built");
		end();
	}
}

/* More problems than sweeps may be alive: the one that was at work longest ago makes room, when it is gone.
 */
static void test_room(void)
{
	enum { N = 9 };
	static const char sweep[] =
		"#!/bin/sh\necho '{\"event\":\"ready\"}'\nwhile read -r order; do\n"
		"echo "
		"'{\"event\":\"ran\",\"runs\":2,\"complete\":0.5,\"ran\":{\"size\":{\"n\":1},"
		"\"outcome\":\"done\"}}'\ndone\n";
	static char conf[1 << 14];
	size_t n = (size_t)snprintf(conf, sizeof conf, "order = \"pmm\"; problems = ( ");
	char before[PATH_MAX];

	for (int i = 0; i < N; i++)
		n += (size_t)snprintf(conf + n, sizeof conf - n, "%s{ name = \"p%d\"; %s }", i ? ", " : "", i,
				      "command = \"@/quick {n}\"; parameters = \"n=1:8\";");
	(void)snprintf(conf + n, sizeof conf - n, " );");
	(void)snprintf(before, sizeof before, "%s", command);
	(void)snprintf(command, sizeof command, "%s", temp_path("foretime"));
	(void)temp_write(command, sweep, 0755);
	if (!begin(conf_of(conf), false))
		return;
	ok(wait_for(started_so, 1), "the first of %d sweeps", (int)N);
	pid_t first = child_of(getpid(), "foretime-keeper");
	(void)kill(first, SIGSTOP);
	ok(wait_for(ran_so, N - 1), "all but one run");
	while (!waits_for_left() && seen.started < N)
		turn();
	turn_some();
	ok(seen.started == N - 1 && seen.ran == N - 1 && !kill(first, 0),
	   "the last one waits for the place of the first, whose keeper does not stir");
	(void)kill(first, SIGCONT);
	ok(wait_for(started_so, N) && kill(first, 0), "and has it when that is gone");
	end();
	(void)snprintf(command, sizeof command, "%s", before);
}

static bool news_so(unsigned n)
{
	return seen.ran + seen.model > n;
}

/* Their turns come one after the other, and each that begins displaces another one, whose first run, which
 * counts for nothing, would have to be made again: they get further all the same. */
static void test_turns(void)
{
	enum { N = 12, MOST = 5 * N };
	static char conf[1 << 14];
	size_t n = (size_t)snprintf(conf, sizeof conf, "problems = ( ");

	for (int i = 0; i < N; i++)
		n += (size_t)snprintf(
			conf + n, sizeof conf - n, "%s{ name = \"p%d\"; %s }", i ? ", " : "", i,
			"command = \"@/quick {n}\"; parameters = \"n=1:8\"; method = \"naive\"; "
			"points = 2; reps_least = 1; reps_most = 1;");
	(void)snprintf(conf + n, sizeof conf - n, " );");
	if (!begin(conf_of(conf), false))
		return;
	/* Which of them waits longest is known to the second. */
	while (seen.model < N && seen.ran < MOST && wait_for(news_so, seen.ran + seen.model))
		pass(2);
	ok(seen.model == N, "%d problems that take turns: %u models of %u runs", (int)N, seen.model,
	   seen.ran);
	end();
}

/* The version that comes when the last run is over, and its sweep is still there, is not told of again. */
static void test_overlooked(void)
{
	static const char conf[] = "problems = ( " PROBLEM("a", "apart/mine", "") " );";

	(void)mkdir(temp_path("apart"), 0755);
	(void)temp_write(temp_path("apart/mine"), "#!/bin/sh\nexit 0\n", 0755);
	if (!begin(conf_of(conf), false))
		return;
	ok(wait_for(ran_so, 4) && !seen.model, "four runs, and no model yet");
	(void)temp_write(temp_path("other"), "#!/bin/sh\nexit  0\n", 0755);
	(void)rename(temp_path("other"), temp_path("apart/mine"));
	ok(wait_for(model_so, 2) && seen.ran == 8, "what changes then is built again");
	end();
}

/* A manager that has a benchmark stand still; until it is killed. */
static void manage(const char *conf)
{
	char text[1 << 14];
	FILE *from;
	size_t n;

	if (!begin(conf, false) || !wait_for(started_so, 1))
		_exit(99);
	while (!is_there("stubborn"))
		turn();
	(void)temp_write(temp_path("halt"), "", 0600);
	do {
		turn();
		from = fopen(state, "r");
		n = from ? fread(text, 1, sizeof text - 1, from) : 0;
		text[n] = '\0';
		if (from)
			(void)fclose(from);
	} while (!strstr(text, "\"processes\":[["));
	(void)temp_write(temp_path("noted"), "", 0600);
	for (;;)
		turn();
}

/* Both are killed: what they leave is gone before the next manager's first benchmark. */
static void test_both(void)
{
	static const char conf[] = UNLESS_HALT("freeze") "problems = ( " PROBLEM("a", "stubborn", "") " );",
			  other[] = "problems = ( " PROBLEM("b", "quick", "") " );";

	(void)temp_path("");
	(void)fflush(NULL);
	pid_t manager = fork();
	if (!manager)
		manage(conf_of(conf));
	while (access(temp_path("noted"), F_OK))
		ft_clock_sleep(0.01);
	pid_t keeper = child_of(manager, "foretime-keeper");
	(void)kill(manager, SIGSTOP);
	(void)kill(keeper, SIGKILL);
	(void)kill(manager, SIGKILL);
	(void)waitpid(manager, NULL, 0);
	ft_clock_sleep(0.2);
	bool left = is_there("stubborn");
	diag("%s is left", left ? "something" : "nothing");
	(void)unlink(temp_path("halt"));
	show_clock();
	if (!read_config(&config, conf_of(other)) || !begin_again(false))
		return;
	/* What it started may be left without it. */
	ok(!is_there("stubborn") && (seen.ended || !left),
	   "a manager and its keeper are killed, and what stood: %s", seen.last);
	ok(wait_for(model_so, 1), "and what is next is built");
	end();
}

int main(void)
{
	if (!begin_world()) {
		skip("construction", "root that cannot be somebody else");
		return done();
	}
	test_gone_frozen();
	test_keeper();
	test_stuck();
	test_room();
	test_turns();
	test_overlooked();
	test_both();
	ft_clock_set(NULL);
	temp_remove();
	return done();
}
