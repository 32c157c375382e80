/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spikes.c - finds short deviations from the phases of a trace, and whether they are periodic. */
#include "base/alloc.h"
#include "foretime/trace.h"
#include "law/door.h"
#include "num/num.h"
#include "trace/trace.h"

#include <math.h>

/* A spike leaves its phase by so many robust deviations of the phase, and by so much of the trace's range,
 * and takes no more than this share of the phase; one that is torn by fewer rows than that is one. */
static const double DEVIATIONS = 6, HIGH = 0.2, SHORT = 0.1, TORN = 2.5;

/* Noise of Weibull's distribution with the same median and quantile of TAIL has a row as far off in one of
 * 1000 traces; where its tail is no heavier than an exponential, for what is heavier has spikes. Of normal
 * noise in 400 rows that is six deviations, of Laplace's nine. */
static const double TAIL = 0.85, NEVER = 0.001;

/* Spikes at equal times: so many at least, and of their distances so many within a fifth of once, twice or
 * three times the period. */
enum { PERIODIC = 4, SKIPPED = 3 };
static const double REGULAR = 0.8, ABOUT = 0.2;

/* The points of one phase, and how far they are off its line. */
struct spikes_stretch {
	size_t first, last; /* points, both included; last = first - 1: none */
	const struct ft_phase *phase;
	double middle; /* by so much half of them are above that, for spikes pull it to themselves */
	double usual;  /* half of them are no farther off that */
	double threshold;
};

static double off_phase(const struct ft_pwl *f, const struct ft_phase *p, size_t i)
{
	return f->y[i] - ft_line_at(f->t[i], p->begin, p->from, p->end, p->to);
}

enum ft_status ft__spikes_add(struct ft_spikes *spikes, double t, struct ft_pwl_stretch at,
			      struct ft_err *err)
{
	size_t capacity = spikes->capacity;
	double *times = ft_grow(spikes->t, spikes->n, &capacity, sizeof *times);

	if (!times)
		return ft_nomem(err);
	spikes->t = times;
	capacity = spikes->capacity;
	struct ft_pwl_stretch *stretches = ft_grow(spikes->at, spikes->n, &capacity, sizeof *stretches);
	if (!stretches)
		return ft_nomem(err);
	spikes->at = stretches;
	spikes->capacity = capacity;
	spikes->t[spikes->n] = t;
	spikes->at[spikes->n++] = at;
	return FT_OK;
}

/* Runs of points that are off; a long one is a level, and no spike. */
static enum ft_status gather_spikes(struct ft_spikes *out, const struct ft_pwl *f,
				    const struct spikes_stretch *s, double sign, struct ft_err *err)
{
	double longest = SHORT * (s->phase->end - s->phase->begin);
	size_t i = s->first, j;

	for (; i <= s->last; i = j + 1) {
		struct ft_pwl_stretch at = {f->t[i ? i - 1 : 0], 0};
		size_t top = i;

		for (j = i; j <= s->last && (sign * (off_phase(f, s->phase, j) - s->middle) > s->threshold);
		     j++)
			if (sign * f->y[j] > sign * f->y[top])
				top = j;
		if (j == i || f->t[j - 1] - f->t[i] > longest)
			continue;
		at.end = f->t[j < f->n ? j : f->n - 1];
		FT_TRY(ft__spikes_add(out, f->t[top], at, err));
		out->height += (sign * off_phase(f, s->phase, top) - out->height) / (double)out->n;
	}
	return FT_OK;
}

double ft__spikes_height(double range, double off)
{
	return fmax(HIGH * range, DEVIATIONS * 1.4826 * off); /* of noise 0.67 deviations are off */
}

/* Which points are of the phase, from `first` on, and how far off a spike is. rest [the points] out: how far
 * off they are, in those of the half that is nearest. */
static size_t measure_stretch(struct spikes_stretch *s, const struct ft_pwl *f, size_t first, bool to_end,
			      double range, double *rest)
{
	size_t i;

	for (i = first; i < f->n && (f->t[i] < s->phase->end || to_end); i++)
		rest[i - first] = off_phase(f, s->phase, i);
	s->first = first;
	s->last = i - 1;
	size_t n = i - first;
	if (!n)
		return 0;
	s->middle = ft_stats_median(rest, n);
	for (i = 0; i < n; i++)
		rest[i] = fabs(rest[i] - s->middle);
	s->usual = ft_stats_median(rest, n);
	s->threshold = ft__spikes_height(range, s->usual);
	for (i = 0; i < n && s->usual > 0; i++)
		rest[i] /= s->usual;
	return s->usual > 0 ? n : 0;
}

