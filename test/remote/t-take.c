/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-take.c - what tasks leave is taken in once, and what they do not leave is asked for again, and then told.
 */
#include "base/alloc.h"
#include "tap.h"

#include "bench.h"
#include "leave.h"
#include "sweep/door.h"

#include <signal.h>

#define SERIAL "af63dc4c8601ec8c0123456789abcdef" /* its kind is "a", by FNV-1a as its authors publish it */

/* The sweep of a kind "a", whose machine is "box". */
static void begin(struct bench *b, const char *name)
{
	struct ft__machines *kind;
	struct ft_sweep_options options;
	size_t at = 0;

	use(b, "parallel", name);
	options = b->options.sweep;
	options.elsewhere = true;
	options.at_once = 4;
	if (open_bench(b) || ft__folder_open(&b->remote->folder, "job", &b->err) ||
	    ft__kind_find(b->remote, "a", &at, &b->err))
		diag("%s", b->err.text);
	kind = &b->remote->kind[at];
	if (ft_machine_named("box", &kind->machine, &b->err) ||
	    ft_store_put_machine(b->store, &kind->machine, &b->err) ||
	    ft_sweep_new(&kind->sweep, b->store, &b->program, &kind->machine, NULL, &options, &b->err))
		diag("%s", b->err.text);
	kind->fingerprint = strdup(kind->machine.fingerprint);
}

static bool put(struct bench *b, const char *id, struct left left)
{
	char path[PATH_MAX];

	left.hash = left.hash ? left.hash : "job";
	left.host = left.host ? left.host : "box";
	left.wall_s = left.wall_s > 0 ? left.wall_s : 1;
	return !leave_run(ft__folder_path(&b->remote->folder, id, "db", path), &left, &b->err);
}

static struct ft_size n_is(double n)
{
	return (struct ft_size){.n = 1, .value = {n}};
}

/* Runs in the store, on a machine: 0: on all. */
static size_t count(struct bench *b, int64_t machine, size_t *real)
{
	struct ft_runs runs = {0};
	size_t n;

	(void)ft_store_get_runs(b->store, b->program.id, machine, &runs, NULL);
	n = runs.n;
	for (size_t i = 0; real && i < n; i++)
		*real += runs.run[i].real;
	ft_runs_clear(&runs);
	return n;
}

static bool is_left(const struct bench *b, const char *id)
{
	char path[PATH_MAX];

	return is_there(ft__folder_path(&b->remote->folder, id, "db", path));
}

static enum ft_status take(struct bench *b, const char *id, struct ft__remote_task *task)
{
	b->err = (struct ft_err){0};
	return ft__task_take(b->remote, id, task, &b->err);
}

/* The next piece of work, as a task. */
static struct ft__remote_task next_task(struct bench *b, const char *id)
{
	struct ft_sweep_piece piece = {.id = 0};
	struct ft__remote_task task = {.fate = FT__TASK_OUT};
	size_t n;

	if (ft_sweep_step(b->remote->kind[0].sweep, &piece, 1, &n, &b->err) || n != 1)
		diag("no piece: %s", b->err.text);
	task.piece = piece.id;
	task.size = piece.size;
	(void)snprintf(task.id, sizeof task.id, "%s", id);
	return task;
}

static struct ft_progress progress_of(const struct bench *b)
{
	struct ft_progress progress;

	ft_sweep_progress(b->remote->kind[0].sweep, &progress);
	return progress;
}

