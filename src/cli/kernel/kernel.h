/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kernel.h - what the actions of `foretime kernel` share. */
#ifndef FT_CLI_KERNEL_H
#define FT_CLI_KERNEL_H

#include "cli/options.h"
#include "foretime/kernel.h"

/* As typed. */
struct cli_kernel {
	const char *kernel, *global, *local, *flags, *clang;
	struct cli_texts data, buffers, fixed, rates;
	struct ft_kernel_options options;
	double cache, seed;
	bool expressions, json;
	char **word; /* behind the action */
	size_t words;
};

/* cli_kernel_value - "n=1024", the value an expression. name: out, heap, ends with free. Returns CLI_DONE, or
 * the exit status after a complaint. */
int cli_kernel_value(const char *word, char **name, double *value);

/* A kernel and its launch, made of what was typed. Zero-initialise. */
struct cli_kernel_subject {
	struct ft_kernel *kernel;
	struct ft_kernel_launch launch;
	struct ft_kernel_argument *argument;
	size_t n, capacity;
	char *sizes[2]; /* -g and -l, in pieces */
};

/* cli_kernel_subject_open - read what was typed, and compile; ends with cli_kernel_subject_clear, on failure
 * too. Returns CLI_DONE, or the exit status after a complaint. */
int cli_kernel_subject_open(struct cli_kernel_subject *s, const struct cli_kernel *k);
void cli_kernel_subject_clear(struct cli_kernel_subject *s);

/* The actions. Each returns the exit status. */
int cli_kernel_features(void *asked);
int cli_kernel_evaluate(void *asked);
int cli_kernel_rank(void *asked);

#endif
