/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unite.c - the range of a parameter that was given again. */
#include "facts/params.h"

#include <math.h>

static bool is_open(const struct ft_param *param)
{
	return param->least == 0 && param->most == 0;
}

static bool is_single(const struct ft_param *param)
{
	return !param->n_list && param->least == param->most;
}

/* A progression keeps its values: where an end is none of them, the next one inside it is the end. It begins
 * lower only where its values are then the same. */
static void widen_progression(struct ft_param *param, double least, double most)
{
	struct ft_param lower = *param;
	struct ft_space space;

	lower.least = least;
	if (least > 0 && least < param->least && ft_param_admits(&lower, param->least) &&
	    ft_param_admits(&lower, param->most))
		param->least = least;
	space = ft_param_space(param);
	param->most = ft_space_value(&space, ft_space_floor(&space, fmax(most, param->most) * (1 + 1e-12)));
}

static void widen(struct ft_param *param, double least, double most)
{
	if (param->factor > 0) {
		widen_progression(param, least, most);
	} else {
		param->least = fmin(param->least, least);
		param->most = fmax(param->most, most);
	}
}

/* Both lists, where there is room for them; else the list stays as it is. */
static void unite_lists(struct ft_param *param, const double *value, size_t n)
{
	struct ft_param united = *param;
	bool fits = true;
	size_t i;

	for (i = 0; i < n && fits; i++)
		fits = ft__param_insert(&united, value[i]);
	if (fits)
		*param = united;
}

/* One value says nothing of how others lie. */
static void add_single(struct ft_param *param, const struct ft_param *earlier)
{
	double value = param->least;

	*param = *earlier;
	if (is_single(earlier))
		param->factor = 0;
	if (param->n_list)
		unite_lists(param, &value, 1);
	else
		widen(param, value, value);
}

void ft_param_unite(struct ft_param *param, const struct ft_param *earlier)
{
	if (is_open(earlier))
		return;
	if (is_open(param))
		*param = *earlier;
	else if (is_single(param))
		add_single(param, earlier);
	else if (!param->n_list)
		widen(param, earlier->least, earlier->most);
	else if (is_single(earlier))
		unite_lists(param, &earlier->least, 1);
	else
		unite_lists(param, earlier->list, earlier->n_list);
}
