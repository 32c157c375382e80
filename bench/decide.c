/* SPDX-License-Identifier: GPL-3.0-or-later */
/* decide.c - how long the adaptive builder takes for a question when it knows many runs. */
#include "replay.h"

#include <math.h>
#include <time.h>

enum { ROUNDS = 200 };

static double now_s(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A rough curve, so that questions do not end. */
static double seconds_at(double x, struct ft_random *random)
{
	return 1e-9 * pow(x, 1.5) * exp(0.3 * ft_random_normal(random));
}

enum ft_status decide_time(size_t sizes, size_t runs_each, double *mean_s, double *worst_s,
			   struct ft_err *err)
{
	struct ft_build_options options = {
		.space = {.least = 1, .most = 1e7, .stride = 1},
		.tolerance = 0.01,
		.confidence = 0.9,
		.budget = 1e9,
	};
	struct ft_random random = {1};
	struct ft_builder *builder;
	double asked, seconds[16], from;
	enum ft_status status = ft_builder_new(&builder, ft_builder_type_find("adaptive"), &options, err);
	size_t i, k;

	*mean_s = *worst_s = 0;
	for (i = 0; i < sizes && !status; i++) {
		double x = floor(exp(log(1e7) * ((double)i + ft_random_uniform(&random)) / (double)sizes));

		for (k = 0; k < runs_each; k++)
			seconds[k] = seconds_at(x, &random);
		status = ft_builder_tell(builder, x, seconds, runs_each, err);
	}
	for (i = 0; i < ROUNDS && !status; i++) {
		from = now_s();
		if (!ft_builder_ask(builder, &asked, 1))
			break;
		seconds[0] = seconds_at(asked, &random);
		status = ft_builder_tell(builder, asked, seconds, 1, err);
		from = now_s() - from;
		*mean_s += from / ROUNDS;
		*worst_s = fmax(*worst_s, from);
	}
	ft_builder_free(builder);
	return status;
}
