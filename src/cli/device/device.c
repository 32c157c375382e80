/* SPDX-License-Identifier: GPL-3.0-or-later */
/* device.c - where a routine should run. */
#include "cli/device/device.h"
#include "cli/common.h"
#include "cli/drivers.h"
#include "cli/facts.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#define ASKED "least powers confidence machine store"

static const struct cli_action actions[] = {
	{"list", "list what computes on this machine, and what drives it", "", "format json", 0, 0,
	 cli_device_list},
	{"rank", "compare the devices of a program at a size, or predict a kernel that never ran",
	 "NAME n=4096 [m=100] [OPTION...] | FILE.cl [--kernel K] -g n,n -l 16,16 n=4096 [OPTION...]",
	 ASKED " rates format json " CLI_KERNEL_COUNTS, 1, SIZE_MAX, cli_device_rank},
	{"table", "write which device is best where, as a header in C",
	 "NAME [-o dispatch.h | --json] [OPTION...]", ASKED " output format json", 1, 1, cli_device_table},
	{"calibrate", "find what a device needs for each thing that kernels do, and keep it",
	 "opencl:0|FILE.csv [-o FILE.csv] [OPTION...]", "output runs store format json", 1, 1,
	 cli_device_calibrate},
	{"features", "count what a launch of an OpenCL kernel does, from its source",
	 "FILE.cl [--kernel K] -g 1024,1024 -l 16,16 n=1024 ... [OPTION...]",
	 CLI_KERNEL_COUNTS " fixed expression format json", 1, SIZE_MAX, cli_kernel_features},
	{"run", "run a kernel on a device of OpenCL, and time it",
	 "FILE.cl [--kernel K] -g n,n [-l 16,16] --arg a='float[n*n]' --arg m=2*n n=1024 [OPTION...]",
	 "kernel global local arg data flags seed device runs format json", 1, SIZE_MAX, cli_kernel_run},
	{"evaluate", "evaluate expressions of a kernel that were kept", "FILE.json n=2048 ... [--json]",
	 "format json", 2, SIZE_MAX, cli_kernel_evaluate},
	{0},
};

int cli_device_wish(const char *least, const struct ft_resource **resource)
{
	*resource = least ? ft_resource_typed(least) : &ft_wall_s;
	if (*resource)
		return CLI_DONE;
	return cli_fail("--least is time or energy, not '%s'\n"
			"hint: or the name of a resource, as cpu_s",
			least);
}

static int open_ranking(struct cli_device *asked)
{
	const char *device[FT_DEVICES_MAX];
	struct ft_err err = {0};
	size_t i;

	if (ft_ranking_open(&asked->ranking, asked->store, asked->word[0], &asked->options, &err))
		return cli_error(&err);
	for (i = 0; i < ft_ranking_devices(asked->ranking); i++)
		device[i] = ft_ranking_device(asked->ranking, i);
	return asked->drawn.status == CLI_DONE ? cli_powers_check(&asked->powers, device, i)
					       : asked->drawn.status;
}

int cli_device_open(struct cli_device *asked)
{
	const struct ft_resource *resource;

	CLI_TRY(cli_device_wish(asked->least, &resource));
	CLI_TRY(cli_store_open(&asked->store, asked->store_path, CLI_ANSWER));
	asked->drawn = (struct cli_device_powers){&asked->powers, asked->store, CLI_DONE};
	asked->options = (struct ft_rank_options){.resource = resource,
						  .watts = asked->watts,
						  .confidence = asked->confidence,
						  .machine = asked->machine,
						  .here = ft_tell_machine_here(asked->store),
						  .driver = asked->machine ? NULL : cli_driver_now,
						  .power = cli_powers_answer,
						  .ctx = &asked->drawn};
	return open_ranking(asked);
}

static void close_device(struct cli_device *asked)
{
	ft_ranking_close(asked->ranking);
	ft_store_close(asked->store);
	asked->ranking = NULL;
	asked->store = NULL;
}

