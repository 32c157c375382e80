/* SPDX-License-Identifier: GPL-3.0-or-later */
/* config_node.h - a configuration as a tree of named texts, for all formats; and tables of the fields of
 * its parts. */
#ifndef FT_MANAGER_CONFIG_NODE_H
#define FT_MANAGER_CONFIG_NODE_H

#include "base/field.h"
#include "manager/config.h"

#include <stdbool.h>
#include <stddef.h>

enum { FT__NODE_DEPTH = 16, FT__CONFIG_MAX = 1 << 18 };

struct ft__conf_node {
	char *name; /* heap; NULL: an item of a list */
	char *text; /* heap; NULL: it has parts instead */
	unsigned line;
	struct ft__conf_node *child; /* [n] heap */
	size_t n, capacity;
};

void ft__node_clear(struct ft__conf_node *node);

/* ft__node_find - its part of a name; NULL: there is none. */
const struct ft__conf_node *ft__node_find(const struct ft__conf_node *node, const char *name);

/* Both: root is an empty node, which gets the parts of the file. FT_EPARSE with file and line. */
enum ft_status ft__conf_parse(struct ft__conf_node *root, const char *file, const char *text,
			      struct ft_err *err);
enum ft_status ft__xml_parse(struct ft__conf_node *root, const char *file, const char *text, size_t length,
			     struct ft_err *err);

/* ---- reading a tree ---------------------------------------------------------------------------------- */

struct ft__conf_reading {
	const char *file;
	struct ft_err *err;
};

/* A field of a part; the last row of a table has no name. Texts are copied, flags are "true", "yes", "1"
 * or "false", "no", "0". PMM's names of fields that are named otherwise here have no help. */
struct ft__conf_row {
	struct ft_field field;
	bool many;   /* it may be there more than once */
	size_t at_n; /* FT_FIELD_TEXTS, which is a char **: where their number stands */
	enum ft_status (*call)(struct ft__conf_reading *r, const struct ft__conf_node *node,
			       void *into); /* parses it, of any kind */
};
/* clang-format off */
#define FT__CONF(key, kind_, ...) .field = {.name = (key), .kind = (kind_), __VA_ARGS__}
#define FT__PART(key, function, text) .field = {.name = (key), .help = (text)}, .call = (function)
#define FT__OLD(key, function) .field = {.name = (key)}, .call = (function)
/* clang-format on */

/* ft__rows_read - parse the parts of a node by a table.
 *
 * what   "a problem", for messages
 *
 * Returns FT_OK; FT_EPARSE: no such field (the nearest is named), one that is there twice, an invalid value;
 * FT_EINVAL: one out of range, or a field that another one excludes; what `call` returns.
 */
enum ft_status ft__rows_read(struct ft__conf_reading *r, const struct ft__conf_node *node, const char *what,
			     const struct ft__conf_row *row, void *into);

/* ft__reading_fail - "FILE:LINE: ...". */
enum ft_status ft__reading_fail(struct ft__conf_reading *r, const struct ft__conf_node *node,
				enum ft_status status, const char *format, ...) FT_PRINTF(4, 5);

/* ft__reading_explain - put file and line before a failure of a function that knew neither; returns its
 * status. */
enum ft_status ft__reading_explain(struct ft__conf_reading *r, const struct ft__conf_node *node,
				   enum ft_status status, struct ft_err *of);

/* ft__reading_nearest - the remedy after a word that is none: the nearest of n, or all. */
void ft__reading_nearest(struct ft__conf_reading *r, const char *word,
			 const char *(*word_of)(const void *ctx, size_t i), const void *ctx, size_t n);

/* ft__reading_text - its text; NULL, and a failure, where it has parts or none. */
const char *ft__reading_text(struct ft__conf_reading *r, const struct ft__conf_node *node);

/* ft__reading_value - its text as the value of a field, but for FT_FIELD_TEXTS. */
enum ft_status ft__reading_value(struct ft__conf_reading *r, const struct ft__conf_node *node,
				 const struct ft_field *field, void *at);

/* ft__reading_texts - one text more, or those of a list; words apart by blanks or commas with `split`. */
enum ft_status ft__reading_texts(struct ft__conf_reading *r, const struct ft__conf_node *node, char ***list,
				 size_t *n, bool split);

/*
 * The parts of a configuration, each parsed into the structs of the manager.
 */

extern const struct ft__conf_row ft__problem_rows[], ft__policy_rows[], ft__condition_rows[];

/* Each parses one part and appends it; the last two take lists. */
enum ft_status ft__policy_read(struct ft__conf_reading *r, const struct ft__conf_node *node,
			       struct ft_policies *policies);
enum ft_status ft__policies_read(struct ft__conf_reading *r, const struct ft__conf_node *node,
				 struct ft_policies *policies);

/* ft__policy_of_word - the one word that PMM's released code has for all of a policy: now, idle, nousers. */
enum ft_status ft__policy_of_word(struct ft__conf_reading *r, const struct ft__conf_node *node,
				  struct ft_policies *policies);

#endif
