/* SPDX-License-Identifier: GPL-3.0-or-later */
/* energy.c - what runs cost in energy: powers of machines from measured runs, and questions to them. */
#include "cli/energy.h"

#include <string.h>

static const struct action {
	const char *name;
	int (*act)(struct cli_energy *energy);
} actions[] = {
	{"fit", cli_energy_fit},   {"predict", cli_energy_predict},       {"share", cli_energy_share},
	{"peak", cli_energy_peak}, {"sweet-spot", cli_energy_sweet_spot}, {"curve", cli_energy_curve},
};

enum { N_ACTIONS = sizeof actions / sizeof *actions };

static const char *action_name(const void *ctx, size_t i)
{
	(void)ctx;
	return i < N_ACTIONS ? actions[i].name : NULL;
}

static int act(struct cli_energy *e, const struct cli_words *words)
{
	const char *nearest;
	size_t i;

	if (!words->n) {
		(void)cli_fail("what about energy?");
		cli_hint("foretime energy fit, predict, share, peak, sweet-spot or curve");
		return CLI_WRONG;
	}
	e->word = words->word + 1;
	e->words = words->n - 1;
	for (i = 0; i < N_ACTIONS; i++)
		if (!strcmp(actions[i].name, words->word[0]))
			return actions[i].act(e);
	(void)cli_fail("'energy' knows no '%s'", words->word[0]);
	nearest = cli_nearest(words->word[0], action_name, NULL);
	if (nearest)
		cli_hint("the nearest is foretime energy %s", nearest);
	else
		cli_hint("foretime energy fit, predict, share, peak, sweet-spot or curve");
	return CLI_WRONG;
}

static int run(const struct cli_command *command, int argc, char **argv)
{
	struct cli_energy e = {.confidence = 0.9};
	const char *waits = NULL, *by = NULL;
	const struct cli_option options[] = {
		{0, "model", CLI_TEXT, &e.model, "FILE.json", "powers as energy fit --json prints them"},
		{0, "watts", CLI_TEXT, &e.watts, "PART=W,...",
		 "powers as stated: infr=161,machine=101,core=12"},
		{0, "confidence", CLI_SHARE, &e.confidence, "C", "of intervals; default 90%"},
		{0, "merge", CLI_FLAG, &e.merge, NULL, "fit: infrastructure and machines as one part"},
		{0, "plain", CLI_FLAG, &e.plain, NULL,
		 "fit: least squares over all runs, also those that do not fit"},
		{0, "resolution", CLI_TEXT, &e.resolution, "WATTS", "fit: of the meter, as in 9W"},
		{0, "meter", CLI_TEXT, &e.meter, "NAME", "fit: only what this meter measured"},
		{0, "printed", CLI_FLAG, &e.printed, NULL,
		 "predict: two jobs by equation 12.3 as it is printed"},
		{0, "by", CLI_TEXT, &by, "KIND",
		 "share: what is drawn in common is shared equally (default) or by cores"},
		{0, "serial", CLI_SHARE, &e.serial, "SHARE",
		 "sweet-spot: of the time on one core that is serial"},
		{0, "waits", CLI_TEXT, &waits, "KIND",
		 "sweet-spot: cores that wait are busy (default) or idle"},
		{0, "group", CLI_TEXT, &e.group, "COLUMN", "curve: one curve for each of its values"},
		{0, "at", CLI_SHARE, &e.at, "SHARE", "curve: the power at this utilisation"},
		{0, "json", CLI_FLAG, &e.json, NULL, "print one JSON object"},
		{0},
	};
	struct cli_words words;
	int status = cli_options_parse(command, options, argc, argv, &words);

	if (status != CLI_GO)
		return status;
	e.busy = !waits || !strcmp(waits, "busy");
	e.by_cores = by && !strcmp(by, "cores");
	if (!e.busy && strcmp(waits, "idle") != 0)
		status = cli_fail("--waits is busy or idle, not '%s'", waits);
	else if (by && !e.by_cores && strcmp(by, "equally") != 0)
		status = cli_fail("--by is equally or cores, not '%s'", by);
	else if (e.confidence < 0.5 || e.confidence > 0.999)
		status = cli_fail("--confidence lies within 50 and 99.9 %%");
	else
		status = act(&e, &words);
	cli_words_clear(&words);
	return status;
}

const struct cli_command cli_energy = {
	"energy",
	"the power of machines from measured runs, and what jobs will cost",
	"fit RUNS.csv [--resolution 9W] [OPTION...]\n"
	"predict (--model FILE.json | --watts ...) wall=100s,job=90s,n=12 ... [m=1]\n"
	"share (--model FILE.json | --watts ...) wall=T,job=T,n=N wall=T,job=T,n=N ... [m=1]\n"
	"peak (--model FILE.json | --watts ...) n=36 m=3\n"
	"sweet-spot (--model FILE.json | --watts ...) time=T cores=N [most=N] --serial SHARE\n"
	"curve FILE.csv [--group COLUMN] [--at SHARE]",
	"RUNS.csv has the columns t_wall, t_job, n (cores), m (machines), energy_j; or t_wall, energy_j and "
	"t_NAME\n"
	"for each part. A job is wall seconds, seconds of them that all its n cores work, and n.\n",
	run,
};