void cli_device_drivers(const struct cli_device *asked)
{
	for (size_t i = 0; i < ft_ranking_devices(asked->ranking); i++) {
		const char *now = ft_ranking_driver(asked->ranking, i);

		if (!now)
			continue;
		cli_note("the driver of '%s' is another one: it was %s, and is %s; its runs count no more",
			 ft_ranking_device(asked->ranking, i),
			 ft_ask_program(ft_ranking_answerer(asked->ranking, i))->driver, now);
		cli_hint("measure it again: foretime build %s --least time", asked->word[0]);
	}
}

void cli_device_gone(const char *device, bool kernel)
{
	cli_note("device '%s' cannot run the least size; it is left out", device);
	if (kernel && !strncmp(device, "opencl:", 7))
		cli_hint("a kernel that reaches outside of its buffers may end the process: "
			 "OCL_ICD_VENDORS=/usr/lib/oclgrind/liboclgrind-rt-icd.so foretime device run ... "
			 "shows where");
}

static int run_device(const struct cli_command *command, int argc, char **argv)
{
	struct cli_device asked = {.confidence = 0.9};
	struct cli_kernel *k = &asked.kernel;
	const struct ft_field options[] = {
		{0, "least", FT_FIELD_TEXT, &asked.least, "WHAT",
		 "resource that the best device needs least of: time (default), energy, or another"},
		{0, "watts", FT_FIELD_NUMBER, &asked.watts, "W",
		 "leave out devices whose run needs more power", .of = "least"},
		CLI_POWERS_OPTION(asked.powers),
		{'c', "confidence", FT_FIELD_SHARE, &asked.confidence, "C",
		 "share of future runs inside the intervals; default 90%"},
		CLI_MACHINE_OPTION(asked.machine),
		{'o', "output", FT_FIELD_TEXT, &asked.output, "FILE",
		 "the header (default: standard output), or the launches"},
		{'n', "runs", FT_FIELD_COUNT, &k->times, "N",
		 "runs of each launch; default: run 1, calibrate 20"},
		{0, "rates", FT_FIELD_TEXTS, &asked.rates, "FILE.csv",
		 "launches of a device of another machine, of calibrate -o"},
		CLI_ANSWER_OPTIONS(asked.json, asked.store_path),
		CLI_GROUP("a kernel of OpenCL"),
		CLI_KERNEL_OPTIONS(*k),
		{0, "arg", FT_FIELD_TEXTS, &k->args, "NAME=ARG",
		 "array TYPE[COUNT], number (both expressions), file with what a buffer holds, or fixed: "
		 "keeps its value in expressions"},
		{0, "device", FT_FIELD_TEXT, &k->device, "opencl:K",
		 "as foretime device list shows them; default opencl:0"},
		{0, "timed", FT_FIELD_TEXT, &k->tell, "WHAT",
		 "what is timed for the foretime that measures this: launch (default), kernel, or parts",
		 .of = "device"},
		{0, "fixed", FT_FIELD_TEXTS, &k->fixed, "NAME", NULL},
		{'e', "expression", FT_FIELD_FLAG, &k->expressions, NULL,
		 "counts as expressions of the arguments"},
		{0},
	};
	struct cli_words words;

	cli_kernel_default(k);
	int status = cli_options_parse(command, options, argc, argv, &words);
	if (status != CLI_GO)
		return status;
	asked.word = k->word = words.word + 1;
	asked.words = k->words = words.n - 1;
	asked.times = k->times ? k->times : 20;
	k->json = asked.json;
	if (asked.watts < 0)
		status = cli_fail("--least watts=: a power is above 0, not %g", asked.watts);
	else
		status = words.action->act(&asked);
	close_device(&asked);
	return status;
}

const struct cli_command cli_device = {
	"device",
	"choose the device that a routine should run on",
	NULL,
	"Devices, or implementations, of a program are measured by foretime build --device. Counts of a "
	"kernel "
	"are of what\n"
	"the compiler (clang) left of the source, and need no device. Data that are not given stay unknown; "
	"what depends on\n"
	"them is printed with its line.\n"
	"Exit status: 0 done, 1 no device can be chosen, 2 wrong use or failure.\n",
	actions,
	run_device,
};
