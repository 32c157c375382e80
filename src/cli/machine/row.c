/* SPDX-License-Identifier: GPL-3.0-or-later */
/* row.c - calibrates, shows, lists, exports and imports machines. */
#include "cli/cli.h"
#include "cli/machine/machine.h"
#include "foretime/facts.h"
#include "foretime/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * Find machines in the store, and read, store and print their rows.
 */

enum { FINGERPRINT_LEAST = 4 }; /* digits that may stand for all of them */

/* ---- finding ------------------------------------------------------------------------------------------- */

int cli_machine_find(struct ft_store *store, const char *name, int64_t *id)
{
	struct ft_machine machine;
	struct ft_err err = {0};
	enum ft_status status;
	char *fingerprints = cli_strdup("");
	int64_t at = 0;
	size_t n = 0;
	int result = CLI_DONE;

	if (!name) {
		free(fingerprints);
		struct ft_machine here = {0};

		if (ft_machine_read("", &here, &err))
			return cli_error(&err);
		bool stored = !ft_store_find_machine(store, here.fingerprint, id, NULL);
		ft_machine_clear(&here);
		return stored ? CLI_DONE
			      : cli_fail("this machine is not in the store\n"
					 "hint: foretime machine calibrate puts it there; foretime machine "
					 "list shows the others");
	}
	while ((status = ft_store_next_machine(store, at, &machine, &err)) == FT_OK) {
		at = machine.id;
		if (ft_machine_is_called(&machine, name) ||
		    (strlen(name) >= FINGERPRINT_LEAST &&
		     !strncmp(machine.fingerprint, name, strlen(name)))) {
			*id = at;
			n++;
			cli_reprint(&fingerprints, "%s %s", fingerprints, machine.fingerprint);
		}
		ft_machine_clear(&machine);
	}
	if (status != FT_EEND) {
		result = cli_error(&err);
	} else if (n != 1) {
		if (!n) {
			(void)cli_fail("the store knows no machine '%s'\n"
				       "hint: foretime machine list shows what there is",
				       name);
		} else {
			(void)cli_fail("%zu machines are called '%s'\n"
				       "hint: name one by its fingerprint:%s",
				       n, name, fingerprints);
		}
		result = CLI_WRONG;
	}
	free(fingerprints);
	return result;
}

/* ---- rows ---------------------------------------------------------------------------------------------- */

/* Why the newest run has no value. */
static const char *reason_of(const struct ft_runs *runs)
{
	for (size_t i = runs->n; i-- > 0;)
		for (size_t j = 0; j < runs->run[i].n_samples; j++)
			if (runs->run[i].sample[j].reason)
				return runs->run[i].sample[j].reason;
	return NULL;
}

static void sum_up(struct cli_micro *entry, const struct ft_runs *runs)
{
	size_t n = 0;
	CLI_OWN struct ft_size_values *group = NULL;

	(void)ft_runs_values(runs, &ft_wall_s, &group, &n, NULL);
	(void)cli_given(group);
	if (n && group->n) {
		entry->n = group->n;
		entry->median = group->median;
		entry->least = group->least;
		entry->most = group->most;
		entry->spread = group->n > 1 ? (group->most - group->least) / group->median : (double)NAN;
	} else {
		entry->reason = cli_strdup(reason_of(runs));
	}
	for (size_t i = 0; i < runs->n; i++)
		if (runs->run[i].started_ns > entry->newest_ns)
			entry->newest_ns = runs->run[i].started_ns;
}

