/* SPDX-License-Identifier: GPL-3.0-or-later */
/* surfaces.c - models over several parameters in the store: their knots, and what follows from them. */
#include "store/store.h"
#include "base/alloc.h"

#include <math.h>
#include <sqlite3.h>

enum ft_status ft__add_surface_knots(struct ft_store *store, int64_t id, const struct ft_surface *surface,
				     struct ft_err *err)
{
	enum ft_status status = FT_OK;
	size_t i;

	for (i = 0; i < surface->n && !status; i++) {
		const struct ft_surface_knot *knot = &surface->knot[i];
		char *size;

		status = ft__size_text(&knot->size, &size, err);
		if (!status)
			status = ft__exec(store, FT__ADD_SURFACE_KNOT,
					  FT__VALUES(ft__int(id), ft__int((int64_t)i), ft__text(size),
						     ft__real(knot->work), ft__real(knot->value),
						     ft__real(knot->scatter), ft__real(knot->residual),
						     ft__int((int64_t)knot->runs)),
					  NULL, err);
		ft_free(size);
	}
	return status;
}

static enum ft_status read_knot(struct ft_store *store, sqlite3_stmt *stmt, struct ft_surface *out,
				size_t *capacity, struct ft_err *err)
{
	struct ft_surface_knot *knot = ft_grow(out->knot, out->n, capacity, sizeof *knot);
	const char *size = (const void *)sqlite3_column_text(stmt, 0);

	out->knot = knot ? knot : out->knot;
	if (!knot || !size)
		return ft_nomem(err);
	knot += out->n;
	*knot = (struct ft_surface_knot){
		.work = ft__column_real(stmt, 1),
		.value = ft__column_real(stmt, 2),
		.scatter = ft__column_real(stmt, 3),
		.residual = ft__column_real(stmt, 4),
		.runs = (size_t)sqlite3_column_int64(stmt, 5),
	};
	out->n++;
	return ft__size_parse(store, size, &knot->size, err);
}

/* Knots of one model have one number of parameters; what is computed from them is computed again. */
static enum ft_status complete(struct ft_store *store, struct ft_surface *out, struct ft_err *err)
{
	size_t i;

	for (i = 0; i < out->n; i++)
		if (out->knot[i].size.n != out->knot[0].size.n || !(out->knot[i].value >= 0) ||
		    !(out->knot[i].work > 0) || !out->knot[i].runs)
			return ft__damaged(store, "a model over several parameters cannot be read", err);
	if (!(out->kernel.length > 0 && out->kernel.amplitude > 0))
		return ft__damaged(store, "a model over several parameters has no kernel", err);
	return ft_surface_prepare(out, err);
}

enum ft_status ft__read_surface(struct ft_store *store, int64_t id, struct ft_surface *out,
				struct ft_err *err)
{
	size_t capacity = 0;
	sqlite3_stmt *stmt;
	enum ft_status status = ft__query(store, FT__GET_SURFACE_KNOTS, FT__VALUES(ft__int(id)), &stmt, err);

	if (status)
		return status;
	while ((status = ft__row(store, stmt, err)) == FT_OK) {
		status = read_knot(store, stmt, out, &capacity, err);
		if (status) {
			(void)sqlite3_reset(stmt);
			return status;
		}
	}
	if (status != FT_EEND)
		return status;
	return out->n ? complete(store, out, err) : ft__damaged(store, "a model has no knots", err);
}
