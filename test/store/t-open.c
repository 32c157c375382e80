/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-open.c - finding, making and refusing stores. */
#include "store-test.h"
#include "store/door.h"

#include <fcntl.h>
#include <sys/stat.h>

static void write_file(const char *path, const char *bytes, size_t length)
{
	FILE *file = fopen(path, "wb");

	if (!file || fwrite(bytes, 1, length, file) != length || fclose(file))
		exit(99);
}

/* A sum over a file, to see that it was left alone. */
static unsigned long sum_file(const char *path)
{
	FILE *file = fopen(path, "rb");
	unsigned long sum = 5381;
	int c;

	while (file && (c = getc(file)) != EOF)
		sum = sum * 33 + (unsigned long)c;
	if (file)
		(void)fclose(file);
	return sum;
}

static bool exists(const char *path)
{
	return !access(path, F_OK);
}

static void refuses(const char *path, unsigned flags, enum ft_status wanted, const char *what)
{
	struct ft_store *store = (void *)1;
	struct ft_err err = {0};

	is(ft_store_open(&store, path, flags, &err), wanted, &err, what);
	ok(!store && err.remedy[0], "... and a remedy: %s", err.remedy);
	ft_store_close(store);
}

static void test_new(void)
{
	const char *path = temp_path("a/b/new.db");
	struct ft_store *store = open_store(path, 0);

	ok(exists(path), "a new store with its folders");
	ok(!strcmp(ft_store_path(store), path), "its path");
	ft_store_close(store);
	ok(!strcmp(raw(path, "PRAGMA application_id"), "1181701225"), "marked as ours");
	ok(!strcmp(raw(path, "PRAGMA user_version"), "11"), "with its version");
	write_file(temp_path("empty.db"), "", 0);
	ft_store_close(open_store(temp_path("empty.db"), 0));
	ok(!strcmp(raw(temp_path("empty.db"), "PRAGMA user_version"), "11"), "an empty file becomes a store");
	store = open_store(path, FT_STORE_READ);
	ok(store != NULL, "opened for reading");
	ft_store_close(store);
	ft_store_close(NULL);
}

static void test_odd_names(void)
{
	char before[512];

	if (!getcwd(before, sizeof before) || chdir(temp_folder))
		exit(99);
	ft_store_close(open_store(":memory:", 0));
	ok(exists(temp_path(":memory:")), "':memory:' is the name of a file");
	ft_store_close(open_store("file:x?mode=memory", 0));
	ok(exists(temp_path("file:x?mode=memory")), "'file:x?mode=memory' too");
	struct ft_store *store = open_store("plain.db", 0);
	ok(exists(temp_path("plain.db")) && !strcmp(ft_store_path(store), "plain.db"),
	   "a name without folder");
	ft_store_close(store);
	if (chdir(before))
		exit(99);
	refuses("", 0, FT_EINVAL, "an empty path");
}

static void test_usual_place(void)
{
	struct stat info;
	struct ft_err err = {0};

	setenv("FORETIME_STORE", temp_path("env.db"), 1);
	setenv("XDG_DATA_HOME", temp_path("data"), 1);
	setenv("HOME", temp_path("home"), 1);
	struct ft_store *store = open_store(NULL, 0);
	ok(!strcmp(ft_store_path(store), temp_path("env.db")), "FORETIME_STORE comes first");
	ft_store_close(store);
	setenv("FORETIME_STORE", "", 1);
	store = open_store(NULL, 0);
	ok(!strcmp(ft_store_path(store), temp_path("data/foretime/store.db")), "then XDG_DATA_HOME");
	ft_store_close(store);
	ok(!stat(temp_path("data/foretime"), &info) && (info.st_mode & 0777) == 0700,
	   "its folders are the user's alone");
	setenv("XDG_DATA_HOME", "relative", 1);
	store = open_store(NULL, 0);
	ok(!strcmp(ft_store_path(store), temp_path("home/.local/share/foretime/store.db")), "then HOME");
	ft_store_close(store);
	unsetenv("HOME");
	is(ft_store_open(&store, NULL, 0, &err), FT_ENOENT, &err, "none of them");
	setenv("HOME", temp_folder, 1);
	unsetenv("FORETIME_STORE");
}

