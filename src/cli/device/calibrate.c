/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calibrate.c - what a device needs for each thing that kernels do. */
#include "cli/answers.h"
#include "cli/common.h"
#include "cli/device/calibrated.h"
#include "cli/device/device.h"
#include "cli/drivers.h"
#include "cli/output.h"
#include "foretime/rates.h"
#include "foretime/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
static const struct ft_tell_record rates_told = {.bytes = sizeof(RATE), .row = rate_rows};

struct device_calibrate_told {
	const char *device;
	size_t launches, kernels, foretold;
	double residual, off, off_most;
	double support_off, support_off_most; /* of support vectors over the document's features */
	RATE rate[FT_RATES];
	size_t n;
	double operation_s, operation_each_s, miss_s, work_item_s, launch_s; /* the document's */
};

static const struct ft_tell_row rows[] = {
	{FT_TELL(struct device_calibrate_told, device), .null = "not known"},
	{FT_TELL(struct device_calibrate_told, launches), .about = "that were timed"},
	{FT_TELL(struct device_calibrate_told, residual),
	 .about = "deviation of ln seconds of launches about the rates"},
	{FT_TELL(struct device_calibrate_told, kernels)},
	{FT_TELL(struct device_calibrate_told, foretold),
	 .about = "kernels predicted with their own launches left out; the rest were refused"},
	{FT_TELL(struct device_calibrate_told, off),
	 .about = "factor that half of these predictions are off by, at most", .null = "none"},
	{FT_TELL(struct device_calibrate_told, off_most), .about = "factor for 90 % of these predictions",
	 .null = "none"},
	{FT_TELL(struct device_calibrate_told, support_off),
	 .about = "the same of support vectors over the document's features", .null = "not known"},
	{FT_TELL(struct device_calibrate_told, support_off_most),
	 .about = "factor for 90 % of these predictions", .null = "not known"},
	{FT_TELL_MANY(ARRAY, "rates", struct device_calibrate_told, rate, n, &rates_told)},
	{FT_TELL_AS("document_operation_s", struct device_calibrate_told, operation_s),
	 .about = "004 chapter 13: seconds of an operation", .null = "no such regression"},
	{FT_TELL_AS("document_operation_each_s", struct device_calibrate_told, operation_each_s),
	 .about = "of an operation of a work-item", .null = "no such regression"},
	{FT_TELL_AS("document_miss_s", struct device_calibrate_told, miss_s),
	 .about = "of a cache miss by its rule", .null = "no such regression"},
	{FT_TELL_AS("document_work_item_s", struct device_calibrate_told, work_item_s),
	 .null = "no such regression"},
	{FT_TELL_AS("document_launch_s", struct device_calibrate_told, launch_s),
	 .null = "no such regression"},
	{0},
};
const struct ft_tell_record cli_device_calibrate_told = {
	.name = "device", .action = "calibrate", .version = 1, .row = rows};

/* ---- launches ----------------------------------------------------------------------------------------- */

static int take_launches(const struct cli_device *asked, struct ft_timed *timed)
{
	struct ft_err err = {0};
	const char *word = asked->word[0], *dot = strrchr(word, '.');

	if (!dot || strcmp(dot, ".csv") != 0)
		return cli_device_launch(timed, word, asked->times);
	return ft_timed_read(timed, word, &err) ? cli_error(&err) : CLI_DONE;
}

/* In a file, where one is named; in the store, where they were made here. */
static int keep_launches(const struct cli_device *asked, const struct ft_timed *timed)
{
	struct ft_err err = {0};
	CLI_OWN char *text = NULL;

	if (ft_timed_write(timed, &text, &err))
		return cli_error(&err);
	if (asked->output)
		CLI_TRY(cli_output_text(asked->output, text));
	if (!timed->csv)
		CLI_TRY(cli_calibrated_put(asked->store_path, timed->device, text));
	return CLI_DONE;
}

/* ---- telling ------------------------------------------------------------------------------------------ */

