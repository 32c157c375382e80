/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report.c - `foretime slurm report`: what the jobs of this cluster requested and used. */
#include "base/clock.h"
#include "cli/cli.h"
#include "cli/slurm/slurm.h"
#include "foretime/adapt.h"
#include "foretime/base.h"

#include <stdint.h>
#include <string.h>

/* Accounts are read a day at a time, as a harvest does; without --since a week back. */
static const int64_t step_ns = INT64_C(86400000000000), first_ns = INT64_C(7) * 86400 * 1000000000;

static int take_day(struct cli_slurm *slurm, const struct cli_accounts_query *query, int64_t from_ns,
		    int64_t to_ns)
{
	struct cli_report *report = &slurm->report;
	struct ft_import_options options = {
		.format = "sacct", .several = true, .cgroup = slurm->config.cgroup};
	FT_CLEANUP(ft__command_clear) struct ft__command tool = {0};
	CLI_OWN char *table = NULL;
	struct ft_err err = {0};

	CLI_TRY(cli_slurm_accounts(slurm, query, from_ns, to_ns, &tool));
	if (ft_slurm_table(tool.text, tool.length, query->delimiter, &table, &err))
		return cli_error(&err);
	if (!*table)
		return CLI_DONE;
	cli_report_reading(report, &options);
	/* A job that has not ended is in the accounts of each day. */
	report->import.passed[FT_PASSED_UNFINISHED] = 0;
	if (ft_import_parse(&report->import, "sacct", table, strlen(table), &options, &err))
		return cli_error(&err);
	return CLI_DONE;
}

int cli_slurm_report(void *query)
{
	struct cli_slurm *slurm = query;
	FT_CLEANUP(cli_accounts_query_clear)
	struct cli_accounts_query accounts = {.user = slurm->report.user,
					      .partition = slurm->report.partition};

	slurm->report.risk = slurm->risk;
	slurm->report.json = slurm->json;
	slurm->report.quiet = slurm->quiet;
	CLI_TRY(cli_slurm_open(slurm));
	CLI_TRY(cli_accounts_query_open(slurm, &accounts));
	CLI_TRY(cli_report_open(&slurm->report));
	int64_t now_ns = ft_clock_real_ns(), from_ns = now_ns - first_ns, to_ns;
	struct ft_err err = {0};

	if (slurm->since && ft_slurm_since(slurm->since, now_ns, &from_ns, &err))
		return cli_error(&err);
	for (; from_ns < now_ns; from_ns = to_ns) {
		to_ns = from_ns + step_ns < now_ns ? from_ns + step_ns : now_ns;
		CLI_TRY(take_day(slurm, &accounts, from_ns, to_ns));
	}
	return cli_report_print(&slurm->report);
}
