/* SPDX-License-Identifier: GPL-3.0-or-later */
/* child.c - a child behind its keeper: its output, its input, its end. */
#include "base/alloc.h"
#include "base/clock.h"
#include "manager/child.h"
#include "measure/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <math.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * Start a keeper, which starts the child.
 */

enum { GROUPS_MOST = 256 };

/* ---- the user it runs as
   ----------------------------------------------------------------------------------- */

static enum ft_status refuse_root(struct ft_err *err)
{
	(void)ft_fail(err, FT_EACCESS, "benchmarks do not run as root");
	return ft_remedy(err, "name a user in the configuration: user = \"NAME\";");
}

static void add_number(struct ft__words *words, unsigned long number)
{
	char text[24];

	(void)snprintf(text, sizeof text, "%lu", number);
	ft__words_add(words, text);
}

static const char *const kept[] = {"PATH=", "LANG=", "LC_", "TZ=", "LD_LIBRARY_PATH=", "FORETIME_"};

static enum ft_status choose_user(const struct ft__child_options *options, struct ft__words *words,
				  struct ft__words *environment, struct ft_err *err)
{
	const struct passwd *user;

	if (!options->user)
		return geteuid() || options->as_root ? FT_OK : refuse_root(err);
	errno = 0;
	user = getpwnam(options->user);
	if (!user)
		return ft_fail(err, FT_EINVAL, "there is no user '%s'%s%s", options->user, errno ? ": " : "",
			       errno ? strerror(errno) : "");
	if (!user->pw_uid && !options->as_root)
		return refuse_root(err);
	if (user->pw_uid == geteuid())
		return FT_OK;
	if (geteuid())
		return ft_fail(err, FT_EACCESS, "only root may run benchmarks as '%s'", options->user);
	ft__words_add(words, FT__KEEPER_USER);
	add_number(words, user->pw_uid);
	add_number(words, user->pw_gid);
	gid_t group[GROUPS_MOST];
	struct ft_text list = {0};
	int n = GROUPS_MOST;

	/* The user has more groups than fit: take those that do. */
	if (getgrouplist(user->pw_name, user->pw_gid, group, &n) < 0)
		n = GROUPS_MOST;
	for (int i = 0; i < n; i++)
		ft_text_add(&list, "%s%lu", i ? "," : "", (unsigned long)group[i]);
	ft__words_add(words, list.s ? list.s : "");
	words->failed |= list.failed;
	ft_text_clear(&list);
	/* Another user's environment: what is root's own stays behind. */
	const char *row[][2] = {{"HOME", user->pw_dir},
				{"USER", user->pw_name},
				{"LOGNAME", user->pw_name},
				{"SHELL", user->pw_shell}};

	for (char **entry = environ; *entry; entry++)
		for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
			if (!strncmp(*entry, kept[i], strlen(kept[i])))
				ft__words_add(environment, *entry);
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct ft_text text = {0};

		ft_text_add(&text, "%s=%s", row[i][0], row[i][1] ? row[i][1] : "");
		ft__words_add(environment, text.s ? text.s : "");
		environment->failed |= text.failed;
		ft_text_clear(&text);
	}
	return FT_OK;
}

/* ---- the start ----------------------------------------------------------------------------------------- */

struct child_start {
	struct ft__words words, environment;
	char path[FT__HELPER_PATH];
	int ours[4], theirs[4]; /* standard three, and the socket */
};

static void close_all(int fd[4])
{
	for (int i = 0; i < 4; i++) {
		if (fd[i] >= 0)
			(void)close(fd[i]);
		fd[i] = -1;
	}
}

/* Standard input is a socket, since writing to one without a reader raises no signal. */
static enum ft_status open_all(struct child_start *start, struct ft_err *err)
{
	int ends[2], i;

