/* SPDX-License-Identifier: GPL-3.0-or-later */
/* by_size.c - runs of one size, together. */
#include "base/alloc.h"
#include "foretime/by_size.h"
#include "num/order.h"

#include <math.h>
#include <stdlib.h>

/* A run on its way into order: of very many the first value of the size is compared where it stands here, for
 * to look at runs all over the memory takes longer than all the rest. */
struct placed {
	double first;
	bool only; /* it is the whole size */
	const struct ft_run *run;
};

/* Runs of one size stay in the order in which they stand. */
static int compare_placed(const void *left, const void *right)
{
	const struct placed *a = left, *b = right;
	int by_size = a->only && b->only ? (a->first > b->first) - (a->first < b->first)
					 : ft_size_compare(&a->run->size, &b->run->size);

	return by_size ? by_size : (a->run > b->run) - (a->run < b->run);
}

void ft_by_size_clear(struct ft_by_size *by_size)
{
	ft_free(by_size->at);
	ft_free(by_size->run);
	*by_size = (struct ft_by_size){0};
}

/* So many runs, sorted. */
static void divide_runs(struct ft_by_size *by_size, size_t runs)
{
	for (size_t i = 0; i < runs; i++) {
		if (!i || !ft_size_equal(&by_size->run[i]->size, &by_size->run[i - 1]->size))
			by_size->at[by_size->n++] = (struct ft_size_runs){.run = by_size->run + i};
		by_size->at[by_size->n - 1].n++;
	}
}

enum ft_status ft_runs_by_size(const struct ft_runs *runs,
			       bool (*counts)(const struct ft_run *run, const void *context),
			       const void *context, struct ft_by_size *out, struct ft_err *err)
{
	struct placed *placed = ft_calloc(runs->n + 1, sizeof *placed);
	size_t n = 0;

	*out = (struct ft_by_size){.at = ft_calloc(runs->n + 1, sizeof *out->at),
				   .run = ft_calloc(runs->n + 1, sizeof *out->run)};
	if (!placed || !out->at || !out->run) {
		ft_free(placed);
		ft_by_size_clear(out);
		return ft_nomem(err);
	}
	for (size_t i = 0; i < runs->n; i++) {
		const struct ft_run *run = &runs->run[i];

		if (counts(run, context))
			placed[n++] = (struct placed){run->size.value[0], run->size.n == 1, run};
	}
	qsort(placed, n, sizeof *placed, compare_placed);
	for (size_t i = 0; i < n; i++)
		out->run[i] = placed[i].run;
	ft_free(placed);
	divide_runs(out, n);
	return FT_OK;
}

/* value: [runs->n] working space. */
static struct ft_size_values values_of(const struct ft_size_runs *runs, const struct ft_resource *resource,
				       double *value)
{
	struct ft_size_values v = {.size = runs->run[0]->size, .median = NAN, .least = NAN, .most = NAN};

	for (size_t i = 0; i < runs->n; i++) {
		const struct ft_run *run = runs->run[i];

		if (run->outcome != FT_DONE) {
			v.failed++;
			v.failure = run;
		} else if (!isnan(value[v.n] = ft_run_idle_value(run, resource))) {
			v.n++;
		}
	}
	if (v.n) {
		ft_sort(value, v.n);
		v.least = value[0];
		v.most = value[v.n - 1];
		v.median = (value[(v.n - 1) / 2] + value[v.n / 2]) / 2;
	}
	return v;
}

static bool is_no_warmup(const struct ft_run *run, const void *context)
{
	(void)context;
	return !run->warmup;
}

enum ft_status ft_runs_values(const struct ft_runs *runs, const struct ft_resource *resource,
			      struct ft_size_values **out, size_t *n, struct ft_err *err)
{
	double *value = ft_calloc(runs->n + 1, sizeof *value);
	struct ft_by_size by_size = {0};
	enum ft_status status = ft_runs_by_size(runs, is_no_warmup, NULL, &by_size, err);

	*n = 0;
	*out = ft_calloc(runs->n + 1, sizeof **out);
	if (!status && (!value || !*out))
		status = ft_nomem(err);
	for (; !status && *n < by_size.n; ++*n)
		(*out)[*n] = values_of(&by_size.at[*n], resource, value);
	ft_by_size_clear(&by_size);
	ft_free(value);
	if (status) {
		ft_free(*out);
		*out = NULL;
	}
	return status;
}

const struct ft_run *ft_runs_newest(const struct ft_runs *runs)
{
	const struct ft_run *newest = NULL;

	for (size_t i = 0; i < runs->n; i++)
		if (!newest || runs->run[i].started_ns >= newest->started_ns)
			newest = &runs->run[i];
	return newest;
}
