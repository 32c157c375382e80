/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-spool.c - runs that wait beside a store are taken in once, all of them; and what an expert said is kept.
 */
#include "facts/door.h"
#include "store-test.h"
#include "store/door.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>

/* How many files a folder has; -1: there is none. */
static int count_files(const char *path)
{
	DIR *dir = opendir(path);
	int n = 0;

	if (!dir)
		return -1;
	while (readdir(dir))
		n++;
	(void)closedir(dir);
	return n - 2;
}

static void spool_run(const char *path, const char *name, const char *hash, double n, bool keep)
{
	struct ft_machine machine;
	struct ft_program program;
	struct ft_store *spool;
	struct ft_run run;
	struct ft_err err = {0};

	if (!ok(ft_store_open_spool(&spool, path, &err) == FT_OK, "a spool is opened %s", err.text))
		return;
	make_machine(&machine, "00112233445566aa");
	make_program(&program, name, hash);
	make_run(&run, n, 3);
	run.real = true;
	ok(!ft_store_put_machine(spool, &machine, &err) && !ft_store_put_program(spool, &program, &err) &&
		   !ft_store_add_run(spool, program.id, machine.id, &run, &err) &&
		   !ft_store_put_trace(spool, run.id, "t,y\n0,1\n", 8, &err) &&
		   !ft_store_close_spool(spool, keep, &err),
	   "a run is put into it %s", err.text);
	ft_run_clear(&run);
	ft_program_clear(&program);
	ft_machine_clear(&machine);
}

static size_t count_runs(struct ft_store *store, const char *name)
{
	struct ft_store_list list;
	size_t n = 0;

	if (ft_store_get_list(store, name, &list, NULL))
		return 0;
	for (size_t i = 0; i < list.n; i++)
		n += list.entry[i].runs;
	ft_store_list_clear(&list);
	return n;
}

static void test_taken(void)
{
	const char *path = temp_path("taken.db"), *folder = temp_path("taken.db.spool");
	struct ft_program program;
	struct ft_runs runs = {0};
	struct fixture f;

	open_fixture(&f, path, 0);
	close_fixture(&f);
	spool_run(path, "matmul", "abc", 64, true);
	spool_run(path, "matmul", "abc", 72, true);
	spool_run(path, "matmul", "abc", 80, false);
	spool_run(path, "other", "xyz", 64, true);
	ok(count_files(folder) == 3, "three wait, one was given up");
	struct ft_store *store = open_store(path, FT_STORE_READ);
	ok(count_runs(store, "matmul") == 0 && count_files(folder) == 3, "who reads does not take them in");
	ok(ft_store_has_spool(store), "but may know that they wait");
	ft_store_close(store);
	store = open_store(path, FT_STORE_HASTY);
	ok(count_runs(store, "matmul") == 0, "nor who is in haste");
	ft_store_close(store);
	store = open_store(path, 0);
	ok(count_runs(store, "matmul") == 2 && count_runs(store, "other") == 1, "who writes does");
	ok(count_files(folder) == -1 && !ft_store_has_spool(store), "... and nothing is left");
	ok(!ft_store_get_program(store, "matmul", &program, NULL) &&
		   !ft_store_get_runs(store, program.id, 0, &runs, NULL) && runs.n == 2 && runs.run[0].real &&
		   runs.run[0].n_samples == 3,
	   "with all that was known of them");
	ok(!strcmp(raw(path, "SELECT count(*) FROM trace JOIN run ON run = run.id"), "3"),
	   "and their traces");
	ft_runs_clear(&runs);
	ft_program_clear(&program);
	ft_store_close(store);
}

/* All files of a folder as though an hour had gone. */
static void make_old(const char *folder)
{
	const struct timespec hour_ago[2] = {{.tv_sec = time(NULL) - 3600}, {.tv_sec = time(NULL) - 3600}};
	DIR *dir = opendir(folder);
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		(void)utimensat(dirfd(dir), entry->d_name, hour_ago, 0);
	if (dir)
		(void)closedir(dir);
}