	for (i = 0; i < 4; i++) {
		int failed = i == 0   ? socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)
			     : i == 3 ? socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends)
				      : pipe2(ends, O_CLOEXEC);

		if (failed) {
			(void)ft_fail(err, FT_EUNAVAIL, "cannot make a pipe: %s", strerror(errno));
			return errno == EMFILE ? ft_remedy(err, "let it open more files: ulimit -n 4096")
					       : FT_EUNAVAIL;
		}
		start->ours[i] = ends[0];
		start->theirs[i] = ends[1];
	}
	for (i = 1; i < 3; i++)
		(void)fcntl(start->ours[i], F_SETFL, O_NONBLOCK);
	(void)shutdown(start->ours[0], SHUT_RD);
	return FT_OK;
}

/* Descriptors that become 0 to 3 in the child must not be one of these here. */
static int lift(int fd[4])
{
	for (int i = 0; i < 4; i++) {
		int lifted = fcntl(fd[i], F_DUPFD_CLOEXEC, FT__KEEPER_SOCKET + 1);
		if (lifted < 0)
			return errno;
		(void)close(fd[i]);
		fd[i] = lifted;
	}
	return 0;
}

/* The keeper sets its signals, and its child's, itself; it must not be ended before. */
static int spawn(struct child_start *start, pid_t *keeper)
{
	char **environment = start->environment.n ? start->environment.word : environ;
	posix_spawn_file_actions_t actions;
	int i, failed = posix_spawn_file_actions_init(&actions);

	if (failed)
		return failed;
	failed = lift(start->theirs);
	for (i = 0; i < 4 && !failed; i++)
		failed = posix_spawn_file_actions_adddup2(&actions, start->theirs[i], i);
	if (!failed)
		failed = posix_spawn(keeper, start->path, &actions, NULL, start->words.word, environment);
	(void)posix_spawn_file_actions_destroy(&actions);
	return failed;
}

static enum ft_status launch(struct child_start *start, struct ft__started *out,
			     const struct ft__child_options *options, struct ft_err *err)
{
	FT_TRY(ft__launch_find("foretime-keeper", start->path, err));
	const char *const *word;

	ft__words_add(&start->words, "foretime-keeper");
	ft__words_add(&start->words, FT_VERSION);
	FT_TRY(choose_user(options, &start->words, &start->environment, err));
	if (options->directory) {
		ft__words_add(&start->words, FT__KEEPER_DIRECTORY);
		ft__words_add(&start->words, options->directory);
	}
	options->scope->row->add_options(options->scope, &start->words);
	ft__words_add(&start->words, "--");
	for (word = options->argv; *word; word++)
		ft__words_add(&start->words, *word);
	if (start->words.failed || start->environment.failed)
		return ft_nomem(err);
	FT_TRY(open_all(start, err));
	int failed = spawn(start, &out->keeper);
	if (failed) {
		out->keeper = 0;
		return ft_fail(err, FT_EUNAVAIL, "cannot start '%s': %s", start->path, strerror(failed));
	}
	out->input = start->ours[0];
	out->output = start->ours[1];
	out->errors = start->ours[2];
	out->control = start->ours[3];
	memset(start->ours, -1, sizeof start->ours);
	return FT_OK;
}

/*
 * A child behind its keeper: its output, its input, its end.
 */

/* A keeper gives up what SIGKILL does not end in ten seconds: the child, and then what else there is. */
static const int64_t PATIENCE_NS = 30 * 1000000000LL, LOOK_NS = 1000000000LL;

struct ft__child {
	struct ft__scoped scoped;
	struct ft__scope *scope;
	struct ft__started at; /* descriptors; -1: closed */
	int epoll, process;    /* process: readable when its keeper has ended; -1 */
	struct ft_text untold;
	bool deaf; /* no more input, after what is still queued */
	char line[FT__CHILD_LINE + 1];
	size_t begin, end; /* of the unread part of the buffer */
	bool cut;          /* the rest of a line that was too long is passed over */
	char tail[FT__CHILD_TAIL + 1];
	size_t n_tail;
	bool ended, reaped;
	struct ft__child_end how;
	int64_t kill_ns;        /* when its keeper is to be killed, while leaving; 0: it was */
	struct ft__child *next; /* in the list of those that leave */
};

