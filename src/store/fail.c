/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fail.c - what SQLite says, as a status, a sentence and a remedy. */
#include "store/store.h"

#include <errno.h>

enum ft_status ft__damaged(struct ft_store *store, const char *what, struct ft_err *err)
{
	(void)ft_fail(err, FT_EIO, "the store '%s' is damaged: %s", store->path, what);
	(void)ft_remedy(
		err,
		"restore a copy of it, or move it away and start again; sqlite3 '%s' .dump shows what "
		"can be read",
		store->path);
	return FT_EIO;
}

#define ELSEWHERE "name another store with --store PATH or FORETIME_STORE"

/* The errno behind a failure of input or output; 0: not known. SQLite keeps it for the connection, but not
 * when a commit fails: then with the file. */
static int system_number(struct ft_store *store)
{
	static const int files[] = {SQLITE_FCNTL_FILE_POINTER, SQLITE_FCNTL_JOURNAL_POINTER};
	int number = store->db ? sqlite3_system_errno(store->db) : 0;

	for (size_t i = 0; store->db && !number && i < sizeof files / sizeof *files; i++) {
		sqlite3_file *file = NULL;

		if (sqlite3_file_control(store->db, "main", files[i], &file) == SQLITE_OK && file &&
		    file->pMethods)
			(void)file->pMethods->xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &number);
	}
	return number;
}

/* What stands in the way of a file that cannot be opened, read or written. */
static enum ft_status fail_system(struct ft_store *store, int number, struct ft_err *err)
{
	const char *remedy = "look at the file, its folder and its disk, or " ELSEWHERE;
	enum ft_status status;

	if (number == EFBIG) /* the limit that a user or a batch system sets on the size of files */
		status = ft_fail(err, FT_ENOSPC, "the store '%s' reaches the limit on the size of files",
				 store->path);
	else if (number)
		status = ft_fail_errno(err, number, "cannot read or write the store '%s'", store->path);
	else
		status = ft_fail(err, FT_EIO, "cannot read or write the store '%s': %s", store->path,
				 store->db ? sqlite3_errmsg(store->db) : "input or output failed");
	if (number == EFBIG)
		remedy = "raise it (ulimit -f), or " ELSEWHERE;
	else if (status == FT_ENOSPC)
		remedy = "make room there, or " ELSEWHERE;
	(void)ft_remedy(err, "%s", remedy);
	return status;
}

static const struct {
	int code; /* extended, or all of its kind */
	enum ft_status status;
	const char *what, *remedy;
} cases[] = {
	{SQLITE_READONLY_DBMOVED, FT_EIO, "was moved or removed while it was in use", "do it again"},
	{SQLITE_CONSTRAINT_FOREIGNKEY, FT_ENOENT, "has no such program or machine",
	 "if it was removed meanwhile, begin again"},
	{SQLITE_CANTOPEN_SYMLINK, FT_EACCESS, "is a link, or lies behind one, which is not followed",
	 "name the file itself, or " ELSEWHERE},
	{SQLITE_BUSY, FT_EBUSY, "is locked by another process", "wait until that has ended, or " ELSEWHERE},
	{SQLITE_LOCKED, FT_EBUSY, "is locked by another process", "wait until that has ended, or " ELSEWHERE},
	{SQLITE_PROTOCOL, FT_EBUSY, "is locked by another process",
	 "wait until that has ended, or " ELSEWHERE},
	{SQLITE_READONLY, FT_EACCESS, "may not be written", "make it and its folder writable, or " ELSEWHERE},
	{SQLITE_PERM, FT_EACCESS, "may not be opened", "make it readable and writable, or " ELSEWHERE},
	{SQLITE_AUTH, FT_EACCESS, "may not be opened", "make it readable and writable, or " ELSEWHERE},
};

enum ft_status ft__sql_fail(struct ft_store *store, int rc, struct ft_err *err)
{
	if (rc == SQLITE_IOERR_NOMEM)
		return ft_nomem(err);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		if (cases[i].code != rc && cases[i].code != (rc & 0xff))
			continue;
		(void)ft_fail(err, cases[i].status, "the store '%s' %s", store->path, cases[i].what);
		(void)ft_remedy(err, "%s", cases[i].remedy);
		return cases[i].status;
	}
	switch (rc & 0xff) {
	case SQLITE_NOMEM:
		return ft_nomem(err);
	case SQLITE_FULL:
		return fail_system(store, ENOSPC, err);
	case SQLITE_IOERR:
	case SQLITE_CANTOPEN:
		return fail_system(store, system_number(store), err);
	default:
		return ft__damaged(store, store->db ? sqlite3_errmsg(store->db) : sqlite3_errstr(rc), err);
	}
}
