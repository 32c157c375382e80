/* SPDX-License-Identifier: GPL-3.0-or-later */
/* space.c - the admissible values of a parameter: by a stride, by a factor, or from a list. */
#include "base/alloc.h"
#include "foretime/facts.h"
#include "num/order.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* What rounding leaves of a step, as a share of it; and of a listed value. */
#define SLACK      1e-6
#define SLACK_LIST 1e-12

/* Where nobody said how values lie, they are told apart by so many digits; beyond the largest whole number
 * that is counted one by one (FT_SPACE_MAX is a few times as large), too. */
#define DIGITS     12
#define WHOLE_MOST 0x1p50

/* ---- a stride ----------------------------------------------------------------------------------------- */

static double stride_of(const struct ft_space *space)
{
	return space->stride > 0 ? space->stride : 1;
}

/* The number of `most` where the stride misses it; else infinite. */
static double odd_of(const struct ft_space *space)
{
	double steps = (space->most - space->least) / stride_of(space);

	return fabs(steps - round(steps)) > SLACK ? floor(steps) + 1 : INFINITY;
}

static double stride_value(const struct ft_space *space, double index)
{
	double odd = odd_of(space), stride = stride_of(space), parts = round(1 / stride), x;

	if (index == 0) /* as it was typed: rounded below it may be another number */
		return space->least;
	if (index == odd)
		return space->most;
	x = space->least + (index > odd ? index - 1 : index) * stride;
	/* Of tenths and the like the one that a person writes: 0.3, where 0.1 + 2 * 0.1 is a little more. */
	if (stride < 1 && fabs(parts * stride - 1) < SLACK_LIST &&
	    fabs(round(x * parts) / parts - x) <= SLACK_LIST * fabs(x))
		x = round(x * parts) / parts;
	return x;
}

/* ---- a factor ----------------------------------------------------------------------------------------- */

/* A progression. Where its values are rounded and steps are under 1, every integer is one of them: numbers up
 * to `joined` count integers, those behind it powers from `power` on. */
struct progression {
	double least, factor;
	bool rounded;
	double power, joined;
};

static double value_at_power(const struct progression *p, double power)
{
	double whole = pow(p->factor, power), half;

	if (isfinite(whole))
		return p->least * whole;
	half = pow(p->factor, power / 2); /* the whole may be too large, and its product with the least not */
	return p->least * half * half;
}

/* Steps are under 1 until least factor^k (factor - 1) >= 1; a little above it, so that no integer comes
 * twice. */
static struct progression progression_of(const struct ft_space *space)
{
	struct progression p = {space->least, space->factor, space->least == floor(space->least), 0, 0};
	double step = space->least * (space->factor - 1);

	if (!p.rounded)
		return p;
	if (step < 1 + 1e-9)
		p.power = ceil(log((1 + 1e-9) / step) / log(p.factor));
	p.joined = round(value_at_power(&p, p.power)) - p.least;
	return p;
}

static double factor_value(const struct progression *p, double index)
{
	if (!p->rounded)
		return value_at_power(p, index);
	if (index <= p->joined)
		return p->least + index;
	return round(value_at_power(p, p->power + index - p->joined));
}

/* Counting ends where doubles do. */
static double factor_floor(const struct ft_space *space, double x)
{
	struct progression p = progression_of(space);

	x = fmin(x, DBL_MAX);
	if (x < p.least)
		return -1;
	/* Not of the quotient, which may be too large for a number. */
	double index = floor((log(x) - log(p.least)) / log(p.factor)) - p.power + p.joined;
	if (p.rounded && x - p.least <= p.joined)
		index = floor(x - p.least);
	while (factor_value(&p, index) > x)
		index--;
	while (factor_value(&p, index + 1) <= x)
		index++;
	return index;
}

/* ---- a list ------------------------------------------------------------------------------------------- */

static double list_floor(const struct ft_space *space, double x)
{
	return (double)ft_count_upto(space->sizes, space->n_sizes, x) - 1;
}

static double list_value(const struct ft_space *space, double index)
{
	if (index < 0)
		return -INFINITY;
	return index < (double)space->n_sizes ? space->sizes[(size_t)index] : (double)INFINITY;
}

/* ---- all ---------------------------------------------------------------------------------------------- */

