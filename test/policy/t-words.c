/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-words.c - what policies are called, what they say of themselves, and their ends. */
#include "policy-test.h"

#include "base/alloc.h"

#include <math.h>

static char *two[] = {(char *)"alice", (char *)"bob"}, *one[] = {(char *)"gridrpc"},
	    *files[] = {(char *)"/tmp/halt"};

static void test_parse(void)
{
	enum ft_say say;
	enum ft_order order;
	enum ft_time_kind time;
	enum ft_condition_kind kind;
	int bad = 0;

	for (int i = FT_SAY_START; i <= FT_SAY_END; i++)
		bad += !ft_say_parse(ft_say_text((enum ft_say)i), &say) || say != (enum ft_say)i;
	for (int i = FT_ORDER_GAIN; i <= FT_ORDER_PMM; i++)
		bad += !ft_order_parse(ft_order_text((enum ft_order)i), &order) || order != (enum ft_order)i;
	for (int i = FT_TIME_NOW; i <= FT_TIME_PERIODIC; i++)
		bad += !ft_time_parse(ft_time_text((enum ft_time_kind)i), &time) ||
		       time != (enum ft_time_kind)i;
	for (int i = 0; i < FT_CONDITIONS; i++)
		bad += !ft_condition_parse(ft_condition_text((enum ft_condition_kind)i), &kind) ||
		       kind != (enum ft_condition_kind)i;
	ok(!bad, "each word is read as what it says");
	ok(!ft_say_parse("stop", &say) && !ft_order_parse("", &order) && !ft_time_parse("later", &time) &&
		   !ft_condition_parse("login", &kind) && say == FT_SAY_END && order == FT_ORDER_PMM &&
		   time == FT_TIME_PERIODIC && kind == FT_CONDITION_BATTERY,
	   "no other word is one, and changes nothing");
}

/* Each condition in words, behind a policy of now. */
static void test_conditions(void)
{
	static const struct {
		struct ft_condition condition;
		const char *words;
	} cases[] = {
		{{.kind = FT_CONDITION_USER_LOGIN, .say = FT_SAY_FINISH},
		 "now; not while a user is logged in (finish)"},
		{{.kind = FT_CONDITION_USER_LOGIN, .names = two, .n_names = 2, .say = FT_SAY_END},
		 "now; not while a user other than alice, bob is logged in (end)"},
		{{.kind = FT_CONDITION_USER_LOGIN,
		  .names = two,
		  .n_names = 2,
		  .only = true,
		  .say = FT_SAY_END},
		 "now; not while a user of alice, bob is logged in (end)"},
		{{.kind = FT_CONDITION_LOAD_THRESHOLD, .threshold = 1.5, .say = FT_SAY_FINISH},
		 "now; not while the background load is above 1.5 processors (finish)"},
		{{.kind = FT_CONDITION_PROCESS,
		  .names = one,
		  .n_names = 1,
		  .say = FT_SAY_FREEZE,
		  .patience_s = INFINITY},
		 "now; not while gridrpc runs (freeze)"},
		{{.kind = FT_CONDITION_USER_PROCESS,
		  .names = one,
		  .n_names = 1,
		  .say = FT_SAY_FREEZE,
		  .patience_s = 90},
		 "now; not while a process of a user other than gridrpc runs (freeze, 1 min 30 s at most)"},
		{{.kind = FT_CONDITION_HALT_FILE,
		  .names = files,
		  .n_names = 1,
		  .say = FT_SAY_FINISH,
		  .patience_s = 90},
		 "now; not while /tmp/halt is there (finish)"},
		{{.kind = FT_CONDITION_BATTERY, .say = FT_SAY_FINISH},
		 "now; not while it runs on its battery (finish)"},
	};
	char shown[256];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct ft_condition condition = cases[i].condition;
		struct ft_policy policy = {.conditions = &condition, .n_conditions = 1};
		size_t length = ft_policy_format(&policy, shown, sizeof shown);

		if (!ok(!strcmp(shown, cases[i].words) && length == strlen(shown), "%s", cases[i].words))
			diag("%s", shown);
	}
}

static void test_times(void)
{
	struct ft_window windows[] = {window_of("mon-fri 20:00-06:00"), window_of("sat-sun")};
	struct ft_condition conditions[] = {
		{.kind = FT_CONDITION_BATTERY, .say = FT_SAY_FINISH},
		{.kind = FT_CONDITION_PROCESS, .names = one, .n_names = 1, .say = FT_SAY_END}};
	struct ft_policy until = {.time = FT_TIME_UNTIL, .until_s = at("2026-11-23"), .at_end = FT_SAY_END},
			 periodic = {.time = FT_TIME_PERIODIC,
				     .windows = windows,
				     .n_windows = 2,
				     .conditions = conditions,
				     .n_conditions = 2,
				     .at_end = FT_SAY_FREEZE,
				     .patience_s = 60};
	char shown[256], cut[12];

	(void)ft_policy_format(&until, shown, sizeof shown);
	ok(strstr(shown, "until 2026-11-23") == shown && strstr(shown, " (end)"), "%s", shown);
	size_t length = ft_policy_format(&periodic, shown, sizeof shown);
	ok(!strcmp(shown,
		   "mon-fri 20:00-06:00, or sat-sun (freeze, 1 min 00 s at most); not while it runs on "
		   "its battery (finish), or gridrpc runs (end)"),
	   "%s", shown);
	ok(ft_policy_format(&periodic, cut, sizeof cut) == length && strlen(cut) == sizeof cut - 1 &&
		   !strncmp(cut, shown, sizeof cut - 1),
	   "the length of all of it, also where it does not fit");
}

/* All that policies hold goes with them; twice is no harm. */
static void test_clear(void)
{
	struct ft_policies policies = {.policy = ft_calloc(1, sizeof(struct ft_policy)), .n = 1};
	struct ft_policy *policy = policies.policy;

	policy->windows = ft_calloc(1, sizeof *policy->windows);
	policy->n_windows = 1;
	policy->conditions = ft_calloc(1, sizeof *policy->conditions);
	policy->n_conditions = 1;
	policy->conditions->names = ft_calloc(1, sizeof(char *));
	policy->conditions->names[0] = ft_strdup("gridrpc");
	policy->conditions->n_names = 1;
	ft_policies_clear(&policies);
	ok(!policies.policy && !policies.n, "cleared");
	ft_policies_clear(&policies);
	ft_policies_clear(NULL);
	ft_policy_clear(NULL);
	ft_condition_clear(NULL);
	ok(true, "twice, and of nothing");
}

int main(void)
{
	set_zone(ZONE_BERLIN);
	test_parse();
	test_conditions();
	test_times();
	test_clear();
	return done();
}
