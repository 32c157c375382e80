/* SPDX-License-Identifier: GPL-3.0-or-later */
/* batch.c - requests in the forms that batch systems and workflow languages take: the numbers, and the forms.
 */
#include "cli/request/batch.h"
#include "cli/common.h"
#include "cli/facts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double cli_batch_risk(const struct cli_request *r)
{
	return r->sized ? r->request.risk : r->all.risk;
}

double cli_batch_margin(const struct cli_request *r)
{
	return ft_tell_margin(r->sized ? r->request.brief : r->all.brief);
}

double cli_batch_overhead(const struct cli_request *r)
{
	return !isnan(r->asked.overhead) ? r->asked.overhead : r->batch ? r->batch->overhead : 0;
}

double cli_batch_bytes(const struct cli_request *r)
{
	return ft_tell_bytes(r->request.memory.most, r->request.brief, cli_batch_overhead(r), &r->bounds);
}

double cli_batch_seconds(const struct cli_request *r)
{
	return ft_tell_seconds(r->request.time.most, &r->bounds);
}

int cli_batch_answered(struct cli_request *r, struct ft_err *why)
{
	return ft_tell_answered(&r->request, ft_ask_program(r->models.answerer), &r->size,
				cli_batch_overhead(r), &r->bounds, why)
		       ? cli_error(why)
		       : CLI_DONE;
}

/* A bound below what was needed already, and in which place it stands. */
static void tell_bound(const struct cli_request *r, const struct ft_need *need, double seen, double bound,
		       double wanted, const char *unit)
{
	char most[FT_UNIT_LENGTH], needed[FT_UNIT_LENGTH], asked[FT_UNIT_LENGTH], risk[FT_UNIT_LENGTH];

	if (!(bound > 0))
		return;
	(void)ft_value_format(bound, unit, most);
	if (seen > bound)
		cli_note("a run needed %s, more than --at-most %s", ft_value_format(seen, unit, needed),
			 most);
	if (!r->sized || !need->resource)
		return;
	if (need->doubt)
		cli_note("%s is not known at this size: requesting --at-most %s", need->resource->name, most);
	else if (wanted > bound * (1 + 1e-9))
		cli_note("--at-most %s is less than the %s of a risk of %s", most,
			 ft_value_format(wanted, unit, asked), ft_share_format(cli_batch_risk(r), risk));
}

void cli_batch_notes(const struct cli_request *r)
{
	const struct ft_machine *machine = ft_ask_answered_machine(r->models.answerer);
	char asked[FT_UNIT_LENGTH], has[FT_UNIT_LENGTH];

	tell_bound(r, &r->request.time, r->sized ? r->request.time.seen : r->all.time.seen, r->bounds.most_s,
		   r->request.time.most, "s");
	tell_bound(r, &r->request.memory, r->sized ? r->request.memory.seen : r->all.memory.seen,
		   r->bounds.most_bytes,
		   ft_tell_bytes(r->request.memory.most, r->request.brief, cli_batch_overhead(r), NULL),
		   "bytes");
	if (r->sized && r->request.memory.resource && machine->memory_bytes > 0 &&
	    cli_batch_bytes(r) > (double)machine->memory_bytes)
		cli_note("%s is more memory than %s has: %s",
			 ft_value_format(cli_batch_bytes(r), "bytes", asked),
			 machine->host ? machine->host : "the machine of the runs",
			 ft_value_format((double)machine->memory_bytes, "bytes", has));
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
	if (r->bounds.least_bytes > 0) {
		cli_reprint(&text, python ? "max(%s, %s)" : "Math.max(%sd, %s)",
			    ft_number_format(r->bounds.least_bytes, digits), text);
	}
	return text;
}

double cli_batch_seen(const struct cli_request *r, bool memory)
{
	if (!memory)
		return r->sized && !r->expression ? r->request.time.seen : r->all.time.seen;
	return cli_batch_margin(r) *
		       (r->sized && !r->expression ? r->request.memory.seen : r->all.memory.seen) +
	       cli_batch_overhead(r);
}

char *cli_batch_try(const struct cli_request *r, const char *asked, const char *number, double seen,
		    bool python)
{
	seen = fmax(1, ceil(seen));
	if (r->risk == FT_RISK_LEAST_DOUBLE)
		return cli_printed("2 ** (%s - 1) * %s", number, asked);
	if (r->risk == FT_RISK_LEAST_MOST && python)
		return cli_printed("(%s if %s == 1 else 2 ** (%s - 2) * (%.0f if %s < %.0f else 2 * %s))",
				   asked, number, number, seen, asked, seen, asked);
	if (r->risk == FT_RISK_LEAST_MOST)
		return cli_printed("(%s == 1 ? %s : 2 ** (%s - 2) * (%s < %.0f ? %.0f : 2 * %s))", number,
				   asked, number, asked, seen, seen, asked);
	return cli_printed("%s * %s", asked, number);
}

char *cli_batch_beyond(const struct cli_request *r, const struct ft_request_expression *e, bool python)
{
	const struct ft_program *program = ft_ask_program(r->models.answerer);
	char *text = cli_strdup(""), digits[FT_NUMBER_LENGTH];

	for (size_t i = 0; i < program->n_params; i++)
		if (r->open[i]) {
			cli_reprint(&text, "%s%ssize_%s > %s", text,
				    !*text   ? ""
				    : python ? " or "
					     : " || ",
				    program->param[i].name, ft_number_format(e->known[i], digits));
		}
	return text;
}

char *cli_batch_unknown(const struct cli_request *r, const struct ft_request_expression *e, const char *what,
			bool python)
{
	const struct ft_program *program = ft_ask_program(r->models.answerer);
	char *text = cli_batch_identifier(program->name), digits[FT_NUMBER_LENGTH];
	size_t n = 0;

	cli_reprint(&text, "%s: the %s at", text, what);
	for (size_t i = 0; i < program->n_params; i++)
		if (r->open[i]) {
			cli_reprint(&text, python ? "%s%s %s={size_%s:g}" : "%s%s %s=${size_%s}", text,
				    n++ ? "," : "", program->param[i].name, program->param[i].name);
		}
	cli_reprint(&text, "%s is not known beyond", text);
	for (size_t i = n = 0; i < program->n_params; i++)
		if (r->open[i]) {
			cli_reprint(&text, "%s%s %s=%s", text, n++ ? "," : "", program->param[i].name,
				    ft_number_format(e->known[i], digits));
		}
	cli_reprint(&text, "%s: measure larger sizes, or give foretime request --at-most", text);
	return text;
}

double cli_batch_cpus(const struct cli_request *r)
{
	if (r->asked.cpus)
		return (double)r->asked.cpus;
	return ft_tell_cpus(r->sized ? r->request.cpus : r->all.cpus);
}

static const struct cli_batch *const formats[] = {
	&cli_batch_slurm, &cli_batch_snakemake, &cli_batch_nextflow, &cli_batch_tpv,
	&cli_batch_pbs,   &cli_batch_lsf,       &cli_batch_htcondor, &cli_batch_sbatch_array,
};

const struct cli_batch *cli_batch_find(const char *name)
{
	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
		if (!strcmp(formats[i]->name, name))
			return formats[i];
	return NULL;
}
