/* SPDX-License-Identifier: GPL-3.0-or-later */
/* batch_array.c - many sizes, as a script that hands them to Slurm in job arrays.
 *
 * All tasks of an array ask for the same, so sizes are put together whose needs differ little: in none does a
 * task get more than `apart` times what it needs itself, of time, memory or processors. */
#include "cli/request/batch.h"
#include "cli/common.h"

#include <math.h>
#include <stdlib.h>

static const double apart = 2;

/* Slurm counts the tasks of an array from 0 to MaxArraySize - 1, which is 1001 where nobody set it. A script
 * may have 4 MB (max_script_size). */
enum { ARRAY_MOST = 1001, NUMBERS_MOST = 150000 };

/* What is asked for: minutes, MiB, processors. */
enum { TIME, MEMORY, CPUS };

struct tasks {
	const struct ft_size *size; /* [n] as they were named */
	struct ft_asking *task;     /* [n] group by group */
	struct ft_asking_group *group;
	size_t n, n_groups;
	double beyond; /* the farthest from the data, as a ratio */
	double killed; /* the largest size that larger ones than a killed run have; NaN: none */
};

/* ---- what each needs ---------------------------------------------------------------------------------- */

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
		task->asked[TIME] = q->time.resource ? ft_tell_minutes(cli_batch_seconds(r)) : NAN;
		task->asked[MEMORY] = q->memory.resource ? ft_tell_mib(cli_batch_bytes(r)) : NAN;
		task->asked[CPUS] = cli_batch_cpus(r);
		tasks->beyond = fmax(tasks->beyond, fmax(distance_of(&q->time), distance_of(&q->memory)));
		tasks->killed = q->beyond_kill ? q->killed : tasks->killed;
	}
	return CLI_DONE;
}

/* ---- the script --------------------------------------------------------------------------------------- */

static void print_values(const struct ft_program *program, const struct tasks *tasks)
{
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
}

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

static void print_array(const struct ft_asking_group *group, size_t first, size_t n)
{
	/* These are rounded, and stay as they are. */
	const struct ft_tell_asked asked = {60 * group->most[TIME], 1048576 * group->most[MEMORY],
					    group->most[CPUS]};
	char *options = cli_given(ft_tell_batch_line(ft_tell_batch_find("slurm"), &asked));

	printf("submit %zu %zu %s\n", first, n, options);
	free(options);
}

/* How many tasks of one group stand at a place and behind it: as many as an array may have. */
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
	print_values(program, tasks);
	print_task(program);
	print_submission();
	for (size_t i = 0; i < tasks->n; i += array_at(tasks, i))
		print_array(&tasks->group[tasks->task[i].group], i, array_at(tasks, i));
}

/* What is wrong with it stands on standard error, as with one size. */
static void tell_doubts(const struct cli_request *r, const struct tasks *tasks)
{
	char *failing = cli_failing_text(&r->models), killed[FT_NUMBER_LENGTH], far[FT_TELL_FAR];

	if (failing && isnan(tasks->killed)) /* that is told otherwise */
		cli_note("%s", failing);
	free(failing);
	if (!isnan(tasks->killed))
		cli_note("a run at %s was killed for memory: what larger sizes need is not known to suffice",
			 ft_number_format(tasks->killed, killed));
	if (tasks->beyond >= 1.005) /* what three digits tell */
		cli_note("extrapolated up to %s", ft_tell_far(tasks->beyond, far));
	if (cli_batch_margin(r) > 1)
		cli_note("memory was measured in runs of under a second: the request is %g times as much",
			 cli_batch_margin(r));
}

/* The head is of all sizes. */
static void see_all(struct cli_request *r)
{
	size_t axis[FT_PARAMS_MAX], axes = ft_ask_axes(r->models.answerer, axis), i;

	r->all.brief = r->request.brief;
	r->all.risk = r->request.risk;
	r->sized = false;
	for (i = 0; i < axes; i++)
		r->open[axis[i]] = true;
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
		see_all(r);
		print_script(r, &tasks);
		tell_doubts(r, &tasks);
	}
	free(tasks.task);
	free(tasks.group);
	cli_sizes_clear(&sizes);
	return status;
}

const struct cli_batch cli_batch_sbatch_array = {"sbatch-array", false, FT_TELL_SHELL_BYTES, NULL, NULL};
