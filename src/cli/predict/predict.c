/* SPDX-License-Identifier: GPL-3.0-or-later */
/* predict.c - what a run will cost at any size, with an interval and what it rests on. */
#include "cli/common.h"
#include "cli/facts.h"
#include "cli/knowledge.h"
#include "cli/models.h"
#include "cli/options.h"
#include "cli/sizes.h"
#include "foretime/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is asked. */
struct question {
	const char *store_path, *name, *machine, *resource, *sizes_path;
	double confidence;
	bool json, csv;
	bool all; /* resources */
	struct cli_beside beside;
	struct ft_ask_load load;
	struct ft_cycles cycles;
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
	bool bounded, unbounded; /* answers with an interval; without */
	double instructions;     /* of the last size, where another machine's pace answers */
	const char *resource;    /* whose change is told */
	struct ft_change change;
	struct ft_pass pass[FT_PASSES_MAX]; /* [n_passes] of the size beyond the data that passes most */
	size_t n_passes;
};

static const char *name_of(const struct ft_machine *machine)
{
	return machine->host ? machine->host : machine->fingerprint ? machine->fingerprint : "this machine";
}

/* A number of the table; nothing where there is none. */
static void print_csv_number(FILE *file, double value)
{
	char digits[FT_NUMBER_LENGTH];

	fprintf(file, "%s,", isnan(value) ? "" : ft_number_format(value, digits));
}

static void print_csv_row(const struct printer *printer, const char *resource, const struct ft_size *size,
			  const struct ft_prediction *p)
{
	char digits[FT_NUMBER_LENGTH];
	size_t i;

	if (printer->question->all)
		fprintf(printer->csv, "%s,", resource);
	for (i = 0; i < size->n; i++)
		fprintf(printer->csv, "%s,", ft_number_format(size->value[i], digits));
	print_csv_number(printer->csv, p->value);
	print_csv_number(printer->csv, p->known);
	print_csv_number(printer->csv, p->lower);
	print_csv_number(printer->csv, p->upper);
	fprintf(printer->csv, "%s,%s\n", ft_basis_text(p->basis), ft_number_format(p->distance, digits));
}

/* What answered, in words; ends with free. */
static char *source_of(const struct printer *printer, const struct ft_prediction *p)
{
	const struct ft_machine *there = ft_ask_elsewhere_machine(printer->models->answerer);

	if (p->level != FT_LEVEL_CYCLES || !there)
		return cli_strdup(ft_level_text(p->level));
	return cli_printed("instructions of %s, cycles of %s",
			   name_of(ft_ask_machine(printer->models->answerer)), name_of(there));
}

static void add_json(const struct printer *printer, const char *resource, const struct ft_size *size,
		     const struct ft_prediction *p)
{
	json_t *object = cli_json_object();
	char *source = source_of(printer, p);

	if (printer->question->all) {
		cli_json_set(object, "resource", cli_json_text(resource));
		cli_json_set(object, "unit", cli_json_text(cli_unit(resource)));
	}
	cli_json_set_size(object, ft_ask_program(printer->models->answerer), size);
	cli_json_set(object, "value", cli_json_number(p->value));
	cli_json_set(object, "known", cli_json_number(p->known));
	cli_json_set(object, "lower", cli_json_number(p->lower));
	cli_json_set(object, "upper", cli_json_number(p->upper));
	cli_json_set(object, "source", cli_json_text(source));
	free(source);
	cli_json_set(object, "basis", cli_json_text(ft_basis_text(p->basis)));
	cli_json_set(object, "distance", cli_json_number(p->distance));
	cli_json_set(object, "runs", cli_json_number((double)p->runs));
	cli_json_append(printer->predictions, object);
}