static void test_once(void)
{
	size_t real = 0;
	struct bench b;

	begin(&b, "once");
	ok(put(&b, SERIAL ".0", (struct left){.size = n_is(10)}) && !take(&b, SERIAL ".0", NULL) &&
		   count(&b, 0, &real) == 1 && !real && !is_left(&b, SERIAL ".0"),
	   "a run of a build before: %s", b.err.text);
	ok(put(&b, SERIAL ".0", (struct left){.size = n_is(10)}) && !take(&b, SERIAL ".0", NULL) &&
		   count(&b, 0, NULL) == 1 && !is_left(&b, SERIAL ".0"),
	   "the same is not taken twice");
	ok(put(&b, SERIAL ".0", (struct left){.size = n_is(10), .wall_s = 2}) &&
		   !take(&b, SERIAL ".0", NULL) && count(&b, 0, NULL) == 2,
	   "another one at that size is");
	struct ft__remote_task task = next_task(&b, SERIAL ".1");
	ok(progress_of(&b).in_flight == 1 && put(&b, SERIAL ".1", (struct left){.size = task.size}) &&
		   !take(&b, SERIAL ".1", &task) && !progress_of(&b).in_flight && count(&b, 0, NULL) == 3 &&
		   b.remote->kind[0].proven,
	   "one that was asked for");
	ok(put(&b, SERIAL ".1", (struct left){.size = task.size, .wall_s = 3}) &&
		   !take(&b, SERIAL ".1", &task) && count(&b, 0, NULL) == 4,
	   "a piece that comes back twice, with two runs");
	ok(put(&b, SERIAL ".2", (struct left){.size = {.n = 0}}) && !take(&b, SERIAL ".2", NULL) &&
		   count(&b, 0, NULL) == 4 && !is_left(&b, SERIAL ".2"),
	   "what told a machine is no run");
	ok(put(&b, "00000000000000000123456789abcdef.0", (struct left){.size = n_is(10)}) &&
		   !take(&b, "00000000000000000123456789abcdef.0", NULL) &&
		   is_left(&b, "00000000000000000123456789abcdef.0") && count(&b, 0, NULL) == 4,
	   "of a kind that is not asked about: it waits");
	leave(&b);
}

static void test_strange(void)
{
	struct ft_machine other = {0};
	char path[PATH_MAX];
	struct bench b;

	begin(&b, "strange");
	struct ft__remote_task task = next_task(&b, SERIAL ".1");
	ok(put(&b, SERIAL ".1", (struct left){.size = task.size, .host = "other"}) &&
		   !take(&b, SERIAL ".1", &task) && b.notes == 1 &&
		   strstr(b.note, "other is another machine than box"),
	   "of another machine: %s", b.note);
	(void)ft_machine_named("other", &other, &b.err);
	(void)ft_store_put_machine(b.store, &other, &b.err);
	ok(count(&b, other.id, NULL) == 1 && !count(&b, b.remote->kind[0].machine.id, NULL),
	   "it is that one's");
	ft_machine_clear(&other);
	task = next_task(&b, SERIAL ".2");
	ok(progress_of(&b).in_flight == 1, "and made again");
	ok(put(&b, SERIAL ".2", (struct left){.size = task.size, .host = "other", .wall_s = 2}) &&
		   take(&b, SERIAL ".2", &task) == FT_EINVAL &&
		   !strcmp(b.err.remedy, "--via each-kind models each of them"),
	   "a second one: %s", b.err.text);
	ok(put(&b, SERIAL ".3", (struct left){.size = n_is(3), .hash = "new"}) &&
		   take(&b, SERIAL ".3", NULL) == FT_EINVAL &&
		   !strcmp(b.err.text, "on box './job' is another executable than here"),
	   "of another executable: %s", b.err.text);
	task = next_task(&b, SERIAL ".4");
	(void)temp_write(ft__folder_path(&b.remote->folder, SERIAL ".4", "db", path), "no store", 0600);
	ok(!take(&b, SERIAL ".4", &task) && b.notes == 2 && strstr(b.note, ".4.db' holds no run: ") &&
		   b.remote->lost == 1 && !is_left(&b, SERIAL ".4") && !progress_of(&b).in_flight,
	   "a file that is none: %s", b.note);
	leave(&b);
}

static void test_ended(void)
{
	static const struct {
		enum ft__task_fate fate;
		enum ft_outcome outcome;
	} ends[] = {{FT__TASK_NO_MEMORY, FT_OUT_OF_MEMORY}, {FT__TASK_TOO_LONG, FT_TIMED_OUT}};
	struct ft_runs runs = {0};
	struct bench b;
	size_t good = 0;

	begin(&b, "ended");
	struct ft__remote_task task = next_task(&b, SERIAL ".0");
	ok(put(&b, SERIAL ".0", (struct left){.size = task.size, .outcome = FT_CRASHED, .signal = SIGTERM}) &&
		   !take(&b, SERIAL ".0", &task) && b.remote->lost == 1 && !count(&b, 0, NULL) &&
		   !progress_of(&b).in_flight,
	   "who ended the job ended the run: it is lost");
	task = next_task(&b, SERIAL ".1");
	task.lost = 3;
	ok(put(&b, SERIAL ".1", (struct left){.size = task.size, .outcome = FT_CRASHED, .signal = SIGTERM}) &&
		   !take(&b, SERIAL ".1", &task) && b.remote->lost == 1 && count(&b, 0, NULL) == 1,
	   "again and again: it ends so by itself");
	for (size_t i = 0; i < 2; i++) {
		task = next_task(&b, SERIAL ".2");
		task.fate = ends[i].fate;
		task.limit_s = 7;
		good += !ft__task_miss(b.remote, &task, &b.err);
	}
	(void)ft_store_get_runs(b.store, b.program.id, 0, &runs, NULL);
	for (size_t i = 0; i < 2 && runs.n == 3; i++)
		good += runs.run[1 + i].outcome == ends[i].outcome && runs.run[1 + i].signal == SIGKILL &&
			runs.run[1 + i].cost_s == (i ? 7 : 0) &&
			!strcmp(runs.run[1 + i].detail, "ended by parallel");
	ok(good == 4 && b.remote->lost == 1,
	   "the executor ended them for memory and time: runs that failed so");
	ft_runs_clear(&runs);
	leave(&b);
}

