/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-process.c - programs, also hostile ones, run and measured. */
#include "tap.h"
#include "temp.h"

#include "base/alloc.h"
#include "foretime/measure.h"

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MB = 1 << 20, WORDS = 8 };

/* A program: child-hostile or child-probe with words. */
struct subject {
	char file[512], tag[96];
	char *argv[WORDS + 4];
	struct ft_program program;
	struct ft_launch launch;
	struct ft_source *source;
	struct ft_runs runs;
	struct ft_err err;
};

static void make(struct subject *s, const char *child, const char *const *words)
{
	size_t i = 0, k;

	memset(s, 0, sizeof *s);
	(void)snprintf(s->file, sizeof s->file, "%s/test/measure/child-%s", getenv("FORETIME_TEST_BUILD"),
		       child);
	(void)snprintf(s->tag, sizeof s->tag, "foretime-test-tag-%d", (int)getpid());
	s->argv[i++] = s->file;
	if (!strcmp(child, "hostile"))
		s->argv[i++] = s->tag;
	for (k = 0; k < WORDS && words[k]; k++)
		s->argv[i++] = (char *)(uintptr_t)words[k];
	s->program = (struct ft_program){.argv = s->argv, .argc = i, .n_params = 1};
	(void)snprintf(s->program.param[0].name, FT_PARAM_LENGTH, "n");
	s->program.param[0].least = 1;
	s->program.param[0].most = 1000;
	s->program.param[0].stride = 1;
	s->launch.program = &s->program;
}

static enum ft_status open_subject(struct subject *s)
{
	return ft_source_open_process(&s->source, &s->launch, &s->err);
}

static enum ft_status run(struct subject *s, double n, double limit_s)
{
	struct ft_size size = {1, {n}};

	return ft_source_run(s->source, &size, 0, limit_s, &s->runs, &s->err);
}

static void unmake(struct subject *s)
{
	ft_runs_clear(&s->runs);
	ft_source_close(s->source);
	s->source = NULL;
}

static const struct ft_run *last(const struct subject *s)
{
	static const struct ft_run none = {.outcome = FT_NOT_STARTED};

	return s->runs.n ? &s->runs.run[s->runs.n - 1] : &none;
}

/* Its words; "" when it has none. */
static const char *words(const struct subject *s)
{
	return last(s)->detail ? last(s)->detail : "";
}

static double value(const struct subject *s, const char *resource)
{
	return ft_run_value(last(s), resource);
}

#define HOSTILE(s, ...) make(s, "hostile", (const char *const[WORDS]){__VA_ARGS__})
#define PROBE(s, word)  make(s, "probe", (const char *const[WORDS]){word})

/* How many processes have a tag in their command line. Zombies have none. */
static int count_alive(const char *tag)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	int count = 0;

	while (proc && (entry = readdir(proc))) {
		char path[300], line[4096];
		int file;
		ssize_t length;

		if (entry->d_name[0] < '1' || entry->d_name[0] > '9' || atoi(entry->d_name) == getpid())
			continue;
		(void)snprintf(path, sizeof path, "/proc/%s/cmdline", entry->d_name);
		file = open(path, O_RDONLY);
		length = file < 0 ? -1 : read(file, line, sizeof line);
		if (file >= 0)
			(void)close(file);
		count += length > 0 && memmem(line, (size_t)length, tag, strlen(tag));
	}
	if (proc)
		(void)closedir(proc);
	return count;
}

/* Run once, and see that nothing is left. */
static void check_outcome(struct subject *s, double limit_s, enum ft_outcome expected, const char *what)
{
	enum ft_status status = open_subject(s);
	int left;

	if (!status)
		status = run(s, 1, limit_s);
	left = count_alive(s->tag);
	if (!ok(!status && s->runs.n == 1 && last(s)->outcome == expected && !left,
		"%s: %s, and nothing is left", what, ft_outcome_text(expected)))
		diag("status %d %s; %s, status %d, signal %d, %d left; %s", status, s->err.text,
		     ft_outcome_text(last(s)->outcome), last(s)->exit_status, last(s)->signal, left,
		     words(s));
}

/* ---- what is measured -------------------------------------------------------------------------------- */