static void test_not_ours(void)
{
	const char *text = temp_path("notes.txt"), *other = temp_path("other.db"),
		   *pipe_path = temp_path("pipe");
	char zeros[5000] = {0};
	struct ft_err err = {0};
	struct ft_store *store;

	write_file(text, "a text that is longer than nothing\n", 35);
	refuses(text, 0, FT_ENOTOURS, "a short text");
	refuses(text, FT_STORE_READ, FT_ENOTOURS, "a short text, to be read");
	write_file(text, zeros, sizeof zeros);
	refuses(text, 0, FT_ENOTOURS, "zeros");
	ok(exists(text) && !exists(temp_path("notes.txt-wal")), "... left alone");
	memcpy(zeros, "SQLite format 3", 16);
	write_file(text, zeros, 100);
	ok(ft_store_open(&store, text, 0, &err) == FT_ENOTOURS && strstr(err.text, "something else"),
	   "a header and no more, of somebody else: %s", err.text);
	refuses(temp_folder, 0, FT_ENOTOURS, "a folder");
	if (mkfifo(pipe_path, 0600))
		exit(99);
	refuses(pipe_path, 0, FT_ENOTOURS, "a pipe");
	(void)raw(other, "CREATE TABLE a (b); INSERT INTO a VALUES (1)");
	unsigned long before = sum_file(other);
	refuses(other, 0, FT_ENOTOURS, "another SQLite file");
	ok(sum_file(other) == before && !exists(temp_path("other.db-journal")), "... nothing changed in it");
	(void)raw(other, "PRAGMA journal_mode = WAL; INSERT INTO a VALUES (2)");
	before = sum_file(other);
	refuses(other, 0, FT_ENOTOURS, "another SQLite file with WAL");
	ok(sum_file(other) == before && !exists(temp_path("other.db-wal")), "... nothing changed in it");
	refuses(temp_path("notes.txt/store.db"), 0, FT_ENOENT, "below a file");
	refuses(temp_path("missing.db"), FT_STORE_READ, FT_ENOENT, "none there, to be read");
	ok(!exists(temp_path("missing.db")), "... nor made");
	write_file(temp_path("nothing.db"), "", 0);
	refuses(temp_path("nothing.db"), FT_STORE_READ, FT_ENOENT, "an empty file, to be read");
	refuses(temp_path("missing.db"), FT_STORE_EXISTING, FT_ENOENT, "none there, to be written if it is");
	refuses(temp_path("nothing.db"), FT_STORE_EXISTING, FT_ENOENT,
		"an empty file, to be written if it is a store");
	ok(!exists(temp_path("missing.db")) && sum_file(temp_path("nothing.db")) == 5381,
	   "... neither made nor filled");
}

static void test_newer(void)
{
	const char *path = temp_path("newer.db");

	ft_store_close(open_store(path, 0));
	(void)raw(path, "PRAGMA user_version = 99");
	unsigned long before = sum_file(path);
	refuses(path, 0, FT_EVERSION, "a newer store");
	refuses(path, FT_STORE_READ, FT_EVERSION, "a newer store, to be read");
	ok(sum_file(path) == before, "... left alone");
}

