/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calibrations.h - a machine may have been calibrated several times: which of them counts. */
#ifndef FT_CLI_CALIBRATIONS_H
#define FT_CLI_CALIBRATIONS_H

#include "cli/output.h"
#include "foretime/calibrate.h"
#include "foretime/store.h"

/* Moments of the wall clock, both included. Values of an unknown time count with each calibration. */
struct cli_period {
	int64_t from_ns, to_ns;
};

/* The calibrations of a machine, the newest last. Zero-initialise; ends with cli_calibrations_clear. */
struct cli_calibrations {
	struct cli_period *period; /* [n] */
	size_t n;
};

enum { CLI_MOMENT = 32 };

/* cli_calibrations_read - values less than ten seconds apart are one calibration. Returns CLI_DONE, or the
 * exit status after a complaint; so does the next. */
int cli_calibrations_read(struct ft_store *store, int64_t machine, struct cli_calibrations *out);
void cli_calibrations_clear(struct cli_calibrations *calibrations);

/* cli_calibration_find - the newest one (asked is NULL), that which began then (the beginning of
 * "2026-01-31T12:00:00Z"), or "all"; how many were meant, out is the last of them. */
size_t cli_calibration_find(const struct cli_calibrations *calibrations, const char *asked,
			    struct cli_period *out);

/* cli_calibration_pick - the same, and just one must be meant. */
int cli_calibration_pick(const struct cli_calibrations *calibrations, const char *asked,
			 struct cli_period *out);

/* cli_period_of_runs - takes the runs away that are not of the period. */
void cli_period_of_runs(const struct cli_period *period, struct ft_runs *runs);

/* cli_period_text - when it began. */
char *cli_period_text(const struct cli_period *period, char buffer[CLI_MOMENT]);

#endif
