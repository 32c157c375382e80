/* SPDX-License-Identifier: GPL-3.0-or-later */
/* grow.h - how length and level of each phase of a program grow with the size of its run. */
#ifndef FORETIME_GROW_H
#define FORETIME_GROW_H

#include "foretime/law.h"
#include "foretime/trace.h"

FT_BEGIN_DECLS

enum { FT_PHASE_LAW_TEXT = 256, FT_GROW_SIZES = 3 /* at least, different */ };

/* The trace of a run; borrowed. */
struct ft_traced {
	double size;                    /* > 0 */
	const struct ft_phases *phases; /* [columns] cut at the same times, as ft_pwl_phases_together does */
};

/* By which law something grows. */
struct ft_phase_law {
	bool found;                    /* false: fewer than two sizes have it */
	double misfit;                 /* root mean square relative difference from the law */
	char law[FT_PHASE_LAW_TEXT];   /* ft_law_format */
	char words[FT_PHASE_LAW_TEXT]; /* ft_laws_words */
	struct ft_law_prediction said; /* of a run of the predicted size, with intervals of 0.9;
					  NaN: there is none, or no law */
};

/* One phase in all traces. */
struct ft_phase_growth {
	const struct ft_phase *like; /* of the trace that the others were aligned with; borrowed */
	size_t in;                   /* traces that have it */
	struct ft_phase_law length;
	struct ft_phase_law *level; /* [columns] */
};

/* Ends with ft_phases_growth_clear. */
struct ft_phases_growth {
	struct ft_phase_growth *phase; /* [n] */
	size_t n;
	double total_s, lower_s, upper_s; /* of all phases at that size; NaN: none requested, or one of
					     them has no law */
};

/* ft_phases_grow - laws of the phases that are the same in runs of several sizes (ft_phases_align).
 *
 * run        [n]
 * parameter  what the sizes are of, for the texts
 * `asked`      a size to predict; NaN: none
 *
 * Returns FT_OK; FT_ENOMODEL: fewer than FT_GROW_SIZES different sizes; FT_ENOMEM. Cost that of a fit of laws
 * for each phase and column, and one more.
 */
enum ft_status ft_phases_grow(struct ft_phases_growth *out, const struct ft_traced *run, size_t n,
			      size_t columns, const char *parameter, double asked, struct ft_err *err);
void ft_phases_growth_clear(struct ft_phases_growth *growth); /* accepts NULL, and twice */

FT_END_DECLS
#endif