static void add_row(struct printer *printer, const char *resource, const struct ft_size *size,
		    const struct ft_prediction *p)
{
	const char *unit = cli_unit(resource);
	char text[FT_UNIT_LENGTH], known[CLI_WITHIN_LENGTH], *source, *interval = cli_interval(p, unit);

	if (printer->question->all)
		cli_table_add(&printer->table, "%s", resource);
	cli_size_cells(&printer->table, size);
	cli_table_add(&printer->table, "%s", ft_value_format(p->value, unit, text));
	cli_table_add(&printer->table, "%s", cli_within(p->known, known));
	cli_table_add(&printer->table, "%s", interval);
	free(interval);
	cli_table_add(&printer->table, "%s", ft_basis_text(p->basis));
	if (p->basis == FT_BASIS_BEYOND || (p->basis == FT_BASIS_STATED && p->distance > 1))
		cli_table_add(&printer->table, "%.3gx beyond", p->distance);
	else
		cli_table_add(&printer->table, "%s", "");
	cli_table_add(&printer->table, "%zu", p->runs);
	/* The usual source needs no word. */
	source = source_of(printer, p);
	cli_table_add(&printer->table, "%s", p->level == FT_LEVEL_MODEL ? "" : source);
	free(source);
}

static void look_for_instructions(struct printer *printer, const struct ft_size *size)
{
	struct ft_prediction p;

	if (ft_ask_elsewhere_machine(printer->models->answerer) &&
	    !ft_ask_predict(printer->models->answerer, "instructions", size, printer->question->confidence,
			    &p, NULL))
		printer->instructions = p.value;
}

/* That of the first resource with one is told. */
static void look_for_change(struct printer *printer, const char *resource, const struct ft_size *size)
{
	const struct ft_model_record *record;

	if (printer->change.runs || !ft_ask_runs(printer->models->answerer)->n ||
	    ft_ask_model(printer->models->answerer, resource, size, &record, NULL))
		return;
	printer->resource = resource;
	printer->change = ft_model_facts(record->model)->change;
}

static void look_for_passes(struct printer *printer, const struct ft_size *size,
			    const struct ft_prediction *p)
{
	struct ft_pass pass[FT_PASSES_MAX];
	size_t n = p->basis == FT_BASIS_BEYOND ? ft_ask_passes(printer->models->answerer, size, pass) : 0;

	if (!n || (printer->n_passes && pass[n - 1].needed <= printer->pass[printer->n_passes - 1].needed))
		return;
	memcpy(printer->pass, pass, sizeof pass);
	printer->n_passes = n;
}

static void print_passes(const struct printer *printer)
{
	char bytes[FT_UNIT_LENGTH], held[FT_UNIT_LENGTH], needed[FT_UNIT_LENGTH];
	size_t i;

	for (i = 0; i < printer->n_passes; i++) {
		const struct ft_pass *pass = &printer->pass[i];
		bool last = !strcmp(pass->level, "memory");

		printf("beyond the %s (%s): runs held %s at most, %s are expected; %s\n", pass->level,
		       ft_value_format(pass->bytes, "bytes", bytes),
		       ft_value_format(pass->held, "bytes", held),
		       ft_value_format(pass->needed, "bytes", needed),
		       last ? "it would page, or be killed" : "what lies there no run has seen");
	}
}

static json_t *json_of_passes(const struct printer *printer)
{
	json_t *array = cli_json_array();
	size_t i;

	for (i = 0; i < printer->n_passes; i++) {
		const struct ft_pass *pass = &printer->pass[i];
		json_t *object = cli_json_object();

		cli_json_set(object, "level", cli_json_text(pass->level));
		cli_json_set(object, "bytes", cli_json_number(pass->bytes));
		cli_json_set(object, "held", cli_json_number(pass->held));
		cli_json_set(object, "needed", cli_json_number(pass->needed));
		cli_json_append(array, object);
	}
	return array;
}

