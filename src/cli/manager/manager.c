/* SPDX-License-Identifier: GPL-3.0-or-later */
/* manager.c - a service that answers what runs will cost. */
#include "cli/manager/manager.h"
#include "cli/common.h"
#include "cli/options.h"
#include "manager/manager.h"

#include <signal.h>
#include <stdlib.h>

struct asked {
	struct ft_manager_options options;
	const char *certificate, *key, *token; /* paths */
	struct cli_texts host;
};

static void say(void *ctx, const char *text)
{
	(void)ctx;
	fprintf(stderr, "foretime manager: %s\n", text);
}

/* Before there is a thread: they come by a descriptor. */
static void block_signals(void)
{
	sigset_t set;

	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGTERM);
	(void)sigaddset(&set, SIGINT);
	(void)sigaddset(&set, SIGHUP);
	(void)sigaddset(&set, SIGCHLD);
	(void)sigprocmask(SIG_BLOCK, &set, NULL);
}

/* The first bytes of a file that only its owner can read, without the newline at its end; ends with free.
 * NULL after a complaint. */
enum { SECRET_MOST = 65536 };

static char *read_secret(const char *path)
{
	FILE *file = fopen(path, "re");
	char *text = cli_alloc(SECRET_MOST + 1);
	size_t n = file ? fread(text, 1, SECRET_MOST, file) : 0;

	if (!file || ferror(file) || !n) {
		(void)cli_fail("cannot read '%s'", path);
		free(text);
		text = NULL;
	}
	if (file)
		(void)fclose(file);
	while (text && n && (text[n - 1] == '\n' || text[n - 1] == '\r'))
		text[--n] = '\0';
	return text;
}

static int serve(struct asked *asked)
{
	struct ft_manager *manager = NULL;
	struct ft_err err = {0};
	int status = CLI_DONE;

	block_signals();
	if (ft_manager_new(&manager, &asked->options, &err) || ft_manager_run(manager, &err))
		status = cli_error(&err);
	ft_manager_free(manager);
	return status;
}

static int read_secrets_and_serve(struct asked *asked)
{
	char *certificate = asked->certificate ? read_secret(asked->certificate) : NULL;
	char *key = asked->key ? read_secret(asked->key) : NULL;
	char *token = asked->token ? read_secret(asked->token) : NULL;
	const char *host[CLI_TEXTS_MAX + 1] = {0};
	int status = CLI_WRONG;
	size_t i;

	for (i = 0; i < asked->host.n; i++)
		host[i] = asked->host.text[i];
	asked->options.certificate = certificate;
	asked->options.key = key;
	asked->options.token = token;
	asked->options.host = asked->host.n ? host : NULL;
	asked->options.say = say;
	if ((!asked->certificate || certificate) && (!asked->key || key) && (!asked->token || token))
		status = serve(asked);
	free(certificate);
	free(key);
	free(token);
	return status;
}

static int run(const struct cli_command *command, int argc, char **argv)
{
	struct asked asked = {0};
	const struct cli_option options[] = {
		{0, "socket", CLI_TEXT, &asked.options.socket_path, "PATH",
		 "where to be asked; default $XDG_RUNTIME_DIR/foretime/manager.sock"},
		{0, "everybody", CLI_FLAG, &asked.options.open_to_all, NULL,
		 "all users of this machine may ask, not ours alone"},
		{0, "listen", CLI_TEXT, &asked.options.address, "HOST:PORT",
		 "answer over a network, too: with the next three"},
		{0, "certificate", CLI_TEXT, &asked.certificate, "FILE.pem", "for TLS"},
		{0, "key", CLI_TEXT, &asked.key, "FILE.pem", "of the certificate"},
		{0, "token", CLI_TEXT, &asked.token, "FILE", "that each request has to bring"},
		{0, "host", CLI_TEXTS, &asked.host, "NAME",
		 "by which it may be asked there; may be repeated"},
		{0, "spool", CLI_TEXT, &asked.options.spool_path, "FOLDER",
		 "where programs write what their calls took; default $XDG_STATE_HOME/foretime/spool"},
		CLI_STORE_OPTION(asked.options.store_path),
		{0},
	};
	struct cli_words words;
	int status = cli_options_parse(command, options, argc, argv, &words);

	if (status != CLI_GO)
		return status;
	if (words.n)
		status = cli_fail("'manager' takes no '%s'", words.word[0]);
	else
		status = read_secrets_and_serve(&asked);
	cli_words_clear(&words);
	return status;
}

const struct cli_command cli_manager_serve = {
	"manager",
	"answer other programs what runs will cost",
	"[OPTION...]",
	"It stays in the foreground until SIGTERM. Ask it as\n"
	"  curl --unix-socket $XDG_RUNTIME_DIR/foretime/manager.sock 'http://x/predict/matmul?n=2048'\n"
	"or with foretime predict --manager. GET /openapi.json says all that it answers.\n",
	NULL,
	run,
};
