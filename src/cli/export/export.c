/* SPDX-License-Identifier: GPL-3.0-or-later */
/* export.c - exports the runs of a program as a table, as JSON, or in other tools' formats, in the order
 * they were made. */
#include "cli/cli.h"
#include "cli/options.h"
#include "foretime/adapt.h"
#include "tell/answers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Write requests for all sizes as a file of knots.
 */

/* export_knots - risk: share of runs that may need more; lives_s: how long the file is to be believed.
 * Returns an exit status, after a complaint. */
static int export_knots(const char *name, const char *device, const char *machine, const char *store_path,
			const char *path, double risk, double lives_s)
{
	struct cli_models models = {0};
	struct ft_err err = {0};
	int status = cli_models_open(&models, store_path, name, device, machine);
	char *text = NULL;

	if (status != CLI_DONE)
		return status;
	if (ft_tell_knots(models.answerer, NULL, 0, risk, lives_s, &text, &err))
		status = cli_error(&err);
	if (status == CLI_DONE)
		status = cli_output_text(path, text);
	free(text);
	cli_models_close(&models);
	return status;
}

/*
 * Exports the runs of a program as a table, as JSON, or in other tools' formats, in the order they were
 * made.
 */

/* The export. Zero-initialise; ends with exported_clear. */
struct export_exported {
	struct ft_program program;
	struct ft_machine machine;
	struct ft_runs runs;
};

static int load_from(struct export_exported *exported, struct ft_store *store, const char *name,
		     const char *device, const char *machine)
{
	FT_CLEANUP(ft_store_list_clear) struct ft_store_list list = {0};
	struct ft_err err = {0};
	size_t chosen = 0;

	if (ft_store_get_program(store, name, &exported->program, &err) ||
	    ft_store_find_runs(store, name, &list, &err) || ft_store_list_pick(&list, name, device, &err) ||
	    ft_tell_entry_pick(store, &list, name, machine, &chosen, &err))
		return cli_error(&err);
	if (chosen < list.n && !list.entry[chosen].machine)
		return cli_fail("'%s' has no runs\nhint: measure it with foretime build %s", name, name);
	ft_program_clear(&exported->program);
	if (chosen < list.n &&
	    (ft_store_get_program_at(store, list.entry[chosen].program, &exported->program, &err) ||
	     ft_store_get_runs(store, exported->program.id, list.entry[chosen].machine, &exported->runs,
			       &err) ||
	     ft_store_get_machine(store, list.entry[chosen].machine, &exported->machine, &err)))
		return cli_error(&err);
	return CLI_DONE;
}

/* All formats but JSON, which is our own: the library writes them. */
static int print_format(const struct export_exported *exported, const struct ft_format *format,
			size_t *left_out, FILE *file)
{
	struct ft_err err = {0};
	char *text;

	if (ft_export_write(format, &exported->program, &exported->machine, &exported->runs, &text, left_out,
			    &err))
		return cli_error(&err);
	fputs(text, file);
	free(text);
	return CLI_DONE;
}

/* format NULL: JSON */
static int export_runs(const char *name, const char *device, const char *machine, const char *store_path,
		       const char *path, const struct ft_format *format)
{
	struct export_exported exported = {0};
	struct cli_output output = {0};
	struct ft_store *store;
	int status = cli_store_open(&store, store_path, CLI_READ), closed;
	size_t left_out = 0;

	if (status != CLI_DONE)
		return status;
	status = load_from(&exported, store, name, device, machine);
	ft_store_close(store);
	if (status == CLI_DONE)
		status = cli_output_open(&output, path, stdout);
	if (status == CLI_DONE && !format) {
		const struct ft_tell_with with = {.program = &exported.program};
		const struct ft_answer_export answer = {exported.program, &exported.machine, exported.runs};

		cli_json_print(cli_tell_json(&ft_tell_export, &answer, &with), output.file);
	} else if (status == CLI_DONE) {
		status = print_format(&exported, format, &left_out, output.file);
	}
	closed = cli_output_close(&output, status == CLI_DONE);
	ft_program_clear(&exported.program);
	ft_machine_clear(&exported.machine);
	ft_runs_clear(&exported.runs);
	status = status == CLI_DONE ? closed : status;
	if (status == CLI_DONE && left_out)
		cli_note("left out %zu run%s that the format cannot express: failed ones, and warm-ups",
			 left_out, left_out == 1 ? "" : "s");
	return status;
}

