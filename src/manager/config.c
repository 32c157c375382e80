/* SPDX-License-Identifier: GPL-3.0-or-later */
/* config.c - the whole of a configuration. */
#include "manager/config.h"

#include "base/alloc.h"
#include "manager/config_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define COUNT(rows) (sizeof(rows) / sizeof *(rows))
#define FIELD(name) offsetof(struct ft_manager_config, name)

static void clear_texts(char **list, size_t n)
{
	while (n)
		ft_free(list[--n]);
	ft_free(list);
}

void ft_manager_config_clear(struct ft_manager_config *config)
{
	if (!config)
		return;
	for (size_t i = 0; i < config->n_problems; i++)
		ft__problem_clear(&config->problem[i]);
	ft_free(config->problem);
	ft_policies_clear(&config->policies);
	clear_texts(config->hosts, config->n_hosts);
	clear_texts(config->trusted, config->n_trusted);
	ft_free(config->path);
	ft_free(config->store);
	ft_free(config->socket);
	ft_free(config->spool);
	ft_free(config->address);
	ft_free(config->certificate);
	ft_free(config->key);
	ft_free(config->token);
	ft_free(config->user);
	ft_free(config->load_path);
	*config = (struct ft_manager_config){0};
}

/* ---- fields ------------------------------------------------------------------------------------------ */

static const char *order_word(const void *ctx, size_t i)
{
	(void)ctx;
	return ft_order_text((enum ft_order)i);
}

static enum ft_status read_order(struct ft__conf_reading *r, const struct ft__conf_node *node, void *into)
{
	const char *text = ft__reading_text(r, node);

	if (!text)
		return FT_EPARSE;
	if (ft_order_parse(text, &((struct ft_manager_config *)into)->order))
		return FT_OK;
	(void)ft__reading_fail(r, node, FT_EPARSE, "there is no order '%.60s'", text);
	ft__reading_nearest(r, text, order_word, NULL, FT_ORDER_PMM + 1);
	return FT_EPARSE;
}

static enum ft_status read_policies(struct ft__conf_reading *r, const struct ft__conf_node *node, void *into)
{
	return ft__policies_read(r, node, &((struct ft_manager_config *)into)->policies);
}

static enum ft_status read_policy(struct ft__conf_reading *r, const struct ft__conf_node *node, void *into)
{
	return ft__policy_read(r, node, &((struct ft_manager_config *)into)->policies);
}

static enum ft_status read_problem(struct ft__conf_reading *r, const struct ft__conf_node *node, void *into)
{
	return ft__problem_read(r, node, into);
}

static enum ft_status read_problems(struct ft__conf_reading *r, const struct ft__conf_node *node, void *into)
{
	enum ft_status status = FT_OK;

	if (node->text)
		return ft__reading_fail(r, node, FT_EPARSE,
					"problems are a list, ( { ... } ), and '%.40s' here", node->text);
	for (size_t i = 0; !status && i < node->n; i++)
		status = ft__problem_read(r, &node->child[i], into);
	return status;
}

static const struct ft__conf_row load_rows[] = {
	{FT__CONF("load_path", FT_FIELD_TEXT, .at = FIELD(load_path),
		  .help = "the file; default: the load is kept in the store alone, for a month")},
	{FT__CONF("write_period", FT_FIELD_DURATION, .at = FIELD(load_period_s), .least = 1, .most = 86400,
		  .help = "time between two looks at the load, and two writes; default 10s")},
	{FT__CONF("history_size", FT_FIELD_COUNT, .at = FIELD(load_history), .least = 1, .most = 1e7,
		  .help = "newest observations that the file keeps; default 8640")},
	{.call = NULL},
};

static enum ft_status read_load(struct ft__conf_reading *r, const struct ft__conf_node *node, void *into)
{
	return ft__rows_read(r, node, "a load monitor", load_rows, into);
}

/* What PMM's fixed loop needed: here events say when there is something to do, and every run is stored at
 * once. */
static enum ft_status pass(struct ft__conf_reading *r, const struct ft__conf_node *node, void *into)
{
	static const struct ft_field number = {.name = "this", .kind = FT_FIELD_NUMBER};
	double value;

