/* SPDX-License-Identifier: GPL-3.0-or-later */
/* show.h - what the files of `foretime show` share. */
#ifndef FT_CLI_SHOW_H
#define FT_CLI_SHOW_H

#include "foretime/store.h"
#include "foretime/sweep.h"
#include "tell/kept.h"

#include <stdio.h>

/* cli_kept_find - the newest `most` runs, judged. answerer NULL: no run ended well. out: ends with
 * ft_kept_clear of its kept. Returns CLI_DONE; CLI_WRONG: said. */
int cli_kept_find(struct ft_answerer *answerer, const struct ft_resource *resource, size_t most,
		  struct ft_told_kept *out);
/* What a job asked a batch system for, and what it used. */
struct cli_asked_job {
	int64_t started_ns;
	struct ft_size size;
	enum ft_outcome outcome;
	double asked_s, asked_bytes, used_s, used_bytes; /* NaN: not known */
};
extern const struct ft_tell_record cli_asked_told, cli_building_told,
	cli_traces_told; /* of struct ft_building, struct ft_store_trace */

/* cli_show_asked - the newest `most` of the runs that asked, in the order in which they were kept;
 * cli_show_traces - runs of which a trace is kept, the newest first. Both end with free. */
struct cli_asked_job *cli_show_asked(const struct ft_runs *runs, size_t most, size_t *n);
struct ft_store_trace *cli_show_traces(struct ft_store *store, int64_t program, int64_t machine, size_t *n);

void cli_building_print(const struct ft_building *building, const struct ft_program *program, FILE *file);
void cli_asked_print(const struct cli_asked_job *job, size_t n, const struct ft_program *program);

void cli_kept_print(const struct ft_told_kept *told, const struct ft_program *program);

#endif
