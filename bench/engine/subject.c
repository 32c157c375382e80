/* SPDX-License-Identifier: GPL-3.0-or-later */
/* subject.c - the engine of this version. */
#include "base/alloc.h"
#include "foretime/build.h"
#include "foretime/law.h"
#include "foretime/model.h"
#include "subject.h"

#include <math.h>

const char *const subject_name = "this version";

/* 90 % of a normal law lie within so many standard deviations. */
static const double confidence = 0.9, normal_90 = 1.6449;

struct subject_builder {
	struct ft_builder *builder;
	struct subject_space space;
};

static double work_at(void *ctx, const struct ft_size *size)
{
	const struct subject_builder *b = ctx;

	return b->space.work(b->space.ctx, size->value[0]);
}

enum ft_status subject_open(struct subject_builder **out, const struct subject_space *space,
			    struct ft_err *err)
{
	struct subject_builder *b = ft_calloc(1, sizeof *b);
	const struct ft_build_options options = {
		.space = {{.least = space->least,
			   .most = space->most,
			   .stride = 1,
			   .sizes = space->sizes,
			   .n_sizes = space->n}},
		.n_params = 1,
		.work = space->work ? work_at : NULL,
		.ctx = b,
		.tolerance = space->tolerance,
		.budget_s = space->budget,
		.confidence = confidence,
	};

	*out = b;
	if (!b)
		return ft_nomem(err);
	b->space = *space;
	enum ft_status status = ft_builder_new(&b->builder, ft_builder_type_find("adaptive"), &options, err);
	if (status) {
		ft_free(b);
		*out = NULL;
	}
	return status;
}

size_t subject_ask(struct subject_builder *b, double *sizes, size_t most)
{
	struct ft_size size;
	size_t n;

	(void)most; /* it decides best after each run */
	if (ft_builder_ask(b->builder, &size, 1, &n, NULL) || !n)
		return 0;
	*sizes = size.value[0];
	return n;
}

enum ft_status subject_tell(struct subject_builder *b, double x, const double *seconds, size_t n,
			    struct ft_err *err)
{
	return ft_builder_tell(b->builder, &(struct ft_size){1, {x}},
			       &(struct ft_build_result){.seconds = seconds, .n = n}, err);
}

void subject_close(struct subject_builder *b)
{
	if (b)
		ft_builder_free(b->builder);
	ft_free(b);
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

	*out = NULL;
	if (!observation)
		return ft_nomem(err);
	for (size_t i = 0; i < n; i++)
		observation[i] = (struct ft_observation){
			{1, {run[i].x}}, run[i].work, run[i].seconds, 0, 0, false, 0, 0, 0};
	if (space && space->sizes) {
		options.sizes = space->sizes;
		options.n_sizes = space->n;
	}
	enum ft_status status = ft_model_fit(&model, observation, n, &options, err);
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

double subject_known(const struct subject *subject)
{
	return ft_model_facts(model_of(subject))->known;
}

enum ft_status subject_law(const struct subject_run *run, size_t n, double x, double *value,
			   struct ft_err *err)
{
	struct ft_law_sample *sample = ft_calloc(n, sizeof *sample);
	struct ft_law_prediction p;
	struct ft_laws laws;

	if (!sample)
		return ft_nomem(err);
	for (size_t i = 0; i < n; i++)
		sample[i] = (struct ft_law_sample){run[i].x, run[i].seconds};
	enum ft_status status = ft_laws_fit(&laws, sample, n, NULL, err);
	if (!status)
		status = ft_laws_predict(&laws, x, confidence, FT_LAW_MEAN, &p, err);
	if (!status)
		*value = p.value;
	ft_free(sample);
	return status;
}
