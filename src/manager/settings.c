/* SPDX-License-Identifier: GPL-3.0-or-later */
/* settings.c - what construction has of a configuration: made, exchanged for another one's, ended. */
#include "manager/construct_inside.h"

#include "base/alloc.h"
#include "base/clock.h"

#include <errno.h>
#include <poll.h>
#include <pwd.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/timerfd.h>
#include <unistd.h>

/* ---- beginning ----------------------------------------------------------------------------------------- */

/* All that belongs to one configuration. */
struct settings {
	struct ft__problem *problem;
	struct ft__stand *stand;
	struct ft_queued *queue;
	const struct ft_policies **policies;
	struct ft__watch *watch;
	int files; /* inotify, on the folders of what is run, as it is looked at; -1 */
	uid_t user;
	gid_t group;
};

static void settings_free(struct settings *s)
{
	ft__watch_free(s->watch);
	if (s->files >= 0)
		(void)close(s->files);
	ft_free(s->problem);
	ft_free(s->stand);
	ft_free(s->queue);
	ft_free(s->policies);
}

static enum ft_status listen_to(struct ft__construct *c, int fd, struct ft_err *err)
{
	struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};

	if (fd >= 0 && epoll_ctl(c->epoll, EPOLL_CTL_ADD, fd, &event))
		return ft_fail(err, FT_EUNAVAIL, "cannot watch the background load");
	return FT_OK;
}

static enum ft_status find_user(const char *name, uid_t *uid, gid_t *gid, struct ft_err *err)
{
	char text[16384];
	struct passwd entry, *found = NULL;

	*uid = (uid_t)-1;
	if (name && (getpwnam_r(name, &entry, text, sizeof text, &found) || !found))
		return ft_fail(err, FT_EINVAL, "there is no user '%.60s'", name);
	if (found) {
		*uid = found->pw_uid;
		*gid = found->pw_gid;
	}
	return FT_OK;
}

static double count_cpu_s(void *ctx)
{
	return ft__scope_cpu_s(ctx);
}

static enum ft_status settings_make(struct ft__construct *c, struct settings *s,
				    const struct ft_manager_config *config, struct ft_err *err)
{
	enum ft_status status = FT_OK;
	size_t n = config->n_problems;

	FT_TRY(find_user(config->user, &s->user, &s->group, err));
	s->problem = ft_calloc(n + 1, sizeof *s->problem);
	s->stand = ft_calloc(n + 1, sizeof *s->stand);
	s->queue = ft_calloc(n + 1, sizeof *s->queue);
	s->policies = ft_calloc(n + 1, sizeof *s->policies);
	if (!s->problem || !s->stand || !s->queue || !s->policies)
		return ft_nomem(err);
	for (size_t i = 0; i < n; i++) {
		ft__problem_begin(&s->problem[i], config, i, ft_clock_real_ns() / 1000000000);
		s->policies[i] = s->stand[i].policies = s->problem[i].policies;
	}
	status = ft__watch_new(&s->watch, &(struct ft__watch_needs){.policies = s->policies, .n = n}, err);
	s->files = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	if (!status) {
		ft__watch_count(s->watch, count_cpu_s, c->scope);
		status = listen_to(c, ft__watch_fd(s->watch), err);
	}
	return status ? status : listen_to(c, s->files, err);
}

/* What was there before is handed over. */
static void settle_problems(struct ft__construct *c, struct settings *s,
			    const struct ft_manager_config *config)
{
	/* A look that has not come back has a copy: it would be told of for ever. */
	if (c->files >= 0)
		(void)epoll_ctl(c->epoll, EPOLL_CTL_DEL, c->files, NULL);
	settings_free(&(struct settings){.problem = c->problem,
					 .stand = c->stand,
					 .queue = c->queue,
					 .policies = c->policies,
					 .watch = c->watch,
					 .files = c->files});
	c->config = config;
	c->user = s->user;
	c->group = s->group;
	c->problem = s->problem;
	c->stand = s->stand;
	c->queue = s->queue;
	c->policies = s->policies;
	c->watch = s->watch;
	c->files = s->files;
	c->n = config->n_problems;
	c->due_ns = 0;
	c->overlooked = true;
	*s = (struct settings){.files = -1};
}

static enum ft_status begin_problems(struct ft__construct *c, const struct ft_manager_config *config,
				     struct ft_err *err)
{
	struct settings s = {.files = -1};

	c->epoll = epoll_create1(EPOLL_CLOEXEC);
	c->timer = timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK | TFD_CLOEXEC);
	if (c->epoll < 0 || c->timer < 0)
		return ft_fail_errno(err, errno, "cannot watch for events");
	enum ft_status status = ft__scope_new(&c->scope, "benchmarks", err);
	if (!status)
		ft__scope_weigh(c->scope, c->options.dedicated);
	if (!status)
		status = listen_to(c, c->timer, err);
	if (!status)
		status = listen_to(c, ft__scope_fd(c->scope), err);
	if (!status)
		status = settings_make(c, &s, config, err);
	if (!status)
		settle_problems(c, &s, config);
	settings_free(&s);
	return status;
}

