/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model.c - a whole model: its runs, or requests for all sizes, as foretime export writes them, made by
 * the worker; and its import. */
#include "adapt/door.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "foretime/adapt.h"
#include "foretime/measure.h"
#include "manager/inside.h"
#include "tell/answers.h"

#include <ctype.h>
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
	struct ft_answer_export output = {*with.program, ft_ask_machine(answerer), *ft_ask_runs(answerer)};
	size_t bytes;
	FILE *file = open_memstream(&writing->text, &bytes);
	json_t *object;
	bool good;

	/* The command stays with its owner; readers of models do not need it. */
	output.program.argv = NULL;
	output.program.argc = 0;
	object = file ? ft_tell_json(&ft_tell_export, &output, &with) : NULL;
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

/* Cache for this share of the time for which the answer is valid: at least 99 % of that is then left. */
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

struct model_query {
	unsigned form;
	double risk, lives_s;
	const char *machine;
};
const struct ft_field ft__routes_model_fields[] = {
	{.name = "format",
	 .kind = FT_FIELD_WORD,
	 .at = offsetof(struct model_query, form),
	 .argument = "F",
	 .help = "json (default), csv or knots",
	 .words = "json|csv|knots"},
	{.name = "risk",
	 .kind = FT_FIELD_SHARE,
	 .at = offsetof(struct model_query, risk),
	 .argument = "R",
	 .help = "knots: share of runs that may need more, 0.1% to 25%; default 1%",
	 .least = 0.001,
	 .most = 0.25},
	{.name = "expires",
	 .kind = FT_FIELD_DURATION,
	 .at = offsetof(struct model_query, lives_s),
	 .argument = "T",
	 .help = "knots: how long they hold; default 30d",
	 .least = 1e-3,
	 .most = 1e10},
	{.name = "machine",
	 .kind = FT_FIELD_TEXT,
	 .at = offsetof(struct model_query, machine),
	 .argument = "M",
	 .help = "host name or fingerprint of the machine; default: this one"},
	{0},
};

struct ft_http_answer *ft__routes_model(void *ctx, struct ft_http_ask *ask)
{
	struct model_query query = {.risk = FT_TELL_KNOTS_RISK, .lives_s = FT_TELL_KNOTS_LIFE_S};
	const struct ft__snapshot *snapshot = NULL;
	struct ft_manager *manager = ctx;
	struct ft_http_answer *answer;
	struct ft_err err = {0};

	if (ft__query_read(ask, ft__routes_model_fields, &query, NULL, NULL, &err))
		return ft__routes_refuse(&err);
	const struct ft__subject subject = {ask->rest, NULL, query.machine, FT_LOAD_IDLE, false};
	if (forms[query.form].kept &&
	    (!ft__routes_snapshot(manager, ask, &subject, &snapshot, &answer, ft__routes_model) ||
	     ft__later_find(manager, ask, &answer, ft__routes_model)))
		return answer;
	struct writing *writing = ft_calloc(1, sizeof *writing);

	if (!writing)
		return NULL;
	writing->later.task = (struct ft__task){.work = write_model, .done = give_model, .slow = true};
	writing->form = &forms[query.form];
	writing->risk = query.risk;
	writing->lives_s = query.lives_s;
	writing->name = ft_strdup(ask->rest);
	writing->machine = ft_strdup(query.machine);
	if (!writing->name || (query.machine && !writing->machine)) {
		ft_free(writing->name);
		ft_free(writing->machine);
		ft_free(writing);
		return NULL;
	}
	ft__later_begin(&writing->later, manager, ask, snapshot);
	return NULL;
}

/*
 * Import a whole model as foretime import does, in the worker.
 */

/* ---- into the store ------------------------------------------------------------------------------------ */

/* A name of import may be a pattern; one that begins with '~' is of another user's timings. */
static enum ft_status check_name(const char *name, struct ft_err *err)
{
	const char *fault = ft_program_name_fault(name);

	if (fault) {
		(void)ft_fail(err, FT_EINVAL, "this cannot be a name: %s", fault);
		return ft_remedy(err, "choose another name");
	}
	if (!strpbrk(name, "{}") && *name != '~' &&
	    strncmp(name, FT_CALIBRATION_PREFIX, sizeof FT_CALIBRATION_PREFIX - 1) != 0)
		return FT_OK;
	(void)ft_fail(err, FT_EINVAL,
		      "a name without { and }, not beginning with ~ or " FT_CALIBRATION_PREFIX);
	return ft_remedy(err, "choose another name");
}

/* JSON or CSV only: for other formats import needs a description of the columns. */
static enum ft_status read_text(struct ft_import *import, const char *name, const char *text, size_t n,
				struct ft_err *err)
{
	struct ft_import_options options = {.name = name, .format = "csv", .strict = true};
	size_t i = 0;

