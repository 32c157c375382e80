/* SPDX-License-Identifier: GPL-3.0-or-later */
/* batch.c - requests in the forms that batch systems and workflow languages take. */
#include "cli/request/batch.h"
#include "cli/common.h"
#include "cli/facts.h"
#include "foretime/expr.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- numbers ---------------------------------------------------------------------------------------------
 */

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

char *cli_batch_slurm(const struct cli_request *r)
{
	char time[CLI_BATCH_TIME], *text = cli_strdup(""), *longer;
	double cpus = cli_batch_cpus(r);

	if (r->request.time.resource[0]) {
		free(text);
		text = cli_printed("--time=%s ",
				   cli_batch_time(cli_batch_minutes(r->request.time.most), time));
	}
	if (r->request.memory.resource[0]) {
		longer = cli_printed("%s--mem=%.0fM ", text, cli_batch_mib(r->request.memory.most));
		free(text);
		text = longer;
	}
	if (!isnan(cpus)) {
		longer = cli_printed("%s--cpus-per-task=%.0f ", text, cpus);
		free(text);
		text = longer;
	}
	text[strlen(text) - (*text != '\0')] = '\0'; /* the last blank */
	return text;
}

/* ---- where sizes come from -------------------------------------------------------------------------------
 */

/* The parameter that a --size-from is about, and its expression; -1 when it names none and several are open.
 */
static int size_from_of(const struct cli_request *r, const char *text, const char **expression)
{
	const struct ft_program *program = ft_ask_program(r->models.answerer);
	size_t length = strcspn(text, "="), i;
	int only = -1;

	for (i = 0; i < program->n_params; i++) {
		const char *name = program->param[i].name;

		if (text[length] == '=' && text[length + 1] != '=' && strlen(name) == length &&
		    !strncmp(name, text, length)) {
			*expression = text + length + 1;
			return (int)i;
		}
		if (r->open[i])
			only = only == -1 ? (int)i : -2;
	}
	*expression = text;
	return only < 0 ? -1 : only;
}

int cli_batch_check(const struct cli_request *r)
{
	const struct ft_program *program = ft_ask_program(r->models.answerer);
	bool said[FT_PARAMS_MAX] = {false};
	size_t i;

	for (i = 0; i < r->size_from.n; i++) {
		const char *expression, *c;
		int param = size_from_of(r, r->size_from.text[i], &expression);

		if (param < 0) {
			(void)cli_fail("--size-from '%s' is of which parameter?", r->size_from.text[i]);
			cli_hint("write --size-from 'NAME=EXPRESSION', once for each");
			return CLI_WRONG;
		}
		if (!r->open[param])
			return cli_fail("--size-from '%s': parameter '%s' is not left open",
					r->size_from.text[i], program->param[param].name);
		if (said[param])
			return cli_fail("--size-from tells twice where '%s' comes from",
					program->param[param].name);
		said[param] = true;
		for (c = expression; *c; c++)
			if (iscntrl((unsigned char)*c))
				return cli_fail("--size-from holds a control character");
		if (!*expression)
			return cli_fail("--size-from '%s' has no expression", r->size_from.text[i]);
	}
	return CLI_DONE;
}

static const char *size_from(const struct cli_request *r, size_t param)
{
	const char *expression;
	size_t i;

	for (i = 0; i < r->size_from.n; i++)
		if (size_from_of(r, r->size_from.text[i], &expression) == (int)param)
			return expression;
	return NULL;
}

static bool is_one_of(const char *word, const char *const *words)
{
	while (*words)
		if (!strcmp(word, *words++))
			return true;
	return false;
}

/* A parameter that is called after the input's size is that; else the wildcard, or the input, of its name. */
static char *size_in_snakemake(const struct cli_request *r, size_t param)
{
	static const char *const bytes[] = {"bytes", "size_bytes", "input_bytes", NULL};
	static const char *const megabytes[] = {"mb", "size_mb", "input_mb", NULL};
	const char *name = ft_ask_program(r->models.answerer)->param[param].name,
		   *given = size_from(r, param);

	if (given)
		return cli_strdup(given);
	if (is_one_of(name, bytes))
		return cli_strdup("input.size");
	if (is_one_of(name, megabytes))
		return cli_strdup("input.size_mb");
	return cli_printed("wildcards.%s", name);
}

/* ---- expressions in other languages ----------------------------------------------------------------------
 */

