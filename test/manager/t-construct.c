/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Construction with real sweeps and real benchmarks, and a clock that the test puts forward: models are
 * built, what others do holds benchmarks, failures back off, and nothing runs on when the manager is gone. */
#include "construct-world.h"

/* ---- building ------------------------------------------------------------------------------------------ */

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
	int i;

	for (i = 0; i < N; i++)
		n += (size_t)snprintf(
			conf + n, sizeof conf - n, "%s%s%d%s", i ? ", " : "", "{ name = \"p", i,
			"\"; command = \"@/quick {n}\"; parameters = \"n=1:8\"; method = \"naive\"; "
			"points = 2; reps_least = 1; reps_most = 1; }");
	(void)snprintf(conf + n, sizeof conf - n, " );");
	if (!begin(conf_of(conf), false))
		return;
	while (seen.model < N && seen.failed == 0 && wait_for(ran_so, seen.ran + 1)) {
		struct ft_told_benchmarks told;
		size_t busy = 0, k;

		if (ft__construct_told(construct, &told, NULL))
			break;
		for (k = 0; k < told.n; k++)
			busy += !strcmp(told.problem[k].state, "runs");
		free(told.problem);
		most = busy > most ? busy : most;
		if (seen.ran >= 2 * N)
			(void)wait_for(model_so, N);
	}
	ok(seen.model == N && !seen.failed, "twenty problems: %u models", seen.model);
	ok(most <= 1, "one benchmark at a time");
	end();
}

/* ---- held ---------------------------------------------------------------------------------------------- */

static void test_halt(void)
{
	static const char conf[] = UNLESS_HALT("freeze") "problems = ( " PROBLEM("a", "slow", "") " );";

	if (!begin(conf_of(conf), false))
		return;
	ok(wait_for(started_so, 1), "a benchmark runs");
	turn_for(0.3);
	(void)temp_write(temp_path("halt"), "", 0600);
	ok(wait_for(frozen_so, 1) && !strcmp(state_of(0), "frozen"), "a halt file freezes it: %s", seen.last);
	/* To stand still takes it a while on a machine that is busy. */
	while (!ft__construct_quiet(construct))
		turn();
	turn_for(1.5);
	ok(seen.ran == 0, "it stands still for longer than it needs");
	(void)unlink(temp_path("halt"));
	ok(wait_for(thawed_so, 1) && wait_for(ran_so, 1), "the file is gone: it goes on, to its end");
	ok(seen.frozen_s > 1.4 && !seen.ended, "and says for how long it stood: %g s", seen.frozen_s);
	ok(wait_for(started_so, 2), "another one");
	(void)temp_write(temp_path("halt"), "", 0600);
	ok(wait_for(frozen_so, 2), "frozen, too");
	pass(3599);
	turn();
	ok(!seen.ended, "an hour of patience");
	pass(2);
	ok(wait_for(ended_so, 1) && strstr(seen.last, "patient"), "is over: %s", seen.last);
	turn_for(0.3);
	ok(seen.started == 2 && !strcmp(state_of(0), "waits"), "nothing runs");
	(void)unlink(temp_path("halt"));
	ok(wait_for(ran_so, 3) && wait_for(model_so, 1), "the rest when it is gone");
	ok(runs_of("a") == (long)seen.ran, "all is kept: %ld", runs_of("a"));
	end();
}

static void test_stubborn(void)
{
	static const char conf[] = UNLESS_HALT("end") "problems = ( " PROBLEM("a", "stubborn", "") " );";

	if (!begin(conf_of(conf), false))
		return;
	ok(wait_for(started_so, 1), "one that hears no SIGTERM");
	(void)temp_write(temp_path("halt"), "", 0600);
	ok(wait_for(ended_so, 1), "is ended nevertheless: %s", seen.last);
	(void)unlink(temp_path("halt"));
	end();
}

/* ---- failures ------------------------------------------------------------------------------------------ */

