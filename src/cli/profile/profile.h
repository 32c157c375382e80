/* SPDX-License-Identifier: GPL-3.0-or-later */
/* profile.h - what the files of `foretime profile` share. */
#ifndef FT_CLI_PROFILE_PROFILE_H
#define FT_CLI_PROFILE_PROFILE_H

#include "cli/cli.h"
#include "foretime/measure.h"
#include "law/door.h"

enum { CLI_PROFILE_SIZES = 24 };

/* A size that was not profiled, and why. */
struct cli_profile_failure {
	double n;
	char *why;
};

struct cli_profile {
	/* as typed */
	const char *at, *store_path, *plot_path;
	double budget_s, confidence;
	size_t threads;
	bool inclusive, verbose, json, csv, save, dark;

	struct ft_program program; /* with all parameters */
	size_t varying;
	double size[CLI_PROFILE_SIZES]; /* [n_sizes] ascending, to be profiled */
	size_t n_sizes;

	/* what was found */
	struct ft_functions functions;
	struct cli_profile_failure failure[CLI_PROFILE_SIZES];
	size_t n_failures;
	double took_s;
	double least, most;       /* sizes that were profiled */
	double stripped, inlined; /* shares of the instructions at the largest size */
	char *stripped_object;    /* that with most of them; NULL: none is */
	bool forked, threaded;
	double asked; /* the size to predict */
};

/* cli_profile_report - the table; cli_profile_print_json, cli_profile_print_csv - all functions. */
void cli_profile_report(const struct cli_profile *p);
void cli_profile_print_json(const struct cli_profile *p);
void cli_profile_print_csv(const struct cli_profile *p);

/* cli_profile_draw - the shares over the sizes, upon each other. */
int cli_profile_draw(const struct cli_profile *p);

/* cli_profile_name - what a function is called in the table; ends with free. */
char *cli_profile_name(const struct ft_function *function);

/* cli_profile_shown - how many of the first functions the table has: those of 1 % or more, 20 at most; with -v
 * all with a prediction. */
size_t cli_profile_shown(const struct cli_profile *p);

#endif
