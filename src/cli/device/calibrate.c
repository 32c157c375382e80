/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calibrate.c - measures the time a device needs for each kind of operation of kernels. */
#include "base/command.h"
#include "cli/cli.h"
#include "cli/device/device.h"
#include "cli/options.h"
#include "foretime/base.h"

#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * Store calibrations of this machine's devices: a text for each, and a list of the devices.
 */

/* The store key of a calibration; with no device, of the list of calibrated devices, a line each. Heap;
 * NULL after a complaint. */
static char *key_of(const char *device)
{
	FT_CLEANUP(ft_machine_clear) struct ft_machine machine = {0};
	struct ft_err err = {0};
	char *key = NULL;

	if (ft_machine_read("", &machine, &err))
		(void)cli_error(&err);
	else
		key = cli_printed("rates %s%s%s", machine.fingerprint, device ? " " : "",
				  device ? device : "");
	return key;
}

/* The stored text of a key. Heap; NULL: none. */
static char *known(struct ft_store *store, const char *key)
{
	char *text = NULL;

	return !key || ft_store_get_known(store, key, &text, NULL) ? NULL : text;
}

static bool is_listed(const char *list, const char *device)
{
	size_t length = strlen(device);
	const char *at = list;

	while (at && *at) {
		if (strcspn(at, "\n") == length && !strncmp(at, device, length))
			return true;
		at = strchr(at, '\n');
		at = at ? at + 1 : NULL;
	}
	return false;
}

static enum ft_status put_known(struct ft_store *store, const char *all, const char *one, const char *device,
				const char *text, struct ft_err *err)
{
	CLI_OWN char *list = known(store, all), *longer = cli_printed("%s%s\n", list ? list : "", device);
	enum ft_status status = ft_store_put_known(store, one, text, err);

	if (!status && !is_listed(list, device))
		status = ft_store_put_known(store, all, longer, err);
	return status;
}

/* calibrated_put - store a calibration, replacing the device's earlier one. text: as of ft_timed_write.
 * Returns CLI_DONE, or the exit status after a complaint. */
static int calibrated_put(const char *store_path, const char *device, const char *text)
{
	CLI_STORE struct ft_store *store = NULL;
	struct ft_err err = {0};
	CLI_OWN char *all = key_of(NULL), *one = key_of(device);

	if (!all || !one)
		return CLI_WRONG;
	CLI_TRY(cli_store_open(&store, store_path, CLI_WRITE));
	return put_known(store, all, one, device, text, &err) ? cli_error(&err) : CLI_DONE;
}

/* ---- all of them -------------------------------------------------------------------------------------- */

static int get_files(struct cli_calibrated *out, const struct ft_field_texts *files)
{
	struct ft_err err = {0};

	if (files->n > FT_DEVICES_MAX)
		return cli_fail("%d devices at most", FT_DEVICES_MAX);
	for (size_t i = 0; i < files->n; i++) {
		if (ft_timed_read(&out->timed[i], files->text[i], &err))
			return cli_error(&err);
		out->name[i] = out->timed[i].device ? out->timed[i].device : files->text[i];
		out->n++;
	}
	return CLI_DONE;
}

/* Whether the driver is still the one of the calibration. */
static bool is_as_before(const struct ft_timed *timed)
{
	CLI_OWN char *now = cli_driver_named(timed->device);
	const char *then = timed->driver ? timed->driver : "none";
	bool same = !strcmp(now ? now : "none", then);

	if (!same) {
		cli_note("the driver of '%s' is another one: it was %s, and is %s; its calibration counts no "
			 "more",
			 timed->device, then, now ? now : "none");
		cli_hint("calibrate it again: foretime device calibrate %s", timed->device);
	}
	return same;
}