	while (i < n && isspace((unsigned char)text[i]))
		i++;
	if (i < n && text[i] == '{')
		options.format = "foretime";
	if (n > 1 && (unsigned char)text[0] == 0x1f && (unsigned char)text[1] == 0x8b)
		return ft_fail(err, FT_EINVAL, "the model is compressed");
	enum ft_status status = ft_import_parse(import, "the model", text, n, &options, err);
	if (!status && import->n != 1)
		status = ft_fail(err, FT_EINVAL, "a model is of one program, not of %zu", import->n);
	if (!status && *import->unread)
		status = ft_fail(err, FT_EINVAL, "what are these columns: %s", import->unread);
	if (!status && *import->mixed)
		status = ft_fail(err, FT_EINVAL, "rows of one size differ in %s", import->mixed);
	return status;
}

/* It is taken for the version that the store has. */
static enum ft_status put_program(struct ft_store *store, struct ft_program *program, struct ft_err *err)
{
	struct ft_program stored = {0};
	struct ft_err missing = {0};
	enum ft_status status =
		ft_store_get_program_on(store, program->name, program->device, &stored, &missing);

	if (status && status != FT_ENOENT && err)
		*err = missing;
	if (!status && *stored.hash) {
		char *hash = ft_strdup(stored.hash);

		ft_free(program->hash);
		program->hash = hash;
		status = hash ? FT_OK : ft_nomem(err);
	}
	ft_program_clear(&stored);
	if (status && status != FT_ENOENT)
		return status;
	return ft_store_put_program(store, program, err);
}

static enum ft_status name_machine(struct ft_machine *machine, struct ft_err *err)
{
	if (machine->fingerprint)
		return FT_OK;
	ft_machine_clear(machine);
	machine->fingerprint = ft_strdup("0000000000000000");
	machine->host = ft_strdup("elsewhere");
	return machine->fingerprint && machine->host ? FT_OK : ft_nomem(err);
}

static enum ft_status put_runs(struct ft_store *store, struct ft_import *import, struct ft_answer_put *output,
			       struct ft_err *err)
{
	struct ft_imported *part = &import->part[0];
	struct ft_runs stored = {0};
	enum ft_status status = name_machine(&import->machine, err);

	if (!status)
		status = ft_store_put_machine(store, &import->machine, err);
	if (!status)
		status = put_program(store, &part->program, err);
	if (!status)
		status = ft_store_get_runs(store, part->program.id, import->machine.id, &stored, err);
	if (!status)
		status = ft_import_fresh(&part->runs, &stored, &output->known, err);
	if (!status)
		status = ft_store_add_runs(store, part->program.id, import->machine.id, &part->runs, err);
	output->runs = part->runs.n;
	ft_runs_clear(&stored);
	return status;
}

enum ft_status ft__model_put(struct ft_store *store, const char *name, const char *text, size_t n,
			     struct ft_answer_put *output, struct ft_err *err)
{
	struct ft_import import = {0};
	enum ft_status status = check_name(name, err);

	*output = (struct ft_answer_put){.name = name};
	if (!status)
		status = read_text(&import, name, text, n, err);
	if (!status)
		status = ft_program_check_work(&import.part[0].program, err);
	if (!status)
		status = ft_program_check_where(&import.part[0].program, import.part[0].program.where, err);
	if (!status && !(status = ft_store_begin(store, err)))
		status = ft_store_end(store, put_runs(store, &import, output, err), err);
	ft_import_clear(&import);
	return status;
}

/* ---- by the worker ------------------------------------------------------------------------------------- */

struct putting {
	struct ft__task task; /* first: one is the other */
	struct ft_manager *manager;
	struct ft_http_ask *ask; /* its texts stay until it is answered */
	struct ft_answer_put output;
	enum ft_status status; /* FT_EUNAVAIL until the worker was there */
	struct ft_err err;
};

static void put_model(struct ft__task *task, struct ft_store *store)
{
	struct putting *putting = (struct putting *)task;
	const struct ft_http_ask *ask = putting->ask;
	struct ft_store *open = NULL;

	(void)store; /* that one is open for reading */
	putting->status = ft__store_at_open(&putting->manager->store, &open, 0, &putting->err);
	if (!putting->status)
		putting->status = ft__model_put(open, ask->rest, ask->body, ask->n_body, &putting->output,
						&putting->err);
	ft_store_close(open);
}

static void tell_put(struct ft__task *task)
{
	struct putting *putting = (struct putting *)task;

	if (!putting->status)
		ft__snapshots_check(putting->manager->snapshots);
	struct ft_http_answer *answer =
		putting->status ? ft__routes_refuse(&putting->err)
				: ft__routes_tell(ft_tell_json(&ft_tell_put, &putting->output, NULL));
	ft_http_give(putting->ask, answer);
	ft_free(putting);
}

struct ft_http_answer *ft__routes_put_model(void *ctx, struct ft_http_ask *ask)
{
	struct ft_manager *manager = ctx;
	struct putting *putting = ft_calloc(1, sizeof *putting);

	if (!putting)
		return NULL;
	putting->task = (struct ft__task){.work = put_model, .done = tell_put};
	putting->manager = manager;
	putting->ask = ask;
	putting->status = ft_fail(&putting->err, FT_EUNAVAIL, "the server ends");
	ft_http_put_off(ask);
	ft__worker_post(manager->worker, &putting->task);
	return NULL;
}
