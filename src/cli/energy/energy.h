/* SPDX-License-Identifier: GPL-3.0-or-later */
/* energy.h - `foretime energy`: powers, fitted or stated, and jobs, for its subcommands. */
#ifndef FT_CLI_ENERGY_H
#define FT_CLI_ENERGY_H

#include "cli/cli.h"
#include "cli/options.h"
#include "energy/door.h"
#include "foretime/energy.h"

/* The query. Zero-initialise. */
struct cli_energy {
	/* as typed; 0, of serial NaN: the default */
	const char *model, *watts, *meter, *by, *resolution;
	double confidence, serial;
	const char *store_path, *machine, *output;
	struct cli_price price;
	bool merge, plain, printed, by_cores, busy, keep, curve, dark, json;
	char *const *word; /* behind the action */
	size_t words;
	/* as found */
	struct ft_power power;
};

/* One user's jobs. */
struct cli_account {
	char *name;
	size_t jobs, unfit; /* unfit: jobs that do not match the other jobs' law */
	double core_s, machine_s, measured_j;
	double joules, share; /* by the powers found; share of the energy of all users */
};

/* Jobs that a batch system accounted for. Zero-initialise; ends with cli_accounts_clear. */
struct cli_accounts {
	struct cli_account *user; /* [n_users] in the order in which they were met */
	size_t n_users;
	struct ft_energy_job *job; /* [n] */
	size_t *of;                /* [n] index into user of each job */
	size_t n, left_out;
};

/* The files to read. Zero-initialise; ends with free of its bytes. */
struct cli_table_of_runs {
	const char *path;
	char *bytes; /* [length] of standard input; NULL: it is a file */
	size_t length;
	bool sacct; /* jobs, as sacct -P prints them; detected by the first line */
};

/* cli_accounts_read - what sacct -P prints, and as runs. Returns CLI_DONE, or the exit status after a
 * complaint. */
int cli_accounts_read(struct cli_accounts *accounts, const struct cli_table_of_runs *table, bool merge,
		      struct ft_energy_runs *runs);

/* cli_accounts_divide - divide the energy of jobs among users, by the powers found in these runs. */
void cli_accounts_divide(struct cli_accounts *accounts, const struct ft_energy_runs *runs,
			 const struct ft_energy_fit *fit);
void cli_accounts_clear(struct cli_accounts *accounts);

/* cli_energy_power - the powers of --model or --powers. Returns CLI_DONE, or the exit status after a
 * complaint. */
int cli_energy_power(struct cli_energy *energy);

/* The subcommands. Each returns the exit status. */
int cli_energy_predict(void *query);
int cli_energy_share(void *query);
int cli_energy_peak(void *query);
int cli_energy_sweet_spot(void *query);

#endif
