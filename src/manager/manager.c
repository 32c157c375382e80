/* SPDX-License-Identifier: GPL-3.0-or-later */
/* manager.c - the event loop: requests, the worker, signals. */
#include "base/alloc.h"
#include "base/clock.h"
#include "base/text.h"
#include "http/client.h"
#include "manager/config.h"
#include "manager/inside.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static void manager_say(const struct ft_manager *manager, const char *text);

/*
 * Notify the service manager with a datagram, which is all that libsystemd would do for us.
 */

/* ft__notify - sd_notify(3): "READY=1", "STOPPING=1", "RELOADING=1
 * MONOTONIC_USEC=..."; nothing without NOTIFY_SOCKET. */
static void ft__notify(const char *text)
{
	const char *path = getenv("NOTIFY_SOCKET");
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	size_t length = path ? strlen(path) : 0;

	if (!length || length >= sizeof at.sun_path || (*path != '/' && *path != '@'))
		return;
	memcpy(at.sun_path, path, length);
	if (*path == '@') /* it has no file */
		at.sun_path[0] = '\0';
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return;
	(void)sendto(fd, text, strlen(text), MSG_NOSIGNAL | MSG_DONTWAIT, (const struct sockaddr *)&at,
		     (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length));
	(void)close(fd);
}

/*
 * SIGHUP: read the configuration again.
 */

static enum ft_status trust_users(struct ft_manager *manager, const struct ft_manager_config *config,
				  struct ft_err *err)
{
	return ft__timings_trust(manager->timings, (const char *const *)config->trusted, config->n_trusted,
				 err);
}

/* An invalid file changes nothing. */
static enum ft_status read_again(struct ft_manager *manager, struct ft_err *err)
{
	struct ft_manager_config *config = ft_calloc(1, sizeof *config);

	if (!config)
		return ft_nomem(err);
	enum ft_status status = ft_manager_config_read(config, manager->options.config_path, err);
	if (!status)
		status = trust_users(manager, config, err);
	if (!status && (status = ft__construct_take(manager->construct, config, err)))
		(void)trust_users(manager, manager->reloaded ? manager->reloaded : manager->options.config,
				  NULL);
	if (status) {
		ft_manager_config_clear(config);
		ft_free(config);
		return status;
	}
	if (manager->reloaded)
		ft_manager_config_clear(manager->reloaded);
	ft_free(manager->reloaded);
	manager->reloaded = config;
	return FT_OK;
}

/*
 * The event loop: requests, the worker, signals.
 */

/* A disconnected listener is detected at the next write. */
enum { BEAT_MS = 15000 };

/* manager_say - a line for the journal. */
static void manager_say(const struct ft_manager *manager, const char *text)
{
	if (manager->options.say)
		manager->options.say(manager->options.ctx, text);
}

/* ---- events from elsewhere
   ---------------------------------------------------------------------------------- */

static void store_changed(void *ctx)
{
	struct ft_manager *manager = ctx;

	manager->stale++;
	ft__snapshots_check(manager->snapshots);
	if (manager->revisit)
		ft__revisit_look(manager->revisit);
	(void)ft_http_feed_add(manager->feed, "store", "{}");
}

static void timings_taken(void *ctx, const struct ft__taken *answer, const struct ft_err *failed)
{
	struct ft_manager *manager = ctx;
	struct ft_text text = {0};

	manager->spooled.runs += answer->runs;
	manager->spooled.bad += answer->bad;
	manager->spooled.unread = answer->unread;
	if (failed->status)
		ft_text_add(&text, "timings wait: %s", failed->text);
	else if (answer->bad)
		ft_text_add(&text, "%lu line%s of timings left out: %s", answer->bad,
			    answer->bad == 1 ? "" : "s", answer->why);
	else if (answer->unread)
		ft_text_add(&text, "%lu of the files of timings cannot be read", answer->unread);
	if (answer->anew && !failed->status)
		ft_text_add(&text, "%s'%s' was replaced, and is read from its start%s", text.s ? "; " : "",
			    answer->begun, answer->anew > 1 ? ", as were further ones" : "");
	if (text.s)
		manager_say(manager, text.s);
	ft_text_clear(&text);
	if (answer->runs && manager->construct)
		ft__construct_stale(manager->construct);
}

