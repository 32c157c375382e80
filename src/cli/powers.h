/* SPDX-License-Identifier: GPL-3.0-or-later */
/* powers.h - powers of machines: as a fit printed them, as they are typed, and as a store keeps them. */
#ifndef FT_CLI_POWERS_H
#define FT_CLI_POWERS_H

#include "foretime/energy.h"
#include "foretime/store.h"

#include <jansson.h>

/* cli_powers_typed - "infr=161.08,machine=100.77,core=11.56"; option: whose text it is. cli_powers_file: what
 * `foretime energy fit --json` prints. Both return CLI_DONE, or CLI_WRONG after a complaint. */
int cli_powers_typed(struct ft_power *power, const char *option, const char *text);
int cli_powers_file(struct ft_power *power, const char *path);

/* cli_powers_keep - what a fit found, of a machine (its fingerprint): replaces what was kept of it.
 * fit: what it prints, of which the reference is taken. Returns CLI_DONE, or the exit status after a
 * complaint. */
int cli_powers_keep(struct ft_store *store, const char *fingerprint, json_t *fit);

/* cli_powers_kept - runs: out, of how many they were found. False: none are kept. */
bool cli_powers_kept(struct ft_store *store, const char *fingerprint, struct ft_power *power, size_t *runs);

#endif
