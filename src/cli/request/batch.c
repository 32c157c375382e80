/* SPDX-License-Identifier: GPL-3.0-or-later */
/* batch.c - requests in the forms of batch systems and workflow languages: the numbers and the forms. */
#include "base/text.h"
#include "cli/cli.h"
#include "cli/request/batch.h"
#include "foretime/base.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/*
 * Expressions in the language of a workflow, and where it takes sizes from.
 */

/* The parameter that a --size is about, and its expression; -1 when it names none and several are open.
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
	bool given[FT_PARAMS_MAX] = {false};

	for (size_t i = 0; i < r->size_from.n; i++) {
		const char *expression;
		int param = size_from_of(r, r->size_from.text[i], &expression);

		if (param < 0)
			return cli_fail("--size '%s' is of which parameter?\n"
					"hint: write --size 'NAME=EXPRESSION', once for each",
					r->size_from.text[i]);
		if (!r->open[param])
			return cli_fail("--size '%s': parameter '%s' is not left open", r->size_from.text[i],
					program->param[param].name);
		if (given[param])
			return cli_fail("--size gives '%s' twice", program->param[param].name);
		given[param] = true;
		for (const char *c = expression; *c; c++)
			if (iscntrl((unsigned char)*c))
				return cli_fail("--size holds a control character");
		if (!*expression)
			return cli_fail("--size '%s' has no expression", r->size_from.text[i]);
	}
	return CLI_DONE;
}

const char *cli_batch_size_from(const struct cli_request *r, size_t param)
{
	const char *expression;

	for (size_t i = 0; i < r->size_from.n; i++)
		if (size_from_of(r, r->size_from.text[i], &expression) == (int)param)
			return expression;
	return NULL;
}

/* A name as an identifier. */
char *cli_batch_identifier(const char *name)
{
	char *out = cli_printed("%s%s", isdigit((unsigned char)*name) ? "_" : "", name), *c;

	for (c = out; *c; c++)
		if (!isalnum((unsigned char)*c) && *c != '_')
			*c = '_';
	return out;
}

double cli_batch_least(const struct cli_request *r, size_t param)
{
	const struct ft_runs *runs = ft_ask_runs(r->models.answerer);
	double least = fmax(r->all.time.text ? r->all.time.from : (double)NAN,
			    r->all.memory.text ? r->all.memory.from : (double)NAN); /* passes over NaN */
	bool answer = !isnan(least);

	for (size_t i = 0; i < runs->n && !answer; i++)
		if (runs->run[i].outcome == FT_DONE && runs->run[i].size.value[param] > 0)
			least = fmin(least, runs->run[i].size.value[param]);
	return least;
}

/* ---- expressions in other languages ------------------------------------------------------------------- */

/* Parameters under names that no language keeps for itself: n is size_n. A name before '(' is a function. */
static char *rename_params(const struct ft_program *program, const char *text)
{
	char *out = cli_strdup("");

	while (*text) {
		size_t length = 0;
		bool is_param = false;

		while (isalnum((unsigned char)text[length]) || text[length] == '_')
			length++;
		for (size_t i = 0; i < program->n_params && text[length] != '('; i++)
			is_param = is_param || (strlen(program->param[i].name) == length &&
						!strncmp(text, program->param[i].name, length));
		length = length ? length : 1;
		cli_reprint(&out, "%s%s%.*s", out, is_param ? "size_" : "", (int)length, text);
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

	if (ft_expr_new(&expr, renamed, &err)) {
		(void)cli_error(&err);
	} else {
		size_t length = ft_expr_print(expr, language, NULL, 0);
		out = cli_alloc(length + 1);
		(void)ft_expr_print(expr, language, out, length + 1);
	}
	ft_expr_free(expr);
	free(renamed);
	return out;
}

/*
 * Requests in the forms of batch systems and workflow languages: the numbers and the forms.
 */

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
	return !isnan(r->query.overhead) ? r->query.overhead : r->batch ? r->batch->overhead : 0;
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
	char most[FT_UNIT_LENGTH], needed[FT_UNIT_LENGTH], query[FT_UNIT_LENGTH], risk[FT_UNIT_LENGTH];

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
			 ft_value_format(wanted, unit, query), ft_share_format(cli_batch_risk(r), risk));
}

/* A caching allocator reserves more than it uses, and nvidia-smi shows what is reserved. */
static void note_reserved(const struct cli_request *r)
{
	const struct ft_runs *runs = ft_ask_runs(r->models.answerer);

	for (size_t i = 0; i < runs->n && cli_batch_gpu(r); i++)
		for (size_t j = 0; j < runs->run[i].n_samples; j++) {
			const struct ft_sample *sample = &runs->run[i].sample[j];

			if (sample->resource == &ft_gpu_memory_bytes &&
			    !strcmp(sample->probe, "gpu-nvidia")) {
				cli_note("device memory is what nvidia-smi shows: a caching allocator "
					 "reserves more than the program uses");
				return;
			}
		}
}

