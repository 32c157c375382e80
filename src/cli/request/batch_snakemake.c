/* SPDX-License-Identifier: GPL-3.0-or-later */
/* batch_snakemake.c - resources of a Snakemake rule, for one size or as functions. */
#include "cli/request/batch.h"
#include "base/word.h"
#include "cli/common.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Words that Python keeps for itself: wildcards.class is not allowed. */
static const char keywords[] =
	"False None True and as assert async await break class continue def del elif else except "
	"finally for from global if import in is lambda nonlocal not or pass raise return try while "
	"with yield";

/* input, input.reads, input["reads"]: files, of which the sizes are meant. */
static bool is_files(const char *text)
{
	size_t length = 5;

	if (strncmp(text, "input", length) != 0)
		return false;
	if (text[length] == '.')
		for (length++; isalnum((unsigned char)text[length]) || text[length] == '_';)
			length++;
	else if (text[length] == '[')
		length += strcspn(text + length, "]") + 1;
	return !text[length] && strcmp(text, "input.size") != 0 && strcmp(text, "input.size_mb") != 0;
}

static bool needs_files(const struct cli_request *r)
{
	const struct ft_program *program = ft_ask_program(r->models.answerer);

	for (size_t i = 0; i < program->n_params; i++) {
		const char *given = cli_batch_size_from(r, i);

		if (r->open[i] && (given ? is_files(given) : !isnan(cli_batch_unit(program->param[i].name))))
			return true;
	}
	return false;
}

/* A parameter that is called after the input's size is that; else the wildcard of its name. */
static char *size_of(const struct cli_request *r, const char *program, size_t param)
{
	const char *name = ft_ask_program(r->models.answerer)->param[param].name;
	const char *given = cli_batch_size_from(r, param);
	double unit = cli_batch_unit(name);

	if (given && !is_files(given))
		return cli_strdup(given);
	if (given || !isnan(unit))
		return unit > 1 ? cli_printed("%s_bytes(%s) / %.0f", program, given ? given : "input", unit)
				: cli_printed("%s_bytes(%s)", program, given ? given : "input");
	if (ft_word_at(keywords, name) != SIZE_MAX)
		return cli_printed("getattr(wildcards, \"%s\")", name);
	return cli_printed("wildcards.%s", name);
}

/* The functions that tell sizes. Until an input is made, Snakemake asks nevertheless: then of the largest
 * size measured; it asks again before the job begins. */
static void print_sizes(const struct cli_request *r, const char *program)
{
	const struct ft_program *p = ft_ask_program(r->models.answerer);

	if (needs_files(r))
		printf("\n\ndef %s_bytes(files):\n    files = [files] if isinstance(files, str) else files\n"
		       "    return sum(os.path.getsize(file) for file in files)\n",
		       program);
	for (size_t i = 0; i < p->n_params; i++) {
		char least[FT_NUMBER_LENGTH], most[FT_NUMBER_LENGTH], *from;
		double first, last;

		if (!r->open[i])
			continue;
		from = size_of(r, program, i);
		(void)ft_number_format(cli_batch_least(r, i), least);
		cli_batch_measured(ft_ask_runs(r->models.answerer), i, &first, &last);
		printf("\n\ndef %s_size_%s(wildcards, input):\n", program, p->param[i].name);
		if (!isnan(cli_batch_unit(p->param[i].name)) && !cli_batch_size_from(r, i))
			printf("    # of all inputs together; foretime request --size input.NAME takes "
			       "one alone\n");
		if (strstr(from, "input"))
			printf("    try:\n        return max(%s, float(%s))\n"
			       "    except FileNotFoundError:  # not made yet\n        return %s\n",
			       least, from, ft_number_format(last, most));
		else
			printf("    return max(%s, float(%s))\n", least, from);
		free(from);
	}
}

/* seen: the most that any run needed, in its unit; most: the bound; 0: none. */
static void print_lambda(const struct cli_request *r, const char *what, double number, double seen,
			 double most, const char *comment)
{
	char digits[FT_NUMBER_LENGTH], *try;

	(void)snprintf(digits, sizeof digits, "%.0f", most > 0 ? fmin(most, number) : number);
	try = cli_batch_try(r, digits, "attempt", seen, true);
	if (most > 0)
		printf("        %s=lambda wildcards, attempt: min(%.0f, %s),%s\n", what, most, try, comment);
	else
		printf("        %s=lambda wildcards, attempt: %s,%s\n", what, try, comment);
	free(try);
}

