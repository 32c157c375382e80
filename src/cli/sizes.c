/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sizes.c - the sizes that are asked about: words of the command line, or a table. */
#include "cli/sizes.h"
#include "base/number.h"
#include "cli/common.h"
#include "cli/program.h"
#include "foretime/csv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIZES_MOST = 1000000 };

int cli_size_refuse(const char *word, const char *parameter)
{
	double value;

	if (ft__number_read(word, true, &value))
		return cli_fail("'%s' is not a size: of which parameter?\nhint: write %s=%s", word, parameter,
				word);
	return cli_fail("'%s' is not a size\n"
			"hint: write %s=2048, %s=64,512,4096, or %s=64:3000:64 for a range",
			word, parameter, parameter, parameter);
}

static void add_size(struct cli_sizes *sizes, const struct ft_size *size)
{
	sizes->size = cli_grow(sizes->size, sizes->n, sizeof *size);
	sizes->size[sizes->n++] = *size;
}

void cli_values_clear(struct cli_values *values)
{
	for (size_t i = 0; i < values->n; i++)
		free(values->axis[i].value);
	*values = (struct cli_values){0};
}

/* How many values a range has; a range whose end is no step ends before it, as seq does. */
static double count_values(const struct ft_param *param)
{
	struct ft_space space = ft_param_space(param);

	if (param->factor > 0)
		return ft_space_count(&space);
	return floor((param->most - param->least) / param->stride * (1 + 1e-12)) + 1;
}

static int too_many_sizes(const char *word)
{
	return cli_fail("'%s' makes more than %d sizes\n"
			"hint: give the range a larger stride: n=LEAST:MOST:STRIDE",
			word, SIZES_MOST);
}

static int add_values(struct cli_values *values, const struct ft_param *param, const char *word)
{
	struct ft_space space = ft_param_space(param);
	double count = count_values(param);
	struct cli_axis *axis = values->axis;

	while (axis < values->axis + values->n && strcmp(axis->name, param->name) != 0)
		axis++;
	if (axis == values->axis + FT_PARAMS_MAX)
		return cli_fail("more than %d parameters", FT_PARAMS_MAX);
	if (axis == values->axis + values->n) {
		memcpy(axis->name, param->name, sizeof param->name);
		values->n++;
	}
	if (count + (double)axis->n > SIZES_MOST)
		return too_many_sizes(word);
	for (size_t i = 0; i < (size_t)count; i++) {
		axis->value = cli_grow(axis->value, axis->n, sizeof *axis->value);
		axis->value[axis->n++] = param->factor > 0 ? ft_space_value(&space, (double)i)
							   : param->least + (double)i * param->stride;
	}
	return CLI_DONE;
}

int cli_values_add(struct cli_values *values, const char *word)
{
	const char *list = strchr(word, '=');
	int status = CLI_DONE;

	if (!list)
		return cli_size_refuse(word, "n");
	int name = (int)(list - word);
	const char *apart = ft__commas_group(list) ? "" : ",";
	cli_list_note(word);
	do {
		size_t length = strcspn(++list, apart);
		char *part = cli_printed("%.*s=%.*s", name, word, (int)length, list);
		struct ft_err err = {0};
		struct ft_param param;

		status = ft_param_parse(part, &param, &err) ? cli_error(&err)
							    : add_values(values, &param, part);
		free(part);
		list += length;
	} while (status == CLI_DONE && *list);
	return status;
}

int cli_values_count(const struct cli_values *values, const char *word)
{
	double product = 1;

	for (size_t i = 0; i < values->n; i++)
		product *= (double)values->axis[i].n;
	return product > SIZES_MOST ? too_many_sizes(word) : CLI_DONE;
}

bool cli_values_next(const struct cli_values *values, size_t step[])
{
	for (size_t i = values->n; i > 0; i--) {
		if (++step[i - 1] < values->axis[i - 1].n)
			return true;
		step[i - 1] = 0;
	}
	return false;
}

