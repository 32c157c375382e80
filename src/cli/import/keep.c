/* SPDX-License-Identifier: GPL-3.0-or-later */
/* keep.c - imported runs into the store: on which machine, which of them are new, all or none. */
#include "cli/common.h"
#include "cli/facts.h"
#include "cli/import/import.h"
#include "cli/program.h"
#include "foretime/measure.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- machines ----------------------------------------------------------------------------------------- */

/* The machine of that host name or fingerprint in the store; false: there is none. */
static bool find_stored(const char *store_path, const char *name, struct ft_machine *machine)
{
	struct ft_store_list list = {0};
	struct ft_store *store = NULL;
	bool found = false;

	if (cli_store_open_list(&store, store_path) != CLI_DONE || !store)
		return false;
	if (ft_store_get_list(store, NULL, &list, NULL))
		list.n = 0;
	for (size_t i = 0; i < list.n && !found; i++) {
		if (!list.entry[i].machine ||
		    ft_store_get_machine(store, list.entry[i].machine, machine, NULL))
			continue;
		found = ft_machine_is_called(machine, name);
		if (!found)
			ft_machine_clear(machine);
	}
	ft_store_list_clear(&list);
	ft_store_close(store);
	return found;
}

/* A machine by name: as stored, else a new one. */
static void name_machine(const struct cli_import *import, const char *name, struct ft_machine *machine)
{
	if (!find_stored(import->store_path, name, machine))
		cli_machine_named(name, machine);
}

/* One name is that of all runs. */
static bool is_whole(const struct ft_field_texts *machines)
{
	return machines->n == 1 && *machines->text[0] && !strpbrk(machines->text[0], "{=");
}

int cli_import_machine(struct cli_import *import)
{
	struct ft_err err = {0};

	if (is_whole(&import->machines))
		import->machine_name = import->machines.text[0];
	if (import->here) {
		if (ft_machine_read("", &import->machine, &err))
			return cli_error(&err);
	} else if (import->machine_name) {
		name_machine(import, import->machine_name, &import->machine);
	}
	if (!(import->memory_bytes > 0))
		import->memory_bytes = (double)import->machine.memory_bytes;
	return CLI_DONE;
}

/* Where nobody named the machine: as the files have it, else "elsewhere". */
static void settle_machine(struct cli_import *import)
{
	struct ft_machine *said = &import->import.machine, here = {0};

	if (import->machine.fingerprint)
		return;
	if (ft_machine_read("", &here, NULL) == FT_OK && said->fingerprint && here.fingerprint &&
	    !strcmp(said->fingerprint, here.fingerprint)) {
		import->machine = here;
		return;
	}
	if (!said->fingerprint && said->host && here.host && !strcmp(said->host, here.host))
		cli_note("the runs were made on a machine called '%s', as this one is: if it is this one, "
			 "import them with --here",
			 said->host);
	ft_machine_clear(&here);
	if (said->fingerprint) {
		import->machine = *said;
		*said = (struct ft_machine){0};
	} else if (said->host) {
		name_machine(import, said->host, &import->machine);
	} else {
		import->machine.fingerprint = cli_strdup("0000000000000000");
		import->machine.host = cli_strdup("elsewhere");
	}
}

/* A part that names its machine. */
struct named {
	const char *name;
	size_t part;
};

static int compare_named(const void *a, const void *b)
{
	const struct named *p = a, *q = b;
	int c = strcmp(p->name, q->name);

	return c ? c : (p->part > q->part) - (p->part < q->part);
}

/* The first part that names the same machine, of each one that names any. first: out, [n] */
static void find_first(const struct ft_import *read, size_t *first)
{
	CLI_OWN struct named *named = cli_alloc((read->n + 1) * sizeof *named);
	size_t n = 0;

	for (size_t i = 0; i < read->n; i++)
		if (read->part[i].machine)
			named[n++] = (struct named){read->part[i].machine, i};
	qsort(named, n, sizeof *named, compare_named);
	for (size_t i = 0; i < n; i++)
		first[named[i].part] = i && !strcmp(named[i].name, named[i - 1].name)
					       ? first[named[i - 1].part]
					       : named[i].part;
}

/* The machines that rows name, each once. */
static void settle_named(struct cli_import *import)
{
	const struct ft_import *read = &import->import;
	size_t *first = cli_alloc((read->n + 1) * sizeof *first), i;

	import->of = cli_alloc((read->n + 1) * sizeof *import->of);
	import->which = cli_alloc((read->n + 1) * sizeof *import->which);
	find_first(read, first);
	for (i = 0; i < read->n; i++) {
		const char *name = read->part[i].machine;

		if (name && first[i] < i)
			import->which[i] = import->which[first[i]];
		else if (name)
			name_machine(import, name, &import->of[import->which[i] = import->n_of++]);
	}
	for (i = 0; i < read->n; i++)
		if (!read->part[i].machine)
			import->which[i] = import->n_of;
	free(first);
}

static struct ft_machine *machine_of(struct cli_import *import, size_t part)
{
	return import->which[part] < import->n_of ? &import->of[import->which[part]] : &import->machine;
}

bool cli_import_whole(const struct cli_import *import)
{
	for (size_t i = 0; i < import->import.n; i++)
		if (import->which[i] == import->n_of)
			return true;
	return false;
}

