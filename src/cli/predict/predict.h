/* SPDX-License-Identifier: GPL-3.0-or-later */
/* predict.h - `foretime predict`: what its files share. */
#ifndef FT_CLI_PREDICT_PREDICT_H
#define FT_CLI_PREDICT_PREDICT_H

#include "cli/cli.h"
#include "cli/options.h"

#include <stdbool.h>

/*
 * Predict through a manager.
 */

/*
 * Predict runs that begin at a future moment: a given one, or the best.
 */

/* cli_at_read - parse "22:00", "sat 06:00", "+3h", "2026-12-24 08:00": the first such moment that is not
 * past. Returns CLI_DONE, or CLI_WRONG after a complaint. */
int cli_at_read(const char *text, int64_t *at_ns);

/* cli_at_print - print the part of a heading with the moment and the hours whose load is used. */
void cli_at_print(const struct ft_answerer *answerer, int64_t at_ns);

struct cli_when {
	const struct ft_size *size;
	double confidence, threads;
	bool json;
};

/* cli_when - at which hour of the next week a run had best begin. Returns the exit status. */
int cli_when(const struct cli_when *query, const struct cli_models *models);

#endif
