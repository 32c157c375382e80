/* SPDX-License-Identifier: GPL-3.0-or-later */
/* devices.c - measures several devices of one program until the choice between them is clear. */
#include "base/command.h"
#include "cli/build/build.h"
#include "cli/cli.h"
#include "cli/device/device.h"
#include "foretime/measure.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rivals_command(struct cli_rivals *d, const char *text);

/*
 * The output of `foretime build --least time`.
 */

#define DEVICE struct ft_decide_device
static const char *name_of(const void *at)
{
	return (*(struct ft_program *const *)at)->device;
}

static const struct ft_tell_row device_rows[] = {
	{FT_TELL_BY(SAID, "device", DEVICE, program), .say = name_of, .head = "device"},
	{FT_TELL(DEVICE, runs), .about = "made now", .head = ">runs"},
	{FT_TELL(DEVICE, known), .about = "that the store had", .head = ">known"},
	{FT_TELL(DEVICE, failed), .head = ">failed"},
	{FT_TELL(DEVICE, cost_s), .head = ">cost", .unit = "s"},
	{FT_TELL(DEVICE, gone), .about = "its least size cannot be run"},
	{FT_TELL(DEVICE, detail), .about = "last words of a run that failed", .null = "none did", .head = "",
	 .none = ""},
	{0},
};
static const struct ft_tell_record tell_device = {.bytes = sizeof(DEVICE), .row = device_rows};

struct build_devices_tell_answer {
	const char *name, *stop;
	const struct ft_resource *resource;
	double watts, loss, cost_s;
	size_t runs;
	DEVICE *device;
	size_t n;
};

static const struct ft_tell_row rows[] = {
	{FT_TELL(struct build_devices_tell_answer, name)},
	{FT_TELL(struct build_devices_tell_answer, stop),
	 .words = "decided|budget|as many sizes as were to be|no run that may be made decides more|"
		  "one device is left|no device is left|interrupted"},
	{FT_TELL(struct build_devices_tell_answer, resource), .about = "what is to be least"},
	{FT_TELL(struct build_devices_tell_answer, watts), .about = "that a run may need", .null = "any"},
	{FT_TELL(struct build_devices_tell_answer, loss),
	 .about = "that is expected of choosing by what is known, as a share", .null = "not known"},
	{FT_TELL(struct build_devices_tell_answer, runs)},
	{FT_TELL(struct build_devices_tell_answer, cost_s)},
	{FT_TELL_MANY(LIST, "devices", struct build_devices_tell_answer, device, n, &tell_device)},
	{0},
};
const struct ft_tell_record cli_build_decided_answer = {
	.name = "build-decided", .typed = "build --least time", .version = 1, .row = rows};

static void print_choice(const struct cli_rivals *d, const struct build_devices_tell_answer *answer)
{
	struct cli_table table = {0};
	char cost[FT_UNIT_LENGTH];

	printf("%s: %s after %zu run%s and %s\n\n", answer->name, answer->stop, answer->runs,
	       answer->runs == 1 ? "" : "s", ft_value_format(answer->cost_s, "s", cost));
	cli_table_tell(&table, &tell_device, answer->device, answer->n, NULL);
	cli_table_print(&table, stdout);
	if (!d->table)
		return;
	printf("\nbest device");
	if (answer->resource != &ft_wall_s)
		printf(", by %s", answer->resource->name);
	if (answer->watts > 0)
		printf(", where a run needs %g W at most", answer->watts);
	printf(":\n");
	cli_device_print_table(d->table, d->ranking);
	if (!isnan(answer->loss))
		printf("choosing so is expected to cost %.2g %% over the range\n", 100 * answer->loss);
}

/* rivals_tell - what was measured, and which is best where. Returns the exit status. */
static int rivals_tell(const struct cli_rivals *d)
{
	const struct build_devices_tell_answer answer = {
		d->program[0].name,
		d->report.interrupted ? "interrupted" : ft_chooser_stop_text(d->report.stop),
		d->resource,
		d->build->watts > 0 ? d->build->watts : (double)NAN,
		d->report.loss,
		d->report.cost_s,
		d->report.runs,
		(DEVICE *)(uintptr_t)d->device,
		d->n};

	if (d->build->json)
		cli_tell(&cli_build_decided_answer, &answer, NULL);
	else
		print_choice(d, &answer);
	for (size_t i = 0; i < d->n; i++)
		if (d->device[i].gone)
			cli_device_gone(d->program[i].device, d->build->opencl.path != NULL);
	if (d->n == 1)
		cli_note("there is one device: nothing is to be decided");
	return d->report.stop == FT_CHOOSER_NONE ? CLI_NO : CLI_DONE;
}

/*
 * A kernel of OpenCL on devices; each run is a process of this program.
 */

static void add_word(struct cli_words *words, char *word)
{
	words->word = cli_grow(words->word, words->n, sizeof *words->word);
	words->word[words->n++] = word;
}

static void add_option(struct cli_words *words, const char *name, const char *value)
{
	if (value)
		add_word(words, cli_printed("--%s=%s", name, value));
}

