/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report.h - what `foretime report` and `foretime slurm report` share: options, and the printed report. */
#ifndef FT_CLI_REPORT_H
#define FT_CLI_REPORT_H

#include "cli/cli.h"
#include "cli/options.h"
#include "foretime/adapt.h"
#include "tell/answers.h"

#include <stdbool.h>

/* Zero-initialise; ends with cli_report_close. */
struct cli_report {
	/* as typed */
	enum ft_report_by by;
	const char *user, *partition;
	double risk; /* NaN: not given */
	size_t limit, effort;
	bool limited; /* --limit is an option */
	bool json, csv, markdown, quiet;
	/* made */
	struct ft_report *report;
	struct ft_import import; /* what was read, and left out */
	double risks[2], began_s, shown_s;
	bool drawn;
};

/* Rows of a table of options. Without risk, which foretime slurm has, and limit, which is an old spelling of
 * another option there. */
/* clang-format off */
#define CLI_REPORT_OPTIONS(r) \
	{0, "by", FT_FIELD_WORD, &(r).by, "WHAT", "a line for each program (default), user or partition", \
	 .words = "program|user|partition"}, \
	{0, "user", FT_FIELD_TEXT, &(r).user, "U", "jobs of this user; default: of all in the file"}, \
	{0, "partition", FT_FIELD_TEXT, &(r).partition, "P", "jobs of this partition"}, \
	{0, "effort", FT_FIELD_COUNT, &(r).effort, "N", \
	 "cost of models with sizes, in models of 200 jobs; default 200"}
#define CLI_REPORT_FORMATS(r) \
	CLI_FORMAT("text|markdown|json|csv", "text (default), markdown, json or csv"), \
	{0, "json", FT_FIELD_FLAG, &(r).json, NULL, "print one JSON object"}, \
	{0, "markdown", FT_FIELD_FLAG, &(r).markdown, NULL, NULL}, \
	{0, "csv", FT_FIELD_FLAG, &(r).csv, NULL, "print the lines of the table as CSV"}
/* clang-format on */

/* cli_report_open - check what was typed, and begin. Returns CLI_DONE, or the exit status after a complaint;
 * so do those below. */
int cli_report_open(struct cli_report *report);
void cli_report_close(struct cli_report *report);

/* cli_report_reading - what reading needs so that each job is taken into the report. */
void cli_report_reading(struct cli_report *report, struct ft_import_options *options);

/* cli_report_print - the report of what was read. */
int cli_report_print(struct cli_report *report);

#endif
