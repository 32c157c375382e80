/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kernel.h - a kernel of OpenCL as it is typed, for the subcommands of `foretime device`. */
#ifndef FT_CLI_DEVICE_KERNEL_H
#define FT_CLI_DEVICE_KERNEL_H

#include "cli/options.h"
#include "foretime/kernel.h"

/* As typed. */
struct cli_kernel {
	const char *kernel, *global, *local, *flags, *clang, *device, *tell;
	struct ft_field_texts data, buffers, fixed, args;
	struct ft_kernel_options options;
	double cache, seed;
	size_t times;
	bool expressions, json;
	const char *trips; /* as typed; NULL: by default */
	size_t trips_most; /* of a range, that begins at options.trips; else the same */
	char *const *word; /* behind the action */
	size_t words;
};

/* Options of what counts, for `device features` and `device rank FILE.cl`. */
/* clang-format off */
#define CLI_KERNEL_COUNTS "kernel global local arg data buffer flags limit seed effort trips cache"
#define CLI_KERNEL_OPTIONS(k) \
	{'k', "kernel", FT_FIELD_TEXT, &(k).kernel, "K", "its name; default: the only one"}, \
	{'g', "global", FT_FIELD_TEXT, &(k).global, "X[,Y[,Z]]", "work-items: numbers, or expressions of the arguments"}, \
	{'l', "local", FT_FIELD_TEXT, &(k).local, "X[,Y[,Z]]", "work-items of a group"}, \
	{0, "data", FT_FIELD_TEXTS, &(k).data, "NAME=FILE", NULL}, \
	{0, "buffer", FT_FIELD_TEXTS, &(k).buffers, "NAME=BYTES", NULL}, \
	{0, "flags", FT_FIELD_TEXT, &(k).flags, "'FLAGS'", "flags of the compiler: '-DT=16 -I.'"}, \
	{0, "clang", FT_FIELD_TEXT, &(k).clang, "NAME", "the compiler; default: clang, else clang-NN", .of = "flags"}, \
	{0, "limit", FT_FIELD_COUNT, &(k).options.groups, "N", \
	 "maximum number of work-groups to carry out; default 64; 0: all"}, \
	{0, "seed", FT_FIELD_NUMBER, &(k).seed, "N", "seed of the draw of groups, or of the contents of buffers; default 1"}, \
	{0, "effort", FT_FIELD_NUMBER, &(k).options.steps, "N", "maximum number of instructions to carry out; default 1e8"}, \
	{0, "trips", FT_FIELD_TEXT, &(k).trips, "N", "trips of an undecided loop; default 8; device rank: N, or A:B"}, \
	{0, "cache", FT_FIELD_BYTES, &(k).cache, "BYTES", "size of the data cache; default 32KiB"}, \
	{0, "line", FT_FIELD_COUNT, &(k).options.line, "BYTES", "size of its lines; default 64", .of = "cache"}, \
	{0, "ways", FT_FIELD_COUNT, &(k).options.ways, "N", "places of a line in it; default 8", .of = "cache"}, \
	{0, "warp", FT_FIELD_COUNT, &(k).options.warp, "N", "work-items that access memory together; default 32", .of = "cache"}
/* clang-format on */

/* cli_kernel_default - what is not typed; cli_kernel_check - what was typed makes sense (ranges:
 * --trips A:B, too): CLI_DONE, or the exit status after a complaint. */
void cli_kernel_default(struct cli_kernel *kernel);
int cli_kernel_check(struct cli_kernel *kernel, bool ranges);

/* cli_kernel_value - "n=1024", the value an expression. name: out, heap, ends with free. Returns CLI_DONE, or
 * the exit status after a complaint. */
int cli_kernel_value(const char *word, char **name, double *value);

/* The subcommands of kernels. */
int cli_kernel_features(void *asked);
int cli_kernel_evaluate(void *asked);
int cli_kernel_run(void *asked);

#endif
