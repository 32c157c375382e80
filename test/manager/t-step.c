/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is done next, through days of a made clock and a made machine: the document's own example (001 II.B),
 * freezing and patience, and that nothing happens but when it was said that it may. */
#include "../tap.h"
#include "manager/config.h"
#include "manager/construct.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 8 };
static const int64_t MINUTE = 60, HOUR = 3600, DAY = 86400;

/* ---- a machine ----------------------------------------------------------------------------------------- */

/* Problems whose benchmarks all take as long, and that never end; what runs when is noted. */
struct walk {
	struct ft_manager_config config;
	struct ft__stand stand[MOST];
	struct ft_queued queue[MOST];
	struct ft__world world;
	size_t n;
	double takes_s, left_s; /* of a benchmark; of the one at work */
	int64_t since_s;        /* it stands still */
	int64_t ran_s[MOST];    /* so long */
	unsigned ended[MOST], done[MOST], frozen;
	void (*check)(struct walk *walk, const struct ft__action *action); /* each second at work */
	bool good;
};

static struct ft_seen_process gridrpc = {"server", "gridrpc", 4711};
static struct ft_seen_login bob = {"bob", "pts/3"};

static bool begin(struct walk *walk, const char *conf, const char *from, double takes_s)
{
	struct ft_err err = {0};
	int64_t at_s = 0;

	*walk = (struct walk){.takes_s = takes_s, .good = true};
	if (ft_manager_config_parse(&walk->config, "made.conf", conf, strlen(conf), &err) ||
	    ft_moment_parse(from, &at_s, &err))
		return ok(false, "%s", err.text);
	walk->n = walk->config.n_problems;
	walk->world.at_s = at_s;
	walk->world.order = walk->config.order;
	for (size_t i = 0; i < walk->n; i++) {
		const struct ft_manager_problem *problem = &walk->config.problem[i];

		walk->stand[i] = (struct ft__stand){
			.policies = ft_policies_of(&problem->policies, &walk->config.policies), .left = true};
		walk->queue[i] = (struct ft_queued){.priority = problem->priority,
						    .gain = NAN,
						    .seconds = takes_s,
						    .survives = 1,
						    .waits_s = at_s};
	}
	return true;
}

static void over(struct walk *walk)
{
	walk->queue[walk->world.at_work.which].waits_s = walk->world.at_s;
	walk->world.at_work = (struct ft__at_work){0};
}

static void act(struct walk *walk, const struct ft__action *action)
{
	struct ft__at_work *at_work = &walk->world.at_work;

	switch (action->act) {
	case FT__ACT_RUN:
		*at_work = (struct ft__at_work){.any = true, .which = action->which};
		walk->left_s = walk->takes_s;
		break;
	case FT__ACT_FREEZE:
		at_work->frozen = true;
		walk->since_s = walk->world.at_s;
		walk->frozen++;
		break;
	case FT__ACT_THAW:
		at_work->frozen = false;
		break;
	case FT__ACT_END:
		walk->ended[at_work->which]++;
		over(walk);
		break;
	default:
		break;
	}
}

/* Until nothing more is to do now. */
static struct ft__action settle(struct walk *walk, const struct ft_seen *seen)
{
	struct ft__action action;

	walk->world.seen = seen;
	for (int i = 0; i < 10; i++) {
		struct ft__at_work *at_work = &walk->world.at_work;

		if (at_work->frozen)
			at_work->frozen_s = (double)(walk->world.at_s - walk->since_s);
		ft__step(walk->stand, walk->queue, walk->n, &walk->world, &action);
		if (action.act == FT__ACT_WAIT)
			return action;
		act(walk, &action);
	}
	walk->good = false;
	return action;
}

/* A second more of what is at work. */
static void pass(struct walk *walk)
{
	const struct ft__at_work *at_work = &walk->world.at_work;

	walk->world.at_s++;
	if (!at_work->any || at_work->frozen)
		return;
	walk->ran_s[at_work->which]++;
	walk->left_s--;
	if (walk->left_s <= 0) {
		walk->done[at_work->which]++;
		over(walk);
	}
}

