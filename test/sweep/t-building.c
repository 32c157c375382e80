/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-building.c - what a build tells of itself in the store, who reads it, and when nobody builds any more. */
#include "base/alloc.h"
#include "base/clock.h"
#include "foretime/sweep.h"
#include "store/door.h"
#include "sweep/door.h"
#include "tap.h"
#include "temp.h"

#include <dirent.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static struct ft_store *store;
static const char *path;

static const struct ft_building told = {.size = {2, {640, 0.1}},
					.reason = 2,
					.gain = 0.0125,
					.expected_s = 1.5,
					.spent_s = 20.25,
					.budget_s = 60,
					.tolerance = 0.05,
					.complete = 0.75,
					.points = 7,
					.runs = 23};

static void test_told(void)
{
	struct ft_building unknown = told, read = {0};
	struct ft_err err = {0};
	int64_t now = ft_clock_real_ns();

	ok(ft_building_get(store, 1, 2, &read, &err) == FT_ENOENT && *err.text, "at first: %s", err.text);
	ok(!ft_building_put(store, 1, 2, &told, &err) && !ft_building_get(store, 1, 2, &read, &err), "told");
	ok(read.told_ns >= now && read.told_ns <= ft_clock_real_ns(), "when");
	ok(read.size.n == 2 && read.size.value[0] == 640 && read.size.value[1] == 0.1 &&
		   read.reason == told.reason && read.points == 7 && read.runs == 23,
	   "what it runs, and how much was run");
	ok(read.gain == 0.0125 && read.expected_s == 1.5 && read.spent_s == 20.25 && read.budget_s == 60 &&
		   read.tolerance == 0.05 && read.complete == 0.75,
	   "and the numbers of it");
	ok(ft_building_get(store, 2, 2, &read, &err) == FT_ENOENT &&
		   ft_building_get(store, 1, 1, &read, &err) == FT_ENOENT,
	   "not of another program, nor on another machine");
	unknown.gain = NAN;
	unknown.size.n = 0;
	(void)ft_building_put(store, 1, 2, &unknown, &err);
	ok(!ft_building_get(store, 1, 2, &read, &err) && isnan(read.gain) && read.size.n == 0,
	   "the last word counts, and what is not known stays so");
	ok(!ft_building_end(store, 1, 2, &err) && ft_building_get(store, 1, 2, &read, &err) == FT_ENOENT &&
		   read.runs == 0,
	   "it ended");
}

/* Which process of that number it is: proc(5), field 22 of its stat. Its name here has neither blank nor ')'.
 */
static void test_began(void)
{
	unsigned long long began = 0;
	char *text = NULL, expected[64];
	FILE *file = fopen("/proc/self/stat", "re");
	struct ft_err err = {0};

	if (!file ||
	    fscanf(file,
		   "%*d %*s %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d "
		   "%llu",
		   &began) != 1)
		began = 0;
	if (file)
		(void)fclose(file);
	(void)snprintf(expected, sizeof expected, "%d %llu ", (int)getpid(), began);
	ok(began && !ft_building_put(store, 1, 2, &told, &err) &&
		   !ft_store_get_known(store, "building 1 2", &text, &err) &&
		   !strncmp(text, expected, strlen(expected)),
	   "its number, and when it began: %s", text ? text : err.text);
	ft_free(text);
	(void)ft_building_end(store, 1, 2, &err);
}

/* A process that builds in a store of its own opening; with `stay`, until it is ended. */
static pid_t build_elsewhere(bool stay)
{
	int pipes[2];
	char byte = 0;

	if (pipe(pipes))
		return -1;
	pid_t child = fork();
	if (!child) {
		struct ft_store *own;

		byte = !ft_store_open(&own, path, 0, NULL) && !ft_building_put(own, 3, 2, &told, NULL);
		if (write(pipes[1], &byte, 1) != 1)
			_exit(1);
		while (stay)
			(void)pause();
		_exit(0);
	}
	(void)close(pipes[1]);
	if (read(pipes[0], &byte, 1) != 1 || !byte)
		diag("it told nothing");
	(void)close(pipes[0]);
	return child;
}

