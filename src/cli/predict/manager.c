/* SPDX-License-Identifier: GPL-3.0-or-later */
/* manager.c - predict, answered by a manager: a question for each size, and what comes is read as its rows
 * say. */
#include "cli/predict/manager.h"
#include "base/word.h"
#include "cli/common.h"
#include "cli/models.h"
#include "cli/sizes.h"
#include "foretime/units.h"
#include "http/client.h"
#include "tell/asked.h"
#include "tell/predict.h"
#include "tell/question.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct asking {
	const struct cli_words *words;
	char *socket;
	json_t *told; /* the first answer, with the predictions of all */
};

/* The needs of the largest size, as where all are asked at once (ft_tell_predict_ask). */
static double most_needed(const json_t *answer)
{
	const json_t *passes = json_object_get(answer, "passes");
	size_t n = json_array_size(passes);

	return n ? ft_tell_get_number(json_array_get(passes, n - 1), "needed") : 0;
}

static void join_answer(json_t *told, const json_t *answer)
{
	(void)json_array_extend(json_object_get(told, "predictions"), json_object_get(answer, "predictions"));
	if (most_needed(answer) > most_needed(told))
		(void)json_object_set(told, "passes", json_object_get(answer, "passes"));
}

static int ask_one(struct asking *asking, const char *const *name, const double *value, size_t n)
{
	const struct cli_words *words = asking->words;
	char digits[FT_NUMBER_LENGTH], *program = cli_given(ft__http_encode(words->word[0]));
	struct ft_text target = {0};
	struct ft_err err = {0};
	json_t *answer;

	ft_text_add(&target, "/predict/%s", program);
	free(program);
	for (size_t i = 0; i < words->n_given; i++)
		if (ft_field_find(ft_question_predict.fields, words->given[i].name,
				  strlen(words->given[i].name)))
			ft_tell_target_add(&target, "", words->given[i].name,
					   words->given[i].value ? words->given[i].value : "1");
	for (size_t i = 0; i < n; i++)
		ft_tell_target_add(&target, "size.", name[i], ft_number_format(value[i], digits));
	if (ft_tell_ask(asking->socket, ft_text_take(&target), &answer, &err)) {
		(void)cli_error(&err);
		if (err.status == FT_ENOENT)
			cli_hint("begin one with foretime serve --socket default, or leave out --manager");
		return CLI_WRONG;
	}
	if (!asking->told)
		asking->told = json_incref(answer);
	else
		join_answer(asking->told, answer);
	json_decref(answer);
	return CLI_DONE;
}

static int ask_all(struct asking *asking, const struct cli_words *words)
{
	struct ft_values values = {0};
	size_t step[FT_PARAMS_MAX] = {0}, i;
	const char *name[FT_PARAMS_MAX];
	double value[FT_PARAMS_MAX];
	int status = CLI_DONE;

	for (i = 1; i < words->n && status == CLI_DONE; i++)
		status = cli_values_add(&values, words->word[i]);
	if (status == CLI_DONE && values.n)
		status = cli_values_count(&values, words->word[words->n - 1]);
	while (status == CLI_DONE) {
		ft_values_get(&values, step, name, value);
		status = ask_one(asking, name, value, values.n);
		if (!ft_values_next(&values, step))
			break;
	}
	ft_values_clear(&values);
	return status;
}

/* ---- for people ---------------------------------------------------------------------------------------- */

static const char *get_text(const json_t *object, const char *key)
{
	const char *value = json_string_value(json_object_get(object, key));

	return value ? value : "";
}

/* What is no field of a prediction is a parameter. */
static bool is_field(const char *key)
{
	const struct ft_tell_row *row;

	for (row = ft_tell_prediction.row; row->kind != FT_TELL_END || row->key || row->head; row++)
		if (row->key && !strcmp(row->key, key))
			return true;
	return false;
}

static void print_told(const struct asking *asking)
{
	json_t *told = asking->told, *p, *value;
	const char *key;
	CLI_OWN char *runs = cli_runs_within(ft_tell_get_number(told, "confidence"));
	struct ft_program program = {0};
	struct ft_tell_with with = {.program = &program, .unit = get_text(told, "unit"), .runs = runs};
	struct cli_table table = {0};
	size_t i;

	json_array_foreach(json_object_get(told, "predictions"), i, p)
	{
		struct ft_told_prediction one = {.source = "", .cost = {NAN, NAN}, .cpu_s = NAN};
		size_t basis = ft_word_at(FT_TELL_BASES, get_text(p, "basis"));

		if (json_object_get(p, "resource"))
			(void)ft_resource_named(get_text(p, "resource"), &one.resource, NULL);
		one.said = (struct ft_prediction){
			.value = ft_tell_get_number(p, "value"),
			.lower = ft_tell_get_number(p, "lower"),
			.upper = ft_tell_get_number(p, "upper"),
			.known = ft_tell_get_number(p, "known"),
			.basis = basis == SIZE_MAX ? FT_BASIS_STATED : (enum ft_basis)basis,
			.distance = ft_tell_get_number(p, "distance"),
			.runs = (size_t)json_integer_value(json_object_get(p, "runs")),
			.zeros = (size_t)json_integer_value(json_object_get(p, "zeros"))};
		json_object_foreach(p, key, value)
		{
			if (is_field(key) || one.size.n == FT_PARAMS_MAX)
				continue;
			(void)snprintf(program.param[one.size.n].name, FT_PARAM_LENGTH, "%s", key);
			one.size.value[one.size.n++] = json_number_value(value);
			program.n_params = one.size.n;
		}
		cli_table_tell(&table, &ft_tell_prediction, &one, 1, &with);
	}
	printf("%s: %s on %s, from the manager at %s\n", get_text(told, "name"), get_text(told, "resource"),
	       get_text(json_object_get(told, "machine"), "host"), asking->socket);
	cli_table_print(&table, stdout);
}

int cli_predict_manager(const struct cli_words *words, bool json)
{
	struct asking asking = {words, NULL, NULL};

	asking.socket = cli_given(ft__http_socket());
	int status = ask_all(&asking, words);
	if (status == CLI_DONE && json)
		cli_json_print(json_incref(asking.told), stdout);
	else if (status == CLI_DONE)
		print_told(&asking);
	json_decref(asking.told);
	free(asking.socket);
	return status;
}
