/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A problem that somebody stops by hand, and lets go on; and what is told of the day to come. */
#include "construct-world.h"
#include "manager/day.h"

static void test_stop(void)
{
	static const char conf[] =
		"problems = ( " PROBLEM("a", "held", "priority = 2;") ", " PROBLEM("b", "quick", "") " );";
	struct ft_err err = {0};

	if (!begin(conf_of(conf), false))
		return;
	hold_all();
	ok(one_is_held(), "a benchmark of the first");
	ok(ft__construct_stop(construct, "nobody", true, &err) == FT_ENOENT && strstr(err.text, "nobody"),
	   "what is not configured is not stopped: %s", err.text);
	ok(!ft__construct_stop(construct, "a", true, &err) && wait_for(ended_so, 1),
	   "stopped, it is ended: %s", seen.last);
	ok(wait_for(model_so, 1) && !strcmp(seen.order, "b "), "the other one is built meanwhile");
	ok(!strcmp(state_of(0), "stopped") && runs_of("a") <= 0, "it is %s, and nothing of it was kept",
	   state_of(0));
	end();
	if (!read_config(&config, conf_of(conf)) || !begin_again(false))
		return;
	turn_for(0.3);
	ok(!strcmp(state_of(0), "stopped"), "the next manager knows that: it is %s", state_of(0));
	let_all_end();
	ok(!ft__construct_stop(construct, "a", false, &err) && wait_for(model_so, 2) &&
		   strstr(seen.order, "a "),
	   "let go on, it is built: %s", seen.order);
	end();
}

/* Who stopped it has nothing against its place: that is no interruption. */
static void test_place(void)
{
	static const char conf[] = "problems = ( " PROBLEM("a", "held", "") " );";
	struct ft_answer_benchmarks answer;
	struct ft_err err = {0};

	if (!begin(conf_of(conf), false))
		return;
	hold_all();
	ok(one_is_held() && !ft__construct_stop(construct, "a", true, &err) && wait_for(ended_so, 1),
	   "one that is stopped");
	ok(!ft__construct_answer(construct, &answer, &err) && answer.problem[0].interrupted == 0,
	   "was not interrupted");
	free(answer.problem);
	end();
	let_all_end();
}

/* So a failure is tried again at once. */
static void test_failed(void)
{
	static const char conf[] = "problems = ( " PROBLEM("a", "bad", "") " );";
	struct ft_err err = {0};

	if (!begin(conf_of(conf), false))
		return;
	ok(wait_for(failed_so, 1), "one that fails");
	ok(!ft__construct_stop(construct, "a", true, &err) &&
		   !ft__construct_stop(construct, "a", false, &err),
	   "is stopped, and let go on");
	turn();
	ok(!strcmp(state_of(0), "begins"), "it is tried at once: it %s", state_of(0));
	end();
}

static void test_day(void)
{
	static const char conf[] =
		"policies = ( { when = \"22:00-06:00\"; conditions = ( { type = \"halt_file\"; path = "
		"\"@/halt\"; } ); } );\n"
		"problems = ( " PROBLEM("low", "quick", "") ", " PROBLEM(
			"high", "quick", "priority = 3; policies = ( { time = \"now\"; } );") " );";
	struct ft_answer_day day;
	struct ft_err err = {0};

	(void)temp_write(temp_path("halt"), "", 0600);
	if (!begin(conf_of(conf), false))
		return;
	ok(!ft__construct_day(construct, &day, &err) && day.n == 2 && !strcmp(day.problem[0].name, "high") &&
		   day.problem[0].own && !day.problem[1].own,
	   "problems by priority");
	ok(day.n == 2 && day.problem[0].n_windows == 1 &&
		   day.problem[0].window[0].to_ns - day.problem[0].window[0].from_ns == 86400 * 1000000000LL,
	   "one that may always: the whole day");
	ok(day.n == 2 && day.problem[1].n_windows >= 1 && day.problem[1].n_windows <= 2 &&
		   strstr(day.problem[1].window[0].rule, "22:00-06:00"),
	   "one of the night: %s", day.n == 2 ? day.problem[1].window[0].rule : "");
	ok(day.n_now == 1 && day.now[0].holds && strstr(day.now[0].why, "halt"), "what holds now: %s",
	   day.n_now ? day.now[0].why : "");
	ft__day_clear(&day);
	ft__day_clear(&day);
	end();
}

int main(void)
{
	if (!begin_world()) {
		printf("1..0 # SKIP cannot become nobody\n");
		return 77;
	}
	test_stop();
	test_place();
	test_failed();
	test_day();
	temp_remove();
	return done();
}
