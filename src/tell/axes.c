/* SPDX-License-Identifier: GPL-3.0-or-later */
/* axes.c - what is told of the parameters themselves, by every answer alike: those that change nothing, and
 * those whose parts cannot be told apart. */
#include "tell/model.h"

void ft_tell_axes_flat(struct ft_answerer *answerer, const struct ft_resource *const *resource, size_t n,
		       bool flat[FT_PARAMS_MAX])
{
	struct ft_size size = ft_ask_any_size(answerer);
	const struct ft_resource *each;

	for (size_t p = 0; p < FT_PARAMS_MAX; p++)
		flat[p] = true;
	for (size_t i = 0; n ? i < n : (each = ft_ask_resource(answerer, i)) != NULL; i++) {
		bool here[FT_PARAMS_MAX];

		(void)ft_ask_flat(answerer, n ? resource[i] : each, &size, here, NULL);
		for (size_t p = 0; p < FT_PARAMS_MAX; p++)
			flat[p] = flat[p] && here[p];
	}
}

static const char *name_of(struct ft_answerer *answerer, size_t param)
{
	const struct ft_program *program = ft_ask_program(answerer);

	return program->n_params ? program->param[param].name : "n";
}

void ft_tell_axes_find(struct ft_answerer *answerer, const struct ft_resource *const *resource, size_t n,
		       struct ft_told_axes *out)
{
	struct ft_together pair[FT_PARAMS_MAX];
	bool flat[FT_PARAMS_MAX];

	*out = (struct ft_told_axes){0};
	ft_tell_axes_flat(answerer, resource, n, flat);
	for (size_t i = 0; i < FT_PARAMS_MAX; i++)
		if (flat[i])
			out->flat[out->n_flat++] = name_of(answerer, i);
	(void)ft_ask_together(answerer, pair, &out->n_together, NULL);
	for (size_t i = 0; i < out->n_together; i++)
		out->together[i] = (struct ft_told_together){
			{name_of(answerer, pair[i].one), name_of(answerer, pair[i].other)}, 2, pair[i].equal};
}
