/* SPDX-License-Identifier: GPL-3.0-or-later */
/* launch.c - find foretime-helper and start it. */
#include "measure/launch.h"
#include "base/alloc.h"
#include "base/command.h"
#include "base/text.h"
#include "measure/cgroups.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

static const char *const thread_variables[] = {
	"OMP_NUM_THREADS",  "OPENBLAS_NUM_THREADS",   "MKL_NUM_THREADS",
	"BLIS_NUM_THREADS", "VECLIB_MAXIMUM_THREADS", "NUMEXPR_NUM_THREADS",
};

enum { N_THREAD_VARIABLES = sizeof thread_variables / sizeof *thread_variables };

/* Where the helper is: named by the user, beside our own executable (a build folder), or installed. */
static enum ft_status find_helper(char path[FT__HELPER_PATH], struct ft_err *err)
{
	const char *named = secure_getenv("FORETIME_HELPER");

	if (named && *named) {
		(void)snprintf(path, FT__HELPER_PATH, "%s", named);
		if (!access(path, X_OK))
			return FT_OK;
		(void)ft_fail(err, FT_EUNAVAIL, "cannot execute the helper '%s': %s", named, strerror(errno));
		(void)ft_remedy(err, "correct FORETIME_HELPER, or unset it");
		return FT_EUNAVAIL;
	}
	if (ft__command_beside("foretime-helper", path, FT__HELPER_PATH))
		return FT_OK;
	(void)ft_fail(err, FT_EUNAVAIL, "cannot find foretime-helper in '%s'", FT_LIBEXECDIR);
	(void)ft_remedy(err, "install foretime again, or set FORETIME_HELPER=PATH");
	return FT_EUNAVAIL;
}

enum ft_status ft__launch_find(const char *name, char path[FT__HELPER_PATH], struct ft_err *err)
{
	enum ft_status status = find_helper(path, err);
	char *slash = status ? NULL : strrchr(path, '/');
	size_t folder = slash ? (size_t)(slash + 1 - path) : 0;

	if (status)
		return status;
	(void)snprintf(path + folder, FT__HELPER_PATH - folder, "%s", name);
	if (!access(path, X_OK))
		return FT_OK;
	(void)ft_fail(err, FT_EUNAVAIL, "cannot execute '%s': %s", path, strerror(errno));
	(void)ft_remedy(err, "install foretime again");
	return FT_EUNAVAIL;
}

/* ---- the environment --------------------------------------------------------------------------------- */

static bool is_one_of(const char *entry, const char *const *name, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		size_t length = strlen(name[i]);
		if (!strncmp(entry, name[i], length) && entry[length] == '=')
			return true;
	}
	return false;
}

/* Whether a variable of ours is left as it is. */
static bool stays_as_is(const char *entry, const struct ft__setup *setup)
{
	static const char *const kept[] = {"PATH", "HOME", "LD_LIBRARY_PATH"};

	if (is_one_of(entry, thread_variables, N_THREAD_VARIABLES))
		return setup->threads <= 0;
	return !setup->fixed || is_one_of(entry, kept, sizeof kept / sizeof *kept);
}

/* The first entries are ours to free, the others are borrowed. */
struct environment {
	char **entry; /* NULL: as ours */
	size_t own;
};

static void free_environment(struct environment *environment)
{
	for (size_t i = 0; environment->entry && i < environment->own; i++)
		ft_free(environment->entry[i]);
	ft_free(environment->entry);
}

/* Ours, with the number of threads in front. */
static bool make_environment(const struct ft__setup *setup, struct environment *out)
{
	/* Routines tell where they begin (foretime-probe.h, ft_probe_counts). */
	static char locale[] = "LC_ALL=C", counts[] = "FORETIME_PROBE_COUNT=1";
	size_t n = 0, used = 0;

	*out = (struct environment){0};
	if (setup->threads <= 0 && !setup->fixed)
		return true;
	while (environ && environ[n])
		n++;
	out->entry = ft_calloc(n + N_THREAD_VARIABLES + 3, sizeof *out->entry);
	if (!out->entry)
		return false;
	for (size_t i = 0; setup->threads > 0 && i < N_THREAD_VARIABLES; i++) {
		struct ft_text text = {0};

		ft_text_add(&text, "%s=%d", thread_variables[i], setup->threads);
		out->entry[i] = ft_text_take(&text);
		if (!out->entry[i]) {
			free_environment(out);
			return false;
		}
		used = out->own = i + 1;
	}
	if (setup->fixed) {
		out->entry[used++] = locale;
		out->entry[used++] = counts;
	}
	for (size_t i = 0; i < n; i++)
		if (stays_as_is(environ[i], setup))
			out->entry[used++] = environ[i];
	return true;
}

