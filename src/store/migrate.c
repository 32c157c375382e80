/* SPDX-License-Identifier: GPL-3.0-or-later */
/* migrate.c - the schema, as steps from each version to the next.
 *
 * A step that was released is never changed: another is added behind it. */
#include "base/input.h"
#include "base/text.h"
#include "store/store.h"

#include <stdio.h>

/* Times are nanoseconds since 1970. Numbers that are not known are NULL. The order of runs is that of their
 * ids. A text of arguments is a blob in which each ends in a zero byte: they need not be valid in any
 * encoding. */
static const struct ft__migration steps[] = {
	{"machines, programs, runs, models",
	 "CREATE TABLE machine ("
	 " id INTEGER PRIMARY KEY AUTOINCREMENT," /* ids are not reused: other processes may hold them */
	 " fingerprint TEXT NOT NULL UNIQUE,"
	 " host TEXT, cpu TEXT, architecture TEXT,"
	 " sockets INTEGER NOT NULL, cores INTEGER NOT NULL, threads INTEGER NOT NULL,"
	 " l1d_bytes INTEGER NOT NULL, l2_bytes INTEGER NOT NULL, l3_bytes INTEGER NOT NULL,"
	 " memory_bytes INTEGER NOT NULL,"
	 " system TEXT, governor TEXT, hypervisor TEXT, scheduler TEXT);"

	 "CREATE TABLE program ("
	 " id INTEGER PRIMARY KEY AUTOINCREMENT,"
	 " name TEXT NOT NULL, hash TEXT NOT NULL,"
	 " argv BLOB, work TEXT, method TEXT,"
	 " last_put INTEGER NOT NULL," /* a counter: the newest program of a name is the one put last */
	 " UNIQUE (name, hash));"

	 "CREATE TABLE param ("
	 " program INTEGER NOT NULL REFERENCES program ON DELETE CASCADE,"
	 " nr INTEGER NOT NULL,"
	 " name TEXT NOT NULL, least REAL NOT NULL, most REAL NOT NULL, stride REAL NOT NULL,"
	 " PRIMARY KEY (program, nr)) WITHOUT ROWID;"

	 "CREATE TABLE run ("
	 " id INTEGER PRIMARY KEY AUTOINCREMENT,"
	 " program INTEGER NOT NULL REFERENCES program ON DELETE CASCADE,"
	 " machine INTEGER NOT NULL REFERENCES machine ON DELETE CASCADE,"
	 " routine TEXT,"
	 " size TEXT NOT NULL," /* "512 100", in the order of param.nr */
	 " outcome TEXT NOT NULL, exit_status INTEGER NOT NULL, signal INTEGER NOT NULL, warmup INTEGER NOT "
	 "NULL,"
	 " cost_s REAL, work REAL, started_ns INTEGER NOT NULL, load_before REAL, cpu_hz REAL,"
	 " version TEXT, detail TEXT);"
	 "CREATE INDEX run_program ON run (program, machine);"

	 "CREATE TABLE sample ("
	 " run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,"
	 " nr INTEGER NOT NULL,"
	 " resource TEXT NOT NULL, value REAL, label TEXT NOT NULL, probe TEXT NOT NULL, reason TEXT,"
	 " PRIMARY KEY (run, nr)) WITHOUT ROWID;"

	 "CREATE TABLE model ("
	 " id INTEGER PRIMARY KEY,"
	 " program INTEGER NOT NULL REFERENCES program ON DELETE CASCADE,"
	 " machine INTEGER NOT NULL REFERENCES machine ON DELETE CASCADE,"
	 " resource TEXT NOT NULL,"
	 " fixed TEXT NOT NULL," /* as run.size, 0 for the varying one */
	 " method TEXT NOT NULL, stop TEXT NOT NULL, made_ns INTEGER NOT NULL, last_run INTEGER NOT NULL,"
	 " through_speed INTEGER NOT NULL, offset REAL, spread REAL, runs INTEGER NOT NULL, stated_error "
	 "REAL,"
	 " rough INTEGER NOT NULL, rough_by_noise INTEGER NOT NULL,"
	 " UNIQUE (program, machine, resource, fixed));"

	 "CREATE TABLE knot ("
	 " model INTEGER NOT NULL REFERENCES model ON DELETE CASCADE,"
	 " nr INTEGER NOT NULL,"
	 " x REAL, work REAL, value REAL, scatter REAL, residual REAL, runs INTEGER NOT NULL,"
	 " shape TEXT NOT NULL, gap_error REAL," /* of the gap behind it */
	 " PRIMARY KEY (model, nr)) WITHOUT ROWID;"},

	{"loads of others", "CREATE TABLE load ("
			    " id INTEGER PRIMARY KEY,"
			    " machine INTEGER NOT NULL REFERENCES machine ON DELETE CASCADE,"
			    " started_ns INTEGER NOT NULL, interval_s REAL NOT NULL,"
			    " load REAL NOT NULL, steal REAL, iowait REAL," /* processors */
			    " processors INTEGER NOT NULL, by_sweep INTEGER NOT NULL);"
			    "CREATE INDEX load_machine ON load (machine, started_ns);"},

	{"constraints, models over several parameters",
	 "ALTER TABLE program ADD COLUMN condition TEXT;"
	 "ALTER TABLE model ADD COLUMN amplitude REAL;" /* NULL: over one parameter */
	 "ALTER TABLE model ADD COLUMN interaction REAL;"
	 "ALTER TABLE model ADD COLUMN length REAL;"
	 "ALTER TABLE model ADD COLUMN smooth INTEGER;"
	 "ALTER TABLE model ADD COLUMN inflation REAL;"

	 "CREATE TABLE surface_knot ("
	 " model INTEGER NOT NULL REFERENCES model ON DELETE CASCADE,"
	 " nr INTEGER NOT NULL,"
	 " size TEXT NOT NULL," /* as run.size */
	 " work REAL, value REAL, scatter REAL, residual REAL, runs INTEGER NOT NULL,"
	 " PRIMARY KEY (model, nr)) WITHOUT ROWID;"},

	/* Knowledge is of a name: a rebuilt program keeps it. */
	{"knowledge, real runs, changes, runs that could not be kept at once",
	 "CREATE TABLE stated ("
	 " name TEXT NOT NULL, resource TEXT NOT NULL, law TEXT NOT NULL,"
	 " PRIMARY KEY (name, resource)) WITHOUT ROWID;"

	 "CREATE TABLE requirement ("
	 " name TEXT NOT NULL, nr INTEGER NOT NULL, text TEXT NOT NULL," /* "memory=8GiB" */
	 " PRIMARY KEY (name, nr)) WITHOUT ROWID;"

	 "ALTER TABLE run ADD COLUMN real INTEGER NOT NULL DEFAULT 0;"
	 "ALTER TABLE model ADD COLUMN drift REAL;" /* between visits */
	 "ALTER TABLE model ADD COLUMN shift REAL;" /* of newer runs; NULL: none */
	 "ALTER TABLE model ADD COLUMN shift_error REAL;"
	 "ALTER TABLE model ADD COLUMN shift_runs INTEGER;" /* that came after it */
	 "ALTER TABLE model ADD COLUMN shift_ns INTEGER;"

	 "CREATE TABLE spooled (id TEXT PRIMARY KEY) WITHOUT ROWID;" /* taken over, perhaps not yet removed */

	 /* Facts that are slow to find: the machine of a boot, the hash of an executable. */
	 "CREATE TABLE known (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;"},

	{"progressions and lists of values",
	 "ALTER TABLE param ADD COLUMN factor REAL;" /* NULL: the stride counts */
	 "ALTER TABLE param ADD COLUMN list TEXT;" /* "16 32 64"; NULL: none */},

	/* Older loads are the processors that other processes kept busy: less than their demand when all
	   were busy. */
	{"who wanted a processor", "ALTER TABLE run ADD COLUMN runnable_before REAL;"
				   "ALTER TABLE run ADD COLUMN runnable_after REAL;"
				   "ALTER TABLE run ADD COLUMN pressure REAL;"
				   "ALTER TABLE run ADD COLUMN processors INTEGER;" /* NULL: not known */
				   "ALTER TABLE load ADD COLUMN busy REAL;"
				   "UPDATE load SET busy = load;"},

	/* Those of older stores are made again from their runs, when they are requested. */
	{"models as they are packed",
	 "DROP TABLE knot;"
	 "DROP TABLE surface_knot;"
	 "DROP TABLE model;"
	 "CREATE TABLE model ("
	 " id INTEGER PRIMARY KEY,"
	 " program INTEGER NOT NULL REFERENCES program ON DELETE CASCADE,"
	 " machine INTEGER NOT NULL REFERENCES machine ON DELETE CASCADE,"
	 " resource TEXT NOT NULL,"
	 " fixed TEXT NOT NULL," /* as run.size, 0 for those that vary */
	 " method TEXT NOT NULL, stop TEXT NOT NULL, made_ns INTEGER NOT NULL, last_run INTEGER NOT NULL,"
	 " model BLOB NOT NULL," /* ft_model_pack */
	 " UNIQUE (program, machine, resource, fixed));"},

	/* Devices of one program: equal executables may be several of them. Ids are not used again. */
	{"devices", "CREATE TABLE program_new ("
		    " id INTEGER PRIMARY KEY AUTOINCREMENT,"
		    " name TEXT NOT NULL, hash TEXT NOT NULL,"
		    " argv BLOB, work TEXT, method TEXT,"
		    " last_put INTEGER NOT NULL," /* a counter: the newest program of a name and a device is
						     that put last */
		    " condition TEXT,"
		    " device TEXT NOT NULL DEFAULT ''," /* '': none */
		    " driver TEXT,"
		    " UNIQUE (name, device, hash));"
		    "INSERT INTO sqlite_sequence (name, seq) SELECT 'program_new', seq FROM sqlite_sequence "
		    "WHERE name = 'program';"
		    "INSERT INTO program_new (id, name, hash, argv, work, method, last_put, condition) "
		    "SELECT id, name, hash, argv, work, method, last_put, condition FROM program;"
		    "DROP TABLE program;"
		    "ALTER TABLE program_new RENAME TO program;"},

	{"what jobs asked for, traces of runs",
	 "ALTER TABLE run ADD COLUMN asked_s REAL;" /* of a batch system; NULL: not known */
	 "ALTER TABLE run ADD COLUMN asked_bytes REAL;"
	 "CREATE TABLE trace ("
	 " run INTEGER PRIMARY KEY REFERENCES run ON DELETE CASCADE,"
	 " rows INTEGER NOT NULL, length INTEGER NOT NULL,"
	 " csv BLOB NOT NULL);" /* length bytes of text, as zlib deflates them */},

	{"nodes and users of records",
	 "ALTER TABLE run ADD COLUMN node TEXT;" /* NULL: not known, or measured here */
	 "ALTER TABLE run ADD COLUMN user TEXT;" /* a number in place of the name */},
};

