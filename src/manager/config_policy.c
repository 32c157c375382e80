/* SPDX-License-Identifier: GPL-3.0-or-later */
/* config_policy.c - policies: a time constraint and the conditions that halt benchmarks (001 II.B). */
#include "manager/config_node.h"

#include "base/alloc.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define COUNT(rows) (sizeof(rows) / sizeof *(rows))

/* Default time after which a frozen benchmark is ended. */
static const double usual_patience_s = 600;

/* ---- words ------------------------------------------------------------------------------------------- */

static const char *condition_word(const void *ctx, size_t i)
{
	(void)ctx;
	return ft_condition_text((enum ft_condition_kind)i);
}

static const char *time_word(const void *ctx, size_t i)
{
	(void)ctx;
	return ft_time_text((enum ft_time_kind)i);
}

/* The word for what happens to a running benchmark: FINISH, FREEZE, END. */
static const char *say_word(const void *ctx, size_t i)
{
	(void)ctx;
	return ft_say_text((enum ft_say)(i + FT_SAY_FINISH));
}

static enum ft_status fail_word(struct ft__conf_reading *r, const struct ft__conf_node *node,
				const char *what, const char *(*word)(const void *, size_t), size_t n)
{
	(void)ft__reading_fail(r, node, FT_EPARSE, "there is no %s '%.60s'", what, node->text);
	ft__reading_nearest(r, node->text, word, NULL, n);
	return FT_EPARSE;
}

static enum ft_status read_say(struct ft__conf_reading *r, const struct ft__conf_node *node, enum ft_say *say)
{
	const char *text = ft__reading_text(r, node);

	if (!text)
		return FT_EPARSE;
	if (ft_say_parse(text, say) && *say != FT_SAY_START)
		return FT_OK;
	return fail_word(r, node, "action", say_word, FT_SAY_END - FT_SAY_FINISH + 1);
}

/* ---- conditions -------------------------------------------------------------------------------------- */

static enum ft_status read_action(struct ft__conf_reading *r, const struct ft__conf_node *node, void *into)
{
	return read_say(r, node, &((struct ft_condition *)into)->say);
}

/* The type was read before the other fields. */
static enum ft_status pass_type(struct ft__conf_reading *r, const struct ft__conf_node *node, void *into)
{
	(void)r;
	(void)node;
	(void)into;
	return FT_OK;
}

static bool is_of_users(const struct ft_condition *c)
{
	return c->kind == FT_CONDITION_USER_LOGIN || c->kind == FT_CONDITION_USER_PROCESS;
}

static enum ft_status fail_kind(struct ft__conf_reading *r, const struct ft__conf_node *node,
				const struct ft_condition *c)
{
	return ft__reading_fail(r, node, FT_EPARSE, "'%.40s' means nothing to a %s", node->name,
				ft_condition_text(c->kind));
}

/* The names of a list; `wanted`: whether the kind takes names. */
static enum ft_status read_names(struct ft__conf_reading *r, const struct ft__conf_node *node,
				 struct ft_condition *c, bool wanted)
{
	if (!wanted)
		return fail_kind(r, node, c);
	return ft__reading_texts(r, node, &c->names, &c->n_names, c->kind != FT_CONDITION_HALT_FILE);
}

static enum ft_status read_except(struct ft__conf_reading *r, const struct ft__conf_node *node, void *into)
{
	struct ft_condition *c = into;

	return read_names(r, node, c, is_of_users(c));
}

static enum ft_status read_users(struct ft__conf_reading *r, const struct ft__conf_node *node, void *into)
{
	struct ft_condition *c = into;

	c->only = true;
	return read_names(r, node, c, is_of_users(c));
}

static enum ft_status read_process(struct ft__conf_reading *r, const struct ft__conf_node *node, void *into)
{
	struct ft_condition *c = into;

	return read_names(r, node, c, c->kind == FT_CONDITION_PROCESS);
}

static enum ft_status read_path(struct ft__conf_reading *r, const struct ft__conf_node *node, void *into)
{
	struct ft_condition *c = into;

	return read_names(r, node, c, c->kind == FT_CONDITION_HALT_FILE);
}

static enum ft_status read_threshold(struct ft__conf_reading *r, const struct ft__conf_node *node, void *into)
{
	static const struct ft_field threshold = {
		.name = "threshold", .kind = FT_FIELD_NUMBER, .least = 1e-6, .most = 1e6};
	struct ft_condition *c = into;

	return c->kind == FT_CONDITION_LOAD_THRESHOLD ? ft__reading_value(r, node, &threshold, &c->threshold)
						      : fail_kind(r, node, c);
}

/* The text of an XML element: the value that its kind of condition takes. */
static enum ft_status read_value(struct ft__conf_reading *r, const struct ft__conf_node *node, void *into)
{
	struct ft_condition *c = into;

