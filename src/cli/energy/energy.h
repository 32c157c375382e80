/* SPDX-License-Identifier: GPL-3.0-or-later */
/* energy.h - what the subcommands of `foretime energy` share: powers, from a fit or as stated, and jobs. */
#ifndef FT_CLI_ENERGY_H
#define FT_CLI_ENERGY_H

#include "cli/common.h"
#include "cli/options.h"
#include "cli/output.h"
#include "foretime/energy.h"

enum { CLI_JOBS_MAX = 256 };

/* What is asked. Zero-initialise. */
struct cli_energy {
	/* as typed; 0, of serial and at NaN: the default */
	const char *model, *watts, *meter, *group, *resolution;
	double confidence, serial, at;
	bool merge, plain, printed, by_cores, busy, json;
	char *const *word; /* behind the action */
	size_t words;
	/* as found */
	struct ft_power power;
};

/* cli_energy_power - the powers of --model or --watts. Returns CLI_DONE, or the exit status after a
 * complaint. */
int cli_energy_power(struct cli_energy *energy);

/* The subcommands. Each returns the exit status. */
int cli_energy_fit(void *asked);
int cli_energy_predict(void *asked);
int cli_energy_share(void *asked);
int cli_energy_peak(void *asked);
int cli_energy_sweet_spot(void *asked);
int cli_energy_curve(void *asked);

#endif