void cli_values_get(const struct cli_values *values, const size_t step[], const char **name, double *value)
{
	for (size_t i = 0; i < values->n; i++) {
		name[i] = values->axis[i].name;
		/* Each has a value. NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
		value[i] = values->axis[i].value[step[i]];
	}
}

static int add_product(struct cli_sizes *sizes, const struct ft_answerer *answerer,
		       const struct cli_values *values)
{
	const char *name[FT_PARAMS_MAX];
	double value[FT_PARAMS_MAX];
	size_t step[FT_PARAMS_MAX] = {0};
	struct ft_err err = {0};
	struct ft_size size;

	do {
		cli_values_get(values, step, name, value);
		if (ft_ask_size(answerer, name, value, values->n, &size, &err) ||
		    ft_ask_admits(answerer, &size, &err))
			return cli_error(&err);
		add_size(sizes, &size);
	} while (cli_values_next(values, step));
	return CLI_DONE;
}

static int product_of_words(struct cli_sizes *sizes, const struct ft_answerer *answerer,
			    const struct cli_words *words, const char *parameter)
{
	struct cli_values values = {0};
	int status = CLI_DONE;

	for (size_t i = 1; i < words->n && status == CLI_DONE; i++)
		status = strchr(words->word[i], '=') ? cli_values_add(&values, words->word[i])
						     : cli_size_refuse(words->word[i], parameter);
	if (status == CLI_DONE)
		status = cli_values_count(&values, words->word[words->n - 1]);
	if (status == CLI_DONE)
		status = add_product(sizes, answerer, &values);
	cli_values_clear(&values);
	return status;
}

/* The rows of a table whose columns are parameters; other columns are passed over. */
static int sizes_of_table(struct cli_sizes *sizes, const struct ft_answerer *answerer,
			  const struct ft_csv *csv, const char *path)
{
	const struct ft_program *program = ft_ask_program(answerer);
	const char *name[FT_PARAMS_MAX];
	double value[FT_PARAMS_MAX];
	size_t column[FT_PARAMS_MAX], row, i, n = 0;
	struct ft_err err = {0};
	struct ft_size size;

	for (i = 0; i < program->n_params; i++) {
		int at = ft_csv_column(csv, program->param[i].name);

		if (at >= 0) {
			name[n] = program->param[i].name;
			column[n++] = (size_t)at;
		}
	}
	if (ft_csv_rows(csv) > SIZES_MOST)
		return cli_fail("'%s' has more than %d sizes\nhint: split it", path, SIZES_MOST);
	for (row = 0; row < ft_csv_rows(csv); row++) {
		for (i = 0; i < n; i++)
			if (ft_csv_number(csv, row, column[i], false, &value[i], &err))
				return cli_error(&err);
		if (ft_ask_size(answerer, name, value, n, &size, &err) ||
		    ft_ask_admits(answerer, &size, &err))
			return cli_error_at(&err, "%s:%zu", path, ft_csv_line(csv, row));
		add_size(sizes, &size);
	}
	return CLI_DONE;
}

int cli_sizes_find(struct cli_sizes *sizes, const struct ft_answerer *answerer, const struct cli_words *words,
		   const char *path)
{
	const struct ft_program *program = ft_ask_program(answerer);
	const char *parameter = program->n_params ? program->param[ft_program_varying(program)].name : "n";
	struct ft_csv *csv = NULL;
	struct ft_err err = {0};

	if (!path && words->n > 1)
		return product_of_words(sizes, answerer, words, parameter);
	if (!path)
		return cli_fail(
			"at which size?\n"
			"hint: name it behind '%s': %s=2048, %s=64:3000:64 for a range, or --sizes FILE.csv",
			program->name, parameter, parameter);
	if (words->n > 1)
		return cli_fail("sizes are given twice: by '%s' and by --sizes", words->word[1]);
	if (ft_csv_read(path, 0, &csv, &err))
		return cli_error(&err);
	int status = sizes_of_table(sizes, answerer, csv, path);
	ft_csv_free(csv);
	return status;
}

void cli_sizes_clear(struct cli_sizes *sizes)
{
	if (!sizes)
		return;
	free(sizes->size);
	*sizes = (struct cli_sizes){0};
}
