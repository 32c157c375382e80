/* SPDX-License-Identifier: GPL-3.0-or-later */
/* told.c - what happens to benchmarks, in a line for people. */
#include "manager/inside.h"

#include "foretime/units.h"

#include <math.h>

static void add_seconds(struct ft_text *out, const char *before, double seconds)
{
	char value[FT_UNIT_LENGTH];

	if (!isnan(seconds))
		ft_text_add(out, "%s%s", before, ft_value_format(seconds, "s", value));
}

void ft__told_event(const struct ft_told_event *event, struct ft_text *out)
{
	char share[FT_UNIT_LENGTH];

	ft_text_add(out, "%s%s%s", event->name ? event->name : "", event->name ? ": " : "", event->event);
	if (event->size && *event->size)
		ft_text_add(out, " %s", event->size);
	if (event->outcome)
		ft_text_add(out, ", %s", event->outcome);
	add_seconds(out, ", ", event->seconds);
	add_seconds(out, ", paused for ", event->frozen_s);
	if (!isnan(event->complete))
		ft_text_add(out, ", %s complete", ft_share_format(event->complete, share));
	if (event->why)
		ft_text_add(out, ": %s", event->why);
	if (event->remedy)
		ft_text_add(out, " (%s)", event->remedy);
	add_seconds(out, "; again in ", event->again_s);
}