/* ---- the start --------------------------------------------------------------------------------------- */

/* The descriptor of the helper's end. */
static int choose_descriptor(void)
{
	struct rlimit files;

	if (getrlimit(RLIMIT_NOFILE, &files) || files.rlim_cur > FT__HELPER_SOCKET)
		return FT__HELPER_SOCKET;
	return (int)files.rlim_cur - 1;
}

/* A real program is left in the control group where it was begun. */
static int spawn_helper(struct ft__client *client, const char *path, int theirs, const int standard[2],
			bool real, char **environment)
{
	char name[] = "foretime-helper", word[] = "real", number[16], group[PATH_MAX];
	char *argv[] = {name, number,
			real                                   ? word
			: ft__cgroups_own("", "memory", group) ? group
							       : NULL,
			NULL};
	int descriptor = choose_descriptor();
	posix_spawn_file_actions_t actions;
	int i, failed = posix_spawn_file_actions_init(&actions);

	if (failed)
		return failed;
	(void)snprintf(number, sizeof number, "%d", descriptor);
	for (i = 0; i < 2 && !failed; i++)
		if (standard[i] > 0)
			failed = posix_spawn_file_actions_adddup2(&actions, standard[i], STDOUT_FILENO + i);
	if (!failed)
		failed = posix_spawn_file_actions_adddup2(&actions, theirs, descriptor);
	if (!failed)
		failed = posix_spawn(&client->helper, path, &actions, NULL, argv, environment);
	(void)posix_spawn_file_actions_destroy(&actions);
	return failed;
}

static enum ft_status need_files(int number, struct ft_err *err)
{
	if (number == EMFILE || number == EBADF)
		(void)ft_remedy(err, "let it open more files: ulimit -n 256");
	return FT_EUNAVAIL;
}

/* A pipe in the place of standard output, and one of standard error: ours to read, and never to wait for. */
static int open_heard(struct ft__client *client, int standard[2])
{
	int ends[2], i;

	for (i = 0; i < 2; i++) {
		if (pipe2(ends, O_CLOEXEC))
			return errno;
		(void)fcntl(ends[0], F_SETFL, O_NONBLOCK);
		client->heard[i] = ends[0];
		standard[i] = ends[1];
	}
	return 0;
}

enum ft_status ft__launch_helper(const struct ft__setup *setup, struct ft__client *client,
				 char path[FT__HELPER_PATH], struct ft_err *err)
{
	struct environment environment;
	int ends[2], standard[2] = {setup->overhear ? 0 : setup->output, 0}, number = 0, i;

	*client = (struct ft__client){.socket = -1, .heard = {-1, -1}};
	FT_TRY(find_helper(path, err));
	if (!make_environment(setup, &environment))
		return ft_nomem(err);
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) {
		number = errno;
		free_environment(&environment);
		(void)ft_fail(err, FT_EUNAVAIL, "cannot make a socket: %s", strerror(number));
		return need_files(number, err);
	}
	client->socket = ends[0];
	if (setup->overhear)
		number = open_heard(client, standard);
	if (!number)
		number = spawn_helper(client, path, ends[1], standard, setup->real,
				      environment.entry ? environment.entry : environ);
	for (i = 0; i < 2 && setup->overhear; i++)
		if (standard[i] > 0)
			(void)close(standard[i]);
	(void)close(ends[1]);
	free_environment(&environment);
	if (!number)
		return FT_OK;
	(void)ft_fail(err, FT_EUNAVAIL, "cannot start the helper '%s': %s", path, strerror(number));
	return need_files(number, err);
}
