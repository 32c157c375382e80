/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace.c - traces of runs, kept beside them. */
#include "store/store.h"
#include "base/alloc.h"
#include "base/squeeze.h"

#include <string.h>

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
	int64_t said = sqlite3_column_int64(stmt, 0);
	int n = sqlite3_column_bytes(stmt, 1);

	if (said < 0 || said > TRACE_MOST || !bytes)
		return ft__damaged(store, "a trace has no length", err);
	*length = (size_t)said;
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
