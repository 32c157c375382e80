/* SPDX-License-Identifier: GPL-3.0-or-later */
/* models.c - models and their knots in the store. */
#include "store/store.h"
#include "base/alloc.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- writing ---- */

static enum ft_status add_knots(struct ft_store *store, int64_t id, const struct ft_model *model,
				struct ft_err *err)
{
	enum ft_status status = FT_OK;
	size_t i;

	for (i = 0; i < model->n && !status; i++) {
		const struct ft_knot *knot = &model->knot[i];
		double gap = i + 1 < model->n ? model->gap_error[i] : (double)NAN;

		status = ft__exec(store, FT__ADD_KNOT,
				  FT__VALUES(ft__int(id), ft__int((int64_t)i), ft__real(knot->x),
					     ft__real(knot->work), ft__real(knot->value),
					     ft__real(knot->scatter), ft__real(knot->residual),
					     ft__int((int64_t)knot->runs),
					     ft__text(ft_shape_text(knot->shape)), ft__real(gap)),
				  NULL, err);
	}
	return status;
}

/* Inside a transaction. The knots of the model that is replaced go with it. */
static enum ft_status put_model(struct ft_store *store, int64_t program, int64_t machine,
				const struct ft_model_record *record, const char *fixed, struct ft_err *err)
{
	const struct ft_model *model = &record->model;
	const struct ft_surface *surface = &record->surface;
	bool over_several = surface->n > 0;
	const struct ft_change *change = over_several ? &surface->change : &model->change;
	int64_t id = 0;
	enum ft_status status = ft__exec(
		store, FT__REMOVE_MODEL,
		FT__VALUES(ft__int(program), ft__int(machine), ft__text(record->resource), ft__text(fixed)),
		NULL, err);

	if (!status)
		status = ft__exec(
			store, FT__ADD_MODEL,
			FT__VALUES(ft__int(program), ft__int(machine), ft__text(record->resource),
				   ft__text(fixed), ft__text(record->method),
				   ft__text(ft_stop_text(record->stop)), ft__int(record->made_ns),
				   ft__int(record->last_run),
				   ft__int(over_several ? surface->through_speed : model->through_speed),
				   ft__real(over_several ? surface->offset : model->offset),
				   ft__real(model->spread),
				   ft__int((int64_t)(over_several ? surface->runs : model->runs)),
				   ft__real(over_several ? surface->stated_error : model->stated_error),
				   ft__int(over_several ? surface->rough : model->rough),
				   ft__int(over_several ? surface->rough_by_noise : model->rough_by_noise),
				   ft__real(over_several ? surface->kernel.amplitude : (double)NAN),
				   ft__real(surface->kernel.interaction), ft__real(surface->kernel.length),
				   ft__int(surface->kernel.smooth), ft__real(surface->inflation),
				   ft__real(change->runs ? change->shift : (double)NAN),
				   ft__real(change->error), ft__int((int64_t)change->runs),
				   ft__int(change->since_ns),
				   ft__real(over_several ? surface->drift : model->drift)),
			&id, err);
	if (status)
		return status;
	return over_several ? ft__add_surface_knots(store, id, surface, err)
			    : add_knots(store, id, model, err);
}

enum ft_status ft_store_put_model(struct ft_store *store, int64_t program, int64_t machine,
				  const struct ft_model_record *record, struct ft_err *err)
{
	char *fixed;
	enum ft_status status = ft__size_text(&record->fixed, &fixed, err);

	assert(record->stop <= FT_STOP_INTERRUPTED);
	if (!status && !(status = ft__begin(store, err)))
		status = ft__end(store, put_model(store, program, machine, record, fixed, err), err);
	ft_free(fixed);
	return status;
}

/* ---- reading ---- */

static enum ft_status read_knots(struct ft_store *store, int64_t id, struct ft_model *out, struct ft_err *err)
{
	size_t knots = 0, gaps = 0;
	sqlite3_stmt *stmt;
	enum ft_status status = ft__query(store, FT__GET_KNOTS, FT__VALUES(ft__int(id)), &stmt, err);

	if (status)
		return status;
	while ((status = ft__row(store, stmt, err)) == FT_OK) {
		const char *shape;
		struct ft_knot *knot = ft_grow(out->knot, out->n, &knots, sizeof *knot);
		double *gap = ft_grow(out->gap_error, out->n, &gaps, sizeof *gap);

		out->knot = knot ? knot : out->knot;
		out->gap_error = gap ? gap : out->gap_error;
		if (!knot || !gap) {
			(void)sqlite3_reset(stmt);
			return ft_nomem(err);
		}
		knot[out->n] = (struct ft_knot){
			.x = ft__column_real(stmt, 0),
			.work = ft__column_real(stmt, 1),
			.value = ft__column_real(stmt, 2),
			.scatter = ft__column_real(stmt, 3),
			.residual = ft__column_real(stmt, 4),
			.runs = (size_t)sqlite3_column_int64(stmt, 5),
		};
		shape = (const void *)sqlite3_column_text(stmt, 6);
		gap[out->n] = ft__column_real(stmt, 7);
		if (!shape || !ft_shape_parse(shape, &knot[out->n].shape)) {
			(void)sqlite3_reset(stmt);
			return shape ? ft__damaged(store, "a model has a gap of an unknown shape", err)
				     : ft_nomem(err);
		}
		out->n++;
	}
	return status == FT_EEND ? FT_OK : status;
}