/* A spooler that is killed before it is done: with its run committed, or in the middle of that. */
static void leave_spool(const char *path, bool committed)
{
	pid_t child = fork();
	int state;

	if (child == 0) {
		struct ft_machine machine;
		struct ft_program program;
		struct ft_store *spool;
		struct ft_run run;

		make_machine(&machine, "00112233445566aa");
		make_program(&program, "matmul", "abc");
		make_run(&run, 64, 3);
		if (ft_store_open_spool(&spool, path, NULL))
			_exit(1);
		if (!committed) { /* what is changed goes to the file at once: its journal is hot */
			(void)sqlite3_exec(spool->db, "PRAGMA cache_size = 1", NULL, NULL, NULL);
			(void)ft__begin(spool, NULL);
		}
		if (ft_store_put_machine(spool, &machine, NULL) ||
		    ft_store_put_program(spool, &program, NULL) ||
		    ft_store_add_run(spool, program.id, machine.id, &run, NULL))
			_exit(1);
		if (!committed)
			(void)sqlite3_exec(spool->db, "CREATE TABLE x AS SELECT zeroblob(100000)", NULL, NULL,
					   NULL);
		(void)raise(SIGKILL);
	}
	(void)waitpid(child, &state, 0);
	ok(WIFSIGNALED(state), "a spooler is killed");
}

static void test_left(void)
{
	const char *path = temp_path("left.db"), *folder = temp_path("left.db.spool");

	ft_store_close(open_store(path, 0));
	leave_spool(path, true);
	leave_spool(path, false);
	ok(count_files(folder) == 3, "two files and a journal are left");
	struct ft_store *store = open_store(path, 0);
	ok(count_runs(store, "matmul") == 0 && count_files(folder) == 3,
	   "somebody may be at work on what is new");
	ft_store_close(store);
	ok(temp_write(temp_path("left.db.spool/1-1.part"), "garbage", 0600) &&
		   temp_write(temp_path("left.db.spool/2-1.part"), "", 0600) &&
		   temp_write(temp_path("left.db.spool/3-1.part-journal"), "garbage", 0600),
	   "and others that are none");
	make_old(folder);
	store = open_store(path, 0);
	ok(count_runs(store, "matmul") == 1, "what was committed is taken in");
	ok(count_files(folder) == -1, "and nothing is left");
	ft_store_close(store);
}

static void test_given_up(void)
{
	const char *path = temp_path("given.db"), *folder = temp_path("given.db.spool");

	ft_store_close(open_store(path, 0));
	spool_run(path, "matmul", "abc", 64, false);
	ok(count_files(folder) == -1, "the folder of what was given up goes");
}

/* A run that waited is not newer than a program that was rebuilt meanwhile. */
static void test_rebuilt(void)
{
	const char *path = temp_path("rebuilt.db");
	struct ft_program program;
	struct ft_err err = {0};
	struct fixture f;

	open_fixture(&f, path, 0);
	spool_run(path, "matmul", "abc", 64, true);
	make_program(&program, "matmul", "rebuilt");
	ok(!ft_store_put_program(f.store, &program, &err), "it is rebuilt");
	ft_program_clear(&program);
	close_fixture(&f);
	struct ft_store *store = open_store(path, 0);
	ok(!ft_store_get_program(store, "matmul", &program, NULL) && !strcmp(program.hash, "rebuilt"),
	   "the rebuilt one stays the newest");
	ok(count_runs(store, "matmul") == 1, "... and the run is kept");
	ft_program_clear(&program);
	ft_store_close(store);
}

/* Whoever takes in is killed before the file is removed: it is not taken in twice. */
static void test_twice(void)
{
	const char *path = temp_path("twice.db");
	char copy[600], command[1400];

	spool_run(path, "matmul", "abc", 64, true);
	(void)snprintf(copy, sizeof copy, "%s.copy", path);
	(void)snprintf(command, sizeof command, "cp -rp '%s.spool' '%s'", path, copy);
	ok(!system(command), "the spool is copied");
	ft_store_close(open_store(path, 0));
	/* As though the process had been killed between its commit and the removal. */
	(void)snprintf(command, sizeof command,
		       "cp -rp '%s' '%s.spool'; cd '%s'; for f in *.db; do echo $f; done > '%s.id'", copy,
		       path, copy, path);
	ok(!system(command), "it is there again");
	(void)snprintf(command, sizeof command, "%s.id", path);
	{
		char id[128] = "", sql[256];
		FILE *file = fopen(command, "r");

		if (file && fgets(id, sizeof id, file))
			id[strcspn(id, "\n")] = '\0';
		if (file)
			(void)fclose(file);
		(void)snprintf(sql, sizeof sql, "INSERT INTO spooled VALUES ('%s')", id);
		(void)raw(path, sql);
	}
	struct ft_store *store = open_store(path, 0);
	ok(count_runs(store, "matmul") == 1, "what was noted as taken in is not taken in again");
	ok(!strcmp(raw(path, "SELECT count(*) FROM spooled"), "0"), "... and the note goes with the file");
	ft_store_close(store);
}

