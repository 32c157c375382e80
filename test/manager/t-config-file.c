/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-config-file.c - configurations and programs that somebody else could change. */
#include "manager/config.h"
#include "tap.h"
#include "temp.h"

#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

static const char document[] = "order = \"gain\";\n";

static enum ft_status read_file(const char *path, struct ft_err *err)
{
	struct ft_manager_config c;
	enum ft_status status = ft_manager_config_read(&c, path, err);

	ft_manager_config_clear(&c);
	return status;
}

static void test_files(void)
{
	const char *folder = temp_path("folder"), *path = temp_path("folder/m.conf"),
		   *link = temp_path("link");
	struct ft_err err = {0};

	(void)mkdir(folder, 0755);
	(void)temp_write(path, document, 0644);
	if (!ok(!read_file(path, &err), "a file of this user is read"))
		diag("%s", err.text);
	ok(!symlink(path, link) && !read_file(link, &err), "also through a link");
	(void)chmod(path, 0666);
	ok(read_file(path, &err) == FT_EACCESS && strstr(err.text, "everybody may write") &&
		   strstr(err.remedy, "chmod o-w"),
	   "%s: %s", err.text, err.remedy);
	ok(read_file(link, &err) == FT_EACCESS, "a link does not hide that");
	(void)chmod(path, 0644);
	(void)chmod(folder, 0777);
	ok(read_file(path, &err) == FT_EACCESS && strstr(err.remedy, "chmod o-w"),
	   "nor may a folder above it be open: %s", err.remedy);
	(void)chmod(folder, 01777);
	ok(!read_file(path, &err), "but where only owners may remove");
	(void)chmod(folder, 0755);
	if (!geteuid() && !chown(path, 12345, 12345)) {
		ok(read_file(path, &err) == FT_EACCESS && strstr(err.text, "another user owns"), "%s: %s",
		   err.text, err.remedy);
		ok(!ft_manager_check_file(path, 12345, &err), "a user who may");
	} else
		skip("a file of another user", "only root can make one");
	if (!geteuid() && !chown(path, 12345, 12345) && !chmod(path, 0666) && !chmod(temp_folder, 0755) &&
	    !seteuid(1234)) {
		ok(ft_manager_check_file(path, (uid_t)-1, &err) == FT_EACCESS &&
			   strstr(err.text, "another user owns") && !strstr(err.remedy, "ch"),
		   "who does not own it is not told to change it: %s: %s", err.text, err.remedy);
		ok(!seteuid(0) && !chown(path, 0, 0) && !chmod(path, 0644), "as it was");
	}
	ok(read_file(folder, &err) == FT_EIO, "a folder: %s", err.text);
	(void)unlink(path);
	ok(read_file(path, &err) == FT_ENOENT && read_file(link, &err) == FT_ENOENT, "none: %s", err.text);
	(void)mkfifo(path, 0644);
	ok(read_file(path, &err) == FT_EIO, "a pipe is not waited for: %s", err.text);
}

/* A link that somebody could make lead elsewhere, in a folder that is not above the file itself. */
static void test_links(void)
{
	const char *open_folder = temp_path("open"), *link = temp_path("open/link"),
		   *path = temp_path("target"), *up = temp_path("open/../target"), *far = temp_path("far"),
		   *loop = temp_path("loop");
	struct ft_err err = {0};

	(void)temp_write(path, document, 0644);
	(void)mkdir(open_folder, 0755);
	ok(!symlink("../target", link) && !read_file(link, &err), "a link in a folder of ours");
	ok(!symlink(link, far) && !read_file(far, &err), "a link to a link");
	ok(!read_file(up, &err), "a path with '..'");
	(void)chmod(open_folder, 0777);
	ok(read_file(link, &err) == FT_EACCESS && strstr(err.remedy, "chmod o-w") &&
		   strstr(err.text, "/open'"),
	   "a link in a folder of all: %s", err.text);
	ok(read_file(far, &err) == FT_EACCESS, "nor by a link that leads there");
	ok(read_file(up, &err) == FT_EACCESS, "nor by '..' through it");
	(void)chmod(open_folder, 01777);
	ok(!read_file(far, &err), "where only owners may remove one it is good");
	if (!geteuid() && !lchown(link, 12345, 12345))
		ok(read_file(far, &err) == FT_EACCESS && strstr(err.remedy, "chown -h 0"),
		   "but not one of another user: %s", err.remedy);
	else
		skip("a link of another user", "only root can make one");
	ok(!symlink("loop", loop) && read_file(loop, &err) && read_file(path, &err) == FT_OK,
	   "one that leads to itself");
}

