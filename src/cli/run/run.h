/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run.h - `foretime run`: watches a run against its prediction. */
#ifndef FT_CLI_RUN_H
#define FT_CLI_RUN_H

#include "ask/door.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "foretime/ask.h"
#include "foretime/measure.h"
#include "measure/door.h"
#include "tell/tell.h"

/* The expected end of a run. As typed, and what came of it; zero-initialise; ends with cli_eta_close. */
struct cli_eta {
	const char *name, *log; /* NULL: not given; name "-": no model */
	size_t pid;             /* a program that runs already; 0: none */

	struct cli_models models; /* without a store, or an answerer: no model */
	struct ft_size size;
	double read_whole, written_whole; /* bytes, as predicted; NaN: not known well enough */
	struct ft_stage learned[FT_ADVANCE_KINDS][FT_OUTLOOK_POINTS]; /* [n_learned] of an earlier run */
	size_t n_learned[FT_ADVANCE_KINDS];
	struct ft_eta eta;
	struct ft_prediction predicted; /* by the model alone; value NaN: there is none */
	struct ft_inputs *inputs;       /* NULL: the program is not known yet */
	struct ft_eta_answer answer;
	struct cli_output log_file;
	double last_s, again_s; /* of the last look; of the next line */
	bool terminal, shown;   /* the line is replaced; there is one */
};

/* cli_eta_open - ask the model, if there is one. sizes: NAME=VALUE words [n]. Returns CLI_DONE, or the exit status
 * after a complaint. cli_eta_look - revise it; waited_s: for other processes, or NaN. cli_eta_end - it is over; done:
 * it ended well, and what it showed of its progress is kept for the next run. */
int cli_eta_open(struct cli_eta *eta, const char *store_path, char *const *word, size_t n);
void cli_eta_look(struct cli_eta *eta, const struct ft_moment *now, double waited_s);
void cli_eta_end(struct cli_eta *eta, double wall_s, double idle_s, bool done);
void cli_eta_close(struct cli_eta *eta);

/* cli_eta_follow - look at a process until it ends. Returns the exit status. */
int cli_eta_follow(struct cli_eta *eta, int pid);

extern const struct ft_tell_record cli_eta_answer;

/* cli_run_size - the size of NAME=VALUE words; those that the model does not know are only part of the command. */
enum ft_status cli_run_size(const struct ft_answerer *answerer, char *const *word, size_t n,
			    struct ft_size *size, struct ft_err *err);

/* cli_run_waited_s - how long a run waited for other processes: its time minus that on an idle machine
 * (ft_run_alone). NaN: unknown. */
double cli_run_waited_s(const struct ft_moment *now);

/* A contract with a model. As typed, and what came of it; zero-initialise; ends with cli_contract_close. */
struct cli_contract {
	const char *name, *progress, *like, *log; /* NULL: not given */
	double confidence;                        /* NaN: not given */
	bool end;                                 /* the run, at a breach */
	struct cli_beside beside;                 /* the load of the prediction */
	struct cli_eta *eta; /* watches the same run, also without a contract; NULL: no */

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
