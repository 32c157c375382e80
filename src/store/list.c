/* SPDX-License-Identifier: GPL-3.0-or-later */
/* list.c - what the store has, and removing it. */
#include "store/store.h"
#include "base/alloc.h"

/* As FT__LIST has the columns. False: no memory. */
static bool read_entry(sqlite3_stmt *stmt, struct ft_store_entry *entry)
{
	*entry = (struct ft_store_entry){
		.program = sqlite3_column_int64(stmt, 0),
		.machine = sqlite3_column_int64(stmt, 1),
		.runs = (size_t)sqlite3_column_int64(stmt, 5),
		.failed = (size_t)sqlite3_column_int64(stmt, 6),
		.sizes = (size_t)sqlite3_column_int64(stmt, 7),
		.first_ns = sqlite3_column_int64(stmt, 8),
		.last_ns = sqlite3_column_int64(stmt, 9),
		.current = sqlite3_column_int(stmt, 10) != 0,
	};
	return ft__column_text(stmt, 2, &entry->name) && ft__column_text(stmt, 3, &entry->hash) &&
	       ft__column_text(stmt, 4, &entry->machine_name) && ft__column_text(stmt, 11, &entry->device);
}

void ft__entry_clear(struct ft_store_entry *entry)
{
	ft_free(entry->name);
	ft_free(entry->device);
	ft_free(entry->hash);
	ft_free(entry->machine_name);
}

enum ft_status ft_store_get_list(struct ft_store *store, const char *name, struct ft_store_list *out,
				 struct ft_err *err)
{
	sqlite3_stmt *stmt;
	enum ft_status status = ft__query(
		store, FT__LIST, FT__VALUES(ft__text(name), ft__text(ft_outcome_text(FT_DONE))), &stmt, err);

	*out = (struct ft_store_list){0};
	if (status)
		return status;
	while ((status = ft__row(store, stmt, err)) == FT_OK) {
		struct ft_store_entry *grown = ft_grow(out->entry, out->n, &out->capacity, sizeof *grown);

		if (grown)
			out->entry = grown;
		if (!grown || !read_entry(stmt, &out->entry[out->n++])) {
			status = ft_nomem(err);
			break;
		}
	}
	(void)sqlite3_reset(stmt);
	if (status == FT_EEND)
		return FT_OK;
	ft_store_list_clear(out);
	return status;
}

void ft_store_list_clear(struct ft_store_list *list)
{
	size_t i;

	if (!list)
		return;
	for (i = 0; i < list->n; i++)
		ft__entry_clear(&list->entry[i]);
	ft_free(list->entry);
	*list = (struct ft_store_list){0};
}

enum ft_status ft_store_version(struct ft_store *store, int64_t *version, struct ft_err *err)
{
	return ft__exec(store, FT__VERSION, NULL, 0, version, err);
}

enum ft_status ft_store_get_state(struct ft_store *store, const char *name, char **state, struct ft_err *err)
{
	sqlite3_stmt *stmt;
	enum ft_status status = ft__query(store, FT__STATE, FT__VALUES(ft__text(name)), &stmt, err);

	*state = NULL;
	if (status)
		return status;
	status = ft__row(store, stmt, err);
	if (!status && !ft__column_text(stmt, 0, state))
		status = ft_nomem(err);
	(void)sqlite3_reset(stmt);
	return status == FT_EEND ? ft_fail(err, FT_ENOENT, "no program '%s' in the store", name) : status;
}

enum ft_status ft_store_remove(struct ft_store *store, const char *name, size_t *removed, struct ft_err *err)
{
	enum ft_status status = ft__begin(store, err);
	int64_t runs = 0;

	if (removed)
		*removed = 0;
	if (status)
		return status;
	status = ft__exec(store, FT__COUNT_RUNS_OF_NAME, FT__VALUES(ft__text(name)), &runs, err);
	if (!status)
		status = ft__exec(store, FT__REMOVE_NAME, FT__VALUES(ft__text(name)), NULL, err);
	if (!status && sqlite3_changes(store->db) == 0)
		status = ft__name_unknown(store, name, err);
	if (!status)
		status = ft__exec(store, FT__REMOVE_STATED, FT__VALUES(ft__text(name)), NULL, err);
	if (!status)
		status = ft__exec(store, FT__REMOVE_REQUIREMENTS, FT__VALUES(ft__text(name)), NULL, err);
	status = ft__end(store, status, err);
	if (!status && removed)
		*removed = (size_t)runs;
	return status;
}

enum ft_status ft_store_remove_runs(struct ft_store *store, const char *name, int64_t machine,
				    int64_t from_ns, int64_t to_ns, size_t *removed, struct ft_err *err)
{
	enum ft_status status = ft__begin(store, err);

	*removed = 0;
	if (status)
		return status;
	status = ft__exec(store, FT__REMOVE_RUNS,
			  FT__VALUES(ft__text(name), ft__int(machine), ft__int(from_ns), ft__int(to_ns)),
			  NULL, err);
	if (!status)
		*removed = (size_t)sqlite3_changes(store->db);
	status = ft__end(store, status, err);
	*removed = status ? 0 : *removed;
	return status;
}
