/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pack.h - `foretime plan pack`: its query and answer, for its files. */
#ifndef FT_CLI_PACK_H
#define FT_CLI_PACK_H

#include "build/door.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "foretime/build.h"
#include "foretime/measure.h"
#include "foretime/store.h"

struct cli_pack {
	/* as typed */
	const char *store_path, *device;
	size_t cores, most, threads;
	bool json, quiet, apart; /* apart: nothing is stored */
	bool jobs;               /* the words are requests of jobs */
	struct cli_probes probes;
	struct ft_launch launch;
	struct ft_pack_options options;
	/* as found */
	struct ft_program program;
	bool stored; /* it is one of the store */
	struct ft_size size;
	size_t processors; /* for the copies */
	char *pin;         /* the processors to use; NULL: all */
	struct ft_pack_report report;
};

/* Where runs are stored. Zero-initialise; ends with cli_pack_keep_end. */
struct cli_pack_kept {
	struct ft_store *store; /* NULL: nowhere */
	struct ft_machine machine;
	struct ft_program copies; /* NAME/copies, with how many as a further parameter */
	bool several;             /* there is one */
	size_t n, n_alone;
};

/* cli_pack_jobs - plan when jobs start. Returns the exit status. */
int cli_pack_jobs(const struct cli_pack *pack, const struct cli_words *words);

#endif
