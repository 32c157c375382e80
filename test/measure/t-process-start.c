/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-process-start.c - how programs are started: what they get, where they run, what goes before and after. */
#include "base/csv.h"
#include "measure/door.h"
#include "process-test.h"

#include <sched.h>

static void test_surroundings(void)
{
	const char *path = temp_path("told");
	char ours[256], expected[512];
	struct subject s;

	(void)signal(SIGUSR1, SIG_IGN);
	HOSTILE(&s, "tell", path, "{n}", "{{n}}", "$OMP_NUM_THREADS", "$NUMEXPR_NUM_THREADS");
	(void)unsetenv("OMP_NUM_THREADS");
	(void)setenv("NUMEXPR_NUM_THREADS", "77", 1);
	s.launch.threads = 3;
	check_outcome(&s, 0, FT_DONE, "what a child gets");
	ok(!strcmp(told(path),
		   "signals=0 leader=1 0=/dev/null 1=/dev/null 2=pipe others=0 [1] [{n}] OMP_NUM_THREADS=3 "
		   "NUMEXPR_NUM_THREADS=3"),
	   "%s", told(path));
	unmake(&s);
	HOSTILE(&s, "tell", path, "$OMP_NUM_THREADS", "$NUMEXPR_NUM_THREADS");
	s.launch.pass_through = true;
	check_outcome(&s, 0, FT_DONE, "one that keeps what is ours");
	ssize_t length = readlink("/proc/self/fd/2", ours, sizeof ours - 1);
	ours[length > 0 ? length : 0] = '\0';
	(void)snprintf(expected, sizeof expected, " 2=%s others=0 OMP_NUM_THREADS=- NUMEXPR_NUM_THREADS=77",
		       strncmp(ours, "pipe:", 5) ? ours : "pipe");
	ok(strstr(told(path), "signals=0 leader=0 ") && strstr(told(path), expected), "%s", told(path));
	unmake(&s);
	(void)signal(SIGUSR1, SIG_DFL);
}

static void test_not_started(void)
{
	struct subject s;
	char path[256];

	HOSTILE(&s, "exit", "0");
	(void)snprintf(path, sizeof path, "%s", temp_path("vanishing"));
	(void)!symlink(s.file, path);
	s.argv[0] = path;
	ok(!open_subject(&s) && !run(&s, 1, 0) && last(&s)->outcome == FT_DONE, "a program");
	(void)unlink(path);
	(void)run(&s, 1, 0);
	ok(last(&s)->outcome == FT_NOT_STARTED && strstr(words(&s), "No such file"), "that vanished: %s",
	   words(&s));
	ok(!last(&s)->n_samples && !(last(&s)->cost_s > 0), "costs nothing and has no figures");
	(void)temp_write(path,
			 "\x7f"
			 "ELF, or so it says",
			 0755);
	(void)run(&s, 1, 0);
	ok(s.runs.n == 3 && last(&s)->outcome != FT_DONE, "that is none: %s, %s",
	   ft_outcome_text(last(&s)->outcome), words(&s));
	(void)temp_write(path, "#!/nonesuch/interpreter\n", 0755);
	(void)run(&s, 1, 0);
	ok(s.runs.n == 4 && last(&s)->outcome == FT_NOT_STARTED, "whose interpreter is missing: %s",
	   words(&s));
	(void)unlink(path);
	ok(!symlink(s.file, path) && !run(&s, 1, 0) && last(&s)->outcome == FT_DONE, "that is back");
	unmake(&s);
}

static void test_refused(void)
{
	struct subject s;
	char missing[] = "/nonesuch/program", plain[256], pin[16];

	HOSTILE(&s, "exit", "{k}");
	ok(open_subject(&s) == FT_EINVAL && !s.source && strstr(s.err.remedy, "k=100"), "%s; %s", s.err.text,
	   s.err.remedy);
	HOSTILE(&s, "exit", "0");
	s.launch.prepare = "echo {k}";
	ok(open_subject(&s) == FT_EINVAL && !s.source, "in prepare: %s", s.err.text);
	HOSTILE(&s, "exit", "0");
	s.argv[0] = missing;
	ok(open_subject(&s) == FT_ENOENT && !s.source, "%s", s.err.text);
	(void)snprintf(plain, sizeof plain, "%s", temp_path("plain"));
	(void)temp_write(plain, "text\n", 0644);
	s.argv[0] = plain;
	ok(open_subject(&s) == FT_EACCESS && !s.source, "%s", s.err.text);
	HOSTILE(&s, "exit", "0");
	s.program.argc = 0;
	ok(open_subject(&s) == FT_EINVAL && !s.source, "%s", s.err.text);
	HOSTILE(&s, "exit", "0");
	(void)snprintf(pin, sizeof pin, "0,%ld", sysconf(_SC_NPROCESSORS_CONF));
	s.launch.pin = pin;
	ok(open_subject(&s) == FT_EINVAL && !s.source, "%s; %s", s.err.text, s.err.remedy);
	s.launch.pin = "99999999999999999999";
	ok(open_subject(&s) == FT_EINVAL && !s.source, "%s", s.err.text);
	ft_source_close(NULL);
}