double ft_space_value(const struct ft_space *space, double index)
{
	if (space->sizes)
		return list_value(space, index);
	if (!(space->factor > 0))
		return stride_value(space, index);
	struct progression p = progression_of(space);
	return factor_value(&p, index);
}

double ft_space_floor(const struct ft_space *space, double x)
{
	enum { SLIPS = 4 };

	if (space->sizes)
		return list_floor(space, x);
	if (space->factor > 0)
		return factor_floor(space, x);
	double index = floor((x - space->least) / stride_of(space));
	if (index >= FT_SPACE_MAX)
		return FT_SPACE_MAX;
	if (index + 1 >= odd_of(space))
		index++;
	/* Rounding is off by one or two; by more only where steps are smaller than numbers can tell. */
	for (int slips = 0; slips < SLIPS && index >= 0 && stride_value(space, index) > x; slips++)
		index--;
	for (int slips = 0; slips < SLIPS && stride_value(space, index + 1) <= x; slips++)
		index++;
	return index;
}

double ft_space_count(const struct ft_space *space)
{
	double steps = (space->most - space->least) / stride_of(space);

	if (space->sizes)
		return (double)space->n_sizes;
	if (space->factor > 0)
		return ft_space_floor(space, space->most) + 1;
	return isinf(odd_of(space)) ? round(steps) + 1 : floor(steps) + 2;
}

double ft_space_next(const struct ft_space *space, double x)
{
	return ft_space_value(space, fmax(ft_space_floor(space, x), -1) + 1);
}

double ft_space_nearest(const struct ft_space *space, double x)
{
	double last = ft_space_count(space) - 1, at = fmin(ft_space_floor(space, x), last), low, high;

	if (at < 0)
		return ft_space_value(space, 0);
	low = ft_space_value(space, at);
	if (at == last)
		return low;
	high = ft_space_value(space, at + 1);
	return high - x < x - low ? high : low;
}

bool ft_space_admits(const struct ft_space *space, double x)
{
	bool steps = !space->sizes && !(space->factor > 0);

	return fabs(ft_space_nearest(space, x) - x) <=
	       (steps ? SLACK * stride_of(space) : SLACK_LIST * fabs(x));
}

/* ---- of a parameter ----------------------------------------------------------------------------------- */

struct ft_space ft_param_space(const struct ft_param *param)
{
	return (struct ft_space){.least = param->least,
				 .most = param->most,
				 .stride = param->stride > 0 ? param->stride : 1,
				 .sizes = param->n_list ? param->list : NULL,
				 .n_sizes = param->n_list,
				 .factor = param->factor};
}

void ft_param_settle(struct ft_param *param, const double *value, size_t n)
{
	double most = 0, step = 1;

	if (param->n_list || param->factor > 0 || param->stride != 1)
		return;
	for (size_t i = 0; i < n; i++)
		most = isfinite(value[i]) ? fmax(most, fabs(value[i])) : most;
	if (most > WHOLE_MOST)
		step = pow(10, ceil(log10(most)) - DIGITS);
	for (size_t i = 0; i < n && step <= 1; i++)
		while (step > most * pow(10, -DIGITS) &&
		       fabs(value[i] - round(value[i] / step) * step) > SLACK_LIST * fabs(value[i]))
			step = 1 / round(10 / step);
	param->stride = step;
}

/* Sizes that were imported, or told by the program itself, are not always whole numbers. */
enum ft_status ft_program_settle(struct ft_program *program, const struct ft_runs *runs, struct ft_err *err)
{
	double *value = ft_calloc(runs->n + 1, sizeof *value);
	size_t i;

	if (!value)
		return ft_nomem(err);
	for (size_t p = 0; p < program->n_params; p++) {
		for (i = 0; i < runs->n; i++)
			value[i] = runs->run[i].size.value[p];
		value[i] = program->param[p].least;
		ft_param_settle(&program->param[p], value, i + 1);
	}
	ft_free(value);
	return FT_OK;
}

bool ft_param_admits(const struct ft_param *param, double value)
{
	struct ft_space space = ft_param_space(param);

	return ft_space_admits(&space, value);
}

bool ft_param_covers(const struct ft_param *param, double value)
{
	if (param->least == 0 && param->most == 0)
		return true;
	if (!(value >= param->least && value <= param->most))
		return false;
	return (!param->n_list && !(param->factor > 0)) || ft_param_admits(param, value);
}
