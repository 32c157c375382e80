/* SPDX-License-Identifier: GPL-3.0-or-later */
/* page.c - the page: models, builds, traces and plans in a browser. */
#include "cli/serve/page.h"
#include "cli/common.h"
#include "cli/options.h"
#include "cli/service.h"
#include "web/web.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Before there is a thread: they come by a descriptor. */
static void block_signals(void)
{
	sigset_t set;

	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGTERM);
	(void)sigaddset(&set, SIGINT);
	(void)sigprocmask(SIG_BLOCK, &set, NULL);
}

/* The address is a secret, and arguments are not: a file of ours alone leads there. path: out, "": there is
 * none. */
static bool write_way(const char *url, char path[CLI_PATH_MOST])
{
	const char *runtime = getenv("XDG_RUNTIME_DIR");
	FILE *file;
	int fd;

	(void)snprintf(path, CLI_PATH_MOST, "%s/foretime-serve-XXXXXX.html",
		       runtime && *runtime == '/' ? runtime : "/tmp");
	fd = mkostemps(path, (int)strlen(".html"), O_CLOEXEC);
	file = fd < 0 ? NULL : fdopen(fd, "w");
	if (!file) {
		path[0] = '\0';
		return false;
	}
	fprintf(file, "<!doctype html><meta charset=utf-8><meta http-equiv=refresh content='0; url=%s'>\n",
		url);
	return !fclose(file);
}

/* The desktop's own way; it goes on by itself. */
static void open_browser(const char *url, char way[CLI_PATH_MOST])
{
	char program[] = "xdg-open", *argv[] = {program, way, NULL};
	posix_spawnattr_t how;
	sigset_t none;
	pid_t pid;
	int number = write_way(url, way) ? posix_spawnattr_init(&how) : errno;

	if (!number) {
		(void)sigemptyset(&none);
		(void)posix_spawnattr_setsigmask(&how, &none);
		(void)posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK);
		number = posix_spawnp(&pid, program, NULL, &how, argv, environ);
		(void)posix_spawnattr_destroy(&how);
	}
	if (number)
		cli_note("no browser was opened: %s", strerror(number));
}

int cli_serve_page(const struct ft_web_options *options, bool open)
{
	struct ft_web *web = NULL;
	struct ft_err err = {0};
	char way[CLI_PATH_MOST] = "";
	int status = CLI_DONE;

	cli_defaults_end();
	block_signals();
	if (ft_web_new(&web, options, &err))
		return cli_error(&err);
	printf("%s\n", ft_web_url(web));
	(void)fflush(stdout);
	if (open)
		open_browser(ft_web_url(web), way);
	if (ft_web_run(web, &err))
		status = cli_error(&err);
	if (*way)
		(void)unlink(way);
	ft_web_free(web);
	return status;
}