static void snapshot_ready(void *ctx)
{
	ft__routes_again(ctx);
}

static void tell_event(void *ctx, const struct ft_answer_event *event)
{
	struct ft_manager *manager = ctx;
	json_t *answer = ft_tell_json(&ft_tell_event, event, NULL);
	char *json = answer ? json_dumps(answer, JSON_COMPACT) : NULL;
	struct ft_text text = {0};

	if (json)
		(void)ft_http_feed_add(manager->feed, event->event, json);
	free(json);
	json_decref(answer);
	/* Single runs are reported only to listeners of events. */
	if (!strcmp(event->event, "started") || !strcmp(event->event, "ran"))
		return;
	ft__answer_event(event, &text);
	if (text.s)
		manager_say(manager, text.s);
	ft_text_clear(&text);
}

enum { TOKEN_LEAST = 16 };

/* ---- beginning ----------------------------------------------------------------------------------------- */

/* The folder of our socket: a user who could write there could impersonate us. */
static enum ft_status make_folder(const char *socket_path, struct ft_err *err)
{
	const char *slash = strrchr(socket_path, '/');
	char *folder =
		slash && slash > socket_path ? ft_strndup(socket_path, (size_t)(slash - socket_path)) : NULL;
	enum ft_status status = FT_OK;

	if (!slash || slash == socket_path)
		return FT_OK;
	if (!folder)
		return ft_nomem(err);
	if (mkdir(folder, 0700) && errno != EEXIST)
		status = ft_fail_errno(err, errno, "cannot make the folder '%s'", folder);
	if (!status)
		status = ft_manager_check_file(folder, (uid_t)-1, err);
	ft_free(folder);
	return status;
}

/* Of two managers that begin at once, one gets the lock. Its file is next to the socket, and stays. On a
 * file system without locks the socket alone decides. */
static enum ft_status lock_socket(struct ft_manager *manager, struct ft_err *err)
{
	struct ft_text path = {0};
	enum ft_status status = FT_OK;

