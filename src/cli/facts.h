/* SPDX-License-Identifier: GPL-3.0-or-later */
/* facts.h - machines, sizes, ages and runs as commands show them. */
#ifndef FT_CLI_FACTS_H
#define FT_CLI_FACTS_H

#include "cli/output.h"
#include "foretime/store.h"
#include "foretime/units.h"
#include "tell/facts.h"

/* cli_machine_text - "box (AMD EPYC 7B13, 2 cores)"; ends with free. */
char *cli_machine_text(const struct ft_machine *machine);

/* cli_machine_named - one of which nothing is known but its name. Ends with ft_machine_clear. */
void cli_machine_named(const char *name, struct ft_machine *machine);

/* cli_machine_of_table - the machine on which a table's runs were made: what its notes say, this one when
 * `here`, else one called "elsewhere". Returns CLI_DONE or the exit status after a complaint. */
int cli_machine_of_table(const struct ft_csv *csv, bool here, struct ft_machine *machine);

/* cli_size_heads, cli_size_cells - a column for each parameter. */
void cli_size_heads(struct cli_table *table, const struct ft_program *program);
void cli_size_cells(struct cli_table *table, const struct ft_size *size);

/* cli_print_param - "parameter  n = 64 .. 3000, step 8", "... , factor 2", or the values of a list; steps:
 * also those of a range without one. */
void cli_print_param(const struct ft_param *param, bool steps, FILE *file);

/* cli_failure_text - "timed out", "failed with status 3"; ends with free. */
char *cli_failure_text(enum ft_outcome outcome, const struct ft_run *run, const char *detail);

#endif
