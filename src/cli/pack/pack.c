/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pack.c - `foretime plan pack`: how many copies of a program fit on this machine, and what they do to each
 * other.
 */
#include "cli/pack/pack.h"
#include "cli/common.h"
#include "cli/models.h"
#include "cli/program.h"
#include "cli/sizes.h"
#include "cli/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- of which program, at which size
 * -----------------------------------------------------------------------
 */

static int read_stored(struct cli_pack *pack, const char *name)
{
	CLI_STORE struct ft_store *store = NULL;
	struct ft_err err = {0};

	CLI_TRY(cli_store_open(&store, pack->store_path, CLI_READ));
	if (pack->device ? ft_store_get_program_on(store, name, pack->device, &pack->program, &err)
			 : ft_store_get_program(store, name, &pack->program, &err))
		return cli_error(&err);
	if (pack->program.argv)
		return CLI_DONE;
	return cli_fail("the command of '%s' is not known: its runs come from elsewhere\n"
			"hint: write it behind --, without '%s'",
			name, name);
}

static int set_value(struct cli_pack *pack, const char *word)
{
	const struct ft_program *program = &pack->program;
	struct ft_param param;
	struct ft_err err = {0};

	if (!strchr(word, '=') || ft_param_parse(word, &param, &err))
		return err.status ? cli_error(&err)
				  : cli_size_refuse(word, program->n_params ? program->param[0].name : "n");
	if (param.least < param.most)
		return cli_fail("'%s' is a range, and copies of one size are run\n"
				"hint: write %s=VALUE",
				word, param.name);
	int at = ft_program_find_param(program, param.name);
	if (at < 0)
		return cli_fail("%s has no parameter '%s'", program->name, param.name);
	pack->size.value[at] = param.least;
	return CLI_DONE;
}

/* Parameters without a word have their only value. */
static int read_size(struct cli_pack *pack, char *const *word, size_t n)
{
	const struct ft_program *program = &pack->program;
	bool known[FT_PARAMS_MAX] = {false};

	pack->size.n = program->n_params;
	for (size_t i = 0; i < program->n_params; i++) {
		size_t length = strlen(program->param[i].name);

		pack->size.value[i] = program->param[i].least;
		known[i] = program->param[i].least == program->param[i].most;
		for (size_t k = 0; k < n; k++)
			known[i] = known[i] || (!strncmp(word[k], program->param[i].name, length) &&
						word[k][length] == '=');
	}
	for (size_t k = 0; k < n; k++)
		CLI_TRY(set_value(pack, word[k]));
	for (size_t i = 0; i < program->n_params; i++)
		if (!known[i])
			return cli_fail("at which %s?\n"
					"hint: write %s=VALUE",
					program->param[i].name, program->param[i].name);
	return CLI_DONE;
}

static int read_words(struct cli_pack *pack, const struct cli_words *words)
{
	bool named = words->n && !strchr(words->word[0], '=');

	if (named == (words->n_rest > 0)) {
		(void)cli_fail(named ? "a NAME, or a program behind --: one of both" : "which program?");
		cli_hint("foretime plan pack NAME n=SIZE, or foretime plan pack -- PROG ARG...");
		return CLI_WRONG;
	}
	if (named) {
		CLI_TRY(read_stored(pack, words->word[0]));
		pack->stored = true;
		return read_size(pack, words->word + 1, words->n - 1);
	}
	cli_program_argv(&pack->program, words->rest, words->n_rest);
	cli_program_name(&pack->program);
	CLI_TRY(cli_program_params(&pack->program, words->word, words->n, false));
	return read_size(pack, words->word, words->n);
}

/* ---- the runs ----------------------------------------------------------------------------------------- */

static void show_progress(const struct cli_pack *pack, size_t copies, double spent_s)
{
	char text[FT_UNIT_LENGTH];

	if (pack->quiet || pack->json || !isatty(STDERR_FILENO))
		return;
	cli_terminal_again();
	fprintf(stderr, "%zu at once, %s so far", copies, ft_value_format(spent_s, "s", text));
}

static int run_copies(struct cli_pack *pack, struct ft_pack *asked, struct ft_group *group,
		      struct cli_pack_kept *kept)
{
	struct ft_err err = {0};
	size_t copies;
	double limit_s, spent_s = 0;

	while (ft_pack_ask(asked, &copies, &limit_s)) {
		struct ft_runs runs = {0};

		show_progress(pack, copies, spent_s);
		bool failed = ft_group_run(group, &pack->size, copies, limit_s, &runs, &err) ||
			      ft_pack_tell(asked, copies, &runs, &err);
		spent_s += runs.n ? runs.run[0].cost_s : 0;
		int status = failed ? cli_error(&err) : cli_pack_keep(kept, pack, copies, &runs);
		ft_runs_clear(&runs);
		if (status != CLI_DONE)
			return status;
	}
	if (!pack->quiet && !pack->json && isatty(STDERR_FILENO))
		fputc('\n', stderr);
	return CLI_DONE;
}

