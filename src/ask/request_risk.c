/* SPDX-License-Identifier: GPL-3.0-or-later */
/* request_risk.c - the risk of each resource of a request: a stated one, divided so that least is asked for;
 * or the one that wastes least, where a job that was killed runs again with more. */
#include "ask/request.h"
#include "base/alloc.h"
#include "num/stats.h"

#include <math.h>

/* ---- a stated risk ---------------------------------------------------------------------------------------
 */

/* The least part of the risk that a resource gets, and the least risk. */
static const double least_part = 0.25, least_each = 0.0005;

/* Three sizes that were measured: by the first parameter the smallest, the largest, and the one nearest to
 * the middle between them. The same for all questions, so that requests of neighbouring sizes and expressions
 * divide a risk alike. */
static void measured_sizes(const struct ft_answerer *a, const struct ft_size *size, struct ft_size out[3])
{
	const size_t axis = a->axis[0];
	double least = INFINITY, most = -INFINITY, apart[3] = {INFINITY, INFINITY, INFINITY}, wanted[3];

	for (size_t k = 0; k < 3; k++)
		out[k] = *size;
	for (size_t i = 0; i < a->runs.n; i++)
		if (a->runs.run[i].outcome == FT_DONE && !a->runs.run[i].warmup) {
			least = fmin(least, a->runs.run[i].size.value[axis]);
			most = fmax(most, a->runs.run[i].size.value[axis]);
		}
	wanted[0] = least;
	wanted[1] = least > 0 ? sqrt(least * most) : (least + most) / 2;
	wanted[2] = most;
	for (size_t i = 0; i < a->runs.n; i++)
		for (size_t k = 0; k < 3; k++) {
			const struct ft_run *run = &a->runs.run[i];
			double off = fabs(run->size.value[axis] - wanted[k]);

			if (run->outcome != FT_DONE || run->warmup || !(off < apart[k]))
				continue;
			apart[k] = off;
			for (size_t p = 0; p < a->n_axes; p++)
				out[k].value[a->axis[p]] = run->size.value[a->axis[p]];
		}
}

/* ln of what is asked for of both where time has a share of the risk. */
static enum ft_status asked_with(struct ft_answerer *answerer, const struct ft_size *size, size_t n,
				 const struct ft_request *request, double share, double *sum,
				 struct ft_err *err)
{
	struct ft_prediction at;
	enum ft_status status = FT_OK;

	*sum = 0;
	for (size_t i = 0; i < n && !status; i++) {
		double time = 1, memory = 1;

		status = ft__request_upper(answerer, request->time.resource, &size[i], share * request->risk,
					   &at, &time, err);
		if (!status)
			status = ft__request_upper(answerer, request->memory.resource, &size[i],
						   (1 - share) * request->risk, &at, &memory, err);
		*sum += (time > 0 ? log(time) : 0) + (memory > 0 ? log(memory) : 0);
	}
	return status;
}

enum ft_status ft__request_split(struct ft_answerer *answerer, const struct ft_size *at,
				 struct ft_request *request, struct ft_err *err)
{
	enum { SIZES = 3, SHARES = 5, HALVINGS = 3 };
	const double least = fmin(0.5, fmax(least_part, least_each / request->risk));
	double step = (1 - 2 * least) / (SHARES - 1), best = INFINITY, share = 0.5;
	struct ft_size size[SIZES];
	enum ft_status status = FT_OK;

	if (!request->time.resource || !request->memory.resource)
		return FT_OK;
	measured_sizes(answerer, at, size);
	for (int i = 0; i < SHARES && !status; i++) {
		double sum, here = least + i * step;

		status = asked_with(answerer, size, SIZES, request, here, &sum, err);
		share = sum < best ? here : share;
		best = fmin(best, sum);
	}
	for (int i = 0; i < HALVINGS && !status && step > 0; i++) {
		double middle = share;

		step /= 2;
		for (int side = -1; side <= 1 && !status; side += 2) {
			double sum, here = fmin(fmax(middle + side * step, least), 1 - least);

			status = asked_with(answerer, size, SIZES, request, here, &sum, err);
			share = sum < best ? here : share;
			best = fmin(best, sum);
		}
	}
	request->time.risk = share * request->risk;
	request->memory.risk = request->risk - request->time.risk;
	return status;
}

