/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kernel.h - what the actions of `foretime kernel` share. */
#ifndef FT_CLI_KERNEL_H
#define FT_CLI_KERNEL_H

#include "cli/options.h"
#include "foretime/kernel.h"

/* As typed. */
struct cli_kernel {
	const char *kernel, *global, *local, *flags, *clang, *device, *tell;
	struct cli_texts data, buffers, fixed, args, rates;
	struct ft_kernel_options options;
	double cache, seed;
	size_t times;
	bool expressions, json;
	char **word; /* behind the action */
	size_t words;
};

/* cli_kernel_value - "n=1024", the value an expression. name: out, heap, ends with free. Returns CLI_DONE, or
 * the exit status after a complaint. */
int cli_kernel_value(const char *word, char **name, double *value);

/* The actions. Each returns the exit status. */
int cli_kernel_features(void *asked);
int cli_kernel_evaluate(void *asked);
int cli_kernel_rank(void *asked);
int cli_kernel_run(void *asked);

#endif
