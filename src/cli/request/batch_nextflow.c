/* SPDX-License-Identifier: GPL-3.0-or-later */
/* batch_nextflow.c - directives of a Nextflow process, for one size or as closures. */
#include "cli/request/batch.h"
#include "base/word.h"
#include "cli/common.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* Words that Groovy keeps for itself: an input cannot be called so. */
static const char keywords[] =
	"abstract as assert boolean break byte case catch char class const continue def default do "
	"double else enum extends false final finally float for goto if implements import in "
	"instanceof int interface long native new null package private protected public return short "
	"static strictfp super switch synchronized this threadsafe throw throws trait transient true "
	"try var void volatile while";

/* What a task ends with that ran out: of time 140 (a signal of LSF and Grid Engine) and 143 (SIGTERM, from
 * Slurm), of memory 137 (SIGKILL), 134 (abort), 139, 104 and 247. */
static const char out_of_time[] = "140, 143", out_of_memory[] = "104, 134, 137, 139, 247";

/* How much more is asked for: the other resource is not raised by the try that ran out of this one. What ran
 * out is not known at the first try, and not by other ends: then it is the attempt. */
static void print_more(const char *other)
{
	printf("        def more = task.attempt > 1 && task.exitStatus in [%s] ? task.attempt - 1 : "
	       "task.attempt\n",
	       other);
}

/* seen: the most that any run needed, most: the bound, in the unit; 0: none. */
static void print_directive(const struct cli_request *r, const struct ft_request_expression *e,
			    const char *name, const char *unit, const char *expression, const char *divisor,
			    double seen, double most, const char *other)
{
	const struct ft_program *program = ft_ask_program(r->models.answerer);
	char *beyond = cli_batch_beyond(r, e, false), *unknown = cli_batch_unknown(r, e, name, false);

	printf("    %s {\n", name);
	for (size_t i = 0; i < program->n_params; i++) {
		const char *from = cli_batch_size_from(r, i);
		char least[FT_NUMBER_LENGTH];

		if (r->open[i])
			printf("        def size_%s = Math.max(%s as double, (%s) as double)\n",
			       program->param[i].name, ft_number_format(cli_batch_least(r, i), least),
			       from ? from : program->param[i].name);
	}
	print_more(other);
	if (most > 0)
		printf("        if (%s) return %s * %.0f\n", beyond, unit, most);
	else
		printf("        if (%s) throw new IllegalArgumentException(\"%s\")\n", beyond, unknown);
	char *try = cli_batch_try(r, "requested", "more", seen, false);
	if (r->risk < 0)
		printf("        def requested = Math.max(1, Math.ceil((%s) / %s) as long)\n", expression,
		       divisor);
	else
		cli_reprint(&try, "Math.max(1, Math.ceil((%s) / %s) as long) * more", expression, divisor);
	if (most > 0)
		printf("        %s * Math.min(%.0f, %s)\n    }\n", unit, most, try);
	else
		printf("        %s * %s\n    }\n", unit, try);
	free(try);
	free(beyond);
	free(unknown);
}

static void print_closures(const struct cli_request *r)
{
	char *text;

	if (r->all.time.text) {
		text = cli_batch_language(r, r->all.time.text, false);
		print_directive(r, &r->all.time, "time", "1.min", text ? text : "", "60.0d",
				cli_batch_seen(r, false) / 60, floor(r->bounds.most_s / 60), out_of_memory);
		free(text);
	}
	if (r->all.memory.text) {
		text = cli_batch_language(r, r->all.memory.text, false);
		char *memory = cli_batch_memory(r, text ? text : "", false);
		print_directive(r, &r->all.memory, "memory", "1.MB", memory, "1048576.0d",
				cli_batch_seen(r, true) / 1048576, floor(r->bounds.most_bytes / 1048576),
				out_of_time);
		free(memory);
		free(text);
	}
}

static void print_number(const struct cli_request *r, const char *name, double number, const char *unit,
			 double seen, double most, const char *other)
{
	char digits[FT_NUMBER_LENGTH], *try;

	(void)snprintf(digits, sizeof digits, "%.0f", most > 0 ? fmin(most, number) : number);
	try = cli_batch_try(r, digits, "more", seen, false);
	printf("    %s {\n", name);
	print_more(other);
	if (most > 0)
		printf("        1.%s * Math.min(%.0f, %s)\n    }\n", unit, most, try);
	else if (r->risk < 0)
		printf("        1.%s * %s\n    }\n", unit, try);
	else
		printf("        %s.%s * more\n    }\n", digits, unit);
	free(try);
}

static void print_process(const struct cli_request *r)
{
	double cpus = cli_batch_cpus(r);

	cli_batch_head(r, "//");
	printf("// tried again with more of what ran out: errorStrategy 'retry'; maxRetries 2\n");
	if (!isnan(cpus))
		printf("    cpus %.0f\n", cpus);
	if (!r->sized || r->expression) {
		print_closures(r);
		return;
	}
	if (r->request.time.resource)
		print_number(r, "time", ft_tell_minutes(cli_batch_seconds(r)), "min",
			     cli_batch_seen(r, false) / 60, floor(r->bounds.most_s / 60), out_of_memory);
	if (r->request.memory.resource)
		print_number(r, "memory", ft_tell_mib(cli_batch_bytes(r)), "MB",
			     cli_batch_seen(r, true) / 1048576, floor(r->bounds.most_bytes / 1048576),
			     out_of_time);
}

static int check_names(const struct cli_request *r)
{
	const struct ft_program *program = ft_ask_program(r->models.answerer);

	for (size_t i = 0; i < program->n_params; i++)
		if (r->open[i] && !cli_batch_size_from(r, i) &&
		    ft_word_at(keywords, program->param[i].name) != SIZE_MAX)
			return cli_fail("no input of a Nextflow process can be called '%s'\n"
					"hint: give its source: --size '%s=EXPRESSION'",
					program->param[i].name, program->param[i].name);
	return CLI_DONE;
}

/* The script that wraps a task is one of bash, with ps and awk beside it. */
const struct cli_batch cli_batch_nextflow = {"nextflow", true, 16e6, print_process, check_names};