int cli_row_read(struct ft_store *store, int64_t machine, struct cli_row *row)
{
	const struct ft_micro *micro;
	struct cli_period period;
	struct ft_err err = {0};
	int status;
	size_t n = 0;

	*row = (struct cli_row){0};
	if (ft_store_get_machine(store, machine, &row->machine, &err))
		return cli_error(&err);
	while (ft_micro_get(n))
		n++;
	row->entry = cli_alloc(n * sizeof *row->entry);
	row->n = n;
	status = cli_calibration_newest(store, machine, &period);
	for (size_t i = 0; status == CLI_DONE && (micro = ft_micro_get(i)); i++) {
		struct ft_runs runs = {0};

		row->entry[i] = (struct cli_micro){
			.name = micro->name,
			.operation = micro->operation,
			.about = micro->about,
			.median = NAN,
			.least = NAN,
			.most = NAN,
			.spread = NAN,
		};
		status = cli_micro_samples(store, micro, machine, &runs);
		cli_period_of_runs(&period, &runs);
		if (status == CLI_DONE)
			sum_up(&row->entry[i], &runs);
		ft_runs_clear(&runs);
	}
	if (status != CLI_DONE)
		cli_row_clear(row);
	return status;
}

void cli_row_clear(struct cli_row *row)
{
	for (size_t i = 0; i < row->n; i++)
		free(row->entry[i].reason);
	free(row->entry);
	ft_machine_clear(&row->machine);
	*row = (struct cli_row){0};
}

size_t cli_row_measured(const struct cli_row *row)
{
	size_t n = 0;

	for (size_t i = 0; i < row->n; i++)
		n += row->entry[i].n > 0;
	return n;
}

/* row_newest - when the newest value was measured; 0: not known. */
static int64_t row_newest(const struct cli_row *row)
{
	int64_t newest = 0;

	for (size_t i = 0; i < row->n; i++)
		if (row->entry[i].newest_ns > newest)
			newest = row->entry[i].newest_ns;
	return newest;
}

/* ---- keeping ------------------------------------------------------------------------------------------- */

static bool has_sample(const struct ft_runs *runs, const struct ft_micro_sample *sample)
{
	for (size_t i = 0; i < runs->n; i++)
		if (runs->run[i].started_ns == sample->started_ns &&
		    ft_run_value(&runs->run[i], &ft_wall_s) == sample->wall_s)
			return true;
	return false;
}

static int add_sample(struct ft_runs *runs, const struct ft_micro_sample *sample)
{
	bool has = !isnan(sample->wall_s);
	struct ft_run run;
	struct ft_err err = {0};

	ft_run_init(&run);
	run.started_ns = sample->started_ns;
	run.cost_s = has ? sample->wall_s : 0;
	if (ft_run_add(&run, &ft_wall_s, sample->wall_s, has ? FT_MEASURED : FT_UNAVAILABLE, "calibrate",
		       has ? NULL : sample->reason, &err) ||
	    ft_runs_take(runs, &run, &err)) {
		ft_run_clear(&run);
		return cli_error(&err);
	}
	return CLI_DONE;
}

/* calibration_keep - keep samples of a machine that is in the store, but for those that are there
 * already.
 *
 * duplicates  how many were; may be NULL
 */
static int calibration_keep(struct ft_store *store, int64_t machine, const struct ft_calibration *calibration,
			    size_t *duplicates)
{
	const struct ft_micro *micro;
	size_t ignored = 0;

	for (size_t i = 0; (micro = ft_micro_get(i)); i++) {
		/* The samples of one micro-benchmark, all of them or none. */
		FT_CLEANUP(ft_program_clear)
		struct ft_program program = {.name = cli_micro_program(micro),
					     .hash = cli_strdup(ft_calibration_version())};
		FT_CLEANUP(ft_runs_clear) struct ft_runs before = {0}, added = {0};
		struct ft_err err = {0};
		int status = cli_micro_samples(store, micro, machine, &before);

		for (size_t k = 0; status == CLI_DONE && k < calibration->n; k++) {
			const struct ft_micro_sample *sample = &calibration->sample[k];

			if (sample->micro != micro)
				continue;
			if (has_sample(&before, sample) || has_sample(&added, sample))
				++*(duplicates ? duplicates : &ignored);
			else
				status = add_sample(&added, sample);
		}
		if (status == CLI_DONE && added.n &&
		    (ft_store_put_program(store, &program, &err) ||
		     ft_store_add_runs(store, program.id, machine, &added, &err)))
			status = cli_error(&err);
		CLI_TRY(status);
	}
	return CLI_DONE;
}

/* ---- printing ------------------------------------------------------------------------------------------ */