static double usual_distance(const struct ft_spikes *s, double *scratch)
{
	for (size_t i = 1; i < s->n; i++)
		scratch[i - 1] = s->t[i] - s->t[i - 1];
	return s->n > 1 ? ft_stats_median(scratch, s->n - 1) : 0;
}

enum ft_status ft_pwl_spikes(struct ft_spikes *out, const struct ft_pwl *f, const struct ft_phases *phases,
			     bool dips, struct ft_err *err)
{
	FT_CLEANUP(ft_spikes_clear) struct ft_spikes spikes = {0};
	FT_ARENA(work);
	struct spikes_stretch *stretch = ft_arena_take(&work, phases->n, sizeof *stretch);
	double range[2], *rest = ft_arena_take(&work, f->n + 1, sizeof *rest), tail = 0;
	size_t at = 0, n = 0;

	*out = (struct ft_spikes){0};
	FT_TRY(ft_arena_check(&work, err));
	ft_pwl_range(f, range, NULL);
	for (size_t k = 0; k < phases->n; k++) {
		stretch[k].phase = &phases->phase[k];
		n += measure_stretch(&stretch[k], f, at, k + 1 == phases->n, range[1] - range[0], rest + n);
		at = stretch[k].last + 1;
	}
	/* The tail of the noise is estimated from all phases together. */
	if (n) {
		double shape = log(log(1 / (1 - TAIL)) / log(2)) / log(ft_stats_quantile(rest, n, TAIL));

		tail = pow(log((double)n / NEVER) / log(2), 1 / fmax(1, shape));
	}
	for (size_t k = 0; k < phases->n && range[1] > range[0]; k++) {
		struct spikes_stretch *s = &stretch[k];

		s->threshold = fmax(s->threshold, s->usual * tail);
		if (s->last + 1 > s->first)
			FT_TRY(gather_spikes(&spikes, f, s, dips ? -1 : 1, err));
	}
	/* One that is torn by a row or two is one; from its end to its begin there is a row less. */
	double row = f->length / (double)(f->n - 1);
	size_t j = 0;

	for (size_t i = 1; i < spikes.n; i++) {
		if (spikes.at[i].begin - spikes.at[j].end > (TORN - 1) * row) {
			spikes.t[++j] = spikes.t[i];
			spikes.at[j] = spikes.at[i];
		}
		spikes.at[j].end = spikes.at[i].end;
	}
	if (spikes.n)
		spikes.n = j + 1;
	/* The period by which most distances are one, two or three times it. */
	double usual = usual_distance(&spikes, rest);
	double steps = 0;
	size_t regular = 0;

	for (size_t i = 1; i < spikes.n && usual > 0; i++) {
		double times = (spikes.t[i] - spikes.t[i - 1]) / usual, whole = fmax(1, round(times));

		steps += whole;
		regular += whole <= SKIPPED && fabs(times - whole) <= ABOUT;
	}
	if (spikes.n >= PERIODIC && (double)regular >= REGULAR * (double)(spikes.n - 1))
		spikes.period = (spikes.t[spikes.n - 1] - spikes.t[0]) / steps;
	*out = spikes;
	spikes = (struct ft_spikes){0};
	return FT_OK;
}

void ft_spikes_clear(struct ft_spikes *spikes)
{
	if (!spikes)
		return;
	ft_free(spikes->t);
	ft_free(spikes->at);
	*spikes = (struct ft_spikes){0};
}

/*
 * Match the phases of several runs.
 */

/* Levels that differ by so much of their range are as unlike as a phase that is missing; lengths count less,
 * for they are what grows. Two that are more unlike than two missing ones are not the same. */
static const double UNLIKE = 0.25, LENGTH = 0.1, MISSING = 1;

/* A phase relative to the phases of its trace. */
struct align_place {
	double level, share; /* of the range of levels; of the time, ln */
};

static void place_phases(const struct ft_phases *p, struct align_place *out)
{
	double least = INFINITY, most = -INFINITY, all = p->phase[p->n - 1].end - p->phase[0].begin;

	for (size_t i = 0; i < p->n; i++) {
		least = fmin(least, p->phase[i].level);
		most = fmax(most, p->phase[i].level);
	}
	for (size_t i = 0; i < p->n; i++)
		out[i] = (struct align_place){most > least ? (p->phase[i].level - least) / (most - least) : 1,
					      log((p->phase[i].end - p->phase[i].begin) / all)};
}

