/* SPDX-License-Identifier: GPL-3.0-or-later */
/* static.c - a kernel that never ran, on devices that were calibrated: a static answer, with how far such
 * answers are off. */
#include "cli/answers.h"
#include "cli/common.h"
#include "cli/device/calibrated.h"
#include "cli/device/subject.h"
#include "cli/output.h"

#include <math.h>
#include <stdlib.h>

/* Of a device. */
struct rank {
	const char *device;
	double seconds, off, off_most; /* NaN: refused; nothing is known */
	double document_s;             /* by the document's regression; NaN: there is none */
	char why[512];                 /* it is refused; else empty */
};

/* A count that is guessed is no answer: by name of the place that it depends on. Loops may be stated. */
static int check_decided(const struct cli_kernel *k, const struct ft_kernel_features *features,
			 const char *name)
{
	for (size_t i = 0; i < features->n_met && !features->decided; i++) {
		const struct ft_kernel_met *met = &features->met[i];
		bool loop = met->note == FT_KERNEL_NOTE_LOOP;

		if (met->note > FT_KERNEL_NOTE_BARRIER_DIVERGES || (loop && k->trips))
			continue;
		(void)cli_fail("kernel %s, line %d: %s%s%s\n"
			       "hint: give the data that it depends on, --data NAME=FILE%s; or measure it: "
			       "foretime build "
			       "--device ... --least time",
			       name, met->line, ft_kernel_note_about(met->note), *met->what ? ": " : "",
			       met->what, loop ? ", or give the trip count: --trips A:B" : "");
		return CLI_NO;
	}
	return CLI_DONE;
}

static char *off_cell(const void *record, const struct ft_tell_with *with)
{
	const struct rank *rank = record;

	(void)with;
	return isnan(rank->off) ? cli_printed("-") : cli_printed("x %.3g", rank->off);
}

static const struct ft_tell_row rank_rows[] = {
	{FT_TELL(struct rank, device), .head = "device"},
	{FT_TELL(struct rank, seconds), .about = "static: nothing of this kernel was measured",
	 .null = "refused", .head = ">static", .unit = "s"},
	{FT_TELL(struct rank, off), .about = "factor that half of such answers are off by, at most",
	 .null = "not known", .head = ">off by", .cell = off_cell},
	{FT_TELL(struct rank, off_most), .about = "factor for 90 % of such answers", .null = "not known"},
	{FT_TELL(struct rank, document_s), .about = "by the five features of 004 chapter 13",
	 .null = "no such regression"},
	{FT_TELL_AS("refused", struct rank, why), .about = "why; empty: it is not", .head = ""},
	{0},
};
static const struct ft_tell_record ranks = {.bytes = sizeof(struct rank), .row = rank_rows};

struct device_static_told {
	const char *kernel, *basis, *best, *second;
	struct rank rank[FT_DEVICES_MAX];
	size_t n;
	double by_static, by_majority;
	bool abstained;
};

static const struct ft_tell_row rows[] = {
	{FT_TELL(struct device_static_told, kernel)},
	{FT_TELL(struct device_static_told, basis), .words = "static"},
	{FT_TELL(struct device_static_told, best), .null = "none can be chosen"},
	{FT_TELL(struct device_static_told, second), .about = "where that one is busy",
	 .null = "there is none"},
	{FT_TELL_MANY(ARRAY, "devices", struct device_static_told, rank, n, &ranks)},
	{FT_TELL(struct device_static_told, by_static),
	 .about = "time of devices so chosen by that of the best, calibration",
	 .null = "the devices' launches are not the same"},
	{FT_TELL(struct device_static_told, by_majority), .about = "of the device that is best most often",
	 .null = ""},
	{FT_TELL(struct device_static_told, abstained),
	 .about = "the best of most kernels is reported: predictions choose no better"},
	{0},
};
const struct ft_tell_record cli_device_static_told = {
	.name = "device", .action = "static", .version = 1, .row = rows};

/* Devices as calibrated. */
struct devices {
	struct cli_calibrated calibrated;
	struct ft_rates rates[FT_DEVICES_MAX];
	double *left_out[FT_DEVICES_MAX];
	size_t n;
};

static void clear_devices(struct devices *d)
{
	cli_calibrated_clear(&d->calibrated);
	for (size_t i = 0; i < FT_DEVICES_MAX; i++)
		free(d->left_out[i]);
	free(d);
}

static int read_all(struct devices *d, const struct cli_device *asked)
{
	struct ft_err err = {0};

	CLI_TRY(cli_calibrated_get(&d->calibrated, &asked->rates, asked->store_path));
	for (; d->n < d->calibrated.n; d->n++) {
		const struct ft_timed *timed = &d->calibrated.timed[d->n];

		d->left_out[d->n] = cli_alloc((timed->n + 1) * sizeof **d->left_out);
		if (ft_rates_fit(&d->rates[d->n], timed->row, timed->n, d->left_out[d->n], &err))
			return cli_error(&err);
	}
	return CLI_DONE;
}

static void foretell(const struct devices *d, const struct ft_kernel_features *features,
		     struct device_static_told *told)
{
	double amount[FT_RATES];

