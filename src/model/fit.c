/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fit.c - from samples, in the order in which they were measured, to a model. */
#include "base/alloc.h"
#include "model/band.h"
#include "model/live.h"

#include <math.h>

static enum ft_status check(const struct ft_observation *o, size_t n, struct ft_err *err)
{
	size_t i;

	if (!n)
		return ft_fail(err, FT_ENOMODEL, "there is no run to make a model of");
	for (i = 0; i < n; i++)
		if (!isfinite(o[i].x) || !isfinite(o[i].value) || o[i].value < 0 || !isfinite(o[i].work) ||
		    !(o[i].work > 0))
			return ft_fail(err, FT_EINVAL,
				       "sample %zu (size %g, work %g, value %g) cannot be modelled", i,
				       o[i].x, o[i].work, o[i].value);
	return FT_OK;
}

/* The offset that keeps ln finite: half the least positive value when there are zeros, 1 when all are zero.
 */
static double offset_for(const struct ft_observation *o, size_t n)
{
	double least = INFINITY;
	bool zero = false;
	size_t i;

	for (i = 0; i < n; i++) {
		if (o[i].value > 0)
			least = fmin(least, o[i].value);
		else
			zero = true;
	}
	if (!zero)
		return 0;
	return isfinite(least) ? least / 2 : 1;
}

static void copy_knot(struct ft__live *live, size_t j, struct ft_knot *out, double *gap_error)
{
	const struct ft__node *k = &live->node[j];
	struct ft__gap gap = {.shape = live->join == FT_JOIN_BEST ? FT_SHAPE_POWER
				       : live->through_speed      ? FT_SHAPE_SPEED
								  : FT_SHAPE_AFFINE};

	if (live->n > 1)
		gap = ft__live_gap(live, j + 1 < live->n ? j : j - 1);
	*out = (struct ft_knot){
		.x = k->x,
		.work = k->work,
		.value = k->middle - live->offset,
		.scatter = k->scatter,
		.residual = j && j + 1 < live->n ? k->residual[gap.shape] : NAN,
		.runs = k->runs,
		.shape = gap.shape,
	};
	if (j + 1 < live->n)
		*gap_error = gap.error;
}

enum ft_status ft__live_model(struct ft__live *live, struct ft_model *out, struct ft_err *err)
{
	enum ft_status status;
	size_t j;

	*out = (struct ft_model){
		.through_speed = live->through_speed,
		.offset = live->offset,
		.n = live->n,
		.runs = live->runs,
		.spread = ft__live_spread(live),
		.drift = sqrt(ft__live_drift(live)),
	};
	out->knot = ft_calloc(live->n, sizeof *out->knot);
	out->gap_error = ft_calloc(live->n, sizeof *out->gap_error);
	if (!out->knot || !out->gap_error) {
		ft_model_clear(out);
		return ft_nomem(err);
	}
	for (j = 0; j < live->n; j++)
		copy_knot(live, j, &out->knot[j], &out->gap_error[j]);
	status = ft_model_state(out, NULL, 0, err);
	if (!status)
		status = ft_model_keep_outlook(out, err);
	if (status)
		ft_model_clear(out);
	return status;
}

enum ft_status ft_model_fit(struct ft_model *out, const struct ft_observation *observation, size_t n,
			    bool through_speed, enum ft_join join, struct ft_err *err)
{
	struct ft__live live;
	enum ft_status status;
	double offset, least = INFINITY, most = -INFINITY;
	size_t i;

	*out = (struct ft_model){0};
	status = check(observation, n, err);
	if (status)
		return status;
	for (i = 0; i < n; i++) {
		least = fmin(least, observation[i].x);
		most = fmax(most, observation[i].x);
	}
	offset = offset_for(observation, n);
	ft__live_init(&live, through_speed && offset == 0, join, offset, least, most);
	for (i = 0; i < n && !status; i++)
		status =
			ft__live_add(&live, observation[i].x, observation[i].work, observation[i].value, err);
	if (!status)
		status = ft__live_model(&live, out, err);
	ft__live_clear(&live);
	return status;
}

void ft_model_clear(struct ft_model *model)
{
	if (!model)
		return;
	ft_free(model->knot);
	ft_free(model->gap_error);
	ft__outlook_free(model->outlook);
	*model = (struct ft_model){0};
}
