/* SPDX-License-Identifier: GPL-3.0-or-later */
/* predict.c - what a run will cost at any size, with an interval and what it rests on. */
#include "cli/common.h"
#include "cli/facts.h"
#include "cli/models.h"
#include "cli/options.h"
#include "cli/sizes.h"

#include <stdlib.h>
#include <string.h>

/* What is asked. */
struct question {
	const char *store_path, *name, *machine, *resource, *sizes_path;
	double confidence;
	bool json, csv;
	bool all; /* resources */
	const char *load_view;
	struct ft_ask_load load;
	bool niced;
	struct cli_sizes sizes;
};

/* ---- the answers -------------------------------------------------------------------------------------- */

/* Something that prints answers one by one. */
struct printer {
	const struct question *question;
	const struct cli_models *models;
	struct cli_table table;
	json_t *predictions;
	FILE *csv; /* in memory: nothing is printed when a later size cannot be answered */
	char *csv_text;
	size_t csv_length;
};

static void print_csv_row(const struct printer *printer, const char *resource, const struct ft_size *size,
			  const struct ft_prediction *p)
{
	char digits[FT_NUMBER_LENGTH];
	size_t i;

	if (printer->question->all)
		fprintf(printer->csv, "%s,", resource);
	for (i = 0; i < size->n; i++)
		fprintf(printer->csv, "%s,", ft_number_format(size->value[i], digits));
	fprintf(printer->csv, "%s,", ft_number_format(p->value, digits));
	fprintf(printer->csv, "%s,", ft_number_format(p->lower, digits));
	fprintf(printer->csv, "%s,", ft_number_format(p->upper, digits));
	fprintf(printer->csv, "%s,%s\n", ft_basis_text(p->basis), ft_number_format(p->distance, digits));
}

static void add_json(const struct printer *printer, const char *resource, const struct ft_size *size,
		     const struct ft_prediction *p)
{
	json_t *object = cli_json_object();

	if (printer->question->all) {
		cli_json_set(object, "resource", cli_json_text(resource));
		cli_json_set(object, "unit", cli_json_text(cli_unit(resource)));
	}
	cli_json_set_size(object, ft_ask_program(printer->models->answerer), size);
	cli_json_set(object, "value", cli_json_number(p->value));
	cli_json_set(object, "lower", cli_json_number(p->lower));
	cli_json_set(object, "upper", cli_json_number(p->upper));
	cli_json_set(object, "basis", cli_json_text(ft_basis_text(p->basis)));
	cli_json_set(object, "distance", cli_json_number(p->distance));
	cli_json_set(object, "runs", cli_json_number((double)p->runs));
	cli_json_append(printer->predictions, object);
}

static void add_row(struct printer *printer, const char *resource, const struct ft_size *size,
		    const struct ft_prediction *p)
{
	const char *unit = cli_unit(resource);
	char text[FT_UNIT_LENGTH];

	if (printer->question->all)
		cli_table_add(&printer->table, "%s", resource);
	cli_size_cells(&printer->table, size);
	cli_table_add(&printer->table, "%s", ft_value_format(p->value, unit, text));
	cli_table_add(&printer->table, "%s", ft_value_format(p->lower, unit, text));
	cli_table_add(&printer->table, "%s", ft_value_format(p->upper, unit, text));
	cli_table_add(&printer->table, "%s", ft_basis_text(p->basis));
	if (p->basis == FT_BASIS_BEYOND)
		cli_table_add(&printer->table, "%.3gx beyond", p->distance);
	else
		cli_table_add(&printer->table, "%s", "");
	cli_table_add(&printer->table, "%zu", p->runs);
}

static int answer(struct printer *printer, const char *resource)
{
	const struct question *question = printer->question;
	size_t i;

	for (i = 0; i < question->sizes.n; i++) {
		struct ft_prediction p;
		struct ft_err err = {0};

		if (ft_ask_predict_loaded(printer->models->answerer, resource, &question->sizes.size[i],
					  question->confidence, &question->load, &p, NULL, &err))
			return cli_error(&err);
		if (question->csv)
			print_csv_row(printer, resource, &question->sizes.size[i], &p);
		else if (question->json)
			add_json(printer, resource, &question->sizes.size[i], &p);
		else
			add_row(printer, resource, &question->sizes.size[i], &p);
	}
	return CLI_DONE;
}

static int begin(struct printer *printer, const char *resource)
{
	const struct ft_program *program = ft_ask_program(printer->models->answerer);
	size_t i;

	if (printer->question->json) {
		printer->predictions = cli_json_array();
	} else if (printer->question->csv) {
		printer->csv = open_memstream(&printer->csv_text, &printer->csv_length);
		if (!printer->csv)
			return cli_fail("out of memory");
		if (printer->question->all)
			fprintf(printer->csv, "resource,");
		for (i = 0; i < program->n_params; i++)
			fprintf(printer->csv, "%s,", program->param[i].name);
		fprintf(printer->csv, "value,lower,upper,basis,distance\n");
	} else {
		if (printer->question->all)
			cli_table_head(&printer->table, "resource");
		cli_size_heads(&printer->table, program);
		cli_table_head(&printer->table, printer->question->all ? ">value" : ">");
		if (!printer->question->all) { /* the head is the resource's name */
			free(printer->table.cell[printer->table.n - 1]);
			printer->table.cell[printer->table.n - 1] = cli_strdup(resource);
		}
		cli_table_head(&printer->table, ">lower");
		cli_table_head(&printer->table, ">upper");
		cli_table_head(&printer->table, "basis");
		cli_table_head(&printer->table, "");
		cli_table_head(&printer->table, ">runs");
	}
	return CLI_DONE;
}

