/* SPDX-License-Identifier: GPL-3.0-or-later */
/* left_out.c - errors of rows foretold without their kin, and the interval that they make. */
#include "surrogate/solver.h"
#include "num/stats.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

struct vote {
	double error;
	size_t group;
	double weight;
};

static int by_group(const void *a, const void *b)
{
	const struct vote *p = a, *q = b;

	return (p->group > q->group) - (p->group < q->group);
}

static int by_error(const void *a, const void *b)
{
	const struct vote *p = a, *q = b;

	return (p->error > q->error) - (p->error < q->error);
}

enum ft_status ft__left_out_init(struct ft__left_out *out, struct ft_arena *arena, const double *error,
				 const size_t *group, size_t m, struct ft_err *err)
{
	FT_OWN struct vote *vote = ft_calloc(m, sizeof *vote);
	size_t j, n = 0;

	*out = (struct ft__left_out){.error = ft_arena_take(arena, m, sizeof(double)),
				     .weight = ft_arena_take(arena, m, sizeof(double))};
	if (!vote)
		return ft_nomem(err);
	FT_TRY(ft_arena_check(arena, err));
	for (size_t i = 0; i < m; i++)
		if (isfinite(error[i]))
			vote[n++] = (struct vote){fabs(error[i]), group ? group[i] : i, 0};
	qsort(vote, n, sizeof *vote, by_group);
	for (size_t i = 0; i < n; i = j) {
		for (j = i + 1; j < n && vote[j].group == vote[i].group;)
			j++;
		out->groups++;
		for (size_t k = i; k < j; k++)
			vote[k].weight = 1 / (double)(j - i);
	}
	qsort(vote, n, sizeof *vote, by_error);
	for (size_t i = 0; i < n; i++) {
		out->error[i] = vote[i].error;
		out->weight[i] = vote[i].weight;
	}
	out->n = n;
	return FT_OK;
}

/* The error that a share `confidence` of new groups does not exceed; each group has
 * one vote, and the level is raised to confidence (G + 1) / G. Source: Vovk et
 * al., Algorithmic learning in a random world, 2005, section 2.2. NaN: no errors. */
static double left_out_quantile(const struct ft__left_out *left_out, double confidence)
{
	double groups = (double)left_out->groups, sum = 0;

	assert(confidence > 0 && confidence < 1);
	for (size_t i = 0; i < left_out->n; i++) {
		sum += left_out->weight[i];
		if (sum >= confidence * (groups + 1) * (1 - 1e-12))
			return left_out->error[i];
	}
	return left_out->n ? left_out->error[left_out->n - 1] : NAN;
}

double ft__reach(const struct ft__left_out *left_out, double s, double dof, double confidence)
{
	if ((double)left_out->groups * (1 - confidence) >= 2 - 1e-9)
		return left_out_quantile(left_out, confidence);
	return dof >= 1 && isfinite(s) ? s * ft_student_t(confidence, dof) : INFINITY;
}

double ft__left_out_reach(const struct ft__left_out *left_out, double confidence)
{
	double groups = (double)left_out->groups, square = 0, quantile;

	if (left_out->groups < 2)
		return NAN;
	quantile = left_out_quantile(left_out, confidence);
	if (confidence * (groups + 1) <= groups * (1 + 1e-12))
		return quantile;
	for (size_t i = 0; i < left_out->n; i++)
		square += left_out->weight[i] * left_out->error[i] * left_out->error[i] / groups;
	return fmax(quantile, sqrt(square) * ft_student_t(confidence, groups));
}
