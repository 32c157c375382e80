/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-folder.c - the folder is made, locked and left, and its files are told from those of others. */
#include "base/alloc.h"
#include "remote/remote.h"
#include "tap.h"
#include "temp.h"

#include <errno.h>
#include <unistd.h>

#define TASK "0123456789abcdef0123456789abcdef"

static struct ft_err err;

static const char *in(const struct ft__folder *folder, const char *name)
{
	static char path[PATH_MAX];

	return ft__folder_path(folder, name, NULL, path);
}

static bool is_there(const struct ft__folder *folder, const char *name)
{
	return access(in(folder, name), F_OK) == 0;
}

static bool put(const struct ft__folder *folder, const char *name, const char *text)
{
	return temp_write(in(folder, name), text, 0600);
}

static void test_choose(void)
{
	struct ft__folder folder, other;
	char expected[512], path[PATH_MAX], *whole = NULL;

	(void)temp_write(temp_path("a.db"), "", 0600);
	whole = realpath(temp_path("a.db"), NULL);
	/* FNV-1a of "a", 64 bits, as its authors publish it. */
	(void)snprintf(expected, sizeof expected, "%s.via/af63dc4c8601ec8c", whole);
	bool good = !ft__folder_choose(&folder, NULL, temp_path("a.db"), "a", &err);
	ok(good && !strcmp(folder.path, expected) && folder.usual && folder.lock == -1,
	   "beside the store, by the program's name: %s", folder.path);
	ok(access(folder.path, F_OK) != 0, "nothing is made yet");
	good = !ft__folder_choose(&other, NULL, temp_path("a.db"), "a/../b", &err);
	ok(good && strlen(other.path) == strlen(folder.path) && strcmp(other.path, folder.path) != 0,
	   "a name is no path");
	ft__folder_close(&other);
	ft__folder_close(&folder);
	ok(!folder.path, "closed");
	ft__folder_close(&folder);
	ok(ft__folder_choose(&folder, NULL, temp_path("none.db"), "a", &err) == FT_ENOENT &&
		   strstr(err.text, "has no whole path: No such file or directory"),
	   "no store: %s", err.text);
	memset(path, 'x', sizeof path - 1);
	path[PATH_MAX - 90] = '\0';
	ok(ft__folder_choose(&folder, path, NULL, "a", &err) == FT_EINVAL && !folder.path,
	   "no room for names: %.60s", err.text);
	path[PATH_MAX - 200] = '\0';
	ok(!ft__folder_choose(&folder, path, NULL, "a", &err) && !folder.usual, "room for them");
	ft__folder_close(&folder);
	free(whole);
}

static void test_lock(void)
{
	struct ft__folder mine, other;

	(void)ft__folder_choose(&mine, NULL, temp_path("a.db"), "a", &err);
	(void)ft__folder_choose(&other, NULL, temp_path("a.db"), "a", &err);
	ok(!ft__folder_open(&mine, "a", &err) && is_there(&mine, "lock"), "made and locked");
	ok(ft__folder_open(&other, "a", &err) == FT_EBUSY && strstr(err.text, "another build of 'a'") &&
		   strstr(err.remedy, "--via folder=DIR"),
	   "by one only: %s", err.text);
	ft__folder_close(&other);
	ok(is_there(&mine, "lock"), "who was refused leaves the lock");
	char *above = strdup(mine.path);
	ft__folder_close(&mine);
	ok(access(above, F_OK) != 0 && errno == ENOENT, "it goes");
	*strrchr(above, '/') = '\0';
	ok(access(above, F_OK) != 0, "and the one above");
	free(above);
	(void)ft__folder_choose(&mine, temp_path("asked"), NULL, "a", &err);
	ok(!ft__folder_open(&mine, "a", &err) && put(&mine, "theirs", ""), "one that was asked for");
	ft__folder_close(&mine);
	ok(!access(temp_path("asked/theirs"), F_OK) && access(temp_path("asked/lock"), F_OK) != 0,
	   "with something else in it, it stays");
	(void)ft__folder_choose(&mine, temp_path("no/such"), NULL, "a", &err);
	ok(ft__folder_open(&mine, "a", &err) == FT_ENOENT && strstr(err.text, "cannot make the folder") &&
		   *err.remedy,
	   "it cannot be made: %s", err.text);
	ft__folder_close(&mine);
}

