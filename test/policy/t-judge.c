/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-judge.c - what policies say: each condition, alternatives and chains, clocks that jump, and the
 * document's own example. */
#include "policy-test.h"

static char *alice[] = {(char *)"alice"}, *gridrpc[] = {(char *)"gridrpc"},
	    *halt[] = {(char *)"/tmp/.pmm_halt"}, *solver[] = {(char *)"a-solver-with-a-long-name"},
	    *usual[] = {(char *)"root", (char *)"daemon"};

#define NAMES(list) .names = (list), .n_names = sizeof(list) / sizeof *(list)

static void judge(const struct ft_policies *policies, const struct ft_seen *seen, const char *moment,
		  struct ft_judgement *j)
{
	ft_policies_judge(policies, seen, at(moment), j);
}

/* What policies say at a moment, and why. */
static void check(const struct ft_policies *policies, const struct ft_seen *seen, const char *moment,
		  enum ft_say say, const char *why)
{
	struct ft_judgement j;

	judge(policies, seen, moment, &j);
	if (!ok(j.say == say && !strcmp(j.why, why), "%s: %s, %s", moment, ft_say_text(say), why))
		diag("%s, %s", ft_say_text(j.say), j.why);
}

/* ---- conditions -------------------------------------------------------------------------------------- */

static void test_conditions(void)
{
	static const struct ft_seen_login logins[] = {{"bob", "pts/3"}, {"alice", "seat0"}, {"carol", NULL}};
	static const struct ft_seen_process processes[] = {
		{"systemd", "root", 1}, {"cron", "daemon", 77}, {"a-solver-with-a", "gridrpc", 4711}};
	static const char *const files[] = {"/tmp/other", "/tmp/.pmm_halt"};
	const struct ft_seen busy = {.logins = logins,
				     .n_logins = 3,
				     .processes = processes,
				     .n_processes = 3,
				     .files = files,
				     .n_files = 2,
				     .load = 2.5,
				     .on_battery = true};
	const struct ft_seen quiet = {.logins = logins + 1,
				      .n_logins = 1,
				      .processes = processes,
				      .n_processes = 2,
				      .files = files,
				      .n_files = 1,
				      .load = 1.5};
	const struct {
		struct ft_condition c;
		const char *why;
	} cases[] = {
		{{FT_CONDITION_USER_LOGIN, NAMES(alice)}, "user bob is logged in (pts/3), and 1 more"},
		{{FT_CONDITION_LOAD_THRESHOLD, .threshold = 1.5},
		 "the background load is 2.5 processors, more than 1.5"},
		{{FT_CONDITION_PROCESS, NAMES(solver)}, "process a-solver-with-a runs (4711, of gridrpc)"},
		{{FT_CONDITION_USER_PROCESS, NAMES(usual)},
		 "a process of user gridrpc runs (a-solver-with-a, 4711)"},
		{{FT_CONDITION_USER_PROCESS, NAMES(gridrpc), .only = true},
		 "a process of user gridrpc runs (a-solver-with-a, 4711)"},
		{{FT_CONDITION_HALT_FILE, NAMES(halt)}, "halt file /tmp/.pmm_halt is there"},
		{{.kind = FT_CONDITION_BATTERY}, "the machine runs on its battery"},
	};
	char why[FT_WHY_LENGTH];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct ft_condition *c = &cases[i].c;
		struct ft_seen blind = quiet;

		ok(!ft_condition_holds(c, &quiet, why), "%s: nothing of it", ft_condition_text(c->kind));
		if (!ok(ft_condition_holds(c, &busy, why) && !strcmp(why, cases[i].why), "%s", cases[i].why))
			diag("%s", why);
		ok(ft_condition_holds(c, &busy, NULL), "also where nobody asks why");
		blind.unseen[c->kind] = "nobody looks";
		ok(ft_condition_holds(c, &blind, why) && strstr(why, "cannot be judged: nobody looks"),
		   "what cannot be judged holds: %s", why);
	}
	ok(ft_condition_holds(&cases[1].c, &(struct ft_seen){.load = NAN}, why), "%s", why);
}