/* A run of some 13 samples takes 1 KB: a million runs of a program can be read. */
const struct ft__opening ft__opening = {
	.step = steps, .n_steps = sizeof steps / sizeof *steps, .busy_ms = 10000, .most = FT__READ_MOST};

enum ft_status ft__check_version(struct ft_store *store, const struct ft__opening *opening, int64_t version,
				 struct ft_err *err)
{
	char what[64];

	if (version > (int64_t)opening->n_steps) {
		(void)ft_fail(err, FT_EVERSION,
			      "the store '%s' was made by a newer foretime (its version is %lld, ours %zu)",
			      store->path, (long long)version, opening->n_steps);
		(void)ft_remedy(err, "install that foretime, or name another store with --store PATH");
		return FT_EVERSION;
	}
	if (version >= 0)
		return FT_OK;
	(void)snprintf(what, sizeof what, "its version is %lld", (long long)version);
	return ft__damaged(store, what, err);
}

static enum ft_status take_step(struct ft_store *store, const struct ft__migration *step, struct ft_err *err)
{
	int rc = sqlite3_exec(store->db, step->sql, NULL, NULL, NULL);

	if (rc == SQLITE_OK)
		return FT_OK;
	if ((rc & 0xff) != SQLITE_ERROR && (rc & 0xff) != SQLITE_CONSTRAINT)
		return ft__sql_fail(store, rc, err);
	(void)ft_fail(err, FT_EIO, "cannot bring the store '%s' up to date (%s): %s", store->path,
		      step->about, sqlite3_errmsg(store->db));
	(void)ft_remedy(
		err, "it is as it was: use the foretime that made it, or name another one with --store PATH");
	return FT_EIO;
}

