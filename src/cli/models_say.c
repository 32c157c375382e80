/* SPDX-License-Identifier: GPL-3.0-or-later */
/* models_say.c - what is told of models: how well the typical run is known, and how single runs lie about it.
 */
#include "cli/common.h"
#include "cli/facts.h"
#include "cli/models.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

char *cli_runs_within(double confidence)
{
	double of = round(10 * confidence);
	char share[FT_UNIT_LENGTH];

	if (fabs(10 * confidence - of) < 1e-9 && of < 10)
		return cli_printed("%.0f in 10 runs", of);
	return cli_printed("%s of runs", ft_share_format(confidence, share));
}

json_t *cli_json_change(const struct ft_change *change)
{
	return cli_tell_json(&ft_tell_change, change, NULL);
}

char *cli_change_text(const struct ft_change *change)
{
	char share[FT_UNIT_LENGTH], age[CLI_AGE_LENGTH];

	return cli_printed(
		"changed: the newest %zu runs (the first %s) are %s %s than older ones said, which "
		"count for less",
		change->runs, cli_age_text(change->since_ns, age),
		ft_share_format(fabs(expm1(change->shift)), share), change->shift > 0 ? "more" : "less");
}

/* The model of a resource at the fixed parameters of the first run; NULL when there is none. */
static const struct ft_model_record *model_of(const struct cli_models *models, const char *resource)
{
	const struct ft_model_record *record = NULL;
	struct ft_size size = cli_models_any_size(models);

	return ft_ask_model(models->answerer, resource, &size, &record, NULL) == FT_OK ? record : NULL;
}

/* ---- facts -------------------------------------------------------------------------------------------- */

static json_t *json_of_worst(const struct ft_model_facts *facts)
{
	json_t *object;

	if (isnan(facts->worst[0]))
		return json_null();
	object = cli_json_object();
	cli_json_set(object, "from", cli_json_number(facts->worst[0]));
	cli_json_set(object, "to", cli_json_number(facts->worst[1]));
	cli_json_set(object, "known", cli_json_number(facts->worst_known));
	return object;
}

static json_t *json_of_spikes(const struct ft_model_facts *facts)
{
	json_t *object;

	if (!(facts->spike_rate > 0))
		return json_null();
	object = cli_json_object();
	cli_json_set(object, "rate", cli_json_number(facts->spike_rate));
	cli_json_set(object, "ratio", cli_json_number(facts->spike_ratio));
	return object;
}

static json_t *json_of_fine(const struct ft_model_facts *facts)
{
	json_t *array = cli_json_array();
	size_t i;

	for (i = 0; i < facts->n_fine; i++) {
		json_t *object = cli_json_object();

		cli_json_set(object, "kind", cli_json_text(facts->fine[i].kind));
		cli_json_set(object, "ratio", cli_json_number(facts->fine[i].ratio));
		cli_json_append(array, object);
	}
	return array;
}

static json_t *json_of_model(const char *name, const struct ft_model_record *record)
{
	const struct ft_model_facts *facts = ft_model_facts(record->model);
	json_t *object = cli_json_object();

	cli_json_set(object, "resource", cli_json_text(name));
	cli_json_set(object, "unit", cli_json_text(cli_unit(name)));
	cli_json_set(object, "method", cli_json_text(record->method[0] ? record->method : NULL));
	cli_json_set(object, "type", cli_json_text(facts->type));
	cli_json_set(object, "through_speed", cli_json_bool(facts->through_speed));
	cli_json_set(object, "points", cli_json_number((double)facts->sizes));
	cli_json_set(object, "runs", cli_json_number((double)facts->runs));
	cli_json_set(object, "known", cli_json_number(facts->known));
	cli_json_set(object, "scatter", cli_json_number(facts->scatter));
	cli_json_set(object, "rough", cli_json_bool(facts->rough));
	cli_json_set(object, "noisy", cli_json_bool(facts->noisy));
	cli_json_set(object, "too_few", cli_json_bool(facts->too_few));
	cli_json_set(object, "worst", json_of_worst(facts));
	cli_json_set(object, "spikes", json_of_spikes(facts));
	cli_json_set(object, "fine", json_of_fine(facts));
	cli_json_set(object, "change", cli_json_change(&facts->change));
	cli_json_set(object, "made", cli_json_time(record->made_ns));
	return object;
}

