/* SPDX-License-Identifier: GPL-3.0-or-later */
/* phases_ends.c - where phases may be cut, and where they meet. */
#include "trace/phases.h"

#include <math.h>

/* The place between two nodes of the fit where cutting leaves least: the change itself. */
double ft__phases_sharpest(const struct ft_pwl *f, double a, double b)
{
	double best = INFINITY, at = a;
	size_t i = ft__pwl_find(f, a), last = ft__pwl_find(f, b), step, k;

	if (last <= i + 1)
		return a + (b - a) / 2;
	step = (last - i) / 256 + 1;
	for (k = i + 1; k <= last; k += step) {
		double x = f->t[k] - f->t0, square;

		if (!(x > a && x < b))
			continue;
		square = ft__pwl_span(f, a, x).r + ft__pwl_span(f, x, b).r;
		if (square < best) {
			best = square;
			at = x;
		}
	}
	return at;
}

/* Phases meet in the middle of the change between them; then their work is known, and what they leave. */
void ft__phases_close_up(struct ft_phases *out, const struct ft_pwl *f)
{
	double begin = 0, square = 0;

	for (size_t k = 0; k < out->n; k++) {
		struct ft_phase *phase = &out->phase[k];
		bool last = k + 1 == out->n;
		double end = last ? f->length : phase->end / 2 + out->phase[k + 1].begin / 2;
		struct ft__span span = ft__pwl_span(f, begin, end);

		square += ft__span_square(&span, phase->from - f->y0 - phase->slope * (phase->begin - begin),
					  phase->to - f->y0 + phase->slope * (end - phase->end));
		phase->level = f->y0 + span.mean;
		phase->work = span.h * phase->level;
		out->work += phase->work;
		phase->begin = f->t0 + begin;
		phase->end = last ? f->t[f->n - 1] : f->t0 + end;
		begin = end;
	}
	for (size_t k = 0; k < out->n; k++)
		out->phase[k].share = out->work != 0 ? out->phase[k].work / out->work : NAN;
	out->rms = sqrt(square / f->length);
}
