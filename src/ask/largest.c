/* SPDX-License-Identifier: GPL-3.0-or-later */
/* largest.c - the inverse question: up to which size everything fits. Each limit is searched by itself; where
 * any is exceeded, the size does not fit. */
#include "ask/ask.h"
#include "ask/limit.h"
#include "base/alloc.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* Sizes so many times the largest measured one are not looked at. */
static const double reach = 1e6;

/* ---- what fits ---------------------------------------------------------------------------------------- */

static int compare_stretches(const void *a, const void *b)
{
	const struct ft__stretch *p = a, *q = b;

	return (p->from > q->from) - (p->from < q->from);
}

/* Join stretches that overlap or touch; returns how many are left. */
static size_t join(struct ft__stretch *s, size_t n)
{
	size_t i, kept = 0;

	if (n)
		qsort(s, n, sizeof *s, compare_stretches);
	for (i = 0; i < n; i++) {
		if (kept && s[i].from <= s[kept - 1].to + 1)
			s[kept - 1].to = fmax(s[kept - 1].to, s[i].to);
		else
			s[kept++] = s[i];
	}
	return kept;
}

/* From the stretches that do not fit to the answer. */
static void set_answer(const struct ft__question *q, struct ft__stretch *s, size_t n, struct ft_largest *out)
{
	double at = q->end;

	n = join(s, n);
	assert(s || !n);
	out->size = q->size;
	out->next = out->again = out->last = NAN;
	out->kind = !n ? FT_LARGEST_ANY : s[0].from > q->first ? FT_LARGEST_FOUND : FT_LARGEST_NONE;
	if (n) {
		bool found = out->kind == FT_LARGEST_FOUND;

		at = ft__size_at(&q->sizes, found ? s[0].from - 1 : q->first);
		out->next = ft__size_at(&q->sizes, found ? s[0].from : q->first);
		if (n > 1 || s[0].to < q->last) {
			out->again = ft__size_at(&q->sizes, s[0].to + 1);
			out->last =
				s[n - 1].to < q->last ? INFINITY : ft__size_at(&q->sizes, s[n - 1].from - 1);
		}
	}
	out->size.value[q->varying] = at;
	out->reach = ft__size_at(&q->sizes, q->last);
}

/* ---- the question ------------------------------------------------------------------------------------- */

static enum ft_status check(const struct ft_limit *limit, size_t n, double confidence, struct ft_err *err)
{
	size_t i;

	if (!(confidence >= 0.75 && confidence <= 0.9995)) {
		ft_fail(err, FT_EINVAL, "a one-sided confidence of %g is not within 0.75 and 0.9995",
			confidence);
		return ft_remedy(err,
				 "state the share of runs that shall stay within the limits, as in 90%%");
	}
	for (i = 0; i < n; i++)
		if (!(limit[i].most > 0 && isfinite(limit[i].most)))
			return ft_fail(err, FT_EINVAL, "a limit of %g on %s is not positive", limit[i].most,
				       limit[i].resource);
	return FT_OK;
}

/* Which sizes to look at: from the smallest admissible one that can be predicted. */
static void set_range(struct ft__question *q, double lowest)
{
	const struct ft_param *param = &q->program->param[q->varying];
	double first = 0;

	q->sizes = ft__sizes_of(param->least, param->stride > 0 ? param->stride : 1, param->most);
	if (param->least <= 0 && param->least < lowest) {
		first = ft__size_floor(&q->sizes, fmin(lowest, 0));
		first += lowest > 0 || ft__size_at(&q->sizes, first) < lowest;
	}
	q->first = fmax(first, 0);
	q->last = ft__size_floor(&q->sizes, fmax(param->most, q->end > 0 ? reach * q->end : q->end));
}

static enum ft_status get_models(struct ft_answerer *answerer, const struct ft_limit *limit, size_t n,
				 struct ft__question *q, const struct ft_model_record **record,
				 struct ft_err *err)
{
	double lowest = -INFINITY;
	size_t i;

