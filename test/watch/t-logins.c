/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who is logged in: by terminals and utmp of a written machine, by a terminal of this one, and by logind's
 * files in a name space of our own. */
#include "watch-test.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <time.h>
#include <utmpx.h>

static struct ft_clock clock_set = {.steady_ns = 1000000000, .real_ns = INT64_C(1800000000000000000)};
static char root[256];

static void touch(const char *tty, uid_t owner, int64_t idle_s)
{
	char path[300];
	int64_t at_s = clock_set.real_ns / 1000000000 - idle_s;
	const struct timespec times[2] = {{.tv_sec = (time_t)at_s}, {.tv_sec = (time_t)at_s}};

	put("", "dev/%s", tty);
	(void)snprintf(path, sizeof path, "%s/dev/%s", root, tty);
	if (chown(path, owner, (gid_t)-1) || utimensat(AT_FDCWD, path, times, 0))
		diag("cannot make '%s'", path);
}

static bool later(struct subject *s, int seconds)
{
	clock_set.steady_ns += seconds * INT64_C(1000000000);
	clock_set.real_ns += seconds * INT64_C(1000000000);
	return holds(s, 0);
}

static void begin_written(struct subject *s)
{
	(void)snprintf(root, sizeof root, "%s", temp_path("root"));
	(void)mkdir(root, 0755);
	take_away("dev");
	take_away("run");
	s->needs.root = root;
	add(s, FT_CONDITION_USER_LOGIN, NULL);
	ft_clock_set(&clock_set);
}

static void check_ttys(void)
{
	struct subject s = {0};

	if (geteuid()) {
		skip("terminals of users", "we are not root");
		return;
	}
	begin_written(&s);
	ok(begin(&s) && holds(&s, 0) && strstr(why, "no logind and no /dev/pts"), "%s", why);
	end(&s);
	put(NULL, "dev/pts/");
	touch("pts/ptmx", 0, 0);
	touch("tty1", 0, 0);
	touch("tty", 4008123, 0);
	ok(begin(&s) && !holds(&s, 0), "nobody is there");
	touch("pts/3", 4008123, 0);
	ok(later(&s, 1) && strstr(why, "user 4008123 is logged in (pts/3)"), "%s", why);
	touch("pts/4", 4008123, 0);
	touch("pts/5", 0, 10);
	ok(later(&s, 1) && strstr(why, "and 1 more"), "%s", why);
	take_away("dev/pts/5");
	take_away("dev/pts/4");
	ok(ft__watch_wait_ms(s.watch) > 0 && ft__watch_wait_ms(s.watch) <= 300000,
	   "looked at when he may be idle");
	ok(later(&s, 290), "he has not typed for some minutes: %s", why);
	ok(!later(&s, 10), "after five he is not there");
	ok(ft__watch_wait_ms(s.watch) == -1, "and nothing is waited for");
	touch("pts/3", 4008123, -1000);
	ok(later(&s, 1), "a clock that was put back makes nobody idle: %s", why);
	take_away("dev/pts/3");
	ok(!later(&s, 1), "he has gone");
	touch("tty2", 4008123, 0);
	ok(later(&s, 1) && strstr(why, "(tty2)"), "at a console: %s", why);
	end(&s);
	ft_clock_set(NULL);
}

static void put_record(FILE *file, short type, const char *user, const char *line, int pid)
{
	struct utmpx record = {.ut_type = type, .ut_pid = pid};

	memcpy(record.ut_user, user,
	       strlen(user) < sizeof record.ut_user ? strlen(user) : sizeof record.ut_user);
	memcpy(record.ut_line, line,
	       strlen(line) < sizeof record.ut_line ? strlen(line) : sizeof record.ut_line);
	(void)fwrite(&record, sizeof record, 1, file);
}

static void check_utmp(void)
{
	struct subject s = {0};
	char path[300];
	FILE *file;

	begin_written(&s);
	put(NULL, "dev/pts/");
	put(NULL, "proc/77/");
	put("", "run/utmp");
	(void)snprintf(path, sizeof path, "%s/run/utmp", root);
	file = fopen(path, "we");
	put_record(file, BOOT_TIME, "reboot", "~", 0);
	put_record(file, USER_PROCESS, "gone", "tty9", 76);
	put_record(file, DEAD_PROCESS, "dead", "tty8", 77);
	put_record(file, USER_PROCESS, "evil\033", "tty7", 77);
	put_record(file, USER_PROCESS, "evil", "../../etc", 77);
	(void)fflush(file);
	ok(begin(&s) && !holds(&s, 0), "records of nobody: %s", why);
	put_record(file, USER_PROCESS, "alice", ":0", 77);
	(void)fwrite("half a record", 13, 1, file);
	(void)fclose(file);
	ok(later(&s, 1) && strstr(why, "user alice is logged in (:0)"), "%s", why);
	end(&s);
	ft_clock_set(NULL);
}