static double unlikeness(const struct align_place *a, const struct align_place *b)
{
	return fabs(a->level - b->level) / UNLIKE + LENGTH * fabs(a->share - b->share);
}

/* The most frequent number of phases; of several the largest, and the last such trace. */
static size_t choose_usual(const struct ft_phases *phases, size_t traces)
{
	size_t best = 0, best_count = 0;

	for (size_t i = 0; i < traces; i++) {
		size_t count = 0;

		for (size_t k = 0; k < traces; k++)
			count += phases[k].n == phases[i].n;
		if (count > best_count || (count == best_count && phases[i].n >= phases[best].n)) {
			best = i;
			best_count = count;
		}
	}
	return best;
}

/* Dynamic programming over two sequences: an alignment that preserves the order. at: [n] out. cost: [n +
 * 1][m + 1] */
static void match_places(const struct align_place *one, size_t n, const struct align_place *other, size_t m,
			 double *cost, size_t *at)
{
	size_t i, j, stride = m + 1;

	for (i = 0; i <= n; i++)
		for (j = 0; j <= m; j++) {
			double best = i || j ? INFINITY : 0;

			if (i)
				best = fmin(best, cost[(i - 1) * stride + j] + MISSING);
			if (j)
				best = fmin(best, cost[i * stride + j - 1] + MISSING);
			if (i && j)
				best = fmin(best, cost[(i - 1) * stride + j - 1] +
							  unlikeness(&one[i - 1], &other[j - 1]));
			cost[i * stride + j] = best;
		}
	for (i = n, j = m; i;) {
		if (j && cost[i * stride + j] ==
				 cost[(i - 1) * stride + j - 1] + unlikeness(&one[i - 1], &other[j - 1]))
			at[--i] = --j;
		else if (j && cost[i * stride + j] == cost[i * stride + j - 1] + MISSING)
			j--;
		else
			at[--i] = SIZE_MAX;
	}
}

enum ft_status ft_phases_align(struct ft_phase_rows *out, const struct ft_phases *phases, size_t traces,
			       struct ft_err *err)
{
	size_t like = choose_usual(phases, traces), most = 0, i;

	*out = (struct ft_phase_rows){.n = phases[like].n, .traces = traces, .like = like};
	for (i = 0; i < traces; i++)
		most = phases[i].n > most ? phases[i].n : most;
	FT_ARENA(work);
	struct align_place *place = ft_arena_take(&work, 2 * most, sizeof *place);
	double *cost = ft_arena_take(&work, (most + 1) * (most + 1), sizeof *cost);
	FT_TRY(ft_arena_check(&work, err));
	out->at = ft_calloc(traces * out->n, sizeof *out->at);
	if (!out->at)
		return ft_nomem(err);
	place_phases(&phases[like], place);
	for (i = 0; i < traces; i++) {
		place_phases(&phases[i], place + most);
		match_places(place, out->n, place + most, phases[i].n, cost, out->at + i * out->n);
	}
	return FT_OK;
}

void ft_phase_rows_clear(struct ft_phase_rows *rows)
{
	if (!rows)
		return;
	ft_free(rows->at);
	*rows = (struct ft_phase_rows){0};
}

/*
 * Fit the growth of a program's phases with the size of its run.
 */

static const double confidence = 0.9;

/* What is given, what is aligned, and room for one law; that is some 100 KB. */
struct growing {
	const struct ft_traced *run;
	size_t n, columns;
	const char *parameter;
	double wanted;
	struct ft_phase_rows rows;
	struct ft_law_sample *sample; /* [n] */
	struct ft_laws *laws;
};

static enum ft_status check_sizes(const struct ft_traced *run, size_t n, struct ft_err *err)
{
	size_t k, different = 0;

	for (size_t i = 0; i < n; i++) {
		for (k = 0; k < i && run[k].size != run[i].size; k++)
			;
		different += k == i;
	}
	if (different >= FT_GROW_SIZES)
		return FT_OK;
	(void)ft_fail(err, FT_ENOMODEL, "traces of %zu size%s: %d are needed to see how phases grow",
		      different, different == 1 ? "" : "s", FT_GROW_SIZES);
	return ft_remedy(err, "trace runs of more sizes: foretime run --trace a.csv -- PROGRAM ...");
}