static void test_elsewhere(void)
{
	const char *path = temp_path("nowhere/no.db");
	struct ft_err err = {0};
	struct ft_store *spool;

	/* Where no folder can be made, that for temporary files serves. */
	(void)setenv("TMPDIR", temp_path(""), 1);
	(void)fclose(fopen(temp_path("nowhere"), "w"));
	ok(ft_store_open_spool(&spool, path, &err) == FT_OK, "a spool among the temporary files %s",
	   err.text);
	ok(spool && strstr(ft_store_path(spool), "/foretime-"), "... with a name of its own");
	if (spool)
		(void)ft_store_close_spool(spool, false, NULL);
	(void)setenv("TMPDIR", temp_path("nowhere/too"), 1);
	ok(ft_store_open_spool(&spool, path, &err) != FT_OK && strstr(err.text, "no.db.spool"),
	   "where neither can be, it is told why not beside the store: %s", err.text);
	(void)unsetenv("TMPDIR");
}

/* The store is named from a folder, and by way of a link, before it can be made. */
static void test_later(void)
{
	char before[4096];

	(void)setenv("TMPDIR", temp_path(""), 1);
	if (!getcwd(before, sizeof before) || chdir(temp_folder) || !temp_write("later", "", 0644) ||
	    symlink("later", "link")) {
		ok(false, "a folder to work in");
		return;
	}
	spool_run("link/l.db", "matmul", "abc", 64, true);
	ok(!unlink("later") && !mkdir("later", 0755), "what stood in the way is gone");
	struct ft_store *store = open_store(temp_path("later/l.db"), 0);
	ok(count_runs(store, "matmul") == 1, "the run is taken in under the store's other name");
	ft_store_close(store);
	ok(!chdir(before), "back");
	(void)unsetenv("TMPDIR");
}

static void test_knowledge(void)
{
	const char *path = temp_path("knowledge.db");
	struct ft_knowledge said = {0}, read;
	struct ft_store *store = open_store(path, 0);
	struct ft_program program = {.name = ft_strdup("p"), .hash = ft_strdup("")}, built;
	struct ft_err err = {0};
	char *value;

	ok(!ft_knowledge_state(&said, &ft_wall_s, "1e-9*n^3", &err) &&
		   !ft_knowledge_state(&said, &ft_peak_rss_bytes, "8*n", &err) &&
		   !ft_knowledge_state(&said, &ft_wall_s, "2e-9*n^3", &err) && said.n_stated == 2,
	   "a law takes the place of the one before");
	ok(ft_knowledge_state(&said, &ft_wall_s, "2*", &err) == FT_EPARSE &&
		   !strcmp(ft_knowledge_law(&said, &ft_wall_s), "2e-9*n^3"),
	   "one that cannot be read does not: %s", err.text);
	ok(!ft_knowledge_require(&said, "memory=1GiB", &err) &&
		   !ft_knowledge_require(&said, "memory=2GiB", &err) &&
		   !ft_knowledge_require(&said, "software=a", &err) &&
		   !ft_knowledge_require(&said, "software=b", &err) && said.n_requirements == 3,
	   "one amount of memory, several commands");
	ok(ft_knowledge_require(&said, "memory=-1", &err) && ft_knowledge_require(&said, "memory=0", &err) &&
		   ft_knowledge_require(&said, "memory", &err) &&
		   ft_knowledge_require(&said, "luck=1", &err) && said.n_requirements == 3,
	   "what is no requirement: %s", err.text);
	ok(!ft_store_put_program(store, &program, &err) && !ft_store_put_knowledge(store, "p", &said, &err),
	   "kept %s", err.text);
	ok(!ft_store_get_knowledge(store, "p", &read, &err) && read.n_stated == 2 &&
		   read.n_requirements == 3 && !strcmp(ft_knowledge_law(&read, &ft_wall_s), "2e-9*n^3") &&
		   read.requirement[0].amount == 2147483648.0,
	   "and read");
	ft_knowledge_clear(&read);
	ft_knowledge_clear(&read);
	make_program(&built, "p", "abc");
	ok(!ft_store_put_program(store, &built, &err) && built.id == program.id,
	   "the first program that is built under the name is that one");
	ft_program_clear(&built);
	ok(!ft_knowledge_release(&said, "software=a", &err) && !ft_knowledge_release(&said, "memory", &err) &&
		   ft_knowledge_release(&said, "memory", &err) == FT_ENOENT && said.n_requirements == 1,
	   "taken back");
	ok(!ft_store_remove(store, "p", NULL, &err) && !ft_store_get_knowledge(store, "p", &read, &err) &&
		   !read.n_stated && !read.n_requirements,
	   "removed with the program");
	ok(ft_store_get_known(store, "boot", &value, &err) == FT_ENOENT && !value, "nothing is known");
	ok(!ft_store_put_known(store, "boot", "a", &err) && !ft_store_put_known(store, "boot", "b", &err) &&
		   !ft_store_get_known(store, "boot", &value, &err) && !strcmp(value, "b"),
	   "what takes time to find out is known");
	ft_free(value);
	ft_knowledge_clear(&said);
	ft_program_clear(&program);
	ft_store_close(store);
}

