/* SPDX-License-Identifier: GPL-3.0-or-later */
/* program.c - programs in the store: found by name and hash, their parameters united. */
#include "base/alloc.h"
#include "base/number.h"
#include "base/text.h"
#include "facts/facts.h"
#include "store/store.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/*
 * Check names of programs, and find the nearest one.
 */

enum { NAME_LENGTH = 200 };

/* A name as a sentence may show it: what could upset a terminal is a question mark, what is too long is left
 * out. */
static const char *show_name(const char *name, char shown[NAME_LENGTH + 1])
{
	const char *s = name;
	size_t at = 0;

	while (*s && at + 4 <= NAME_LENGTH) {
		size_t length = ft__utf8_length(s, SIZE_MAX);

		if (!length || ft__utf8_is_control(s)) {
			shown[at++] = '?';
			s += length ? length : 1;
		} else {
			memcpy(shown + at, s, length);
			at += length;
			s += length;
		}
	}
	shown[at] = '\0';
	return shown;
}

enum ft_status ft__name_check(const char *name, struct ft_err *err)
{
	const char *what = name ? ft__name_kept_fault(name) : "there is none";
	char shown[NAME_LENGTH + 1];

	if (!what)
		return FT_OK;
	(void)ft_fail(err, FT_EINVAL, "'%s' cannot be a program's name: %s",
		      show_name(name ? name : "", shown), what);
	(void)ft_remedy(err, "choose another NAME");
	return FT_EINVAL;
}

enum ft_status ft__name_unknown(struct ft_store *store, const char *name, struct ft_err *err)
{
	enum ft_status status = FT_OK;
	char nearest[NAME_LENGTH + 1] = "", shown[NAME_LENGTH + 1];
	size_t least = SIZE_MAX;
	sqlite3_stmt *stmt;
	bool any = false;

	if (!err)
		return FT_ENOENT;
	FT_TRY(ft__query(store, FT__NAMES, NULL, 0, &stmt, err));
	while ((status = ft__row(store, stmt, err)) == FT_OK) {
		const void *there = sqlite3_column_text(stmt, 0);
		size_t d = there ? ft_word_mistaken(name, there) : SIZE_MAX;

		any = any || there;
		if (d < least) {
			least = d;
			(void)snprintf(nearest, sizeof nearest, "%s", (const char *)there);
		}
	}
	if (status != FT_EEND)
		return status;
	(void)ft_fail(err, FT_ENOENT, "the store '%s' has no program '%s'", store->path,
		      show_name(name, shown));
	if (*nearest)
		(void)ft_remedy(err, "the nearest name is '%s'; foretime list shows all", nearest);
	else if (any)
		(void)ft_remedy(err, "foretime list shows the names that there are");
	else
		(void)ft_remedy(
			err,
			"it has none at all yet: foretime build, run --save and import put something there");
	return FT_ENOENT;
}

/* ---- reading ---- */

/*
 * Programs in the store: found by name and hash, their parameters united.
 */

/* "16 32 64", ascending. */
static bool read_list(const char *text, struct ft_param *param)
{
	while (*text) {
		double *value = &param->list[param->n_list];

		if (param->n_list == FT_LIST_MAX || !ft__number_scan_signed(text, &text, value) ||
		    (*text && *text != ' ') || (param->n_list && *value <= value[-1]))
			return false;
		param->n_list++;
		text += *text == ' ';
	}
	return param->n_list >= 2 && param->list[0] == param->least &&
	       param->list[param->n_list - 1] == param->most;
}

/* The spacing of a range's values. */
static bool read_values(sqlite3_stmt *stmt, struct ft_param *param)
{
	const char *list = (const void *)sqlite3_column_text(stmt, 5);

	param->least = sqlite3_column_double(stmt, 1);
	param->most = sqlite3_column_double(stmt, 2);
	param->stride = sqlite3_column_double(stmt, 3);
	param->factor = sqlite3_column_double(stmt, 4); /* 0 for NULL */
	if (!isfinite(param->least) || !isfinite(param->most) || !isfinite(param->stride) ||
	    !(param->stride >= 0) || param->most < param->least)
		return false;
	if (param->factor != 0 && !(param->factor > 1 && param->least > 0 && param->most >= param->least))
		return false;
	return !list || read_list(list, param);
}

