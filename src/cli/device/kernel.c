/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kernel.c - a kernel of OpenCL as it is typed: what was left out, and whether it makes sense. */
#include "cli/device/kernel.h"
#include "cli/common.h"
#include "foretime/expr.h"
#include "foretime/units.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int cli_kernel_value(const char *word, char **name, double *value)
{
	const char *equals = strchr(word, '=');
	struct ft_expr *expr = NULL;
	struct ft_err err = {0};

	if (!equals || equals == word || !equals[1])
		return cli_fail("'%s' is not an argument: write NAME=VALUE", word);
	enum ft_status status = ft_expr_new(&expr, equals + 1, &err);
	if (!status)
		status = ft_expr_eval(expr, NULL, NULL, 0, value, &err);
	ft_expr_free(expr);
	if (status)
		return cli_error_at(&err, "%s", word);
	*name = cli_printed("%.*s", (int)(equals - word), word);
	return CLI_DONE;
}

void cli_kernel_default(struct cli_kernel *k)
{
	k->options = ft_kernel_options_default();
	k->cache = (double)k->options.cache;
	k->seed = (double)k->options.seed;
}

int cli_kernel_check(struct cli_kernel *k, bool ranges)
{
	struct ft_kernel_options *o = &k->options;

	if (!(o->steps >= 1))
		return cli_fail("--effort is 1 or more");
	if (k->trips) {
		char *first = cli_strdup(k->trips), *colon = strchr(first, ':');
		double least = NAN, most = NAN;

		if (colon)
			*colon = '\0';
		if (!ft_number_parse(first, &least, NULL) &&
		    (!colon || !ft_number_parse(colon + 1, &most, NULL)))
			most = colon ? most : least;
		free(first);
		if (!(least >= 1 && most >= least && most <= 1e9))
			return cli_fail(
				"--trips %s: so often a loop cannot run\n"
				"hint: write --trips 40, or for device rank 10:200: from 10 to 200 times",
				k->trips);
		o->trips = (size_t)least;
		k->trips_most = (size_t)most;
	}
	if (!(k->cache >= 1) || k->cache > 1e12)
		return cli_fail("--cache is a number of bytes");
	if (!(k->seed >= 0) || k->seed > 1e15)
		return cli_fail("--seed is a number, 0 or more");
	if (!ranges && k->trips && k->trips_most > o->trips)
		return cli_fail("--trips %s: counts are of one number\n"
				"hint: write --trips %zu; foretime device rank takes both ends",
				k->trips, o->trips);
	o->cache = (size_t)k->cache;
	o->seed = (uint64_t)k->seed;
	return CLI_DONE;
}
