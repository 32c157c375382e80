/* SPDX-License-Identifier: GPL-3.0-or-later */
/* runs.c - runs and their samples in the store. */
#include "store/store.h"
#include "base/alloc.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

/* ---- writing ---- */

static enum ft_status add_samples(struct ft_store *store, int64_t id, const struct ft_run *run,
				  struct ft_err *err)
{
	enum ft_status status = FT_OK;
	size_t i;

	for (i = 0; i < run->n_samples && !status; i++) {
		const struct ft_sample *sample = &run->sample[i];

		status = ft__exec(store, FT__ADD_SAMPLE,
				  FT__VALUES(ft__int(id), ft__int((int64_t)i), ft__text(sample->resource),
					     ft__real(sample->value), ft__text(ft_label_text(sample->label)),
					     ft__text(sample->probe), ft__text(sample->reason)),
				  NULL, err);
	}
	return status;
}

/* What was not asked for is not known. */
static double null_unless_above(double value)
{
	return value > 0 ? value : NAN;
}

/* Inside a transaction. */
static enum ft_status add_run(struct ft_store *store, int64_t program, int64_t machine, struct ft_run *run,
			      struct ft_err *err)
{
	struct ft__added *added;
	char *size;
	enum ft_status status = ft__size_text(&run->size, &size, err);

	if (status)
		return status;
	status =
		ft__exec(store, FT__ADD_RUN,
			 FT__VALUES(ft__int(program), ft__int(machine), ft__text(run->routine),
				    ft__text(size), ft__text(ft_outcome_text(run->outcome)),
				    ft__int(run->exit_status), ft__int(run->signal), ft__int(run->warmup),
				    ft__real(run->cost_s), ft__real(run->work), ft__int(run->started_ns),
				    ft__real(run->load_before), ft__real(run->cpu_hz), ft__text(run->version),
				    ft__text(run->detail), ft__int(run->real), ft__real(run->runnable_before),
				    ft__real(run->runnable_after), ft__real(run->pressure),
				    ft__int(run->processors), ft__real(null_unless_above(run->asked_s)),
				    ft__real(null_unless_above(run->asked_bytes)), ft__text(run->node),
				    ft__text(run->user)),
			 &run->id, err);
	ft_free(size);
	if (!status)
		status = add_samples(store, run->id, run, err);
	if (status)
		return status;
	added = ft_grow(store->added, store->n_added, &store->added_capacity, sizeof *added);
	if (!added)
		return ft_nomem(err);
	store->added = added;
	added[store->n_added++] = (struct ft__added){program, machine, run->id};
	return FT_OK;
}

static enum ft_status add_runs(struct ft_store *store, int64_t program, int64_t machine, struct ft_run *run,
			       size_t n, struct ft_err *err)
{
	enum ft_status status = ft__begin(store, err);
	size_t i;

	if (!status) {
		for (i = 0; i < n && !status; i++)
			status = add_run(store, program, machine, &run[i], err);
		status = ft__end(store, status, err);
	}
	for (i = 0; i < n && status; i++)
		run[i].id = 0;
	return status;
}

enum ft_status ft_store_add_run(struct ft_store *store, int64_t program, int64_t machine, struct ft_run *run,
				struct ft_err *err)
{
	return add_runs(store, program, machine, run, 1, err);
}

enum ft_status ft_store_add_runs(struct ft_store *store, int64_t program, int64_t machine,
				 struct ft_runs *runs, struct ft_err *err)
{
	return add_runs(store, program, machine, runs->run, runs->n, err);
}

/* A copy of the program that is called NAME/ROUTINE. */
static enum ft_status name_routine(struct ft_program *routine, const struct ft_program *program,
				   const char *name, struct ft_err *err)
{
	struct ft_text text = {0};
	enum ft_status status = ft_program_copy(routine, program, err);

	if (status)
		return status;
	ft_text_add(&text, "%s/%s", program->name, name);
	ft_free(routine->name);
	routine->name = ft_text_take(&text);
	routine->id = 0;
	return routine->name ? FT_OK : ft_nomem(err);
}

enum ft_status ft_store_keep_run(struct ft_store *store, const struct ft_program *program, int64_t machine,
				 struct ft_run *run, struct ft_err *err)
{
	struct ft_program routine = {0};
	enum ft_status status;

	if (!run->routine)
		return ft_store_add_run(store, program->id, machine, run, err);
	status = name_routine(&routine, program, run->routine, err);
	if (!status)
		status = ft_store_put_program(store, &routine, err);
	if (!status)
		status = ft_store_add_run(store, routine.id, machine, run, err);
	ft_program_clear(&routine);
	return status;
}

/* ---- reading ---- */

static enum ft_status read_samples(struct ft_store *store, struct ft_run *run, struct ft_err *err)
{
	sqlite3_stmt *stmt;
	enum ft_status status = ft__query(store, FT__GET_SAMPLES, FT__VALUES(ft__int(run->id)), &stmt, err);