static void test_damaged(void)
{
	const char *path = temp_path("damaged.db");
	struct fixture f;
	struct ft_runs runs = {0};
	struct ft_err err = {0};
	struct stat info;

	open_fixture(&f, path, FT_STORE_ROLLBACK);
	for (int i = 0; i < 12000; i++) {
		struct ft_run run;

		make_run(&run, i + 1, 3);
		(void)ft_runs_take(&runs, &run, NULL);
	}
	ok(ft_store_add_runs(f.store, f.program.id, f.machine.id, &runs, &err) == FT_OK, "12,000 runs");
	ft_runs_clear(&runs);
	close_fixture(&f);
	if (stat(path, &info))
		exit(99);
	/* Garbage in the pages of the data, not in the header. */
	int file = open(path, O_WRONLY);
	for (int i = 0; i < 100; i++)
		if (pwrite(file, "garbage that is no page of a tree", 33, info.st_size / 2 + 400L * i) != 33)
			exit(99);
	(void)close(file);
	struct ft_store *store = open_store(path, 0);
	is(ft_store_get_runs(store, 1, 0, &runs, &err), FT_EIO, &err, "garbage in the middle");
	ok(strstr(err.text, "damaged") && err.remedy[0] && !runs.n, "... said so, and no runs: %s",
	   err.remedy);
	ft_store_close(store);
	ft_runs_clear(&runs);
	if (truncate(path, info.st_size / 2))
		exit(99);
	refuses(path, 0, FT_EIO, "cut in the middle");
	refuses(path, FT_STORE_READ, FT_EIO, "cut in the middle, to be read");
	if (truncate(path, 50))
		exit(99);
	refuses(path, 0, FT_ENOTOURS, "cut in the header");
}

static void child_open(const char *path, struct report *report)
{
	struct ft_store *store;

	report->status = ft_store_open(&store, path, 0, &report->err);
	ft_store_close(store);
}

static void child_read(const char *path, struct report *report)
{
	struct ft_runs runs = {0};
	struct ft_run run;
	struct ft_store *store;

	report->status = ft_store_open(&store, path, FT_STORE_READ, &report->err);
	if (!report->status)
		report->status = ft_store_get_runs(store, 1, 1, &runs, &report->err);
	report->count = runs.n;
	make_run(&run, 1, 1);
	if (store && ft_store_add_run(store, 1, 1, &run, NULL) != FT_EACCESS)
		report->status = FT_EINVAL;
	ft_run_clear(&run);
	ft_runs_clear(&runs);
	ft_store_close(store);
}

static void add_one(const char *path, unsigned flags)
{
	struct fixture f;
	struct ft_run run;

	open_fixture(&f, path, flags);
	make_run(&run, 64, 2);
	ok(ft_store_add_run(f.store, f.program.id, f.machine.id, &run, NULL) == FT_OK && run.id, "a run");
	ft_run_clear(&run);
	close_fixture(&f);
}

static void test_permissions(unsigned flags)
{
	const char *folder = temp_path("locked"), *path = temp_path("locked/store.db");

	if (mkdir(folder, 0755))
		exit(99);
	add_one(path, flags);
	if (chmod(path, 0444) || chmod(folder, 0777))
		exit(99);
	struct report report = in_child(child_open, path, true);
	is(report.status, FT_EACCESS, &report.err, "a file that may not be written");
	report = in_child(child_read, path, true);
	is(report.status, FT_OK, &report.err, "... can be read, and a write is refused");
	ok(report.count == 1, "... with its run");
	ok(!exists(temp_path("locked/store.db-wal")) && !exists(temp_path("locked/store.db-shm")),
	   "... and leaves nothing there");
	if (chmod(path, 0666) || chmod(folder, 0555))
		exit(99);
	report = in_child(child_open, path, true);
	is(report.status, FT_EACCESS, &report.err, "a folder that may not be written");
	ok(report.err.remedy[0], "... and a remedy: %s", report.err.remedy);
	if (chmod(path, 0444))
		exit(99);
	report = in_child(child_read, path, true);
	is(report.status, FT_OK, &report.err, "... can be read, file and folder read-only");
	ok(report.count == 1, "... with its run");
	report = in_child(child_open, temp_path("locked/new.db"), true);
	is(report.status, FT_EACCESS, &report.err, "no new store in such a folder");
	report = in_child(child_open, temp_path("locked/deep/new.db"), true);
	is(report.status, FT_EACCESS, &report.err, "nor a folder");
	if (chmod(path, 0))
		exit(99);
	report = in_child(child_read, path, true);
	is(report.status, FT_EACCESS, &report.err, "a file that may not be read");
	if (chmod(folder, 0755) || chmod(path, 0644) || unlink(path) || rmdir(folder))
		exit(99);
}

