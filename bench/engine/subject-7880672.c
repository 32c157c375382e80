/* SPDX-License-Identifier: GPL-3.0-or-later */
/* subject-7880672.c - the engine of commit 7880672. */
#include "base/alloc.h"
#include "foretime/build.h"
#include "foretime/law.h"
#include "foretime/model.h"
#include "subject.h"

#include <math.h>

const char *const subject_name = "7880672";

static const double confidence = 0.9;

enum ft_status subject_open(struct subject_builder **out, const struct subject_space *space,
			    struct ft_err *err)
{
	const struct ft_build_options options = {
		.space = {space->least, space->most, 1, space->sizes, space->n},
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
	return ft_builder_ask((struct ft_builder *)builder, sizes, most);
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

struct subject {
	struct ft_model model;
};

static enum ft_status fit(struct ft_model *out, const struct subject_run *run, size_t n, struct ft_err *err)
{
	struct ft_observation *observation = ft_calloc(n, sizeof *observation);

	if (!observation)
		return ft_nomem(err);
	for (size_t i = 0; i < n; i++)
		observation[i] = (struct ft_observation){run[i].x, run[i].work, run[i].seconds};
	enum ft_status status = ft_model_fit(out, observation, n, true, FT_JOIN_BEST, err);
	ft_free(observation);
	return status;
}

enum ft_status subject_fit(struct subject **out, const struct subject_run *run, size_t n,
			   const struct subject_space *space, struct ft_err *err)
{
	struct subject *subject = ft_calloc(1, sizeof *subject);

	*out = NULL;
	if (!subject)
		return ft_nomem(err);
	enum ft_status status = fit(&subject->model, run, n, err);
	if (!status && space && space->sizes)
		status = ft_model_state(&subject->model, space->sizes, space->n, err);
	if (status)
		subject_free(subject);
	else
		*out = subject;
	return status;
}

void subject_free(struct subject *subject)
{
	if (subject)
		ft_model_clear(&subject->model);
	ft_free(subject);
}

enum ft_status subject_predict(struct subject *subject, double x, double work, struct subject_answer *out,
			       struct ft_err *err)
{
	struct ft_prediction p;
	enum ft_status status = ft_model_predict(&subject->model, x, work, confidence, &p, err);

	if (!status)
		*out = (struct subject_answer){p.value, p.lower, p.upper, NAN};
	return status;
}

bool subject_rough(const struct subject *subject)
{
	return subject->model.rough;
}

double subject_known(const struct subject *subject)
{
	(void)subject;
	return NAN;
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
