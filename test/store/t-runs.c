/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t-runs.c - what is read equals what was added, in order. */
#include "store-test.h"
#include "store/door.h"

#include <float.h>

static char *random_text(struct ft_random *random)
{
	char bytes[40];
	size_t n = ft_random_below(random, sizeof bytes), i;

	if (!ft_random_below(random, 4))
		return NULL;
	for (i = 0; i < n; i++)
		bytes[i] = (char)(1 + ft_random_below(random, 255));
	return ft_strndup(bytes, n);
}

/* Doubles of all kinds that are finite; among sizes no NaN. */
static double random_number(struct ft_random *random, bool any)
{
	static const double odd[] = {
		0, 1, -1, 0.1, DBL_MAX, DBL_MIN, -DBL_MAX, 5e-324, 9007199254740993.0, 1e22, 1e-7};

	switch (ft_random_below(random, any ? 5 : 4)) {
	case 0:
		return odd[ft_random_below(random, sizeof odd / sizeof *odd)];
	case 1:
		return (double)ft_random_below(random, 100000);
	case 2:
		return exp(700 * (2 * ft_random_uniform(random) - 1));
	case 3:
		return ft_random_normal(random);
	default:
		return NAN;
	}
}

static void random_run(struct ft_random *random, struct ft_run *run)
{
	size_t n = ft_random_below(random, 20), i;

	*run = (struct ft_run){
		.routine = random_text(random),
		.outcome = (enum ft_outcome)ft_random_below(random, FT_INTERRUPTED + 1),
		.exit_status = (int)ft_random_below(random, 256),
		.signal = (int)ft_random_below(random, 32),
		.warmup = ft_random_below(random, 2),
		.cost_s = random_number(random, true),
		.work = random_number(random, true),
		.started_ns = (int64_t)ft_random_bits(random),
		.load_before = random_number(random, true),
		.runnable_before = random_number(random, true),
		.runnable_after = random_number(random, true),
		.pressure = random_number(random, true),
		.processors = (int)ft_random_below(random, 3),
		.cpu_hz = random_number(random, true),
		.version = random_text(random),
		.detail = random_text(random),
		.size.n = ft_random_below(random, FT_PARAMS_MAX + 1),
	};
	for (i = 0; i < run->size.n; i++)
		run->size.value[i] = random_number(random, false);
	for (i = 0; i < n; i++) {
		const struct ft_resource *resource = ft_resource_get(ft_random_below(random, 12));
		char *reason = random_text(random);

		(void)ft_run_add(run, resource, random_number(random, true),
				 (enum ft_label)ft_random_below(random, 4), "child_process", reason, NULL);
		ft_free(reason);
	}
}

/* Runs of two programs on two machines, added one by one and by the dozen, with and without a rest of what
 * one statement adds: each pair reads back its own. */
static void test_random(struct ft_random *random, struct fixture *f, int64_t program[2], int64_t machine[2])
{
	struct ft_runs added[2][2] = {0}, of_program[2] = {0};
	bool good = true;
	int p, m;

	for (int i = 0; i < 60; i++) {
		struct ft_runs runs = {0};
		size_t n = ft_random_below(random, 3) ? 1 : ft_random_below(random, 70), k;

		p = (int)ft_random_below(random, 2);
		m = (int)ft_random_below(random, 2);
		for (k = 0; k < n; k++) {
			struct ft_run run;

			random_run(random, &run);
			(void)ft_runs_take(&runs, &run, NULL);
		}
		if (n == 1)
			good &= !ft_store_add_run(f->store, program[p], machine[m], &runs.run[0], NULL);
		else
			good &= !ft_store_add_runs(f->store, program[p], machine[m], &runs, NULL);
		for (k = 0; k < n; k++)
			(void)ft_runs_take(&added[p][m], &runs.run[k], NULL);
		ft_runs_clear(&runs);
	}
	for (p = 0; p < 2; p++) {
		size_t at[2] = {0}, k;

		for (m = 0; m < 2; m++) {
			struct ft_runs got = {0};
			size_t after;

			good &= !ft_store_get_runs(f->store, program[p], machine[m], &got, NULL) &&
				got.n == added[p][m].n;
			for (k = 0; good && k < got.n; k++)
				good &= got.run[k].id > 0 && same_run(&got.run[k], &added[p][m].run[k]) &&
					!ft_store_count_runs(f->store, program[p], machine[m], got.run[k].id,
							     &after, NULL) &&
					after == got.n - 1 - k;
			ft_runs_clear(&got);
		}
		/* On every machine: a merge of both, by the order of adding. */
		good &= !ft_store_get_runs(f->store, program[p], 0, &of_program[p], NULL) &&
			of_program[p].n == added[p][0].n + added[p][1].n;
		for (k = 0; good && k < of_program[p].n; k++) {
			m = at[0] < added[p][0].n && added[p][0].run[at[0]].id == of_program[p].run[k].id ? 0
													  : 1;
			good &= at[m] < added[p][m].n &&
				same_run(&of_program[p].run[k], &added[p][m].run[at[m]++]) &&
				(!k || of_program[p].run[k].id > of_program[p].run[k - 1].id);
		}
		ft_runs_clear(&of_program[p]);
	}
	for (int i = 0; i < 4; i++)
		ft_runs_clear(&added[i / 2][i % 2]);
	if (!ok(good, "random runs read back as they were added"))
		diag("seed %llu", (unsigned long long)test_seed());
}

