/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spikes.c - what leaves the phases of a trace for a short time, and whether it comes back at equal times. */
#include "base/arena.h"
#include "num/line.h"
#include "num/stats.h"
#include "trace/phases.h"

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

static bool is_spike(const struct ft_pwl *f, const struct spikes_stretch *s, size_t i, double sign)
{
	return sign * (off_phase(f, s->phase, i) - s->middle) > s->threshold;
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

		for (j = i; j <= s->last && is_spike(f, s, j, sign); j++)
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

/* One that is torn by a row or two is one; from its end to its begin there is a row less. */
static void join_tops(struct ft_spikes *out, double row)
{
	size_t k = 0;

	for (size_t i = 1; i < out->n; i++) {
		if (out->at[i].begin - out->at[k].end > (TORN - 1) * row) {
			out->t[++k] = out->t[i];
			out->at[k] = out->at[i];
		}
		out->at[k].end = out->at[i].end;
	}
	if (out->n)
		out->n = k + 1;
}

static double usual_distance(const struct ft_spikes *s, double *scratch)
{
	for (size_t i = 1; i < s->n; i++)
		scratch[i - 1] = s->t[i] - s->t[i - 1];
	return s->n > 1 ? ft_stats_median(scratch, s->n - 1) : 0;
}

/* The period by which most distances are one, two or three times it. */
static void find_period(struct ft_spikes *s, double usual)
{
	double steps = 0;
	size_t regular = 0;

	for (size_t i = 1; i < s->n && usual > 0; i++) {
		double times = (s->t[i] - s->t[i - 1]) / usual, whole = fmax(1, round(times));

		steps += whole;
		regular += whole <= SKIPPED && fabs(times - whole) <= ABOUT;
	}
	if (s->n >= PERIODIC && (double)regular >= REGULAR * (double)(s->n - 1))
		s->period = (s->t[s->n - 1] - s->t[0]) / steps;
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
	/* All phases together tell how the noise falls off. */
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
	join_tops(&spikes, f->length / (double)(f->n - 1));
	find_period(&spikes, usual_distance(&spikes, rest));
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
