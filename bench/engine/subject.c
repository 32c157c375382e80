/* SPDX-License-Identifier: GPL-3.0-or-later */
/* subject.c - the engine of this version. */
#include "subject.h"
#include "base/alloc.h"
#include "foretime/build.h"
#include "foretime/law.h"
#include "foretime/model.h"

#include <math.h>

const char *const subject_name = "this version";

/* 90 % of a normal law lie within so many standard deviations. */
static const double confidence = 0.9, normal_90 = 1.6449;

enum ft_status subject_open(struct subject_builder **out, const struct subject_space *space,
			    struct ft_err *err)
{
	const struct ft_build_options options = {
		.space = {.least = space->least,
			  .most = space->most,
			  .stride = 1,
			  .sizes = space->sizes,
			  .n_sizes = space->n},
		.work = space->work,
		.work_ctx = space->ctx,
		.tolerance = space->tolerance,
		.budget = space->budget,
		.confidence = confidence,
	};
	struct ft_builder *builder;
	enum ft_status status = ft_builder_new(&builder, ft_builder_type_find("adaptive"), &options, err);

	*out = (struct subject_builder *)builder;
	return status;
}

size_t subject_ask(struct subject_builder *builder, double *sizes, size_t most)
{
	(void)most; /* it decides best after each run */
	return ft_builder_ask((struct ft_builder *)builder, sizes, 1);
}

enum ft_status subject_tell(struct subject_builder *builder, double x, const double *seconds, size_t n,
			    struct ft_err *err)
{
	return ft_builder_tell((struct ft_builder *)builder, x, seconds, n, err);
}

void subject_close(struct subject_builder *builder)
{
	ft_builder_free((struct ft_builder *)builder);
}

/* The public type is opaque; so is ours. */
static struct ft_model *model_of(const struct subject *subject)
{
	return (struct ft_model *)(void *)subject;
}

enum ft_status subject_fit(struct subject **out, const struct subject_run *run, size_t n,
			   const struct subject_space *space, struct ft_err *err)
{
	struct ft_model_options options = {.through_speed = true};
	struct ft_observation *observation = ft_calloc(n, sizeof *observation);
	struct ft_model *model = NULL;
	enum ft_status status;
	size_t i;

	*out = NULL;
	if (!observation)
		return ft_nomem(err);
	for (i = 0; i < n; i++)
		observation[i] = (struct ft_observation){{1, {run[i].x}}, run[i].work, run[i].seconds, 0, 0};
	if (space && space->sizes) {
		options.sizes = space->sizes;
		options.n_sizes = space->n;
	}
	status = ft_model_fit(&model, observation, n, &options, err);
	ft_free(observation);
	*out = (struct subject *)(void *)model;
	return status;
}

void subject_free(struct subject *subject)
{
	ft_model_free(model_of(subject));
}

enum ft_status subject_predict(struct subject *subject, double x, double work, struct subject_answer *out,
			       struct ft_err *err)
{
	struct ft_size size = {1, {x}};
	struct ft_prediction p;
	enum ft_status status = ft_model_predict(model_of(subject), &size, work, confidence, &p, err);

	if (!status)
		*out = (struct subject_answer){p.value, p.lower, p.upper, log1p(p.known) / normal_90};
	return status;
}

bool subject_rough(const struct subject *subject)
{
	return ft_model_facts(model_of(subject))->rough;
}

enum ft_status subject_law(const struct subject_run *run, size_t n, double x, double *value,
			   struct ft_err *err)
{
	struct ft_law_sample *sample = ft_calloc(n, sizeof *sample);
	struct ft_law_prediction p;
	struct ft_laws laws;
	enum ft_status status;
	size_t i;

	if (!sample)
		return ft_nomem(err);
	for (i = 0; i < n; i++)
		sample[i] = (struct ft_law_sample){run[i].x, run[i].seconds};
	status = ft_laws_fit(&laws, sample, n, NULL, err);
	if (!status)
		status = ft_laws_predict(&laws, x, confidence, FT_LAW_MEAN, &p, err);
	if (!status)
		*value = p.value;
	ft_free(sample);
	return status;
}
