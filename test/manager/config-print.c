/* SPDX-License-Identifier: GPL-3.0-or-later */
/* config-print.c - a configuration written as a manager.conf. */
#include "config-print.h"

#include "base/number.h"
#include "facts/door.h"
#include "foretime/base.h"

/* ---- values ------------------------------------------------------------------------------------------ */

/* In quotes, as libconfig reads it. */
static void add_quoted(struct ft_text *out, const char *text)
{
	ft_text_add(out, "\"");
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c == '"' || c == '\\')
			ft_text_add(out, "\\%c", c);
		else if (c < ' ' || c == 0x7f)
			ft_text_add(out, "\\x%02x", c);
		else
			ft_text_add_bytes(out, text, 1);
	}
	ft_text_add(out, "\"");
}

static void add_text(struct ft_text *out, const char *indent, const char *name, const char *text)
{
	if (!text)
		return;
	ft_text_add(out, "%s%s = ", indent, name);
	add_quoted(out, text);
	ft_text_add(out, ";\n");
}

static void add_texts(struct ft_text *out, const char *indent, const char *name, char *const *list, size_t n)
{
	if (!n)
		return;
	ft_text_add(out, "%s%s = [", indent, name);
	for (size_t i = 0; i < n; i++) {
		ft_text_add(out, "%s", i ? ", " : "");
		add_quoted(out, list[i]);
	}
	ft_text_add(out, "];\n");
}

/* In quotes too: libconfig's numbers have 32 bits. unit: behind it. */
static void add_number(struct ft_text *out, const char *indent, const char *name, double value,
		       const char *unit)
{
	char number[FT_NUMBER_LENGTH];

	if (value > 0 || value < 0)
		ft_text_add(out, "%s%s = \"%s%s\";\n", indent, name, ft_number_format(value, number), unit);
}

static void add_flag(struct ft_text *out, const char *indent, const char *name, bool flag)
{
	if (flag)
		ft_text_add(out, "%s%s = true;\n", indent, name);
}

/* ---- policies ---------------------------------------------------------------------------------------- */

static const char *names_of(const struct ft_condition *c)
{
	if (c->kind == FT_CONDITION_PROCESS)
		return "process";
	if (c->kind == FT_CONDITION_HALT_FILE)
		return "path";
	return c->only ? "users" : "except";
}

static void add_patience(struct ft_text *out, const char *indent, double patience_s)
{
	char number[FT_NUMBER_LENGTH];

	ft_text_add(out, "%spatience = \"%ss\";\n", indent, ft_number_format(patience_s, number));
}

static void add_condition(struct ft_text *out, const struct ft_condition *c)
{
	static const char indent[] = "      ";

	ft_text_add(out, "    {\n");
	add_text(out, indent, "type", ft_condition_text(c->kind));
	add_texts(out, indent, names_of(c), c->names, c->n_names);
	add_number(out, indent, "threshold", c->threshold, "");
	add_text(out, indent, "action", ft_say_text(c->say));
	add_patience(out, indent, c->patience_s);
	ft_text_add(out, "    }");
}

static void add_windows(struct ft_text *out, const struct ft_policy *policy)
{
	char window[FT_WINDOW_LENGTH];

	for (size_t i = 0; i < policy->n_windows; i++) {
		(void)ft_window_format(&policy->windows[i], window, sizeof window);
		ft_text_add(out, "%s\"%s\"", i ? ", " : "    when = [", window);
	}
	ft_text_add(out, "%s", policy->n_windows ? "];\n" : "");
}

static void add_policy(struct ft_text *out, const struct ft_policy *policy)
{
	static const char indent[] = "    ";
	char moment[FT__MOMENT_LENGTH];

	ft_text_add(out, "  {\n");
	add_text(out, indent, "time", ft_time_text(policy->time));
	if (policy->time == FT_TIME_UNTIL)
		add_text(out, indent, "until", ft__moment_format(policy->until_s * 1000000000, moment));
	add_windows(out, policy);
	add_text(out, indent, "at_end", ft_say_text(policy->at_end));
	add_patience(out, indent, policy->patience_s);
	for (size_t i = 0; i < policy->n_conditions; i++) {
		ft_text_add(out, "%s", i ? ",\n" : "    conditions = (\n");
		add_condition(out, &policy->conditions[i]);
	}
	ft_text_add(out, "%s  }", policy->n_conditions ? ");\n" : "");
}

