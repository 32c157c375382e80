/* SPDX-License-Identifier: GPL-3.0-or-later */
/* config_file.c - whether somebody else could change what the manager reads or runs. */
#include "manager/config.h"

#include "base/alloc.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool may_own(uid_t owner, uid_t beside)
{
	return owner == 0 || owner == geteuid() || (beside != (uid_t)-1 && owner == beside);
}

/* A file, or a folder on the way to it: whoever may write there may put another in its place. */
static enum ft_status check_one(const char *path, uid_t beside, struct ft_err *err)
{
	struct ft_text command = {0};
	const char *words[] = {"chmod", "o-w", path, NULL};
	struct stat st;
	bool writable;

	if (lstat(path, &st))
		return ft_fail_errno(err, errno, "cannot look at '%.200s'", path);
	writable = st.st_mode & S_IWOTH && !(S_ISDIR(st.st_mode) && st.st_mode & S_ISVTX);
	if (!writable && may_own(st.st_uid, beside))
		return FT_OK;
	if (writable)
		ft_text_add_words(&command, words);
	else {
		ft_text_add(&command, "chown %u ", (unsigned)geteuid());
		ft_text_add_word(&command, path);
	}
	(void)ft_fail(err, FT_EACCESS, "%s '%.200s'", writable ? "everybody may write" : "another user owns",
		      path);
	if (command.s)
		(void)ft_remedy(err, "%s", command.s);
	ft_text_clear(&command);
	return FT_EACCESS;
}

enum ft_status ft_manager_check_file(const char *path, uid_t beside, struct ft_err *err)
{
	char whole[PATH_MAX], *slash;
	enum ft_status status;

	if (!realpath(path, whole))
		return ft_fail_errno(err, errno, "cannot find '%.200s'", path);
	status = check_one(whole, beside, err);
	while (!status && (slash = strrchr(whole, '/')) && slash != whole) {
		*slash = '\0';
		status = check_one(whole, beside, err);
	}
	return status ? status : check_one("/", beside, err);
}

/* Where PATH has it. */
static bool find(const char *name, char found[PATH_MAX])
{
	const char *path = getenv("PATH"), *end;

	for (path = path ? path : "/usr/bin:/bin"; path; path = *end ? end + 1 : NULL) {
		end = path + strcspn(path, ":");
		if (end > path &&
		    snprintf(found, PATH_MAX, "%.*s/%s", (int)(end - path), path, name) < PATH_MAX &&
		    !access(found, X_OK))
			return true;
	}
	return false;
}

static enum ft_status check_executable(const struct ft_manager_problem *problem, uid_t beside,
				       struct ft_err *err)
{
	const char *name = problem->program.argv[0];
	char path[PATH_MAX];

	if (!strchr(name, '/') && !find(name, path)) {
		(void)ft_fail(err, FT_ENOENT, "there is no program '%.200s' on PATH", name);
		(void)ft_remedy(err, "write its absolute path into 'command' of '%.60s'",
				problem->program.name);
		return FT_ENOENT;
	}
	if (strchr(name, '/') &&
	    snprintf(path, sizeof path, "%s%s%s",
		     *name != '/' && problem->directory ? problem->directory : "",
		     *name != '/' && problem->directory ? "/" : "", name) >= (int)sizeof path)
		return ft_fail(err, FT_ENOENT, "'%.60s...' is too long for a path", name);
	if (access(path, X_OK))
		return ft_fail_errno(err, errno, "cannot run '%.200s'", path);
	return ft_manager_check_file(path, beside, err);
}

enum ft_status ft_manager_check_problem(const struct ft_manager_problem *problem, uid_t beside,
					struct ft_err *err)
{
	enum ft_status status = check_executable(problem, beside, err);
	struct stat st;
	size_t i;

	for (i = 1; !status && i < problem->program.argc; i++) {
		const char *word = problem->program.argv[i];

		if (*word == '/' && !stat(word, &st) && S_ISREG(st.st_mode))
			status = ft_manager_check_file(word, beside, err);
	}
	return status;
}