static void fill_told(struct device_calibrate_told *told, const struct ft_timed *timed,
		      const struct ft_rates *rates, const double five[FT_RATE_FIVE])
{
	*told = (struct device_calibrate_told){.device = timed->device,
					       .launches = timed->n,
					       .kernels = rates->kernels,
					       .foretold = rates->foretold,
					       .residual = rates->residual,
					       .off = rates->off,
					       .off_most = rates->off_most,
					       .n = FT_RATES,
					       .operation_s = five[0],
					       .operation_each_s = five[1],
					       .miss_s = five[2],
					       .work_item_s = five[3],
					       .launch_s = five[4]};
	for (size_t j = 0; j < FT_RATES; j++) {
		const struct ft_rate_known *rate = &rates->rate[j];

		told->rate[j] = (RATE){.name = ft_rate_name(j),
				       .about = ft_rate_about(j),
				       .seconds = rate->seen ? rate->seconds : NAN,
				       .in_second = rate->seconds > 0 ? 1 / rate->seconds : NAN,
				       .error = rate->error};
	}
}

static void print_text(struct device_calibrate_told *told)
{
	RATE rate[FT_RATES];

	printf("%s: %zu launches of %zu kernels; they lie about the rates by a factor of %.3g\n\n",
	       told->device ? told->device : "a device", told->launches, told->kernels, exp(told->residual));
	for (size_t j = 0; j < FT_RATES; j++) {
		rate[j] = told->rate[j];
		rate[j].seconds *= 1e9;
	}
	cli_tell_table(&rates_told, rate, told->n, NULL);
	if (told->foretold)
		printf("\nstatic answers for kernels that never ran: half are off by a factor of %.3g at "
		       "most, 90 %% by %.3g\n(leave-one-out over %zu kernels; %zu were refused)\n",
		       told->off, told->off_most, told->kernels, told->kernels - told->foretold);
	if (!isnan(told->support_off))
		printf("support vectors over the document's features: half are off by %.3g, 90 %% by "
		       "%.3g (of %zu)\n",
		       told->support_off, told->support_off_most, told->kernels);
	if (!isnan(told->launch_s))
		printf("\nthe document's five features: %.3g ns an operation, %.3g ns an operation of a "
		       "work-item, %.3g ns a cache miss,\n%.3g ns a work-item, %.3g us a launch\n",
		       1e9 * told->operation_s, 1e9 * told->operation_each_s, 1e9 * told->miss_s,
		       1e9 * told->work_item_s, 1e6 * told->launch_s);
}

static int answer_rates(const struct cli_device *asked, const struct ft_timed *timed)
{
	double five[FT_RATE_FIVE];
	struct ft_rates rates;
	struct ft_err err = {0};
	struct device_calibrate_told told;

	if (ft_rates_fit(&rates, timed->row, timed->n, NULL, &err))
		return cli_error(&err);
	if (ft_rates_document(timed->row, timed->n, five, &err)) {
		for (size_t j = 0; j < FT_RATE_FIVE; j++)
			five[j] = NAN;
		cli_note("the document's regression: %s", err.text);
	}
	fill_told(&told, timed, &rates, five);
	if (ft_rates_support(timed->row, timed->n, &told.support_off, &told.support_off_most, &err)) {
		told.support_off = told.support_off_most = NAN;
		cli_note("support vectors: %s", err.text);
	}
	if (asked->json)
		cli_tell(&cli_device_calibrate_told, &told, NULL);
	else
		print_text(&told);
	return CLI_DONE;
}

int cli_device_calibrate(void *ctx)
{
	const struct cli_device *asked = ctx;
	FT_CLEANUP(ft_timed_clear) struct ft_timed timed = {0};
	CLI_OWN char *driver = NULL;

	CLI_TRY(take_launches(asked, &timed));
	if (!timed.csv) {
		driver = cli_driver_named(timed.device);
		timed.driver = driver;
	}
	CLI_TRY(keep_launches(asked, &timed));
	return answer_rates(asked, &timed);
}
