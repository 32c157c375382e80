/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reading.h - the options that say what stands where in a file of runs, for every command that reads some. */
#ifndef FT_CLI_READING_H
#define FT_CLI_READING_H

#include "cli/options.h"
#include "foretime/adapt.h"

/* As typed. Zero-initialise. */
struct cli_reading {
	const char *by, *format, *directory;
	struct ft_field_texts size, value;
};

/* Rows of a table of options. */
/* clang-format off */
#define CLI_READING_OPTIONS(reading) \
	{0, "by", FT_FIELD_TEXT, &(reading).by, "COLUMN", "column whose texts are programs"}, \
	{0, "size", FT_FIELD_TEXTS, &(reading).size, "N=WHERE", \
	 "place of a parameter: n=COLUMN, n=COLUMN:/fft_([0-9]+)/, n=file:in/{COLUMN}.fq"}, \
	{0, "directory", FT_FIELD_TEXT, &(reading).directory, "DIR", \
	 "start of relative paths of n=file:; default: here", .of = "size"}, \
	{0, "value", FT_FIELD_TEXTS, &(reading).value, "R=COLUMN", \
	 "column of a resource, as in wall_s=runtime:ms"}, \
	{0, "from", FT_FIELD_TEXT, &(reading).format, "F", \
	 "format of the file: csv, snakemake, nextflow, sacct, hyperfine, gbench, extrap, extrap-lines or foretime; default: " \
	 "as the file begins"}
/* clang-format on */

/* cli_reading_options - what the library is told of it; borrows. */
struct ft_import_options cli_reading_options(const struct cli_reading *reading);

/* cli_reading_of - the runs of one program in some files: those that the files call so; where they call none
 * so, those of their only program. Tells what was left out.
 *
 * program  its name, and its parameters: those with a range take any value
 * runs     out: ends with ft_runs_clear
 *
 * Returns CLI_DONE, or the exit status after a complaint. */
int cli_reading_of(const struct cli_reading *reading, const struct ft_field_texts *paths,
		   const struct ft_program *program, struct ft_runs *runs);

/* cli_reading_notes - how many rows were no runs, and why. */
void cli_reading_notes(const struct ft_import *import);

#endif
