/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace.h - `foretime trace`: a trace, opened for its subcommands. */
#ifndef FT_CLI_TRACE_H
#define FT_CLI_TRACE_H

#include "cli/cli.h"
#include "cli/options.h"
#include "foretime/trace.h"
#include "trace/door.h"

/* The query and its data. Zero-initialise; ends with cli_trace_close. */
struct cli_trace {
	/* as typed */
	const char *path, *start, *ends, *gaps, *keep, *output, *at, *within, *store_path;
	struct ft_trace_format format;
	struct ft_field_texts smooth, models;
	size_t pieces, width;
	double error, lambda;
	bool json, csv, dark;
	char *const *word; /* behind the action */
	size_t words;
	/* as read */
	struct ft_trace trace;
	struct ft_curves curves;
};

/* the first half of it */
int cli_trace_curves(struct cli_trace *t);
/* Columns of one file, each as a trace of its own. Zero-initialise; ends with cli_columns_clear. */
struct cli_columns {
	struct cli_trace *one; /* [n] */
	size_t n;
	char *names; /* storage of their formats */
};

/* cli_columns_split - split --value A,B,...; none or one gives one. cli_columns_read - read them, and
 * report their gaps. */
int cli_columns_split(struct cli_columns *columns, const struct cli_trace *query);
int cli_columns_read(struct cli_columns *columns);

/* cli_columns_phases - makes their curves, with the same times, and cuts them together. Of one column: of one
 * part. out [n]; cleared on failure */
int cli_columns_phases(struct cli_columns *columns, struct ft_phases *out);
void cli_columns_clear(struct cli_columns *columns);

/* cli_trace_outside - complain of a time that lies in no part. */
int cli_trace_outside(const struct cli_trace *t, const char *word);

/* cli_trace_times - "t1,t2,...", of the trace. times: heap, [*n], ends with free, after a complaint too. */
int cli_trace_times(const struct cli_trace *t, const char *option, const char *list, double **times,
		    size_t *n);

/* cli_trace_interval - "t1:t2"; dates have colons of their own: the one that leaves two times. */
int cli_trace_interval(const struct cli_trace *t, const char *option, const char *text, double *a, double *b);

/* cli_trace_file_nodes - the nodes of a model: from what --json printed, or a CSV of times and values. Times
 * as the trace has them. Ends with ft_nodes_clear. */
int cli_trace_file_nodes(const struct cli_trace *t, const char *path, struct ft_nodes *nodes);

/* A model of the trace, part behind part. */
struct cli_model {
	struct ft_nodes nodes;
	size_t *first; /* [n_parts + 1] where each part's nodes begin */
	struct ft_pwl_error error;
};

/* Output of all actions: cli_trace_rows. Borrows. */
struct cli_answer_trace {
	const char *source;
	struct ft_trace trace;
	char origin[FT_TRACE_TIME_LENGTH]; /* "": none */
	double begin, end, step_s;
	bool steps;
	const char *gaps_as;
};
extern const struct ft_tell_record cli_trace_rows;
struct cli_answer_trace cli_trace_answer(const struct cli_trace *t);

/* A list of two numbers. */
struct cli_answer_pair {
	double at[2];
	size_t n; /* 2 */
};

/* Output of a model: cli_trace_model_rows. Ends with cli_trace_answer_clear. */
struct cli_answer_model {
	size_t pieces;
	struct cli_answer_pair *node, *gap;
	size_t n, n_gaps;
	struct ft_pwl_error error;
};
extern const struct ft_tell_record cli_trace_model_rows;
struct cli_answer_model cli_trace_answer_model(const struct cli_trace *t, const struct cli_model *model);
void cli_trace_answer_clear(struct cli_answer_model *answer);

/* cli_trace_headline - the file, its columns, its length, as text. */
void cli_trace_headline(const struct cli_trace *t, FILE *file);

/* cli_trace_print - a model as text or CSV: the errors, then the nodes. */
void cli_trace_print(const struct cli_trace *t, const struct cli_model *model, const char *what);
void cli_trace_print_csv(const struct cli_trace *t, const struct cli_model *model);

/* cli_trace_fitted - what `trace fit` finds, with the options as typed. */
int cli_trace_fitted(struct cli_trace *t, struct ft_pwl_fit *fit, struct cli_model *model);

/* The subcommands. Each returns the exit status. */
int cli_trace_fit(void *query);
int cli_trace_constrain(void *query);
int cli_trace_phases(void *query);
int cli_trace_grow(void *query);
int cli_trace_plot(void *query);

/* trace_open - read the trace, report its gaps, and make its curves. Returns CLI_DONE, or the exit status
 * after a complaint; so do all below. */
int cli_trace_open(struct cli_trace *t);

/* the second */
void cli_trace_close(struct cli_trace *t);

/* A time and a value, in lists of several answers. */
extern const struct ft_tell_record cli_trace_pair;

#endif
