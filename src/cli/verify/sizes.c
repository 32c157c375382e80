/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sizes.c - at which sizes a contract is checked. */
#include "cli/common.h"
#include "cli/program.h"
#include "cli/verify/verify.h"
#include "cli/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SWEEP_SIZES = 5 };
/* A sweep goes down to this share of the largest size measured: start-up does not hide the growth there. */
static const double sweep_down = 1.0 / 16;

static int compare_doubles(const void *a, const void *b)
{
	const double *p = a, *q = b;

	return (*p > *q) - (*p < *q);
}

static int compare_sizes(const void *a, const void *b)
{
	return ft_size_compare(a, b);
}

/* Sizes measured, ascending and different, of one parameter; ends with free. */
static double *measured(const struct cli_verify *v, size_t param, size_t *n)
{
	const struct ft_runs *runs = ft_ask_runs(v->models.answerer);
	double *x = cli_alloc((runs->n + 1) * sizeof *x);
	size_t i, kept = 0, count = 0;

	for (i = 0; i < runs->n; i++)
		if (runs->run[i].outcome == FT_DONE && !runs->run[i].warmup &&
		    runs->run[i].size.value[param] > 0)
			x[count++] = runs->run[i].size.value[param];
	qsort(x, count, sizeof *x, compare_doubles);
	for (i = 0; i < count; i++)
		if (!kept || x[i] > x[kept - 1])
			x[kept++] = x[i];
	*n = kept;
	return x;
}

static void add_size(struct cli_sizes *sizes, const struct ft_size *size)
{
	sizes->size = cli_grow(sizes->size, sizes->n, sizeof *size);
	sizes->size[sizes->n++] = *size;
}

/* The parameter along which sizes are swept: of those in which runs differ the first without a value. */
static size_t swept(const struct cli_verify *v, const struct cli_words *words)
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

/* Some of the sizes that were measured, evenly in ln size, with the largest. */
static int sweep_sizes(struct cli_verify *v, const struct cli_words *words)
{
	const struct ft_program *program = ft_ask_program(v->models.answerer);
	size_t varying = swept(v, words), n, i, j;
	const char *name[FT_PARAMS_MAX];
	double value[FT_PARAMS_MAX], *x;
	struct ft_err err = {0};
	struct ft_size size;
	int status = CLI_DONE;

	if (words->n > FT_PARAMS_MAX)
		return cli_fail("more than %d parameters", FT_PARAMS_MAX);
	for (i = 1; i < words->n; i++) {
		struct ft_param param;
		int at;

		if (ft_param_parse(words->word[i], &param, &err))
			return cli_error(&err);
		at = ft_program_find_param(program, param.name);
		if (at == (int)varying || param.least != param.most)
			return cli_fail("'%s' and --sweep exclude each other", words->word[i]);
		name[i] = at < 0 ? words->word[i] : program->param[at].name;
		value[i] = param.least;
	}
	name[0] = program->param[varying].name;
	x = measured(v, varying, &n);
	for (i = 0; i < SWEEP_SIZES && n && status == CLI_DONE; i++) {
		double least = fmax(x[0], sweep_down * x[n - 1]);
		double wanted = least * pow(x[n - 1] / least, (double)i / (SWEEP_SIZES - 1));

		for (j = 0; j + 1 < n && fabs(log(x[j + 1] / wanted)) <= fabs(log(x[j] / wanted));)
			j++;
		value[0] = x[j];
		if (ft_ask_size(v->models.answerer, name, value, words->n, &size, &err))
			status = cli_error(&err);
		else if (!v->sizes.n || !ft_size_equal(&size, &v->sizes.size[v->sizes.n - 1]))
			add_size(&v->sizes, &size);
	}
	free(x);
	if (status == CLI_DONE && v->sizes.n < 3)
		return cli_fail("a sweep needs three sizes that were measured within a factor of 16, and "
				"there are %zu\n"
				"hint: measure more with foretime build, or name sizes",
				v->sizes.n);
	return status;
}

int cli_verify_sizes(struct cli_verify *v, const struct cli_words *words)
{
	int status = CLI_DONE;

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
static void add_product(struct cli_sizes *sizes, const struct cli_values *values)
{
	const char *name[FT_PARAMS_MAX];
	size_t step[FT_PARAMS_MAX] = {0};
	struct ft_size size = {.n = values->n};

	do {
		cli_values_get(values, step, name, size.value);
		add_size(sizes, &size);
	} while (cli_values_next(values, step));
}

static int set_params(struct ft_program *program, const struct cli_values *values)
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
	struct cli_values values = {0};
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
	cli_values_clear(&values);
	return status;
}
