/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A manager of root's that keeps its store and its state in a user's folder: wherever his links lead. */
#include "../tap.h"
#include "../temp.h"
#include "manager/construct.h"
#include "manager/inside.h"

#include <string.h>
#include <unistd.h>

#define NOBODY 65534

static struct ft_manager_config config;
static unsigned failed;
static char last[512];

static void tell(void *ctx, const struct ft_answer_event *event)
{
	(void)ctx;
	failed += !strcmp(event->event, "failed");
	(void)snprintf(last, sizeof last, "%s", event->why ? event->why : "");
}

/* A name in a folder. */
static const char *below(const char *folder, const char *name)
{
	static char paths[4][PATH_MAX];
	static unsigned next;
	char *path = paths[next++ % 4];

	(void)snprintf(path, PATH_MAX, "%s/%s", folder, name);
	return path;
}

static long long file_size(const char *path)
{
	struct stat st;

	return stat(path, &st) ? -1 : (long long)st.st_size;
}

static bool is_of(const char *path, uid_t user)
{
	struct stat st;

	return !lstat(path, &st) && S_ISREG(st.st_mode) && st.st_uid == user;
}

/* Nothing runs: what is kept is written when it ends. */
static void keep_at(const char *path)
{
	struct ft__construct_options options = {
		.command = "foretime", .store_path = "/nowhere", .state_path = path, .tell = tell};
	struct ft__construct *construct = NULL;
	struct ft_err err = {0};

	failed = 0;
	last[0] = '\0';
	if (ft__construct_new(&construct, &options, &config, &err))
		(void)ok(false, "%s", err.text);
	else
		ft__construct_keep(construct);
	ft__construct_free(construct);
}

/* A manager has opened it as it was, and the user puts something else there before it is opened again. */
static void hold_store(const struct ft__store_at *at, const char *root)
{
	char mine[PATH_MAX], aside[PATH_MAX];
	struct ft_store *store = NULL;
	struct ft_err err = {0};

	(void)snprintf(mine, sizeof mine, "%s/roots.db", root);
	(void)snprintf(aside, sizeof aside, "%s.aside", at->path);
	ok(!ft__store_at_open(at, &store, 0, &err), "it is opened: %s", err.text);
	ft_store_close(store);
	(void)ft_store_open(&store, mine, 0, NULL);
	ft_store_close(store);
	(void)chmod(root, 0755);
	(void)chmod(mine, 0666);
	(void)rename(at->path, aside);
	(void)!symlink(mine, at->path);
	ok(ft__store_at_open(at, &store, 0, &err) == FT_EACCESS && *err.remedy && !store, "%s", err.text);
	(void)unlink(at->path);
	(void)!link(mine, at->path);
	ok(ft__store_at_open(at, &store, FT_STORE_READ, &err) == FT_EACCESS && *err.remedy && !store, "%s",
	   err.text);
	(void)unlink(at->path);
	(void)rename(aside, at->path);
	ok(!ft__store_at_open(at, &store, FT_STORE_READ, &err), "his own again: %s", err.text);
	ft_store_close(store);
}

static void hold_links(const char *user, const char *root)
{
	const char *state_path = below(user, "s.db.manager"), *victim = below(root, "victim");
	struct ft__store_at at = {0};
	struct ft_err err = {0};

	(void)temp_write(victim, "mine", 0600);
	(void)!symlink(victim, below(user, "s.db.manager.new"));
	keep_at(state_path);
	ok(!failed && is_of(state_path, NOBODY) && file_size(victim) == 4,
	   "the state is the user's file, wherever his links lead: %s", last);
	(void)!symlink(root, below(user, "away"));
	keep_at(below(user, "away/state"));
	ok(failed == 2 && access(below(root, "state"), F_OK),
	   "where he may not write nothing is, nor read, each told once: %s", last);
	(void)mkfifo(below(user, "pipe"), 0666);
	keep_at(below(user, "pipe"));
	ok(failed == 1, "a pipe is not waited for: %s", last);
	(void)!symlink(below(root, "store"), below(user, "s.db"));
	ok(ft__store_place(below(user, "s.db"), &config, &at, &err) && access(below(root, "store"), F_OK),
	   "nor is a store made where he may not: %s", err.text);
	ok(!ft__store_place(below(user, "t.db"), &config, &at, &err) && is_of(below(user, "t.db"), NOBODY),
	   "one that is made is his: %s", err.text);
	hold_store(&at, root);
	free(at.path);
}

/* What stands in the folder of the user is touched with his rights. */
static void test_root(void)
{
	static const char conf[] = "user = \"nobody\"; problems = ( { name = \"a\"; command = \"true {n}\"; "
				   "parameters = \"n=1:8\"; } );";
	char user[] = "/tmp/foretime-user-XXXXXX", root[] = "/tmp/foretime-root-XXXXXX", remove[128];

	if (!mkdtemp(user) || !mkdtemp(root) || chown(user, NOBODY, NOBODY) ||
	    ft_manager_config_parse(&config, "made.conf", conf, strlen(conf), NULL))
		return;
	hold_links(user, root);
	ft_manager_config_clear(&config);
	(void)snprintf(remove, sizeof remove, "rm -r %s %s", user, root);
	(void)!system(remove);
}

int main(void)
{
	if (geteuid())
		skip("links in a user's folder", "no root");
	else
		test_root();
	return done();
}
