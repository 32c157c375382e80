/* SPDX-License-Identifier: GPL-3.0-or-later */
/* batch.h - requests in the forms that batch systems and workflow languages take. */
#ifndef FT_CLI_REQUEST_BATCH_H
#define FT_CLI_REQUEST_BATCH_H

#include "cli/models.h"
#include "cli/options.h"
#include "foretime/request.h"

/* What is asked, and the answer. */
struct cli_request {
	/* as typed */
	const char *store_path, *machine, *format;
	struct cli_texts size_from;
	double risk;
	struct cli_beside beside;
	struct ft_ask_load load;
	size_t cpus; /* 0: as measured */
	bool json, expression;
	/* as found */
	struct cli_models models;
	bool sized;                        /* every parameter that varies has a value */
	struct ft_size size;               /* the values given, of all parameters */
	bool open[FT_PARAMS_MAX];          /* those that expressions are of */
	struct ft_request request;         /* sized */
	struct ft_request_expressions all; /* not sized, or --expression */
};

/* A format: a row of the table. */
struct cli_batch {
	const char *name;
	bool expressions; /* it has a language for them */
	void (*print)(const struct cli_request *request);
};

/* cli_batch_get - the i-th format; NULL past the last. */
const struct cli_batch *cli_batch_get(size_t i);

/* cli_batch_minutes - rounded up to whole minutes, and beyond 20 of them to a step of a twentieth at most: 1,
 * 5, 10, 15, 30, 60 ... */
double cli_batch_minutes(double seconds);

/* cli_batch_mib - bytes, rounded up to MiB. */
double cli_batch_mib(double bytes);

/* cli_batch_cpus - whole processors: a tenth of one more is none. NaN: not known. */
double cli_batch_cpus(const struct cli_request *request);

/* cli_batch_time - "05:00", "03:10:00", "2-12:00:00", as Slurm reads it. */
enum { CLI_BATCH_TIME = 48 };
char *cli_batch_time(double minutes, char buffer[CLI_BATCH_TIME]);

/* cli_batch_slurm - "--time=... --mem=... --cpus-per-task=..."; ends with free. */
char *cli_batch_slurm(const struct cli_request *request);

/* cli_batch_check - every --size-from says a parameter that is open, once. Returns CLI_DONE, or the exit
 * status after a complaint. */
int cli_batch_check(const struct cli_request *request);

/* cli_batch_language - an expression of ours in another language, parameter n as `size_n`; ends with free.
 * NULL after a complaint. */
char *cli_batch_language(const struct cli_request *request, const char *text, bool python);

#endif