static int answer(struct printer *printer, const char *resource)
{
	const struct question *question = printer->question;
	size_t i;

	for (i = 0; i < question->sizes.n; i++) {
		struct ft_prediction p;
		struct ft_err err = {0};

		if (ft_ask_predict(printer->models->answerer, resource, &question->sizes.size[i],
				   question->confidence, &p, &err))
			return cli_error(&err);
		printer->bounded |= !isnan(p.lower);
		printer->unbounded |= isnan(p.lower);
		look_for_instructions(printer, &question->sizes.size[i]);
		look_for_change(printer, resource, &question->sizes.size[i]);
		look_for_passes(printer, &question->sizes.size[i], &p);
		if (question->csv)
			print_csv_row(printer, resource, &question->sizes.size[i], &p);
		else if (question->json)
			add_json(printer, resource, &question->sizes.size[i], &p);
		else
			add_row(printer, resource, &question->sizes.size[i], &p);
	}
	return CLI_DONE;
}

static int begin(struct printer *printer)
{
	const struct ft_program *program = ft_ask_program(printer->models->answerer);
	char *runs, *head;
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
		fprintf(printer->csv, "value,known,lower,upper,basis,distance\n");
	} else {
		if (printer->question->all)
			cli_table_head(&printer->table, "resource");
		cli_size_heads(&printer->table, program);
		runs = cli_runs_within(printer->question->confidence);
		head = cli_printed(">%s", runs);
		cli_table_heads(&printer->table, ">typical", ">known to", head, NULL);
		free(head);
		free(runs);
		cli_table_head(&printer->table, "basis");
		cli_table_head(&printer->table, "");
		cli_table_head(&printer->table, ">runs");
		cli_table_head(&printer->table, "source");
	}
	return CLI_DONE;
}

