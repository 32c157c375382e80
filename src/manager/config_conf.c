/* SPDX-License-Identifier: GPL-3.0-or-later */
/* config_conf.c - libconfig's format as a tree of texts. */
#include "manager/config_node.h"

#include "base/number.h"

#include <libconfig.h>
#include <stdio.h>
#include <string.h>

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

/* libconfig cuts numbers to 32 bits without a word: the digits have to stand in the line that it names. */
static enum ft_status add_int(const struct conf *conf, struct ft__conf_node *node,
			      const config_setting_t *setting)
{
	unsigned line = config_setting_source_line(setting);
	const char *at = line ? line_of(conf->text, line) : NULL, *end = at ? strchr(at, '\n') : NULL;
	size_t length = !at ? 0 : end ? (size_t)(end - at) : strlen(at);
	char digits[32];

	(void)snprintf(digits, sizeof digits, "%lld", config_setting_get_int64(setting));
	if (!memmem(at ? at : "", length, digits, strlen(digits)))
		return fail_at(conf, line, "a number that is not decimal, or too large: write it in quotes");
	return ft__node_add(node, config_setting_name(setting), digits, line) ? FT_OK : ft_nomem(conf->err);
}

static enum ft_status add_scalar(const struct conf *conf, struct ft__conf_node *node,
				 const config_setting_t *setting)
{
	char number[64];
	const char *text = number;

	if (config_setting_type(setting) == CONFIG_TYPE_FLOAT)
		ft__double_print(number, sizeof number, 17, 'g', config_setting_get_float(setting));
	else if (config_setting_type(setting) == CONFIG_TYPE_BOOL)
		text = config_setting_get_bool(setting) ? "true" : "false";
	else
		text = config_setting_get_string(setting);
	return ft__node_add(node, config_setting_name(setting), text ? text : "",
			    config_setting_source_line(setting))
		       ? FT_OK
		       : ft_nomem(conf->err);
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
	case CONFIG_TYPE_INT64:
		return add_int(conf, node, setting);
	case CONFIG_TYPE_GROUP:
	case CONFIG_TYPE_LIST:
	case CONFIG_TYPE_ARRAY:
		child = ft__node_add(node, config_setting_name(setting), NULL,
				     config_setting_source_line(setting));
		return child ? add_parts(conf, child, setting, depth) : ft_nomem(conf->err);
	default:
		return add_scalar(conf, node, setting);
	}
}

/* What libconfig would open by itself is a file that nobody looked at. */
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
	if (config_read_string(&config, text))
		status = add_parts(&conf, root, config_root_setting(&config), 0);
	else {
		const char *why = config_error_text(&config);

		status =
			fail_at(&conf, (unsigned)config_error_line(&config), why ? why : "it cannot be read");
	}
	config_destroy(&config);
	return status;
}
