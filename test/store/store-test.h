/* SPDX-License-Identifier: GPL-3.0-or-later */
/* store-test.h - what the tests of the store share: facts to store, and whether what is read is the same. */
#ifndef FT_TEST_STORE_TEST_H
#define FT_TEST_STORE_TEST_H

#include "base/alloc.h"
#include "base/random.h"
#include "store/store.h"
#include "tap.h"
#include "temp.h"

#include <sys/wait.h>
#include <unistd.h>

/* A check that a call went as it should, with its sentence when it did not. */
__attribute__((unused)) static bool is(enum ft_status status, enum ft_status wanted, const struct ft_err *err,
				       const char *what)
{
	bool good = ok(status == wanted, "%s", what);

	if (!good || (wanted && (!err->text[0] || err->status != wanted)))
		diag("%s, not %s: %s; %s", ft_status_text(status), ft_status_text(wanted), err->text,
		     err->remedy);
	if (wanted)
		ok(err->status == wanted && err->text[0], "... with a sentence: %s", err->text);
	return good;
}

__attribute__((unused)) static struct ft_store *open_store(const char *path, unsigned flags)
{
	struct ft_err err = {0};
	struct ft_store *store;

	if (ft_store_open(&store, path, flags, &err)) {
		printf("Bail out! cannot open the store: %s\n", err.text);
		exit(99);
	}
	return store;
}

/* Statements on a file behind the store's back; the first column of the first row, as text. */
__attribute__((unused)) static const char *raw(const char *path, const char *sql)
{
	static char answer[256];
	sqlite3 *db;
	sqlite3_stmt *stmt = NULL;

	answer[0] = '\0';
	if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) == SQLITE_OK)
		while (sql && *sql && sqlite3_prepare_v2(db, sql, -1, &stmt, &sql) == SQLITE_OK && stmt) {
			if (sqlite3_step(stmt) == SQLITE_ROW && !answer[0])
				(void)snprintf(answer, sizeof answer, "%s",
					       (const char *)sqlite3_column_text(stmt, 0));
			(void)sqlite3_finalize(stmt);
		}
	(void)sqlite3_close(db);
	return answer;
}

__attribute__((unused)) static void make_machine(struct ft_machine *machine, const char *fingerprint)
{
	*machine = (struct ft_machine){
		.fingerprint = ft_strdup(fingerprint),
		.host = ft_strdup("box"),
		.cpu = ft_strdup("Example CPU @ 3 GHz"),
		.architecture = ft_strdup("x86_64"),
		.sockets = 1,
		.cores = 2,
		.threads = 4,
		.l1d_bytes = 32768,
		.l2_bytes = 1048576,
		.memory_bytes = 8LL << 30,
		.system = ft_strdup("Debian GNU/Linux 12"),
	};
}

__attribute__((unused)) static void make_program(struct ft_program *program, const char *name,
						 const char *hash)
{
	*program = (struct ft_program){
		.name = ft_strdup(name),
		.hash = ft_strdup(hash),
		.work = ft_strdup("2*n^3"),
		.param = {{.name = "n", .least = 64, .most = 3000, .stride = 8},
			  {.name = "m", .least = 100, .most = 100, .stride = 1}},
		.n_params = 2,
		.argc = 2,
		.argv = ft_calloc(3, sizeof *program->argv),
	};
	program->argv[0] = ft_strdup("./matmul");
	program->argv[1] = ft_strdup("{n}");
}

/* A store with a machine and a program in it. */
struct fixture {
	struct ft_store *store;
	struct ft_machine machine;
	struct ft_program program;
};

__attribute__((unused)) static void open_fixture(struct fixture *f, const char *path, unsigned flags)
{
	struct ft_err err = {0};

	f->store = open_store(path, flags);
	make_machine(&f->machine, "00112233445566aa");
	make_program(&f->program, "matmul", "abc");
	if (ft_store_put_machine(f->store, &f->machine, &err) ||
	    ft_store_put_program(f->store, &f->program, &err)) {
		printf("Bail out! cannot fill the store: %s\n", err.text);
		exit(99);
	}
}

__attribute__((unused)) static void close_fixture(struct fixture *f)
{
	ft_store_close(f->store);
	ft_machine_clear(&f->machine);
	ft_program_clear(&f->program);
}

