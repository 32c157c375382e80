/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load.c - the load of others in the store. */
#include "store/store.h"

#include <math.h>

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