static void test_many_random(void)
{
	struct ft_random random = {test_seed()};

	for (int i = 0; i < test_cases(5); i++) {
		char name[32];
		struct fixture f;
		struct ft_machine other;
		struct ft_program second;

		(void)snprintf(name, sizeof name, "random%d.db", i);
		open_fixture(&f, temp_path(name), i % 2 ? FT_STORE_ROLLBACK : 0);
		make_machine(&other, "aa");
		make_program(&second, "second", "abc");
		ok(!ft_store_put_machine(f.store, &other, NULL) &&
			   !ft_store_put_program(f.store, &second, NULL),
		   "filled");
		test_random(&random, &f, (int64_t[]){f.program.id, second.id},
			    (int64_t[]){f.machine.id, other.id});
		ft_machine_clear(&other);
		ft_program_clear(&second);
		close_fixture(&f);
	}
}

static void test_refused(void)
{
	struct fixture f;
	struct ft_runs runs = {0};
	struct ft_run run;
	struct ft_err err = {0};

	open_fixture(&f, temp_path("refused.db"), 0);
	make_run(&run, 64, 3);
	is(ft_store_add_run(f.store, 77, f.machine.id, &run, &err), FT_ENOENT, &err,
	   "a program that is not there");
	is(ft_store_add_run(f.store, f.program.id, 77, &run, &err), FT_ENOENT, &err,
	   "a machine that is not there");
	run.size.value[1] = NAN;
	is(ft_store_add_run(f.store, f.program.id, f.machine.id, &run, &err), FT_EINVAL, &err,
	   "a size that is none");
	ok(!run.id, "... sets no id");
	(void)ft_runs_take(&runs, &run, NULL);
	make_run(&run, 128, 3);
	(void)ft_runs_take(&runs, &run, NULL);
	runs.run[0].size.value[1] = 1;
	runs.run[1].size.value[1] = INFINITY;
	is(ft_store_add_runs(f.store, f.program.id, f.machine.id, &runs, &err), FT_EINVAL, &err,
	   "one bad among many");
	ok(!runs.run[0].id && !runs.run[1].id, "... sets no id");
	size_t before = runs.n;
	ok(!ft_store_get_runs(f.store, f.program.id, 0, &runs, &err) && runs.n == before, "none was added");
	runs.run[1].size.value[1] = 1;
	ok(!ft_store_add_runs(f.store, f.program.id, f.machine.id, &runs, &err), "both good");
	ok(!ft_store_get_runs(f.store, f.program.id, 0, &runs, &err) && runs.n == 4 &&
		   same_run(&runs.run[1], &runs.run[3]),
	   "read behind what was there");
	ft_runs_clear(&runs);
	ok(!ft_store_add_runs(f.store, f.program.id, f.machine.id, &runs, &err), "none at all");
	close_fixture(&f);

	(void)raw(temp_path("refused.db"), "INSERT INTO layout SELECT 99, 'eaten', rest FROM layout LIMIT 1; "
					   "UPDATE run SET layout = 99 WHERE id = 2");
	open_fixture(&f, temp_path("refused.db"), 0);
	is(ft_store_get_runs(f.store, f.program.id, 0, &runs, &err), FT_EIO, &err, "an outcome that is none");
	ok(!runs.n, "... gives no runs");
	close_fixture(&f);
	(void)raw(temp_path("refused.db"), "UPDATE run SET layout = 1, size = '1,2' WHERE id = 2");
	open_fixture(&f, temp_path("refused.db"), 0);
	is(ft_store_get_runs(f.store, f.program.id, 0, &runs, &err), FT_EIO, &err,
	   "a size that cannot be read");
	ok(!runs.n, "... gives no runs");
	close_fixture(&f);
	ft_runs_clear(&runs);
}