	if (c->kind == FT_CONDITION_LOAD_THRESHOLD)
		return read_threshold(r, node, into);
	return is_of_users(c) ? read_except(r, node, into)
			      : read_names(r, node, c, c->kind != FT_CONDITION_BATTERY);
}

const struct ft__conf_row ft__condition_rows[] = {
	{FT__PART("type", pass_type,
		  "user_login, load_threshold, process_detection, user_process_detection, halt_file or "
		  "battery")},
	{FT__PART("action", read_action,
		  "what becomes of a running benchmark, as at_end; default: freeze, of a load threshold "
		  "finish")},
	{FT__CONF("patience", FT_FIELD_DURATION, .at = offsetof(struct ft_condition, patience_s),
		  .help = "end a benchmark that was paused for this long; default 10m")},
	{.field = {.name = "except",
		   .help = "users who do not count; default: all count",
		   .not_with = "users value"},
	 .call = read_except},
	{.field = {.name = "users", .help = "users who alone count", .not_with = "value"},
	 .call = read_users},
	{FT__PART("process", read_process,
		  "names of processes, of which the kernel knows 15 bytes: one or a list"),
	 .many = true},
	{FT__PART("path", read_path, "absolute paths of files: one or a list"), .many = true},
	{FT__OLD("halt_path", read_path), .many = true},
	{FT__PART("threshold", read_threshold, "processors that other processes want, above 0")},
	{FT__OLD("value", read_value)},
	{.call = NULL},
};

static bool are_absolute(const struct ft_condition *c)
{
	for (size_t i = 0; i < c->n_names; i++)
		if (c->names[i][0] != '/')
			return false;
	return c->n_names;
}

/* The required value that a condition lacks. */
static const char *missing(const struct ft_condition *c)
{
	if (c->kind == FT_CONDITION_LOAD_THRESHOLD && !(c->threshold > 0))
		return "a threshold above 0, in processors";
	if (c->kind == FT_CONDITION_PROCESS && !c->n_names)
		return "the name of a process";
	if (c->kind == FT_CONDITION_HALT_FILE && !are_absolute(c))
		return "the absolute path of a file";
	if (c->kind == FT_CONDITION_USER_PROCESS && !c->n_names)
		return "users: some have processes all the time";
	return c->only && !c->n_names ? "users in its list" : NULL;
}

static enum ft_status fill_condition(struct ft__conf_reading *r, const struct ft__conf_node *node,
				     const struct ft__conf_node *type, struct ft_condition *c)
{
	c->say = c->kind == FT_CONDITION_LOAD_THRESHOLD ? FT_SAY_FINISH : FT_SAY_FREEZE;
	c->patience_s = usual_patience_s;
	enum ft_status status =
		node->n ? ft__rows_read(r, node, "a condition", ft__condition_rows, c) : FT_OK;
	if (status)
		return status;
	const char *lacks = missing(c);
	return lacks ? ft__reading_fail(r, node, FT_EPARSE, "a %s needs %s", type->text, lacks) : FT_OK;
}

/* A word alone is a condition that needs no more. */
static enum ft_status read_condition(struct ft__conf_reading *r, const struct ft__conf_node *node, void *into)
{
	const struct ft__conf_node *type = node->text && !node->n ? node : ft__node_find(node, "type");
	struct ft_policy *policy = into;
	struct ft_condition c = {0}, *moved;

	if (!type || !ft__reading_text(r, type))
		return type ? FT_EPARSE : ft__reading_fail(r, node, FT_EPARSE, "a condition needs a 'type'");
	if (!ft_condition_parse(type->text, &c.kind))
		return fail_word(r, type, "condition", condition_word, FT_CONDITIONS);
	enum ft_status status = fill_condition(r, node, type, &c);
	moved = status ? NULL : ft_realloc(policy->conditions, (policy->n_conditions + 1) * sizeof *moved);
	if (moved) {
		policy->conditions = moved;
		moved[policy->n_conditions++] = c;
		return FT_OK;
	}
	ft_condition_clear(&c);
	return status ? status : ft_nomem(r->err);
}

static enum ft_status read_conditions(struct ft__conf_reading *r, const struct ft__conf_node *node,
				      void *into)
{
	enum ft_status status = node->text ? read_condition(r, node, into) : FT_OK;

	for (size_t i = 0; !status && i < node->n; i++)
		status = read_condition(r, &node->child[i], into);
	return status;
}

/* ---- time -------------------------------------------------------------------------------------------- */