static int get_kept(struct cli_calibrated *out, const char *store_path)
{
	CLI_STORE struct ft_store *store = NULL;

	CLI_TRY(cli_store_open_list(&store, store_path));
	CLI_OWN char *all = store ? key_of(NULL) : NULL, *list = store ? known(store, all) : NULL;
	for (char *at = list, *end; at && *at && out->n < FT_DEVICES_MAX && (end = strchr(at, '\n'));
	     at = end + 1) {
		*end = '\0';
		struct ft_timed *timed = &out->timed[out->n];
		struct ft_err err = {0};
		CLI_OWN char *one = key_of(at), *text = known(store, one);
		int status = CLI_DONE;

		if (text && ft_timed_parse(timed, at, text, &err))
			status = cli_error(&err);
		else if (text && timed->device && is_as_before(timed))
			out->name[out->n++] = timed->device;
		else
			ft_timed_clear(timed);
		CLI_TRY(status);
	}
	return CLI_DONE;
}

int cli_calibrated_get(struct cli_calibrated *out, const struct ft_field_texts *files, const char *store_path)
{
	int status = files->n ? get_files(out, files) : get_kept(out, store_path);

	if (status != CLI_DONE || out->n)
		return status;
	return cli_fail("no device of this machine is calibrated\n"
			"hint: foretime device calibrate opencl:0, once; devices of other machines by "
			"--rates FILE.csv");
}

void cli_calibrated_clear(struct cli_calibrated *calibrated)
{
	for (size_t i = 0; i < FT_DEVICES_MAX; i++)
		ft_timed_clear(&calibrated->timed[i]);
}

/*
 * Run the launches of a calibration, each in a process (`foretime device run`), so that a crash or hang of
 * the driver loses only that launch.
 */

/* Limit of one launch: compiling, and 20 launches of milliseconds; pocl needs 3 s at most. */
static const double limit_s = 120;

enum { WORDS = 16, WHY = 400 };

struct launching {
	const char *device;
	size_t times, made;
	char self[PATH_MAX], path[FT_MICRO_PATH];
	char why[WHY]; /* the last one failed; its hint, or "" */
	char hint[WHY];
	bool answer; /* the last one ran */
};

/* ---- one launch -------------------------------------------------------------------------------------- */

/* The words of a command that failed: "foretime: WHY", "hint: WHAT". */
static void take_words(struct launching *l, const struct ft__command *command)
{
	static const char head[] = "foretime: ", tail[] = "hint: ";
	const char *why = command->words ? strstr(command->words, head) : NULL,
		   *hint = why ? strstr(why, tail) : NULL;

	*l->why = *l->hint = '\0';
	if (command->late)
		(void)snprintf(l->why, sizeof l->why, "it did not end within %g s", limit_s);
	else if (command->signal)
		(void)snprintf(l->why, sizeof l->why, "the device's driver crashed (signal %d)",
			       command->signal);
	else if (why)
		(void)snprintf(l->why, sizeof l->why, "%.*s", (int)strcspn(why + strlen(head), "\n"),
			       why + strlen(head));
	else
		(void)snprintf(l->why, sizeof l->why, "the device's driver ended the process");
	if (hint && !command->late && !command->signal)
		(void)snprintf(l->hint, sizeof l->hint, "%.*s", (int)strcspn(hint + strlen(tail), "\n"),
			       hint + strlen(tail));
}

/* False: it failed, and l->why has the reason. */
static bool launch_one(struct launching *l, const struct ft_micro_launch *launch, struct ft_timed_launch *row)
{
	char *word[WORDS] = {cli_printed("--device=%s", l->device),
			     cli_printed("--kernel=%s", launch->kernel),
			     cli_printed("--global=%zu,%zu", launch->global[0], launch->global[1]),
			     cli_printed("--local=%zu,%zu", launch->local[0], launch->local[1]),
			     cli_printed("--arg=a=float[%zu]", launch->floats),
			     cli_printed("--runs=%zu", l->times),
			     cli_printed("n=%d", launch->n)};
	const char *argv[WORDS + 6] = {l->self, "device", "run", l->path, "--json"};
	FT_CLEANUP(ft__command_clear)
	struct ft__command command = {.argv = argv, .limit_s = limit_s, .apart = true};

	for (size_t i = 0; word[i]; i++)
		argv[i + 5] = word[i];
	cli_defaults_end();
	command.interrupt = cli_interrupt_flag();
	bool good = !ft__command_run(&command, NULL);
	l->answer = false;
	if (good) {
		/* Parse the output of foretime device run. */
		json_t *answer = json_loadb(command.text, command.length, 0, NULL);

		l->answer = answer != NULL;
		row->seconds = json_number_value(json_object_get(answer, "kernel_low_s"));
		row->sigma = json_number_value(json_object_get(answer, "kernel_sigma_s"));
		json_decref(answer);
		if (!l->answer)
			take_words(l, &command);
		else if (!(row->seconds > 0))
			(void)snprintf(l->why, sizeof l->why, "it took no time");
		good = row->seconds > 0;
	} else {
		take_words(l, &command);
	}
	for (size_t i = 0; word[i]; i++)
		free(word[i]);
	return good;
}

