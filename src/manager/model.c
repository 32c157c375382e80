/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model.c - a whole model, out: what was measured, or requests for all sizes, as foretime export has them.
 * The worker reads and prints it. */
#include "base/alloc.h"
#include "base/clock.h"
#include "foretime/adapt.h"
#include "foretime/units.h"
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

static const struct model_form {
	const char *name, *type;
	enum ft_status (*write)(struct writing *writing, struct ft_answerer *answerer);
	bool kept; /* it takes long to make, and is short */
} forms[] = {
	{"json", "application/json", write_json, false},
	{"csv", "text/csv", write_csv, false},
	{"knots", "text/plain", write_knots, true},
};

/* Of the time for which it says that it holds: what is left of that is 99 % at least. */
static const double kept_share = 0.01;

static const struct model_form *find_form(const char *name)
{
	for (size_t i = 0; name && i < sizeof forms / sizeof *forms; i++)
		if (!strcmp(forms[i].name, name))
			return &forms[i];
	return name ? NULL : &forms[0];
}

/* ---- by the worker ------------------------------------------------------------------------------------- */

static void write_model(struct ft__task *task, struct ft_store *store)
{
	struct writing *writing = (struct writing *)task;
	struct ft_answerer *answerer = NULL;

	writing->status = store ? ft_ask_open(&answerer, store, writing->name, writing->machine,
					      ft__machine_here(store), &writing->err)
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

static enum ft_status read_options(const struct ft_http_ask *ask, struct writing *writing, struct ft_err *err)
{
	const char *format = ft_http_value(ask, "format"), *risk = ft_http_value(ask, "risk"),
		   *expires = ft_http_value(ask, "expires");

	writing->form = find_form(format);
	writing->risk = FT_TELL_KNOTS_RISK;
	writing->lives_s = FT_TELL_KNOTS_LIFE_S;
	if (!writing->form) {
		(void)ft_fail(err, FT_EINVAL, "there is no such format");
		return ft_remedy(err, "format=json, csv or knots");
	}
	if (risk && ft_share_parse(risk, 0.001, 0.25, &writing->risk, err))
		return FT_EINVAL;
	if (expires && ft_duration_parse(expires, &writing->lives_s, err))
		return FT_EINVAL;
	if (!(writing->lives_s > 0 && writing->lives_s < 1e10))
		return ft_fail(err, FT_EINVAL, "'%s' is no time for which they could hold", expires);
	return FT_OK;
}

static struct ft_http_answer *begin_writing(struct ft_manager *manager, struct ft_http_ask *ask,
					    const struct writing *how, const struct ft__snapshot *snapshot)
{
	const char *machine = ft_http_value(ask, "machine");
	struct writing *writing = ft_calloc(1, sizeof *writing);

	if (!writing)
		return NULL;
	*writing = *how;
	writing->later.task = (struct ft__task){.work = write_model, .done = give_model};
	writing->name = ft_strdup(ask->rest);
	writing->machine = ft_strdup(machine);
	if (!writing->name || (machine && !writing->machine)) {
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
	const struct ft__subject subject = {ask->rest, ft_http_value(ask, "machine"), FT_LOAD_IDLE};
	const struct ft__snapshot *snapshot = NULL;
	struct ft_manager *manager = ctx;
	struct ft_http_answer *answer;
	struct writing how = {0};
	struct ft_err err = {0};

	if (ft__query_check(ask, "format risk expires machine", &err) || read_options(ask, &how, &err))
		return ft__routes_refuse(&err);
	if (how.form->kept &&
	    (!ft__routes_snapshot(manager, ask, &subject, &snapshot, &answer, ft__routes_model) ||
	     ft__later_find(manager, ask, &answer, ft__routes_model)))
		return answer;
	return begin_writing(manager, ask, &how, snapshot);
}
