/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Timings that programs wrote down: each is taken in exactly once, whoever is killed; lines that are none;
 * files of others; a store that cannot take them. */
#include "../tap.h"
#include "../temp.h"
#include "foretime-client.h"
#include "manager/inside.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

static const char *store_path(void)
{
	return temp_path("store.db");
}

static struct ft_store *open_store(void)
{
	struct ft_store *store = NULL;
	struct ft_err err = {0};

	if (ft_store_open(&store, store_path(), FT_STORE_HASTY, &err)) {
		diag("%s", err.text);
		exit(99);
	}
	return store;
}

static struct ft__taken take(void)
{
	struct ft_store *store = open_store();
	struct ft__taken answer;
	struct ft_err err = {0};
	bool good = !ft__timings_take(store, temp_path("spool"), NULL, &answer, &err);

	ok(good, "taken in: %lu runs, %lu bad %s", answer.runs, answer.bad, err.text);
	ft_store_close(store);
	return answer;
}

static size_t runs_of(const char *name, struct ft_runs *runs)
{
	struct ft_store *store = open_store();
	struct ft_program program = {0};

	if (!ft_store_get_program(store, name, &program, NULL))
		(void)ft_store_get_runs(store, program.id, 0, runs, NULL);
	ft_program_clear(&program);
	ft_store_close(store);
	return runs->n;
}

static bool submit(const char *name, double n, double wall_s)
{
	const char *const param[] = {"n"};

	return !ft_probe_submit(name, param, &n, 1, wall_s);
}

static void test_once(void)
{
	struct ft_runs runs = {0};
	bool good = true;

	for (size_t i = 1; i <= 100; i++)
		good = submit("solve", 64 * (double)i, 0.001 * (double)i) && good;
	ok(good, "a hundred timings are written");
	struct ft__taken answer = take();
	ok(answer.runs == 100 && !answer.bad && runs_of("solve", &runs) == 100, "all are there");
	ok(runs.n == 100 && runs.run[9].size.value[0] == 640 &&
		   fabs(ft_run_value(&runs.run[9], &ft_wall_s) - 0.01) < 1e-12 && runs.run[9].real &&
		   runs.run[9].started_ns > 0,
	   "as they were told");
	ft_runs_clear(&runs);
	answer = take();
	ok(!answer.runs && runs_of("solve", &runs) == 100, "once");
	ft_runs_clear(&runs);
	ok(submit("solve", 1, 2), "one more");
	answer = take();
	ok(answer.runs == 1, "it alone is taken");
	ok(!submit("so\"lve", 1, 2) && !submit("", 1, 2) && !submit("solve", NAN, 2) &&
		   !submit("solve", 1, -1),
	   "what is no timing is not written");
}

static void test_lines(void)
{
	static const char *const bad[] = {
		"{\"name\":\"solve\"}",
		"no JSON",
		"{\"name\":\"solve\",\"size\":{\"n\":1},\"wall_s\":-1}",
		"{\"name\":\"solve\",\"size\":{\"n\":1},\"wall_s\":\"1\"}",
		"{\"name\":\"solve\",\"size\":{\"n\":1},\"wall_s\":1e300}",
		"{\"name\":\"solve\",\"size\":{\"n\":1},\"wall_s\":4e9}",
		"{\"name\":\"solve\",\"size\":{\"m\":1},\"wall_s\":1}",
		"{\"name\":\"solve\",\"size\":{\"n\":1,\"m\":2},\"wall_s\":1}",
		"{\"name\":\"solve\",\"size\":{\"n\":true},\"wall_s\":1}",
		"{\"name\":\"~0/solve\",\"size\":{\"n\":1},\"wall_s\":1}",
		"{\"name\":\"a b\\u001b[31m\",\"size\":{\"n\":1},\"wall_s\":1}",
		"{\"name\":\"x\",\"size\":{\"a b\":1},\"wall_s\":1}",
		"{\"name\":\"solve\",\"name\":\"other\",\"size\":{\"n\":1},\"wall_s\":1}",
		"[]",
		"",
	};
	char text[4096] = "";
	struct ft_runs runs = {0};

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		strcat(text, bad[i]);
		strcat(text, "\n");
	}
	strcat(text,
	       "{\"name\":\"solve\",\"size\":{\"n\":5},\"wall_s\":1}\n{\"name\":\"solve\",\"size\":{\"n\":");
	temp_write(temp_path("spool/byhand.jsonl"), text, 0600);
	struct ft__taken answer = take();
	ok(answer.runs == 1 && answer.bad == 14 && answer.why[0], "lines that are none are counted: %s",
	   answer.why);
	ok(runs_of("x", &runs) == 0, "and leave no run");
	ft_runs_clear(&runs);
	strcat(text, "6},\"wall_s\":1}\n");
	temp_write(temp_path("spool/byhand.jsonl"), text, 0600);
	answer = take();
	ok(answer.runs == 1 && !answer.bad, "half a line is taken when it is whole");
	(void)!symlink("/etc/passwd", temp_path("spool/link.jsonl"));
	(void)!mkfifo(temp_path("spool/pipe.jsonl"), 0600);
	answer = take();
	ok(answer.unread == 2 && !answer.bad && !answer.runs, "a link and a pipe are left alone");
	(void)unlink(temp_path("spool/link.jsonl"));
	(void)unlink(temp_path("spool/pipe.jsonl"));
}