json_t *cli_json_models(const struct cli_models *models)
{
	json_t *array = cli_json_array();
	const struct ft_resource *each;
	size_t i;

	for (i = 0; (each = ft_ask_resource(models->answerer, i)); i++) {
		const struct ft_model_record *record = model_of(models, each->name);

		if (record)
			cli_json_append(array, json_of_model(each->name, record));
	}
	return array;
}

/* What is to be thought of a model: rough, and where it is worst; noisy; of too few sizes. Ends with free. */
static char *judgement_text(const struct ft_model_facts *facts)
{
	char share[FT_TELL_WITHIN], from[FT_NUMBER_LENGTH], to[FT_NUMBER_LENGTH], *rough, *text;
	const char *noisy = facts->noisy ? "noisy" : "";

	if (facts->too_few)
		return cli_printed("too few sizes%s%s", *noisy ? "; " : "", noisy);
	if (!facts->rough)
		return cli_strdup(noisy);
	if (isnan(facts->worst[0]))
		rough = cli_strdup("rough: too few sizes for its shape");
	else
		rough = cli_printed(
			"rough: worst between %s and %s (%s)", ft_number_format(facts->worst[0], from),
			ft_number_format(facts->worst[1], to), ft_tell_within(facts->worst_known, share));
	text = cli_printed("%s%s%s", rough, *noisy ? "; " : "", noisy);
	free(rough);
	return text;
}

/* Rare spikes, structure finer than the sizes, and what newer runs changed: a line each. */
static void print_facts(const char *name, const struct ft_model_facts *facts, FILE *file)
{
	bool time = !strcmp(cli_unit(name), "s");
	char share[FT_UNIT_LENGTH];
	size_t i;

	if (facts->spike_rate > 0)
		fprintf(file, "%s: 1 run in %.0f takes %.2g times as %s\n", name,
			fmax(2, 1 / facts->spike_rate), facts->spike_ratio, time ? "long" : "much");
	for (i = 0; i < facts->n_fine; i++)
		fprintf(file, "%s: %s take %s %s\n", name, facts->fine[i].kind,
			ft_share_format(fabs(facts->fine[i].ratio - 1), share),
			facts->fine[i].ratio < 1 ? "less"
			: time                   ? "longer"
						 : "more");
	if (facts->change.runs) {
		char *text = cli_change_text(&facts->change);

		fprintf(file, "%s: %s\n", name, text);
		free(text);
	}
}

static void add_model(struct cli_table *table, const char *name, const struct ft_model_facts *facts)
{
	char known[FT_TELL_WITHIN], scatter[FT_TELL_WITHIN];
	char *judgement = judgement_text(facts);

	cli_table_add(table, "%s", name);
	cli_table_add(table, "%zu", facts->sizes);
	cli_table_add(table, "%zu", facts->runs);
	cli_table_add(table, "%s", ft_tell_within(facts->known, known));
	cli_table_add(table, "%s", ft_tell_within(facts->scatter, scatter));
	cli_table_add(table, "%s", judgement);
	free(judgement);
}

void cli_print_models(const struct cli_models *models, FILE *file)
{
	struct cli_table table = {0};
	const struct ft_resource *each;
	size_t i;

	cli_table_heads(&table, "model", ">sizes", ">runs", ">known to", ">9 in 10 runs", "", NULL);
	for (i = 0; (each = ft_ask_resource(models->answerer, i)); i++) {
		const struct ft_model_record *record = model_of(models, each->name);

		if (record)
			add_model(&table, each->name, ft_model_facts(record->model));
	}
	cli_table_print(&table, file);
	cli_table_clear(&table);
	for (i = 0; (each = ft_ask_resource(models->answerer, i)); i++) {
		const struct ft_model_record *record = model_of(models, each->name);

		if (record)
			print_facts(each->name, ft_model_facts(record->model), file);
	}
}