static int measure_pack(struct cli_pack *pack)
{
	int status = CLI_DONE;
	struct ft_pack *asked = NULL;
	struct ft_group *group = NULL;
	struct cli_pack_kept kept = {0};
	struct ft_err err = {0};

	CLI_TRY(cli_pack_place(pack));
	cli_probes_set(&pack->probes, &pack->launch);
	pack->launch.program = &pack->program;
	if (pack->stored && !pack->apart)
		status = cli_pack_keep_begin(&kept, pack);
	pack->launch.threads = (int)(pack->threads < 1000000 ? pack->threads : 1000000);
	if (status != CLI_DONE) {
		; /* said before */
	} else if (ft_pack_new(&asked, &pack->options, &err) ||
		   ft_group_open(&group, &pack->launch, pack->options.most, &err)) {
		status = cli_error(&err);
	} else {
		cli_signals_catch();
		ft_group_interrupt(group, cli_interrupt_flag());
		status = run_copies(pack, asked, group, &kept);
	}
	if (status == CLI_DONE && ft_pack_report(asked, &pack->report, &err) && *cli_interrupt_flag()) {
		status = CLI_INTERRUPTED;
	} else if (status == CLI_DONE && err.status) {
		status = cli_error(&err);
		cli_hint("see its output: foretime run -- and its command");
	}
	cli_pack_keep_end(&kept, pack);
	ft_group_close(group);
	ft_pack_free(asked);
	return status;
}

static int run_pack(const struct cli_command *command, int argc, char **argv)
{
	struct cli_pack p = {.options = {.budget_s = 60, .confidence = 0.9, .within = 0.1, .seed = 1}};
	const struct ft_field options[] = {
		{0, "cpus", FT_FIELD_COUNT, &p.cores, "K", "use the first K processors; default: all",
		 .not_with = "pin"},
		{0, "memory", FT_FIELD_BYTES, &p.options.memory_bytes, "B",
		 "memory of all copies; default: what is available"},
		{0, "limit", FT_FIELD_COUNT, &p.most, "K",
		 "maximum number of copies; default: twice what there are processors for"},
		{0, "tolerance", FT_FIELD_SHARE, &p.options.within, "SHARE",
		 "slow-down up to which copies fit; default 10%"},
		{'b', "budget", FT_FIELD_DURATION, &p.options.budget_s, "T",
		 "total time to spend measuring; default 60s"},
		{'t', "timeout", FT_FIELD_DURATION, &p.options.timeout_s, "T",
		 "end a copy after T; default: four times the time of all copies one after another"},
		CLI_QUIET_OPTION(p.quiet),
		CLI_ANSWER_OPTIONS(p.json, p.store_path),
		CLI_GROUP("what is measured, and kept"),
		{'c', "confidence", FT_FIELD_SHARE, &p.options.confidence, "C", "of intervals; default 90%"},
		{0, "apart", FT_FIELD_FLAG, &p.apart, NULL, "of a NAME: keep none of the runs"},
		CLI_DEVICE_OPTION(p.device),
		CLI_GROUP("how a copy is started"),
		CLI_LAUNCH_OPTIONS(p.threads, p.launch),
		CLI_GROUP("what else is measured"),
		CLI_PROBE_OPTIONS(p.probes),
		{0},
	};
	struct cli_words words;
	int status = cli_options_parse(command, options, argc, argv, &words);

	if (status != CLI_GO)
		return status;
	status = read_words(&p, &words);
	if (status == CLI_DONE)
		status = measure_pack(&p);
	if (status == CLI_DONE)
		cli_pack_say(&p);
	if (status == CLI_DONE && p.report.stop == FT_STOP_INTERRUPTED)
		status = CLI_INTERRUPTED;
	free(p.pin);
	ft_program_clear(&p.program);
	return status;
}

const struct cli_command cli_pack = {
	"plan pack",
	"measure how many copies of a program fit on this machine",
	"NAME n=2048 [m=100] [--cpus 16] [--memory 64GiB] [OPTION...]\n"
	"[n=2048] [--cpus 16] [--memory 64GiB] [OPTION...] -- PROG ARG... [{n}] ...",
	"Copies are run at once, 1, 2, 4 and so on, in rounds, in random order. Exit status: 0 done, 1 not "
	"even\n"
	"one alone ended well, 2 wrong use or failure.\n",
	NULL,
	run_pack,
};
