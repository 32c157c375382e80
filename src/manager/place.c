/* SPDX-License-Identifier: GPL-3.0-or-later */
/* place.c - the store, wherever sweeps run, and whoever runs them. */
#include "manager/inside.h"

#include "base/alloc.h"
#include "foretime/store.h"
#include "manager/rights.h"

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

/* Whom benchmarks run as; (uid_t)-1: ourselves. */
static enum ft_status find_user(const struct ft_manager_config *config, uid_t *uid, gid_t *gid,
				struct ft_err *err)
{
	const char *user = config && !geteuid() ? config->user : NULL;
	char text[16384];
	struct passwd entry, *found = NULL;

	*uid = (uid_t)-1;
	*gid = (gid_t)-1;
	if (user && (getpwnam_r(user, &entry, text, sizeof text, &found) || !found))
		return ft_fail(err, FT_EINVAL, "there is no user '%.60s'", user);
	if (found) {
		*uid = found->pw_uid;
		*gid = found->pw_gid;
	}
	return FT_OK;
}

/* What SQLite puts beside it belongs to whom it belongs, too. */
static enum ft_status open_as(struct ft_store **store, const char *path, const char *user, uid_t uid,
			      gid_t gid, struct ft_err *err)
{
	enum ft_status status;

	if (!ft__rights_take(uid, gid))
		return ft_fail(err, FT_EACCESS, "cannot open the store with the rights of '%.60s'", user);
	status = ft_store_open(store, path, 0, err);
	ft__rights_back();
	if (status && status != FT_ENOTOURS && uid != (uid_t)-1)
		(void)ft_remedy(err, "give %.60s the folder of the store: chown", user);
	return status;
}

enum ft_status ft__store_place(const char *path, const struct ft_manager_config *config, char **out,
			       struct ft_err *err)
{
	struct ft_store *store = NULL;
	uid_t uid;
	gid_t gid;
	enum ft_status status = find_user(config, &uid, &gid, err);

	*out = NULL;
	if (!status)
		status = open_as(&store, path, config ? config->user : NULL, uid, gid, err);
	if (status)
		return status;
	*out = absolute(ft_store_path(store));
	ft_store_close(store);
	return *out ? FT_OK : ft_nomem(err);
}
