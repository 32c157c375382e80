/* SPDX-License-Identifier: GPL-3.0-or-later */
/* predict.c - predicts from a mixture of laws: a value, and two intervals. */
#include "foretime/base.h"
#include "law/laws.h"
#include "num/num.h"

#include <math.h>

/* What sums of floating point numbers may be off by. */
static const double tiny = 1e-12;

/* Of the table, and those that the fit found. */
/* What grows faster than any power counts as this one. */
static const double power_most = 6;

static void shape_values(const struct ft_laws *laws, double x, double *g)
{
	ft__law_shape_values(x, g);
	for (size_t i = 0; i < FT_LAW_FREE; i++)
		g[FT_LAW_SHAPES + i] = ft__law_factor_value(&laws->free[i], x);
}

static double point_value(const struct ft_law_point *point, const double *g)
{
	double sum = point->constant;

	for (size_t i = 0; i < point->terms; i++)
		sum += point->c[i] * g[point->shape[i]];
	return sum;
}

static void make_belief(struct ft__law_belief *belief, const struct ft_law_point *point, size_t n,
			const double *g, double noise)
{
	belief->n = 0;
	for (size_t i = 0; i < n; i++) {
		double value = point_value(&point[i], g);

		/* A logarithm below 1 does not exist: the laws without one answer. */
		if (!(value > 0) || isinf(value))
			continue;
		belief->ln[belief->n] = log(value);
		belief->error[belief->n] = ft__law_error(point[i].error, noise);
		belief->weight[belief->n++] = point[i].weight;
	}
	if (belief->n)
		ft__law_bin(belief);
}

/* Before a break another law holds; NULL: x is where the weighed ones do. */
static const struct ft_law_break *break_after(const struct ft_laws *laws, double x)
{
	for (size_t i = 0; i < laws->breaks; i++)
		if (x < sqrt(laws->broken[i].after * laws->broken[i].from) || x <= laws->broken[i].after)
			return &laws->broken[i];
	return NULL;
}

static void answer_before(const struct ft_law_break *part, double x, double confidence, double noise,
			  struct ft_law_prediction *out)
{
	double reach = ft_normal_quantile((1 + confidence) / 2) * ft__law_error(part->error, noise);

	out->value = out->median = ft_law_value(&part->law, &x);
	out->lower = out->wide_lower = out->value * exp(-reach);
	out->upper = out->wide_upper = out->value * exp(reach);
}

static enum ft_status answer_at(const struct ft_laws *laws, double x, double confidence, double noise,
				struct ft_law_prediction *out, struct ft_err *err)
{
	double g[FT__LAW_ALL], low = (1 - confidence) / 2, high = (1 + confidence) / 2;
	struct ft__law_belief belief;

	shape_values(laws, x, g);
	make_belief(&belief, laws->point, laws->points, g, noise);
	if (!belief.n)
		return ft_fail(err, FT_EINVAL, "the law has no value at %g, or none below 1e308", x);
	out->value = laws->exact ? ft_law_value(&laws->law, &x) : ft__law_tent(&belief);
	out->median = exp(ft__law_quantile(&belief, 0.5));
	out->lower = fmin(exp(ft__law_quantile(&belief, low)) * (1 - tiny), out->value);
	out->upper = fmax(exp(ft__law_quantile(&belief, high)) * (1 + tiny), out->value);
	out->wide_lower = out->lower;
	out->wide_upper = out->upper;
	if (!laws->further)
		return FT_OK;
	make_belief(&belief, laws->with_further, laws->further, g, noise);
	if (!belief.n)
		return FT_OK;
	out->wide_lower = fmin(exp(ft__law_quantile(&belief, low)), out->lower);
	out->wide_upper = fmax(exp(ft__law_quantile(&belief, high)), out->upper);
	return FT_OK;
}

enum ft_status ft__law_ask(double x, double confidence, struct ft_err *err)
{
	if (!isfinite(x) || x < 0)
		return ft_fail(err, FT_EINVAL, "a size of %g has no value", x);
	if (!(confidence >= FT_CONFIDENCE_LEAST && confidence <= FT_CONFIDENCE_MOST))
		return ft_fail(err, FT_EINVAL, "a confidence of %g is not within %g and %g", confidence,
			       FT_CONFIDENCE_LEAST, FT_CONFIDENCE_MOST);
	return FT_OK;
}

enum ft_status ft_laws_predict(const struct ft_laws *laws, double x, double confidence, enum ft_law_of of,
			       struct ft_law_prediction *out, struct ft_err *err)
{
	const struct ft_law_break *before = break_after(laws, x);
	double noise = 0;

	*out = (struct ft_law_prediction){0};
	if (ft__law_ask(x, confidence, err))
		return FT_EINVAL;
	if (of == FT_LAW_RUN)
		noise = isnan(laws->noise) ? laws->misfit : laws->noise;
	if ((laws->zeros && x < laws->least) || (!laws->law.terms && laws->law.constant == 0))
		return FT_OK; /* 0 */
	if (before)
		answer_before(before, x, confidence, noise, out);
	else
		return answer_at(laws, x, confidence, noise, out, err);
	return FT_OK;
}

