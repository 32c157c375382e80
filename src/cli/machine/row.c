/* SPDX-License-Identifier: GPL-3.0-or-later */
/* row.c - machines calibrated, shown, listed, sent elsewhere and taken from there. */
#include "cli/answers.h"
#include "cli/common.h"
#include "cli/facts.h"
#include "cli/machine/machine.h"
#include "cli/terminal.h"
#include "foretime/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- calibrate, show ----------------------------------------------------------------------------------- */

static int tell_row(struct ft_store *store, int64_t machine, const struct ft_tell_record *record,
		    const char *calibration, bool json)
{
	struct cli_row row;

	CLI_TRY(cli_row_read(store, machine, calibration, &row));
	if (json)
		cli_row_tell(&row, record);
	else
		cli_row_print(&row);
	cli_row_clear(&row);
	return CLI_DONE;
}

/* On a terminal only. */
static void show_progress(void *ctx, size_t done, size_t all)
{
	(void)ctx;
	cli_terminal_again();
	if (done < all)
		fprintf(stderr, "calibrating: %zu of %zu ", done, all);
	(void)fflush(stderr);
}

/* Others who work at the same time are measured with it. */
static void note_load(const struct ft_machine *machine)
{
	double load;

	if (getloadavg(&load, 1) == 1 && machine->threads && load > 0.5 * machine->threads)
		cli_note("the machine is busy (load %.1f on %d processors): calibrate again when it is idle",
			 load, machine->threads);
}

/* Values that follow each other closely count as one calibration: who asked for two must know. */
static int note_joined(struct ft_store *store, int64_t machine, const struct ft_calibration *calibration)
{
	int64_t began = calibration->n ? calibration->sample[0].started_ns : 0;
	FT_CLEANUP(cli_calibrations_clear) struct cli_calibrations calibrations = {0};
	char text[CLI_MOMENT];

	CLI_TRY(cli_calibrations_read(store, machine, &calibrations));
	for (size_t i = 0; i < calibrations.n; i++) {
		const struct cli_period *period = &calibrations.period[i];

		if (period->from_ns < began && began <= period->to_ns)
			cli_note("less than ten seconds after the calibration of %s: the two count as one",
				 cli_period_text(period, text));
	}
	return CLI_DONE;
}

static int keep_machine(const struct cli_machine *asked, struct ft_machine *machine,
			const struct ft_calibration *calibration)
{
	CLI_STORE struct ft_store *store = NULL;
	struct ft_err err = {0};

	CLI_TRY(cli_store_open(&store, asked->store_path, CLI_WRITE));
	if (ft_store_put_machine(store, machine, &err))
		return cli_error(&err);
	CLI_TRY(cli_calibration_keep(store, machine->id, calibration, NULL));
	CLI_TRY(tell_row(store, machine->id, &cli_machine_calibrate_told, NULL, asked->json));
	return note_joined(store, machine->id, calibration);
}

int cli_machine_calibrate(void *ctx)
{
	const struct cli_machine *asked = ctx;
	struct ft_calibrate_options options = {.interrupt = cli_interrupt_flag()};
	FT_CLEANUP(ft_machine_clear) struct ft_machine machine = {0};
	FT_CLEANUP(ft_calibration_clear) struct ft_calibration calibration = {0};
	struct ft_err err = {0};

	if (asked->quick) {
		options.rounds = 3;
		options.repetitions = 9;
		options.least_s = 0.001;
	}
	if (isatty(STDERR_FILENO))
		options.progress = show_progress;
	cli_signals_catch();
	if (ft_machine_read("", &machine, &err) || ft_calibrate(&options, &calibration, &err))
		return cli_error(&err);
	CLI_TRY(keep_machine(asked, &machine, &calibration));
	note_load(&machine);
	return CLI_DONE;
}

int cli_machine_show(void *ctx)
{
	const struct cli_machine *asked = ctx;
	CLI_STORE struct ft_store *store = NULL;
	int64_t machine = 0;

	CLI_TRY(cli_store_open(&store, asked->store_path, CLI_READ));
	CLI_TRY(cli_machine_find(store, asked->words ? asked->word[0] : NULL, &machine));
	return tell_row(store, machine, &cli_machine_show_told, asked->calibration, asked->json);
}

