/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-printed.c - how far a program is by what it prints, and how another run went by its log. */
#include "ask/door.h"
#include "base/alloc.h"
#include "foretime/ask.h"
#include "tap.h"
#include "temp.h"

/* What is known after a text on a stream: "3/8", or "-" for nothing. */
static const char *after(const char *how, int stream, const char *text, bool end)
{
	static char said[sizeof((struct ft_err *)0)->text];
	struct ft_printed *printed;
	struct ft_err err = {0};
	double done, total;

	if (ft_printed_new(&printed, how, &err)) {
		(void)snprintf(said, sizeof said, "%s", err.text);
		return said;
	}
	for (; *text; text++)
		ft_printed_read(printed, stream, text, 1);
	if (end)
		ft_printed_end(printed);
	ft_printed_get(printed, &done, &total);
	ft_printed_free(printed);
	(void)snprintf(said, sizeof said, "%g/%g", done, total);
	return total > 0 ? said : "-";
}

static void test_patterns(void)
{
	static const struct {
		const char *how;
		int stream;
		const char *text, *expected;
	} row[] = {
		{"step ([0-9]+) of ([0-9]+)", 1, "step 3 of 8\n", "3/8"},
		{"step ([0-9]+) of ([0-9]+)", 2, "step 3 of 8\rstep 4 of 8\r", "4/8"},
		{"step ([0-9]+) of ([0-9]+)", 1, "step 3 of 0\n", "-"},
		{"step ([0-9]+)/([0-9]+)", 1, "step 3/8 or step 4/8\n", "3/8"},
		{"([0-9.]+) ?%", 1, "now 37.5 % are done\n", "37.5/100"},
		{"[0-9]+ of [0-9]+", 1, "so far 3 of 8\nand no more\n", "3/8"},
		{"[0-9]+ */ *[0-9]+", 1, "3 / 8\n", "3/8"},
		{"at .*", 1, "at last\n", "-"},
		{"at .*", 1, "at 20\n", "20/100"},
		{"at (.*)", 1, "at 3/\n", "-"},
		{"[0-9]+%", 1, "1\0002%\n", "-"},
		{"lines=10", 1, "a\nb\r\nc", "2/10"},
		{"lines=10", 2, "a\nb\n", "0/10"},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++)
		ok(!strcmp(after(row[i].how, row[i].stream, row[i].text, false), row[i].expected), "%s: %s",
		   row[i].how, after(row[i].how, row[i].stream, row[i].text, false));
	ok(!strcmp(after("[0-9]+%", 1, "20%\n40%", false), "20/100") &&
		   !strcmp(after("[0-9]+%", 2, "20%\n40%", true), "40/100"),
	   "a last line without an end counts at the end");
	ok(strstr(after("(", 1, "", false), "'(' is no regular expression"), "what is none is refused");
	ok(!strcmp(after("lines=0", 1, "", false), "lines=0: a run of no lines") &&
		   strstr(after("lines=many", 1, "", false), "many"),
	   "and so are no lines");
}

static void test_streams(void)
{
	struct ft_printed *printed;
	char many[6000];
	double done, total;

	if (ft_printed_new(&printed, "[0-9]+%", NULL))
		return;
	ft_printed_read(printed, 1, "1", 1);
	ft_printed_read(printed, 2, "7%\n", 3);
	ft_printed_get(printed, &done, &total);
	ok(done == 7, "each stream has its lines");
	ft_printed_read(printed, 1, "2%\n", 3);
	ft_printed_get(printed, &done, &total);
	ok(done == 12, "which come in pieces: %g", done);
	memset(many, 'x', sizeof many);
	memcpy(many, "30%", 3);
	memcpy(many + 5000, "50%\n", 4);
	ft_printed_read(printed, 1, many, sizeof many);
	ft_printed_get(printed, &done, &total);
	ok(done == 30, "of a very long one the beginning counts");
	ft_printed_free(printed);
	ft_printed_free(NULL);
}

/* The stages of a log, "0.25@0.1 1@1", or why it is none. */
static const char *stages_of(const char *text)
{
	static char said[sizeof((struct ft_err *)0)->text];
	const char *path = temp_path("log.csv");
	struct ft_stage *stage;
	struct ft_err err = {0};
	size_t n, at = 0;

	(void)temp_write(path, text, 0644);
	if (ft_stages_read(path, &stage, &n, &err)) {
		(void)snprintf(said, sizeof said, "%s", err.text);
		return stage || n ? "what is left of a failure" : said;
	}
	said[0] = '\0';
	for (size_t i = 0; i < n; i++)
		at += (size_t)snprintf(said + at, sizeof said - at, "%s%g@%g", i ? " " : "", stage[i].done,
				       stage[i].time);
	free(stage);
	return said;
}

static void test_stages(void)
{
	unsigned long nth;

	ok(!strcmp(stages_of("processor,seconds,done,total\nw,1,2,8\nw,2,2,8\nw,5,4,8\nw,10,8,8\n"),
		   "0.25@0.1 0.5@0.5 1@1"),
	   "shares of the whole, where more was done: %s", stages_of("seconds,done,total\n1,1,2\n4,2,2\n"));
	ok(strstr(stages_of("seconds,done\n1,2\n"), "a column is missing"), "without a column it is none");
	ok(strstr(stages_of("seconds,done,total\n1,2,4\n2,3,4\n"), "does not reach its total"),
	   "nor half of one");
	ok(strstr(stages_of("seconds,done,total\n1,4,4\n"), "does not reach its total"), "nor one row");
	ok(strstr(stages_of("seconds,done,total\n2,1,4\n1,4,4\n"), "goes on and on"), "nor one back in time");
	ok(strstr(stages_of("seconds,done,total\n1,5,4\n2,4,4\n"), "goes on and on") &&
		   strstr(stages_of("seconds,done,total\n1,0,0\n2,4,4\n"), "goes on and on"),
	   "nor one of more than all, or of nothing");
	ok(strstr(stages_of("seconds,done,total\n1,few,4\n"), "few"), "nor words");
	for (nth = 1; nth < 100; nth++) {
		ft_alloc_fail_at(nth);
		const char *said = stages_of("seconds,done,total\n1,1,2\n4,2,2\n");
		ft_alloc_fail_at(0);
		if (!strcmp(said, "0.5@0.25 1@1"))
			break;
	}
	ok(nth > 1 && nth < 100, "each of %d allocations may fail", (int)nth - 1);
}

int main(void)
{
	test_patterns();
	test_streams();
	test_stages();
	temp_remove();
	return done();
}