static void test_others(void)
{
	struct ft_runs runs = {0};

	if (geteuid()) {
		ok(true, "files of others # SKIP only root can make one");
		return;
	}
	temp_write(temp_path("spool/theirs.jsonl"), "{\"name\":\"solve\",\"size\":{\"n\":7},\"wall_s\":9}\n",
		   0600);
	(void)!chown(temp_path("spool/theirs.jsonl"), 1234, 1234);
	struct ft__taken answer = take();
	ok(answer.runs == 1 && runs_of("~1234/solve", &runs) == 1,
	   "of another user: under a name of his own");
	ft_runs_clear(&runs);
}

static void test_trusted(void)
{
	static const char *const users[] = {"1234", "root"}, *const nobody[] = {"root", "no such user"};
	struct ft__trusted trusted;
	struct ft_runs runs = {0};
	struct ft__taken answer;
	struct ft_err err = {0};

	ok(ft__trusted_read(&trusted, nobody, 2, &err) == FT_EINVAL && !trusted.uid, "%s", err.text);
	ok(!ft__trusted_read(&trusted, users, 2, &err) && trusted.n == 2 && trusted.uid[0] == 1234 &&
		   trusted.uid[1] == 0,
	   "names, and numbers");
	if (geteuid()) {
		skip("files of others", "only root can make one");
		ft__trusted_clear(&trusted);
		return;
	}
	size_t before = runs_of("solve", &runs);
	ft_runs_clear(&runs);
	temp_write(temp_path("spool/friend.jsonl"), "{\"name\":\"solve\",\"size\":{\"n\":7},\"wall_s\":9}\n",
		   0600);
	temp_write(temp_path("spool/foe.jsonl"), "{\"name\":\"solve\",\"size\":{\"n\":7},\"wall_s\":9}\n",
		   0600);
	(void)!chown(temp_path("spool/friend.jsonl"), 1234, 1234);
	(void)!chown(temp_path("spool/foe.jsonl"), 1235, 1235);
	struct ft_store *store = open_store();
	ok(!ft__timings_take(store, temp_path("spool"), &trusted, &answer, &err) && answer.runs == 2,
	   "taken in");
	ft_store_close(store);
	ok(runs_of("solve", &runs) == before + 1, "of a user who is trusted: under the name that he states");
	ft_runs_clear(&runs);
	ok(runs_of("~1235/solve", &runs) == 1, "of another one not");
	ft_runs_clear(&runs);
	ft__trusted_clear(&trusted);
}

