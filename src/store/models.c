/* SPDX-License-Identifier: GPL-3.0-or-later */
/* models.c - models in the store: a row each, with the model itself as bytes, and a CRC of the row. A row
 * damaged on disk is thus no wrong answer: the model counts as missing, and is made again from its runs. */
#include "base/alloc.h"
#include "base/text.h"
#include "facts/door.h"
#include "model/door.h"
#include "store/store.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/*
 * Statements of experts on programs before they ran, by name, since a rebuilt program is the same to an
 * expert.
 */

/* Inside a transaction. */
static enum ft_status put_stated(struct ft_store *store, const char *name,
				 const struct ft_knowledge *knowledge, struct ft_err *err)
{
	enum ft_status status = ft__exec(store, FT__REMOVE_STATED, FT__VALUES(ft__text(name)), NULL, err);

	if (!status)
		status = ft__exec(store, FT__REMOVE_REQUIREMENTS, FT__VALUES(ft__text(name)), NULL, err);
	for (size_t i = 0; i < knowledge->n_stated && !status; i++)
		status = ft__exec(store, FT__ADD_STATED,
				  FT__VALUES(ft__text(name), ft__text(knowledge->stated[i].resource->name),
					     ft__text(knowledge->stated[i].law)),
				  NULL, err);
	for (size_t i = 0; i < knowledge->n_requirements && !status; i++) {
		const struct ft_requirement *r = &knowledge->requirement[i];
		struct ft_text text = {0};

		ft_text_add(&text, "%s=%s", ft_requirement_text(r->kind), r->value);
		status = text.failed
				 ? ft_nomem(err)
				 : ft__exec(store, FT__ADD_REQUIREMENT,
					    FT__VALUES(ft__text(name), ft__int((int64_t)i), ft__text(text.s)),
					    NULL, err);
		ft_text_clear(&text);
	}
	return status;
}

enum ft_status ft_store_put_knowledge(struct ft_store *store, const char *name,
				      const struct ft_knowledge *knowledge, struct ft_err *err)
{
	enum ft_status status = ft__name_check(name, err);

	if (!status && !(status = ft__begin(store, err)))
		status = ft__end(store, put_stated(store, name, knowledge, err), err);
	return status;
}

static enum ft_status read_stated(struct ft_store *store, const char *name, struct ft_knowledge *out,
				  struct ft_err *err)
{
	enum ft_status status = FT_OK;
	sqlite3_stmt *stmt;

	FT_TRY(ft__query(store, FT__GET_STATED, FT__VALUES(ft__text(name)), &stmt, err));
	while ((status = ft__row(store, stmt, err)) == FT_OK) {
		const void *resource = sqlite3_column_text(stmt, 0), *law = sqlite3_column_text(stmt, 1);

		const struct ft_resource *known = resource ? ft_resource_find(resource) : NULL;

		status = !resource || !law ? ft_nomem(err)
			 : known           ? ft_knowledge_state(out, known, law, err)
					   : FT_EINVAL;
		if (status) {
			(void)sqlite3_reset(stmt);
			return status == FT_ENOMEM ? status
						   : ft__damaged(store, "a stated law cannot be read", err);
		}
	}
	return status == FT_EEND ? FT_OK : status;
}

static enum ft_status read_requirements(struct ft_store *store, const char *name, struct ft_knowledge *out,
					struct ft_err *err)
{
	enum ft_status status = FT_OK;
	sqlite3_stmt *stmt;

	FT_TRY(ft__query(store, FT__GET_REQUIREMENTS, FT__VALUES(ft__text(name)), &stmt, err));
	while ((status = ft__row(store, stmt, err)) == FT_OK) {
		const void *text = sqlite3_column_text(stmt, 0);

		status = text ? ft_knowledge_require(out, text, err) : ft_nomem(err);
		if (status) {
			(void)sqlite3_reset(stmt);
			return status == FT_ENOMEM ? status
						   : ft__damaged(store, "a requirement cannot be read", err);
		}
	}
	return status == FT_EEND ? FT_OK : status;
}

enum ft_status ft_store_get_knowledge(struct ft_store *store, const char *name, struct ft_knowledge *out,
				      struct ft_err *err)
{
	*out = (struct ft_knowledge){0};
	enum ft_status status = read_stated(store, name, out, err);
	if (!status)
		status = read_requirements(store, name, out, err);
	if (status)
		ft_knowledge_clear(out);
	return status;
}

/* ---- cached facts ---------------------------------------------------------------------- */

enum ft_status ft_store_put_known(struct ft_store *store, const char *key, const char *value,
				  struct ft_err *err)
{
	if (!value)
		return ft__exec(store, FT__REMOVE_KNOWN, FT__VALUES(ft__text(key)), NULL, err);
	return ft__exec(store, FT__PUT_KNOWN, FT__VALUES(ft__text(key), ft__text(value)), NULL, err);
}

enum ft_status ft_store_get_known(struct ft_store *store, const char *key, char **value, struct ft_err *err)
{
	sqlite3_stmt *stmt;
	enum ft_status status = ft__query(store, FT__GET_KNOWN, FT__VALUES(ft__text(key)), &stmt, err);

	*value = NULL;
	if (status)
		return status;
	status = ft__row(store, stmt, err);
	if (status == FT_EEND)
		return ft_fail(err, FT_ENOENT, "nothing is known of '%.100s'", key);
	if (!status && !ft__column_text(stmt, 0, value))
		status = ft_nomem(err);
	(void)sqlite3_reset(stmt);
	return status;
}

/*
 * Models in the store: a row each, with the model itself as bytes, and a CRC of the row. A row damaged
 * on disk is thus no wrong answer: the model counts as missing, and is made again from its runs.
 */

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

/* Columns as in FT__GET_MODEL. FT_EPARSE: another version packed the model, or it is damaged. */
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
