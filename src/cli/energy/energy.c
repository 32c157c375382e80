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
	 "RUNS.csv [--resolution 9W] [--keep [--machine M]] [OPTION...]",
	 "confidence merge plain resolution meter keep machine store json", 1, 1, cli_energy_fit},
	{"predict", "say what jobs cost",
	 "(--model FILE.json | --powers ...) wall=100s,job=90s,n=12 ... [m=1]",
	 "model powers watts confidence printed price co2 json", 0, SIZE_MAX, cli_energy_predict},
	{"share", "divide the energy among jobs that run together",
	 "(--model FILE.json | --powers ...) wall=T,job=T,n=N wall=T,job=T,n=N ... [m=1]",
	 "model powers watts confidence by json", 0, SIZE_MAX, cli_energy_share},
	{"peak", "say what power so many cores draw", "(--model FILE.json | --powers ...) n=36 m=3",
	 "model powers watts confidence json", 0, SIZE_MAX, cli_energy_peak},
	{"cap", "say how many cores may work under a limit of power",
	 "(--model FILE.json | --powers ...) power=2kW cores=N [most=N]",
	 "model powers watts confidence json", 0, SIZE_MAX, cli_energy_cap},
	{"sweet-spot", "say how many cores cost the least energy",
	 "(--model FILE.json | --powers ...) (time=T --serial SHARE | RUNS.csv | NAME --threads PARAM) "
	 "cores=N [most=N]",
	 "model powers watts serial threads confidence waits curve output store json", 0, SIZE_MAX,
	 cli_energy_sweet_spot},
	{"curve", "find power as a function of utilisation", "FILE.csv [--group COLUMN] [--at SHARE]",
	 "group at json", 1, 1, cli_energy_curve},
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
	const char *waits = NULL, *by = NULL;
	const struct ft_field options[] = {
		{0, "model", FT_FIELD_TEXT, &e.model, "FILE.json", "powers as energy fit --json prints them",
		 .not_with = "powers watts"},
		{0, "watts", FT_FIELD_TEXT, &e.watts, "PART=W,...", NULL},
		{0, "powers", FT_FIELD_TEXT, &e.watts, "PART=W,...",
		 "powers as stated: infr=161,machine=101,core=12"},
		{'c', "confidence", FT_FIELD_SHARE, &e.confidence, "C", "of intervals; default 90%",
		 .least = FT_CONFIDENCE_LEAST, .most = FT_CONFIDENCE_MOST},
		{0, "merge", FT_FIELD_FLAG, &e.merge, NULL, "infrastructure and machines as one part"},
		{0, "plain", FT_FIELD_FLAG, &e.plain, NULL,
		 "least squares over all runs, also those that do not fit"},
		{0, "resolution", FT_FIELD_TEXT, &e.resolution, "WATTS", "of the meter, as in 9W"},
		{0, "meter", FT_FIELD_TEXT, &e.meter, "NAME", "only what this meter measured"},
		{0, "keep", FT_FIELD_FLAG, &e.keep, NULL,
		 "keep the powers with the machine: predict tells the energy of runs by them"},
		{0, "machine", FT_FIELD_TEXT, &e.machine, "M",
		 "whose powers they are, with --keep: a machine of the store; default: this one"},
		CLI_PRICE_OPTIONS(e.price),
		{0, "printed", FT_FIELD_FLAG, &e.printed, NULL, "two jobs by equation 12.3 as it is printed"},
		{0, "by", FT_FIELD_TEXT, &by, "KIND",
		 "what is drawn in common is shared equally (default) or by cores"},
		{0, "serial", FT_FIELD_PART, &e.serial, "SHARE", "of the time on one core that is serial"},
		{0, "threads", FT_FIELD_TEXT, &e.threads, "PARAM",
		 "the parameter of a program that is its number of cores"},
		{0, "curve", FT_FIELD_FLAG, &e.curve, NULL,
		 "print power, time and energy by number of cores"},
		{'o', "output", FT_FIELD_TEXT, &e.output, "FILE", "a picture of these, .svg or .png"},
		{0, "waits", FT_FIELD_TEXT, &waits, "KIND", "cores that wait are busy (default) or idle"},
		{0, "group", FT_FIELD_TEXT, &e.group, "COLUMN", "one curve for each of its values"},
		{0, "at", FT_FIELD_PART, &e.at, "SHARE", "the power at this utilisation"},
		CLI_ANSWER_OPTIONS(e.json, e.store_path),
		{0},
	};
	struct cli_words words;
	int status = cli_options_parse(command, options, argc, argv, &words);

	if (status != CLI_GO)
		return status;
	e.word = words.word + 1;
	e.words = words.n - 1;
	e.busy = !waits || !strcmp(waits, "busy");
	e.by_cores = by && !strcmp(by, "cores");
	if (!e.busy && strcmp(waits, "idle") != 0)
		status = cli_fail("--waits is busy or idle, not '%s'", waits);
	else if (by && !e.by_cores && strcmp(by, "equally") != 0)
		status = cli_fail("--by is equally or cores, not '%s'", by);
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
