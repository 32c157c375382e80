/* SPDX-License-Identifier: GPL-3.0-or-later */
/* open.c - opens and closes a store, and rejects files that are none. */
#include "base/alloc.h"
#include "base/text.h"
#include "store/store.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

/*
 * Choose the journal: WAL keeps an index in memory shared by its users, which network file systems do not
 * share.
 */

/* Numbers of statfs(2): <linux/magic.h>, and the sources of those that live outside the kernel. FUSE may be
 * local (and then only loses some speed), but sshfs, GlusterFS and the like are not. */
static const uint32_t network[] = {
	0x00006969, /* NFS */
	0x0000517b, /* SMB */
	0xff534d42, /* CIFS */
	0xfe534d42, /* SMB 2 */
	0x0bd00bd0, /* Lustre */
	0x47504653, /* GPFS, Spectrum Scale */
	0x19830326, /* BeeGFS */
	0x5346414f, /* AFS, OpenAFS */
	0x6b414653, /* AFS of the kernel */
	0x01021997, /* 9p */
	0x65735546, /* FUSE */
	0x00c36400, /* Ceph */
	0x73757245, /* Coda */
	0x0000564c, /* NCP */
	0x7461636f, /* OCFS2 */
	0x01161970, /* GFS2 */
	0x20030528, /* OrangeFS, PVFS2 */
	0x786f4256, /* shared folders of VirtualBox */
	0xaad7aaea, /* Panasas */
};

bool ft__is_network(long type)
{
	for (size_t i = 0; i < sizeof network / sizeof *network; i++)
		if ((uint32_t)type == network[i])
			return true;
	return false;
}

/* leave_wal - before the first read of a file in WAL mode: make it a rollback one without shared memory.
 * settle_journal - choose the journal and what it needs to be safe. */
static enum ft_status leave_wal(struct ft_store *store, struct ft_err *err)
{
	int rc = ft__pragma(store, "PRAGMA locking_mode = EXCLUSIVE", NULL);

	if (rc == SQLITE_OK)
		rc = ft__pragma(store, "PRAGMA journal_mode = DELETE", NULL);
	if (rc == SQLITE_OK) /* the lock goes with the next read */
		rc = ft__pragma(store, "PRAGMA locking_mode = NORMAL", NULL);
	return rc == SQLITE_OK ? FT_OK : ft__sql_fail(store, rc, err);
}

static int read_mode(struct ft_store *store, const char *sql)
{
	sqlite3_stmt *stmt;
	int rc = sqlite3_prepare_v2(store->db, sql, -1, &stmt, NULL);

	if (rc != SQLITE_OK)
		return rc;
	if (sqlite3_step(stmt) == SQLITE_ROW) {
		const void *mode = sqlite3_column_text(stmt, 0);

		store->wal = mode && !strcmp(mode, "wal");
	}
	return sqlite3_finalize(stmt);
}

/* Under WAL a commit that no fsync follows is still in the file when the process is killed, and the file is
 * never damaged: only a power failure may take the last runs. A rollback journal must be on the disk before
 * the file is changed. */
static enum ft_status settle_journal(struct ft_store *store, bool rollback, struct ft_err *err)
{
	int rc = read_mode(store, rollback ? "PRAGMA journal_mode" : "PRAGMA journal_mode = WAL");

	if ((rc & 0xff) == SQLITE_BUSY) /* somebody works with a rollback journal: so do we */
		rc = read_mode(store, "PRAGMA journal_mode");
	if (rc == SQLITE_OK)
		rc = ft__pragma(store,
				store->wal ? "PRAGMA synchronous = NORMAL" : "PRAGMA synchronous = FULL",
				NULL);
	if (rc == SQLITE_OK) /* the first read opens the WAL: from then on nobody can remove it */
		rc = ft__pragma(store, "PRAGMA user_version", NULL);
	return rc == SQLITE_OK ? FT_OK : ft__sql_fail(store, rc, err);
}