static void test_files(const struct ft__folder *folder)
{
	static const char *const others[] = {
		TASK ".db",
		TASK ".7.dbx",
		TASK ".7.db.part",
		TASK ".1234567890.db",
		TASK "0.7.db",
		TASK ".7x.db",
		"0123456789abcdef.7.db",
		"0123456789ABCDEF0123456789abcdef.7.db",
		TASK ".7.end.new",
		"x" TASK ".7.end",
	};
	struct ft__ids ids = {0};
	size_t found = 0;

	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		(void)put(folder, others[i], "");
	(void)put(folder, TASK ".7.db", "");
	(void)put(folder, TASK ".123456789.db", "");
	ok(!ft__folder_list(folder, "db", &ids, &err) && ids.n == 2, "two of twelve are left by tasks");
	for (size_t i = 0; i < ids.n; i++)
		found += !strcmp(ids.id[i], TASK ".7") || !strcmp(ids.id[i], TASK ".123456789");
	ok(found == 2, "their ids");
	ft_free(ids.id);
	ids = (struct ft__ids){0};
	ok(!ft__folder_list(folder, "end", &ids, &err) && !ids.n && !ids.id, "and none has ended");
}

static void test_words(const struct ft__folder *folder)
{
	char words[40];

	(void)put(folder, "t.end", "0 1700000000.1 1700000001.2\n");
	(void)put(folder, "u.end", "137 1 2\n");
	(void)put(folder, "v.end", "\n");
	ok(ft__folder_result(folder, "t") == 0 && ft__folder_result(folder, "u") == 137 &&
		   ft__folder_result(folder, "v") == -1 && ft__folder_result(folder, "none") == -1,
	   "how they ended");
	(void)put(folder, "t.out", "first\nno such file\n\nhint: look for it\n");
	(void)put(folder, "u.out", "hint: nothing else\n");
	ft__folder_last_words(folder, "t", words, sizeof words);
	ok(!strcmp(words, "no such file"), "the last line that is no hint: %s", words);
	ft__folder_last_words(folder, "t", words, 4);
	ok(!strcmp(words, "no "), "as far as there is room");
	ft__folder_last_words(folder, "u", words, sizeof words);
	ok(!*words, "nothing but a hint");
	ft__folder_last_words(folder, "none", words, sizeof words);
	ok(!*words, "nothing at all");
	ok(!ft__folder_write(folder, "w", "sh", "a\nb\n", &err) && is_there(folder, "w.sh"), "written");
	ok(ft__folder_write(folder, "no/w", "sh", "", &err) == FT_ENOENT &&
		   strstr(err.text, "cannot write '") && strstr(err.text, "/no/w.sh': No such file"),
	   "or not: %s", err.text);
}

static void test_gone(const struct ft__folder *folder)
{
	static const char *const endings[] = {
		"sh", "db", "end", "out", "plan", "db.part", "db.part-journal", "end.new"};
	char name[128];
	size_t left = 0;

	for (size_t i = 0; i < 8; i++) {
		(void)snprintf(name, sizeof name, TASK ".7.%s", endings[i]);
		(void)put(folder, name, "");
	}
	(void)put(folder, TASK ".70.db", "");
	ft__folder_drop(folder, TASK ".7");
	for (size_t i = 0; i < 8; i++) {
		(void)snprintf(name, sizeof name, TASK ".7.%s", endings[i]);
		left += is_there(folder, name);
	}
	ok(!left && is_there(folder, TASK ".70.db"), "the files of one task go");
	(void)put(folder, "0123456789abcdef.kind.db", "");
	(void)put(folder, "0123456789abcdef.kinds", "");
	ft__folder_clean(folder);
	ok(!is_there(folder, TASK ".70.db") && !is_there(folder, "0123456789abcdef.kind.db"),
	   "those of all tasks and kinds");
	ok(is_there(folder, "0123456789abcdef.kinds") && is_there(folder, "x" TASK ".7.end") &&
		   is_there(folder, "lock") && is_there(folder, "t.out"),
	   "and no others");
}

static void test_faults(const struct ft__folder *folder)
{
	enum ft_status status = FT_ENOMEM;
	unsigned long n;
	char name[128];

	for (int i = 0; i < 20; i++) {
		(void)snprintf(name, sizeof name, TASK ".%d.db", i);
		(void)put(folder, name, "");
	}
	for (n = 1; status == FT_ENOMEM && n < 100; n++) {
		struct ft__ids ids = {0};
		struct ft__folder chosen;

		(void)ft_alloc_fail_at(n);
		status = ft__folder_choose(&chosen, NULL, temp_path("a.db"), "a", NULL);
		if (!status)
			status = ft__folder_open(&chosen, "a", NULL);
		if (!status)
			status = ft__folder_list(folder, "db", &ids, NULL);
		(void)ft_alloc_fail_at(0);
		ft__folder_close(&chosen);
		ft_free(ids.id);
	}
	ok(!status && n > 5, "each of %lu allocations may fail", n - 2);
}

int main(void)
{
	struct ft__folder folder;

	test_choose();
	test_lock();
	if (ft__folder_choose(&folder, temp_path("files"), NULL, "a", &err) ||
	    ft__folder_open(&folder, "a", &err))
		diag("%s", err.text);
	test_files(&folder);
	test_words(&folder);
	test_gone(&folder);
	test_faults(&folder);
	ft__folder_close(&folder);
	temp_remove();
	return done();
}
