/* SPDX-License-Identifier: GPL-3.0-or-later */
/* program.c - programs in the store: found by name and hash, their parameters united. */
#include "store/store.h"
#include "base/alloc.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- reading ---- */

static enum ft_status read_params(struct ft_store *store, const char *text, struct ft_program *out,
				  struct ft_err *err)
{
	json_t *array;
	enum ft_status status = ft__json_parse(store, text, &array, err);
	bool good;
	size_t i;

	if (status)
		return status;
	good = json_is_array(array) && json_array_size(array) <= FT_PARAMS_MAX;
	for (i = 0; good && i < json_array_size(array); i++) {
		const json_t *item = json_array_get(array, i);
		const char *name = json_string_value(json_object_get(item, "name"));
		struct ft_param *param = &out->param[i];

		good = name && ft__json_number(json_object_get(item, "least"), &param->least) &&
		       ft__json_number(json_object_get(item, "most"), &param->most) &&
		       ft__json_number(json_object_get(item, "stride"), &param->stride);
		if (good)
			(void)snprintf(param->name, sizeof param->name, "%s", name);
	}
	out->n_params = i;
	json_decref(array);
	return good ? FT_OK : ft__damaged(store, "the parameters of a program cannot be read", err);
}

/* From a blob in which each argument ends in a zero byte. */
static enum ft_status read_argv(const char *bytes, size_t length, struct ft_program *out, struct ft_err *err)
{
	const char *at = bytes, *end = bytes + length;
	size_t argc = 0, i;

	for (i = 0; i < length; i++)
		argc += bytes[i] == '\0';
	out->argv = ft_calloc(argc + 1, sizeof *out->argv);
	if (!out->argv)
		return ft_nomem(err);
	for (; out->argc < argc && at < end; at += strlen(at) + 1) {
		out->argv[out->argc] = ft_strdup(at);
		if (!out->argv[out->argc])
			return ft_nomem(err);
		out->argc++;
	}
	return FT_OK;
}

/* The program of a row, and the statement at rest again. */
static enum ft_status read_program(struct ft_store *store, sqlite3_stmt *stmt, struct ft_program *out,
				   struct ft_err *err)
{
	enum ft_status status = FT_OK;

	*out = (struct ft_program){.id = sqlite3_column_int64(stmt, 0)};
	if (!ft__column_text(stmt, 1, &out->name) || !ft__column_text(stmt, 2, &out->hash) ||
	    !ft__column_text(stmt, 4, &out->work) || !ft__column_text(stmt, 5, &out->method))
		status = ft_nomem(err);
	if (!status && sqlite3_column_type(stmt, 3) != SQLITE_NULL) {
		const void *bytes = sqlite3_column_blob(stmt, 3); /* NULL for an empty one */

		status = read_argv(bytes ? bytes : "", (size_t)sqlite3_column_bytes(stmt, 3), out, err);
	}
	if (!status)
		status = read_params(store, (const void *)sqlite3_column_text(stmt, 6), out, err);
	(void)sqlite3_reset(stmt);
	if (status)
		ft_program_clear(out);
	return status;
}

/* The one program that a statement finds. FT_EEND: none. */
static enum ft_status find(struct ft_store *store, enum ft__sql which, const struct ft__value *values,
			   size_t n, struct ft_program *out, struct ft_err *err)
{
	sqlite3_stmt *stmt;
	enum ft_status status = ft__query(store, which, values, n, &stmt, err);

	*out = (struct ft_program){0};
	if (status || (status = ft__row(store, stmt, err)))
		return status;
	return read_program(store, stmt, out, err);
}

enum ft_status ft_store_get_program(struct ft_store *store, const char *name, struct ft_program *out,
				    struct ft_err *err)
{
	enum ft_status status = find(store, FT__NEWEST_PROGRAM, FT__VALUES(ft__text(name)), out, err);

	return status == FT_EEND ? ft__name_unknown(store, name, err) : status;
}

/* ---- writing ---- */

static enum ft_status params_text(const struct ft_program *program, char **out, struct ft_err *err)
{
	json_t *array = json_array();
	enum ft_status status;
	bool made = array;
	size_t i;

	for (i = 0; i < program->n_params && made; i++) {
		const struct ft_param *param = &program->param[i];
		json_t *item = json_object();

		made = !json_object_set_new(item, "name", json_string(param->name)) &&
		       !json_object_set_new(item, "least", ft__json_real(param->least)) &&
		       !json_object_set_new(item, "most", ft__json_real(param->most)) &&
		       !json_object_set_new(item, "stride", ft__json_real(param->stride));
		if (!made)
			json_decref(item);
		else
			made = !json_array_append_new(array, item);
	}
	status = made ? ft__json_text(array, out, err) : ft_nomem(err);
	json_decref(array);
	return status;
}

