/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-journal.c - both journals: which one when, several writers at once, writers that are killed, a disk that
 * is full. */
#include "store-test.h"
#include "store/door.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

static const struct mode {
	const char *name;
	unsigned flags;
} modes[] = {{"wal", 0}, {"delete", FT_STORE_ROLLBACK}};

static const char *journal_of(struct ft_store *store, int64_t *synchronous)
{
	(void)ft__pragma(store, "PRAGMA synchronous", synchronous);
	return ft_store_journal(store);
}

static void test_choice(void)
{
	const char *path = temp_path("choice.db");
	struct ft__opening network = ft__opening, hasty = ft__opening;
	struct ft_err err = {0};
	int64_t synchronous;

	network.network = true;
	hasty.busy_ms = 20;
	ok(ft__is_network(0x6969) && ft__is_network(0x0bd00bd0) && ft__is_network((int32_t)0xff534d42) &&
		   ft__is_network(0x65735546),
	   "NFS, Lustre, CIFS and FUSE are network file systems");
	ok(!ft__is_network(0xef53) && !ft__is_network(0x01021994) && !ft__is_network(0x58465342) &&
		   !ft__is_network(0x794c7630) && !ft__is_network(0x9123683e),
	   "ext4, tmpfs, XFS, overlay and Btrfs are not");
	struct ft_store *store = open_store(path, 0);
	ok(!strcmp(journal_of(store, &synchronous), "wal") && synchronous == 1, "WAL, normal");
	struct ft_store *second = open_store(path, FT_STORE_READ);
	ok(!strcmp(ft_store_journal(second), "wal"), "a reader sees which");
	ft_store_close(second);
	is(ft__store_open(&second, path, FT_STORE_ROLLBACK, &hasty, &err), FT_EBUSY, &err,
	   "WAL cannot be left while another uses it");
	ft_store_close(store);
	store = open_store(path, FT_STORE_ROLLBACK);
	ok(!strcmp(journal_of(store, &synchronous), "delete") && synchronous == 2,
	   "rollback when asked for, full");
	ft_store_close(store);
	ok(!strcmp(raw(path, "PRAGMA journal_mode"), "delete"), "... and the file was changed to it");
	ft_store_close(open_store(path, 0));
	ok(!strcmp(raw(path, "PRAGMA journal_mode"), "wal"), "and back");
	is(ft__store_open(&store, path, 0, &network, &err), FT_OK, &err,
	   "a store that was copied to a network");
	ok(!strcmp(journal_of(store, &synchronous), "delete") && synchronous == 2, "leaves WAL");
	ok(!strcmp(raw(path, "PRAGMA user_version"), "11"), "... and no lock behind");
	ft_store_close(store);
	is(ft__store_open(&store, temp_path("network.db"), 0, &network, &err), FT_OK, &err,
	   "a new store on a network");
	ok(!strcmp(ft_store_journal(store), "delete"), "rollback");
	ft_store_close(store);
}

/* While another reads with a rollback journal, WAL cannot be entered: go on as it is. */
static void test_shared_rollback(void)
{
	const char *path = temp_path("shared.db");
	struct ft__opening hasty = ft__opening;
	struct ft_store *store;
	struct ft_err err = {0};
	sqlite3 *other;

	hasty.busy_ms = 20;
	ft_store_close(open_store(path, FT_STORE_ROLLBACK));
	ok(sqlite3_open(path, &other) == SQLITE_OK &&
		   sqlite3_exec(other, "BEGIN; SELECT * FROM sqlite_schema", NULL, NULL, NULL) == SQLITE_OK,
	   "another reads");
	is(ft__store_open(&store, path, 0, &hasty, &err), FT_OK, &err, "opened");
	ok(!strcmp(ft_store_journal(store), "delete") && !err.text[0], "with the journal that is in use");
	ft_store_close(store);
	(void)sqlite3_close(other);
}

enum { WRITERS = 4 };

/* A writer among several: runs whose first sample tells whose they are and the how many-th. */
static int write_runs(const char *path, unsigned flags, int who, int count)
{
	struct fixture f;

	open_fixture(&f, path, flags);
	for (int i = 0; i < count; i++) {
		struct ft_run run;

		make_run(&run, who + 1, 3);
		run.sample[0].value = i;
		if (ft_store_add_run(f.store, f.program.id, f.machine.id, &run, NULL))
			return 1;
		ft_run_clear(&run);
	}
	close_fixture(&f);
	return 0;
}