static void close_fd(struct ft__child *child, int *fd)
{
	if (*fd < 0)
		return;
	/* A process being started may hold a copy, for which epoll would report events for ever. */
	(void)epoll_ctl(child->epoll, EPOLL_CTL_DEL, *fd, NULL);
	(void)close(*fd);
	*fd = -1;
}

static bool watch_fd(const struct ft__child *child, int fd, uint32_t events)
{
	struct epoll_event event = {.events = events, .data.fd = fd};

	return !epoll_ctl(child->epoll, EPOLL_CTL_ADD, fd, &event);
}

static enum ft_status begin_child(struct ft__child *child, const struct ft__child_options *options,
				  struct ft_err *err)
{
	child->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (child->epoll < 0)
		return ft_fail_errno(err, errno, "cannot watch for events");
	/* As ft__child_start; nothing is open on failure. */
	struct child_start start = {.ours = {-1, -1, -1, -1}, .theirs = {-1, -1, -1, -1}};
	enum ft_status status = launch(&start, &child->at, options, err);

	close_all(start.ours);
	close_all(start.theirs);
	ft__words_clear(&start.words);
	ft__words_clear(&start.environment);
	if (status)
		return status;
	child->scoped = (struct ft__scoped){.keeper = child->at.keeper, .control = child->at.control};
	ft__scope_enter(child->scope, &child->scoped);
	/* The socket reports the coming end, and is not read any more afterwards. */
	child->process = (int)syscall(SYS_pidfd_open, child->at.keeper, 0);
	if (!watch_fd(child, child->process, EPOLLIN) || !watch_fd(child, child->at.output, EPOLLIN) ||
	    !watch_fd(child, child->at.errors, EPOLLIN) || !watch_fd(child, child->at.control, EPOLLIN))
		return ft_fail_errno(err, errno, "cannot watch for events");
	return FT_OK;
}

enum ft_status ft__child_start(struct ft__child **out, const struct ft__child_options *options,
			       struct ft_err *err)
{
	struct ft__child *child = ft_calloc(1, sizeof *child);

	*out = NULL;
	if (!child)
		return ft_nomem(err);
	child->scope = options->scope;
	child->process = -1;
	child->at = (struct ft__started){.input = -1, .output = -1, .errors = -1, .control = -1};
	enum ft_status status = begin_child(child, options, err);
	if (!status) {
		*out = child;
		return FT_OK;
	}
	/* It has hardly begun: it is killed at once. */
	if (child->at.keeper > 0)
		(void)kill(child->at.keeper, SIGKILL);
	ft__child_free(child);
	return status;
}

/* ---- output -------------------------------------------------------------------------------------- */

/* A whole line that is in the buffer. One that fills it is as good as whole; its rest is none. */
static bool take_line(struct ft__child *child, const char **line)
{
	char *start = child->line + child->begin;
	size_t length = child->end - child->begin;
	bool cut = child->cut;
	char *newline = memchr(start, '\n', length);

	if (newline) {
		*newline = '\0';
		child->begin += (size_t)(newline - start) + 1;
		child->cut = false;
	} else if (length >= FT__CHILD_LINE) {
		start[length] = '\0';
		child->begin = child->end;
		child->cut = true;
	} else {
		return false;
	}
	*line = start;
	return !cut || take_line(child, line);
}

static bool read_more(struct ft__child *child)
{
	ssize_t length;

	memmove(child->line, child->line + child->begin, child->end - child->begin);
	child->end -= child->begin;
	child->begin = 0;
	do {
		length = read(child->at.output, child->line + child->end, FT__CHILD_LINE - child->end);
	} while (length < 0 && errno == EINTR);
	if (length > 0)
		child->end += (size_t)length;
	else if (!length || errno != EAGAIN)
		close_fd(child, &child->at.output);
	return length > 0;
}

bool ft__child_line(struct ft__child *child, const char **line)
{
	while (!take_line(child, line))
		if (child->at.output < 0 || !read_more(child))
			return false;
	return true;
}

