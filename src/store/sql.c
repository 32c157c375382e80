/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sql.c - the statements of the store: their text, binding, stepping, transactions, and error messages. */
#include "base/alloc.h"
#include "base/number.h"
#include "base/text.h"
#include "store/store.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <string.h>

/*
 * Errors of SQLite as a status, a sentence and a remedy.
 */

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

/* The system's reason why a file cannot be opened, read or written. */
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
		/* ALTER TABLE passes a lack of memory on as an error of its statement. */
		if (store->db && !strcmp(sqlite3_errmsg(store->db), sqlite3_errstr(SQLITE_NOMEM)))
			return ft_nomem(err);
		return ft__damaged(store, store->db ? sqlite3_errmsg(store->db) : sqlite3_errstr(rc), err);
	}
}

/*
 * Sizes as texts that the store compares and counts.
 */

enum ft_status ft__size_text(const struct ft_size *size, char **out, struct ft_err *err)
{
	struct ft_text text = {0};

	*out = NULL;
	for (size_t i = 0; i < size->n; i++)
		if (!isfinite(size->value[i]))
			return ft_fail(err, FT_EINVAL, "value %zu of a size is not finite", i + 1);
	for (size_t i = 0; i < size->n; i++) {
		ft_text_add_bytes(&text, " ", i > 0);
		ft_text_add_number(&text, size->value[i] + 0.0); /* -0 is 0 */
	}
	*out = ft_text_take(&text);
	return *out ? FT_OK : ft_nomem(err);
}

enum ft_status ft__size_parse(struct ft_store *store, const char *text, struct ft_size *out,
			      struct ft_err *err)
{
	*out = (struct ft_size){0};
	while (*text) {
		if (out->n == FT_PARAMS_MAX || !ft__number_scan_signed(text, &text, &out->value[out->n]) ||
		    isinf(out->value[out->n]) || (*text && *text != ' ')) {
			*out = (struct ft_size){0};
			return ft__damaged(store, "a size is no list of numbers", err);
		}
		out->n++;
		text += *text == ' ';
	}
	return FT_OK;
}

/*
 * The statements of the store: their text, binding, stepping, transactions, and error messages.
 */

#define MACHINE_COLUMNS                                                                                      \
	"id, fingerprint, host, cpu, architecture, sockets, cores, threads, l1d_bytes, l2_bytes, l3_bytes, " \
	"memory_bytes, system, governor, hypervisor, scheduler"
#define PROGRAM_COLUMNS "id, name, hash, argv, work, method, condition, nullif(device, ''), driver"
#define RUN_COLUMNS     "id, layout, size, started_ns, numbers, node, user, detail"

#define ADD_RUN                                                                                              \
	"INSERT INTO run (program, machine, layout, size, started_ns, numbers, node, user, detail) VALUES "
#define RUN_PLACES "(?, ?, ?, ?, ?, ?, ?, ?, ?)"

/* FT__ROWS of them. */
#define FOUR(row)    row ", " row ", " row ", " row
#define SIXTEEN(row) FOUR(row) ", " FOUR(row) ", " FOUR(row) ", " FOUR(row)
#define ROWS(row)    SIXTEEN(row) ", " SIXTEEN(row)

/* From the tallies: its time does not depend on the number of runs. */
#define FIND_RUNS(where)                                                                                     \
	"SELECT p.id, m.id, p.name, p.hash, coalesce(m.host, m.fingerprint), t.runs, "                       \
	"p.last_put = (SELECT max(q.last_put) FROM program q WHERE q.name = p.name AND "                     \
	"q.device = p.device), nullif(p.device, ''), t.failed, t.sizes, t.first_ns, t.last_ns, t.folded "    \
	"FROM program p LEFT JOIN tally t ON t.program = p.id AND t.runs > 0 "                               \
	"LEFT JOIN machine m ON m.id = t.machine " where "ORDER BY p.name, p.last_put DESC, m.id"

/* What runs of a program on a machine are counted by. */
#define RUNS_OF "FROM run r JOIN layout l ON l.id = r.layout WHERE r.program = ?1 AND r.machine = ?2 "
#define FAILED  "count(CASE WHEN l.outcome <> 'done' THEN 1 END)"

