/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fit.h - what foretime fit reads, and what it says. */
#ifndef FT_CLI_FIT_H
#define FT_CLI_FIT_H

#include "cli/models.h"
#include "cli/options.h"
#include "foretime/law.h"
#include "foretime/model.h"

/* Samples of which one law is to be found. */
struct cli_fit_group {
	char *name; /* NULL: there is one group only */
	struct ft_law_place *sample;
	size_t n;
};

/* All samples, by group. Zero-initialise; ends with cli_fit_data_clear. */
struct cli_fit_data {
	char *source; /* the program's name, or the path */
	size_t params;
	char param[FT_LAW_PARAMS][FT_PARAM_LENGTH];
	const struct ft_resource *resource; /* of the table, of the runs, or: */
	struct ft_resource column;          /* a column that is none, by its name: plain numbers */
	bool any_sign;                      /* set before reading: values may be below 0 */
	struct cli_fit_group *group;
	size_t n;
	size_t met;                  /* a limit */
	struct ft_model_facts facts; /* limits.runs > 0: some runs of a program met a limit, and count as what
					is expected above it */
};

/* cli_fit_is_file - does a word name a table rather than a program? */
bool cli_fit_is_file(const char *word);

/* cli_fit_read_table - samples from a CSV table: as ft_runs_read takes it, or any table with a column of
 * sizes and a column of values.
 *
 * words     the first is the path; others without '=' name parameters
 * resource  the column of values; NULL: the first known resource, else the only column left
 * by        the column by which rows are grouped; NULL: all rows are one group
 *
 * Returns CLI_DONE, or the exit status after a complaint.
 */
int cli_fit_read_table(struct cli_fit_data *data, const struct cli_words *words, const char *resource,
		       const char *by);

/* cli_fit_read_program - samples of the runs of a program. */
int cli_fit_read_program(struct cli_fit_data *data, const struct cli_models *models, const char *typed);
void cli_fit_data_clear(struct cli_fit_data *data);

/* cli_fit_names - the parameters that laws are of: "n, m, p"; ends with free. */
char *cli_fit_names(const struct cli_fit_data *data);

/* Sizes that are asked about: every combination of the values of words "n=512", "n=64:512:64". */
struct cli_fit_sizes {
	double (*x)[FT_LAW_PARAMS]; /* [n] */
	size_t n;
};

/* cli_fit_sizes_find - words without '=' are passed over. answerer: of the program whose constraint they are
 * to meet; NULL: the samples come from a table. */
int cli_fit_sizes_find(struct cli_fit_sizes *sizes, const struct cli_fit_data *data,
		       const struct cli_words *words, const struct ft_answerer *answerer);

/* What was found for a group. */
struct cli_fit_result {
	struct ft_err err; /* err.status: why there is no law */
	struct ft_law_any of;
};

/* How it is to be said. */
struct cli_fit_style {
	double confidence;
	enum ft_law_of of;
	const struct cli_models *models; /* NULL: the samples come from a table */
};

/* cli_fit_text - a law in the names of the parameters. */
enum { CLI_FIT_TEXT = 1024 };
void cli_fit_text(const struct cli_fit_data *data, const struct ft_law *law, int digits,
		  char text[CLI_FIT_TEXT]);

/* What the law predicts at a size, and what foretime predict does from the same samples (NaN: it has no model
 * of them). cli_fit_predict_all - at all sizes, ends with free. */
struct cli_fit_prediction {
	struct ft_size size;
	struct ft_law_prediction said;
	struct ft_prediction model;
};
extern const struct ft_tell_record cli_fit_predictions;
struct cli_fit_prediction *cli_fit_predict_all(const struct cli_fit_data *data,
					       const struct cli_fit_group *group,
					       const struct cli_fit_result *fit,
					       const struct cli_fit_sizes *sizes,
					       const struct cli_fit_style *style);

/* cli_fit_program - a program of these parameters. */
struct ft_program cli_fit_program(const struct cli_fit_data *data);

/* cli_fit_print - the only group, for people. */
void cli_fit_print(const struct cli_fit_data *data, const struct cli_fit_result *fit,
		   const struct cli_fit_sizes *sizes, const struct cli_fit_style *style);

/* cli_fit_head, cli_fit_line - many groups, one a line. */
void cli_fit_head(struct cli_table *table, const struct cli_fit_data *data,
		  const struct cli_fit_sizes *sizes);
void cli_fit_line(struct cli_table *table, const struct cli_fit_data *data, const struct cli_fit_group *group,
		  const struct cli_fit_result *fit, const struct cli_fit_sizes *sizes,
		  const struct cli_fit_style *style);

/* cli_fit_json - one group as an object. */
extern const struct ft_tell_record cli_fit_group_told;
json_t *cli_fit_json(const struct cli_fit_data *data, const struct cli_fit_group *group,
		     const struct cli_fit_result *fit, const struct cli_fit_sizes *sizes,
		     const struct cli_fit_style *style);

#endif