/* A removed program's number is not given to another: who still knows it must not add runs to a stranger. */
static void test_removed_meanwhile(void)
{
	struct fixture f;
	struct ft_program other;
	struct ft_run run;
	struct ft_err err = {0};

	open_fixture(&f, temp_path("removed.db"), 0);
	ok(!ft_store_remove(f.store, "matmul", NULL, &err), "removed");
	make_program(&other, "other", "abc");
	ok(!ft_store_put_program(f.store, &other, &err) && other.id != f.program.id,
	   "another has another number");
	make_run(&run, 64, 3);
	is(ft_store_add_run(f.store, f.program.id, f.machine.id, &run, &err), FT_ENOENT, &err,
	   "no run is added");
	ft_run_clear(&run);
	ft_program_clear(&other);
	close_fixture(&f);
}

/* How many runs another connection sees. */
static int count_runs(const char *path)
{
	return atoi(raw(path, "SELECT count(*) FROM run"));
}

/* Several programs and their runs as one transaction: all of it, or nothing. */
static void test_transaction(void)
{
	const char *path = temp_path("whole.db");
	struct fixture f;
	struct ft_program other;
	struct ft_run run;
	struct ft_err err = {0};

	open_fixture(&f, path, 0);
	int before = count_runs(path);
	make_program(&other, "other", "abc");
	make_run(&run, 64, 3);
	ok(!ft_store_begin(f.store, &err) && !ft_store_put_program(f.store, &other, &err) &&
		   !ft_store_add_run(f.store, other.id, f.machine.id, &run, &err) &&
		   !ft_store_add_run(f.store, f.program.id, f.machine.id, &run, &err),
	   "a program and runs of two");
	ok(count_runs(path) == before, "nobody else sees them yet");
	ok(ft_store_end(f.store, FT_EINTR, &err) == FT_EINTR && count_runs(path) == before &&
		   ft_store_get_program(f.store, "other", &(struct ft_program){0}, NULL) == FT_ENOENT,
	   "given up: nothing is kept, the program neither");
	ok(!ft_store_begin(f.store, &err) && !ft_store_put_program(f.store, &other, &err) &&
		   !ft_store_add_run(f.store, other.id, f.machine.id, &run, &err) &&
		   !ft_store_end(f.store, FT_OK, &err) && count_runs(path) == before + 1,
	   "ended well: all of it is");
	ok(!ft_store_add_run(f.store, other.id, f.machine.id, &run, &err) && count_runs(path) == before + 2,
	   "and then each run by itself again");
	ft_run_clear(&run);
	ft_program_clear(&other);
	close_fixture(&f);
}

/* A routine's run is one of the program NAME/ROUTINE, which is put once. */
static void test_routines(void)
{
	struct ft_store *store;
	struct ft_machine machine = {.fingerprint = (char *)(uintptr_t) "0123456789abcdef"};
	struct ft_program program = {.name = (char *)(uintptr_t) "solve",
				     .device = (char *)(uintptr_t) "gpu",
				     .hash = (char *)(uintptr_t) "h",
				     .n_params = 1},
			  found = {0};
	struct ft_runs runs = {0};
	size_t wrong = 0;

	program.param[0] = (struct ft_param){.name = "n", .least = 1, .most = 9, .stride = 1};
	if (!ok(!ft_store_open(&store, temp_path("routines.db"), 0, NULL) &&
			!ft_store_put_machine(store, &machine, NULL) &&
			!ft_store_put_program(store, &program, NULL),
		"a store"))
		return;
	for (size_t i = 0; i < 6; i++) {
		struct ft_run run;

		ft_run_init(&run);
		run.size = (struct ft_size){1, {(double)(1 + i)}};
		run.routine = i % 2 ? ft_strdup("inner") : NULL;
		wrong += ft_store_keep_run(store, &program, machine.id, &run, NULL) != FT_OK || !run.id;
		ft_run_clear(&run);
	}
	ok(!wrong && !strcmp(program.name, "solve"), "runs of a program and of its routine are kept");
	ok(!ft_store_get_runs(store, program.id, machine.id, &runs, NULL) && runs.n == 3,
	   "three of the process");
	ft_runs_clear(&runs);
	ok(!ft_store_get_program(store, "solve/inner", &found, NULL) && found.id != program.id &&
		   !strcmp(found.device, "gpu") &&
		   !ft_store_get_runs(store, found.id, machine.id, &runs, NULL) && runs.n == 3,
	   "and three of solve/inner, on the same device");
	ft_runs_clear(&runs);
	ft_program_clear(&found);
	ft_store_close(store);
}

int main(void)
{
	test_many_random();
	test_routines();
	test_transaction();
	test_refused();
	test_removed_meanwhile();
	temp_remove();
	return done();
}
