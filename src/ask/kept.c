/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kept.c - compares runs with the predictions from the runs before them. */
#include "ask/ask.h"
#include "base/alloc.h"
#include "foretime/ask.h"
#include "foretime/base.h"
#include "num/num.h"

#include <math.h>
#include <stdlib.h>

const char *ft_fate_text(enum ft_fate fate)
{
	static const char *const words[] = {
#define FATE_WORDS(name, words) words,
		FT_FATE_LIST(FATE_WORDS)
#undef FATE_WORDS
	};

	return (size_t)fate < sizeof words / sizeof *words ? words[fate] : "unknown";
}

void ft_kept_clear(struct ft_kept *kept)
{
	if (!kept)
		return;
	ft_free(kept->run);
	*kept = (struct ft_kept){0};
}

/* ---- runs in the order of time ------------------------------------------------------------------------ */

static int compare_starts(const void *a, const void *b)
{
	const struct ft_run *p = *(const struct ft_run *const *)a, *q = *(const struct ft_run *const *)b;

	if (p->started_ns != q->started_ns)
		return p->started_ns < q->started_ns ? -1 : 1;
	return (p > q) - (p < q);
}

/* Copies that own nothing, [runs->n]; ends with ft_free; NULL: no memory. */
static struct ft_run *in_time(const struct ft_runs *runs)
{
	const struct ft_run **order = ft_calloc(runs->n + 1, sizeof *order);
	struct ft_run *run = ft_calloc(runs->n + 1, sizeof *run);

	if (order && run) {
		for (size_t i = 0; i < runs->n; i++)
			order[i] = &runs->run[i];
		qsort(order, runs->n, sizeof *order, compare_starts);
		for (size_t i = 0; i < runs->n; i++)
			run[i] = *order[i];
	} else {
		ft_free(run);
		run = NULL;
	}
	ft_free(order);
	return run;
}

/* ---- predictions -------------------------------------------------------------------------------- */

static bool is_judged(const struct ft_run *run, const struct ft_resource *resource)
{
	return run->outcome == FT_DONE && !run->warmup && !isnan(ft_run_idle_value(run, resource));
}

/* The first of the newest `most` runs that are judged; *found: their number. */
static size_t first_of(const struct ft_run *run, size_t n, const struct ft_resource *resource, size_t most,
		       size_t *found)
{
	*found = 0;
	while (n && *found < most)
		*found += is_judged(&run[--n], resource);
	return n;
}

static enum ft_fate fate_of(const struct ft_kept_run *k)
{
	if (k->value > k->predicted.upper)
		return FT_FATE_MORE;
	return k->value < k->predicted.lower ? FT_FATE_LESS : FT_FATE_INSIDE;
}

/* past: an answerer with the runs before. A run without a prediction is not judged. */
static enum ft_status judge_promise(struct ft_answerer *past, const struct ft_run *run,
				    const struct ft_resource *resource, double confidence,
				    struct ft_kept_run *out, struct ft_err *err)
{
	*out = (struct ft_kept_run){.id = run->id,
				    .started_ns = run->started_ns,
				    .size = run->size,
				    .value = ft_run_idle_value(run, resource),
				    .fate = FT_FATE_UNTOLD};
	enum ft_status status = ft_ask_predict(past, resource, &run->size, confidence, &out->predicted, NULL);
	if (status == FT_ENOMEM)
		return ft_nomem(err);
	if (status || isnan(out->predicted.lower) || isnan(out->predicted.upper))
		out->predicted = (struct ft_prediction){0};
	else
		out->fate = fate_of(out);
	return FT_OK;
}

/* ---- coverage ---------------------------------------------------------------------------------------- */

/* Those of the runs [n] that are judged, of which there are `found` from the first on. */
static enum ft_status judge_each(struct ft_answerer *past, const struct ft_run *run, size_t first,
				 size_t found, const struct ft_resource *resource, size_t models,
				 struct ft_kept *out, struct ft_err *err)
{
	const size_t each = models && models < found ? (found + models - 1) / models : 1;
	enum ft_status status = FT_OK;

	for (size_t i = first; out->n < found && !status; i++) {
		if (!is_judged(&run[i], resource))
			continue;
		if (out->n % each == 0) {
			/* From now on it has the first n runs only. */
			ft__ask_forget(past);
			past->runs.n = past->n_runs = i;
			status = ft__ask_find_axes(past, err);
		}
		if (!status)
			status = judge_promise(past, &run[i], resource, out->confidence, &out->run[out->n++],
					       err);
	}
	return status;
}

static enum ft_status judge_all(struct ft_answerer *answerer, struct ft_run *run,
				const struct ft_resource *resource, const struct ft_kept_options *options,
				struct ft_kept *out, struct ft_err *err)
{
	/* It borrows all but its results: it has no store, so nothing is stored. */
	struct ft_answerer past = {.prior = answerer->prior,
				   .program = answerer->program,
				   .machine = answerer->machine,
				   .knowledge = answerer->knowledge,
				   .runs = {.run = run}};
	size_t found, first = first_of(run, answerer->runs.n, resource, options->most, &found);

	if (!found)
		return ft__ask_no_value(answerer, resource, err);
	out->run = ft_calloc(found, sizeof *out->run);
	if (!out->run)
		return ft_nomem(err);
	enum ft_status status = judge_each(&past, run, first, found, resource, options->models, out, err);
	ft__ask_forget(&past);
	return status;
}

enum ft_status ft_ask_kept(struct ft_answerer *answerer, const struct ft_resource *resource,
			   const struct ft_kept_options *options, struct ft_kept *out, struct ft_err *err)
{
	const double confidence = options->confidence;

	*out = (struct ft_kept){.confidence = confidence};
	if (!(confidence >= FT_CONFIDENCE_LEAST && confidence <= FT_CONFIDENCE_MOST))
		return ft_fail(err, FT_EINVAL, "a confidence of %g is not within %g and %g", confidence,
			       FT_CONFIDENCE_LEAST, FT_CONFIDENCE_MOST);
	if (!options->most || options->most > FT_KEPT_RUNS_MAX)
		return ft_fail(err, FT_EINVAL, "%zu runs cannot be judged: 1 .. %d", options->most,
			       FT_KEPT_RUNS_MAX);
	FT_TRY(ft__ask_read_whole(answerer, err));
	struct ft_run *run = in_time(&answerer->runs);
	enum ft_status status = run ? judge_all(answerer, run, resource, options, out, err) : ft_nomem(err);
	ft_free(run);
	if (status)
		ft_kept_clear(out);
	else {
		for (size_t i = 0; i < out->n; i++) {
			const enum ft_fate fate = out->run[i].fate;

			out->inside += fate == FT_FATE_INSIDE;
			out->less += fate == FT_FATE_LESS;
			out->more += fate == FT_FATE_MORE;
			out->untold += fate == FT_FATE_UNTOLD;
		}
		/* Wilson's score interval, at 95 %. */
		const double z = ft_normal_quantile(0.975), n = (double)(out->n - out->untold);
		const double p = (double)out->inside / n, scale = 1 + z * z / n;
		const double middle = (p + z * z / (2 * n)) / scale;
		const double half = z * sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / scale;

		out->share = p;
		out->least = n > 0 ? fmax(0, middle - half) : (double)NAN;
		out->most = n > 0 ? fmin(1, middle + half) : (double)NAN;
	}
	return status;
}
