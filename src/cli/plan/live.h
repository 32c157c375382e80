/* SPDX-License-Identifier: GPL-3.0-or-later */
/* live.h - a total over processors that run at once, again and again: programs, pieces, who starts them. */
#ifndef FT_CLI_PLAN_LIVE_H
#define FT_CLI_PLAN_LIVE_H

#include "cli/plan/plan.h"
#include "foretime/measure.h"

#include <pthread.h>

/* The program on one host: its processors are alike. */
struct cli_live_host {
	const struct cli_host *host;
	struct ft_program program;
	int64_t machine; /* its id */
};

/* What one processor does. */
struct cli_live_piece {
	struct cli_live_host *of;
	char *label;
	int64_t units;            /* 0: it is idle */
	struct ft_runs runs;      /* of this lap */
	struct ft_source *source; /* where it is started here */
	pthread_t thread;
	bool running;
	enum ft_status status;
	struct ft_err err;
};

struct cli_live {
	struct cli_plan *plan;
	char parameter[FT_PARAM_LENGTH];
	int64_t total;
	struct ft_size size;          /* of all parameters; the first is divided */
	struct cli_live_host *host;   /* [n_hosts of the plan] */
	struct cli_live_piece *piece; /* [p] */
	size_t p;
	struct ft_plan_refine *refine;
};

/* cli_live_programs - what is run, under which names and on which machines of the store; each with what it
 * has run before. Returns CLI_DONE, or the exit status after a complaint; so do those below. */
int cli_live_programs(struct cli_live *q);
void cli_live_clear(struct cli_live *q);

/* cli_live_size - the size of a piece. */
struct ft_size cli_live_size(const struct cli_live *q, const struct cli_live_piece *piece);

/* cli_live_keep - the runs of a lap, in the store. */
int cli_live_keep(struct cli_live *q);

/* Who starts the pieces: a row of a table. */
struct cli_live_way {
	const char *name;
	bool here; /* on this machine */
	int (*run)(struct cli_live *q);
};

/* cli_live_way - by its name (NULL: local); NULL after a complaint. */
const struct cli_live_way *cli_live_way(const char *name);

#endif