/* Ends without closing, as a process that is killed: its journal stays. */
static void child_leave(const char *path, struct report *report)
{
	struct fixture f;

	open_fixture(&f, path, 0);
	report->status = FT_OK;
}

/* A reader of a WAL store in a read-only folder must not pass over a journal that holds something. */
static void test_unchanging(void)
{
	const char *folder = temp_path("still"), *path = temp_path("still/a b?#%.db");

	if (mkdir(folder, 0755))
		exit(99);
	add_one(path, 0);
	if (chmod(path, 0444) || chmod(folder, 0555))
		exit(99);
	struct report report = in_child(child_read, path, true);
	is(report.status, FT_OK, &report.err, "a read-only store of an odd name");
	ok(report.count == 1, "... with its run");
	if (chmod(folder, 0755) || chmod(path, 0644))
		exit(99);
	report = in_child(child_leave, path, false);
	ok(report.status == FT_OK && exists(temp_path("still/a b?#%.db-wal")), "a writer dies");
	if (unlink(temp_path("still/a b?#%.db-shm")) || chmod(path, 0444) || chmod(folder, 0555))
		exit(99);
	report = in_child(child_read, path, true);
	is(report.status, FT_EACCESS, &report.err, "its journal is not passed over");
	if (chmod(folder, 0755))
		exit(99);
}

static void test_locked(void)
{
	struct ft__opening hasty = ft__opening;
	const char *path = temp_path("busy.db");
	struct ft_store *store;
	struct ft_err err = {0};
	struct ft_run run;
	struct fixture f;
	sqlite3 *other;

	hasty.busy_ms = 20;
	open_fixture(&f, path, 0);
	ok(sqlite3_open(path, &other) == SQLITE_OK &&
		   sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL) == SQLITE_OK,
	   "another writes");
	(void)sqlite3_busy_timeout(f.store->db, 20);
	make_run(&run, 64, 1);
	is(ft_store_add_run(f.store, f.program.id, f.machine.id, &run, &err), FT_EBUSY, &err,
	   "no run is added");
	ok(err.remedy[0] && !run.id, "... and a remedy: %s", err.remedy);
	ok(sqlite3_exec(other, "COMMIT", NULL, NULL, NULL) == SQLITE_OK, "it ends");
	ok(ft_store_add_run(f.store, f.program.id, f.machine.id, &run, &err) == FT_OK && run.id, "now it is");
	ft_run_clear(&run);
	close_fixture(&f);
	(void)sqlite3_exec(other, "PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE", NULL, NULL, NULL);
	err = (struct ft_err){0};
	is(ft__store_open(&store, path, 0, &hasty, &err), FT_EBUSY, &err, "opening a locked store");
	ok(!store, "... gives none");
	is(ft__store_open(&store, path, FT_STORE_READ, &hasty, &err), FT_EBUSY, &err, "nor for reading");
	(void)sqlite3_close(other);
}

static int64_t length_of(const char *path)
{
	struct stat info;

	return stat(path, &info) ? 0 : (int64_t)info.st_size;
}

/* One who is in haste opens the store, adds runs, and goes. Returns how many pages of journal that left. */
static int64_t add_hastily(const char *path, const char *journal, int64_t *runs)
{
	enum { AT_ONCE = 10 };
	struct fixture f;
	struct ft_run run;

	open_fixture(&f, path, FT_STORE_HASTY);
	for (int i = 0; i < AT_ONCE; i++) {
		make_run(&run, 64, 2);
		*runs += !ft_store_add_run(f.store, f.program.id, f.machine.id, &run, NULL);
		ft_run_clear(&run);
	}
	close_fixture(&f);
	return length_of(journal) / 4096;
}