/* Whether our group bears our name, as one does that nobody else is in. */
static bool is_alone(void)
{
	struct passwd *user = getpwuid(geteuid());
	struct group *group = getgrgid(getegid());

	return user && group && !strcmp(user->pw_name, group->gr_name) && !*group->gr_mem;
}

static void test_groups(void)
{
	const char *folder = temp_path("group"), *path = temp_path("group/m.conf");
	struct ft_err err = {0};

	(void)mkdir(folder, 0755);
	(void)temp_write(path, document, 0644);
	if (is_alone() && !chown(path, (uid_t)-1, getegid()) && !chmod(path, 0664))
		ok(!read_file(path, &err), "our own group may write");
	if (!geteuid() && !chown(path, 0, 1) && !chmod(path, 0664) && !setegid(1)) {
		ok(read_file(path, &err) == FT_EACCESS && strstr(err.remedy, "chmod g-w"),
		   "one that we are in, but have not for ourselves, may not");
		ok(!setegid(0), "back");
	}
	if (geteuid() || chown(path, 0, 12345) || chmod(path, 0664)) {
		skip("a file of another group", "only root can make one");
		return;
	}
	ok(read_file(path, &err) == FT_EACCESS && strstr(err.text, "other users of its group may write") &&
		   strstr(err.remedy, "chmod g-w"),
	   "%s: %s", err.text, err.remedy);
	(void)chmod(path, 0666);
	ok(read_file(path, &err) == FT_EACCESS && strstr(err.remedy, "chmod go-w"), "%s", err.remedy);
	(void)chmod(path, 0644);
	ok(!chown(folder, 0, 12345) && !chmod(folder, 0775) && read_file(path, &err) == FT_EACCESS,
	   "nor its folder: %s", err.remedy);
}

static enum ft_status parse(struct ft_manager_config *config, const char *text, struct ft_err *err)
{
	return ft_manager_config_parse(config, "m.conf", text, strlen(text), err);
}

static void test_executables(void)
{
	const char *path = temp_path("program"), *script = temp_path("script");
	char text[10000];
	struct ft_manager_config c;
	struct ft_err err = {0};

	(void)temp_write(path, "#!/bin/sh\n", 0755);
	(void)temp_write(script, "true\n", 0644);
	(void)snprintf(text, sizeof text,
		       "problems = ( { name = \"a\"; command = \"%s\"; parameters = \"n=1:9\" },"
		       "{ name = \"b\"; command = \"sh %s {n}\"; parameters = \"n=1:9\" },"
		       "{ name = \"c\"; command = \"there-is-no-such-program\"; parameters = \"n=1:9\" } )",
		       path, script);
	ok(!parse(&c, text, &err) && c.n_problems == 3, "three problems");
	ok(!ft_manager_check_problem(&c.problem[0], (uid_t)-1, &err), "a program of this user");
	ok(!ft_manager_check_problem(&c.problem[1], (uid_t)-1, &err), "a script of his");
	ok(ft_manager_check_problem(&c.problem[2], (uid_t)-1, &err) == FT_ENOENT && *err.remedy, "%s",
	   err.text);
	(void)chmod(path, 0757);
	ok(ft_manager_check_problem(&c.problem[0], (uid_t)-1, &err) == FT_EACCESS &&
		   strstr(err.remedy, "chmod o-w"),
	   "%s", err.text);
	(void)chmod(script, 0646);
	ok(ft_manager_check_problem(&c.problem[1], (uid_t)-1, &err) == FT_EACCESS, "%s", err.text);
	(void)unlink(path);
	ok(ft_manager_check_problem(&c.problem[0], (uid_t)-1, &err) == FT_ENOENT, "it vanished: %s",
	   err.text);
	ft_manager_config_clear(&c);
}

int main(void)
{
	test_files();
	test_links();
	test_groups();
	test_executables();
	temp_remove();
	return done();
}
