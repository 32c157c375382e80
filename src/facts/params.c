/* SPDX-License-Identifier: GPL-3.0-or-later */
/* params.c - parses and prints a parameter and its range. */
#include "base/alloc.h"
#include "base/number.h"
#include "base/random.h"
#include "base/text.h"
#include "facts/facts.h"
#include "foretime/base.h"
#include "foretime/facts.h"
#include "num/num.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/*
 * The admissible values of a parameter: by a stride, by a factor, or from a list.
 */

/* The rounding error of a step, as a share of it; and of a listed value. */
#define SLACK      1e-6
#define SLACK_LIST 1e-12

/* Without a stated spacing, values are distinguished by this many digits; also above the largest whole
 * number that is counted one by one (FT_SPACE_MAX is a few times as large). */
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

/* A progression. If its values are rounded and steps are under 1, it contains every integer: numbers up to
 * `joined` count integers, those behind it powers from `power` on. */
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

/* ---- all ---------------------------------------------------------------------------------------------- */

double ft_space_value(const struct ft_space *space, double index)
{
	if (space->sizes) {
		if (index < 0)
			return -INFINITY;
		return index < (double)space->n_sizes ? space->sizes[(size_t)index] : (double)INFINITY;
	}
	if (!(space->factor > 0))
		return stride_value(space, index);
	struct progression p = progression_of(space);
	return factor_value(&p, index);
}

double ft_space_floor(const struct ft_space *space, double x)
{
	enum { SLIPS = 4 };

	if (space->sizes)
		return (double)ft_count_upto(space->sizes, space->n_sizes, x) - 1;
	if (space->factor > 0)
		return factor_floor(space, x);
	double index = floor((x - space->least) / stride_of(space));
	if (index >= FT_SPACE_MAX)
		return FT_SPACE_MAX;
	if (index + 1 >= odd_of(space))
		index++;
	/* Rounding errs by one or two; by more only if steps are smaller than the resolution of doubles. */
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

/* ---- parameters ----------------------------------------------------------------------------------- */

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

/* Sizes that were imported, or reported by the program itself, are not always whole numbers. */
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

/*
 * Parses and prints a parameter and its range.
 */

/* Closer to 1, or to 0, doubles could not distinguish the values of a progression. */
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
	if (*at) {
		/* The text behind the second colon. */
		const char *step = at + 1;
		bool times = *step == '*';
		double *to = times ? &param->factor : &param->stride;

		if (times && (!step[1] || step[1] == ':')) {
			(void)ft_fail(err, FT_EPARSE,
				      "the '*' in the range %s of parameter '%s' has no number", range,
				      param->name);
			return ft_remedy(err, "write the factor behind it, as in %s=16:4096:*2", param->name);
		}
		step += times;
		if (next_number(&step, to, ":") && !*step)
			return FT_OK;
		return ft_fail(err, FT_EPARSE, "'%s' is not a range for parameter '%s'", range, param->name);
	}
	if (param->least != floor(param->least) || param->most != floor(param->most))
		ft_param_settle(param, (double[]){param->least, param->most}, 2);
	return FT_OK;
}

/* ---- a progression ------------------------------------------------------------------------------------ */

/* The last value that is reached becomes the end. */
static enum ft_status check_factor(const char *range, struct ft_param *param, struct ft_err *err)
{
	struct ft_space space = ft_param_space(param);
	char least[FT_NUMBER_LENGTH], second[FT_NUMBER_LENGTH];

	if (!(param->factor - 1 >= FACTOR_LEAST)) {
		if (!(param->factor > 1))
			(void)ft_fail(err, FT_EINVAL,
				      "the factor in the range %s of parameter '%s' is not above 1", range,
				      param->name);
		else
			(void)ft_fail(err, FT_EINVAL,
				      "the factor in the range %s of parameter '%s' is too close to 1", range,
				      param->name);
		return ft_remedy(
			err, "write what each value is times the one before it, as in %s=16:4096:*2 or *1.5",
			param->name);
	}
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

/* ---- a list ------------------------------------------------------------------------------------------- */

/* param_insert - add a value to the list of a parameter, once; its ends follow. False: no room. */
static bool param_insert(struct ft_param *param, double value)
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

