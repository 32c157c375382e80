/* SPDX-License-Identifier: GPL-3.0-or-later */
/* batch_workflows.c - requests for Nextflow, Snakemake and Galaxy's Total Perspective Vortex (TPV: cores,
 * mem in GB of 2^30 bytes, and a walltime, by input_size in GB; its expressions use only Python
 * built-ins). */
#include "base/text.h"
#include "cli/cli.h"
#include "cli/request/batch.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/*
 * Print directives of a Nextflow process, for one size or as closures.
 */

/* Words that Groovy keeps for itself: an input cannot be called so. */
static const char keywords[] =
	"abstract as assert boolean break byte case catch char class const continue def default do "
	"double else enum extends false final finally float for goto if implements import in "
	"instanceof int interface long native new null package private protected public return short "
	"static strictfp super switch synchronized this threadsafe throw throws trait transient true "
	"try var void volatile while";

/* Exit statuses of a task that ran out: of time 140 (a signal of LSF and Grid Engine) and 143 (SIGTERM,
 * from Slurm), of memory 137 (SIGKILL), 134 (abort), 139, 104 and 247. */
static const char out_of_time[] = "140, 143", out_of_memory[] = "104, 134, 137, 139, 247";

/* Nothing tells that a file system was full: other ends than those of time and memory may mean it. */
static const char out_of_either[] = "104, 134, 137, 139, 140, 143, 247";

/* How much more to request: running out of one resource does not raise the other. What ran out is unknown
 * at the first try, and with other statuses: then the attempt counts. */
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
	if (cli_batch_gpu(r))
		printf("    accelerator 1\n");
	if (!r->sized || r->expression) {
		char *text;

		if (r->all.time.text) {
			text = cli_batch_language(r, r->all.time.text, false);
			print_directive(r, &r->all.time, "time", "1.min", text ? text : "", "60.0d",
					cli_batch_seen(r, false) / 60, floor(r->bounds.most_s / 60),
					out_of_memory);
			free(text);
		}
		if (r->all.memory.text) {
			text = cli_batch_language(r, r->all.memory.text, false);
			char *memory = cli_batch_memory(r, text ? text : "", false);
			print_directive(r, &r->all.memory, "memory", "1.MB", memory, "1048576.0d",
					cli_batch_seen(r, true) / 1048576,
					floor(r->bounds.most_bytes / 1048576), out_of_time);
			free(memory);
			free(text);
		}
		if (r->all.scratch.text) {
			text = cli_batch_language(r, r->all.scratch.text, false);
			print_directive(r, &r->all.scratch, "disk", "1.MB", text ? text : "", "1048576.0d",
					r->all.scratch.seen / 1048576, 0, out_of_either);
			free(text);
		}
		return;
	}
	if (r->request.time.resource)
		print_number(r, "time", ft_tell_minutes(cli_batch_seconds(r)), "min",
			     cli_batch_seen(r, false) / 60, floor(r->bounds.most_s / 60), out_of_memory);
	if (r->request.memory.resource)
		print_number(r, "memory", ft_tell_mib(cli_batch_bytes(r)), "MB",
			     cli_batch_seen(r, true) / 1048576, floor(r->bounds.most_bytes / 1048576),
			     out_of_time);
	if (ft_tell_scratch(&r->request) > 0)
		print_number(r, "disk", ft_tell_mib(ft_tell_scratch(&r->request)), "MB",
			     r->request.scratch.seen / 1048576, 0, out_of_either);
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

/* Nextflow's wrapper script needs bash, ps and awk. */
const struct cli_batch cli_batch_nextflow = {"nextflow", true, 16e6, print_process, check_names};

/*
 * Print resources of a Snakemake rule, for one size or as functions.
 */

/* Words that Python keeps for itself: wildcards.class is not allowed. */
static const char snakemake_keywords[] =
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

		if (r->open[i] &&
		    (given ? is_files(given) : !isnan(ft_tell_size_unit(program->param[i].name))))
			return true;
	}
	return false;
}

/*
 * Requests for Nextflow, Snakemake and Galaxy's Total Perspective Vortex (TPV: cores, mem in GB of 2^30
 * bytes, and a walltime, by input_size in GB; its expressions use only Python built-ins).
 */

/* A parameter that is called after the input's size is that; else the wildcard of its name. */
static char *size_of(const struct cli_request *r, const char *program, size_t param)
{
	const char *name = ft_ask_program(r->models.answerer)->param[param].name;
	const char *given = cli_batch_size_from(r, param);
	double unit = ft_tell_size_unit(name);

	if (given && !is_files(given))
		return cli_strdup(given);
	if (given || !isnan(unit))
		return unit > 1 ? cli_printed("%s_bytes(%s) / %.0f", program, given ? given : "input", unit)
				: cli_printed("%s_bytes(%s)", program, given ? given : "input");
	if (ft_word_at(snakemake_keywords, name) != SIZE_MAX)
		return cli_printed("getattr(wildcards, \"%s\")", name);
	return cli_printed("wildcards.%s", name);
}