static void print_word(const char *name, const char *value)
{
	if (value && *value)
		printf("%-12s  %s\n", name, value);
}

static void print_bytes(const char *name, int64_t bytes)
{
	char text[FT_UNIT_LENGTH];

	if (bytes)
		print_word(name, ft_value_format((double)bytes, "bytes", text));
}

static char *about_cell(const void *record, const struct ft_tell_with *with)
{
	const struct cli_micro *entry = record;

	(void)with;
	return cli_strdup(entry->reason ? entry->reason : entry->about);
}

#define MICRO struct cli_micro
static const struct ft_tell_row micro_rows[] = {
	{FT_TELL(MICRO, name), .head = "benchmark"},
	{FT_TELL(MICRO, operation)},
	{FT_TELL(MICRO, about)},
	{FT_TELL_AS("wall_s", MICRO, median), .about = "the median", .null = "not measured", .head = ">time",
	 .unit = "s"},
	{FT_TELL_AS("least_s", MICRO, least), .null = "not measured"},
	{FT_TELL_AS("most_s", MICRO, most), .null = "not measured"},
	{FT_TELL(MICRO, spread), .about = "(most - least) / median", .null = "fewer than two values",
	 .head = ">spread", .unit = "%", .none = ""},
	{FT_TELL(MICRO, n), .about = "values", .head = ">n"},
	{FT_TELL_AS(NULL, MICRO, operation), .head = "of one"},
	{FT_TELL(MICRO, reason), .about = "why there is no value", .null = "no reason is known", .head = "",
	 .cell = about_cell},
	{0},
};
static const struct ft_tell_record micro_answer = {.bytes = sizeof(MICRO), .row = micro_rows};

/* row_print, row_tell - the facts and the row, as JSON for one of two actions. */
static void row_print(const struct cli_row *row)
{
	char age[FT_TELL_AGE];
	const struct ft_machine *machine = &row->machine;

	print_word("host", machine->host);
	print_word("fingerprint", machine->fingerprint);
	print_word("processor", machine->cpu);
	print_word("architecture", machine->architecture);
	if (machine->cores)
		printf("%-12s  %d in %d socket%s, %d thread%s\n", "cores", machine->cores, machine->sockets,
		       machine->sockets == 1 ? "" : "s", machine->threads, machine->threads == 1 ? "" : "s");
	print_bytes("L1 data", machine->l1d_bytes);
	print_bytes("L2", machine->l2_bytes);
	print_bytes("L3", machine->l3_bytes);
	print_bytes("memory", machine->memory_bytes);
	print_word("system", machine->system);
	print_word("governor", machine->governor);
	print_word("hypervisor", machine->hypervisor);
	print_word("scheduler", machine->scheduler);
	if (!cli_row_measured(row)) {
		puts("\nnot calibrated");
		return;
	}
	printf("calibrated    %s\n", ft_tell_age(row_newest(row), age));
	puts("");
	cli_tell_table(&micro_answer, row->entry, row->n, NULL);
}

struct machine_find_answer {
	const struct ft_machine *machine;
	int64_t newest_ns;
	struct cli_micro *entry;
	size_t n;
};

#define ANSWER struct machine_find_answer
static const struct ft_tell_row rows[] = {
	{FT_TELL_BY(POINTER, "machine", ANSWER, machine), .of = &ft_tell_machine},
	{FT_TELL_BY(TIME, "calibrated", ANSWER, newest_ns),
	 .about = "when the newest value was measured, UTC", .null = "never"},
	{FT_TELL_MANY(LIST, "benchmarks", ANSWER, entry, n, &micro_answer),
	 .about = "times are of one operation"},
	{0},
};
const struct ft_tell_record cli_machine_calibrate_answer = {
	.name = "machine", .action = "calibrate", .version = 2, .row = rows};
const struct ft_tell_record cli_machine_show_answer = {
	.name = "machine", .action = "show", .version = 2, .row = rows};

/* ---- calibrate, show ----------------------------------------------------------------------------------- */

/*
 * Calibrates, shows, lists, exports and imports machines.
 */

