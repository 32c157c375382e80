/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which version of a program is run: its executable, and the script that an interpreter is given; where
 * nobody answers. */
#include "../dead.h"
#include "../tap.h"
#include "../temp.h"
#include "manager/construct.h"

#include <poll.h>
#include <sys/inotify.h>

static struct ft_manager_config config;

static void read_config(const char *command)
{
	char conf[1024];
	struct ft_err err = {0};

	(void)snprintf(conf, sizeof conf,
		       "problems = ( { name = \"a\"; command = \"%s\"; directory = \"%s\"; parameters = "
		       "\"n=1:8\"; } );",
		       command, temp_folder);
	if (ft_manager_config_parse(&config, "made.conf", conf, strlen(conf), &err))
		(void)ok(false, "%s", err.text);
}

static bool look(struct ft__aside **aside, int files, struct ft__version *found)
{
	*found = (struct ft__version){0};
	return ft__version_ask(aside, &config.problem[0], (uid_t)-1, files) &&
	       ft__version_answer(*aside, found, 60000);
}

/* Whether what is run is another version once a file is another. */
static void test_change(const char *command, const char *name, bool other)
{
	struct ft__version before, after;
	struct ft__aside *aside = NULL;
	int files = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	struct pollfd fd = {.fd = files, .events = POLLIN};

	read_config(command);
	bool looked = look(&aside, files, &before) && *before.stamp && !before.fault.status;
	if (!ok(looked, "%s", command))
		diag("'%s' %s", before.stamp, before.fault.text);
	ok(look(&aside, files, &after) && !strcmp(before.stamp, after.stamp), "... is what it was");
	(void)temp_write(temp_path("new"), "#!/bin/sh\nexit 0 # another one\n", 0755);
	(void)rename(temp_path("new"), temp_path(name));
	ok(poll(&fd, 1, 60000) == 1, "... a change in its folder is told");
	ok(look(&aside, files, &after) && (strcmp(before.stamp, after.stamp) != 0) == other,
	   "... %s is another file: another version %s", name, other ? "it is" : "it is not");
	ft__aside_free(aside);
	(void)close(files);
	ft_manager_config_clear(&config);
}

static void test_faults(void)
{
	struct ft__version found;
	struct ft__aside *aside = NULL;

	read_config("./nothing {n}");
	ok(look(&aside, -1, &found) && !*found.stamp && found.fault.status == FT_ENOENT, "%s",
	   found.fault.text);
	ft_manager_config_clear(&config);
	(void)chmod(temp_path("script"), 0777);
	read_config("sh script {n}");
	ok(look(&aside, -1, &found) && *found.stamp && found.fault.status == FT_EACCESS,
	   "a script that all may write: %s", found.fault.text);
	ft__aside_free(aside);
	ft_manager_config_clear(&config);
}

static void test_dead(void)
{
	struct ft__version found;
	struct ft__aside *aside = NULL;
	char place[256];

	(void)snprintf(place, sizeof place, "%s", temp_path("dead"));
	int fd = dead_mount(place);
	if (fd < 0) {
		skip("files that do not answer", "no such file system can be made here");
		return;
	}
	read_config("./dead/program {n}");
	ok(ft__version_ask(&aside, &config.problem[0], (uid_t)-1, -1) &&
		   !ft__version_answer(aside, &found, 10),
	   "nobody answers, and nobody waits");
	ok(!ft__version_ask(&aside, &config.problem[0], (uid_t)-1, -1), "nor asks again");
	ft_manager_config_clear(&config);
	dead_end(fd, place);
	ok(ft__version_answer(aside, &found, 60000) && found.fault.status, "until it is gone: %s",
	   found.fault.text);
	ft__aside_free(aside);
}

int main(void)
{
	(void)temp_write(temp_path("program"), "#!/bin/sh\nexit 0\n", 0755);
	(void)temp_write(temp_path("script"), "exit 0\n", 0644);
	test_change("./program {n}", "program", true);
	test_change("sh script {n}", "script", true);
	test_change("sh ./script {n}", "script", true);
	test_change("./program script {n}", "script", false);
	test_faults();
	test_dead();
	temp_remove();
	return done();
}