/* The functions that return sizes. Snakemake calls them even before an input exists: then they return the
 * largest measured size; it calls them again before the job starts. */
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
		if (!isnan(ft_tell_size_unit(p->param[i].name)) && !cli_batch_size_from(r, i))
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

static void snakemake_print_number(const struct cli_request *r)
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
	if (ft_tell_scratch(&r->request) > 0)
		print_lambda(r, "disk_mb", ceil(ft_tell_scratch(&r->request) / 1e6),
			     r->request.scratch.seen / 1e6, 0, "");
	if (cli_batch_gpu(r))
		printf("        gpu=1,\n");
}

/* One callable. If it raises an exception, Snakemake reports it and starts nothing. most: the bound; 0:
   none. */
static void print_function(const struct cli_request *r, const struct ft_request_expression *e,
			   const char *program, const char *what, const char *expression, const char *unit,
			   double most)
{
	const struct ft_program *p = ft_ask_program(r->models.answerer);
	char *beyond = cli_batch_beyond(r, e, true), *unknown, *try;

	unknown = cli_batch_unknown(r, e,
				    e == &r->all.time     ? "time"
				    : e == &r->all.memory ? "memory"
							  : "temporary disk",
				    true);

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
			    e == &r->all.scratch
				    ? e->seen / 1e6
				    : cli_batch_seen(r, e != &r->all.time) / (e != &r->all.time ? 1e6 : 60),
			    true);
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
	printf("#     resources: %s%s%s%s%s%s%s%s%s%s\n", r->all.time.text ? "runtime=" : "",
	       r->all.time.text ? name : "", r->all.time.text ? "_runtime, " : "",
	       r->all.memory.text ? "mem_mb=" : "", r->all.memory.text ? name : "",
	       r->all.memory.text ? "_mem_mb" : "", r->all.scratch.text ? ", disk_mb=" : "",
	       r->all.scratch.text ? name : "", r->all.scratch.text ? "_disk_mb" : "",
	       cli_batch_gpu(r) ? ", gpu=1" : "");
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
	if (r->all.scratch.text) {
		text = cli_batch_language(r, r->all.scratch.text, true);
		print_function(r, &r->all.scratch, name, "disk_mb", text ? text : "", "1e6", 0);
		free(text);
	}
	free(name);
}

static void print_rule(const struct cli_request *r)
{
	if (r->sized && !r->expression)
		snakemake_print_number(r);
	else
		print_functions(r);
}

/* Within the job Snakemake runs once more: 73 MB of 7.21 here, 82 MB with its shells; below its executor for
 * Slurm there are two, 125 MB. */
const struct cli_batch cli_batch_snakemake = {"snakemake", true, 125e6, print_rule, NULL};

/* The one open parameter. */
static int open_one(const struct cli_request *r)
{
	const struct ft_program *program = ft_ask_program(r->models.answerer);
	int one = -1;

	for (size_t i = 0; i < program->n_params; i++)
		if (r->open[i])
			one = one == -1 ? (int)i : -2;
	return one;
}

static int check_size(const struct cli_request *r)
{
	int one = open_one(r);
	const char *name = one < 0 ? "" : ft_ask_program(r->models.answerer)->param[one].name;

	if (r->sized && !r->expression)
		return CLI_DONE;
	if (one < 0)
		return cli_fail("tpv knows the size of the input, and '%s' has several parameters left open\n"
				"hint: give the others a value",
				ft_ask_program(r->models.answerer)->name);
	if (cli_batch_size_from(r, (size_t)one) || !isnan(ft_tell_size_unit(name)))
		return CLI_DONE;
	return cli_fail("no expression gives '%s' from the size of the input\n"
			"hint: write --size '%s=input_size * ...', which is in GB",
			name, name);
}

/* The parameter as an expression of input_size; if the request falls with it, at least the smallest valid
   size. */
static char *tpv_size_of(const struct cli_request *r, size_t param, bool falls)
{
	const char *name = ft_ask_program(r->models.answerer)->param[param].name;
	const char *given = cli_batch_size_from(r, param);
	double unit = ft_tell_size_unit(name);
	char least[FT_NUMBER_LENGTH], *size, *out;

	size = cli_printed("%s", given        ? given
				 : unit == 1  ? "input_size*1024**3"
				 : unit < 1e9 ? "input_size*1024"
					      : "input_size");
	(void)ft_number_format(cli_batch_least(r, param), least);
	if (falls)
		out = cli_printed("max(%s, %s)", least, size);
	else
		out = strcmp(size, "input_size") != 0 ? cli_printed("(%s)", size) : cli_strdup(size);
	free(size);
	return out;
}