static enum ft_status add_window(struct ft__conf_reading *r, const struct ft__conf_node *node,
				 const char *text, struct ft_policy *policy)
{
	struct ft_err err = {0};
	struct ft_window window;
	enum ft_status status = ft_window_parse(text, &window, &err);

	if (status)
		return ft__reading_explain(r, node, status, &err);
	struct ft_window *moved = ft_realloc(policy->windows, (policy->n_windows + 1) * sizeof *moved);
	if (!moved)
		return ft_nomem(r->err);
	policy->windows = moved;
	moved[policy->n_windows++] = window;
	return FT_OK;
}

static enum ft_status read_when(struct ft__conf_reading *r, const struct ft__conf_node *node, void *into)
{
	enum ft_status status = node->text ? add_window(r, node, node->text, into) : FT_OK;

	for (size_t i = 0; !status && i < node->n; i++) {
		const char *text = ft__reading_text(r, &node->child[i]);

		status = text ? add_window(r, &node->child[i], text, into) : FT_EPARSE;
	}
	return status;
}

static enum ft_status read_until(struct ft__conf_reading *r, const struct ft__conf_node *node, void *into)
{
	const char *text = ft__reading_text(r, node);
	struct ft_err err = {0};

	if (!text)
		return FT_EPARSE;
	return ft__reading_explain(r, node, ft_moment_parse(text, &((struct ft_policy *)into)->until_s, &err),
				   &err);
}

static enum ft_status read_time_type(struct ft__conf_reading *r, const struct ft__conf_node *node, void *into)
{
	const char *text = ft__reading_text(r, node);

	if (!text)
		return FT_EPARSE;
	return ft_time_parse(text, &((struct ft_policy *)into)->time)
		       ? FT_OK
		       : fail_word(r, node, "time constraint", time_word, FT_TIME_PERIODIC + 1);
}

static enum ft_status read_at_end(struct ft__conf_reading *r, const struct ft__conf_node *node, void *into)
{
	return read_say(r, node, &((struct ft_policy *)into)->at_end);
}

/* Fields one by one: together they are one window. */
static const char *const parts[][2] = {{"minute", "minute"},
				       {"hour", "hour"},
				       {"day_of_month", "day"},
				       {"month", "month"},
				       {"day_of_week", ""}};

static enum ft_status pass_part(struct ft__conf_reading *r, const struct ft__conf_node *node, void *into)
{
	(void)into;
	return ft__reading_text(r, node) ? FT_OK : FT_EPARSE;
}

static enum ft_status read_parts(struct ft__conf_reading *r, const struct ft__conf_node *node,
				 struct ft_policy *policy)
{
	char text[FT_WINDOW_LENGTH] = "";
	size_t at = 0;

	for (size_t i = 0; i < COUNT(parts); i++) {
		const struct ft__conf_node *part = ft__node_find(node, parts[i][0]);

		if (part && at < sizeof text)
			at += (size_t)snprintf(text + at, sizeof text - at, "%s %s ", parts[i][1],
					       part->text);
	}
	if (at >= sizeof text)
		return ft__reading_fail(r, node, FT_EPARSE, "the parts of a time are too long");
	return *text ? add_window(r, node, text, policy) : FT_OK;
}

static enum ft_status read_time(struct ft__conf_reading *r, const struct ft__conf_node *node, void *into);

/* In XML the time constraint may be the text of the element, next to its type. */
static enum ft_status read_time_value(struct ft__conf_reading *r, const struct ft__conf_node *node,
				      void *into)
{
	const struct ft_policy *policy = into;

	return policy->time == FT_TIME_UNTIL ? read_until(r, node, into) : read_when(r, node, into);
}

const struct ft__conf_row ft__policy_rows[] = {
	{FT__PART("time", read_time, "now, until or periodic; default: as until or when is given, else now")},
	{FT__OLD("time_constraint", read_time)},
	{FT__OLD("type", read_time_type)},
	{FT__OLD("value", read_time_value)},
	{FT__PART("until", read_until,
		  "a moment: \"2026-12-24 08:00\" on the clock on the wall, or \"2026-12-24T08:00:00Z\"")},
	{FT__PART("when", read_when,
		  "windows, any of which suffices: \"sat-sun\", \"mon-fri 22:00-06:00\"; a text or a list"),
	 .many = true},
	{FT__PART("minute", pass_part, "part of one window, in place of when")},
	{FT__PART("hour", pass_part, "the same")},
	{FT__PART("day_of_month", pass_part, "the same")},
	{FT__PART("month", pass_part, "the same")},
	{FT__PART("day_of_week", pass_part, "the same")},
	{FT__PART("at_end", read_at_end,
		  "what becomes of a running benchmark when the time is over: finish, freeze (default) or "
		  "end")},
	{FT__CONF("patience", FT_FIELD_DURATION, .at = offsetof(struct ft_policy, patience_s),
		  .help = "end a benchmark that was paused for this long; default 10m")},
	{FT__OLD("condition", read_condition), .many = true},
	{FT__PART("conditions", read_conditions,
		  "while any of them holds no benchmark starts: a list of groups, or of their types alone")},
	{.call = NULL},
};