/* ---- all ---------------------------------------------------------------------------------------------- */

static int open_kernels(struct launching *l, int *fd)
{
	struct ft_err err = {0};

	*fd = -1;
	if (!ft__command_self(l->self, sizeof l->self))
		return cli_fail("cannot find the file of this program: is /proc mounted?");
	return ft_micro_file(fd, l->path, &err) ? cli_error(&err) : CLI_DONE;
}

/* When the first launch, of an empty kernel, is refused, no other can succeed. */
static int try_device(struct launching *l)
{
	struct ft_timed_launch row;
	struct ft_micro_launch launch;

	cli_signals_catch();
	(void)ft_micro_launch_get(0, &launch);
	if (launch_one(l, &launch, &row) || l->answer)
		return CLI_DONE;
	if (*cli_interrupt_flag())
		return CLI_INTERRUPTED;
	(void)cli_fail("%s", l->why);
	if (*l->hint)
		cli_hint("%s", l->hint);
	return CLI_WRONG;
}

/* rows: [ft_micro_launches()], counted; those that were made are moved to the front. */
static int launch_rows(struct launching *l, struct ft_timed_launch *row)
{
	struct ft_micro_launch launch;

	for (size_t i = 0; ft_micro_launch_get(i, &launch); i++) {
		if (launch_one(l, &launch, &row[i])) {
			row[l->made++] = row[i];
			continue;
		}
		if (*cli_interrupt_flag())
			return CLI_INTERRUPTED;
		cli_note("%s, %d turns, is left out: %s", launch.kernel, launch.n, l->why);
	}
	return CLI_DONE;
}

/*
 * Measures the time a device needs for each kind of operation of kernels.
 */

struct rate {
	const char *name, *about;
	double seconds, in_second, error;
};

static char *reads_cell(const void *record, const struct ft_tell_with *with)
{
	const struct rate *rate = record;
	bool sector = !strcmp(rate->name, ft_rate_name(FT_RATE_SECTOR));

	(void)with;
	if (isnan(rate->seconds))
		return cli_printed("not known: no launch did it");
	if (!(rate->seconds > 0))
		return cli_printed("too small to measure");
	if (!strcmp(rate->name, ft_rate_name(FT_RATE_LAUNCH)))
		return cli_printed("%.3g us before each launch", 1e6 / rate->in_second);
	return cli_printed(sector ? "%.3g GB/s" : "%.3g G/s", (sector ? 32 : 1) * 1e-9 * rate->in_second);
}

#define RATE struct rate
static const struct ft_tell_row rate_rows[] = {
	{FT_TELL(RATE, name), .head = "rate"},
	{FT_TELL(RATE, about), .about = "one of it", .head = "of a"},
	{FT_TELL(RATE, seconds), .about = "of one; 0: too small to measure",
	 .null = "no launch of the calibration did it", .head = ">ns", .unit = ".4f"},
	{FT_TELL(RATE, in_second), .null = "not known"},
	{FT_TELL(RATE, error), .about = "one standard deviation, as a share", .null = "not known",
	 .head = ">known", .unit = "+-"},
	{NULL, FT_TELL_MADE, .head = "that is", .cell = reads_cell},
	{0},
};
static const struct ft_tell_record rates_record = {.bytes = sizeof(RATE), .row = rate_rows};

