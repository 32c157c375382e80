/* SPDX-License-Identifier: GPL-3.0-or-later */
/* serve.c - `foretime serve`: the manager that predicts runs, and the page. */
#include "base/clock.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "cli/serve/serve.h"
#include "http/client.h"
#include "manager/day.h"
#include "manager/manager.h"
#include "watch/watch.h"
#include "web/web.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <math.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static enum ft_status manager_root(uid_t user, struct ft_err *err);

/*
 * The state of the machine now, for each condition in the configuration.
 */

enum { WAIT_MS = 2000 };

/* Load is known after half a second, however often something else is heard meanwhile; all else at once. */
static const struct ft_seen *look_at_machine(struct ft__watch *watch)
{
	const double until_s = ft_clock_s() + 1e-3 * WAIT_MS;
	const struct ft_seen *seen = ft__watch_look(watch);
	int ms;

	while (isnan(seen->load) && ft_clock_s() < until_s && (ms = ft__watch_wait_ms(watch)) >= 0) {
		struct pollfd fd = {.fd = ft__watch_fd(watch), .events = POLLIN};

		(void)poll(&fd, 1, ms < WAIT_MS ? ms : WAIT_MS);
		seen = ft__watch_look(watch);
	}
	return seen;
}

/* manager_now - what prevents benchmarks now; waits for half a second if a load condition is used. answer:
 * `now` is filled; heap, as is each reason. */
static int manager_now(const struct ft_manager_config *config, struct ft_answer_day *answer)
{
	size_t n = config->n_problems + 1;
	CLI_OWN const struct ft_policies **policies = cli_alloc(n * sizeof *policies);
	struct ft__watch *watch;
	struct ft_err err = {0};
	int status = CLI_DONE;

	policies[0] = &config->policies;
	for (size_t i = 0; i < config->n_problems; i++)
		policies[i + 1] = &config->problem[i].policies;
	if (ft__watch_new(&watch, &(struct ft__watch_needs){.policies = policies, .n = n}, &err) ||
	    ft__day_see(answer, policies, n, look_at_machine(watch), &err))
		status = cli_error(&err);
	ft__watch_free(watch);
	return status;
}

/*
 * Serve models, builds, traces and plans to a browser.
 */

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

/* cli_serve_page - until a signal ends it; open: in the browser of this desktop. Returns the exit status. */
static int cli_serve_page(const struct ft_web_options *options, bool open)
{
	struct ft_web *web = NULL;
	struct ft_err err = {0};
	char way[CLI_PATH_MOST] = "";
	int status = CLI_DONE;

	cli_defaults_end();
	/* Before there is a thread: they come by a descriptor. */
	sigset_t set;

	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGTERM);
	(void)sigaddset(&set, SIGINT);
	(void)sigprocmask(SIG_BLOCK, &set, NULL);
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

/*
 * Foretime serve stop, continue: pause or continue a problem of the running manager.
 */

/* manager_stop - a problem of the manager that runs is held, or goes on. socket_path NULL: that of this
 * user. */
static int manager_stop(const char *socket_path, const char *name, bool stop)
{
	CLI_OWN char *found = socket_path ? cli_strdup(socket_path) : ft__http_socket(), *body = NULL;
	char *word = ft__http_encode(name), *target;
	struct ft_err err = {0};
	unsigned code = 0;
	int status = CLI_DONE;

	target = cli_printed("/%s/%s", stop ? "stop" : "continue", word ? word : "");
	if (!found || !word) {
		status = cli_fail("out of memory");
	} else if (ft__http_post(found, target, &code, &body, &err)) {
		status = cli_error(&err);
	} else if (code != 200) {
		/* Print the error message of a manager. */
		json_t *answer = json_loads(body, 0, NULL);
		const char *error = json_string_value(json_object_get(answer, "error")),
			   *remedy = json_string_value(json_object_get(answer, "remedy"));

		(void)cli_fail("%s", error ? error : "the manager answers nothing that can be read");
		if (remedy)
			cli_hint("%s", remedy);
		json_decref(answer);
		status = CLI_WRONG;
	} else {
		printf("%s %s\n", name,
		       stop ? "is stopped: foretime serve continue lets it go on" : "goes on");
	}
	free(target);
	free(word);
	return status;
}

