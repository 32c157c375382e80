/* SPDX-License-Identifier: GPL-3.0-or-later */
/* serve.c - the page: models, builds, traces and plans in a browser. */
#include "cli/serve/serve.h"
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

struct serve_asked {
	struct ft_web_options options;
	size_t port;
	bool open;
};

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

static int serve_page(const struct serve_asked *asked)
{
	struct ft_web *web = NULL;
	struct ft_err err = {0};
	char way[CLI_PATH_MOST] = "";
	int status = CLI_DONE;

	block_signals();
	if (ft_web_new(&web, &asked->options, &err))
		return cli_error(&err);
	printf("%s\n", ft_web_url(web));
	(void)fflush(stdout);
	if (asked->open)
		open_browser(ft_web_url(web), way);
	if (ft_web_run(web, &err))
		status = cli_error(&err);
	if (*way)
		(void)unlink(way);
	ft_web_free(web);
	return status;
}

static int run_serve(const struct cli_command *command, int argc, char **argv)
{
	struct serve_asked asked = {0};
	char path[CLI_PATH_MOST];
	const struct cli_option options[] = {
		{0, "open", CLI_FLAG, &asked.open, NULL, "open it in the browser of this desktop"},
		{0, "port", CLI_COUNT, &asked.port, "N", "of 127.0.0.1; default: one that is free"},
		CLI_STORE_OPTION(asked.options.store),
		{0},
	};
	struct cli_words words;
	int status = cli_options_parse(command, options, argc, argv, &words);

	if (status != CLI_GO)
		return status;
	cli_service_command(path);
	asked.options.command = path;
	asked.options.port = (unsigned)asked.port;
	if (words.n)
		status = cli_fail("'serve' takes no '%s'", words.word[0]);
	else if (asked.port > 65535)
		status = cli_fail("%zu is no port: they end with 65535", asked.port);
	else
		status = serve_page(&asked);
	return status;
}

const struct cli_command cli_serve_page = {
	"serve",
	"show models, traces and plans in a browser",
	"[--open] [--port N] [--store PATH]",
	"It stays in the foreground until SIGTERM or Ctrl-C, and prints the address that the browser opens. "
	"Only this\n"
	"machine can ask it, and only who has the token in that address.\n",
	NULL,
	run_serve,
};
