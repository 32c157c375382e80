/* SPDX-License-Identifier: GPL-3.0-or-later */
/* settings.c - the parts of construction that depend on the configuration: made, replaced, ended. */
#include "base/alloc.h"
#include "base/clock.h"
#include "foretime/measure.h"
#include "foretime/store.h"
#include "manager/construct.h"
#include "manager/inside.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <unistd.h>

/*
 * Which version of a program a problem runs, checked by a thread of its own.
 */

/* Everything is a copy, since the caller may have ended long before. */
struct version_question {
	struct ft_manager_problem problem; /* its program and folder */
	uid_t beside;
	int files;
	struct ft__version found;
};

static void clear_question(void *what)
{
	struct version_question *question = what;

	ft_program_clear(&question->problem.program);
	ft_free(question->problem.directory);
	question->problem.directory = NULL;
	if (question->files >= 0)
		(void)close(question->files);
	question->files = -1;
}

/* ---- the look ------------------------------------------------------------------------------------------ */

static bool is_file(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode);
}

/* The words of the command as they are files here; those that are none stay. */
static bool find_words(const struct ft_manager_problem *problem, int files, struct ft_program *found)
{
	char path[PATH_MAX];

	found->argv = ft_calloc(problem->program.argc + 1, sizeof *found->argv);
	for (size_t i = 0; found->argv && i < problem->program.argc; i++) {
		bool known = ft_manager_find_word(problem, i, path) && (!i || is_file(path));

		found->argv[i] = ft_strdup(known ? path : problem->program.argv[i]);
		if (!found->argv[i])
			return false;
		found->argc++;
		if (known && files >= 0) {
			/* Watch the folder of a file, to see also when the file is replaced. */
			char folder[PATH_MAX], *slash;

			(void)snprintf(folder, sizeof folder, "%s", path);
			slash = strrchr(folder, '/');
			if (slash)
				slash[slash == folder] = '\0';
			(void)inotify_add_watch(files, slash ? folder : ".",
						IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE |
							IN_ATTRIB);
		}
	}
	return found->argv;
}

static void find_version(void *what)
{
	struct version_question *question = what;
	struct ft__version *found = &question->found;
	struct ft_program program = {0};
	char *stamp = NULL;

	found->stamp[0] = '\0';
	found->fault = (struct ft_err){0};
	if (!find_words(&question->problem, question->files, &program))
		(void)ft_nomem(&found->fault);
	else if (!ft_program_stamp(&program, &stamp, NULL))
		(void)snprintf(found->stamp, sizeof found->stamp, "%s", stamp);
	free(stamp);
	ft_program_clear(&program);
	if (!found->fault.status)
		(void)ft_manager_check_problem(&question->problem, question->beside, &found->fault);
}

/* ---- starting a check
   -------------------------------------------------------------------------------------------- */

bool ft__version_ask(struct ft__aside **aside, const struct ft_manager_problem *problem, uid_t beside,
		     int files)
{
	struct version_question question = {.beside = beside, .files = -1};
	struct ft__version late;
	bool good = *aside || !ft__aside_new(aside, sizeof question, find_version, clear_question, NULL);

	if (!good)
		return false;
	/* An answer that came too late is outdated. */
	(void)ft__version_answer(*aside, &late, 0);
	if (ft__aside_asked_ns(*aside))
		return false;
	good = !ft_program_copy(&question.problem.program, &problem->program, NULL);
	if (good && problem->directory) {
		question.problem.directory = ft_strdup(problem->directory);
		good = question.problem.directory;
	}
	question.files = files < 0 ? -1 : fcntl(files, F_DUPFD_CLOEXEC, 0);
	if (good && ft__aside_ask(*aside, &question))
		return true;
	clear_question(&question);
	return false;
}

bool ft__version_answer(struct ft__aside *aside, struct ft__version *out, int wait_ms)
{
	struct version_question question;

	if (!aside || !ft__aside_answer(aside, &question, wait_ms))
		return false;
	*out = question.found;
	clear_question(&question);
	return true;
}

/*
 * The store, for sweeps of any user.
 */

/* Heap; NULL: no memory, or no folder. */
static char *absolute_path(const char *path)
{
	struct ft_text text = {0};
	char here[PATH_MAX] = "";

	if (*path != '/' && !getcwd(here, sizeof here))
		return NULL;
	ft_text_add(&text, "%s%s%s", *path == '/' ? "" : here, *path == '/' ? "" : "/", path);
	return ft_text_take(&text);
}

