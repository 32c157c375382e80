/* SPDX-License-Identifier: GPL-3.0-or-later */
/* config_xml.c - XML as a tree of texts. Attributes are parts like others; a text beside them is one called
 * "value". Whatever declares a document type is refused before that is read: no entity is expanded, no file
 * or address opened. */
#include "manager/config_node.h"

#include "base/alloc.h"
#include "base/text.h"

#include <libxml/parser.h>
#include <libxml/tree.h>
#include <string.h>

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

static enum ft_status fail_at(const struct xml *xml, long line, const char *what)
{
	return ft_fail(xml->err, FT_EPARSE, "%.100s:%ld: %s", xml->file, line, what);
}

static enum ft_status fail_parse(const struct xml *xml, xmlParserCtxtPtr parser)
{
	const xmlError *error = xmlCtxtGetLastError(parser);
	char why[200] = "it is no XML";

	if (xml->typed) {
		(void)fail_at(xml, parser->input ? parser->input->line : 1,
			      "a document type is declared: such, and entities, are not read");
		(void)ft_remedy(xml->err, "leave the line with <!DOCTYPE away");
		return FT_EPARSE;
	}
	if (error && error->message)
		(void)snprintf(why, sizeof why, "%s", error->message);
	size_t length = strlen(why);
	if (why[length - 1] == '\n')
		why[length - 1] = '\0';
	return fail_at(xml, error ? error->line : 1, why);
}

/* ---- the tree ---------------------------------------------------------------------------------------- */

static bool is_blank(const xmlNode *node)
{
	return xmlIsBlankNode(node);
}

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
		bool added = text && ft__node_add(node, (const char *)a->name, text, node->line);

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
		return fail_at(xml, xmlGetLineNo(element), "elements lie too deep in each other");
	for (const xmlNode *child = element->children; !status && child; child = child->next) {
		if (child->type == XML_ELEMENT_NODE)
			status = add_element(xml, node, child, depth + 1);
		else if (is_text(child) && !is_blank(child))
			status = fail_at(xml, xmlGetLineNo(child), "a text stands between elements");
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
		added = ft__node_add(node, "value", text, node->line);
	ft_free(text);
	return added ? FT_OK : ft_nomem(xml->err);
}

static enum ft_status add_element(const struct xml *xml, struct ft__conf_node *node, const xmlNode *element,
				  int depth)
{
	struct ft__conf_node *child =
		ft__node_add(node, (const char *)element->name, NULL, (unsigned)xmlGetLineNo(element));
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
