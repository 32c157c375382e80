/* SPDX-License-Identifier: GPL-3.0-or-later */
/* launch.c - find foretime-helper and start it. */
#include "measure/launch.h"
#include "base/alloc.h"
#include "base/text.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
	ssize_t length;
	char *slash;

	if (named && *named) {
		(void)snprintf(path, FT__HELPER_PATH, "%s", named);
		if (!access(path, X_OK))
			return FT_OK;
		(void)ft_fail(err, FT_EUNAVAIL, "cannot execute the helper '%s': %s", named, strerror(errno));
		(void)ft_remedy(err, "correct FORETIME_HELPER, or unset it");
		return FT_EUNAVAIL;
	}
	length = readlink("/proc/self/exe", path, FT__HELPER_PATH - sizeof "/foretime-helper");
	path[length > 0 ? length : 0] = '\0';
	slash = strrchr(path, '/');
	if (slash) {
		memcpy(slash, "/foretime-helper", sizeof "/foretime-helper");
		if (!access(path, X_OK))
			return FT_OK;
	}
	(void)snprintf(path, FT__HELPER_PATH, "%s", FT_LIBEXECDIR "/foretime-helper");
	if (!access(path, X_OK))
		return FT_OK;
	(void)ft_fail(err, FT_EUNAVAIL, "cannot find foretime-helper in '%s'", FT_LIBEXECDIR);
	(void)ft_remedy(err, "install foretime again, or say where it is with FORETIME_HELPER=PATH");
	return FT_EUNAVAIL;
}

static bool is_thread_variable(const char *entry)
{
	size_t i, length;

	for (i = 0; i < N_THREAD_VARIABLES; i++) {
		length = strlen(thread_variables[i]);
		if (!strncmp(entry, thread_variables[i], length) && entry[length] == '=')
			return true;
	}
	return false;
}

static void free_environment(char **environment)
{
	size_t i;

	for (i = 0; environment && i < N_THREAD_VARIABLES; i++)
		ft_free(environment[i]);
	ft_free(environment);
}

/* Ours, with the number of threads in front. The first entries are ours to free, the others are borrowed. */
static char **make_environment(int threads)
{
	size_t n = 0, i, used = N_THREAD_VARIABLES;
	char **environment;

	while (environ && environ[n])
		n++;
	environment = ft_calloc(n + N_THREAD_VARIABLES + 1, sizeof *environment);
	if (!environment)
		return NULL;
	for (i = 0; i < N_THREAD_VARIABLES; i++) {
		struct ft_text text = {0};

		ft_text_add(&text, "%s=%d", thread_variables[i], threads);
		environment[i] = ft_text_take(&text);
		if (!environment[i]) {
			free_environment(environment);
			return NULL;
		}
	}
	for (i = 0; i < n; i++)
		if (!is_thread_variable(environ[i]))
			environment[used++] = environ[i];
	return environment;
}

static int spawn(struct ft__client *client, const char *path, int theirs, char **environment)
{
	char name[] = "foretime-helper";
	char *argv[] = {name, NULL};
	posix_spawn_file_actions_t actions;
	int number = posix_spawn_file_actions_init(&actions);

	if (number)
		return number;
	number = posix_spawn_file_actions_adddup2(&actions, theirs, FT__HELPER_SOCKET);
	if (!number)
		number = posix_spawn(&client->helper, path, &actions, NULL, argv, environment);
	(void)posix_spawn_file_actions_destroy(&actions);
	return number;
}

enum ft_status ft__launch_helper(int threads, struct ft__client *client, char path[FT__HELPER_PATH],
				 struct ft_err *err)
{
	char **environment = NULL;
	enum ft_status status;
	int ends[2], number;

	*client = (struct ft__client){.socket = -1};
	status = find_helper(path, err);
	if (status)
		return status;
	if (threads > 0 && !(environment = make_environment(threads)))
		return ft_nomem(err);
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) {
		number = errno;
		free_environment(environment);
		return ft_fail(err, FT_EUNAVAIL, "cannot make a socket: %s", strerror(number));
	}
	client->socket = ends[0];
	number = spawn(client, path, ends[1], environment ? environment : environ);
	(void)close(ends[1]);
	free_environment(environment);
	return number ? ft_fail(err, FT_EUNAVAIL, "cannot start the helper '%s': %s", path, strerror(number))
		      : FT_OK;
}
