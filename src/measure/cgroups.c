/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cgroups.c - the control groups around this process. */
#include "measure/cgroups.h"
#include "base/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct cgroups_walk {
	void (*see)(void *ctx, int version, const char *folder);
	void *ctx;
};

/* Inside a container a path may be that of the host: then only its end, the container's own root, is
 * there. */
static void walk_outwards(const struct cgroups_walk *walk, int version, const char *base, const char *line)
{
	char folder[PATH_MAX];
	size_t least = strlen(base);
	int length = snprintf(folder, sizeof folder, "%s%.*s", base, (int)strcspn(line, "\n"), line);

	if (length < 0 || (size_t)length >= sizeof folder)
		return;
	for (;;) {
		char *slash = strrchr(folder + least, '/');

		if (slash && !slash[1]) /* "/" itself */
			*slash = '\0';
		walk->see(walk->ctx, version, folder);
		slash = strrchr(folder + least, '/');
		if (!slash)
			return;
		*slash = '\0';
	}
}

/* Whether a name is one of those from `at` on, each behind a ':' or a ','. */
static bool is_among(const char *at, const char *end, const char *name)
{
	size_t length = strlen(name);

	for (; at && at < end; at = strchr(at + 1, ','))
		if (!strncmp(at + 1, name, length) && (at[1 + length] == ',' || at[1 + length] == ':'))
			return true;
	return false;
}

/* Lines of /proc/self/cgroup: NUMBER:CONTROLLERS:PATH. Version 2 is number 0, with no controllers. */
void ft__cgroups_walk(const char *root, const char *controller,
		      void (*see)(void *ctx, int version, const char *folder), void *ctx)
{
	const struct cgroups_walk walk = {see, ctx};
	char text[16384], base[64];
	const char *line = text;

	(void)snprintf(base, sizeof base, "/sys/fs/cgroup/%s", controller);
	if (!ft__file_read(text, sizeof text, root, "/proc/self/cgroup"))
		return;
	for (; line && *line; line = strchr(line, '\n'), line = line ? line + 1 : NULL) {
		const char *controllers = strchr(line, ':'),
			   *path = controllers ? strchr(controllers + 1, ':') : NULL;

		if (!path)
			continue;
		if (path == controllers + 1)
			walk_outwards(&walk, 2, "/sys/fs/cgroup", path + 1);
		else if (is_among(controllers, path, controller))
			walk_outwards(&walk, 1, base, path + 1);
	}
}

/* ---- our own ------------------------------------------------------------------------------------------- */

struct cgroups_own {
	const char *root;
	char *folder;
	bool seen[2]; /* of each version: the first is the innermost */
	bool found;
};

/* Others than the innermost are not ours: a group below them would not have our limits. In one that a
 * manager, or the helper of a foretime around us, has made nothing is made: who made it is to remove it. */
static void find_own(void *ctx, int version, const char *folder)
{
	struct cgroups_own *own = ctx;
	const char *name = strrchr(folder, '/');

	if (own->found || own->seen[version - 1])
		return;
	own->seen[version - 1] = true;
	int length = snprintf(own->folder, PATH_MAX, "%s%s", own->root, folder);
	own->found = length > 0 && length < PATH_MAX && strncmp(name, "/foretime-", 10) != 0 &&
		     !access(own->folder, W_OK);
}

/* What a helper that was killed left. */
static void remove_stale(const char *parent)
{
	DIR *folder = opendir(parent);
	const struct dirent *entry;
	int pid, end;

	while (folder && (entry = readdir(folder)))
		if (sscanf(entry->d_name, "foretime-%d-runs%n", &pid, (end = 0, &end)) == 1 && end &&
		    !entry->d_name[end] && kill(pid, 0) && errno == ESRCH)
			(void)unlinkat(dirfd(folder), entry->d_name, AT_REMOVEDIR);
	if (folder)
		(void)closedir(folder);
}

bool ft__cgroups_own(const char *root, const char *controller, char folder[PATH_MAX])
{
	struct cgroups_own own = {.root = root, .folder = folder};

	ft__cgroups_walk(root, controller, find_own, &own);
	if (own.found)
		remove_stale(folder);
	return own.found;
}