/* A list ends where its number says, whatever stands behind it. */
static void test_lists_end(void)
{
	static char *names[] = {(char *)"alice", (char *)"bob", (char *)"cron", (char *)"/tmp/b"};
	static const struct ft_seen_login logins[] = {{"bob", NULL}};
	static const struct ft_seen_process processes[] = {{"cron", "bob", 5}};
	static const char *const files[] = {"/tmp/b"};
	const struct ft_seen seen = {.logins = logins,
				     .n_logins = 1,
				     .processes = processes,
				     .n_processes = 1,
				     .files = files,
				     .n_files = 1};
	struct ft_condition c = {.kind = FT_CONDITION_USER_LOGIN, .names = names, .n_names = 1};

	ok(ft_condition_holds(&c, &seen, NULL), "bob is not in the list of alice alone");
	c.n_names = 2;
	ok(!ft_condition_holds(&c, &seen, NULL), "he is in the one of both");
	c.kind = FT_CONDITION_PROCESS;
	ok(!ft_condition_holds(&c, &seen, NULL), "cron is not in it");
	c.n_names = 3;
	ok(ft_condition_holds(&c, &seen, NULL), "it is in the one of three");
	c.kind = FT_CONDITION_HALT_FILE;
	ok(!ft_condition_holds(&c, &seen, NULL), "nor is the file");
	c.n_names = 4;
	ok(ft_condition_holds(&c, &seen, NULL), "it is in the one of four");
	c = (struct ft_condition){.kind = FT_CONDITION_USER_PROCESS, .names = names, .n_names = 1};
	ok(ft_condition_holds(&c, &seen, NULL), "a process of bob, who is not alice, is the first");
	c.n_names = 2;
	ok(!ft_condition_holds(&c, &seen, NULL), "of both it is of one of them");
}

static void test_strictest(void)
{
	static const struct ft_seen_login logins[] = {{"alice", NULL}};
	struct ft_condition conditions[] = {
		{FT_CONDITION_USER_LOGIN, .say = FT_SAY_FREEZE, .patience_s = 600},
		{FT_CONDITION_BATTERY, .say = FT_SAY_FREEZE, .patience_s = 60},
		{FT_CONDITION_LOAD_THRESHOLD, .say = FT_SAY_FINISH, .threshold = 1},
		{FT_CONDITION_HALT_FILE, NAMES(halt), .say = FT_SAY_END},
	};
	static const char *const files[] = {"/tmp/.pmm_halt"};
	struct ft_policy now = {FT_TIME_NOW, .conditions = conditions, .n_conditions = 4};
	const struct ft_policies policies = {&now, 1};
	struct ft_seen seen = {.load = 2};
	struct ft_judgement j;

	check(&policies, &seen, "2026-11-21", FT_SAY_FINISH,
	      "the background load is 2 processors, more than 1");
	seen.logins = logins;
	seen.n_logins = 1;
	judge(&policies, &seen, "2026-11-21", &j);
	ok(j.say == FT_SAY_FREEZE && j.patience_s == 600 && j.which == -1, "a freeze is stricter: %s", j.why);
	seen.on_battery = true;
	judge(&policies, &seen, "2026-11-21", &j);
	ok(j.say == FT_SAY_FREEZE && j.patience_s == 60, "of two the shorter patience counts");
	seen.files = files;
	seen.n_files = 1;
	check(&policies, &seen, "2026-11-21", FT_SAY_END, "halt file /tmp/.pmm_halt is there");
	check(&policies, &(struct ft_seen){0}, "2026-11-21", FT_SAY_START, "now");
}

/* ---- time -------------------------------------------------------------------------------------------- */

static void test_unrestricted(void)
{
	const struct ft_policies none = {0};
	struct ft_judgement j;

	check(&none, &(struct ft_seen){0}, "2026-11-21", FT_SAY_START, "nothing is restricted");
	judge(&none, &(struct ft_seen){0}, "2026-11-21", &j);
	ok(!j.over && j.next_s == FT_NEVER, "and nothing will be");
}