static void test_figures(void)
{
	static const char *const resources[] = {"wall_s",
						"cpu_s",
						"user_s",
						"system_s",
						"peak_rss_bytes",
						"peak_tree_bytes",
						"minor_faults",
						"major_faults",
						"voluntary_switches",
						"involuntary_switches"};
	struct subject s;
	const struct ft_run *r;
	size_t i;

	HOSTILE(&s, "exit", "0");
	check_outcome(&s, 0, FT_DONE, "a program that does nothing");
	r = last(&s);
	for (i = 0; i < sizeof resources / sizeof *resources; i++)
		ok(ft_run_value(r, resources[i]) >= 0, "%s is known: %g", resources[i],
		   ft_run_value(r, resources[i]));
	ok(r->cost_s > 0 && near(r->cost_s, value(&s, "wall_s"), 0), "its cost is its wall time");
	ok(isnan(r->work) && !r->routine && !r->detail, "it reported nothing, and has no words");
	ok(r->version && !strcmp(r->version, FT_VERSION) && r->started_ns > INT64_C(1600000000000000000) &&
		   r->load_before >= 0,
	   "version, time of day and load are recorded");
	ok(isnan(r->cpu_hz) || (r->cpu_hz > 1e8 && r->cpu_hz < 1e11), "frequency: %g", r->cpu_hz);
	ok(r->size.n == 1 && near(r->size.value[0], 1, 0), "the size is recorded");
	unmake(&s);
}