/* The machine that is answered for; a law that was stated answers for this one. */
static json_t *json_of_machine(const struct cli_models *models)
{
	struct ft_machine here = {0};
	json_t *object;

	if (ft_ask_elsewhere_machine(models->answerer))
		return cli_json_machine(ft_ask_elsewhere_machine(models->answerer));
	if (ft_ask_machine(models->answerer)->fingerprint || ft_machine_read("", &here, NULL))
		return cli_json_machine(ft_ask_machine(models->answerer));
	object = cli_json_machine(&here);
	ft_machine_clear(&here);
	return object;
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
	cli_json_set(object, "machine", json_of_machine(printer->models));
	cli_json_set(object, "change", cli_json_change(&printer->change));
	cli_json_set(object, "older_runs",
		     cli_json_number((double)ft_ask_older(printer->models->answerer, NULL)));
	cli_json_set(object, "failing", cli_json_failing(printer->models));
	cli_json_set_axes(object, printer->models, &resource, !printer->question->all);
	cli_json_set(object, "passes", json_of_passes(printer));
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

static void print_elsewhere(const struct printer *printer)
{
	struct ft_answerer *answerer = printer->models->answerer;
	char pace[FT_UNIT_LENGTH];
	struct ft_pace p;

	printf("%s: instructions of %s, cycles of %s\n", ft_ask_program(answerer)->name,
	       name_of(ft_ask_machine(answerer)), name_of(ft_ask_elsewhere_machine(answerer)));
	if (!(printer->instructions > 0) || ft_ask_pace(answerer, printer->instructions, &p, NULL))
		return;
	ft_value_format(p.s, "s", pace);
	if (p.stated)
		printf("%s an instruction, as stated; the interval is that of the instructions\n", pace);
	else
		printf("%s an instruction, as %zu program%s there take%s\n", pace, p.programs,
		       p.programs == 1 ? "" : "s", p.programs == 1 ? "s" : "");
}

/* Which two numbers are told. */
static void print_what(const struct printer *printer, const char *resource)
{
	char share[FT_UNIT_LENGTH];

	printf("%s of a typical run", printer->question->all ? "each resource" : resource);
	if (printer->bounded)
		printf(", how well it is known, and where %s of single runs are expected",
		       ft_share_format(printer->question->confidence, share));
	putchar('\n');
}

static void end_text(struct printer *printer, const char *resource)
{
	if (ft_ask_elsewhere_machine(printer->models->answerer))
		print_elsewhere(printer);
	else
		cli_models_headline(printer->models, stdout);
	cli_axes_print(printer->models, &resource, !printer->question->all, stdout);
	print_what(printer, resource);
	if (printer->unbounded)
		printf("no interval: the stated law was never tried; foretime build or run --save tries "
		       "it\n");
	if (printer->change.runs) {
		char *change = cli_change_text(&printer->change);

		printf("%s: %s\n", printer->resource, change);
		free(change);
	}
	cli_beside_print(printer->question->load.view);
	print_passes(printer);
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
	status = begin(&printer);
	if (status == CLI_DONE && !question->all)
		status = answer(&printer, resource);
	for (i = 0; question->all && status == CLI_DONE && (each = ft_ask_resource(models->answerer, i)); i++)
		status = answer(&printer, each->name);
	if (status == CLI_DONE && question->json)
		end_json(&printer, resource);
	else if (status == CLI_DONE && question->csv)
		status = end_csv(&printer);
	else if (status == CLI_DONE)
		end_text(&printer, resource);
	if (printer.csv)
		(void)fclose(printer.csv);
	free(printer.csv_text);
	json_decref(printer.predictions);
	cli_table_clear(&printer.table);
	return status;
}

static int predict(struct question *question, const struct cli_words *words)
{
	const struct ft_machine *asked;
	struct cli_models models;
	int status;

	if (!words->n || strchr(words->word[0], '=')) {
		(void)cli_fail("of which program? its NAME stands before the sizes");
		cli_hint("foretime list shows the names");
		return CLI_WRONG;
	}
	if (question->json && question->csv)
		return cli_fail("--csv and --json exclude each other");
	if (cli_beside_read(&question->beside, &question->load) != CLI_DONE)
		return CLI_WRONG;
	question->name = words->word[0];
	question->all = question->resource && !strcmp(question->resource, "all");
	if ((question->cycles.cpi > 0 || question->cycles.hz > 0 || question->cycles.available > 0) &&
	    !question->machine) {
		(void)cli_fail("--cpi, --hz and --available are of which machine?");
		cli_hint("name it with --machine; any word will do when --cpi and --hz are stated");
		return CLI_WRONG;
	}
	status = cli_models_open_for(&models, question->store_path, question->name, question->machine,
				     &question->cycles);
	if (status != CLI_DONE)
		return status;
	ft_ask_under(models.answerer, &question->load);
	asked = ft_ask_elsewhere_machine(models.answerer);
	if (!asked)
		asked = ft_ask_machine(models.answerer);
	cli_warn_requirements(ft_ask_knowledge(models.answerer), asked,
			      !ft_ask_elsewhere_machine(models.answerer) &&
				      (!asked->id || asked->id == models.here));
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
		CLI_LOAD_OPTIONS(q.beside),
		{0, "sizes", CLI_TEXT, &q.sizes_path, "FILE.csv",
		 "the sizes: a table with a column for each parameter"},
		{0, "machine", CLI_TEXT, &q.machine, "M",
		 "host name or fingerprint of the machine asked about; default: this one"},
		{0, "cpi", CLI_NUMBER, &q.cycles.cpi, "C",
		 "cycles per instruction on that machine; default: learned from programs run there"},
		{0, "hz", CLI_NUMBER, &q.cycles.hz, "F", "its cycles per second, as in 3.2e9"},
		{0, "available", CLI_SHARE, &q.cycles.available, "SHARE",
		 "of its cycles that the run gets; default: all"},
		{0, "csv", CLI_FLAG, &q.csv, NULL, "print a table for other programs, values in SI units"},
		CLI_ANSWER_OPTIONS(q.json, q.store_path),
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
	NULL,
	run,
};
