/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fold.c - thins runs: of the older ones only sums and quantiles by size stay. */
#include "base/alloc.h"
#include "facts/door.h"
#include "store/store.h"

#include <string.h>

/* ---- reading ------------------------------------------------------------------------------------------ */

/* Columns as in FT__GET_FOLDED. */
static enum ft_status read_folded(struct ft_store *store, sqlite3_stmt *stmt, struct ft_folded *out,
				  struct ft_err *err)
{
	const char *size = (const char *)sqlite3_column_text(stmt, 0);
	const void *bytes = sqlite3_column_blob(stmt, 4);

	if (!size)
		return ft_nomem(err);
	FT_TRY(ft__size_parse(store, size, &out->size, err));
	enum ft_status status = ft_sketch_unpack(bytes ? bytes : "", (size_t)sqlite3_column_bytes(stmt, 4),
						 ft__column_real(stmt, 1), ft__column_real(stmt, 2),
						 ft__column_real(stmt, 3), &out->sketch, NULL);
	return status ? ft__damaged(store, "sums of runs cannot be read", err) : FT_OK;
}

enum ft_status ft_store_get_folded(struct ft_store *store, int64_t program, int64_t machine,
				   const struct ft_resource *resource, struct ft_folded **out, size_t *n,
				   struct ft_err *err)
{
	sqlite3_stmt *stmt;
	size_t capacity = 0;
	enum ft_status status;

	*out = NULL;
	*n = 0;
	FT_TRY(ft__query(store, FT__GET_FOLDED,
			 FT__VALUES(ft__int(program), ft__int(machine), ft__text(resource->name)), &stmt,
			 err));
	while ((status = ft__row(store, stmt, err)) == FT_OK) {
		struct ft_folded *grown = ft_grow(*out, *n, &capacity, sizeof *grown);

		if (!grown) {
			status = ft_nomem(err);
			break;
		}
		*out = grown;
		if ((status = ft__take(store, sizeof *grown, err)) ||
		    (status = read_folded(store, stmt, &grown[*n], err)))
			break;
		++*n;
	}
	(void)sqlite3_reset(stmt);
	if (status == FT_EEND)
		return FT_OK;
	ft_free(*out);
	*out = NULL;
	*n = 0;
	return status;
}

/* ---- folding ------------------------------------------------------------------------------------------ */

enum { RESOURCES_MOST = 64 };

/* The runs of one size, and what they become. */
struct folding {
	int64_t program, machine;
	char *size; /* NULL: none yet */
	size_t runs;
	const struct ft_resource *resource[RESOURCES_MOST];
	struct ft_sketch sketch[RESOURCES_MOST]; /* [n] */
	size_t n;
	int64_t *id; /* [n_ids] of all sizes */
	size_t n_ids, capacity;
};

/* False: it has values of more resources than are folded, and stays. */
static bool may_fold(struct folding *f, const struct ft_run *run)
{
	size_t n = f->n, k;

	for (size_t i = 0; i < run->n_samples; i++) {
		for (k = 0; k < f->n && f->resource[k] != run->sample[i].resource; k++)
			;
		n += k == f->n;
	}
	return !run->warmup && n <= RESOURCES_MOST;
}

/* What was folded before of the size, and this. */
static enum ft_status put_sketch(struct ft_store *store, const struct folding *f, size_t i,
				 struct ft_err *err)
{
	const char *resource = f->resource[i]->name;
	struct ft_folded all = {0};
	sqlite3_stmt *stmt;
	size_t length;
	void *bytes;

	FT_TRY(ft__query(
		store, FT__FIND_FOLDED,
		FT__VALUES(ft__int(f->program), ft__int(f->machine), ft__text(f->size), ft__text(resource)),
		&stmt, err));
	enum ft_status status = ft__row(store, stmt, err);
	if (!status)
		status = read_folded(store, stmt, &all, err);
	(void)sqlite3_reset(stmt);
	if (status && status != FT_EEND)
		return status;
	ft_sketch_join(&all.sketch, &f->sketch[i]);
	if (!all.sketch.n)
		return FT_OK;
	FT_TRY(ft_sketch_pack(&all.sketch, &bytes, &length, err));
	status = ft__exec(
		store, FT__PUT_FOLDED,
		FT__VALUES(
			ft__int(f->program), ft__int(f->machine), ft__text(f->size), ft__text(resource),
			ft__real(all.sketch.least), ft__real(all.sketch.most), ft__real(all.sketch.sum),
			((struct ft__value){.type = FT__BYTES, .bytes = bytes, .integer = (int64_t)length})),
		NULL, err);
	ft_free(bytes);
	return status;
}