/* A run as a measurement makes it, with so many samples. */
__attribute__((unused)) static void make_run(struct ft_run *run, double n, size_t samples)
{
	*run = (struct ft_run){
		.size = {2, {n, 100}}, .cost_s = 1.5 * n, .work = NAN, .started_ns = 1700000000000000000};
	run->load_before = 0.25;
	run->runnable_before = 8;
	run->runnable_after = NAN;
	run->pressure = 0.75;
	run->processors = 2;
	run->cpu_hz = NAN;
	run->version = ft_strdup("0.1.0");
	for (size_t i = 0; i < samples; i++)
		(void)ft_run_add(run, ft_resource_get(i), n / (double)(i + 3), FT_MEASURED, "child", NULL,
				 NULL);
}

/* A model of one size. */
__attribute__((unused)) static struct ft_model *least_model(void)
{
	struct ft_observation o = {.size = {2, {64, 100}}, .work = 1, .value = 3};
	struct ft_model *model = NULL;

	(void)ft_model_fit(&model, &o, 1, NULL, NULL);
	return model;
}

__attribute__((unused)) static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

__attribute__((unused)) static bool same_number(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}

__attribute__((unused)) static bool same_program(const struct ft_program *a, const struct ft_program *b)
{
	if (a->id != b->id || !same_text(a->name, b->name) || !same_text(a->hash, b->hash) ||
	    !same_text(a->work, b->work) || !same_text(a->method, b->method) ||
	    !same_text(a->where, b->where) || !same_text(a->driver, b->driver) || a->argc != b->argc ||
	    !a->argv != !b->argv || a->n_params != b->n_params)
		return false;
	for (size_t i = 0; i < a->argc; i++)
		if (strcmp(a->argv[i], b->argv[i]) != 0)
			return false;
	for (size_t i = 0; i < a->n_params; i++)
		if (strcmp(a->param[i].name, b->param[i].name) != 0 ||
		    a->param[i].least != b->param[i].least || a->param[i].most != b->param[i].most ||
		    a->param[i].stride != b->param[i].stride || a->param[i].factor != b->param[i].factor ||
		    a->param[i].n_list != b->param[i].n_list ||
		    memcmp(a->param[i].list, b->param[i].list, sizeof a->param[i].list) != 0)
			return false;
	return !a->argv || !b->argv[b->argc];
}

__attribute__((unused)) static bool same_run(const struct ft_run *a, const struct ft_run *b)
{
	if (a->id != b->id || !same_text(a->routine, b->routine) || !ft_size_equal(&a->size, &b->size) ||
	    a->outcome != b->outcome || a->exit_status != b->exit_status || a->signal != b->signal ||
	    a->warmup != b->warmup || !same_number(a->cost_s, b->cost_s) || !same_number(a->work, b->work) ||
	    a->started_ns != b->started_ns || !same_number(a->load_before, b->load_before) ||
	    !same_number(a->runnable_before, b->runnable_before) ||
	    !same_number(a->runnable_after, b->runnable_after) || !same_number(a->pressure, b->pressure) ||
	    a->processors != b->processors || !same_number(a->cpu_hz, b->cpu_hz) ||
	    !same_text(a->version, b->version) || !same_text(a->detail, b->detail) ||
	    a->n_samples != b->n_samples)
		return false;
	for (size_t i = 0; i < a->n_samples; i++) {
		const struct ft_sample *p = &a->sample[i], *q = &b->sample[i];

		if (p->resource != q->resource || !same_number(p->value, q->value) || p->label != q->label ||
		    strcmp(p->probe, q->probe) != 0 || !same_text(p->reason, q->reason))
			return false;
	}
	return true;
}

/* What a child process has to tell. */
struct report {
	enum ft_status status;
	struct ft_err err;
	size_t count;
};

/* Do something in a child process: as nobody when we are root and `plain`, so that permissions count. */
__attribute__((unused)) static struct report in_child(void (*work)(const char *path, struct report *report),
						      const char *path, bool plain)
{
	struct report report = {.status = FT_EIO};
	int ends[2], state;

	(void)fflush(stdout);
	if (pipe(ends))
		exit(99);
	pid_t child = fork();
	if (child == 0) {
		if (plain && getuid() == 0 && (setgid(65534) || setuid(65534)))
			_exit(98);
		work(path, &report);
		_exit(write(ends[1], &report, sizeof report) == (ssize_t)sizeof report ? 0 : 97);
	}
	(void)close(ends[1]);
	if (read(ends[0], &report, sizeof report) != (ssize_t)sizeof report)
		report = (struct report){.status = FT_EIO, .err = {.text = "the child died"}};
	(void)close(ends[0]);
	(void)waitpid(child, &state, 0);
	return report;
}

#endif
