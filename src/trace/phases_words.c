/* SPDX-License-Identifier: GPL-3.0-or-later */
/* phases_words.c - the names of phases, and what each does, in words. */
#include "base/arena.h"
#include "trace/phases.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double ALIKE = 0.1, /* levels that differ by less than this share of their range have one name */
	TREND = 0.1,             /* a rise or fall of less than this share of the range is none */
	UNSTEADY = 0.1,          /* a root mean square about the line above this share of the range is told */
	IDLE = 0.02;

/* "A" .. "Z", "AA" ... */
static void letter(size_t i, char name[FT_PHASE_NAME])
{
	if (i < 26)
		(void)snprintf(name, FT_PHASE_NAME, "%c", (char)('A' + i));
	else
		(void)snprintf(name, FT_PHASE_NAME, "%c%c", (char)('A' + (i / 26 - 1) % 26),
			       (char)('A' + i % 26));
}

struct height {
	double level; /* above the least, as a share of the range, summed over curves */
	size_t phase;
};

static int by_height(const void *a, const void *b)
{
	const struct height *x = a, *y = b;

	if (x->level != y->level)
		return x->level < y->level ? 1 : -1;
	return (x->phase > y->phase) - (x->phase < y->phase);
}

/* At about the same level of every curve. */
static bool are_alike(const struct ft_phases *all, const double (*range)[2], size_t m, size_t a, size_t b)
{
	for (size_t k = 0; k < m; k++)
		if (fabs(all[k].phase[a].level - all[k].phase[b].level) > ALIKE * (range[k][1] - range[k][0]))
			return false;
	return true;
}

/* Phases at about one level have one name; A is the highest. first [n]: of each name, those so far. */
static void name(struct ft_phases *all, const double (*range)[2], size_t m, const struct height *height,
		 size_t *first)
{
	size_t group, groups = 0;

	for (size_t i = 0; i < all->n; i++) {
		size_t at = height[i].phase;

		for (group = 0; group < groups && !are_alike(all, range, m, first[group], at); group++)
			;
		if (group == groups)
			first[groups++] = at;
		for (size_t k = 0; k < m; k++)
			letter(group, all[k].phase[at].name);
	}
}

static void weigh_levels(const struct ft_phases *all, const double (*range)[2], size_t m,
			 struct height *height)
{
	for (size_t i = 0; i < all->n; i++) {
		height[i] = (struct height){0, i};
		for (size_t k = 0; k < m; k++)
			if (range[k][1] > range[k][0])
				height[i].level +=
					(all[k].phase[i].level - range[k][0]) / (range[k][1] - range[k][0]);
	}
	qsort(height, all->n, sizeof *height, by_height);
}

/* A value as a share of the peak, where the values are amounts; else beside their range. */
static double percent(double value, const double range[2])
{
	double base = range[0] >= 0 ? 0 : range[0];

	if (!(range[1] > base))
		return 0;
	return 100 * fmin(fmax((value - base) / (range[1] - base), 0), 1); /* a line may leave the range */
}

static void describe(struct ft_phase *phase, const struct ft_phase *before, const double range[2])
{
	const char *of = range[0] >= 0 ? "of the peak" : "of the range";
	double width = range[1] - range[0], rise = phase->to - phase->from;
	size_t n;

	if (!(width > 0))
		n = (size_t)snprintf(phase->text, sizeof phase->text, "constant");
	else if (range[0] >= 0 && phase->level <= IDLE * range[1])
		n = (size_t)snprintf(phase->text, sizeof phase->text, "idle");
	else if (fabs(rise) > TREND * width && fabs(rise) > 2 * phase->rms)
		n = (size_t)snprintf(phase->text, sizeof phase->text, "%s from %.0f to %.0f %% %s",
				     rise > 0 ? "rises" : "falls", percent(phase->from, range),
				     percent(phase->to, range), of);
	else
		n = (size_t)snprintf(phase->text, sizeof phase->text, "%s at %.0f %% %s",
				     phase->rms > UNSTEADY * width ? "unsteady" : "steady",
				     percent(phase->level, range), of);
	if (before && fabs(phase->from - before->to) > FT__ABRUPT * width)
		(void)snprintf(phase->text + n, sizeof phase->text - n, ", after an abrupt %s",
			       phase->from > before->to ? "rise" : "fall");
}

enum ft_status ft__phases_name(struct ft_phases *all, const struct ft_pwl *const *f, size_t m,
			       struct ft_err *err)
{
	FT_ARENA(work);
	struct height *height = ft_arena_take(&work, all->n, sizeof *height);
	size_t *first = ft_arena_take(&work, all->n, sizeof *first);
	double(*range)[2] = ft_arena_take(&work, m, sizeof *range);

	FT_TRY(ft_arena_check(&work, err));
	for (size_t k = 0; k < m; k++) {
		ft_pwl_range(f[k], range[k], NULL);
		for (size_t i = 0; i < all->n; i++)
			describe(&all[k].phase[i], i ? &all[k].phase[i - 1] : NULL, range[k]);
	}
	weigh_levels(all, (const double(*)[2])range, m, height);
	name(all, (const double(*)[2])range, m, height, first);
	return FT_OK;
}