	(void)into;
	return ft__reading_value(r, node, &number, &value);
}

static const struct ft__conf_row rows[] = {
	{FT__CONF("store", FT_FIELD_TEXT, .at = FIELD(store),
		  .help = "path of the store; default: as of all commands")},
	{FT__CONF("socket", FT_FIELD_TEXT, .at = FIELD(socket),
		  .help = "path of the socket on which the manager answers; default: "
			  "$XDG_RUNTIME_DIR/foretime/manager.sock")},
	{FT__CONF("spool", FT_FIELD_TEXT, .at = FIELD(spool),
		  .help = "folder where programs write timings; default: as --spool of foretime-serve(1)")},
	{FT__CONF("open_to_all", FT_FIELD_FLAG, .at = FIELD(open_to_all),
		  .help = "whether every user of this machine may ask; default: false, only the user of the "
			  "manager")},
	{FT__CONF("address", FT_FIELD_TEXT, .at = FIELD(address),
		  .help = "network address to answer on, as in \"0.0.0.0:8443\"; default: no network")},
	{FT__CONF("certificate", FT_FIELD_TEXT, .at = FIELD(certificate),
		  .help = "path of the certificate (PEM) for that address")},
	{FT__CONF("key", FT_FIELD_TEXT, .at = FIELD(key),
		  .help = "path of its key (PEM), readable for its owner alone (mode 600)")},
	{FT__CONF("token", FT_FIELD_TEXT, .at = FIELD(token),
		  .help = "path of the file with the token that each request over the network has to show "
			  "(mode 600)")},
	{FT__CONF("hosts", FT_FIELD_TEXTS, .at = FIELD(hosts),
		  .help = "names by which requests over the network may call this machine"),
	 .at_n = FIELD(n_hosts)},
	{FT__CONF("user", FT_FIELD_TEXT, .at = FIELD(user),
		  .help = "user as whom benchmarks run, where the manager runs as root")},
	{FT__CONF("trusted", FT_FIELD_TEXTS, .at = FIELD(trusted),
		  .help = "users (names, or numbers) whose timings enter the models of the names that they "
			  "state"),
	 .at_n = FIELD(n_trusted)},
	{FT__PART("order", read_order, "which benchmark goes first: gain (default) or pmm")},
	{FT__PART("load_monitor", read_load,
		  "a file of the load of other processes: a group with the three settings below")},
	{FT__PART("policies", read_policies,
		  "when benchmarks may run: a list of groups, see A POLICY; default: at any time")},
	{FT__OLD("benchmarking_policies", read_policies)},
	{FT__OLD("policy", read_policy), .many = true},
	{FT__PART("problems", read_problems,
		  "what gets a model: a list of groups, see A PROBLEM; default: none")},
	{FT__OLD("problem", read_problem), .many = true},
	{FT__OLD("routine", read_problem), .many = true},
	{FT__OLD("main_sleep_period", pass)},
	{FT__OLD("model_write_time_threshold", pass)},
	{FT__OLD("model_write_execs_threshold", pass)},
	{.call = NULL},
};

void ft_manager_config_manual(struct ft_text *out)
{
	static const struct {
		const char *name;
		const struct ft__conf_row *row;
	} part[] = {{"CONFIGURATION", rows},
		    {"LOAD", load_rows},
		    {"PROBLEM", ft__problem_rows},
		    {"POLICY", ft__policy_rows},
		    {"CONDITION", ft__condition_rows}};

	for (size_t i = 0; i < COUNT(part); i++) {
		ft_text_add(out, "%s@%s@\n", i ? "\n" : "", part[i].name);
		for (const struct ft__conf_row *row = part[i].row; row->field.name; row++) {
			if (!row->field.help)
				continue;
			ft_text_add(out, "\n*%s*\n\t", row->field.name);
			for (const char *c = row->field.help; *c; c++)
				ft_text_add(out, strchr("*_", *c) ? "\\%c" : "%c", *c);
			ft_text_add(out, ".\n");
		}
	}
}

