/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model.c - a whole model, out: what was measured, or requests for all sizes, as foretime export has them.
 * The worker reads and prints it. */
#include "base/alloc.h"
#include "base/clock.h"
#include "foretime/adapt.h"
#include "manager/question.h"
#include "manager/routes.h"
#include "tell/export.h"
#include "tell/knots.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct writing {
	struct ft__later later; /* first: one is the other */
	const struct model_form *form;
	char *name, *machine; /* machine NULL: as ft_ask_open chooses */
	double risk, lives_s; /* of knots */
	enum ft_status status;
	char *text;
	struct ft_err err;
};

/* ---- forms --------------------------------------------------------------------------------------------- */

static enum ft_status write_json(struct writing *writing, struct ft_answerer *answerer)
{
	const struct ft_tell_with with = {.program = ft_ask_program(answerer)};
	struct ft_told_export told = {*with.program, ft_ask_machine(answerer), *ft_ask_runs(answerer)};
	size_t bytes;
	FILE *file = open_memstream(&writing->text, &bytes);
	json_t *object;
	bool good;

	/* The command is its owner's: whoever reads models has no need of it. */
	told.program.argv = NULL;
	told.program.argc = 0;
	object = file ? ft_tell_json(&ft_tell_export, &told, &with) : NULL;
	good = object && !ft_tell_print(object, file);
	good = file && !fclose(file) && good;
	json_decref(object);
	return good ? FT_OK : ft_nomem(&writing->err);
}

static enum ft_status write_csv(struct writing *writing, struct ft_answerer *answerer)
{
	const struct ft_format *format;
	enum ft_status status = ft_format_find("csv", &format, &writing->err);

	return status ? status
		      : ft_export_write(format, ft_ask_program(answerer), ft_ask_machine(answerer),
					ft_ask_runs(answerer), &writing->text, NULL, &writing->err);
}

static enum ft_status write_knots(struct writing *writing, struct ft_answerer *answerer)
{
	return ft_tell_knots(answerer, NULL, 0, writing->risk, writing->lives_s, &writing->text,
			     &writing->err);
}

/* In the order of their words. */
static const struct model_form {
	const char *type;
	enum ft_status (*write)(struct writing *writing, struct ft_answerer *answerer);
	bool kept; /* it takes long to make, and is short */
} forms[] = {
	{"application/json", write_json, false},
	{"text/csv", write_csv, false},
	{"text/plain", write_knots, true},
};

/* Of the time for which it says that it holds: what is left of that is 99 % at least. */
static const double kept_share = 0.01;

/* ---- by the worker ------------------------------------------------------------------------------------- */

static void write_model(struct ft__task *task, struct ft_store *store)
{
	struct writing *writing = (struct writing *)task;
	struct ft_answerer *answerer = NULL;

	writing->status = store ? ft_ask_open(&answerer, store, writing->name, writing->machine,
					      ft_tell_machine_here(store), &writing->err)
				: ft_fail(&writing->err, FT_EUNAVAIL, "the store cannot be read now");
	if (!writing->status)
		writing->status = writing->form->write(writing, answerer);
	ft_ask_close(answerer);
}

static void give_model(struct ft__task *task)
{
	struct writing *writing = (struct writing *)task;
	int64_t until_ns = ft_clock_ns() + (int64_t)(1e9 * kept_share * writing->lives_s);

	if (!writing->text && !writing->status)
		writing->status = ft_fail(&writing->err, FT_EUNAVAIL, "the server ends");
	struct ft_http_answer *answer =
		writing->status
			? ft__routes_refuse(&writing->err)
			: ft_http_answer_new(200, writing->form->type, writing->text, strlen(writing->text));
	ft__later_give(&writing->later, answer, writing->status ? 0 : until_ns);
	free(writing->text);
	ft_free(writing->name);
	ft_free(writing->machine);
	ft_free(writing);
}

/* ---- the question -------------------------------------------------------------------------------------- */

struct model_asked {
	unsigned form;
	double risk, lives_s;
	const char *machine;
};
const struct ft_field ft__routes_model_fields[] = {
	{.name = "format",
	 .kind = FT_FIELD_WORD,
	 .at = offsetof(struct model_asked, form),
	 .argument = "F",
	 .help = "json (default), csv or knots",
	 .words = "json|csv|knots"},
	{.name = "risk",
	 .kind = FT_FIELD_SHARE,
	 .at = offsetof(struct model_asked, risk),
	 .argument = "R",
	 .help = "knots: share of runs that may need more, 0.1% to 25%; default 1%",
	 .least = 0.001,
	 .most = 0.25},
	{.name = "expires",
	 .kind = FT_FIELD_DURATION,
	 .at = offsetof(struct model_asked, lives_s),
	 .argument = "T",
	 .help = "knots: how long they hold; default 30d",
	 .least = 1e-3,
	 .most = 1e10},
	{.name = "machine",
	 .kind = FT_FIELD_TEXT,
	 .at = offsetof(struct model_asked, machine),
	 .argument = "M",
	 .help = "host name or fingerprint of the machine; default: this one"},
	{0},
};

static struct ft_http_answer *begin_writing(struct ft_manager *manager, struct ft_http_ask *ask,
					    const struct model_asked *asked,
					    const struct ft__snapshot *snapshot)
{
	struct writing *writing = ft_calloc(1, sizeof *writing);

	if (!writing)
		return NULL;
	writing->later.task = (struct ft__task){.work = write_model, .done = give_model, .slow = true};
	writing->form = &forms[asked->form];
	writing->risk = asked->risk;
	writing->lives_s = asked->lives_s;
	writing->name = ft_strdup(ask->rest);
	writing->machine = ft_strdup(asked->machine);
	if (!writing->name || (asked->machine && !writing->machine)) {
		ft_free(writing->name);
		ft_free(writing->machine);
		ft_free(writing);
		return NULL;
	}
	ft__later_begin(&writing->later, manager, ask, snapshot);
	return NULL;
}

struct ft_http_answer *ft__routes_model(void *ctx, struct ft_http_ask *ask)
{
	struct model_asked asked = {.risk = FT_TELL_KNOTS_RISK, .lives_s = FT_TELL_KNOTS_LIFE_S};
	const struct ft__snapshot *snapshot = NULL;
	struct ft_manager *manager = ctx;
	struct ft_http_answer *answer;
	struct ft_err err = {0};

	if (ft__query_read(ask, ft__routes_model_fields, &asked, NULL, NULL, &err))
		return ft__routes_refuse(&err);
	const struct ft__subject subject = {ask->rest, NULL, asked.machine, FT_LOAD_IDLE, false};
	if (forms[asked.form].kept &&
	    (!ft__routes_snapshot(manager, ask, &subject, &snapshot, &answer, ft__routes_model) ||
	     ft__later_find(manager, ask, &answer, ft__routes_model)))
		return answer;
	return begin_writing(manager, ask, &asked, snapshot);
}
