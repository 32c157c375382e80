/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spikes.c - what leaves the phases of a trace for a short time, and whether it comes back at equal times. */
#include "base/alloc.h"
#include "num/line.h"
#include "num/stats.h"
#include "trace/pwl.h"

#include <math.h>

/* A spike leaves its phase by so many robust deviations of the phase, and by so much of the trace's range,
 * and takes no more than this share of the phase; tops that are so few rows apart are one. */
static const double DEVIATIONS = 6, HIGH = 0.2, SHORT = 0.1, TORN = 3.5;

/* Spikes at equal times: so many at least, and of their distances so many within a fifth of once, twice or
 * three times the period. */
enum { PERIODIC = 4, SKIPPED = 3 };
static const double REGULAR = 0.8, ABOUT = 0.2;

/* The points of one phase, and how far they are off its line. */
struct spikes_stretch {
	size_t first, last; /* points, both included */
	const struct ft_phase *phase;
	double threshold;
};

static double off_phase(const struct ft_pwl *f, const struct ft_phase *p, size_t i)
{
	return f->y[i] - ft_line_at(f->t[i], p->begin, p->from, p->end, p->to);
}

static bool is_spike(const struct ft_pwl *f, const struct spikes_stretch *s, size_t i, double sign)
{
	return sign * off_phase(f, s->phase, i) > s->threshold;
}

/* Runs of points that are off; a long one is a level, and no spike. */
static enum ft_status gather_spikes(struct ft_spikes *out, const struct ft_pwl *f,
				    const struct spikes_stretch *s, double sign, struct ft_err *err)
{
	double longest = SHORT * (s->phase->end - s->phase->begin);
	size_t i = s->first, j;

	for (; i <= s->last; i = j + 1) {
		size_t top = i;
		double *grown;

		for (j = i; j <= s->last && is_spike(f, s, j, sign); j++)
			if (sign * f->y[j] > sign * f->y[top])
				top = j;
		if (j == i || f->t[j - 1] - f->t[i] > longest)
			continue;
		grown = ft_grow(out->t, out->n, &out->capacity, sizeof *grown);
		if (!grown)
			return ft_nomem(err);
		out->t = grown;
		out->t[out->n++] = f->t[top];
		out->height += (sign * off_phase(f, s->phase, top) - out->height) / (double)out->n;
	}
	return FT_OK;
}

/* Half of the points lie within so much of the line, of noise 0.67 deviations. */
static enum ft_status look_at_stretch(struct ft_spikes *out, const struct ft_pwl *f, struct spikes_stretch *s,
				      double range, double sign, struct ft_err *err)
{
	size_t n = s->last - s->first + 1, i;
	double *away = ft_malloc(n * sizeof *away);

	if (!away)
		return ft_nomem(err);
	for (i = 0; i < n; i++)
		away[i] = fabs(off_phase(f, s->phase, s->first + i));
	s->threshold = fmax(HIGH * range, DEVIATIONS * 1.4826 * ft_stats_median(away, n));
	ft_free(away);
	return gather_spikes(out, f, s, sign, err);
}

/* The tops of one that is torn by a row or two are one. */
static void join_tops(struct ft_spikes *out, double row)
{
	size_t i, k = 0;

	for (i = 1; i < out->n; i++)
		if (out->t[i] - out->t[k] > TORN * row)
			out->t[++k] = out->t[i];
	if (out->n)
		out->n = k + 1;
}

static double usual_distance(const struct ft_spikes *s, double *scratch)
{
	size_t i;

	for (i = 1; i < s->n; i++)
		scratch[i - 1] = s->t[i] - s->t[i - 1];
	return s->n > 1 ? ft_stats_median(scratch, s->n - 1) : 0;
}

/* The period by which most distances are one, two or three times it. */
static void find_period(struct ft_spikes *s, double usual)
{
	double steps = 0;
	size_t i, regular = 0;

	for (i = 1; i < s->n && usual > 0; i++) {
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
	double range[2], *scratch;
	enum ft_status status = FT_OK;
	size_t k, at = 0;

	*out = (struct ft_spikes){0};
	ft_pwl_range(f, range, NULL);
	for (k = 0; k < phases->n && !status; k++) {
		struct spikes_stretch s = {.first = at, .phase = &phases->phase[k]};

		while (at < f->n && (f->t[at] < s.phase->end || k + 1 == phases->n))
			at++;
		s.last = at - 1;
		if (at > s.first && range[1] > range[0])
			status = look_at_stretch(out, f, &s, range[1] - range[0], dips ? -1 : 1, err);
	}
	scratch = ft_malloc((out->n + 1) * sizeof *scratch);
	if (!status && !scratch)
		status = ft_nomem(err);
	if (!status) {
		join_tops(out, f->length / (double)(f->n - 1));
		find_period(out, usual_distance(out, scratch));
	}
	ft_free(scratch);
	if (status)
		ft_spikes_clear(out);
	return status;
}

void ft_spikes_clear(struct ft_spikes *spikes)
{
	if (!spikes)
		return;
	ft_free(spikes->t);
	*spikes = (struct ft_spikes){0};
}
