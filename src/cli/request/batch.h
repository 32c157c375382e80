/* SPDX-License-Identifier: GPL-3.0-or-later */
/* batch.h - requests in the forms of batch systems and workflow languages. */
#ifndef FT_CLI_REQUEST_BATCH_H
#define FT_CLI_REQUEST_BATCH_H

#include "cli/cli.h"
#include "cli/options.h"
#include "foretime/ask.h"
#include "tell/answers.h"

/* Of --from and --profile, as typed. */
struct cli_workflow_profile {
	const char *from, *profile, *output; /* output: the folder for files */
	struct cli_reading reading;          /* its sizes: --place */
	const char *name;                    /* of rules: --name of import; NULL: as the files have them */
	const char *size_from; /* --size: the size in the language of the workflow; NULL: not given */
	bool json;
};

/* The query and the answer. */
struct cli_request {
	/* as typed */
	struct ft_query query;
	const char *store_path, *format;
	struct ft_field_texts size_from;
	const char *sizes; /* of --format; by default Slurm's */
	struct ft_ask_load load;
	struct cli_workflow_profile profile;
	bool json, verbose, expression;
	size_t steps;                  /* of memory over time; 0: not requested */
	const struct cli_batch *batch; /* that of --format; without one Slurm's */
	/* as found */
	double risk; /* as ft_ask_request takes it */
	struct ft_tell_bounds bounds;
	struct cli_models models;
	bool sized;                        /* every parameter that varies has a value */
	struct ft_size size;               /* the values given, of all parameters */
	bool open[FT_PARAMS_MAX];          /* those that expressions are of */
	struct ft_request request;         /* sized */
	struct ft_memory_steps rising;     /* sized, with steps */
	struct ft_request_expressions all; /* not sized, or --expression */
};

/* A format. */
struct cli_batch {
	const char *name;
	bool expressions; /* it has a language for them */
	double overhead;  /* memory of other processes in the job, bytes */
	void (*print)(const struct cli_request *request);
	int (*check)(
		const struct cli_request *request); /* NULL; CLI_DONE, or the exit status after a complaint */
};

extern const struct cli_batch cli_batch_slurm, cli_batch_snakemake, cli_batch_nextflow, cli_batch_tpv,
	cli_batch_pbs, cli_batch_lsf, cli_batch_htcondor, cli_batch_sbatch_array;
extern const struct cli_batch cli_batch_snippets[]; /* the last one has no name */

/* cli_batch_array - the script of --format sbatch-array, of the sizes in words 1, 2, ... or in the table.
 * Returns CLI_DONE, or the exit status after a complaint. */
int cli_batch_array(struct cli_request *request, const struct cli_words *words);

/* cli_batch_answered - whether there is an answer at the size. Returns CLI_DONE, or the exit status after a
 * complaint; why: out. cli_batch_notes - what is doubtful of it, on standard error. */
int cli_batch_answered(struct cli_request *request, struct ft_err *why);
void cli_batch_notes(const struct cli_request *request);

/* cli_batch_doubts - the same of a form that is used as it is printed: all that is doubtful. */
void cli_batch_doubts(const struct cli_request *request);

/* cli_batch_find - a format by its name; NULL: there is none. */
const struct cli_batch *cli_batch_find(const char *name);

/* cli_batch_gpu - whether runs used a graphics device: then one is requested. */
bool cli_batch_gpu(const struct cli_request *r);

/* cli_batch_cpus - as ft_tell_cpus, or as typed. */
double cli_batch_cpus(const struct cli_request *request);

/* cli_batch_risk - that of the answer. cli_batch_margin - factor of memory, mostly 1; cli_batch_overhead -
 * bytes that are added. cli_batch_bytes, cli_batch_seconds - the request at the size. cli_batch_memory -
 * the same of an expression in Python or Groovy; ends with free. */
double cli_batch_risk(const struct cli_request *request);
double cli_batch_margin(const struct cli_request *request);
double cli_batch_overhead(const struct cli_request *request);
double cli_batch_bytes(const struct cli_request *request);
double cli_batch_seconds(const struct cli_request *request);
char *cli_batch_memory(const struct cli_request *request, const char *expression, bool python);

/* cli_batch_head - print comments: the request, and the runs it is based on. */
void cli_batch_head(const struct cli_request *request, const char *mark);

/* cli_batch_try - the request of a retry, in Python or Groovy, where the first one is `query`: multiplied
 * by the number of the try; with --risk least as the policy has it, `seen` being the most that any run
 * needed in the same unit. The caller frees it. */
char *cli_batch_try(const struct cli_request *request, const char *query, const char *number, double seen,
		    bool python);

/* cli_batch_seen - the most that any run needed, as it is requested: seconds, bytes. */
double cli_batch_seen(const struct cli_request *request, bool memory);

/* cli_batch_beyond - the condition, in Python or Groovy, that a size is outside the range of an
 * expression; the caller frees it. cli_batch_unknown - the message for that case, with the open sizes as
 * {size_n}, ${size_n}. */
char *cli_batch_beyond(const struct cli_request *request, const struct ft_request_expression *expression,
		       bool python);
char *cli_batch_unknown(const struct cli_request *request, const struct ft_request_expression *expression,
			const char *what, bool python);

/* cli_batch_check - check that every --size-from names an open parameter, once. Returns CLI_DONE, or the
 * exit status after a complaint. */
int cli_batch_check(const struct cli_request *request);

/* cli_batch_size_from - the expression of --size-from for a parameter; NULL: none. */
const char *cli_batch_size_from(const struct cli_request *request, size_t param);

/* cli_batch_measured - the values of a parameter at which a run ended well. cli_batch_least - below which
 * an expression is not valid. */
void cli_batch_measured(const struct ft_runs *runs, size_t param, double *least, double *most);
double cli_batch_least(const struct cli_request *request, size_t param);

/* cli_batch_identifier - a name as an identifier; ends with free. */
char *cli_batch_identifier(const char *name);

/* cli_batch_language - an expression of ours in another language, parameter n as `size_n`; ends with free.
 * NULL after a complaint. */
char *cli_batch_language(const struct cli_request *request, const char *text, bool python);

/*
 * Requests for all rules of a workflow at once.
 */

/* cli_request_profile - read the runs of all rules, and write the files of a workflow system. overhead NaN: that of
 * the system. Returns the exit status. */
int cli_request_profile(const struct cli_workflow_profile *typed, double risk, double overhead,
			const struct ft_tell_bounds *bounds);

#endif
