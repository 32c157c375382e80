/* SPDX-License-Identifier: GPL-3.0-or-later */
/* curves.h - what is known of the parts of a trace, as one. */
#ifndef FT_TRACE_CURVES_H
#define FT_TRACE_CURVES_H

#include "foretime/trace.h"

/* ft__nodes_append - nodes behind those that there are; FT_ENOMEM: these stay. */
enum ft_status ft__nodes_append(struct ft_nodes *all, const struct ft_nodes *more, struct ft_err *err);

/* ft__error_join - of one part more; all but the root mean square. first: there was none yet. */
void ft__error_join(struct ft_pwl_error *all, const struct ft_pwl_error *one, bool first);

#endif
