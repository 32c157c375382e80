/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fit.c - the laws that runs obey: from the store, or from a table. */
#include "cli/answers.h"
#include "cli/common.h"
#include "cli/facts.h"
#include "cli/fit/fit.h"
#include "cli/sizes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is asked. */
struct fit_question {
	const char *store_path, *device, *machine, *resource, *by, *class;
	double confidence;
	size_t terms;
	bool mean, json;
	enum ft_law_kind kind;
	struct cli_models models;
	bool from_store;
	struct cli_fit_data data;
	struct cli_fit_sizes sizes;
};

static int check_question(struct fit_question *q, const struct cli_words *words)
{
	if (!cli_names_program(words))
		return cli_word_missing(words, 0);
	if (q->class && !ft_law_kind_parse(q->class, &q->kind))
		return cli_fail("there is no class '%s'\n"
				"hint: write laws, power, polylog or signed",
				q->class);
	if (q->terms > FT_LAW_MIXED)
		return cli_fail("laws have 1 to %d terms, not %zu", FT_LAW_MIXED, q->terms);
	if (q->terms && q->kind != FT_LAW_LAWS)
		return cli_fail("--terms is of the class laws only");
	return CLI_DONE;
}

static int read_samples(struct fit_question *q, const struct cli_words *words)
{
	q->data.any_sign = q->kind == FT_LAW_SIGNED;
	if (cli_fit_is_file(words->word[0]))
		return cli_fit_read_table(&q->data, words, q->resource, q->by);
	if (q->by)
		return cli_fail("--by is for tables; '%s' is a program", words->word[0]);
	for (size_t i = 1; i < words->n; i++)
		if (!strchr(words->word[i], '='))
			return cli_size_refuse(words->word[i], "n");
	CLI_TRY(cli_models_open(&q->models, q->store_path, words->word[0], q->device, q->machine));
	q->from_store = true;
	return cli_fit_read_program(&q->data, &q->models, q->resource);
}

struct fit_told {
	const char *name;
	const struct ft_machine *machine; /* NULL, as axes: the samples come from a table */
	const struct ft_resource *resource;
	const char *parameter[FT_LAW_PARAMS], *class;
	size_t n_parameters;
	double confidence;
	const char *of;
	const struct ft_told_axes *axes;
	struct ft_model_facts facts;
	json_t *fits;
};

#define TOLD struct fit_told
static const struct ft_tell_row rows[] = {
	{FT_TELL(TOLD, name), .about = "of the program, or the path of the table"},
	{FT_TELL_BY(POINTER, "machine", TOLD, machine), .of = &ft_tell_machine,
	 .null = "the samples come from a table"},
	{FT_TELL(TOLD, resource), .about = "or the column of values"},
	{FT_TELL_BY(UNIT, "unit", TOLD, resource)},
	{FT_TELL_MANY(ARRAY, "parameters", TOLD, parameter, n_parameters, &ft_tell_texts),
	 .about = "that the laws are of"},
	{FT_TELL(TOLD, class), .words = "laws|power|polylog|signed"},
	{FT_TELL(TOLD, confidence)},
	{FT_TELL(TOLD, of), .words = "run|mean",
	 .about = "what the intervals hold: single runs, or means of many"},
	{FT_TELL_BY(PERHAPS, NULL, TOLD, axes), .of = &ft_tell_axes}, /* of a table */
	{FT_TELL_BY(RECORD, "limits", TOLD, facts), .of = &ft_tell_limits,
	 .null = "no run met one, or the samples come from a table"},
	{FT_TELL(TOLD, fits), .of = &cli_fit_group_told, .about = "one; with --by one for each group"},
	{0},
};
const struct ft_tell_record cli_fit_told = {.name = "fit", .version = 2, .row = rows};

static void print_json(const struct fit_question *q, json_t *fits)
{
	struct ft_told_axes axes;
	TOLD told = {
		.name = q->data.source,
		.machine = q->from_store ? ft_ask_machine(q->models.answerer) : NULL,
		.resource = q->data.resource,
		.n_parameters = q->data.params,
		.class = ft_law_kind_text(q->kind),
		.confidence = q->confidence,
		.of = q->mean ? "mean" : "run",
		.axes = q->from_store ? &axes : NULL,
		.facts = q->data.facts,
		.fits = fits,
	};
	size_t p;

	for (p = 0; p < q->data.params; p++)
		told.parameter[p] = q->data.param[p];
	if (q->from_store)
		ft_tell_axes_find(q->models.answerer, &q->data.resource, 1, &axes);
	cli_tell(&cli_fit_told, &told, NULL);
	json_decref(fits);
}