/*
 * Foretime serve explain: what the configuration means for the next day.
 */

/* The user of benchmarks may own the executables. */
struct manager_explain_query {
	const struct ft_manager_config *config;
	uid_t user;
	bool any; /* fault */
};

static void find_fault(void *ctx, size_t problem, struct ft_err *out)
{
	struct manager_explain_query *query = ctx;

	if (ft_manager_check_problem(&query->config->problem[problem], query->user, out) ||
	    manager_root(query->user, out))
		query->any = true;
}

/* "Mon 22:00" */
static const char *moment_of(int64_t ns, char text[32])
{
	time_t seconds = (time_t)(ns / 1000000000);
	struct tm parts;

	if (!localtime_r(&seconds, &parts) || !strftime(text, 32, "%a %H:%M", &parts))
		text[0] = '\0';
	return text;
}

static void print_day(const struct ft_answer_day *answer)
{
	size_t k;

	for (size_t i = 0; i < answer->n_now; i++)
		printf("now: %s %s%s%s\n", answer->now[i].condition,
		       answer->now[i].holds ? "holds" : "does not hold", answer->now[i].why ? ": " : "",
		       answer->now[i].why ? answer->now[i].why : "");
	if (answer->n_now)
		printf("\n");
	for (size_t i = 0; i < answer->n; i++) {
		const struct ft_answer_problem *problem = &answer->problem[i];

		printf("%s%s, priority %g, by %s%s\n", i ? "\n" : "", problem->name, problem->priority,
		       problem->builder, problem->own ? ", policies of its own" : "");
		for (k = 0; k < problem->n_windows; k++) {
			char from[32], to[32];

			printf("  %s to %s: %s\n", moment_of(problem->window[k].from_ns, from),
			       moment_of(problem->window[k].to_ns, to), problem->window[k].rule);
		}
		if (problem->more)
			printf("  and more\n");
		if (!k)
			printf("  not within the next day\n");
		if (problem->fault)
			printf("  cannot run: %s\n", problem->fault);
		if (problem->remedy)
			printf("  remedy: %s\n", problem->remedy);
	}
	if (!answer->n)
		printf("no problem is configured\n");
}

/* manager_explain - print the windows of the next day, the order, and what cannot run (exit status 1 if
 * something cannot). user: the user of benchmarks; (uid_t)-1: no other. */
static int manager_explain(const struct ft_manager_config *config, uid_t user, bool json)
{
	struct manager_explain_query query = {config, user, false};
	struct ft_answer_day answer;
	struct ft_err err = {0};

	if (ft__day_read(config, ft_clock_real_ns() / 1000000000, find_fault, &query, &answer, &err))
		return cli_error(&err);
	int status = query.any ? CLI_NO : CLI_DONE;
	if (manager_now(config, &answer))
		status = CLI_WRONG;
	else if (json)
		cli_tell(&ft_tell_day, &answer, NULL);
	else
		print_day(&answer);
	ft__day_clear(&answer);
	return status;
}

/*
 * `foretime serve`: the manager that predicts runs, and the page.
 */

struct manager_query {
	struct ft_manager_options options;
	const char *config_path;
	struct ft_manager_config config;
	uid_t user; /* named by the configuration; (uid_t)-1: none */
	bool check, json;
	const char *certificate, *key, *token; /* paths */
	struct ft_field_texts host;
	char command[CLI_PATH_MOST];
	bool page, open;
	size_t port;
	struct ft_field_texts report;
};

static void say_line(void *ctx, const char *text)
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

