/* SPDX-License-Identifier: GPL-3.0-or-later */
/* devices.c - several devices of one program, measured where the choice between them is not known. */
#include "cli/build/devices.h"
#include "cli/build/rivals.h"
#include "cli/common.h"
#include "cli/device/device.h"
#include "cli/drivers.h"
#include "cli/program.h"
#include "cli/terminal.h"
#include "cli/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool cli_build_is_on_devices(const struct cli_build *build)
{
	return build->until || build->opencl.path ||
	       (build->devices.n && strchr(build->devices.text[0], '='));
}

/* ---- what is built ------------------------------------------------------------------------------------ */

static int check_words(const struct cli_build *build, const struct cli_words *words)
{
	if (build->until && strcmp(build->until, "decided") != 0)
		return cli_fail("--until is decided, not '%s'", build->until);
	if (!build->until && !build->opencl.path)
		return cli_fail(
			"several devices are measured until the choice between them is known\n"
			"hint: add --least time; or build one after the other: --device D -- PROG ARG...");
	if (words->separated)
		return cli_fail("with commands of devices no program stands behind --\n"
				"hint: write each as --device gpu='./prog --gpu {n}'");
	if (build->options.resource != &ft_wall_s)
		return cli_fail("--least goes with no --resource: each device is run until the "
				"choice is known\n"
				"hint: write --least %s, what the best device needs least of",
				build->options.resource->name);
	if (words->n && !strchr(words->word[0], '='))
		return CLI_DONE;
	return cli_fail("which program? devices need a NAME that they share\n"
			"hint: write foretime build NAME n=64:4096 --device cpu='./prog {n}' ...");
}

/* "gpu=./prog --gpu {n}" */
int cli_rivals_command(struct cli_rivals *d, const char *text)
{
	struct ft_program *program = &d->program[d->n];
	const char *equals = strchr(text, '='), *fault;
	char *device = cli_strdup(text), **word;
	size_t n;

	if (equals)
		device[equals - text] = '\0';
	fault = ft_program_device_fault(device);
	for (size_t i = 0; i < d->n && !fault; i++)
		if (!strcmp(d->program[i].device, device))
			fault = "it is given twice";
	program->device = device;
	d->n++;
	if (fault)
		return cli_fail("'%s' cannot name a device: %s", device, fault);
	if (!equals)
		return cli_fail("device '%s' has no command\n"
				"hint: write --device %s='./prog {n}'",
				device, device);
	if (cli_words_split(equals + 1, &word, &n) != CLI_DONE)
		return CLI_WRONG;
	cli_program_argv(program, word, n);
	for (size_t i = 0; i < n; i++)
		free(word[i]);
	free(word);
	return CLI_DONE;
}

/* ---- all of them -------------------------------------------------------------------------------------- */

/* The devices of the store, where none is named. */
static int recall_devices(struct cli_rivals *d, const char *name)
{
	struct ft_store_list list = {0};
	struct ft_err err = {0};
	size_t k;

	if (ft_store_get_list(d->build->store, name, &list, &err))
		return cli_error(&err);
	for (size_t i = 0; i < list.n && d->n < FT_DEVICES_MAX; i++) {
		for (k = 0; k < d->n; k++)
			if (d->program[k].id == list.entry[i].program)
				break;
		if (k < d->n || !list.entry[i].current || !list.entry[i].device)
			continue;
		if (ft_store_get_program_at(d->build->store, list.entry[i].program, &d->program[d->n], NULL))
			break;
		if (d->program[d->n].argv)
			d->n++;
		else
			ft_program_clear(&d->program[d->n]);
	}
	ft_store_list_clear(&list);
	if (d->n)
		return CLI_DONE;
	return cli_fail("which devices? '%s' has none in the store\n"
			"hint: write foretime build %s n=64:4096 --device cpu='./prog {n}' --device "
			"gpu='./prog --gpu {n}'",
			name, name);
}

/* Each parameter with a range is named in the command of each device. */
static int check_names(const struct cli_rivals *d, size_t i)
{
	const struct ft_program *program = &d->program[i];

	for (size_t k = 0; k < program->n_params; k++) {
		const struct ft_param *param = &program->param[k];

		if (!(param->most > param->least) || ft_launch_names(&d->launch[i], param->name))
			continue;
		return cli_fail("the command of device '%s' has no {%s}: each run would be the same\n"
				"hint: write {%s} where it takes that value",
				program->device, param->name, param->name);
	}
	return CLI_DONE;
}

