/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-migrate.c - older stores brought up to date, in one piece or not at all. */
#include "facts/door.h"
#include "store-test.h"
#include "store/door.h"

enum { STEPS_MOST = 32 };

/* A third version that we do not have: a column with a value, and a table made anew that others refer to. */
static const char *const widen = "ALTER TABLE machine ADD COLUMN place TEXT NOT NULL DEFAULT 'here';";
static const char *const rebuild =
	"CREATE TABLE program2 (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, hash TEXT NOT "
	"NULL, argv BLOB,"
	" work TEXT, method TEXT, last_put INTEGER NOT NULL, condition TEXT, device TEXT NOT NULL DEFAULT '',"
	" driver TEXT, kind TEXT DEFAULT 'new', UNIQUE (name, device, hash));"
	"INSERT INTO program2 SELECT *, 'old' FROM program; DROP TABLE program;"
	"ALTER TABLE program2 RENAME TO program;";

static struct ft__opening opening_with(struct ft__migration *steps, const char *second, const char *third)
{
	struct ft__opening opening = ft__opening;

	memcpy(steps, ft__opening.step, ft__opening.n_steps * sizeof *steps);
	steps[ft__opening.n_steps] = (struct ft__migration){"a second step", second};
	steps[ft__opening.n_steps + 1] = (struct ft__migration){"a third step", third};
	opening.step = steps;
	opening.n_steps = ft__opening.n_steps + (third ? 2 : 1);
	return opening;
}

/* Whether a store is `more` steps beyond what we are. */
static bool is_version(const char *path, int more)
{
	return atoi(raw(path, "PRAGMA user_version")) == (int)ft__opening.n_steps + more;
}

static void fill(const char *path)
{
	struct fixture f;
	struct ft_run run;

	open_fixture(&f, path, 0);
	make_run(&run, 512, 4);
	ok(ft_store_add_run(f.store, f.program.id, f.machine.id, &run, NULL) == FT_OK, "a store with a run");
	ft_run_clear(&run);
	close_fixture(&f);
}

/* Ours by its mark, with nothing in it: as a store stood before its first version. */
static void test_version_0(void)
{
	const char *path = temp_path("zero.db");
	struct ft_store *store;
	struct ft_err err = {0};

	(void)raw(path, "PRAGMA application_id = 1181701225");
	ok(!strcmp(raw(path, "PRAGMA user_version"), "0"), "version 0");
	is(ft_store_open(&store, path, FT_STORE_READ, &err), FT_ENOENT, &err, "to be read: it is empty");
	fill(path);
	ok(is_version(path, 0), "now ours");
}

static void test_steps(void)
{
	const char *path = temp_path("steps.db");
	struct ft__migration steps[STEPS_MOST];
	struct ft__opening opening = opening_with(steps, widen, rebuild);
	struct ft_runs runs = {0};
	struct ft_store *store;
	struct ft_err err = {0};

	fill(path);
	is(ft__store_open(&store, path, FT_STORE_READ, &opening, &err), FT_EACCESS, &err,
	   "an older one, to be read");
	ok(strstr(err.remedy, "up to date"), "... and a remedy: %s", err.remedy);
	ok(is_version(path, 0), "... as it was");
	is(ft__store_open(&store, path, 0, &opening, &err), FT_OK, &err, "two steps up");
	ok(ft_store_get_runs(store, 1, 1, &runs, &err) == FT_OK && runs.n == 1 && runs.run[0].n_samples == 4,
	   "its run is still there");
	ft_runs_clear(&runs);
	ok(ft_store_remove(store, "matmul", NULL, &err) == FT_OK, "references are enforced again");
	ok(!strcmp(raw(path, "SELECT count(*) FROM run"), "0"), "... no run is left");
	ft_store_close(store);
	ok(is_version(path, 2), "two versions on");
	ok(!strcmp(raw(path, "SELECT place FROM machine"), "here"), "the second step was taken");
	is(ft_store_open(&store, path, 0, &err), FT_EVERSION, &err, "too new for what we are");
	is(ft__store_open(&store, path, 0, &opening, &err), FT_OK, &err, "opened again: nothing to do");
	ft_store_close(store);
}