static bool add(struct fixture *f, double n, enum ft_status wanted, struct ft_err *err)
{
	struct ft_run run;

	make_run(&run, n, 3);
	enum ft_status status = ft_store_add_run(f->store, f->program.id, f->machine.id, &run, err);
	ft_run_clear(&run);
	return status == wanted;
}

/* A store that is removed, or replaced, while it is open: what was added to it since is kept once, whatever
 * the journal, and goes to the store that stands there next. */
static void test_moved(unsigned flags, bool replaced)
{
	const char *path = temp_path(flags ? "moved-rollback.db" : "moved.db"), *folder;
	struct ft_machine machine;
	struct ft_err err = {0};
	struct fixture f, other, made;
	int64_t version;
	struct ft_run run;

	open_fixture(&f, path, flags);
	ok(add(&f, 64, FT_OK, &err) && add(&f, 72, FT_OK, &err), "two runs are added");
	close_fixture(&f);
	open_fixture(&f, path, flags);
	open_fixture(&other, path, flags);
	ok(add(&f, 80, FT_OK, &err) && add(&other, 88, FT_OK, &err) && add(&f, 96, FT_OK, &err),
	   "three more, by two who have it open");
	folder = temp_path(flags ? "moved-rollback.db.spool" : "moved.db.spool");
	if (replaced) {
		const char *copy = temp_path("copy.db");

		open_fixture(&made, copy, FT_STORE_ROLLBACK);
		close_fixture(&made);
		ok(!rename(copy, path), "it is replaced");
	} else {
		ok(!unlink(path), "it is removed");
	}
	ok(ft_store_version(other.store, &version, &err) == FT_EMOVED,
	   "who asks for its version hears of it");
	ok(add(&f, 104, FT_EMOVED, &err) && strstr(err.text, "removed or replaced") &&
		   strstr(err.remedy, folder) && count_files(folder) == 2,
	   "so does who adds a run: %s; %s", err.text, err.remedy);
	ok(add(&f, 112, FT_EMOVED, &err) && !strcmp(err.remedy, "do it again") && count_files(folder) == 2,
	   "nothing more is taken");
	close_fixture(&f);
	struct ft_store *store = open_store(path, flags);
	ok(count_runs(store, "matmul") == 4, "four runs are in the store that stands there: %zu",
	   count_runs(store, "matmul"));
	close_fixture(&other);
	make_machine(&machine, "00112233445566bb");
	make_run(&run, 8, 1);
	ok(!ft_store_put_machine(store, &machine, &err) && count_runs(store, "matmul") == 4,
	   "closing the lost one takes nothing from it %s", err.text);
	ft_run_clear(&run);
	ft_machine_clear(&machine);
	ft_store_close(store);
	ok(!strcmp(raw(path, "PRAGMA integrity_check"), "ok") &&
		   !strcmp(raw(path,
			       "SELECT group_concat(size, ';') FROM (SELECT size FROM run ORDER BY size)"),
			   "104 100;80 100;88 100;96 100"),
	   "each once: %s",
	   raw(path, "SELECT group_concat(size, ';') FROM (SELECT size FROM run ORDER BY size)"));
	(void)unlink(path);
}