static enum ft_status mark_version(struct ft_store *store, size_t version, struct ft_err *err)
{
	struct ft_text sql = {0};
	int rc = SQLITE_NOMEM;

	ft_text_add(&sql, "PRAGMA application_id = %d; PRAGMA user_version = %zu", FT__APPLICATION_ID,
		    version);
	if (!sql.failed)
		rc = sqlite3_exec(store->db, sql.s, NULL, NULL, NULL);
	ft_text_clear(&sql);
	return rc == SQLITE_OK ? FT_OK : ft__sql_fail(store, rc, err);
}

/* Steps may have moved rows that are referenced elsewhere. */
static enum ft_status check_references(struct ft_store *store, struct ft_err *err)
{
	sqlite3_stmt *stmt;
	int rc = sqlite3_prepare_v2(store->db, "PRAGMA foreign_key_check", -1, &stmt, NULL);

	if (rc == SQLITE_OK) {
		bool broken = sqlite3_step(stmt) == SQLITE_ROW;

		rc = sqlite3_finalize(stmt);
		if (broken && rc == SQLITE_OK)
			return ft__damaged(store, "rows refer to missing rows", err);
	}
	return rc == SQLITE_OK ? FT_OK : ft__sql_fail(store, rc, err);
}

enum ft_status ft__migrate(struct ft_store *store, const struct ft__opening *opening, struct ft_err *err)
{
	enum ft_status status;
	int64_t version, first;
	int rc = ft__pragma(store, "PRAGMA user_version", &version);

	if (rc != SQLITE_OK)
		return ft__sql_fail(store, rc, err);
	if ((status = ft__check_version(store, opening, version, err)) ||
	    version == (int64_t)opening->n_steps)
		return status;
	if ((status = ft__begin(store, err)))
		return status;
	rc = ft__pragma(store, "PRAGMA user_version", &version); /* another process may have been faster */
	if (rc != SQLITE_OK)
		status = ft__sql_fail(store, rc, err);
	else
		status = ft__check_version(store, opening, version, err);
	for (first = version; !status && version < (int64_t)opening->n_steps; version++)
		status = take_step(store, &opening->step[version], err);
	if (!status && version > first)
		status = mark_version(store, opening->n_steps, err);
	if (!status && first > 0)
		status = check_references(store, err);
	return ft__end(store, status, err);
}