static void test_failing_step(void)
{
	const char *path = temp_path("failing.db");
	struct ft__migration steps[STEPS_MOST];
	struct ft__opening opening =
		opening_with(steps, widen, "ALTER TABLE machine ADD COLUMN x; SELECT * FROM nowhere;");
	struct ft_store *store;
	struct ft_err err = {0};

	fill(path);
	is(ft__store_open(&store, path, 0, &opening, &err), FT_EIO, &err, "a step that fails");
	ok(strstr(err.text, "a third step") && err.remedy[0], "... is named, and a remedy: %s", err.remedy);
	ok(is_version(path, 0) &&
		   !strcmp(raw(path, "SELECT count(*) FROM pragma_table_info('machine')"), "16"),
	   "... and nothing of the steps before it stays");
	opening = opening_with(steps, widen, "DELETE FROM machine;");
	err = (struct ft_err){0};
	is(ft__store_open(&store, path, 0, &opening, &err), FT_EIO, &err, "a step that breaks references");
	ok(!strcmp(raw(path, "SELECT count(*) FROM machine"), "1"), "... is undone");
	ft_store_close(open_store(path, 0));
	ok(!strcmp(raw(path, "SELECT length(numbers) FROM run"), "64"), "the store is as good as before");
}

/* Stores of each of our own versions. */
static void test_versions(void)
{
	for (size_t version = 1; version < ft__opening.n_steps; version++) {
		struct ft__opening opening = ft__opening;
		const char *path = temp_path("old.db");
		struct ft_store *store;
		struct ft_err err = {0};

		opening.n_steps = version;
		is(ft__store_open(&store, path, 0, &opening, &err), FT_OK, &err, "an older foretime's store");
		ft_store_close(store);
		ok(is_version(path, (int)version - (int)ft__opening.n_steps), "... of version %zu", version);
		fill(path);
		ok(is_version(path, 0), "... is brought up to date and filled");
		(void)remove(path);
	}
}

/* A program that an older foretime stored has strides, as it had. */
static void test_ranges(void)
{
	struct ft__opening opening = ft__opening;
	const char *path = temp_path("ranges.db");
	struct ft_program program;
	struct ft_store *store;
	struct ft_err err = {0};

	opening.n_steps = 4;
	is(ft__store_open(&store, path, 0, &opening, &err), FT_OK, &err, "a store without progressions");
	ft_store_close(store);
	(void)raw(path, "INSERT INTO program (name, hash, last_put) VALUES ('old', 'h', 1);");
	(void)raw(path, "INSERT INTO param (program, nr, name, least, most, stride) "
			"VALUES (1, 0, 'n', 16, 1024, 8);");
	store = open_store(path, 0);
	ok(is_version(path, 0) && !ft_store_get_program(store, "old", &program, &err) &&
		   program.n_params == 1 && program.param[0].least == 16 && program.param[0].most == 1024 &&
		   program.param[0].stride == 8 && program.param[0].factor == 0 && !program.param[0].n_list,
	   "its ranges are as they were");
	(void)ft_param_parse("n=16:4096:*2", &program.param[0], NULL);
	ok(!ft_store_put_program(store, &program, &err), "and take a progression");
	ft_program_clear(&program);
	ok(!ft_store_get_program(store, "old", &program, &err) && program.param[0].factor == 2 &&
		   program.param[0].most == 4096,
	   "which is kept");
	ft_program_clear(&program);
	ft_store_close(store);
}

/* What older versions took for the load is what was busy, and of runs they did not know who wanted what. */
static void test_queue(void)
{
	struct ft__opening opening = ft__opening;
	const char *path = temp_path("queue.db");
	struct ft_loads loads = {0};
	struct ft_runs runs = {0};
	struct ft_store *store;
	struct ft_err err = {0};

	opening.n_steps = 5;
	is(ft__store_open(&store, path, 0, &opening, &err), FT_OK, &err, "a store of version 5");
	ft_store_close(store);
	(void)raw(
		path,
		"INSERT INTO machine (fingerprint, sockets, cores, threads, l1d_bytes, l2_bytes, l3_bytes, "
		"memory_bytes) VALUES ('a', 1, 2, 2, 0, 0, 0, 0);"
		"INSERT INTO load VALUES (1, 1, 1000, 10, 1.5, 0.5, NULL, 2, 0);"
		"INSERT INTO program (name, hash, last_put) VALUES ('p', '', 1);"
		"INSERT INTO run (program, machine, size, outcome, exit_status, signal, warmup, started_ns, "
		"load_before) VALUES (1, 1, '1', 'done', 0, 0, 0, 5, 0.25)");
	store = open_store(path, 0);
	ok(is_version(path, 0) && ft_store_get_load(store, 1, 0, &loads, &err) == FT_OK && loads.n == 1 &&
		   loads.load[0].load == 1.5 && loads.load[0].busy == 1.5 && loads.load[0].steal == 0.5,
	   "its load is what was busy");
	ok(ft_store_get_runs(store, 1, 1, &runs, &err) == FT_OK && runs.n == 1 &&
		   runs.run[0].load_before == 0.25 && isnan(ft_run_runnable(&runs.run[0])) &&
		   isnan(runs.run[0].pressure) && !runs.run[0].processors && !runs.run[0].node &&
		   !runs.run[0].user,
	   "of its run nobody knows who wanted a processor, where, and for whom");
	ft_runs_clear(&runs);
	ft_loads_clear(&loads);
	ft_store_close(store);
}

