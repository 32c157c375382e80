/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slurm.h - `foretime slurm`: its options, and the configuration of the cluster. */
#ifndef FT_CLI_SLURM_H
#define FT_CLI_SLURM_H

#include "adapt/door.h"
#include "base/command.h"
#include "cli/options.h"
#include "cli/report/report.h"
#include "foretime/adapt.h"

#include <stdbool.h>

/* Zero-initialise. */
struct cli_slurm {
	/* as typed */
	const char *store_path, *since, *jobs, *folder, *lua, *machine;
	struct ft_field_texts machines, trusted;
	double every_s, risk, lives_s, limit_s;
	bool all, once, dry_run, json, quiet;
	struct cli_report report; /* of --by, --user and the like */
	/* as the cluster reports it */
	struct ft_slurm_config config;
	char **kinds; /* [n_kinds] "node[01-16]=epyc" */
	size_t n_kinds;
};

/* The folder where foretime.lua looks for files of knots. */
#define CLI_SLURM_FOLDER "/var/lib/foretime/knots"

/* cli_slurm_open - config. */
int cli_slurm_open(struct cli_slurm *slurm);

/* A harvest: what is the same for all texts of sacct, and what came of them. Zero-initialise; ends with
 * cli_harvest_close. */
struct cli_harvest {
	struct ft_slurm_harvest options;
	struct ft_slurm_harvested answer;
	struct ft_store *store;
	char *fields, *lacking, *delimiter, *delimiter_word;
	unsigned long *trusted;
};

/* cli_harvest_open - ask the cluster what there is to ask for, and open the store. */
int cli_harvest_open(struct cli_slurm *slurm, struct cli_harvest *harvest);
void cli_harvest_close(struct cli_harvest *harvest);

/* cli_harvest_jobs - take jobs by their numbers ("1,2,3"). */
int cli_harvest_jobs(struct cli_slurm *slurm, struct cli_harvest *harvest, const char *numbers);

/* cli_slurm_knots - write NAME.knots of programs into the folder, each atomically: of `only`, or of every
 * program with a name that functions of Slurm read. written: out, how many */
int cli_slurm_knots(const struct cli_slurm *slurm, const char *folder, const char *only, size_t *written);

/* The actions. query: a struct cli_slurm. */
int cli_slurm_models(void *query);
int cli_slurm_install(void *query);
int cli_slurm_check(void *query);

/* slurm_run - run a tool of Slurm; times are UTC and end in Z. A complaint has the tool, its message, and
 * the hint. Returns CLI_DONE, or the exit status; so do those below. tool: its argv is set; ends with
 * ft__command_clear */
int cli_slurm_run(const struct cli_slurm *slurm, struct ft__command *tool, const char *hint);

int cli_slurm_harvest(void *query);
int cli_slurm_report(void *query);

/* What a report asks the accounts for. Zero-initialise; ends with cli_accounts_query_clear. */
struct cli_accounts_query {
	const char *user, *partition; /* these alone; NULL: all */
	char *fields, *delimiter, *delimiter_word;
};

/* cli_accounts_query_open - which fields there are; prints those that lack. */
int cli_accounts_query_open(const struct cli_slurm *slurm, struct cli_accounts_query *query);
void cli_accounts_query_clear(struct cli_accounts_query *query);

/* cli_slurm_accounts - what sacct prints of jobs between two moments. tool: ends with ft__command_clear. */
int cli_slurm_accounts(const struct cli_slurm *slurm, const struct cli_accounts_query *query, int64_t from_ns,
		       int64_t to_ns, struct ft__command *tool);

#endif
