/* SPDX-License-Identifier: GPL-3.0-or-later */
/* evaluate.c - kept expressions at a size. */
#include "cli/common.h"
#include "cli/device/device.h"
#include "cli/output.h"
#include "tell/kernel.h"
#include "tell/read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int take_values(const struct cli_kernel *k, const struct ft_kernel_expressions *e,
		       int64_t value[FT_KERNEL_VARIABLES])
{
	bool given[FT_KERNEL_VARIABLES] = {false};
	size_t j;

	for (size_t i = 1; i < k->words; i++) {
		char *name = NULL;
		double number;

		CLI_TRY(cli_kernel_value(k->word[i], &name, &number));
		for (j = 0; j < e->n && strcmp(e->variable[j].name, name) != 0; j++)
			;
		free(name);
		if (j == e->n)
			return cli_fail("the expressions have no argument as in '%s'", k->word[i]);
		if (number != floor(number) || !(fabs(number) < 9e15))
			return cli_fail("'%s' is not a whole number", k->word[i]);
		value[j] = (int64_t)number;
		given[j] = true;
	}
	for (j = 0; j < e->n; j++)
		if (!given[j])
			return cli_fail("the argument %s is missing", e->variable[j].name);
	return CLI_DONE;
}

static int tell_counts(const struct cli_kernel *k, const json_t *json, const double count[FT_KERNEL_COUNTS])
{
	struct ft_told_count told_count[FT_KERNEL_COUNTS];
	struct ft_told_kernel_at told = {
		.kernel = json_string_value(json_object_get(json, "kernel")),
		.hash = json_string_value(json_object_get(json, "hash")),
		.operations = ft_kernel_operations(count),
		.count = told_count,
		.n = ft_tell_kernel_counts(told_count, count, NAN),
	};

	if (!told.kernel || !told.hash)
		return cli_fail("'%s' does not name its kernel", k->word[0]);
	if (k->json) {
		cli_tell(&ft_tell_kernel_at, &told, NULL);
		return CLI_DONE;
	}
	for (size_t i = 0; i < told.n; i++)
		if (isnan(told_count[i].value))
			printf("%-20s -\n", told_count[i].name);
		else
			printf("%-20s %.17g\n", told_count[i].name, told_count[i].value);
	return CLI_DONE;
}

int cli_kernel_evaluate(void *asked)
{
	const struct cli_kernel *k = &((const struct cli_device *)asked)->kernel;
	struct ft_kernel_expressions expressions = {0};
	int64_t value[FT_KERNEL_VARIABLES];
	double count[FT_KERNEL_COUNTS];
	struct ft_err err = {0};
	json_t *json = NULL;

	if (ft_tell_read_json(k->word[0], &json, &err) ||
	    ft_tell_kernel_read(k->word[0], json, &expressions, &err)) {
		json_decref(json);
		return cli_error(&err);
	}
	int status = take_values(k, &expressions, value);
	if (status == CLI_DONE && ft_kernel_evaluate(&expressions, value, count, &err))
		status = cli_error(&err);
	if (status == CLI_DONE)
		status = tell_counts(k, json, count);
	ft_kernel_expressions_clear(&expressions);
	json_decref(json);
	return status;
}
