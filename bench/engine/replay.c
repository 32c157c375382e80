/* SPDX-License-Identifier: GPL-3.0-or-later */
/* replay.c - a builder against a ground of runs. */
#include "base/alloc.h"
#include "num/num.h"
#include "replay.h"

#include <math.h>
#include <time.h>

static const double silent_over = 0.25, alarm_below = 0.1, alpha = 0.1;

double cpu_now(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static size_t index_of(const struct ground *ground, double x)
{
	size_t low = 0, high = ground->n;

	while (high - low > 1) {
		size_t middle = (low + high) / 2;

		if (ground->size[middle] <= x)
			low = middle;
		else
			high = middle;
	}
	return low;
}

bool replay_hand_out(struct replay *r, const struct ground *ground, size_t i)
{
	double x = ground->size[i], seconds = ground->seconds(ground->ctx, i, r->used[i], r->n);

	if (isnan(seconds))
		return false;
	struct subject_run *grown = ft_grow(r->run, r->n, &r->capacity, sizeof *grown);
	if (!grown)
		return false;
	r->run = grown;
	grown[r->n++] = (struct subject_run){x, ground->work(ground->ctx, x), seconds};
	r->used[i]++;
	r->cost += seconds;
	return true;
}

/* Without a new run it is told what it knows: it then asks there no more. */
static enum ft_status answer(struct replay *r, const struct ground *ground, struct subject_builder *builder,
			     double x, struct ft_err *err)
{
	enum { RUNS_MOST = 256 };
	double seconds[RUNS_MOST];
	size_t i = index_of(ground, x), k, n = 0;

	if (r->used[i] < RUNS_MOST)
		(void)replay_hand_out(r, ground, i);
	for (k = 0; k < r->n; k++)
		if (r->run[k].x == ground->size[i])
			seconds[n++] = r->run[k].seconds;
	return subject_tell(builder, x, seconds, n, err);
}

static enum ft_status build(struct replay *r, const struct ground *ground, const struct subject_space *space,
			    struct ft_err *err)
{
	struct subject_builder *builder;
	enum ft_status status = subject_open(&builder, space, err);
	double asked[SUBJECT_ASK_MOST];
	size_t n;

	if (status)
		return status;
	while (!status && (n = subject_ask(builder, asked, SUBJECT_ASK_MOST)) > 0)
		for (size_t i = 0; i < n && !status; i++)
			status = answer(r, ground, builder, asked[i], err);
	subject_close(builder);
	return status;
}

enum ft_status replay_build(struct replay *out, const struct ground *ground, struct ft_err *err)
{
	const struct subject_space space = {
		.least = ground->size[0],
		.most = ground->size[ground->n - 1],
		.sizes = ground->strided ? NULL : ground->size,
		.n = ground->strided ? 0 : ground->n,
		.work = ground->work,
		.ctx = ground->ctx,
		.tolerance = ground->tolerance,
	};
	double from = cpu_now();

	*out = (struct replay){.used = ft_calloc(ground->n, sizeof *out->used),
			       .tolerance = ground->tolerance};
	if (!out->used)
		return ft_nomem(err);
	enum ft_status status = build(out, ground, &space, err);
	if (!status)
		status = subject_fit(&out->subject, out->run, out->n, &space, err);
	out->cpu_s = cpu_now() - from;
	return status;
}

void replay_clear(struct replay *r)
{
	subject_free(r->subject);
	ft_free(r->used);
	ft_free(r->run);
	*r = (struct replay){0};
}

struct range range_of(const struct subject_answer *answer)
{
	double least = answer->value * 1e-4;

	return (struct range){log(fmax(answer->lower, least)), log(fmax(answer->upper, least))};
}

double range_score(struct range range, double ln)
{
	return range.upper - range.lower + 2 / alpha * fmax(0, range.lower - ln) +
	       2 / alpha * fmax(0, ln - range.upper);
}

/* Of what is told of the typical run, nine of ten are to be true. */
static double share_typical(const struct marks *m)
{
	double sum = 0;

	for (size_t i = 0; i < m->n; i++)
		sum += m->error[i] <= 1.645 * m->known[i];
	return sum / (double)m->n;
}

void marks_record(struct marks *m, const struct replay *r, size_t sizes, struct record *record)
{
	double *v = record->value;

	if (m->is_typical && !isnan(m->known[0]))
		v[FIELD_typical] = share_typical(m);
	v[FIELD_score] = m->score / m->weight;
	v[FIELD_oracle] = m->oracle > 0 ? m->oracle / m->weight : (double)NAN;
	v[FIELD_half] = m->half / (double)m->n;
	v[FIELD_held] = m->held;
	v[FIELD_asked] = m->asked;
	v[FIELD_held_new] = m->held_new;
	v[FIELD_asked_new] = m->asked_new;
	v[FIELD_mean] = ft_stats_mean(m->error, m->n);
	v[FIELD_p95] = ft_stats_quantile(m->error, m->n, 0.95);
	if (!isnan(m->known[0]))
		v[FIELD_known] = ft_stats_median(m->known, m->n);
	v[FIELD_runs] = (double)r->n;
	v[FIELD_sizes] = 0;
	for (size_t i = 0; i < sizes; i++)
		v[FIELD_sizes] += r->used[i] > 0;
	v[FIELD_rough] = subject_rough(r->subject);
	v[FIELD_silent] = v[FIELD_p95] > silent_over && v[FIELD_rough] == 0;
	v[FIELD_alarm] = v[FIELD_p95] < alarm_below && v[FIELD_rough] != 0;
	if (!isnan(subject_known(r->subject)))
		v[FIELD_missed] = subject_known(r->subject) > 1.05 * r->tolerance;
	v[FIELD_cpu_s] = r->cpu_s;
}