/* Nobody has typed for long, and then somebody does: what is printed is none of his. */
static void check_idle(struct subject *s, int keys, const char *name)
{
	const struct timespec times[2] = {{.tv_sec = time(NULL) - 4000}, {.tv_sec = time(NULL) - 4000}};
	int terminal = open(name, O_RDWR | O_NOCTTY);
	char line[16];

	ok(terminal >= 0 && !utimensat(AT_FDCWD, name, times, 0) && comes(s, 0, false, true), "he is idle");
	(void)!write(terminal, "news\n", 5);
	ok(!holds(s, 0), "also while something is printed");
	(void)!write(keys, "\n", 1);
	ok(read(terminal, line, sizeof line) == 1 && comes(s, 0, true, true), "his first key: %s", why);
	(void)close(terminal);
}

/* A terminal of this machine; whoever else is logged in does not count. */
static void check_real(void)
{
	struct subject s = {0};
	const char *name;
	int fd = posix_openpt(O_RDWR | O_NOCTTY);

	if (fd < 0 || grantpt(fd) || unlockpt(fd) || !(name = ptsname(fd)) ||
	    strncmp(name, "/dev/pts/", 9) != 0 || geteuid()) {
		skip("a terminal of this machine", "none can be had, or we are not root");
		return;
	}
	add(&s, FT_CONDITION_USER_LOGIN, "4008123")->only = true;
	ok(begin(&s) && !holds(&s, 0), "that user is not there: %s", why);
	ok(!chown(name, 4008123, (gid_t)-1) && comes(&s, 0, true, true), "%s", why);
	check_idle(&s, fd, name);
	(void)close(fd);
	ok(comes(&s, 0, false, true), "he hangs up");
	end(&s);
}

/* With its own /run/systemd: as logind writes it. */
static bool mount_own(void)
{
	return !unshare(CLONE_NEWNS) && !mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) &&
	       !mount("none", "/run/systemd", "tmpfs", 0, NULL) && !mkdir("/run/systemd/seats", 0755) &&
	       !mkdir("/run/systemd/sessions", 0755) && !mkdir("/run/systemd/users", 0755);
}

/* As logind does it: what is read is whole. */
static void session(const char *name, const char *text)
{
	char path[128];

	(void)snprintf(path, sizeof path, "/run/systemd/sessions/%s", name);
	(void)temp_write("/run/systemd/new", text, 0644);
	(void)rename("/run/systemd/new", path);
}

static void check_sessions(struct subject *s)
{
	session("c1", "UID=4008122\nSTATE=active\nCLASS=greeter\nSEAT=seat0\n");
	ok(begin(s) && !holds(s, 0), "the screen that asks who one is is nobody: %s", why);
	session("2", "UID=4008123\nSTATE=active\nCLASS=user\nSEAT=seat0\n");
	ok(comes(s, 0, true, true) && strstr(why, "4008123 is logged in (seat0)"), "%s", why);
	session("2", "UID=4008123\nSTATE=closing\nCLASS=user\nSEAT=seat0\n");
	ok(comes(s, 0, false, true), "one who left something is not there");
	session("3", "UID=4008122\nSTATE=active\nCLASS=user\nREMOTE=1\nREMOTE_HOST=far\\x1b[2Jaway\n");
	ok(comes(s, 0, true, true) && strstr(why, "4008122 is logged in (far") && !strchr(why, '\033'), "%s",
	   why);
	(void)unlink("/run/systemd/sessions/3");
	ok(comes(s, 0, false, true), "he has gone");
}

static void check_logind(void)
{
	struct subject s = {0};
	int status = -1;

	if (geteuid() || access("/run/systemd", F_OK)) {
		skip("sessions of logind", "we are not root, or there is no /run/systemd");
		return;
	}
	add(&s, FT_CONDITION_USER_LOGIN, "4008123")->only = true;
	s.condition[0].names[s.condition[0].n_names++] = (char *)(uintptr_t) "4008122";
	(void)fflush(stdout);
	pid_t pid = fork();
	if (!pid) {
		if (!mount_own())
			_exit(77);
		check_sessions(&s);
		end(&s);
		(void)fflush(stdout);
		_exit(tap_failed ? 1 : 0);
	}
	(void)waitpid(pid, &status, 0);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77) {
		skip("sessions of logind", "no name space can be had");
		return;
	}
	tap_count += 5;
	tap_failed += status != 0;
}

/* Whichever allocation fails, also later: it says so, and sees again. */
static void check_faults(void)
{
	struct subject s = {0};
	unsigned long n = 0;
	bool good = true;

	begin_written(&s);
	put(NULL, "dev/pts/");
	touch("pts/3", geteuid(), 0);
	for (;;) {
		(void)ft_alloc_fail_at(++n);
		enum ft_status status = ft__watch_new(&s.watch, &s.needs, &s.err);
		if (!status)
			break;
		good = good && status == FT_ENOMEM && !s.watch;
	}
	(void)ft_alloc_fail_at(0);
	ok(good && n > 3, "no memory, %lu times: it says so", n - 1);
	for (n = 1; n <= 2; n++) {
		(void)ft_alloc_fail_at(n);
		good = good && holds(&s, 0) && strstr(why, "no memory");
		(void)ft_alloc_fail_at(0);
	}
	ok(good, "none when it looks: %s", why);
	ok(later(&s, 1) && strstr(why, "is logged in (pts/3)"), "%s", why);
	end(&s);
	ft_clock_set(NULL);
}

int main(void)
{
	check_ttys();
	check_utmp();
	check_real();
	check_logind();
	check_faults();
	temp_remove();
	return done();
}
