/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Halt files: that come, go, are no files; in folders that come, go, are others of the same name; where
 * nobody answers. */
#include "../dead.h"
#include "watch-test.h"

#include <fcntl.h>

static void check_come_and_go(void)
{
	struct subject s = {0};
	const char *path = temp_path("halt");

	add(&s, FT_CONDITION_HALT_FILE, path);
	ok(begin(&s) && !holds(&s, 0), "no halt file, as yet");
	ok(ft__watch_wait_ms(s.watch) == -1, "and no timer waits for it");
	(void)temp_write(path, "", 0644);
	ok(comes(&s, 0, true, true), "it comes: %s", why);
	(void)unlink(path);
	ok(comes(&s, 0, false, true), "it goes");
	(void)temp_write(temp_path("other"), "", 0644);
	ok(!holds(&s, 0), "another file is none");
	(void)rename(temp_path("other"), path);
	ok(comes(&s, 0, true, true), "until it is called so");
	end(&s);
}

static void check_kinds(void)
{
	struct subject s = {0};
	const char *path = temp_path("pipe");

	add(&s, FT_CONDITION_HALT_FILE, path);
	ok(begin(&s) && !holds(&s, 0), "nothing is there");
	ok(!mkfifo(path, 0600) && comes(&s, 0, true, true),
	   "a pipe is there, and nobody waits for who writes it");
	ok(!unlink(path) && comes(&s, 0, false, true), "it goes");
	ok(!symlink("/nowhere/at/all", path) && comes(&s, 0, true, true), "a link to nothing is there");
	ok(!unlink(path) && !symlink(path, path) && comes(&s, 0, true, true), "so is one to itself");
	end(&s);
	(void)unlink(path);
}

/* The folder comes after us, goes, and comes again by another name. */
static void check_folders(void)
{
	struct subject s = {0};
	char path[256];

	(void)snprintf(path, sizeof path, "%s", temp_path("a/b/c/halt"));
	add(&s, FT_CONDITION_HALT_FILE, path);
	ok(begin(&s) && !holds(&s, 0), "not even its folder is there");
	(void)mkdir(temp_path("a"), 0755);
	(void)holds(&s, 0);
	(void)mkdir(temp_path("a/b"), 0755);
	(void)mkdir(temp_path("a/b/c"), 0755);
	(void)temp_write(path, "", 0644);
	ok(comes(&s, 0, true, true), "folders come, and then it");
	ok(!rename(temp_path("a"), temp_path("z")) && comes(&s, 0, false, true),
	   "a folder above it goes away");
	(void)mkdir(temp_path("a"), 0755);
	(void)mkdir(temp_path("a/b"), 0755);
	ok(!holds(&s, 0), "another of that name has none");
	ok(!rename(temp_path("z/b/c"), temp_path("a/b/c")) && comes(&s, 0, true, true),
	   "until its folder is back");
	(void)unlink(path);
	(void)rmdir(temp_path("a/b/c"));
	ok(comes(&s, 0, false, true), "folder and all are gone");
	(void)temp_write(temp_path("z/b/halt"), "", 0644);
	ok(!symlink(temp_path("z/b"), temp_path("a/b/c")) && comes(&s, 0, true, true),
	   "a link to a folder that has it");
	end(&s);
}

/* More events than the kernel keeps. */
static void check_flood(void)
{
	struct subject s = {0};
	const char *path = temp_path("flood/halt"), *noise = temp_path("flood/noise");

	(void)mkdir(temp_path("flood"), 0755);
	add(&s, FT_CONDITION_HALT_FILE, path);
	ok(begin(&s) && !holds(&s, 0), "a folder of many files");
	for (int i = 0; i < 10000; i++) {
		(void)temp_write(noise, "", 0644);
		(void)unlink(noise);
	}
	(void)temp_write(path, "", 0644);
	ok(comes(&s, 0, true, false), "events that were lost lose nothing");
	(void)unlink(path);
	ok(comes(&s, 0, false, false), "nor afterwards");
	end(&s);
}

static void check_cannot(void)
{
	struct subject s = {0};
	char path[6000];

	memset(path, 'a', sizeof path - 1);
	path[0] = '/';
	path[sizeof path - 1] = '\0';
	add(&s, FT_CONDITION_HALT_FILE, path);
	ok(begin(&s) && holds(&s, 0) && strstr(why, "cannot be looked at"),
	   "one that cannot be looked at holds");
	end(&s);
}

/* A file system whose server is gone: who looks waits for ever, and we do not. */
static void check_dead(void)
{
	struct subject s = {0};
	char place[256], path[300], other[256];

	(void)snprintf(place, sizeof place, "%s", temp_path("dead"));
	(void)snprintf(path, sizeof path, "%s/below/halt", place);
	(void)snprintf(other, sizeof other, "%s", temp_path("other"));
	int fd = dead_mount(place);
	if (fd < 0) {
		skip("a file system that does not answer", "none can be made here");
		return;
	}
	add(&s, FT_CONDITION_HALT_FILE, path);
	ok(begin(&s) && comes(&s, 0, true, false) && strstr(why, "does not answer"),
	   "what is not answered holds: %s", why);
	end(&s);
	s.policy.n_conditions = 0;
	add(&s, FT_CONDITION_HALT_FILE, other);
	add(&s, FT_CONDITION_HALT_FILE, path);
	ok(begin(&s) && comes(&s, 1, true, false), "beside others, too");
	(void)temp_write(other, "", 0644);
	while (!ft__watch_look(s.watch)->n_files)
		(void)usleep(1000);
	ok(ft__watch_look(s.watch)->n_files == 1, "which are seen nevertheless");
	(void)unlink(other);
	dead_end(fd, place);
	ok(comes(&s, 1, false, false), "when it is gone, so is what was not answered");
	end(&s);
}

/* Whichever allocation fails. */
static void check_faults(void)
{
	struct subject s = {0};
	unsigned long n = 0;
	bool good = true;

	add(&s, FT_CONDITION_HALT_FILE, temp_path("halt"));
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
	check_come_and_go();
	check_kinds();
	check_folders();
	check_flood();
	check_cannot();
	check_faults();
	check_dead();
	temp_remove();
	return done();
}
