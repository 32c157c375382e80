/* SPDX-License-Identifier: GPL-3.0-or-later */
/* child_start.c - start a keeper, which starts the child. */
#include "manager/child_start.h"
#include "base/alloc.h"
#include "measure/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { GROUPS_MOST = 256 };

/* ---- whom it runs as ----------------------------------------------------------------------------------- */

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

static void add_groups(struct ft__words *words, const struct passwd *user)
{
	gid_t group[GROUPS_MOST];
	struct ft_text list = {0};
	int n = GROUPS_MOST;

	/* Where he has more, those that there is room for. */
	if (getgrouplist(user->pw_name, user->pw_gid, group, &n) < 0)
		n = GROUPS_MOST;
	for (int i = 0; i < n; i++)
		ft_text_add(&list, "%s%lu", i ? "," : "", (unsigned long)group[i]);
	ft__words_add(words, list.s ? list.s : "");
	words->failed |= list.failed;
	ft_text_clear(&list);
}

static const char *const kept[] = {"PATH=", "LANG=", "LC_", "TZ=", "LD_LIBRARY_PATH=", "FORETIME_"};

/* Another user's environment: what is root's own stays behind. */
static void add_environment(struct ft__words *environment, const struct passwd *user)
{
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
}

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
	add_groups(words, user);
	add_environment(environment, user);
	return FT_OK;
}

/* ---- the start ----------------------------------------------------------------------------------------- */

struct child_start {
	struct ft__words words, environment;
	char path[FT__HELPER_PATH];
	int ours[4], theirs[4]; /* standard three, and the socket */
};

static enum ft_status make_words(struct child_start *start, const struct ft__child_options *options,
				 struct ft_err *err)
{
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
	return start->words.failed || start->environment.failed ? ft_nomem(err) : FT_OK;
}

static void close_all(int fd[4])
{
	for (int i = 0; i < 4; i++) {
		if (fd[i] >= 0)
			(void)close(fd[i]);
		fd[i] = -1;
	}
}

/* Standard input is a socket, which tells nobody by a signal that nobody reads it. */
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

/* What is to be number 0 to 3 there must not be one of these here. */
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
	FT_TRY(make_words(start, options, err));
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

enum ft_status ft__child_launch(struct ft__started *out, const struct ft__child_options *options,
				struct ft_err *err)
{
	struct child_start start = {.ours = {-1, -1, -1, -1}, .theirs = {-1, -1, -1, -1}};
	enum ft_status status = launch(&start, out, options, err);

	close_all(start.ours);
	close_all(start.theirs);
	ft__words_clear(&start.words);
	ft__words_clear(&start.environment);
	return status;
}
