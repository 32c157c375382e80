/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-place.c - where the store is: named, or by the environment; its folder, which is made. */
#include "store-test.h"

#include "store/store.h"

#include <sys/stat.h>

static void test_folder(void)
{
	static const char *const cases[][2] = {
		{"a.db", "."},         {"x/a.db", "x"}, {"/a.db", "/"},    {"/x/a.db", "/x"},
		{"/x/y/a.db", "/x/y"}, {"./a.db", "."}, {"x//a.db", "x/"}, {"../a.db", ".."},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char *folder = ft__place_folder(cases[i][0]);

		ok(folder && !strcmp(folder, cases[i][1]), "'%s' lies in '%s'", cases[i][0], cases[i][1]);
		ft_free(folder);
	}
}

/* The place where these variables stand so; NULL: one that is not set. */
static bool found_at(const char *asked, const char *store, const char *data, const char *home,
		     const char *path, bool own)
{
	static const char *const name[] = {"FORETIME_STORE", "XDG_DATA_HOME", "HOME"};
	const char *value[] = {store, data, home};
	struct ft__store_place place = {0};
	struct ft_err err = {0};

	for (int i = 0; i < 3; i++)
		(void)(value[i] ? setenv(name[i], value[i], 1) : unsetenv(name[i]));
	enum ft_status status = ft__place_find(asked, &place, &err);
	bool good = path ? !status && !strcmp(place.path, path) && place.own == own
			 : status == FT_ENOENT && *err.remedy;
	if (!good)
		diag("%s; %s", place.path ? place.path : "(none)", err.text);
	ft_free(place.path);
	return good;
}

static void test_found(void)
{
	struct ft__store_place place = {0};
	struct ft_err err = {0};

	ok(found_at("/x/a.db", "/s.db", "/data", "/home/u", "/x/a.db", false), "the one that is named");
	ok(found_at(NULL, "/s.db", "/data", "/home/u", "/s.db", false), "else FORETIME_STORE");
	ok(found_at(NULL, NULL, "/data", "/home/u", "/data/foretime/store.db", true),
	   "else among the user's data");
	ok(found_at(NULL, NULL, "data", "/home/u", "/home/u/.local/share/foretime/store.db", true) &&
		   found_at(NULL, NULL, NULL, "/home/u", "/home/u/.local/share/foretime/store.db", true),
	   "below home, where those are not said from the root on");
	ok(found_at(NULL, NULL, NULL, NULL, NULL, false), "without home there is none");
	ok(found_at(":memory:", NULL, NULL, NULL, "./:memory:", false) &&
		   found_at("file:x", NULL, NULL, NULL, "./file:x", false) &&
		   found_at("file", NULL, NULL, NULL, "file", false),
	   "what SQLite would take for something else is a file, too");
	ok(ft__place_find("", &place, &err) == FT_EINVAL && *err.remedy && !place.path, "%s", err.text);
}

static void test_made(void)
{
	struct ft__store_place place = {0};
	struct ft_err err = {0};
	struct stat info;
	char path[1100], file[1024];

	(void)snprintf(path, sizeof path, "%s/one/two/a.db", temp_path("made"));
	place.path = path;
	place.own = true;
	ok(!ft__place_make(&place, &err) && !ft__place_make(&place, &err),
	   "folders are made, and may be there");
	*strrchr(path, '/') = '\0';
	ok(!stat(path, &info) && S_ISDIR(info.st_mode) && (info.st_mode & 0777) == 0700,
	   "for their user alone");
	(void)snprintf(file, sizeof file, "%.1000s", temp_path("file"));
	(void)fclose(fopen(file, "w"));
	(void)snprintf(path, sizeof path, "%.1000s/below/a.db", file);
	ok(ft__place_make(&place, &err) && *err.text && *err.remedy, "%s; %s", err.text, err.remedy);
}

int main(void)
{
	test_folder();
	test_made();
	test_found(); /* last: it changes the environment */
	temp_remove();
	return done();
}