/* One group after the other; returns how many have a law. */
static size_t say_fits(const struct fit_question *q, struct cli_fit_result *fit, json_t *fits,
		       struct cli_table *table)
{
	const struct cli_fit_style style = {q->confidence, q->mean ? FT_LAW_MEAN : FT_LAW_RUN,
					    q->from_store ? &q->models : NULL};
	size_t found = 0;

	for (size_t i = 0; i < q->data.n; i++) {
		const struct cli_fit_group *group = &q->data.group[i];

		fit->err = (struct ft_err){0};
		(void)ft_law_any_fit(&fit->of, q->kind, group->sample, group->n, q->data.params, q->terms,
				     q->data.resource->name, &fit->err);
		found += !fit->err.status;
		if (q->json)
			cli_json_append(fits, cli_fit_json(&q->data, group, fit, &q->sizes, &style));
		else if (q->by)
			cli_fit_line(table, &q->data, group, fit, &q->sizes, &style);
		else if (!fit->err.status)
			cli_fit_print(&q->data, fit, &q->sizes, &style);
	}
	return found;
}

static int say_law(const struct fit_question *q)
{
	CLI_OWN struct cli_fit_result *fit = cli_alloc(sizeof *fit);
	json_t *fits = q->json ? cli_json_array() : NULL;
	struct cli_table table = {0};
	int status = CLI_DONE;

	if (q->by && !q->json)
		cli_fit_head(&table, &q->data, &q->sizes);
	if (!say_fits(q, fit, fits, &table))
		status = q->by ? CLI_NO : cli_error(&fit->err);
	if (q->json)
		print_json(q, fits);
	else if (q->by)
		cli_table_print(&table, stdout);
	return status;
}

static int fit_laws(struct fit_question *q, const struct cli_words *words)
{
	int status = check_question(q, words);

	if (status == CLI_DONE)
		status = read_samples(q, words);
	if (status == CLI_DONE && q->data.params > 1 && (q->kind != FT_LAW_LAWS || q->terms))
		status = cli_fail("--class and --terms are of laws of one parameter; these are of %zu",
				  q->data.params);
	if (status == CLI_DONE)
		status = cli_fit_sizes_find(&q->sizes, &q->data, words, q->models.answerer);
	if (status == CLI_DONE)
		status = say_law(q);
	free(q->sizes.x);
	cli_fit_data_clear(&q->data);
	cli_models_close(&q->models);
	return status;
}

static int run_fit(const struct cli_command *command, int argc, char **argv)
{
	struct fit_question q = {.confidence = 0.9};
	const struct ft_field options[] = {
		{'r', "resource", FT_FIELD_TEXT, &q.resource, "R",
		 "wall_s (default), peak_rss_bytes, ...; of a table: the column of values"},
		{0, "terms", FT_FIELD_COUNT, &q.terms, "K",
		 "terms besides a constant, 1 to 3; default: one, or two where the runs call for it"},
		{0, "class", FT_FIELD_TEXT, &q.class, "C",
		 "laws (default), power: a n^b, polylog: a polynomial in log2 n, signed: terms of either "
		 "sign"},
		{'c', "confidence", FT_FIELD_SHARE, &q.confidence, "C", .least = FT_CONFIDENCE_LEAST,
		 .most = FT_CONFIDENCE_MOST, .help = "share of future runs within the interval; default 90%"},
		{0, "mean", FT_FIELD_FLAG, &q.mean, NULL,
		 "intervals of the mean of many runs, not of single runs"},
		{0, "by", FT_FIELD_TEXT, &q.by, "COLUMN", "of a table: a law for each value of that column"},
		CLI_DEVICE_OPTION(q.device),
		CLI_MACHINE_OPTION(q.machine),
		CLI_ANSWER_OPTIONS(q.json, q.store_path),
		{0},
	};
	struct cli_words words;
	int status = cli_options_parse(command, options, argc, argv, &words);

	if (status != CLI_GO)
		return status;
	return fit_laws(&q, &words);
}

const struct cli_command cli_fit = {
	"fit",
	"say which laws the runs obey: n log n, and not n^2",
	"NAME [n=SIZE...] [OPTION...]\n"
	"FILE.csv [PARAMETER...] [n=SIZE...] [OPTION...]",
	"A law is a constant and terms c n^i log2(n)^j; each class has the weight that the runs give it.\n"
	"Exit status: 0 done, 1 the runs obey no law (or there is one size only), 2 wrong use or failure.\n",
	NULL,
	run_fit,
};