static enum ft_status read_params(struct ft_store *store, struct ft_program *out, struct ft_err *err)
{
	enum ft_status status = FT_OK;
	sqlite3_stmt *stmt;

	FT_TRY(ft__query(store, FT__GET_PARAMS, FT__VALUES(ft__int(out->id)), &stmt, err));
	while ((status = ft__row(store, stmt, err)) == FT_OK) {
		const char *name = (const void *)sqlite3_column_text(stmt, 0);
		struct ft_param *param = &out->param[out->n_params];

		if (!name || out->n_params == FT_PARAMS_MAX) {
			(void)sqlite3_reset(stmt);
			return name ? ft__damaged(store, "a program has too many parameters", err)
				    : ft_nomem(err);
		}
		(void)snprintf(param->name, sizeof param->name, "%s", name);
		if (!*name || ft__name_length(name) != strlen(name) || strlen(name) >= sizeof param->name) {
			(void)sqlite3_reset(stmt);
			return ft__damaged(store, "a parameter has no name that it may have", err);
		}
		if (!read_values(stmt, param)) {
			(void)sqlite3_reset(stmt);
			return ft__damaged(store, "a parameter has no range that it may have", err);
		}
		out->n_params++;
	}
	return status == FT_EEND ? FT_OK : status;
}

/* No system starts a command that is longer. */
enum { ARGV_MAX = 8 << 20 };

/* From a blob in which each argument ends in a zero byte. */
static enum ft_status read_argv(const char *bytes, size_t length, struct ft_program *out, struct ft_err *err)
{
	const char *at = bytes, *end = bytes + length;
	size_t argc = 0;

	for (size_t i = 0; i < length; i++)
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

/* The one program that a statement finds. FT_EEND: none. */
static enum ft_status find_program(struct ft_store *store, enum ft__sql which, const struct ft__value *values,
				   size_t n, struct ft_program *out, struct ft_err *err)
{
	sqlite3_stmt *stmt;
	enum ft_status status = ft__query(store, which, values, n, &stmt, err);

	*out = (struct ft_program){0};
	if (status || (status = ft__row(store, stmt, err)))
		return status;
	*out = (struct ft_program){.id = sqlite3_column_int64(stmt, 0)};
	if (!ft__column_text(stmt, 1, &out->name) || !ft__column_text(stmt, 2, &out->hash) ||
	    !ft__column_text(stmt, 4, &out->work) || !ft__column_text(stmt, 5, &out->method) ||
	    !ft__column_text(stmt, 6, &out->where) || !ft__column_text(stmt, 7, &out->device) ||
	    !ft__column_text(stmt, 8, &out->driver))
		status = ft_nomem(err);
	else if (out->device && ft_program_device_fault(out->device))
		status = ft__damaged(store, "a device has no name that it may have", err);
	else if (!out->hash || !out->name || ft__name_check(out->name, NULL))
		status = ft__damaged(store, "a program has no version, or no name that it may have", err);
	if (!status && sqlite3_column_type(stmt, 3) != SQLITE_NULL) {
		const void *bytes = sqlite3_column_blob(stmt, 3); /* NULL for an empty one */
		size_t length = (size_t)sqlite3_column_bytes(stmt, 3);

		status = length > ARGV_MAX ? ft__damaged(store, "a command is too long to be one", err)
					   : read_argv(bytes ? bytes : "", length, out, err);
	}
	(void)sqlite3_reset(stmt);
	if (!status)
		status = read_params(store, out, err);
	if (status)
		ft_program_clear(out);
	return status;
}

enum ft_status ft_store_get_program(struct ft_store *store, const char *name, struct ft_program *out,
				    struct ft_err *err)
{
	enum ft_status status = find_program(store, FT__NEWEST_PROGRAM, FT__VALUES(ft__text(name)), out, err);

