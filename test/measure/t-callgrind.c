/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-callgrind.c - files of callgrind: names by number, costs of calls, circles, inlined lines, several parts and
 * processes; what is broken off or damaged; and a run under valgrind itself. */
#include "base/alloc.h"
#include "facts/door.h"
#include "foretime/measure.h"
#include "measure/door.h"
#include "tap.h"
#include "temp.h"

#include <math.h>
#include <unistd.h>

#define HEAD "# callgrind format\nversion: 1\ncreator: callgrind-3.19.0\npid: 1\ncmd: ./prog 7\npart: 1\n\n"

static struct ft_profile profile;
static struct ft_err err;

static enum ft_status read_text(const char *text)
{
	err = (struct ft_err){0};
	(void)temp_write(temp_path("callgrind"), text, 0644);
	return ft_profile_read(&profile, temp_path("callgrind"), &err);
}

static const struct ft_profile_function *find(const char *name)
{
	for (size_t i = 0; i < profile.n; i++)
		if (!strcmp(profile.function[i].name, name))
			return &profile.function[i];
	return NULL;
}

static bool counts(const char *name, double exclusive, double inclusive)
{
	const struct ft_profile_function *f = find(name);

	if (f && (f->exclusive != exclusive || f->inclusive != inclusive))
		diag("%s: %g, %g", name, f->exclusive, f->inclusive);
	return f && f->exclusive == exclusive && f->inclusive == inclusive;
}

/* ---- what a file has ---------------------------------------------------------------------------------- */

static void test_names(void)
{
	ok(!read_text(HEAD "positions: line\nevents: Ir\nsummary: 660\n\n"
			   "ob=(1) /bin/prog\nfl=(1) main.c\nfn=(1) main\n16 20\n"
			   "cob=(2) /lib/libc.so\ncfi=(2) msort.c\ncfn=(3) qsort\ncalls=2 50\n+1 400\n"
			   "cfn=(2) helper\ncalls=1 5\n* 240\n\n"
			   "fn=(2)\n5 140\n-1 100\n\n"
			   "ob=(2)\nfl=(2)\nfn=(3)\n50 400\n\ntotals: 660\n"),
	   "a file is read: %s", err.text);
	ok(profile.n == 3 && profile.instructions == 660 && profile.processes == 1 &&
		   !strcmp(profile.command, "./prog 7"),
	   "three functions");
	ok(counts("main", 20, 660) && counts("qsort", 400, 400) && counts("helper", 240, 240),
	   "own costs, and with those of calls");
	const struct ft_profile_function *qsort_function = find("qsort");
	ok(!strcmp(qsort_function->object, "/lib/libc.so") && !strcmp(qsort_function->file, "msort.c") &&
		   !strcmp(find("helper")->object, "/bin/prog") && !strcmp(find("helper")->file, "main.c"),
	   "each with its object and its file");
	ok(profile.calls == 2 && profile.inlined == 0 && !profile.forked, "and two calls");
	ft_profile_clear(&profile);
	ft_profile_clear(&profile);
	ft_profile_clear(NULL);
}

static void test_uncompressed(void)
{
	ok(!read_text("events: Dr Ir Dw\npositions: instr line\n"
		      "fn=main\n0x10 3 1 20 7\n0x14 4 0 5\ncfn=work\ncalls=1 0x40 9\n0x18 5 9 100 1\n"
		      "fn=work\n0x40 9 1 60\n+4 +1 1 40 2\n0x48 10 3\ntotals: 9 125 9\n") &&
		   counts("main", 25, 125) && counts("work", 100, 100),
	   "names without numbers, several events and positions: %s", err.text);
	ft_profile_clear(&profile);
}

static void test_totals(void)
{
	ok(read_text("events: Ir\nfn=(1) main\n1 20\n") == FT_EPARSE && *err.remedy, "broken off: %s",
	   err.text);
	ok(read_text("events: Ir\nfn=(1) main\n1 20\ntotals: 21\n") == FT_EPARSE, "lines are missing: %s",
	   err.text);
	ok(read_text("events: Dr\nfn=(1) main\n1 20\ntotals: 20\n") == FT_EPARSE && strstr(err.text, "Ir"),
	   "no instructions: %s", err.text);
	ok(read_text("size,time\n1,2\n") == FT_ENOTOURS, "another file: %s", err.text);
	ok(read_text("") == FT_ENOTOURS, "an empty one: %s", err.text);
	ok(ft_profile_read(&profile, temp_path("nothing"), &err) == FT_ENOENT, "no file: %s", err.text);
	ok(profile.n == 0 && profile.instructions == 0 && !profile.command, "nothing of these stays");
}

