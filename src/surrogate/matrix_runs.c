/* SPDX-License-Identifier: GPL-3.0-or-later */
/* matrix_runs.c - measurements of a matrix from runs. */
#include "foretime/facts.h"
#include "foretime/surrogate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME_LENGTH = 512 };

/* Is a run of one of the sizes that are wanted? Several of one parameter are alternatives. */
static enum ft_status check_size(const struct ft_matrix_wanted *wanted, const struct ft_program *program,
				 const struct ft_size *size, bool *wants, struct ft_err *err)
{
	bool met[FT_PARAMS_MAX] = {0}, asked[FT_PARAMS_MAX] = {0};
	size_t i;

	for (i = 0; i < wanted->n_sizes; i++) {
		struct ft_param param;

		FT_TRY(ft_param_parse(wanted->size[i], &param, err));
		int p = ft_program_find_param(program, param.name);
		if (p < 0)
			return ft_fail(err, FT_EINVAL, "'%s' has no parameter '%s'", program->name,
				       param.name);
		asked[p] = true;
		met[p] |= param.least <= size->value[p] && size->value[p] <= param.most &&
			  ft_param_covers(&param, size->value[p]);
	}
	for (*wants = true, i = 0; i < program->n_params; i++)
		*wants &= met[i] || !asked[i];
	return FT_OK;
}

static bool wants_resource(const struct ft_matrix_wanted *wanted, const struct ft_resource *resource)
{
	for (size_t i = 0; i < wanted->n_resources; i++)
		if (!strcmp(wanted->resource[i], resource->name))
			return true;
	return !wanted->n_resources && (wanted->admit || !ft_resource_admissible(resource->name, NULL));
}

/* A routine is a program NAME/ROUTINE: its runs say the routine once more. */
static bool says_routine(const char *name, const char *routine)
{
	const char *slash = strrchr(name, '/');

	return !routine || (slash && !strcmp(slash + 1, routine));
}

static enum ft_status add_run(struct ft_matrix_maker *maker, const struct ft_program *program,
			      const struct ft_run *run, const char *machine,
			      const struct ft_matrix_wanted *wanted, struct ft_err *err)
{
	char column[NAME_LENGTH], row[NAME_LENGTH], size[NAME_LENGTH / 2];
	bool said = says_routine(program->name, run->routine);

	(void)ft_size_format(program, &run->size, size, sizeof size);
	(void)snprintf(column, sizeof column, "%s%s%s%s%s", program->name, said ? "" : "/",
		       said ? "" : run->routine, *size ? " " : "", size);
	for (size_t i = 0; i < run->n_samples; i++) {
		const struct ft_sample *sample = &run->sample[i];

		if (isnan(sample->value) || !wants_resource(wanted, sample->resource))
			continue;
		(void)snprintf(row, sizeof row, "%s%s%s", sample->resource->name, machine ? "@" : "",
			       machine ? machine : "");
		FT_TRY(ft_matrix_add(maker, row, column, sample->value, err));
	}
	return FT_OK;
}

enum ft_status ft_matrix_add_runs(struct ft_matrix_maker *maker, const struct ft_program *program,
				  const struct ft_runs *runs, const char *machine,
				  const struct ft_matrix_wanted *wanted, struct ft_err *err)
{
	bool wants = false;

	for (size_t i = 0; i < runs->n; i++) {
		const struct ft_run *run = &runs->run[i];

		if (run->outcome != FT_DONE || run->warmup)
			continue;
		FT_TRY(check_size(wanted, program, &run->size, &wants, err));
		if (wants)
			FT_TRY(add_run(maker, program, run, machine, wanted, err));
	}
	return FT_OK;
}
