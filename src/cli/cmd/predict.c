/* SPDX-License-Identifier: GPL-3.0-or-later */
/* predict.c - what a run will cost at any size, with an interval and what it rests on. */
#include "cli/common.h"
#include "cli/facts.h"
#include "cli/models.h"
#include "cli/options.h"
#include "foretime/csv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIZES_MOST = 1000000 };

/* What is asked. */
struct question {
	const char *store_path, *name, *machine, *resource, *sizes_path;
	double confidence;
	bool json, csv;
	bool all; /* resources */
	struct ft_size *size;
	size_t n, capacity;
};

static void add_size(struct question *question, const struct ft_size *size)
{
	question->size = cli_grow(question->size, question->n, &question->capacity, sizeof *size);
	question->size[question->n++] = *size;
}

/* ---- the sizes ---------------------------------------------------------------------------------------- */

/* How many values a range has; a range whose end is no step ends before it, as seq does. */
static double count_values(const struct ft_param *param)
{
	return floor((param->most - param->least) / param->stride * (1 + 1e-12)) + 1;
}

static int parse_words(const struct cli_words *words, struct ft_param *param, size_t *n)
{
	double product = 1;
	size_t i;

	for (i = 1; i < words->n; i++) {
		struct ft_err err = {0};

		if (!strchr(words->word[i], '=')) {
			(void)cli_fail("'%s' is no size", words->word[i]);
			cli_hint("write n=2048, n=64:3000:64 for a range, or --sizes FILE.csv");
			return CLI_WRONG;
		}
		if (*n == FT_PARAMS_MAX)
			return cli_fail("more than %d parameters", FT_PARAMS_MAX);
		if (ft_param_parse(words->word[i], &param[*n], &err))
			return cli_error(&err);
		product *= count_values(&param[(*n)++]);
		if (product > SIZES_MOST) {
			(void)cli_fail("'%s' makes more than %d sizes", words->word[i], SIZES_MOST);
			cli_hint("give the range a larger step: n=LEAST:MOST:STEP");
			return CLI_WRONG;
		}
	}
	return CLI_DONE;
}

/* Every combination of the values of the parameters; the last one varies fastest. */
static int product_of_words(struct question *question, const struct cli_models *models,
			    const struct cli_words *words)
{
	struct ft_param param[FT_PARAMS_MAX];
	const char *name[FT_PARAMS_MAX];
	double value[FT_PARAMS_MAX], step[FT_PARAMS_MAX] = {0};
	struct ft_err err = {0};
	struct ft_size size;
	size_t i, n = 0;
	int status = parse_words(words, param, &n);

	if (status != CLI_DONE)
		return status;
	for (i = 0; i < n; i++)
		name[i] = param[i].name;
	do {
		for (i = 0; i < n; i++)
			value[i] = param[i].least + step[i] * param[i].stride;
		if (ft_ask_size(models->answerer, name, value, n, &size, &err))
			return cli_error(&err);
		add_size(question, &size);
		for (i = n; i > 0; i--) {
			if (++step[i - 1] < count_values(&param[i - 1]))
				break;
			step[i - 1] = 0;
		}
	} while (i > 0);
	return CLI_DONE;
}

/* The rows of a table whose columns are parameters; other columns are passed over. */
static int sizes_of_table(struct question *question, const struct cli_models *models,
			  const struct ft_csv *csv)
{
	const struct ft_program *program = ft_ask_program(models->answerer);
	const char *name[FT_PARAMS_MAX];
	double value[FT_PARAMS_MAX];
	size_t column[FT_PARAMS_MAX], row, i, n = 0;
	struct ft_err err = {0};
	struct ft_size size;

	for (i = 0; i < program->n_params; i++) {
		int at = ft_csv_column(csv, program->param[i].name);

		if (at >= 0) {
			name[n] = program->param[i].name;
			column[n++] = (size_t)at;
		}
	}
	for (row = 0; row < ft_csv_rows(csv); row++) {
		for (i = 0; i < n; i++)
			if (ft_csv_number(csv, row, column[i], false, &value[i], &err))
				return cli_error(&err);
		if (ft_ask_size(models->answerer, name, value, n, &size, &err))
			return cli_error_at(&err, "%s:%zu", question->sizes_path, ft_csv_line(csv, row));
		add_size(question, &size);
	}
	return CLI_DONE;
}

static int find_sizes(struct question *question, const struct cli_models *models,
		      const struct cli_words *words)
{
	struct ft_csv *csv = NULL;
	struct ft_err err = {0};
	int status;

	if (!question->sizes_path && words->n > 1)
		return product_of_words(question, models, words);
	if (!question->sizes_path) {
		(void)cli_fail("at which size?");
		cli_hint("write foretime predict %s %s=2048, %s=64:3000:64 for a range, or --sizes FILE.csv",
			 question->name,
			 ft_ask_program(models->answerer)
				 ->param[ft_program_varying(ft_ask_program(models->answerer))]
				 .name,
			 ft_ask_program(models->answerer)
				 ->param[ft_program_varying(ft_ask_program(models->answerer))]
				 .name);
		return CLI_WRONG;
	}
	if (words->n > 1)
		return cli_fail("sizes are given twice: by '%s' and by --sizes", words->word[1]);
	if (ft_csv_read(question->sizes_path, 0, &csv, &err))
		return cli_error(&err);
	status = sizes_of_table(question, models, csv);
	ft_csv_free(csv);
	return status;
}

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

	for (i = 0; i < question->n; i++) {
		struct ft_prediction p;
		struct ft_err err = {0};

		if (ft_ask_predict(printer->models->answerer, resource, &question->size[i],
				   question->confidence, &p, &err))
			return cli_error(&err);
		if (question->csv)
			print_csv_row(printer, resource, &question->size[i], &p);
		else if (question->json)
			add_json(printer, resource, &question->size[i], &p);
		else
			add_row(printer, resource, &question->size[i], &p);
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
	printf("%s of runs are expected between lower and upper\n\n",
	       ft_share_format(printer->question->confidence, share));
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
	question->name = words->word[0];
	question->all = question->resource && !strcmp(question->resource, "all");
	status = cli_models_open(&models, question->store_path, question->name, question->machine);
	if (status != CLI_DONE)
		return status;
	status = find_sizes(question, &models, words);
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
	free(q.size);
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
