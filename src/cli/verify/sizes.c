/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sizes.c - at which sizes a contract is checked. */
#include "cli/common.h"
#include "cli/program.h"
#include "cli/verify/verify.h"
#include "cli/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare_sizes(const void *a, const void *b)
{
	return ft_size_compare(a, b);
}

static void add_size(struct cli_sizes *sizes, const struct ft_size *size)
{
	sizes->size = cli_grow(sizes->size, sizes->n, sizeof *size);
	sizes->size[sizes->n++] = *size;
}

/* The parameter along which sizes are swept: of those in which runs differ the first without a value. */
static size_t choose_swept(const struct cli_verify *v, const struct cli_words *words)
{
	const struct ft_program *program = ft_ask_program(v->models.answerer);
	size_t axis[FT_PARAMS_MAX], n = ft_ask_axes(v->models.answerer, axis), a, i;

	for (a = 0; a < n; a++) {
		const char *name = program->param[axis[a]].name;
		size_t length = strlen(name);

		for (i = 1; i < words->n &&
			    (strncmp(words->word[i], name, length) != 0 || words->word[i][length] != '=');)
			i++;
		if (i == words->n)
			return axis[a];
	}
	return axis[0];
}

/* The values of the other parameters: typed, or the only one of the runs. */
static int read_fixed(const struct cli_verify *v, const struct cli_words *words, size_t varying,
		      struct ft_size *fixed)
{
	const struct ft_program *program = ft_ask_program(v->models.answerer);
	const char *name[FT_PARAMS_MAX] = {program->param[varying].name};
	double value[FT_PARAMS_MAX] = {program->param[varying].most};
	struct ft_err err = {0};

	if (words->n > FT_PARAMS_MAX)
		return cli_fail("more than %d parameters", FT_PARAMS_MAX);
	for (size_t i = 1; i < words->n; i++) {
		struct ft_param param;

		if (ft_param_parse(words->word[i], &param, &err))
			return cli_error(&err);
		int at = ft_program_find_param(program, param.name);
		if (at == (int)varying || param.least != param.most)
			return cli_fail("'%s' and --sweep exclude each other", words->word[i]);
		name[i] = at < 0 ? words->word[i] : program->param[at].name;
		value[i] = param.least;
	}
	return ft_ask_size(v->models.answerer, name, value, words->n, fixed, &err) ? cli_error(&err)
										   : CLI_DONE;
}

static int sweep_sizes(struct cli_verify *v, const struct cli_words *words)
{
	size_t varying = choose_swept(v, words);
	struct ft_err err = {0};
	struct ft_size fixed;

	CLI_TRY(read_fixed(v, words, varying, &fixed));
	v->sizes.size = cli_alloc(FT_SWEEP_SIZES * sizeof *v->sizes.size);
	if (ft_ask_sweep(v->models.answerer, &fixed, varying, v->sizes.size, &v->sizes.n, &err))
		return cli_error(&err);
	if (v->sizes.n >= 3)
		return CLI_DONE;
	return cli_fail("a sweep needs three sizes that were measured within a factor of 16, and there are "
			"%zu\n"
			"hint: measure more with foretime build, or name sizes",
			v->sizes.n);
}

int cli_verify_sizes(struct cli_verify *v, const struct cli_words *words)
{
	int status = CLI_DONE;

	for (size_t i = 1; i < words->n; i++)
		if (!strchr(words->word[i], '='))
			return cli_fail("unexpected argument '%s'\n"
					"hint: put the command after --; a size is written as in n=2048",
					words->word[i]);
	if (v->sweep)
		status = sweep_sizes(v, words);
	else if (words->n > 1 || !v->paths.n)
		status = cli_sizes_find(&v->sizes, v->models.answerer, words, NULL);
	if (v->sizes.n)
		qsort(v->sizes.size, v->sizes.n, sizeof *v->sizes.size, compare_sizes);
	return status;
}

/* ---- without a store ---------------------------------------------------------------------------------- */

/* All combinations of the values, in the order of the program's parameters. */
static void add_product(struct cli_sizes *sizes, const struct ft_values *values)
{
	const char *name[FT_PARAMS_MAX];
	size_t step[FT_PARAMS_MAX] = {0};
	struct ft_size size = {.n = values->n};

	do {
		ft_values_get(values, step, name, size.value);
		add_size(sizes, &size);
	} while (ft_values_next(values, step));
}

static int set_params(struct ft_program *program, const struct ft_values *values)
{
	struct ft_err err = {0};

	program->n_params = values->n;
	for (size_t i = 0; i < values->n; i++) {
		char *word = cli_printed("%s=1", values->axis[i].name);
		enum ft_status status = ft_param_parse(word, &program->param[i], &err);

		free(word);
		if (status)
			return cli_error(&err);
	}
	return CLI_DONE;
}

static int set_programs(struct cli_verify *v, const struct cli_words *words)
{
	char **word;
	size_t n;

	if (!words->n_rest)
		return cli_fail("--against compares it with which program?\n"
				"hint: write the new one behind --, as in --against 'old {n}' -- new {n}");
	if (cli_words_split(v->against, &word, &n) != CLI_DONE) {
		cli_hint("--against takes the old command in one text, as in --against 'old {n}'");
		return CLI_WRONG;
	}
	v->old.argv = word;
	v->old.argc = n;
	cli_program_argv(&v->program, words->rest, words->n_rest);
	return CLI_DONE;
}

int cli_verify_pair(struct cli_verify *v, const struct cli_words *words)
{
	size_t first = words->n && !strchr(words->word[0], '='), i;
	FT_CLEANUP(ft_values_clear) struct ft_values values = {0};
	int status = set_programs(v, words);

	for (i = first; i < words->n && status == CLI_DONE; i++)
		status = cli_values_add(&values, words->word[i]);
	if (status == CLI_DONE && !values.n) {
		(void)cli_fail("at which sizes?\nhint: write n=1000:16000:*2, or n=1000,4000,16000");
		status = CLI_WRONG;
	}
	if (status == CLI_DONE)
		status = cli_values_count(&values, words->word[words->n - 1]);
	if (status == CLI_DONE)
		status = set_params(&v->program, &values);
	if (status == CLI_DONE)
		status = set_params(&v->old, &values);
	if (status == CLI_DONE) {
		add_product(&v->sizes, &values);
		qsort(v->sizes.size, v->sizes.n, sizeof *v->sizes.size, compare_sizes);
		if (first)
			v->program.name = cli_strdup(words->word[0]);
		else
			cli_program_name(&v->program);
	}
	return status;
}