static const char *const text[FT__SQL_N] = {
	[FT__BEGIN] = "BEGIN IMMEDIATE",
	[FT__COMMIT] = "COMMIT",
	[FT__ROLLBACK] = "ROLLBACK",
	[FT__PUT_MACHINE] = "INSERT INTO machine (fingerprint, host, cpu, architecture, sockets, cores, "
			    "threads, l1d_bytes, "
			    "l2_bytes, l3_bytes, memory_bytes, system, governor, hypervisor, scheduler) "
			    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
			    "ON CONFLICT (fingerprint) DO UPDATE SET host = coalesce(excluded.host, host), "
			    "system = coalesce(excluded.system, system), governor = "
			    "coalesce(excluded.governor, governor), "
			    "hypervisor = excluded.hypervisor, scheduler = excluded.scheduler, "
			    "cpu = coalesce(cpu, excluded.cpu), "
			    "architecture = coalesce(architecture, excluded.architecture), "
			    "sockets = coalesce(nullif(sockets, 0), excluded.sockets), "
			    "cores = coalesce(nullif(cores, 0), excluded.cores), "
			    "threads = coalesce(nullif(threads, 0), excluded.threads), "
			    "l1d_bytes = coalesce(nullif(l1d_bytes, 0), excluded.l1d_bytes), "
			    "l2_bytes = coalesce(nullif(l2_bytes, 0), excluded.l2_bytes), "
			    "l3_bytes = coalesce(nullif(l3_bytes, 0), excluded.l3_bytes), "
			    "memory_bytes = coalesce(nullif(memory_bytes, 0), excluded.memory_bytes) "
			    "RETURNING id",
	[FT__GET_MACHINE] = "SELECT " MACHINE_COLUMNS " FROM machine WHERE id = ?",
	[FT__NEXT_MACHINE] = "SELECT " MACHINE_COLUMNS " FROM machine WHERE id > ? ORDER BY id LIMIT 1",
	[FT__FIND_MACHINE] = "SELECT id FROM machine WHERE fingerprint = ?",
	[FT__FIND_PROGRAM] =
		"SELECT " PROGRAM_COLUMNS " FROM program WHERE name = ? AND device = ? AND hash = ?",
	[FT__NEWEST_PROGRAM] =
		"SELECT " PROGRAM_COLUMNS " FROM program WHERE name = ? ORDER BY last_put DESC LIMIT 1",
	[FT__NEWEST_ON_DEVICE] = "SELECT " PROGRAM_COLUMNS " FROM program WHERE name = ? AND device = ? "
				 "ORDER BY last_put DESC LIMIT 1",
	[FT__IS_NEWEST] = "SELECT last_put = (SELECT max(last_put) FROM program q WHERE q.name = p.name AND "
			  "q.device = p.device) FROM program p WHERE id = ?",
	[FT__ADD_PROGRAM] = "INSERT INTO program (name, device, hash, argv, work, method, condition, driver, "
			    "last_put) VALUES (?, ?, ?, ?, ?, ?, ?, ?, (SELECT coalesce(max(last_put), 0) + "
			    "1 FROM program)) "
			    "RETURNING id",
	[FT__CHANGE_PROGRAM] = "UPDATE program SET argv = ?2, work = ?3, method = ?4, condition = ?5, driver "
			       "= ?6, last_put = "
			       "(SELECT max(last_put) + 1 FROM program) WHERE id = ?1",
	[FT__REMOVE_PARAMS] = "DELETE FROM param WHERE program = ?",
	[FT__ADD_PARAM] = "INSERT INTO param (program, nr, name, least, most, stride, factor, list) "
			  "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
	[FT__GET_PARAMS] =
		"SELECT name, least, most, stride, factor, list FROM param WHERE program = ? ORDER BY nr",
	[FT__PROGRAM_HAS_RUNS] = "SELECT EXISTS (SELECT 1 FROM run WHERE program = ?)",
	[FT__PROGRAM_AT] = "SELECT " PROGRAM_COLUMNS " FROM program WHERE id = ?",
	[FT__FIND_UNBUILT] = "SELECT " PROGRAM_COLUMNS
			     " FROM program p WHERE name = ?1 AND device = ?2 AND hash = '' AND argv IS "
			     "NULL AND last_put = (SELECT max(last_put) FROM program q WHERE q.name = ?1 AND "
			     "q.device = ?2)",
	[FT__SET_HASH] = "UPDATE program SET hash = ?2, device = ?3 WHERE id = ?1",
	[FT__ADD_STATED] = "INSERT INTO stated (name, resource, law) VALUES (?, ?, ?)",
	[FT__GET_STATED] = "SELECT resource, law FROM stated WHERE name = ? ORDER BY resource",
	[FT__REMOVE_STATED] = "DELETE FROM stated WHERE name = ?",
	[FT__ADD_REQUIREMENT] = "INSERT INTO requirement (name, nr, text) VALUES (?, ?, ?)",
	[FT__GET_REQUIREMENTS] = "SELECT text FROM requirement WHERE name = ? ORDER BY nr",
	[FT__REMOVE_REQUIREMENTS] = "DELETE FROM requirement WHERE name = ?",
	[FT__PUT_KNOWN] = "INSERT INTO known (key, value) VALUES (?, ?) "
			  "ON CONFLICT (key) DO UPDATE SET value = excluded.value",
	[FT__GET_KNOWN] = "SELECT value FROM known WHERE key = ?",
	[FT__REMOVE_KNOWN] = "DELETE FROM known WHERE key = ?",
	[FT__ADD_SPOOLED] = "INSERT INTO spooled (id) VALUES (?)",
	[FT__FIND_SPOOLED] = "SELECT count(*) FROM spooled WHERE id = ?",
	[FT__REMOVE_SPOOLED] = "DELETE FROM spooled WHERE id = ?",
	[FT__NAMES] = "SELECT DISTINCT name FROM program ORDER BY name",
	[FT__PUT_LAYOUT] = "INSERT INTO layout (outcome, rest) VALUES (?, ?) "
			   "ON CONFLICT (outcome, rest) DO UPDATE SET outcome = outcome RETURNING id",
	[FT__GET_LAYOUT] = "SELECT outcome, rest FROM layout WHERE id = ?",
	[FT__ADD_RUN] = ADD_RUN RUN_PLACES,
	[FT__ADD_RUNS] = ADD_RUN ROWS(RUN_PLACES),
	[FT__COUNT_SIZE] = "UPDATE by_size SET runs = runs + ?4 WHERE program = ?1 AND machine = ?2 AND "
			   "size = ?3",
	[FT__ADD_SIZE] = "INSERT INTO by_size (program, machine, size, runs) VALUES (?, ?, ?, ?)",
	[FT__COUNT_RUNS] =
		"INSERT INTO tally (program, machine, runs, failed, sizes, first_ns, last_ns, newest) "
		"VALUES (?1, ?2, ?3, ?4, ?5, nullif(?6, 0), nullif(?7, 0), ?8) "
		"ON CONFLICT (program, machine) DO UPDATE SET runs = runs + ?3, failed = failed + ?4, "
		"sizes = sizes + ?5, first_ns = coalesce(min(first_ns, nullif(?6, 0)), first_ns, nullif(?6, "
		"0)), "
		"last_ns = coalesce(max(last_ns, nullif(?7, 0)), last_ns, nullif(?7, 0)), newest = "
		"max(newest, ?8)",
	[FT__FORGET_SIZES] = "DELETE FROM by_size WHERE program = ? AND machine = ? AND folded = 0",
	[FT__FORGET_TALLY] = "DELETE FROM tally WHERE program = ? AND machine = ?",
	[FT__COUNT_SIZES_AGAIN] = "INSERT INTO by_size (program, machine, size, runs) "
				  "SELECT r.program, r.machine, r.size, count(*) FROM run r "
				  "WHERE r.program = ?1 AND r.machine = ?2 GROUP BY r.size "
				  "ON CONFLICT (program, machine, size) DO UPDATE SET runs = excluded.runs",
	[FT__COUNT_RUNS_AGAIN] =
		"INSERT INTO tally (program, machine, runs, failed, sizes, first_ns, last_ns, folded, "
		"newest) "
		"SELECT r.program, r.machine, count(*), " FAILED ", count(DISTINCT r.size), "
		"min(nullif(r.started_ns, 0)), max(nullif(r.started_ns, 0)), (SELECT coalesce(sum(folded), "
		"0) "
		"FROM by_size WHERE program = ?1 AND machine = ?2), max(r.id) " RUNS_OF "GROUP BY r.program",
	/* Runs that ended well and have no trace, but for the newest of each size; size by size. */
	[FT__RUNS_TO_FOLD] = "SELECT " RUN_COLUMNS
			     " FROM (SELECT *, row_number() OVER (PARTITION BY size ORDER BY id DESC) AS nr "
			     "FROM run WHERE program = ?1 AND machine = ?2 AND layout IN (SELECT id FROM "
			     "layout WHERE outcome = "
			     "'done') AND id NOT IN (SELECT run FROM trace)) WHERE nr > ?3 ORDER BY size, id",
	[FT__REMOVE_RUN] = "DELETE FROM run WHERE id = ?",
	[FT__PUT_FOLDED] =
		"INSERT OR REPLACE INTO folded (program, machine, size, resource, least, most, sum, sketch) "
		"VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
	[FT__FIND_FOLDED] = "SELECT size, least, most, sum, sketch FROM folded "
			    "WHERE program = ? AND machine = ? AND size = ? AND resource = ?",
	[FT__GET_FOLDED] = "SELECT size, least, most, sum, sketch FROM folded "
			   "WHERE program = ? AND machine = ? AND resource = ?",
	[FT__FOLD_SIZE] = "UPDATE by_size SET runs = runs - ?4, folded = folded + ?4 "
			  "WHERE program = ?1 AND machine = ?2 AND size = ?3",
	[FT__FOLD_TALLY] =
		"UPDATE tally SET runs = runs - ?3, folded = folded + ?3 WHERE program = ?1 AND machine = ?2",
	[FT__GET_RUNS] = "SELECT " RUN_COLUMNS " FROM run WHERE program = ? ORDER BY id",
	[FT__GET_RUNS_OF_MACHINE] =
		"SELECT " RUN_COLUMNS " FROM run WHERE program = ? AND machine = ? ORDER BY id",
	[FT__COUNT_RUNS_AFTER] = "SELECT count(*) FROM run WHERE program = ? AND machine = ? AND id > ?",
	[FT__GET_RUN] = "SELECT " RUN_COLUMNS " FROM run WHERE id = ?",
	[FT__REMOVE_MODEL] =
		"DELETE FROM model WHERE program = ? AND machine = ? AND resource = ? AND fixed = ?",
	[FT__ADD_MODEL] = "INSERT INTO model (program, machine, resource, fixed, method, stop, made_ns, "
			  "last_run, model) "
			  "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
	[FT__GET_MODEL] = "SELECT method, stop, made_ns, last_run, model FROM model "
			  "WHERE program = ? AND machine = ? AND resource = ? AND fixed = ?",
	[FT__FIND_RUNS] = FIND_RUNS(""),
	[FT__FIND_RUNS_OF] = FIND_RUNS("WHERE p.name = ?1 "),
	/* From an index alone. */
	[FT__FIND_NAMES] = "SELECT DISTINCT name FROM program WHERE name > coalesce(?1, '') "
			   "AND (?2 IS NULL OR instr(lower(name), lower(?2)) > 0) "
			   "AND (?3 IS NULL OR substr(name, 1, length(?3)) <> ?3) ORDER BY name",
	[FT__VERSION] = "PRAGMA data_version",
	[FT__CHECK] = "PRAGMA quick_check(1)",
	[FT__STATE] =
		"SELECT coalesce(max(t.newest), 0) || ' ' || coalesce(sum(t.runs), 0) || ' ' || "
		"max(p.last_put) || ' ' || "
		"coalesce((SELECT group_concat(resource || law) FROM stated WHERE name = ?1), '') || "
		"coalesce((SELECT group_concat(text) FROM requirement WHERE name = ?1), '') "
		"FROM program p LEFT JOIN tally t ON t.program = p.id WHERE p.name = ?1 GROUP BY p.name",
	/* '0' follows '/': what lies between are the routines NAME/... */
	[FT__COUNT_RUNS_OF_NAME] =
		"SELECT coalesce(sum(t.runs), 0) FROM program p JOIN tally t ON t.program = p.id "
		"WHERE p.name = ?1 OR (p.name > ?1 || '/' AND p.name < ?1 || '0')",
	[FT__REMOVE_NAME] = "DELETE FROM program WHERE name = ?1 OR (name > ?1 || '/' AND name < ?1 || '0')",
	[FT__REMOVE_RUNS] =
		"DELETE FROM run WHERE program IN (SELECT id FROM program WHERE name = ?) AND machine = ? "
		"AND started_ns BETWEEN ? AND ?",
	[FT__ADD_LOAD] = "INSERT INTO load (machine, started_ns, interval_s, load, steal, iowait, "
			 "processors, by_sweep, busy) "
			 "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
	[FT__GET_LOAD] = "SELECT started_ns, interval_s, load, steal, iowait, processors, by_sweep, busy "
			 "FROM load WHERE machine = ? AND started_ns >= ? ORDER BY started_ns, id",
	[FT__PUT_TRACE] = "INSERT INTO trace (run, rows, length, csv) VALUES (?, ?, ?, ?) "
			  "ON CONFLICT (run) DO UPDATE SET rows = excluded.rows, length = excluded.length, "
			  "csv = excluded.csv",
	[FT__GET_TRACE] = "SELECT length, csv FROM trace WHERE run = ?",
	[FT__LIST_TRACES] =
		"SELECT t.run, r.started_ns, r.size, t.rows FROM trace t JOIN run r ON r.id = t.run "
		"WHERE r.program = ?1 AND (?2 = 0 OR r.machine = ?2) ORDER BY t.run DESC LIMIT ?3",
	[FT__TRIM_LOAD] = "DELETE FROM load WHERE machine = ? AND started_ns < ?",
};

