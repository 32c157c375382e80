/* SPDX-License-Identifier: GPL-3.0-or-later */
/* migrate.c - the schema, as steps from each version to the next.
 *
 * A step that was released is never changed: another is added behind it. */
#include "base/input.h"
#include "base/text.h"
#include "store/store.h"

#include <math.h>
#include <stdio.h>

/*
 * Runs of older stores: a row for each run, and one for each of its samples.
 */

/* A text as it is: what was damaged stays so, and costs no other run. NULL: there is none, or no memory, which the
 * layout then knows. */
static const char *text_at(sqlite3_stmt *stmt, int column, struct ft_text *rest)
{
	const char *text = (const char *)sqlite3_column_text(stmt, column);

	if (!text && sqlite3_column_type(stmt, column) != SQLITE_NULL)
		rest->failed = true;
	return text;
}

static const char *word_at(sqlite3_stmt *stmt, int column, struct ft_text *rest)
{
	const char *text = text_at(stmt, column, rest);

	return text ? text : "";
}

/* A number as the new blob has it; false: it is not known. */
static bool pack_at(sqlite3_stmt *stmt, int column, struct ft_text *numbers)
{
	double value = ft__column_real(stmt, column);
	unsigned char bytes[8];

	if (isnan(value))
		return false;
	ft__number_pack(bytes, value);
	ft_text_add_bytes(numbers, (const char *)bytes, sizeof bytes);
	return true;
}

/* The samples of the run with an id, from the row at which the statement stands on. */
static int move_samples(sqlite3_stmt *sample, int rc, int64_t id, struct ft_text *rest,
			struct ft_text *numbers)
{
	for (; rc == SQLITE_ROW && sqlite3_column_int64(sample, 0) <= id; rc = sqlite3_step(sample))
		if (sqlite3_column_int64(sample, 0) == id)
			ft__layout_sample(rest, word_at(sample, 1, rest), word_at(sample, 3, rest),
					  word_at(sample, 4, rest), pack_at(sample, 2, numbers),
					  text_at(sample, 5, rest));
	return rc;
}

/* The first columns as in a run's head, then its numbers, then its texts. */
static const char old_runs[] =
	"SELECT id, outcome, exit_status, signal, warmup, real, coalesce(processors, 0), cost_s, "
	"work, load_before, cpu_hz, runnable_before, runnable_after, pressure, asked_s, "
	"asked_bytes, version, routine FROM run ORDER BY id";
static const char old_samples[] =
	"SELECT run, resource, value, label, probe, reason FROM sample ORDER BY run, nr";
static const char new_run[] =
	"INSERT INTO run_new (id, program, machine, layout, size, started_ns, numbers, node, user, "
	"detail) SELECT id, program, machine, ?2, size, started_ns, ?3, node, user, detail "
	"FROM run WHERE id = ?1";
enum { OLD_HEAD = 2, OLD_NUMBERS = OLD_HEAD + FT__HEAD, OLD_TEXTS = OLD_NUMBERS + FT__NUMBERS };

static enum ft_status move_run(struct ft_store *store, sqlite3_stmt *const stmt[3], int *of_sample,
			       struct ft_text *rest, struct ft_text *numbers, struct ft_err *err)
{
	char known[FT__NUMBERS + 1] = {0};
	int head[FT__HEAD], rc;
	int64_t id = sqlite3_column_int64(stmt[0], 0), layout = 0;

	rest->length = numbers->length = 0;
	for (int i = 0; i < FT__HEAD; i++)
		head[i] = sqlite3_column_int(stmt[0], OLD_HEAD + i);
	for (int i = 0; i < FT__NUMBERS; i++)
		known[i] = pack_at(stmt[0], OLD_NUMBERS + i, numbers) ? 'x' : '-';
	ft__layout_head(rest, head, known);
	ft__layout_text(rest, text_at(stmt[0], OLD_TEXTS, rest));
	ft__layout_text(rest, text_at(stmt[0], OLD_TEXTS + 1, rest));
	*of_sample = move_samples(stmt[1], *of_sample, id, rest, numbers);
	const char *outcome = word_at(stmt[0], 1, rest);
	if (rest->failed || numbers->failed)
		return ft_nomem(err);
	FT_TRY(ft__layout_put(store, outcome, rest, &layout, err));
	(void)sqlite3_bind_int64(stmt[2], 1, id);
	(void)sqlite3_bind_int64(stmt[2], 2, layout);
	(void)sqlite3_bind_blob64(stmt[2], 3, numbers->s ? numbers->s : "", numbers->length, SQLITE_STATIC);
	(void)sqlite3_step(stmt[2]);
	rc = sqlite3_reset(stmt[2]);
	return rc == SQLITE_OK ? FT_OK : ft__sql_fail(store, rc, err);
}

static enum ft_status move_runs(struct ft_store *store, struct ft_err *err)
{
	static const char *const sql[3] = {old_runs, old_samples, new_run};
	FT_CLEANUP(ft_text_clear) struct ft_text rest = {0}, numbers = {0};
	sqlite3_stmt *stmt[3] = {NULL};
	enum ft_status status = FT_OK;
	int rc = SQLITE_OK, of_sample;

