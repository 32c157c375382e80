/* SPDX-License-Identifier: GPL-3.0-or-later */
/* runs.c - runs and their samples in the store. */
#include "store/store.h"
#include "base/alloc.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

/* ---- writing ---- */

/* What was not asked for is not known. */
static double null_unless_above(double value)
{
	return value > 0 ? value : NAN;
}

/* The samples of n runs, as many rows to a statement as it takes: to begin and end one costs more than a row.
 */
static enum ft_status add_samples(struct ft_store *store, const struct ft_run *run, size_t n,
				  struct ft_err *err)
{
	enum { PLACES = 7 };
	struct ft__value row[FT__ROWS * PLACES];
	enum ft_status status = FT_OK;
	size_t rows = 0, left = 0;

	for (size_t i = 0; i < n; i++)
		left += run[i].n_samples;
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < run[i].n_samples && !status; k++, left--) {
			const struct ft_sample *sample = &run[i].sample[k];
			const struct ft__value value[PLACES] = {ft__int(run[i].id),
								ft__int((int64_t)k),
								ft__text(sample->resource->name),
								ft__real(sample->value),
								ft__text(ft_label_text(sample->label)),
								ft__text(sample->probe),
								ft__text(sample->reason)};

			memcpy(row + PLACES * rows++, value, sizeof value);
			if (rows < FT__ROWS && rows + left > FT__ROWS)
				continue;
			status = rows == FT__ROWS ? ft__exec(store, FT__ADD_SAMPLES, row,
							     (size_t)FT__ROWS * PLACES, NULL, err)
						  : ft__exec(store, FT__ADD_SAMPLE, row, PLACES, NULL, err);
			rows = 0;
		}
	return status;
}

/* Inside a transaction: one run, or FT__ROWS of them. Their ids follow each other, for nobody else writes. */
static enum ft_status add_rows(struct ft_store *store, int64_t program, int64_t machine, struct ft_run *run,
			       size_t n, struct ft_err *err)
{
	enum { PLACES = 24 };
	struct ft__value row[FT__ROWS * PLACES];
	char *size[FT__ROWS] = {NULL};
	struct ft__added *added;
	enum ft_status status = FT_OK;

	for (size_t i = 0; i < n && !status; i++) {
		const struct ft_run *r = &run[i];

		if ((status = ft__size_text(&r->size, &size[i], err)))
			break;
		memcpy(row + PLACES * i,
		       (const struct ft__value[PLACES]){ft__int(program),
							ft__int(machine),
							ft__text(r->routine),
							ft__text(size[i]),
							ft__text(ft_outcome_text(r->outcome)),
							ft__int(r->exit_status),
							ft__int(r->signal),
							ft__int(r->warmup),
							ft__real(r->cost_s),
							ft__real(r->work),
							ft__int(r->started_ns),
							ft__real(r->load_before),
							ft__real(r->cpu_hz),
							ft__text(r->version),
							ft__text(r->detail),
							ft__int(r->real),
							ft__real(r->runnable_before),
							ft__real(r->runnable_after),
							ft__real(r->pressure),
							r->processors ? ft__int(r->processors)
								      : ft__real(NAN),
							ft__real(null_unless_above(r->asked_s)),
							ft__real(null_unless_above(r->asked_bytes)),
							ft__text(r->node),
							ft__text(r->user)},
		       PLACES * sizeof *row);
	}
	if (!status)
		status = ft__exec(store, n == 1 ? FT__ADD_RUN : FT__ADD_RUNS, row, n * PLACES, NULL, err);
	for (size_t i = 0; i < n; i++)
		ft_free(size[i]);
	for (size_t i = 0; i < n && !status; i++) {
		run[i].id = sqlite3_last_insert_rowid(store->db) - (int64_t)(n - 1 - i);
		added = ft_grow(store->added, store->n_added, &store->added_capacity, sizeof *added);
		if (!added)
			return ft_nomem(err);
		store->added = added;
		added[store->n_added++] = (struct ft__added){program, machine, run[i].id};
	}
	return status ? status : add_samples(store, run, n, err);
}

static enum ft_status add_runs(struct ft_store *store, int64_t program, int64_t machine, struct ft_run *run,
			       size_t n, struct ft_err *err)
{
	enum ft_status status = ft__begin(store, err);
	size_t rows;

	if (!status) {
		for (size_t i = 0; i < n && !status; i += rows) {
			rows = n - i < FT__ROWS ? 1 : FT__ROWS;
			status = add_rows(store, program, machine, run + i, rows, err);
		}
		status = ft__end(store, status, err);
	}
	for (size_t i = 0; i < n && status; i++)
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

	FT_TRY(ft_program_copy(routine, program, err));
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

	if (!run->routine)
		return ft_store_add_run(store, program->id, machine, run, err);
	enum ft_status status = name_routine(&routine, program, run->routine, err);
	if (!status)
		status = ft_store_put_program(store, &routine, err);
	if (!status)
		status = ft_store_add_run(store, routine.id, machine, run, err);
	ft_program_clear(&routine);
	return status;
}