void cli_import_forget(struct cli_import *import)
{
	for (size_t i = 0; i < import->n_of; i++)
		ft_machine_clear(&import->of[i]);
	free(import->of);
	free(import->which);
}

/* ---- the store ---------------------------------------------------------------------------------------- */

/* Which version the runs are of, where the store has one: said where the file does not say the same. Returns
 * whether it is another one; else the program gets the hash of the stored one. */
static bool settle_version(const struct cli_import *import, struct ft_program *program,
			   const struct ft_program *stored)
{
	bool differ = strcmp(program->hash, stored->hash) != 0, told = *program->hash != '\0';
	enum cli_version version = import->version;

	if (!differ)
		return false;
	if (version == CLI_VERSION_UNSAID && told && *stored->hash) {
		cli_note("these runs are of another version of '%s' than the store's: they are kept, and not "
			 "used; --as-version newer uses them in its place, same joins both",
			 program->name);
		version = CLI_VERSION_OLDER;
	} else if (version == CLI_VERSION_UNSAID && !told) {
		cli_note("of which version of '%s' these runs are is not known: they are taken for the "
			 "store's; --as-version older or newer keeps them apart",
			 program->name);
	}
	if (version == CLI_VERSION_OLDER || version == CLI_VERSION_NEWER)
		return true;
	if (*stored->hash) {
		free(program->hash);
		program->hash = cli_strdup(stored->hash);
	}
	return false;
}

static enum ft_status unknown_version(const char *name, struct ft_err *err)
{
	(void)ft_fail(err, FT_EINVAL,
		      "the version of the stored runs of '%s' is not known: they cannot be ordered by age",
		      name);
	(void)ft_remedy(err, "choose another NAME");
	return FT_EINVAL;
}

/* Keep a program. One of an older version does not become the newest of its name. */
static enum ft_status put_version(const struct cli_import *import, struct ft_store *store,
				  struct ft_program *program, struct ft_err *err)
{
	struct ft_program stored = {0};
	bool apart = false;
	enum ft_status status = ft_store_get_program_on(store, program->name, program->device, &stored, err);

	if (status == FT_ENOENT)
		return ft_store_put_program(store, program, err);
	if (!status && import->version > CLI_VERSION_SAME && !*stored.hash)
		status = unknown_version(program->name, err);
	if (!status && !(apart = settle_version(import, program, &stored)))
		cli_program_tell_version(store, program);
	if (!status)
		status = ft_store_put_program(store, program, err);
	if (!status && apart && import->version != CLI_VERSION_NEWER)
		status = ft_store_put_program(store, &stored, err);
	ft_program_clear(&stored);
	return status;
}

/* Leave out what the store has of this program and machine. */
static enum ft_status leave_known(struct cli_import *import, struct ft_store *store, size_t part,
				  struct ft_err *err)
{
	struct ft_imported *imported = &import->import.part[part];
	FT_CLEANUP(ft_runs_clear) struct ft_runs stored = {0};
	enum ft_status status =
		ft_store_get_runs(store, imported->program.id, machine_of(import, part)->id, &stored, err);

	if (!status)
		status = ft_import_fresh(&imported->runs, &stored, &import->known[part], err);
	return status;
}

/* Some runs at a time, so that progress can be told and interruptions are heard. */
static enum ft_status add_runs(struct cli_import *import, struct ft_store *store, size_t part, size_t *done,
			       struct ft_err *err)
{
	enum { PORTION = 4096 };
	struct ft_imported *imported = &import->import.part[part];
	enum ft_status status = FT_OK;

	for (size_t i = 0; i < imported->runs.n && !status; i += PORTION) {
		struct ft_runs portion = {.run = imported->runs.run + i, .n = imported->runs.n - i};

		if (portion.n > PORTION)
			portion.n = PORTION;
		status = ft_store_add_runs(store, imported->program.id, machine_of(import, part)->id,
					   &portion, err);
		*done += portion.n;
		if (!status &&
		    !cli_import_progress(import, *done, (double)*done / (double)import->import.runs))
			status = ft_fail(err, FT_EINTR, "interrupted; nothing was imported");
	}
	return status;
}

static enum ft_status put_all(struct cli_import *import, struct ft_store *store, struct ft_err *err)
{
	enum ft_status status =
		cli_import_whole(import) ? ft_store_put_machine(store, &import->machine, err) : FT_OK;
	size_t done = 0;

	for (size_t i = 0; i < import->n_of && !status; i++)
		status = ft_store_put_machine(store, &import->of[i], err);
	for (size_t i = 0; i < import->import.n && !status; i++) {
		status = put_version(import, store, &import->import.part[i].program, err);
		if (!status && !import->again)
			status = leave_known(import, store, i, err);
		if (!status)
			status = add_runs(import, store, i, &done, err);
	}
	return status;
}

int cli_import_keep(struct cli_import *import)
{
	struct ft_err err = {0};
	struct ft_store *store;

	settle_named(import);
	if (cli_import_whole(import))
		settle_machine(import);
	import->known = cli_alloc((import->import.n + 1) * sizeof *import->known);
	int exit_status = cli_store_open(&store, import->store_path, CLI_WRITE);
	if (exit_status != CLI_DONE)
		return exit_status;
	enum ft_status status = ft_store_begin(store, &err);
	if (!status)
		status = ft_store_end(store, put_all(import, store, &err), &err);
	ft_store_close(store);
	cli_import_progress_end(import);
	return status ? cli_error(&err) : CLI_DONE;
}
