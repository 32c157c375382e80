/* SPDX-License-Identifier: GPL-3.0-or-later */
/* batch.c - requests in the forms that batch systems and workflow languages take: the numbers, and the forms.
 */
#include "cli/request/batch.h"
#include "cli/common.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double cli_batch_margin(const struct cli_request *r)
{
	return ft_tell_margin(r->sized ? r->request.brief : r->all.brief);
}

double cli_batch_overhead(const struct cli_request *r)
{
	return !isnan(r->overhead) ? r->overhead : r->batch ? r->batch->overhead : 0;
}

double cli_batch_bytes(const struct cli_request *r)
{
	return ft_tell_bytes(r->request.memory.most, r->request.brief, cli_batch_overhead(r), r->at_least);
}

char *cli_batch_memory(const struct cli_request *r, const char *expression, bool python)
{
	double margin = cli_batch_margin(r), overhead = cli_batch_overhead(r);
	char *text = cli_strdup(expression), digits[FT_NUMBER_LENGTH];

	if (margin > 1) {
		cli_reprint(&text, "%g*(%s)", margin, text);
	}
	if (overhead > 0) {
		cli_reprint(&text, python ? "%s + %s" : "%sd + %s", ft_number_format(overhead, digits), text);
	}
	if (r->at_least > 0) {
		cli_reprint(&text, python ? "max(%s, %s)" : "Math.max(%sd, %s)",
			    ft_number_format(r->at_least, digits), text);
	}
	return text;
}

double cli_batch_cpus(const struct cli_request *r)
{
	if (r->cpus)
		return (double)r->cpus;
	return ft_tell_cpus(r->sized ? r->request.cpus : r->all.cpus);
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
