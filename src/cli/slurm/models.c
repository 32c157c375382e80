/* SPDX-License-Identifier: GPL-3.0-or-later */
/* models.c - writes requests for all sizes of all programs, as files that the submission functions read. */
#include "cli/cli.h"
#include "cli/slurm/slurm.h"
#include "foretime/ask.h"
#include "tell/answers.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The result for one program. */
struct slurm_models_model {
	const char *name, *why; /* why: there is no file; NULL: there is one */
	char *machine;
	size_t runs;
	struct ft_err err;
};

struct models {
	const struct cli_slurm *slurm;
	const char *folder;
	struct ft_store *store;
	struct ft_store_list list;
	struct ft_slurm_places places;    /* none: sinfo reports none, or one machine was requested */
	struct slurm_models_model *model; /* [n] */
	size_t n, written;
};

/* ---- places --------------------------------------------------------------------------------- */

/* The places where a program has runs; [n], each with an answerer of its own. */
struct where {
	struct ft_tell_place *place;
	size_t n;
};

/* The models of a program on a machine, if its sizes have the same parameters. NULL: none. */
static struct ft_answerer *open_on(struct models *m, const struct ft_program *program, int64_t machine)
{
	FT_CLEANUP(ft_machine_clear) struct ft_machine there = {0};
	struct ft_answerer *answerer = NULL;
	bool same = !ft_store_get_machine(m->store, machine, &there, NULL) &&
		    !ft_ask_open(&answerer, m->store, program->name, there.fingerprint, 0, NULL);
	const struct ft_program *other = same ? ft_ask_program(answerer) : NULL;

	same = same && other->n_params == program->n_params;
	for (size_t i = 0; same && i < program->n_params; i++)
		same = !strcmp(other->param[i].name, program->param[i].name);
	if (same)
		return answerer;
	ft_ask_close(answerer);
	return NULL;
}

static const struct ft_store_entry *entry_on(const struct models *m, const char *name, const char *machine)
{
	for (size_t i = 0; i < m->list.n; i++) {
		const struct ft_store_entry *entry = &m->list.entry[i];

		if (entry->current && entry->machine && entry->runs > entry->failed &&
		    !strcmp(entry->name, name) && !strcmp(entry->machine_name, machine))
			return entry;
	}
	return NULL;
}

/* A partition is left out where it has nodes of a kind on which the program was not run. */
static void open_places(struct models *m, const struct ft_program *program, struct where *where)
{
	const struct ft_slurm_places *all = &m->places;
	size_t first = 0;

	where->place = cli_alloc((all->n + 1) * sizeof *where->place);
	for (size_t i = 0; i < all->n; i++) {
		const struct ft_slurm_place *at = &all->place[i];
		const struct ft_store_entry *entry = entry_on(m, program->name, at->machine);
		struct ft_answerer *answerer = entry ? open_on(m, program, entry->machine) : NULL;

		if (!i || strcmp(at->partition, all->place[i - 1].partition) != 0)
			first = where->n;
		if (answerer) {
			where->place[where->n++] = (struct ft_tell_place){at->partition, answerer,
									  at->limit_s, at->memory_bytes};
			continue;
		}
		while (where->n > first)
			ft_ask_close(where->place[--where->n].answerer);
		while (i + 1 < all->n && !strcmp(all->place[i + 1].partition, at->partition))
			i++;
	}
}

/* The output of a tool, NULL if it fails: files are written without Slurm, too. The caller frees it. */
static char *ask_tool(const struct models *m, const char *const *argv)
{
	FT_CLEANUP(ft__command_clear)
	struct ft__command tool = {
		.argv = argv, .limit_s = m->slurm->limit_s, .interrupt = cli_interrupt_flag(), .apart = true};
	char *text = ft__command_run(&tool, NULL) ? NULL : cli_strdup(cli_given(tool.text));

	return text;
}

/* ---- files -------------------------------------------------------------------------------------------- */

static int write_model(struct models *m, struct slurm_models_model *model, const char *fingerprint)
{
	const struct cli_slurm *slurm = m->slurm;
	struct ft_answerer *answerer = NULL;
	struct where where = {0};
	CLI_OWN char *text = NULL;
	int status = CLI_DONE;

	if (!ft_ask_open(&answerer, m->store, model->name, fingerprint, 0, &model->err))
		open_places(m, ft_ask_program(answerer), &where);
	if (!answerer ||
	    ft_tell_knots(answerer, where.place, where.n, slurm->risk, slurm->lives_s, &text, &model->err)) {
		model->why = model->err.text[0] ? model->err.text : ft_status_text(model->err.status);
	} else {
		CLI_OWN char *path = cli_printed("%s/%s.knots", m->folder, model->name);
		status = cli_output_text(path, text);
		m->written += status == CLI_DONE;
	}
	while (where.n)
		ft_ask_close(where.place[--where.n].answerer);
	free(where.place);
	ft_ask_close(answerer);
	return status;
}

/* Among the entries of a name, the one with the most runs, or that of the requested machine; NULL: none. A
 * name's entries are adjacent. behind: out, the first entry of the next name */
