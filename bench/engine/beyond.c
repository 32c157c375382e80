/* SPDX-License-Identifier: GPL-3.0-or-later */
/* beyond.c - recorded curves continued: known up to a quarter and an eighth of the largest size, asked for
 * that. */
#include "../curve.h"
#include "base/alloc.h"
#include "part.h"
#include "replay.h"

#include <math.h>
#include <string.h>

enum { ORDERS = 3, SIZES_LEAST = 4, SIZES_MOST = 120, RUNS_MOST = 3 };

/* In random order, a size after the other. Returns how many runs; 0: too few sizes. */
static size_t take(const struct curve *curve, double most, bool with_work, uint64_t seed,
		   struct subject_run *run)
{
	struct ft_random random = {seed};
	size_t order[4096], n = 0, i, k, runs = 0;

	while (n < curve->n && n < 4096 && curve->size[n].n <= most) {
		order[n] = n;
		n++;
	}
	for (i = n; i > 1; i--) {
		size_t other = ft_random_below(&random, i), swapped = order[i - 1];

		order[i - 1] = order[other];
		order[other] = swapped;
	}
	for (i = 0; i < n && i < SIZES_MOST; i++) {
		const struct curve_size *size = &curve->size[order[i]];

		for (k = 0; k < size->samples && k < RUNS_MOST; k++)
			run[runs++] =
				(struct subject_run){size->n, with_work ? size->work : 1, size->sample[k]};
	}
	return n < SIZES_LEAST ? 0 : runs;
}

static void mark(const struct curve_size *size, const struct subject_answer *a, struct record *record)
{
	double *v = record->value;
	struct range range = range_of(a);

	v[FIELD_mean] = fabs(a->value / size->median - 1);
	v[FIELD_half] = (range.upper - range.lower) / 2;
	v[FIELD_known] = a->known;
	v[FIELD_asked] = (double)size->samples;
	v[FIELD_held] = v[FIELD_score] = 0;
	for (size_t k = 0; k < size->samples; k++) {
		double ln = log(size->sample[k]);
		v[FIELD_held] += range.lower <= ln && ln <= range.upper;
		v[FIELD_score] += range_score(range, ln) / (double)size->samples;
	}
}

static void run_one(const struct curve *curve, double times, bool with_work, unsigned seed,
		    struct records *out)
{
	const struct curve_size *last = &curve->size[curve->n - 1];
	struct subject_run run[SIZES_MOST * RUNS_MOST];
	size_t n = take(curve, last->n / times, with_work, seed, run);
	struct subject *subject;
	struct subject_answer answer;
	struct ft_err err;

	if (!n)
		return;
	struct record record = record_new("beyond", times > 4 ? "x8" : "x4", curve->group,
					  with_work ? "work given" : "no work", curve->name, seed);
	enum ft_status status = subject_fit(&subject, run, n, NULL, &err);
	if (!status)
		status = subject_predict(subject, last->n, with_work ? last->work : 1, &answer, &err);
	if (status) {
		(void)fprintf(stderr, "engine: beyond: %s: %s\n", curve->name, err.text);
	} else {
		mark(last, &answer, &record);
		(void)records_add(out, &record);
	}
	subject_free(subject);
}

static void run(const struct settings *settings, size_t job, struct records *out)
{
	struct curve curve;
	struct ft_err err;

	if (curve_read(&curve, settings->path[job], &err)) {
		(void)fprintf(stderr, "engine: %s\n", err.text);
		return;
	}
	for (unsigned seed = 1; seed <= ORDERS && seed <= settings->seeds; seed++) {
		curve_shuffle(&curve, seed);
		for (int i = 0; i < 4; i++)
			run_one(&curve, i & 1 ? 8 : 4, i & 2, seed, out);
	}
	curve_clear(&curve);
}

static size_t jobs(const struct settings *settings)
{
	return settings->paths;
}

static void name_of(const struct settings *settings, size_t job, char *out, size_t size)
{
	(void)snprintf(out, size, "beyond/%s", strrchr(settings->path[job], '/') + 1);
}

const struct part part_beyond = {"beyond", false, jobs, name_of, run};
