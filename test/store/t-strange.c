/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-strange.c - stores that no foretime wrote: each ends in a sentence, and none runs what it brings along.
 */
#include "store-test.h"
#include "store/door.h"

/* What is read of a store, up to the first failure. */
static enum ft_status read_all(struct ft_store *store, struct ft_err *err)
{
	struct ft_program program = {0};
	struct ft_machine machine = {0};
	struct ft_store_list list = {0};
	struct ft_runs runs = {0};
	struct ft_loads loads = {0};
	enum ft_status status = ft_store_get_list(store, NULL, &list, err);

	if (!status)
		status = ft_store_get_program_at(store, 1, &program, err);
	if (!status)
		status = ft_store_get_machine(store, 1, &machine, err);
	if (!status)
		status = ft_store_get_runs(store, 1, 0, &runs, err);
	if (!status)
		status = ft_store_get_load(store, 1, 0, &loads, err);
	ft_loads_clear(&loads);
	ft_runs_clear(&runs);
	ft_machine_clear(&machine);
	ft_program_clear(&program);
	ft_store_list_clear(&list);
	return status;
}

static const char *make_store(void)
{
	const char *path = temp_path("strange.db");
	struct ft_load load = {.started_ns = 1, .interval_s = 1, .processors = 2};
	struct fixture f;
	struct ft_run run;

	(void)unlink(path);
	open_fixture(&f, path, FT_STORE_ROLLBACK);
	make_run(&run, 64, 3);
	ok(!ft_store_add_run(f.store, f.program.id, f.machine.id, &run, NULL) &&
		   !ft_store_add_load(f.store, f.machine.id, &load, NULL),
	   "a store");
	ft_run_clear(&run);
	close_fixture(&f);
	return path;
}

/* Each way to open it, and what is then read. */
static void refuses(const char *sql, enum ft_status wanted, const char *words)
{
	static const unsigned flags[] = {0, FT_STORE_READ, FT_STORE_HASTY};
	const char *path = make_store();

	(void)raw(path, sql);
	for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
		struct ft_err err = {0};
		struct ft_store *store;
		enum ft_status status = ft_store_open(&store, path, flags[i], &err);

		if (!status)
			status = read_all(store, &err);
		ok(status == wanted && strstr(err.text, words) && err.remedy[0], "%.60s: %s", sql, err.text);
		ft_store_close(store);
	}
}

static void test_versions(void)
{
	refuses("PRAGMA user_version = -1", FT_EIO, "its version is -1");
	refuses("PRAGMA user_version = -1000", FT_EIO, "its version is -1000");
	refuses("PRAGMA user_version = -2147483648", FT_EIO, "its version is -2147483648");
	refuses("PRAGMA user_version = 2147483647", FT_EVERSION, "newer");
}

/* Not followed: it has no end. */
#define ENDLESS "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) "

static void test_schemas(void)
{
	refuses("ALTER TABLE run RENAME TO r; CREATE VIEW run AS " ENDLESS
		"SELECT x AS id, 1 AS program, 1 AS machine, '' AS routine, '1 100' AS size, 'done' AS "
		"outcome, 0 AS exit_status, 0 AS signal, 0 AS warmup, 1 AS cost_s, 1 AS work, 1 AS "
		"started_ns, 0 AS load_before, 1 AS cpu_hz, '' AS version, '' AS detail, 0 AS real, 0 AS "
		"runnable_before, 0 AS runnable_after, 0 AS pressure, 1 AS processors FROM c",
		FT_EIO, "damaged");
	refuses("ALTER TABLE run RENAME TO r; CREATE VIEW run AS SELECT * FROM r", FT_EIO, "prohibited");
	refuses("DROP TABLE run", FT_EIO, "no such table");
	refuses("DROP TABLE layout; CREATE TABLE layout (id, nr)", FT_EIO, "no such column");
}

/* Columns that may be NULL after all. */
#define LOOSE                                                                                                \
	"PRAGMA writable_schema = on; UPDATE sqlite_schema SET sql = replace(sql, ' NOT NULL', '') WHERE "   \
	"name = 'program'; PRAGMA writable_schema = reset; "