		if (!next_number(&at, &value, ",")) {
			int length = (int)strcspn(item, ",");

			if (length)
				(void)ft_fail(err, FT_EPARSE,
					      "'%.*s' in the list of parameter '%s' is not a number", length,
					      item, param->name);
			else
				(void)ft_fail(err, FT_EPARSE,
					      "item %zu in the list of parameter '%s' is empty", nr,
					      param->name);
			return ft_remedy(err,
					 "write numbers with a comma between each two, as in %s=16,32,64",
					 param->name);
		}
		if (!param_insert(param, value)) {
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
	if (status == FT_OK) {
		if (param->most < param->least)
			return ft_fail(err, FT_EINVAL, "the range %s of parameter '%s' is reversed", text,
				       param->name);
		if ((strchr(text, '*')))
			return check_factor(text, param, err);
		if (param->stride <= 0)
			return ft_fail(err, FT_EINVAL,
				       "the stride in the range %s of parameter '%s' is not positive", text,
				       param->name);
		if ((param->most - param->least) / param->stride >= 0x1p53)
			return ft_fail(err, FT_EINVAL,
				       "the range %s of parameter '%s' has more than 2^53 values", text,
				       param->name);
		if (param->least < param->most && !(param->least + param->stride > param->least &&
						    param->most - param->stride < param->most))
			return ft_fail(err, FT_EINVAL,
				       "the stride in the range %s of parameter '%s' is lost in rounding",
				       text, param->name);
		return FT_OK;
	}
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
	/* Without a stride, ends that are not whole are read as continuous. */
	if (!(param->factor > 0) && param->stride == 1 && param->least == floor(param->least) &&
	    param->most == floor(param->most))
		return (size_t)snprintf(buffer, length, "%s:%s", least, most);
	return (size_t)snprintf(buffer, length, "%s:%s:%s%s", least, most, param->factor > 0 ? "*" : "",
				step);
}

/*
 * Widen the range of a parameter that was given again, or that a table contains.
 */

static bool is_open(const struct ft_param *param)
{
	return param->least == 0 && param->most == 0;
}

static bool is_single(const struct ft_param *param)
{
	return !param->n_list && param->least == param->most;
}

static void widen_param(struct ft_param *param, double least, double most)
{
	if (param->factor > 0) {
		/* A progression keeps its values: if an end is none of them, the next one inside it is the end. It begins
		 * lower only if its values are then the same. */
		struct ft_param lower = *param;

		lower.least = least;
		if (least > 0 && least < param->least && ft_param_admits(&lower, param->least) &&
		    ft_param_admits(&lower, param->most))
			param->least = least;
		struct ft_space space = ft_param_space(param);
		param->most =
			ft_space_value(&space, ft_space_floor(&space, fmax(most, param->most) * (1 + 1e-12)));
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
		fits = param_insert(&united, value[i]);
	if (fits)
		*param = united;
}

void ft_param_unite(struct ft_param *param, const struct ft_param *earlier)
{
	if (is_open(earlier))
		return;
	if (is_open(param)) {
		*param = *earlier;
	} else if (param->of_data && !earlier->of_data && !is_single(earlier)) {
		double least = param->least, most = param->most;

		*param = *earlier;
		if (!param->n_list)
			widen_param(param, least, most);
	} else if (is_single(param)) {
		/* A single value does not determine a spacing. */
		double value = param->least;

		*param = *earlier;
		if (is_single(earlier))
			param->factor = 0;
		if (param->n_list)
			unite_lists(param, &value, 1);
		else
			widen_param(param, value, value);
	} else if (!param->n_list) {
		widen_param(param, earlier->least, earlier->most);
	} else if (is_single(earlier)) {
		unite_lists(param, &earlier->least, 1);
	} else {
		unite_lists(param, earlier->list, earlier->n_list);
	}
}

/* ---- as text ---------------------------------------------------------------------------------------- */

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
static struct ft_param *open_param(struct ft_program *program, const struct ft_param *stated)
{
	int at = ft_program_find_param(program, stated->name);

	return at >= 0 && program->param[at].of_data ? &program->param[at] : NULL;
}

void ft_program_take_ranges(struct ft_program *program, const char *text)
{
	char word[FT_PARAM_LENGTH + FT_RANGE_LENGTH];
	struct ft_param stated, *param;

	for (; text && *text; text += strspn(text, " ")) {
		size_t length = strcspn(text, " ");

		(void)snprintf(word, sizeof word, "%.*s", (int)length, text);
		text += length;
		if (length >= sizeof word || ft_param_parse(word, &stated, NULL) ||
		    !(param = open_param(program, &stated)) || is_open(&stated) || is_single(&stated))
			continue;
		ft_param_unite(param, &stated);
		param->of_data = false;
	}
}

int ft_program_find_param(const struct ft_program *program, const char *name)
{
	for (size_t i = 0; i < program->n_params; i++)
		if (!strcmp(program->param[i].name, name))
			return (int)i;
	return -1;
}
