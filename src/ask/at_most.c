/* SPDX-License-Identifier: GPL-3.0-or-later */
/* at_most.c - a growth within a bound: which sizes to run, and what their runs are to the test (growth.c). */
#include "ask/ask.h"
#include "base/alloc.h"
#include "num/num.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare_sizes(const void *a, const void *b)
{
	return ft_size_compare(a, b);
}

/*
 * Which sizes to run. Far below the largest one start-up hides the growth, and a worse term is none there: most
 * sizes lie where the bound itself is within a factor of this of its largest value.
 */

static const double range_count = 1000, range_other = 100;

/* Sizes of one parameter, besides those below that range. Tables that double, and transforms of powers of two,
 * do the same at sizes that are twice each other: so the sizes are halves of the largest one, halves of another
 * one, and so on. */
enum { ALONE = 12, BELOW = 3 };

/* Where these leave it open, as many more a little below each size of the upper three quarters: what chance in the
 * data does is different there, and what structure does is the same. In octaves; phases of growth.c are as wide as 0.03. */
enum { NEAR = 3 };
static const double apart = 0.008;

static double range_of(const struct ft__ceiling *bound, size_t param, enum ft_resource_class of)
{
	double power = 0.5;

	for (size_t i = 0; i < bound->n; i++)
		power = fmax(power, bound->term[i].power[param] + 0.1 * bound->term[i].log[param]);
	return pow(of == FT_CLASS_TIME || of == FT_CLASS_ENERGY ? range_other : range_count, 1 / power);
}

static void add_value(const struct ft_space *space, double x, double value[2 * FT_AT_MOST_SIZES], size_t *n)
{
	x = ft_space_nearest(space, x);
	for (size_t j = 0; j < *n; j++)
		if (value[j] >= x && value[j] <= x)
			return;
	value[(*n)++] = x;
}

/* The values of one parameter: about k where it has a range, and as many between; all of a list. Returns how
 * many, of both together. */
static size_t plan_param(const struct ft_param *param, double range, size_t k, size_t *first, size_t *second,
			 double value[2 * FT_AT_MOST_SIZES])
{
	const struct ft_space space = ft_param_space(param);
	const double most = param->most, least = param->least > 0 ? param->least : fmin(1, most / 1000);
	double lowest = fmax(least, most / range), octaves = log2(most / lowest), step;
	size_t n = 0;

	if (param->n_list || param->factor > 0 || param->least >= most) {
		for (; n < FT_AT_MOST_SIZES + 1 && (double)n < ft_space_count(&space); n++)
			value[n] = ft_space_value(&space, (double)n);
		*first = *second = n;
		return n;
	}
	step = k == ALONE ? fmin(fmax(round((double)k / octaves), 1), 2) : ((double)k - 1) / octaves;
	for (size_t between = 0; between < 2; between++) {
		for (double i = between ? 0.5 : 0;
		     i <= step * octaves + 1e-9 && n < 2 * FT_AT_MOST_SIZES - BELOW - 1; i++)
			add_value(&space, most * exp2(-i / step), value, &n);
		for (double i = 0; i < BELOW && k == ALONE && lowest > 1.5 * least && !between; i++)
			add_value(&space, least * pow(lowest / least, i / BELOW), value, &n);
		*(between ? second : first) = n;
	}
	for (double i = 0; i < 4 * step && k == ALONE; i++)
		for (double j = 1; j <= NEAR; j++)
			add_value(&space, most * exp2(-i / (2 * step) - j * apart), value, &n);
	return n;
}

enum ft_status ft_at_most_plan(const char *bound, const struct ft_program *program, enum ft_resource_class of,
			       struct ft_at_most_plan *out, struct ft_err *err)
{
	static const size_t each[] = {1, ALONE, 5, 3, 2};
	double value[FT_PARAMS_MAX][2 * FT_AT_MOST_SIZES];
	size_t n[FT_PARAMS_MAX], first[FT_PARAMS_MAX], second[FT_PARAMS_MAX], at[FT_PARAMS_MAX], varying = 0,
												 near = 0, p;
	struct ft__ceiling parsed;