static void add_tail(struct ft__child *child, const char *bytes, size_t length)
{
	if (length > FT__CHILD_TAIL) {
		bytes += length - FT__CHILD_TAIL;
		length = FT__CHILD_TAIL;
	}
	size_t keep = FT__CHILD_TAIL - length < child->n_tail ? FT__CHILD_TAIL - length : child->n_tail;
	memmove(child->tail, child->tail + child->n_tail - keep, keep);
	for (size_t i = 0; i < length; i++)
		child->tail[keep + i] = (char)(bytes[i] ? bytes[i] : '?');
	child->n_tail = keep + length;
	child->tail[child->n_tail] = '\0';
}

/* Read a part only: a child that floods standard error must not keep us busy. */
static void hear_errors(struct ft__child *child)
{
	char bytes[4096];

	for (int i = 0; i < 16 && child->at.errors >= 0; i++) {
		ssize_t length = read(child->at.errors, bytes, sizeof bytes);
		if (length > 0)
			add_tail(child, bytes, (size_t)length);
		else if (!length || (errno != EAGAIN && errno != EINTR))
			close_fd(child, &child->at.errors);
		else if (errno == EAGAIN)
			return;
	}
}

const char *ft__child_tail(struct ft__child *child)
{
	hear_errors(child);
	return child->tail;
}

/* ---- input ----------------------------------------------------------------------------------- */

/* Returns whether it still hears. */
static bool write_queued(struct ft__child *child)
{
	struct ft_text *untold = &child->untold;
	size_t sent = 0;
	ssize_t length = 1;

	while (child->at.input >= 0 && sent < untold->length && length > 0) {
		/* A socket, not a pipe, so that no SIGPIPE is raised. */
		length = send(child->at.input, untold->s + sent, untold->length - sent,
			      MSG_NOSIGNAL | MSG_DONTWAIT);
		if (length > 0)
			sent += (size_t)length;
		else if (errno == EINTR)
			length = 1;
		else if (errno != EAGAIN)
			close_fd(child, &child->at.input);
	}
	if (sent)
		memmove(untold->s, untold->s + sent, untold->length - sent + 1);
	untold->length -= sent;
	if (child->deaf && !untold->length)
		close_fd(child, &child->at.input);
	return child->at.input >= 0 || child->deaf;
}

/* Queued input is written when there is room. */
static void watch_input(struct ft__child *child)
{
	if (child->at.input < 0)
		return;
	(void)epoll_ctl(child->epoll, EPOLL_CTL_DEL, child->at.input, NULL);
	if (child->untold.length)
		(void)watch_fd(child, child->at.input, EPOLLOUT);
}

enum ft_status ft__child_tell(struct ft__child *child, const char *text, struct ft_err *err)
{
	size_t length = text ? strlen(text) : 0;

	if (child->at.input < 0 || child->deaf)
		return ft_fail(err, FT_EEND, "it hears nothing any more");
	if (child->untold.length + length > FT__CHILD_UNTOLD)
		return ft_fail(err, FT_ENOSPC, "it does not read its input");
	if (text)
		ft_text_add_bytes(&child->untold, text, length);
	else
		child->deaf = true;
	if (child->untold.failed)
		return ft_nomem(err);
	if (!write_queued(child))
		return ft_fail(err, FT_EEND, "it hears nothing any more");
	watch_input(child);
	return FT_OK;
}

/* ---- its end ------------------------------------------------------------------------------------------- */

static void hear_keeper(struct ft__child *child)
{
	struct ft__keeper_news news;
	ssize_t length;

	if (child->at.control < 0)
		return;
	while ((length = recv(child->at.control, &news, sizeof news, MSG_DONTWAIT)) == sizeof news) {
		if (news.kind == FT__KEEPER_STILL)
			ft__scope_heard(child->scope, &child->scoped, news.at_ns);
		if (news.kind == FT__KEEPER_ENDED) {
			child->ended = true;
			child->how.status = news.status;
			child->how.left = news.pid;
		}
	}
	if (!length || (errno != EAGAIN && errno != EINTR)) {
		close_fd(child, &child->at.control);
		child->scoped.control = -1;
	}
}

