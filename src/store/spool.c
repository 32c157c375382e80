/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spool.c - runs that the store could not take: kept in small stores next to it, and taken in later.
 *
 * The folder is PATH.spool, or one in the folder for temporary files if none can be made there. A file is
 * written under another name and gets its own when it is complete. Its name is noted in the store in the
 * transaction that takes it in: so it is not taken in twice if the process is killed before removing it. A
 * file left under the other name by a killed process is taken in as well, when it is old enough that
 * nobody writes it. */
#include "base/alloc.h"
#include "base/clock.h"
#include "base/text.h"
#include "store/store.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char part[] = ".part", whole[] = ".db", journal[] = "-journal";

enum {
	PART_AGE_S = 600
}; /* writing one takes milliseconds, and some seconds if it is locked by another process */

/* ---- place -------------------------------------------------------------------------------------------- */

/* A path without links, as far as it exists: the same before a file is made and after. NULL: no memory. */
static char *full_path(const char *path)
{
	char *found = realpath(path, NULL), *full, *folder, *above;
	const char *slash = strrchr(path, '/');
	struct ft_text text = {0};

	if (found || !strcmp(path, ".") || !strcmp(path, "/")) {
		full = ft_strdup(found ? found : path);
		free(found);
		return full;
	}
	folder = ft__place_folder(path);
	above = folder ? full_path(folder) : NULL;
	if (above)
		ft_text_add(&text, "%s/%s", strcmp(above, "/") ? above : "", slash ? slash + 1 : path);
	ft_free(folder);
	full = above ? ft_text_take(&text) : NULL;
	ft_free(above);
	return full;
}

/* The i-th folder to try; NULL past the last, or no memory. */
static char *spool_folder(const char *path, int i)
{
	const char *temporary = getenv("TMPDIR");
	struct ft_text text = {0};

	if (i > 1)
		return NULL;
	if (i == 0) {
		ft_text_add(&text, "%s.spool", path);
		return ft_text_take(&text);
	}
	char *full = full_path(path);
	if (!full)
		return NULL;
	ft_text_add(&text, "%s/foretime-%lu-%016llx.spool", temporary && *temporary ? temporary : "/tmp",
		    (unsigned long)geteuid(), (unsigned long long)ft_hash_text(full));
	ft_free(full);
	return ft_text_take(&text);
}

/* Whether it is a folder of ours that no other user can write. */
static bool is_ours(const char *folder)
{
	struct stat info;

	return !lstat(folder, &info) && S_ISDIR(info.st_mode) && info.st_uid == geteuid() &&
	       !(info.st_mode & 022);
}

/* ---- keeping ------------------------------------------------------------------------------------------ */

static enum ft_status open_in(struct ft_store **out, const char *folder, struct ft_err *err)
{
	struct ft__opening opening = ft__opening;
	struct ft_text text = {0};

	*out = NULL;
	if (mkdir(folder, 0700) && errno != EEXIST)
		return ft_fail_errno(err, errno, "cannot create the folder '%s'", folder);
	if (!is_ours(folder))
		return ft_fail(err, FT_EACCESS, "the folder '%s' is not ours alone", folder);
	ft_text_add(&text, "%s/%019lld-%ld%s", folder, (long long)ft_clock_real_ns(), (long)getpid(), part);
	char *path = ft_text_take(&text);
	if (!path)
		return ft_nomem(err);
	opening.is_spool = true;
	enum ft_status status = ft__store_open(out, path, FT_STORE_ROLLBACK, &opening, err);
	if (status) {
		(void)unlink(path);
		(void)rmdir(folder);
	}
	ft_free(path);
	return status;
}

enum ft_status ft_store_open_spool(struct ft_store **out, const char *path, struct ft_err *err)
{
	struct ft__store_place place;
	enum ft_status status = ft__place_find(path, &place, err);
	struct ft_err first = {0};

	*out = NULL;
	if (status)
		return status;
	(void)ft__place_make(&place, NULL);
	for (int i = 0; i < 2; i++) {
		char *folder = spool_folder(place.path, i);

		status = folder ? open_in(out, folder, err) : ft_nomem(err);
		ft_free(folder);
		if (!status || status == FT_ENOMEM)
			break;
		if (i == 0 && err)
			first = *err;
	}
	if (status && status != FT_ENOMEM && err)
		*err = first;
	ft_free(place.path);
	return status;
}

enum ft_status ft_store_close_spool(struct ft_store *spool, bool keep, struct ft_err *err)
{
	char *path = ft_strdup(spool->path), *final = ft_strdup(spool->path);
	enum ft_status status = FT_OK;

