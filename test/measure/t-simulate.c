/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-simulate.c - instructions under valgrind: exact, without start-up, and refused where they break off. */
#include "tap.h"
#include "temp.h"

#include "base/alloc.h"
#include "foretime/facts.h"
#include "measure/measure.h"

#include <signal.h>
#include <unistd.h>

static char child[512], child_static[520];
static struct ft__simulator *simulator;

struct counted {
	double instructions, cost_s;
	enum ft_status status;
	struct ft_err err;
};

static struct counted count(const char *file, const char *a, const char *b, double limit_s)
{
	char *argv[4] = {(char *)(uintptr_t)file, (char *)(uintptr_t)a, (char *)(uintptr_t)b, NULL};
	struct ft__simulation simulation = {.file = file, .argv = argv, .limit_s = limit_s};
	struct counted c = {.cost_s = 0};

	c.status = ft__simulate_count(simulator, &simulation, &c.instructions, &c.cost_s, &c.err);
	if (c.status)
		diag("%s: %s", c.err.text, c.err.remedy);
	return c;
}

static void test_exact(void)
{
	struct counted none = count(child, "0", NULL, 0), some = count(child, "1000", NULL, 0),
		       more = count(child, "1001000", NULL, 0), again = count(child, "1000", NULL, 0);
	/* The digits of the argument are read too. */
	ok(!none.status && none.instructions >= 0 && none.instructions < 20000,
	   "a program that does nothing takes %g instructions beyond its start", none.instructions);
	ok(!some.status && some.instructions == again.instructions, "twice the same: %.0f and %.0f",
	   some.instructions, again.instructions);
	ok(near(more.instructions - some.instructions, 10e6, 1e-4), "a million rounds of ten: %.0f",
	   more.instructions - some.instructions);
	ok(some.cost_s > 0, "what it took is told: %g s", some.cost_s);
}

static void test_static(void)
{
	struct counted dynamic = count(child, "100000", NULL, 0), fixed;

	if (access(child_static, X_OK)) {
		skip("a static program", "there is no static C library");
		return;
	}
	fixed = count(child_static, "100000", NULL, 0);
	ok(!fixed.status && near(fixed.instructions, dynamic.instructions, 0.02),
	   "a static program counts as a dynamic one: %.0f and %.0f", fixed.instructions,
	   dynamic.instructions);
}

/* The environment of a user changes nothing. */
/* valgrind has a meaning for '%' in names. */
static void test_folder(void)
{
	(void)mkdir(temp_path("100%p"), 0755);
	(void)setenv("TMPDIR", temp_path("100%p"), 1);
	struct counted c = count(child, "1000", NULL, 0);
	ok(!c.status && c.instructions > 0, "in a folder with a percent sign: %s", c.err.text);
	(void)unsetenv("TMPDIR");
}

static void test_environment(void)
{
	struct counted before = count(child, "5000", NULL, 0), after;

	(void)setenv("A_LONG_VARIABLE", "x", 1);
	(void)setenv("LC_ALL", "de_DE.UTF-8", 1);
	ft__simulate_close(simulator);
	if (ft__simulate_open(&simulator, 0, NULL))
		return;
	after = count(child, "5000", NULL, 0);
	ok(before.instructions == after.instructions, "other variables, the same count: %.0f, %.0f",
	   before.instructions, after.instructions);
}

static void test_scripts(void)
{
	char text[1024];

	(void)snprintf(text, sizeof text, "#!/bin/sh\n'%s' 1000000\n", child);
	(void)temp_write(temp_path("script"), text, 0755);
	struct counted direct = count(child, "1000000", NULL, 0);
	struct counted through = count(temp_path("script"), NULL, NULL, 0);
	ok(!through.status && through.instructions > direct.instructions &&
		   through.instructions < direct.instructions + 2e6,
	   "a script, less its shell: %.0f, the program alone %.0f", through.instructions,
	   direct.instructions);
	(void)temp_write(temp_path("empty"), "#!/bin/sh\n", 0755);
	through = count(temp_path("empty"), NULL, NULL, 0);
	ok(!through.status && through.instructions < 100000, "an empty script: %.0f", through.instructions);
	through = count("/bin/sh", temp_path("empty"), NULL, 0);
	ok(!through.status && through.instructions < 100000, "and as an argument: %.0f",
	   through.instructions);
}

