/* SPDX-License-Identifier: GPL-3.0-or-later */
/* list.c - lists the contents of the store, and removes them. */
#include "base/alloc.h"
#include "store/store.h"

#include <string.h>

/* Never below zero, as in a damaged store. */
static size_t read_count(sqlite3_stmt *stmt, int column)
{
	int64_t count = sqlite3_column_int64(stmt, column);

	return count > 0 ? (size_t)count : 0;
}

/* Columns as in FT__FIND_RUNS. False: no memory. */
static bool read_entry(sqlite3_stmt *stmt, struct ft_store_entry *entry)
{
	*entry = (struct ft_store_entry){
		.program = sqlite3_column_int64(stmt, 0),
		.machine = sqlite3_column_int64(stmt, 1),
		.runs = read_count(stmt, 5),
		.current = sqlite3_column_int(stmt, 6) != 0,
		.failed = read_count(stmt, 8),
		.sizes = read_count(stmt, 9),
		.first_ns = sqlite3_column_int64(stmt, 10),
		.last_ns = sqlite3_column_int64(stmt, 11),
		.folded = read_count(stmt, 12),
	};
	return ft__column_text(stmt, 2, &entry->name) && ft__column_text(stmt, 3, &entry->hash) &&
	       ft__column_text(stmt, 4, &entry->machine_name) && ft__column_text(stmt, 7, &entry->device);
}

void ft__entry_clear(struct ft_store_entry *entry)
{
	ft_free(entry->name);
	ft_free(entry->device);
	ft_free(entry->hash);
	ft_free(entry->machine_name);
}

/* Behind those that are there; on failure it is cleared. */
static enum ft_status find_runs(struct ft_store *store, const char *name, struct ft_store_list *out,
				struct ft_err *err)
{
	sqlite3_stmt *stmt;
	enum ft_status status =
		name ? ft__query(store, FT__FIND_RUNS_OF, FT__VALUES(ft__text(name)), &stmt, err)
		     : ft__query(store, FT__FIND_RUNS, NULL, 0, &stmt, err);

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
		if (!out->entry[out->n - 1].name || !out->entry[out->n - 1].hash) {
			status = ft__damaged(store, "a program has no version, or no name", err);
			break;
		}
	}
	(void)sqlite3_reset(stmt);
	if (status == FT_EEND)
		return FT_OK;
	ft_store_list_clear(out);
	return status;
}

enum ft_status ft_store_find_runs(struct ft_store *store, const char *name, struct ft_store_list *out,
				  struct ft_err *err)
{
	*out = (struct ft_store_list){0};
	return find_runs(store, name, out, err);
}

enum ft_status ft_store_get_list(struct ft_store *store, const char *name, struct ft_store_list *out,
				 struct ft_err *err)
{
	return ft_store_find_runs(store, name, out, err);
}

/* ---- a part of it -------------------------------------------------------------------------------------- */

/* The first `most` of the names of a part, all of them counted: found. name: [n] heap, each too. */
static enum ft_status find_names(struct ft_store *store, const struct ft_store_part *part, char ***name,
				 size_t *n, size_t *found, struct ft_err *err)
{
	enum ft_status status = FT_OK;
	sqlite3_stmt *stmt;
	size_t capacity = 0;

	FT_TRY(ft__query(store, FT__FIND_NAMES,
			 FT__VALUES(ft__text(part->after), ft__text(part->search), ft__text(part->except)),
			 &stmt, err));
	for (; (status = ft__row(store, stmt, err)) == FT_OK; ++*found) {
		if (part->most && *n == part->most)
			continue;
		char **grown = ft_grow(*name, *n, &capacity, sizeof *grown);
		*name = grown ? grown : *name;
		if (!grown || !ft__column_text(stmt, 0, &(*name)[*n])) {
			status = ft_nomem(err);
			break;
		}
		++*n;
	}
	(void)sqlite3_reset(stmt);
	return status == FT_EEND ? FT_OK : status;
}

enum ft_status ft_store_get_part(struct ft_store *store, const struct ft_store_part *part,
				 struct ft_store_list *out, struct ft_err *err)
{
	char **name = NULL;
	size_t n = 0, found = 0;
	enum ft_status status = find_names(store, part, &name, &n, &found, err);

