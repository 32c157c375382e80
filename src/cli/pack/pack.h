/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pack.h - what the files of `foretime pack` share: what is asked, and what is told of it. */
#ifndef FT_CLI_PACK_H
#define FT_CLI_PACK_H

#include "cli/options.h"
#include "cli/probes.h"
#include "foretime/measure.h"
#include "foretime/pack.h"

struct cli_pack {
	/* as typed */
	const char *store_path, *device;
	size_t cores, most, threads;
	bool json, quiet;
	struct cli_probes probes;
	struct ft_launch launch;
	struct ft_pack_options options;
	/* as found */
	struct ft_program program;
	struct ft_size size;
	size_t processors; /* that the copies may use */
	char *pin;         /* which these are; NULL: all */
	struct ft_pack_report report;
};

/* cli_pack_place - which processors, and how much memory, the copies may use, and how many at most. Returns
 * CLI_DONE, or the exit status after a complaint. */
int cli_pack_place(struct cli_pack *pack);

/* cli_pack_say - the answer. */
void cli_pack_say(const struct cli_pack *pack);

#endif
