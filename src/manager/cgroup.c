/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cgroup.c - control groups as folders */
#include "base/alloc.h"
#include "base/clock.h"
#include "base/files.h"
#include "base/text.h"
#include "manager/child.h"
#include "manager/keeper.h"
#include "measure/tree.h"
#include "watch/aside.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

/* Whether a name is in a list with commas, which ends with the text or a blank. */
static bool lists(const char *list, const char *name)
{
	size_t length = strlen(name);
	const char *at = list;

	while (at) {
		if (!strncmp(at, name, length) && (!at[length] || strchr(", \n:", at[length])))
			return true;
		at += strcspn(at, ", \n");
		at = *at == ',' ? at + 1 : NULL;
	}
	return false;
}

/* proc_pid_mountinfo(5): ... ROOT PLACE OPTIONS ... - TYPE SOURCE OPTIONS */
static bool find_mount(const char *controller, char root[PATH_MAX], char place[PATH_MAX])
{
	FILE *file = fopen("/proc/self/mountinfo", "re");
	char line[3 * PATH_MAX], type[32], options[512];
	bool found = false;

	while (file && !found && fgets(line, sizeof line, file)) {
		const char *dash = strstr(line, " - ");

		if (!dash || sscanf(dash, " - %31s %*s %511s", type, options) != 2 ||
		    sscanf(line, "%*s %*s %*s %4095s %4095s", root, place) != 2)
			continue;
		found = controller ? !strcmp(type, "cgroup") && lists(options, controller)
				   : !strcmp(type, "cgroup2");
	}
	if (file)
		(void)fclose(file);
	return found;
}

/* cgroups(7): NUMBER:CONTROLLERS:PATH; version 2 has no controllers. */
static bool find_path(pid_t pid, const char *controller, char path[PATH_MAX])
{
	char name[64], line[PATH_MAX + 256];
	bool found = false;
	FILE *file;

	(void)snprintf(name, sizeof name, pid ? "/proc/%d/cgroup" : "/proc/self/cgroup", (int)pid);
	file = fopen(name, "re");
	while (file && !found && fgets(line, sizeof line, file)) {
		const char *list = strchr(line, ':'), *at = list ? strchr(list + 1, ':') : NULL;

		if (!at || (controller ? !lists(list + 1, controller) : at != list + 1))
			continue;
		found = true;
		(void)snprintf(path, PATH_MAX, "%.*s", (int)strcspn(at + 1, "\n"), at + 1);
	}
	if (file)
		(void)fclose(file);
	return found;
}

bool ft__cgroup_find(pid_t pid, const char *controller, char folder[PATH_MAX], bool *top)
{
	char root[PATH_MAX], place[PATH_MAX], path[PATH_MAX];
	const char *rest = path;

	if (!find_mount(controller, root, place) || !find_path(pid, controller, path))
		return false;
	/* In a container what is mounted may be a group far below the host's. */
	size_t length = strcmp(root, "/") ? strlen(root) : 0;
	if (!strncmp(path, root, length) && (!path[length] || path[length] == '/'))
		rest = path + length;
	if (!strcmp(rest, "/"))
		rest = "";
	if (top)
		*top = !*rest;
	return (size_t)snprintf(folder, PATH_MAX, "%s%s", place, rest) < PATH_MAX && !access(folder, F_OK);
}

/* ---- files --------------------------------------------------------------------------------------------- */

static int open_file(const char *folder, const char *file, int flags)
{
	char path[PATH_MAX];

	if ((size_t)snprintf(path, sizeof path, "%s/%s", folder, file) < sizeof path)
		return open(path, flags | O_CLOEXEC);
	errno = ENAMETOOLONG;
	return -1;
}

bool ft__cgroup_write(const char *folder, const char *file, const char *text)
{
	int fd = open_file(folder, file, O_WRONLY), why;
	bool good = fd >= 0 && write(fd, text, strlen(text)) >= 0;

	why = errno;
	if (fd >= 0)
		(void)close(fd);
	errno = why;
	return good;
}

bool ft__cgroup_read(const char *folder, const char *file, char *text, size_t size)
{
	int fd = open_file(folder, file, O_RDONLY);
	ssize_t length = fd < 0 ? -1 : read(fd, text, size - 1);

	if (fd >= 0)
		(void)close(fd);
	text[length > 0 ? length : 0] = '\0';
	return length > 0;
}

double ft__cgroup_number(const char *folder, const char *file, const char *key)
{
	char text[4096], *at = text;
	size_t length = key ? strlen(key) : 0;

	if (!ft__cgroup_read(folder, file, text, sizeof text))
		return -1;
	while (key && at && (strncmp(at, key, length) != 0 || at[length] != ' ')) {
		at = strchr(at, '\n');
		at = at ? at + 1 : NULL;
	}
	return at ? strtod(at + length, NULL) : -1;
}

void ft__words_add(struct ft__words *words, const char *word)
{
	char **grown = ft_grow(words->word, words->n + 1, &words->capacity, sizeof *grown);

	if (grown)
		words->word = grown;
	if (words->failed || !grown || !(words->word[words->n] = ft_strdup(word))) {
		words->failed = true;
		return;
	}
	words->word[++words->n] = NULL;
}
