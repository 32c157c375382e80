/* SPDX-License-Identifier: GPL-3.0-or-later */
/* place.c - where the store lies: the path that is meant, and the folders above it. */
#include "store/place.h"
#include "base/alloc.h"
#include "base/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *get_variable(const char *name)
{
	const char *value = getenv(name);

	return value && *value ? value : NULL;
}

enum ft_status ft__place_find(const char *path, struct ft__store_place *out, struct ft_err *err)
{
	const char *data = get_variable("XDG_DATA_HOME"), *home = get_variable("HOME");
	struct ft_text text = {0};

	*out = (struct ft__store_place){0};
	if (!path)
		path = get_variable("FORETIME_STORE");
	if (path && !*path) {
		(void)ft_fail(err, FT_EINVAL, "the path of the store is empty");
		(void)ft_remedy(err, "name it with --store PATH, or leave the option out");
		return FT_EINVAL;
	}
	if (path) {
		/* SQLite would take ":memory:" and "file:x" for something else than names of files. */
		bool special = *path == ':' || !strncmp(path, "file:", 5);

		ft_text_add(&text, "%s%s", special ? "./" : "", path);
	} else if (data && *data == '/') { /* the specification has relative ones ignored */
		ft_text_add(&text, "%s/foretime/store.db", data);
		out->own = true;
	} else if (home) {
		ft_text_add(&text, "%s/.local/share/foretime/store.db", home);
		out->own = true;
	} else {
		(void)ft_fail(err, FT_ENOENT, "there is no place for the store: HOME is not set");
		(void)ft_remedy(err, "name it with --store PATH or FORETIME_STORE");
		return FT_ENOENT;
	}
	out->path = ft_text_take(&text);
	return out->path ? FT_OK : ft_nomem(err);
}

char *ft__place_folder(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return ft_strdup(".");
	return ft_strndup(path, slash > path ? (size_t)(slash - path) : 1);
}

/* Create a folder whose name is folder[0..], with those above it. Changes folder while it works. */
static int make_folders(char *folder, mode_t mode)
{
	struct stat info;

	if (!stat(folder, &info)) /* first: on automounted folders mkdir fails in its own ways */
		return S_ISDIR(info.st_mode) ? 0 : ENOTDIR;
	if (errno != ENOENT)
		return errno;
	for (char *slash = strchr(folder + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (stat(folder, &info) && mkdir(folder, mode) && errno != EEXIST) {
			*slash = '/';
			return errno;
		}
		*slash = '/';
	}
	return mkdir(folder, mode) && errno != EEXIST ? errno : 0;
}

enum ft_status ft__place_make(const struct ft__store_place *place, struct ft_err *err)
{
	char *folder = ft__place_folder(place->path);
	enum ft_status status = FT_OK;

	if (!folder)
		return ft_nomem(err);
	int number = make_folders(folder, place->own ? 0700 : 0777);
	if (number) {
		status = ft_fail_errno(err, number, "cannot create the folder '%s' of the store", folder);
		(void)ft_remedy(err, "name a store elsewhere with --store PATH or FORETIME_STORE");
	}
	ft_free(folder);
	return status;
}