/* ---- reading ---- */

/* The samples of runs, which are read in the same order as these: `row` is one that no run has taken yet. */
struct samples {
	sqlite3_stmt *stmt;
	bool row;
	const struct ft_resource *seen[16]; /* by place in a run: the next run mostly has them there again */
};

static enum ft_status next_sample(struct ft_store *store, struct samples *samples, struct ft_err *err)
{
	enum ft_status status = ft__row(store, samples->stmt, err);

	samples->row = !status;
	return status == FT_EEND ? FT_OK : status;
}

static enum ft_status read_samples(struct ft_store *store, struct samples *samples, struct ft_run *run,
				   struct ft_err *err)
{
	sqlite3_stmt *stmt = samples->stmt;
	enum ft_status status = FT_OK;

	while (!status && samples->row && sqlite3_column_int64(stmt, 0) == run->id) {
		const void *resource = sqlite3_column_text(stmt, 1), *label = sqlite3_column_text(stmt, 3);
		const void *probe = sqlite3_column_text(stmt, 4), *reason = sqlite3_column_text(stmt, 5);
		const struct ft_resource **seen = &samples->seen[run->n_samples % 16];
		enum ft_label kind;

		if (!resource || !label || !probe || (!reason && sqlite3_column_type(stmt, 5) != SQLITE_NULL))
			status = ft_nomem(err);
		else if (!ft_label_parse(label, &kind))
			status = ft__damaged(store, "a sample has an unknown label", err);
		else if (!*seen || strcmp((*seen)->name, resource) != 0)
			status = ft_resource_named(resource, seen, err);
		if (!status)
			status = ft_run_add(run, *seen, ft__column_real(stmt, 2), kind, probe, reason, err);
		if (!status)
			status = next_sample(store, samples, err);
	}
	return status;
}

/* As RUN_COLUMNS has them. */
static enum ft_status read_run(struct ft_store *store, sqlite3_stmt *stmt, struct samples *samples,
			       struct ft_run *run, struct ft_err *err)
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
		status = read_samples(store, samples, run, err);
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

/* The runs of one statement, whose samples are those of another. The first row of the runs begins what is
 * read of the store as it is at one moment. */
static enum ft_status read_runs(struct ft_store *store, enum ft__sql runs_of, enum ft__sql samples_of,
				const struct ft__value *values, size_t n, struct ft_runs *runs,
				struct ft_err *err)
{
	enum ft_status status = FT_OK;
	size_t before = runs->n;
	struct samples samples = {0};
	sqlite3_stmt *stmt;

	FT_TRY(ft__query(store, runs_of, values, n, &stmt, err));
	while ((status = ft__row(store, stmt, err)) == FT_OK) {
		struct ft_run run;

		if (!samples.stmt &&
		    ((status = ft__query(store, samples_of, values, n, &samples.stmt, err)) ||
		     (status = next_sample(store, &samples, err))))
			break;
		if ((status = read_run(store, stmt, &samples, &run, err)) ||
		    (status = ft_runs_take(runs, &run, err)))
			break;
	}
	(void)sqlite3_reset(stmt);
	(void)sqlite3_reset(samples.stmt); /* NULL is no harm */
	if (status == FT_EEND)
		return FT_OK;
	while (runs->n > before)
		ft_run_clear(&runs->run[--runs->n]);
	return status;
}

enum ft_status ft_store_get_run(struct ft_store *store, int64_t id, struct ft_runs *runs, struct ft_err *err)
{
	size_t before = runs->n;
	enum ft_status status =
		read_runs(store, FT__GET_RUN, FT__GET_SAMPLES, FT__VALUES(ft__int(id)), runs, err);

	return status || runs->n > before ? status
					  : ft_fail(err, FT_ENOENT, "there is no run %lld", (long long)id);
}

enum ft_status ft_store_get_runs(struct ft_store *store, int64_t program, int64_t machine,
				 struct ft_runs *runs, struct ft_err *err)
{
	return machine ? read_runs(store, FT__GET_RUNS_OF_MACHINE, FT__GET_SAMPLES_OF_MACHINE,
				   FT__VALUES(ft__int(program), ft__int(machine)), runs, err)
		       : read_runs(store, FT__GET_RUNS, FT__GET_SAMPLES_OF, FT__VALUES(ft__int(program)),
				   runs, err);
}
