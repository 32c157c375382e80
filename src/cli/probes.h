/* SPDX-License-Identifier: GPL-3.0-or-later */
/* probes.h - the options of every command that runs programs: how, and what else is measured. */
#ifndef FT_CLI_PROBES_H
#define FT_CLI_PROBES_H

#include "cli/options.h"
#include "cli/output.h"
#include "foretime/measure.h"

/* As typed. Zero-initialise. */
struct cli_probes {
	const char *counters, *energy, *meter, *meter_unit;
	bool instructions, valgrind, working_set;
};

/* Rows of a table of options. */
/* clang-format off */
#define CLI_PROBE_OPTIONS(probes) \
	{0, "measure", FT_FIELD_TEXT, NULL, "WHAT", "what to measure in addition, several with commas"}, \
	{0, "counters", FT_FIELD_TEXT, &(probes).counters, "NAME,...", \
	 "count these events; default: instructions and cycles where the processor counts; none: none", \
	 .of = "measure"}, \
	{0, "instructions", FT_FIELD_FLAG, &(probes).instructions, NULL, \
	 "count instructions; where the processor does not, under valgrind in an extra run", .of = "measure"}, \
	{0, "valgrind", FT_FIELD_FLAG, &(probes).valgrind, NULL, \
	 "count instructions under valgrind, also where the processor counts", .of = "measure"}, \
	{0, "working-set", FT_FIELD_FLAG, &(probes).working_set, NULL, \
	 "find the smallest cache that holds its data, under valgrind in five extra runs", .of = "measure"}, \
	{0, "energy", FT_FIELD_TEXT, &(probes).energy, "PROBE", \
	 "measure energy: rapl, nvidia, or rapl,nvidia for their sum", .of = "measure"}, \
	{0, "meter", FT_FIELD_TEXT, &(probes).meter, "CMD", \
	 "measure energy by a shell command that prints readings, as in '12.3 W' or '55 J'"}, \
	{0, "meter-unit", FT_FIELD_TEXT, &(probes).meter_unit, "UNIT", \
	 "unit of the meter's bare numbers: W, kW, J, kJ, Wh, kWh", .of = "meter"}
/* How each run is started: `threads` is a size_t, `launch` a struct ft_launch. */
#define CLI_LAUNCH_OPTIONS(threads, launch) \
	{0, "threads", FT_FIELD_COUNT, &(threads), "K", "set OMP_NUM_THREADS and the like"}, \
	{0, "pin", FT_FIELD_TEXT, &(launch).pin, "CPUS", "run on these processors only, as in 0-3,6"}, \
	{0, "prepare", FT_FIELD_TEXT, &(launch).prepare, "CMD", "shell command before each run, not measured"}, \
	{0, "cleanup", FT_FIELD_TEXT, &(launch).cleanup, "CMD", "shell command after each run, not measured"}
/* clang-format on */

void cli_probes_set(const struct cli_probes *probes, struct ft_launch *launch);

/* cli_usage_write - a trace as a table: time_s, cpu_utilisation (processors busy), rss_bytes, processes. */
void cli_usage_write(const struct ft_usage *usage, FILE *file);

#endif
