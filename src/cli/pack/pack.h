/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pack.h - what the files of `foretime plan pack` share: what is asked, and what is told of it. */
#ifndef FT_CLI_PACK_H
#define FT_CLI_PACK_H

#include "cli/cli.h"
#include "cli/options.h"
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

/* Where runs are kept. Zero-initialise; ends with cli_pack_keep_end. */
struct cli_pack_kept {
	struct ft_store *store; /* NULL: nowhere */
	struct ft_machine machine;
	struct ft_program copies; /* NAME/copies, with how many as a further parameter */
	bool several;             /* there is one */
	size_t n, n_alone;
};

#endif