	return status == FT_EEND ? ft__name_unknown(store, name, err) : status;
}

enum ft_status ft_store_get_program_on(struct ft_store *store, const char *name, const char *device,
				       struct ft_program *out, struct ft_err *err)
{
	enum ft_status status =
		find_program(store, FT__NEWEST_ON_DEVICE,
			     FT__VALUES(ft__text(name), ft__text(device ? device : "")), out, err);

	if (status != FT_EEND)
		return status;
	if (!device || !*device)
		return ft__name_unknown(store, name, err);
	(void)ft_fail(err, FT_ENOENT, "'%s' has no device '%s'", name, device);
	return ft_remedy(err, "'foretime list %s' shows those that it has", name);
}

enum ft_status ft_store_get_program_at(struct ft_store *store, int64_t id, struct ft_program *out,
				       struct ft_err *err)
{
	enum ft_status status = find_program(store, FT__PROGRAM_AT, FT__VALUES(ft__int(id)), out, err);

	return status == FT_EEND ? ft_fail(err, FT_ENOENT, "the store '%s' has no program %lld", store->path,
					   (long long)id)
				 : status;
}

/* ---- writing ---- */

/* FT_EINVAL: what could not be read back. */
static enum ft_status write_param(struct ft_store *store, int64_t id, size_t nr, const struct ft_param *param,
				  struct ft_err *err)
{
	struct ft_text list = {0};
	enum ft_status status;

	if (!isfinite(param->least) || !isfinite(param->most) || !isfinite(param->stride))
		return ft_fail(err, FT_EINVAL, "the range of parameter %s is not finite", param->name);
	for (size_t i = 0; i < param->n_list; i++) {
		ft_text_add_bytes(&list, " ", i > 0);
		ft_text_add_number(&list, param->list[i] + 0.0); /* -0 is 0 */
	}
	if (list.failed)
		status = ft_nomem(err);
	else
		status = ft__exec(store, FT__ADD_PARAM,
				  FT__VALUES(ft__int(id), ft__int((int64_t)nr), ft__text(param->name),
					     ft__real(param->least), ft__real(param->most),
					     ft__real(param->stride),
					     ft__real(param->factor > 0 ? param->factor : (double)NAN),
					     ft__text(list.s)),
				  NULL, err);
	ft_text_clear(&list);
	return status;
}

static enum ft_status write_params(struct ft_store *store, int64_t id, const struct ft_program *program,
				   struct ft_err *err)
{
	enum ft_status status = ft__exec(store, FT__REMOVE_PARAMS, FT__VALUES(ft__int(id)), NULL, err);