static void test_circles(void)
{
	ok(!read_text("events: Ir\nfn=(1) main\n1 10\ncfn=(2) fib\ncalls=1 0\n1 100\ncfn=(4) even\ncalls=1 "
		      "0\n1 60\n"
		      "fn=(2)\n1 40\ncfn=(3) fib'2\ncalls=2 0\n1 60\n"
		      "fn=(3)\n1 60\ncfn=(3)\ncalls=9 0\n1 300\n"
		      "fn=(4)\n1 20\ncfn=(5) odd\ncalls=3 0\n1 55\ncfn=(6) leaf\ncalls=1 0\n1 5\n"
		      "fn=(5)\n1 25\ncfn=(4)\ncalls=3 0\n1 50\ncfn=(6)\ncalls=1 0\n1 10\n"
		      "fn=(6)\n1 15\ntotals: 170\n"),
	   "recursion: %s", err.text);
	ok(counts("fib", 100, 100) && find("fib")->recursive, "a function in several recursions is one");
	ok(counts("even", 20, 60) && counts("odd", 25, 60) && find("odd")->recursive,
	   "functions of a circle have the cost of the circle, once");
	ok(counts("main", 10, 170) && counts("leaf", 15, 15) && !find("main")->recursive &&
		   !find("leaf")->recursive,
	   "and others their own");
	ft_profile_clear(&profile);
}

static void test_inlined(void)
{
	ok(!read_text("events: Ir\nfl=(1) a.c\nfn=(1) main\n1 10\nfi=(2) vector.h\n7 30\nfe=(1)\n2 5\n"
		      "fn=(2) other\n3 5\ntotals: 50\n") &&
		   profile.inlined == 30 && counts("main", 45, 45),
	   "lines of another file are inlined");
	ft_profile_clear(&profile);
}

static void test_spelling(void)
{
	ok(!read_text("events: Ir\nob=(1) /bin/x\nfn=(1) 0x000000000010a1b0\n1 10\n"
		      "fn=(2) core::fmt::write::h0123456789abcdef\n1 5\n"
		      "fn=(3) quad_\n1 5\nfn=(4) a::b<int, (char)39>::c(long) const\n1 5\nfn=(5) "
		      "x::h01234\n1 5\n"
		      "jump=3 7\n4 999\njcnd=1/2 3\n5\n1 5\ntotals: 35\n") &&
		   find("0x10a1b0") && find("0x10a1b0")->nameless,
	   "an address is short, and no name: %s", err.text);
	ok(find("core::fmt::write") && find("quad_") && find("a::b<int, (char)39>::c(long) const") &&
		   find("x::h01234") && !find("quad_")->nameless,
	   "the hash of Rust goes, all else stays");
	ok(counts("x::h01234", 10, 10), "jumps cost nothing");
	ft_profile_clear(&profile);
}

static void test_several(void)
{
	static const char file[] =
		HEAD "events: Ir\nfl=(1) a.c\nfn=(1) main\n1 10\ncfn=(2) work\ncalls=1 1\n1 20\n"
		     "fn=(2)\n1 20\ntotals: 30\n",
			  parts[] = HEAD "events: Ir\nfl=(1) a.c\nfn=(1) main\n1 10\ntotals: 10\n\npart: 2\n"
					 "events: Ir\nfl=(1) a.c\nfn=(1) main\n1 7\ntotals: 7\n";

	ok(!read_text(file) && !read_text(file) && profile.processes == 2 && counts("main", 20, 60) &&
		   counts("work", 40, 40) && profile.instructions == 60 && profile.forked,
	   "two processes of one command: %s", err.text);
	ft_profile_clear(&profile);
	ok(!read_text(parts) && counts("main", 17, 17) && profile.processes == 1,
	   "two parts of one process: %s", err.text);
	const size_t n = profile.n;
	ok(read_text("events: Ir\nfn=(1) other\n1 20\n") == FT_EPARSE && profile.n == n &&
		   profile.instructions == 17,
	   "a broken file adds nothing");
	ft_profile_clear(&profile);
}

/* ---- damage ------------------------------------------------------------------------------------------- */

static void test_damage(void)
{
	ok(!read_text("events: Ir\nfn=(1) main\n1 5\nfn=(99999999) far\n1 5\nfn=(-3) less\n1 5\nfn=(2\n1 5\n"
		      "fn=()\n1 5\ncfn=(7)\ncalls=x\n\ncalls=1 1\n1 1e300\n1 -5\n1 nan\n+ \n*\nfn=\n1 5\n"
		      "cob=\ncfi=\ncfn=\ncalls=1 1\n1 5\nnonsense\n=\n:\ntotals: 30\n"),
	   "odd numbers are names: %s", err.text);
	ft_profile_clear(&profile);

	char *wide = malloc(300000);
	size_t length = (size_t)sprintf(wide, "events: Ir\nfn=(1) ");
	memset(wide + length, 'x', 200000);
	length += 200000;
	(void)sprintf(wide + length, "\n1 20\ntotals: 20\n");
	ok(!read_text(wide) && profile.n == 1 && strlen(profile.function[0].name) < 70000 &&
		   profile.function[0].exclusive == 20,
	   "a line without end is cut");
	free(wide);
	ft_profile_clear(&profile);

	static const char good[] =
		"events: Ir\nob=(1) /x\nfl=(1) a.c\nfn=(1) main\n1 10\ncfn=(2) work\ncalls=1 1\n1 20\n"
		"fn=(2)\n1 20\ntotals: 30\n";
	bool done = false;
	int bad = 0;
	unsigned long at;
	for (at = 1; !done && at < 500; at++) {
		(void)ft_alloc_fail_at(at);
		const enum ft_status status = read_text(good);
		(void)ft_alloc_fail_at(0);
		done = !status;
		bad += status &&
		       (status != FT_ENOMEM || profile.n || profile.calls || profile.instructions > 0);
		ft_profile_clear(&profile);
	}
	ok(done && !bad, "each of %lu allocations may fail", at - 2);
}

