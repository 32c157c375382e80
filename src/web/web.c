/* SPDX-License-Identifier: GPL-3.0-or-later */
/* web.c - the server of the page: its port, its token, its loop. */
#include "base/alloc.h"
#include "base/clock.h"
#include "base/text.h"
#include "http/client.h"
#include "sweep/door.h"
#include "web/files.h"
#include "web/inside.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

bool ft_web_has_page(void)
{
	return ft__web_files[0].name;
}

const char *ft_web_url(const struct ft_web *web)
{
	return web->url;
}

/* ---- beginning ----------------------------------------------------------------------------------------- */

/* 192 random bits, in letters that are valid in an address. */
static char *make_token(void)
{
	static const char letter[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
	unsigned char byte[32];
	struct ft_text text = {0};

	if (getrandom(byte, sizeof byte, 0) != (ssize_t)sizeof byte)
		return NULL;
	for (size_t i = 0; i < sizeof byte; i++)
		ft_text_add(&text, "%c", letter[byte[i] % 64]);
	return ft_text_take(&text);
}

static enum ft_status listen_here(struct ft_web *web, struct ft_err *err)
{
	static const char *const hosts[] = {"127.0.0.1", "localhost", NULL};
	struct ft_text text = {0};
	struct ft_http_listener listener = {.token = web->token, .host = hosts, .browsers = true};

	ft_text_add(&text, "127.0.0.1:%u", web->options.port);
	enum ft_status status = text.failed ? ft_nomem(err) : ft_http_listen_tcp(text.s, &listener.fd, err);
	ft_text_clear(&text);
	if (status)
		return status;
	ft_text_add(&text, "http://127.0.0.1:%u/#token=%s", ft_http_port(listener.fd), web->token);
	web->url = ft_text_take(&text);
	status = ft_http_serve(web->http, &listener, err);
	if (!status && !web->url)
		status = ft_nomem(err);
	return status ? status : ft__web_watch(web, ft_http_fd(web->http), err);
}

static enum ft_status begin_server(struct ft_web *web, struct ft_err *err)
{
	web->token = make_token();
	web->socket = web->options.manager ? ft_strdup(web->options.manager) : ft__http_socket();
	if (!web->token || !web->socket)
		return ft_fail(err, FT_EUNAVAIL, "cannot make a token: nothing random, or no memory");
	web->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (web->epoll < 0)
		return ft_fail_errno(err, errno, "cannot serve");
	enum ft_status status = ft_http_new(&web->http, ft__web_routes, web, NULL, NULL, err);
	if (!status)
		status = ft_http_feed_new(&web->feed, web->http, err);
	if (!status) {
		sigset_t set;

		(void)sigemptyset(&set);
		(void)sigaddset(&set, SIGTERM);
		(void)sigaddset(&set, SIGINT);
		web->signals = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
		status = web->signals < 0 ? ft_fail_errno(err, errno, "cannot take signals")
					  : ft__web_watch(web, web->signals, err);
	}
	if (!status)
		status = ft__seats_open(web, err);
	if (!status)
		status = ft__look_open(web, err);
	return status ? status : listen_here(web, err);
}

enum ft_status ft_web_new(struct ft_web **out, const struct ft_web_options *options, struct ft_err *err)
{
	*out = NULL;
	if (!ft_web_has_page()) {
		(void)ft_fail(err, FT_EUNAVAIL, "this foretime was built without its page");
		return ft_remedy(err, "install npm and build it again with a network: meson setup "
				      "--reconfigure -Dpage=enabled BUILD");
	}
	struct ft_web *web = ft_calloc(1, sizeof *web);
	if (!web)
		return ft_nomem(err);
	web->options = *options;
	web->epoll = web->signals = -1;
	enum ft_status status = begin_server(web, err);
	if (status)
		ft_web_free(web);
	else
		*out = web;
	return status;
}

void ft_web_free(struct ft_web *web)
{
	if (!web)
		return;
	ft_http_free(web->http);
	ft_http_feed_free(web->feed);
	ft__seats_close(web);
	ft__shelf_clear(&web->shelf);
	ft__look_close(web);
	if (web->signals >= 0)
		(void)close(web->signals);
	if (web->epoll >= 0)
		(void)close(web->epoll);
	ft_free(web->url);
	ft_free(web->token);
	ft_free(web->socket);
	ft_free(web);
}

/* ---- serving ------------------------------------------------------------------------------------------- */

static bool has_signal(const struct ft_web *web)
{
	struct signalfd_siginfo info;

	return read(web->signals, &info, sizeof info) == (ssize_t)sizeof info;
}

static int sooner_of(int a, int b)
{
	return a < 0 ? b : b < 0 || a < b ? a : b;
}

enum ft_status ft_web_run(struct ft_web *web, struct ft_err *err)
{
	while (!has_signal(web)) {
		struct epoll_event event[8];

		ft_http_run(web->http);
		ft__seats_settle(web);
		ft__look_go(web);
		ft_http_run(web->http);
		int wait_ms = sooner_of(sooner_of(ft_http_wait_ms(web->http), ft__look_wait_ms(web)),
					ft__seats_wait_ms(web));
		if (epoll_wait(web->epoll, event, 8, wait_ms) < 0 && errno != EINTR)
			return ft_fail_errno(err, errno, "cannot go on serving");
	}
	return FT_OK;
}

/*
 * What changes while somebody looks at the page: files of the store, the queue of a manager. Both
 * are queried by threads of their own, so that neither can hold up the server.
 */

/* A look is two stats, the files of running builds, and a question to a manager: some 0.2 ms. */
#define LOOK_NS 250000000LL

/* ---- the store ----------------------------------------------------------------------------------------- */

static void add_stamp(struct ft_text *text, const char *store, const char *end)
{
	struct ft_text path = {0};
	struct stat st;

	ft_text_add(&path, "%s%s", store, end);
	if (!path.failed && !stat(path.s, &st) && st.st_size)
		ft_text_add(text, "%" PRIdMAX ".%09ld %" PRIdMAX " ", (intmax_t)st.st_mtim.tv_sec,
			    st.st_mtim.tv_nsec, (intmax_t)st.st_size);
	else
		ft_text_add(text, "- ");
	ft_text_clear(&path);
}

/* What changes when runs are added: time and length of the file, and of its journal, which is empty where
 * somebody only reads; it may hang as the file system does. Heap; NULL: no memory. */
static char *stamp_of(const char *store)
{
	struct ft_text text = {0};

	add_stamp(&text, store, "");
	add_stamp(&text, store, "-wal");
	return ft_text_take(&text);
}

/* What is no JSON is no build's. */
static void add_build(void *list, const char *text)
{
	json_t *build = json_loads(text, 0, NULL);

	if (json_is_object(build))
		(void)json_array_append(list, build);
	json_decref(build);
}

static void look_at_store(void *what)
{
	struct ft__errand *errand = what;

	errand->text = stamp_of(errand->target);
	/* All running builds, one line; NULL: no memory. */
	json_t *list = json_array();

	ft_live_each(errand->target, add_build, list);
	char *line = list ? json_dumps(list, JSON_COMPACT | JSON_REAL_PRECISION(9)) : NULL,
	     *copy = ft_strdup(line);

	free(line);
	json_decref(list);
	errand->said = copy;
	errand->code = 200;
}

/* Where the command finds the store. Heap; NULL: no memory. */
static char *store_path(const struct ft_web *web)
{
	const char *named = getenv("FORETIME_STORE"), *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
	struct ft_text text = {0};

	if (web->options.store)
		ft_text_add(&text, "%s", web->options.store);
	else if (named && *named)
		ft_text_add(&text, "%s", named);
	else if (data && *data == '/')
		ft_text_add(&text, "%s/foretime/store.db", data);
	else
		ft_text_add(&text, "%s/.local/share/foretime/store.db", home ? home : "");
	return ft_text_take(&text);
}

/* ---- looking ------------------------------------------------------------------------------------------- */

enum ft_status ft__look_open(struct ft_web *web, struct ft_err *err)
{
	struct ft__web_look *look = &web->look;
	enum ft_status status =
		ft__aside_new(&look->store, sizeof(struct ft__errand), look_at_store, ft__errand_clear, err);

	if (!status)
		status = ft__aside_new(&look->manager, sizeof(struct ft__errand), ft__errand_run,
				       ft__errand_clear, err);
	if (!status)
		status = ft__web_watch(web, ft__aside_fd(look->store), err);
	return status ? status : ft__web_watch(web, ft__aside_fd(look->manager), err);
}

void ft__look_close(struct ft_web *web)
{
	ft__aside_free(web->look.store);
	ft__aside_free(web->look.manager);
	ft_free(web->look.answer_store);
	ft_free(web->look.answer_manager);
	ft_free(web->look.answer_builds);
}

static void look_ask_manager(struct ft__aside *aside, struct ft__errand errand)
{
	if (!errand.target || !ft__aside_ask(aside, &errand))
		ft__errand_clear(&errand);
}

/* An answer as one line; NULL: it is none. Heap, ends with free. */
static char *line_of(const struct ft__errand *errand)
{
	json_t *output = errand->code == 200 && errand->text ? json_loads(errand->text, 0, NULL) : NULL;
	char *line = output ? json_dumps(output, JSON_COMPACT) : NULL;

	json_decref(output);
	return line;
}

/* Whether it is another text than the last time, which it is from now on. */
static bool is_new(char **last, const char *text)
{
	if (*last && text && !strcmp(*last, text))
		return false;
	ft_free(*last);
	*last = ft_strdup(text);
	return true;
}

static void hear_look(struct ft_web *web)
{
	struct ft__web_look *look = &web->look;
	struct ft__errand errand;

	if (ft__aside_answer(look->store, &errand, 0)) {
		bool first = !look->answer_store;

		if (errand.text && is_new(&look->answer_store, errand.text) && !first)
			(void)ft_http_feed_add(web->feed, "store", "{}");
		if (errand.said && is_new(&look->answer_builds, errand.said))
			(void)ft_http_feed_add(web->feed, "builds", errand.said);
		ft__errand_clear(&errand);
	}
	if (ft__aside_answer(look->manager, &errand, 0)) {
		char *line = line_of(&errand);

		if ((line || look->answer_manager) && is_new(&look->answer_manager, line))
			(void)ft_http_feed_add(web->feed, "queue", line ? line : "null");
		free(line);
		ft__errand_clear(&errand);
	}
}

void ft__look_go(struct ft_web *web)
{
	struct ft__web_look *look = &web->look;
	int64_t now = ft_clock_ns();
	unsigned long begun = ft_http_feed_begun(web->feed);

	hear_look(web);
	/* Who begins to listen hears at once what is built, also if another one went at the same time (a page that is
	 * loaded again). */
	if (begun != look->begun) {
		ft_free(look->answer_builds);
		look->answer_builds = NULL;
		look->due_ns = now;
	}
	look->begun = begun;
	if (!ft_http_feed_listeners(web->feed) || now < look->due_ns)
		return;
	look->due_ns = now + LOOK_NS;
	look_ask_manager(look->store, (struct ft__errand){.target = store_path(web)});
	look_ask_manager(look->manager, (struct ft__errand){.target = ft_strdup("/queue"),
							    .socket = ft_strdup(web->socket)});
	ft_http_feed_beat(web->feed);
}

int ft__look_wait_ms(const struct ft_web *web)
{
	int64_t left = web->look.due_ns - ft_clock_ns();

	if (!ft_http_feed_listeners(web->feed))
		return -1;
	return left > 0 ? (int)(left / 1000000) + 1 : 0;
}

/* ---- files --------------------------------------------------------------------------------------------- */