	memset(out, 0, sizeof *out);
	FT_TRY(ft__bound_parse(bound, program, &parsed, err));
	for (p = 0; p < program->n_params; p++)
		varying += program->param[p].least < program->param[p].most;
	if (varying > 4)
		return ft_fail(err, FT_EINVAL, "%zu parameters vary, and 4 may", varying);
	for (p = 0; p < program->n_params; p++) {
		n[p] = plan_param(&program->param[p], range_of(&parsed, p, of), each[varying], &first[p],
				  &second[p], value[p]);
		near += varying == 1 ? n[p] - second[p] : 0;
	}
	/* All combinations of the first values, then all of those between; a list has none of these. */
	for (size_t between = 0; between < 2; between++) {
		bool more = !between;

		for (p = 0; p < program->n_params; p++) {
			at[p] = between && n[p] > first[p] ? first[p] : 0;
			more |= n[p] > first[p];
		}
		if (!more)
			break;
		for (p = 0; p < program->n_params;) {
			struct ft_size *size = &out->size[out->n];

			if (out->n == FT_AT_MOST_SIZES) {
				(void)ft_fail(err, FT_EINVAL, "more than %d sizes", FT_AT_MOST_SIZES);
				return ft_remedy(err, "name fewer, or give a range, as in %s=%g:%g",
						 program->param[0].name, program->param[0].least,
						 program->param[0].most);
			}
			size->n = program->n_params;
			for (p = 0; p < program->n_params; p++)
				size->value[p] = value[p][at[p]];
			out->n++;
			for (p = 0; p < program->n_params; p++) {
				const size_t from = between && n[p] > first[p] ? first[p] : 0,
					     to = between && n[p] > first[p] ? n[p] : first[p];

				if (++at[p] < to)
					break;
				at[p] = from;
			}
		}
		if (!between) {
			out->first = out->n;
			qsort(out->size, out->n, sizeof *out->size, compare_sizes);
		}
	}
	out->second = out->n - near;
	return FT_OK;
}

/*
 * From runs to what is judged.
 */

/* What disturbs a run adds to it, so that the lower half of them is a typical one that nothing disturbed. */
static double typical_of(double *value, size_t n, double *variance)
{
	const size_t half = (n + 1) / 2;
	double mean;

	ft_sort(value, n);
	mean = ft_stats_mean(value, half);
	*variance = half > 1 ? ft_stats_variance(value, half) / (mean * mean) : (double)NAN;
	return mean;
}

static int compare_runs(const void *a, const void *b)
{
	const struct ft_run *const *p = a, *const *q = b;

	return ft_size_compare(&(*p)->size, &(*q)->size);
}

static double value_of(const struct ft_run *run, const struct ft_resource *resource)
{
	return run->warmup || run->outcome != FT_DONE ? (double)NAN : ft_run_idle_value(run, resource);
}

/* The errors of sizes with few runs are mostly those of all sizes. */
static void pool_errors(struct ft__grown_point *point, const struct ft_at_most *out, double *variance)
{
	double sum = 0, weight = 0, pooled;

	for (size_t i = 0; i < out->n; i++)
		if (!isnan(variance[i])) {
			sum += variance[i] * (double)(out->size[i].runs - 1);
			weight += (double)(out->size[i].runs - 1);
		}
	pooled = weight > 0 ? sum / weight : 0;
	for (size_t i = 0; i < out->n; i++) {
		double runs = (double)out->size[i].runs, own = isnan(variance[i]) ? 0 : runs - 1;

		if (isnan(variance[i]))
			variance[i] = 0;
		/* The lower half of normal values varies by 0.36 of the variance of all: as a mean of `runs`
		   values, near enough. */
		point[i].error = sqrt((own * variance[i] + 2 * pooled) / (own + 2) / 0.36 / runs);
	}
}

enum ft_status ft_verify_at_most(const struct ft_runs *runs, const struct ft_program *program,
				 const struct ft_resource *resource, const char *bound,
				 struct ft_at_most *out, struct ft_err *err)
{
	FT_ARENA(work);
	struct ft__ceiling parsed;
	const struct ft_run **run = ft_arena_take(&work, runs->n + 1, sizeof *run);
	double *value = ft_arena_take(&work, runs->n + 1, sizeof *value), variance[FT_AT_MOST_SIZES];
	struct ft__grown_point *point = ft_arena_take(&work, FT_AT_MOST_SIZES, sizeof *point);
	size_t n = 0;

	memset(out, 0, sizeof *out);
	FT_TRY(ft_arena_check(&work, err));
	FT_TRY(ft__bound_parse(bound, program, &parsed, err));
	for (size_t i = 0; i < runs->n; i++)
		if (value_of(&runs->run[i], resource) > 0)
			run[n++] = &runs->run[i];
	qsort(run, n, sizeof *run, compare_runs);
	for (size_t i = n, sizes = 0; i-- > 0;) { /* the largest ones */
		sizes += i + 1 == n || !ft_size_equal(&run[i]->size, &run[i + 1]->size);
		if (sizes > FT_AT_MOST_SIZES) {
			run += i + 1;
			n -= i + 1;
			break;
		}
	}
	for (size_t i = 0, j; i < n; i = j) {
		struct ft_at_most_size *size = &out->size[out->n];

		for (j = i; j < n && ft_size_equal(&run[j]->size, &run[i]->size); j++)
			value[j - i] = value_of(run[j], resource);
		size->size = run[i]->size;
		size->runs = j - i;
		size->value = typical_of(value, j - i, &variance[out->n]);
		memcpy(point[out->n].x, size->size.value, sizeof point->x);
		point[out->n++].value = size->value;
	}
	if (!out->n)
		return ft_fail(err, FT_ENOMODEL, "no run has a value of '%s'", resource->name);
	pool_errors(point, out, variance);
	ft__at_most_judge(point, out->n, program, resource->of, &parsed, out);
	return FT_OK;
}