/*
 * The path of the store, and the folders above it.
 */

static const char *get_variable(const char *name)
{
	const char *value = getenv(name);

	return value && *value ? value : NULL;
}

enum ft_status ft__place_find(const char *path, struct ft__store_place *out, struct ft_err *err)
{
	const char *data = get_variable("XDG_DATA_HOME"), *home = get_variable("HOME");
	struct ft_text text = {0};

	*out = (struct ft__store_place){0};
	if (!path)
		path = get_variable("FORETIME_STORE");
	if (path && !*path) {
		(void)ft_fail(err, FT_EINVAL, "the path of the store is empty");
		(void)ft_remedy(err, "name it with --store PATH, or leave the option out");
		return FT_EINVAL;
	}
	if (path) {
		/* SQLite would take ":memory:" and "file:x" for something else than names of files. */
		bool special = *path == ':' || !strncmp(path, "file:", 5);

		ft_text_add(&text, "%s%s", special ? "./" : "", path);
	} else if (data && *data == '/') { /* the specification has relative ones ignored */
		ft_text_add(&text, "%s/foretime/store.db", data);
		out->own = true;
	} else if (home) {
		ft_text_add(&text, "%s/.local/share/foretime/store.db", home);
		out->own = true;
	} else {
		(void)ft_fail(err, FT_ENOENT, "there is no place for the store: HOME is not set");
		(void)ft_remedy(err, "name it with --store PATH or FORETIME_STORE");
		return FT_ENOENT;
	}
	out->path = ft_text_take(&text);
	return out->path ? FT_OK : ft_nomem(err);
}

char *ft__place_folder(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return ft_strdup(".");
	return ft_strndup(path, slash > path ? (size_t)(slash - path) : 1);
}

