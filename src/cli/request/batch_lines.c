/* SPDX-License-Identifier: GPL-3.0-or-later */
/* batch_lines.c - one size, as options or lines of a batch system. */
#include "cli/request/batch.h"
#include "cli/common.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is wrong with it stands on standard error, so that the line may be used as it is. */
static void tell(const struct cli_request *r)
{
	char *failing = cli_failing_text(&r->models);

	if (failing && isnan(r->request.killed)) /* that is told otherwise */
		cli_note("%s", failing);
	free(failing);
	if (r->request.time.at.basis == FT_BASIS_BEYOND || r->request.memory.at.basis == FT_BASIS_BEYOND)
		cli_note("extrapolated %.3gx beyond the data",
			 fmax(r->request.time.at.distance, r->request.memory.at.distance));
	if (cli_batch_margin(r) > 1)
		cli_note("memory was learned from runs of under a second: %g times is asked for",
			 cli_batch_margin(r));
}

/* What a system calls time, memory and processors; what stands behind the number of memory. */
struct forms {
	const char *time, *memory, *cpus, *suffix;
	char between;
	double bytes; /* unit of its memory */
	enum { CLOCK, HOURS_CLOCK, HOURS_MINUTES, SECONDS } clock;
};

static const struct forms slurm = {"--time=", "--mem=", "--cpus-per-task=", "M", ' ', 1048576, CLOCK};
static const struct forms pbs = {"-l walltime=", "-l mem=", "-l ncpus=", "mb", ' ', 1048576, HOURS_CLOCK};
static const struct forms lsf = {"-W ", "-M ", "-n ", "MB", ' ', 1e6, HOURS_MINUTES};
static const struct forms htcondor = {
	"allowed_job_duration = ", "request_memory = ", "request_cpus = ", "", '\n', 1048576, SECONDS};

static char *time_text(const struct forms *forms, double seconds)
{
	double minutes = cli_batch_minutes(seconds), rest = fmod(minutes, 60), hours = (minutes - rest) / 60;
	char text[CLI_BATCH_TIME];

	switch (forms->clock) {
	case HOURS_CLOCK:
		return cli_printed("%02.0f:%02.0f:00", hours, rest);
	case HOURS_MINUTES:
		return cli_printed("%.0f:%02.0f", hours, rest);
	case SECONDS:
		return cli_printed("%.0f", 60 * minutes);
	case CLOCK:
	default:
		return cli_strdup(cli_batch_time(minutes, text));
	}
}

static char *add(char *text, const struct forms *forms, char *more)
{
	char *longer = *text ? cli_printed("%s%c%s", text, forms->between, more) : cli_strdup(more);

	free(text);
	free(more);
	return longer;
}

static char *lines(const struct cli_request *r, const struct forms *forms)
{
	double cpus = cli_batch_cpus(r);
	char *text = cli_strdup("");

	if (r->request.time.resource[0]) {
		char *time = time_text(forms, r->request.time.most);

		text = add(text, forms, cli_printed("%s%s", forms->time, time));
		free(time);
	}
	if (r->request.memory.resource[0])
		text = add(text, forms,
			   cli_printed("%s%.0f%s", forms->memory,
				       fmax(1, ceil(cli_batch_bytes(r) / forms->bytes)), forms->suffix));
	if (!isnan(cpus))
		text = add(text, forms, cli_printed("%s%.0f", forms->cpus, cpus));
	return text;
}

char *cli_batch_slurm_text(const struct cli_request *r)
{
	return lines(r, &slurm);
}

static void print(const struct cli_request *r, const struct forms *forms)
{
	char *text = lines(r, forms);

	puts(text);
	free(text);
	tell(r);
}

static void print_slurm(const struct cli_request *r)
{
	print(r, &slurm);
}

static void print_pbs(const struct cli_request *r)
{
	print(r, &pbs);
}

static void print_lsf(const struct cli_request *r)
{
	print(r, &lsf);
}

static void print_htcondor(const struct cli_request *r)
{
	print(r, &htcondor);
}

const struct cli_batch cli_batch_slurm = {"slurm", false, CLI_SHELL_BYTES, print_slurm, NULL};
const struct cli_batch cli_batch_pbs = {"pbs", false, CLI_SHELL_BYTES, print_pbs, NULL};
const struct cli_batch cli_batch_lsf = {"lsf", false, CLI_SHELL_BYTES, print_lsf, NULL};
const struct cli_batch cli_batch_htcondor = {"htcondor", false, CLI_SHELL_BYTES, print_htcondor, NULL};