enum ft_status ft__construct_new(struct ft__construct **out, const struct ft__construct_options *options,
				 const struct ft_manager_config *config, struct ft_err *err)
{
	struct ft__construct *c = ft_calloc(1, sizeof *c);
	struct ft_err broken = {0};

	*out = NULL;
	if (!c)
		return ft_nomem(err);
	c->options = *options;
	c->epoll = c->timer = c->files = -1;
	c->kept_ns = c->looked_ns = ft_clock_ns();
	enum ft_status status = begin_problems(c, config, err);
	if (status) {
		ft__construct_free(c);
		return status;
	}
	if (ft__construct_recall(c, &broken))
		ft__construct_complain(c, &broken);
	/* From its first benchmark on it is known where they are. */
	ft__construct_keep(c);
	*out = c;
	return FT_OK;
}

/* Sweeps of problems that are not there any more. */
static void end_problems(struct ft__construct *c)
{
	for (size_t i = 0; c->problem && i < c->n; i++) {
		ft__child_leave(c->problem[i].child, &c->leaving);
		c->problem[i].child = NULL;
		ft__problem_end(&c->problem[i]);
	}
}

/* The one at work has nothing to say any more, but time to keep what is finished, and others to leave. */
static void end_sweeps(struct ft__construct *c)
{
	enum { LOOK_MS = 20, LINES_MOST = 64 };
	struct ft__child *child = c->work ? c->problem[c->which].child : NULL;
	int left_ms = 9000;
	struct ft__child_end end;
	const char *line;

	if (child) {
		ft__child_finish(child, 1e-3 * left_ms);
		c->problem[c->which].child = NULL;
	}
	end_problems(c);
	while (child && !ft__child_ended(child, &end) && left_ms > 0) {
		struct pollfd fd = {.fd = ft__child_fd(child), .events = POLLIN};

		left_ms -= poll(&fd, 1, LOOK_MS) ? 1 : LOOK_MS;
		for (int i = 0; i < LINES_MOST && ft__child_line(child, &line);)
			i++;
	}
	ft__child_leave(child, &c->leaving);
	ft__children_wait(&c->leaving, 3);
}

void ft__construct_free(struct ft__construct *c)
{
	if (!c)
		return;
	ft__construct_hurry(c, false);
	if (c->n)
		ft__construct_keep(c);
	end_sweeps(c);
	settings_free(&(struct settings){.problem = c->problem,
					 .stand = c->stand,
					 .queue = c->queue,
					 .policies = c->policies,
					 .watch = c->watch,
					 .files = c->files});
	ft__scope_free(c->scope);
	if (c->timer >= 0)
		(void)close(c->timer);
	if (c->epoll >= 0)
		(void)close(c->epoll);
	ft_free(c);
}

/* ---- another configuration ----------------------------------------------------------------------------- */

/* Whether a sweep of the one is one of the other: they would have the same command line. */
static bool is_same(struct ft__construct *c, const struct ft_manager_problem *a,
		    const struct ft_manager_problem *b)
{
	struct ft__words one = {0}, other = {0};
	const char *here = a->directory ? a->directory : "", *there = b->directory ? b->directory : "";

	ft__builder_words(a, c->options.command, c->options.store_path, &one);
	ft__builder_words(b, c->options.command, c->options.store_path, &other);
	bool same = !one.failed && !other.failed && one.n == other.n && !strcmp(here, there);
	for (size_t i = 0; same && i < one.n; i++)
		same = !strcmp(one.word[i], other.word[i]);
	ft__words_clear(&one);
	ft__words_clear(&other);
	return same;
}

static void take_over(struct ft__problem *to, struct ft__problem *from)
{
	const struct ft__problem fresh = *to;

	*to = *from;
	to->told = fresh.told;
	to->policies = fresh.policies;
	to->queued.priority = fresh.queued.priority;
	from->child = NULL;
	from->aside = NULL;
	from->state = NULL;
}

enum ft_status ft__construct_take(struct ft__construct *c, const struct ft_manager_config *config,
				  struct ft_err *err)
{
	const char *user = c->config->user ? c->config->user : "", *now = config->user ? config->user : "";
	struct settings s = {.files = -1};
	enum ft_status status = settings_make(c, &s, config, err);
	struct ft__problem *working = c->work ? &c->problem[c->which] : NULL;
	bool found = false;

	if (status) {
		settings_free(&s);
		return status;
	}
	for (size_t i = 0; i < config->n_problems; i++) {
		struct ft__problem *before = ft__construct_find(c, config->problem[i].program.name);

		if (!before || strcmp(user, now) != 0 || !is_same(c, before->told, &config->problem[i]))
			continue;
		if (before == working) {
			found = true;
			c->which = i;
		}
		take_over(&s.problem[i], before);
	}
	if (working && !found)
		ft__work_drop(c, working);
	end_problems(c);
	settle_problems(c, &s, config);
	return FT_OK;
}

void ft__construct_stale(struct ft__construct *c)
{
	for (size_t i = 0; i < c->n; i++)
		c->problem[i].stale = true;
}
