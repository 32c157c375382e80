/* SPDX-License-Identifier: GPL-3.0-or-later */
/* config_node.c - trees of named texts, and how a table of fields parses one. */
#include "base/alloc.h"
#include "base/number.h"
#include "base/text.h"
#include "foretime/base.h"
#include "manager/config_node.h"

#include <libconfig.h>
#include <libxml/parser.h>
#include <libxml/tree.h>
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

/* node_add - one part more, the last; NULL: no memory. Until the next is added. name, text: copied; may
 * be NULL. */
static struct ft__conf_node *node_add(struct ft__conf_node *node, const char *name, const char *text,
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

/* ---- tables ------------------------------------------------------------------------------------------ */

enum ft_status ft__reading_value(struct ft__conf_reading *r, const struct ft__conf_node *node,
				 const struct ft_field *field, void *at)
{
	const char *text = ft__reading_text(r, node);
	struct ft_err err = {0};
	enum ft_status status = FT_OK;

	if (!text)
		return FT_EPARSE;
	if (field->kind == FT_FIELD_TEXT) {
		char *copy = ft_strdup(text);

		if (!copy)
			return ft_nomem(r->err);
		ft_free(*(char **)at);
		*(char **)at = copy;
		return FT_OK;
	}
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

		if (!found) {
			size_t n = 0;

			if (!child->name)
				return ft__reading_fail(r, child, FT_EPARSE,
							"%s has fields with names, not a list", what);
			(void)ft__reading_fail(r, child, FT_EPARSE, "%s has no field '%.60s'", what,
					       child->name);
			while (row[n].field.name)
				n++;
			ft__reading_nearest(r, child->name, name_of, row, n);
			return FT_EPARSE;
		}
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

/*
 * Parse libconfig's format into a tree of texts.
 */

struct conf {
	const char *file, *text;
	struct ft_err *err;
};

static enum ft_status fail_at(const struct conf *conf, unsigned line, const char *what)
{
	return ft_fail(conf->err, FT_EPARSE, "%.100s:%u: %s", conf->file, line, what);
}

static const char *line_of(const char *text, unsigned line)
{
	while (--line && (text = strchr(text, '\n')))
		text++;
	return text;
}

static enum ft_status add_setting(const struct conf *conf, struct ft__conf_node *node,
				  const config_setting_t *setting, int depth);

static enum ft_status add_parts(const struct conf *conf, struct ft__conf_node *node,
				const config_setting_t *setting, int depth)
{
	int i, n = config_setting_length(setting);
	enum ft_status status = FT_OK;

	if (depth == FT__NODE_DEPTH)
		return fail_at(conf, config_setting_source_line(setting),
			       "groups and lists lie too deep in each other");
	for (i = 0; !status && i < n; i++)
		status = add_setting(conf, node, config_setting_get_elem(setting, (unsigned)i), depth + 1);
	return status;
}

static enum ft_status add_setting(const struct conf *conf, struct ft__conf_node *node,
				  const config_setting_t *setting, int depth)
{
	struct ft__conf_node *child;

	switch (config_setting_type(setting)) {
	case CONFIG_TYPE_INT:
	case CONFIG_TYPE_INT64: {
		/* libconfig cuts numbers to 32 bits without a word: the digits have to stand in the line that it names. */
		unsigned line = config_setting_source_line(setting);
		const char *at = line ? line_of(conf->text, line) : NULL, *end = at ? strchr(at, '\n') : NULL;
		size_t length = !at ? 0 : end ? (size_t)(end - at) : strlen(at);
		char digits[32];

		(void)snprintf(digits, sizeof digits, "%lld", config_setting_get_int64(setting));
		if (!memmem(at ? at : "", length, digits, strlen(digits)))
			return fail_at(conf, line,
				       "a number that is not decimal, or too large: write it in quotes");
		return node_add(node, config_setting_name(setting), digits, line) ? FT_OK
										  : ft_nomem(conf->err);
	}
	case CONFIG_TYPE_GROUP:
	case CONFIG_TYPE_LIST:
	case CONFIG_TYPE_ARRAY:
		child = node_add(node, config_setting_name(setting), NULL,
				 config_setting_source_line(setting));
		return child ? add_parts(conf, child, setting, depth) : ft_nomem(conf->err);
	default: {
		char number[64];
		const char *text = number;

		if (config_setting_type(setting) == CONFIG_TYPE_FLOAT)
			ft__double_print(number, sizeof number, 17, 'g', config_setting_get_float(setting));
		else if (config_setting_type(setting) == CONFIG_TYPE_BOOL)
			text = config_setting_get_bool(setting) ? "true" : "false";
		else
			text = config_setting_get_string(setting);
		return node_add(node, config_setting_name(setting), text ? text : "",
				config_setting_source_line(setting))
			       ? FT_OK
			       : ft_nomem(conf->err);
	}
	}
}

/* libconfig would open included files without our check of their owner. */
static enum ft_status refuse_includes(const struct conf *conf)
{
	const char *at = conf->text;

	for (unsigned line = 1;; line++) {
		at += strspn(at, " \t\r\f\v");
		if (!strncmp(at, "@include", strlen("@include")))
			return fail_at(conf, line, "nothing is included: put all into one file");
		const char *end = strchr(at, '\n');
		if (!end)
			return FT_OK;
		at = end + 1;
	}
}

enum ft_status ft__conf_parse(struct ft__conf_node *root, const char *file, const char *text,
			      struct ft_err *err)
{
	const struct conf conf = {file, text, err};
	enum ft_status status = refuse_includes(&conf);
	config_t config;

	if (status)
		return status;
	config_init(&config);
	if (config_read_string(&config, text)) {
		status = add_parts(&conf, root, config_root_setting(&config), 0);
	} else {
		const char *why = config_error_text(&config);

		status =
			fail_at(&conf, (unsigned)config_error_line(&config), why ? why : "it cannot be read");
	}
	config_destroy(&config);
	return status;
}

/*
 * Parse XML into a tree of texts. Attributes become children like elements; a text next to them becomes a
 * child called "value". A document type declaration is rejected before it is parsed: no entity is expanded,
 * no file or address opened.
 */

struct xml {
	const char *file;
	struct ft_err *err;
	bool typed; /* a document type was met */
};

static void refuse_type(void *ctx, const xmlChar *name, const xmlChar *external, const xmlChar *system)
{
	xmlParserCtxtPtr parser = ctx;
	struct xml *xml = parser->_private;

	(void)name;
	(void)external;
	(void)system;
	xml->typed = true;
	xmlStopParser(parser);
}

static enum ft_status xml_fail_at(const struct xml *xml, long line, const char *what)
{
	return ft_fail(xml->err, FT_EPARSE, "%.100s:%ld: %s", xml->file, line, what);
}

static enum ft_status fail_parse(const struct xml *xml, xmlParserCtxtPtr parser)
{
	const xmlError *error = xmlCtxtGetLastError(parser);
	char why[200] = "it is no XML";

	if (xml->typed) {
		(void)xml_fail_at(xml, parser->input ? parser->input->line : 1,
				  "a document type is declared: such, and entities, are not read");
		(void)ft_remedy(xml->err, "leave the line with <!DOCTYPE away");
		return FT_EPARSE;
	}
	if (error && error->message)
		(void)snprintf(why, sizeof why, "%s", error->message);
	size_t length = strlen(why);
	if (why[length - 1] == '\n')
		why[length - 1] = '\0';
	return xml_fail_at(xml, error ? error->line : 1, why);
}

/* ---- the tree ---------------------------------------------------------------------------------------- */

static bool is_text(const xmlNode *node)
{
	return node->type == XML_TEXT_NODE || node->type == XML_CDATA_SECTION_NODE;
}

static bool has_elements(const xmlNode *node)
{
	for (node = node->children; node; node = node->next)
		if (node->type == XML_ELEMENT_NODE)
			return true;
	return false;
}

/* The text of an element, without the blanks around it. Heap. */
static char *text_of(const xmlNode *node)
{
	static const char blanks[] = " \t\r\n";
	struct ft_text text = {0};
	size_t end;

	ft_text_add(&text, "%s", "");
	for (node = node->children; node; node = node->next)
		if (is_text(node) && node->content)
			ft_text_add(&text, "%s", (const char *)node->content);
	char *all = ft_text_take(&text);
	if (!all)
		return NULL;
	size_t begin = strspn(all, blanks);
	for (end = strlen(all); end > begin && strchr(blanks, all[end - 1]); end--)
		;
	memmove(all, all + begin, end - begin);
	all[end - begin] = '\0';
	return all;
}

static enum ft_status add_attributes(const struct xml *xml, struct ft__conf_node *node,
				     const xmlNode *element)
{
	for (const xmlAttr *a = element->properties; a; a = a->next) {
		char *text = text_of((const xmlNode *)a);
		bool added = text && node_add(node, (const char *)a->name, text, node->line);

		ft_free(text);
		if (!added)
			return ft_nomem(xml->err);
	}
	return FT_OK;
}

static enum ft_status add_element(const struct xml *xml, struct ft__conf_node *node, const xmlNode *element,
				  int depth);

static enum ft_status add_elements(const struct xml *xml, struct ft__conf_node *node, const xmlNode *element,
				   int depth)
{
	enum ft_status status = FT_OK;

	if (depth == FT__NODE_DEPTH)
		return xml_fail_at(xml, xmlGetLineNo(element), "elements lie too deep in each other");
	for (const xmlNode *child = element->children; !status && child; child = child->next) {
		if (child->type == XML_ELEMENT_NODE)
			status = add_element(xml, node, child, depth + 1);
		else if (is_text(child) && !xmlIsBlankNode(child))
			status = xml_fail_at(xml, xmlGetLineNo(child), "a text stands between elements");
	}
	return status;
}

static enum ft_status add_value(const struct xml *xml, struct ft__conf_node *node, const xmlNode *element)
{
	char *text = text_of(element);
	bool added = text;

	if (text && !node->n) {
		node->text = text;
		return FT_OK;
	}
	if (text && *text)
		added = node_add(node, "value", text, node->line);
	ft_free(text);
	return added ? FT_OK : ft_nomem(xml->err);
}

static enum ft_status add_element(const struct xml *xml, struct ft__conf_node *node, const xmlNode *element,
				  int depth)
{
	struct ft__conf_node *child =
		node_add(node, (const char *)element->name, NULL, (unsigned)xmlGetLineNo(element));
	enum ft_status status = child ? add_attributes(xml, child, element) : ft_nomem(xml->err);

	if (status)
		return status;
	return has_elements(element) ? add_elements(xml, child, element, depth)
				     : add_value(xml, child, element);
}

/* The file is one part of the root: <config>. */
enum ft_status ft__xml_parse(struct ft__conf_node *root, const char *file, const char *text, size_t length,
			     struct ft_err *err)
{
	struct xml xml = {file, err, false};
	xmlParserCtxtPtr parser = xmlNewParserCtxt();
	enum ft_status status;

	if (!parser)
		return ft_nomem(err);
	parser->_private = &xml;
	parser->sax->internalSubset = refuse_type;
	xmlDocPtr document = xmlCtxtReadMemory(parser, text, (int)length, NULL, NULL,
					       XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
	if (!document || xml.typed || !xmlDocGetRootElement(document))
		status = fail_parse(&xml, parser);
	else
		status = add_element(&xml, root, xmlDocGetRootElement(document), 0);
	xmlFreeDoc(document);
	xmlFreeParserCtxt(parser);
	return status;
}