struct device_calibrate_answer {
	const char *device;
	size_t launches, kernels, predicted;
	double residual, off, off_most;
	double support_off, support_off_most; /* of support vectors over the document's features */
	RATE rate[FT_RATES];
	size_t n;
	double operation_s, operation_each_s, miss_s, work_item_s, launch_s; /* the document's */
};

static const struct ft_tell_row rows[] = {
	{FT_TELL(struct device_calibrate_answer, device), .null = "not known"},
	{FT_TELL(struct device_calibrate_answer, launches), .about = "that were timed"},
	{FT_TELL(struct device_calibrate_answer, residual),
	 .about = "deviation of ln seconds of launches about the rates"},
	{FT_TELL(struct device_calibrate_answer, kernels)},
	{FT_TELL_AS("predicted", struct device_calibrate_answer, predicted),
	 .about = "kernels predicted with their own launches left out; the rest were refused"},
	{FT_TELL(struct device_calibrate_answer, off),
	 .about = "factor that half of these predictions are off by, at most", .null = "none"},
	{FT_TELL(struct device_calibrate_answer, off_most), .about = "factor for 90 % of these predictions",
	 .null = "none"},
	{FT_TELL(struct device_calibrate_answer, support_off),
	 .about = "the same of support vectors over the document's features", .null = "not known"},
	{FT_TELL(struct device_calibrate_answer, support_off_most),
	 .about = "factor for 90 % of these predictions", .null = "not known"},
	{FT_TELL_MANY(ARRAY, "rates", struct device_calibrate_answer, rate, n, &rates_record)},
	{FT_TELL_AS("document_operation_s", struct device_calibrate_answer, operation_s),
	 .about = "004 chapter 13: seconds of an operation", .null = "no such regression"},
	{FT_TELL_AS("document_operation_each_s", struct device_calibrate_answer, operation_each_s),
	 .about = "of an operation of a work-item", .null = "no such regression"},
	{FT_TELL_AS("document_miss_s", struct device_calibrate_answer, miss_s),
	 .about = "of a cache miss by its rule", .null = "no such regression"},
	{FT_TELL_AS("document_work_item_s", struct device_calibrate_answer, work_item_s),
	 .null = "no such regression"},
	{FT_TELL_AS("document_launch_s", struct device_calibrate_answer, launch_s),
	 .null = "no such regression"},
	{0},
};
const struct ft_tell_record cli_device_calibrate_answer = {
	.name = "device", .action = "calibrate", .version = 2, .row = rows};

/* ---- launches ----------------------------------------------------------------------------------------- */

static int take_launches(const struct cli_device *query, struct ft_timed *timed)
{
	struct ft_err err = {0};
	const char *word = query->word[0], *dot = strrchr(word, '.');

	if (!dot || strcmp(dot, ".csv") != 0) {
		/* device_launch - make all launches of a calibration on a device, `opencl:K`, each in a process of its
		 * own, and count their operations. Failed ones are reported and left out.
		 *
		 * timed  out; ends with ft_timed_clear; its device is borrowed
		 *
		 * Returns CLI_DONE, or the exit status after a complaint: none succeeded. */
		struct launching l = {.device = word, .times = query->times};
		int fd, status = open_kernels(&l, &fd);

		timed->row = cli_alloc(ft_micro_launches() * sizeof *timed->row);
		timed->device = word;
		if (status == CLI_DONE)
			status = try_device(&l);
		if (status == CLI_DONE && ft_micro_count(timed->row, &err))
			status = cli_error(&err);
		if (status == CLI_DONE)
			status = launch_rows(&l, timed->row);
		timed->n = l.made;
		if (fd >= 0)
			(void)close(fd);
		return status;
	}
	return ft_timed_read(timed, word, &err) ? cli_error(&err) : CLI_DONE;
}

/* ---- output ------------------------------------------------------------------------------------------ */

