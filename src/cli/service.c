/* SPDX-License-Identifier: GPL-3.0-or-later */
/* service.c - foretime-service: those commands that serve. */
#include "cli/common.h"
#include "cli/manager/manager.h"
#include "cli/serve/serve.h"
#include "cli/service.h"
#include "cli/terminal.h"

#include <string.h>
#include <unistd.h>

static const struct cli_command *const services[] = {&cli_manager_serve, &cli_serve_page};

void cli_service_command(char path[CLI_PATH_MOST])
{
	ssize_t length = readlink("/proc/self/exe", path, CLI_PATH_MOST - sizeof "/foretime");

	path[length > 0 ? length : 0] = '\0';
	char *slash = strrchr(path, '/');
	if (slash)
		memcpy(slash, "/foretime", sizeof "/foretime");
	if (!slash || access(path, X_OK))
		(void)snprintf(path, CLI_PATH_MOST, "%s", FT_BINDIR "/foretime");
}

int main(int argc, char **argv)
{
	cli_streams_fill();
	cli_writes_catch();
	cli_terminal_guard();
	for (size_t i = 0; argc > 0 && i < sizeof services / sizeof *services; i++)
		if (!strcmp(argv[0], services[i]->name)) {
			int status = services[i]->run(services[i], argc, argv);
			int written = cli_stdout_close();

			return status == CLI_DONE ? written : status;
		}
	return cli_fail("foretime-service is started by foretime\nhint: foretime manager --help");
}
