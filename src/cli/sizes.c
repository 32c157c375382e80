/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sizes.c - the sizes that are asked about: words of the command line, or a table. */
#include "cli/sizes.h"
#include "cli/common.h"
#include "foretime/csv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIZES_MOST = 1000000 };

static void add_size(struct cli_sizes *sizes, const struct ft_size *size)
{
	sizes->size = cli_grow(sizes->size, sizes->n, &sizes->capacity, sizeof *size);
	sizes->size[sizes->n++] = *size;
}

/* The values asked of each parameter: "n=512 n=1000:2000:100" are twelve of n. */
struct wanted {
	char name[FT_PARAMS_MAX][FT_PARAM_LENGTH];
	double *value[FT_PARAMS_MAX];
	size_t n_values[FT_PARAMS_MAX], capacity[FT_PARAMS_MAX];
	size_t n;
};

static void wanted_clear(struct wanted *wanted)
{
	size_t i;

	for (i = 0; i < wanted->n; i++)
		free(wanted->value[i]);
}

/* How many values a range has; a range whose end is no step ends before it, as seq does. */
static double count_values(const struct ft_param *param)
{
	return floor((param->most - param->least) / param->stride * (1 + 1e-12)) + 1;
}

static int too_many_sizes(const char *word)
{
	(void)cli_fail("'%s' makes more than %d sizes", word, SIZES_MOST);
	cli_hint("give the range a larger step: n=LEAST:MOST:STEP");
	return CLI_WRONG;
}

static int want_values(struct wanted *wanted, const struct ft_param *param, const char *word)
{
	double count = count_values(param);
	size_t at = 0, i;

	while (at < wanted->n && strcmp(wanted->name[at], param->name) != 0)
		at++;
	if (at == FT_PARAMS_MAX)
		return cli_fail("more than %d parameters", FT_PARAMS_MAX);
	if (at == wanted->n)
		memcpy(wanted->name[wanted->n++], param->name, sizeof param->name);
	if (count + (double)wanted->n_values[at] > SIZES_MOST)
		return too_many_sizes(word);
	for (i = 0; i < (size_t)count; i++) {
		wanted->value[at] = cli_grow(wanted->value[at], wanted->n_values[at], &wanted->capacity[at],
					     sizeof *wanted->value[at]);
		wanted->value[at][wanted->n_values[at]++] = param->least + (double)i * param->stride;
	}
	return CLI_DONE;
}

static int read_wanted(struct wanted *wanted, const struct cli_words *words)
{
	double product = 1;
	size_t i;
	int status = CLI_DONE;

	for (i = 1; i < words->n && status == CLI_DONE; i++) {
		struct ft_param param;
		struct ft_err err = {0};

		if (!strchr(words->word[i], '=')) {
			(void)cli_fail("'%s' is no size", words->word[i]);
			cli_hint("write n=2048, n=64:3000:64 for a range, or --sizes FILE.csv");
			return CLI_WRONG;
		}
		if (ft_param_parse(words->word[i], &param, &err))
			return cli_error(&err);
		status = want_values(wanted, &param, words->word[i]);
	}
	for (i = 0; i < wanted->n; i++)
		product *= (double)wanted->n_values[i];
	return status == CLI_DONE && product > SIZES_MOST ? too_many_sizes(words->word[words->n - 1])
							  : status;
}

/* Every combination of the values; the last parameter varies fastest. */
static int add_product(struct cli_sizes *sizes, const struct ft_answerer *answerer,
		       const struct wanted *wanted)
{
	const char *name[FT_PARAMS_MAX];
	double value[FT_PARAMS_MAX];
	size_t step[FT_PARAMS_MAX] = {0}, i;
	struct ft_err err = {0};
	struct ft_size size;

	do {
		for (i = 0; i < wanted->n; i++) {
			name[i] = wanted->name[i];
			/* Each has a value. NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
			value[i] = wanted->value[i][step[i]];
		}
		if (ft_ask_size(answerer, name, value, wanted->n, &size, &err))
			return cli_error(&err);
		add_size(sizes, &size);
		for (i = wanted->n; i > 0; i--) {
			if (++step[i - 1] < wanted->n_values[i - 1])
				break;
			step[i - 1] = 0;
		}
	} while (i > 0);
	return CLI_DONE;
}

static int product_of_words(struct cli_sizes *sizes, const struct ft_answerer *answerer,
			    const struct cli_words *words)
{
	struct wanted wanted = {0};
	int status = read_wanted(&wanted, words);

	if (status == CLI_DONE)
		status = add_product(sizes, answerer, &wanted);
	wanted_clear(&wanted);
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
	for (row = 0; row < ft_csv_rows(csv); row++) {
		for (i = 0; i < n; i++)
			if (ft_csv_number(csv, row, column[i], false, &value[i], &err))
				return cli_error(&err);
		if (ft_ask_size(answerer, name, value, n, &size, &err))
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
	int status;

	if (!path && words->n > 1)
		return product_of_words(sizes, answerer, words);
	if (!path) {
		(void)cli_fail("at which size?");
		cli_hint("write foretime predict %s %s=2048, %s=64:3000:64 for a range, or --sizes FILE.csv",
			 program->name, parameter, parameter);
		return CLI_WRONG;
	}
	if (words->n > 1)
		return cli_fail("sizes are given twice: by '%s' and by --sizes", words->word[1]);
	if (ft_csv_read(path, 0, &csv, &err))
		return cli_error(&err);
	status = sizes_of_table(sizes, answerer, csv, path);
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