/* A keeper that was killed from outside reports nothing: its own end counts. */
static void reap_child(struct ft__child *child, int options)
{
	struct rusage usage;
	int status;

	if (child->reaped || wait4(child->at.keeper, &status, options, &usage) != child->at.keeper)
		return;
	hear_keeper(child);
	child->reaped = true;
	close_fd(child, &child->process);
	child->how.cpu_s = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
			   1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
	ft__scope_leave(child->scope, &child->scoped, child->how.cpu_s);
	if (!child->ended || child->how.left)
		ft__scope_lost(child->scope);
	if (!child->ended)
		child->how.status = status;
	child->ended = true;
}

/* The socket stays readable only for unread data: nobody writes to it any more. */
static void drain_child(struct ft__child *child)
{
	hear_errors(child);
	(void)write_queued(child);
	watch_input(child);
	hear_keeper(child);
	/* The socket may be in a child that has not executed anything yet. */
	reap_child(child, WNOHANG);
}

bool ft__child_ended(struct ft__child *child, struct ft__child_end *end)
{
	drain_child(child);
	if (!child->reaped)
		return false;
	*end = child->how;
	return true;
}

void ft__child_finish(struct ft__child *child, double seconds)
{
	(void)ft__scope_thaw(child->scope, NULL);
	if (child->at.control >= 0)
		(void)ft__keeper_tell(&child->scoped, FT__KEEPER_END, seconds);
}

/* Its keeper ends all when it finds itself alone. */
static void leave_alone(struct ft__child *child)
{
	close_fd(child, &child->at.control);
	child->scoped.control = -1;
}

static void turn_away(struct ft__child *child)
{
	close_fd(child, &child->at.input);
	close_fd(child, &child->at.output);
	close_fd(child, &child->at.errors);
}

static void release_child(struct ft__child *child)
{
	leave_alone(child);
	turn_away(child);
	close_fd(child, &child->process);
	if (child->epoll >= 0)
		(void)close(child->epoll);
	ft_text_clear(&child->untold);
	ft_free(child);
}

void ft__child_free(struct ft__child *child)
{
	if (!child)
		return;
	leave_alone(child);
	if (child->at.keeper > 0)
		reap_child(child, 0);
	release_child(child);
}

/* A keeper that got its order to end late can report that nothing is left. */
void ft__child_leave(struct ft__child *child, struct ft__child **leaving)
{
	if (!child)
		return;
	turn_away(child);
	if (child->at.control >= 0 && !ft__keeper_tell(&child->scoped, FT__KEEPER_KILL, 0))
		leave_alone(child);
	child->kill_ns = ft_clock_ns() + PATIENCE_NS;
	child->next = *leaving;
	*leaving = child;
}

bool ft__children_gone(struct ft__child **leaving, int64_t *due_ns)
{
	struct ft__child **at = leaving, *child;

	*due_ns = INT64_MAX;
	while ((child = *at)) {
		drain_child(child);
		if (child->reaped) {
			*at = child->next;
			release_child(child);
			continue;
		}
		if (child->kill_ns && ft_clock_ns() >= child->kill_ns) {
			(void)kill(child->at.keeper, SIGKILL);
			child->kill_ns = 0;
		}
		*due_ns = ft_clock_ns() + LOOK_NS;
		at = &child->next;
	}
	return !*leaving;
}

void ft__children_wait(struct ft__child **leaving, double seconds)
{
	enum { LOOK_MS = 20 };
	double left_s = seconds;
	struct ft__child *child;
	int64_t due_ns;

	while (!ft__children_gone(leaving, &due_ns) && left_s > 0) {
		struct pollfd fd = {.fd = (*leaving)->process, .events = POLLIN};

		if (!poll(&fd, 1, LOOK_MS))
			left_s -= 1e-3 * LOOK_MS;
	}
	while ((child = *leaving)) {
		*leaving = child->next;
		ft__scope_leave(child->scope, &child->scoped, 0);
		release_child(child);
	}
}

int ft__child_fd(const struct ft__child *child)
{
	return child->epoll;
}

pid_t ft__child_pid(const struct ft__child *child)
{
	return child->at.keeper;
}
