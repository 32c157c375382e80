/* SPDX-License-Identifier: GPL-3.0-or-later */
/* become.c - inside the keeper: from a copy of it to the child.
 *
 * Control groups are entered with the keeper's rights, what the child touches is touched with its own. */
#include "manager/become.h"
#include "manager/keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

/* "4,24,1000"; "" is none. */
static bool read_groups(struct ft__become *become, const char *text)
{
	char *end;

	for (become->n_groups = 0; *text; text = *end ? end + 1 : end) {
		if (become->n_groups == FT__BECOME_GROUPS)
			return false;
		become->group[become->n_groups++] = (gid_t)strtoul(text, &end, 10);
		if (end == text || (*end && *end != ','))
			return false;
	}
	return true;
}

static bool read_user(struct ft__become *become, char **words)
{
	become->as_user = true;
	become->uid = (uid_t)strtoul(words[0], NULL, 10);
	become->gid = (gid_t)strtoul(words[1], NULL, 10);
	return read_groups(become, words[2]);
}

static bool read_enter(struct ft__become *become, char **words)
{
	if (become->n_enter == FT__BECOME_ENTER)
		return false;
	become->enter[become->n_enter++] = words[0];
	return true;
}

static bool read_last(struct ft__become *become, char **words)
{
	if (become->n_last == FT__BECOME_LAST)
		return false;
	become->last[become->n_last][0] = words[0];
	become->last[become->n_last++][1] = words[1];
	return true;
}

static bool read_directory(struct ft__become *become, char **words)
{
	become->directory = words[0];
	return true;
}

static bool read_nice(struct ft__become *become, char **words)
{
	(void)words;
	become->nice = true;
	return true;
}

bool ft__become_read(struct ft__become *become, char **argv)
{
	static const struct {
		const char *name;
		int words;
		bool (*read)(struct ft__become *become, char **words);
	} option[] = {{FT__KEEPER_ENTER, 1, read_enter},
		      {FT__KEEPER_LAST, 2, read_last},
		      {FT__KEEPER_DIRECTORY, 1, read_directory},
		      {FT__KEEPER_USER, 3, read_user},
		      {FT__KEEPER_NICE, 0, read_nice}};
	enum { N = sizeof option / sizeof *option };
	size_t i;

	while (*argv && strcmp(*argv, "--") != 0) {
		for (i = 0; i < N && strcmp(*argv, option[i].name) != 0;)
			i++;
		for (int k = 1; i < N && k <= option[i].words; k++)
			if (!argv[k])
				return false;
		if (i == N || !option[i].read(become, argv + 1))
			return false;
		argv += 1 + option[i].words;
	}
	become->argv = *argv ? argv + 1 : argv;
	return *become->argv;
}

/* ---- the child ----------------------------------------------------------------------------------------- */

_Noreturn static void give_up(const char *what, const char *name)
{
	char text[512];
	int length = snprintf(text, sizeof text, "%s '%.300s': %s\n", what, name, strerror(errno));

	(void)!write(STDERR_FILENO, text, length > 0 ? (size_t)length : 0);
	_exit(127);
}

static bool write_file(const char *path, const char *text)
{
	int file = open(path, O_WRONLY | O_CLOEXEC);
	bool good = file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text);
	int why = errno;

	if (file >= 0)
		(void)close(file);
	errno = why;
	return good;
}

void ft__become_last(const struct ft__become *become)
{
	for (int i = 0; i < become->n_last; i++)
		(void)write_file(become->last[i][0], become->last[i][1]);
}

/* Never back: nothing that it executes has more rights. */
static void become_user(const struct ft__become *become)
{
	uid_t real, effective, saved;

	if (setgroups((size_t)become->n_groups, become->group) ||
	    setresgid(become->gid, become->gid, become->gid) ||
	    setresuid(become->uid, become->uid, become->uid) || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    getresuid(&real, &effective, &saved))
		give_up("cannot become", "the user");
	if (real != become->uid || effective != become->uid || saved != become->uid ||
	    (become->uid && !setuid(0)))
		_exit(126);
}

_Noreturn void ft__become(const struct ft__become *become, pid_t keeper, int session)
{
	const struct sched_param least = {0};
	sigset_t none;

	(void)setsid(); /* no terminal; and a group of its own, by which the system divides processors */
	(void)close(session);
	if (become->nice && (setpriority(PRIO_PROCESS, 0, 19) || sched_setscheduler(0, SCHED_IDLE, &least)))
		give_up("cannot be", "nice");
	for (int i = 0; i < become->n_enter; i++)
		if (!write_file(become->enter[i], "0"))
			give_up("cannot enter", become->enter[i]);
	/* Where memory runs out it ends before what somebody waits for. */
	(void)write_file("/proc/self/oom_score_adj", "1000");
	if (become->as_user)
		become_user(become);
	if (become->directory && chdir(become->directory))
		give_up("cannot enter", become->directory);
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != keeper)
		_exit(127);
	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
	(void)execvp(*become->argv, become->argv);
	give_up("cannot execute", *become->argv);
}