static void add_policies(struct ft_text *out, const char *indent, const struct ft_policies *policies)
{
	for (size_t i = 0; i < policies->n; i++) {
		ft_text_add(out, "%s%s", i ? ",\n" : indent, i ? "" : "policies = (\n");
		add_policy(out, &policies->policy[i]);
	}
	ft_text_add(out, "%s", policies->n ? ");\n" : "");
}

/* ---- problems ---------------------------------------------------------------------------------------- */

static void add_params(struct ft_text *out, const char *indent, const struct ft_program *program)
{
	char range[FT_RANGE_LENGTH];

	ft_text_add(out, "%sparameters = [", indent);
	for (size_t i = 0; i < program->n_params; i++) {
		(void)ft_param_format(&program->param[i], range, sizeof range);
		ft_text_add(out, "%s\"%s=%s\"", i ? ", " : "", program->param[i].name,
			    *range ? range : "0"); /* here each has a range: 0:0 is the value */
	}
	ft_text_add(out, "];\n");
}

static void add_problem(struct ft_text *out, const struct ft_manager_problem *p)
{
	static const char indent[] = "  ";

	ft_text_add(out, "{\n");
	add_text(out, indent, "name", p->program.name);
	add_texts(out, indent, "command", p->program.argv, p->program.argc);
	add_text(out, indent, "directory", p->directory);
	add_text(out, indent, "model_path", p->model_path);
	add_params(out, indent, &p->program);
	add_text(out, indent, "where", p->program.where);
	add_text(out, indent, "work", p->program.work);
	add_number(out, indent, "priority", p->priority, "");
	add_text(out, indent, "method", p->builder->name);
	add_number(out, indent, "tolerance", p->tolerance, "");
	add_number(out, indent, "budget", p->budget_s, "s");
	add_number(out, indent, "time", p->timeout_s, "s");
	add_number(out, indent, "memory", p->memory_bytes, "");
	add_number(out, indent, "points", (double)p->points, "");
	add_number(out, indent, "reps_least", (double)p->reps_least, "");
	add_number(out, indent, "reps_most", (double)p->reps_most, "");
	add_number(out, indent, "reps_time", p->reps_limit_s, "s");
	add_flag(out, indent, "end_zero", p->end_zero);
	add_flag(out, indent, "contract", p->contract);
	add_policies(out, indent, &p->policies);
	ft_text_add(out, "}");
}

static void add_load(struct ft_text *out, const struct ft_manager_config *config)
{
	static const char indent[] = "  ";

	if (!config->load_path && !(config->load_period_s > 0) && !config->load_history)
		return;
	ft_text_add(out, "load_monitor = {\n");
	add_text(out, indent, "load_path", config->load_path);
	add_number(out, indent, "write_period", config->load_period_s, "s");
	add_number(out, indent, "history_size", (double)config->load_history, "");
	ft_text_add(out, "};\n");
}

void config_print(const struct ft_manager_config *config, struct ft_text *out)
{
	add_text(out, "", "store", config->store);
	add_text(out, "", "socket", config->socket);
	add_text(out, "", "spool", config->spool);
	add_flag(out, "", "open_to_all", config->open_to_all);
	add_text(out, "", "address", config->address);
	add_text(out, "", "certificate", config->certificate);
	add_text(out, "", "key", config->key);
	add_text(out, "", "token", config->token);
	add_texts(out, "", "hosts", config->hosts, config->n_hosts);
	add_text(out, "", "user", config->user);
	add_texts(out, "", "trusted", config->trusted, config->n_trusted);
	add_text(out, "", "order", ft_order_text(config->order));
	add_load(out, config);
	add_policies(out, "", &config->policies);
	for (size_t i = 0; i < config->n_problems; i++) {
		ft_text_add(out, "%s", i ? ",\n" : "problems = (\n");
		add_problem(out, &config->problem[i]);
	}
	ft_text_add(out, "%s", config->n_problems ? ");\n" : "");
}