static int read_secrets_and_serve(struct manager_query *query)
{
	CLI_OWN char *certificate = query->certificate ? cli_secret_read(query->certificate, false) : NULL;
	CLI_OWN char *key = query->key ? cli_secret_read(query->key, true) : NULL;
	CLI_OWN char *token = query->token ? cli_secret_read(query->token, true) : NULL;
	const char *host[FT_FIELD_TEXTS_MOST + 1] = {0};
	int status = CLI_WRONG;

	for (size_t i = 0; i < query->host.n; i++)
		host[i] = query->host.text[i];
	query->options.certificate = certificate;
	query->options.key = key;
	query->options.token = token;
	query->options.host = query->host.n ? host : NULL;
	query->options.say = say_line;
	query->options.prior = cli_prior(NULL);
	if ((!query->certificate || certificate) && (!query->key || key) && (!query->token || token)) {
		struct ft_manager *manager = NULL;
		struct ft_err err = {0};
		status = CLI_DONE;

		block_signals();
		if (ft_manager_new(&manager, &query->options, &err) || ft_manager_run(manager, &err))
			status = cli_error(&err);
		ft_manager_free(manager);
	}
	query->options.host = NULL;
	return status;
}

static int read_config(struct manager_query *query)
{
	struct ft_err err = {0};

	query->user = (uid_t)-1;
	if (!query->config_path)
		return CLI_DONE;
	if (ft_manager_config_read(&query->config, query->config_path, &err))
		return cli_error(&err);
	/* Settings of the configuration that no option overrides. */
	const struct ft_manager_config *config = &query->config;
	struct ft_manager_options *options = &query->options;
	size_t i;

	options->store_path = options->store_path ? options->store_path : config->store;
	options->socket_path = options->socket_path ? options->socket_path : config->socket;
	options->spool_path = options->spool_path ? options->spool_path : config->spool;
	options->open_to_all = options->open_to_all || config->open_to_all;
	options->trusted = (const char *const *)config->trusted;
	options->n_trusted = config->n_trusted;
	options->address = options->address ? options->address : config->address;
	query->certificate = query->certificate ? query->certificate : config->certificate;
	query->key = query->key ? query->key : config->key;
	query->token = query->token ? query->token : config->token;
	for (i = 0; !query->host.n && i < config->n_hosts && i < FT_FIELD_TEXTS_MOST; i++)
		query->host.text[i] = config->hosts[i];
	if (!query->host.n)
		query->host.n = i;
	cli_service_command(query->command);
	query->options.config = &query->config;
	query->options.config_path = query->config_path;
	query->options.command = query->command;
	/* The user that benchmarks run as, who may own the executables. */
	const char *name = query->config.user;
	char text[16384];
	struct passwd entry, *found = NULL;

	if (name && (getpwnam_r(name, &entry, text, sizeof text, &found) || !found))
		return cli_fail("%s: there is no user '%s'", query->config_path, name);
	query->user = found ? found->pw_uid : (uid_t)-1;
	return CLI_DONE;
}

/* manager_root - FT_EACCESS: benchmarks would run as root. */
static enum ft_status manager_root(uid_t user, struct ft_err *err)
{
	if (geteuid() || user != (uid_t)-1)
		return FT_OK;
	(void)ft_fail(err, FT_EACCESS, "benchmarks do not run as root");
	return ft_remedy(err, "name whom they run as: user = \"NAME\"; or begin the manager as that user");
}

/* A file that is good, with programs that can be run. */
static int check_problems(const struct manager_query *query)
{
	struct ft_err err = {0};
	int status = CLI_DONE;

	for (size_t i = 0; i < query->config.n_problems; i++)
		if (ft_manager_check_problem(&query->config.problem[i], query->user, &err))
			status = cli_error_at(&err, "%s, line %u", query->config_path,
					      query->config.problem[i].line);
	if (query->config.n_problems && manager_root(query->user, &err))
		status = cli_error_at(&err, "%s", query->config_path);
	if (status == CLI_DONE)
		printf("%s: %zu problem%s, nothing is wrong with it\n", query->config_path,
		       query->config.n_problems, query->config.n_problems == 1 ? "" : "s");
	return status;
}

