/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unite.c - the range of a parameter that was given again, or that a table tells. */
#include "facts/params.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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

	lower.least = least;
	if (least > 0 && least < param->least && ft_param_admits(&lower, param->least) &&
	    ft_param_admits(&lower, param->most))
		param->least = least;
	struct ft_space space = ft_param_space(param);
	param->most = ft_space_value(&space, ft_space_floor(&space, fmax(most, param->most) * (1 + 1e-12)));
}

static void widen_param(struct ft_param *param, double least, double most)
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

	for (size_t i = 0; i < n && fits; i++)
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
		widen_param(param, value, value);
}

static void add_data(struct ft_param *param, const struct ft_param *earlier)
{
	double least = param->least, most = param->most;

	*param = *earlier;
	if (!param->n_list)
		widen_param(param, least, most);
}

void ft_param_unite(struct ft_param *param, const struct ft_param *earlier)
{
	if (is_open(earlier))
		return;
	if (is_open(param))
		*param = *earlier;
	else if (param->of_data && !earlier->of_data && !is_single(earlier))
		add_data(param, earlier);
	else if (is_single(param))
		add_single(param, earlier);
	else if (!param->n_list)
		widen_param(param, earlier->least, earlier->most);
	else if (is_single(earlier))
		unite_lists(param, &earlier->least, 1);
	else
		unite_lists(param, earlier->list, earlier->n_list);
}

/* ---- as a text ---------------------------------------------------------------------------------------- */

char *ft_program_ranges(const struct ft_program *program)
{
	char range[FT_RANGE_LENGTH];
	struct ft_text text = {0};

	for (size_t i = 0; i < program->n_params; i++) {
		const struct ft_param *param = &program->param[i];

		if (!param->n_list && !(param->factor > 0))
			continue;
		(void)ft_param_format(param, range, sizeof range);
		ft_text_add(&text, "%s%s=%s", text.length ? " " : "", param->name, range);
	}
	ft_text_add(&text, "%s", "");
	return ft_text_take(&text);
}

/* The parameter that a word is about, where its range is that of data. */
static struct ft_param *open_param(struct ft_program *program, const struct ft_param *said)
{
	int at = ft_program_find_param(program, said->name);

	return at >= 0 && program->param[at].of_data ? &program->param[at] : NULL;
}

void ft_program_take_ranges(struct ft_program *program, const char *text)
{
	char word[FT_PARAM_LENGTH + FT_RANGE_LENGTH];
	struct ft_param said, *param;

	for (; text && *text; text += strspn(text, " ")) {
		size_t length = strcspn(text, " ");

		(void)snprintf(word, sizeof word, "%.*s", (int)length, text);
		text += length;
		if (length >= sizeof word || ft_param_parse(word, &said, NULL) ||
		    !(param = open_param(program, &said)) || is_open(&said) || is_single(&said))
			continue;
		ft_param_unite(param, &said);
		param->of_data = false;
	}
}