/* Several processes make the same store and write to it. */
static void test_writers(const struct mode *mode)
{
	char name[32];
	int count = mode->flags ? 15 : 100, bad = 0, state, next[WRITERS] = {0}, i;
	struct ft_runs runs = {0};
	struct ft_err err = {0};

	(void)snprintf(name, sizeof name, "writers-%s.db", mode->name);
	const char *path = temp_path(name);
	(void)fflush(stdout);
	for (i = 0; i < WRITERS; i++)
		if (!fork())
			_exit(write_runs(path, mode->flags, i, count));
	for (i = 0; i < WRITERS; i++)
		bad += wait(&state) < 0 || state != 0;
	ok(!bad, "%d writers at once, journal %s", WRITERS, mode->name);
	struct ft_store *store = open_store(path, mode->flags);
	ok(!strcmp(ft_store_journal(store), mode->name), "that journal was used");
	ok(!ft_store_get_runs(store, 1, 1, &runs, &err) && runs.n == (size_t)(WRITERS * count),
	   "all runs are there");
	for (i = 0; i < (int)runs.n; i++) {
		int who = (int)runs.run[i].size.value[0] - 1;

		bad += runs.run[i].n_samples != 3 || runs.run[i].sample[0].value != next[who]++;
	}
	ok(!bad, "each writer's in its order, with their samples");
	ft_runs_clear(&runs);
	ft_store_close(store);
}

/* A writer that tells each run that was committed, until it is killed. */
static void write_until_killed(const char *path, unsigned flags, int out)
{
	struct fixture f;

	open_fixture(&f, path, flags);
	for (;;) {
		struct ft_run run;

		make_run(&run, 64, 12);
		if (ft_store_add_run(f.store, f.program.id, f.machine.id, &run, NULL) ||
		    write(out, &run.id, sizeof run.id) != (ssize_t)sizeof run.id)
			_exit(1);
		ft_run_clear(&run);
	}
}

static bool has(const struct ft_runs *runs, int64_t id)
{
	for (size_t i = 0; i < runs->n; i++)
		if (runs->run[i].id == id)
			return runs->run[i].n_samples == 12;
	return false;
}

static void test_killed(const struct mode *mode)
{
	struct ft_random random = {test_seed()};
	char name[32];
	size_t told = 0, lost = 0, partial = 0;
	int round;

	(void)snprintf(name, sizeof name, "killed-%s.db", mode->name);
	const char *path = temp_path(name);
	for (round = 0; round < test_cases(10); round++) {
		struct timespec delay = {0, (long)(30e6 * ft_random_uniform(&random))};
		struct ft_runs runs = {0};
		int ends[2], state;
		int64_t id, early[2];
		size_t n_early = 0;

		(void)fflush(stdout);
		if (pipe(ends))
			exit(99);
		pid_t child = fork();
		if (!child)
			write_until_killed(path, mode->flags, ends[1]);
		(void)close(ends[1]);
		/* Mostly while it writes, however slow the disk is; sometimes while it opens. */
		while (round % 5 && n_early < 2 && read(ends[0], &id, sizeof id) == (ssize_t)sizeof id)
			early[n_early++] = id;
		(void)nanosleep(&delay, NULL);
		(void)kill(child, SIGKILL);
		(void)waitpid(child, &state, 0);
		struct ft_store *store = open_store(path, mode->flags);
		if (ft_store_get_runs(store, 1, 1, &runs, NULL))
			lost += 1000;
		told += n_early;
		for (size_t i = 0; i < n_early; i++)
			lost += !has(&runs, early[i]);
		while (read(ends[0], &id, sizeof id) == (ssize_t)sizeof id) {
			told++;
			lost += !has(&runs, id);
		}
		for (size_t i = 0; i < runs.n; i++)
			partial += runs.run[i].n_samples != 12;
		(void)close(ends[0]);
		ft_runs_clear(&runs);
		ft_store_close(store);
	}
	ok(told > 10 && !lost && !partial,
	   "killed %d times, journal %s: %zu runs told, %zu lost, %zu in part", round, mode->name, told, lost,
	   partial);
	ok(!strcmp(raw(path, "PRAGMA integrity_check"), "ok"), "the file is whole");
}

/* Fill the store until it fails. It must say so, and keep what it had; with room again it goes on. */
static void fill_up(const char *path, unsigned flags, void (*make_room)(const char *path),
		    struct report *report)
{
	struct ft_runs runs = {0};
	struct fixture f;
	struct ft_run run;
	enum ft_status status;
	size_t added = 0;

