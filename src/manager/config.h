/* SPDX-License-Identifier: GPL-3.0-or-later */
/* config.h - the configuration of the manager: read from manager.conf (libconfig), or from PMM's XML (001
 * II.A, Fig. 4), with the same content. man/foretime-manager.conf.5.scd describes each field. */
#ifndef FT_MANAGER_CONFIG_H
#define FT_MANAGER_CONFIG_H

#include "base/text.h"
#include "foretime/build.h"
#include "foretime/facts.h"
#include "policy/door.h"

#include <limits.h>
#include <sys/types.h>

/* A program that gets a model. 0, NULL: not stated. */
struct ft_manager_problem {
	struct ft_program program; /* name, argv, parameters, work, where: as foretime build has them */
	char *directory;           /* working directory */
	char *model_path;          /* an additional file for the model */
	double priority;
	struct ft_policies policies;           /* its own: they override the system's */
	const struct ft_builder_type *builder; /* never NULL */
	double tolerance;
	double budget_s, timeout_s, memory_bytes;
	size_t points;
	size_t reps_least, reps_most;
	double reps_limit_s;
	bool end_zero; /* gbbp: the speed at the largest size is taken for zero */
	bool contract; /* new versions of the executable are verified */
	unsigned line;
};

struct ft_manager_config {
	char *path; /* of the file */
	char *store, *socket, *spool;
	bool open_to_all;
	char *address, *certificate, *key, *token; /* the last three: paths */
	char **hosts;                              /* [n_hosts] heap, as are they */
	size_t n_hosts;
	char *user;     /* the user that benchmarks run as, when the manager runs as root */
	char **trusted; /* [n_trusted] users whose timings are fitted */
	size_t n_trusted;
	enum ft_order order;
	char *load_path; /* an additional file for the background load */
	double load_period_s;
	size_t load_history;
	struct ft_policies policies;        /* the system's */
	struct ft_manager_problem *problem; /* [n_problems] heap */
	size_t n_problems;
};

void ft_manager_config_clear(struct ft_manager_config *config); /* accepts NULL, and twice */

/* ft_manager_config_read - read a file of either format, detected by its first character.
 *
 * out  the caller's, ends with ft_manager_config_clear; cleared on failure
 *
 * Returns FT_OK; FT_ENOENT, FT_EIO; FT_EACCESS: other users may write the file, or a folder above it, or own
 * it (the remedy is a command); FT_EPARSE: file, line, and the nearest name to an unknown field; FT_EINVAL:
 * an invalid value (file and line); FT_EUNAVAIL: a library is missing; FT_ENOMEM. Nothing that the file
 * names is opened.
 */
enum ft_status ft_manager_config_read(struct ft_manager_config *out, const char *path, struct ft_err *err);

/* ft_manager_config_parse - the same of memory; name stands in messages. */
enum ft_status ft_manager_config_parse(struct ft_manager_config *out, const char *name, const char *bytes,
				       size_t length, struct ft_err *err);

/* ft_manager_config_manual - the settings, for man/page: parts that begin with a line as "@PROBLEM@". */
void ft_manager_config_manual(struct ft_text *out);

/* ft_manager_check_file - check that only root, this user and one more user can change a file.
 *
 * path    absolute, or relative to the current folder
 * beside  an additional user; (uid_t)-1: none
 *
 * Returns FT_OK; FT_ENOENT, FT_EIO; FT_EACCESS, with a command as the remedy: the file, or a
 * folder on the way to it (also those of links, and where they lead), is writable for all or for a group that
 * is neither root's nor ours (of folders: without the sticky bit), or belongs to another user; the same for
 * a link.
 */
enum ft_status ft_manager_check_file(const char *path, uid_t beside, struct ft_err *err);

/* ft_manager_open_file - that, and the file that was looked at is open for reading: *fd, ended by close; -1
 * on failure. A pipe is not waited for. */
enum ft_status ft_manager_open_file(const char *path, uid_t beside, int *fd, struct ft_err *err);

/* ft_manager_find_word - a word of its command as a path: the first as above, the rest as they are, or
 * below its folder. false: it cannot be a path. Existence is not checked, except for the first on PATH. */
bool ft_manager_find_word(const struct ft_manager_problem *problem, size_t i, char path[PATH_MAX]);

/* ft_manager_check_problem - ft_manager_check_file of its executable, and of each file that its command
 * names (scripts of interpreters). FT_ENOENT: no such executable, also not on PATH. */
enum ft_status ft_manager_check_problem(const struct ft_manager_problem *problem, uid_t beside,
					struct ft_err *err);

#endif
