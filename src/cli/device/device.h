/* SPDX-License-Identifier: GPL-3.0-or-later */
/* device.h - `foretime device`: what its subcommands share. */
#ifndef FT_CLI_DEVICE_DEVICE_H
#define FT_CLI_DEVICE_DEVICE_H

#include "cli/cli.h"
#include "cli/options.h"
#include "device/door.h"
#include "foretime/device.h"
#include "foretime/kernel.h"

/*
 * A kernel of OpenCL as typed, for the subcommands of `foretime device`.
 */

/* As typed. */
struct cli_kernel {
	const char *kernel, *global, *local, *flags, *clang, *device, *tell;
	struct ft_field_texts data, buffers, fixed, args;
	struct ft_kernel_options options;
	double cache, seed;
	size_t times;
	bool expressions, json;
	const char *trips; /* as typed; NULL: by default */
	size_t trips_most; /* upper end of a range that begins at options.trips; else the same */
	char *const *word; /* behind the action */
	size_t words;
};

/* Options that count operations, for `device features` and `device rank FILE.cl`. */
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

/* The subcommands of kernels. */
int cli_kernel_features(void *query);
int cli_kernel_run(void *query);

/* The query. Zero-initialise. */
struct cli_device {
	char *const *word; /* behind the action */
	size_t words;
	const char *store_path, *output, *machine, *least;
	double watts, confidence;
	size_t times;
	bool json;
	struct cli_kernel kernel; /* of rank FILE.cl */
	struct ft_field_texts rates, powers, wait;
	/* as opened */
	struct ft_store *store;
	struct cli_device_powers drawn;
	struct ft_rank_options options;
	struct ft_ranking *ranking;
};

/* cli_device_wish - the resource behind --least. Returns CLI_DONE, or CLI_WRONG after a complaint. */
int cli_device_wish(const char *least, const struct ft_resource **resource);

/* cli_device_print_table - which device is best where, in words: a line for each part of the range. */
void cli_device_print_table(const struct ft_table *table, const struct ft_ranking *ranking);

/* cli_device_gone - print that a device is left out of a build; kernel: an OpenCL device ran it there. */
void cli_device_gone(const char *device, bool kernel);

/* cli_device_waits_check - each --wait DEVICE=T is of one of these devices. Returns CLI_DONE, or CLI_WRONG after a
 * complaint. */
int cli_device_waits_check(const struct cli_device *query, const char *const *device, size_t n);

/* cli_device_static - of `rank FILE.cl`: a kernel that never ran, on devices that were calibrated. */
int cli_device_static(struct cli_device *query);

/* The subcommands. */
int cli_device_calibrate(void *ctx);

/*
 * Stored calibrations of this machine's devices, each with the driver of that time.
 */

/* Devices as calibrated. Zero-initialise; ends with cli_calibrated_clear. */
struct cli_calibrated {
	struct ft_timed timed[FT_DEVICES_MAX];
	const char *name[FT_DEVICES_MAX]; /* borrowed */
	size_t n;
};

/* cli_calibrated_get - calibrations from files; without any, the stored ones of this machine: those whose
 * driver has changed are reported and left out. Returns CLI_DONE, or the exit status after a complaint:
 * there is none. */
int cli_calibrated_get(struct cli_calibrated *out, const struct ft_field_texts *files,
		       const char *store_path);
void cli_calibrated_clear(struct cli_calibrated *calibrated);

/*
 * Build the launch of a kernel from the options.
 */

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

#endif
