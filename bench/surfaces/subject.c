/* SPDX-License-Identifier: GPL-3.0-or-later */
/* subject.c - this version. */
#include "foretime/build.h"
#include "foretime/model.h"
#include "subject.h"

#include <stdlib.h>

const char *const subject_name = "now";

struct subject_builder *subject_open(const struct subject_axis *axis, size_t params)
{
	struct ft_build_options options = {.n_params = params, .tolerance = 0.1, .confidence = 0.9};
	struct ft_builder *builder;

	for (size_t i = 0; i < params; i++)
		options.space[i] = (struct ft_space){.least = axis[i].least,
						     .most = axis[i].most,
						     .stride = 1,
						     .sizes = axis[i].sizes,
						     .n_sizes = axis[i].n};
	if (ft_builder_new(&builder, ft_builder_type_find("adaptive"), &options, NULL))
		return NULL;
	return (struct subject_builder *)builder;
}

bool subject_ask(struct subject_builder *builder, struct ft_size *size)
{
	size_t asked;

	return !ft_builder_ask((struct ft_builder *)builder, size, 1, &asked, NULL) && asked;
}

bool subject_tell(struct subject_builder *builder, const struct ft_size *size, const double *seconds,
		  size_t n, double footprint_bytes)
{
	const struct ft_build_result told = {.seconds = seconds, .n = n, .footprint_bytes = footprint_bytes};

	return !ft_builder_tell((struct ft_builder *)builder, size, &told, NULL);
}

void subject_close(struct subject_builder *builder)
{
	ft_builder_free((struct ft_builder *)builder);
}

struct subject *subject_fit(const struct subject_run *run, size_t n, const char *type)
{
	static const size_t axis[FT_PARAMS_MAX] = {0, 1, 2, 3};
	struct ft_model_options options = {.type = type, .axis = axis, .n_axes = n ? run->size.n : 0};
	struct ft_observation *observation = calloc(n + 1, sizeof *observation);
	struct ft_model *model = NULL;

	for (size_t i = 0; observation && i < n; i++)
		observation[i] = (struct ft_observation){
			run[i].size, 1, run[i].seconds, 0, run[i].footprint_bytes, false, 0, 0, 0};
	if (observation && ft_model_fit(&model, observation, n, &options, NULL))
		model = NULL;
	free(observation);
	return (struct subject *)model;
}

void subject_free(struct subject *subject)
{
	ft_model_free((struct ft_model *)subject);
}

bool subject_predict(const struct subject *subject, const struct ft_size *size, struct subject_answer *out)
{
	struct ft_prediction p;

	if (ft_model_predict((const struct ft_model *)subject, size, 1, 0.9, &p, NULL))
		return false;
	*out = (struct subject_answer){p.value, p.lower, p.upper};
	return true;
}

double subject_told(const struct subject *subject)
{
	return ft_model_facts((const struct ft_model *)subject)->known;
}

bool subject_rough(const struct subject *subject)
{
	return ft_model_facts((const struct ft_model *)subject)->rough;
}
