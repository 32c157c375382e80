/* SPDX-License-Identifier: GPL-3.0-or-later */
/* config_file.c - checks whether another user could change what the manager reads or runs. */
#include "base/alloc.h"
#include "base/files.h"
#include "base/text.h"
#include "manager/config.h"
#include "manager/inside.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool may_own(uid_t owner, uid_t beside)
{
	return owner == 0 || owner == geteuid() || (beside != (uid_t)-1 && owner == beside);
}

enum { ENTRY_BYTES = 1 << 14 };

/* Whether a group is private to our user, as most systems make one for each user: it has the user's name
 * and no other member. */
static bool is_ours(gid_t gid)
{
	char user_text[ENTRY_BYTES], group_text[ENTRY_BYTES], **member;
	struct passwd user, *me = NULL;
	struct group group, *of = NULL;

	if (gid != getegid() || getpwuid_r(geteuid(), &user, user_text, sizeof user_text, &me) || !me ||
	    getgrgid_r(gid, &group, group_text, sizeof group_text, &of) || !of ||
	    strcmp(group.gr_name, user.pw_name) != 0)
		return false;
	for (member = group.gr_mem; *member; member++)
		if (strcmp(*member, user.pw_name) != 0)
			return false;
	return true;
}

/* Members of root's group are trusted like root; in a sticky folder users cannot remove foreign files. */
static const char *open_to(const struct stat *st)
{
	bool group = st->st_mode & S_IWGRP && st->st_gid != 0 && !is_ours(st->st_gid);

	if (S_ISLNK(st->st_mode) || (S_ISDIR(st->st_mode) && st->st_mode & S_ISVTX))
		return NULL;
	if (st->st_mode & S_IWOTH)
		return group ? "go-w" : "o-w";
	return group ? "g-w" : NULL;
}

/* A file, or a folder or link on the way to it: a user who may write there can replace it. */
static enum ft_status check_one(const char *path, const struct stat *st, uid_t beside, struct ft_err *err)
{
	struct ft_text command = {0};
	const char *open = open_to(st), *words[] = {"chmod", open, path, NULL};
	const bool others = !may_own(st->st_uid, beside);

	if (!open && !others)
		return FT_OK;
	if (others && geteuid()) {
		/* Only the owner can change its mode. */
		(void)ft_fail(err, FT_EACCESS, "another user owns '%.200s'", path);
		(void)ft_remedy(err, "name a place that is yours, or root's");
	} else if (!others) {
		(void)ft_fail(err, FT_EACCESS, "%s may write '%.200s'",
			      st->st_mode & S_IWOTH ? "everybody" : "other users of its group", path);
		ft_text_add_words(&command, words);
	} else {
		(void)ft_fail(err, FT_EACCESS, "another user owns '%.200s'", path);
		ft_text_add(&command, "chown %s%u ", S_ISLNK(st->st_mode) ? "-h " : "", (unsigned)geteuid());
		ft_text_add_word(&command, path);
	}
	if (command.s)
		(void)ft_remedy(err, "%s", command.s);
	ft_text_clear(&command);
	return FT_EACCESS;
}

/* ---- a path as it is written ------------------------------------------------------------------------- */

enum { LINKS = 40 }; /* as the kernel follows them */

/* realpath() shows where links lead today. A user who may write to the folder of a link can redirect it
 * tomorrow, so every folder on the way is checked. */
struct config_file_walk {
	char done[PATH_MAX]; /* without links; "": the root */
	char rest[PATH_MAX];
	struct stat st; /* of done */
	unsigned links;
};

static void cut_last(struct config_file_walk *walk)
{
	char *slash = strrchr(walk->done, '/');

	if (slash)
		*slash = '\0';
}

