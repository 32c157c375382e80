/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run.h - a run that is watched: what was promised of it, how far it is, and what it will come to. */
#ifndef FT_CLI_RUN_H
#define FT_CLI_RUN_H

#include "cli/cli.h"
#include "cli/options.h"
#include "foretime/measure.h"
#include "foretime/outlook.h"
#include "tell/tell.h"

/* A contract with a model. As typed, and what came of it; zero-initialise; ends with cli_contract_close. */
struct cli_contract {
	const char *name, *progress, *like, *log; /* NULL: not given */
	double confidence;                        /* NaN: not given */
	bool end;                                 /* the run, at a breach */
	struct cli_beside beside;                 /* under which load the promise is */

	struct cli_models models;
	struct ft_size size;
	struct ft_promise promise;
	struct ft_err why;              /* something is not promised */
	const struct ft_resource *peak; /* the resource that is promised; NULL: none */
	struct ft_stage *normal;
	size_t n_normal;
	struct ft_outlook outlook;
	struct ft_watcher watcher;
	struct ft_printed *printed; /* NULL: not by what it prints */
	bool cut;                   /* what it prints cannot be passed on any more */
	struct cli_output log_file;
	struct ft_moment last;
	double waited_s;             /* for others, so far; NaN: not known */
	double limit_bytes, limit_s; /* on memory, as last asked, and when */
	struct ft_breach breach[FT_BREACH_KINDS];
	size_t n_breaches;
	double wall_s, peak_bytes; /* at the end; NaN: not known */
	bool over, kept;           /* over: it ended well */
};

/* cli_contract_open - ask the model, and have the launch watched. sizes: NAME=VALUE words [n]. Returns
 * CLI_DONE, or the exit status after a complaint. */
int cli_contract_open(struct cli_contract *contract, const char *store_path, char *const *word, size_t n,
		      struct ft_launch *launch);

/* cli_contract_end - the run is over: what it took is held against what was promised. */
void cli_contract_end(struct cli_contract *contract, const struct ft_run *run);

/* cli_contract_print - one line: kept, or broken. */
void cli_contract_print(const struct cli_contract *contract, FILE *file);
void cli_contract_close(struct cli_contract *contract);

extern const struct ft_tell_record cli_contract_answer;

#endif
