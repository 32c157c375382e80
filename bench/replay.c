/* SPDX-License-Identifier: GPL-3.0-or-later */
/* replay.c - a builder against a recorded curve: what it cost, and how good its model is. */
#include "replay.h"
#include "base/alloc.h"
#include "foretime/model.h"
#include "num/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Repetition of builders that do not repeat by themselves, as in a sweep. */
enum { REPS_LEAST = 2, REPS_MOST = 10 };
static const double confidence = 0.9, silent_over = 0.25;

struct state {
	const struct curve *curve;
	double tolerance;
	size_t *used;                       /* [curve->n] samples handed out */
	struct ft_observation *observation; /* in that order */
	size_t n;
	double cost;
};

static double work_at(void *ctx, double x)
{
	const struct curve *curve = ctx;
	size_t low = 0, high = curve->n;

	while (high - low > 1) {
		size_t middle = (low + high) / 2;

		if (curve->size[middle].n <= x)
			low = middle;
		else
			high = middle;
	}
	return curve->size[low].work;
}

static double memory_at(void *ctx, double x)
{
	(void)ctx;
	return 8 * x;
}

static size_t index_of(const struct curve *curve, double n)
{
	size_t i;

	for (i = 0; i < curve->n; i++)
		if (curve->size[i].n == n)
			return i;
	return 0;
}

static bool hand_out(struct state *s, size_t i)
{
	const struct curve_size *size = &s->curve->size[i];

	if (s->used[i] == size->samples)
		return false;
	s->observation[s->n++] = (struct ft_observation){size->n, size->work, size->sample[s->used[i]]};
	s->cost += size->sample[s->used[i]++];
	return true;
}

/* Whether the confidence interval of the mean is narrower than the tolerance. */
static bool is_narrow(const struct state *s, size_t i)
{
	const double *t = s->curve->size[i].sample;
	double n = (double)s->used[i];

	return ft_student_t(confidence, n - 1) * sqrt(ft_stats_variance(t, s->used[i]) / n) <=
	       s->tolerance * ft_stats_mean(t, s->used[i]);
}

static void visit(struct state *s, size_t i, bool repeats)
{
	if (repeats) {
		(void)hand_out(s, i);
		return;
	}
	while (s->used[i] < REPS_LEAST || (s->used[i] < REPS_MOST && !is_narrow(s, i)))
		if (!hand_out(s, i))
			return;
}

static double now_s(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static enum ft_status build(struct state *s, const struct ft_builder_type *type, const double *list,
			    struct replay *out, struct ft_err *err)
{
	const struct curve *curve = s->curve;
	struct ft_build_options options = {
		.space = {curve->size[0].n, curve->size[curve->n - 1].n, 1, list, curve->n},
		.work = work_at,
		.work_ctx = (void *)curve,
		.tolerance = s->tolerance,
		.confidence = confidence,
		.memory = curve->memory_limit > 0 ? memory_at : NULL,
		.memory_limit_bytes = curve->memory_limit,
	};
	struct ft_builder *builder;
	enum ft_status status = ft_builder_new(&builder, type, &options, err);
	double asked[FT_ASK_MAX], from;
	size_t n, i;

	if (status)
		return status;
	for (;;) {
		from = now_s();
		n = ft_builder_ask(builder, asked, FT_ASK_MAX);
		out->decision_s = fmax(out->decision_s, now_s() - from);
		for (i = 0; i < n && !status; i++) {
			size_t at = index_of(curve, asked[i]);

			visit(s, at, type->repeats);
			status = ft_builder_tell(builder, asked[i], curve->size[at].sample, s->used[at], err);
		}
		if (!n || status)
			break;
	}
	out->stop = ft_builder_stop(builder);
	ft_builder_free(builder);
	return status;
}

static void judge(const struct state *s, const struct ft_model *model, struct replay *out)
{
	const struct curve *curve = s->curve;
	double *error = ft_calloc(curve->n, sizeof *error);
	size_t i, k, inside = 0, left = 0;

	if (!error)
		return;
	for (i = 0; i < curve->n; i++) {
		const struct curve_size *size = &curve->size[i];
		struct ft_prediction p;

		if (ft_model_predict(model, size->n, size->work, confidence, &p, NULL))
			continue;
		error[i] = fabs(p.value / size->median - 1);
		out->points += s->used[i] > 0;
		for (k = s->used[i]; k < size->samples; k++) {
			left++;
			inside += p.lower <= size->sample[k] && size->sample[k] <= p.upper;
		}
	}
	out->at_end = error[curve->n - 1];
	out->samples = s->n;
	out->cost = s->cost;
	out->mean = ft_stats_mean(error, curve->n);
	out->p95 = ft_stats_quantile(error, curve->n, 0.95);
	out->largest = ft_stats_quantile(error, curve->n, 1);
	out->inside = left ? (double)inside / (double)left : NAN;
	out->stated = model->stated_error;
	out->rough = model->rough;
	out->by_noise = model->rough_by_noise;
	out->silent = out->p95 > silent_over && !out->rough;
	ft_free(error);
}

/* Build, and model what was told; s.used tells what was handed out. */
static enum ft_status run(struct state *s, const struct ft_builder_type *type, struct replay *out,
			  struct ft_model *model, struct ft_err *err)
{
	const struct curve *curve = s->curve;
	double *list = ft_calloc(curve->n, sizeof *list);
	enum ft_status status;
	size_t i, all = 0;

	for (i = 0; i < curve->n; i++)
		all += curve->size[i].samples;
	s->used = ft_calloc(curve->n, sizeof *s->used);
	s->observation = ft_calloc(all, sizeof *s->observation);
	if (!list || !s->used || !s->observation) {
		status = ft_nomem(err);
		goto out;
	}
	for (i = 0; i < curve->n; i++)
		list[i] = curve->size[i].n;
	status = build(s, type, list, out, err);
	if (!status)
		status = ft_model_fit(model, s->observation, s->n, true,
				      type->repeats ? FT_JOIN_BEST : FT_JOIN_SPEED, err);
	if (!status)
		status = ft_model_state(model, list, curve->n, err);
out:
	ft_free(list);
	return status;
}

static struct state start(const struct curve *curve, const struct ft_builder_type *type, double tolerance)
{
	return (struct state){.curve = curve, .tolerance = tolerance > 0 ? tolerance : type->tolerance};
}

static void stop(struct state *s)
{
	ft_free(s->used);
	ft_free(s->observation);
}

enum ft_status replay_run(const struct curve *curve, const struct ft_builder_type *type, double tolerance,
			  struct replay *out, struct ft_err *err)
{
	struct state s = start(curve, type, tolerance);
	struct ft_model model = {0};
	enum ft_status status;

	*out = (struct replay){0};
	status = run(&s, type, out, &model, err);
	if (!status)
		judge(&s, &model, out);
	ft_model_clear(&model);
	stop(&s);
	return status;
}

enum ft_status replay_model(const struct curve *curve, const struct ft_builder_type *type, double tolerance,
			    struct ft_model *out, struct ft_err *err)
{
	struct state s = start(curve, type, tolerance);
	struct replay replay = {0};
	enum ft_status status;

	*out = (struct ft_model){0};
	status = run(&s, type, &replay, out, err);
	if (status)
		ft_model_clear(out);
	stop(&s);
	return status;
}
