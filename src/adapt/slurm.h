/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slurm.h - what is shared by those who read Slurm's tables: what a job says of itself, what it was given,
 * and its rows in the accounts. */
#ifndef FT_ADAPT_SLURM_H
#define FT_ADAPT_SLURM_H

#include "base/text.h"
#include "foretime/facts.h"
#include "foretime/slurm.h"

enum { FT__SAID_NAME = 201 };

/* "foretime:NAME,n=20000,m=4" */
struct ft__said {
	char name[FT__SAID_NAME];
	size_t n;
	char param[FT_PARAMS_MAX][FT_PARAM_LENGTH];
	char value[FT_PARAMS_MAX][48]; /* a decimal number */
};

/* ft__said_find - the words in a comment, at its beginning or behind "; "; false: there are none, or none
 * that can be. */
bool ft__said_find(const char *comment, struct ft__said *said);

/* ft__filled_find - what foretime.lua filled in, by the comment of an administrator that it wrote: minutes,
 * MiB; NaN: not that. false: nothing. */
struct ft__filled {
	double minutes, mib;
};
bool ft__filled_find(const char *comment, struct ft__filled *filled);

/* The fields of sacct that a harvest asks for. */
enum ft__account_field {
	FT__JOB_ID,
	FT__JOB_RAW,
	FT__JOB_STATE,
	FT__JOB_START,
	FT__JOB_ELAPSED,
	FT__JOB_UID,
	FT__JOB_NODES,
	FT__JOB_COMMENT,
	FT__JOB_ADMIN,
	FT__JOB_FIELDS /* those above have a meaning of their own; others are columns for sacct.c */
};

/* A job and its steps. All is borrowed until the next one. */
struct ft__account {
	const char *cell[FT__JOB_FIELDS]; /* of the job's own row; "": not there */
	const char *rows;                 /* "A|B|...\n" a line for each row, the job's first */
	size_t length;
};

/* ft__accounts_each - the jobs of a text. head: the names of the columns of rows, "A|B|...", set before the
 * first call. A line with more or fewer fields than the first one is part of a text that a user wrote: it is
 * passed over. Returns FT_OK; FT_EPARSE: the first line names no fields; what take() returns; FT_ENOMEM. */
enum ft_status ft__accounts_each(const char *text, size_t length, const char *delimiter, const char **head,
				 enum ft_status (*take)(void *ctx, const struct ft__account *account,
							struct ft_err *err),
				 void *ctx, struct ft_err *err);

/* ft__tally_count - one more job became a run, of that outcome; ft__tally_put - keep the tally. */
void ft__tally_count(struct ft_slurm_tally *tally, const struct ft__account *account,
		     enum ft_outcome outcome);
enum ft_status ft__tally_put(struct ft_store *store, const char *cluster, const struct ft_slurm_tally *tally,
			     struct ft_err *err);

#endif