/* ---- the whole --------------------------------------------------------------------------------------- */

static enum ft_status check_network(struct ft__conf_reading *r, const struct ft__conf_node *root,
				    const struct ft_manager_config *config)
{
	if (config->address && (!config->certificate || !config->key || !config->token))
		return ft__reading_fail(
			r, root, FT_EINVAL,
			"an 'address' needs 'certificate', 'key' and 'token': the manager does not serve "
			"a network without them");
	return FT_OK;
}

static enum ft_status read_tree(struct ft_manager_config *out, const char *name,
				const struct ft__conf_node *root, bool is_xml, struct ft_err *err)
{
	struct ft__conf_reading r = {name, err};
	const struct ft__conf_node *top = is_xml ? &root->child[0] : root;
	enum ft_status status;

	if (is_xml && (!strcmp(top->name, "problem") || !strcmp(top->name, "routine")))
		status = ft__problem_read(&r, top, out);
	else if (is_xml && strcmp(top->name, "config") != 0)
		status = ft__reading_fail(&r, top, FT_EPARSE, "the root is <config>, and '%.40s' here",
					  top->name);
	else
		status = ft__rows_read(&r, top, "a configuration", rows, out);
	return status ? status : check_network(&r, top, out);
}

enum ft_status ft_manager_config_parse(struct ft_manager_config *out, const char *name, const char *bytes,
				       size_t length, struct ft_err *err)
{
	static const char mark[] = "\xef\xbb\xbf";
	struct ft__conf_node root = {.line = 1};

	*out = (struct ft_manager_config){0};
	if (length > FT__CONFIG_MAX || memchr(bytes, '\0', length))
		return ft_fail(err, FT_EPARSE, "'%.100s' is no configuration: it is %s", name,
			       length > FT__CONFIG_MAX ? "larger than 256 KiB" : "no text");
	char *text = ft_strndup(bytes, length);
	out->path = ft_strdup(name);
	if (!text || !out->path) {
		ft_free(text);
		ft_manager_config_clear(out);
		return ft_nomem(err);
	}
	char *at = text + (strncmp(text, mark, 3) ? 0 : 3);
	bool is_xml = at[strspn(at, " \t\r\n")] == '<';
	enum ft_status status = is_xml ? ft__xml_parse(&root, name, at, strlen(at), err)
				       : ft__conf_parse(&root, name, at, err);
	if (!status)
		status = read_tree(out, name, &root, is_xml, err);
	ft__node_clear(&root);
	ft_free(text);
	if (status)
		ft_manager_config_clear(out);
	return status;
}

/* At most `most` bytes; more are told by one. */
static ssize_t read_bytes(int fd, char *bytes, size_t most)
{
	size_t length = 0;

	while (length < most) {
		ssize_t n = read(fd, bytes + length, most - length);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -1 : (ssize_t)length;
		length += (size_t)n;
	}
	return (ssize_t)length;
}

static enum ft_status read_fd(struct ft_manager_config *out, const char *path, int fd, struct ft_err *err)
{
	char *bytes = ft_malloc(FT__CONFIG_MAX + 1);
	struct stat st;

	if (!bytes)
		return ft_nomem(err);
	if (!fstat(fd, &st) && !S_ISREG(st.st_mode)) {
		ft_free(bytes);
		return ft_fail(err, FT_EIO, "'%.200s' is no file", path);
	}
	ssize_t length = read_bytes(fd, bytes, FT__CONFIG_MAX + 1);
	enum ft_status status = length < 0 ? ft_fail_errno(err, errno, "cannot read '%.200s'", path)
					   : ft_manager_config_parse(out, path, bytes, (size_t)length, err);
	ft_free(bytes);
	return status;
}

enum ft_status ft_manager_config_read(struct ft_manager_config *out, const char *path, struct ft_err *err)
{
	int fd;
	enum ft_status status = ft_manager_open_file(path, (uid_t)-1, &fd, err);

	*out = (struct ft_manager_config){0};
	if (status)
		return status;
	status = read_fd(out, path, fd, err);
	(void)close(fd);
	return status;
}
