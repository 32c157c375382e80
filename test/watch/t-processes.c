/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Processes of others: by name and by user, on a written /proc and on this machine's. */
#include "watch-test.h"
#include "watch/source.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

static struct ft_clock clock_set = {.steady_ns = 1000000000, .real_ns = 1000000000};

/* A second later. */
static bool holds_later(struct subject *s, size_t which)
{
	clock_set.steady_ns += 3000000000;
	return holds(s, which);
}

static void check_parse(void)
{
	static const struct {
		const char *text;
		bool good, kernel;
		char state;
		int parent;
	} rows[] = {
		{"17 (a) S 1 17 17 0 -1 4194560 0", true, false, 'S', 1},
		{"17 (a) b) (c) R 42 17 17 0 -1 0 0", true, false, 'R', 42},
		{"17 (a\n) X 9) Z 3 17 17 0 -1 0 0", true, false, 'Z', 3},
		{"17 (kworker/0:0) I 2 0 0 0 -1 69238880 0", true, true, 'I', 2},
		{"", false, false, 0, 0},
		{"17 (a", false, false, 0, 0},
		{"17 (a) S 1", false, false, 0, 0},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct ft__stat stat = {0};
		bool good = ft__stat_parse(rows[i].text, &stat);

		ok(good == rows[i].good &&
			   (!good || (stat.kernel == rows[i].kernel && stat.state == rows[i].state &&
				      stat.parent == rows[i].parent)),
		   "row %zu", i);
	}
}

static void check_show(void)
{
	char shown[FT__SHOWN_LENGTH];

	ft__name_show("plain name", shown, sizeof shown);
	ok(!strcmp(shown, "plain name"), "a name as it is");
	ft__name_show("a\nb\t\033[2J\x7f", shown, sizeof shown);
	ok(!strcmp(shown, "a\\x0ab\\x09\\u001b[2J\\u007f"), "%s", shown);
	ft__name_show("\xff\xe2\x82", shown, sizeof shown);
	ok(!strcmp(shown, "\\xff\\xe2\\x82"), "%s", shown);
	ft__name_show("\033\033\033\033\033\033\033\033\033\033\033\033\033\033\033", shown, sizeof shown);
	ok(strlen(shown) == 90, "the worst that there is: %s", shown);
}

static void begin_written(struct subject *s)
{
	static char root[256];

	(void)snprintf(root, sizeof root, "%s", temp_path("root"));
	take_away("proc");
	put_process(1, 0, "init", 'S', 0);
	put_process(2, 0, "kthreadd", 'S', 0x208040);
	s->needs.root = root;
}

static void check_written(void)
{
	struct subject s = {0};

	begin_written(&s);
	add(&s, FT_CONDITION_PROCESS, "matlab");
	add(&s, FT_CONDITION_PROCESS, "a-name-of-more-than-fifteen");
	ft_clock_set(&clock_set);
	ok(begin(&s) && !holds(&s, 0), "nobody is there");
	put_process(50, 1, "matlab", 'S', 0);
	ok(holds_later(&s, 0) && strstr(why, "process matlab runs (50, of "), "%s", why);
	ok(!holds(&s, 1), "the other condition does not hold");
	put_process(50, 1, "matlab", 'Z', 0);
	ok(!holds_later(&s, 0), "what has ended does not count");
	put_process(50, 2, "matlab", 'S', 0x208040);
	ok(!holds_later(&s, 0), "nor a thread of the kernel");
	put_process(50, 1, "a-name-of-more-", 'R', 0);
	ok(holds_later(&s, 1), "a name as the kernel cuts it");
	put_process(60, 1, "build", 'R', 0);
	put_process(61, 60, "sh", 'R', 0);
	put_process(50, 61, "matlab", 'R', 0);
	ok(holds_later(&s, 0), "one below another process");
	put_process(62, getpid(), "build", 'R', 0);
	put_process(63, 62, "sh", 'R', 0);
	put_process(50, 63, "matlab", 'R', 0);
	ok(!holds_later(&s, 0), "one below a process of ours");
	put_process(50, 61, "matlab", 'R', 0);
	ok(holds_later(&s, 0), "once more below another one");
	take_away("proc/50");
	ok(!holds_later(&s, 0), "it ends");
	take_away("proc/1");
	ok(holds_later(&s, 0) && strstr(why, "hidepid"), "%s", why);
	end(&s);
	ft_clock_set(NULL);
}