/* Nothing comes back: so many times, then it is told. */
static size_t miss_until(struct bench *b, const char *id)
{
	struct ft__remote_task task;
	size_t i;

	b->remote->kind[0].lost = 0;
	for (i = 1; i < 100; i++) {
		task = next_task(b, id);
		b->err = (struct ft_err){0};
		if (ft__task_miss(b->remote, &task, &b->err))
			break;
	}
	(void)ft_sweep_lose(b->remote->kind[0].sweep, task.piece, NULL);
	return i;
}

static void test_lost(void)
{
	struct bench b;

	begin(&b, "lost");
	ok(miss_until(&b, SERIAL ".0") == 3 && b.err.status == FT_EIO &&
		   strstr(b.err.text, "tasks bring nothing back, and leave nothing in '") &&
		   strstr(b.err.remedy, "--via folder=DIR"),
	   "three times, and not a word: %s", b.err.text);
	(void)snprintf(b.remote->why, sizeof b.remote->why, "parallel ended with status 255");
	ok(miss_until(&b, SERIAL ".0") == 3 &&
		   !strcmp(b.err.text, "tasks bring nothing back: parallel ended with status 255"),
	   "what the executor said: %s", b.err.text);
	(void)temp_write(in_folder(&b, SERIAL ".0.out"), "no route\nhint: none\n", 0600);
	ok(miss_until(&b, SERIAL ".0") == 3 && !strcmp(b.err.text, "tasks bring nothing back: no route"),
	   "what the task said: %s", b.err.text);
	(void)temp_write(in_folder(&b, SERIAL ".0.end"), "3 1 2\n", 0600);
	ok(miss_until(&b, SERIAL ".0") == 3 && !strcmp(b.err.text, "tasks fail with status 3: no route") &&
		   !*b.err.remedy,
	   "how it ended: %s", b.err.text);
	(void)temp_write(in_folder(&b, SERIAL ".0.end"), "127 1 2\n", 0600);
	ok(miss_until(&b, SERIAL ".0") == 3 &&
		   !strcmp(b.err.text, "a task could not begin there: no route") &&
		   strstr(b.err.remedy, b.foretime),
	   "it did not begin: %s", b.err.text);
	b.remote->kind[0].proven = true;
	ok(miss_until(&b, SERIAL ".0") == 10 && b.remote->lost == 25,
	   "ten times where something came back before");
	leave(&b);
}

static void test_know(void)
{
	struct ft__machines *kind;
	struct ft_machine box = {0};
	char path[PATH_MAX];
	struct bench b;
	size_t at;

	begin(&b, "know");
	ok(!ft__kind_find(b.remote, "b", &at, &b.err) && at == 1 &&
		   !ft__kind_find(b.remote, "a", &at, &b.err) && at == 0 && b.remote->n_kinds == 2,
	   "kinds are known by their labels");
	kind = &b.remote->kind[1];
	(void)ft_machine_named("box", &box, &b.err);
	ok(put(&b, SERIAL ".0", (struct left){.size = {.n = 0}}) &&
		   !ft__kind_know(b.remote, 1, SERIAL ".0", &b.err) &&
		   !strcmp(kind->fingerprint, box.fingerprint) && !strcmp(kind->machine.host, "box") &&
		   !kind->machine.id,
	   "its machine tells");
	ft_machine_clear(&box);
	(void)temp_write(ft__folder_path(&b.remote->folder, SERIAL ".1", "db", path), "no store", 0600);
	ok(ft__kind_know(b.remote, 0, SERIAL ".1", &b.err) == FT_ENOTOURS && strstr(b.err.text, ".1.db': ") &&
		   *b.err.remedy,
	   "a file that is none: %s", b.err.text);
	leave(&b);
}

