/* SPDX-License-Identifier: GPL-3.0-or-later */
/* models_axes.c - what is told of the parameters themselves, by every answer alike: those that change
 * nothing, and those whose parts cannot be told apart. */
#include "cli/common.h"
#include "cli/facts.h"
#include "cli/models.h"

void cli_axes_flat(const struct cli_models *models, const char *const *resource, size_t n,
		   bool flat[FT_PARAMS_MAX])
{
	struct ft_size size = cli_models_any_size(models);
	const struct ft_resource *each;
	size_t i, p;

	for (p = 0; p < FT_PARAMS_MAX; p++)
		flat[p] = true;
	for (i = 0; n ? i < n : (each = ft_ask_resource(models->answerer, i)) != NULL; i++) {
		bool here[FT_PARAMS_MAX];

		(void)ft_ask_flat(models->answerer, n ? resource[i] : each->name, &size, here, NULL);
		for (p = 0; p < FT_PARAMS_MAX; p++)
			flat[p] = flat[p] && here[p];
	}
}

static const char *name_of(const struct cli_models *models, size_t param)
{
	const struct ft_program *program = ft_ask_program(models->answerer);

	return program->n_params ? program->param[param].name : "n";
}

void cli_axes_print(const struct cli_models *models, const char *const *resource, size_t n, FILE *file)
{
	struct ft_together pair[FT_PARAMS_MAX];
	bool flat[FT_PARAMS_MAX];
	size_t pairs, i;

	cli_axes_flat(models, resource, n, flat);
	for (i = 0; i < FT_PARAMS_MAX; i++)
		if (flat[i])
			fprintf(file, "flat: %s changes nothing\n", name_of(models, i));
	(void)ft_ask_together(models->answerer, pair, &pairs, NULL);
	for (i = 0; i < pairs; i++)
		fprintf(file, "%s and %s %s in all runs: what each of them does cannot be told apart\n",
			name_of(models, pair[i].one), name_of(models, pair[i].other),
			pair[i].equal ? "are equal" : "change together");
}

static json_t *json_of_flat(const struct cli_models *models, const char *const *resource, size_t n)
{
	json_t *array = cli_json_array();
	bool flat[FT_PARAMS_MAX];
	size_t i;

	cli_axes_flat(models, resource, n, flat);
	for (i = 0; i < FT_PARAMS_MAX; i++)
		if (flat[i])
			cli_json_append(array, cli_json_text(name_of(models, i)));
	return array;
}

static json_t *json_of_together(const struct cli_models *models)
{
	struct ft_together pair[FT_PARAMS_MAX];
	json_t *array = cli_json_array();
	size_t pairs, i;

	(void)ft_ask_together(models->answerer, pair, &pairs, NULL);
	for (i = 0; i < pairs; i++) {
		json_t *both = cli_json_array();

		cli_json_append(both, cli_json_text(name_of(models, pair[i].one)));
		cli_json_append(both, cli_json_text(name_of(models, pair[i].other)));
		cli_json_append(array, both);
	}
	return array;
}

void cli_json_set_axes(json_t *object, const struct cli_models *models, const char *const *resource, size_t n)
{
	cli_json_set(object, "flat", json_of_flat(models, resource, n));
	cli_json_set(object, "together", json_of_together(models));
}