/* Replace a link by its target. errno is set on failure. */
static bool follow(struct config_file_walk *walk)
{
	char target[2 * PATH_MAX];
	ssize_t n = readlink(walk->done, target, PATH_MAX);
	size_t length = strlen(walk->rest);

	if (n < 0)
		return false;
	errno = walk->links >= LINKS ? ELOOP : ENAMETOOLONG;
	if (walk->links++ >= LINKS || (size_t)n + 1 + length >= PATH_MAX)
		return false;
	target[n] = '/';
	memcpy(target + n + 1, walk->rest, length + 1);
	memcpy(walk->rest, target, (size_t)n + 1 + length + 1);
	cut_last(walk);
	if (*target == '/')
		*walk->done = '\0';
	return true;
}

/* The next part of the rest is taken; false: there is none. */
static bool take_part(struct config_file_walk *walk, char part[PATH_MAX])
{
	const char *at = walk->rest + strspn(walk->rest, "/");
	size_t n = strcspn(at, "/");

	memcpy(part, at, n);
	part[n] = '\0';
	memmove(walk->rest, at + n, strlen(at + n) + 1);
	return n > 0;
}

static enum ft_status step_into(struct config_file_walk *walk, const char *part, uid_t beside,
				struct ft_err *err)
{
	size_t n = strlen(walk->done);

	if (!strcmp(part, "."))
		return FT_OK;
	if (!strcmp(part, "..")) {
		cut_last(walk);
		return lstat(*walk->done ? walk->done : "/", &walk->st)
			       ? ft_fail_errno(err, errno, "cannot look at '%.200s'", walk->done)
			       : FT_OK;
	}
	if (n + 1 + strlen(part) >= PATH_MAX)
		return ft_fail(err, FT_EINVAL, "'%.60s...' is too long for a path", walk->done);
	(void)snprintf(walk->done + n, PATH_MAX - n, "/%s", part);
	if (lstat(walk->done, &walk->st))
		return ft_fail_errno(err, errno, "cannot find '%.200s'", walk->done);
	enum ft_status status = check_one(walk->done, &walk->st, beside, err);
	if (!status && S_ISLNK(walk->st.st_mode) && !follow(walk))
		return ft_fail_errno(err, errno, "cannot follow '%.200s'", walk->done);
	return status;
}

/* walk: zeros. */
static enum ft_status walk_to(struct config_file_walk *walk, const char *path, uid_t beside,
			      struct ft_err *err)
{
	char part[PATH_MAX] = "";
	size_t n = 0;

	if (*path != '/') {
		if (!getcwd(walk->rest, PATH_MAX))
			return ft_fail_errno(err, errno, "cannot read the current directory");
		n = strlen(walk->rest);
	}
	if (snprintf(walk->rest + n, PATH_MAX - n, "%s%s", n ? "/" : "", path) >= (int)(PATH_MAX - n))
		return ft_fail(err, FT_EINVAL, "'%.60s...' is too long for a path", path);
	if (lstat("/", &walk->st))
		return ft_fail_errno(err, errno, "cannot look at '/'");
	enum ft_status status = check_one("/", &walk->st, beside, err);
	while (!status && take_part(walk, part))
		status = step_into(walk, part, beside, err);
	return status;
}

enum ft_status ft_manager_check_file(const char *path, uid_t beside, struct ft_err *err)
{
	struct config_file_walk walk = {0};

	return walk_to(&walk, path, beside, err);
}

enum ft_status ft_manager_open_file(const char *path, uid_t beside, int *fd, struct ft_err *err)
{
	struct config_file_walk walk = {0};
	struct stat st;
	enum ft_status status = walk_to(&walk, path, beside, err);

	*fd = -1;
	if (status)
		return status;
	*fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (*fd < 0)
		return ft_fail_errno(err, errno, "cannot open '%.200s'", path);
	if (!fstat(*fd, &st) && st.st_dev == walk.st.st_dev && st.st_ino == walk.st.st_ino)
		return FT_OK;
	(void)close(*fd);
	*fd = -1;
	return ft_fail(err, FT_EACCESS, "'%.200s' became another file while it was looked at", path);
}