static void print_number(const struct cli_request *r)
{
	double cpus = cli_batch_cpus(r);

	cli_batch_head(r, "#");
	if (!isnan(cpus))
		printf("    threads: %.0f\n", cpus);
	printf("    resources:\n");
	if (r->request.time.resource)
		print_lambda(r, "runtime", ft_tell_minutes(cli_batch_seconds(r)),
			     cli_batch_seen(r, false) / 60, floor(r->bounds.most_s / 60), "  # minutes");
	if (r->request.memory.resource)
		print_lambda(r, "mem_mb", fmax(1, ceil(cli_batch_bytes(r) / 1e6)),
			     cli_batch_seen(r, true) / 1e6, floor(r->bounds.most_bytes / 1e6), "");
}

/* One callable. Snakemake reports what a resource raises and starts nothing. most: the bound; 0: none. */
static void print_function(const struct cli_request *r, const struct ft_request_expression *e,
			   const char *program, const char *what, const char *expression, const char *unit,
			   double most)
{
	const struct ft_program *p = ft_ask_program(r->models.answerer);
	char *beyond = cli_batch_beyond(r, e, true), *unknown, *try;

	unknown = cli_batch_unknown(r, e, e == &r->all.time ? "time" : "memory", true);

	printf("\n\ndef %s_%s(wildcards, input, attempt):\n", program, what);
	for (size_t i = 0; i < p->n_params; i++)
		if (r->open[i])
			printf("    size_%s = %s_size_%s(wildcards, input)\n", p->param[i].name, program,
			       p->param[i].name);
	if (most > 0)
		printf("    if %s:  # not known\n        return %.0f\n", beyond, most);
	else
		printf("    if %s:\n        raise ValueError(f\"%s\")\n", beyond, unknown);
	try = cli_batch_try(r, "requested", "attempt",
			    cli_batch_seen(r, e != &r->all.time) / (e != &r->all.time ? 1e6 : 60), true);
	if (r->risk < 0)
		printf("    requested = max(1, math.ceil((%s) / %s))\n", expression, unit);
	else
		cli_reprint(&try, "max(1, math.ceil(attempt * (%s) / %s))", expression, unit);
	if (most > 0)
		printf("    return min(%.0f, %s)\n", most, try);
	else
		printf("    return %s\n", try);
	free(try);
	free(beyond);
	free(unknown);
}

static void print_functions(const struct cli_request *r)
{
	char *name = cli_batch_identifier(ft_ask_program(r->models.answerer)->name), *text, *memory;
	double cpus = cli_batch_cpus(r);

	cli_batch_head(r, "#");
	printf("# in the rule:\n");
	if (!isnan(cpus))
		printf("#     threads: %.0f\n", cpus);
	printf("#     resources: %s%s%s%s%s%s\n", r->all.time.text ? "runtime=" : "",
	       r->all.time.text ? name : "", r->all.time.text ? "_runtime, " : "",
	       r->all.memory.text ? "mem_mb=" : "", r->all.memory.text ? name : "",
	       r->all.memory.text ? "_mem_mb" : "");
	printf("import math\nimport os\n");
	print_sizes(r, name);
	if (r->all.time.text) {
		text = cli_batch_language(r, r->all.time.text, true);
		print_function(r, &r->all.time, name, "runtime", text ? text : "", "60",
			       floor(r->bounds.most_s / 60));
		free(text);
	}
	if (r->all.memory.text) {
		text = cli_batch_language(r, r->all.memory.text, true);
		memory = cli_batch_memory(r, text ? text : "", true);
		print_function(r, &r->all.memory, name, "mem_mb", memory, "1e6",
			       floor(r->bounds.most_bytes / 1e6));
		free(memory);
		free(text);
	}
	free(name);
}

static void print_rule(const struct cli_request *r)
{
	if (r->sized && !r->expression)
		print_number(r);
	else
		print_functions(r);
}

/* Within the job Snakemake runs once more: 73 MB of 7.21 here, 82 MB with its shells; below its executor for
 * Slurm there are two, 125 MB. */
const struct cli_batch cli_batch_snakemake = {"snakemake", true, 125e6, print_rule, NULL};
