/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gauges.c - inside the helper: the table of gauges. */
#include "measure/gauge.h"

/* In the order in which they are armed, look and are read. */
const struct ft__gauge *const ft__gauges[] = {&ft__count_gauge, &ft__delay_gauge, &ft__tree_gauge,
					      &ft__io_gauge,    &ft__news_gauge,  NULL};