/* A word; or, in XML, an element with the fields of that time. */
static enum ft_status read_time(struct ft__conf_reading *r, const struct ft__conf_node *node, void *into)
{
	if (node->text && !node->n)
		return read_time_type(r, node, into);
	enum ft_status status = ft__rows_read(r, node, "a time constraint", ft__policy_rows, into);
	return status ? status : read_parts(r, node, into);
}

static enum ft_status check_policy(struct ft__conf_reading *r, const struct ft__conf_node *node,
				   const struct ft_policy *policy)
{
	if (policy->time == FT_TIME_UNTIL && !policy->until_s)
		return ft__reading_fail(r, node, FT_EPARSE,
					"a policy of time 'until' needs 'until', a moment");
	if (policy->time == FT_TIME_PERIODIC && !policy->n_windows)
		return ft__reading_fail(r, node, FT_EPARSE, "a policy of time 'periodic' needs 'when'");
	if ((policy->time != FT_TIME_UNTIL && policy->until_s) ||
	    (policy->time != FT_TIME_PERIODIC && policy->n_windows))
		return ft__reading_fail(r, node, FT_EPARSE,
					"a policy of time '%s' has a time that means nothing to it",
					ft_time_text(policy->time));
	return FT_OK;
}

/* The type of time follows from the fields that are present. */
static void guess_time(const struct ft__conf_node *node, struct ft_policy *policy)
{
	if (ft__node_find(node, "time") || ft__node_find(node, "time_constraint"))
		return;
	if (policy->n_windows)
		policy->time = FT_TIME_PERIODIC;
	else if (policy->until_s)
		policy->time = FT_TIME_UNTIL;
}

static enum ft_status take_policy(struct ft__conf_reading *r, struct ft_policies *policies,
				  const struct ft_policy *policy)
{
	struct ft_policy *moved = ft_realloc(policies->policy, (policies->n + 1) * sizeof *moved);

	if (!moved)
		return ft_nomem(r->err);
	policies->policy = moved;
	moved[policies->n++] = *policy;
	return FT_OK;
}

enum ft_status ft__policy_read(struct ft__conf_reading *r, const struct ft__conf_node *node,
			       struct ft_policies *policies)
{
	struct ft_policy policy = {.at_end = FT_SAY_FREEZE, .patience_s = usual_patience_s};
	enum ft_status status = ft__rows_read(r, node, "a policy", ft__policy_rows, &policy);

	if (!status)
		status = read_parts(r, node, &policy);
	guess_time(node, &policy);
	if (!status)
		status = check_policy(r, node, &policy);
	if (!status)
		status = take_policy(r, policies, &policy);
	if (status)
		ft_policy_clear(&policy);
	return status;
}

enum ft_status ft__policies_read(struct ft__conf_reading *r, const struct ft__conf_node *node,
				 struct ft_policies *policies)
{
	enum ft_status status = FT_OK;

	if (node->text)
		return ft__reading_fail(r, node, FT_EPARSE,
					"policies are a list, ( { ... } ), and '%.40s' here", node->text);
	for (size_t i = 0; !status && i < node->n; i++)
		status = ft__policy_read(r, &node->child[i], policies);
	return status;
}

/* PMM's meaning of an undisturbed machine: no user logged in; or a load below one processor. */
enum ft_status ft__policy_of_word(struct ft__conf_reading *r, const struct ft__conf_node *node,
				  struct ft_policies *policies)
{
	static const struct ft_condition nobody = {.kind = FT_CONDITION_USER_LOGIN,
						   .say = FT_SAY_FREEZE,
						   .patience_s = 600},
					 idle = {.kind = FT_CONDITION_LOAD_THRESHOLD,
						 .threshold = 1,
						 .say = FT_SAY_FINISH,
						 .patience_s = 600};
	struct ft_policy policy = {.at_end = FT_SAY_FREEZE, .patience_s = usual_patience_s};
	const char *text = ft__reading_text(r, node);

	if (!text)
		return FT_EPARSE;
	if (strcmp(text, "now") != 0 && strcmp(text, "idle") != 0 && strcmp(text, "nousers") != 0)
		return ft__reading_fail(r, node, FT_EPARSE,
					"there is no condition '%.40s' here but now, idle, nousers", text);
	if (strcmp(text, "now") != 0) {
		policy.conditions = ft_malloc(sizeof *policy.conditions);
		if (!policy.conditions)
			return ft_nomem(r->err);
		policy.conditions[policy.n_conditions++] = *text == 'i' ? idle : nobody;
	}
	enum ft_status status = take_policy(r, policies, &policy);
	if (status)
		ft_policy_clear(&policy);
	return status;
}
