/* SPDX-License-Identifier: GPL-3.0-or-later */
/* runs.c - runs and their samples in the store. */
#include "base/alloc.h"
#include "base/text.h"
#include "store/store.h"
#include "facts/door.h"
#include "store/door.h"

#include <math.h>
#include <string.h>

enum { FT__ROWS = 32 };

/*
 * Machines in the store.
 */

enum ft_status ft_store_put_machine(struct ft_store *store, struct ft_machine *machine, struct ft_err *err)
{
	machine->id = 0;
	if (!machine->fingerprint || !*machine->fingerprint)
		return ft_fail(err, FT_EINVAL, "a machine without a fingerprint cannot be stored");
	return ft__exec(store, FT__PUT_MACHINE,
			FT__VALUES(ft__text(machine->fingerprint), ft__text(machine->host),
				   ft__text(machine->cpu), ft__text(machine->architecture),
				   ft__int(machine->sockets), ft__int(machine->cores),
				   ft__int(machine->threads), ft__int(machine->l1d_bytes),
				   ft__int(machine->l2_bytes), ft__int(machine->l3_bytes),
				   ft__int(machine->memory_bytes), ft__text(machine->system),
				   ft__text(machine->governor), ft__text(machine->hypervisor),
				   ft__text(machine->scheduler)),
			&machine->id, err);
}

/* Columns as in FT__GET_MACHINE. False: no memory. */
static bool read_machine(sqlite3_stmt *stmt, struct ft_machine *out)
{
	out->id = sqlite3_column_int64(stmt, 0);
	out->sockets = sqlite3_column_int(stmt, 5);
	out->cores = sqlite3_column_int(stmt, 6);
	out->threads = sqlite3_column_int(stmt, 7);
	out->l1d_bytes = sqlite3_column_int64(stmt, 8);
	out->l2_bytes = sqlite3_column_int64(stmt, 9);
	out->l3_bytes = sqlite3_column_int64(stmt, 10);
	out->memory_bytes = sqlite3_column_int64(stmt, 11);
	return ft__column_text(stmt, 1, &out->fingerprint) && ft__column_text(stmt, 2, &out->host) &&
	       ft__column_text(stmt, 3, &out->cpu) && ft__column_text(stmt, 4, &out->architecture) &&
	       ft__column_text(stmt, 12, &out->system) && ft__column_text(stmt, 13, &out->governor) &&
	       ft__column_text(stmt, 14, &out->hypervisor) && ft__column_text(stmt, 15, &out->scheduler);
}

enum ft_status ft_store_find_machine(struct ft_store *store, const char *fingerprint, int64_t *id,
				     struct ft_err *err)
{
	*id = 0;
	enum ft_status status = ft__exec(store, FT__FIND_MACHINE, FT__VALUES(ft__text(fingerprint)), id, err);
	if (!status && !*id)
		return ft_fail(err, FT_ENOENT, "the store '%s' does not know the machine %s", store->path,
			       fingerprint);
	return status;
}

/* The only machine of a query; FT_EEND: there is none. */
static enum ft_status get_machine(struct ft_store *store, enum ft__sql which, int64_t id,
				  struct ft_machine *out, struct ft_err *err)
{
	sqlite3_stmt *stmt;
	enum ft_status status = ft__query(store, which, FT__VALUES(ft__int(id)), &stmt, err);

	*out = (struct ft_machine){0};
	if (!status)
		status = ft__row(store, stmt, err);
	if (status)
		return status;
	if (!read_machine(stmt, out))
		status = ft_nomem(err);
	else if (!out->fingerprint)
		status = ft__damaged(store, "a machine has no fingerprint", err);
	(void)sqlite3_reset(stmt);
	if (status)
		ft_machine_clear(out);
	return status;
}

enum ft_status ft_store_get_machine(struct ft_store *store, int64_t id, struct ft_machine *out,
				    struct ft_err *err)
{
	enum ft_status status = get_machine(store, FT__GET_MACHINE, id, out, err);

	if (status == FT_EEND)
		return ft_fail(err, FT_ENOENT, "the store '%s' has no machine %lld", store->path,
			       (long long)id);
	return status;
}

enum ft_status ft_store_next_machine(struct ft_store *store, int64_t after, struct ft_machine *out,
				     struct ft_err *err)
{
	enum ft_status status = get_machine(store, FT__NEXT_MACHINE, after, out, err);

	if (status || out->id > after)
		return status;
	/* In a damaged tree with wrong numbers, a loop over them would never end. */
	ft_machine_clear(out);
	return ft__damaged(store, "its machines are not in order", err);
}

