/* SPDX-License-Identifier: GPL-3.0-or-later */
/* values.c - the values that are asked of each parameter. */
#include "tell/values.h"
#include "base/alloc.h"
#include "base/number.h"
#include "foretime/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static enum ft_status fail_many(const char *what, size_t most, struct ft_err *err)
{
	(void)ft_fail(err, FT_EINVAL, "'%.100s' makes more than %zu sizes", what, most);
	return ft_remedy(err, "give the range a larger stride: n=LEAST:MOST:STRIDE");
}

/* One part of a list: a value, or a range; a range whose end is no step ends before it, as seq does. */
static enum ft_status add_part(struct ft_values *values, const char *part, struct ft_err *err)
{
	struct ft_values_axis *axis = values->axis;
	struct ft_param param;

	FT_TRY(ft_param_parse(part, &param, err));
	struct ft_space space = ft_param_space(&param);
	double count = param.factor > 0 ? ft_space_count(&space)
					: floor((param.most - param.least) / param.stride * (1 + 1e-12)) + 1;
	while (axis < values->axis + values->n && strcmp(axis->name, param.name) != 0)
		axis++;
	if (axis == values->axis + FT_PARAMS_MAX)
		return ft_fail(err, FT_EINVAL, "more than %d parameters", (int)FT_PARAMS_MAX);
	if (axis == values->axis + values->n) {
		memcpy(axis->name, param.name, sizeof param.name);
		values->n++;
	}
	if (count + (double)axis->n > FT_VALUES_MOST)
		return fail_many(part, FT_VALUES_MOST, err);
	for (size_t i = 0; i < (size_t)count; i++) {
		double *grown = ft_grow(axis->value, axis->n, &axis->room, sizeof *grown);

		if (!grown)
			return ft_nomem(err);
		axis->value = grown;
		axis->value[axis->n++] = param.factor > 0 ? ft_space_value(&space, (double)i)
							  : param.least + (double)i * param.stride;
	}
	return FT_OK;
}

enum ft_status ft_values_add(struct ft_values *values, const char *name, const char *list, struct ft_err *err)
{
	char part[FT_PARAM_LENGTH + 4 * FT_NUMBER_LENGTH];

	const char *apart = ft__commas_group(list) ? "" : ","; /* 1,000,000 is one number */
	for (const char *at = list;; at++) {
		size_t length = strcspn(at, apart);
		int n = snprintf(part, sizeof part, "%s=%.*s", name, (int)length, at);

		if (n < 0 || (size_t)n >= sizeof part)
			return ft_fail(err, FT_EINVAL, "'%.60s' is too long for a value of '%.30s'", at,
				       name);
		FT_TRY(add_part(values, part, err));
		at += length;
		if (!*at)
			break;
	}
	return FT_OK;
}

enum ft_status ft_values_count(const struct ft_values *values, size_t most, const char *last,
			       struct ft_err *err)
{
	double product = 1;

	for (size_t i = 0; i < values->n; i++)
		product *= (double)values->axis[i].n;
	return product > (double)most ? fail_many(last, most, err) : FT_OK;
}

bool ft_values_next(const struct ft_values *values, size_t step[])
{
	for (size_t i = values->n; i > 0; i--) {
		if (++step[i - 1] < values->axis[i - 1].n)
			return true;
		step[i - 1] = 0;
	}
	return false;
}

void ft_values_get(const struct ft_values *values, const size_t step[], const char **name, double *value)
{
	for (size_t i = 0; i < values->n; i++) {
		name[i] = values->axis[i].name;
		/* Each has a value. NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
		value[i] = values->axis[i].value[step[i]];
	}
}

void ft_values_clear(struct ft_values *values)
{
	for (size_t i = 0; i < values->n; i++)
		ft_free(values->axis[i].value);
	*values = (struct ft_values){0};
}
