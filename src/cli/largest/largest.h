/* SPDX-License-Identifier: GPL-3.0-or-later */
/* largest.h - what `foretime largest` is asked, and the answers, shared by the command and what it prints. */
#ifndef FT_CLI_LARGEST_H
#define FT_CLI_LARGEST_H

#include "cli/models.h"
#include "cli/sizes.h"

enum { CLI_LIMITS_MOST = 16 };

/* The largest value for one combination of the others. */
struct cli_largest_answer {
	struct ft_largest found;
	struct ft_limit limit[CLI_LIMITS_MOST];
};

struct cli_largest {
	const char *store_path, *device, *machine;
	double confidence;
	struct cli_beside beside;
	struct ft_ask_load load;
	bool json;
	struct cli_models models;
	struct ft_limit limit[CLI_LIMITS_MOST];
	const char *typed[CLI_LIMITS_MOST]; /* each limit's value, as it was typed */
	size_t n;                           /* limits */
	struct cli_values values;           /* values of the parameters that have one */
	size_t open[FT_PARAMS_MAX], n_open; /* the parameters that are asked for: several for the frontier */
	size_t left[FT_PARAMS_MAX], n_left; /* those that change nothing, and have no value either */
	bool several; /* combinations are answered, one a row; else answer[0] is the only one */
	struct cli_largest_answer *answer; /* [n_answers] */
	size_t n_answers;
};

/* cli_largest_name - of the i-th parameter that is asked for. */
const char *cli_largest_name(const struct cli_largest *q, size_t i);

/* cli_largest_names - of all that are asked for: "n, m and p"; ends with free. */
char *cli_largest_names(const struct cli_largest *q);

/* cli_largest_resources - those that are limited. Returns how many. */
size_t cli_largest_resources(const struct cli_largest *q,
			     const struct ft_resource *resource[CLI_LIMITS_MOST]);

/* cli_largest_json - the object of --json. */
void cli_largest_json(const struct cli_largest *q);

/* cli_largest_say - the answer as text; where the only one is no, the complaint on standard error. Returns
 * the exit status. */
int cli_largest_say(const struct cli_largest *q);

#endif
