/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fresh.c - which runs of an import are stored already. */
#include "base/alloc.h"
#include "foretime/adapt.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A number in a total order: NaN last, equal to itself. */
static int compare_numbers(double a, double b)
{
	if (isnan(a) || isnan(b))
		return isnan(a) - isnan(b);
	return a < b ? -1 : a > b;
}

static int compare_values(const struct ft_run *a, const struct ft_run *b)
{
	const struct ft_resource *resource;
	int order = 0;

	for (size_t i = 0; !order && (resource = ft_resource_get(i)); i++)
		order = compare_numbers(ft_run_value(a, resource), ft_run_value(b, resource));
	return order;
}

static int compare_runs(const struct ft_run *a, const struct ft_run *b)
{
	int by_size = ft_size_compare(&a->size, &b->size);

	if (by_size)
		return by_size;
	if (a->started_ns != b->started_ns)
		return a->started_ns < b->started_ns ? -1 : 1;
	if (a->outcome != b->outcome)
		return a->outcome < b->outcome ? -1 : 1;
	return compare_values(a, b);
}

/* Equal runs in the order in which they stand: the first ones go. */
static int compare_places(const void *left, const void *right)
{
	const struct ft_run *a = *(const struct ft_run *const *)left,
			    *b = *(const struct ft_run *const *)right;
	int order = compare_runs(a, b);

	return order ? order : a < b ? -1 : a > b;
}

static const struct ft_run **sorted_runs(const struct ft_runs *runs)
{
	const struct ft_run **list = ft_calloc(runs->n + 1, sizeof *list);

	if (!list)
		return NULL;
	for (size_t i = 0; i < runs->n; i++)
		list[i] = &runs->run[i];
	qsort(list, runs->n, sizeof *list, compare_places);
	return list;
}

/* Take the marked runs out. */
static void take_out(struct ft_runs *runs, const bool *known)
{
	size_t kept = 0;

	for (size_t i = 0; i < runs->n; i++) {
		if (known[i])
			ft_run_clear(&runs->run[i]);
		else
			runs->run[kept++] = runs->run[i];
	}
	runs->n = kept;
}

enum ft_status ft_import_fresh(struct ft_runs *runs, const struct ft_runs *stored, size_t *dropped,
			       struct ft_err *err)
{
	const struct ft_run **mine, **theirs;
	enum ft_status status = FT_OK;
	size_t i = 0, j = 0;
	bool *known;

	*dropped = 0;
	if (!stored->n)
		return FT_OK;
	mine = sorted_runs(runs);
	theirs = sorted_runs(stored);
	known = ft_calloc(runs->n + 1, sizeof *known);
	if (!mine || !theirs || !known) {
		status = ft_nomem(err);
		goto out;
	}
	while (i < runs->n && j < stored->n) {
		int order = compare_runs(mine[i], theirs[j]);

		if (!order) {
			known[mine[i] - runs->run] = true;
			++*dropped;
			j++;
		}
		i += order <= 0;
		j += order > 0;
	}
	take_out(runs, known);
out:
	ft_free(mine);
	ft_free(theirs);
	ft_free(known);
	return status;
}
