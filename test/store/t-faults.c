/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-faults.c - the n-th allocation fails, for every n: ours and SQLite's. Each time a clean failure,
 * and no leak. */
#include "store-test.h"
#include "store/door.h"

/* Whose allocation fails, which one, and whether all after it too. */
static struct {
	enum whose { OURS, SQLITE } whose;
	unsigned long doomed, made;
	bool forever;
} fault;

static const char *const names[] = {"foretime", "SQLite"};
static sqlite3_mem_methods real;

static bool fails(enum whose whose)
{
	if (whose != fault.whose || !fault.doomed)
		return false;
	fault.made++;
	return fault.forever ? fault.made >= fault.doomed : fault.made == fault.doomed;
}

static void *sqlite_malloc(int bytes)
{
	return fails(SQLITE) ? NULL : real.xMalloc(bytes);
}

static void *sqlite_realloc(void *old, int bytes)
{
	return fails(SQLITE) ? NULL : real.xRealloc(old, bytes);
}

static void arm(void)
{
	fault.made = 0;
	(void)ft_alloc_fail_at(fault.whose == OURS ? fault.doomed : 0);
}

static void disarm(void)
{
	unsigned long made = ft_alloc_fail_at(0);

	if (fault.whose == OURS)
		fault.made = made;
	fault.doomed = 0;
}

/* What a life of a store reads. */
struct got {
	struct ft_program program;
	struct ft_machine machine, next;
	struct ft_runs runs;
	struct ft_model_record model;
	struct ft_store_list list;
};

static void clear_got(struct got *got)
{
	ft_program_clear(&got->program);
	ft_machine_clear(&got->machine);
	ft_machine_clear(&got->next);
	ft_runs_clear(&got->runs);
	ft_model_record_clear(&got->model);
	ft_store_list_clear(&got->list);
}

/* Whether a call went well; the first that did not ends the life. A failure that is no want of memory is
 * told. */
static bool went(enum ft_status status, bool cleared, const struct ft_err *err, enum ft_status *ended)
{
	*ended = status;
	if (status && !cleared) {
		diag("outputs are not cleared");
		*ended = FT_EINVAL;
	}
	if (status && status != FT_ENOMEM)
		diag("%s: %s", ft_status_text(status), err->text);
	return !status;
}

static bool write_all(struct fixture *f, const char *path, struct ft_run *run,
		      const struct ft_model_record *model, enum ft_status *ended)
{
	struct ft_err err = {0};

	return went(ft_store_open(&f->store, path, 0, &err), !f->store, &err, ended) &&
	       went(ft_store_put_machine(f->store, &f->machine, &err), !f->machine.id, &err, ended) &&
	       went(ft_store_put_program(f->store, &f->program, &err), !f->program.id, &err, ended) &&
	       went(ft_store_add_run(f->store, f->program.id, f->machine.id, run, &err), !run->id, &err,
		    ended) &&
	       went(ft_store_put_model(f->store, f->program.id, f->machine.id, model, &err), true, &err,
		    ended);
}

static bool read_all(struct fixture *f, struct got *got, const struct ft_size *fixed, enum ft_status *ended)
{
	struct ft_program none;
	struct ft_err err = {0};

	if (!went(ft_store_get_program(f->store, "matmul", &got->program, &err), !got->program.name, &err,
		  ended) ||
	    !went(ft_store_get_machine(f->store, f->machine.id, &got->machine, &err), !got->machine.host,
		  &err, ended) ||
	    !went(ft_store_next_machine(f->store, 0, &got->next, &err), !got->next.host, &err, ended) ||
	    !went(ft_store_get_runs(f->store, f->program.id, f->machine.id, &got->runs, &err), !got->runs.n,
		  &err, ended) ||
	    !went(ft_store_get_model(f->store, f->program.id, f->machine.id, &ft_wall_s, fixed, &got->model,
				     &err),
		  !got->model.model, &err, ended) ||
	    !went(ft_store_get_list(f->store, NULL, &got->list, &err), !got->list.entry, &err, ended))
		return false;
	enum ft_status status = ft_store_get_program(f->store, "matmull", &none, &err);
	return went(status == FT_ENOENT ? FT_OK : status, !none.name, &err, ended);
}

static bool is_of_two(const struct ft_model *model)
{
	size_t n;
	const struct ft_knot *knot = ft_model_knots(model, &n);

	return n == 2 && knot[1].value == 2.5;
}

/* Everything that a store does, once. Returns how it ended: FT_OK when all was well, and all that was read is
 * right. */
static enum ft_status live(const char *path, const struct ft_model_record *model)
{
	struct fixture f = {0};
	struct got got = {0};
	struct ft_err err = {0};
	struct ft_run run;
	enum ft_status ended = FT_OK;

