/* SPDX-License-Identifier: GPL-3.0-or-later */
/* metrics.h - counters, as Prometheus reads them: a row each. */
#ifndef FT_MANAGER_METRICS_H
#define FT_MANAGER_METRICS_H

#include "base/text.h"

#include <stddef.h>

/* The last row of a list has no name. */
struct ft__metric {
	const char *name, *type, *about;
	size_t at; /* of a double, in a struct of whoever tells it */
};

/* ft__metrics_add - what such a struct says. */
void ft__metrics_add(const struct ft__metric *row, const void *numbers, struct ft_text *out);

#endif
