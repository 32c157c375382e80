/* SPDX-License-Identifier: GPL-3.0-or-later */
/* subject-7880672.c - commit 7880672: a builder over grids, surfaces as models; footprints are not asked for.
 */
#include "foretime/grid.h"
#include "foretime/surface.h"
#include "subject.h"
#include "foretime/build.h"
#include "foretime/model.h"

#include <stdlib.h>

const char *const subject_name = "7880672";

struct subject_builder *subject_open(const struct subject_axis *axis, size_t params)
{
	struct ft_grid_options options = {.n_params = params, .tolerance = 0.1, .confidence = 0.9};
	struct ft_grid_builder *builder;

	for (size_t i = 0; i < params; i++)
		options.space[i] =
			(struct ft_space){axis[i].least, axis[i].most, 1, axis[i].sizes, axis[i].n};
	if (ft_grid_builder_new(&builder, ft_builder_type_find("adaptive"), &options, NULL))
		return NULL;
	return (struct subject_builder *)builder;
}

bool subject_ask(struct subject_builder *builder, struct ft_size *size)
{
	size_t asked;

	return !ft_grid_builder_ask((struct ft_grid_builder *)builder, size, 1, &asked, NULL) && asked;
}

bool subject_tell(struct subject_builder *builder, const struct ft_size *size, const double *seconds,
		  size_t n, double footprint_bytes)
{
	(void)footprint_bytes;
	return !ft_grid_builder_tell((struct ft_grid_builder *)builder, size, seconds, n, false, NULL);
}

void subject_close(struct subject_builder *builder)
{
	ft_grid_builder_free((struct ft_grid_builder *)builder);
}

struct subject {
	struct ft_surface surface;
};

struct subject *subject_fit(const struct subject_run *run, size_t n, const char *type)
{
	struct ft_surface_observation *observation = calloc(n + 1, sizeof *observation);
	struct subject *subject = calloc(1, sizeof *subject);

	(void)type;
	for (size_t i = 0; observation && i < n; i++)
		observation[i] = (struct ft_surface_observation){run[i].size, 1, run[i].seconds};
	if (!observation || !subject || ft_surface_fit(&subject->surface, observation, n, false, NULL)) {
		free(subject);
		subject = NULL;
	}
	free(observation);
	return subject;
}

void subject_free(struct subject *subject)
{
	if (subject)
		ft_surface_clear(&subject->surface);
	free(subject);
}

bool subject_predict(const struct subject *subject, const struct ft_size *size, struct subject_answer *out)
{
	struct ft_prediction p;

	if (ft_surface_predict(&subject->surface, size, 1, 0.9, &p, NULL))
		return false;
	*out = (struct subject_answer){p.value, p.lower, p.upper};
	return true;
}

double subject_told(const struct subject *subject)
{
	return subject->surface.stated_error;
}

bool subject_rough(const struct subject *subject)
{
	return subject->surface.rough;
}