/* Create the folder folder[0..], with those above it. Modifies folder temporarily. */
static int make_folders(char *folder, mode_t mode)
{
	struct stat info;

	if (!stat(folder, &info)) /* first: on automounted folders mkdir fails in its own ways */
		return S_ISDIR(info.st_mode) ? 0 : ENOTDIR;
	if (errno != ENOENT)
		return errno;
	for (char *slash = strchr(folder + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (stat(folder, &info) && mkdir(folder, mode) && errno != EEXIST) {
			*slash = '/';
			return errno;
		}
		*slash = '/';
	}
	return mkdir(folder, mode) && errno != EEXIST ? errno : 0;
}

enum ft_status ft__place_make(const struct ft__store_place *place, struct ft_err *err)
{
	char *folder = ft__place_folder(place->path);
	enum ft_status status = FT_OK;

	if (!folder)
		return ft_nomem(err);
	int number = make_folders(folder, place->own ? 0700 : 0777);
	if (number) {
		status = ft_fail_errno(err, number, "cannot create the folder '%s' of the store", folder);
		(void)ft_remedy(err, "name a store elsewhere with --store PATH or FORETIME_STORE");
	}
	ft_free(folder);
	return status;
}

/*
 * Opens and closes a store, and rejects files that are none.
 */

/* CELL_MAX: a model of 1e5 sizes is 13 MiB long. */
enum { HASTY_MS = 200, JOURNAL_LONG = 512 * 1024, CELL_MAX = 256 << 20 };

static enum ft_status not_ours(const char *path, const char *what, struct ft_err *err)
{
	(void)ft_fail(err, FT_ENOTOURS, "'%s' is not a store of foretime but %s", path, what);
	(void)ft_remedy(err, "it was left as it is; name another file with --store PATH or FORETIME_STORE");
	return FT_ENOTOURS;
}

/* What exists at the path now; *there: whether anything does, *empty: whether that has a length of 0. */
static enum ft_status look_at_path(const char *path, bool *there, bool *empty, struct ft_err *err)
{
	struct stat info = {0};

	*there = !stat(path, &info);
	*empty = !info.st_size;
	if (!*there && errno != ENOENT) {
		enum ft_status status = ft_fail_errno(err, errno, "cannot open the store '%s'", path);

		(void)ft_remedy(err, "name another one with --store PATH or FORETIME_STORE");
		return status;
	}
	if (*there && S_ISDIR(info.st_mode))
		return not_ours(path, "a folder", err);
	if (*there && !S_ISREG(info.st_mode)) /* opening a pipe would wait for its other end */
		return not_ours(path, "no regular file", err);
	return FT_OK;
}

/* locking: NULL, or a way of SQLite to do without (https://www.sqlite.org/vfs.html section 2.1). */
static int open_database(struct ft_store *store, const char *name, int flags, const char *locking)
{
	(void)sqlite3_close(store->db); /* no journal is no harm */
	int rc = sqlite3_open_v2(name, &store->db, flags | SQLITE_OPEN_NOMUTEX, locking);
	if (store->db) {
		(void)sqlite3_extended_result_codes(store->db, 1);
		/* A file from elsewhere may have any schema. A store has neither views nor triggers: something that
		 * imitates a table would be one, and is rejected (https://www.sqlite.org/security.html). */
		sqlite3 *db = store->db;

		(void)sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
		(void)sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
		(void)sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
		(void)sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
		(void)sqlite3_limit(db, SQLITE_LIMIT_LENGTH, CELL_MAX);
	}
	return rc != SQLITE_OK && store->db ? sqlite3_extended_errcode(store->db) : rc;
}

/* Whether the file is ours, or empty; *wal: its journal. Offsets: https://www.sqlite.org/fileformat2.html
 * section 1.3.
 *
 * The header is read through SQLite's own handle: closing one of ours would drop the locks of every other
 * connection of this process to the file. So nothing in a foreign file is changed, and no journal of it
 * is played back. */
static enum ft_status read_header(struct ft_store *store, bool *wal, struct ft_err *err)
{
	unsigned char bytes[100];
	sqlite3_file *file = NULL;
	sqlite3_int64 length = 0;
	int rc = sqlite3_file_control(store->db, "main", SQLITE_FCNTL_FILE_POINTER, &file);

	*wal = false;
	if (rc == SQLITE_OK)
		rc = file->pMethods->xFileSize(file, &length);
	if (rc == SQLITE_OK && length >= (sqlite3_int64)sizeof bytes)
		rc = file->pMethods->xRead(file, bytes, sizeof bytes, 0);
	if (rc != SQLITE_OK)
		return ft__sql_fail(store, rc, err);
	if (length == 0)
		return FT_OK;
	if (length < (sqlite3_int64)sizeof bytes || memcmp(bytes, "SQLite format 3", 16) != 0)
		return not_ours(store->path, "a file of another kind", err);
	uint32_t id =
		(uint32_t)bytes[68] << 24 | (uint32_t)bytes[69] << 16 | (uint32_t)bytes[70] << 8 | bytes[71];
	if (id != FT__APPLICATION_ID)
		return not_ours(store->path, "an SQLite database of something else", err);
	*wal = bytes[19] == 2;
	return FT_OK;
}

/* Whether files can be made in the store's folder: its journals, and itself. */
static enum ft_status check_folder(const char *path, struct ft_err *err)
{
	char *folder = ft__place_folder(path);
	enum ft_status status = FT_OK;

	if (!folder)
		return ft_nomem(err);
	if (faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS)) {
		status = ft_fail_errno(err, errno, "cannot write in the folder '%s' of the store", folder);
		(void)ft_remedy(
			err,
			"its journal must stand there: make the folder writable, or name a store elsewhere "
			"with --store PATH or FORETIME_STORE");
	}
	ft_free(folder);
	return status;
}