/* Seconds later: in how many looks it is seen that a condition holds, or does not. */
static int looks_until(struct subject *s, size_t which, bool held)
{
	int n = 0;

	clock_set.steady_ns += 3000000000;
	do
		clock_set.steady_ns += 1000000000; /* whoever took much has to rest */
	while (++n < 50 && holds(s, which) != held);
	return n;
}

/* Hundreds are as good as a few; with thousands that have just ended, all are looked through in several
 * looks. */
static void check_many(void)
{
	struct subject s = {0};
	int i;

	begin_written(&s);
	add(&s, FT_CONDITION_USER_PROCESS, "nobody-is-called-so");
	add(&s, FT_CONDITION_PROCESS, "rare");
	add(&s, FT_CONDITION_PROCESS, "late");
	ft_clock_set(&clock_set);
	for (i = 100; i < 300; i++)
		put_process(i, 1, i == 199 ? "rare" : "evil\n\033[2J", 'R', 0);
	for (i = 10000; i < (test_quick() ? 10010 : 12200); i++)
		put(NULL, "proc/%d/", i);
	ok(begin(&s) && holds(&s, 0), "hundreds of processes of a user");
	ok(holds(&s, 1), "with one of a certain name among them");
	const struct ft_seen *seen = ft__watch_look(s.watch);
	ok(seen->n_processes >= 8 && seen->n_processes <= 24, "of which %zu are kept", seen->n_processes);
	for (i = 0; (size_t)i < seen->n_processes; i++)
		if (strpbrk(seen->processes[i].name, "\n\033"))
			break;
	ok((size_t)i == seen->n_processes, "and none of their names does anything to a terminal");
	put_process(5000, 1, "late", 'R', 0);
	i = looks_until(&s, 2, true);
	ok(i < 50 && holds(&s, 2), "one that comes is found in %d looks: %s", i, why);
	take_away("proc/5000");
	i = looks_until(&s, 2, false);
	ok((i > 1 || test_quick()) && i < 50 && holds(&s, 1), "one that goes is missed in %d: %s", i, why);
	end(&s);
	ft_clock_set(NULL);
}

static void check_none(void)
{
	struct subject s = {0};

	begin_written(&s);
	take_away("proc");
	add(&s, FT_CONDITION_PROCESS, "x");
	ok(begin(&s) && holds(&s, 0) && strstr(why, "there is no /proc"), "%s", why);
	end(&s);
}

/* A process that is called so, of a user (0: ours), until it is ended; it tells that it is. It is no child of
 * ours, for those are not others'. */
static pid_t start(const char *name, uid_t user)
{
	int ends[2];
	pid_t pid = -1;

	if (pipe(ends))
		return -1;
	(void)fflush(stdout); /* ThreadSanitizer's _exit would print it once more */
	pid_t child = fork();
	if (!child) {
		child = getpid();
		if (fork())
			_exit(0);
		while (getppid() == child)
			(void)usleep(1000);
		(void)prctl(PR_SET_NAME, name);
		pid = user && setuid(user) ? -1 : getpid();
		(void)!write(ends[1], &pid, sizeof pid);
		for (;;)
			(void)pause();
	}
	(void)waitpid(child, NULL, 0);
	(void)close(ends[1]);
	if (read(ends[0], &pid, sizeof pid) != sizeof pid)
		pid = -1;
	(void)close(ends[0]);
	return pid;
}

/* Begin to watch this machine, with events or without; false: it has none. */
static bool begin_real(struct subject *s, bool timers)
{
	s->needs.timers = timers;
	if (!begin(s))
		return false;
	(void)ft__watch_look(s->watch);
	if (timers || ft__watch_wait_ms(s->watch) < 0)
		return true;
	end(s);
	skip("processes as the kernel tells of them", "it does not: for want of rights, or in a container");
	return false;
}