static void go(struct walk *walk, const struct ft_seen *seen, int64_t seconds)
{
	for (; seconds > 0; seconds--) {
		struct ft__action action = settle(walk, seen);
		if (walk->check)
			walk->check(walk, &action);
		pass(walk);
	}
}

static void finish(struct walk *walk)
{
	ft_manager_config_clear(&walk->config);
}

/* ---- the document's example ---------------------------------------------------------------------------- */

static const char example[] =
	"policies = ( { when = \"sat-sun\"; } );\n"
	"problems = (\n"
	"  { name = \"usual\"; command = \"/bin/true {n}\"; parameters = \"n=1:100\"; },\n"
	"  { name = \"urgent\"; command = \"/bin/true {n}\"; parameters = \"n=1:100\"; priority = 30;\n"
	"    policies = ( { when = \"sat-sun\"; }, { when = \"mon-fri\";\n"
	"      conditions = ( { type = \"user_process_detection\"; users = \"gridrpc\"; } ); } ); } );\n";

/* What may run at all. */
static void check_example(struct walk *walk, const struct ft__action *action)
{
	const struct ft__at_work *at_work = &walk->world.at_work;
	time_t at_s = (time_t)walk->world.at_s;
	struct tm tm;

	(void)action;
	(void)localtime_r(&at_s, &tm);
	bool weekend = tm.tm_wday == 0 || tm.tm_wday == 6;
	if (!at_work->any || at_work->frozen)
		return;
	walk->good = walk->good && (weekend || (at_work->which == 1 && !walk->world.seen->n_processes));
}

static void test_example(void)
{
	const struct ft_seen quiet = {0}, busy = {.processes = &gridrpc, .n_processes = 1};
	struct walk walk;

	/* A Monday. */
	if (!begin(&walk, example, "2026-11-23 00:00", 1000))
		return;
	walk.check = check_example;
	go(&walk, &quiet, DAY);
	ok(walk.ran_s[1] == DAY && !walk.ran_s[0], "on a weekday the urgent one runs, and it alone");
	go(&walk, &busy, DAY);
	ok(walk.ran_s[1] == DAY && walk.frozen == 1 && walk.ended[1] == 1,
	   "not a second while a process of gridrpc is there");
	go(&walk, &quiet, HOUR);
	go(&walk, &busy, HOUR);
	go(&walk, &quiet, 2 * DAY + 22 * HOUR);
	int64_t weekdays = walk.ran_s[1];
	ok(weekdays == 3 * DAY + 23 * HOUR && !walk.ran_s[0], "it went on as soon as gridrpc had gone: %ld h",
	   (long)weekdays / HOUR);
	go(&walk, &busy, DAY);
	ok(walk.ran_s[1] == weekdays + DAY && !walk.ran_s[0],
	   "at the weekend nobody counts, and priority goes first");
	walk.stand[1].left = false;
	go(&walk, &busy, DAY);
	ok(walk.ran_s[0] >= DAY - 1000, "then the usual one, on Sunday: %ld s", (long)walk.ran_s[0]);
	ok(walk.world.at_work.any && walk.world.at_work.which == 0, "it runs when Monday comes");
	go(&walk, &busy, 2 * HOUR);
	ok(walk.ended[0] == 1 && !walk.world.at_work.any, "and stands still, and is ended after ten minutes");
	ok(walk.good, "nothing else ever ran");
	finish(&walk);
}

/* ---- standing still ------------------------------------------------------------------------------------ */

#define PROBLEM(name, more)                                                                                  \
	"{ name = \"" name "\"; command = \"/bin/true {n}\"; parameters = \"n=1:9\"; " more "}"