static int tell_row(struct ft_store *store, int64_t machine, const struct ft_tell_record *record, bool json)
{
	struct cli_row row;

	CLI_TRY(cli_row_read(store, machine, &row));
	if (json) {
		const ANSWER answer = {&row.machine, row_newest(&row), row.entry, row.n};

		cli_tell(record, &answer, NULL);
	} else {
		row_print(&row);
	}
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

int cli_machine_calibrate(void *ctx)
{
	const struct cli_machine *query = ctx;
	struct ft_calibrate_options options = {.interrupt = cli_interrupt_flag()};
	FT_CLEANUP(ft_machine_clear) struct ft_machine machine = {0};
	FT_CLEANUP(ft_calibration_clear) struct ft_calibration calibration = {0};
	struct ft_err err = {0};

	if (query->quick) {
		options.rounds = 3;
		options.repetitions = 9;
		options.least_s = 0.001;
	}
	if (isatty(STDERR_FILENO))
		options.progress = show_progress;
	cli_signals_catch();
	if (ft_machine_read("", &machine, &err) || ft_calibrate(&options, &calibration, &err))
		return cli_error(&err);
	CLI_STORE struct ft_store *store = NULL;

	CLI_TRY(cli_store_open(&store, query->store_path, CLI_WRITE));
	if (ft_store_put_machine(store, &machine, &err))
		return cli_error(&err);
	CLI_TRY(calibration_keep(store, machine.id, &calibration, NULL));
	CLI_TRY(tell_row(store, machine.id, &cli_machine_calibrate_answer, query->json));
	/* Other programs that run now distort the measurement. */
	double load;

	if (getloadavg(&load, 1) == 1 && machine.threads && load > 0.5 * machine.threads)
		cli_note("the machine is busy (load %.1f on %d processors): calibrate again when it is idle",
			 load, machine.threads);
	return CLI_DONE;
}

int cli_machine_show(void *ctx)
{
	const struct cli_machine *query = ctx;
	CLI_STORE struct ft_store *store = NULL;
	int64_t machine = 0;

	CLI_TRY(cli_store_open(&store, query->store_path, CLI_READ));
	CLI_TRY(cli_machine_find(store, query->words ? query->word[0] : NULL, &machine));
	return tell_row(store, machine, &cli_machine_show_answer, query->json);
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
	const struct listed *answer = record;
	char age[FT_TELL_AGE];

	(void)with;
	return cli_strdup(answer->benchmarks ? ft_tell_age(answer->newest_ns, age) : "no");
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

struct answer_list {
	LISTED *machine;
	size_t n;
};

static const struct ft_tell_row list_rows[] = {
	{FT_TELL_MANY(LIST, "machines", struct answer_list, machine, n, &listed)},
	{0},
};
const struct ft_tell_record cli_machine_list_answer = {
	.name = "machine", .action = "list", .version = 1, .row = list_rows};

/* Every machine. */
static int list_all(struct ft_store *store, const char *here, struct answer_list *answer)
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
		result = cli_row_read(store, at, &row);
		if (result != CLI_DONE) {
			ft_machine_clear(&machine);
			break;
		}
		answer->machine = cli_grow(answer->machine, answer->n, sizeof *answer->machine);
		answer->machine[answer->n++] =
			(LISTED){machine, cli_row_measured(&row), count_programs(&list, at), row_newest(&row),
				 here && !strcmp(here, machine.fingerprint)};
		cli_row_clear(&row);
	}
	return status && status != FT_EEND ? cli_error(&err) : result;
}

static void clear_list(struct answer_list *answer)
{
	for (size_t i = 0; i < answer->n; i++)
		ft_machine_clear(&answer->machine[i].machine);
	free(answer->machine);
}