/* Models of older stores are made anew: nothing is left of them. */
static void test_models(void)
{
	struct ft__opening opening = ft__opening;
	const char *path = temp_path("models.db");
	struct ft_model_record record;
	struct ft_store *store;
	struct ft_err err = {0};

	opening.n_steps = 6;
	is(ft__store_open(&store, path, 0, &opening, &err), FT_OK, &err, "a store of version 6");
	ft_store_close(store);
	(void)raw(
		path,
		"INSERT INTO machine (fingerprint, sockets, cores, threads, l1d_bytes, l2_bytes, l3_bytes, "
		"memory_bytes) VALUES ('a', 1, 2, 2, 0, 0, 0, 0);"
		"INSERT INTO program (name, hash, last_put) VALUES ('p', '', 1);"
		"INSERT INTO model (id, program, machine, resource, fixed, method, stop, made_ns, last_run, "
		"through_speed, runs, rough, rough_by_noise) VALUES (1, 1, 1, 'wall_s', '0', 'gbbp', "
		"'points', 5, 1, 1, 1, 0, 0);"
		"INSERT INTO knot VALUES (1, 0, 5, 1, 1, 0, NULL, 1, 'power', NULL)");
	ok(!strcmp(raw(path, "SELECT count(*) FROM knot"), "1"), "... with a model");
	store = open_store(path, 0);
	ok(is_version(path, 0) && ft_store_get_model(store, 1, 1, &ft_wall_s, &(struct ft_size){1, {0}},
						     &record, &err) == FT_ENOENT,
	   "it has none once it is up to date");
	ok(!strcmp(raw(path, "SELECT count(*) FROM sqlite_master WHERE name LIKE '%knot%'"), "0"),
	   "... nor its tables");
	ft_store_close(store);
}

/* Programs of an older store are of no device, keep their runs and their ids, and may be joined by devices.
 */
static void test_devices(void)
{
	struct ft__opening opening = ft__opening;
	const char *path = temp_path("devices.db");
	struct ft_store_list list = {0};
	struct ft_program gpu = {.name = (char *)(uintptr_t) "matmul", .device = (char *)(uintptr_t) "gpu"};
	struct ft_program program;
	struct ft_runs runs = {0};
	struct ft_store *store;
	struct ft_err err = {0};

	opening.n_steps = 7;
	is(ft__store_open(&store, path, 0, &opening, &err), FT_OK, &err, "a store without devices");
	ft_store_close(store);
	(void)raw(path, "INSERT INTO program (id, name, hash, last_put) VALUES (5, 'matmul', 'h', 1), "
			"(9, 'gone', 'h', 2);");
	(void)raw(path, "INSERT INTO machine (fingerprint, sockets, cores, threads, l1d_bytes, l2_bytes, "
			"l3_bytes, memory_bytes) VALUES ('f', 1, 1, 1, 0, 0, 0, 0);");
	(void)raw(path, "INSERT INTO run (program, machine, size, outcome, exit_status, signal, warmup, "
			"started_ns) VALUES (5, 1, '', 'done', 0, 0, 0, 0);");
	(void)raw(path, "DELETE FROM program WHERE id = 9;");
	store = open_store(path, 0);
	ok(is_version(path, 0), "... is brought up to date");
	ok(!ft_store_get_program(store, "matmul", &program, &err) && program.id == 5 && !program.device,
	   "its program has its id, and no device");
	ok(!ft_store_get_runs(store, 5, 1, &runs, &err) && runs.n == 1, "... and its run");
	gpu.hash = (char *)(uintptr_t) "h";
	is(ft_store_put_program(store, &gpu, &err), FT_OK, &err, "the same executable, on a device");
	ok(gpu.id == 10, "is another program, of an id that none ever had: %lld", (long long)gpu.id);
	ok(!ft_store_get_list(store, "matmul", &list, &err) && list.n == 2 && list.entry[0].current &&
		   list.entry[1].current,
	   "both are the newest of their device");
	ft_program_clear(&program);
	ft_runs_clear(&runs);
	ft_store_list_clear(&list);
	ft_store_close(store);
}