	ft_rate_amounts(features, amount);
	told->n = d->n;
	for (size_t i = 0; i < d->n; i++) {
		struct rank *rank = &told->rank[i];
		struct ft_err err = {0};

		*rank = (struct rank){.device = d->calibrated.name[i],
				      .off = d->rates[i].off,
				      .off_most = d->rates[i].off_most,
				      .document_s = ft_rates_by_document(d->calibrated.timed[i].row,
									 d->calibrated.timed[i].n, features)};
		if (!ft_rates_foretell(&d->rates[i], amount, &rank->seconds, &err))
			continue;
		rank->off = rank->off_most = NAN;
		(void)snprintf(rank->why, sizeof rank->why, "%s", err.text);
	}
}

/* The loops run from so many times to so many: the answer lies between both by ratio, and is off by as much
 * more. */
static int widen(const struct devices *d, const struct cli_kernel *k, const struct cli_kernel_subject *s,
		 struct device_static_told *told)
{
	struct ft_kernel_options options = k->options;
	struct device_static_told most = {.n = 0};
	struct ft_kernel_features features;
	struct ft_err err = {0};

	options.trips = k->trips_most;
	if (ft_kernel_features(&features, s->kernel, &s->typed.launch, &options, &err))
		return cli_error(&err);
	foretell(d, &features, &most);
	ft_kernel_features_clear(&features);
	for (size_t i = 0; i < told->n; i++) {
		struct rank *rank = &told->rank[i];
		double apart = sqrt(most.rank[i].seconds / rank->seconds);

		rank->seconds *= apart;
		rank->document_s = sqrt(rank->document_s * most.rank[i].document_s);
		rank->off *= fmax(apart, 1 / apart);
		rank->off_most *= fmax(apart, 1 / apart);
	}
	return CLI_DONE;
}

static void choose_device(const struct devices *d, struct device_static_told *told)
{
	const double *left_out[FT_DEVICES_MAX];
	double seconds[FT_DEVICES_MAX];
	struct ft_static_record record;

	for (size_t i = 0; i < told->n; i++) {
		seconds[i] = told->rank[i].seconds;
		left_out[i] = d->left_out[i];
	}
	bool known = !ft_static_judge_timed(&record, d->calibrated.timed, left_out, d->n, NULL);
	struct ft_static_choice choice = ft_static_decide(seconds, told->n, known ? &record : NULL);
	if (choice.best == told->n)
		return;
	if (known) {
		told->by_static = record.by_static;
		told->by_majority = record.by_majority;
	}
	told->abstained = choice.abstained;
	told->best = told->rank[choice.best].device;
	told->second = choice.second < told->n ? told->rank[choice.second].device : NULL;
}

static void print_text(const struct device_static_told *told)
{
	printf("kernel %s: static answers, nothing of it was measured\n\n", told->kernel);
	cli_tell_table(&ranks, told->rank, told->n, NULL);
	if (!told->best)
		return;
	printf("\nbest: %s", told->best);
	if (told->second)
		printf("; where that is busy: %s", told->second);
	putchar('\n');
	if (told->abstained)
		cli_note("it is the one that is best most often: what static answers chose took %.3g times "
			 "the best, it %.3g times",
			 told->by_static, told->by_majority);
	else if (!isnan(told->by_static))
		printf("on the launches of the calibration such choices took %.3g times the best, one device "
		       "for all %.3g times\n",
		       told->by_static, told->by_majority);
}

static int tell_static(bool json, const struct device_static_told *told)
{
	if (json)
		cli_tell(&cli_device_static_told, told, NULL);
	else
		print_text(told);
	if (told->best)
		return CLI_DONE;
	(void)cli_fail("no device can be chosen for kernel %s\n"
		       "hint: measure it: foretime build --device ... --least time",
		       told->kernel);
	return CLI_NO;
}

int cli_device_static(struct cli_device *asked)
{
	struct cli_kernel *k = &asked->kernel;
	struct devices *d = cli_alloc(sizeof *d);
	FT_CLEANUP(cli_kernel_subject_clear) struct cli_kernel_subject s = {0};
	FT_CLEANUP(ft_kernel_features_clear) struct ft_kernel_features features = {0};
	struct device_static_told told = {.basis = "static", .by_static = NAN, .by_majority = NAN};
	struct ft_err err = {0};

	int status = cli_kernel_check(k, true);
	if (status == CLI_DONE)
		status = read_all(d, asked);
	if (status == CLI_DONE)
		status = cli_kernel_subject_open(&s, k);
	if (status == CLI_DONE && ft_kernel_features(&features, s.kernel, &s.typed.launch, &k->options, &err))
		status = cli_error(&err);
	if (status == CLI_DONE)
		status = check_decided(k, &features, told.kernel = ft_kernel_name(s.kernel));
	if (status == CLI_DONE) {
		foretell(d, &features, &told);
		if (!features.decided && k->trips_most > k->options.trips)
			status = widen(d, k, &s, &told);
	}
	if (status == CLI_DONE) {
		choose_device(d, &told);
		status = tell_static(asked->json, &told);
	}
	clear_devices(d);
	return status;
}