static enum ft_status prepare_statement(struct ft_store *store, enum ft__sql which, struct ft_err *err)
{
	if (store->stmt[which])
		return FT_OK;
	int rc = sqlite3_prepare_v3(store->db, text[which], -1, SQLITE_PREPARE_PERSISTENT,
				    &store->stmt[which], NULL);
	return rc == SQLITE_OK ? FT_OK : ft__sql_fail(store, rc, err);
}

static int bind(sqlite3_stmt *stmt, int at, const struct ft__value *value)
{
	switch (value->type) {
	case FT__INTEGER:
		return sqlite3_bind_int64(stmt, at, value->integer);
	case FT__REAL:
		return sqlite3_bind_double(stmt, at, value->real);
	case FT__TEXT:
		return sqlite3_bind_text(stmt, at, value->bytes, -1, SQLITE_STATIC);
	case FT__BYTES:
		return sqlite3_bind_blob64(stmt, at, value->bytes, (sqlite3_uint64)value->integer,
					   SQLITE_STATIC);
	}
	return SQLITE_MISUSE;
}

enum ft_status ft__query(struct ft_store *store, enum ft__sql which, const struct ft__value *values, size_t n,
			 sqlite3_stmt **out, struct ft_err *err)
{
	enum ft_status status = prepare_statement(store, which, err);

	*out = NULL;
	if (status)
		return status;
	assert((size_t)sqlite3_bind_parameter_count(store->stmt[which]) == n);
	(void)sqlite3_clear_bindings(store->stmt[which]); /* to NULL, which most of a run is */
	for (size_t i = 0; i < n; i++) {
		int rc = (values[i].type == FT__REAL ? isnan(values[i].real)
						     : values[i].type == FT__TEXT && !values[i].bytes)
				 ? SQLITE_OK
				 : bind(store->stmt[which], (int)i + 1, &values[i]);

		if (rc != SQLITE_OK)
			return ft__sql_fail(store, rc, err);
	}
	*out = store->stmt[which];
	if (!store->first || !sqlite3_stmt_busy(store->first)) {
		store->first = *out;
		store->taken = 0;
	}
	return FT_OK;
}