static void test_frozen(void)
{
	static const char conf[] =
		"policies = ( { conditions = ( { type = \"user_login\"; patience = \"5m\"; },"
		" { type = \"halt_file\"; path = \"/halt\"; action = \"end\"; },"
		" { type = \"load_threshold\"; threshold = 1; } ); } );\n"
		"problems = ( " PROBLEM("a", "") " );";
	static const char *const halt[] = {"/halt"};
	const struct ft_seen quiet = {0}, login = {.logins = &bob, .n_logins = 1}, load = {.load = 2},
			     file = {.files = halt, .n_files = 1};
	struct walk walk;

	if (!begin(&walk, conf, "2026-11-23 08:00", 1000))
		return;
	go(&walk, &quiet, 100);
	go(&walk, &login, 299);
	struct ft__action action = settle(&walk, &login);
	ok(walk.frozen == 1 && walk.world.at_work.frozen && walk.ran_s[0] == 100 && action.wait_s == 1 &&
		   !strcmp(action.why, "user bob is logged in (pts/3)"),
	   "a user: it stands still at once, for as long as patience lasts (%g s more)", action.wait_s);
	go(&walk, &load, 50);
	ok(walk.ran_s[0] == 150 && !walk.world.at_work.frozen, "load lets what runs finish, and thaws it");
	go(&walk, &quiet, 850);
	ok(walk.done[0] == 1, "it needed as long as it needs");
	settle(&walk, &load);
	ok(!walk.world.at_work.any, "none begins while there is load");
	go(&walk, &quiet, 10);
	go(&walk, &login, 400);
	ok(walk.ended[0] == 1 && !walk.world.at_work.any, "patience is over: it is ended, and none begins");
	go(&walk, &quiet, 10);
	action = settle(&walk, &file);
	ok(walk.ended[0] == 2 && !walk.world.at_work.any && !strcmp(action.why, "halt file /halt is there"),
	   "a halt file ends it: %s", action.why);
	finish(&walk);
}

static void test_higher(void)
{
	static const char conf[] = "policies = ( { when = \"sat-sun\"; patience = \"30d\"; } );\n"
				   "problems = ( " PROBLEM("a", "") ", " PROBLEM(
					   "b", "priority = 1; policies = ( { when = \"mon\"; } ); ") " );";
	const struct ft_seen quiet = {0};
	struct walk walk;

	if (!begin(&walk, conf, "2026-11-22 23:59", 1000))
		return;
	go(&walk, &quiet, MINUTE);
	ok(walk.world.at_work.which == 0 && walk.ran_s[0] == MINUTE, "Sunday's runs at midnight");
	go(&walk, &quiet, MINUTE);
	ok(walk.ended[0] == 1 && walk.ran_s[1] == MINUTE,
	   "it would stand still for a week: what goes before it, and may, ends it");
	finish(&walk);
}

static void test_failed(void)
{
	static const char conf[] = "problems = ( " PROBLEM("a", "") ", " PROBLEM("b", "") " );";
	const struct ft_seen quiet = {0};
	struct walk walk;

	if (!begin(&walk, conf, "2026-11-23 08:00", 10))
		return;
	walk.stand[0].backs_off_s = 60;
	go(&walk, &quiet, 30);
	ok(!walk.ran_s[0] && walk.ran_s[1] == 30, "others go on while one backs off");
	walk.stand[1].left = false;
	(void)settle(&walk, &quiet);
	walk.world.at_work = (struct ft__at_work){0};
	struct ft__action action = settle(&walk, &quiet);
	ok(action.wait_s == 60 && !walk.world.at_work.any, "it is waited for: %s", action.why);
	walk.stand[0].left = false;
	action = settle(&walk, &quiet);
	ok(isinf(action.wait_s) && action.next_s == FT_NEVER, "nothing is waited for where nothing is left");
	walk.stand[0].left = true;
	walk.stand[0].backs_off_s = 0;
	walk.world.always = true;
	go(&walk, &quiet, 5);
	ok(walk.ran_s[0] == 5, "asked for, it runs");
	finish(&walk);
}

/* Whatever its policies say; and its siblings, whose policies are the same ones, are none the wiser. */
static void test_stopped(void)
{
	static const char conf[] = "problems = ( " PROBLEM("a", "") ", " PROBLEM("b", "") " );";
	const struct ft_seen quiet = {0};
	struct walk walk;

	if (!begin(&walk, conf, "2026-11-23 08:00", 1000))
		return;
	go(&walk, &quiet, 20);
	ok(walk.ran_s[0] == 20, "the first runs");
	walk.stand[0].stopped = true;
	go(&walk, &quiet, 30);
	ok(walk.ended[0] == 1 && walk.ran_s[0] == 20 && walk.ran_s[1] == 30,
	   "stopped by hand it is ended, and the other one runs");
	walk.stand[1].stopped = true;
	struct ft__action action = settle(&walk, &quiet);
	ok(action.act == FT__ACT_WAIT && action.next_s == FT_NEVER && strstr(action.why, "by hand"),
	   "both: nothing is waited for: %s", action.why);
	walk.stand[0].stopped = false;
	go(&walk, &quiet, 10);
	ok(walk.ran_s[0] == 30 && walk.ended[1] == 1, "let go on, it does");
	walk.stand[1].stopped = true;
	walk.world.always = true;
	walk.stand[0].left = false;
	walk.world.at_work = (struct ft__at_work){0};
	go(&walk, &quiet, 10);
	ok(walk.ran_s[1] == 40, "where all is asked for it is built all the same");
	finish(&walk);
}