/* Parameters under names that no language keeps for itself: n is size_n. A name before '(' is a function. */
static char *rename_params(const struct ft_program *program, const char *text)
{
	char *out = cli_strdup("");

	while (*text) {
		size_t length = 0, i;
		bool is_param = false;
		char *longer;

		while (isalnum((unsigned char)text[length]) || text[length] == '_')
			length++;
		for (i = 0; i < program->n_params && text[length] != '('; i++)
			is_param = is_param || (strlen(program->param[i].name) == length &&
						!strncmp(text, program->param[i].name, length));
		length = length ? length : 1;
		longer = cli_printed("%s%s%.*s", out, is_param ? "size_" : "", (int)length, text);
		free(out);
		out = longer;
		text += length;
	}
	return out;
}

char *cli_batch_language(const struct cli_request *r, const char *text, bool python)
{
	enum ft_expr_language language = python ? FT_EXPR_PYTHON : FT_EXPR_GROOVY;
	char *renamed = rename_params(ft_ask_program(r->models.answerer), text), *out = NULL;
	struct ft_expr *expr;
	struct ft_err err = {0};
	size_t length;

	if (ft_expr_new(&expr, renamed, &err)) {
		(void)cli_error(&err);
	} else {
		length = ft_expr_print(expr, language, NULL, 0);
		out = cli_alloc(length + 1);
		(void)ft_expr_print(expr, language, out, length + 1);
	}
	ft_expr_free(expr);
	free(renamed);
	return out;
}

/* ---- what stands above a snippet -------------------------------------------------------------------------
 */

/* Text in a comment: one line, whatever a machine is called. */
static void print_line(const char *mark, const char *text)
{
	printf("%s ", mark);
	for (; *text; text++)
		putchar(iscntrl((unsigned char)*text) ? ' ' : *text);
	putchar('\n');
}

/* The values of a parameter at which a run ended well. */
static void find_measured(const struct ft_runs *runs, size_t param, double *least, double *most)
{
	size_t i;

	*least = *most = NAN;
	for (i = 0; i < runs->n; i++) {
		const struct ft_run *run = &runs->run[i];

		if (run->outcome != FT_DONE || run->warmup || param >= run->size.n)
			continue;
		*least = fmin(*least, run->size.value[param]); /* fmin and fmax pass over NaN */
		*most = fmax(*most, run->size.value[param]);
	}
}

static void print_head(const struct cli_request *r, const char *mark)
{
	const struct ft_program *program = ft_ask_program(r->models.answerer);
	char *machine = cli_machine_text(ft_ask_machine(r->models.answerer));
	char risk[FT_UNIT_LENGTH], size[256], from[FT_NUMBER_LENGTH], to[FT_NUMBER_LENGTH], *line;
	size_t i;

	line = cli_printed("%s, from %zu runs on %s: %s of runs may need more time or memory than this",
			   program->name, ft_ask_runs(r->models.answerer)->n, machine,
			   ft_share_format(r->risk, risk));
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
	for (i = 0; i < program->n_params && !r->sized; i++) {
		const char *name = program->param[i].name;
		double least, most;

		find_measured(ft_ask_runs(r->models.answerer), i, &least, &most);
		if (r->open[i])
			printf("%s measured for %s = %s .. %s, extrapolated elsewhere\n", mark, name,
			       ft_number_format(least, from), ft_number_format(most, to));
		else
			printf("%s %s = %s\n", mark, name, ft_number_format(r->size.value[i], from));
	}
	if (!r->sized && !isnan(r->all.killed))
		printf("%s a run at %s was killed for memory: what larger ones need is not known\n", mark,
		       ft_number_format(r->all.killed, from));
	free(machine);
}

/* ---- Slurm -----------------------------------------------------------------------------------------------
 */

static void print_slurm(const struct cli_request *r)
{
	char *text = cli_batch_slurm(r), *failing = cli_failing_text(&r->models);

	puts(text);
	free(text);
	if (failing && isnan(r->request.killed)) /* that is told otherwise */
		cli_note("%s", failing);
	free(failing);
	if (r->request.time.at.basis == FT_BASIS_BEYOND || r->request.memory.at.basis == FT_BASIS_BEYOND)
		cli_note("extrapolated %.3gx beyond the data",
			 fmax(r->request.time.at.distance, r->request.memory.at.distance));
}

/* ---- Snakemake -------------------------------------------------------------------------------------------
 */

/* A name as an identifier. */
static char *identifier(const char *name)
{
	char *out = cli_printed("%s%s", isdigit((unsigned char)*name) ? "_" : "", name), *c;

	for (c = out; *c; c++)
		if (!isalnum((unsigned char)*c) && *c != '_')
			*c = '_';
	return out;
}