/* ---- list ---------------------------------------------------------------------------------------------- */

/* Programs of the user that ran on a machine. */
static size_t count_programs(const struct ft_store_list *list, int64_t machine)
{
	const size_t prefix = strlen(FT_CALIBRATION_PREFIX);
	size_t n = 0;

	for (size_t i = 0; i < list->n; i++)
		n += list->entry[i].machine == machine &&
		     strncmp(list->entry[i].name, FT_CALIBRATION_PREFIX, prefix) != 0;
	return n;
}

struct listed {
	struct ft_machine machine;
	size_t benchmarks, programs;
	int64_t newest_ns;
	bool here;
};

static char *age_cell(const void *record, const struct ft_tell_with *with)
{
	const struct listed *told = record;
	char age[FT_TELL_AGE];

	(void)with;
	return cli_strdup(told->benchmarks ? ft_tell_age(told->newest_ns, age) : "no");
}

static char *here_cell(const void *record, const struct ft_tell_with *with)
{
	(void)with;
	return cli_strdup(((const struct listed *)record)->here ? "this machine" : "");
}

#define LISTED struct listed
static const struct ft_tell_row listed_rows[] = {
	{FT_TELL_AS(NULL, LISTED, machine.host), .null = "", .head = "host"},
	{FT_TELL_AS(NULL, LISTED, machine.fingerprint), .head = "fingerprint"},
	{FT_TELL_AS(NULL, LISTED, machine.cpu), .null = "", .head = "processor"},
	{FT_TELL_AS(NULL, LISTED, machine.cores), .null = "", .head = ">cores"},
	{FT_TELL_AS(NULL, LISTED, machine.memory_bytes), .null = "", .head = ">memory", .unit = "bytes"},
	{FT_TELL_AS(NULL, LISTED, programs), .head = ">programs"},
	{FT_TELL_BY(RECORD, "machine", LISTED, machine), .of = &ft_tell_machine},
	{FT_TELL(LISTED, benchmarks), .about = "that have a value; 0: not calibrated"},
	{FT_TELL_BY(TIME, "calibrated", LISTED, newest_ns), .null = "never", .head = "calibrated",
	 .cell = age_cell},
	{FT_TELL(LISTED, programs), .about = "that ran there"},
	{FT_TELL(LISTED, here), .about = "it is this machine", .head = "", .cell = here_cell},
	{0},
};
static const struct ft_tell_record listed = {.bytes = sizeof(LISTED), .row = listed_rows};

struct told_list {
	LISTED *machine;
	size_t n;
};

static const struct ft_tell_row list_rows[] = {
	{FT_TELL_MANY(LIST, "machines", struct told_list, machine, n, &listed)},
	{0},
};
const struct ft_tell_record cli_machine_list_told = {
	.name = "machine", .action = "list", .version = 1, .row = list_rows};

/* Every machine. */
static int list_all(struct ft_store *store, const char *here, struct told_list *told)
{
	FT_CLEANUP(ft_store_list_clear) struct ft_store_list list = {0};
	struct ft_machine machine;
	struct ft_err err = {0};
	enum ft_status status = ft_store_find_runs(store, NULL, &list, &err);
	int result = CLI_DONE;
	int64_t at = 0;

	while (!status && result == CLI_DONE &&
	       (status = ft_store_next_machine(store, at, &machine, &err)) == FT_OK) {
		struct cli_row row;

		at = machine.id;
		result = cli_row_read(store, at, NULL, &row);
		if (result != CLI_DONE) {
			ft_machine_clear(&machine);
			break;
		}
		told->machine = cli_grow(told->machine, told->n, sizeof *told->machine);
		told->machine[told->n++] =
			(LISTED){machine, cli_row_measured(&row), count_programs(&list, at),
				 cli_row_newest(&row), here && !strcmp(here, machine.fingerprint)};
		cli_row_clear(&row);
	}
	return status && status != FT_EEND ? cli_error(&err) : result;
}

static void clear_list(struct told_list *told)
{
	for (size_t i = 0; i < told->n; i++)
		ft_machine_clear(&told->machine[i].machine);
	free(told->machine);
}