/* Ours is large, the child's is not ours. */
static void test_memory(void)
{
	size_t large = 300 * (size_t)MB;
	char *fat = mmap(NULL, large, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct subject s;

	memset(fat, 1, large);
	HOSTILE(&s, "exit", "0");
	check_outcome(&s, 0, FT_DONE, "a small program of a large parent");
	ok(value(&s, "peak_rss_bytes") < 32 * MB && value(&s, "peak_rss_bytes") > 0, "is small: %g",
	   value(&s, "peak_rss_bytes"));
	unmake(&s);
	(void)munmap(fat, large);
	HOSTILE(&s, "memory", "64");
	check_outcome(&s, 0, FT_DONE, "64 MiB");
	ok(value(&s, "peak_rss_bytes") >= 64 * MB && value(&s, "peak_rss_bytes") < 80 * MB,
	   "are measured: %g", value(&s, "peak_rss_bytes"));
	ok(value(&s, "peak_tree_bytes") >= value(&s, "peak_rss_bytes"),
	   "the tree has no less than a process");
	unmake(&s);
	HOSTILE(&s, "tree", "4", "24", "1500");
	check_outcome(&s, 0, FT_DONE, "four processes of 24 MiB");
	ok(value(&s, "peak_rss_bytes") >= 24 * MB && value(&s, "peak_rss_bytes") < 40 * MB, "each: %g",
	   value(&s, "peak_rss_bytes"));
	ok(value(&s, "peak_tree_bytes") >= 96 * MB && value(&s, "peak_tree_bytes") < 130 * MB, "together: %g",
	   value(&s, "peak_tree_bytes"));
	unmake(&s);
}

static void test_orphan_figures(void)
{
	struct subject s;

	HOSTILE(&s, "orphan", "0.04", "40");
	check_outcome(&s, 0, FT_DONE, "an orphan that works");
	ok(value(&s, "cpu_s") >= 0.04, "its processor time counts: %g", value(&s, "cpu_s"));
	ok(value(&s, "peak_rss_bytes") >= 40 * MB, "and its memory: %g", value(&s, "peak_rss_bytes"));
	unmake(&s);
}

/* ---- how programs end -------------------------------------------------------------------------------- */

static void test_endings(void)
{
	struct subject s;
	char text[16];

	HOSTILE(&s, "exit", "3");
	check_outcome(&s, 0, FT_FAILED, "status 3");
	ok(last(&s)->exit_status == 3 && value(&s, "wall_s") > 0, "is kept, with its figures");
	unmake(&s);
	HOSTILE(&s, "exit", "127");
	check_outcome(&s, 0, FT_FAILED, "status 127 of its own");
	unmake(&s);
	HOSTILE(&s, "signal", "11");
	check_outcome(&s, 0, FT_CRASHED, "a crash");
	ok(last(&s)->signal == SIGSEGV, "its signal is kept");
	unmake(&s);
	HOSTILE(&s, "signal", "9");
	check_outcome(&s, 0, FT_CRASHED, "SIGKILL of its own, with memory left");
	unmake(&s);
	(void)snprintf(text, sizeof text, "%d", SIGTERM);
	HOSTILE(&s, "signal", text);
	check_outcome(&s, 5, FT_CRASHED, "SIGTERM of its own");
	unmake(&s);
	HOSTILE(&s, "hang");
	check_outcome(&s, 0.05, FT_TIMED_OUT, "a program that hangs");
	ok(value(&s, "wall_s") >= 0.05, "its time is at least the limit");
	unmake(&s);
	HOSTILE(&s, "stubborn");
	check_outcome(&s, 0.05, FT_TIMED_OUT, "one that ignores every signal");
	unmake(&s);
	HOSTILE(&s, "stop");
	check_outcome(&s, 0, FT_CRASHED, "one that stops itself");
	ok(last(&s)->signal == SIGSTOP && *words(&s), "is not waited for: %s", words(&s));
	unmake(&s);
	HOSTILE(&s, "close", "0");
	check_outcome(&s, 0, FT_DONE, "one that closes every descriptor");
	unmake(&s);
	if (getuid()) {
		skip("another user", "needs root");
		return;
	}
	HOSTILE(&s, "user");
	check_outcome(&s, 0.05, FT_TIMED_OUT, "one that becomes another user");
	unmake(&s);
}

static void test_descendants(void)
{
	struct subject s;

	HOSTILE(&s, "daemon");
	check_outcome(&s, 0, FT_DONE, "one that leaves a daemon");
	unmake(&s);
	HOSTILE(&s, "forks", "500", "0", "0");
	check_outcome(&s, 0, FT_DONE, "one that leaves 500 processes");
	unmake(&s);
	HOSTILE(&s, "forks", "200", "1", "1");
	check_outcome(&s, 0.2, FT_TIMED_OUT, "one that hangs with 200 sessions");
	unmake(&s);
	HOSTILE(&s, "comet", "0");
	check_outcome(&s, 0, FT_DONE, "one that is always another process");
	unmake(&s);
	HOSTILE(&s, "comet", "1");
	check_outcome(&s, 0, FT_DONE, "the same in ever new sessions");
	unmake(&s);
}

static void test_words(void)
{
	struct subject s;
	const char *detail;

	HOSTILE(&s, "flood", "2", "8", "1");
	check_outcome(&s, 0, FT_FAILED, "8 MiB on standard error");
	detail = words(&s);
	ok(strlen(detail) <= 4096 && strlen(detail) > 12 &&
		   !strcmp(detail + strlen(detail) - 13, "the last word"),
	   "the last words are kept: %.40s", detail);
	unmake(&s);
	HOSTILE(&s, "flood", "2", "8", "0");
	check_outcome(&s, 0, FT_DONE, "8 MiB on standard error, and well");
	ok(!last(&s)->detail, "no words are kept");
	unmake(&s);
	HOSTILE(&s, "flood", "1", "64", "0");
	check_outcome(&s, 0, FT_DONE, "64 MiB on standard output");
	unmake(&s);
	HOSTILE(&s, "binary");
	check_outcome(&s, 0, FT_FAILED, "bytes that are no text");
	ok(!strcmp(words(&s), "a?b?[1m?\xc3\xa4? ???\tend"), "become text: %s", words(&s));
	unmake(&s);
}

static volatile sig_atomic_t flag;

static void raise_flag(int signal)
{
	(void)signal;
	flag = 1;
}

static void test_interrupt(void)
{
	struct itimerval soon = {.it_value = {0, 50000}};
	char number[16];
	struct subject s;

	HOSTILE(&s, "forks", "3", "1", "1");
	(void)signal(SIGALRM, raise_flag);
	ok(!open_subject(&s), "to be interrupted");
	ft_source_interrupt(s.source, &flag);
	(void)setitimer(ITIMER_REAL, &soon, NULL);
	ok(!run(&s, 1, 0) && last(&s)->outcome == FT_INTERRUPTED && !count_alive(s.tag),
	   "is, and nothing is left");
	ok(!run(&s, 1, 0) && s.runs.n == 2 && last(&s)->outcome == FT_INTERRUPTED && !last(&s)->n_samples,
	   "while the flag stands nothing runs");
	flag = 0;
	s.argv[2] = (char *)(uintptr_t) "exit";
	s.argv[3] = (char *)(uintptr_t) "0";
	ok(!run(&s, 1, 0) && last(&s)->outcome == FT_DONE, "after that the source goes on");
	unmake(&s);
	(void)snprintf(number, sizeof number, "%d", (int)getpid());
	HOSTILE(&s, "terminal", number);
	s.launch.pass_through = true;
	ok(!open_subject(&s), "one that shares our terminal");
	ft_source_interrupt(s.source, &flag);
	ok(!run(&s, 1, 0) && last(&s)->outcome == FT_INTERRUPTED, "ends by the user's wish too: %s",
	   ft_outcome_text(last(&s)->outcome));
	flag = 0;
	unmake(&s);
}

/* What came after sentences of a test that ends in a kernel's decision. */
static bool write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");
	bool good = file && fputs(text, file) >= 0;

	return file ? !fclose(file) && good : false;
}

