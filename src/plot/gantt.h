/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gantt.h - who does what when, as a script and as characters; for the plot room only. */
#ifndef FT_PLOT_GANTT_H
#define FT_PLOT_GANTT_H

#include "plot/script.h"

void ft__gantt_script(struct ft_text *script, const char *title, const struct ft_gantt *gantt,
		      enum ft__picture picture, int width);
void ft__gantt_text(struct ft_text *text, const char *title, const struct ft_gantt *gantt, int width);

#endif
