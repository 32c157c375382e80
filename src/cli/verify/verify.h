/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verify.h - what `foretime verify` works on, shared by the command and its report. */
#ifndef FT_CLI_VERIFY_H
#define FT_CLI_VERIFY_H

#include "cli/models.h"
#include "cli/options.h"
#include "cli/reading.h"
#include "cli/sizes.h"
#include "foretime/measure.h"
#include "foretime/verify.h"

struct cli_verify {
	/* as typed */
	const char *store_path, *machine;
	struct cli_texts paths; /* of files of runs */
	struct cli_reading reading;
	struct cli_texts resources;
	double confidence, timeout_s;
	size_t repetitions, threads;
	bool strict, sweep, json;
	struct ft_launch launch;
	/* as found */
	struct cli_models models;
	struct cli_sizes sizes;
	struct ft_program program; /* what is run, or whose runs the file has */
	struct ft_runs runs;
	const char *resource[CLI_TEXTS_MAX];
	size_t n_resources;
	bool killed; /* a run was killed for memory: that is no pass */
	struct ft_verification verified;
};

/* cli_verify_text, cli_verify_json - what was found, on standard output. */
void cli_verify_text(const struct cli_verify *v);
void cli_verify_json(const struct cli_verify *v);

/* cli_verify_complain - what is broken, a line each, on standard error. */
void cli_verify_complain(const struct cli_verify *v);

#endif