static enum ft_status too_much(struct ft_store *store, sqlite3_stmt *stmt, struct ft_err *err)
{
	(void)sqlite3_reset(stmt);
	(void)ft_fail(err, FT_EINVAL, "the store '%s' holds more than %zu MiB of what is read at once",
		      store->path, store->most >> 20);
	(void)ft_remedy(err,
			"write runs to another store from now on (--store PATH), or remove the name with "
			"foretime rm");
	return FT_EINVAL;
}

/* The size of a row: eight bytes for each column, and the length of texts and blobs. */
static size_t bytes_of(sqlite3_stmt *stmt)
{
	int n = sqlite3_column_count(stmt), type, i;
	size_t bytes = (size_t)n * sizeof(double);

	for (i = 0; i < n; i++) {
		type = sqlite3_column_type(stmt, i);
		if (type == SQLITE_TEXT || type == SQLITE_BLOB)
			bytes += (size_t)sqlite3_column_bytes(stmt, i);
	}
	return bytes;
}

enum ft_status ft__take(struct ft_store *store, size_t bytes, struct ft_err *err)
{
	store->taken += bytes;
	return store->taken <= store->most ? FT_OK : too_much(store, NULL, err);
}

enum ft_status ft__row(struct ft_store *store, sqlite3_stmt *stmt, struct ft_err *err)
{
	int rc = sqlite3_step(stmt);