/* SQLite opens what may not be written without a word. */
static enum ft_status check_writable(struct ft_store *store, struct ft_err *err)
{
	if (sqlite3_db_readonly(store->db, "main") != 1)
		return check_folder(store->path, err);
	int number = faccessat(AT_FDCWD, store->path, W_OK, AT_EACCESS) ? errno : EACCES;
	enum ft_status status = ft_fail_errno(err, number, "cannot write the store '%s'", store->path);
	(void)ft_remedy(err, "make it writable, or name another one with --store PATH or FORETIME_STORE");
	return status;
}

const char *const ft__journals[2] = {"-wal", "-shm"};

/* The state of a journal of the store; false: its path is too long for one. A missing one has length 0. */
static bool look_at_journal(const struct ft_store *store, const char *suffix, struct stat *info)
{
	char name[PATH_MAX];

	*info = (struct stat){0};
	if (snprintf(name, sizeof name, "%s%s", store->path, suffix) >= (int)sizeof name)
		return false;
	if (stat(name, info))
		*info = (struct stat){0};
	return true;
}

ino_t ft__inode_of(const struct ft_store *store, const char *suffix)
{
	struct stat info;

	return look_at_journal(store, suffix, &info) ? info.st_ino : 0;
}

static bool has_journal(const struct ft_store *store, const char *suffix)
{
	struct stat info;

	return !look_at_journal(store, suffix, &info) || info.st_size;
}

/* A process that opens a store alone reads the whole journal. Above a length it is cheaper to write it
 * back, once in some twenty runs, than to read it for each of them. It does not wait for other processes. */