	ft_text_add(&path, "%s.lock", manager->socket_path);
	if (path.failed)
		return ft_nomem(err);
	manager->lock = open(path.s, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (manager->lock < 0)
		status = ft_fail_errno(err, errno, "cannot open '%s'", path.s);
	else if (flock(manager->lock, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
		status = ft_fail(err, FT_EEXIST, "somebody answers at '%s' already", manager->socket_path);
	ft_text_clear(&path);
	return status;
}

static enum ft_status serve_unix(struct ft_manager *manager, struct ft_err *err)
{
	struct ft_http_listener listener = {0};
	char *path;
	enum ft_status status = ft_http_listen_handed(&listener.fd, &path, err);

	if (path) {
		ft_free(manager->socket_path);
		manager->socket_path = path;
	}
	/* A socket opened by another process is not ours to remove. */
	if (!status && listener.fd >= 0)
		return ft_http_serve(manager->http, &listener, err);
	if (!status)
		status = make_folder(manager->socket_path, err);
	if (!status)
		status = lock_socket(manager, err);
	if (!status)
		status = ft_http_listen_unix(manager->socket_path, manager->options.open_to_all ? 0666 : 0600,
					     &listener.fd, err);
	manager->listens = !status;
	return status ? status : ft_http_serve(manager->http, &listener, err);
}

static enum ft_status serve_tcp(struct ft_manager *manager, struct ft_err *err)
{
	const struct ft_manager_options *options = &manager->options;
	struct ft_http_listener listener = {.certificate = options->certificate,
					    .key = options->key,
					    .token = options->token,
					    .host = options->host,
					    .read_only = true};

	if (!options->address)
		return FT_OK;
	if (!options->certificate || !options->key || !options->token) {
		(void)ft_fail(err, FT_EINVAL, "over a network it answers only with TLS and a token");
		return ft_remedy(err, "state a certificate, a key and a token, or leave out the address");
	}
	if (strlen(options->token) < TOKEN_LEAST) {
		(void)ft_fail(err, FT_EINVAL,
			      "the token is too short (%zu bytes): one of less than %d can be guessed",
			      strlen(options->token), TOKEN_LEAST);
		return ft_remedy(err, "write a longer one into its file: head -c 24 /dev/urandom | base64");
	}
	FT_TRY(ft_http_listen_tcp(options->address, &listener.fd, err));
	manager->port = ft_http_port(listener.fd);
	return ft_http_serve(manager->http, &listener, err);
}

static enum ft_status find_paths(struct ft_manager *manager, struct ft_err *err)
{
	enum ft_status status = FT_OK;
	const struct ft_manager_options *options = &manager->options;

	FT_TRY(ft__store_place(options->store_path, options->config, &manager->store, err));
	manager->store.prior = options->prior;
	manager->socket_path =
		manager->options.socket_path ? ft_strdup(manager->options.socket_path) : ft__http_socket();
	if (options->spool_path)
		manager->spool_path = ft_strdup(options->spool_path);
	else
		status = ft__timings_folder(&manager->spool_path, err);
	if (status)
		return status;
	manager->state_path = ft__construct_state(manager->store.path);
	return manager->store.path && manager->socket_path && manager->spool_path && manager->state_path
		       ? FT_OK
		       : ft_nomem(err);
}

static enum ft_status watch_fd(struct ft_manager *manager, int fd, struct ft_err *err)
{
	struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};

	if (epoll_ctl(manager->epoll, EPOLL_CTL_ADD, fd, &event))
		return ft_fail_errno(err, errno, "cannot watch for events");
	return FT_OK;
}

static enum ft_status take_signals(struct ft_manager *manager, struct ft_err *err)
{
	sigset_t set;

	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGTERM);
	(void)sigaddset(&set, SIGINT);
	(void)sigaddset(&set, SIGHUP);
	(void)sigaddset(&set, SIGCHLD);
	manager->signals = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	return manager->signals < 0 ? ft_fail_errno(err, errno, "cannot take signals")
				    : watch_fd(manager, manager->signals, err);
}

static uint64_t count_query(void *ctx, const char *name)
{
	return ft__snapshots_query(((struct ft_manager *)ctx)->snapshots, name);
}

static void complain_of_load(void *ctx, const struct ft_err *err)
{
	struct ft_text text = {0};

	ft_text_add(&text, "the background load is not recorded: %s", err->text);
	if (*err->remedy)
		ft_text_add(&text, " (%s)", err->remedy);
	if (text.s)
		manager_say(ctx, text.s);
	ft_text_clear(&text);
}

static enum ft_status begin_construct(struct ft_manager *manager, struct ft_err *err)
{
	const struct ft_manager_options *options = &manager->options;
	const struct ft__construct_options how = {.command = options->command,
						  .store_path = manager->store.path,
						  .state_path = manager->state_path,
						  .tell = tell_event,
						  .query = count_query,
						  .ctx = manager};

	if (!options->config)
		return FT_OK;
	enum ft_status status = ft__construct_new(&manager->construct, &how, options->config, err);
	if (!status)
		status = ft__revisit_new(&manager->revisit, manager->construct, manager->worker, err);
	if (!status) {
		/* Models are built even if the background load cannot be observed. */
		const struct ft_manager_config *config = manager->options.config;
		const struct ft__history_options record = {.at = &manager->store,
							   .worker = manager->worker,
							   .period_s = config->load_period_s,
							   .load_path = config->load_path,
							   .most = config->load_history,
							   .complain = complain_of_load,
							   .ctx = manager};
		struct ft_err why = {0};

		if (ft__history_new(&manager->history, &record, &why))
			complain_of_load(manager, &why);
	}
	return status ? status : watch_fd(manager, ft__construct_fd(manager->construct), err);
}

static enum ft_status begin_to_read(struct ft_manager *manager, struct ft_err *err)
{
	FT_TRY(ft__worker_new(&manager->worker, &manager->store, store_changed, manager, err));
	FT_TRY(watch_fd(manager, ft__worker_fd(manager->worker), err));
	return ft__snapshots_new(&manager->snapshots, &manager->store, manager->worker, snapshot_ready,
				 manager, err);
}

static enum ft_status begin_service(struct ft_manager *manager, struct ft_err *err)
{
	enum ft_status status = find_paths(manager, err);