	open_fixture(&f, path, flags);
	make_run(&run, 64, 12);
	while (!(status = ft_store_add_run(f.store, f.program.id, f.machine.id, &run, &report->err)) &&
	       added < 100000)
		added++;
	if (status == FT_ENOSPC && !run.id && report->err.remedy[0])
		status = ft_store_get_runs(f.store, f.program.id, 0, &runs, &report->err);
	report->count = runs.n;
	if (!status && runs.n != added)
		status = FT_EEND;
	make_room(path);
	if (!status)
		status = ft_store_add_run(f.store, f.program.id, f.machine.id, &run, &report->err);
	report->status = status;
	ft_runs_clear(&runs);
	ft_run_clear(&run);
	close_fixture(&f);
}

static void lift_limit(const char *path)
{
	struct rlimit limit;

	(void)path;
	(void)getrlimit(RLIMIT_FSIZE, &limit);
	limit.rlim_cur = limit.rlim_max;
	(void)setrlimit(RLIMIT_FSIZE, &limit);
}

static unsigned full_flags;

static void child_limited(const char *path, struct report *report)
{
	struct rlimit limit;

	(void)signal(SIGXFSZ, SIG_IGN);
	(void)getrlimit(RLIMIT_FSIZE, &limit);
	limit.rlim_cur = 300000;
	(void)setrlimit(RLIMIT_FSIZE, &limit);
	fill_up(path, full_flags, lift_limit, report);
}

static void remove_ballast(const char *path)
{
	char ballast[512];

	(void)snprintf(ballast, sizeof ballast, "%s.ballast", path);
	(void)unlink(ballast);
}

/* Take so much of the disk, or what is left of it. */
static bool add_ballast(const char *path, size_t bytes)
{
	char name[512], block[1024] = {0};
	ssize_t written = 1;

	(void)snprintf(name, sizeof name, "%s.ballast", path);
	int file = open(name, O_WRONLY | O_CREAT | O_APPEND, 0600);
	for (; file >= 0 && bytes >= sizeof block && written > 0; bytes -= sizeof block)
		written = write(file, block, sizeof block);
	return file >= 0 && !close(file);
}

/* A file system of its own for the folder of a path, which goes with the process. */
static bool mount_small(const char *path)
{
	char folder[512];

	(void)snprintf(folder, sizeof folder, "%s", path);
	*strrchr(folder, '/') = '\0';
	return !unshare(CLONE_NEWNS) && !mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) &&
	       !mount("tmpfs", folder, "tmpfs", 0, "size=1m");
}

/* FT_EUNAVAIL: it may not be made here. */
static void child_mounted(const char *path, struct report *report)
{
	report->status = FT_EUNAVAIL;
	if (mount_small(path) && add_ballast(path, 300000))
		fill_up(path, full_flags, remove_ballast, report);
}

/* How many runs a store has; -1: it cannot be opened, and is not whole. */
static int count_runs(const char *path, unsigned flags)
{
	struct ft_runs runs = {0};
	struct ft_store *store;
	int n = -1;

	if (ft_store_open(&store, path, flags, NULL))
		return -1;
	if (!ft_store_get_runs(store, 1, 1, &runs, NULL))
		n = (int)runs.n;
	ft_runs_clear(&runs);
	ft_store_close(store);
	return n;
}

/* The disk is full when what stands in the journal is to be written back: at the end, and by the next. */
static void child_checkpoint(const char *path, struct report *report)
{
	struct fixture f;
	struct ft_run run;
	enum ft_status status = FT_OK;

	report->status = FT_EUNAVAIL;
	if (!mount_small(path))
		return;
	open_fixture(&f, path, full_flags);
	make_run(&run, 64, 12);
	for (int i = 0; i < 20 && !status; i++)
		status = ft_store_add_run(f.store, f.program.id, f.machine.id, &run, &report->err);
	ft_run_clear(&run);
	if (!add_ballast(path, 1 << 21))
		status = FT_EIO;
	close_fixture(&f);
	int on_full = count_runs(path, FT_STORE_READ);
	if (!status && on_full != 20)
		status = ft_fail(&report->err, FT_EIO, "%d runs on a full disk", on_full);
	remove_ballast(path);
	report->count = (size_t)count_runs(path, full_flags);
	if (!status && (report->count != 20 || strcmp(raw(path, "PRAGMA integrity_check"), "ok") != 0))
		status = ft_fail(&report->err, FT_EIO, "%zu runs after it", report->count);
	report->status = status;
}

