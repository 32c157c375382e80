/* SPDX-License-Identifier: GPL-3.0-or-later */
/* axes.c - what is to be said of the parameters themselves: which change nothing, and which cannot be told
 * apart. */
#include "ask/ask.h"
#include "base/alloc.h"
#include "num/stats.h"

#include <math.h>
#include <stdlib.h>

/* A parameter is flat when the typical run differs by no more over all of its values: on average over the
 * knots looked at, and as a root mean square. doc/constants.md has the measurement. */
static const double flat_mean = 0.05, flat_rms = 0.1;

enum { LOOKED_AT = 16, VALUES = 3 };

/* ---- not to be told apart ------------------------------------------------------------------------------ */

struct axes_both {
	double a, b;
};

/* Where a is the same, b must be, in any order. */
static int compare_both(const void *p, const void *q)
{
	const struct axes_both *s = p, *t = q;

	return (s->a > t->a) - (s->a < t->a);
}

/* Whether two parameters rise together in all runs, or the one rises as the other falls; room: for all runs.
 */
static bool rise_together(const struct ft_answerer *a, size_t one, size_t other, struct axes_both *room,
			  bool *equal)
{
	size_t n = 0;
	int way = 0;

	*equal = true;
	for (size_t i = 0; i < a->runs.n; i++) {
		const struct ft_run *run = &a->runs.run[i];

		if (run->outcome != FT_DONE || run->warmup)
			continue;
		room[n++] = (struct axes_both){run->size.value[one], run->size.value[other]};
		*equal = *equal && room[n - 1].a == room[n - 1].b;
	}
	qsort(room, n, sizeof *room, compare_both);
	for (size_t i = 1; i < n; i++) {
		int step = (room[i].b > room[i - 1].b) - (room[i].b < room[i - 1].b);

		if ((room[i].a == room[i - 1].a) != !step || (step && way && step != way))
			return false;
		way = step ? step : way;
	}
	return way != 0;
}

enum ft_status ft_ask_together(const struct ft_answerer *answerer, struct ft_together *out, size_t *n,
			       struct ft_err *err)
{
	struct axes_both *room = ft_calloc(answerer->runs.n + 1, sizeof *room);

	*n = 0;
	if (!room)
		return ft_nomem(err);
	for (size_t i = 1; i < answerer->n_axes; i++)
		for (size_t j = 0; j < i; j++) {
			struct ft_together *pair = &out[*n];

			*pair = (struct ft_together){answerer->axis[j], answerer->axis[i], false};
			if (rise_together(answerer, pair->one, pair->other, room, &pair->equal)) {
				++*n;
				break;
			}
		}
	ft_free(room);
	return FT_OK;
}

/* ---- flat ---------------------------------------------------------------------------------------------- */

static void find_range(const struct ft_knot *knot, size_t n, size_t axis, double *least, double *most)
{
	*least = INFINITY;
	*most = -INFINITY;
	for (size_t i = 0; i < n; i++) {
		*least = fmin(*least, knot[i].size.value[axis]);
		*most = fmax(*most, knot[i].size.value[axis]);
	}
}

/* ln of the typical run at a knot, one parameter elsewhere; NaN where there is none. */
static double ln_at(struct ft_answerer *a, const struct ft_resource *resource, const struct ft_size *knot,
		    size_t axis, double x)
{
	struct ft_prediction p;
	struct ft_size size = *knot;
	bool rough;

	size.value[axis] = x;
	if (ft__ask_model_predict(a, resource, &size, 0.9, &p, &rough, NULL) || !(p.value > 0))
		return NAN;
	return log(p.value);
}

/* Of one parameter all knots are the same place once it is elsewhere. Most parameters change much, and two or
 * three of the predictions, which are all that this costs, show it. */
static bool is_flat(struct ft_answerer *a, const struct ft_resource *resource, const struct ft_knot *knot,
		    size_t n, size_t axis)
{
	size_t looked = a->n_axes < 2 ? 1 : n < LOOKED_AT ? n : LOOKED_AT;
	double least, most, square = 0, mean[VALUES] = {0};

	find_range(knot, n, axis, &least, &most);
	if (!(least < most))
		return false;
	for (size_t i = 0; i < looked; i++) {
		const struct ft_size *at = &knot[looked > 1 ? i * (n - 1) / (looked - 1) : 0].size;
		double first = ln_at(a, resource, at, axis, least), middle = (least + most) / 2;

		middle = least > 0 ? sqrt(least * most) : middle;
		for (size_t k = 1; k < VALUES; k++) {
			double off = ln_at(a, resource, at, axis, k == 1 ? middle : most) - first;

			mean[k] += off / (double)looked;
			square += off * off / (double)(looked * (VALUES - 1));
			if (!(square <= flat_rms * flat_rms))
				return false;
		}
	}
	return fabs(mean[1]) <= flat_mean && fabs(mean[2]) <= flat_mean && square <= flat_rms * flat_rms;
}

/* Of what is hardly known it is not said that nothing changes it. */
static bool is_known(const struct ft_model_facts *facts)
{
	return !facts->too_few && log1p(facts->known) <= flat_rms * ft_normal_quantile(0.95);
}

/* What cannot be told apart from another one is not said to change nothing. */
static bool is_paired(const struct ft_together *pair, size_t n, size_t axis)
{
	for (size_t i = 0; i < n; i++)
		if (pair[i].one == axis || pair[i].other == axis)
			return true;
	return false;
}

enum ft_status ft_ask_flat(struct ft_answerer *answerer, const struct ft_resource *resource,
			   const struct ft_size *size, bool flat[FT_PARAMS_MAX], struct ft_err *err)
{
	const struct ft_model_record *record;
	struct ft_together pair[FT_PARAMS_MAX];
	enum ft_status status = ft_ask_model(answerer, resource, size, &record, err);
	size_t n, pairs = 0;

	for (size_t i = 0; i < FT_PARAMS_MAX; i++)
		flat[i] = false;
	if (!status)
		status = ft_ask_together(answerer, pair, &pairs, err);
	if (status || !is_known(ft_model_facts(record->model)))
		return status;
	const struct ft_knot *knot = ft_model_knots(record->model, &n);
	for (size_t i = 0; i < answerer->n_axes; i++)
		flat[answerer->axis[i]] = !is_paired(pair, pairs, answerer->axis[i]) &&
					  is_flat(answerer, resource, knot, n, answerer->axis[i]);
	return FT_OK;
}

struct ft_size ft_ask_any_size(const struct ft_answerer *answerer)
{
	struct ft_size size = {.n = answerer->program.n_params};

	return answerer->runs.n ? answerer->runs.run[0].size : size;
}

const struct ft_run *ft_ask_failing(const struct ft_answerer *answerer)
{
	size_t axis[FT_PARAMS_MAX], n = ft_ask_axes(answerer, axis), i;
	struct ft_size size = ft_ask_any_size(answerer);

	for (i = 0; i < n; i++)
		size.value[axis[i]] = INFINITY;
	return ft_runs_failing(&answerer->runs, axis[0], &size);
}