static void test_cells(void)
{
	refuses("UPDATE program SET argv = zeroblob(500000000)", FT_EIO, "too big");
	refuses("UPDATE program SET argv = zeroblob(100000000)", FT_EIO, "too long");
	refuses("UPDATE program SET name = char(27) || ']0;x'", FT_EIO, "no name");
	refuses("UPDATE program SET name = x'00'", FT_EIO, "no name");
	refuses(LOOSE "UPDATE program SET name = NULL", FT_EIO, "no name");
	refuses(LOOSE "UPDATE program SET hash = NULL", FT_EIO, "no version");
	refuses("UPDATE param SET name = 'n, __import__(\"os\")' WHERE nr = 0", FT_EIO, "no name");
	refuses("UPDATE param SET name = '' WHERE nr = 0", FT_EIO, "no name");
	refuses("UPDATE param SET name = 'n2345678901234567890123456789012' WHERE nr = 0", FT_EIO, "no name");
	refuses("UPDATE param SET most = 9e999 WHERE nr = 0", FT_EIO, "range");
	refuses("UPDATE param SET most = least - 1 WHERE nr = 0", FT_EIO, "range");
	refuses("UPDATE param SET stride = -1 WHERE nr = 0", FT_EIO, "range");
	refuses("UPDATE run SET size = 'inf'", FT_EIO, "size");
	refuses("UPDATE run SET size = '1e999'", FT_EIO, "size");
	refuses("UPDATE run SET size = x'ff'", FT_EIO, "size");
	refuses("UPDATE layout SET outcome = 'wonder'", FT_EIO, "outcome");
	refuses("UPDATE layout SET rest = x''", FT_EIO, "layout");
	refuses("UPDATE layout SET rest = x'302030'", FT_EIO, "layout");
	refuses("UPDATE layout SET rest = CAST('0 0 0 0 2' || char(0) || 'xx-------' || char(0) AS BLOB)",
		FT_EIO, "layout");
	refuses("UPDATE layout SET rest = CAST('0 0 0 0 2' || char(0) || '---------' || char(0) || char(0) "
		"|| char(0) || "
		"'wall_s' || char(0) || 'guess' || char(0) || 'p' || char(0) || '0' || char(0) || char(0) AS "
		"BLOB)",
		FT_EIO, "label");
	refuses("UPDATE layout SET rest = CAST('0 0 0 0 2' || char(0) || '---------' || char(0) || char(0) "
		"|| char(0) || "
		"'wall_s' || char(0) AS BLOB)",
		FT_EIO, "no end");
	refuses("DELETE FROM layout", FT_EIO, "no layout");
	refuses("UPDATE run SET layout = 77", FT_EIO, "no layout");
	refuses("UPDATE run SET numbers = x'00'", FT_EIO, "other numbers");
	refuses("UPDATE run SET numbers = zeroblob(800)", FT_EIO, "other numbers");
	refuses("UPDATE load SET load = 9e999", FT_EIO, "load");
	refuses("UPDATE load SET interval_s = -1", FT_EIO, "load");
}

/* More than may be read at once, whichever table it stands in: the bound is lowered to 1 MiB. */
static void too_much(const char *sql)
{
	struct ft__opening opening = ft__opening;
	const char *path = make_store();
	struct ft_store *store;
	struct ft_err err = {0};

	opening.most = 1 << 20;
	ok(!ft__store_open(&store, path, 0, &opening, &err) && !read_all(store, &err), "it is read %s",
	   err.text);
	ft_store_close(store);
	(void)raw(path, sql);
	ok(!ft__store_open(&store, path, 0, &opening, &err) && read_all(store, &err) == FT_EINVAL &&
		   strstr(err.text, "more than 1 MiB"),
	   "%.60s: %s", sql, err.text);
	/* What is read is not the sum of all that ever was. */
	(void)raw(path, "DELETE FROM run WHERE id > 1; DELETE FROM machine WHERE id > 1; DELETE FROM load "
			"WHERE rowid > 1; "
			"UPDATE run SET detail = NULL; UPDATE layout SET rest = substr(rest, 1, 200)");
	ok(!read_all(store, &err) && !read_all(store, &err), "less is read again %s", err.text);
	ft_store_close(store);
}

#define COUNT(most) "WITH RECURSIVE c(x) AS (SELECT 1000 UNION ALL SELECT x + 1 FROM c LIMIT " #most ") "

static void test_too_much(void)
{
	too_much(COUNT(20000) "INSERT INTO run (id, program, machine, layout, size, started_ns, numbers) "
			      "SELECT x, 1, 1, layout, '1 100', 1, numbers FROM c, run WHERE run.id = 1");
	too_much("UPDATE run SET detail = zeroblob(1100000)");
	too_much(COUNT(60000) "INSERT INTO load (machine, started_ns, interval_s, load, processors, "
			      "by_sweep) SELECT 1, "
			      "x * 10000000000, 1, 1, 2, 0 FROM c");
}

#define ZERO     "0000000000000000"
#define INFINITE "000000000000f07f"

/* A number that is none is not known; a trigger is not followed. */
static void test_taken(void)
{
	const char *path = make_store();
	struct ft_runs runs = {0};
	struct ft_err err = {0};
	struct ft_run run;

	(void)raw(path, "UPDATE run SET numbers = x'" INFINITE ZERO ZERO ZERO INFINITE ZERO ZERO "';"
			"CREATE TRIGGER t AFTER INSERT ON run BEGIN DELETE FROM run; END");
	struct ft_store *store = open_store(path, 0);
	make_run(&run, 128, 1);
	run.work = INFINITY;
	ok(!ft_store_add_run(store, 1, 1, &run, &err), "a run is added %s", err.text);
	ok(!ft_store_get_runs(store, 1, 0, &runs, &err) && runs.n == 2, "%zu runs are there", runs.n);
	ok(runs.n && isnan(runs.run[0].sample[0].value) && isnan(runs.run[0].cost_s) &&
		   isnan(runs.run[1].work),
	   "what is infinite is not known");
	ft_run_clear(&run);
	ft_runs_clear(&runs);
	ft_store_close(store);
}

int main(void)
{
	test_versions();
	test_schemas();
	test_cells();
	test_too_much();
	test_taken();
	temp_remove();
	return done();
}
