/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pack.h - what the files of `foretime plan pack` share: what is asked, and what is told of it. */
#ifndef FT_CLI_PACK_H
#define FT_CLI_PACK_H

#include "cli/options.h"
#include "cli/probes.h"
#include "foretime/measure.h"
#include "foretime/pack.h"
#include "foretime/store.h"

struct cli_pack {
	/* as typed */
	const char *store_path, *device;
	size_t cores, most, threads;
	bool json, quiet, apart; /* apart: nothing is kept */
	struct cli_probes probes;
	struct ft_launch launch;
	struct ft_pack_options options;
	/* as found */
	struct ft_program program;
	bool stored; /* it is one of the store */
	struct ft_size size;
	size_t processors; /* that the copies may use */
	char *pin;         /* which these are; NULL: all */
	struct ft_pack_report report;
};

/* cli_pack_place - which processors, and how much memory, the copies may use, and how many at most. Returns
 * CLI_DONE, or the exit status after a complaint. */
int cli_pack_place(struct cli_pack *pack);

/* Where runs are kept. Zero-initialise; ends with cli_pack_keep_end. */
struct cli_pack_kept {
	struct ft_store *store; /* NULL: nowhere */
	struct ft_machine machine;
	struct ft_program copies; /* NAME/copies, with how many as a further parameter */
	bool several;             /* there is one */
	size_t n, n_alone;
};

/* cli_pack_keep_begin - of a stored program. cli_pack_keep - runs of so many copies at once, whose sizes then
 * have that number, too. Both return CLI_DONE, or the exit status after a complaint. */
int cli_pack_keep_begin(struct cli_pack_kept *kept, struct cli_pack *pack);
int cli_pack_keep(struct cli_pack_kept *kept, const struct cli_pack *pack, size_t copies,
		  struct ft_runs *runs);
void cli_pack_keep_end(struct cli_pack_kept *kept, const struct cli_pack *pack);

/* cli_pack_say - the answer. */
void cli_pack_say(const struct cli_pack *pack);

#endif