	make_machine(&f.machine, "fee1");
	make_program(&f.program, "matmul", "abc");
	make_run(&run, 64, 9);
	run.detail = ft_strdup("it said something");
	run.sample[0].reason = ft_strdup("no reason");
	arm();
	if (write_all(&f, path, &run, model, &ended) && read_all(&f, &got, &model->fixed, &ended))
		(void)went(ft_store_remove(f.store, "matmul", NULL, &err), true, &err, &ended);
	disarm();
	if (!ended &&
	    (!got.runs.n || !same_run(&got.runs.run[got.runs.n - 1], &run) ||
	     got.program.id != f.program.id || !same_text(got.program.argv[1], "{n}") ||
	     !same_text(got.machine.cpu, f.machine.cpu) || !is_of_two(got.model.model) || got.list.n != 1)) {
		diag("what was read is not what was written");
		ended = FT_EINVAL;
	}
	clear_got(&got);
	ft_run_clear(&run);
	close_fixture(&f);
	return ended;
}

static void remove_store(const char *path)
{
	static const char *const suffixes[] = {"", "-wal", "-shm", "-journal"};
	char name[300];

	for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
		(void)snprintf(name, sizeof name, "%s%s", path, suffixes[i]);
		(void)remove(name);
	}
}

/* What a life that ended early left. */
static void empty_store(const char *path)
{
	struct ft_store *store = open_store(path, 0);

	(void)ft_store_remove(store, "matmul", NULL, NULL);
	ft_store_close(store);
}

/* For n = 1, 2, ... until a life makes fewer allocations. `fresh`: the store is made anew each time. Of ours
 * n is each. Of SQLite's, of which a hundred stand behind each call of ours and make the same answer of it,
 * every fifth will do; in long tests each, or every second where the store is the same, since what follows a
 * life that ended well is much the same. Under sanitizers it is every eleventh: all took four minutes. */
static void test(enum whose whose, bool fresh, bool forever, const struct ft_model_record *model)
{
	const char *path = temp_path("faults.db");
	unsigned long n = 0, failed = 0;
	const unsigned long in_long = fresh ? 1 : 2, step = whose == OURS       ? 1
							    : test_sanitized()  ? 11
							    : test_cases(1) > 1 ? in_long
										: 5;
	enum ft_status ended;
	bool good = true;

	remove_store(path);
	fault.whose = whose;
	fault.forever = forever;
	do {
		if (fresh)
			remove_store(path);
		else
			empty_store(path);
		n += step;
		fault.doomed = n;
		ended = live(path, model);
		failed += ended == FT_ENOMEM;
		if ((ended && ended != FT_ENOMEM) || sqlite3_memory_used() != 0) {
			diag("allocation %lu of %s: %s, %lld bytes of SQLite left", n, names[whose],
			     ft_status_text(ended), (long long)sqlite3_memory_used());
			good = false;
		}
	} while (fault.made >= n && n < 100000);
	ok(good && ended == FT_OK && failed > 0, "%s, %s store, %s: %lu allocations, %lu of them needed",
	   names[whose], fresh ? "new" : "same", forever ? "all from the n-th on" : "the n-th", n - 1,
	   failed);
	ok(!strcmp(raw(path, "PRAGMA integrity_check"), "ok"), "the store is whole");
}

int main(void)
{
	static const char folder[] = "/dev/shm/foretime-test-XXXXXX"; /* thousands of stores: not on a disk */
	const struct ft_observation two[] = {{{2, {1, 100}}, 1, 1, 0, 0, false, 0, 0, 0},
					     {{2, {2, 100}}, 1, 2.5, 0, 0, false, 0, 0, 0}};
	struct ft_model_record model = {.resource = &ft_wall_s, .fixed = {2, {0, 100}}};

	(void)snprintf(temp_folder, sizeof temp_folder, "%s", folder);
	if (!mkdtemp(temp_folder))
		temp_folder[0] = '\0';
	if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &real) != SQLITE_OK)
		return 99;
	sqlite3_mem_methods counted = real;
	counted.xMalloc = sqlite_malloc;
	counted.xRealloc = sqlite_realloc;
	if (sqlite3_config(SQLITE_CONFIG_MALLOC, &counted) != SQLITE_OK)
		return 99;
	if (ft_model_fit(&model.model, two, 2, NULL, NULL))
		return 99;
	for (int whose = OURS; whose <= SQLITE; whose++) {
		test((enum whose)whose, true, false, &model);
		test((enum whose)whose, false, false, &model);
		if (whose != OURS)
			test((enum whose)whose, false, true, &model);
	}
	ft_model_record_clear(&model);
	temp_remove();
	return done();
}
