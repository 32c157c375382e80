/* SPDX-License-Identifier: GPL-3.0-or-later */
/* list.c - lists the contents of the store, and removes them. */
#include "base/alloc.h"
#include "store/store.h"
#include "store/door.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A count that takes longer than a hundredth of a second is stored. */
enum { MANY = 5000 };

/* Columns as in FT__FIND_RUNS. False: no memory. */
static bool read_entry(sqlite3_stmt *stmt, struct ft_store_entry *entry)
{
	*entry = (struct ft_store_entry){
		.program = sqlite3_column_int64(stmt, 0),
		.machine = sqlite3_column_int64(stmt, 1),
		.runs = (size_t)sqlite3_column_int64(stmt, 5),
		.current = sqlite3_column_int(stmt, 6) != 0,
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

/* ---- counts of runs ---------------------------------------------------------------------- */

static void tally_key(const struct ft_store_entry *entry, char key[64])
{
	(void)snprintf(key, 64, "tally %" PRId64 " %" PRId64, entry->program, entry->machine);
}

/* The stored count; false if it is of other runs. */
static bool recall_tally(struct ft_store *store, struct ft_store_entry *entry)
{
	int64_t newest;
	size_t runs = 0, newer = 1;
	char key[64], *text;

	tally_key(entry, key);
	if (entry->runs < MANY || ft_store_get_known(store, key, &text, NULL))
		return false;
	bool good = sscanf(text, "%zu %" SCNd64 " %zu %zu %" SCNd64 " %" SCNd64, &runs, &newest,
			   &entry->failed, &entry->sizes, &entry->first_ns, &entry->last_ns) == 6 &&
		    runs == entry->runs &&
		    !ft_store_count_runs(store, entry->program, entry->machine, newest, &newer, NULL) &&
		    !newer;
	ft_free(text);
	return good;
}

/* Stored if the store is writable. */
static void keep_tally(struct ft_store *store, const struct ft_store_entry *entry, int64_t newest)
{
	char key[64], text[160];

	tally_key(entry, key);
	(void)snprintf(text, sizeof text, "%zu %" PRId64 " %zu %zu %" PRId64 " %" PRId64, entry->runs, newest,
		       entry->failed, entry->sizes, entry->first_ns, entry->last_ns);
	(void)ft_store_put_known(store, key, text, NULL);
}

static enum ft_status count_entry(struct ft_store *store, struct ft_store_entry *entry, struct ft_err *err)
{
	sqlite3_stmt *stmt;
	enum ft_status status = ft__query(store, FT__TALLY,
					  FT__VALUES(ft__text(ft_outcome_text(FT_DONE)),
						     ft__int(entry->program), ft__int(entry->machine)),
					  &stmt, err);
	int64_t newest = 0;

	if (!status && !(status = ft__row(store, stmt, err))) {
		newest = sqlite3_column_int64(stmt, 0);
		entry->failed = (size_t)sqlite3_column_int64(stmt, 1);
		entry->sizes = (size_t)sqlite3_column_int64(stmt, 2);
		entry->first_ns = sqlite3_column_int64(stmt, 3);
		entry->last_ns = sqlite3_column_int64(stmt, 4);
		(void)sqlite3_reset(stmt);
	}
	if (!status && entry->runs >= MANY)
		keep_tally(store, entry, newest);
	return status;
}

static enum ft_status count_all(struct ft_store *store, struct ft_store_list *out, struct ft_err *err)
{
	enum ft_status status = FT_OK;

	for (size_t i = 0; i < out->n && !status; i++)
		if (out->entry[i].runs && !recall_tally(store, &out->entry[i]))
			status = count_entry(store, &out->entry[i], err);
	if (status)
		ft_store_list_clear(out);
	return status;
}

enum ft_status ft_store_get_list(struct ft_store *store, const char *name, struct ft_store_list *out,
				 struct ft_err *err)
{
	enum ft_status status = ft_store_find_runs(store, name, out, err);

	return status ? status : count_all(store, out, err);
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
	return count_all(store, out, err);
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