/* The user of benchmarks; (uid_t)-1: ourselves. */
static enum ft_status place_find_user(const struct ft_manager_config *config, uid_t *uid, gid_t *gid,
				      struct ft_err *err)
{
	const char *user = config && !geteuid() ? config->user : NULL;
	char text[16384];
	struct passwd entry, *found = NULL;

	*uid = (uid_t)-1;
	*gid = (gid_t)-1;
	if (user && (getpwnam_r(user, &entry, text, sizeof text, &found) || !found))
		return ft_fail(err, FT_EINVAL, "there is no user '%.60s'", user);
	if (found) {
		*uid = found->pw_uid;
		*gid = found->pw_gid;
	}
	return FT_OK;
}

/* The files that SQLite adds next to it get the same owner. */
static enum ft_status open_as(struct ft_store **store, const char *path, const char *user, uid_t uid,
			      gid_t gid, struct ft_err *err)
{
	if (!ft__rights_take(uid, gid))
		return ft_fail(err, FT_EACCESS, "cannot open the store with the rights of '%.60s'", user);
	enum ft_status status = ft_store_open(store, path, 0, err);
	ft__rights_back();
	if (status && status != FT_ENOTOURS && uid != (uid_t)-1)
		(void)ft_remedy(err, "give %.60s the folder of the store: chown", user);
	return status;
}

/* Its present path, as its user sees it: links that are added later are not followed. */
static char *without_links(const struct ft__store_at *at, const char *path)
{
	char real[PATH_MAX];
	bool good = ft__rights_take(at->user, at->group) && realpath(path, real);

	ft__rights_back();
	return good ? ft_strdup(real) : NULL;
}

enum ft_status ft__store_place(const char *path, const struct ft_manager_config *config,
			       struct ft__store_at *out, struct ft_err *err)
{
	struct ft_store *store = NULL;

	*out = (struct ft__store_at){0};
	enum ft_status status = place_find_user(config, &out->user, &out->group, err);
	if (!status)
		status = open_as(&store, path, config ? config->user : NULL, out->user, out->group, err);
	if (status)
		return status;
	out->path = out->user == (uid_t)-1 ? absolute_path(ft_store_path(store))
					   : without_links(out, ft_store_path(store));
	ft_store_close(store);
	return out->path ? FT_OK : ft_nomem(err);
}

/* A file of another user is not written with root's rights. */
static enum ft_status check_owner(const struct ft__store_at *at, struct ft_err *err)
{
	struct stat st;

	if (at->user == (uid_t)-1)
		return FT_OK;
	if (lstat(at->path, &st))
		return ft_fail_errno(err, errno, "cannot look at the store '%s'", at->path);
	if (S_ISREG(st.st_mode) && st.st_uid == at->user)
		return FT_OK;
	(void)ft_fail(err, FT_EACCESS, "the store '%s' is not the user's whom benchmarks run as", at->path);
	(void)ft_remedy(err, "chown -h %u '%.200s'", (unsigned)at->user, at->path);
	return FT_EACCESS;
}

enum ft_status ft__store_at_open(const struct ft__store_at *at, struct ft_store **out, unsigned flags,
				 struct ft_err *err)
{
	bool others = at->user != (uid_t)-1;

	*out = NULL;
	if (!ft__rights_take(at->user, at->group))
		return ft_fail(err, FT_EACCESS, "cannot open the store '%s' as its owner", at->path);
	enum ft_status status = ft_store_open(out, at->path, flags | (others ? FT_STORE_NO_LINKS : 0U), err);
	ft__rights_back();
	if (!status && (status = check_owner(at, err))) {
		ft_store_close(*out);
		*out = NULL;
	}
	if (!status)
		ft_store_set_prior(*out, at->prior);
	return status;
}

/*
 * Check executables before each benchmark, and after a model of them is built.
 */

/* Files that have not answered by then do not: a look takes some 0.1 ms, on a busy machine some 100. */
enum { FILES_LOOK_MS = 1000 };

/* Changes of links and folders on the way to an executable raise no event: a look is a stat of each. */
#define LOOK_NS (60 * 1000000000LL)

bool ft__files_look_one(struct ft__construct *c, struct ft__problem *problem, struct ft__version *found)
{
	*found = (struct ft__version){0};
	if (ft__version_ask(&problem->aside, problem->answer, c->user, c->files) &&
	    ft__version_answer(problem->aside, found, FILES_LOOK_MS))
		return ft__problem_look(problem, found);
	(void)ft_fail(&found->fault, FT_EUNAVAIL, "its files cannot be checked: no answer");
	(void)ft_remedy(&found->fault, "see whether the file system of '%.200s' is there",
			problem->answer->program.argv[0]);
	return false;
}

