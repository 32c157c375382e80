/* SPDX-License-Identifier: GPL-3.0-or-later */
/* knowledge.c - what was said of programs before they ran, in the store: by name, for a rebuilt program is
 * the same to an expert. */
#include "store/store.h"
#include "base/text.h"

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

/* ---- what takes time to find out ---------------------------------------------------------------------- */

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
