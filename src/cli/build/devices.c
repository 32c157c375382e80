/* SPDX-License-Identifier: GPL-3.0-or-later */
/* devices.c - several devices of one program, measured where the choice between them is not known. */
#include "cli/build/devices.h"
#include "cli/answers.h"
#include "cli/common.h"
#include "cli/device/device.h"
#include "cli/drivers.h"
#include "cli/program.h"
#include "cli/terminal.h"
#include "cli/words.h"
#include "foretime/hardware.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct devices {
	struct cli_build *build;
	struct ft_program program[FT_DEVICES_MAX];
	struct ft_launch launch[FT_DEVICES_MAX];
	struct ft_decide_device device[FT_DEVICES_MAX];
	size_t n;
	struct ft_decide_report report;
	struct ft_ranking *ranking;
	struct ft_table *table; /* NULL: there is none yet */
};

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
	if (!build->until && !build->opencl.path) {
		(void)cli_fail("several devices are measured until the choice between them is known");
		cli_hint("add --until decided; or build one after the other: --device D -- PROG ARG...");
		return CLI_WRONG;
	}
	if (words->separated) {
		(void)cli_fail("with commands of devices no program stands behind --");
		cli_hint("write each as --device gpu='./prog --gpu {n}'");
		return CLI_WRONG;
	}
	if (build->replay_path || build->cases_path || build->steps || build->method)
		return cli_fail("--until decided goes with no --%s", build->replay_path  ? "replay"
								     : build->cases_path ? "cases"
								     : build->steps      ? "steps"
											 : "method");
	if (words->n && !strchr(words->word[0], '='))
		return CLI_DONE;
	(void)cli_fail("which program? devices need a NAME that they share");
	cli_hint("write foretime build NAME n=64:4096 --device cpu='./prog {n}' ...");
	return CLI_WRONG;
}

/* "gpu=./prog --gpu {n}" */
static int read_device(struct devices *d, const char *text)
{
	struct ft_program *program = &d->program[d->n];
	const char *equals = strchr(text, '='), *fault;
	char *device = cli_strdup(text), **word;
	size_t n, i;

	if (equals)
		device[equals - text] = '\0';
	fault = ft_program_device_fault(device);
	for (i = 0; i < d->n && !fault; i++)
		if (!strcmp(d->program[i].device, device))
			fault = "it is given twice";
	program->device = device;
	d->n++;
	if (fault)
		return cli_fail("'%s' cannot name a device: %s", device, fault);
	if (!equals) {
		(void)cli_fail("device '%s' has no command", device);
		cli_hint("write --device %s='./prog {n}'", device);
		return CLI_WRONG;
	}
	if (cli_words_split(equals + 1, &word, &n) != CLI_DONE)
		return CLI_WRONG;
	cli_program_argv(program, word, n);
	for (i = 0; i < n; i++)
		free(word[i]);
	free(word);
	return CLI_DONE;
}

/* ---- a kernel of OpenCL, on devices ------------------------------------------------------------------- */

static void add_word(struct cli_words *words, size_t *capacity, char *word)
{
	words->word = cli_grow(words->word, words->n, capacity, sizeof *words->word);
	words->word[words->n++] = word;
}

static void add_option(struct cli_words *words, size_t *capacity, const char *name, const char *value)
{
	if (value)
		add_word(words, capacity, cli_printed("--%s=%s", name, value));
}

