/* SPDX-License-Identifier: GPL-3.0-or-later */
/* service.c - foretime-service: those commands that serve. */
#include "cli/common.h"
#include "cli/manager/manager.h"
#include "cli/terminal.h"

#include <string.h>

static const struct cli_command *const services[] = {&cli_manager_serve};

int main(int argc, char **argv)
{
	size_t i;

	cli_streams_fill();
	cli_writes_catch();
	cli_terminal_guard();
	for (i = 0; argc > 0 && i < sizeof services / sizeof *services; i++)
		if (!strcmp(argv[0], services[i]->name)) {
			int status = services[i]->run(services[i], argc, argv);
			int written = cli_stdout_close();

			return status == CLI_DONE ? written : status;
		}
	(void)cli_fail("foretime-service is started by foretime");
	cli_hint("foretime manager --help");
	return CLI_WRONG;
}