/* Requesting all models now overrides the conditions of the configuration. */
static void say_what_is_ignored(const struct ft_manager_config *config)
{
	size_t n = config->policies.n;
	char text[160];

	for (size_t i = 0; i < config->n_problems; i++)
		n += config->problem[i].policies.n;
	if (!n)
		return;
	(void)snprintf(text, sizeof text,
		       "%zu polic%s ignored: everything is built now, even while users are active", n,
		       n == 1 ? "y is" : "ies are");
	say_line(NULL, text);
}

/* Models of all problems, now. */
static int build_problems(struct manager_query *query)
{
	struct ft_err err = {0};
	int status = CLI_DONE;
	size_t failed;

	say_what_is_ignored(&query->config);
	block_signals();
	query->options.say = say_line;
	if (ft_manager_build(&query->options, &failed, &err))
		status = cli_error(&err);
	else if (failed)
		status = CLI_NO;
	return status;
}

/* The page, of this user and this machine alone. */
static int serve_page(struct manager_query *query)
{
	char *path[FT_FIELD_TEXTS_MOST] = {0};
	struct ft_web_options options = {.store = query->options.store_path,
					 .port = (unsigned)query->port,
					 .report = (const char *const *)path,
					 .n_report = query->report.n};
	int status = CLI_DONE;

	if (query->port > 65535)
		return cli_fail("%zu is not a port: the last one is 65535", query->port);
	for (size_t i = 0; i < query->report.n && status == CLI_DONE; i++) {
		path[i] = realpath(query->report.text[i], NULL);
		if (!path[i] || access(path[i], R_OK))
			status = cli_fail("--report: cannot read '%s': %s", query->report.text[i],
					  strerror(errno));
	}
	cli_service_command(query->command);
	options.command = query->command;
	if (status == CLI_DONE)
		status = cli_serve_page(&options, query->open);
	for (size_t i = 0; i < query->report.n; i++)
		free(path[i]);
	return status;
}

static int take_action(struct manager_query *query, const struct cli_words *words)
{
	const char *word = words->n == 1 ? words->word[0] : "", *first = words->n ? words->word[0] : "";
	bool explain = !strcmp(word, "explain"), builds = !strcmp(word, "build"),
	     stops = !strcmp(first, "stop"), goes_on = !strcmp(first, "continue");
	bool manages = query->config_path || query->check || query->options.socket_path ||
		       query->options.open_to_all || query->options.address || query->certificate ||
		       query->key || query->token || query->host.n || query->options.spool_path;

	if ((query->page || query->report.n) && words->n)
		return cli_fail("the page and a manager are two services\n"
				"hint: begin foretime serve twice, with --page and without it");
	if (!manages && !words->n && !query->json)
		return serve_page(query);
	if (query->options.socket_path && !strcmp(query->options.socket_path, "default"))
		query->options.socket_path = NULL;
	CLI_TRY(read_config(query));
	if (stops || goes_on)
		return words->n == 2 ? manager_stop(query->options.socket_path, words->word[1], stops)
				     : cli_fail("'serve %s' takes one NAME", first);
	if (words->n && !explain && !builds)
		return cli_fail("'serve' takes no '%s'", words->word[0]);
	if (query->json && !explain)
		return cli_fail("--json goes with 'serve explain' alone");
	if (!query->config_path && (word[0] || query->check)) {
		const char *what = word[0] ? word : "--dry-run";
		return cli_fail("%s needs a configuration\n"
				"hint: name it with --config FILE; its format: man foretime-manager.conf",
				what);
	}
	if (explain)
		return manager_explain(&query->config, query->user, query->json);
	if (query->check)
		return check_problems(query);
	return builds ? build_problems(query) : read_secrets_and_serve(query);
}

