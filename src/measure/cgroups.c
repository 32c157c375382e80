/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cgroups.c - the control groups around this process. */
#include "measure/cgroups.h"
#include "base/files.h"

#include <stdio.h>
#include <string.h>

struct walk {
	void (*see)(void *ctx, int version, const char *folder);
	void *ctx;
};

/* Inside a container a path may be that of the host: then only its end, the container's own root, is
 * there. */
static void see_around(const struct walk *walk, int version, const char *base, const char *line)
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
	const struct walk walk = {see, ctx};
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
			see_around(&walk, 2, "/sys/fs/cgroup", path + 1);
		else if (is_among(controllers, path, controller))
			see_around(&walk, 1, base, path + 1);
	}
}
