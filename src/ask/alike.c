/* SPDX-License-Identifier: GPL-3.0-or-later */
/* alike.c - tasks put together that ask for nearly the same. */
#include "base/alloc.h"
#include "foretime/request.h"

#include <math.h>
#include <stdlib.h>

static int compare_needs(const void *a, const void *b)
{
	const struct ft_asking *p = a, *q = b;

	for (size_t k = 0; k < FT_ASKED; k++) { /* what is not known first */
		if (!isnan(p->asked[k]) != !isnan(q->asked[k]))
			return isnan(p->asked[k]) ? -1 : 1;
		if (p->asked[k] != q->asked[k] && !isnan(p->asked[k]))
			return (p->asked[k] > q->asked[k]) - (p->asked[k] < q->asked[k]);
	}
	return (p->at > q->at) - (p->at < q->at);
}

static int compare_groups(const void *a, const void *b)
{
	const struct ft_asking *p = a, *q = b;

	if (p->group != q->group)
		return (p->group > q->group) - (p->group < q->group);
	return (p->at > q->at) - (p->at < q->at);
}

static bool fits_in(const struct ft_asking_group *group, const struct ft_asking *task, double apart)
{
	for (size_t k = 0; k < FT_ASKED; k++) /* false of NaN */
		if (fmax(group->most[k], task->asked[k]) > apart * fmin(group->least[k], task->asked[k]))
			return false;
	return true;
}

static void put_into(struct ft_asking_group *group, const struct ft_asking *task)
{
	for (size_t k = 0; k < FT_ASKED; k++) {
		group->least[k] = fmin(group->least[k], task->asked[k]);
		group->most[k] = fmax(group->most[k], task->asked[k]);
	}
}

enum ft_status ft_askings_group(struct ft_asking *task, size_t n, double apart,
				struct ft_asking_group **group, size_t *n_groups, struct ft_err *err)
{
	size_t g;

	*n_groups = 0;
	*group = ft_calloc(n + 1, sizeof **group);
	if (!*group)
		return ft_nomem(err);
	qsort(task, n, sizeof *task, compare_needs);
	for (size_t i = 0; i < n; i++) {
		for (g = 0; g < *n_groups && !fits_in(&(*group)[g], &task[i], apart);)
			g++;
		if (g == *n_groups)
			(*group)[(*n_groups)++] = (struct ft_asking_group){{NAN, NAN, NAN}, {NAN, NAN, NAN}};
		task[i].group = g;
		put_into(&(*group)[g], &task[i]);
	}
	qsort(task, n, sizeof *task, compare_groups);
	return FT_OK;
}
