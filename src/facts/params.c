/* SPDX-License-Identifier: GPL-3.0-or-later */
/* params.c - a parameter and its range, as people type it. */
#include "facts/params.h"
#include "base/number.h"
#include "base/text.h"
#include "foretime/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Closer to 1, or to 0, doubles could not tell the values of a progression apart. */
#define FACTOR_LEAST 1e-9
#define VALUE_LEAST  1e-300

/* Words that are columns of a table of runs already. */
static bool is_taken(const char *name)
{
	static const char *const column[] = {"work", "outcome", "warmup", "cost_s", "started"};

	for (size_t i = 0; i < sizeof column / sizeof *column; i++)
		if (!strcmp(name, column[i]))
			return true;
	/* Snakemake has a column of that name, and people the size of their input in it. */
	return strcmp(name, "input_bytes") != 0 && ft_resource_find(name);
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

/* One number; *text moves to the separator behind it. */
static bool next_number(const char **text, double *value, const char *separator)
{
	size_t length = strcspn(*text, separator);
	char number[64];

	if (length >= sizeof number)
		return false;
	memcpy(number, *text, length);
	number[length] = '\0';
	*text += length;
	return ft__number_read(number, true, value);
}

/* What stands behind the second colon. */
static enum ft_status parse_step(const char *range, const char *step, struct ft_param *param,
				 struct ft_err *err)
{
	bool times = *step == '*';
	double *to = times ? &param->factor : &param->stride;

	if (times && (!step[1] || step[1] == ':')) {
		(void)ft_fail(err, FT_EPARSE, "the '*' in the range %s of parameter '%s' has no number",
			      range, param->name);
		return ft_remedy(err, "write the factor behind it, as in %s=16:4096:*2", param->name);
	}
	step += times;
	if (next_number(&step, to, ":") && !*step)
		return FT_OK;
	return ft_fail(err, FT_EPARSE, "'%s' is not a range for parameter '%s'", range, param->name);
}

/* VALUE, LEAST:MOST, LEAST:MOST:STRIDE or LEAST:MOST:*FACTOR. */
static enum ft_status parse_range(const char *range, struct ft_param *param, struct ft_err *err)
{
	const char *at = range;

	if (!next_number(&at, &param->least, ":"))
		return ft_fail(err, FT_EPARSE, "'%s' is not a range for parameter '%s'", range, param->name);
	param->most = param->least;
	if (!*at)
		return FT_OK;
	at++;
	if (!next_number(&at, &param->most, ":"))
		return ft_fail(err, FT_EPARSE, "'%s' is not a range for parameter '%s'", range, param->name);
	if (*at)
		return parse_step(range, at + 1, param, err);
	if (param->least != floor(param->least) || param->most != floor(param->most))
		ft_param_settle(param, (double[]){param->least, param->most}, 2);
	return FT_OK;
}

/* ---- a progression ------------------------------------------------------------------------------------ */

static enum ft_status fail_factor(const char *range, const struct ft_param *param, struct ft_err *err)
{
	if (!(param->factor > 1))
		(void)ft_fail(err, FT_EINVAL, "the factor in the range %s of parameter '%s' is not above 1",
			      range, param->name);
	else
		(void)ft_fail(err, FT_EINVAL,
			      "the factor in the range %s of parameter '%s' is too close to 1", range,
			      param->name);
	return ft_remedy(err, "write what each value is times the one before it, as in %s=16:4096:*2 or *1.5",
			 param->name);
}

/* The last value that is reached becomes the end. */
static enum ft_status check_factor(const char *range, struct ft_param *param, struct ft_err *err)
{
	struct ft_space space = ft_param_space(param);
	char least[FT_NUMBER_LENGTH], second[FT_NUMBER_LENGTH];

	if (!(param->factor - 1 >= FACTOR_LEAST))
		return fail_factor(range, param, err);
	if (!(param->least >= VALUE_LEAST)) {
		(void)ft_fail(err, FT_EINVAL,
			      "the range %s of parameter '%s' has a factor, and does not begin above 0",
			      range, param->name);
		return ft_remedy(err, "begin above 0, or write a stride in place of the factor");
	}
	double last = ft_space_value(&space, ft_space_floor(&space, param->most * (1 + 1e-12)));
	if (last == param->least && param->most > param->least) {
		(void)ft_fail(err, FT_EINVAL, "the range %s of parameter '%s' holds the value %s alone",
			      range, param->name, ft_number_format(param->least, least));
		return ft_remedy(err, "end it at %s or beyond, or write %s=%s for a fixed value",
				 ft_number_format(ft_space_next(&space, param->least), second), param->name,
				 least);
	}
	param->most = last;
	return FT_OK;
}

static enum ft_status check_range(const char *range, struct ft_param *param, bool times, struct ft_err *err)
{
	if (param->most < param->least)
		return ft_fail(err, FT_EINVAL, "the range %s of parameter '%s' is reversed", range,
			       param->name);
	if (times)
		return check_factor(range, param, err);
	if (param->stride <= 0)
		return ft_fail(err, FT_EINVAL, "the stride in the range %s of parameter '%s' is not positive",
			       range, param->name);
	if ((param->most - param->least) / param->stride >= 0x1p53)
		return ft_fail(err, FT_EINVAL, "the range %s of parameter '%s' has more than 2^53 values",
			       range, param->name);
	if (param->least < param->most &&
	    !(param->least + param->stride > param->least && param->most - param->stride < param->most))
		return ft_fail(err, FT_EINVAL,
			       "the stride in the range %s of parameter '%s' is lost in rounding", range,
			       param->name);
	return FT_OK;
}

/* ---- a list ------------------------------------------------------------------------------------------- */

static enum ft_status fail_item(const char *item, size_t nr, const struct ft_param *param, struct ft_err *err)
{
	int length = (int)strcspn(item, ",");

	if (length)
		(void)ft_fail(err, FT_EPARSE, "'%.*s' in the list of parameter '%s' is not a number", length,
			      item, param->name);
	else
		(void)ft_fail(err, FT_EPARSE, "item %zu in the list of parameter '%s' is empty", nr,
			      param->name);
	return ft_remedy(err, "write numbers with a comma between each two, as in %s=16,32,64", param->name);
}

bool ft__param_insert(struct ft_param *param, double value)
{
	size_t at = 0;

	while (at < param->n_list && param->list[at] < value)
		at++;
	if (at < param->n_list && param->list[at] == value)
		return true;
	if (param->n_list == FT_LIST_MAX)
		return false;
	memmove(param->list + at + 1, param->list + at, (param->n_list++ - at) * sizeof *param->list);
	param->list[at] = value;
	param->least = param->list[0];
	param->most = param->list[param->n_list - 1];
	return true;
}

static enum ft_status parse_list(const char *list, struct ft_param *param, struct ft_err *err)
{
	const char *at = list;
	double value;

	for (size_t nr = 1;; nr++) {
		const char *item = at;

		if (!next_number(&at, &value, ","))
			return fail_item(item, nr, param, err);
		if (!ft__param_insert(param, value)) {
			(void)ft_fail(err, FT_EINVAL, "the list of parameter '%s' has more than %d values",
				      param->name, FT_LIST_MAX);
			return ft_remedy(err, "write a range with a stride or a factor, as in %s=64:3000:8",
					 param->name);
		}
		if (!*at++)
			break;
	}
	if (param->n_list == 1) /* a fixed value */
		param->list[--param->n_list] = 0;
	return FT_OK;
}

/* ---- all ---------------------------------------------------------------------------------------------- */

static enum ft_status parse_values(const char *text, struct ft_param *param, struct ft_err *err)
{
	const bool groups = ft__commas_group(text);

	if (strchr(text, ',') && !groups)
		return parse_list(text, param, err);
	enum ft_status status = parse_range(text, param, err);
	if (status == FT_OK)
		return check_range(text, param, strchr(text, '*'), err);
	if (groups) {
		(void)ft_fail(err, status,
			      "the commas in %s=%s neither group digits in threes nor separate values",
			      param->name, text);
		return ft_remedy(
			err, "write %s=1,000,000 or %s=1_000_000 for one number, and %s=1000,2000 for a list",
			param->name, param->name, param->name);
	}
	return status;
}

enum ft_status ft_param_parse(const char *text, struct ft_param *param, struct ft_err *err)
{
	size_t length = ft__name_length(text);
	struct ft_err why = {0};

	*param = (struct ft_param){.stride = 1};
	enum ft_status status = parse_name(text, length, param, &why);
	if (status == FT_OK && text[length])
		status = parse_values(text + length + 1, param, &why);
	if (status == FT_OK)
		return FT_OK;
	const char *name = *param->name && !ft_resource_find(param->name) ? param->name : "n";
	if (!*why.remedy)
		(void)ft_remedy(
			&why,
			"write a value (%s=2048, %s=10k, %s=1_000_000), a range with or without a stride or "
			"a "
			"factor (%s=64:3000, %s=64:3000:8, %s=64:4096:*2), or a list (%s=64,512,4096)",
			name, name, name, name, name, name, name);
	*param = (struct ft_param){0};
	if (err)
		*err = why;
	return status;
}

size_t ft_param_format(const struct ft_param *param, char *buffer, size_t length)
{
	char least[FT_NUMBER_LENGTH], most[FT_NUMBER_LENGTH], step[FT_NUMBER_LENGTH];
	size_t used = 0;

	if (length)
		buffer[0] = '\0';
	for (size_t i = 0; i < param->n_list; i++) {
		size_t at = used < length ? used : length;

		used += (size_t)snprintf(buffer + at, length - at, "%s%s", i ? "," : "",
					 ft_number_format(param->list[i], least));
	}
	if (param->n_list || (param->least == 0 && param->most == 0))
		return used;
	(void)ft_number_format(param->least, least);
	(void)ft_number_format(param->most, most);
	(void)ft_number_format(param->factor > 0 ? param->factor : param->stride, step);
	if (param->least == param->most)
		return (size_t)snprintf(buffer, length, "%s", least);
	if (!(param->factor > 0) && param->stride == 1)
		return (size_t)snprintf(buffer, length, "%s:%s", least, most);
	return (size_t)snprintf(buffer, length, "%s:%s:%s%s", least, most, param->factor > 0 ? "*" : "",
				step);
}