int cli_machine_list(void *ctx)
{
	const struct cli_machine *asked = ctx;
	CLI_STORE struct ft_store *store = NULL;
	FT_CLEANUP(ft_machine_clear) struct ft_machine here = {0};
	FT_CLEANUP(clear_list) struct told_list told = {0};

	CLI_TRY(cli_store_open_list(&store, asked->store_path));
	(void)ft_machine_read("", &here, NULL);
	if (store)
		CLI_TRY(list_all(store, here.fingerprint, &told));
	if (asked->json)
		cli_tell(&cli_machine_list_told, &told, NULL);
	else if (told.n)
		cli_tell_table(&listed, told.machine, told.n, NULL);
	else
		cli_note("the store knows no machine: foretime machine calibrate adds this one");
	return CLI_DONE;
}

/* ---- export, import ------------------------------------------------------------------------------------ */

/* The samples of a machine: of all calibrations, or of the one that is asked. */
static int collect_samples(struct ft_store *store, int64_t machine, const char *asked,
			   struct ft_calibration *calibration)
{
	FT_CLEANUP(cli_calibrations_clear) struct cli_calibrations calibrations = {0};
	struct cli_period period = {0};
	const struct ft_micro *micro;
	struct ft_err err = {0};

	CLI_TRY(cli_calibrations_read(store, machine, &calibrations));
	CLI_TRY(cli_calibration_pick(&calibrations, asked ? asked : "all", &period));
	for (size_t i = 0; (micro = ft_micro_get(i)); i++) {
		FT_CLEANUP(ft_runs_clear) struct ft_runs runs = {0};

		CLI_TRY(cli_micro_samples(store, micro, machine, &runs));
		cli_period_of_runs(&period, &runs);
		for (size_t j = 0; j < runs.n; j++) {
			struct ft_micro_sample sample = {.micro = micro,
							 .wall_s = ft_run_value(&runs.run[j], &ft_wall_s),
							 .started_ns = runs.run[j].started_ns};

			if (ft_calibration_add(calibration, &sample, &err))
				return cli_error(&err);
		}
	}
	return CLI_DONE;
}

static int write_table(const struct cli_machine *asked, const struct ft_machine *machine,
		       const struct ft_calibration *calibration)
{
	struct ft_err err = {0};
	char *text;

	if (ft_calibration_write(machine, calibration, &text, &err))
		return cli_error(&err);
	int status = cli_output_text(asked->output, text);
	free(text);
	return status;
}

/* The store, and the machine named first or this one; both end with the caller. */
static int open_machine(struct ft_store **store, const struct cli_machine *asked, enum cli_access access,
			struct ft_machine *machine)
{
	struct ft_err err = {0};
	int64_t id = 0;

	CLI_TRY(cli_store_open(store, asked->store_path, access));
	CLI_TRY(cli_machine_find(*store, asked->words ? asked->word[0] : NULL, &id));
	if (ft_store_get_machine(*store, id, machine, &err))
		return cli_error(&err);
	return CLI_DONE;
}

int cli_machine_export(void *ctx)
{
	const struct cli_machine *asked = ctx;
	CLI_STORE struct ft_store *store = NULL;
	FT_CLEANUP(ft_machine_clear) struct ft_machine machine = {0};
	FT_CLEANUP(ft_calibration_clear) struct ft_calibration calibration = {0};

	CLI_TRY(open_machine(&store, asked, CLI_READ, &machine));
	CLI_TRY(collect_samples(store, machine.id, asked->calibration, &calibration));
	if (!calibration.n)
		cli_note("'%s' was not calibrated: these are its facts alone",
			 machine.host ? machine.host : machine.fingerprint);
	return write_table(asked, &machine, &calibration);
}

struct told_import {
	const struct ft_machine *machine;
	size_t values, duplicates;
};

static const struct ft_tell_row import_rows[] = {
	{FT_TELL_BY(POINTER, "machine", struct told_import, machine), .of = &ft_tell_machine},
	{FT_TELL(struct told_import, values), .about = "that were new"},
	{FT_TELL(struct told_import, duplicates), .about = "that were there already"},
	{0},
};
const struct ft_tell_record cli_machine_import_told = {
	.name = "machine", .action = "import", .version = 1, .row = import_rows};