/* ---- valgrind ----------------------------------------------------------------------------------------- */

static void test_run(void)
{
	char child[512], *argv[] = {child, (char *)(uintptr_t) "{n}", NULL, NULL};
	struct ft_program program = {.argv = argv, .argc = 2, .n_params = 1, .param = {{.name = "n"}}};
	struct ft_size size = {.n = 1, .value = {1000}};
	struct ft_profiler *profiler;
	double cost_s, first;

	(void)snprintf(child, sizeof child, "%s/test/measure/child-count", getenv("FORETIME_TEST_BUILD"));
	if (ft_profiler_open(&profiler, 0, &err)) {
		skip("runs under valgrind", err.text);
		return;
	}
	ok(!ft_profiler_run(profiler, &program, &size, 0, NULL, &profile, &cost_s, &err) && profile.n > 10 &&
		   cost_s > 0,
	   "a profile of a run: %s", err.text);
	ok(find("main") && find("main")->inclusive <= profile.instructions, "it has a main");
	first = profile.instructions;
	ft_profile_clear(&profile);
	size.value[0] = 1001000;
	enum ft_status status = ft_profiler_run(profiler, &program, &size, 0, NULL, &profile, &cost_s, &err);
	ok(!status && near(profile.instructions - first, 10e6, 1e-3), "a million rounds of ten: %.0f",
	   profile.instructions - first);
	ft_profile_clear(&profile);

	program.argc = 3;
	argv[2] = (char *)(uintptr_t) "fail";
	ok(ft_profiler_run(profiler, &program, &size, 0, NULL, &profile, &cost_s, &err) == FT_EUNAVAIL &&
		   !profile.n && *err.remedy,
	   "a program that fails: %s", err.text);
	argv[2] = (char *)(uintptr_t) "valgrind";
	ok(ft_profiler_run(profiler, &program, &size, 0, NULL, &profile, &cost_s, &err) == FT_EUNAVAIL &&
		   strstr(err.remedy, "AVX-512"),
	   "an instruction that valgrind does not know: %s", err.text);
	argv[2] = (char *)(uintptr_t) "0";
	size.value[0] = 4e9;
	ok(ft_profiler_run(profiler, &program, &size, 0.5, NULL, &profile, &cost_s, &err) == FT_EUNAVAIL &&
		   strstr(err.text, "500 ms"),
	   "a limit: %s", err.text);
	argv[0] = (char *)(uintptr_t) "no-such-program-here";
	ok(ft_profiler_run(profiler, &program, &size, 0, NULL, &profile, &cost_s, &err) == FT_ENOENT, "%s",
	   err.text);
	ft_profiler_close(profiler);
	ft_profiler_close(NULL);
	(void)setenv("PATH", temp_path("nowhere"), 1);
	ok(ft_profiler_open(&profiler, 0, &err) == FT_EUNAVAIL && !profiler && strstr(err.remedy, "valgrind"),
	   "no valgrind: %s", err.text);
}

/* Marks of routines (foretime-probe.h) switch nothing off. */
static void test_marks(void)
{
	char fft[512], *argv[] = {fft, (char *)(uintptr_t) "{n}", NULL};
	struct ft_program program = {.argv = argv, .argc = 2, .n_params = 1, .param = {{.name = "n"}}};
	struct ft_size size = {.n = 1, .value = {256}};
	struct ft_profiler *profiler;
	double cost_s;

	(void)snprintf(fft, sizeof fft, "%s/examples/fft", getenv("FORETIME_TEST_BUILD"));
	if (test_sanitized() || access(fft, X_OK) || ft_profiler_open(&profiler, 0, &err)) {
		skip("a routine with marks", "no valgrind, no examples, or these have sanitizers");
		return;
	}
	const enum ft_status status =
		ft_profiler_run(profiler, &program, &size, 0, NULL, &profile, &cost_s, &err);
	const struct ft_profile_function *transform = find("transform");
	ok(!status && transform && transform->recursive && transform->inclusive > 10000,
	   "a routine with marks is counted: %s", err.text);
	ft_profile_clear(&profile);
	ft_profiler_close(profiler);
}

int main(void)
{
	test_names();
	test_uncompressed();
	test_totals();
	test_circles();
	test_inlined();
	test_spelling();
	test_several();
	test_damage();
	test_marks();
	test_run();
	return done();
}
