/* SPDX-License-Identifier: GPL-3.0-or-later */
/* place.c - the store, wherever sweeps run, and whoever runs them. */
#include "manager/inside.h"

#include "base/alloc.h"
#include "foretime/store.h"

#include <limits.h>
#include <pwd.h>
#include <unistd.h>

/* Heap; NULL: no memory, or no folder. */
static char *absolute(const char *path)
{
	struct ft_text text = {0};
	char here[PATH_MAX] = "";

	if (*path != '/' && !getcwd(here, sizeof here))
		return NULL;
	ft_text_add(&text, "%s%s%s", *path == '/' ? "" : here, *path == '/' ? "" : "/", path);
	return ft_text_take(&text);
}

/* What SQLite puts beside it belongs to whom it belongs, too. */
static enum ft_status give(const char *path, const char *user, struct ft_err *err)
{
	char text[16384];
	struct passwd entry, *found = NULL;

	if (getpwnam_r(user, &entry, text, sizeof text, &found) || !found)
		return ft_fail(err, FT_EINVAL, "there is no user '%.60s'", user);
	if (chown(path, found->pw_uid, found->pw_gid))
		return ft_fail(err, FT_EACCESS, "cannot give '%.200s' to %.60s", path, user);
	return FT_OK;
}

enum ft_status ft__store_place(const char *path, const struct ft_manager_config *config, char **out,
			       struct ft_err *err)
{
	struct ft_store *store = NULL;
	bool is_new = ft_store_open(&store, path, FT_STORE_READ, NULL) == FT_ENOENT;
	enum ft_status status;

	ft_store_close(store);
	store = NULL;
	*out = NULL;
	status = ft_store_open(&store, path, 0, err);
	if (status)
		return status;
	*out = absolute(ft_store_path(store));
	ft_store_close(store);
	if (!*out)
		return ft_nomem(err);
	if (is_new && !geteuid() && config && config->user)
		status = give(*out, config->user, err);
	if (status) {
		ft_free(*out);
		*out = NULL;
	}
	return status;
}