static void tell_import(const struct cli_machine *asked, const struct told_import *told)
{
	if (asked->json) {
		cli_tell(&cli_machine_import_told, told, NULL);
		return;
	}
	CLI_OWN char *text = cli_machine_text(told->machine);
	printf("imported %s: %zu value%s", text, told->values, told->values == 1 ? "" : "s");
	if (told->duplicates)
		printf(", %zu were here already", told->duplicates);
	puts("");
}

int cli_machine_import(void *ctx)
{
	const struct cli_machine *asked = ctx;
	CLI_STORE struct ft_store *store = NULL;
	FT_CLEANUP(ft_machine_clear) struct ft_machine machine = {0};
	FT_CLEANUP(ft_calibration_clear) struct ft_calibration calibration = {0};
	struct ft_err err = {0};
	size_t duplicates = 0;

	if (ft_calibration_read(asked->word[0], &machine, &calibration, &err))
		return cli_error(&err);
	CLI_TRY(cli_store_open(&store, asked->store_path, CLI_WRITE));
	if (ft_store_put_machine(store, &machine, &err))
		return cli_error(&err);
	CLI_TRY(cli_calibration_keep(store, machine.id, &calibration, &duplicates));
	tell_import(asked, &(struct told_import){&machine, calibration.n - duplicates, duplicates});
	return CLI_DONE;
}

/* ---- forget ------------------------------------------------------------------------------------------- */

struct told_forget {
	const struct ft_machine *machine;
	size_t values;
};

static const struct ft_tell_row forget_rows[] = {
	{FT_TELL_BY(POINTER, "machine", struct told_forget, machine), .of = &ft_tell_machine},
	{FT_TELL(struct told_forget, values)},
	{0},
};
const struct ft_tell_record cli_machine_forget_told = {
	.name = "machine", .action = "forget", .version = 1, .row = forget_rows};

static void tell_forgotten(const struct cli_machine *asked, const struct told_forget *told)
{
	if (asked->json) {
		cli_tell(&cli_machine_forget_told, told, NULL);
		return;
	}
	CLI_OWN char *text = cli_machine_text(told->machine);
	printf("forgot %zu value%s of %s\n", told->values, told->values == 1 ? "" : "s", text);
}

/* Values of a period; those of an unknown time only with all. */
static int forget_period(struct ft_store *store, int64_t machine, const struct cli_period *period,
			 size_t *removed)
{
	const struct ft_micro *micro;
	struct ft_err err = {0};
	enum ft_status status = FT_OK;
	size_t i, n;

	for (*removed = 0, i = 0; !status && (micro = ft_micro_get(i)); i++) {
		char *name = cli_printed("%s%s", FT_CALIBRATION_PREFIX, micro->name);

		status = ft_store_remove_runs(store, name, machine, period->from_ns, period->to_ns, &n, &err);
		*removed += n;
		free(name);
	}
	return status ? cli_error(&err) : CLI_DONE;
}

int cli_machine_forget(void *ctx)
{
	const struct cli_machine *asked = ctx;
	CLI_STORE struct ft_store *store = NULL;
	FT_CLEANUP(ft_machine_clear) struct ft_machine machine = {0};
	FT_CLEANUP(cli_calibrations_clear) struct cli_calibrations calibrations = {0};
	struct cli_period period;
	size_t removed = 0;

	if (!asked->calibration)
		return cli_fail("which calibration is to be forgotten?\n"
				"hint: name it by when it began, as foretime machine show does: "
				"--calibration 2026-01-31T12:00, or all");
	CLI_TRY(open_machine(&store, asked, CLI_ANSWER, &machine));
	CLI_TRY(cli_calibrations_read(store, machine.id, &calibrations));
	CLI_TRY(cli_calibration_pick(&calibrations, asked->calibration, &period));
	CLI_TRY(forget_period(store, machine.id, &period, &removed));
	tell_forgotten(asked, &(struct told_forget){&machine, removed});
	return CLI_DONE;
}
