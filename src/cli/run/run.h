/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run.h - `foretime run`: watches a run against its prediction. */
#ifndef FT_CLI_RUN_H
#define FT_CLI_RUN_H

#include "ask/door.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "foretime/ask.h"
#include "foretime/measure.h"
#include "tell/tell.h"

/* A contract with a model. As typed, and what came of it; zero-initialise; ends with cli_contract_close. */
struct cli_contract {
	const char *name, *progress, *like, *log; /* NULL: not given */
	double confidence;                        /* NaN: not given */
	bool end;                                 /* the run, at a breach */
	struct cli_beside beside;                 /* the load of the prediction */

	struct cli_models models;
	struct ft_size size;
	struct ft_promise promise;
	struct ft_err why;              /* why something has no prediction */
	const struct ft_resource *peak; /* the predicted resource; NULL: none */
	struct ft_stage *normal;
	size_t n_normal;
	struct ft_outlook outlook;
	struct ft_watcher watcher;
	struct ft_printed *printed; /* NULL: progress is not read from its output */
	bool cut;                   /* its output can no longer be passed on */
	struct cli_output log_file;
	struct ft_moment last;
	double waited_s;             /* for other processes, so far; NaN: unknown */
	double limit_bytes, limit_s; /* on memory, as last read, and when */
	struct ft_breach breach[FT_BREACH_KINDS];
	size_t n_breaches;
	double wall_s, peak_bytes; /* at the end; NaN: not known */
	bool over, kept;           /* over: it ended well */
};

/* cli_contract_open - ask the model, and have the launch watched. sizes: NAME=VALUE words [n]. Returns
 * CLI_DONE, or the exit status after a complaint. */
int cli_contract_open(struct cli_contract *contract, const char *store_path, char *const *word, size_t n,
		      struct ft_launch *launch);

/* cli_contract_end - the run is over: compare what it took with the prediction. */
void cli_contract_end(struct cli_contract *contract, const struct ft_run *run);

/* cli_contract_print - one line: kept, or broken. */
void cli_contract_print(const struct cli_contract *contract, FILE *file);
void cli_contract_close(struct cli_contract *contract);

extern const struct ft_tell_record cli_contract_answer;

#endif
