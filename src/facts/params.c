/* SPDX-License-Identifier: GPL-3.0-or-later */
/* params.c - a parameter and its range, as people type it. */
#include "foretime/facts.h"
#include "base/text.h"
#include "foretime/units.h"

#include <string.h>

/* Words that are columns of a table of runs already. */
static bool is_taken(const char *name)
{
	static const char *const column[] = {"work", "outcome", "warmup", "cost_s", "started"};
	size_t i;

	for (i = 0; i < sizeof column / sizeof *column; i++)
		if (!strcmp(name, column[i]))
			return true;
	return ft_resource_find(name) != NULL;
}

static enum ft_status parse_name(const char *text, size_t length, struct ft_param *param, struct ft_err *err)
{
	if (!length || (text[length] && text[length] != '='))
		return ft_fail(err, FT_EPARSE, "'%s' is not a parameter and its range", text);
	if (length >= sizeof param->name)
		return ft_fail(err, FT_EINVAL, "the name of parameter '%.*s' is longer than %d bytes",
			       (int)length, text, FT_PARAM_LENGTH - 1);
	memcpy(param->name, text, length);
	if (is_taken(param->name))
		return ft_fail(err, FT_EINVAL,
			       "no parameter can be named '%s': that is a column of every run", param->name);
	return FT_OK;
}

/* One number of a range; *text moves behind it and the colon that follows it. */
static bool next_number(const char **text, double *value)
{
	size_t length = strcspn(*text, ":");
	char number[64];

	if (length >= sizeof number)
		return false;
	memcpy(number, *text, length);
	number[length] = '\0';
	*text += length;
	return ft_number_parse(number, value, NULL) == FT_OK;
}

/* What stands behind "NAME=": VALUE, LEAST:MOST or LEAST:MOST:STRIDE. */
static enum ft_status parse_range(const char *range, struct ft_param *param, struct ft_err *err)
{
	double *const to[] = {&param->least, &param->most, &param->stride};
	const char *at = range;
	size_t i;

	for (i = 0; i < 3; i++) {
		if (!next_number(&at, to[i]))
			return ft_fail(err, FT_EPARSE, "'%s' is not a range for parameter '%s'", range,
				       param->name);
		if (!*at)
			break;
		at++;
	}
	if (i == 3)
		return ft_fail(err, FT_EPARSE, "'%s' is not a range for parameter '%s'", range, param->name);
	if (i == 0)
		param->most = param->least;
	return FT_OK;
}

static enum ft_status check_range(const char *range, const struct ft_param *param, struct ft_err *err)
{
	if (param->most < param->least)
		return ft_fail(err, FT_EINVAL, "the range %s of parameter '%s' is reversed", range,
			       param->name);
	if (param->stride <= 0)
		return ft_fail(err, FT_EINVAL, "the stride in the range %s of parameter '%s' is not positive",
			       range, param->name);
	if ((param->most - param->least) / param->stride >= 0x1p53)
		return ft_fail(err, FT_EINVAL, "the range %s of parameter '%s' has more than 2^53 values",
			       range, param->name);
	return FT_OK;
}

enum ft_status ft_param_parse(const char *text, struct ft_param *param, struct ft_err *err)
{
	size_t length = ft__name_length(text);
	enum ft_status status;

	*param = (struct ft_param){.stride = 1};
	status = parse_name(text, length, param, err);
	if (status == FT_OK && text[length])
		status = parse_range(text + length + 1, param, err);
	if (status == FT_OK && text[length])
		status = check_range(text + length + 1, param, err);
	if (status == FT_OK)
		return FT_OK;
	*param = (struct ft_param){0};
	(void)ft_remedy(err,
			"write NAME=VALUE, NAME=LEAST:MOST or NAME=LEAST:MOST:STRIDE, as in n=64:3000:8");
	return status;
}