/* The format that the options name; NULL: JSON. */
static int choose_format(const char *name, const struct ft_format **format)
{
	struct ft_err err = {0};

	*format = NULL;
	if (name && (!strcmp(name, "json") || !strcmp(name, "foretime")))
		return CLI_DONE;
	return ft_format_find(name ? name : "csv", format, &err) ? cli_error(&err) : CLI_DONE;
}

static int run_export(const struct cli_command *command, int argc, char **argv)
{
	const char *store_path = NULL, *device = NULL, *machine = NULL, *path = NULL, *name,
		   *format_name = NULL;
	const struct ft_format *format = NULL;
	const char *licence = NULL;
	double risk = NAN, lives_s = NAN;
	bool json = false, csv = false, model = false;
	const struct ft_field options[] = {
		{0, "csv", FT_FIELD_FLAG, &csv, NULL,
		 "print a table, which foretime import reads back (default)"},
		{0, "json", FT_FIELD_FLAG, &json, NULL,
		 "print one JSON object, with all that is known of each run"},
		{0, "format", FT_FIELD_TEXT, &format_name, "F",
		 "csv, json, extrap (the text of Extra-P), extrap-lines (its JSON lines); knots: requests "
		 "for all sizes"},
		{0, "risk", FT_FIELD_SHARE, &risk, "R",
		 "knots: share of runs that may need more; default 1%"},
		{0, "expires", FT_FIELD_DURATION, &lives_s, "T", "knots: how long they hold; default 30d"},
		{0, "model", FT_FIELD_FLAG, &model, NULL,
		 "write the models for other machines, which foretime import and build --from take",
		 .not_with = "csv json format"},
		{0, "licence", FT_FIELD_TEXT, &licence, "L", "licence of that file, as in CC0-1.0",
		 .of = "model"},
		{'o', "output", FT_FIELD_TEXT, &path, "FILE", "write there; default: standard output"},
		CLI_DEVICE_OPTION(device),
		CLI_MACHINE_OPTION(machine),
		CLI_STORE_OPTION(store_path),
		{0},
	};
	struct cli_words words;
	int status = cli_options_parse(command, options, argc, argv, &words);

	if (status != CLI_GO)
		return status;
	name = cli_name_word(command, &words);
	if (licence && !model)
		return cli_fail("--licence is of --model");
	if (name && model)
		return cli_travel_export(store_path, name, device, machine, licence, path);
	bool knots = format_name && !strcmp(format_name, "knots");
	if (!name)
		status = CLI_WRONG;
	else if (!knots)
		status = choose_format(format_name, &format);
	else
		status = CLI_DONE;
	if (status == CLI_DONE && !knots && (!isnan(risk) || !isnan(lives_s)))
		status = cli_fail("--risk and --expires are of --format knots");
	if (status == CLI_DONE && lives_s <= 0)
		status = cli_fail("--expires 0s: the knots would expire at once\n"
				  "hint: give the time for which they are valid, as in 30d");
	if (status == CLI_DONE && knots)
		status = export_knots(name, device, machine, store_path, path,
				      isnan(risk) ? FT_TELL_KNOTS_RISK : risk,
				      isnan(lives_s) ? FT_TELL_KNOTS_LIFE_S : lives_s);
	else if (status == CLI_DONE)
		status = export_runs(name, device, machine, store_path, path, format);
	return status;
}

const struct cli_command cli_export = {
	"export",
	"print the runs of a program, as CSV, JSON or for Extra-P",
	"NAME [--csv|--json|--format F] [-o FILE] [OPTION...]\nNAME --model -o NAME.model [--licence L]",
	"Runs stand in the order in which they were made. foretime import of the table gives the same "
	"predictions.\n",
	NULL,
	run_export,
};