static bool parse_stop(const char *text, enum ft_stop *stop)
{
	int i;

	for (i = 0; i <= FT_STOP_INTERRUPTED; i++) {
		*stop = (enum ft_stop)i;
		if (!strcmp(ft_stop_text(*stop), text))
			return true;
	}
	return false;
}

/* As FT__GET_MODEL has the columns. */
static double read_drift(sqlite3_stmt *stmt)
{
	return isnan(ft__column_real(stmt, 21)) ? 0 : ft__column_real(stmt, 21);
}

static struct ft_change read_change(sqlite3_stmt *stmt)
{
	if (isnan(ft__column_real(stmt, 17)))
		return (struct ft_change){0};
	return (struct ft_change){
		.shift = ft__column_real(stmt, 17),
		.error = ft__column_real(stmt, 18),
		.runs = (size_t)sqlite3_column_int64(stmt, 19),
		.since_ns = sqlite3_column_int64(stmt, 20),
	};
}

/* A model over several parameters. */
static enum ft_status read_surface(struct ft_store *store, sqlite3_stmt *stmt, struct ft_model_record *out,
				   struct ft_err *err)
{
	out->surface = (struct ft_surface){
		.through_speed = sqlite3_column_int(stmt, 5) != 0,
		.offset = ft__column_real(stmt, 6),
		.runs = (size_t)sqlite3_column_int64(stmt, 8),
		.stated_error = ft__column_real(stmt, 9),
		.rough = sqlite3_column_int(stmt, 10) != 0,
		.rough_by_noise = sqlite3_column_int(stmt, 11) != 0,
		.kernel = {ft__column_real(stmt, 12), ft__column_real(stmt, 13), ft__column_real(stmt, 14),
			   sqlite3_column_int(stmt, 15)},
		.inflation = ft__column_real(stmt, 16),
		.drift = read_drift(stmt),
		.change = read_change(stmt),
	};
	return ft__read_surface(store, sqlite3_column_int64(stmt, 0), &out->surface, err);
}

/* As FT__GET_MODEL has the columns. */
static enum ft_status read_record(struct ft_store *store, sqlite3_stmt *stmt, struct ft_model_record *out,
				  struct ft_err *err)
{
	const char *method = (const void *)sqlite3_column_text(stmt, 1);
	const char *stop = (const void *)sqlite3_column_text(stmt, 2);

	if (!method || !stop)
		return ft_nomem(err);
	if (!parse_stop(stop, &out->stop))
		return ft__damaged(store, "a model has stopped for an unknown reason", err);
	out->made_ns = sqlite3_column_int64(stmt, 3);
	out->last_run = sqlite3_column_int64(stmt, 4);
	(void)snprintf(out->method, sizeof out->method, "%s", method);
	if (!isnan(ft__column_real(stmt, 12)))
		return read_surface(store, stmt, out, err);
	out->model = (struct ft_model){
		.through_speed = sqlite3_column_int(stmt, 5) != 0,
		.offset = ft__column_real(stmt, 6),
		.spread = ft__column_real(stmt, 7),
		.runs = (size_t)sqlite3_column_int64(stmt, 8),
		.stated_error = ft__column_real(stmt, 9),
		.rough = sqlite3_column_int(stmt, 10) != 0,
		.rough_by_noise = sqlite3_column_int(stmt, 11) != 0,
		.drift = read_drift(stmt),
		.change = read_change(stmt),
	};
	return read_knots(store, sqlite3_column_int64(stmt, 0), &out->model, err);
}

enum ft_status ft_store_get_model(struct ft_store *store, int64_t program, int64_t machine,
				  const char *resource, const struct ft_size *fixed,
				  struct ft_model_record *out, struct ft_err *err)
{
	char *text;
	sqlite3_stmt *stmt = NULL;
	enum ft_status status = ft__size_text(fixed, &text, err);

	*out = (struct ft_model_record){.fixed = *fixed};
	(void)snprintf(out->resource, sizeof out->resource, "%s", resource);
	if (!status)
		status = ft__query(
			store, FT__GET_MODEL,
			FT__VALUES(ft__int(program), ft__int(machine), ft__text(resource), ft__text(text)),
			&stmt, err);
	if (!status && !(status = ft__row(store, stmt, err)))
		status = read_record(store, stmt, out, err);
	(void)sqlite3_reset(stmt);
	ft_free(text);
	if (status == FT_EEND)
		status = ft_fail(err, FT_ENOENT, "the store '%s' has no model of '%s' there", store->path,
				 resource);
	if (status)
		ft_model_record_clear(out);
	return status;
}

void ft_model_record_clear(struct ft_model_record *record)
{
	if (!record)
		return;
	ft_model_clear(&record->model);
	ft_surface_clear(&record->surface);
	*record = (struct ft_model_record){0};
}