/* Sweeps that are alive look when they are chosen. */
static bool is_looked_at(const struct ft__construct *c, const struct ft__problem *p)
{
	return !p->child && (!p->left || p->failures) && !c->options.always;
}

/* Another version of a program is another model, and one that could not be run may be cured. Returns whether
 * it was answered. */
static bool take_version(struct ft__problem *p, int wait_ms)
{
	struct ft__version found;

	if (!ft__version_answer(p->aside, &found, wait_ms))
		return false;
	if (!ft__problem_look(p, &found))
		return true;
	p->verify = p->answer->contract && p->built_ns;
	ft__problem_recover(p);
	ft__problem_again(p);
	return true;
}

/* A check that did not return before is not waited for again, or we would do nothing else. */
static int wait_ms(const struct ft__construct *c, struct ft__problem *p)
{
	int64_t left_ns = c->looked_ns + FILES_LOOK_MS * 1000000LL - ft_clock_ns();

	if (!p->aside || ft__aside_asked_ns(p->aside) < c->looked_ns || left_ns <= 0)
		return 0;
	return (int)(left_ns / 1000000);
}

/* All checks are started before any is waited for, so that files that do not respond cost the time once. */
void ft__files_look(struct ft__construct *c)
{
	c->looked_ns = ft_clock_ns();
	c->unanswered = c->overlooked = false;
	for (size_t i = 0; i < c->n; i++)
		if (is_looked_at(c, &c->problem[i])) {
			(void)take_version(&c->problem[i], 0);
			(void)ft__version_ask(&c->problem[i].aside, c->problem[i].answer, c->user, c->files);
		}
	for (size_t i = 0; i < c->n; i++)
		if (is_looked_at(c, &c->problem[i]) &&
		    !take_version(&c->problem[i], wait_ms(c, &c->problem[i])))
			c->unanswered = true;
}

/* Checks without an answer are repeated soon. */
int64_t ft__files_due_ns(const struct ft__construct *c)
{
	if (c->overlooked)
		return 0;
	return c->looked_ns + (c->unanswered ? FILES_LOOK_MS * 1000000LL : LOOK_NS);
}

/* ---- beginning ----------------------------------------------------------------------------------------- */

/*
 * The parts of construction that depend on the configuration: made, replaced, ended.
 */

/* All that belongs to one configuration. */
struct settings {
	struct ft__problem *problem;
	struct ft__stand *stand;
	struct ft_queued *queue;
	const struct ft_policies **policies;
	struct ft__watch *watch;
	int files; /* inotify on the folders of executables; -1 */
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

static double count_cpu_s(void *ctx)
{
	return ft__scope_cpu_s(ctx);
}

static enum ft_status settings_make(struct ft__construct *c, struct settings *s,
				    const struct ft_manager_config *config, struct ft_err *err)
{
	enum ft_status status = FT_OK;
	size_t n = config->n_problems;

	char text[16384];
	struct passwd entry, *found = NULL;

	s->user = (uid_t)-1;
	if (config->user && (getpwnam_r(config->user, &entry, text, sizeof text, &found) || !found))
		return ft_fail(err, FT_EINVAL, "there is no user '%.60s'", config->user);
	if (found) {
		s->user = found->pw_uid;
		s->group = found->pw_gid;
	}
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

/* The state of problems that existed before is handed over. */
static void settle_problems(struct ft__construct *c, struct settings *s,
			    const struct ft_manager_config *config)
{
	/* A check that has not returned has a copy of the descriptor, for which epoll would report events
	   for ever. */
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

void ft__construct_free(struct ft__construct *c)
{
	if (!c)
		return;
	ft__construct_hurry(c, false);
	if (c->n)
		ft__construct_keep(c);
	/* The sweep at work is not read any more, but gets time to store finished runs, and the rest to end. */
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

/* Whether a sweep of one problem serves the other: they would have the same command line. */
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

		if (!before || strcmp(user, now) != 0 || !is_same(c, before->answer, &config->problem[i]))
			continue;
		if (before == working) {
			found = true;
			c->which = i;
		}
		const struct ft__problem fresh = s.problem[i];

		s.problem[i] = *before;
		s.problem[i].answer = fresh.answer;
		s.problem[i].policies = fresh.policies;
		s.problem[i].queued.priority = fresh.queued.priority;
		before->child = NULL;
		before->aside = NULL;
		before->state = NULL;
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
