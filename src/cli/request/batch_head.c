/* SPDX-License-Identifier: GPL-3.0-or-later */
/* batch_head.c - what stands above a snippet. */
#include "cli/request/batch.h"
#include "cli/common.h"
#include "cli/facts.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>

/* Text in a comment: one line, whatever a machine is called. */
static void print_line(const char *mark, const char *text)
{
	printf("%s ", mark);
	for (; *text; text++)
		putchar(iscntrl((unsigned char)*text) ? ' ' : *text);
	putchar('\n');
}

void cli_batch_measured(const struct ft_runs *runs, size_t param, double *least, double *most)
{
	*least = *most = NAN;
	for (size_t i = 0; i < runs->n; i++) {
		const struct ft_run *run = &runs->run[i];

		if (run->outcome != FT_DONE || run->warmup || param >= run->size.n)
			continue;
		*least = fmin(*least, run->size.value[param]); /* fmin and fmax pass over NaN */
		*most = fmax(*most, run->size.value[param]);
	}
}

/* Of both resources the smaller one; of tasks of an array, which are all known, the largest measured. */
static double known_to(const struct cli_request *r, size_t param)
{
	double least, most, known = INFINITY;

	if (r->all.time.text)
		known = fmin(known, r->all.time.known[param]);
	if (r->all.memory.text)
		known = fmin(known, r->all.memory.known[param]);
	cli_batch_measured(ft_ask_runs(r->models.answerer), param, &least, &most);
	return isinf(known) ? most : known;
}

void cli_batch_head(const struct cli_request *r, const char *mark)
{
	const struct ft_program *program = ft_ask_program(r->models.answerer);
	char *machine = cli_machine_text(ft_ask_machine(r->models.answerer));
	char risk[FT_UNIT_LENGTH], size[256], from[FT_NUMBER_LENGTH], to[FT_NUMBER_LENGTH];
	char known[FT_NUMBER_LENGTH], *line;

	line = cli_printed("%s, from %zu runs on %s: %s of runs may need more time or memory than this",
			   program->name, ft_ask_runs(r->models.answerer)->n, machine,
			   ft_share_format(cli_batch_risk(r), risk));
	print_line(mark, line);
	free(line);
	if (r->sized) {
		bool beyond = r->request.time.at.basis == FT_BASIS_BEYOND ||
			      r->request.memory.at.basis == FT_BASIS_BEYOND;

		(void)ft_size_format(program, &r->size, size, sizeof size);
		line = cli_printed("at %s%s", size, beyond ? ", extrapolated" : "");
		print_line(mark, line);
		free(line);
	}
	for (size_t i = 0; i < program->n_params && !r->sized; i++) {
		const char *name = program->param[i].name;
		double least, most;

		cli_batch_measured(ft_ask_runs(r->models.answerer), i, &least, &most);
		if (r->open[i])
			printf("%s measured for %s = %s .. %s, known up to %s\n", mark, name,
			       ft_number_format(least, from), ft_number_format(most, to),
			       ft_number_format(known_to(r, i), known));
		else
			printf("%s %s = %s\n", mark, name, ft_number_format(r->size.value[i], from));
	}
	if (!r->sized && !isnan(r->all.killed))
		printf("%s a run at %s was killed for memory: what larger ones need is not known\n", mark,
		       ft_number_format(r->all.killed, from));
	if (cli_batch_margin(r) > 1)
		printf("%s memory was learned from runs of under a second: %g times that is requested\n",
		       mark, cli_batch_margin(r));
	if (cli_batch_overhead(r) > 0)
		printf("%s and %s for other processes of the job (--overhead)\n", mark,
		       ft_value_format(cli_batch_overhead(r), "bytes", risk));
	free(machine);
}