enum ft_status ft_store_newest_machine(struct ft_store *store, const char *name, struct ft_machine *out,
				       struct ft_err *err)
{
	struct ft_machine next;
	int64_t after = 0;
	enum ft_status status;

	*out = (struct ft_machine){0};
	while (!(status = ft_store_next_machine(store, after, &next, err))) {
		after = next.id;
		if (ft_machine_is_called(&next, name)) {
			ft_machine_clear(out);
			*out = next;
		} else {
			ft_machine_clear(&next);
		}
	}
	if (status == FT_EEND && out->id)
		return FT_OK;
	ft_machine_clear(out);
	return status == FT_EEND
		       ? ft_fail(err, FT_ENOENT, "the store '%s' has no machine '%.100s'", store->path, name)
		       : status;
}

/* ---- writing ---- */

/*
 * Runs and their samples in the store.
 */

/* A value that was not requested is not known. */
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

/* Inside a transaction: one run, or FT__ROWS of them. Their ids are consecutive, since nobody else writes. */
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

/* Columns as in RUN_COLUMNS. */
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

/* The runs of one statement, with the samples of another. The first row of the runs starts a consistent
 * read of the store. */
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

/*
 * Traces of runs, stored with them.
 */

/* 65,536 rows, as many as a run has, take 3 MB. */
enum { TRACE_MOST = 64 << 20 };

static size_t rows_of(const char *csv, size_t length)
{
	const char *at = csv, *end = csv + length;
	size_t lines = 0;

	for (; (at = memchr(at, '\n', (size_t)(end - at))); at++)
		lines++;
	return lines > 0 ? lines - 1 : 0;
}

enum ft_status ft_store_put_trace(struct ft_store *store, int64_t run, const char *csv, size_t length,
				  struct ft_err *err)
{
	enum ft_status status = FT_OK;
	void *bytes;
	size_t n;

	if (length > TRACE_MOST)
		return ft_fail(err, FT_EINVAL, "a trace of more than %d MiB is not kept", TRACE_MOST >> 20);
	FT_TRY(ft__squeeze(csv, length, &bytes, &n, err));
	status = ft__exec(
		store, FT__PUT_TRACE,
		FT__VALUES(ft__int(run), ft__int((int64_t)rows_of(csv, length)), ft__int((int64_t)length),
			   (struct ft__value){.type = FT__BYTES, .integer = (int64_t)n, .bytes = bytes}),
		NULL, err);
	ft_free(bytes);
	return status;
}

/* The row that is there. */
static enum ft_status read_trace(struct ft_store *store, sqlite3_stmt *stmt, char **csv, size_t *length,
				 struct ft_err *err)
{
	const void *bytes = sqlite3_column_blob(stmt, 1);
	int64_t stored_length = sqlite3_column_int64(stmt, 0);
	int n = sqlite3_column_bytes(stmt, 1);

	if (stored_length < 0 || stored_length > TRACE_MOST || !bytes)
		return ft__damaged(store, "a trace has no length", err);
	*length = (size_t)stored_length;
	enum ft_status status = ft__unsqueeze(bytes, (size_t)n, *length, csv, err);
	return status == FT_EPARSE ? ft__damaged(store, "a trace cannot be unpacked", err) : status;
}

enum ft_status ft_store_get_trace(struct ft_store *store, int64_t run, char **csv, size_t *length,
				  struct ft_err *err)
{
	sqlite3_stmt *stmt;
	enum ft_status status = ft__query(store, FT__GET_TRACE, FT__VALUES(ft__int(run)), &stmt, err);

	*csv = NULL;
	*length = 0;
	if (status)
		return status;
	status = ft__row(store, stmt, err);
	if (status == FT_EEND) {
		status = ft_fail(err, FT_ENOENT, "no trace of a run %lld is kept", (long long)run);
		(void)ft_remedy(err,
				"foretime run --save NAME,keep-trace keeps one; foretime show NAME lists "
				"the runs that have one");
		return status;
	}
	if (!status)
		status = read_trace(store, stmt, csv, length, err);
	(void)sqlite3_reset(stmt);
	return status;
}

static enum ft_status read_row(struct ft_store *store, sqlite3_stmt *stmt, struct ft_store_trace *row,
			       struct ft_err *err)
{
	const char *size = (const char *)sqlite3_column_text(stmt, 2);

	*row = (struct ft_store_trace){.run = sqlite3_column_int64(stmt, 0),
				       .started_ns = sqlite3_column_int64(stmt, 1),
				       .rows = (size_t)sqlite3_column_int64(stmt, 3)};
	return size ? ft__size_parse(store, size, &row->size, err) : ft_nomem(err);
}