/* A file system without locks, as SQLite sees it: any lock fails so. */
static int (*true_fcntl)(int, int, ...), no_locks;

static int lockless_fcntl(int fd, int command, void *of)
{
	if (no_locks && (command == F_SETLK || command == F_GETLK)) {
		errno = no_locks;
		return -1;
	}
	return true_fcntl(fd, command, of);
}

/* Nobody is waited for: the store says what is missing, and a spool does without. */
static void test_lockless(void)
{
	static const int numbers[] = {ENOLCK, ENOSYS, EOPNOTSUPP};
	sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);
	const char *path = temp_path("lockless.db"), *folder = temp_path("lockless.db.spool");
	struct ft_store *store;
	struct ft_err err = {0};
	struct fixture f;

	open_fixture(&f, path, FT_STORE_ROLLBACK);
	close_fixture(&f);
	true_fcntl = (int (*)(int, int, ...))vfs->xGetSystemCall(vfs, "fcntl");
	(void)vfs->xSetSystemCall(vfs, "fcntl", (sqlite3_syscall_ptr)lockless_fcntl);
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		no_locks = numbers[i];
		is(ft_store_open(&store, path, 0, &err), FT_EUNAVAIL, &err, "no locks for who writes");
		ok(!store && strstr(err.text, "this file system has no locks") && strstr(err.remedy, "flock"),
		   "%s", err.remedy);
		is(ft_store_open(&store, path, FT_STORE_READ, &err), FT_EUNAVAIL, &err, "nor for who reads");
		is(ft_store_open(&store, temp_path("lockless-new.db"), 0, &err), FT_EUNAVAIL, &err,
		   "nor a new one");
		spool_run(path, "matmul", "abc", 64 + 8 * (double)i, true);
	}
	no_locks = 0;
	ok(count_files(folder) == 3, "three runs wait beside it");
	store = open_store(path, 0);
	ok(count_runs(store, "matmul") == 3 && count_files(folder) == -1,
	   "and are taken in where there are locks");
	ft_store_close(store);
	(void)vfs->xSetSystemCall(vfs, "fcntl", NULL);
}

static void test_faults(void)
{
	const char *path = temp_path("faults.db");
	struct ft_knowledge said = {0};
	struct ft_store *store = open_store(path, 0);
	enum ft_status status;
	unsigned long n = 0;
	bool clean = true;

	do {
		struct ft_knowledge read = {0};

		ft_alloc_fail_at(++n);
		status = ft_knowledge_state(&said, &ft_wall_s, "n^2", NULL);
		if (!status)
			status = ft_knowledge_require(&said, "memory=1GiB", NULL);
		if (!status)
			status = ft_store_put_knowledge(store, "p", &said, NULL);
		if (!status)
			status = ft_store_get_knowledge(store, "p", &read, NULL);
		clean = clean && (!status || (status == FT_ENOMEM && !read.n_stated));
		ft_knowledge_clear(&read);
	} while (status && n < 1000);
	ft_alloc_fail_at(0);
	ok(clean && !status && n > 5, "each allocation may fail");
	ft_knowledge_clear(&said);
	ft_store_close(store);
}

int main(void)
{
	test_taken();
	test_left();
	test_given_up();
	test_rebuilt();
	test_twice();
	test_elsewhere();
	test_later();
	test_knowledge();
	test_moved(0, false);
	test_moved(0, true);
	test_moved(FT_STORE_ROLLBACK, false);
	test_moved(FT_STORE_ROLLBACK, true);
	test_lockless();
	test_faults();
	temp_remove();
	return done();
}
