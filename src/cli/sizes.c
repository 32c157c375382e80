/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sizes.c - the sizes that are asked about: words of the command line, or a table. */
#include "cli/sizes.h"
#include "base/number.h"
#include "cli/common.h"
#include "cli/program.h"
#include "foretime/csv.h"

#include <stdlib.h>
#include <string.h>

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

int cli_values_add(struct ft_values *values, const char *word)
{
	const char *list = strchr(word, '=');
	struct ft_err err = {0};

	if (!list)
		return cli_size_refuse(word, "n");
	cli_list_note(word);
	char *name = cli_printed("%.*s", (int)(list - word), word);
	enum ft_status status = ft_values_add(values, name, list + 1, &err);
	free(name);
	return status ? cli_error(&err) : CLI_DONE;
}

int cli_values_count(const struct ft_values *values, const char *word)
{
	struct ft_err err = {0};

	return ft_values_count(values, FT_VALUES_MOST, word, &err) ? cli_error(&err) : CLI_DONE;
}

static int add_product(struct cli_sizes *sizes, const struct ft_answerer *answerer,
		       const struct ft_values *values)
{
	const char *name[FT_PARAMS_MAX];
	double value[FT_PARAMS_MAX];
	size_t step[FT_PARAMS_MAX] = {0};
	struct ft_err err = {0};
	struct ft_size size;

	do {
		ft_values_get(values, step, name, value);
		if (ft_ask_size(answerer, name, value, values->n, &size, &err) ||
		    ft_ask_admits(answerer, &size, &err))
			return cli_error(&err);
		add_size(sizes, &size);
	} while (ft_values_next(values, step));
	return CLI_DONE;
}

static int product_of_words(struct cli_sizes *sizes, const struct ft_answerer *answerer,
			    const struct cli_words *words, const char *parameter)
{
	FT_CLEANUP(ft_values_clear) struct ft_values values = {0};

	for (size_t i = 1; i < words->n; i++)
		CLI_TRY(strchr(words->word[i], '=') ? cli_values_add(&values, words->word[i])
						    : cli_size_refuse(words->word[i], parameter));
	CLI_TRY(cli_values_count(&values, words->word[words->n - 1]));
	return add_product(sizes, answerer, &values);
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
	if (ft_csv_rows(csv) > FT_VALUES_MOST)
		return cli_fail("'%s' has more than %d sizes\nhint: split it", path, FT_VALUES_MOST);
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