static void print_calibration(struct device_calibrate_answer *answer)
{
	RATE rate[FT_RATES];

	printf("%s: %zu launches of %zu kernels; they lie about the rates by a factor of %.3g\n\n",
	       answer->device ? answer->device : "a device", answer->launches, answer->kernels,
	       exp(answer->residual));
	for (size_t j = 0; j < FT_RATES; j++) {
		rate[j] = answer->rate[j];
		rate[j].seconds *= 1e9;
	}
	cli_tell_table(&rates_record, rate, answer->n, NULL);
	if (answer->predicted)
		printf("\nstatic answers for kernels that never ran: half are off by a factor of %.3g at "
		       "most, 90 %% by %.3g\n(leave-one-out over %zu kernels; %zu were refused)\n",
		       answer->off, answer->off_most, answer->kernels, answer->kernels - answer->predicted);
	if (!isnan(answer->support_off))
		printf("support vectors over the document's features: half are off by %.3g, 90 %% by "
		       "%.3g (of %zu)\n",
		       answer->support_off, answer->support_off_most, answer->kernels);
	if (!isnan(answer->launch_s))
		printf("\nthe document's five features: %.3g ns an operation, %.3g ns an operation of a "
		       "work-item, %.3g ns a cache miss,\n%.3g ns a work-item, %.3g us a launch\n",
		       1e9 * answer->operation_s, 1e9 * answer->operation_each_s, 1e9 * answer->miss_s,
		       1e9 * answer->work_item_s, 1e6 * answer->launch_s);
}

int cli_device_calibrate(void *ctx)
{
	const struct cli_device *query = ctx;
	FT_CLEANUP(ft_timed_clear) struct ft_timed timed = {0};
	CLI_OWN char *driver = NULL;

	CLI_TRY(take_launches(query, &timed));
	if (!timed.csv) {
		driver = cli_driver_named(timed.device);
		timed.driver = driver;
	}
	/* In a file, where one is named; in the store, where they were made here. */
	struct ft_err err = {0};
	CLI_OWN char *text = NULL;

	if (ft_timed_write(&timed, &text, &err))
		return cli_error(&err);
	if (query->output)
		CLI_TRY(cli_output_text(query->output, text));
	if (!timed.csv)
		CLI_TRY(calibrated_put(query->store_path, timed.device, text));
	double five[FT_RATE_FIVE];
	struct ft_rates rates;
	struct device_calibrate_answer answer;

	if (ft_rates_fit(&rates, timed.row, timed.n, NULL, &err))
		return cli_error(&err);
	if (ft_rates_document(timed.row, timed.n, five, &err)) {
		for (size_t j = 0; j < FT_RATE_FIVE; j++)
			five[j] = NAN;
		cli_note("the document's regression: %s", err.text);
	}
	answer = (struct device_calibrate_answer){.device = timed.device,
						  .launches = timed.n,
						  .kernels = rates.kernels,
						  .predicted = rates.predicted,
						  .residual = rates.residual,
						  .off = rates.off,
						  .off_most = rates.off_most,
						  .n = FT_RATES,
						  .operation_s = five[0],
						  .operation_each_s = five[1],
						  .miss_s = five[2],
						  .work_item_s = five[3],
						  .launch_s = five[4]};
	for (size_t j = 0; j < FT_RATES; j++) {
		const struct ft_rate_known *rate = &rates.rate[j];

		answer.rate[j] = (RATE){.name = ft_rate_name(j),
					.about = ft_rate_about(j),
					.seconds = rate->seen ? rate->seconds : NAN,
					.in_second = rate->seconds > 0 ? 1 / rate->seconds : NAN,
					.error = rate->error};
	}
	if (ft_rates_support(timed.row, timed.n, &answer.support_off, &answer.support_off_most, &err)) {
		answer.support_off = answer.support_off_most = NAN;
		cli_note("support vectors: %s", err.text);
	}
	if (query->json)
		cli_tell(&cli_device_calibrate_answer, &answer, NULL);
	else
		print_calibration(&answer);
	return CLI_DONE;
}
