/* SPDX-License-Identifier: GPL-3.0-or-later */
/* runs.c - runs and their samples in the store. */
#include "base/alloc.h"
#include "base/text.h"
#include "facts/door.h"
#include "store/store.h"

#include <math.h>
#include <stdlib.h>
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

/* Inside a transaction: one run, or FT__ROWS of them. Their ids are consecutive, since nobody else writes. */
static enum ft_status add_rows(struct ft_store *store, int64_t program, int64_t machine, struct ft_run *run,
			       size_t n, struct ft_err *err)
{
	enum { PLACES = 9 };
	struct ft__value row[FT__ROWS * PLACES];
	char *size[FT__ROWS] = {NULL};
	unsigned char *numbers[FT__ROWS] = {NULL};
	struct ft__added *added;
	enum ft_status status = FT_OK;

	for (size_t i = 0; i < n && !status; i++) {
		const struct ft_run *r = &run[i];
		const struct ft__layout *layout;

		if ((status = ft__size_text(&r->size, &size[i], err)) ||
		    (status = ft__layout_of(store, r, &layout, err)))
			break;
		numbers[i] = ft_malloc(8 * layout->n_values + 1);
		if (!numbers[i]) {
			status = ft_nomem(err);
			break;
		}
		ft__layout_pack(layout, r, numbers[i]);
		memcpy(row + PLACES * i,
		       (const struct ft__value[PLACES]){ft__int(program),
							ft__int(machine),
							ft__int(layout->id),
							ft__text(size[i]),
							ft__int(r->started_ns),
							{.type = FT__BYTES,
							 .bytes = numbers[i],
							 .integer = 8 * (int64_t)layout->n_values},
							ft__text(r->node),
							ft__text(r->user),
							ft__text(r->detail)},
		       PLACES * sizeof *row);
	}
	if (!status)
		status = ft__exec(store, n == 1 ? FT__ADD_RUN : FT__ADD_RUNS, row, n * PLACES, NULL, err);
	for (size_t i = 0; i < n; i++) {
		ft_free(size[i]);
		ft_free(numbers[i]);
	}
	for (size_t i = 0; i < n && !status; i++) {
		run[i].id = sqlite3_last_insert_rowid(store->db) - (int64_t)(n - 1 - i);
		added = store->n_added > store->n_kept ? &store->added[store->n_added - 1] : NULL;
		if (added && added->program == program && added->machine == machine &&
		    added->run + added->runs == run[i].id) {
			added->runs++;
			continue;
		}
		added = ft_grow(store->added, store->n_added, &store->added_capacity, sizeof *added);
		if (!added)
			return ft_nomem(err);
		store->added = added;
		added[store->n_added++] = (struct ft__added){program, machine, run[i].id, 1};
	}
	return status;
}

static int compare_sizes(const void *left, const void *right)
{
	return ft_size_compare(&(*(const struct ft_run *const *)left)->size,
			       &(*(const struct ft_run *const *)right)->size);
}

/* Count runs by their sizes. new_sizes: how many sizes had none before. order: [n] working space */
static enum ft_status count_sizes(struct ft_store *store, int64_t program, int64_t machine,
				  const struct ft_run *run, size_t n, const struct ft_run **order,
				  int64_t *new_sizes, struct ft_err *err)
{
	enum ft_status status = FT_OK;
	size_t of_size;

	for (size_t i = 0; i < n; i++)
		order[i] = &run[i];
	qsort(order, n, sizeof *order, compare_sizes);
	for (size_t i = 0; i < n && !status; i += of_size) {
		char *size;

		for (of_size = 1;
		     i + of_size < n && ft_size_equal(&order[i]->size, &order[i + of_size]->size);)
			of_size++;
		FT_TRY(ft__size_text(&order[i]->size, &size, err));
		const struct ft__value row[] = {ft__int(program), ft__int(machine), ft__text(size),
						ft__int((int64_t)of_size)};
		status = ft__exec(store, FT__COUNT_SIZE, row, 4, NULL, err);
		if (!status && !sqlite3_changes(store->db)) {
			++*new_sizes;
			status = ft__exec(store, FT__ADD_SIZE, row, 4, NULL, err);
		}
		ft_free(size);
	}
	return status;
}

