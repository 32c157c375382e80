/* SPDX-License-Identifier: GPL-3.0-or-later */
/* params.h - what files of this room share of parameters. */
#ifndef FT_FACTS_PARAMS_H
#define FT_FACTS_PARAMS_H

#include "foretime/facts.h"

/* ft__param_insert - add a value to the list of a parameter, once; its ends follow. False: no room. */
bool ft__param_insert(struct ft_param *param, double value);

#endif