void cli_batch_notes(const struct cli_request *r)
{
	const struct ft_machine *machine = ft_ask_answered_machine(r->models.answerer);
	char query[FT_UNIT_LENGTH], has[FT_UNIT_LENGTH];

	tell_bound(r, &r->request.time, r->sized ? r->request.time.seen : r->all.time.seen, r->bounds.most_s,
		   r->request.time.most, "s");
	tell_bound(r, &r->request.memory, r->sized ? r->request.memory.seen : r->all.memory.seen,
		   r->bounds.most_bytes,
		   ft_tell_bytes(r->request.memory.most, r->request.brief, cli_batch_overhead(r), NULL),
		   "bytes");
	note_reserved(r);
	if (r->sized && r->request.memory.resource && machine->memory_bytes > 0 &&
	    cli_batch_bytes(r) > (double)machine->memory_bytes)
		cli_note("%s is more memory than %s has: %s",
			 ft_value_format(cli_batch_bytes(r), "bytes", query),
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

char *cli_batch_try(const struct cli_request *r, const char *query, const char *number, double seen,
		    bool python)
{
	seen = fmax(1, ceil(seen));
	if (r->risk == FT_RISK_LEAST_DOUBLE)
		return cli_printed("2 ** (%s - 1) * %s", number, query);
	if (r->risk == FT_RISK_LEAST_MOST && python)
		return cli_printed("(%s if %s == 1 else 2 ** (%s - 2) * (%.0f if %s < %.0f else 2 * %s))",
				   query, number, number, seen, query, seen, query);
	if (r->risk == FT_RISK_LEAST_MOST)
		return cli_printed("(%s == 1 ? %s : 2 ** (%s - 2) * (%s < %.0f ? %.0f : 2 * %s))", number,
				   query, number, query, seen, seen, query);
	return cli_printed("%s * %s", query, number);
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

bool cli_batch_gpu(const struct cli_request *r)
{
	const struct ft_runs *runs = ft_ask_runs(r->models.answerer);

	for (size_t i = 0; i < runs->n; i++)
		if (runs->run[i].outcome == FT_DONE && ft_run_value(&runs->run[i], &ft_gpu_memory_bytes) > 0)
			return true;
	return false;
}

double cli_batch_cpus(const struct cli_request *r)
{
	if (r->query.cpus)
		return (double)r->query.cpus;
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
	for (const struct cli_batch *snippet = cli_batch_snippets; snippet->name; snippet++)
		if (!strcmp(snippet->name, name))
			return snippet;
	return NULL;
}

/*
 * The comment above a snippet.
 */

/* Text in a comment: one line, even if a machine's name has several. */
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

/* The smaller upper end of both resources; for tasks of an array, whose sizes are all given, the largest
   measured. */
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
	if (r->sized && r->request.gpu_memory.resource && !r->request.gpu_memory.doubt)
		printf("%s device memory: %s\n", mark,
		       ft_value_format(r->request.gpu_memory.most, "bytes", risk));
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

/*
 * Print one size as options or lines of a batch system.
 */

/* Doubts go to standard error, so that the line can be used as it is. */
void cli_batch_doubts(const struct cli_request *r)
{
	char *failing = cli_failing_text(&r->models), far[FT_TELL_FAR];

	if (failing && isnan(r->request.killed)) /* this case has its own message */
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
	const struct ft_tell_query query = {r->request.time.resource ? cli_batch_seconds(r) : NAN,
					    r->request.memory.resource ? cli_batch_bytes(r) : NAN,
					    cli_batch_cpus(r), ft_tell_scratch(&r->request),
					    cli_batch_gpu(r)};
	char *text = ft_tell_batch_line(ft_tell_batch_find(name), &query);

	puts(text ? text : "");
	free(text);
	cli_batch_doubts(r);
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

/*
 * Print many sizes as a script that submits them to Slurm in job arrays. All tasks of an array have the same
 * request, so sizes with similar needs are grouped: no task gets more than `apart` times the time, memory or
 * processors it needs.
 */

static const double apart = 2;

/* Slurm numbers the tasks of an array from 0 to MaxArraySize - 1, by default 1001. A script may have 4 MB
 * (max_script_size). */
enum { ARRAY_MOST = 1001, NUMBERS_MOST = 150000 };

/* The requested resources: minutes, MiB, processors. */
enum { TIME, MEMORY, CPUS };

struct tasks {
	const struct ft_size *size; /* [n] as they were named */
	struct ft_asking *task;     /* [n] group by group */
	struct ft_asking_group *group;
	size_t n, n_groups;
	double beyond; /* the farthest from the data, as a ratio */
	double killed; /* the largest size that larger ones than a killed run have; NaN: none */
};

/* ---- needs of each size
   ---------------------------------------------------------------------------------- */

static double distance_of(const struct ft_need *need)
{
	return need->resource && need->at.basis == FT_BASIS_BEYOND ? need->at.distance : 1;
}

static int ask_tasks(struct cli_request *r, struct tasks *tasks)
{
	const struct ft_program *program = ft_ask_program(r->models.answerer);
	struct ft_request *q = &r->request;
	struct ft_err err = {0};
	char at[256];

	for (size_t i = 0; i < tasks->n; i++) {
		struct ft_asking *task = &tasks->task[i];
		const struct ft_size *size = &tasks->size[i];

		task->at = i;
		if (ft_ask_admits(r->models.answerer, size, &err) ||
		    ft_ask_request(r->models.answerer, size, r->risk, q, &err))
			return cli_error(&err);
		r->size = *size;
		if (cli_batch_answered(r, &err) != CLI_DONE)
			return CLI_NO;
		if (q->refuted) {
			(void)ft_size_format(program, size, at, sizeof at);
			(void)cli_fail(
				"no memory is known to suffice at %s: a run was killed there, or below\n"
				"hint: leave that size out, or measure larger sizes where there is more "
				"memory",
				at);
			return CLI_NO;
		}
		task->amount[TIME] = q->time.resource ? ft_tell_minutes(cli_batch_seconds(r)) : NAN;
		task->amount[MEMORY] = q->memory.resource ? ft_tell_mib(cli_batch_bytes(r)) : NAN;
		task->amount[CPUS] = cli_batch_cpus(r);
		tasks->beyond = fmax(tasks->beyond, fmax(distance_of(&q->time), distance_of(&q->memory)));
		tasks->killed = q->beyond_kill ? q->killed : tasks->killed;
	}
	return CLI_DONE;
}

/* ---- the script --------------------------------------------------------------------------------------- */

/* Part of the script that a task runs: its size in the place of each name in braces. */
static void print_task(const struct ft_program *program)
{
	puts("if [ \"${1:-}\" = --tasks-from ]; then # in Slurm\n"
	     "\ttask=$(($2 + SLURM_ARRAY_TASK_ID)) words=()\n"
	     "\tshift 2\n"
	     "\tfor word; do");
	for (size_t i = 0; i < program->n_params; i++) {
		char *name = cli_batch_identifier(program->param[i].name);

		printf("\t\tword=${word//\"{%s}\"/\"${size_%s[task]}\"}\n", program->param[i].name, name);
		free(name);
	}
	puts("\t\twords+=(\"$word\")\n"
	     "\tdone\n"
	     "\texec \"${words[@]}\"\n"
	     "fi");
}

static void print_submission(void)
{
	puts("options=()\n"
	     "while [ $# -gt 0 ] && [ \"$1\" != -- ]; do\n"
	     "\toptions+=(\"$1\")\n"
	     "\tshift\n"
	     "done\n"
	     "if [ $# -lt 2 ]; then\n"
	     "\techo \"usage: bash $0 [OPTION OF SBATCH]... -- COMMAND ARG...\" >&2\n"
	     "\texit 2\n"
	     "fi\n"
	     "shift\n"
	     "command=(\"$@\")\n"
	     "submit() { # first task, number of tasks, requested resources\n"
	     "\tlocal first=$1 last=$(($2 - 1))\n"
	     "\tshift 2\n"
	     "\tsbatch --array=0-$last \"$@\" ${options[@]+\"${options[@]}\"} \"$0\" --tasks-from \"$first\" "
	     "\"${command[@]}\" || exit\n"
	     "}");
}

static void print_array(const struct ft_asking_group *group, bool gpu, size_t first, size_t n)
{
	/* These are rounded, and stay as they are. */
	const struct ft_tell_query query = {60 * group->most[TIME], 1048576 * group->most[MEMORY],
					    group->most[CPUS], 0, gpu};
	char *options = cli_given(ft_tell_batch_line(ft_tell_batch_find("slurm"), &query));

	printf("submit %zu %zu %s\n", first, n, options);
	free(options);
}

/* The tasks of one group from an index on, up to the limit of an array. */
static size_t array_at(const struct tasks *tasks, size_t first)
{
	size_t n = 1;

	while (first + n < tasks->n && n < ARRAY_MOST &&
	       tasks->task[first + n].group == tasks->task[first].group)
		n++;
	return n;
}

static void print_script(struct cli_request *r, const struct tasks *tasks)
{
	const struct ft_program *program = ft_ask_program(r->models.answerer);
	size_t arrays = 0;

	for (size_t i = 0; i < tasks->n; i += array_at(tasks, i))
		arrays++;
	puts("#!/bin/bash");
	cli_batch_head(r, "#");
	printf("# %zu tasks in %zu array%s: all of one ask for the same, no task for more than %g times what "
	       "it needs\n",
	       tasks->n, arrays, arrays == 1 ? "" : "s", apart);
	puts("# bash FILE [OPTION OF SBATCH]... -- COMMAND ARG...: in these a parameter's name in braces "
	     "stands for its value\n"
	     "set -u");
	char digits[FT_NUMBER_LENGTH];

	for (size_t i = 0; i < program->n_params; i++) {
		char *name = cli_batch_identifier(program->param[i].name);

		printf("size_%s=(", name);
		for (size_t j = 0; j < tasks->n; j++)
			printf("%s%s", j ? " " : "",
			       ft_number_format(tasks->size[tasks->task[j].at].value[i], digits));
		puts(")");
		free(name);
	}
	print_task(program);
	print_submission();
	for (size_t i = 0; i < tasks->n; i += array_at(tasks, i))
		print_array(&tasks->group[tasks->task[i].group], cli_batch_gpu(r), i, array_at(tasks, i));
}

static int check_many(const struct cli_request *r, size_t n)
{
	size_t most = NUMBERS_MOST / ft_ask_program(r->models.answerer)->n_params;

	if (!n)
		return cli_fail("there is no size in %s\n"
				"hint: a row for each size stands below the names of the parameters",
				r->sizes ? r->sizes : "the range");
	if (n <= most)
		return CLI_DONE;
	return cli_fail("%zu sizes are more than a script of Slurm holds\n"
			"hint: make several scripts, of %zu sizes at most each",
			n, most);
}

int cli_batch_array(struct cli_request *r, const struct cli_words *words)
{
	struct tasks tasks = {.beyond = 1, .killed = NAN};
	struct cli_sizes sizes = {0};
	struct ft_err err = {0};

	if (r->expression || r->size_from.n)
		return cli_fail("--format sbatch-array is of sizes: it takes no %s",
				r->expression ? "--expression" : "--size");
	if (words->n == 1 && !r->sizes)
		return cli_fail("sbatch-array is of which sizes?\n"
				"hint: name them, n=1000:64000:*2 or n=100,200, or write --sizes FILE.csv");
	int status = cli_sizes_find(&sizes, r->models.answerer, words, r->sizes);
	if (status == CLI_DONE)
		status = check_many(r, sizes.n);
	if (status == CLI_DONE) {
		tasks.n = sizes.n;
		tasks.size = sizes.size;
		tasks.task = cli_alloc((sizes.n + 1) * sizeof *tasks.task);
		r->sized = true;
		status = ask_tasks(r, &tasks);
	}
	if (status == CLI_DONE &&
	    ft_askings_group(tasks.task, tasks.n, apart, &tasks.group, &tasks.n_groups, &err))
		status = cli_error(&err);
	if (status == CLI_DONE) {
		r->size = tasks.size[tasks.task[0].at];
		/* The head is of all sizes. */
		size_t axis[FT_PARAMS_MAX], axes = ft_ask_axes(r->models.answerer, axis), i;

		r->all.brief = r->request.brief;
		r->all.risk = r->request.risk;
		r->sized = false;
		for (i = 0; i < axes; i++)
			r->open[axis[i]] = true;
		print_script(r, &tasks);
		/* Doubts go to standard error, as with one size. */
		char *failing = cli_failing_text(&r->models), killed[FT_NUMBER_LENGTH], far[FT_TELL_FAR];

		if (failing && isnan(tasks.killed)) /* this case has its own message */
			cli_note("%s", failing);
		free(failing);
		if (!isnan(tasks.killed))
			cli_note("a run at %s was killed for memory: what larger sizes need is not known to "
				 "suffice",
				 ft_number_format(tasks.killed, killed));
		if (tasks.beyond >= 1.005) /* visible in three digits */
			cli_note("extrapolated up to %s", ft_tell_far(tasks.beyond, far));
		if (cli_batch_margin(r) > 1)
			cli_note("memory was measured in runs of under a second: the request is %g times as "
				 "much",
				 cli_batch_margin(r));
	}
	free(tasks.task);
	free(tasks.group);
	cli_sizes_clear(&sizes);
	return status;
}

const struct cli_batch cli_batch_sbatch_array = {"sbatch-array", false, FT_TELL_SHELL_BYTES, NULL, NULL};