static void test_pins(void)
{
	static const char *const bad[] = {"", "a", "1-", "-1", "3-1", "0,", ",0", "0 1", "0-1-2", "0x1"};
	struct subject s;
	cpu_set_t ours;
	char pin[16];
	size_t first = 0;

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		HOSTILE(&s, "exit", "0");
		s.launch.pin = bad[i];
		ok(open_subject(&s) == FT_EINVAL && !s.source, "'%s' is no list: %s", bad[i], s.err.text);
	}
	(void)sched_getaffinity(0, sizeof ours, &ours);
	while (!CPU_ISSET(first, &ours))
		first++;
	(void)snprintf(pin, sizeof pin, "%zu", first);
	make(&s, "hostile", (const char *const[WORDS]){0});
	s.argv[0] = (char *)(uintptr_t) "sh";
	s.argv[1] = (char *)(uintptr_t) "-c";
	s.argv[2] = (char *)(uintptr_t) "test \"$(nproc)\" = 1";
	s.argv[3] = NULL;
	s.program.argc = 3;
	s.launch.pin = pin;
	check_outcome(&s, 0, FT_DONE, "a pinned program sees one processor");
	unmake(&s);
}

static void test_prepare(void)
{
	const char *path = temp_path("prepared");
	char prepare[400], cleanup[400];
	struct subject s;

	HOSTILE(&s, "exit", "0");
	(void)snprintf(prepare, sizeof prepare, "echo {n} >> '%s'; sleep 0.03", path);
	(void)snprintf(cleanup, sizeof cleanup, "echo c${n}{n} >> '%s'", path);
	s.launch.prepare = prepare;
	s.launch.cleanup = cleanup;
	ok(!open_subject(&s) && !run(&s, 5, 0) && !run(&s, 6, 0) && s.runs.n == 2 &&
		   last(&s)->outcome == FT_DONE,
	   "with prepare and cleanup");
	ok(!strcmp(told(path), "5\nc5\n6\nc6\n"), "they run around each run");
	ok(value(&s, &ft_minor_faults) < 2000 && !last(&s)->detail, "and are not measured");
	ok(last(&s)->cost_s > value(&s, &ft_wall_s) + 0.03, "but are a part of what a run costs: %g s",
	   last(&s)->cost_s);
	unmake(&s);
	HOSTILE(&s, "tell", path);
	s.launch.prepare = "echo no disk today >&2; exit 7";
	s.launch.cleanup = "exit 2";
	check_outcome(&s, 0, FT_NOT_STARTED, "a prepare that fails");
	ok(strstr(words(&s), "prepare command failed with status 7: no disk today") &&
		   strstr(words(&s), "cleanup command failed with status 2"),
	   "says so: %.40s...", words(&s));
	ok(strncmp(told(path), "signals", 7) != 0, "the program did not run");
	unmake(&s);
}

static void test_table(void)
{
	static const char table[] = "path,n\nten,10\ntwo a,2\nfive,5\ntwo b,2\n";
	const char *path = temp_path("case");
	struct ft_csv *csv = NULL;
	const double *sizes;
	struct ft_size size = {1, {2}};
	struct subject s;

	(void)ft_csv_parse("cases.csv", table, sizeof table - 1, ',', &csv, NULL);
	HOSTILE(&s, "tell", path, "{path}", "{n}");
	s.program.param[0].least = s.program.param[0].most = 0;
	s.launch.cases = csv;
	ok(!open_subject(&s) && ft_source_sizes(s.source, &sizes) == 3 && near(sizes[0], 2, 0) &&
		   near(sizes[1], 5, 0) && near(sizes[2], 10, 0),
	   "sizes of cases, ascending");
	ok(!run(&s, 5, 0) && strstr(told(path), "[five] [5]"), "a case: %s", told(path));
	ok(!ft_source_run(s.source, &size, 1, 0, &s.runs, NULL) && strstr(told(path), "[two b] [2]"),
	   "the second run of two of one size takes the second: %s", told(path));
	ok(run(&s, 7, 0) == FT_EINVAL && s.runs.n == 2, "%s", s.err.text);
	unmake(&s);
	(void)snprintf(s.program.param[0].name, FT_PARAM_LENGTH, "x");
	ok(open_subject(&s) == FT_EINVAL && !s.source, "%s; %s", s.err.text, s.err.remedy);
	ft_csv_free(csv);
	(void)ft_csv_parse("cases.csv", "n\nabc\n", 6, ',', &csv, NULL);
	HOSTILE(&s, "exit", "0");
	ok(open_subject(&s) == FT_OK, "a program");
	ok(ft_source_sizes(s.source, &sizes) == 0, "without cases takes every size");
	unmake(&s);
	s.launch.cases = csv;
	ok(open_subject(&s) == FT_EPARSE && !s.source, "%s", s.err.text);
	ft_csv_free(csv);
}

int main(void)
{
	test_surroundings();
	test_not_started();
	test_refused();
	test_pins();
	test_prepare();
	test_table();
	temp_remove();
	return done();
}