/* The device runs it by a process of this program: a driver that crashes takes that alone. */
static int add_kernel(struct devices *d, const char *device)
{
	const struct cli_build *build = d->build;
	struct cli_words words = {0};
	struct ft_program *program = &d->program[d->n];
	char self[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
	size_t capacity = 0, i;

	if (length <= 0)
		return cli_fail("cannot find the file of this program: is /proc mounted?");
	self[length] = '\0';
	add_word(&words, &capacity, cli_strdup(self));
	add_word(&words, &capacity, cli_strdup("kernel"));
	add_word(&words, &capacity, cli_strdup("run"));
	add_word(&words, &capacity, cli_strdup(build->opencl.path));
	add_option(&words, &capacity, "device", device);
	add_option(&words, &capacity, "kernel", build->opencl.kernel);
	add_option(&words, &capacity, "global", build->opencl.global);
	add_option(&words, &capacity, "local", build->opencl.local);
	add_option(&words, &capacity, "flags", build->opencl.flags);
	add_option(&words, &capacity, "tell", build->opencl.tell);
	for (i = 0; i < build->opencl.args.n; i++)
		add_option(&words, &capacity, "arg", build->opencl.args.text[i]);
	for (i = 0; i < build->program.n_params; i++)
		add_word(&words, &capacity,
			 cli_printed("%s={%s}", build->program.param[i].name, build->program.param[i].name));
	program->device = cli_strdup(device);
	d->n++;
	cli_program_argv(program, words.word, words.n);
	for (i = 0; i < words.n; i++)
		free(words.word[i]);
	free(words.word);
	return CLI_DONE;
}

static int add_all_kernels(struct devices *d)
{
	struct ft_hardware hardware;
	struct ft_err err = {0};
	size_t i;
	int status = CLI_DONE;

	if (ft_hardware_read(&hardware, &err))
		return cli_error(&err);
	for (i = 0; i < hardware.n && d->n < FT_DEVICES_MAX && status == CLI_DONE; i++)
		if (!strncmp(hardware.item[i].id, "opencl:", 7))
			status = add_kernel(d, hardware.item[i].id);
	if (status == CLI_DONE && !d->n)
		status = cli_fail("OpenCL has no device here: %s", hardware.opencl);
	ft_hardware_clear(&hardware);
	return status;
}

static int read_kernel(struct devices *d)
{
	const struct cli_build *build = d->build;
	size_t i;
	int status = CLI_DONE;

	if (!build->opencl.global) {
		(void)cli_fail("how many work-items there are is not said");
		cli_hint("write --global 'n,n', and --local 16,16 for those of a group");
		return CLI_WRONG;
	}
	if (build->opencl.tell && strcmp(build->opencl.tell, "launch") != 0 &&
	    strcmp(build->opencl.tell, "kernel") != 0)
		return cli_fail("--tell is launch or kernel, not '%s'", build->opencl.tell);
	if (!build->devices.n)
		return add_all_kernels(d);
	for (i = 0; i < build->devices.n && status == CLI_DONE; i++) {
		const char *device = build->devices.text[i];

		if (!strcmp(device, "all"))
			status = add_all_kernels(d);
		else if (!strncmp(device, "opencl:", 7) && !strchr(device, '='))
			status = add_kernel(d, device);
		else
			status = read_device(d, device);
	}
	return status;
}

/* ---- all of them -------------------------------------------------------------------------------------- */

/* The devices of the store, where none is named. */
static int recall_devices(struct devices *d, const char *name)
{
	struct ft_store_list list = {0};
	struct ft_err err = {0};
	size_t i, k;

	if (ft_store_get_list(d->build->store, name, &list, &err))
		return cli_error(&err);
	for (i = 0; i < list.n && d->n < FT_DEVICES_MAX; i++) {
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
	(void)cli_fail("which devices? '%s' has none in the store", name);
	cli_hint(
		"write foretime build %s n=64:4096 --device cpu='./prog {n}' --device gpu='./prog --gpu {n}'",
		name);
	return CLI_WRONG;
}

/* Each parameter with a range is named in the command of each device. */
static int check_names(const struct devices *d, size_t i)
{
	const struct ft_program *program = &d->program[i];
	size_t k;

	for (k = 0; k < program->n_params; k++) {
		const struct ft_param *param = &program->param[k];

		if (!(param->most > param->least) || ft_launch_names(&d->launch[i], param->name))
			continue;
		(void)cli_fail("the command of device '%s' has no {%s}: each run would be the same",
			       program->device, param->name);
		cli_hint("write {%s} where it takes that value", param->name);
		return CLI_WRONG;
	}
	return CLI_DONE;
}

static int open_device(struct devices *d, size_t i)
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
	return cli_program_put(build->store, program);
}

/* What all devices share: NAME, parameters, work, constraint. */
static int share(struct devices *d, const struct ft_program *shared)
{
	size_t i, k;

	for (i = 0; i < d->n; i++) {
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
		(void)cli_fail("no parameter has a range");
		cli_hint("write the range of sizes behind NAME, as in n=64:4096");
		return CLI_WRONG;
	}
	return CLI_DONE;
}

static int prepare(struct devices *d, const struct cli_words *words)
{
	struct cli_build *build = d->build;
	struct ft_program *shared = &build->program;
	struct ft_err err = {0};
	size_t i;
	int status = check_words(build, words);

	if (status != CLI_DONE)
		return status;
	shared->name = cli_strdup(words->word[0]);
	shared->work = cli_strdup(build->work);
	status = cli_program_params(shared, words->word + 1, words->n - 1, false);
	if (status == CLI_DONE)
		status = cli_program_where(shared, build->where.text, build->where.n);
	if (status == CLI_DONE && build->opencl.path)
		status = read_kernel(d);
	for (i = 0; i < build->devices.n && status == CLI_DONE && !build->opencl.path; i++)
		status = read_device(d, build->devices.text[i]);
	if (status == CLI_DONE)
		status = cli_store_open(&build->store, build->store_path, CLI_WRITE);
	if (status == CLI_DONE && !d->n)
		status = recall_devices(d, shared->name);
	if (status == CLI_DONE)
		status = share(d, shared);
	if (status == CLI_DONE && (ft_machine_read("", &build->machine, &err) ||
				   ft_store_put_machine(build->store, &build->machine, &err)))
		status = cli_error(&err);
	for (i = 0; i < d->n && status == CLI_DONE; i++)
		status = open_device(d, i);
	return status;
}

/* ---- the work ----------------------------------------------------------------------------------------- */

static void show_progress(void *ctx, const struct ft_decide_progress *progress)
{
	const struct devices *d = ctx;
	char at[128], spent[FT_UNIT_LENGTH];

	if (!d->build->terminal)
		return;
	(void)ft_size_format(&d->program[0], &progress->size, at, sizeof at);
	cli_terminal_again();
	fprintf(stderr, "%zu run%s, %s spent", progress->runs, progress->runs == 1 ? "" : "s",
		ft_value_format(progress->spent_s, "s", spent));
	if (!isnan(progress->loss))
		fprintf(stderr, ", %.2g %% to be lost", 100 * progress->loss);
	fprintf(stderr, ", now %s %s", d->program[progress->device].device, at);
	(void)fflush(stderr);
}

/* What is known of the choice now; *d keeps it. */
static int find_table(struct devices *d)
{
	const struct ft_rank_options options = {.machine = d->build->machine.fingerprint,
						.here = d->build->machine.id};
	struct ft_err err = {0};

	if (ft_ranking_open(&d->ranking, d->build->store, d->program[0].name, &options, &err))
		return cli_error(&err);
	d->table = cli_alloc(sizeof *d->table);
	return ft_table_make(d->table, d->ranking, &err) ? cli_error(&err) : CLI_DONE;
}

static int decide(struct devices *d)
{
	struct cli_build *build = d->build;
	struct ft_decide_options options = {.tolerance = build->options.tolerance,
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
	if (!build->quiet && build->terminal)
		cli_terminal_again();
	return d->report.interrupted ? CLI_INTERRUPTED : find_table(d);
}

/* ---- what is told -------------------------------------------------------------------------------------- */

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
static const struct ft_tell_record device = {.bytes = sizeof(DEVICE), .row = device_rows};

struct told {
	const char *name, *stop;
	double loss, cost_s;
	size_t runs;
	DEVICE *device;
	size_t n;
};

static const struct ft_tell_row rows[] = {
	{FT_TELL(struct told, name)},
	{FT_TELL(struct told, stop),
	 .words = "decided|budget|as many sizes as were to be|no run that may be made decides more|"
		  "one device is left|no device is left|interrupted"},
	{FT_TELL(struct told, loss), .about = "that is expected of choosing by what is known, as a share",
	 .null = "not known"},
	{FT_TELL(struct told, runs)},
	{FT_TELL(struct told, cost_s)},
	{FT_TELL_MANY(LIST, "devices", struct told, device, n, &device)},
	{0},
};
const struct ft_tell_record cli_build_decided_told = {
	.name = "build-decided", .typed = "build --until decided", .version = 1, .row = rows};

static void print_text(const struct devices *d, const struct told *told)
{
	struct cli_table table = {0};
	char cost[FT_UNIT_LENGTH];

	printf("%s: %s after %zu run%s and %s\n\n", told->name, told->stop, told->runs,
	       told->runs == 1 ? "" : "s", ft_value_format(told->cost_s, "s", cost));
	cli_table_tell(&table, &device, told->device, told->n, NULL);
	cli_table_print(&table, stdout);
	cli_table_clear(&table);
	if (!d->table)
		return;
	printf("\nbest device:\n");
	cli_device_print_table(d->table, d->ranking);
	if (!isnan(told->loss))
		printf("choosing so is expected to cost %.2g %% over the range\n", 100 * told->loss);
}

static int tell(const struct devices *d)
{
	const struct told told = {d->program[0].name,
				  d->report.interrupted ? "interrupted"
							: ft_chooser_stop_text(d->report.stop),
				  d->report.loss,
				  d->report.cost_s,
				  d->report.runs,
				  (DEVICE *)(uintptr_t)d->device,
				  d->n};
	size_t i;

	if (d->build->json)
		cli_tell(&cli_build_decided_told, &told, NULL);
	else
		print_text(d, &told);
	for (i = 0; i < d->n; i++)
		if (d->device[i].gone)
			cli_device_gone(d->program[i].device, d->build->opencl.path != NULL);
	if (d->n == 1)
		cli_note("there is one device: nothing is to be decided");
	return d->report.stop == FT_CHOOSER_NONE ? CLI_NO : CLI_DONE;
}

int cli_build_devices(struct cli_build *build, const struct cli_words *words)
{
	struct devices d = {.build = build};
	size_t i;
	int status = prepare(&d, words), told;

	if (status == CLI_DONE) {
		status = decide(&d);
		told = d.report.runs || d.table ? tell(&d) : CLI_DONE;
		status = status == CLI_DONE ? told : status;
	}
	ft_ranking_close(d.ranking);
	free(d.table);
	ft_decide_clear(d.device, d.n);
	for (i = 0; i < d.n; i++) {
		ft_source_close(d.device[i].source);
		ft_program_clear(&d.program[i]);
	}
	return status;
}