static void check_real(bool timers)
{
	struct subject s = {0};

	add(&s, FT_CONDITION_PROCESS, "ft-test-watched");
	if (!begin_real(&s, timers))
		return;
	ok(!holds(&s, 0), "nothing of that name runs: %s", why);
	pid_t pid = start("ft-test-watched", 0);
	ok(pid > 0 && comes(&s, 0, true, !timers), "it runs: %s", why);
	pid_t other = start("ft-test-watched", 0);
	(void)kill(pid, SIGKILL);
	ok(holds(&s, 0), "another one does, when it has ended");
	(void)kill(other, SIGKILL);
	ok(comes(&s, 0, false, !timers), "it has ended, too");
	pid = fork();
	if (!pid) {
		(void)prctl(PR_SET_NAME, "ft-test-watched");
		for (;;)
			(void)pause();
	}
	(void)usleep(10000);
	ok(!holds(&s, 0), "a child of our own is not others'");
	(void)kill(pid, SIGKILL);
	(void)waitpid(pid, NULL, 0);
	end(&s);
}

/* Of a user; and one that takes another user without executing anything. */
static void check_users(bool timers)
{
	struct subject s = {0};

	if (geteuid()) {
		skip("processes of a user", "we are not root");
		return;
	}
	add(&s, FT_CONDITION_USER_PROCESS, "4008123")->only = true;
	if (!begin_real(&s, timers))
		return;
	ok(!holds(&s, 0), "no process of that user runs");
	pid_t pid = start("ft-test-user", 4008123);
	ok(pid > 0 && comes(&s, 0, true, !timers), "one does: %s", why);
	ok(strstr(why, "ft-test-user") && strstr(why, "4008123"), "and is named");
	(void)kill(pid, SIGKILL);
	ok(comes(&s, 0, false, !timers), "it has ended");
	end(&s);
}

/* More news than anybody reads, with one thing among them that matters. */
static void check_flood(bool timers)
{
	struct subject s = {0};
	int status;

	add(&s, FT_CONDITION_PROCESS, "ft-test-watched");
	if (!begin_real(&s, timers))
		return;
	(void)fflush(stdout);
	pid_t noise = fork();
	if (!noise) {
		for (int i = 0; i < 100000; i++)
			(void)prctl(PR_SET_NAME, "ft-test-noise");
		_exit(0);
	}
	pid_t pid = start("ft-test-watched", 0);
	(void)waitpid(noise, &status, 0);
	ok(pid > 0 && comes(&s, 0, true, false), "seen among 100,000 others: %s", why);
	(void)kill(pid, SIGKILL);
	ok(comes(&s, 0, false, false), "and gone");
	end(&s);
}

/* A name that the kernel cuts within a character. */
static void check_cut(void)
{
	static const char name[] = "ft-test-name-g\xc3\xbcltig";
	struct subject s = {0};

	add(&s, FT_CONDITION_PROCESS, name);
	ok(begin(&s) && !holds(&s, 0), "nothing of that name runs");
	pid_t pid = start(name, 0);
	ok(comes(&s, 0, true, false) && strstr(why, name), "%s", why);
	(void)kill(pid, SIGKILL);
	end(&s);
}

static void check_faults(void)
{
	struct subject s = {0};
	unsigned long n = 0;
	bool good = true;

	add(&s, FT_CONDITION_USER_PROCESS, "x");
	for (;;) {
		(void)ft_alloc_fail_at(++n);
		enum ft_status status = ft__watch_new(&s.watch, &s.needs, &s.err);
		if (!status)
			break;
		good = good && status == FT_ENOMEM && !s.watch;
	}
	(void)ft_alloc_fail_at(0);
	ok(good && n > 3, "no memory, %lu times: it says so", n - 1);
	end(&s);
}

int main(void)
{
	check_parse();
	check_show();
	check_written();
	check_many();
	check_none();
	check_real(true);
	check_real(false);
	check_users(true);
	check_users(false);
	check_flood(true);
	check_flood(false);
	check_cut();
	check_faults();
	temp_remove();
	return done();
}
