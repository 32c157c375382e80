/* SPDX-License-Identifier: GPL-3.0-or-later */
/* config_node.c - trees of named texts, and how a table of fields reads one. */
#include "manager/config_node.h"

#include "base/alloc.h"
#include "base/text.h"
#include "base/word.h"
#include "foretime/units.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* ---- trees ------------------------------------------------------------------------------------------- */

void ft__node_clear(struct ft__conf_node *node)
{
	for (size_t i = 0; i < node->n; i++)
		ft__node_clear(&node->child[i]); /* no deeper than FT__NODE_DEPTH */
	ft_free(node->child);
	ft_free(node->name);
	ft_free(node->text);
	*node = (struct ft__conf_node){0};
}

struct ft__conf_node *ft__node_add(struct ft__conf_node *node, const char *name, const char *text,
				   unsigned line)
{
	struct ft__conf_node *moved = ft_grow(node->child, node->n, &node->capacity, sizeof *moved), *child;

	if (!moved)
		return NULL;
	node->child = moved;
	child = &moved[node->n];
	*child = (struct ft__conf_node){.name = ft_strdup(name), .text = ft_strdup(text), .line = line};
	if ((name && !child->name) || (text && !child->text)) {
		ft__node_clear(child);
		return NULL;
	}
	node->n++;
	return child;
}

const struct ft__conf_node *ft__node_find(const struct ft__conf_node *node, const char *name)
{
	for (size_t i = 0; i < node->n; i++)
		if (node->child[i].name && !strcmp(node->child[i].name, name))
			return &node->child[i];
	return NULL;
}

/* ---- failures ---------------------------------------------------------------------------------------- */

enum ft_status ft__reading_fail(struct ft__conf_reading *r, const struct ft__conf_node *node,
				enum ft_status status, const char *format, ...)
{
	char text[400];
	va_list args;

	va_start(args, format);
	(void)vsnprintf(text, sizeof text, format, args);
	va_end(args);
	return ft_fail(r->err, status, "%.100s:%u: %s", r->file, node->line, text);
}

enum ft_status ft__reading_explain(struct ft__conf_reading *r, const struct ft__conf_node *node,
				   enum ft_status status, struct ft_err *of)
{
	if (!status)
		return FT_OK;
	(void)ft__reading_fail(r, node, status, "%s", of->text);
	if (*of->remedy)
		(void)ft_remedy(r->err, "%s", of->remedy);
	return status;
}

void ft__reading_nearest(struct ft__conf_reading *r, const char *word,
			 const char *(*word_of)(const void *ctx, size_t i), const void *ctx, size_t n)
{
	size_t nearest = n, least = SIZE_MAX, length = 0;
	char all[300] = "";

	for (size_t i = 0; i < n; i++) {
		size_t d = ft_word_mistaken(word, word_of(ctx, i));

		if (d < least) {
			least = d;
			nearest = i;
		}
		if (length < sizeof all)
			length += (size_t)snprintf(all + length, sizeof all - length, "%s%s", i ? ", " : "",
						   word_of(ctx, i));
	}
	if (nearest < n)
		(void)ft_remedy(r->err, "the nearest that there is is '%s'", word_of(ctx, nearest));
	else if (n)
		(void)ft_remedy(r->err, "there are %s", all);
}

/* ---- values ------------------------------------------------------------------------------------------ */

const char *ft__reading_text(struct ft__conf_reading *r, const struct ft__conf_node *node)
{
	if (node->n || !node->text) {
		(void)ft__reading_fail(r, node, FT_EPARSE, "'%.40s' is one value, and has %s here",
				       node->name ? node->name : "an item of a list",
				       node->n ? "parts" : "none");
		return NULL;
	}
	return node->text;
}

static enum ft_status add_text(struct ft__conf_reading *r, const char *text, size_t length, char ***list,
			       size_t *n)
{
	char **moved = ft_realloc(*list, (*n + 1) * sizeof **list);

	if (moved)
		*list = moved;
	if (!moved || !(moved[*n] = ft_strndup(text, length)))
		return ft_nomem(r->err);
	++*n;
	return FT_OK;
}

static enum ft_status add_words(struct ft__conf_reading *r, const char *text, char ***list, size_t *n,
				bool split)
{
	static const char apart[] = " \t\r\n,";
	enum ft_status status = FT_OK;

	if (!split)
		return add_text(r, text, strlen(text), list, n);
	for (text += strspn(text, apart); !status && *text; text += strspn(text, apart)) {
		size_t length = strcspn(text, apart);

		status = add_text(r, text, length, list, n);
		text += length;
	}
	return status;
}