	for (size_t i = 0; i < program->n_params && !status; i++)
		status = write_param(store, id, i, &program->param[i], err);
	return status;
}

static bool same_names(const struct ft_program *a, const struct ft_program *b)
{
	if (a->n_params != b->n_params)
		return false;
	for (size_t i = 0; i < a->n_params; i++)
		if (strcmp(a->param[i].name, b->param[i].name) != 0)
			return false;
	return true;
}

/* The parameters of `to`, which are those given, united with the stored ones. Sizes are stored by position:
 * once there are runs, other parameters would make them mean something else. */
static enum ft_status unite_params(struct ft_store *store, struct ft_program *to,
				   const struct ft_program *stored, struct ft_err *err)
{
	int64_t has_runs = 0;

	if (!to->n_params) {
		memcpy(to->param, stored->param, sizeof to->param);
		to->n_params = stored->n_params;
	}
	if (same_names(to, stored)) {
		for (size_t i = 0; i < to->n_params; i++)
			ft_param_unite(&to->param[i], &stored->param[i]);
		return FT_OK;
	}
	enum ft_status status =
		ft__exec(store, FT__PROGRAM_HAS_RUNS, FT__VALUES(ft__int(stored->id)), &has_runs, err);
	if (status || !has_runs)
		return status;
	(void)ft_fail(err, FT_EEXIST, "'%s' has runs with other parameters, or with these in another order",
		      to->name);
	(void)ft_remedy(err, "choose another NAME, or remove it with foretime rm '%s'", to->name);
	return FT_EEXIST;
}

/* As in its row. */
static const char *device_of(const struct ft_program *program)
{
	return program->device ? program->device : "";
}

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static bool same_argv(const struct ft_program *a, const struct ft_program *b)
{
	if (!a->argv || !b->argv || a->argc != b->argc)
		return a->argv == b->argv;
	for (size_t i = 0; i < a->argc; i++)
		if (strcmp(a->argv[i], b->argv[i]) != 0)
			return false;
	return true;
}

static bool same_params(const struct ft_program *a, const struct ft_program *b)
{
	if (!same_names(a, b))
		return false;
	for (size_t i = 0; i < a->n_params; i++)
		if (!(a->param[i].least == b->param[i].least && a->param[i].most == b->param[i].most &&
		      a->param[i].stride == b->param[i].stride && a->param[i].factor == b->param[i].factor &&
		      a->param[i].n_list == b->param[i].n_list &&
		      !memcmp(a->param[i].list, b->param[i].list,
			      a->param[i].n_list * sizeof *a->param[i].list)))
			return false;
	return true;
}

/* Most real runs are of a program that is stored already: then nothing is written. */
static enum ft_status is_stored(struct ft_store *store, const struct ft_program *program,
				const struct ft_program *stored, bool *is, struct ft_err *err)
{
	int64_t newest = 0;
	enum ft_status status = FT_OK;

	*is = same_argv(program, stored) && same_text(program->work, stored->work) &&
	      same_text(program->method, stored->method) && same_text(program->where, stored->where) &&
	      same_text(program->driver, stored->driver) && same_params(program, stored);
	if (*is)
		status = ft__exec(store, FT__IS_NEWEST, FT__VALUES(ft__int(stored->id)), &newest, err);
	*is &= newest != 0;
	return status;
}

/* Programs of a device, or of none, that were never built. */
static enum ft_status adopt_of(struct ft_store *store, const struct ft_program *given, const char *hash,
			       const char *device, struct ft_err *err)
{
	struct ft_program unbuilt;
	int64_t has_runs = 0;

	FT_TRY(find_program(store, FT__FIND_UNBUILT, FT__VALUES(ft__text(given->name), ft__text(device)),
			    &unbuilt, err));
	enum ft_status status =
		ft__exec(store, FT__PROGRAM_HAS_RUNS, FT__VALUES(ft__int(unbuilt.id)), &has_runs, err);
	if (!status && has_runs &&
	    (strcmp(device, device_of(given)) != 0 || (given->n_params && !same_names(given, &unbuilt))))
		status = FT_EEND;
	if (!status && (*hash || *device_of(given)))
		status = ft__exec(store, FT__SET_HASH,
				  FT__VALUES(ft__int(unbuilt.id), ft__text(hash), ft__text(device_of(given))),
				  NULL, err);
	ft_program_clear(&unbuilt);
	return status;
}

/* A program known only from statements, or from runs without a version, becomes the one that is stored
 * now; unless those runs have other parameters, or are of no device and it has one. */
static enum ft_status adopt_program(struct ft_store *store, const struct ft_program *given, const char *hash,
				    struct ft_err *err)
{
	enum ft_status status = adopt_of(store, given, hash, device_of(given), err);

	if (status == FT_EEND && given->device)
		status = adopt_of(store, given, hash, "", err);
	return status == FT_EEND ? FT_OK : status;
}

/* The one of its name, its device and its hash. FT_EEND: none. */
static enum ft_status find_version(struct ft_store *store, const struct ft_program *program,
				   struct ft_program *out, struct ft_err *err)
{
	return find_program(
		store, FT__FIND_PROGRAM,
		FT__VALUES(ft__text(program->name), ft__text(device_of(program)), ft__text(program->hash)),
		out, err);
}

/* Inside a transaction. */
static enum ft_status put_program(struct ft_store *store, const struct ft_program *given, int64_t *id,
				  struct ft_err *err)
{
	struct ft_program merged = *given, stored; /* merged borrows from both */
	bool is_there = false;