static int ascending(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* How long files stay, and whose they are. */
static void test_files(void)
{
	static const char line[] = "{\"name\":\"aged\",\"size\":{\"n\":7},\"wall_s\":9}\n";
	const struct timespec old[2] = {{.tv_sec = time(NULL) - 100000}, {.tv_sec = time(NULL) - 100000}};

	temp_write(temp_path("spool/otherhost.12.345.jsonl"), line, 0600);
	struct ft__taken answer = take();
	ok(!answer.runs && !access(temp_path("spool/otherhost.12.345.jsonl"), F_OK),
	   "that of another host is its manager's");
	(void)unlink(temp_path("spool/otherhost.12.345.jsonl"));
	temp_write(temp_path("spool/aged.jsonl"), line, 0600);
	answer = take();
	ok(answer.runs == 1 && !access(temp_path("spool/aged.jsonl"), F_OK),
	   "one that may be written to stays");
	(void)utimensat(AT_FDCWD, temp_path("spool/aged.jsonl"), old, 0);
	answer = take();
	ok(!answer.runs && access(temp_path("spool/aged.jsonl"), F_OK),
	   "one that was read, and is old, goes");
	temp_write(temp_path("spool/aged.jsonl"), line, 0600);
	answer = take();
	ok(answer.runs == 1, "another one of its name is read from its beginning");
}

/* What a file holds, in place of what it held; moved: as another file of its name. */
static struct ft__taken rewrite(bool moved, int from, int n)
{
	const char *path = temp_path("spool/anew.jsonl"), *other = temp_path("spool/other");
	FILE *file = fopen(moved ? other : path, "we");
	int i;

	for (i = 0; file && i < n; i++)
		(void)fprintf(file, "{\"name\":\"anew\",\"size\":{\"n\":%d},\"wall_s\":9}\n", from + i);
	if (!file || fclose(file) || (moved && rename(other, path)))
		printf("Bail out! cannot write %s\n", path);
	return take();
}

/* A file that is emptied, or is another one of its name, is read from its beginning; no line of it twice. */
static void test_anew(void)
{
	struct ft__taken answer = rewrite(false, 100, 3);
	struct ft_runs runs = {0};

	ok(answer.runs == 3 && !answer.anew, "three lines");
	answer = rewrite(false, 200, 2);
	ok(answer.runs == 2 && answer.anew == 1 && !strcmp(answer.begun, "anew.jsonl"),
	   "emptied, and shorter: it is said");
	answer = take();
	ok(!answer.runs && !answer.anew, "once");
	answer = rewrite(false, 300, 2);
	ok(answer.runs == 2 && answer.anew == 1, "emptied, and as long as before");
	answer = rewrite(false, 400, 9);
	ok(answer.runs == 9 && answer.anew == 1, "and longer");
	(void)unlink(temp_path("spool/anew.jsonl"));
	answer = rewrite(false, 500, 12);
	ok(answer.runs == 12 && answer.anew == 1, "removed, and made again, perhaps with its inode");
	answer = rewrite(true, 500, 12);
	ok(answer.runs == 12 && answer.anew == 1, "another file of the same lines");
	answer = rewrite(false, 0, 0);
	ok(!answer.runs && !answer.anew && take().anew == 0,
	   "nothing is said of an empty one until it has lines");
	answer = rewrite(false, 600, 1);
	ok(answer.runs == 1 && answer.anew == 1, "then it is");
	struct ft_store *store = open_store();
	ok(!ft_store_put_known(store, "timings:anew.jsonl", "42", NULL), "as older versions kept it");
	ft_store_close(store);
	answer = rewrite(false, 600, 2);
	ok(answer.runs == 1 && !answer.anew, "where another version read it, it is read on");
	ok(runs_of("anew", &runs) == 42, "no line is lost, none is twice: %zu", runs.n);
	ft_runs_clear(&runs);
}

/* A clock that was wrong: the run is taken, and when it was is not known. */
static void test_future(void)
{
	const double now = (double)time(NULL);
	struct ft_runs runs = {0};
	FILE *file = fopen(temp_path("spool/future.jsonl"), "we");

	(void)fprintf(file, "{\"name\":\"future\",\"size\":{\"n\":1},\"wall_s\":9,\"at\":%.0f}\n", now - 100);
	(void)fprintf(file, "{\"name\":\"future\",\"size\":{\"n\":2},\"wall_s\":9,\"at\":%.0f}\n",
		      now + 86400);
	(void)fprintf(file, "{\"name\":\"future\",\"size\":{\"n\":3},\"wall_s\":9,\"at\":8.9e9}\n");
	(void)fclose(file);
	ok(take().runs == 3 && runs_of("future", &runs) == 3, "three runs");
	ok(runs.n == 3 && runs.run[0].started_ns == ((int64_t)now - 109) * 1000000000 &&
		   !runs.run[1].started_ns && !runs.run[2].started_ns,
	   "of those that are yet to come it is not known when they were");
	ft_runs_clear(&runs);
}

/* Two managers share a folder and a store. */
static void test_two(void)
{
	struct ft_runs runs = {0};

	for (size_t i = 0; i < 20000; i++)
		(void)submit("shared", (double)i + 1, 0.5);
	(void)fflush(NULL);
	pid_t other = fork();
	for (size_t i = 0; i < 20; i++) {
		struct ft_store *store = open_store();
		struct ft__taken answer;

		(void)ft__timings_take(store, temp_path("spool"), NULL, &answer, NULL);
		ft_store_close(store);
	}
	if (!other)
		_exit(0);
	(void)waitpid(other, NULL, 0);
	ok(runs_of("shared", &runs) == 20000, "each took what the other had not: %zu of 20000", runs.n);
	ft_runs_clear(&runs);
}

/* Writers and takers are killed all the time: what was acknowledged is there once. */
static void test_killed(void)
{
	const int rounds = test_quick() ? 10 : 100;
	unsigned long acknowledged = 0;
	struct ft_runs runs = {0};
	int round, pipe_fd[2], i;

	for (round = 0; round < rounds; round++) {
		char count[4096];
		ssize_t n;

		if (pipe(pipe_fd))
			break;
		(void)fflush(NULL);
		pid_t writer = fork();
		if (!writer) {
			for (i = 0;; i++)
				if (submit("killed", round * 1e6 + i + 1, 0.5) &&
				    write(pipe_fd[1], "x", 1) != 1)
					_exit(1);
		}
		pid_t taker = fork();
		if (!taker) {
			struct ft_store *store = open_store();
			struct ft__taken answer;

			for (;;)
				(void)ft__timings_take(store, temp_path("spool"), NULL, &answer, NULL);
		}
		usleep((useconds_t)(2000 + 700 * (round % 20)));
		(void)kill(taker, SIGKILL);
		(void)waitpid(taker, NULL, 0);
		(void)kill(writer, SIGKILL);
		(void)waitpid(writer, NULL, 0);
		(void)close(pipe_fd[1]);
		while ((n = read(pipe_fd[0], count, sizeof count)) > 0)
			acknowledged += (unsigned long)n;
		(void)close(pipe_fd[0]);
	}
	while (take().behind)
		;
	(void)runs_of("killed", &runs);
	{
		double *size = malloc((runs.n + 1) * sizeof *size);
		size_t twice = 0;

		for (size_t k = 0; k < runs.n; k++)
			size[k] = runs.run[k].size.value[0];
		qsort(size, runs.n, sizeof *size, ascending);
		for (size_t k = 1; k < runs.n; k++)
			twice += size[k] == size[k - 1];
		free(size);
		ok(runs.n >= acknowledged && runs.n <= acknowledged + (unsigned long)rounds && !twice,
		   "%d times killed: %lu acknowledged, %zu taken, %zu twice", rounds, acknowledged, runs.n,
		   twice);
	}
	ft_runs_clear(&runs);
}

/* ---- the writer's descriptor ------------------------------------------------------------------------- */

/* The number that stands for a file of the spool, and which; -1: none does. */
static int writer_fd(struct stat *st)
{
	char name[64], path[512];

	for (int fd = 3; fd < 256; fd++) {
		(void)snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
		ssize_t n = readlink(name, path, sizeof path - 1);
		if (n > 0 && !strncmp(path, temp_path("spool"), strlen(temp_path("spool"))) && !fstat(fd, st))
			return fd;
	}
	return -1;
}

/* A program closes all that it has, and its next file gets the number. */
static void test_number_of_others(void)
{
	struct stat st, other;
	bool good = submit("number", 1, 1);
	int fd = writer_fd(&st), got;

	(void)close(fd);
	got = open(temp_path("other"), O_RDWR | O_CREAT | O_TRUNC, 0600);
	ok(good && got == fd && submit("number", 2, 1) && !fstat(got, &other) && other.st_size == 0,
	   "a file that took its number gets no line");
	ok(writer_fd(&st) > got && !close(got) && submit("number", 3, 1), "another one is begun");
	ok(take().runs == 3, "nothing is lost");
}

static void remove_spool(void)
{
	DIR *folder = opendir(temp_path("spool"));
	struct dirent *entry;

	while (folder && (entry = readdir(folder)))
		(void)unlinkat(dirfd(folder), entry->d_name, 0);
	if (folder)
		(void)closedir(folder);
}

static void test_removed(void)
{
	struct stat before, after;
	bool good = submit("removed", 1, 1);
	int fd = writer_fd(&before);

	remove_spool();
	ok(good && submit("removed", 2, 1) && writer_fd(&after) == fd && after.st_nlink == 1,
	   "where it was removed another one has its number");
	ok(take().runs == 1, "which is taken");
}

/* A disk that is full: a limit, of which a write takes what fits. */
static int fill_up(void)
{
	struct rlimit limit;
	struct stat before, after;
	int fd, n = 0;

	(void)signal(SIGXFSZ, SIG_IGN);
	if (getrlimit(RLIMIT_FSIZE, &limit) || !submit("torn", 1, 1) || (fd = writer_fd(&before)) < 0)
		return 1;
	limit.rlim_cur = 1000;
	if (setrlimit(RLIMIT_FSIZE, &limit))
		return 2;
	while (submit("torn", ++n + 1, 1))
		if (n > 100)
			return 3;
	if (fstat(fd, &before) || before.st_size != 1000)
		return 4;
	if (!submit("torn", n + 1, 1) || writer_fd(&after) != fd || after.st_ino == before.st_ino)
		return 5;
	return fcntl(fd, F_GETFD) & FD_CLOEXEC ? 100 + n : 6;
}

static void test_torn(void)
{
	struct ft_runs runs = {0};
	int status = 0;

	(void)fflush(NULL);
	pid_t child = fork();
	if (!child)
		_exit(fill_up());
	(void)waitpid(child, &status, 0);
	ok(WIFEXITED(status) && WEXITSTATUS(status) > 100, "behind half a line another file is begun (%d)",
	   WEXITSTATUS(status));
	(void)take();
	ok((int)runs_of("torn", &runs) == WEXITSTATUS(status) - 99, "all that were acknowledged are there");
	ft_runs_clear(&runs);
}

enum { THREADS = 4, EACH = 500, FORKS = 20 };

static void *submit_many(void *good)
{
	for (int i = 0; i < EACH; i++)
		*(bool *)good = submit("threads", i + 1, 1) && *(bool *)good;
	return NULL;
}

/* Threads that write at once, of a process that forks meanwhile. */
static void test_threads(void)
{
	pthread_t thread[THREADS];
	bool good[THREADS];
	int children = 0, status;
	struct ft_runs runs = {0};

	(void)fflush(NULL);
	for (int i = 0; i < THREADS; i++) {
		good[i] = true;
		if (pthread_create(&thread[i], NULL, submit_many, &good[i]))
			exit(99);
	}
	for (int i = 0; i < FORKS; i++) {
		pid_t child = fork();

		if (!child)
			_exit(!submit("threads", 1e6 + i, 1));
		children += waitpid(child, &status, 0) == child && WIFEXITED(status) && !WEXITSTATUS(status);
	}
	for (int i = 0; i < THREADS; i++)
		good[0] = !pthread_join(thread[i], NULL) && good[i] && good[0];
	ok(good[0] && children == FORKS, "%d threads, %d children", THREADS, children);
	(void)take();
	(void)runs_of("threads", &runs);
	ok(runs.n == THREADS * EACH + FORKS, "each line is there: %zu", runs.n);
	ft_runs_clear(&runs);
}

static void test_store(void)
{
	struct ft_store *store = open_store(), *reader = NULL;
	struct ft__taken answer;
	struct ft_err err = {0};

	ok(submit("solve", 2, 2), "a timing");
	ok(!ft_store_open(&reader, store_path(), FT_STORE_READ, NULL) &&
		   ft__timings_take(reader, temp_path("spool"), NULL, &answer, &err) && !answer.runs,
	   "a store that cannot be written: %s", err.text);
	ft_store_close(reader);
	ok(!ft__timings_take(store, temp_path("spool"), NULL, &answer, NULL) && answer.runs == 1,
	   "nothing was lost");
	ok(!ft__timings_take(store, temp_path("nowhere"), NULL, &answer, &err) && !answer.unread,
	   "no folder is an empty one");
	ft_store_close(store);
}

int main(void)
{
	(void)setenv("FORETIME_SPOOL", temp_path("spool"), 1);
	test_once();
	test_lines();
	test_others();
	test_trusted();
	test_files();
	test_anew();
	test_future();
	test_two();
	test_number_of_others();
	test_removed();
	test_torn();
	test_threads();
	test_killed();
	test_store();
	temp_remove();
	return done();
}