	manager->epoll = epoll_create1(EPOLL_CLOEXEC);
	manager->cache = ft__cache_new();
	if (!status && manager->epoll < 0)
		status = ft_fail_errno(err, errno, "cannot watch for events");
	if (!status && !manager->cache)
		status = ft_nomem(err);
	if (!status) {
		status = ft_http_new(&manager->http, ft__routes, manager, ft__routes_peek, NULL, err);

		if (!status)
			status = ft_http_feed_new(&manager->feed, manager->http, err);
		if (!status)
			status = serve_unix(manager, err);
		if (!status)
			status = serve_tcp(manager, err);
		if (!status)
			status = watch_fd(manager, ft_http_fd(manager->http), err);
	}
	if (!status)
		status = begin_to_read(manager, err);
	if (!status) {
		status = ft__timings_new(&manager->timings, &manager->store, manager->spool_path,
					 manager->worker, timings_taken, manager, err);

		if (!status)
			status = ft__timings_trust(manager->timings, manager->options.trusted,
						   manager->options.n_trusted, err);
		if (!status && ft__timings_fd(manager->timings) >= 0)
			status = watch_fd(manager, ft__timings_fd(manager->timings), err);
	}
	if (!status)
		status = begin_construct(manager, err);
	return status ? status : take_signals(manager, err);
}

enum ft_status ft_manager_new(struct ft_manager **out, const struct ft_manager_options *options,
			      struct ft_err *err)
{
	struct ft_manager *manager = ft_calloc(1, sizeof *manager);

