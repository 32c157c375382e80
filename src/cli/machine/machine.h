/* SPDX-License-Identifier: GPL-3.0-or-later */
/* machine.h - `foretime machine`: machines and their calibrations, for its subcommands. */
#ifndef FT_CLI_MACHINE_H
#define FT_CLI_MACHINE_H

#include "cli/cli.h"
#include "cli/options.h"
#include "foretime/measure.h"
#include "foretime/store.h"

/* The query. */
struct cli_machine {
	char *const *word; /* behind the action */
	size_t words;
	const char *store_path, *output, *via, *table; /* as typed; NULL: the default */
	bool quick, json;
};

/* Times of one micro-benchmark on a machine. */
struct cli_micro {
	size_t n;                             /* values */
	double median, least, most;           /* wall seconds of one operation; NaN: n = 0 */
	int64_t newest_ns;                    /* 0: not known */
	char *reason;                         /* why there is no value; NULL: unknown */
	const char *name, *operation, *about; /* of the micro-benchmark */
	double spread; /* range of the values as a share of the median; NaN: only one value */
};

/* A machine and its row: an entry for each micro-benchmark of the table. Zero-initialise; ends with
 * cli_row_clear. */
struct cli_row {
	struct ft_machine machine;
	struct cli_micro *entry; /* [n] of the newest calibration */
	size_t n;
};

/* cli_row_read - read the row of a machine in the store; entries have no values if it was not calibrated.
 * Returns CLI_DONE, or the exit status after a complaint; so do all below. */
int cli_row_read(struct ft_store *store, int64_t machine, struct cli_row *row);
void cli_row_clear(struct cli_row *row);

/* cli_row_measured - how many of the entries have a value. */
size_t cli_row_measured(const struct cli_row *row);

/* cli_micro_samples - append the stored samples of a micro-benchmark on a machine to runs. */
int cli_micro_samples(struct ft_store *store, const struct ft_micro *micro, int64_t machine,
		      struct ft_runs *runs);

/* cli_machine_find - the machine of that host name or fingerprint, or of the only fingerprint that begins so;
 * NULL: this one. */
int cli_machine_find(struct ft_store *store, const char *name, int64_t *id);

/* The subcommands. */
int cli_machine_calibrate(void *ctx);
int cli_machine_list(void *ctx);
int cli_machine_show(void *ctx);
int cli_machine_compare(void *ctx);
int cli_machine_export(void *ctx);
int cli_machine_import(void *ctx);

#endif