	if (rc == SQLITE_ROW) {
		store->taken += bytes_of(stmt);
		return store->taken <= store->most ? FT_OK : too_much(store, stmt, err);
	}
	enum ft_status status = rc == SQLITE_DONE ? FT_EEND : ft__sql_fail(store, rc, err);
	(void)sqlite3_reset(stmt);
	return status;
}

enum ft_status ft__exec(struct ft_store *store, enum ft__sql which, const struct ft__value *values, size_t n,
			int64_t *first, struct ft_err *err)
{
	sqlite3_stmt *stmt;
	enum ft_status status = ft__query(store, which, values, n, &stmt, err);
	bool fresh = true;

	if (status)
		return status;
	while ((status = ft__row(store, stmt, err)) == FT_OK) {
		if (fresh && first)
			*first = sqlite3_column_int64(stmt, 0);
		fresh = false;
	}
	return status == FT_EEND ? FT_OK : status;
}

/* COMMIT and ROLLBACK are prepared first, so that a lack of memory cannot leave a transaction open. */
enum ft_status ft__begin(struct ft_store *store, struct ft_err *err)
{
	enum ft_status status;

	if (!store->depth) {
		if (store->moved)
			return ft__spool_moved(store, err);
		/* With a journal on the disk SQLite refuses to write to a file that has no name. */
		if (!store->wal && ft__has_moved(store))
			(void)ft__pragma(store, "PRAGMA journal_mode = MEMORY", NULL);
		if ((status = prepare_statement(store, FT__COMMIT, err)) ||
		    (status = prepare_statement(store, FT__ROLLBACK, err)) ||
		    (status = ft__exec(store, FT__BEGIN, NULL, 0, NULL, err)))
			return status;
	}
	store->depth++;
	return FT_OK;
}