static void refused(struct counted c, const char *text, const char *remedy)
{
	ok(c.status == FT_EUNAVAIL && isnan(c.instructions) && strstr(c.err.text, text) &&
		   strstr(c.err.remedy, remedy),
	   "refused: %s", c.err.text);
}

static void test_refused(void)
{
	refused(count(child, "10", "valgrind", 0), "signal 4", "AVX-512");
	refused(count(child, "10", "fail", 0), "ended with status 3", "standard input");
	refused(count(child, "10", "child", 0), "one of its processes did not end well", "AVX-512");
	refused(count(child, "100000000000", NULL, 1), "was ended after 1.00 s", "smaller");
	(void)temp_write(temp_path("foreign"), "no program at all\n", 0755);
	refused(count(temp_path("foreign"), NULL, NULL, 0), "another format", "build it");
	refused(count("/nowhere/at/all", NULL, NULL, 0), "cannot read", "");
	(void)temp_write(temp_path("odd"), "#!/nowhere/interpreter\n", 0755);
	refused(count(temp_path("odd"), NULL, NULL, 0), "what its start takes cannot be counted", "");
}

static void test_interrupted(void)
{
	static volatile sig_atomic_t flag = 1;
	char *argv[] = {child, (char *)(uintptr_t) "100000000000", NULL};
	struct ft__simulation simulation = {.file = child, .argv = argv, .interrupt = &flag};
	struct ft_err err = {0};
	double instructions, cost_s;

	ok(ft__simulate_count(simulator, &simulation, &instructions, &cost_s, &err) == FT_EUNAVAIL &&
		   strstr(err.text, "interrupted"),
	   "the user's wish to end: %s", err.text);
}

static struct ft__counted count_routines(const char *n, const char *word)
{
	char file[600];
	char *argv[] = {file, (char *)(uintptr_t)n, (char *)(uintptr_t)word, NULL};
	struct ft__simulation simulation = {.file = file, .argv = argv};
	struct ft__counted counted = {0};
	struct ft_err err = {0};
	double cost_s;

	(void)snprintf(file, sizeof file, "%.500s/test/measure/child-routines",
		       getenv("FORETIME_TEST_BUILD"));
	if (ft__simulate_routines(simulator, &simulation, &counted, &cost_s, &err))
		diag("%s", err.text);
	return counted;
}

/* What each routine takes, whoever is reported when. */
static void test_routines(void)
{
	struct ft__counted small = count_routines("10000", NULL), large = count_routines("20000", NULL),
			   nested = count_routines("10000", "nested"),
			   threads = count_routines("10000", "threads");

	if (!small.n) {
		skip("instructions of routines", "the program was compiled without valgrind's header");
		return;
	}
	double first = ft__counted_of(&large, "first") - ft__counted_of(&small, "first");
	double second = ft__counted_of(&large, "second") - ft__counted_of(&small, "second");
	ok(small.n == 2 && !small.mixed && first >= 40000 && first < 200000 && near(second, 3 * first, 1e-9),
	   "one takes three times as much as the other: %g, %g", first, second);
	ok(ft__counted_of(&small, "first") - first < 2000,
	   "and little besides: %g of 10000 rounds, %g of 10000 more", ft__counted_of(&small, "first"),
	   first);
	ok(isnan(ft__counted_of(&small, "third")), "another was not told of");
	ok(nested.mixed, "of two at once nothing is told");
	ok(threads.threads && !small.threads && !nested.threads,
	   "a second thread is seen, though it has ended");
	ft__counted_clear(&small);
	ft__counted_clear(&large);
	ft__counted_clear(&nested);
	ft__counted_clear(&threads);
}

/* What callgrind may write. */
static void test_parts(void)
{
	static const char text[] = "desc: Trigger: Client Request: @0x1\nsummary: 100\n"
				   "desc: Trigger: Client Request: @0x2\nsummary: 10\n"
				   "desc: Trigger: Client Request: =a b @0x1\nsummary: 1\ntotals: 1\n"
				   "desc: Trigger: Client Request: =c @0x2\nsummary: nan\n"
				   "desc: Trigger: Client Request: =@0x2\nsummary: 5\n"
				   "summary: 1000\ndesc: Trigger: Program termination\nsummary: 3\n";
	struct ft__counted counted = {0};
	bool good = true;

	(void)temp_write(temp_path("parts"), text, 0644);
	ok(ft__counted_read(&counted, temp_path("parts")) && counted.n == 1 &&
		   ft__counted_of(&counted, "a b") == 101 && !counted.mixed,
	   "parts of a stop-watch are summed under its name: %g", ft__counted_of(&counted, "a b"));
	ok(ft__counted_read(&counted, temp_path("no such")), "no file tells nothing");
	ft__counted_clear(&counted);
	for (unsigned long k = 1; k <= 2; k++) {
		(void)ft_alloc_fail_at(k);
		good = good && !ft__counted_read(&counted, temp_path("parts"));
		ft__counted_clear(&counted);
	}
	(void)ft_alloc_fail_at(0);
	ok(good, "each allocation may fail");
}