/* The end of a size. */
static enum ft_status put_size(struct ft_store *store, struct folding *f, struct ft_err *err)
{
	enum ft_status status = FT_OK;

	for (size_t i = 0; i < f->n && !status; i++)
		status = put_sketch(store, f, i, err);
	if (!status && f->runs)
		status = ft__exec(store, FT__FOLD_SIZE,
				  FT__VALUES(ft__int(f->program), ft__int(f->machine), ft__text(f->size),
					     ft__int((int64_t)f->runs)),
				  NULL, err);
	f->runs = f->n = 0;
	return status;
}

static enum ft_status fold_run(struct ft_store *store, void *ctx, const struct ft_run *run,
			       struct ft_err *err)
{
	struct folding *f = ctx;
	char *size;

	FT_TRY(ft__size_text(&run->size, &size, err));
	if (!f->size || strcmp(f->size, size) != 0) {
		enum ft_status status = f->size ? put_size(store, f, err) : FT_OK;

		ft_free(f->size);
		f->size = size;
		FT_TRY(status);
	} else {
		ft_free(size);
	}
	if (!may_fold(f, run))
		return FT_OK;
	int64_t *grown = ft_grow(f->id, f->n_ids, &f->capacity, sizeof *grown);
	if (!grown)
		return ft_nomem(err);
	f->id = grown;
	f->id[f->n_ids++] = run->id;
	size_t k;

	for (size_t i = 0; i < run->n_samples; i++) {
		const struct ft_resource *resource = run->sample[i].resource;

		for (k = 0; k < i && run->sample[k].resource != resource; k++)
			;
		if (k < i) /* from a second probe */
			continue;
		for (k = 0; k < f->n && f->resource[k] != resource; k++)
			;
		if (k == f->n) {
			f->resource[f->n] = resource;
			f->sketch[f->n++] = (struct ft_sketch){0};
		}
		ft_sketch_add(&f->sketch[k], ft_run_idle_value(run, resource));
	}
	f->runs++;
	return FT_OK;
}

static enum ft_status fold_all(struct ft_store *store, struct folding *f, size_t keep, struct ft_err *err)
{
	const struct ft__value values[] = {ft__int(f->program), ft__int(f->machine), ft__int((int64_t)keep)};

	FT_TRY(ft__each_run(store, FT__RUNS_TO_FOLD, values, 3, fold_run, f, err));
	if (f->size)
		FT_TRY(put_size(store, f, err));
	for (size_t i = 0; i < f->n_ids; i++)
		FT_TRY(ft__exec(store, FT__REMOVE_RUN, FT__VALUES(ft__int(f->id[i])), NULL, err));
	return !f->n_ids ? FT_OK
			 : ft__exec(store, FT__FOLD_TALLY,
				    FT__VALUES(ft__int(f->program), ft__int(f->machine),
					       ft__int((int64_t)f->n_ids)),
				    NULL, err);
}

/* Inside a transaction. */
static enum ft_status fold_name(struct ft_store *store, const char *name, size_t keep, size_t *folded,
				struct ft_err *err)
{
	FT_CLEANUP(ft_store_list_clear) struct ft_store_list list = {0};
	enum ft_status status = FT_OK;

	FT_TRY(ft_store_find_runs(store, name, &list, err));
	if (!list.n)
		return ft__name_unknown(store, name, err);
	for (size_t i = 0; i < list.n && !status; i++) {
		struct folding *f = ft_calloc(1, sizeof *f);

		if (!f)
			return ft_nomem(err);
		f->program = list.entry[i].program;
		f->machine = list.entry[i].machine;
		if (f->machine)
			status = fold_all(store, f, keep, err);
		*folded += f->n_ids;
		ft_free(f->size);
		ft_free(f->id);
		ft_free(f);
	}
	return status;
}

enum ft_status ft_store_fold_runs(struct ft_store *store, const char *name, size_t keep, size_t *folded,
				  struct ft_err *err)
{
	size_t n = 0;

	if (folded)
		*folded = 0;
	if (!keep)
		return ft_fail(err, FT_EINVAL, "at least one run of each size is kept");
	FT_TRY(ft__begin(store, err));
	enum ft_status status = ft__end(store, fold_name(store, name, keep, &n, err), err);
	if (!status && folded)
		*folded = n;
	return status;
}
