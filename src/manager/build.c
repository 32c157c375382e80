/* SPDX-License-Identifier: GPL-3.0-or-later */
/* build.c - document 001's first mode: all models of a configuration now. */
#include "base/alloc.h"
#include "manager/construct.h"
#include "manager/inside.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

static void tell_event(void *ctx, const struct ft_told_event *event)
{
	const struct ft_manager_options *options = ctx;
	struct ft_text text = {0};

	/* That it has ended comes soon enough. */
	if (!strcmp(event->event, "started"))
		return;
	ft__told_event(event, &text);
	if (text.s && options->say)
		options->say(options->ctx, text.s);
	ft_text_clear(&text);
}

static int open_signals(struct ft_err *err)
{
	sigset_t set;

	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGTERM);
	(void)sigaddset(&set, SIGINT);
	int fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	if (fd < 0)
		(void)ft_fail_errno(err, errno, "cannot take signals");
	return fd;
}

/* Until all is built, or a signal comes. */
static enum ft_status run_until_built(struct ft__construct *construct, int signals, size_t *failed,
				      struct ft_err *err)
{
	struct pollfd fd[] = {{.fd = signals, .events = POLLIN},
			      {.fd = ft__construct_fd(construct), .events = POLLIN}};

	ft__construct_run(construct);
	while (!ft__construct_over(construct, failed)) {
		if (poll(fd, 2, ft__construct_wait_ms(construct)) < 0 && errno != EINTR)
			return ft_fail_errno(err, errno, "cannot wait for events");
		if (fd[0].revents)
			return ft_fail(err, FT_EINTR, "interrupted; what is finished is kept");
		ft__construct_run(construct);
	}
	return FT_OK;
}

static enum ft_status build_all(const struct ft_manager_options *options, const char *store_path, int signals,
				size_t *failed, struct ft_err *err)
{
	struct ft__construct_options how = {.command = options->command,
					    .store_path = store_path,
					    .always = true,
					    .dedicated = true,
					    .tell = tell_event,
					    .ctx = (void *)(uintptr_t)options};
	struct ft__construct *construct = NULL;
	enum ft_status status = ft__construct_new(&construct, &how, options->config, err);

	if (!status)
		status = run_until_built(construct, signals, failed, err);
	ft__construct_free(construct);
	return status;
}

enum ft_status ft_manager_build(const struct ft_manager_options *options, size_t *failed, struct ft_err *err)
{
	struct ft__store_at store = {0};
	enum ft_status status = ft__store_place(options->store_path, options->config, &store, err);
	int signals = status ? -1 : open_signals(err);

	*failed = 0;
	if (!status)
		status = signals < 0 ? FT_EIO : build_all(options, store.path, signals, failed, err);
	if (signals >= 0)
		(void)close(signals);
	ft_free(store.path);
	return status;
}
