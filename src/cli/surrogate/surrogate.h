/* SPDX-License-Identifier: GPL-3.0-or-later */
/* surrogate.h - the matrix of measurements, opened for the subcommands of `foretime surrogate`. */
#ifndef FT_CLI_SURROGATE_H
#define FT_CLI_SURROGATE_H

#include "cli/options.h"
#include "cli/output.h"
#include "foretime/surrogate.h"

/* What is asked, and what there is. Zero-initialise; ends with cli_surrogate_close. */
struct cli_surrogate {
	const struct cli_words *words; /* the first is the action */
	/* as typed; 0: the default */
	const char *store_path, *file, *output;
	const char *alike;                   /* evaluate: columns */
	const char *rows, *programs, *group; /* of a table: struct ft_matrix_options; group: evaluate's by */
	struct ft_field_texts resource;      /* of the store */
	bool admit, turned, json;
	const char *target, *target_resource, *solver, *by, *missing, *calibration;
	struct ft_field_texts basis, over, prior;
	const char *first, *second, *phi; /* compose */
	const char *chain;                /* couple */
	bool loop;
	double confidence, tolerance;
	struct ft_surrogate_options options;
	size_t k;                    /* basis */
	size_t train, test, repeats; /* evaluate */
	size_t seed;
	/* as found */
	struct ft_matrix matrix; /* rows are resources */
};

/* cli_surrogate_open - read the matrix from the file, or from the store (words: NAME and sizes). Returns
 * CLI_DONE, or the exit status after a complaint. */
int cli_surrogate_open(struct cli_surrogate *surrogate);
/* cli_surrogate_read - the same, whatever words stand behind the action. */
int cli_surrogate_read(struct cli_surrogate *surrogate);
void cli_surrogate_close(struct cli_surrogate *surrogate);

/* cli_surrogate_source - the file, or the store's path as it was given; borrowed. */
const char *cli_surrogate_source(const struct cli_surrogate *surrogate);

/* The subcommands. Each returns the exit status. */
int cli_surrogate_matrix(void *asked);
int cli_surrogate_diagnose(void *asked);
int cli_surrogate_plot(void *asked);
int cli_surrogate_describe(void *asked);
int cli_surrogate_predict(void *asked);
int cli_surrogate_complexity(void *asked);
int cli_surrogate_compose(void *asked);
int cli_surrogate_couple(void *asked);
int cli_surrogate_basis(void *asked);
int cli_surrogate_evaluate(void *asked);

/* cli_surrogate_positive - CLI_DONE, or CLI_WRONG after a complaint of the first value that is not above 0.
 */
int cli_surrogate_positive(const struct cli_surrogate *surrogate);

#endif
