/* SPDX-License-Identifier: GPL-3.0-or-later */
/* path.c - where a program's file lies. */
#include "base/path.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int ft_path_check(const char *file)
{
	struct stat info;

	if (stat(file, &info))
		return errno;
	if (!S_ISREG(info.st_mode))
		return EACCES;
	return access(file, X_OK) ? errno : 0;
}

static int take_name(const char *name, char found[PATH_MAX])
{
	int number = strlen(name) < PATH_MAX ? ft_path_check(name) : ENAMETOOLONG;

	if (!number || number == EACCES)
		(void)snprintf(found, PATH_MAX, "%s", name);
	return number;
}

int ft_path_find(const char *name, char found[PATH_MAX])
{
	const char *at = getenv("PATH");
	char file[PATH_MAX];

	found[0] = '\0';
	if (!*name)
		return ENOENT;
	if (strchr(name, '/'))
		return take_name(name, found);
	for (at = at ? at : "/bin:/usr/bin";; at++) { /* as glibc without PATH */
		size_t length = strcspn(at, ":");
		int n = snprintf(file, PATH_MAX, "%.*s%s%s", (int)length, at, length ? "/" : "./", name),
		    number = n > 0 && n < PATH_MAX ? ft_path_check(file) : ENAMETOOLONG;

		if (!number || (number == EACCES && !*found))
			(void)snprintf(found, PATH_MAX, "%s", file);
		at += length;
		if (!number || !*at)
			return !number ? 0 : *found ? EACCES : ENOENT;
	}
}
