/* SPDX-License-Identifier: GPL-3.0-or-later */
/* service.c - foretime-service: the command that serves. */
#include "base/command.h"
#include "cli/cli.h"
#include "cli/serve/serve.h"

#include <string.h>
#include <unistd.h>

void cli_service_command(char path[CLI_PATH_MOST])
{
	if (!ft__command_beside("foretime", path, CLI_PATH_MOST))
		(void)snprintf(path, CLI_PATH_MOST, "%s", FT_BINDIR "/foretime");
}

int main(int argc, char **argv)
{
	cli_streams_fill();
	cli_writes_catch();
	cli_terminal_guard();
	if (argc > 0 && !strcmp(argv[0], cli_service.name)) {
		int status = cli_service.run(&cli_service, argc, argv);
		int written = cli_stdout_close();

		return status == CLI_DONE ? written : status;
	}
	return cli_fail("foretime-service is started by foretime\nhint: foretime serve --help");
}