/* As write_until_killed, and whatever fails is tried again. */
static void write_on_full(const char *path, unsigned flags, int out)
{
	for (;;) {
		struct fixture f = {0};
		struct ft_run run;

		if (ft_store_open(&f.store, path, flags, NULL))
			continue;
		make_run(&run, 64, 12);
		while (!ft_store_add_run(f.store, 1, 1, &run, NULL))
			if (write(out, &run.id, sizeof run.id) != (ssize_t)sizeof run.id)
				_exit(1);
		ft_run_clear(&run);
		ft_store_close(f.store);
	}
}

/* Killed on a full disk, in whatever it was doing: with room again all that was told is there. */
static void child_killed_full(const char *path, struct report *report)
{
	struct ft_random random = {test_seed()};
	struct fixture f;

	report->status = FT_EUNAVAIL;
	if (!mount_small(path))
		return;
	open_fixture(&f, path, full_flags);
	close_fixture(&f);
	report->status = FT_OK;
	for (int round = 0; round < test_cases(8) && !report->status; round++) {
		struct timespec delay = {0, (long)(30e6 * ft_random_uniform(&random))};
		int ends[2], state, lost = 0;
		struct ft_runs runs = {0};
		struct ft_store *store;
		int64_t id;

		if (!add_ballast(path, 800000 - 40000 * (size_t)round) || pipe(ends))
			exit(99);
		pid_t child = fork();
		if (!child)
			write_on_full(path, full_flags, ends[1]);
		(void)close(ends[1]);
		(void)nanosleep(&delay, NULL);
		(void)kill(child, SIGKILL);
		(void)waitpid(child, &state, 0);
		remove_ballast(path);
		if (!(report->status = ft_store_open(&store, path, full_flags, &report->err))) {
			report->status = ft_store_get_runs(store, 1, 1, &runs, &report->err);
			ft_store_close(store);
		}
		for (; read(ends[0], &id, sizeof id) == (ssize_t)sizeof id; report->count++)
			lost += !has(&runs, id);
		(void)close(ends[0]);
		ft_runs_clear(&runs);
		if (!report->status && (lost || strcmp(raw(path, "PRAGMA integrity_check"), "ok") != 0))
			report->status = ft_fail(&report->err, FT_EIO, "%d runs are lost", lost);
	}
}

static void test_on_full(const struct mode *mode, const char *what,
			 void (*work)(const char *path, struct report *report))
{
	char name[64];

	(void)snprintf(name, sizeof name, "disk/%s-%s.db", what, mode->name);
	full_flags = mode->flags;
	struct report report = in_child(work, temp_path(name), false);
	if (report.status == FT_EUNAVAIL)
		skip(what, "no file system can be mounted here");
	else
		ok(report.status == FT_OK, "%s on a full disk, journal %s: %zu runs kept %s", what,
		   mode->name, report.count, report.err.text);
}

static void test_full(const struct mode *mode)
{
	char name[32];

	full_flags = mode->flags;
	(void)snprintf(name, sizeof name, "limited-%s.db", mode->name);
	struct report report = in_child(child_limited, temp_path(name), false);
	ok(report.status == FT_OK && report.count > 0, "a limited file, journal %s: %zu runs kept",
	   mode->name, report.count);
	diag("%s; %s", report.err.text, report.err.remedy);
	(void)mkdir(temp_path("disk"), 0700);
	(void)snprintf(name, sizeof name, "disk/full-%s.db", mode->name);
	report = in_child(child_mounted, temp_path(name), false);
	if (report.status == FT_EUNAVAIL) {
		skip("a full disk", "no file system can be mounted here");
		return;
	}
	ok(report.status == FT_OK && report.count > 0, "a full disk, journal %s: %zu runs kept", mode->name,
	   report.count);
	diag("%s; %s", report.err.text, report.err.remedy);
}

int main(void)
{
	test_choice();
	test_shared_rollback();
	for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
		test_writers(&modes[i]);
		test_killed(&modes[i]);
		test_full(&modes[i]);
		test_on_full(&modes[i], "checkpoint", child_checkpoint);
		test_on_full(&modes[i], "killed", child_killed_full);
	}
	temp_remove();
	return done();
}