/* ---- least waste -----------------------------------------------------------------------------------------
 */

/* The risks that are tried, and at which the distribution of a run's need is looked up; and into how many
 * parts of the same probability it is cut. */
static const double level[] = {0.0005, 0.001, 0.002, 0.005, 0.01, 0.015, 0.02, 0.03, 0.04,
			       0.05,   0.065, 0.08,  0.1,   0.12, 0.15,  0.18, 0.21, 0.25};
enum { LEVELS = sizeof level / sizeof *level, POINTS = 2 * LEVELS + 1, PARTS = 200 };

/* The predictive distribution at one size: need[i] is its quantile at ln-normal score z[i], ascending. */
struct distribution {
	double z[POINTS], need[POINTS];
	double asked[LEVELS]; /* what a request at each level asks for */
};

static enum ft_status find_distribution(struct ft_answerer *answerer, const struct ft_resource *resource,
					const struct ft_size *size, struct distribution *d,
					struct ft_err *err)
{
	enum ft_status status = FT_OK;

	for (size_t i = 0; i < LEVELS && !status; i++) {
		struct ft_prediction at;
		double z = ft_normal_quantile(1 - level[i]);

		status = ft__request_upper(answerer, resource, size, level[i], &at, &d->asked[i], err);
		d->z[i] = -z;
		d->need[i] = fmin(at.lower, d->asked[i]);
		d->z[LEVELS] = 0;
		d->need[LEVELS] = fmin(at.value, d->asked[i]);
		d->z[POINTS - 1 - i] = z;
		d->need[POINTS - 1 - i] = d->asked[i];
	}
	return status;
}

/* Between quantiles logarithms are linear in z, as of a log-normal law. */
static double need_at(const struct distribution *d, double z)
{
	size_t i = 1;

	while (i + 1 < POINTS && d->z[i] < z)
		i++;
	double share = fmin(fmax((z - d->z[i - 1]) / (d->z[i] - d->z[i - 1]), 0), 1);
	if (!(d->need[i - 1] > 0))
		return d->need[i - 1] + share * (d->need[i] - d->need[i - 1]);
	return d->need[i - 1] * pow(d->need[i] / d->need[i - 1], share);
}

double ft__request_wasted(double asked, double need, double seen, bool most)
{
	double lost = 0;

	while (asked < need && asked > 0) {
		lost += asked;
		asked = most && asked < seen ? seen : 2 * asked;
	}
	return lost + asked - need;
}

/* The level that wastes least in the mean over n sizes. */
static enum ft_status find_level(struct ft_answerer *answerer, const struct ft_size *size, size_t n,
				 bool most, struct ft_need *need, struct ft_err *err)
{
	double wasted[LEVELS] = {0}, seen = ft__request_seen(answerer, need->resource);
	size_t best = 0;
	enum ft_status status = FT_OK;

	for (size_t i = 0; i < n && !status; i++) {
		struct distribution d;

		status = find_distribution(answerer, need->resource, &size[i], &d, err);
		for (size_t p = 0; p < PARTS && !status; p++) {
			double used = need_at(&d, ft_normal_quantile(((double)p + 0.5) / PARTS));

			for (size_t k = 0; k < LEVELS; k++)
				wasted[k] += ft__request_wasted(d.asked[k], used, seen, most);
		}
	}
	for (size_t k = 1; k < LEVELS; k++)
		if (wasted[k] < wasted[best])
			best = k;
	need->risk = level[best];
	return status;
}

enum ft_status ft__request_least(struct ft_answerer *answerer, const struct ft_size *size, size_t n,
				 struct ft_request *out, struct ft_err *err)
{
	const bool most = out->risk == FT_RISK_LEAST_MOST;
	enum ft_status status = FT_OK;

	out->time.risk = out->memory.risk = 0;
	if (out->time.resource)
		status = find_level(answerer, size, n, most, &out->time, err);
	if (!status && out->memory.resource)
		status = find_level(answerer, size, n, most, &out->memory, err);
	out->risk = out->time.risk + out->memory.risk;
	return status;
}