static int open_device(struct cli_rivals *d, size_t i)
{
	struct cli_build *build = d->build;
	struct ft_program *program = &d->program[i];
	struct ft_err err = {0};

	d->launch[i] = build->launch;
	d->launch[i].program = program;
	if (check_names(d, i) != CLI_DONE)
		return CLI_WRONG;
	free(program->driver);
	program->driver = cli_driver_named(program->device);
	free(program->hash);
	program->hash = NULL;
	if (ft_program_hash(program, &program->hash, &err) ||
	    ft_source_open_process(&d->device[i].source, &d->launch[i], &err))
		return cli_error_at(&err, "device '%s'", program->device);
	ft_source_interrupt(d->device[i].source, cli_interrupt_flag());
	d->device[i].program = program;
	(void)cli_powers_of(&d->drawn, program->device, build->machine.fingerprint, &d->device[i].power);
	return d->drawn.status == CLI_DONE ? cli_program_put(build->store, program) : d->drawn.status;
}

/* What all devices share: NAME, parameters, work, constraint. */
static int share(struct cli_rivals *d, const struct ft_program *shared)
{
	size_t k;

	for (size_t i = 0; i < d->n; i++) {
		struct ft_program *program = &d->program[i];

		if (!program->name)
			program->name = cli_strdup(shared->name);
		if (shared->n_params) {
			program->n_params = shared->n_params;
			memcpy(program->param, shared->param, sizeof program->param);
		}
		if (shared->work) {
			free(program->work);
			program->work = cli_strdup(shared->work);
		}
		if (shared->where) {
			free(program->where);
			program->where = cli_strdup(shared->where);
		}
		for (k = 0; k < program->n_params; k++)
			if (program->param[k].most > program->param[k].least)
				break;
		if (k < program->n_params)
			continue;
		return cli_fail("no parameter has a range\n"
				"hint: write the range of sizes behind NAME, as in n=64:4096");
	}
	return CLI_DONE;
}

static int check_powers(const struct cli_rivals *d)
{
	const char *device[FT_DEVICES_MAX];

	for (size_t i = 0; i < d->n; i++)
		device[i] = d->program[i].device;
	return cli_powers_check(&d->build->powers, device, d->n);
}

/* Runs without a device are compared with them: do they have other parameters? */
static int check_stored(const struct cli_rivals *d)
{
	struct ft_store *store = d->build->store;
	struct ft_store_list list = {0};
	struct ft_program alone = {0};
	struct ft_err err = {0};
	bool differ = false;
	size_t i;

	if (ft_store_get_list(store, d->program[0].name, &list, &err))
		return cli_error(&err);
	for (i = 0; i < list.n && (list.entry[i].device || !list.entry[i].runs); i++)
		;
	if (i < list.n && !ft_store_get_program_at(store, list.entry[i].program, &alone, NULL))
		differ = !ft_program_same_params(&alone, &d->program[0]);
	ft_program_clear(&alone);
	ft_store_list_clear(&list);
	if (!differ)
		return CLI_DONE;
	return cli_fail(
		"'%s' has runs without a device, and of other parameters\n"
		"hint: measure the devices under another NAME: they are compared with all runs of theirs",
		d->program[0].name);
}

