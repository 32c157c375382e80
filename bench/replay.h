/* SPDX-License-Identifier: GPL-3.0-or-later */
/* replay.h - a builder against a recorded curve: what it cost, and how good its model is. */
#ifndef FT_BENCH_REPLAY_H
#define FT_BENCH_REPLAY_H

#include "curve.h"
#include "foretime/build.h"
#include "foretime/model.h"

struct replay {
	size_t points, samples;
	double cost;               /* seconds */
	double mean, p95, largest; /* relative error at all recorded sizes */
	double at_end;             /* at the largest */
	double inside; /* share of the samples that were not handed out within the 90 % interval; NaN: none
			  was left */
	double stated;
	bool rough, by_noise, silent;
	enum ft_stop stop;
	double decision_s; /* the longest that one decision (ask and tell) took */
};

/* replay_run - build with a builder, model what it was told, compare with the whole curve.
 * tolerance  0: the builder's default */
enum ft_status replay_run(const struct curve *curve, const struct ft_builder_type *type, double tolerance,
			  struct replay *out, struct ft_err *err);

/* replay_model - build, and hand over the model; ends with ft_model_clear. */
enum ft_status replay_model(const struct curve *curve, const struct ft_builder_type *type, double tolerance,
			    struct ft_model *out, struct ft_err *err);

/* decide_time - seconds that the adaptive builder takes for a question and its answer when it knows so many
 * sizes, each run so often (at most 16). */
enum ft_status decide_time(size_t sizes, size_t runs_each, double *mean_s, double *worst_s,
			   struct ft_err *err);

#endif
