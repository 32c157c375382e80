/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exec.c - foretime serve is another program, foretime-service: what serves for long
 * needs libraries that no start of the command, which stands before real runs, is to load. */
#include "base/command.h"
#include "cli/common.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { PATH_MOST = 4096 };

static int run_service(const struct cli_command *command, int argc, char **argv)
{
	char path[PATH_MOST];

	(void)command;
	(void)argc;
	if (ft__command_beside("foretime-service", path, sizeof path)) {
		(void)execv(path, argv);
		(void)cli_fail("cannot execute '%s': %s", path, strerror(errno));
	} else {
		(void)cli_fail("cannot find foretime-service in '%s'", FT_LIBEXECDIR);
	}
	cli_hint("install foretime again");
	return CLI_WRONG;
}

const struct cli_command cli_serve = {
	"serve", "show the store in a browser, or answer programs (a manager)", NULL, NULL, NULL, run_service,
};
