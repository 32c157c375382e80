/* SPDX-License-Identifier: GPL-3.0-or-later */
/* given.c - recorded curves: built from runs that are handed out, judged by all others. */
#include "../curve.h"
#include "base/alloc.h"
#include "part.h"
#include "replay.h"

#include <math.h>
#include <string.h>

enum { ORDERS = 3 };
static const double within = 0.1, thin = 1 / 3.0;

static double work_at(void *ctx, double x)
{
	const struct curve *curve = ctx;
	size_t low = 0, high = curve->n;

	while (high - low > 1) {
		size_t middle = (low + high) / 2;

		if (curve->size[middle].n <= x)
			low = middle;
		else
			high = middle;
	}
	return curve->size[low].work;
}

static double seconds_at(const void *ctx, size_t i, size_t k, size_t turn)
{
	const struct curve_size *size = &((const struct curve *)ctx)->size[i];

	(void)turn; /* they were made before */
	return k < size->samples ? size->sample[k] : (double)NAN;
}

/* Each size weighs alike: the runs that were not handed out, or the median where all were. */
static void mark_runs(struct marks *m, const struct curve_size *size, size_t used, struct range range)
{
	double weight = 1 / (double)(size->samples - used), ln;

	for (size_t k = used; k < size->samples; k++) {
		ln = log(size->sample[k]);
		bool held = range.lower <= ln && ln <= range.upper;
		m->score += weight * range_score(range, ln);
		m->asked++;
		m->held += held;
		m->asked_new += !used;
		m->held_new += held && !used;
	}
	if (used == size->samples)
		m->score += range_score(range, log(size->median));
	m->weight++;
}

static enum ft_status mark(const struct curve *curve, const struct replay *r, struct record *record,
			   struct ft_err *err)
{
	struct marks m = {.error = ft_calloc(2 * curve->n, sizeof *m.error)};
	enum ft_status status = FT_OK;

	if (!m.error)
		return ft_nomem(err);
	m.known = m.error + curve->n;
	for (size_t i = 0; i < curve->n && !status; i++) {
		const struct curve_size *size = &curve->size[i];
		struct subject_answer a;

		status = subject_predict(r->subject, size->n, size->work, &a, err);
		if (status)
			break;
		struct range range = range_of(&a);
		m.error[m.n] = fabs(a.value / size->median - 1);
		m.known[m.n++] = a.known;
		m.half += (range.upper - range.lower) / 2;
		mark_runs(&m, size, r->used[i], range);
	}
	if (!status)
		marks_record(&m, r, curve->n, record);
	ft_free(m.error);
	return status;
}

static enum ft_status replay(const struct settings *settings, struct curve *curve, double limit,
			     struct record *record, struct ft_err *err)
{
	double *list = ft_calloc(curve->n, sizeof *list);
	struct ground ground = {.size = list,
				.n = curve->n,
				.work = work_at,
				.seconds = seconds_at,
				.ctx = curve,
				.tolerance = settings->tolerance};
	struct replay r = {0};

	if (!list)
		return ft_nomem(err);
	for (size_t i = 0; i < curve->n; i++)
		list[i] = curve->size[i].n;
	enum ft_status status = replay_build(&r, &ground, err);
	if (!status)
		status = mark(curve, &r, record, err);
	record->value[FIELD_cost] = r.cost / limit;
	replay_clear(&r);
	ft_free(list);
	return status;
}

/* The limit of the full lattice is the same for all orders: it is looked for once. */
static void run_one(const struct settings *settings, const char *path, unsigned seed, bool thinned,
		    double *limit, struct records *out)
{
	struct curve curve;
	struct record record;
	struct ft_err err;
	enum ft_status status = curve_read(&curve, path, &err);

	if (!status) {
		if (thinned)
			curve_thin(&curve, thin, seed);
		if (thinned || isnan(*limit))
			*limit = curve_limit(&curve, within);
		curve_shuffle(&curve, seed);
		record = record_new("given", thinned ? "thin" : "full", curve.group, "", curve.name, seed);
		status = replay(settings, &curve, *limit, &record, &err);
	}
	if (status)
		(void)fprintf(stderr, "engine: %s: %s\n", path, err.text);
	else
		(void)records_add(out, &record);
	curve_clear(&curve);
}

static void run(const struct settings *settings, size_t job, struct records *out)
{
	double limit = NAN, thinned = NAN;

	for (unsigned seed = 1; seed <= ORDERS && seed <= settings->seeds; seed++) {
		run_one(settings, settings->path[job], seed, false, &limit, out);
		run_one(settings, settings->path[job], seed, true, &thinned, out);
	}
}

static size_t jobs(const struct settings *settings)
{
	return settings->paths;
}

static void name_of(const struct settings *settings, size_t job, char *out, size_t size)
{
	(void)snprintf(out, size, "given/%s", strrchr(settings->path[job], '/') + 1);
}

const struct part part_given = {"given", false, jobs, name_of, run};