	merged.id = 0;
	merged.hash = given->hash ? given->hash : (char[]){""};
	enum ft_status status = find_version(store, &merged, &stored, err);
	if (status == FT_EEND && !(status = adopt_program(store, given, merged.hash, err)))
		status = find_version(store, &merged, &stored, err);
	if (status && status != FT_EEND)
		return status;
	if (!status) {
		merged.id = stored.id;
		merged.work = given->work ? given->work : stored.work;
		merged.method = given->method ? given->method : stored.method;
		merged.where = given->where ? given->where : stored.where;
		merged.driver = given->driver ? given->driver : stored.driver;
		if (!given->argv) {
			merged.argv = stored.argv;
			merged.argc = stored.argc;
		}
		*id = stored.id;
		status = unite_params(store, &merged, &stored, err);
		if (!status)
			status = is_stored(store, &merged, &stored, &is_there, err);
	} else {
		status = FT_OK;
	}
	if (!status && !is_there) {
		struct ft__value command = ft__text(NULL), work = ft__text(merged.work),
				 method = ft__text(merged.method), where = ft__text(merged.where);
		struct ft_text argv = {0};

		for (size_t i = 0; i < merged.argc; i++)
			ft_text_add_bytes(&argv, merged.argv[i], strlen(merged.argv[i]) + 1);
		if (merged.argv)
			command = (struct ft__value){.type = FT__BYTES,
						     .bytes = argv.s ? argv.s : "",
						     .integer = (int64_t)argv.length};
		*id = merged.id;
		if (argv.failed)
			status = ft_nomem(err);
		else if (merged.id)
			status = ft__exec(store, FT__CHANGE_PROGRAM,
					  FT__VALUES(ft__int(merged.id), command, work, method, where,
						     ft__text(merged.driver)),
					  NULL, err);
		else
			status = ft__exec(store, FT__ADD_PROGRAM,
					  FT__VALUES(ft__text(merged.name), ft__text(device_of(&merged)),
						     ft__text(merged.hash), command, work, method, where,
						     ft__text(merged.driver)),
					  id, err);
		ft_text_clear(&argv);
		status = status ? status : write_params(store, *id, &merged, err);
	}
	ft_program_clear(&stored);
	return status;
}

/* Check that the stored text can be read again. */
static enum ft_status check_params(const struct ft_program *program, struct ft_err *err)
{
	for (size_t i = 0; i < program->n_params; i++) {
		const char *name = program->param[i].name;

		if (!*name || ft__name_length(name) != strlen(name)) {
			(void)ft_fail(err, FT_EINVAL, "parameter %zu of '%s' has no name that it may have",
				      i + 1, program->name);
			return ft_remedy(err, "a name has letters, digits and '_', and begins with no digit");
		}
	}
	return FT_OK;
}

enum ft_status ft_store_put_program(struct ft_store *store, struct ft_program *program, struct ft_err *err)
{
	enum ft_status status = ft__name_check(program->name, err);
	int64_t id = 0;