	*out = (struct ft_store_list){0};
	for (size_t i = 0; i < n; i++) {
		if (!status)
			status = find_runs(store, name[i], out, err);
		ft_free(name[i]);
	}
	ft_free(name);
	if (status)
		return status;
	out->found = found > n ? found : 0;
	return FT_OK;
}

void ft_store_list_clear(struct ft_store_list *list)
{
	if (!list)
		return;
	for (size_t i = 0; i < list->n; i++)
		ft__entry_clear(&list->entry[i]);
	ft_free(list->entry);
	*list = (struct ft_store_list){0};
}

void ft_store_list_traced(struct ft_store *store, struct ft_store_list *list)
{
	size_t kept = 0;

	for (size_t i = 0; i < list->n; i++) {
		struct ft_store_entry *entry = &list->entry[i];
		struct ft_store_trace newest;
		size_t n;

		if (!ft_store_get_traces(store, entry->program, entry->machine, &newest, 1, &n, NULL) && n)
			list->entry[kept++] = *entry;
		else
			ft__entry_clear(entry);
	}
	list->n = kept;
	list->found = 0;
}

enum ft_status ft_store_version(struct ft_store *store, int64_t *version, struct ft_err *err)
{
	return ft__has_moved(store) ? ft__spool_moved(store, err)
				    : ft__exec(store, FT__VERSION, NULL, 0, version, err);
}

enum ft_status ft_store_check(struct ft_store *store, struct ft_err *err)
{
	sqlite3_stmt *stmt;
	enum ft_status status = ft__query(store, FT__CHECK, NULL, 0, &stmt, err);

	if (status || (status = ft__row(store, stmt, err)))
		return status;
	const char *found = (const void *)sqlite3_column_text(stmt, 0);
	if (!found) {
		status = ft_nomem(err);
	} else if (strcmp(found, "ok") != 0) {
		const char *line = strchr(found, '\n'); /* "*** in database main ***" */
		status = ft__damaged(store, line ? line + 1 : found, err);
	}
	(void)sqlite3_reset(stmt);
	return status;
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

enum ft_status ft__recount(struct ft_store *store, int64_t program, int64_t machine, struct ft_err *err)
{
	static const enum ft__sql step[] = {FT__FORGET_SIZES, FT__FORGET_TALLY, FT__COUNT_SIZES_AGAIN,
					    FT__COUNT_RUNS_AGAIN};

	for (size_t i = 0; i < sizeof step / sizeof *step; i++)
		FT_TRY(ft__exec(store, step[i], FT__VALUES(ft__int(program), ft__int(machine)), NULL, err));
	return FT_OK;
}

/* Of all programs of a name. */
static enum ft_status remove_runs(struct ft_store *store, const char *name, int64_t machine, int64_t from_ns,
				  int64_t to_ns, size_t *removed, struct ft_err *err)
{
	FT_CLEANUP(ft_store_list_clear) struct ft_store_list list = {0};

	FT_TRY(ft__exec(store, FT__REMOVE_RUNS,
			FT__VALUES(ft__text(name), ft__int(machine), ft__int(from_ns), ft__int(to_ns)), NULL,
			err));
	*removed = (size_t)sqlite3_changes(store->db);
	if (!*removed)
		return FT_OK;
	FT_TRY(ft_store_find_runs(store, name, &list, err));
	for (size_t i = 0; i < list.n; i++)
		if (list.entry[i].machine == machine)
			FT_TRY(ft__recount(store, list.entry[i].program, machine, err));
	return FT_OK;
}

enum ft_status ft_store_remove_runs(struct ft_store *store, const char *name, int64_t machine,
				    int64_t from_ns, int64_t to_ns, size_t *removed, struct ft_err *err)
{
	enum ft_status status = ft__begin(store, err);

	*removed = 0;
	if (status)
		return status;
	status = ft__end(store, remove_runs(store, name, machine, from_ns, to_ns, removed, err), err);
	*removed = status ? 0 : *removed;
	return status;
}
