/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exec.c - foretime manager and foretime serve are another program, foretime-service: what serves for long
 * needs libraries that no start of the command, which stands before real runs, is to load. */
#include "cli/common.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { PATH_MOST = 4096 };

/* Beside our own executable (a build folder), or where it is installed. */
static bool find_service(char path[PATH_MOST])
{
	ssize_t length = readlink("/proc/self/exe", path, PATH_MOST - sizeof "/foretime-service");
	char *slash;

	path[length > 0 ? length : 0] = '\0';
	slash = strrchr(path, '/');
	if (slash) {
		memcpy(slash, "/foretime-service", sizeof "/foretime-service");
		if (!access(path, X_OK))
			return true;
	}
	(void)snprintf(path, PATH_MOST, "%s", FT_LIBEXECDIR "/foretime-service");
	return !access(path, X_OK);
}

static int run(const struct cli_command *command, int argc, char **argv)
{
	char path[PATH_MOST];

	(void)command;
	(void)argc;
	if (find_service(path)) {
		(void)execv(path, argv);
		(void)cli_fail("cannot execute '%s': %s", path, strerror(errno));
	} else {
		(void)cli_fail("cannot find foretime-service in '%s'", FT_LIBEXECDIR);
	}
	cli_hint("install foretime again");
	return CLI_WRONG;
}

const struct cli_command cli_manager = {
	"manager", "answer other programs what runs will cost", NULL, NULL, NULL, run,
};

const struct cli_command cli_serve = {
	"serve", "show models, traces and plans in a browser", NULL, NULL, NULL, run,
};
