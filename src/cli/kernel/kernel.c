/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kernel.c - what a kernel of OpenCL does: its options. */
#include "cli/kernel/kernel.h"
#include "cli/common.h"
#include "foretime/expr.h"
#include "foretime/units.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const struct cli_action actions[] = {
	{"features", "count what a launch of a kernel does",
	 "FILE.cl [--kernel K] -g 1024,1024 -l 16,16 n=1024 ... [OPTION...]",
	 CLI_KERNEL_COUNTS " fixed expressions json", 1, SIZE_MAX, cli_kernel_features},
	{"run", "run a kernel on a device of OpenCL, and time it",
	 "FILE.cl [--kernel K] -g n,n [-l 16,16] --arg a='float[n*n]' --arg m=2*n n=1024 [OPTION...]",
	 "kernel global local arg data flags seed device times tell json", 1, SIZE_MAX, cli_kernel_run},
	{"evaluate", "evaluate expressions that were kept", "FILE.json n=2048 ... [--json]", "json", 2,
	 SIZE_MAX, cli_kernel_evaluate},
	{0},
};

int cli_kernel_value(const char *word, char **name, double *value)
{
	const char *equals = strchr(word, '=');
	struct ft_expr *expr = NULL;
	struct ft_err err = {0};

	if (!equals || equals == word || !equals[1])
		return cli_fail("'%s' is no argument: NAME=VALUE is", word);
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

int cli_kernel_check(struct cli_kernel *k)
{
	struct ft_kernel_options *o = &k->options;

	if (!(o->steps >= 1))
		return cli_fail("--steps is 1 or more");
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
	o->cache = (size_t)k->cache;
	o->seed = (uint64_t)k->seed;
	return CLI_DONE;
}

static int run_kernel(const struct cli_command *command, int argc, char **argv)
{
	struct cli_kernel k = {0};
	const struct cli_option options[] = {
		CLI_KERNEL_OPTIONS(k),
		{0, "arg", CLI_TEXTS, &k.args, "NAME=ARG",
		 "an array TYPE[COUNT], a number (both expressions), or a file with what a buffer holds"},
		{0, "device", CLI_TEXT, &k.device, "opencl:K",
		 "as foretime device list shows them; default opencl:0"},
		{0, "times", CLI_COUNT, &k.times, "N", "launches that are timed, the mean counts; default 1"},
		{0, "tell", CLI_TEXT, &k.tell, "WHAT",
		 "to a foretime that measures this: launch (default), kernel, or parts, each by itself"},
		{0, "fixed", CLI_TEXTS, &k.fixed, "NAME", "an argument that keeps its value in expressions"},
		{'e', "expressions", CLI_FLAG, &k.expressions, NULL,
		 "counts as expressions of the arguments"},
		{0, "json", CLI_FLAG, &k.json, NULL, "print one JSON object"},
		{0},
	};
	struct cli_words words;

	cli_kernel_default(&k);
	int status = cli_options_parse(command, options, argc, argv, &words);
	if (status != CLI_GO)
		return status;
	k.word = words.word + 1;
	k.words = words.n - 1;
	status = cli_kernel_check(&k);
	if (status == CLI_DONE && k.trips && k.trips_most > k.options.trips)
		status = cli_fail("--trips %s: counts are of one number\n"
				  "hint: write --trips %zu; foretime device rank takes both ends",
				  k.trips, k.options.trips);
	if (status == CLI_DONE)
		status = words.action->act(&k);
	return status;
}

const struct cli_command cli_kernel = {
	"kernel",
	"what a kernel of OpenCL does, from its source",
	NULL,
	"Counts are of what the compiler (clang) left of the source, and need no device. Data that are not "
	"given stay unknown;\n"
	"what depends on them is told with its line.\n",
	actions,
	run_kernel,
};