/* Now until Friday, and from then on at nights. */
static void test_chain(void)
{
	struct ft_window night = window_of("22:00-06:00");
	struct ft_policy chain[] = {
		{FT_TIME_UNTIL, .until_s = at("2026-11-20 12:00"), .at_end = FT_SAY_FINISH},
		{FT_TIME_PERIODIC, .windows = &night, .n_windows = 1, .at_end = FT_SAY_FREEZE,
		 .patience_s = INFINITY},
	};
	const struct ft_policies both = {chain, 2}, first = {chain, 1};
	struct ft_seen seen = {0};
	struct ft_judgement j;

	check(&both, &seen, "2026-11-19 23:00", FT_SAY_START, "until 2026-11-20 12:00");
	judge(&both, &seen, "2026-11-19 23:00", &j);
	ok(j.next_s == at("2026-11-20 12:00") && j.which == 0, "what stands behind it waits");
	check(&both, &seen, "2026-11-20 12:00", FT_SAY_FREEZE, "it is not 22:00-06:00");
	judge(&both, &seen, "2026-11-20 12:00", &j);
	ok(j.next_s == at("2026-11-20 22:00") && !j.over, "then another takes over");
	check(&both, &seen, "2026-11-20 22:00", FT_SAY_START, "22:00-06:00");
	check(&both, &seen, "2026-11-19", FT_SAY_START, "until 2026-11-20 12:00");
	diag("(the clock was put back, and nothing was remembered)");
	judge(&first, &seen, "2026-11-20 12:00", &j);
	ok(j.over && j.say == FT_SAY_FINISH && j.next_s == FT_NEVER, "or construction ends: %s", j.why);
	judge(&first, &seen, "2026-11-20 11:59:59", &j);
	ok(!j.over && j.say == FT_SAY_START && j.next_s == at("2026-11-20 12:00"), "not a second before");
}

/* A policy whose time is over does not soften what another says whose time holds. */
static void test_alternatives(void)
{
	static const struct ft_seen_login logins[] = {{"alice", "pts/0"}};
	struct ft_window weekend = window_of("sat-sun");
	struct ft_condition login = {FT_CONDITION_USER_LOGIN, .say = FT_SAY_END};
	struct ft_policy either[] = {
		{FT_TIME_PERIODIC, .windows = &weekend, .n_windows = 1, .at_end = FT_SAY_FINISH},
		{FT_TIME_NOW, .conditions = &login, .n_conditions = 1},
	};
	const struct ft_policies policies = {either, 2};
	struct ft_seen nobody = {0}, somebody = {.logins = logins, .n_logins = 1};

	check(&policies, &somebody, "2026-11-22 12:00", FT_SAY_START, "sat-sun");
	check(&policies, &somebody, "2026-11-23 12:00", FT_SAY_END, "user alice is logged in (pts/0)");
	check(&policies, &nobody, "2026-11-23 12:00", FT_SAY_START, "now");
}

/* Of alternatives that say the same the longer patience counts, wherever it stands. */
static void test_patience(void)
{
	struct ft_condition battery[] = {
		{.kind = FT_CONDITION_BATTERY, .say = FT_SAY_FREEZE, .patience_s = 600},
		{.kind = FT_CONDITION_BATTERY, .say = FT_SAY_FREEZE, .patience_s = 60},
		{.kind = FT_CONDITION_BATTERY, .say = FT_SAY_END}};
	const struct ft_seen seen = {.on_battery = true};
	struct ft_judgement j;

	for (int order = 0; order < 2; order++) {
		struct ft_policy each[] = {{.conditions = &battery[order], .n_conditions = 1},
					   {.conditions = &battery[2], .n_conditions = 1},
					   {.conditions = &battery[1 - order], .n_conditions = 1}};
		const struct ft_policies policies = {each, 3};

		judge(&policies, &seen, "2026-11-22", &j);
		ok(j.say == FT_SAY_FREEZE && j.patience_s == 600, "a freeze of 600 s, not %g", j.patience_s);
	}
}

/* Nobody said what is to be done: then nothing starts. */
static void test_unsaid(void)
{
	struct ft_window weekend = window_of("sat-sun");
	struct ft_condition battery = {.kind = FT_CONDITION_BATTERY};
	struct ft_policy policy = {FT_TIME_PERIODIC, .windows = &weekend, .n_windows = 1,
				   .conditions = &battery, .n_conditions = 1};
	const struct ft_policies policies = {&policy, 1};

	check(&policies, &(struct ft_seen){0}, "2026-11-23", FT_SAY_FINISH, "it is not sat-sun");
	check(&policies, &(struct ft_seen){.on_battery = true}, "2026-11-22", FT_SAY_FINISH,
	      "the machine runs on its battery");
}