	for (size_t i = 0; i < 3 && rc == SQLITE_OK; i++)
		rc = sqlite3_prepare_v2(store->db, sql[i], -1, &stmt[i], NULL);
	if (rc == SQLITE_OK) {
		of_sample = sqlite3_step(stmt[1]);
		while (!status && (rc = sqlite3_step(stmt[0])) == SQLITE_ROW)
			status = move_run(store, stmt, &of_sample, &rest, &numbers, err);
		rc = rc == SQLITE_DONE && of_sample != SQLITE_ROW && of_sample != SQLITE_DONE ? of_sample
											      : rc;
	}
	for (size_t i = 0; i < 3; i++)
		(void)sqlite3_finalize(stmt[i]);
	if (!status && rc != SQLITE_DONE)
		status = ft__sql_fail(store, rc, err);
	if (status)
		return status;
	rc = sqlite3_exec(
		store->db,
		"DROP TABLE sample; DROP TABLE run; ALTER TABLE run_new RENAME TO run;"
		"CREATE INDEX run_program ON run (program, machine);"
		"DELETE FROM known WHERE key LIKE 'tally %';"
		"INSERT INTO by_size (program, machine, size, runs) SELECT program, machine, size, count(*) "
		"FROM run GROUP BY 1, 2, 3;"
		"INSERT INTO tally (program, machine, runs, failed, sizes, first_ns, last_ns, newest) SELECT "
		"program, machine, count(*), count(nullif(l.outcome, 'done')), "
		"count(DISTINCT size), min(nullif(started_ns, 0)), max(nullif(started_ns, 0)), max(r.id) "
		"FROM run r JOIN layout l ON l.id = r.layout GROUP BY 1, 2;",
		NULL, NULL, NULL);
	return rc == SQLITE_OK ? FT_OK : ft__sql_fail(store, rc, err);
}

/*
 * The schema, as steps from each version to the next.
 */

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

	/* What many runs have in common is stored once, in a layout (layout.c), and counts are kept as runs come. */
	{"runs in one row, and counts of them",
	 "CREATE TABLE layout ("
	 " id INTEGER PRIMARY KEY,"
	 " outcome TEXT NOT NULL, rest BLOB NOT NULL,"
	 " UNIQUE (outcome, rest));"

	 "CREATE TABLE run_new ("
	 " id INTEGER PRIMARY KEY AUTOINCREMENT,"
	 " program INTEGER NOT NULL REFERENCES program ON DELETE CASCADE,"
	 " machine INTEGER NOT NULL REFERENCES machine ON DELETE CASCADE,"
	 " layout INTEGER NOT NULL,"
	 " size TEXT NOT NULL," /* "512 100", in the order of param.nr */
	 " started_ns INTEGER NOT NULL,"
	 " numbers BLOB NOT NULL," /* those that the layout states */
	 " node TEXT, user TEXT, detail TEXT);"
	 "INSERT INTO sqlite_sequence (name, seq) SELECT 'run_new', seq FROM sqlite_sequence WHERE name = "
	 "'run';"

	 "CREATE INDEX program_put ON program (last_put);"

	 "CREATE TABLE by_size ("
	 " program INTEGER NOT NULL REFERENCES program ON DELETE CASCADE,"
	 " machine INTEGER NOT NULL, size TEXT NOT NULL,"
	 " runs INTEGER NOT NULL,"             /* that are kept singly */
	 " folded INTEGER NOT NULL DEFAULT 0," /* of which only sums and sketches are */
	 " PRIMARY KEY (program, machine, size)) WITHOUT ROWID;"

	 "CREATE TABLE folded ("
	 " program INTEGER NOT NULL REFERENCES program ON DELETE CASCADE,"
	 " machine INTEGER NOT NULL, size TEXT NOT NULL, resource TEXT NOT NULL,"
	 " least REAL NOT NULL, most REAL NOT NULL, sum REAL NOT NULL,"
	 " sketch BLOB NOT NULL," /* ft_sketch_pack */
	 " PRIMARY KEY (program, machine, size, resource)) WITHOUT ROWID;"

	 "CREATE TABLE tally ("
	 " program INTEGER NOT NULL REFERENCES program ON DELETE CASCADE,"
	 " machine INTEGER NOT NULL REFERENCES machine ON DELETE CASCADE,"
	 " runs INTEGER NOT NULL, failed INTEGER NOT NULL, sizes INTEGER NOT NULL,"
	 " first_ns INTEGER, last_ns INTEGER," /* NULL: not known */
	 " folded INTEGER NOT NULL DEFAULT 0,"
	 " newest INTEGER NOT NULL," /* the last of their ids */
	 " PRIMARY KEY (program, machine)) WITHOUT ROWID;"},
};

/* The step behind whose statements move_runs goes on. */
enum { RUNS_IN_ONE_ROW = 10 };

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

static enum ft_status take_step(struct ft_store *store, const struct ft__migration *steps_of, size_t i,
				struct ft_err *err)
{
	const struct ft__migration *step = &steps_of[i];
	int rc = sqlite3_exec(store->db, step->sql, NULL, NULL, NULL);

	if (rc == SQLITE_OK)
		return i == RUNS_IN_ONE_ROW ? move_runs(store, err) : FT_OK;
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
		status = take_step(store, opening->step, (size_t)version, err);
	if (!status && version > first)
		status = mark_version(store, opening->n_steps, err);
	if (!status && first > 0)
		status = check_references(store, err);
	return ft__end(store, status, err);
}
