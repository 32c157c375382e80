/* SPDX-License-Identifier: GPL-3.0-or-later */
/* batch.c - requests in the forms that batch systems and workflow languages take: the numbers, and the forms.
 */
#include "cli/request/batch.h"
#include "cli/common.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Memory that was learned from runs of under a second is asked for with half more: whoever looks at a process
 * a few times a second, as workflow systems do, may have looked before it held all. */
static const double brief_margin = 1.5;

double cli_batch_minutes(double seconds)
{
	static const double steps[] = {1, 5, 10, 15, 30, 60, 120, 240, 720, 1440};
	double minutes = ceil(seconds / 60), step = 1;
	size_t i;

	for (i = 0; i < sizeof steps / sizeof *steps && steps[i] <= minutes / 20; i++)
		step = steps[i];
	return fmax(1, step * ceil(minutes / step));
}

double cli_batch_mib(double bytes)
{
	return fmax(1, ceil(bytes / 1048576));
}

double cli_batch_margin(const struct cli_request *r)
{
	return (r->sized ? r->request.brief : r->all.brief) ? brief_margin : 1;
}

double cli_batch_overhead(const struct cli_request *r)
{
	return !isnan(r->overhead) ? r->overhead : r->batch ? r->batch->overhead : 0;
}

double cli_batch_bytes(const struct cli_request *r)
{
	return fmax(r->at_least, cli_batch_margin(r) * r->request.memory.most + cli_batch_overhead(r));
}

char *cli_batch_memory(const struct cli_request *r, const char *expression, bool python)
{
	double margin = cli_batch_margin(r), overhead = cli_batch_overhead(r);
	char *text = cli_strdup(expression), *longer, digits[FT_NUMBER_LENGTH];

	if (margin > 1) {
		longer = cli_printed("%g*(%s)", margin, text);
		free(text);
		text = longer;
	}
	if (overhead > 0) {
		longer = cli_printed(python ? "%s + %s" : "%sd + %s", ft_number_format(overhead, digits),
				     text);
		free(text);
		text = longer;
	}
	if (r->at_least > 0) {
		longer = cli_printed(python ? "max(%s, %s)" : "Math.max(%sd, %s)",
				     ft_number_format(r->at_least, digits), text);
		free(text);
		text = longer;
	}
	return text;
}

double cli_batch_cpus(const struct cli_request *r)
{
	double busy = r->sized ? r->request.cpus : r->all.cpus;

	if (r->cpus)
		return (double)r->cpus;
	return isnan(busy) ? busy : fmax(1, ceil(busy - 0.1));
}

char *cli_batch_time(double minutes, char buffer[CLI_BATCH_TIME])
{
	double days = floor(minutes / 1440), hours = floor(fmod(minutes, 1440) / 60),
	       rest = fmod(minutes, 60);

	if (days > 0)
		(void)snprintf(buffer, CLI_BATCH_TIME, "%.0f-%02.0f:%02.0f:00", days, hours, rest);
	else if (hours > 0)
		(void)snprintf(buffer, CLI_BATCH_TIME, "%02.0f:%02.0f:00", hours, rest);
	else
		(void)snprintf(buffer, CLI_BATCH_TIME, "%02.0f:00", rest);
	return buffer;
}

static const struct cli_batch *const formats[] = {
	&cli_batch_slurm, &cli_batch_snakemake, &cli_batch_nextflow, &cli_batch_tpv,
	&cli_batch_pbs,   &cli_batch_lsf,       &cli_batch_htcondor, &cli_batch_sbatch_array,
};

const struct cli_batch *cli_batch_find(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof formats / sizeof *formats; i++)
		if (!strcmp(formats[i]->name, name))
			return formats[i];
	return NULL;
}
