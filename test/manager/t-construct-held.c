/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Construction that is held, by what others do, by the calendar, by another configuration; what is submitted
 * meanwhile; and nothing runs on when the manager is gone. */
#include "construct-world.h"

static void test_halt(void)
{
	static const char conf[] = UNLESS_HALT("freeze") "problems = ( " PROBLEM("a", "held", "") " );";

	hold_all();
	if (!begin(conf_of(conf), false))
		return;
	ok(one_is_held(), "a benchmark runs");
	(void)temp_write(temp_path("halt"), "", 0600);
	ok(wait_for(frozen_so, 1) && !strcmp(state_of(0), "frozen"), "a halt file freezes it: %s", seen.last);
	/* To stand still takes it a while on a machine that is busy. */
	while (!ft__construct_quiet(construct))
		turn();
	let_one_end();
	turn_for(0.5);
	ok(seen.ran == 0, "it stands still, though it need not wait any more");
	(void)unlink(temp_path("halt"));
	ok(wait_for(thawed_so, 1) && wait_for(ran_so, 1), "the file is gone: it goes on, to its end");
	ok(seen.frozen_s > 0.4 && !seen.ended, "and says for how long it stood: %g s", seen.frozen_s);
	ok(wait_for(started_so, 2) && one_is_held(), "another one");
	(void)temp_write(temp_path("halt"), "", 0600);
	ok(wait_for(frozen_so, 2), "frozen, too");
	pass(3599);
	turn();
	ok(!seen.ended, "an hour of patience");
	pass(2);
	ok(wait_for(ended_so, 1) && strstr(seen.last, "its policies allow"), "is over: %s", seen.last);
	turn_for(0.3);
	ok(seen.started == 2 && !strcmp(state_of(0), "waits"), "nothing runs");
	let_all_end();
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

static void test_reload(void)
{
	static const char before[] = "problems = ( " PROBLEM("stays", "held", "priority = 3;") ", " PROBLEM(
		"goes", "held", "") " );",
			  after[] = "problems = ( " PROBLEM("comes", "quick", "priority = 1;") ", " PROBLEM(
				  "stays", "held", "priority = 3;") " );";
	struct ft_manager_config other = {0};
	struct ft_err err = {0};

	hold_all();
	if (!begin(conf_of(before), false))
		return;
	let_one_end();
	ok(wait_for(ran_so, 1) && wait_for(started_so, 2), "one of two is at work");
	if (!read_config(&other, conf_of(after)))
		return;
	ok(!ft__construct_take(construct, &other, &err) && !strcmp(state_of(1), "runs"),
	   "another configuration, in which it stands elsewhere: it runs on");
	ft_manager_config_clear(&config);
	config = other;
	let_all_end();
	ok(wait_for(model_so, 2) && !strcmp(seen.order, "stays comes "), "to its end: %s", seen.order);
	ok(seen.failed == 0 && seen.ended == 0 && runs_of("goes") < 0,
	   "nothing was lost, the other is not built");
	end();
}

/* A timing of somebody else, at a size that would be run. */
static bool submit(const char *name, double n)
{
	struct ft_sample sample = {
		.value = 0.01, .label = FT_MEASURED, .resource = &ft_wall_s, .probe = "told"};
	struct ft_program program = {0};
	struct ft_machine machine = {0};
	struct ft_store *opened = NULL;
	struct ft_run run;

	ft_run_init(&run);
	run.size = (struct ft_size){.n = 1, .value = {n}};
	run.outcome = FT_DONE;
	run.sample = &sample;
	run.n_samples = 1;
	bool good = !ft_store_open(&opened, store, 0, NULL) && !ft_machine_read("", &machine, NULL) &&
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
	static const char conf[] = "problems = ( " PROBLEM("a", "held", "") " );";
	unsigned ran;

	let_all_end();
	if (!begin(conf_of(conf), false))
		return;
	ok(wait_for(model_so, 1), "a model of its own runs");
	ran = seen.ran;
	end();
	hold_all();
	if (!begin(conf_of(conf), false))
		return;
	let_one_end();
	ok(wait_for(started_so, 2) && submit("a", 8) && submit("a", 1), "two timings while it is built");
	ft__construct_stale(construct);
	let_all_end();
	ok(wait_for(model_so, 1) && seen.ran == ran - 2 && runs_of("a") == (long)ran,
	   "save two benchmarks of %u", ran);
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
	char answer;

	/* The first two sizes are quick, and kept. */
	(void)temp_write(temp_path("endless"), "#!/bin/sh\n[ -e $0.$1 ] && exec sleep 1000\n:>$0.$1\n", 0755);
	(void)read_config(&config, conf_of(conf));
	if (pipe(pipe_fd))
		return;
	(void)fflush(NULL);
	pid_t manager = fork();
	if (!manager) {
		if (!begin_again(false))
			_exit(1);
		while (wait_for(started_so, seen.started + 1))
			(void)!write(pipe_fd[1], "s", 1);
		_exit(0);
	}
	(void)close(pipe_fd[1]);
	while (read(pipe_fd[0], &answer, 1) == 1 && runs_of("a") < 1)
		;
	turn_for(0);
	(void)kill(manager, SIGKILL);
	(void)waitpid(manager, &status, 0);
	(void)close(pipe_fd[0]);
	ok(runs_of("a") >= 1, "what was finished is in the store: %ld", runs_of("a"));
	ok(WIFSIGNALED(status) && all_gone("endless"), "no benchmark runs on when the manager is killed");
	ft_manager_config_clear(&config);
}

/* Friday 23:30 to Saturday, with a clock that is put forward; the user's process is a file's. */
static void test_example(void)
{
	static const char conf[] = "policies = ( { when = \"sat-sun\"; } );\n"
				   "problems = ( " PROBLEM("usual", "quick", "") ", " PROBLEM(
					   "urgent", "held",
					   "priority = 30; policies = ( { when = \"sat-sun\"; }, { when = "
					   "\"mon-fri\"; conditions = ( { type = \"halt_file\"; path = "
					   "\"@/halt\"; } ); } ); ") " );";
	struct tm friday = {.tm_year = 126, .tm_mon = 10, .tm_mday = 27, .tm_hour = 22};

	real_ns = (int64_t)timegm(&friday) * 1000000000;
	forward_ns = 0;
	(void)temp_write(temp_path("halt"), "", 0600);
	hold_all();
	if (!begin(conf_of(conf), false))
		return;
	turn_for(0.3);
	ok(!seen.started, "Friday night, and a process is there: nothing runs");
	pass(3600);
	(void)unlink(temp_path("halt"));
	ok(wait_for(started_so, 1) && !strcmp(state_of(1), "runs"), "it has gone: the urgent one");
	let_all_end();
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
	test_halt();
	test_reload();
	test_submitted();
	test_killed();
	test_example();
	if (!test_quick() && !test_sanitized())
		test_stubborn();
	ft_clock_set(NULL);
	temp_remove();
	return done();
}