enum ft_status ft__end(struct ft_store *store, enum ft_status status, struct ft_err *err)
{
	if (--store->depth)
		return status;
	if (!status)
		status = ft__exec(store, FT__COMMIT, NULL, 0, NULL, err);
	if (status &&
	    !sqlite3_get_autocommit(store->db)) /* SQLite rolls back by itself after some failures */
		(void)ft__exec(store, FT__ROLLBACK, NULL, 0, NULL, NULL);
	if (status) {
		store->n_added = store->n_kept;
		ft__layouts_forget(store);
		return status;
	}
	store->n_kept = store->n_added;
	return ft__has_moved(store) ? ft__spool_moved(store, err) : FT_OK;
}

enum ft_status ft_store_begin(struct ft_store *store, struct ft_err *err)
{
	enum ft_status status = ft__begin(store, err);

	store->outer = !status;
	return status;
}

enum ft_status ft_store_end(struct ft_store *store, enum ft_status status, struct ft_err *err)
{
	if (!store->outer)
		return status;
	store->outer = false;
	return ft__end(store, status, err);
}

bool ft__column_text(sqlite3_stmt *stmt, int column, char **out)
{
	*out = NULL;
	if (sqlite3_column_type(stmt, column) == SQLITE_NULL)
		return true;
	const void *bytes = sqlite3_column_text(stmt, column);
	*out = ft_strdup(bytes);
	return *out;
}

double ft__column_real(sqlite3_stmt *stmt, int column)
{
	if (sqlite3_column_type(stmt, column) == SQLITE_NULL)
		return NAN;
	double value = sqlite3_column_double(stmt, column);
	return isfinite(value) ? value : (double)NAN;
}

int ft__pragma(struct ft_store *store, const char *sql, int64_t *value)
{
	sqlite3_stmt *stmt;
	int rc = sqlite3_prepare_v2(store->db, sql, -1, &stmt, NULL);

	if (value)
		*value = 0;
	if (rc != SQLITE_OK)
		return rc;
	rc = sqlite3_step(stmt);
	if (rc == SQLITE_ROW && value)
		*value = sqlite3_column_int64(stmt, 0);
	return sqlite3_finalize(stmt);
}