enum ft_status ft__reading_texts(struct ft__conf_reading *r, const struct ft__conf_node *node, char ***list,
				 size_t *n, bool split)
{
	enum ft_status status = FT_OK;

	if (node->text)
		return add_words(r, node->text, list, n, split);
	for (size_t i = 0; !status && i < node->n; i++) {
		const char *text = ft__reading_text(r, &node->child[i]);

		status = text ? add_text(r, text, strlen(text), list, n) : FT_EPARSE;
	}
	return status;
}

static enum ft_status take_text(struct ft__conf_reading *r, const char *text, void *at)
{
	char *copy = ft_strdup(text);

	if (!copy)
		return ft_nomem(r->err);
	ft_free(*(char **)at);
	*(char **)at = copy;
	return FT_OK;
}

/* ---- tables ------------------------------------------------------------------------------------------ */

enum ft_status ft__reading_value(struct ft__conf_reading *r, const struct ft__conf_node *node,
				 const struct ft_field *field, void *at)
{
	const char *text = ft__reading_text(r, node);
	struct ft_err err = {0};
	enum ft_status status = FT_OK;

	if (!text)
		return FT_EPARSE;
	if (field->kind == FT_FIELD_TEXT)
		return take_text(r, text, at);
	if (field->kind == FT_FIELD_FLAG)
		status = ft_flag_read(text, at, &err);
	else
		status = ft_field_read(field, at, text, &err);
	if (status)
		(void)ft_fail_at(&err, "%s", field->name);
	return ft__reading_explain(r, node, status, &err);
}

static enum ft_status read_row(struct ft__conf_reading *r, const struct ft__conf_node *node,
			       const struct ft__conf_row *row, void *into)
{
	char *at = (char *)into + row->field.at;

	if (row->call)
		return row->call(r, node, into);
	if (row->field.kind == FT_FIELD_TEXTS)
		return ft__reading_texts(r, node, (char ***)(void *)at,
					 (size_t *)(void *)((char *)into + row->at_n), true);
	return ft__reading_value(r, node, &row->field, at);
}

static const char *name_of(const void *ctx, size_t i)
{
	return ((const struct ft__conf_row *)ctx)[i].field.name;
}

static enum ft_status fail_unknown(struct ft__conf_reading *r, const struct ft__conf_node *node,
				   const char *what, const struct ft__conf_row *row)
{
	size_t n = 0;

	if (!node->name)
		return ft__reading_fail(r, node, FT_EPARSE, "%s has fields with names, not a list", what);
	(void)ft__reading_fail(r, node, FT_EPARSE, "%s has no field '%.60s'", what, node->name);
	while (row[n].field.name)
		n++;
	ft__reading_nearest(r, node->name, name_of, row, n);
	return FT_EPARSE;
}

static const struct ft__conf_row *row_of(const struct ft__conf_node *node, const struct ft__conf_row *row)
{
	for (; node->name && row->field.name; row++)
		if (!strcmp(row->field.name, node->name))
			return row;
	return NULL;
}

enum ft_status ft__rows_read(struct ft__conf_reading *r, const struct ft__conf_node *node, const char *what,
			     const struct ft__conf_row *row, void *into)
{
	enum ft_status status = FT_OK;

	if (node->text && !node->n)
		return ft__reading_fail(r, node, FT_EPARSE, "%s has fields, and is '%.40s' here", what,
					node->text);
	for (size_t i = 0; !status && i < node->n; i++) {
		const struct ft__conf_node *child = &node->child[i];
		const struct ft__conf_row *found = row_of(child, row);
		struct ft_err err = {0};

		if (!found)
			return fail_unknown(r, child, what, row);
		if (!found->many && ft__node_find(node, found->field.name) != child)
			return ft__reading_fail(r, child, FT_EPARSE, "%s has one '%s', and here a second one",
						what, child->name);
		for (size_t k = 0; !status && k < i; k++)
			status = ft_fields_together(&row_of(&node->child[k], row)->field, &found->field, "",
						    &err);
		status = status ? ft__reading_explain(r, child, status, &err)
				: read_row(r, child, found, into);
	}
	return status;
}
