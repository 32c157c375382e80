/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kernel.c - what it takes to count a kernel, to find its expressions, and to evaluate them: processor time.
 *
 * usage: bench-kernel FILE.cl KERNEL GLOBAL LOCAL N      one dimension each, expressions of n */
#include "base/clock.h"
#include "foretime/kernel.h"

#include <stdio.h>
#include <stdlib.h>

enum { TIMES = 100000 };

static int fail(const struct ft_err *err)
{
	fprintf(stderr, "bench-kernel: %s\n", err->text);
	return 2;
}

static double evaluate_ns(const struct ft_kernel_expressions *e)
{
	double out[FT_KERNEL_COUNTS];
	int64_t value[FT_KERNEL_VARIABLES], before = ft_clock_spent_ns();

	for (int i = 0; i < TIMES; i++) {
		for (size_t j = 0; j < e->n; j++)
			value[j] = e->variable[j].first + e->variable[j].step * (i % 100);
		if (ft_kernel_evaluate(e, value, out, NULL))
			return -1;
	}
	return (double)(ft_clock_spent_ns() - before) / TIMES;
}

int main(int argc, char **argv)
{
	struct ft_kernel_source source = {.path = argc == 6 ? argv[1] : NULL,
					  .kernel = argc == 6 ? argv[2] : NULL};
	struct ft_kernel_options options = ft_kernel_options_default();
	struct ft_kernel_argument n = {.name = "n"};
	struct ft_kernel_launch launch = {.argument = &n, .n = 1};
	struct ft_kernel_features features;
	struct ft_kernel_expressions expressions;
	struct ft_kernel *kernel;
	struct ft_err err = {0};

	if (argc != 6)
		return fprintf(stderr, "usage: bench-kernel FILE.cl KERNEL GLOBAL LOCAL N\n"), 2;
	launch.global[0] = argv[3];
	launch.local[0] = argv[4];
	n.value = strtod(argv[5], NULL);
	if (ft_kernel_open(&kernel, &source, &err))
		return fail(&err);
	int64_t begin = ft_clock_spent_ns();
	if (ft_kernel_features(&features, kernel, &launch, &options, &err))
		return fail(&err);
	int64_t counted = ft_clock_spent_ns();
	if (ft_kernel_express(&expressions, kernel, &launch, &options, &features, &err))
		return fail(&err);
	int64_t expressed = ft_clock_spent_ns();
	printf("count     %.3f s, %.1f ns an instruction (%zu groups)\n", (double)(counted - begin) / 1e9,
	       (double)(counted - begin) / features.steps, features.groups_run);
	printf("express   %.3f s, %zu small sizes, degree %zu\n", (double)(expressed - counted) / 1e9,
	       expressions.runs, expressions.degree);
	printf("evaluate  %.0f ns for all counts\n", evaluate_ns(&expressions));
	ft_kernel_expressions_clear(&expressions);
	ft_kernel_features_clear(&features);
	ft_kernel_close(kernel);
	return 0;
}
