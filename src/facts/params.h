/* SPDX-License-Identifier: GPL-3.0-or-later */
/* params.h - what rooms share of parameters, and of names of programs. */
#ifndef FT_FACTS_PARAMS_H
#define FT_FACTS_PARAMS_H

#include "foretime/facts.h"

/* ft__param_insert - add a value to the list of a parameter, once; its ends follow. False: no room. */
bool ft__param_insert(struct ft_param *param, double value);

/* ft__name_kept_fault - as ft_program_name_fault, of a name that a store may hold already: older ones took
 * blanks, quotes, '\\', '$' and '=', and such programs can still be read and removed. */
const char *ft__name_kept_fault(const char *name);

/* ft__name_unmark - '_' in place of each byte of ASCII that names of new programs have not: what a shell
 * takes apart or replaces, for names stand in commands that people copy; and '=', which is of sizes. */
void ft__name_unmark(char *name);

#endif