static int prepare_rivals(struct cli_rivals *d, const struct cli_words *words)
{
	struct cli_build *build = d->build;
	struct ft_program *shared = &build->program;
	struct ft_err err = {0};

	CLI_TRY(check_words(build, words));
	CLI_TRY(cli_device_wish(build->least, &d->resource));
	shared->name = cli_strdup(words->word[0]);
	shared->work = cli_strdup(build->work);
	int status = cli_program_params(shared, words->word + 1, words->n - 1, false);
	if (status == CLI_DONE)
		status = cli_program_where(shared, build->where.text, build->where.n);
	if (status == CLI_DONE && build->opencl.path)
		status = cli_rivals_kernels(d);
	for (size_t i = 0; i < build->devices.n && status == CLI_DONE && !build->opencl.path; i++)
		status = cli_rivals_command(d, build->devices.text[i]);
	if (status == CLI_DONE)
		status = cli_store_open(&build->store, build->store_path, CLI_WRITE);
	if (status == CLI_DONE && !d->n)
		status = recall_devices(d, shared->name);
	if (status == CLI_DONE)
		status = share(d, shared);
	if (status == CLI_DONE && (ft_machine_read("", &build->machine, &err) ||
				   ft_store_put_machine(build->store, &build->machine, &err)))
		status = cli_error(&err);
	d->drawn = (struct cli_device_powers){&build->powers, build->store, CLI_DONE};
	if (status == CLI_DONE)
		status = check_powers(d);
	if (status == CLI_DONE)
		status = check_stored(d);
	for (size_t i = 0; i < d->n && status == CLI_DONE; i++)
		status = open_device(d, i);
	return status;
}

/* ---- the work ----------------------------------------------------------------------------------------- */

static void show_progress(void *ctx, const struct ft_decide_progress *progress)
{
	const struct cli_rivals *d = ctx;
	char at[128], spent[FT_UNIT_LENGTH];

	if (!d->build->terminal)
		return;
	(void)ft_size_format(&d->program[0], &progress->size, at, sizeof at);
	CLI_OWN char *loss = isnan(progress->loss)
				     ? cli_strdup("")
				     : cli_printed("expected loss %.2g %%, ", 100 * progress->loss);
	CLI_OWN char *line =
		cli_printed("%zu run%s in %s, %s%s %s", progress->runs, progress->runs == 1 ? "" : "s",
			    ft_value_format(progress->spent_s, "s", spent), loss,
			    d->program[progress->device].device, at);
	cli_terminal_again();
	fprintf(stderr, "%.*s", (int)cli_terminal_width(stderr) - 1, line);
	(void)fflush(stderr);
}

/* What is known of the choice now; *d keeps it. */
static int find_table(struct cli_rivals *d)
{
	const struct ft_rank_options options = {.resource = d->resource,
						.watts = d->build->watts,
						.machine = d->build->machine.fingerprint,
						.here = d->build->machine.id,
						.power = cli_powers_answer,
						.ctx = &d->drawn};
	struct ft_err err = {0};

	if (ft_ranking_open(&d->ranking, d->build->store, d->program[0].name, &options, &err))
		return cli_error(&err);
	d->table = cli_alloc(sizeof *d->table);
	return ft_table_make(d->table, d->ranking, &err) ? cli_error(&err) : CLI_DONE;
}

static int decide(struct cli_rivals *d)
{
	struct cli_build *build = d->build;
	struct ft_decide_options options = {.resource = d->resource,
					    .watts = build->watts,
					    .tolerance = build->options.tolerance,
					    .budget_s = build->options.budget_s,
					    .timeout_s = build->options.timeout_s,
					    .points = build->options.points,
					    .interrupt = cli_interrupt_flag()};
	struct ft_err err = {0};

	cli_signals_catch();
	build->terminal = isatty(STDERR_FILENO) == 1;
	if (!build->quiet) {
		options.progress = show_progress;
		options.ctx = d;
	}
	if (ft_decide(build->store, d->device, d->n, &build->machine, &options, &d->report, &err))
		return cli_error(&err);
	d->told = true;
	if (!build->quiet && build->terminal)
		cli_terminal_again();
	return d->report.interrupted ? CLI_INTERRUPTED : find_table(d);
}

int cli_build_devices(struct cli_build *build, const struct cli_words *words)
{
	struct cli_rivals d = {.build = build};
	int status = prepare_rivals(&d, words), told;

	if (status == CLI_DONE) {
		status = decide(&d);
		told = d.told && (d.report.runs || d.table) ? cli_rivals_tell(&d) : CLI_DONE;
		status = status == CLI_DONE ? told : status;
	}
	ft_ranking_close(d.ranking);
	free(d.table);
	ft_decide_clear(d.device, d.n);
	for (size_t i = 0; i < d.n; i++) {
		ft_source_close(d.device[i].source);
		ft_program_clear(&d.program[i]);
	}
	return status;
}
