/* SPDX-License-Identifier: GPL-3.0-or-later */
/* question.c - what stands behind '?', read by rows. */
#include "manager/question.h"
#include "base/text.h"

#include <string.h>

/* More than all that a question may have. */
enum { KEYS_MOST = FT_ASKED_WORDS + 16 };

struct query_reading {
	const struct ft_field *fields;
	void *into;
	const struct ft_question *question;
	struct ft_asked *asked;
	const char *key[KEYS_MOST];
	size_t n;
	struct ft_err *err;
	enum ft_status status;
};

static enum ft_status refuse_key(const struct query_reading *r, const char *key)
{
	struct ft_text known = {0};

	for (const struct ft_field *field = r->fields; field && field->name; field++)
		ft_text_add(&known, "%s%s", known.length ? " " : "", field->name);
	(void)ft_fail(r->err, FT_EINVAL, "unknown parameter '%s'", key);
	(void)ft_remedy(r->err, "the parameters are: %s", known.s && !known.failed ? known.s : "nothing");
	ft_text_clear(&known);
	return FT_EINVAL;
}

static enum ft_status read_pair(struct query_reading *r, const char *key, const char *value)
{
	const struct ft_field *field = r->fields ? ft_field_find(r->fields, key, strlen(key)) : NULL;
	size_t i;

	for (i = 0; i < r->n && strcmp(r->key[i], key) != 0; i++) {
		const struct ft_field *earlier =
			field ? ft_field_find(r->fields, r->key[i], strlen(r->key[i])) : NULL;

		if (earlier)
			FT_TRY(ft_fields_together(earlier, field, "", r->err));
	}
	if (i < r->n) {
		(void)ft_fail(r->err, FT_EINVAL, "'%s' is there twice", key);
		return ft_remedy(r->err, "name it once");
	}
	if (r->n == KEYS_MOST)
		return ft_fail(r->err, FT_EINVAL, "more than %d values", (int)FT_ASKED_WORDS);
	r->key[r->n++] = key;
	if (!field && !r->question)
		return refuse_key(r, key);
	if (!field)
		return ft_asked_take(r->question, r->asked, key, value, r->err);
	if (!value)
		return ft_fail(r->err, FT_EINVAL, "'%s' has no value", key);
	enum ft_status status = ft_field_read(field, (char *)r->into + field->at, value, r->err);
	return status ? ft_fail_at(r->err, "%s", key) : FT_OK;
}

static bool each_pair(void *ctx, const char *key, const char *value)
{
	struct query_reading *r = ctx;

	r->status = read_pair(r, key, value);
	return !r->status;
}

enum ft_status ft__query_read(const struct ft_http_ask *ask, const struct ft_field *fields, void *into,
			      const struct ft_question *question, struct ft_asked *asked, struct ft_err *err)
{
	struct query_reading r = {
		.fields = fields, .into = into, .question = question, .asked = asked, .err = err};

	if (asked) {
		*asked = ft_asked_usual;
		asked->name = ask->rest;
	}
	ft_http_each(ask, each_pair, &r);
	return r.status;
}
