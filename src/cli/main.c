/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main.c - which command is meant. */
#include "cli/command.h"
#include "cli/common.h"
#include "cli/terminal.h"

#include <stdio.h>
#include <string.h>

/* An option where a command is expected. */
static int global_option(const char *option)
{
	if (!strcmp(option, "--help") || !strcmp(option, "-h")) {
		cli_overview(stdout);
		return CLI_DONE;
	}
	if (!strcmp(option, "--version") || !strcmp(option, "-V")) {
		puts("foretime " FT_VERSION);
		return CLI_DONE;
	}
	(void)cli_fail("unknown option '%s'", option);
	cli_hint("options stand behind the command: foretime COMMAND %s; before it only --help and --version",
		 option);
	return CLI_WRONG;
}

int main(int argc, char **argv)
{
	const struct cli_command *command;
	int status, written;

	cli_streams_fill();
	cli_writes_catch();
	cli_terminal_guard();
	if (argc < 2) {
		cli_overview(stderr);
		return CLI_WRONG;
	}
	if (argv[1][0] == '-') {
		status = global_option(argv[1]);
	} else {
		command = cli_command_find(argv[1]);
		status = command ? command->run(command, argc - 1, argv + 1) : CLI_WRONG;
	}
	written = cli_stdout_close();
	return written != CLI_DONE && status == CLI_DONE ? written : status;
}
