/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load.h - `foretime machine load`: the background load, opened for its subcommands. */
#ifndef FT_CLI_LOAD_H
#define FT_CLI_LOAD_H

#include "cli/cli.h"
#include "foretime/load.h"
#include "foretime/store.h"

/* The query and its data. Zero-initialise; ends with cli_load_close. */
struct cli_load {
	/* as typed; 0: the default */
	const char *store_path, *file, *output, *path;
	double interval_s, history_s, window_s, for_s, keep_s, share, width, threads;
	size_t processors;
	bool niced, dark, json, quiet;
	/* as found */
	struct ft_machine machine; /* this one; of a file: empty */
	struct ft_loads loads;
	struct ft_load_history history; /* all of it */
	size_t h, w;                    /* history_s and window_s, in intervals */
};

/* cli_load_open - read the observations of this machine, or of the file, and settle what was left open.
 * Returns CLI_DONE, or the exit status after a complaint. */
int cli_load_open(struct cli_load *load);
void cli_load_close(struct cli_load *load);

/* cli_load_functions - cli_load_open, and the functions of the newest part of the history; if a width is
 * requested, of a part long enough for it. */
int cli_load_functions(struct cli_load *load, struct ft_load_functions *functions);

/* cli_load_source - "box (AMD EPYC, 2 cores)", or the file; ends with free. */
char *cli_load_source(const struct cli_load *load);

/* Output of all actions. source: of cli_load_source, borrowed. */
struct cli_answer_load {
	const char *source;
	double interval_s, processors;
};
extern const struct ft_tell_record cli_load_rows;
struct cli_answer_load cli_load_answer(const struct cli_load *load, const char *source);

/* The subcommands. Each returns the exit status. */
int cli_load_show(void *query);

#endif