static enum ft_status find_law(struct growing *g, size_t samples, struct ft_phase_law *out,
			       struct ft_err *err)
{
	const char *const name[] = {g->parameter};
	const struct ft_law_options options = {.unbroken = true};
	enum ft_status status = ft_laws_fit(g->laws, g->sample, samples, &options, NULL);

	*out = (struct ft_phase_law){.found = !status, .predicted = {NAN, NAN, NAN, NAN, NAN, NAN}};
	if (status)
		return status == FT_ENOMEM ? ft_nomem(err) : FT_OK;
	out->misfit = g->laws->misfit;
	(void)ft_law_format(&g->laws->law, name, 3, out->law, sizeof out->law);
	(void)ft_laws_words(g->laws, g->parameter, out->words, sizeof out->words);
	if (!isnan(g->wanted))
		(void)ft_laws_predict(g->laws, g->wanted, confidence, FT_LAW_RUN, &out->predicted, NULL);
	return FT_OK;
}

/* The values of a phase in all traces that have it: its lengths, or levels of a column. Returns how many. */
static size_t collect_values(struct growing *g, size_t i, size_t column, bool lengths)
{
	size_t n = 0;

	for (size_t k = 0; k < g->n; k++) {
		size_t at = g->rows.at[k * g->rows.n + i];
		const struct ft_phase *phase;

		if (at == SIZE_MAX)
			continue;
		phase = &g->run[k].phases[column].phase[at];
		g->sample[n++] = (struct ft_law_sample){g->run[k].size, lengths ? phase->end - phase->begin
										: fmax(0, phase->level)};
	}
	return n;
}

static enum ft_status grow_all(struct growing *g, struct ft_phases_growth *out, struct ft_err *err)
{
	out->phase = ft_calloc(g->rows.n + 1, sizeof *out->phase);
	if (!out->phase)
		return ft_nomem(err);
	for (size_t i = 0; i < g->rows.n; i++) {
		const struct ft_law_prediction *prediction = &out->phase[i].length.predicted;

		out->n++;
		out->phase[i].like = &g->run[g->rows.like].phases->phase[i];
		out->phase[i].in = collect_values(g, i, 0, true);
		out->phase[i].level = ft_calloc(g->columns, sizeof *out->phase[i].level);
		if (!out->phase[i].level)
			return ft_nomem(err);
		FT_TRY(find_law(g, out->phase[i].in, &out->phase[i].length, err));
		for (size_t c = 0; c < g->columns; c++) {
			(void)collect_values(g, i, c, false);
			FT_TRY(find_law(g, out->phase[i].in, &out->phase[i].level[c], err));
		}
		out->total_s += prediction->value;
		out->lower_s += prediction->wide_lower;
		out->upper_s += prediction->wide_upper;
	}
	if (isnan(g->wanted))
		out->total_s = out->lower_s = out->upper_s = NAN;
	return FT_OK;
}

enum ft_status ft_phases_grow(struct ft_phases_growth *out, const struct ft_traced *run, size_t n,
			      size_t columns, const char *parameter, double wanted, struct ft_err *err)
{
	FT_CLEANUP(ft_phases_growth_clear) struct ft_phases_growth growth = {0};
	FT_CLEANUP(ft_phase_rows_clear) struct ft_phase_rows rows = {0};
	FT_ARENA(work);

	*out = (struct ft_phases_growth){0};
	FT_TRY(check_sizes(run, n, err));
	struct growing g = {.run = run,
			    .n = n,
			    .columns = columns,
			    .parameter = parameter,
			    .wanted = wanted,
			    .sample = ft_arena_take(&work, n, sizeof *g.sample),
			    .laws = ft_arena_take(&work, 1, sizeof *g.laws)};
	struct ft_phases *first = ft_arena_take(&work, n, sizeof *first);
	FT_TRY(ft_arena_check(&work, err));
	for (size_t i = 0; i < n; i++)
		first[i] = run[i].phases[0];
	FT_TRY(ft_phases_align(&rows, first, n, err));
	g.rows = rows;
	FT_TRY(grow_all(&g, &growth, err));
	*out = growth;
	growth = (struct ft_phases_growth){0};
	return FT_OK;
}

void ft_phases_growth_clear(struct ft_phases_growth *growth)
{
	if (!growth)
		return;
	for (size_t i = 0; i < growth->n; i++)
		ft_free(growth->phase[i].level);
	ft_free(growth->phase);
	*growth = (struct ft_phases_growth){0};
}
