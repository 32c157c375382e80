/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model_put.c - a whole model, in: as foretime import takes it, by the worker. */
#include "manager/model_put.h"
#include "base/alloc.h"
#include "foretime/adapt.h"
#include "foretime/calibrate.h"
#include "manager/routes.h"

#include <ctype.h>
#include <string.h>

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

/* JSON or CSV: what else import reads needs to be told what its columns mean. */
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

static enum ft_status put_runs(struct ft_store *store, struct ft_import *import, struct ft_told_put *told,
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
		status = ft_import_fresh(&part->runs, &stored, &told->known, err);
	if (!status)
		status = ft_store_add_runs(store, part->program.id, import->machine.id, &part->runs, err);
	told->runs = part->runs.n;
	ft_runs_clear(&stored);
	return status;
}

enum ft_status ft__model_put(struct ft_store *store, const char *name, const char *text, size_t n,
			     struct ft_told_put *told, struct ft_err *err)
{
	struct ft_import import = {0};
	enum ft_status status = check_name(name, err);

	*told = (struct ft_told_put){.name = name};
	if (!status)
		status = read_text(&import, name, text, n, err);
	if (!status)
		status = ft_program_check_work(&import.part[0].program, err);
	if (!status)
		status = ft_program_check_where(&import.part[0].program, import.part[0].program.where, err);
	if (!status && !(status = ft_store_begin(store, err)))
		status = ft_store_end(store, put_runs(store, &import, told, err), err);
	ft_import_clear(&import);
	return status;
}

/* ---- by the worker ------------------------------------------------------------------------------------- */

struct putting {
	struct ft__task task; /* first: one is the other */
	struct ft_manager *manager;
	struct ft_http_ask *ask; /* its texts stay until it is answered */
	struct ft_told_put told;
	enum ft_status status; /* FT_EUNAVAIL until the worker was there */
	struct ft_err err;
};

static void put_model(struct ft__task *task, struct ft_store *store)
{
	struct putting *putting = (struct putting *)task;
	const struct ft_http_ask *ask = putting->ask;
	struct ft_store *open = NULL;

	(void)store; /* that one is for reading */
	putting->status = ft__store_at_open(&putting->manager->store, &open, 0, &putting->err);
	if (!putting->status)
		putting->status =
			ft__model_put(open, ask->rest, ask->body, ask->n_body, &putting->told, &putting->err);
	ft_store_close(open);
}

static void tell_put(struct ft__task *task)
{
	struct putting *putting = (struct putting *)task;

	if (!putting->status)
		ft__snapshots_check(putting->manager->snapshots);
	struct ft_http_answer *answer =
		putting->status ? ft__routes_refuse(&putting->err)
				: ft__routes_tell(ft_tell_json(&ft_tell_put, &putting->told, NULL));
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