static int64_t runs_in(const char *path)
{
	return strtol(raw(path, "SELECT count(*) FROM run"), NULL, 10);
}

/* Who is in haste leaves the journal, and shortens one that is long when the store is opened, if no reader
 * needs it. */
static void test_hasty(void)
{
	const char *path = temp_path("hasty.db"), *journal = temp_path("hasty.db-wal");
	int64_t runs = 0, longest = 0;
	sqlite3_stmt *stmt = NULL;
	sqlite3 *reader = NULL;

	ok(add_hastily(path, journal, &runs) > 0, "the journal is left");
	for (int i = 0; i < 20; i++) {
		int64_t pages = add_hastily(path, journal, &runs);

		longest = pages > longest ? pages : longest;
	}
	ok(longest > 128 && longest < 256, "it stays short: %lld pages", (long long)longest);
	ok(sqlite3_open(path, &reader) == SQLITE_OK &&
		   sqlite3_exec(reader, "BEGIN; SELECT count(*) FROM run", NULL, NULL, NULL) == SQLITE_OK,
	   "somebody reads");
	int64_t before = runs;
	for (int i = 0; i < 20; i++)
		(void)add_hastily(path, journal, &runs);
	ok(runs == before + 200, "runs are added none the less");
	ok(sqlite3_prepare_v2(reader, "SELECT count(*) FROM run", -1, &stmt, NULL) == SQLITE_OK &&
		   sqlite3_step(stmt) == SQLITE_ROW && sqlite3_column_int64(stmt, 0) == before,
	   "... which the reader does not see");
	(void)sqlite3_finalize(stmt);
	ok(length_of(journal) / 4096 > 256, "the journal grows meanwhile: %lld pages",
	   (long long)length_of(journal) / 4096);
	ok(sqlite3_exec(reader, "COMMIT", NULL, NULL, NULL) == SQLITE_OK, "the reader has read");
	(void)add_hastily(path, journal, &runs);
	ok(length_of(journal) / 4096 < 256, "... and the journal is short again: %lld pages",
	   (long long)length_of(journal) / 4096);
	(void)sqlite3_close(reader);
	ok(runs_in(path) == runs, "all %lld runs are there", (long long)runs);
}

/* One that rests holds little, and answers as before. */
static void test_rest(void)
{
	struct ft_store_list list = {0};
	struct ft_run run;
	struct fixture f;

	open_fixture(&f, temp_path("rests.db"), 0);
	make_run(&run, 5, 1);
	ok(!ft_store_add_run(f.store, f.program.id, f.machine.id, &run, NULL), "a run");
	ft_run_clear(&run);
	for (int i = 0; i < 2; i++) {
		ok(!ft_store_get_list(f.store, NULL, &list, NULL) && list.n == 1 && list.entry[0].runs == 1,
		   "a question");
		ft_store_list_clear(&list);
		sqlite3_int64 held = sqlite3_memory_used();
		ft_store_rest(f.store);
		ok(sqlite3_memory_used() < held - 20000, "what it takes is let go: %lld of %lld bytes",
		   (long long)(held - sqlite3_memory_used()), (long long)held);
	}
	close_fixture(&f);
}

int main(void)
{
	(void)temp_path("");
	if (chmod(temp_folder, 0755))
		return 99;
	test_new();
	test_odd_names();
	test_usual_place();
	test_not_ours();
	test_newer();
	test_damaged();
	test_permissions(0);
	test_permissions(FT_STORE_ROLLBACK);
	test_unchanging();
	test_locked();
	test_hasty();
	test_rest();
	temp_remove();
	return done();
}