	*out = NULL;
	if (!manager)
		return ft_nomem(err);
	manager->options = *options;
	manager->signals = manager->lock = -1;
	manager->began_ns = ft_clock_ns();
	enum ft_status status = begin_service(manager, err);
	if (status)
		ft_manager_free(manager);
	else
		*out = manager;
	return status;
}

void ft_manager_free(struct ft_manager *manager)
{
	if (!manager)
		return;
	/* The worker's last results are answered; then waiting clients are notified of the end. */
	if (manager->http)
		ft_http_end(manager->http);
	manager->n_waiting = 0;
	ft__worker_free(manager->worker);
	ft__construct_free(manager->construct);
	ft__revisit_free(manager->revisit);
	ft__history_free(manager->history);
	ft_http_free(manager->http);
	ft_http_feed_free(manager->feed);
	ft__timings_free(manager->timings);
	ft__snapshots_free(manager->snapshots);
	ft__cache_free(manager->cache);
	ft_free(manager->waiting);
	if (manager->signals >= 0)
		(void)close(manager->signals);
	if (manager->epoll >= 0)
		(void)close(manager->epoll);
	/* The socket goes while the lock is still ours. */
	if (manager->listens)
		(void)unlink(manager->socket_path);
	if (manager->lock >= 0)
		(void)close(manager->lock);
	ft_free(manager->store.path);
	ft_free(manager->socket_path);
	ft_free(manager->spool_path);
	ft_free(manager->state_path);
	if (manager->reloaded)
		ft_manager_config_clear(manager->reloaded);
	ft_free(manager->reloaded);
	ft_free(manager);
}

/* ---- the loop ------------------------------------------------------------------------------------------ */

/* Whether it ends. */
static bool hear_signals(struct ft_manager *manager)
{
	struct signalfd_siginfo info;
	bool ends = false;

	while (read(manager->signals, &info, sizeof info) == (ssize_t)sizeof info) {
		ends = ends || info.ssi_signo == SIGTERM || info.ssi_signo == SIGINT;
		if (info.ssi_signo == SIGHUP) {
			/* Read the configuration again, and report the result. */
			struct ft_text text = {0};
			struct ft_err err = {0};

			if (!manager->construct || !manager->options.config_path)
				ft_text_add(&text, "there is no configuration to be read again");
			else if (read_again(manager, &err))
				ft_text_add(&text, "the configuration stays as it was: %s%s%s", err.text,
					    *err.remedy ? "; " : "", err.remedy);
			else
				ft_text_add(&text, "the configuration was read again: %zu problem%s",
					    manager->reloaded->n_problems,
					    manager->reloaded->n_problems == 1 ? "" : "s");
			manager_say(manager, text.s ? text.s : "the configuration was read again");
			ft_text_clear(&text);
		}
	}
	return ends;
}

static int sooner_of(int a, int b)
{
	return a < 0 || (b >= 0 && b < a) ? b : a;
}

static int wait_ms(const struct ft_manager *manager)
{
	int ms = sooner_of(ft_http_wait_ms(manager->http), ft__timings_wait_ms(manager->timings));

	if (manager->construct)
		ms = sooner_of(ms, ft__construct_wait_ms(manager->construct));
	if (manager->history)
		ms = sooner_of(ms, ft__history_wait_ms(manager->history));
	if (ft_http_feed_listeners(manager->feed) && (ms < 0 || ms > BEAT_MS))
		ms = BEAT_MS;
	return ms;
}

/* Handle an event of the loop. Returns whether it ends. */
static bool hear_event(struct ft_manager *manager, const struct epoll_event *event, int n, bool *constructs)
{
	bool ends = false;

	for (int i = 0; i < n; i++) {
		if (event[i].data.fd == manager->signals)
			ends = hear_signals(manager);
		else if (event[i].data.fd == ft__worker_fd(manager->worker))
			ft__worker_finish(manager->worker);
		else if (manager->construct && event[i].data.fd == ft__construct_fd(manager->construct))
			*constructs = true;
	}
	return ends;
}

static void beat_feed(struct ft_manager *manager)
{
	if (!ft_http_feed_listeners(manager->feed) || ft_clock_ns() - manager->beat_ns <= BEAT_MS * 1000000LL)
		return;
	manager->beat_ns = ft_clock_ns();
	ft_http_feed_beat(manager->feed);
}

enum ft_status ft_manager_run(struct ft_manager *manager, struct ft_err *err)
{
	bool ends = false;

	manager->beat_ns = ft_clock_ns();
	struct ft_text text = {0};

	ft_text_add(&text, "answers at %s", manager->socket_path);
	if (manager->port) /* 0 in the address is any free one */
		ft_text_add(&text, ", and at https://%.*s:%u",
			    (int)(strrchr(manager->options.address, ':') - manager->options.address),
			    manager->options.address, manager->port);
	manager_say(manager, text.s ? text.s : "answers");
	ft_text_clear(&text);
	ft__notify("READY=1");
	while (!ends) {
		struct epoll_event event[8];
		int n = epoll_wait(manager->epoll, event, 8, wait_ms(manager));
		bool constructs = manager->construct && !ft__construct_wait_ms(manager->construct);

		if (n < 0 && errno != EINTR)
			return ft_fail_errno(err, errno, "cannot wait for events");
		ends = hear_event(manager, event, n, &constructs);
		/* A user who appears must not wait for the requests of clients. */
		if (constructs)
			ft__construct_run(manager->construct);
		if (manager->history)
			ft__history_run(manager->history, ft__construct_quiet(manager->construct));
		beat_feed(manager);
		ft__timings_run(manager->timings);
		ft_http_run(manager->http);
	}
	manager_say(manager, "ends");
	ft__notify("STOPPING=1");
	return FT_OK;
}
