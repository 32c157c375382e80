/* SPDX-License-Identifier: GPL-3.0-or-later */
/* energy.c - what runs cost in energy: powers of machines from measured runs, and questions to them. */
#include "cli/energy/energy.h"
#include "cli/powers.h"
#include "foretime/units.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static const struct cli_action actions[] = {
	{"fit", "find the power of each part in measured runs",
	 "RUNS.csv [--meter resolution=9W] [--save M] [OPTION...]",
	 "confidence method meter save keep machine store format json", 1, 1, cli_energy_fit},
	{"predict", "predict the energy of jobs",
	 "(--model FILE.json | --powers ...) wall=100s,job=90s,n=12 ... [m=1]",
	 "model powers confidence method price format json", 0, SIZE_MAX, cli_energy_predict},
	{"share", "divide the energy among jobs that run together",
	 "(--model FILE.json | --powers ...) wall=T,job=T,n=N wall=T,job=T,n=N ... [m=1]",
	 "model powers confidence by format json", 0, SIZE_MAX, cli_energy_share},
	{"peak", "print the power that a number of cores draws",
	 "(--model FILE.json | --powers ...) n=36 m=3", "model powers confidence format json", 0, SIZE_MAX,
	 cli_energy_peak},
	{"cap", "find how many cores may work under a power limit",
	 "(--model FILE.json | --powers ...) power=2kW cores=N [most=N]",
	 "model powers confidence format json", 0, SIZE_MAX, cli_energy_cap},
	{"sweet-spot", "find the number of cores with the least energy",
	 "(--model FILE.json | --powers ...) (time=T serial=10% | RUNS.csv | NAME --by PARAM) "
	 "cores=N [most=N]",
	 "model powers serial by confidence waits all output store format json", 0, SIZE_MAX,
	 cli_energy_sweet_spot},
	{"curve", "find power as a function of utilisation", "FILE.csv [--by COLUMN] [--at SHARE]",
	 "by at format json", 1, 1, cli_energy_curve},
	{0},
};

int cli_energy_power(struct cli_energy *e)
{
	if (e->model)
		return cli_powers_file(&e->power, e->model);
	if (e->watts)
		return cli_powers_typed(&e->power, "--powers", e->watts);
	return cli_fail("of which machine? no powers are given\n"
			"hint: --model FILE.json as foretime energy fit --json prints it, or --powers "
			"infr=161,machine=101,core=12");
}

static int run_energy(const struct cli_command *command, int argc, char **argv)
{
	struct cli_energy e = {.confidence = 0.9, .serial = NAN, .at = NAN};
	const char *waits = NULL, *save = NULL;
	const struct ft_field options[] = {
		{0, "model", FT_FIELD_TEXT, &e.model, "FILE.json", "powers as energy fit --json prints them",
		 .not_with = "powers"},
		{0, "powers", FT_FIELD_TEXT, &e.watts, "PART=W,...",
		 "powers as stated: infr=161,machine=101,core=12"},
		{'c', "confidence", FT_FIELD_SHARE, &e.confidence, "C",
		 "confidence of the intervals; default 90%", .least = FT_CONFIDENCE_LEAST,
		 .most = FT_CONFIDENCE_MOST},
		{0, "method", FT_FIELD_TEXT, NULL, "HOW", "other ways to compute, several with commas"},
		{0, "plain", FT_FIELD_FLAG, &e.plain, NULL, "fit: least squares over all runs, outliers too",
		 .of = "method"},
		{0, "merge", FT_FIELD_FLAG, &e.merge, NULL, "fit: infrastructure and machines as one part",
		 .of = "method"},
		{0, "printed", FT_FIELD_FLAG, &e.printed, NULL,
		 "predict: two jobs by equation 12.3 as it is printed", .of = "method"},
		{0, "meter", FT_FIELD_TEXT, &e.meter, "NAME", "take only what this meter measured"},
		{0, "resolution", FT_FIELD_TEXT, &e.resolution, "WATTS", "resolution of the meter, as in 9W",
		 .of = "meter"},
		{0, "save", FT_FIELD_TEXT, &save, "M",
		 "keep the powers with machine M of the store, here: this one, for the energy of its runs"},
		{0, "keep", FT_FIELD_FLAG, &e.keep, NULL, NULL},
		{0, "machine", FT_FIELD_TEXT, &e.machine, "M", NULL},
		CLI_PRICE_OPTIONS(e.price),
		{0, "by", FT_FIELD_TEXT, &e.by, "KIND",
		 "share: divide what is drawn in common equally (default) or by cores; curve: one for each "
		 "value of this column; sweet-spot: parameter of NAME that is the number of cores"},
		{0, "serial", FT_FIELD_PART, &e.serial, "SHARE", NULL},
		{0, "waits", FT_FIELD_TEXT, &waits, "KIND", NULL},
		{0, "all", FT_FIELD_FLAG, &e.curve, NULL, "print every number of cores"},
		{'o', "output", FT_FIELD_TEXT, &e.output, "FILE",
		 "picture of power, time and energy, .svg or .png"},
		{0, "at", FT_FIELD_PART, &e.at, "SHARE", "utilisation at which to print the power"},
		CLI_ANSWER_OPTIONS(e.json, e.store_path),
		{0},
	};
	struct cli_words words;
	int status = cli_options_parse(command, options, argc, argv, &words);

	if (status != CLI_GO)
		return status;
	e.word = words.word + 1;
	e.words = words.n - 1;
	e.keep |= save != NULL;
	e.machine = save && strcmp(save, "here") != 0 ? save : e.machine;
	e.busy = !waits || !strcmp(waits, "busy");
	e.by_cores = e.by && !strcmp(e.by, "cores");
	if (!e.busy && strcmp(waits, "idle") != 0)
		status = cli_fail("--waits is busy or idle, not '%s'", waits);
	else if (e.by && !e.by_cores && strcmp(e.by, "equally") != 0 && words.action->act == cli_energy_share)
		status = cli_fail("--by is equally or cores, not '%s'", e.by);
	else if ((status = cli_price_read(&e.price)) == CLI_DONE)
		status = words.action->act(&e);
	return status;
}

const struct cli_command cli_energy = {
	"energy",
	"the power of machines from measured runs, and what jobs will cost",
	NULL,
	"RUNS.csv has the columns t_wall, t_job, n (cores), m (machines), energy_j; or t_wall, energy_j and "
	"t_NAME\n"
	"for each part. A job is wall seconds, seconds of them that all its n cores work, and n.\n",
	actions,
	run_energy,
};
