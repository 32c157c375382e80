/* SPDX-License-Identifier: GPL-3.0-or-later */
/* place.c - the store, wherever sweeps run, and whoever runs them. */
#include "manager/inside.h"

#include "base/alloc.h"
#include "foretime/store.h"
#include "manager/rights.h"

#include <errno.h>
#include <limits.h>
#include <pwd.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Heap; NULL: no memory, or no folder. */
static char *absolute_path(const char *path)
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
	if (!ft__rights_take(uid, gid))
		return ft_fail(err, FT_EACCESS, "cannot open the store with the rights of '%.60s'", user);
	enum ft_status status = ft_store_open(store, path, 0, err);
	ft__rights_back();
	if (status && status != FT_ENOTOURS && uid != (uid_t)-1)
		(void)ft_remedy(err, "give %.60s the folder of the store: chown", user);
	return status;
}

/* Where it is today, as its user sees it: links that are put on the way later are not followed. */
static char *without_links(const struct ft__store_at *at, const char *path)
{
	char real[PATH_MAX];
	bool good = ft__rights_take(at->user, at->group) && realpath(path, real);

	ft__rights_back();
	return good ? ft_strdup(real) : NULL;
}

enum ft_status ft__store_place(const char *path, const struct ft_manager_config *config,
			       struct ft__store_at *out, struct ft_err *err)
{
	struct ft_store *store = NULL;

	*out = (struct ft__store_at){0};
	enum ft_status status = find_user(config, &out->user, &out->group, err);
	if (!status)
		status = open_as(&store, path, config ? config->user : NULL, out->user, out->group, err);
	if (status)
		return status;
	out->path = out->user == (uid_t)-1 ? absolute_path(ft_store_path(store))
					   : without_links(out, ft_store_path(store));
	ft_store_close(store);
	return out->path ? FT_OK : ft_nomem(err);
}

/* What is another's, however it came there, is not written with root's rights. */
static enum ft_status check_owner(const struct ft__store_at *at, struct ft_err *err)
{
	struct stat st;

	if (at->user == (uid_t)-1)
		return FT_OK;
	if (lstat(at->path, &st))
		return ft_fail_errno(err, errno, "cannot look at the store '%s'", at->path);
	if (S_ISREG(st.st_mode) && st.st_uid == at->user)
		return FT_OK;
	(void)ft_fail(err, FT_EACCESS, "the store '%s' is not the user's whom benchmarks run as", at->path);
	(void)ft_remedy(err, "chown -h %u '%.200s'", (unsigned)at->user, at->path);
	return FT_EACCESS;
}

enum ft_status ft__store_at_open(const struct ft__store_at *at, struct ft_store **out, unsigned flags,
				 struct ft_err *err)
{
	bool others = at->user != (uid_t)-1;

	*out = NULL;
	if (!ft__rights_take(at->user, at->group))
		return ft_fail(err, FT_EACCESS, "cannot open the store '%s' as its owner", at->path);
	enum ft_status status = ft_store_open(out, at->path, flags | (others ? FT_STORE_NO_LINKS : 0U), err);
	ft__rights_back();
	if (!status && (status = check_owner(at, err))) {
		ft_store_close(*out);
		*out = NULL;
	}
	if (!status)
		ft_store_set_prior(*out, at->prior);
	return status;
}
