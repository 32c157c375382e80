/* SPDX-License-Identifier: GPL-3.0-or-later */
/* live_program.c - what runs on each host, under which name it is kept, and what it has run before. */
#include "cli/facts.h"
#include "cli/plan/live.h"
#include "cli/program.h"
#include "cli/save.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* {host} in a word. */
static char *with_host(const char *word, const char *host)
{
	const char *at;
	char *out = cli_strdup("");

	while ((at = strstr(word, "{host}"))) {
		cli_reprint(&out, "%s%.*s%s", out, (int)(at - word), word, host);
		word = at + strlen("{host}");
	}
	cli_reprint(&out, "%s%s", out, word);
	return out;
}

/* The words of sizes: the total's value is no bound of the program. */
static int read_sizes(struct cli_live *q, struct ft_program *program)
{
	const struct cli_plan *plan = q->plan;
	CLI_OWN char **word = cli_alloc(plan->words * sizeof *word);

	for (size_t i = 1; i < plan->words; i++)
		word[i - 1] = plan->word[i];
	word[0] = q->parameter;
	CLI_TRY(cli_program_params(program, word, plan->words - 1, true));
	q->size.n = program->n_params;
	for (size_t i = 1; i < program->n_params; i++) {
		q->size.value[i] = program->param[i].least;
		if (program->param[i].least != program->param[i].most)
			return cli_fail("'%s' is a range: a plan is of one size", plan->word[i + 1]);
	}
	return CLI_DONE;
}

/* The machine that is called so; a new one, of which nothing else is known. */
static int find_machine(struct cli_live *q, const char *name, int64_t *id)
{
	struct ft_store *store = q->plan->store;
	FT_CLEANUP(ft_machine_clear) struct ft_machine machine = {0};
	struct ft_err err = {0};
	int status = CLI_DONE;

	if (ft_store_newest_machine(store, name, &machine, NULL)) {
		cli_machine_named(name, &machine);
		if (ft_store_put_machine(store, &machine, &err))
			status = cli_error(&err);
	}
	*id = machine.id;
	return status;
}

/* What it ran before counts: so a plan that was ended goes on. */
static int see_before(struct cli_live *q, const struct cli_live_host *of)
{
	FT_CLEANUP(ft_runs_clear) struct ft_runs runs = {0};
	struct ft_err err = {0};

	if (ft_store_get_runs(q->plan->store, of->program.id, of->machine, &runs, &err))
		return cli_error(&err);
	for (size_t i = 0; i < runs.n; i++) {
		const struct ft_run *run = &runs.run[i];
		double units = run->size.value[0], seconds = ft_run_value(run, &ft_wall_s);
		bool same = run->outcome == FT_DONE && seconds > 0 && units >= 1 && units <= (double)q->total;

		for (size_t k = 1; k < q->size.n; k++)
			same = same && run->size.value[k] == q->size.value[k];
		for (size_t j = 0; j < q->p && same; j++)
			if (q->piece[j].of == of &&
			    ft_plan_refine_see(q->refine, j, (int64_t)units, seconds, &err))
				return cli_error(&err);
	}
	return CLI_DONE;
}

/* Here each host is a processor of its own, and the program on it one of its own: NAME/HOST. */
static int add_program(struct cli_live *q, struct cli_live_host *of, bool here)
{
	struct cli_plan *plan = q->plan;
	struct ft_program *program = &of->program;
	struct ft_err err = {0};

	program->name =
		here ? cli_printed("%s/%s", plan->word[0], of->host->name) : cli_strdup(plan->word[0]);
	cli_program_argv(program, plan->rest, plan->n_rest);
	for (size_t i = 0; i < program->argc; i++) {
		char *word = with_host(program->argv[i], of->host->name);

		free(program->argv[i]);
		program->argv[i] = word;
	}
	if (read_sizes(q, program) != CLI_DONE)
		return CLI_WRONG;
	program->hash = cli_program_hash(plan->store, program);
	of->machine = plan->here;
	if (!here && find_machine(q, of->host->name, &of->machine) != CLI_DONE)
		return CLI_WRONG;
	if (ft_store_put_program(plan->store, program, &err))
		return cli_error(&err);
	return see_before(q, of);
}

int cli_live_programs(struct cli_live *q)
{
	const struct cli_live_way *way = cli_live_way(q->plan->via);

	if (!way)
		return CLI_WRONG;
	for (size_t i = 0; i < q->plan->n_hosts; i++)
		CLI_TRY(add_program(q, &q->host[i], way->here));
	return CLI_DONE;
}

struct ft_size cli_live_size(const struct cli_live *q, const struct cli_live_piece *piece)
{
	struct ft_size size = q->size;

	size.value[0] = (double)piece->units;
	return size;
}

int cli_live_keep(struct cli_live *q)
{
	struct ft_err err = {0};

	for (size_t i = 0; i < q->p; i++) {
		struct cli_live_piece *piece = &q->piece[i];

		if (piece->runs.n && ft_store_add_runs(q->plan->store, piece->of->program.id,
						       piece->of->machine, &piece->runs, &err))
			return cli_error(&err);
	}
	return CLI_DONE;
}

void cli_live_clear(struct cli_live *q)
{
	for (size_t i = 0; q->piece && i < q->p; i++) {
		ft_source_close(q->piece[i].source);
		ft_runs_clear(&q->piece[i].runs);
		free(q->piece[i].label);
	}
	for (size_t i = 0; q->host && i < q->plan->n_hosts; i++)
		ft_program_clear(&q->host[i].program);
	ft_plan_refine_free(q->refine);
	free(q->piece);
	free(q->host);
}