	ft_store_close(spool);
	if (!path || !final) {
		status = ft_nomem(err);
	} else if (keep) {
		memcpy(final + strlen(final) - strlen(part), whole, sizeof whole);
		if (rename(path, final))
			status = ft_fail_errno(err, errno, "cannot keep '%s'", path);
	}
	if (path && (!keep || status)) {
		(void)unlink(path);
		/* The folder of a file goes with its last file. */
		char *folder = ft__place_folder(path);

		if (folder)
			(void)rmdir(folder);
		ft_free(folder);
	}
	ft_free(path);
	ft_free(final);
	return status;
}

/* ---- taking in ---------------------------------------------------------------------------------------- */

/* was: [runs->n] their ids in the spool. */
static enum ft_status take_traces(struct ft_store *store, struct ft_store *spool, const struct ft_runs *runs,
				  const int64_t *was, struct ft_err *err)
{
	enum ft_status status = FT_OK;

	for (size_t i = 0; i < runs->n && !status; i++) {
		size_t length;
		char *csv;

		status = ft_store_get_trace(spool, was[i], &csv, &length, err);
		if (!status)
			status = ft_store_put_trace(store, runs->run[i].id, csv, length, err);
		else if (status == FT_ENOENT)
			status = FT_OK;
		ft_free(csv);
	}
	return status;
}

/* The runs of one program on one machine: those of `added` [n], all of the same; n 0: all that there are. */
static enum ft_status take_entry(struct ft_store *store, struct ft_store *spool,
				 const struct ft__added *added, size_t n, struct ft_err *err)
{
	struct ft_program program = {0};
	struct ft_machine machine = {0};
	struct ft_runs runs = {0};
	enum ft_status status = ft_store_get_program_at(spool, added->program, &program, err);

	if (!status)
		status = ft_store_get_machine(spool, added->machine, &machine, err);
	if (!status && !n)
		status = ft_store_get_runs(spool, added->program, added->machine, &runs, err);
	for (size_t i = 0; i < n; i++)
		for (int64_t k = 0; k < added[i].runs && !status; k++)
			status = ft_store_get_run(spool, added[i].run + k, &runs, err);
	if (!status)
		status = ft_store_put_machine(store, &machine, err);
	if (!status) {
		/* A program of the spool put into the store; one that the store knew before does not become the newest again.
		 */
		struct ft_program newest = {0};
		bool there =
			ft_store_get_program_on(store, program.name, program.device, &newest, NULL) == FT_OK;
		int64_t before = newest.id;
		status = ft_store_put_program(store, &program, err);
		if (!status && there && program.id < before)
			status = ft_store_put_program(store, &newest, err);
		ft_program_clear(&newest);
	}
	if (!status) {
		int64_t *was = ft_calloc(runs.n + 1, sizeof *was);
		status = was ? FT_OK : ft_nomem(err);
		for (size_t l = 0; was && l < runs.n; l++)
			was[l] = runs.run[l].id;
		if (!status)
			status = ft_store_add_runs(store, program.id, machine.id, &runs, err);
		if (!status)
			status = take_traces(store, spool, &runs, was, err);
		ft_free(was);
	}
	ft_runs_clear(&runs);
	ft_machine_clear(&machine);
	ft_program_clear(&program);
	return status;
}

/* A file that lost its name can be read, and written, until it is closed: runs added since it was opened
 * are copied from it. A second call returns the same. */
enum ft_status ft__spool_moved(struct ft_store *store, struct ft_err *err)
{
	const struct ft__added *added = store->added;
	const size_t n = store->moved ? 0 : store->n_kept;
	struct ft_store *spool = NULL;
	struct ft_err why = {0};
	enum ft_status status = FT_OK, closed;
	size_t k;

	/* The journal that it leaves behind would be played back into a store that stands there now: what it
	 * holds goes to the lost file first, which somebody may have put aside. Where none stands there yet
	 * it may be on its way there, too, and SQLite removes it when it makes one. */
	if (!store->moved && store->wal && !access(store->path, F_OK)) {
		(void)sqlite3_wal_checkpoint_v2(store->db, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
		for (size_t i = 0; i < 2; i++) {
			char name[PATH_MAX];

			(void)snprintf(name, sizeof name, "%s%s", store->path, ft__journals[i]);
			if (store->journal[i] && ft__inode_of(store, ft__journals[i]) == store->journal[i])
				(void)unlink(name);
		}
	}
	store->moved = true;
	if (n)
		status = ft_store_open_spool(&spool, store->path, &why);
	if (spool && !(status = ft_store_begin(spool, &why))) {
		for (size_t i = 0; i < n && !status; i = k) {
			for (k = i + 1; k < n && added[k].program == added[i].program &&
					added[k].machine == added[i].machine;)
				k++;
			status = take_entry(spool, store, &added[i], k - i, &why);
		}
		status = ft_store_end(spool, status, &why);
	}
	(void)ft_fail(err, FT_EMOVED, "the store '%s' was removed or replaced while it was in use",
		      store->path);
	if (!status && spool)
		(void)ft_remedy(err,
				"the runs that were made meanwhile are kept in '%.*s': the next command that "
				"writes to the store takes them in",
				(int)(strrchr(spool->path, '/') - spool->path), spool->path);
	if (spool && (closed = ft_store_close_spool(spool, !status, status ? NULL : &why)))
		status = closed;
	if (status)
		(void)ft_remedy(err, "the runs that were made meanwhile are lost: %s", why.text);
	else if (!n)
		(void)ft_remedy(err, "do it again");
	return FT_EMOVED;
}

/* One file, in one transaction. */
static enum ft_status take_file(struct ft_store *store, const char *path, const char *id)
{
	struct ft__opening opening = ft__opening;
	struct ft_store *spool = NULL;
	int64_t taken = 0;