static void end_json(struct printer *printer, const char *resource)
{
	json_t *object = cli_json_new("predict");

	cli_json_set(object, "name", cli_json_text(ft_ask_program(printer->models->answerer)->name));
	cli_json_set(object, "resource", cli_json_text(printer->question->all ? "all" : resource));
	cli_json_set(object, "unit",
		     printer->question->all ? json_null() : cli_json_text(cli_unit(resource)));
	cli_json_set(object, "confidence", cli_json_number(printer->question->confidence));
	cli_json_set(object, "load", cli_json_text(ft_load_view_text(printer->question->load.view)));
	cli_json_set(object, "machine", cli_json_machine(ft_ask_machine(printer->models->answerer)));
	cli_json_set(object, "predictions", json_incref(printer->predictions));
	cli_json_print(object, stdout);
}

static int end_csv(struct printer *printer)
{
	bool bad = fflush(printer->csv) != 0 || ferror(printer->csv);

	if (bad)
		return cli_fail("out of memory");
	fputs(printer->csv_text, stdout);
	return CLI_DONE;
}

static void end_text(struct printer *printer)
{
	char share[FT_UNIT_LENGTH];

	cli_models_headline(printer->models, stdout);
	printf("%s of runs are expected between lower and upper\n",
	       ft_share_format(printer->question->confidence, share));
	if (printer->question->load.view == FT_LOAD_USUAL)
		printf("wall time: under the usual load of others\n");
	else if (printer->question->load.view == FT_LOAD_NOW)
		printf("wall time: as though the load of others stayed what it is now\n");
	putchar('\n');
	cli_table_print(&printer->table, stdout);
}

static int answer_all(const struct question *question, const struct cli_models *models)
{
	struct printer printer = {.question = question, .models = models};
	const char *resource = question->all ? "all" : cli_models_resource(models, question->resource);
	const struct ft_resource *each;
	int status = CLI_DONE;
	size_t i;

	if (!resource)
		return CLI_WRONG;
	status = begin(&printer, resource);
	if (status == CLI_DONE && !question->all)
		status = answer(&printer, resource);
	for (i = 0; question->all && status == CLI_DONE && (each = ft_ask_resource(models->answerer, i)); i++)
		status = answer(&printer, each->name);
	if (status == CLI_DONE && question->json)
		end_json(&printer, resource);
	else if (status == CLI_DONE && question->csv)
		status = end_csv(&printer);
	else if (status == CLI_DONE)
		end_text(&printer);
	if (printer.csv)
		(void)fclose(printer.csv);
	free(printer.csv_text);
	json_decref(printer.predictions);
	cli_table_clear(&printer.table);
	return status;
}

static int predict(struct question *question, const struct cli_words *words)
{
	struct cli_models models;
	int status;

	if (!words->n || strchr(words->word[0], '=')) {
		(void)cli_fail("of which program? its NAME stands before the sizes");
		cli_hint("foretime list shows the names");
		return CLI_WRONG;
	}
	if (question->json && question->csv)
		return cli_fail("--csv and --json exclude each other");
	if (question->load_view && !ft_load_view_parse(question->load_view, &question->load.view))
		return cli_fail("--load is idle, usual or now, not '%s'", question->load_view);
	question->load.sharing = question->niced ? FT_SHARING_NICED : FT_SHARING_FAIR;
	question->name = words->word[0];
	question->all = question->resource && !strcmp(question->resource, "all");
	status = cli_models_open(&models, question->store_path, question->name, question->machine);
	if (status != CLI_DONE)
		return status;
	status = cli_sizes_find(&question->sizes, models.answerer, words, question->sizes_path);
	if (status == CLI_DONE)
		status = answer_all(question, &models);
	cli_models_close(&models);
	return status;
}

static int run(const struct cli_command *command, int argc, char **argv)
{
	struct question q = {.confidence = 0.9};
	const struct cli_option options[] = {
		{'r', "resource", CLI_TEXT, &q.resource, "R",
		 "what is asked for: wall_s (default), peak_rss_bytes, ...; or all"},
		{0, "confidence", CLI_SHARE, &q.confidence, "C",
		 "share of future runs within the interval; default 90%"},
		{0, "load", CLI_TEXT, &q.load_view, "KIND",
		 "idle (default), usual (by the recorded history) or now: what others do meanwhile"},
		{0, "threads", CLI_NUMBER, &q.load.threads, "K",
		 "that the run keeps busy; default: as its processor time tells"},
		{0, "niced", CLI_FLAG, &q.niced, NULL, "the run takes only what others leave"},
		{0, "sizes", CLI_TEXT, &q.sizes_path, "FILE.csv",
		 "the sizes: a table with a column for each parameter"},
		{0, "machine", CLI_TEXT, &q.machine, "M",
		 "host name or fingerprint of the machine measured; default: this one"},
		{0, "csv", CLI_FLAG, &q.csv, NULL, "print a table for other programs, values in SI units"},
		{0, "json", CLI_FLAG, &q.json, NULL, "print one JSON object"},
		{0, "store", CLI_TEXT, &q.store_path, "PATH", "the store; default $FORETIME_STORE"},
		{0},
	};
	struct cli_words words;
	int status = cli_options_parse(command, options, argc, argv, &words);

	if (status != CLI_GO)
		return status;
	status = predict(&q, &words);
	cli_sizes_clear(&q.sizes);
	cli_words_clear(&words);
	return status;
}

const struct cli_command cli_predict = {
	"predict",
	"say what a run will cost at any size",
	"NAME n=2048 [m=100] [OPTION...]\nNAME n=64:3000:64 [OPTION...]\nNAME --sizes FILE.csv [OPTION...]",
	"Basis: measured (runs of that very size), interpolated (between two sizes), or extrapolated "
	"(beyond\n"
	"them; how far is said). With several ranges, every combination is predicted.\n",
	run,
};