/* The counts that lists are made of. */
static enum ft_status count_runs(struct ft_store *store, int64_t program, int64_t machine,
				 const struct ft_run *run, size_t n, struct ft_err *err)
{
	int64_t failed = 0, first_ns = 0, last_ns = 0, sizes = 0;
	const struct ft_run **order = ft_calloc(n, sizeof *order);

	if (!order)
		return ft_nomem(err);
	for (size_t i = 0; i < n; i++) {
		int64_t ns = run[i].started_ns;

		failed += run[i].outcome != FT_DONE;
		first_ns = ns && (!first_ns || ns < first_ns) ? ns : first_ns;
		last_ns = ns && (!last_ns || ns > last_ns) ? ns : last_ns;
	}
	enum ft_status status = count_sizes(store, program, machine, run, n, order, &sizes, err);
	ft_free(order);
	return status ? status
		      : ft__exec(store, FT__COUNT_RUNS,
				 FT__VALUES(ft__int(program), ft__int(machine), ft__int((int64_t)n),
					    ft__int(failed), ft__int(sizes), ft__int(first_ns),
					    ft__int(last_ns), ft__int(run[n - 1].id)),
				 NULL, err);
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
		if (!status && n)
			status = count_runs(store, program, machine, run, n, err);
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

/* Columns as in RUN_COLUMNS. */
static enum ft_status read_run(struct ft_store *store, sqlite3_stmt *stmt, struct ft_run *run,
			       struct ft_err *err)
{
	const char *size = (const char *)sqlite3_column_text(stmt, 2);
	enum ft_status status = FT_OK;

	*run = (struct ft_run){.id = sqlite3_column_int64(stmt, 0),
			       .started_ns = sqlite3_column_int64(stmt, 3)};
	if (!size || !ft__column_text(stmt, 5, &run->node) || !ft__column_text(stmt, 6, &run->user) ||
	    !ft__column_text(stmt, 7, &run->detail))
		status = ft_nomem(err);
	if (!status)
		status = ft__size_parse(store, size, &run->size, err);
	if (!status)
		status = ft__layout_unpack(store, sqlite3_column_int64(stmt, 1), sqlite3_column_blob(stmt, 4),
					   (size_t)sqlite3_column_bytes(stmt, 4), run, err);
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

/* The runs of one statement. */
static enum ft_status read_runs(struct ft_store *store, enum ft__sql runs_of, const struct ft__value *values,
				size_t n, struct ft_runs *runs, struct ft_err *err)
{
	enum ft_status status = FT_OK;
	size_t before = runs->n;
	sqlite3_stmt *stmt;

	FT_TRY(ft__query(store, runs_of, values, n, &stmt, err));
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

enum ft_status ft__each_run(struct ft_store *store, enum ft__sql runs_of, const struct ft__value *values,
			    size_t n,
			    enum ft_status (*each)(struct ft_store *store, void *ctx,
						   const struct ft_run *run, struct ft_err *err),
			    void *ctx, struct ft_err *err)
{
	enum ft_status status = FT_OK;
	sqlite3_stmt *stmt;

	FT_TRY(ft__query(store, runs_of, values, n, &stmt, err));
	while ((status = ft__row(store, stmt, err)) == FT_OK) {
		struct ft_run run;

		if (!(status = read_run(store, stmt, &run, err))) {
			status = each(store, ctx, &run, err);
			ft_run_clear(&run);
		}
		if (status)
			break;
		store->taken = 0; /* nothing of it is held */
	}
	(void)sqlite3_reset(stmt);
	return status == FT_EEND ? FT_OK : status;
}

enum ft_status ft_store_get_run(struct ft_store *store, int64_t id, struct ft_runs *runs, struct ft_err *err)
{
	size_t before = runs->n;
	enum ft_status status = read_runs(store, FT__GET_RUN, FT__VALUES(ft__int(id)), runs, err);

	return status || runs->n > before ? status
					  : ft_fail(err, FT_ENOENT, "there is no run %lld", (long long)id);
}

enum ft_status ft_store_get_runs(struct ft_store *store, int64_t program, int64_t machine,
				 struct ft_runs *runs, struct ft_err *err)
{
	return machine ? read_runs(store, FT__GET_RUNS_OF_MACHINE,
				   FT__VALUES(ft__int(program), ft__int(machine)), runs, err)
		       : read_runs(store, FT__GET_RUNS, FT__VALUES(ft__int(program)), runs, err);
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