static void shorten_journal(struct ft_store *store, int busy_ms)
{
	struct stat info;

	if (!store->wal || !look_at_journal(store, "-wal", &info) || info.st_size < JOURNAL_LONG)
		return;
	(void)sqlite3_busy_timeout(store->db, 0);
	(void)sqlite3_wal_checkpoint_v2(store->db, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
	(void)sqlite3_busy_timeout(store->db, busy_ms);
}

/* A store in a folder that we may not write cannot be read in the usual way in WAL mode. If it has no
 * journal, nobody is writing it, and it can be read as a file that does not change. */
static int open_unchanging(struct ft_store *store)
{
	struct ft_text name = {0};
	int rc = SQLITE_NOMEM;

	if (has_journal(store, "-wal") || has_journal(store, "-journal"))
		return SQLITE_READONLY;
	ft_text_add(&name, "file:");
	for (const char *c = store->path; *c; c++)
		ft_text_add(&name, isalnum((unsigned char)*c) || strchr("/._-", *c) ? "%c" : "%%%02X",
			    (unsigned char)*c);
	ft_text_add(&name, "?immutable=1");
	if (!name.failed)
		rc = open_database(store, name.s, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL);
	ft_text_clear(&name);
	return rc;
}

static enum ft_status settle_reader(struct ft_store *store, const struct ft__opening *opening, bool wal,
				    struct ft_err *err)
{
	int64_t version = 0;
	enum ft_status status;
	int rc = SQLITE_READONLY;

	if (!wal || sqlite3_db_readonly(store->db, "main") != 1 || has_journal(store, "-wal"))
		rc = ft__pragma(store, "PRAGMA user_version", &version);
	/* The last: a limit on the size of files leaves no room for the index of the journal. */
	if ((rc & 0xff) == SQLITE_CANTOPEN || (rc & 0xff) == SQLITE_READONLY || rc == SQLITE_IOERR_SHMSIZE) {
		rc = open_unchanging(store);
		if (rc == SQLITE_OK)
			rc = ft__pragma(store, "PRAGMA user_version", &version);
	}
	if (rc == SQLITE_OK)
		rc = ft__pragma(store, "PRAGMA query_only = 1", NULL);
	if (rc != SQLITE_OK)
		return ft__sql_fail(store, rc, err);
	if ((status = ft__check_version(store, opening, version, err)))
		return status;
	if (version && version < (int64_t)opening->n_steps) {
		(void)ft_fail(err, FT_EACCESS,
			      "the store '%s' was made by an older foretime and may not be written",
			      store->path);
		(void)ft_remedy(err, "open it once for writing: it is then brought up to date");
		return FT_EACCESS;
	}
	if (!version) {
		(void)ft_fail(err, FT_ENOENT, "the store '%s' is empty", store->path);
		(void)ft_remedy(err, "foretime build, run --save and import put something there");
		return FT_ENOENT;
	}
	return FT_OK;
}

static enum ft_status settle_writer(struct ft_store *store, const struct ft__opening *opening, bool rollback,
				    bool wal, struct ft_err *err)
{
	enum ft_status status = check_writable(store, err);
	struct statfs info;

	if (status)
		return status;
	rollback |= opening->network || (!statfs(store->path, &info) && ft__is_network((long)info.f_type));
	if (rollback && wal && (status = leave_wal(store, err)))
		return status;
	/* A store is made under the rollback journal, so that its header is in the file from the first commit
	 * on. */
	if ((status = ft__migrate(store, opening, err)))
		return status;
	return settle_journal(store, rollback, err);
}

bool ft__has_moved(const struct ft_store *store)
{
	struct stat there;

	if (!store->inode || store->moved)
		return store->moved;
	if (stat(store->path, &there))
		return errno == ENOENT || errno == ENOTDIR;
	return there.st_ino != store->inode || there.st_dev != store->device;
}

/* Whether the file system has no locks: NFS without lockd, Lustre mounted without flock. SQLite takes
 * ENOLCK for a lock of another process, which it would wait for; errno is the system's, since nothing is
 * called in between. */
static bool lacks_locks(struct ft_store *store)
{
	sqlite3_file *file = NULL;
	int number = 0;

	if (sqlite3_file_control(store->db, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK)
		return false;
	errno = 0;
	int rc = file->pMethods->xLock(file, SQLITE_LOCK_SHARED);
	if (rc == SQLITE_OK)
		(void)file->pMethods->xUnlock(file, SQLITE_LOCK_NONE);
	else if (rc == SQLITE_BUSY)
		number = errno;
	else
		(void)file->pMethods->xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &number);
	return number == ENOLCK || number == ENOSYS || number == EOPNOTSUPP;
}

static enum ft_status open_store(struct ft_store *store, unsigned flags, const struct ft__opening *opening,
				 struct ft_err *err)
{
	bool reader = flags & FT_STORE_READ, wal;
	struct stat there = {0};
	enum ft_status status;
	int moved = 0;
	int way = SQLITE_OPEN_READWRITE |
		  (flags & (FT_STORE_READ | FT_STORE_EXISTING) ? 0 : SQLITE_OPEN_CREATE) |
		  (flags & FT_STORE_NO_LINKS ? SQLITE_OPEN_NOFOLLOW : 0),
	    rc = open_database(store, store->path, way, NULL);

	if (rc == SQLITE_OK && lacks_locks(store)) {
		if (!opening->is_spool) {
			(void)ft_fail(err, FT_EUNAVAIL,
				      "the store '%s' cannot be shared: this file system has no locks",
				      store->path);
			(void)ft_remedy(
				err, "mount it with flock, or put the store elsewhere with --store PATH or "
				     "FORETIME_STORE");
			return FT_EUNAVAIL;
		}
		/* A spool is private until it has its name. */
		rc = open_database(store, store->path, way, "unix-none");
	}
	if (rc != SQLITE_OK)
		return ft__sql_fail(store, rc, err);
	(void)sqlite3_busy_timeout(store->db, flags & FT_STORE_HASTY ? HASTY_MS : opening->busy_ms);
	if ((status = read_header(store, &wal, err)))
		return status;
	if (reader && (status = settle_reader(store, opening, wal, err)))
		return status;
	if (!reader && (status = settle_writer(store, opening, flags & FT_STORE_ROLLBACK, wal, err)))
		return status;
	if (reader && (status = settle_journal(store, true, err)))
		return status;
	/* The checkpoint at the end is left to a process that has time. */
	if (flags & FT_STORE_HASTY) {
		(void)sqlite3_db_config(store->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
		shorten_journal(store, HASTY_MS);
	}
	rc = ft__pragma(store, "PRAGMA foreign_keys = 1", NULL);
	if (rc != SQLITE_OK)
		return ft__sql_fail(store, rc, err);
	if (opening->is_spool)
		return FT_OK;
	/* SQLite reports whether the path still leads to the file it opened, but not which file that is.
	 * If it lost its name while it was being opened, it gets the number of no file: each later check
	 * detects that, and no run is lost with it. */
	bool gone = stat(store->path, &there) && (errno == ENOENT || errno == ENOTDIR);
	if (sqlite3_file_control(store->db, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK) {
		store->device = there.st_dev;
		store->inode = gone || moved ? (ino_t)-1 : there.st_ino;
		for (int i = 0; i < 2 && store->wal; i++)
			store->journal[i] = ft__inode_of(store, ft__journals[i]);
	}
	return FT_OK;
}

enum ft_status ft__store_open(struct ft_store **out, const char *path, unsigned flags,
			      const struct ft__opening *opening, struct ft_err *err)
{
	struct ft_store *store = ft_calloc(1, sizeof *store);
	struct ft__store_place place;
	enum ft_status status;
	bool there, empty;

	*out = NULL;
	if (!store)
		return ft_nomem(err);
	if ((status = ft__place_find(path, &place, err)))
		goto out;
	store->path = place.path;
	store->most = opening->most;
	if ((status = look_at_path(store->path, &there, &empty, err)))
		goto out;
	if ((!there && (flags & FT_STORE_READ)) || (empty && (flags & FT_STORE_EXISTING))) {
		status = ft_fail(err, FT_ENOENT, "there is no store '%s' yet", store->path);
		(void)ft_remedy(err, "foretime build, run --save, import and machine load record make it; or "
				     "name another one "
				     "with --store PATH");
		goto out;
	}
	if (!there && ((status = ft__place_make(&place, err)) || (status = check_folder(store->path, err))))
		goto out;
	status = open_store(store, flags, opening, err);
	if (!status && !(flags & (FT_STORE_READ | FT_STORE_HASTY)) && !opening->is_spool)
		ft__spool_take(store);
out:
	if (status) {
		ft_store_close(store);
		return status;
	}
	*out = store;
	return FT_OK;
}

enum ft_status ft_store_open(struct ft_store **out, const char *path, unsigned flags, struct ft_err *err)
{
	return ft__store_open(out, path, flags, &ft__opening, err);
}

void ft_store_lean(void)
{
	(void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

static void forget_questions(struct ft_store *store)
{
	for (size_t i = 0; i < FT__SQL_N; i++) {
		(void)sqlite3_finalize(store->stmt[i]);
		store->stmt[i] = NULL;
	}
}

void ft_store_rest(struct ft_store *store)
{
	forget_questions(store);
	ft__layouts_forget(store);
	(void)sqlite3_db_release_memory(store->db);
}

void ft_store_close(struct ft_store *store)
{
	if (!store)
		return;
	forget_questions(store);
	/* The last process that closes a store removes its journal: by a name that may be another store's
	   by now. */
	if (ft__has_moved(store))
		(void)sqlite3_db_config(store->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
	(void)sqlite3_close(store->db);
	ft__layouts_forget(store);
	ft_free(store->added);
	ft_free(store->path);
	ft_free(store);
}

void ft_store_set_prior(struct ft_store *store, const struct ft_prior *prior)
{
	store->prior = prior;
}

const struct ft_prior *ft_store_prior(const struct ft_store *store)
{
	return store ? store->prior : NULL;
}

const char *ft_store_path(const struct ft_store *store)
{
	return store->path;
}

const char *ft_store_journal(const struct ft_store *store)
{
	return store->wal ? "wal" : "delete";
}