static void test_openings(void)
{
	struct ft_window windows[] = {window_of("mon-fri 22:00-06:00"), window_of("06:00-07:00")};
	struct ft_policy chain[] = {
		{FT_TIME_UNTIL, .until_s = at("2026-11-23 21:00")},
		{FT_TIME_PERIODIC, .windows = windows, .n_windows = 2},
	};
	const struct ft_policies policies = {chain, 2}, none = {0};
	struct ft_opening opening[4];
	size_t n =
		ft_policies_openings(&policies, at("2026-11-23 20:00"), at("2026-11-24 20:00"), opening, 4);

	ok(n == 2 && opening[0].from_s == at("2026-11-23 20:00") &&
		   opening[0].to_s == at("2026-11-23 21:00") && opening[0].which == 0,
	   "the first policy has an hour left");
	ok(n == 2 && opening[1].from_s == at("2026-11-23 22:00") &&
		   opening[1].to_s == at("2026-11-24 07:00") && opening[1].which == 1,
	   "windows that touch are one");
	ok(ft_policies_openings(&policies, at("2026-11-23 20:00"), at("2026-12-24"), opening, 1) == 1,
	   "no more than there is room for");
	n = ft_policies_openings(&none, 0, 100, opening, 4);
	ok(n == 1 && opening[0].from_s == 0 && opening[0].to_s == 100, "without policies all is open");
}

/* 001 II.B: "the general timing policy may be that benchmarks are only executed on weekends, but some high
 * priority problem may have a less limiting constraint allowing it's benchmarks to be executed during
 * weekdays provided there are no GridRPC-user processes detected." */
static void test_document(void)
{
	static const struct ft_seen_process others[] = {{"bash", "alice", 99}},
					    server[] = {{"bash", "alice", 99}, {"dgesv", "gridrpc", 123}};
	const struct ft_seen idle = {.processes = others, .n_processes = 1},
			     busy = {.processes = server, .n_processes = 2};
	struct ft_window weekend = window_of("sat-sun"), weekday = window_of("mon-fri");
	struct ft_condition user = {FT_CONDITION_USER_PROCESS, NAMES(gridrpc), .only = true,
				    .say = FT_SAY_FREEZE, .patience_s = 600};
	struct ft_policy general = {FT_TIME_PERIODIC, .windows = &weekend, .n_windows = 1,
				    .at_end = FT_SAY_FINISH},
			 special[] = {general,
				      {FT_TIME_PERIODIC, .windows = &weekday, .n_windows = 1,
				       .at_end = FT_SAY_FINISH, .conditions = &user, .n_conditions = 1}};
	const struct ft_policies system = {&general, 1}, own = {special, 2}, none = {0};
	const struct ft_policies *usual_one = ft_policies_of(&none, &system),
				 *high = ft_policies_of(&own, &system);
	struct ft_judgement j;
	char shown[256];

	check(usual_one, &busy, "2026-11-21", FT_SAY_START, "sat-sun");
	check(usual_one, &idle, "2026-11-23 10:00", FT_SAY_FINISH, "it is not sat-sun");
	check(high, &busy, "2026-11-21", FT_SAY_START, "sat-sun");
	check(high, &idle, "2026-11-23 10:00", FT_SAY_START, "mon-fri");
	check(high, &busy, "2026-11-23 10:00", FT_SAY_FREEZE, "a process of user gridrpc runs (dgesv, 123)");
	judge(usual_one, &busy, "2026-11-21", &j);
	ok(j.next_s == at("2026-11-23"), "the weekend ends on Monday");
	judge(usual_one, &idle, "2026-11-23 10:00", &j);
	ok(j.next_s == at("2026-11-28"), "and begins on Saturday");
	(void)ft_policy_format(&special[1], shown, sizeof shown);
	ok(!strcmp(shown, "mon-fri (finish); not while a process of a user of gridrpc runs (freeze, 10 min "
			  "00 s at most)"),
	   "%s", shown);
}

int main(void)
{
	set_zone(ZONE_BERLIN);
	test_conditions();
	test_lists_end();
	test_strictest();
	test_unrestricted();
	test_chain();
	test_alternatives();
	test_patience();
	test_unsaid();
	test_openings();
	test_document();
	return done();
}