/* A task that is out, and of which its executor knows no more. */
static void put_gone(struct bench *b, const char *id)
{
	struct ft__remote_task *task = calloc(1, sizeof *task);

	*task = next_task(b, id);
	task->fate = FT__TASK_GONE;
	ft_free(b->remote->task);
	b->remote->task = task;
	b->remote->n_tasks = b->remote->tasks_capacity = 1;
}

/* Files may come later than the news that a task has ended. */
static void test_late(void)
{
	struct bench b;

	begin(&b, "late");
	put_gone(&b, SERIAL ".0");
	ok(!ft__tasks_look(b.remote, true, &b.err) && b.remote->n_tasks == 1 && !b.remote->lost,
	   "at the first look nothing is lost");
	ok(put(&b, SERIAL ".0", (struct left){.size = b.remote->task[0].size}) &&
		   !ft__tasks_look(b.remote, true, &b.err) && !b.remote->n_tasks && !b.remote->lost &&
		   count(&b, 0, NULL) == 1,
	   "what came until the next one is taken in");
	put_gone(&b, SERIAL ".1");
	b.remote->task[0].fate = FT__TASK_OUT;
	ok(!ft__tasks_look(b.remote, true, &b.err) && !ft__tasks_look(b.remote, true, &b.err) &&
		   b.remote->n_tasks == 1 && !b.remote->lost,
	   "what is still out is waited for");
	b.remote->task[0].fate = FT__TASK_GONE;
	ok(!ft__tasks_look(b.remote, true, &b.err) && !ft__tasks_look(b.remote, true, &b.err) &&
		   !b.remote->n_tasks && b.remote->lost == 1 && !progress_of(&b).in_flight,
	   "what did not is lost");
	leave(&b);
}

static void test_adopt(void)
{
	struct bench b;

	begin(&b, "adopt");
	(void)temp_write(in_folder(&b, SERIAL ".0.sh"), "# limit 7\n# size 10\n", 0600);
	(void)temp_write(in_folder(&b, SERIAL ".1.sh"), "# limit 7\n# size 1000\n", 0600);
	ok(!ft__task_adopt(b.remote, SERIAL ".0", &b.err) && !ft__task_adopt(b.remote, SERIAL ".0", &b.err) &&
		   b.remote->n_tasks == 1 && progress_of(&b).in_flight == 1 &&
		   ft__tasks_count(b.remote, 0) == 1,
	   "a task of a build before is out in this one, once");
	ok(b.remote->task[0].piece > 0 && b.remote->task[0].limit_s == 7 &&
		   b.remote->task[0].size.value[0] == 10,
	   "as it was");
	ok(!ft__task_adopt(b.remote, SERIAL ".1", &b.err) && !ft__task_adopt(b.remote, SERIAL ".2", &b.err) &&
		   !ft__task_adopt(b.remote, "00000000000000000123456789abcdef.0", &b.err) &&
		   b.remote->n_tasks == 1,
	   "but not at a size of no sweep, without a script, or of another kind");
	leave(&b);
}

static void test_faults(void)
{
	enum ft_status status = FT_ENOMEM;
	unsigned long n, wrong = 0;
	struct bench b;

	begin(&b, "faults");
	for (n = 1; status == FT_ENOMEM && n < 10000; n++) {
		if (!is_left(&b, SERIAL ".0"))
			(void)put(&b, SERIAL ".0", (struct left){.size = n_is(10)});
		(void)ft_alloc_fail_at(n);
		status = take(&b, SERIAL ".0", NULL);
		(void)ft_alloc_fail_at(0);
		wrong += status ? status != FT_ENOMEM || !is_left(&b, SERIAL ".0") : is_left(&b, SERIAL ".0");
	}
	ok(!status && !wrong && n > 10 && count(&b, 0, NULL) == 1,
	   "each of %lu allocations may fail: it is taken in once", n - 2);
	leave(&b);
}

int main(void)
{
	test_once();
	test_strange();
	test_ended();
	test_lost();
	test_know();
	test_late();
	test_adopt();
	test_faults();
	temp_remove();
	return done();
}