	program->id = 0;
	if (!status && program->device && ft_program_device_fault(program->device))
		status = ft_fail(err, FT_EINVAL, "'%s' cannot name a device: %s", program->device,
				 ft_program_device_fault(program->device));
	if (!status)
		status = check_params(program, err);
	if (status || (status = ft__begin(store, err)))
		return status;
	status = ft__end(store, put_program(store, program, &id, err), err);
	program->id = status ? 0 : id;
	return status;
}

/*
 * Choose the device of a program.
 */

/* The text for no device; NULL and "" are none. */
static const char none[] = "(none)";

static bool same_device(const char *a, const char *b)
{
	return !strcmp(a ? a : "", b ? b : "");
}

/* Whether an entry is the first of its device that has runs. */
static bool is_first(const struct ft_store_list *list, size_t at)
{
	if (!list->entry[at].runs)
		return false;
	for (size_t i = 0; i < at; i++)
		if (list->entry[i].runs && same_device(list->entry[i].device, list->entry[at].device))
			return false;
	return true;
}

static const char *nearest_device(const struct ft_store_list *list, const char *wanted)
{
	size_t best = SIZE_MAX, i;
	const char *found = NULL;

	for (i = 0; i < list->n; i++) {
		const char *device = list->entry[i].device;
		size_t distance = device ? ft_word_mistaken(wanted, device) : best;

		if (distance < best) {
			best = distance;
			found = device;
		}
	}
	return found;
}

static enum ft_status fail_device(const char *name, const struct ft_store_list *list, const char *wanted,
				  struct ft_err *err)
{
	const char *like = wanted ? nearest_device(list, wanted) : NULL;
	struct ft_text devices = {0};
	enum ft_status status = wanted ? FT_ENOENT : FT_EINVAL;

	/* "cpu, gpu": those that are measured. */
	for (size_t i = 0; i < list->n; i++) {
		const char *device = list->entry[i].device;

		if (is_first(list, i))
			ft_text_add(&devices, "%s%s", devices.length ? ", " : "", device ? device : none);
	}
	if (wanted) {
		if (*wanted)
			(void)ft_fail(err, status, "'%s' has no device '%s'", name, wanted);
		else
			(void)ft_fail(err, status, "'%s' has no runs without a device", name);
		(void)ft_remedy(err, like ? "the nearest is '%s'" : "its devices: %s",
				like             ? like
				: devices.length ? devices.s
						 : "none");
	} else {
		(void)ft_fail(err, status, "'%s' has runs of several devices: %s", name,
			      devices.s ? devices.s : "");
		(void)ft_remedy(err, "choose one with --device; 'foretime device rank %s' compares them",
				name);
	}
	ft_text_clear(&devices);
	return status;
}

/* The entries of one device, in their order. */
static void keep_device(struct ft_store_list *list, const char *device)
{
	size_t n = 0;

	for (size_t i = 0; i < list->n; i++) {
		if (same_device(list->entry[i].device, device))
			list->entry[n++] = list->entry[i];
		else
			ft__entry_clear(&list->entry[i]);
	}
	list->n = n;
}

enum ft_status ft_store_list_pick(struct ft_store_list *list, const char *name, const char *device,
				  struct ft_err *err)
{
	size_t n = 0, there = 0, at = 0;

	if (device && !strcmp(device, none))
		device = "";
	for (size_t i = 0; i < list->n; i++) {
		there += device && same_device(list->entry[i].device, device);
		if (is_first(list, i) && !n++)
			at = i;
	}
	if (device ? !there : n > 1)
		return fail_device(name, list, device, err);
	if (list->n)
		keep_device(list, device ? device : list->entry[at].device);
	return FT_OK;
}

enum ft_status ft_store_list_version(struct ft_store_list *list, const char *name, const char *hash,
				     struct ft_err *err)
{
	int64_t program = 0;
	size_t n = 0;

	for (size_t i = 0; i < list->n; i++) {
		struct ft_store_entry held = list->entry[i];

		if (!held.hash || strncmp(held.hash, hash, strlen(hash)) != 0)
			continue;
		if (program && held.program != program) {
			(void)ft_fail(err, FT_ENOENT,
				      "'%s' has several executables whose hash begins with '%s'", name, hash);
			(void)ft_remedy(err, "give more of it: foretime list %s --json has them", name);
			return FT_ENOENT;
		}
		program = held.program;
		held.current = true;
		list->entry[i] = list->entry[n];
		list->entry[n++] = held;
	}
	for (size_t i = n; i < list->n; i++)
		ft__entry_clear(&list->entry[i]);
	list->n = n;
	if (n)
		return FT_OK;
	(void)ft_fail(err, FT_ENOENT, "'%s' has no executable whose hash begins with '%s'", name, hash);
	(void)ft_remedy(err, "foretime list %s --json has them", name);
	return FT_ENOENT;
}