/* A process that is gone told of its build to the last. */
static void test_gone(void)
{
	struct ft_building read;
	struct ft_err err = {0};
	pid_t child = build_elsewhere(true);

	ok(child > 0 && !ft_building_get(store, 3, 2, &read, &err) && read.runs == 23,
	   "another process builds");
	(void)kill(child, SIGKILL);
	(void)waitpid(child, NULL, 0);
	ok(ft_building_get(store, 3, 2, &read, &err) == FT_ENOENT && read.runs == 0, "killed: %s", err.text);
	child = build_elsewhere(false);
	(void)waitpid(child, NULL, 0);
	ok(ft_building_get(store, 3, 2, &read, &err) == FT_ENOENT, "ended without a word: %s", err.text);
}

/* What no build wrote, or one whose number another process has now. */
static void test_strange(void)
{
	static const char *const texts[] = {"",
					    "1 2 3",
					    "hello",
					    "1 1 5 0 1 1 0 0 0 0 0 0",
					    "-1 1 5 0 1 1 0 0 0 0 0 0",
					    "999999999 0 5 0 1 1 0 0 0 0 0 0"};
	struct ft_building read;
	int bad = 0;

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		(void)ft_store_put_known(store, "building 4 2", texts[i], NULL);
		bad += ft_building_get(store, 4, 2, &read, NULL) != FT_ENOENT || read.told_ns != 0;
	}
	ok(!bad, "what no build of now wrote is none");
}

/* ---- for the page ---- */

struct live {
	int n;
	char text[256];
};

static void hear(void *ctx, const char *text)
{
	struct live *live = ctx;

	live->n++;
	(void)snprintf(live->text, sizeof live->text, "%s", text);
}

static struct live live_of(const char *of)
{
	struct live live = {0};

	ft_live_each(of, hear, &live);
	return live;
}

static int files_in(const char *folder)
{
	struct dirent **name;
	int n = scandir(folder, &name, NULL, NULL);

	for (int i = 0; i < n; i++)
		free(name[i]);
	if (n >= 0)
		free(name);
	return n - 2;
}

static void test_live(void)
{
	const char *other = temp_path("other.db"), *runtime = temp_path("runtime");
	char folder[512];
	int to_us[2];
	char byte = 0;

	(void)snprintf(folder, sizeof folder, "%s/foretime/builds", runtime);
	(void)mkdir(runtime, 0700);
	(void)setenv("XDG_RUNTIME_DIR", runtime, 1);
	(void)temp_write(other, "x", 0600);
	ok(live_of(path).n == 0, "no build at first");
	ok(ft_live_put(path, "{\"a\": 1}") && ft_live_put(path, "{\"a\": 2}"), "a build writes, twice");
	ok(live_of(path).n == 1 && !strcmp(live_of(path).text, "{\"a\": 2}"), "the last text is read");
	ok(live_of(other).n == 0 && live_of("/none/such.db").n == 0, "not for another store");
	ok(!ft_live_put("/none/such.db", "x"), "nor is any written for a store that is not there");
	(void)!pipe(to_us);
	pid_t child = fork();
	if (!child) {
		byte = ft_live_put(path, "{\"b\": 1}");
		(void)!write(to_us[1], &byte, 1);
		for (;;)
			(void)pause();
	}
	ok(read(to_us[0], &byte, 1) == 1 && byte && live_of(path).n == 2, "two processes build");
	(void)kill(child, SIGKILL);
	(void)waitpid(child, NULL, 0);
	ok(live_of(path).n == 1 && files_in(folder) == 1, "one was killed, and what it left is removed");
	(void)close(to_us[0]);
	(void)close(to_us[1]);
	ft_live_end(path);
	ok(live_of(path).n == 0 && files_in(folder) == 0, "it ended");
	(void)ft_live_put(path, "{}");
	(void)chmod(folder, 0777);
	ok(live_of(path).n == 0 && !ft_live_put(path, "{}"), "a folder that others may write is not used");
	(void)chmod(folder, 0700);
	ft_live_end(path);
	(void)unsetenv("XDG_RUNTIME_DIR");
}

int main(void)
{
	struct ft_err err = {0};
	char own[512];

	(void)snprintf(own, sizeof own, "%s", temp_path("building.db"));
	path = own;
	if (ft_store_open(&store, path, 0, &err))
		diag("%s", err.text);
	test_told();
	test_began();
	test_gone();
	test_strange();
	test_live();
	ft_store_close(store);
	temp_remove();
	return done();
}
