/* SPDX-License-Identifier: GPL-3.0-or-later */
/* models.c - models in the store: a row each, with the model itself as bytes, and a CRC of the row behind
 * them. What a disk changed in it is so no wrong answer: the model counts as missing, and is made again from
 * its runs. */
#include "store/store.h"
#include "base/alloc.h"
#include "base/hash.h"
#include "base/text.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { SEAL = 4 };

/* The CRC of a model's bytes and of the rest of its row, as bytes. fixed: record->fixed as a text. */
static enum ft_status make_seal(const unsigned char *bytes, size_t n, int64_t program, int64_t machine,
				const struct ft_model_record *record, const char *fixed,
				unsigned char seal[SEAL], struct ft_err *err)
{
	struct ft_text row = {0};

	ft_text_add(&row, "%lld/%lld/%s/%s/%s/%d/%lld/%lld", (long long)program, (long long)machine,
		    record->resource->name, fixed, record->method, (int)record->stop,
		    (long long)record->made_ns, (long long)record->last_run);
	if (row.failed)
		return ft_nomem(err);
	uint32_t crc = ft_hash_crc(ft_hash_crc(0, bytes, n), row.s, strlen(row.s));
	for (int i = 0; i < SEAL; i++)
		seal[i] = (unsigned char)(crc >> (8 * i));
	ft_text_clear(&row);
	return FT_OK;
}

/* Inside a transaction. */
static enum ft_status put_model(struct ft_store *store, int64_t program, int64_t machine,
				const struct ft_model_record *record, const char *fixed,
				const struct ft__value *bytes, struct ft_err *err)
{
	FT_TRY(ft__exec(store, FT__REMOVE_MODEL,
			FT__VALUES(ft__int(program), ft__int(machine), ft__text(record->resource->name),
				   ft__text(fixed)),
			NULL, err));
	return ft__exec(store, FT__ADD_MODEL,
			FT__VALUES(ft__int(program), ft__int(machine), ft__text(record->resource->name),
				   ft__text(fixed), ft__text(record->method),
				   ft__text(ft_stop_text(record->stop)), ft__int(record->made_ns),
				   ft__int(record->last_run), *bytes),
			NULL, err);
}

enum ft_status ft_store_put_model(struct ft_store *store, int64_t program, int64_t machine,
				  const struct ft_model_record *record, struct ft_err *err)
{
	struct ft__value bytes = {.type = FT__BYTES};
	unsigned char *packed = NULL;
	size_t n = 0;
	char *fixed;
	enum ft_status status = ft__size_text(&record->fixed, &fixed, err);

	assert(record->model && record->stop <= FT_STOP_INTERRUPTED);
	if (!status)
		status = ft_model_pack(record->model, &packed, &n, err);
	unsigned char *sealed = status ? NULL : ft_realloc(packed, n + SEAL);
	if (!status && !sealed)
		status = ft_nomem(err);
	if (sealed) {
		packed = sealed;
		status = make_seal(packed, n, program, machine, record, fixed, packed + n, err);
	}
	bytes.integer = (int64_t)(n + SEAL);
	bytes.bytes = packed;
	if (!status && !(status = ft__begin(store, err)))
		status = ft__end(store, put_model(store, program, machine, record, fixed, &bytes, err), err);
	ft_free(packed);
	ft_free(fixed);
	return status;
}

/* ---- reading ---- */

static bool parse_stop(const char *text, enum ft_stop *stop)
{
	for (int i = 0; i <= FT_STOP_INTERRUPTED; i++) {
		*stop = (enum ft_stop)i;
		if (!strcmp(ft_stop_text(*stop), text))
			return true;
	}
	return false;
}

/* As FT__GET_MODEL has the columns. FT_EPARSE: another version packed the model, or it is damaged. */
static enum ft_status read_record(struct ft_store *store, sqlite3_stmt *stmt, int64_t program,
				  int64_t machine, const char *fixed, struct ft_model_record *out,
				  struct ft_err *err)
{
	const char *method = (const void *)sqlite3_column_text(stmt, 0);
	const char *stop = (const void *)sqlite3_column_text(stmt, 1);
	const unsigned char *bytes = sqlite3_column_blob(stmt, 4); /* NULL where there is not one */
	size_t n = (size_t)sqlite3_column_bytes(stmt, 4);
	unsigned char seal[SEAL];

	if (!method || !stop)
		return ft_nomem(err);
	out->made_ns = sqlite3_column_int64(stmt, 2);
	out->last_run = sqlite3_column_int64(stmt, 3);
	(void)snprintf(out->method, sizeof out->method, "%s", method);
	if (!bytes || n < SEAL || !parse_stop(stop, &out->stop))
		return FT_EPARSE;
	n -= SEAL;
	FT_TRY(make_seal(bytes, n, program, machine, out, fixed, seal, err));
	return memcmp(seal, bytes + n, SEAL) ? FT_EPARSE
					     : ft_model_unpack(&out->model, bytes, n, store->prior, err);
}

enum ft_status ft_store_get_model(struct ft_store *store, int64_t program, int64_t machine,
				  const struct ft_resource *resource, const struct ft_size *fixed,
				  struct ft_model_record *out, struct ft_err *err)
{
	char *text;
	sqlite3_stmt *stmt = NULL;
	enum ft_status status = ft__size_text(fixed, &text, err);

	*out = (struct ft_model_record){.resource = resource, .fixed = *fixed};
	if (!status)
		status = ft__query(store, FT__GET_MODEL,
				   FT__VALUES(ft__int(program), ft__int(machine), ft__text(resource->name),
					      ft__text(text)),
				   &stmt, err);
	if (!status && !(status = ft__row(store, stmt, err)))
		status = read_record(store, stmt, program, machine, text, out, err);
	(void)sqlite3_reset(stmt);
	ft_free(text);
	if (status == FT_EEND || status == FT_EPARSE)
		status = ft_fail(err, FT_ENOENT, "the store '%s' has no model of '%s' there", store->path,
				 resource->name);
	if (status)
		ft_model_record_clear(out);
	return status;
}

void ft_model_record_clear(struct ft_model_record *record)
{
	if (!record)
		return;
	ft_model_free(record->model);
	*record = (struct ft_model_record){0};
}