/* ---- executables ------------------------------------------------------------------------------------- */

/* Relative names are resolved in the problem's folder, where the program runs. */
static bool join_path(const struct ft_manager_problem *problem, const char *name, char path[PATH_MAX])
{
	bool below = *name != '/' && problem->directory;

	return snprintf(path, PATH_MAX, "%s%s%s", below ? problem->directory : "", below ? "/" : "", name) <
	       PATH_MAX;
}

/* The executable of a problem: as in its command, below its folder, or on PATH. FT_OK; FT_ENOENT: it is
 * not on PATH. */
static enum ft_status find_executable(const struct ft_manager_problem *problem, char path[PATH_MAX],
				      struct ft_err *err)
{
	const char *name = problem->program.argv[0];

	path[0] = '\0';
	if (!strchr(name, '/') && (ft_path_find(name, path) || *path != '/')) {
		(void)ft_fail(err, FT_ENOENT, "there is no program '%.200s' on PATH", name);
		(void)ft_remedy(err, "write its absolute path into 'command' of '%.60s'",
				problem->program.name);
		return FT_ENOENT;
	}
	if (strchr(name, '/') && !join_path(problem, name, path))
		return ft_fail(err, FT_ENOENT, "'%.60s...' is too long for a path", name);
	return FT_OK;
}

bool ft_manager_find_word(const struct ft_manager_problem *problem, size_t i, char path[PATH_MAX])
{
	return i ? join_path(problem, problem->program.argv[i], path) : !find_executable(problem, path, NULL);
}

static enum ft_status check_executable(const struct ft_manager_problem *problem, uid_t beside,
				       struct ft_err *err)
{
	char path[PATH_MAX];
	enum ft_status status = find_executable(problem, path, err);

	if (!status && access(path, X_OK))
		status = ft_fail_errno(err, errno, "cannot run '%.200s'", path);
	return status ? status : ft_manager_check_file(path, beside, err);
}

enum ft_status ft_manager_check_problem(const struct ft_manager_problem *problem, uid_t beside,
					struct ft_err *err)
{
	enum ft_status status = check_executable(problem, beside, err);
	char path[PATH_MAX];
	struct stat st;

	for (size_t i = 1; !status && i < problem->program.argc; i++)
		if (ft_manager_find_word(problem, i, path) && !stat(path, &st) && S_ISREG(st.st_mode))
			status = ft_manager_check_file(path, beside, err);
	return status;
}

/*
 * Users whose timings are stored under the names that they state.
 */

/* A user name, else a user number. */
static bool find_user(const char *user, uid_t *uid)
{
	char text[16384], *end;
	struct passwd entry, *found = NULL;

	if (!getpwnam_r(user, &entry, text, sizeof text, &found) && found) {
		*uid = found->pw_uid;
		return true;
	}
	if (*user < '0' || *user > '9')
		return false;
	unsigned long number = strtoul(user, &end, 10);
	*uid = (uid_t)number;
	return !*end && number < (uid_t)-1;
}

enum ft_status ft__trusted_read(struct ft__trusted *out, const char *const *user, size_t n,
				struct ft_err *err)
{
	*out = (struct ft__trusted){.uid = ft_calloc(n + 1, sizeof *out->uid)};
	if (!out->uid)
		return ft_nomem(err);
	for (; out->n < n; out->n++)
		if (!find_user(user[out->n], &out->uid[out->n])) {
			(void)ft_fail(err, FT_EINVAL, "there is no user '%s' whose timings could be trusted",
				      user[out->n]);
			ft__trusted_clear(out);
			return ft_remedy(err, "correct 'trusted' in the configuration");
		}
	return FT_OK;
}

void ft__trusted_clear(struct ft__trusted *trusted)
{
	ft_free(trusted->uid);
	*trusted = (struct ft__trusted){0};
}