static const struct ft_store_entry *choose_entry(struct models *m, size_t first, size_t *behind)
{
	const struct ft_store_entry *best = NULL;
	size_t i;

	for (i = first; i < m->list.n && !strcmp(m->list.entry[i].name, m->list.entry[first].name); i++) {
		const struct ft_store_entry *entry = &m->list.entry[i];
		const char *on = m->slurm->machine;

		if (!entry->current || !entry->machine || (on && strcmp(on, entry->machine_name) != 0))
			continue;
		if (!best || entry->runs > best->runs)
			best = entry;
	}
	*behind = i;
	return best;
}

static int write_all(struct models *m, const char *only)
{
	struct ft_err err = {0};
	size_t next;

	CLI_TRY(cli_store_open_list(&m->store, m->slurm->store_path));
	if (m->store && ft_store_get_list(m->store, only, &m->list, &err))
		return cli_error(&err);
	if (!m->slurm->machine) {
		static const char *const config_argv[] = {"scontrol", "show", "config", NULL},
					 *const sinfo_argv[] = {"sinfo", "-h", "-o", "%R|%f|%l|%m|%a", NULL};
		struct ft_slurm_config config = {0};
		CLI_OWN char *text = ask_tool(m, config_argv), *rows = NULL;

		if (text && !ft_slurm_config_parse(&config, text, NULL))
			rows = ask_tool(m, sinfo_argv);
		if (rows && ft_slurm_places_parse(rows, config.cluster, &m->places, &err))
			return cli_error(&err);
	}
	m->model = cli_alloc((m->list.n + 1) * sizeof *m->model);
	for (size_t i = 0; i < m->list.n; i = next) {
		const struct ft_store_entry *entry = choose_entry(m, i, &next);

		if (entry && ft_slurm_name_is_read(entry->name)) {
			struct slurm_models_model *model = &m->model[m->n++];
			FT_CLEANUP(ft_machine_clear) struct ft_machine machine = {0};
			int status = CLI_DONE;

			*model = (struct slurm_models_model){.name = entry->name,
							     .machine = cli_strdup(entry->machine_name),
							     .runs = entry->runs};
			if (ft_store_get_machine(m->store, entry->machine, &machine, &model->err))
				model->why = model->err.text;
			else
				status = write_model(m, model, machine.fingerprint);
			CLI_TRY(status);
		}
	}
	return CLI_DONE;
}

static void clear_models(struct models *m)
{
	for (size_t i = 0; i < m->n; i++)
		free(m->model[i].machine);
	free(m->model);
	ft_slurm_places_clear(&m->places);
	ft_store_list_clear(&m->list);
	ft_store_close(m->store);
}

/* Check that the folder exists. */
static int slurm_folder(const char *folder)
{
	struct stat st;

	if (!stat(folder, &st) && S_ISDIR(st.st_mode))
		return CLI_DONE;
	return cli_fail("there is no folder '%s'\n"
			"hint: foretime slurm install makes it; or name another with -o FOLDER",
			folder);
}

int cli_slurm_knots(const struct cli_slurm *slurm, const char *folder, const char *only, size_t *written)
{
	struct models m = {.slurm = slurm, .folder = folder};
	int status = write_all(&m, only);

	*written = m.written;
	clear_models(&m);
	return status;
}

/* ---- output
   --------------------------------------------------------------------------------------------- */

static const struct ft_tell_row model_rows[] = {
	{FT_TELL(struct slurm_models_model, name), .head = "name"},
	{FT_TELL(struct slurm_models_model, machine), .head = "machine"},
	{FT_TELL(struct slurm_models_model, runs), .head = ">runs"},
	{FT_TELL(struct slurm_models_model, why), .about = "why there is no file", .null = "there is one",
	 .head = "no file", .none = ""},
	{0},
};
static const struct ft_tell_record model_answer = {.bytes = sizeof(struct slurm_models_model),
						   .row = model_rows};

static const struct ft_tell_row rows[] = {
	{FT_TELL(struct models, folder)},
	{FT_TELL(struct models, written), .about = "files"},
	{FT_TELL_MANY(LIST, "programs", struct models, model, n, &model_answer)},
	{0},
};
const struct ft_tell_record cli_slurm_models_answer = {
	.name = "slurm", .action = "models", .version = 1, .row = rows};

int cli_slurm_models(void *query)
{
	struct cli_slurm *slurm = query;
	FT_CLEANUP(clear_models)
	struct models m = {.slurm = slurm, .folder = slurm->folder ? slurm->folder : CLI_SLURM_FOLDER};
	struct cli_table table = {0};

	CLI_TRY(slurm_folder(m.folder));
	CLI_TRY(write_all(&m, NULL));
	if (slurm->json) {
		cli_tell(&cli_slurm_models_answer, &m, NULL);
		return CLI_DONE;
	}
	printf("%zu of %zu program%s written into %s\n", m.written, m.n, m.n == 1 ? "" : "s", m.folder);
	cli_table_tell(&table, &model_answer, m.model, m.n, NULL);
	if (m.n)
		putchar('\n');
	cli_table_print(&table, stdout);
	return CLI_DONE;
}
