/* SPDX-License-Identifier: GPL-3.0-or-later */
/* web.c - the server of the page: its port, its token, its loop. */
#include "base/alloc.h"
#include "base/text.h"
#include "http/client.h"
#include "web/files.h"
#include "web/inside.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <unistd.h>

bool ft_web_has_page(void)
{
	return ft__web_files[0].name;
}

const char *ft_web_url(const struct ft_web *web)
{
	return web->url;
}

enum ft_status ft__web_watch(const struct ft_web *web, int fd, struct ft_err *err)
{
	struct epoll_event event = {.events = EPOLLIN};

	event.data.fd = fd;
	return epoll_ctl(web->epoll, EPOLL_CTL_ADD, fd, &event)
		       ? ft_fail_errno(err, errno, "cannot watch what is to be served")
		       : FT_OK;
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

static enum ft_status hear_signals(struct ft_web *web, struct ft_err *err)
{
	sigset_t set;

	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGTERM);
	(void)sigaddset(&set, SIGINT);
	web->signals = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	return web->signals < 0 ? ft_fail_errno(err, errno, "cannot take signals")
				: ft__web_watch(web, web->signals, err);
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
	if (!status)
		status = hear_signals(web, err);
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
		int wait_ms = sooner_of(ft_http_wait_ms(web->http), ft__look_wait_ms(web));
		if (epoll_wait(web->epoll, event, 8, wait_ms) < 0 && errno != EINTR)
			return ft_fail_errno(err, errno, "cannot go on serving");
	}
	return FT_OK;
}
