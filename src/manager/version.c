/* SPDX-License-Identifier: GPL-3.0-or-later */
/* version.c - which version of a program a problem runs, looked at by a thread of its own. */
#include "manager/version.h"

#include "base/alloc.h"
#include "foretime/measure.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

/* All is a copy: whoever asked may have ended long before. */
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

/* The folder of a file: whatever is put there in its place is seen, too. */
static void watch_folder(int files, const char *path)
{
	char folder[PATH_MAX], *slash;

	(void)snprintf(folder, sizeof folder, "%s", path);
	slash = strrchr(folder, '/');
	if (slash)
		slash[slash == folder] = '\0';
	(void)inotify_add_watch(files, slash ? folder : ".",
				IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_ATTRIB);
}

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
		if (known && files >= 0)
			watch_folder(files, path);
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

/* ---- asking -------------------------------------------------------------------------------------------- */

bool ft__version_ask(struct ft__aside **aside, const struct ft_manager_problem *problem, uid_t beside,
		     int files)
{
	struct version_question question = {.beside = beside, .files = -1};
	struct ft__version late;
	bool good = *aside || !ft__aside_new(aside, sizeof question, find_version, clear_question, NULL);

	if (!good)
		return false;
	/* One that came too late tells of then. */
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
