/* SPDX-License-Identifier: GPL-3.0-or-later */
/* adaptive_end.c - whether the largest size, which costs as much as all others together, needs to be run.
 *
 * Nothing that is measured tells of a cliff beyond the last size run. So it is left out only where memory,
 * the usual cause of one, is known to be plenty, and where the law that
 * holds up to the last size run reaches it. */
#include "build/adaptive.h"

#include <math.h>

/* The last size run instead lies this far below the largest. */
static const double reach = 1.18;

/* From this share of the memory limit on, the largest size is run. */
static const double near_limit = 0.7;

/* Not worth it: the two are as near as this in ln, or the largest costs no more of what was spent. */
static const double worth_reach = 0.05, worth_share = 0.25;

/* How far the law may be off at the largest size, in ln. */
static const double law_error = 0.1;

/* Is memory no reason for a cliff up to a size? */
static bool memory_is_plenty(const struct ft__adaptive *a, double x)
{
	const struct ft_build_options *o = &a->options;

	return o->memory && o->memory_limit_bytes > 0 &&
	       o->memory(o->memory_ctx, x) < near_limit * o->memory_limit_bytes;
}

static bool may_leave_out(const struct ft__adaptive *a, size_t before)
{
	double largest = a->grid.space.most, x = ft__grid_value(&a->grid, before);

	if (a->n_failed || a->live.n < 3 || a->n_rungs < FT__RUNGS || before <= a->rung[a->n_rungs - 2])
		return false;
	if (ft__adaptive_at(a, largest) - ft__adaptive_at(a, x) < worth_reach)
		return false;
	if (exp(ft__adaptive_beyond(a, largest)) <= worth_share * a->spent)
		return false;
	return memory_is_plenty(a, largest);
}

size_t ft__adaptive_end_rung(struct ft__adaptive *a)
{
	size_t last = a->grid.count - 1, before;

	if (a->end != FT__END_OPEN || !a->live.n || a->index[a->live.n - 1] == last)
		return a->rung[a->n_rungs - 1];
	before = ft__grid_snap(&a->grid, a->grid.space.most / reach);
	a->end = may_leave_out(a, before) ? FT__END_LEFT_OUT : FT__END_RUN;
	return a->end == FT__END_LEFT_OUT ? before : last;
}

/* The last node before j that lies at least so far (in ln size) below `from`; the first one if none does. */
static size_t node_below(const struct ft__live *live, size_t j, double from, double far)
{
	while (j > 1 && live->node[j - 1].at > from - far)
		j--;
	return j - 1;
}

bool ft__adaptive_end_holds(struct ft__adaptive *a)
{
	const struct ft__node *f = &a->live.node[a->live.n - 1], *p, *q;
	double d = ft__adaptive_at(a, a->grid.space.most) - ft__adaptive_at(a, f->x), h, said, off;
	size_t near;

	if (a->live.n < 3)
		return false;
	near = node_below(&a->live, a->live.n - 1, f->at, d);
	if (!near)
		return false;
	p = &a->live.node[near];
	q = &a->live.node[node_below(&a->live, near, p->at, d)];
	h = f->at - p->at;
	said = p->level + (p->level - q->level) / (p->at - q->at) * h;
	off = fabs(f->level - said) * d / fmax(h, d);
	return off <= fmax(law_error, 1.5 * ft__live_noise(&a->live, a->live.n - 1));
}