	if (status)
		return status;
	while ((status = ft__row(store, stmt, err)) == FT_OK) {
		const void *resource = sqlite3_column_text(stmt, 0), *label = sqlite3_column_text(stmt, 2);
		const void *probe = sqlite3_column_text(stmt, 3), *reason = sqlite3_column_text(stmt, 4);
		enum ft_label kind;

		if (!resource || !label || !probe || (!reason && sqlite3_column_type(stmt, 4) != SQLITE_NULL))
			status = ft_nomem(err);
		else if (!ft_label_parse(label, &kind))
			status = ft__damaged(store, "a sample has an unknown label", err);
		else
			status =
				ft_run_add(run, resource, ft__column_real(stmt, 1), kind, probe, reason, err);
		if (status) {
			(void)sqlite3_reset(stmt);
			return status;
		}
	}
	return status == FT_EEND ? FT_OK : status;
}

/* As RUN_COLUMNS has them. */
static enum ft_status read_run(struct ft_store *store, sqlite3_stmt *stmt, struct ft_run *run,
			       struct ft_err *err)
{
	const void *size = sqlite3_column_text(stmt, 2), *outcome = sqlite3_column_text(stmt, 3);
	enum ft_status status;

	*run = (struct ft_run){
		.id = sqlite3_column_int64(stmt, 0),
		.exit_status = sqlite3_column_int(stmt, 4),
		.signal = sqlite3_column_int(stmt, 5),
		.warmup = sqlite3_column_int(stmt, 6) != 0,
		.cost_s = ft__column_real(stmt, 7),
		.work = ft__column_real(stmt, 8),
		.started_ns = sqlite3_column_int64(stmt, 9),
		.load_before = ft__column_real(stmt, 10),
		.cpu_hz = ft__column_real(stmt, 11),
		.real = sqlite3_column_int(stmt, 14) != 0,
		.runnable_before = ft__column_real(stmt, 15),
		.runnable_after = ft__column_real(stmt, 16),
		.pressure = ft__column_real(stmt, 17),
		.processors = sqlite3_column_int(stmt, 18),
		.asked_s = ft__column_real(stmt, 19),
		.asked_bytes = ft__column_real(stmt, 20),
	};
	if (!size || !outcome || !ft__column_text(stmt, 1, &run->routine) ||
	    !ft__column_text(stmt, 12, &run->version) || !ft__column_text(stmt, 13, &run->detail) ||
	    !ft__column_text(stmt, 21, &run->node) || !ft__column_text(stmt, 22, &run->user))
		status = ft_nomem(err);
	else if (!ft_outcome_parse(outcome, &run->outcome))
		status = ft__damaged(store, "a run has an unknown outcome", err);
	else if (!(status = ft__size_parse(store, size, &run->size, err)))
		status = read_samples(store, run, err);
	if (status)
		ft_run_clear(run);
	return status;
}

enum ft_status ft_store_count_runs(struct ft_store *store, int64_t program, int64_t machine, int64_t after,
				   size_t *n, struct ft_err *err)
{
	int64_t count = 0;
	enum ft_status status =
		ft__exec(store, FT__COUNT_RUNS_AFTER,
			 FT__VALUES(ft__int(program), ft__int(machine), ft__int(after)), &count, err);

	*n = status ? 0 : (size_t)count;
	return status;
}

enum ft_status ft_store_get_run(struct ft_store *store, int64_t id, struct ft_runs *runs, struct ft_err *err)
{
	struct ft_run run;
	sqlite3_stmt *stmt;
	enum ft_status status = ft__query(store, FT__GET_RUN, FT__VALUES(ft__int(id)), &stmt, err);

	if (status)
		return status;
	status = ft__row(store, stmt, err);
	if (!status)
		status = read_run(store, stmt, &run, err);
	(void)sqlite3_reset(stmt);
	if (!status)
		return ft_runs_take(runs, &run, err);
	return status == FT_EEND ? ft_fail(err, FT_ENOENT, "there is no run %lld", (long long)id) : status;
}

enum ft_status ft_store_get_runs(struct ft_store *store, int64_t program, int64_t machine,
				 struct ft_runs *runs, struct ft_err *err)
{
	size_t before = runs->n;
	sqlite3_stmt *stmt;
	enum ft_status status;

	if (machine)
		status = ft__query(store, FT__GET_RUNS_OF_MACHINE,
				   FT__VALUES(ft__int(program), ft__int(machine)), &stmt, err);
	else
		status = ft__query(store, FT__GET_RUNS, FT__VALUES(ft__int(program)), &stmt, err);
	if (status)
		return status;
	while ((status = ft__row(store, stmt, err)) == FT_OK) {
		struct ft_run run;

		if ((status = read_run(store, stmt, &run, err)) || (status = ft_runs_take(runs, &run, err)))
			break;
	}
	(void)sqlite3_reset(stmt);
	if (status == FT_EEND)
		return FT_OK;
	while (runs->n > before)
		ft_run_clear(&runs->run[--runs->n]);
	return status;
}
