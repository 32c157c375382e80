/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calibrations.c - the calibrations of a machine, told from each other by when their values were measured. */
#include "cli/calibrations.h"
#include "cli/common.h"
#include "cli/machine/machine.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Values of one calibration follow each other without a break as long as this. */
static const int64_t apart_ns = 10 * INT64_C(1000000000);

static int compare_moments(const void *a, const void *b)
{
	int64_t p = *(const int64_t *)a, q = *(const int64_t *)b;

	return (p > q) - (p < q);
}

int cli_calibrations_read(struct ft_store *store, int64_t machine, struct cli_calibrations *out)
{
	const struct ft_micro *micro;
	FT_CLEANUP(ft_runs_clear) struct ft_runs runs = {0};
	int status = CLI_DONE;
	size_t n = 0;

	for (size_t i = 0; status == CLI_DONE && (micro = ft_micro_get(i)); i++)
		status = cli_micro_samples(store, micro, machine, &runs);
	CLI_OWN int64_t *at = cli_alloc((runs.n + 1) * sizeof *at);
	for (size_t i = 0; i < runs.n; i++)
		if (runs.run[i].started_ns)
			at[n++] = runs.run[i].started_ns;
	qsort(at, n, sizeof *at, compare_moments);
	*out = (struct cli_calibrations){.period = cli_alloc((n + 1) * sizeof *out->period)};
	for (size_t i = 0; i < n; i++) {
		if (!i || at[i] - at[i - 1] > apart_ns)
			out->period[out->n++].from_ns = at[i];
		out->period[out->n - 1].to_ns = at[i];
	}
	return status;
}

void cli_calibrations_clear(struct cli_calibrations *calibrations)
{
	free(calibrations->period);
	*calibrations = (struct cli_calibrations){0};
}

char *cli_period_text(const struct cli_period *period, char buffer[CLI_MOMENT])
{
	time_t seconds = (time_t)(period->from_ns / INT64_C(1000000000));
	struct tm tm;

	if (!gmtime_r(&seconds, &tm) || !strftime(buffer, CLI_MOMENT, "%Y-%m-%dT%H:%M:%SZ", &tm))
		*buffer = '\0';
	return buffer;
}

size_t cli_calibration_find(const struct cli_calibrations *calibrations, const char *asked,
			    struct cli_period *out)
{
	char text[CLI_MOMENT];
	size_t found = 0;

	*out = (struct cli_period){INT64_MIN, INT64_MAX};
	if (!asked && calibrations->n)
		*out = calibrations->period[calibrations->n - 1];
	if (!asked || !strcmp(asked, "all"))
		return 1;
	for (size_t i = 0; i < calibrations->n; i++)
		if (!strncmp(cli_period_text(&calibrations->period[i], text), asked, strlen(asked))) {
			*out = calibrations->period[i];
			found++;
		}
	return found;
}

int cli_calibration_pick(const struct cli_calibrations *calibrations, const char *asked,
			 struct cli_period *out)
{
	char text[CLI_MOMENT];
	size_t i, found = cli_calibration_find(calibrations, asked, out);

	if (found == 1)
		return CLI_DONE;
	if (found)
		(void)cli_fail("%zu calibrations began at '%s'", found, asked);
	else
		(void)cli_fail("no calibration began at '%s'", asked);
	if (!calibrations->n) {
		cli_hint("foretime machine calibrate makes one");
		return CLI_WRONG;
	}
	fputs("hint: there are", stderr);
	for (i = 0; i < calibrations->n; i++)
		fprintf(stderr, "%s %s", i ? "," : "", cli_period_text(&calibrations->period[i], text));
	fputs("; or all\n", stderr);
	return CLI_WRONG;
}

void cli_period_of_runs(const struct cli_period *period, struct ft_runs *runs)
{
	size_t n = 0;

	for (size_t i = 0; i < runs->n; i++) {
		int64_t at = runs->run[i].started_ns;

		if (!at || (period->from_ns <= at && at <= period->to_ns))
			runs->run[n++] = runs->run[i];
		else
			ft_run_clear(&runs->run[i]);
	}
	runs->n = n;
}
