/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-path.c - a program's file is found as execvp finds it. */
#include "tap.h"
#include "temp.h"

#include "base/files.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char found[PATH_MAX];

static bool is_found(const char *path, const char *name, int number, const char *file)
{
	if (path)
		(void)setenv("PATH", path, 1);
	else
		(void)unsetenv("PATH");
	return ft_path_find(name, found) == number && !strcmp(found, file);
}

int main(void)
{
	char one[64], other[64], both[160], tool[96], dull[96], name[PATH_MAX + 10];

	(void)snprintf(one, sizeof one, "%s", temp_path("one"));
	(void)snprintf(other, sizeof other, "%s", temp_path("other"));
	(void)snprintf(both, sizeof both, "/nowhere:%s:%s", one, other);
	(void)snprintf(tool, sizeof tool, "%s/tool", other);
	(void)snprintf(dull, sizeof dull, "%s/tool", one);
	(void)mkdir(one, 0755);
	(void)mkdir(other, 0755);
	(void)temp_write(dull, "x", 0644);
	(void)temp_write(tool, "x", 0755);
	ok(is_found(both, "tool", 0, tool), "the first that can be executed: %s", found);
	ok(is_found(one, "tool", EACCES, dull), "one that cannot is told where no other is");
	ok(is_found(both, "none", ENOENT, ""), "what is nowhere is not found");
	ok(is_found(both, "", ENOENT, ""), "nor is nothing");
	ok(is_found("", tool, 0, tool) && is_found(both, dull, EACCES, dull), "with a slash it is itself");
	ok(is_found(both, one, EACCES, one), "a folder is no program");
	ok(is_found(NULL, "sh", 0, "/bin/sh"), "without PATH as in the C library");
	ok(!chdir(other) && is_found("/nowhere:", "tool", 0, "./tool"), "an empty folder is this one");
	memset(name, 'x', sizeof name - 1);
	name[sizeof name - 1] = '\0';
	ok(is_found(both, name, ENOENT, ""), "a name of %zu letters is nowhere", sizeof name - 1);
	name[0] = '/';
	ok(is_found(both, name, ENAMETOOLONG, ""), "nor with a slash");
	(void)chmod(one, 0);
	ok(is_found(one, "none", ENOENT, ""), "nor in a folder that may not be searched");
	(void)chmod(one, 0755);
	ok(!chdir("/"), "back");
	temp_remove();
	return done();
}
