/* SPDX-License-Identifier: GPL-3.0-or-later */
/* travel.c - models as files for other machines: writes them, takes them in, and prints how far they count. */
#include "ask/door.h"
#include "base/text.h"
#include "cli/cli.h"
#include "tell/answers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- writing ------------------------------------------------------------------------------------------- */

/* A line for people for each resource of which a law fits; it is not read back. */
static char *laws_of(struct ft_answerer *answerer)
{
	const struct ft_resource *resource;
	struct ft_size any = ft_ask_any_size(answerer);
	struct ft_text text = {0};
	char law[FT_TELL_LAW];

	for (size_t i = 0; (resource = ft_ask_resource(answerer, i)); i++)
		if (*ft_tell_law(answerer, resource, &any, law))
			ft_text_add(&text, "# law of %s: %s\n", resource->name, law);
	return ft_text_take(&text);
}

static int write_model(struct ft_answerer *answerer, const char *licence, char **text)
{
	CLI_OWN char *laws = laws_of(answerer);
	struct ft_err err = {0};

	return ft_travel_write(answerer, licence, laws, text, &err) ? cli_error(&err) : CLI_DONE;
}

int cli_travel_export(const char *store_path, const char *name, const char *device, const char *machine,
		      const char *licence, const char *path)
{
	struct cli_models models;
	char *text = NULL;

	CLI_TRY(cli_models_open(&models, store_path, name, device, machine));
	int status = write_model(models.answerer, licence, &text);
	if (status == CLI_DONE)
		status = cli_output_text(path, text);
	free(text);
	cli_models_close(&models);
	return status;
}

/* ---- taking in ----------------------------------------------------------------------------------------- */

/* The program of the model, where the store has none of that name. */
static int put_program(struct ft_store *store, const char *name, const struct ft_travel *travel)
{
	struct ft_program program = {0};
	struct ft_err err = {0};

	if (!ft_store_get_program(store, name, &program, NULL)) {
		ft_program_clear(&program);
		return CLI_DONE;
	}
	if (ft_program_copy(&program, &travel->program, &err))
		return cli_error(&err);
	free(program.name);
	free(program.hash);
	program.name = cli_strdup(name);
	program.hash = cli_strdup("");
	int status = cli_program_put(store, &program);
	ft_program_clear(&program);
	return status;
}

int cli_travel_import(const char *store_path, const char *path, const char *name, bool quiet)
{
	CLI_STORE struct ft_store *store = NULL;
	struct ft_travel travel = {0};
	struct ft_err err = {0};

	if (ft_travel_read(&travel, path, &err))
		return cli_error(&err);
	name = name ? name : travel.program.name;
	int status = cli_store_open(&store, store_path, CLI_WRITE);
	if (status == CLI_DONE)
		status = put_program(store, name, &travel);
	if (status == CLI_DONE && ft_travel_keep(store, name, &travel, &err))
		status = cli_error(&err);
	if (status == CLI_DONE && !quiet)
		printf("imported a model of '%s': %zu resource%s, measured on %s%s%s\n", name, travel.n,
		       travel.n == 1 ? "" : "s",
		       travel.origin ? travel.origin : "a machine that is not named",
		       travel.licence ? "; licence " : "", travel.licence ? travel.licence : "");
	ft_travel_clear(&travel);
	return status;
}

/* The models of NAME on another machine of this store, as a file would have them. */
static int read_stored(struct ft_store *store, const char *from, struct ft_travel *out)
{
	const char *at = strrchr(from, '@');
	CLI_OWN char *name = cli_printed("%.*s", (int)(at - from), from);
	struct ft_answerer *answerer = NULL;
	struct ft_err err = {0};
	char *text = NULL;

	if (ft_ask_open(&answerer, store, name, at + 1, 0, &err))
		return cli_error(&err);
	int status = write_model(answerer, NULL, &text);
	if (status == CLI_DONE && ft_travel_parse(out, from, text, strlen(text), &err))
		status = cli_error(&err);
	free(text);
	ft_ask_close(answerer);
	return status;
}

int cli_travel_from(struct ft_store *store, const char *from, struct ft_program *program)
{
	struct ft_travel travel = {0};
	struct ft_err err = {0};
	int status = CLI_DONE;

	if (strchr(from, '@') && !strchr(from, '/'))
		status = read_stored(store, from, &travel);
	else if (ft_travel_read(&travel, from, &err))
		status = cli_error(&err);
	if (status != CLI_DONE)
		return status;
	if (!program->n_params) {
		program->n_params = travel.program.n_params;
		memcpy(program->param, travel.program.param, sizeof program->param);
	}
	for (size_t i = 0; i < program->n_params || i < travel.program.n_params; i++)
		if (i >= program->n_params || i >= travel.program.n_params ||
		    strcmp(program->param[i].name, travel.program.param[i].name) != 0) {
			status = cli_fail(
				"--from %s: its parameters are not those of '%s'\n"
				"hint: give the same names in the same order, as '# parameters:' in a "
				"model has them",
				from, program->name);
			break;
		}
	if (status == CLI_DONE && ft_travel_keep(store, program->name, &travel, &err))
		status = cli_error(&err);
	ft_travel_clear(&travel);
	return status;
}

/* ---- how far it counts --------------------------------------------------------------------------------- */

void cli_travel_print(const struct cli_models *models, const struct ft_resource *resource, FILE *file)
{
	const struct ft_travel *travel = ft_ask_travel(models->answerer);
	struct ft_size any = ft_ask_any_size(models->answerer);
	const struct ft_model_record *record;
	char share[FT_UNIT_LENGTH];

	if (!travel || !ft_travel_has(travel, resource) ||
	    ft_ask_model(models->answerer, resource, &any, &record, NULL))
		return;
	const struct ft_model_facts *facts = ft_model_facts(record->model);
	const char *origin = travel->origin ? travel->origin : "a machine that is not named";
	if (!(facts->shipped > 0))
		return;
	if (!ft_ask_runs(models->answerer)->n)
		fprintf(file,
			"no run here: the model was measured on %s, and machines differ; two or three runs "
			"here "
			"(foretime build --from, foretime run --save) set its scale\n",
			origin);
	else if (facts->trust < 0.5)
		fprintf(file, "shape of the runs here: that of %s does not fit (trust %s)\n", origin,
			ft_share_format(round(100 * facts->trust) / 100, share));
	else
		fprintf(file, "shape of %s, times %.3g by the runs here (trust %s)\n", origin, facts->scale,
			ft_share_format(round(100 * facts->trust) / 100, share));
}