static void print_snakemake_number(const struct cli_request *r)
{
	double cpus = cli_batch_cpus(r);

	print_head(r, "#");
	if (!isnan(cpus))
		printf("    threads: %.0f\n", cpus);
	printf("    resources:\n");
	if (r->request.time.resource[0])
		printf("        runtime=lambda wildcards, attempt: %.0f * attempt,  # minutes\n",
		       cli_batch_minutes(r->request.time.most));
	if (r->request.memory.resource[0])
		printf("        mem_mb=lambda wildcards, attempt: %.0f * attempt,\n",
		       ceil(r->request.memory.most / 1e6));
}

/* One callable. */
static void print_function(const struct cli_request *r, const char *name, const char *what, const char *text,
			   const char *unit)
{
	const struct ft_program *program = ft_ask_program(r->models.answerer);
	char *expression = cli_batch_language(r, text, true);
	size_t i;

	printf("\n\ndef %s_%s(wildcards, input, attempt):\n", name, what);
	for (i = 0; i < program->n_params; i++) {
		char *from;

		if (!r->open[i])
			continue;
		from = size_in_snakemake(r, i);
		printf("    size_%s = float(%s)\n", program->param[i].name, from);
		free(from);
	}
	printf("    return math.ceil(attempt * (%s) / %s)\n", expression ? expression : "", unit);
	free(expression);
}

static void print_snakemake(const struct cli_request *r)
{
	char *name = identifier(ft_ask_program(r->models.answerer)->name);
	double cpus = cli_batch_cpus(r);

	if (r->sized && !r->expression) {
		print_snakemake_number(r);
		free(name);
		return;
	}
	print_head(r, "#");
	printf("# in the rule:\n");
	if (!isnan(cpus))
		printf("#     threads: %.0f\n", cpus);
	printf("#     resources: %s%s%s%s%s%s\n", r->all.time.text ? "runtime=" : "",
	       r->all.time.text ? name : "", r->all.time.text ? "_runtime, " : "",
	       r->all.memory.text ? "mem_mb=" : "", r->all.memory.text ? name : "",
	       r->all.memory.text ? "_mem_mb" : "");
	printf("import math\n");
	if (r->all.time.text)
		print_function(r, name, "runtime", r->all.time.text, "60");
	if (r->all.memory.text)
		print_function(r, name, "mem_mb", r->all.memory.text, "1e6");
	free(name);
}

/* ---- Nextflow --------------------------------------------------------------------------------------------
 */

static void print_directive(const struct cli_request *r, const char *name, const char *unit, const char *text,
			    const char *divisor)
{
	const struct ft_program *program = ft_ask_program(r->models.answerer);
	char *expression = cli_batch_language(r, text, false);
	size_t i;

	printf("    %s {\n", name);
	for (i = 0; i < program->n_params; i++)
		if (r->open[i])
			printf("        def size_%s = (%s) as double\n", program->param[i].name,
			       size_from(r, i) ? size_from(r, i) : program->param[i].name);
	printf("        %s * (Math.ceil((%s) / %s) as long) * task.attempt\n    }\n", unit,
	       expression ? expression : "", divisor);
	free(expression);
}

static void print_nextflow(const struct cli_request *r)
{
	double cpus = cli_batch_cpus(r);
	bool number = r->sized && !r->expression;

	print_head(r, "//");
	printf("// tried again with more: errorStrategy 'retry'; maxRetries 2\n");
	if (!isnan(cpus))
		printf("    cpus %.0f\n", cpus);
	if (number && r->request.time.resource[0])
		printf("    time { %.0f.min * task.attempt }\n", cli_batch_minutes(r->request.time.most));
	else if (!number && r->all.time.text)
		print_directive(r, "time", "1.min", r->all.time.text, "60.0d");
	if (number && r->request.memory.resource[0])
		printf("    memory { %.0f.MB * task.attempt }\n", cli_batch_mib(r->request.memory.most));
	else if (!number && r->all.memory.text)
		print_directive(r, "memory", "1.MB", r->all.memory.text, "1048576.0d");
}

static const struct cli_batch formats[] = {
	{"slurm", false, print_slurm},
	{"snakemake", true, print_snakemake},
	{"nextflow", true, print_nextflow},
};

const struct cli_batch *cli_batch_get(size_t i)
{
	return i < sizeof formats / sizeof *formats ? &formats[i] : NULL;
}