static bool same_names(const struct ft_program *a, const struct ft_program *b)
{
	size_t i;

	if (a->n_params != b->n_params)
		return false;
	for (i = 0; i < a->n_params; i++)
		if (strcmp(a->param[i].name, b->param[i].name) != 0)
			return false;
	return true;
}

/* The range 0:0 is one that is not known. */
static void unite(struct ft_param *param, const struct ft_param *stored)
{
	bool known = param->least != 0 || param->most != 0,
	     stored_known = stored->least != 0 || stored->most != 0;

	if (!known)
		*param = *stored;
	if (!known || !stored_known)
		return;
	if (param->least == param->most) /* the stride of one value says nothing */
		param->stride = stored->stride;
	param->least = fmin(param->least, stored->least);
	param->most = fmax(param->most, stored->most);
}

/* The parameters of `to`, which are those given, united with the stored ones. Sizes are stored by position:
 * once there are runs, other parameters would make them mean something else. */
static enum ft_status unite_params(struct ft_store *store, struct ft_program *to,
				   const struct ft_program *stored, struct ft_err *err)
{
	int64_t has_runs = 0;
	enum ft_status status;
	size_t i;

	if (!to->n_params) {
		memcpy(to->param, stored->param, sizeof to->param);
		to->n_params = stored->n_params;
	}
	if (same_names(to, stored)) {
		for (i = 0; i < to->n_params; i++)
			unite(&to->param[i], &stored->param[i]);
		return FT_OK;
	}
	status = ft__exec(store, FT__PROGRAM_HAS_RUNS, FT__VALUES(ft__int(stored->id)), &has_runs, err);
	if (status || !has_runs)
		return status;
	(void)ft_fail(err, FT_EEXIST, "'%s' has runs with other parameters, or with these in another order",
		      to->name);
	(void)ft_remedy(err, "choose another NAME, or remove it with foretime rm '%s'", to->name);
	return FT_EEXIST;
}

static enum ft_status write_program(struct ft_store *store, const struct ft_program *program, int64_t *id,
				    struct ft_err *err)
{
	struct ft_text argv = {0};
	struct ft__value command = ft__text(NULL);
	char *params = NULL;
	enum ft_status status;
	size_t i;

	for (i = 0; i < program->argc; i++)
		ft_text_add_bytes(&argv, program->argv[i], strlen(program->argv[i]) + 1);
	if (program->argv)
		command = (struct ft__value){
			.type = FT__BYTES, .bytes = argv.s ? argv.s : "", .integer = (int64_t)argv.length};
	status = argv.failed ? ft_nomem(err) : params_text(program, &params, err);
	if (!status && program->id)
		status = ft__exec(store, FT__CHANGE_PROGRAM,
				  FT__VALUES(ft__int(program->id), command, ft__text(program->work),
					     ft__text(program->method), ft__text(params)),
				  NULL, err);
	else if (!status)
		status = ft__exec(store, FT__ADD_PROGRAM,
				  FT__VALUES(ft__text(program->name), ft__text(program->hash), command,
					     ft__text(program->work), ft__text(program->method),
					     ft__text(params)),
				  id, err);
	if (program->id)
		*id = program->id;
	ft_text_clear(&argv);
	ft_free(params);
	return status;
}

/* Inside a transaction. */
static enum ft_status put_program(struct ft_store *store, const struct ft_program *given, int64_t *id,
				  struct ft_err *err)
{
	struct ft_program merged = *given, stored; /* merged borrows from both */
	enum ft_status status;

	merged.id = 0;
	merged.hash = given->hash ? given->hash : (char[]){""};
	status = find(store, FT__FIND_PROGRAM, FT__VALUES(ft__text(given->name), ft__text(merged.hash)),
		      &stored, err);
	if (status && status != FT_EEND)
		return status;
	if (!status) {
		merged.id = stored.id;
		merged.work = given->work ? given->work : stored.work;
		merged.method = given->method ? given->method : stored.method;
		if (!given->argv) {
			merged.argv = stored.argv;
			merged.argc = stored.argc;
		}
		status = unite_params(store, &merged, &stored, err);
	} else {
		status = FT_OK;
	}
	if (!status)
		status = write_program(store, &merged, id, err);
	ft_program_clear(&stored);
	return status;
}

enum ft_status ft_store_put_program(struct ft_store *store, struct ft_program *program, struct ft_err *err)
{
	enum ft_status status = ft__name_check(program->name, err);
	int64_t id = 0;

	program->id = 0;
	if (status || (status = ft__begin(store, err)))
		return status;
	status = ft__end(store, put_program(store, program, &id, err), err);
	program->id = status ? 0 : id;
	return status;
}
