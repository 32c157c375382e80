/* SPDX-License-Identifier: GPL-3.0-or-later */
/* open.c - the program that is built: what is known of it, and where its runs come from. */
#include "cli/build/open.h"
#include "cli/common.h"
#include "cli/drivers.h"
#include "cli/facts.h"
#include "cli/program.h"
#include "foretime/csv.h"

#include <string.h>

/* A NAME that is stored goes on with what was left out: the command, the ranges, the work, the constraint. */
int cli_build_recall(struct cli_build *build)
{
	struct ft_program *program = &build->program, stored = {0};

	if (build->replay_path)
		return CLI_DONE;
	if (program->name &&
	    ft_store_get_program_on(build->store, program->name, program->device, &stored, NULL) == FT_OK) {
		if (!program->argv && stored.argv) {
			cli_program_argv(program, stored.argv, stored.argc);
			build->recalled = true;
		}
		if (!program->n_params) {
			program->n_params = stored.n_params;
			memcpy(program->param, stored.param, sizeof program->param);
		}
		if (!program->work)
			program->work = cli_strdup(stored.work);
		if (!build->where.n)
			program->where = cli_strdup(stored.where);
		ft_program_clear(&stored);
	}
	if (program->argv)
		return CLI_DONE;
	return cli_fail("which program? none stands behind --\n"
			"hint: write foretime build %s n=64:3000 -- PROG {n}",
			program->name ? program->name : "NAME");
}

/* The parameters that have a range are what models are functions of. */
int cli_build_check_params(const struct ft_program *program)
{
	for (size_t i = 0; i < program->n_params; i++)
		if (program->param[i].most > program->param[i].least)
			return cli_work_check(program);
	(void)cli_fail(program->n_params ? "no parameter has a range" : "no parameter is given");
	cli_hint("write the range of sizes before --, as in n=64:3000");
	return CLI_WRONG;
}

static int complain_same(const struct cli_build *build, const char *name)
{
	(void)cli_fail("the command has no {%s}: each run would be the same", name);
	if (build->recalled && !build->launch.prepare)
		cli_hint("where --prepare took that value when '%s' was built, give it again: it is not kept",
			 build->program.name);
	else
		cli_hint("write {%s} where it takes that value, as in -- %s {%s}", name,
			 build->program.argv[0], name);
	return CLI_WRONG;
}

/* Each range is named in the command: where one is not, all its sizes would be the same run. */
int cli_build_check_named(const struct cli_build *build)
{
	const struct ft_program *program = &build->program;

	for (size_t i = 0; i < program->n_params && !build->replay_path; i++) {
		const struct ft_param *param = &program->param[i];
		bool automatic = build->automatic.word && !strcmp(param->name, build->automatic.name);

		if ((!automatic && !(param->most > param->least)) ||
		    ft_launch_names(&build->launch, param->name))
			continue;
		return complain_same(build, param->name);
	}
	return CLI_DONE;
}

/* A recorded sweep as the program. */
static int open_replay(struct cli_build *build)
{
	const char *path = build->replay_path;
	struct ft_csv *csv = NULL;
	struct ft_runs runs = {0};
	struct ft_err err = {0};

	build->program.hash = cli_strdup("");
	/* Once: it may be a pipe. */
	if (ft_csv_read(path, 0, &csv, &err) ||
	    ft_runs_of_table(csv, strcmp(path, "-") ? path : "standard input", &build->program, &runs,
			     &err)) {
		ft_runs_clear(&runs);
		ft_csv_free(csv);
		return cli_error(&err);
	}
	int status = cli_machine_of_table(csv, build->here, &build->machine);
	ft_csv_free(csv);
	if (build->shuffle)
		ft_runs_shuffle(&runs, build->options.seed);
	if (status == CLI_DONE)
		return ft_source_open_replay(&build->source, &runs, &err) ? cli_error(&err) : CLI_DONE;
	ft_runs_clear(&runs);
	return status;
}

static int open_process(struct cli_build *build)
{
	struct ft_err err = {0};

	if (build->cases_path) {
		if (ft_csv_read(build->cases_path, 0, &build->cases, &err))
			return cli_error(&err);
		CLI_TRY(cli_program_cases(&build->program, build->cases, build->cases_path));
	}
	build->program.driver = cli_driver_named(build->program.device);
	build->launch.program = &build->program;
	build->launch.cases = build->cases;
	if (ft_program_hash(&build->program, &build->program.hash, &err))
		return cli_error(&err);
	if (build->via) /* machines are known when tasks come back */
		return CLI_DONE;
	if (ft_source_open_process(&build->source, &build->launch, &err) ||
	    ft_machine_read("", &build->machine, &err))
		return cli_error(&err);
	ft_source_interrupt(build->source, cli_interrupt_flag());
	return CLI_DONE;
}

int cli_build_open(struct cli_build *build)
{
	return build->replay_path ? open_replay(build) : open_process(build);
}