static int run_serve(const struct cli_command *command, int argc, char **argv)
{
	struct manager_query query = {0};
	const struct ft_field options[] = {
		{0, "page", FT_FIELD_FLAG, &query.page, NULL, "serve the page for browsers (default)",
		 .not_with = "config dry-run socket everybody listen certificate key token host spool"},
		{0, "open", FT_FIELD_FLAG, &query.open, NULL, "open the page in the browser of this desktop"},
		{0, "port", FT_FIELD_COUNT, &query.port, "N",
		 "port of the page on 127.0.0.1; default: a free one"},
		{0, "report", FT_FIELD_TEXTS, &query.report, "FILE",
		 "jobs for the page's report; may be repeated",
		 .not_with = "config dry-run socket everybody listen certificate key token host spool"},
		{0, "config", FT_FIELD_TEXT, &query.config_path, "FILE",
		 "manager.conf, or PMM's XML; options overrule it"},
		{0, "dry-run", FT_FIELD_FLAG, &query.check, NULL, "check the configuration, and end"},
		{0, "socket", FT_FIELD_TEXT, &query.options.socket_path, "PATH",
		 "socket of the manager; default: "
		 "$XDG_RUNTIME_DIR/foretime/manager.sock"},
		{0, "everybody", FT_FIELD_FLAG, &query.options.open_to_all, NULL,
		 "all users of this machine may ask, not ours alone", .of = "socket"},
		CLI_JSON_OPTIONS(query.json),
		CLI_STORE_OPTION(query.options.store_path),
		CLI_GROUP("who may ask a manager, and how"),
		{0, "listen", FT_FIELD_TEXT, &query.options.address, "HOST:PORT",
		 "answer over a network, too, with the first three keys"},
		{0, "certificate", FT_FIELD_TEXT, &query.certificate, "FILE.pem", "certificate for TLS",
		 .of = "listen"},
		{0, "key", FT_FIELD_TEXT, &query.key, "FILE.pem", "key of the certificate", .of = "listen"},
		{0, "token", FT_FIELD_TEXT, &query.token, "FILE", "token that each request has to bring",
		 .of = "listen"},
		{0, "host", FT_FIELD_TEXTS, &query.host, "NAME",
		 "host name in the address of requests; may be repeated", .of = "listen"},
		{0, "spool", FT_FIELD_TEXT, &query.options.spool_path, "FOLDER",
		 "where programs write what their calls took; default $XDG_STATE_HOME/foretime/spool"},
		{0},
	};
	struct cli_words words;
	if (argc == 3 && !strcmp(argv[1], "conf") && !strcmp(argv[2], "--help=man")) {
		struct ft_text text = {0}; /* of manager.conf's page */

		ft_manager_config_manual(&text);
		fputs(cli_given(text.failed ? NULL : text.s), stdout);
		ft_text_clear(&text);
		return CLI_DONE;
	}
	int status = cli_options_parse(command, options, argc, argv, &words);

	if (status != CLI_GO)
		return status;
	status = take_action(&query, &words);
	ft_manager_config_clear(&query.config);
	return status;
}

const struct cli_command cli_service = {
	"serve",
	"show the store in a browser, or answer programs (a manager)",
	"[--page] [--open] [--report FILE]... [--store PATH]\n"
	"--config FILE [--dry-run] [OPTION...]\n--socket PATH|default [OPTION...]\n"
	"build --config FILE\nexplain --config FILE [--json]\nstop NAME [--socket PATH]\n"
	"continue NAME [--socket PATH]",
	"It stays in the foreground until SIGTERM. The page is printed as an address; only this machine can "
	"open it, and\n"
	"only who has the token in that address. Ask a manager as\n"
	"  curl --unix-socket $XDG_RUNTIME_DIR/foretime/manager.sock \\\n"
	"       'http://x/predict/matmul?n=2048'\n"
	"or with foretime predict --manager. GET /openapi.json describes all requests.\n",
	NULL,
	run_serve,
};