/* Runs of a store with a row for each sample: nothing of them is lost, and they are counted. */
static void test_one_row(void)
{
	struct ft__opening opening = ft__opening;
	const char *path = temp_path("one-row.db");
	struct ft_store_list list = {0};
	struct ft_runs runs = {0};
	struct ft_store *store;
	struct ft_err err = {0};

	opening.n_steps = 10;
	is(ft__store_open(&store, path, 0, &opening, &err), FT_OK, &err, "a store of version 10");
	ft_store_close(store);
	(void)raw(
		path,
		"INSERT INTO machine (fingerprint, sockets, cores, threads, l1d_bytes, l2_bytes, l3_bytes, "
		"memory_bytes) VALUES ('a', 1, 2, 2, 0, 0, 0, 0);"
		"INSERT INTO program (name, hash, last_put) VALUES ('p', '', 1);"
		"INSERT INTO run (id, program, machine, routine, size, outcome, exit_status, signal, warmup, "
		"cost_s, "
		"work, started_ns, load_before, version, detail, real, pressure, processors, asked_s, node, "
		"user) "
		"VALUES (7, 1, 1, 'main', '5', 'failed', 3, 0, 1, 2.5, 8, 40, 0.25, '0.1', 'it broke', 1, "
		"0.5, 4, "
		"60, 'n1', '1000');"
		"INSERT INTO run (id, program, machine, size, outcome, exit_status, signal, warmup, cost_s, "
		"started_ns) VALUES (9, 1, 1, '6', 'done', 0, 0, 0, 3, 50), (10, 1, 1, '6', 'done', 0, 0, 0, "
		"4, 60),"
		"(11, 1, 1, 'damaged', 'wonder', 0, 0, 0, 4, 0);"
		"INSERT INTO sample VALUES (9, 0, 'wall_s', 3, 'measured', 'child', NULL), "
		"(9, 1, 'energy_j', NULL, 'unavailable', 'rapl', 'may not be read'), "
		"(10, 0, 'wall_s', 4, 'measured', 'child', NULL), "
		"(10, 1, 'energy_j', NULL, 'unavailable', 'rapl', 'may not be read');"
		"INSERT INTO trace VALUES (9, 1, 2, x'00');"
		"INSERT INTO known VALUES ('tally 1 1', '1 2 3 4')");
	store = open_store(path, 0);
	ok(is_version(path, 0), "is up to date");
	ok(!strcmp(raw(path, "SELECT count(*) FROM layout"), "3"), "two runs are of one layout");
	ok(!strcmp(raw(path, "SELECT count(*) FROM trace JOIN run ON run.id = trace.run"), "1"),
	   "its trace is there");
	ok(!ft_store_get_list(store, NULL, &list, &err) && list.n == 1 && list.entry[0].runs == 4 &&
		   list.entry[0].failed == 2 && list.entry[0].sizes == 3 && list.entry[0].first_ns == 40 &&
		   list.entry[0].last_ns == 60,
	   "they are counted");
	ft_store_list_clear(&list);
	ok(ft_store_get_runs(store, 1, 1, &runs, &err) == FT_EIO && !runs.n, "a damaged one is found: %s",
	   err.text);
	(void)raw(path, "DELETE FROM run WHERE id = 11");
	ok(!ft_store_get_runs(store, 1, 1, &runs, &err) && runs.n == 3, "and the others are read %s",
	   err.text);
	const struct ft_run *first = &runs.run[0], *last = &runs.run[2];
	ok(first->id == 7 && !strcmp(first->routine, "main") && first->size.value[0] == 5 &&
		   first->outcome == FT_FAILED && first->exit_status == 3 && first->warmup && first->real &&
		   first->cost_s == 2.5 && first->work == 8 && first->started_ns == 40 &&
		   first->load_before == 0.25 && isnan(first->cpu_hz) && isnan(first->runnable_before) &&
		   first->pressure == 0.5 && first->processors == 4 && first->asked_s == 60 &&
		   isnan(first->asked_bytes) && !strcmp(first->version, "0.1") &&
		   !strcmp(first->detail, "it broke") && !strcmp(first->node, "n1") &&
		   !strcmp(first->user, "1000") && !first->n_samples,
	   "a run is as it was");
	ok(last->id == 10 && last->cost_s == 4 && last->n_samples == 2 && last->sample[0].value == 4 &&
		   last->sample[0].resource == &ft_wall_s && !strcmp(last->sample[0].probe, "child") &&
		   isnan(last->sample[1].value) && last->sample[1].label == FT_UNAVAILABLE &&
		   !strcmp(last->sample[1].reason, "may not be read") && !last->node && !last->version,
	   "and its samples");
	ft_runs_clear(&runs);
	struct ft_run run;
	make_run(&run, 5, 2);
	ok(!ft_store_add_run(store, 1, 1, &run, &err) && run.id == 12, "ids are not used again");
	ft_run_clear(&run);
	ft_store_close(store);
}

int main(void)
{
	test_ranges();
	test_devices();
	test_one_row();
	test_versions();
	test_queue();
	test_models();
	test_version_0();
	test_steps();
	test_failing_step();
	temp_remove();
	return done();
}