static void test_out_of_memory(void)
{
	char group[128], path[192], procs[192];
	struct subject s;

	(void)snprintf(group, sizeof group, "/sys/fs/cgroup/memory/foretime-test-%d", (int)getpid());
	(void)snprintf(path, sizeof path, "%s/memory.limit_in_bytes", group);
	if (mkdir(group, 0755)) {
		(void)snprintf(group, sizeof group, "/sys/fs/cgroup/foretime-test-%d", (int)getpid());
		(void)snprintf(path, sizeof path, "%s/memory.max", group);
		if (mkdir(group, 0755)) {
			skip("killed for memory", "no control group can be made");
			return;
		}
	}
	(void)snprintf(procs, sizeof procs, "%s/cgroup.procs", group);
	if (!write_file(path, "16777216\n")) {
		skip("killed for memory", "the control group takes no limit");
	} else {
		(void)snprintf(path, sizeof path, "%s/memory.swap.max", group);
		(void)write_file(path, "0\n");
		HOSTILE(&s, "devour", procs);
		check_outcome(&s, 20, FT_OUT_OF_MEMORY, "a program that takes too much memory");
		ok(last(&s)->signal == SIGKILL, "by SIGKILL");
		unmake(&s);
	}
	(void)rmdir(group);
}

/* ---- how programs are started ------------------------------------------------------------------------ */

static const char *told(const char *path)
{
	static char text[1024];
	FILE *file = fopen(path, "r");
	size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;

	text[length] = '\0';
	if (file)
		(void)fclose(file);
	return text;
}

