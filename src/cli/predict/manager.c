/* SPDX-License-Identifier: GPL-3.0-or-later */
/* manager.c - predict, answered by a manager: a question for each size, and what comes is read as its rows
 * say. */
#include "cli/predict/manager.h"
#include "cli/common.h"
#include "cli/models.h"
#include "cli/sizes.h"
#include "foretime/units.h"
#include "http/client.h"
#include "tell/asked.h"
#include "tell/predict.h"
#include "tell/question.h"

#include <math.h>
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

static void print_table(const json_t *told)
{
	static const char *const heads[] = {">typical", ">known to", ">lower", ">upper", "basis", ">runs"};
	char cell[3][FT_UNIT_LENGTH], known[FT_TELL_WITHIN], digits[FT_NUMBER_LENGTH];
	const json_t *predictions = json_object_get(told, "predictions"), *p;
	struct cli_table table = {0};
	const char *key;
	json_t *value;
	size_t i;

	json_array_foreach(predictions, i, p)
	{
		const char *unit = json_object_get(p, "unit") ? get_text(p, "unit") : get_text(told, "unit");
		size_t h;

		if (!i) {
			if (json_object_get(p, "resource"))
				cli_table_head(&table, "resource");
			json_object_foreach((json_t *)(uintptr_t)p, key, value) if (!is_field(key))
				cli_table_head(&table, key);
			for (h = 0; h < sizeof heads / sizeof *heads; h++)
				cli_table_head(&table, heads[h]);
		}
		if (json_object_get(p, "resource"))
			cli_table_add(&table, "%s", get_text(p, "resource"));
		json_object_foreach((json_t *)(uintptr_t)p, key, value) if (!is_field(key))
			cli_table_add(&table, "%s", ft_number_format(json_number_value(value), digits));
		cli_table_add(&table, "%s", ft_value_format(ft_tell_get_number(p, "value"), unit, cell[0]));
		cli_table_add(&table, "%s", ft_tell_within(ft_tell_get_number(p, "known"), known));
		cli_table_add(&table, "%s", ft_value_format(ft_tell_get_number(p, "lower"), unit, cell[1]));
		cli_table_add(&table, "%s", ft_value_format(ft_tell_get_number(p, "upper"), unit, cell[2]));
		cli_table_add(&table, "%s", get_text(p, "basis"));
		cli_table_add(&table, "%.0f", ft_tell_get_number(p, "runs"));
	}
	cli_table_print(&table, stdout);
}

static void print_told(const struct asking *asking)
{
	const json_t *machine = json_object_get(asking->told, "machine");
	char share[FT_UNIT_LENGTH];

	printf("%s on %s, as the manager at %s knows it\n", get_text(asking->told, "name"),
	       get_text(machine, "host"), asking->socket);
	printf("%s of a typical run, how well it is known, and between which %s of single runs are "
	       "expected\n\n",
	       get_text(asking->told, "resource"),
	       ft_share_format(ft_tell_get_number(asking->told, "confidence"), share));
	print_table(asking->told);
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
