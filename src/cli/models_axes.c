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

void cli_axes_find(const struct cli_models *models, const char *const *resource, size_t n,
		   struct ft_told_axes *out)
{
	struct ft_together pair[FT_PARAMS_MAX];
	bool flat[FT_PARAMS_MAX];
	size_t i;

	*out = (struct ft_told_axes){0};
	cli_axes_flat(models, resource, n, flat);
	for (i = 0; i < FT_PARAMS_MAX; i++)
		if (flat[i])
			out->flat[out->n_flat++] = name_of(models, i);
	(void)ft_ask_together(models->answerer, pair, &out->n_together, NULL);
	for (i = 0; i < out->n_together; i++)
		out->together[i] = (struct ft_told_together){
			{name_of(models, pair[i].one), name_of(models, pair[i].other)}, 2, pair[i].equal};
}

void cli_axes_print(const struct cli_models *models, const char *const *resource, size_t n, FILE *file)
{
	struct ft_told_axes axes;
	size_t i;

	cli_axes_find(models, resource, n, &axes);
	for (i = 0; i < axes.n_flat; i++)
		fprintf(file, "flat: %s changes nothing\n", axes.flat[i]);
	for (i = 0; i < axes.n_together; i++)
		fprintf(file, "%s and %s %s in all runs: what each of them does cannot be told apart\n",
			axes.together[i].name[0], axes.together[i].name[1],
			axes.together[i].equal ? "are equal" : "change together");
}

void cli_json_set_axes(json_t *object, const struct cli_models *models, const char *const *resource, size_t n)
{
	struct ft_told_axes axes;
	json_t *told;

	cli_axes_find(models, resource, n, &axes);
	told = cli_tell_json(&ft_tell_axes, &axes, NULL);
	(void)json_object_update(object, told);
	json_decref(told);
}
