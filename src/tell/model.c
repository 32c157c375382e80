/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model.c - what several answers tell of models. */
#include "tell/model.h"
#include "base/text.h"
#include "foretime/units.h"

#include <math.h>

const char *ft_tell_basis(const void *at)
{
	return ft_basis_text(*(const enum ft_basis *)at);
}

const char *ft_tell_view(const void *at)
{
	return ft_load_view_text(*(const enum ft_load_view *)at);
}

char *ft_tell_interval(const struct ft_prediction *said, const char *unit)
{
	char lower[FT_UNIT_LENGTH], upper[FT_UNIT_LENGTH];
	struct ft_text text = {0};

	if (isnan(said->lower))
		ft_text_add(&text, "-");
	else
		ft_text_add(&text, "%s .. %s", ft_value_format(said->lower, unit, lower),
			    ft_value_format(said->upper, unit, upper));
	return ft_text_take(&text);
}

static double exponential(const void *at)
{
	return exp(*(const double *)at);
}

static bool has_changed(const void *told)
{
	return ((const struct ft_change *)told)->runs > 0;
}

static const struct ft_tell_row change_rows[] = {
	{FT_TELL_BY(GOT, "ratio", struct ft_change, shift), .get = exponential,
	 .about = "newer by older values"},
	{FT_TELL(struct ft_change, error), .about = "standard error of its logarithm"},
	{FT_TELL(struct ft_change, runs), .about = "how many are newer"},
	{FT_TELL_BY(TIME, "since", struct ft_change, since_ns), .about = "when the first of them was made",
	 .null = ""},
	{0},
};
const struct ft_tell_record ft_tell_change = {
	.name = "change",
	.about = "newer runs lie systematically off what older ones said, which count for less",
	.row = change_rows,
	.there = has_changed,
};

static const struct ft_tell_row together_rows[] = {
	{FT_TELL_MANY(ARRAY, "", struct ft_told_together, name, n, &ft_tell_texts)},
	{0},
};
static const struct ft_tell_record together = {.bytes = sizeof(struct ft_told_together),
					       .row = together_rows};

static const struct ft_tell_row axes_rows[] = {
	{FT_TELL_MANY(ARRAY, "flat", struct ft_told_axes, flat, n_flat, &ft_tell_texts),
	 .about = "parameters that change nothing of what is told"},
	{FT_TELL_MANY(ARRAY, "together", struct ft_told_axes, together, n_together, &together),
	 .about = "pairs of parameters that rise or fall together in all runs: what each of them does cannot "
		  "be "
		  "told apart"},
	{0},
};
const struct ft_tell_record ft_tell_axes = {.row = axes_rows};

static const struct ft_tell_row pass_rows[] = {
	{FT_TELL(struct ft_pass, level), .words = "L2 cache|L3 cache|memory"},
	{FT_TELL(struct ft_pass, bytes), .about = "of a cache that of one instance"},
	{FT_TELL(struct ft_pass, held), .about = "by the largest run that ended well"},
	{FT_TELL(struct ft_pass, needed), .about = "as expected at the size"},
	{0},
};
const struct ft_tell_record ft_tell_pass = {.bytes = sizeof(struct ft_pass), .row = pass_rows};
