/* SPDX-License-Identifier: GPL-3.0-or-later */
/* subject.h - the launch of a kernel, made of what was typed. */
#ifndef FT_CLI_DEVICE_SUBJECT_H
#define FT_CLI_DEVICE_SUBJECT_H

#include "cli/device/kernel.h"

/* Zero-initialise; ends with cli_subject_clear. */
struct cli_subject {
	struct ft_kernel_launch launch;
	struct ft_kernel_argument *argument;
	size_t n;
	char *sizes[2]; /* -g and -l, in pieces */
};

/* cli_subject_take - arguments and sizes; grouped: those of groups must be given. Returns CLI_DONE, or the
 * exit status after a complaint. */
int cli_subject_take(struct cli_subject *subject, const struct cli_kernel *kernel, bool grouped);
void cli_subject_clear(struct cli_subject *subject);

/* cli_kernel_source - the file, and what is handed to its compiler. flag: NULL; both end with
 * cli_kernel_source_clear. */
int cli_kernel_source(struct ft_kernel_source *source, const struct cli_kernel *kernel, char ***flag);
void cli_kernel_source_clear(const struct ft_kernel_source *source, char **flag);

/* A kernel and its launch. Zero-initialise. */
struct cli_kernel_subject {
	struct cli_subject typed;
	struct ft_kernel *kernel;
};

/* cli_kernel_subject_open - read what was typed, and compile; ends with cli_kernel_subject_clear, on failure
 * too. Returns CLI_DONE, or the exit status after a complaint. */
int cli_kernel_subject_open(struct cli_kernel_subject *subject, const struct cli_kernel *kernel);
void cli_kernel_subject_clear(struct cli_kernel_subject *subject);

#endif