/* The belief's mean square of ln value about a centre, each law's own error included; NaN: it has no value.
 */
static double square_about(const struct ft_law_point *point, size_t n, const double *g, double centre)
{
	double weight = 0, sum = 0;

	for (size_t i = 0; i < n; i++) {
		double value = point_value(&point[i], g), d;

		if (!(value > 0) || isinf(value))
			continue;
		d = log(value) - centre;
		weight += point[i].weight;
		sum += point[i].weight * (d * d + point[i].error * point[i].error);
	}
	return sum / weight;
}

bool ft_laws_best(const struct ft_laws *laws, double x, double *ln, double *variance)
{
	double g[FT__LAW_ALL];

	*variance = 0;
	if (!isfinite(x) || x < 0)
		return false;
	*ln = log(ft_law_value(&laws->law, &x));
	if (!isfinite(*ln))
		return false;
	if (laws->exact)
		return true;
	shape_values(laws, x, g);
	*variance = fmax(square_about(laws->point, laws->points, g, *ln), 0);
	*variance = fmax(square_about(laws->with_further, laws->further, g, *ln), *variance);
	return true;
}

size_t ft_laws_parts(const struct ft_laws *laws, double x, size_t most, struct ft_law_part *part)
{
	double g[FT__LAW_ALL], total = 0;
	struct ft_law_part sum[FT_LAW_CLASSES] = {0}; /* of ln: its mean; of error: the mean square */
	size_t k, n = 0;

	if (!isfinite(x) || x < 0)
		return 0;
	shape_values(laws, x, g);
	for (size_t i = 0; i < laws->points; i++) {
		const struct ft_law_point *p = &laws->point[i];
		double value = point_value(p, g), largest = p->constant, at;
		size_t shape = FT__CONSTANT;

		if (!(value > 0) || isinf(value))
			continue;
		for (k = 0; k < p->terms; k++)
			if (p->c[k] * g[p->shape[k]] > largest) {
				largest = p->c[k] * g[p->shape[k]];
				shape = p->shape[k];
			}
		struct ft_law_factor factor =
			shape < FT_LAW_SHAPES ? ft__law_factor(shape) : laws->free[shape - FT_LAW_SHAPES];
		struct ft_law_part *class = &sum[ft__law_class(shape)];
		at = log(value);
		class->weight += p->weight;
		class->ln += p->weight * at;
		class->error += p->weight * (at * at + p->error * p->error);
		class->power += p->weight * (factor.rate > 0 || factor.factorial > 0 ? power_most
					     : factor.level > 0                      ? 0
										     : factor.power);
	}
	for (size_t i = 0; i < FT_LAW_CLASSES && most; i++) {
		if (!(sum[i].weight > 0))
			continue;
		sum[i].ln /= sum[i].weight;
		sum[i].power /= sum[i].weight;
		sum[i].error = sqrt(fmax(sum[i].error / sum[i].weight - sum[i].ln * sum[i].ln, 0));
		for (k = n; k-- > 0 && part[k].weight < sum[i].weight;)
			if (k + 1 < most)
				part[k + 1] = part[k];
		if (k + 1 >= most)
			continue;
		part[k + 1] = sum[i];
		n += n < most;
	}
	for (size_t i = 0; i < n; i++)
		total += part[i].weight;
	for (size_t i = 0; i < n; i++)
		part[i].weight /= total;
	return n;
}

/* The belief in nodes, evenly spaced, as cells around them: the number below which a share of it lies. */
static double number_below(const double *at, const double *weight, size_t n, double step, double share)
{
	double sum = 0;
	size_t i;

	for (i = 0; i + 1 < n && sum + weight[i] < share; i++)
		sum += weight[i];
	return at[i] + step * ((share - sum) / weight[i] - 0.5);
}

bool ft_laws_power(const struct ft_laws *laws, double confidence, struct ft_law_number *out)
{
	double at[FT_LAW_NODES], weight[FT_LAW_NODES] = {0}, step = 0, sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < laws->points; i++) {
		size_t node =
			laws->point[i].shape[0] - (size_t)FT_LAW_SHAPES; /* those of powers stand first */

		if (laws->point[i].shape[0] >= FT_LAW_SHAPES && node < FT_LAW_NODES) {
			weight[node] += laws->point[i].weight;
			sum += laws->point[i].weight;
		}
	}
	out->value = laws->free[FT_LAW_NODES / 2].power;
	if (!(sum > 0) || laws->kind[0].factor.power != out->value || laws->kind[0].factor.log != 0 ||
	    sum < laws->kind[0].weight / 2)
		return false;
	step = fabs(laws->free[FT_LAW_NODES / 2].power - laws->free[FT_LAW_NODES / 2 - 1].power);
	for (size_t i = 0; i < FT_LAW_NODES; i++)
		if (weight[i] > 0) {
			at[n] = laws->free[i].power;
			weight[n++] = weight[i] / sum;
		}
	if (n < 2)
		step = 0;
	out->lower = fmin(number_below(at, weight, n, step, (1 - confidence) / 2), out->value);
	out->upper = fmax(number_below(at, weight, n, step, (1 + confidence) / 2), out->value);
	return true;
}