static void test_failures(void)
{
	static const char conf[] = "problems = ( " PROBLEM("a", "slow", "priority = 1;") ", " PROBLEM(
		"b", "quick", "") ", " PROBLEM("c", "bad", "") " );";
	pid_t keeper, sweep;

	if (!begin(conf_of(conf), false))
		return;
	ok(wait_for(started_so, 1), "a sweep");
	keeper = child_of(getpid(), "foretime-keeper");
	sweep = keeper ? child_of(keeper, "foretime") : 0;
	ok(sweep && !kill(sweep, SIGKILL), "that is killed (%ld)", (long)sweep);
	ok(wait_for(failed_so, 1) && seen.again_s > 59 && seen.again_s < 60.1, "backs off for a minute: %s",
	   seen.last);
	ok(wait_for(model_so, 1) && !strncmp(seen.order, "b ", 2), "others go on meanwhile: %s", seen.order);
	ok(wait_for(failed_so, 2), "where all benchmarks fail that is told: %s", seen.last);
	ok(!strcmp(state_of(0), "failed") && !strcmp(state_of(2), "failed"), "both wait");
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
		    "nobody asked"},
		   {"#!/bin/sh\necho '{\"event\":\"failed\",\"error\":\"it is so\"}'; exit 2\n", "it is so"},
		   {"#!/bin/sh\nprintf 'no\\303' >&2; exit 7\n", "status 7: no?"},
		   {"#!/bin/sh\nyes | head -c 1000000 | tr -d '\\n'; exec sleep 100\n", "not understood"}};
	char before[PATH_MAX];
	size_t i;

	(void)snprintf(before, sizeof before, "%s", command);
	(void)snprintf(command, sizeof command, "%s", temp_path("foretime"));
	for (i = 0; i < sizeof row / sizeof *row && begin(conf_of(conf), true); i++) {
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

/* ---- going on ------------------------------------------------------------------------------------------ */

static void test_reload(void)
{
	static const char before[] = "problems = ( " PROBLEM("stays", "slow", "priority = 3;") ", " PROBLEM(
		"goes", "slow", "") " );",
			  after[] = "problems = ( " PROBLEM("comes", "quick", "priority = 1;") ", " PROBLEM(
				  "stays", "slow", "priority = 3;") " );";
	struct ft_manager_config other = {0};
	struct ft_err err = {0};

	if (!begin(conf_of(before), false))
		return;
	ok(wait_for(ran_so, 1) && wait_for(started_so, 2), "one of two is at work");
	if (!read_config(&other, conf_of(after)))
		return;
	ok(!ft__construct_take(construct, &other, &err) && !strcmp(state_of(1), "runs"),
	   "another configuration, in which it stands elsewhere: it runs on");
	ft_manager_config_clear(&config);
	config = other;
	ok(wait_for(model_so, 2) && !strcmp(seen.order, "stays comes "), "to its end: %s", seen.order);
	ok(seen.failed == 0 && seen.ended == 0 && runs_of("goes") < 0,
	   "nothing was lost, the other is not built");
	end();
}

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

/* A timing of somebody else, at a size that would be run. */
static bool submit(const char *name, double n)
{
	struct ft_sample sample = {
		.value = 0.01, .label = FT_MEASURED, .resource = "wall_s", .probe = "told"};
	struct ft_program program = {0};
	struct ft_machine machine = {0};
	struct ft_store *opened = NULL;
	struct ft_run run;
	bool good;

	ft_run_init(&run);
	run.size = (struct ft_size){.n = 1, .value = {n}};
	run.outcome = FT_DONE;
	run.sample = &sample;
	run.n_samples = 1;
	good = !ft_store_open(&opened, store, 0, NULL) && !ft_machine_read("", &machine, NULL) &&
	       !ft_store_put_machine(opened, &machine, NULL) &&
	       !ft_store_get_program(opened, name, &program, NULL) &&
	       !ft_store_add_run(opened, program.id, machine.id, &run, NULL);
	ft_program_clear(&program);
	ft_machine_clear(&machine);
	ft_store_close(opened);
	return good;
}

static void test_submitted(void)
{
	static const char conf[] = "problems = ( " PROBLEM("a", "slow", "") " );";
	unsigned ran;

	if (!begin(conf_of(conf), false))
		return;
	ok(wait_for(model_so, 1), "a model of its own runs");
	ran = seen.ran;
	end();
	if (!begin(conf_of(conf), false))
		return;
	ok(wait_for(started_so, 2) && submit("a", 8) && submit("a", 1), "two timings while it is built");
	ft__construct_stale(construct);
	ok(wait_for(model_so, 1) && seen.ran == ran - 2 && runs_of("a") == (long)ran,
	   "save two benchmarks of %u", ran);
	end();
}

static void test_state(void)
{
	static const char conf[] = "problems = ( " PROBLEM("a", "quick", "") " );";
	struct ft_told_benchmarks told = {0};

	if (!begin(conf_of(conf), false))
		return;
	ok(wait_for(model_so, 1), "built");
	ft__construct_free(construct);
	ok(begin_again(false) && !ft__construct_told(construct, &told, NULL) &&
		   told.problem[0].complete == 1 && !seen.failed,
	   "what it stood at outlives it");
	free(told.problem);
	ok(wait_for(model_so, 1) && seen.ran == 0, "nothing of it is run twice");
	ft__construct_free(construct);
	(void)temp_write(state, "{\"problems\": [", 0600);
	ok(begin_again(false) && seen.failed == 1 && strstr(seen.last, "broken"), "a broken file is told: %s",
	   seen.last);
	ok(wait_for(model_so, 1), "and does no harm");
	end();
}

/* Not one is left, of a name that is given once. */
static bool all_gone(const char *name)
{
	int i;

	for (i = 0; i < 100 && is_there(name); i++) {
		struct timespec rest = {.tv_nsec = 100000000};

		(void)nanosleep(&rest, NULL);
	}
	return i < 100;
}

static void test_killed(void)
{
	static const char conf[] = "problems = ( " PROBLEM("a", "endless", "") " );";
	int pipe_fd[2], status = 0;
	pid_t manager;
	char told;

	/* The first two sizes are quick, and kept. */
	(void)temp_write(temp_path("endless"), "#!/bin/sh\n[ -e $0.$1 ] && exec sleep 1000\n:>$0.$1\n", 0755);
	(void)read_config(&config, conf_of(conf));
	if (pipe(pipe_fd))
		return;
	(void)fflush(NULL);
	manager = fork();
	if (!manager) {
		if (!begin_again(false))
			_exit(1);
		while (wait_for(started_so, seen.started + 1))
			(void)!write(pipe_fd[1], "s", 1);
		_exit(0);
	}
	(void)close(pipe_fd[1]);
	while (read(pipe_fd[0], &told, 1) == 1 && runs_of("a") < 1)
		;
	turn_for(0);
	(void)kill(manager, SIGKILL);
	(void)waitpid(manager, &status, 0);
	(void)close(pipe_fd[0]);
	ok(runs_of("a") >= 1, "what was finished is in the store: %ld", runs_of("a"));
	ok(WIFSIGNALED(status) && all_gone("endless"), "no benchmark runs on when the manager is killed");
	ft_manager_config_clear(&config);
}

/* ---- the document's example ---------------------------------------------------------------------------- */

/* Friday 23:30 to Saturday, with a clock that is put forward; the user's process is a file's. */
static void test_example(void)
{
	static const char conf[] = "policies = ( { when = \"sat-sun\"; } );\n"
				   "problems = ( " PROBLEM("usual", "quick", "") ", " PROBLEM(
					   "urgent", "slow",
					   "priority = 30; policies = ( { when = \"sat-sun\"; }, { when = "
					   "\"mon-fri\"; conditions = ( { type = \"halt_file\"; path = "
					   "\"@/halt\"; } ); } ); ") " );";
	struct tm friday = {.tm_year = 126, .tm_mon = 10, .tm_mday = 27, .tm_hour = 22};

	real_ns = (int64_t)timegm(&friday) * 1000000000;
	forward_ns = 0;
	(void)temp_write(temp_path("halt"), "", 0600);
	if (!begin(conf_of(conf), false))
		return;
	turn_for(0.3);
	ok(!seen.started, "Friday night, and a process is there: nothing runs");
	pass(3600);
	(void)unlink(temp_path("halt"));
	ok(wait_for(started_so, 1) && !strcmp(state_of(1), "runs"), "it has gone: the urgent one");
	ok(wait_for(model_so, 1) && !strcmp(seen.order, "urgent "), "is built");
	turn_for(0.3);
	ok(!strcmp(state_of(0), "waits"), "and nothing else");
	pass(3600);
	ok(wait_for(model_so, 2), "Saturday: the usual one");
	end();
	real_ns = 0;
}

int main(void)
{
	if (!begin_world()) {
		skip("construction", "root that cannot be somebody else");
		return done();
	}
	test_build();
	test_halt();
	test_failures();
	test_nonsense();
	test_changed();
	test_reload();
	test_again();
	test_written();
	test_crashing();
	test_submitted();
	test_state();
	test_killed();
	test_example();
	if (!test_quick() && !test_sanitized()) {
		test_twenty();
		test_contract();
		test_stubborn();
	}
	ft_clock_set(NULL);
	temp_remove();
	return done();
}