enum ft_status ft_store_get_traces(struct ft_store *store, int64_t program, int64_t machine,
				   struct ft_store_trace *out, size_t most, size_t *n, struct ft_err *err)
{
	sqlite3_stmt *stmt;
	enum ft_status status =
		ft__query(store, FT__LIST_TRACES,
			  FT__VALUES(ft__int(program), ft__int(machine), ft__int((int64_t)most)), &stmt, err);

	*n = 0;
	if (status)
		return status;
	while ((status = ft__row(store, stmt, err)) == FT_OK) { /* `most` of them at most */
		status = read_row(store, stmt, &out[*n], err);
		if (status)
			break;
		++*n;
	}
	(void)sqlite3_reset(stmt);
	return status == FT_EEND ? FT_OK : status;
}

/*
 * The background load in the store.
 */

enum ft_status ft_store_add_load(struct ft_store *store, int64_t machine, const struct ft_load *load,
				 struct ft_err *err)
{
	if (!isfinite(load->load) || !(load->interval_s > 0 && isfinite(load->interval_s)))
		return ft_fail(err, FT_EINVAL, "a load of %g over %g s cannot be stored", load->load,
			       load->interval_s);
	return ft__exec(store, FT__ADD_LOAD,
			FT__VALUES(ft__int(machine), ft__int(load->started_ns), ft__real(load->interval_s),
				   ft__real(load->load), ft__real(load->steal), ft__real(load->iowait),
				   ft__int(load->processors), ft__int(load->by_sweep), ft__real(load->busy)),
			NULL, err);
}

enum ft_status ft_store_get_load(struct ft_store *store, int64_t machine, int64_t since_ns,
				 struct ft_loads *loads, struct ft_err *err)
{
	enum ft_status status = FT_OK;
	size_t before = loads->n;
	sqlite3_stmt *stmt;

	FT_TRY(ft__query(store, FT__GET_LOAD, FT__VALUES(ft__int(machine), ft__int(since_ns)), &stmt, err));
	while ((status = ft__row(store, stmt, err)) == FT_OK) {
		struct ft_load load = {
			.started_ns = sqlite3_column_int64(stmt, 0),
			.interval_s = ft__column_real(stmt, 1),
			.load = ft__column_real(stmt, 2),
			.steal = ft__column_real(stmt, 3),
			.iowait = ft__column_real(stmt, 4),
			.processors = sqlite3_column_int(stmt, 5),
			.by_sweep = sqlite3_column_int(stmt, 6) != 0,
			.busy = ft__column_real(stmt, 7),
		};

		if (!(load.interval_s > 0) || isnan(load.load))
			status = ft__damaged(store, "a load is no number", err);
		else
			status = ft_loads_add(loads, &load, err);
		if (status)
			break;
	}
	(void)sqlite3_reset(stmt);
	if (status == FT_EEND)
		return FT_OK;
	loads->n = before;
	return status;
}

enum ft_status ft_store_trim_load(struct ft_store *store, int64_t machine, int64_t before_ns,
				  struct ft_err *err)
{
	return ft__exec(store, FT__TRIM_LOAD, FT__VALUES(ft__int(machine), ft__int(before_ns)), NULL, err);
}

/* Both in the order of time: *next moves on through what is stored. */
static bool is_stored(const struct ft_loads *stored, size_t *next, int64_t started_ns)
{
	while (*next < stored->n && stored->load[*next].started_ns < started_ns)
		++*next;
	return *next < stored->n && stored->load[*next].started_ns == started_ns;
}

static enum ft_status take_each(struct ft_store *store, int64_t machine, const struct ft_loads *loads,
				int64_t since_ns, struct ft_loads_taken *out, struct ft_err *err)
{
	struct ft_loads stored = {0};
	enum ft_status status = ft_store_get_load(store, machine, since_ns, &stored, err);
	size_t next = 0;

	for (size_t i = 0; i < loads->n && !status; i++) {
		const struct ft_load *one = &loads->load[i];

		if (one->started_ns < since_ns) {
			out->old++;
		} else if (is_stored(&stored, &next, one->started_ns)) {
			out->known++;
		} else {
			status = ft_store_add_load(store, machine, one, err);
			out->taken++;
			out->seconds += one->interval_s;
		}
	}
	ft_loads_clear(&stored);
	return status;
}

enum ft_status ft_store_take_loads(struct ft_store *store, int64_t machine, const struct ft_loads *loads,
				   int64_t since_ns, struct ft_loads_taken *out, struct ft_err *err)
{
	enum ft_status status = ft_store_begin(store, err);

	*out = (struct ft_loads_taken){0};
	if (!status)
		status = ft_store_end(store, take_each(store, machine, loads, since_ns, out, err), err);
	return status;
}