/* The device runs it by a process of this program: a driver that crashes takes that alone. */
static int add_kernel(struct cli_rivals *d, const char *device)
{
	const struct cli_build *build = d->build;
	struct cli_words words = {0};
	struct ft_program *program = &d->program[d->n];
	char self[PATH_MAX];

	if (!ft__command_self(self, sizeof self))
		return cli_fail("cannot find the file of this program: is /proc mounted?");
	add_word(&words, cli_strdup(self));
	add_word(&words, cli_strdup("device"));
	add_word(&words, cli_strdup("run"));
	add_word(&words, cli_strdup(build->opencl.path));
	char *on = build->opencl.tell ? cli_printed("%s,timed=%s", device, build->opencl.tell)
				      : cli_strdup(device);
	add_option(&words, "device", on);
	free(on);
	add_option(&words, "kernel", build->opencl.kernel);
	add_option(&words, "global", build->opencl.global);
	add_option(&words, "local", build->opencl.local);
	add_option(&words, "flags", build->opencl.flags);
	for (size_t i = 0; i < build->opencl.args.n; i++)
		add_option(&words, "arg", build->opencl.args.text[i]);
	for (size_t i = 0; i < build->program.n_params; i++)
		add_word(&words,
			 cli_printed("%s={%s}", build->program.param[i].name, build->program.param[i].name));
	program->device = cli_strdup(device);
	d->n++;
	cli_program_argv(program, words.word, words.n);
	for (size_t i = 0; i < words.n; i++)
		free(words.word[i]);
	free(words.word);
	return CLI_DONE;
}

static int add_all_kernels(struct cli_rivals *d)
{
	struct ft_hardware hardware;
	struct ft_err err = {0};
	int status = CLI_DONE;

	if (ft_hardware_read(&hardware, &err))
		return cli_error(&err);
	for (size_t i = 0; i < hardware.n && d->n < FT_DEVICES_MAX && status == CLI_DONE; i++)
		if (!strncmp(hardware.item[i].id, "opencl:", 7))
			status = add_kernel(d, hardware.item[i].id);
	if (status == CLI_DONE && !d->n)
		status = cli_fail("OpenCL has no device here: %s", hardware.opencl);
	ft_hardware_clear(&hardware);
	return status;
}

static int rivals_kernels(struct cli_rivals *d)
{
	const struct cli_build *build = d->build;
	int status = CLI_DONE;

	if (!build->opencl.global)
		return cli_fail("--opencl has no global size (the number of work-items)\n"
				"hint: write --opencl FILE.cl,global=n,n,local=16,16; local is the size of a "
				"work-group");
	if (build->opencl.tell && strcmp(build->opencl.tell, "launch") != 0 &&
	    strcmp(build->opencl.tell, "kernel") != 0)
		return cli_fail("timed= is launch or kernel, not '%s'", build->opencl.tell);
	if (!build->devices.n)
		return add_all_kernels(d);
	for (size_t i = 0; i < build->devices.n && status == CLI_DONE; i++) {
		const char *device = build->devices.text[i];

		if (!strcmp(device, "all"))
			status = add_all_kernels(d);
		else if (!strncmp(device, "opencl:", 7) && !strchr(device, '='))
			status = add_kernel(d, device);
		else
			status = rivals_command(d, device);
	}
	return status;
}

/*
 * Measures several devices of one program until the choice between them is clear.
 */

bool cli_build_is_on_devices(const struct cli_build *build)
{
	return build->until || build->opencl.path ||
	       (build->devices.n && strchr(build->devices.text[0], '='));
}

/* ---- the program to build
   ------------------------------------------------------------------------------------ */

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
/* rivals_command - one more device, a command: "gpu=./prog --gpu {n}". rivals_kernels - the devices
 * that a kernel of OpenCL runs on. Both return CLI_DONE, or the exit status after a complaint. */
static int rivals_command(struct cli_rivals *d, const char *text)
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

/* Take the devices from the store when none is named. */
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
		status = rivals_kernels(d);
	for (size_t i = 0; i < build->devices.n && status == CLI_DONE && !build->opencl.path; i++)
		status = rivals_command(d, build->devices.text[i]);
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
	if (status == CLI_DONE) {
		const char *device[FT_DEVICES_MAX];

		for (size_t i = 0; i < d->n; i++)
			device[i] = d->program[i].device;
		status = cli_powers_check(&d->build->powers, device, d->n);
	}
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
	cli_build_line(d->build, line);
}

/* Compute the choice as known so far; *d owns it. */
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
	build->terminal = !build->quiet && isatty(STDERR_FILENO) == 1;
	if (!build->quiet) {
		options.progress = show_progress;
		options.ctx = d;
	}
	cli_build_watch(build);
	enum ft_status status =
		ft_decide(build->store, d->device, d->n, &build->machine, &options, &d->report, &err);
	cli_build_unwatch(build);
	if (status)
		return cli_error(&err);
	d->answer = true;
	return d->report.interrupted ? CLI_INTERRUPTED : find_table(d);
}

int cli_build_devices(struct cli_build *build, const struct cli_words *words)
{
	struct cli_rivals d = {.build = build};
	int status = prepare_rivals(&d, words), answer;

	if (status == CLI_DONE) {
		status = decide(&d);
		answer = d.answer && (d.report.runs || d.table) ? rivals_tell(&d) : CLI_DONE;
		status = status == CLI_DONE ? answer : status;
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