	FT_TRY(ft__begin(store, NULL));
	opening.is_spool = true;
	/* After waiting for another process to take it in, it is gone. */
	if (access(path, F_OK))
		return ft__end(store, FT_OK, NULL);
	enum ft_status status = ft__exec(store, FT__FIND_SPOOLED, FT__VALUES(ft__text(id)), &taken, NULL);
	if (!status && !taken &&
	    !(status = ft__store_open(&spool, path, FT_STORE_ROLLBACK, &opening, NULL))) {
		struct ft_store_list list;
		status = ft_store_get_list(spool, NULL, &list, NULL);
		for (size_t i = 0; i < list.n && !status; i++) {
			const struct ft__added all = {list.entry[i].program, list.entry[i].machine, 0, 0};

			if (all.machine)
				status = take_entry(store, spool, &all, 0, NULL);
		}
		ft_store_list_clear(&list);
	}
	ft_store_close(spool);
	if (!status && !taken)
		status = ft__exec(store, FT__ADD_SPOOLED, FT__VALUES(ft__text(id)), NULL, NULL);
	status = ft__end(store, status, NULL);
	if (!status && !unlink(path))
		(void)ft__exec(store, FT__REMOVE_SPOOLED, FT__VALUES(ft__text(id)), NULL, NULL);
	return status;
}

/* Whether it was not written for a while. */
static bool is_old(const char *path)
{
	struct stat info;

	return !stat(path, &info) && info.st_mtim.tv_sec + PART_AGE_S < ft_clock_real_ns() / 1000000000;
}

/* Whether it can be opened, which completes or rolls back its transactions. */
static bool is_sound(const char *path)
{
	struct ft__opening opening = ft__opening;
	struct ft_store *spool = NULL;

	opening.is_spool = true;
	enum ft_status status = ft__store_open(&spool, path, FT_STORE_ROLLBACK, &opening, NULL);
	ft_store_close(spool);
	return status != FT_EIO && status != FT_ENOTOURS;
}

/* The part of a killed spooler: committed runs are taken in; a file that cannot be opened is removed. */
static void take_part(struct ft_store *store, const char *path, const char *name)
{
	if (is_sound(path))
		(void)take_file(store, path, name);
	else
		(void)unlink(path);
}

/* A journal without its file. */
static void drop_journal(char *path)
{
	char *end = path + strlen(path) - strlen(journal);

	*end = '\0';
	if (access(path, F_OK)) {
		*end = *journal;
		(void)unlink(path);
	}
}

static void take_name(struct ft_store *store, const char *folder, const char *name)
{
	struct ft_text path = {0};

	ft_text_add(&path, "%s/%s", folder, name);
	if (path.failed)
		return;
	if (ft_word_ends(name, whole))
		(void)take_file(store, path.s, name);
	else if (ft_word_ends(name, part) && is_old(path.s))
		take_part(store, path.s, name);
	else if (ft_word_ends(name, journal) && is_old(path.s))
		drop_journal(path.s);
	ft_text_clear(&path);
}

static void take_folder(struct ft_store *store, const char *folder)
{
	DIR *dir = is_ours(folder) ? opendir(folder) : NULL;
	struct dirent *entry;

	if (!dir)
		return;
	while ((entry = readdir(dir)))
		take_name(store, folder, entry->d_name);
	(void)closedir(dir);
	(void)rmdir(folder); /* when it is empty */
}

void ft__spool_take(struct ft_store *store)
{
	char *folder;

	for (int i = 0; (folder = spool_folder(store->path, i)); i++) {
		take_folder(store, folder);
		ft_free(folder);
	}
}

bool ft_store_has_spool(const struct ft_store *store)
{
	bool there = false;
	char *folder;

	for (int i = 0; !there && (folder = spool_folder(store->path, i)); i++) {
		there = is_ours(folder);
		ft_free(folder);
	}
	return there;
}