static void test_format(void)
{
	const char *const elf[] = {child, "x", NULL}, *const shell[] = {"/bin/sh", "-c", NULL};
	const char *script[] = {NULL, NULL};
	const char *empty[FT__FORMAT_WORDS + 1] = {NULL};
	char path[FT__FORMAT_PATH];

	ok(!ft__format_empty(elf, path, empty, NULL), "a program starts as an empty one");
	ok(strstr(empty[0], "foretime-empty") && !empty[1], "a program: %s", empty[0]);
	ok(!ft__format_empty(shell, path, empty, NULL) && strstr(empty[0], "foretime-empty"),
	   "sh -c is a program as any other");
	(void)temp_write(temp_path("env"), "#! /usr/bin/env  python3 -u\nprint(1)\n", 0755);
	script[0] = temp_path("env");
	ok(!ft__format_empty(script, path, empty, NULL), "a script starts as its interpreter");
	ok(!strcmp(empty[0], "/usr/bin/env") && !strcmp(empty[1], "python3 -u") &&
		   !strcmp(empty[2], "/dev/null") && !empty[3],
	   "a script's interpreter, and one argument: %s '%s'", empty[0], empty[1]);
}

static void test_absent(void)
{
	char *path = strdup(getenv("PATH"));
	struct ft__simulator *none;
	struct ft_err err = {0};

	(void)setenv("PATH", temp_folder, 1);
	ok(ft__simulate_open(&none, 0, &err) == FT_EUNAVAIL && !none && strstr(err.text, "valgrind") &&
		   strstr(err.remedy, "install"),
	   "no valgrind: %s", err.text);
	(void)setenv("PATH", path, 1);
	free(path);
}

static void test_faults(void)
{
	enum ft_status status = FT_ENOMEM;
	struct ft__simulator *opened = NULL;
	struct ft__simulation simulation;
	char *argv[] = {child, NULL};
	double instructions, cost_s;
	unsigned long n;
	bool good = true;

	for (n = 1; status && n < 100; n++) {
		(void)ft_alloc_fail_at(n);
		status = ft__simulate_open(&opened, 2, NULL);
		good = good && (!status || (status == FT_ENOMEM && !opened));
	}
	ok(good && !status && n > 5, "each allocation of opening may fail (%lu)", n - 2);
	simulation = (struct ft__simulation){.file = child, .argv = argv};
	status = FT_ENOMEM;
	for (n = 1; status && n < 100; n++) {
		(void)ft_alloc_fail_at(n);
		status = ft__simulate_count(opened, &simulation, &instructions, &cost_s, NULL);
		good = good && (!status || status == FT_ENOMEM);
	}
	(void)ft_alloc_fail_at(0);
	ok(good && !status && n > 5, "and of counting (%lu)", n - 2);
	ft__simulate_close(opened);
	ft__simulate_close(NULL);
}

int main(void)
{
	const char *build = getenv("FORETIME_TEST_BUILD");
	struct ft_err err = {0};

	(void)snprintf(child, sizeof child, "%s/test/measure/child-count", build ? build : ".");
	(void)snprintf(child_static, sizeof child_static, "%s-static", child);
	(void)temp_path("");
	test_format();
	test_parts();
	if (ft__simulate_check(&err)) {
		skip("instructions under valgrind", err.text);
		temp_remove();
		return done();
	}
	if (ft__simulate_open(&simulator, 0, &err)) {
		ok(false, "%s", err.text);
		return done();
	}
	test_exact();
	test_routines();
	test_folder();
	test_static();
	test_environment();
	test_scripts();
	test_refused();
	test_interrupted();
	ft__simulate_close(simulator);
	test_absent();
	test_faults();
	temp_remove();
	return done();
}
