/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a problem becomes: each of its fields is in the command line of its sweep; and what sweeps tell. */
#include "../tap.h"
#include "manager/construct.h"

#include <stdlib.h>

static void test_words(void)
{
	static const char conf[] =
		"problems = ( { name = \"a/b\"; command = [ \"/bin/p q\", \"-n{n}\", \"{m}\", \"--\" ];"
		" parameters = [ \"n=16:1024:*2\", \"m=1:9:2\" ]; where = \"m <= n\"; work = \"n*m\";"
		" method = \"gbbp\"; tolerance = \"5%\"; budget = \"2h\"; time = \"30s\"; memory = \"1GiB\"; "
		"points = 12;"
		" reps_least = 3; reps_most = 4; reps_time = \"90s\"; end_zero = true; },"
		" { name = \"plain\"; command = \"p\"; parameters = \"n=1:5\"; },"
		" { name = \"few\"; command = \"p\"; parameters = \"n=1:5\"; reps_most = 1; } );";
	static const char *const expected[] = {
		"f build a/b n=16:1024:*2 m=1:9:2 --work n*m --where m <= n --method gbbp --method end=zero "
		"--tolerance 0.05 --budget 7200s --timeout 30s --memory 1073741824 --limit 12 --runs 3:4:90s "
		"--store /s --via steps -- "
		"/bin/p q -n{n} {m} --",
		"f build plain n=1:5 --method adaptive --store /s --via steps -- p {n}",
		"f build few n=1:5 --method adaptive --runs 1:1 --store /s --via steps -- p {n}"};
	struct ft_manager_config config = {0};
	struct ft_err err = {0};

	if (ft_manager_config_parse(&config, "made.conf", conf, strlen(conf), &err)) {
		ok(false, "%s", err.text);
		return;
	}
	for (size_t i = 0; i < config.n_problems && i < sizeof expected / sizeof *expected; i++) {
		struct ft__words words = {0};
		char line[1024] = "";

		ft__builder_words(&config.problem[i], "f", "/s", &words);
		for (size_t k = 0; words.word && k < words.n; k++)
			(void)snprintf(line + strlen(line), sizeof line - strlen(line), "%s%s", k ? " " : "",
				       words.word[k]);
		if (!ok(!words.failed && !strcmp(line, expected[i]), "%s", expected[i]))
			diag("%s", line);
		ft__words_clear(&words);
	}
	ft_manager_config_clear(&config);
}

static void test_lines(void)
{
	static const char ran[] =
		"{\"schema\":\"x\",\"event\":\"ran\",\"runs\":3,\"known\":2,\"points\":4,\"complete\":0.5,"
		"\"next\":{\"n\":512,"
		"\"m\":2.5},\"gain\":0.01,\"seconds\":1.5,\"ended\":false,\"stop\":null,\"ran\":{\"size\":{"
		"\"n\":256},"
		"\"seconds\":1.25,\"paused_s\":2,\"outcome\":\"crashed\",\"detail\":\"oh\"}}";
	static const char *const wrong[] = {"",
					    "{",
					    "[]",
					    "{}",
					    "{\"event\":\"walked\"}",
					    "{\"event\":3}",
					    "{\"event\":\"ran\",\"event\":\"ran\"}",
					    "\xff"};
	struct ft__heard heard;

	ok(!ft__builder_read(ran, &heard, NULL) && heard.kind == FT__HEARD_RAN && heard.runs == 3 &&
		   heard.known == 2 && heard.points == 4 && heard.complete == 0.5 && heard.gain == 0.01 &&
		   heard.seconds == 1.5 && !heard.ended && !strcmp(heard.next, "n=512 m=2.5") &&
		   !strcmp(heard.size, "n=256") && heard.ran_s == 1.25 && heard.frozen_s == 2 &&
		   !strcmp(heard.outcome, "crashed") && !strcmp(heard.detail, "oh"),
	   "a run: %s", heard.size);
	ok(!ft__builder_read("{\"event\":\"ready\",\"complete\":7,\"runs\":-1,\"gain\":null,\"ended\":true,"
			     "\"stop\":\"budget\",\"next\":null}",
			     &heard, NULL) &&
		   heard.kind == FT__HEARD_READY && heard.complete == 1 && heard.runs == 0 &&
		   isnan(heard.gain) && isnan(heard.seconds) && heard.ended && !*heard.next &&
		   !strcmp(heard.stop, "budget"),
	   "what is not known, and what cannot be");
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		ok(ft__builder_read(wrong[i], &heard, NULL) == FT_EPARSE, "no line: %s",
		   i < 7 ? wrong[i] : "");
}

int main(void)
{
	test_words();
	test_lines();
	return done();
}