int cli_machine_list(void *ctx)
{
	const struct cli_machine *query = ctx;
	CLI_STORE struct ft_store *store = NULL;
	FT_CLEANUP(ft_machine_clear) struct ft_machine here = {0};
	FT_CLEANUP(clear_list) struct answer_list answer = {0};

	CLI_TRY(cli_store_open_list(&store, query->store_path));
	(void)ft_machine_read("", &here, NULL);
	if (store)
		CLI_TRY(list_all(store, here.fingerprint, &answer));
	if (query->json)
		cli_tell(&cli_machine_list_answer, &answer, NULL);
	else if (answer.n)
		cli_tell_table(&listed, answer.machine, answer.n, NULL);
	else
		cli_note("the store knows no machine: foretime machine calibrate adds this one");
	return CLI_DONE;
}

/* ---- export, import ------------------------------------------------------------------------------------ */

int cli_machine_export(void *ctx)
{
	const struct cli_machine *query = ctx;
	CLI_STORE struct ft_store *store = NULL;
	FT_CLEANUP(ft_machine_clear) struct ft_machine machine = {0};
	FT_CLEANUP(ft_calibration_clear) struct ft_calibration calibration = {0};
	const struct ft_micro *micro;
	struct ft_err err = {0};
	char *text;

	int64_t id = 0;

	CLI_TRY(cli_store_open(&store, query->store_path, CLI_READ));
	CLI_TRY(cli_machine_find(store, query->words ? query->word[0] : NULL, &id));
	if (ft_store_get_machine(store, id, &machine, &err))
		return cli_error(&err);
	for (size_t i = 0; (micro = ft_micro_get(i)); i++) {
		FT_CLEANUP(ft_runs_clear) struct ft_runs runs = {0};

		CLI_TRY(cli_micro_samples(store, micro, machine.id, &runs));
		for (size_t j = 0; j < runs.n; j++) {
			struct ft_micro_sample sample = {.micro = micro,
							 .wall_s = ft_run_value(&runs.run[j], &ft_wall_s),
							 .started_ns = runs.run[j].started_ns};

			if (ft_calibration_add(&calibration, &sample, &err))
				return cli_error(&err);
		}
	}
	if (!calibration.n)
		cli_note("'%s' was not calibrated: these are its facts alone",
			 machine.host ? machine.host : machine.fingerprint);
	if (ft_calibration_write(&machine, &calibration, &text, &err))
		return cli_error(&err);
	int status = cli_output_text(query->output, text);
	free(text);
	return status;
}

struct answer_import {
	const struct ft_machine *machine;
	size_t values, duplicates;
};

static const struct ft_tell_row import_rows[] = {
	{FT_TELL_BY(POINTER, "machine", struct answer_import, machine), .of = &ft_tell_machine},
	{FT_TELL(struct answer_import, values), .about = "that were new"},
	{FT_TELL(struct answer_import, duplicates), .about = "that were there already"},
	{0},
};
const struct ft_tell_record cli_machine_import_answer = {
	.name = "machine", .action = "import", .version = 1, .row = import_rows};

static void tell_import(const struct cli_machine *query, const struct answer_import *answer)
{
	if (query->json) {
		cli_tell(&cli_machine_import_answer, answer, NULL);
		return;
	}
	CLI_OWN char *text = cli_machine_text(answer->machine);
	printf("imported %s: %zu value%s", text, answer->values, answer->values == 1 ? "" : "s");
	if (answer->duplicates)
		printf(", %zu were here already", answer->duplicates);
	puts("");
}

int cli_machine_import(void *ctx)
{
	const struct cli_machine *query = ctx;
	CLI_STORE struct ft_store *store = NULL;
	FT_CLEANUP(ft_machine_clear) struct ft_machine machine = {0};
	FT_CLEANUP(ft_calibration_clear) struct ft_calibration calibration = {0};
	struct ft_err err = {0};
	size_t duplicates = 0;

	if (ft_calibration_read(query->word[0], &machine, &calibration, &err))
		return cli_error(&err);
	CLI_TRY(cli_store_open(&store, query->store_path, CLI_WRITE));
	if (ft_store_put_machine(store, &machine, &err))
		return cli_error(&err);
	CLI_TRY(calibration_keep(store, machine.id, &calibration, &duplicates));
	tell_import(query, &(struct answer_import){&machine, calibration.n - duplicates, duplicates});
	return CLI_DONE;
}
