/* SPDX-License-Identifier: GPL-3.0-or-later */
/* powers.h - powers of machines: as a fit printed them, as they are typed, and as a store keeps them. */
#ifndef FT_CLI_POWERS_H
#define FT_CLI_POWERS_H

#include "cli/options.h"
#include "foretime/ask.h"

#include <jansson.h>

/* cli_powers_typed - "infr=161.08,machine=100.77,core=11.56"; option: whose text it is. cli_powers_file: what
 * `foretime energy fit --json` prints. Both return CLI_DONE, or CLI_WRONG after a complaint. */
int cli_powers_typed(struct ft_power *power, const char *option, const char *text);
int cli_powers_file(struct ft_power *power, const char *path);

/* cli_powers_keep - what a fit found, of a machine (its fingerprint): replaces what was kept of it. fit: what
 * it prints, of which the reference is taken. Returns CLI_DONE, or the exit status after a complaint. */
int cli_powers_keep(struct ft_store *store, const char *fingerprint, json_t *fit);

/* cli_powers_kept - runs: out, of how many they were found. False: none are kept. */
bool cli_powers_kept(struct ft_store *store, const char *fingerprint, struct ft_power *power, size_t *runs);

/* Powers of the machine as devices of a program use it: POWERS for all of them, D:POWERS for one, as typed;
 * where nothing is said, those that are kept. */
struct cli_device_powers {
	const struct ft_field_texts *stated;
	struct ft_store *store;
	int status; /* CLI_DONE; what a complaint was */
};

/* cli_powers_of - of one device ("", NULL: of none) on a machine. False: none are known, or there was a
 * complaint. */
bool cli_powers_of(struct cli_device_powers *powers, const char *device, const char *fingerprint,
		   struct ft_power *out);

/* cli_powers_answer - the same, as ft_rank_options takes it. */
bool cli_powers_answer(void *ctx, struct ft_answerer *answerer, struct ft_power *out);

/* cli_powers_check - whether each D that stands before powers is one of the devices [n]. Returns CLI_DONE, or
 * CLI_WRONG after a complaint. */
int cli_powers_check(const struct ft_field_texts *stated, const char *const *device, size_t n);

#define CLI_POWERS_OPTION(powers)                                                                            \
	{                                                                                                    \
		0, "powers", FT_FIELD_TEXTS, &(powers), "[D:]POWERS",                                        \
			"powers for energy that was not measured, of all devices or of D: "                  \
			"infr=60,core=8,device=150, or a file of energy fit"                                 \
	}

#endif