static void test_surroundings(void)
{
	const char *path = temp_path("told");
	char ours[256], expected[512];
	struct subject s;
	ssize_t length;

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
	length = readlink("/proc/self/fd/2", ours, sizeof ours - 1);
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
	(void)symlink(s.file, path);
	s.argv[0] = path;
	ok(!open_subject(&s) && !run(&s, 1, 0) && last(&s)->outcome == FT_DONE, "a program");
	(void)unlink(path);
	(void)run(&s, 1, 0);
	ok(last(&s)->outcome == FT_NOT_STARTED && strstr(words(&s), "No such file"), "that vanished: %s",
	   words(&s));
	ok(!last(&s)->n_samples && !(last(&s)->cost_s > 0), "costs nothing and has no figures");
	(void)write_file(path, "\x7f"
			       "ELF, or so it says");
	(void)chmod(path, 0755);
	(void)run(&s, 1, 0);
	ok(s.runs.n == 3 && last(&s)->outcome != FT_DONE, "that is none: %s, %s",
	   ft_outcome_text(last(&s)->outcome), words(&s));
	(void)write_file(path, "#!/nonesuch/interpreter\n");
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
	(void)write_file(plain, "text\n");
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
	size_t i;

	for (i = 0; i < sizeof bad / sizeof *bad; i++) {
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
	ok(value(&s, "minor_faults") < 2000 && !last(&s)->detail, "and are not measured");
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

/* ---- reports ----------------------------------------------------------------------------------------- */

static void test_report_one(void)
{
	struct subject s;

	PROBE(&s, "one");
	check_outcome(&s, 0, FT_DONE, "a routine in two pairs");
	ok(value(&s, "cpu_s") >= 0.004 && value(&s, "cpu_s") < value(&s, "wall_s") * 1.5 + 0.001,
	   "its time is the sum: %g", value(&s, "cpu_s"));
	ok(value(&s, "wall_s") >= 0.003 && last(&s)->cost_s >= 0.034,
	   "and replaces that of the process: %g of %g", value(&s, "wall_s"), last(&s)->cost_s);
	ok(near(last(&s)->work, 1234.5, 1e-9) && isnan(value(&s, "user_s")) && isnan(value(&s, "system_s")) &&
		   value(&s, "peak_rss_bytes") > 0,
	   "with its work, and memory of the process");
	ok(!strcmp(last(&s)->sample[0].probe, "report"), "it comes from the probe 'report'");
	unmake(&s);
}

static void test_report_many(void)
{
	struct subject s;

	PROBE(&s, "two");
	ok(!open_subject(&s) && !run(&s, 1, 0) && s.runs.n == 3, "two routines make three runs");
	if (s.runs.n != 3) {
		unmake(&s);
		return;
	}
	ok(!s.runs.run[0].routine && ft_run_value(&s.runs.run[0], "user_s") >= 0 && isnan(s.runs.run[0].work),
	   "the first is the process");
	ok(!strcmp(s.runs.run[1].routine, "first_part_a") && near(s.runs.run[1].work, 2e20, 1e-12) &&
		   s.runs.run[1].n_samples == 2,
	   "then a routine: %s, %g", s.runs.run[1].routine, s.runs.run[1].work);
	ok(!strcmp(s.runs.run[2].routine, "second") && isnan(s.runs.run[2].work) &&
		   value(&s, "cpu_s") >= 0.002,
	   "then another, reported twice");
	ok(near(s.runs.run[0].cost_s, s.runs.run[2].cost_s, 0), "each knows the cost of the process");
	unmake(&s);
}

static void test_report_bad(void)
{
	struct subject s;

	PROBE(&s, "garbage");
	check_outcome(&s, 0, FT_DONE, "a report with garbage");
	ok(near(value(&s, "wall_s"), 0.003, 1e-9) && near(last(&s)->work, 5, 1e-9), "its good line is read");
	unmake(&s);
	PROBE(&s, "flood");
	check_outcome(&s, 0, FT_DONE, "a report of megabytes");
	ok(near(value(&s, "wall_s"), 1e-6, 1e-9), "is read up to a limit");
	unmake(&s);
	PROBE(&s, "invalid");
	check_outcome(&s, 0, FT_INVALID, "a size that is not valid");
	unmake(&s);
	PROBE(&s, "failed");
	check_outcome(&s, 0, FT_FAILED, "a program that reports and fails");
	ok(value(&s, "user_s") >= 0 && last(&s)->exit_status == 5, "its report does not count");
	unmake(&s);
	PROBE(&s, "one");
	s.launch.pass_through = true;
	check_outcome(&s, 0, FT_DONE, "a report while output passes through");
	ok(near(last(&s)->work, 1234.5, 1e-9), "arrives too");
	unmake(&s);
}

/* A program with the header that foretime does not run. */
static void test_alone(void)
{
	char command[700];

	(void)unsetenv("FORETIME_PROBE_FD");
	(void)snprintf(command, sizeof command, "'%s/test/measure/child-probe' one",
		       getenv("FORETIME_TEST_BUILD"));
	ok(system(command) == 0, "alone, reporting does nothing");
	(void)snprintf(command, sizeof command, "'%s/test/measure/child-probe' invalid 2>'%s'",
		       getenv("FORETIME_TEST_BUILD"), temp_path("alone"));
	ok(WEXITSTATUS(system(command)) == 77, "alone, an invalid size is status 77");
	ok(!strcmp(told(temp_path("alone")), "this size is not valid for this program\n"), "and says why");
}

/* ---- the helper -------------------------------------------------------------------------------------- */

static void test_helper(void)
{
	char named[512], copy[512], command[2048];
	struct subject s;

	(void)snprintf(named, sizeof named, "%s", getenv("FORETIME_HELPER"));
	HOSTILE(&s, "exit", "0");
	(void)setenv("FORETIME_HELPER", "/nonesuch/helper", 1);
	ok(open_subject(&s) == FT_EUNAVAIL && !s.source && s.err.remedy[0], "%s; %s", s.err.text,
	   s.err.remedy);
	(void)setenv("FORETIME_HELPER", "/bin/true", 1);
	ok(open_subject(&s) == FT_EUNAVAIL && !s.source, "%s", s.err.text);
	(void)unsetenv("FORETIME_HELPER");
	(void)snprintf(copy, sizeof copy, "%s", temp_path("t-process"));
	(void)snprintf(command, sizeof command,
		       "cp /proc/%d/exe '%s' && cp '%s' '%s/foretime-helper' && '%s' beside", (int)getpid(),
		       copy, named, temp_folder, copy);
	ok(system(command) == 0, "a helper beside the executable is found");
	(void)setenv("FORETIME_HELPER", named, 1);
	HOSTILE(&s, "annoy");
	check_outcome(&s, 0, FT_DONE, "one that sends the helper signals");
	unmake(&s);
	HOSTILE(&s, "parricide");
	ok(!open_subject(&s) && run(&s, 1, 0) == FT_EIO && !s.runs.n, "%s", s.err.text);
	ok(run(&s, 1, 0) == FT_EIO, "and stays lost: %s", s.err.text);
	unmake(&s);
}

/* Whether all of a tag are gone, within so many seconds. */
static bool gone(const char *tag, int seconds)
{
	struct timespec pause = {0, 10000000};
	int i;

	for (i = 0; i < 100 * seconds && count_alive(tag); i++)
		(void)nanosleep(&pause, NULL);
	return !count_alive(tag);
}

/* Foretime itself is killed. */
static void test_killed(void)
{
	struct subject s;
	int pipes[2];
	pid_t pid;
	char c;

	HOSTILE(&s, "forks", "3", "1", "1");
	if (pipe(pipes)) {
		skip("foretime is killed", "no pipe");
		return;
	}
	(void)fflush(stdout);
	pid = fork();
	if (!pid) {
		if (!open_subject(&s) && write(pipes[1], "x", 1) == 1)
			(void)run(&s, 1, 0);
		_exit(0);
	}
	(void)!read(pipes[0], &c, 1);
	while (count_alive(s.tag) < 4 && !waitpid(pid, NULL, WNOHANG))
		(void)usleep(2000);
	(void)kill(pid, SIGKILL);
	(void)waitpid(pid, NULL, 0);
	ok(gone(s.tag, 10), "when foretime is killed its programs end");
	(void)close(pipes[0]);
	(void)close(pipes[1]);
}

static void test_close(void)
{
	struct subject s, t;

	HOSTILE(&s, "exit", "0");
	HOSTILE(&t, "exit", "4");
	ok(!open_subject(&s) && !open_subject(&t) && !run(&s, 1, 0) && !run(&t, 1, 0), "two sources at once");
	unmake(&s);
	ok(!run(&t, 1, 0) && last(&t)->exit_status == 4, "one outlives the other");
	unmake(&t);
	ok(waitpid(-1, NULL, WNOHANG) < 0, "no helper is left");
}

static void test_faults(void)
{
	enum ft_status status = FT_ENOMEM;
	unsigned long n;
	bool good = true;
	struct subject s;

	HOSTILE(&s, "flood", "2", "1", "1");
	s.launch.threads = 2;
	s.launch.prepare = "true";
	for (n = 1; status && n < 200; n++) {
		(void)ft_alloc_fail_at(n);
		status = open_subject(&s);
		good = good && (!status || (status == FT_ENOMEM && !s.source));
	}
	ok(good && !status && n > 5, "each allocation of opening may fail (%lu)", n - 2);
	status = FT_ENOMEM;
	for (n = 1; status && n < 200; n++) {
		(void)ft_alloc_fail_at(n);
		status = run(&s, 1, 0);
		good = good && (!status || (status == FT_ENOMEM && !s.runs.n));
	}
	(void)ft_alloc_fail_at(0);
	ok(good && !status && n > 10 && s.runs.n == 1 && last(&s)->outcome == FT_FAILED, "and of a run (%lu)",
	   n - 2);
	unmake(&s);
	PROBE(&s, "two");
	status = open_subject(&s) ? FT_OK : FT_ENOMEM;
	for (n = 1; status && n < 200; n++) {
		(void)ft_alloc_fail_at(n);
		status = run(&s, 1, 0);
		good = good && (!status || (status == FT_ENOMEM && !s.runs.n));
	}
	(void)ft_alloc_fail_at(0);
	ok(good && !status && s.runs.n == 3, "and of routines (%lu)", n - 2);
	unmake(&s);
}

int main(int argc, char **argv)
{
	struct subject s;
	int status;

	if (argc > 1 && !strcmp(argv[1], "beside")) {
		HOSTILE(&s, "exit", "0");
		status = !open_subject(&s) && !run(&s, 1, 0) && last(&s)->outcome == FT_DONE ? 0 : 1;
		unmake(&s);
		return status;
	}
	test_figures();
	test_memory();
	test_orphan_figures();
	test_endings();
	test_descendants();
	test_words();
	test_interrupt();
	test_out_of_memory();
	test_surroundings();
	test_not_started();
	test_refused();
	test_pins();
	test_prepare();
	test_table();
	test_report_one();
	test_report_many();
	test_report_bad();
	test_alone();
	test_helper();
	test_killed();
	test_close();
	test_faults();
	temp_remove();
	return done();
}