static char *put_size(const struct cli_request *r, const char *text)
{
	size_t param = (size_t)open_one(r), length;
	char *size = tpv_size_of(r, param, strstr(text, "**-") != NULL), *out = cli_strdup("");
	char *word = cli_printed("size_%s", ft_ask_program(r->models.answerer)->param[param].name);

	for (length = strlen(word); *text;) {
		bool here = !strncmp(text, word, length) && !isalnum((unsigned char)text[length]) &&
			    text[length] != '_';

		cli_reprint(&out, "%s%.*s", out, here ? (int)strlen(size) : 1, here ? size : text);
		text += here ? length : 1;
	}
	free(word);
	free(size);
	return out;
}

/* A double-quoted scalar of YAML. */
static void print_quoted(const char *text)
{
	putchar('"');
	for (; *text; text++)
		if (*text == '"' || *text == '\\')
			printf("\\%c", *text);
		else
			putchar(iscntrl((unsigned char)*text) ? ' ' : *text);
	putchar('"');
}

static char *expression(const struct cli_request *r, const char *text, bool memory)
{
	char *python = cli_batch_language(r, text, true), *put = put_size(r, python ? python : ""), *whole;

	whole = memory ? cli_batch_memory(r, put, true) : cli_strdup(put);
	free(python);
	free(put);
	return whole;
}

/* Cap an expression at a bound that stands for unknown sizes; there a rule fails (print_rule). */
static void bound_expression(const struct cli_request *r, const struct ft_request_expression *e, double most,
			     char **text)
{
	char *beyond = cli_batch_beyond(r, e, true), *put = put_size(r, beyond), digits[FT_NUMBER_LENGTH];

	if (most > 0) {
		(void)ft_number_format(most, digits);
		cli_reprint(text, "%s if %s else min(%s, %s)", digits, put, digits, *text);
	}
	free(beyond);
	free(put);
}

static void tpv_print_rule(const struct cli_request *r)
{
	const struct ft_request_expression *const e[] = {&r->all.memory, &r->all.time}, *least = NULL;
	const double most[] = {r->bounds.most_bytes, r->bounds.most_s};
	size_t one = (size_t)open_one(r), i;
	char *beyond, *put, known[FT_NUMBER_LENGTH], *message;

	for (i = 0; i < 2; i++)
		if (e[i]->text && !(most[i] > 0) && (!least || e[i]->known[one] < least->known[one]))
			least = e[i];
	if (!least)
		return;
	beyond = cli_batch_beyond(r, least, true);
	put = put_size(r, beyond);
	message = cli_printed("What this size needs is not known beyond %s=%s: measure larger sizes, or give "
			      "foretime request --at-most",
			      ft_ask_program(r->models.answerer)->param[one].name,
			      ft_number_format(least->known[one], known));
	printf("    rules:\n      - id: not known\n        if: ");
	print_quoted(put);
	printf("\n        fail: ");
	print_quoted(message);
	putchar('\n');
	free(beyond);
	free(put);
	free(message);
}

static void print_expressions(const struct cli_request *r)
{
	char *text, *line;

	if (r->all.memory.text) {
		text = expression(r, r->all.memory.text, true);
		bound_expression(r, &r->all.memory, r->bounds.most_bytes, &text);
		line = cli_printed("(%s) / 1024**3", text);
		printf("    mem: ");
		print_quoted(line);
		putchar('\n');
		free(line);
		free(text);
	}
	if (r->all.time.text) {
		text = expression(r, r->all.time.text, false);
		bound_expression(r, &r->all.time, 60 * floor(r->bounds.most_s / 60), &text);
		line = cli_printed(r->bounds.most_s > 0 ? "{-int(-(%s) // 60)}" : "{int((%s) / 60) + 1}",
				   text);
		printf("    params:\n      walltime: ");
		print_quoted(line);
		printf("  # minutes; called as the destination calls it\n");
		free(line);
		free(text);
	}
}

static void print_tool(const struct cli_request *r)
{
	double cpus = cli_batch_cpus(r);

	cli_batch_head(r, "#");
	printf("tools:\n  ");
	print_quoted(ft_ask_program(r->models.answerer)->name);
	printf(":\n");
	if (!isnan(cpus))
		printf("    cores: %.0f\n", cpus);
	if (cli_batch_gpu(r))
		printf("    gpus: 1\n");
	if (!r->sized || r->expression) {
		print_expressions(r);
		tpv_print_rule(r);
		return;
	}
	if (r->request.memory.resource)
		printf("    mem: %.3f\n", ceil(cli_batch_bytes(r) / 0x1p30 * 1000) / 1000);
	if (r->request.time.resource)
		printf("    params:\n      walltime: \"%.0f\"  # minutes; called as the destination calls "
		       "it\n",
		       ft_tell_minutes(cli_batch_seconds(r)));
}

/* The shell of the job; what Galaxy runs in it to look at results was not measured. */
const struct cli_batch cli_batch_tpv = {"tpv", true, 8e6, print_tool, check_size};