	q->end = -INFINITY;
	for (i = 0; i < n; i++) {
		enum ft_status status =
			ft__ask_slice(answerer, limit[i].resource, &q->size, q->varying, &record[i], err);

		if (status)
			return status;
		lowest = fmax(lowest, record[i]->model.knot[0].x);
		q->end = fmax(q->end, record[i]->model.knot[record[i]->model.n - 1].x);
	}
	set_range(q, lowest);
	return FT_OK;
}

/* The limits at the size answered, and at the next one. */
static enum ft_status set_limits(struct ft__question *q, const struct ft_model_record *const *record,
				 struct ft_limit *limit, size_t n, struct ft_largest *out, struct ft_err *err)
{
	struct ft_prediction next;
	size_t i;

	for (i = 0; i < n; i++) {
		enum ft_status status;

		q->model = &record[i]->model;
		status = ft__question_predict(q, out->size.value[q->varying], &limit[i].at, err);
		if (status)
			return status;
		limit[i].binds = !isnan(out->next) && (ft__question_predict(q, out->next, &next, NULL) ||
						       next.upper > limit[i].most);
	}
	out->by_kill = out->next >= out->killed;
	return FT_OK;
}

/* Every limit's stretches in one array, and the sizes from the killed one on; heap. */
static enum ft_status search_all(struct ft__question *q, const struct ft_model_record *const *record,
				 struct ft_limit *limit, size_t n, double killed, struct ft__stretch **all,
				 size_t *n_all, struct ft_err *err)
{
	enum ft_status status = FT_OK;
	size_t i, capacity = 0;

	for (i = 0; i <= n && !status; i++) {
		struct ft__search search = {0};
		struct ft__stretch rest = {q->first, q->last};
		size_t j, count = 0;

		if (i < n) {
			q->model = &record[i]->model;
			q->most = limit[i].most;
			status = ft__question_search(q, &search, &limit[i], err);
			count = search.n;
		} else if (!isnan(killed)) {
			count = 1;
			rest.from = ft__size_floor(&q->sizes, killed);
			rest.from = fmax(q->first, rest.from + (ft__size_at(&q->sizes, rest.from) < killed));
		}
		for (j = 0; j < count && !status; j++) {
			struct ft__stretch *grown = ft_grow(*all, *n_all, &capacity, sizeof *grown);

			if (grown)
				*all = grown;
			else
				status = ft_nomem(err);
			if (grown)
				grown[(*n_all)++] = i < n ? search.stretch[j] : rest;
		}
		ft__search_clear(&search);
	}
	return status;
}

enum ft_status ft_ask_largest(struct ft_answerer *answerer, struct ft_limit *limit, size_t n,
			      const struct ft_size *fixed, double confidence, struct ft_largest *out,
			      struct ft_err *err)
{
	struct ft__question q = {
		.program = ft_ask_program(answerer), .size = *fixed, .confidence = 2 * confidence - 1};
	const struct ft_model_record **record = NULL;
	struct ft__stretch *all = NULL;
	struct ft_expr *work = NULL;
	enum ft_status status = check(limit, n, confidence, err);
	size_t n_all = 0, i;

	*out = (struct ft_largest){.next = NAN, .again = NAN, .last = NAN, .killed = NAN};
	for (i = 0; i < n; i++)
		limit[i].binds = limit[i].grows = false;
	if (status)
		return status;
	q.varying = ft_program_varying(q.program);
	record = ft_calloc(n, sizeof *record);
	if (!record)
		return ft_nomem(err);
	status = get_models(answerer, limit, n, &q, record, err);
	if (!status && q.program->work)
		status = ft_expr_new(&work, q.program->work, err);
	q.work = work;
	if (!status) {
		out->killed = ft_runs_killed(ft_ask_runs(answerer), q.varying, fixed);
		status = search_all(&q, record, limit, n, out->killed, &all, &n_all, err);
	}
	if (!status) {
		set_answer(&q, all, n_all, out);
		status = set_limits(&q, record, limit, n, out, err);
	}
	if (status)
		*out = (struct ft_largest){.next = NAN, .again = NAN, .last = NAN, .killed = NAN};
	ft_free(all);
	ft_free(record);
	ft_expr_free(work);
	return status;
}
