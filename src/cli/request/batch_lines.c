/* SPDX-License-Identifier: GPL-3.0-or-later */
/* batch_lines.c - one size, as options or lines of a batch system. */
#include "cli/request/batch.h"
#include "cli/common.h"

#include <math.h>
#include <stdlib.h>

/* What is wrong with it stands on standard error, so that the line may be used as it is. */
static void tell_doubts(const struct cli_request *r)
{
	char *failing = cli_failing_text(&r->models), far[FT_TELL_FAR];

	if (failing && isnan(r->request.killed)) /* that is told otherwise */
		cli_note("%s", failing);
	free(failing);
	if (r->request.time.at.basis == FT_BASIS_BEYOND || r->request.memory.at.basis == FT_BASIS_BEYOND)
		cli_note("extrapolated %s",
			 ft_tell_far(fmax(r->request.time.at.distance, r->request.memory.at.distance), far));
	cli_batch_notes(r);
	if (cli_batch_margin(r) > 1)
		cli_note("memory was measured in runs of under a second: the request is %g times as much",
			 cli_batch_margin(r));
}

static void print_lines(const struct cli_request *r, const char *name)
{
	const struct ft_tell_asked asked = {r->request.time.resource ? cli_batch_seconds(r) : NAN,
					    r->request.memory.resource ? cli_batch_bytes(r) : NAN,
					    cli_batch_cpus(r)};
	char *text = ft_tell_batch_line(ft_tell_batch_find(name), &asked);

	puts(text ? text : "");
	free(text);
	tell_doubts(r);
}

static void print_slurm(const struct cli_request *r)
{
	print_lines(r, "slurm");
}

static void print_pbs(const struct cli_request *r)
{
	print_lines(r, "pbs");
}

static void print_lsf(const struct cli_request *r)
{
	print_lines(r, "lsf");
}

static void print_htcondor(const struct cli_request *r)
{
	print_lines(r, "htcondor");
}

const struct cli_batch cli_batch_slurm = {"slurm", false, FT_TELL_SHELL_BYTES, print_slurm, NULL};
const struct cli_batch cli_batch_pbs = {"pbs", false, FT_TELL_SHELL_BYTES, print_pbs, NULL};
const struct cli_batch cli_batch_lsf = {"lsf", false, FT_TELL_SHELL_BYTES, print_lsf, NULL};
const struct cli_batch cli_batch_htcondor = {"htcondor", false, FT_TELL_SHELL_BYTES, print_htcondor, NULL};