/* ---- moments ------------------------------------------------------------------------------------------- */

static struct {
	int64_t next_s, until_s;
	unsigned early;
} answer;

/* What was said to be the next moment is: nothing is done before it. */
static void check_moments(struct walk *walk, const struct ft__action *action)
{
	double by_wait = (double)walk->world.at_s + ceil(fmin(action->wait_s, 1e9));

	answer.next_s = action->next_s < (int64_t)by_wait ? action->next_s : (int64_t)by_wait;
}

/* Random policies, and a machine that changes at random: walked through by the moments that are told, and
 * second by second, the same runs. */
static void walk_both(unsigned seed, bool slow, int64_t ran_s[MOST], unsigned *ended)
{
	static const char conf[] =
		"policies = ( { when = \"minute 0-59/7\"; patience = \"90s\"; at_end = \"freeze\";\n"
		"  conditions = ( { type = \"user_login\"; patience = \"200s\"; } ); },\n"
		"  { when = \"minute 20-30\"; at_end = \"end\"; } );\n"
		"problems = ( " PROBLEM("a", "") ", " PROBLEM("b",
							      "priority = 2; policies = ( { when = \"minute "
							      "40-45\"; at_end = \"finish\"; } ); ") " );";
	const struct ft_seen quiet = {0}, login = {.logins = &bob, .n_logins = 1};
	struct walk walk;
	bool there = false;

	if (!begin(&walk, conf, "2026-11-23 08:00", 333))
		return;
	srand(seed);
	int64_t from = walk.world.at_s;
	int64_t change = from + rand() % 400;
	while (walk.world.at_s < from + 6 * HOUR) {
		struct ft__action action = settle(&walk, there ? &login : &quiet);
		int64_t next = walk.world.at_s + 1;

		check_moments(&walk, &action);
		if (!slow) {
			next = answer.next_s < change ? answer.next_s : change;
			if (walk.world.at_work.any && !walk.world.at_work.frozen &&
			    walk.world.at_s + (int64_t)walk.left_s < next)
				next = walk.world.at_s + (int64_t)walk.left_s;
		}
		for (int64_t t = walk.world.at_s; t < next && t < from + 6 * HOUR; t++)
			pass(&walk);
		if (walk.world.at_s >= change) {
			there = !there;
			change += 1 + rand() % 400;
		}
	}
	memcpy(ran_s, walk.ran_s, sizeof walk.ran_s);
	*ended = walk.ended[0] + walk.ended[1];
	finish(&walk);
}

static void test_moments(void)
{
	unsigned seed = (unsigned)test_seed(), i;
	bool good = true;

	for (i = 0; i < (test_quick() ? 4 : 20) && good; i++) {
		int64_t slow[MOST] = {0}, fast[MOST] = {0};
		unsigned ended[2] = {0};

		walk_both(seed + i, true, slow, &ended[0]);
		walk_both(seed + i, false, fast, &ended[1]);
		good = !memcmp(slow, fast, sizeof slow) && ended[0] == ended[1] && slow[0] && slow[1];
		if (!good)
			diag("seed %u: %ld %ld, %ld %ld; ended %u %u", seed + i, (long)slow[0], (long)slow[1],
			     (long)fast[0], (long)fast[1], ended[0], ended[1]);
	}
	ok(good, "who waits for the moments that are told misses nothing");
}

int main(void)
{
	(void)setenv("TZ", "UTC", 1);
	tzset();
	test_example();
	test_frozen();
	test_higher();
	test_failed();
	test_stopped();
	test_moments();
	return done();
}
