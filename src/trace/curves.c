/* SPDX-License-Identifier: GPL-3.0-or-later */
/* curves.c - all parts of a trace: what they are, beside a model, constrained, in phases. */
#include "trace/curves.h"
#include "base/arena.h"
#include "trace/phases.h"

#include <math.h>
#include <string.h>

enum ft_status ft_curves_new(struct ft_curves *out, const struct ft_trace *trace, struct ft_err *err)
{
	FT_CLEANUP(ft_curves_clear)
	struct ft_curves curves = {.part = ft_calloc(trace->n_parts, sizeof *curves.part)};

	*out = (struct ft_curves){0};
	if (!curves.part)
		return ft_nomem(err);
	for (size_t i = 0; i < trace->n_parts; i++, curves.n++)
		FT_TRY(ft_pwl_new(&curves.part[i], trace->t + trace->part[i], trace->y + trace->part[i],
				  trace->part[i + 1] - trace->part[i], err));
	*out = curves;
	/* The cleanup finds nothing. NOLINTNEXTLINE(clang-analyzer-deadcode.DeadStores) */
	curves = (struct ft_curves){0};
	return FT_OK;
}

void ft_curves_clear(struct ft_curves *curves)
{
	if (!curves)
		return;
	for (size_t i = 0; i < curves->n; i++)
		ft_pwl_free(curves->part[i]);
	ft_free(curves->part);
	*curves = (struct ft_curves){0};
}

int ft_curves_part(const struct ft_curves *curves, double t)
{
	for (size_t i = 0; i < curves->n; i++)
		if (t >= ft_pwl_begin(curves->part[i]) && t <= ft_pwl_end(curves->part[i]))
			return (int)i;
	return -1;
}

/* ---- beside a model ------------------------------------------------------------------------------------ */

void ft__error_join(struct ft_pwl_error *all, const struct ft_pwl_error *one, bool first)
{
	if (first) {
		*all = *one;
		return;
	}
	if (one->max > all->max) {
		all->max = one->max;
		all->max_at = one->max_at;
	}
	all->area += one->area;
	all->area_data += one->area_data;
	all->least = fmin(all->least, one->least);
	all->most = fmax(all->most, one->most);
}

void ft_curves_compare(const struct ft_curves *curves, const struct ft_nodes *nodes, const size_t *first,
		       struct ft_pwl_error *error)
{
	double square = 0, length = 0;

	for (size_t i = 0; i < curves->n; i++) {
		double part = ft_pwl_end(curves->part[i]) - ft_pwl_begin(curves->part[i]);
		struct ft_pwl_error one;

		ft_pwl_compare(curves->part[i], nodes->t + first[i], nodes->y + first[i],
			       first[i + 1] - first[i], &one);
		square += one.rms * one.rms * part;
		length += part;
		ft__error_join(error, &one, !i);
	}
	error->rms = sqrt(square / length);
}

/* ---- as a whole ---------------------------------------------------------------------------------------- */

static void add_part(struct ft_curves_summary *s, const struct ft_pwl *f)
{
	double range[2], at[2];

	ft_pwl_range(f, range, at);
	for (size_t k = 0; k < 2; k++)
		if (k ? range[k] > s->range[k] : range[k] < s->range[k]) {
			s->range[k] = range[k];
			s->at[k] = at[k];
		}
	s->length += ft_pwl_end(f) - ft_pwl_begin(f);
	s->area += ft_pwl_integral(f, ft_pwl_begin(f), ft_pwl_end(f));
	for (size_t k = 1; k < f->n; k++) {
		s->shortest = fmin(s->shortest, f->t[k] - f->t[k - 1]);
		s->longest = fmax(s->longest, f->t[k] - f->t[k - 1]);
	}
}

struct ft_curves_summary ft_curves_summarise(const struct ft_curves *curves)
{
	struct ft_curves_summary s = {.range = {INFINITY, -INFINITY}, .shortest = INFINITY};
	double square = 0;

	for (size_t i = 0; i < curves->n; i++)
		add_part(&s, curves->part[i]);
	s.mean = s.area / s.length;
	for (size_t i = 0; i < curves->n; i++) {
		const double x[2] = {ft_pwl_begin(curves->part[i]), ft_pwl_end(curves->part[i])},
			     y[2] = {s.mean, s.mean};
		struct ft_pwl_error error;

		ft_pwl_compare(curves->part[i], x, y, 2, &error);
		square += error.rms * error.rms * (x[1] - x[0]);
	}
	s.deviation = sqrt(square / s.length);
	return s;
}

/* ---- constrained --------------------------------------------------------------------------------------- */

enum ft_status ft__nodes_append(struct ft_nodes *all, const struct ft_nodes *more, struct ft_err *err)
{
	size_t n = all->n + more->n;
	double *t = ft_realloc(all->t, n * sizeof *t), *y;

	if (!t)
		return ft_nomem(err);
	all->t = t;
	y = ft_realloc(all->y, n * sizeof *y);
	if (!y)
		return ft_nomem(err);
	all->y = y;
	memcpy(t + all->n, more->t, more->n * sizeof *t);
	memcpy(y + all->n, more->y, more->n * sizeof *y);
	all->n = n;
	return FT_OK;
}

static enum ft_status add_spike(struct ft_curves_fit *out, size_t *capacity, const struct ft_pwl_spike *spike,
				struct ft_err *err)
{
	struct ft_pwl_spike *grown = ft_grow(out->spike, out->n_spikes, capacity, sizeof *grown);

	if (!grown)
		return ft_nomem(err);
	out->spike = grown;
	grown[out->n_spikes++] = *spike;
	return FT_OK;
}

/* What is asked of the i-th part; an interval of another part is passed over. A spike that was found goes
 * where a node within the curve's range keeps its areas: it has nodes at both ends, so nothing beside it
 * changes. */
static enum ft_status smooth_part(const struct ft_curves *curves, size_t i, const struct ft_curves_wish *wish,
				  const struct ft_pwl_stretch *found, size_t n_found, struct ft_nodes *nodes,
				  struct ft_curves_fit *out, size_t *capacity, struct ft_err *err)
{
	const struct ft_pwl *f = curves->part[i];
	struct ft_pwl_spike one;
	double range[2], w, y;

	ft_pwl_range(f, range, NULL);
	for (size_t k = 0; found && k < n_found; k++) {
		double a = found[k].begin, b = found[k].end;

		if (!ft_pwl_smooth(f, a, ft_pwl_at(f, a), b, ft_pwl_at(f, b), &w, &y) || y < range[0] ||
		    y > range[1])
			continue;
		FT_TRY(ft_nodes_smooth(nodes, f, a, b, &one, err));
		FT_TRY(add_spike(out, capacity, &one, err));
	}
	for (size_t k = 0; k < wish->n_smooth; k++) {
		const struct ft_pwl_stretch *at = &wish->smooth[k];

		if (isnan(at->begin) || (curves->n > 1 && ft_curves_part(curves, at->begin) != (int)i))
			continue;
		FT_TRY(ft_nodes_smooth(nodes, f, at->begin, at->end, &one, err));
		FT_TRY(add_spike(out, capacity, &one, err));
	}
	return FT_OK;
}

/* The i-th part, appended to the fit. */
static enum ft_status constrain_part(struct ft_curves_fit *out, size_t *capacity,
				     const struct ft_curves *curves, size_t i,
				     const struct ft_curves_wish *wish, struct ft_err *err)
{
	FT_OWN struct ft_pwl_stretch *found = NULL;
	FT_CLEANUP(ft_nodes_clear) struct ft_nodes part = {0};
	size_t n_found = 0, n = 0;

	for (size_t k = 0; k < wish->n_smooth && !found; k++)
		if (isnan(wish->smooth[k].begin))
			FT_TRY(ft_pwl_spikes_around(&found, &n_found, curves->part[i], wish->keep,
						    wish->n_keep, err));
	FT_OWN double *keep = ft_calloc(wish->n_keep + 2 * n_found + 1, sizeof *keep);
	if (!keep)
		return ft_nomem(err);
	for (size_t k = 0; k < wish->n_keep; k++)
		if (ft_curves_part(curves, wish->keep[k]) == (int)i)
			keep[n++] = wish->keep[k];
	for (size_t k = 0; found && k < n_found; k++) {
		keep[n++] = found[k].begin;
		keep[n++] = found[k].end;
	}
	FT_TRY(ft_pwl_constrain(&part, curves->part[i], keep, n, wish->lambda, err));
	FT_TRY(smooth_part(curves, i, wish, found, n_found, &part, out, capacity, err));
	FT_TRY(ft__nodes_append(&out->nodes, &part, err));
	out->first[i + 1] = out->nodes.n;
	return FT_OK;
}

enum ft_status ft_curves_constrain(struct ft_curves_fit *out, const struct ft_curves *curves,
				   const struct ft_curves_wish *wish, struct ft_err *err)
{
	FT_CLEANUP(ft_curves_fit_clear)
	struct ft_curves_fit fit = {.first = ft_calloc(curves->n + 1, sizeof *fit.first)};
	size_t capacity = 0;

	*out = (struct ft_curves_fit){0};
	if (!fit.first)
		return ft_nomem(err);
	for (size_t i = 0; i < curves->n; i++)
		FT_TRY(constrain_part(&fit, &capacity, curves, i, wish, err));
	ft_curves_compare(curves, &fit.nodes, fit.first, &fit.error);
	*out = fit;
	fit = (struct ft_curves_fit){0};
	return FT_OK;
}

void ft_curves_fit_clear(struct ft_curves_fit *fit)
{
	if (!fit)
		return;
	ft_nodes_clear(&fit->nodes);
	ft_free(fit->first);
	ft_free(fit->spike);
	*fit = (struct ft_curves_fit){0};
}

/* ---- in phases ----------------------------------------------------------------------------------------- */

static enum ft_status add_phases(struct ft_phases *all, const struct ft_phases *part, struct ft_err *err)
{
	struct ft_phase *grown = ft_realloc(all->phase, (all->n + part->n) * sizeof *grown);

	if (!grown)
		return ft_nomem(err);
	memcpy(grown + all->n, part->phase, part->n * sizeof *grown);
	all->phase = grown;
	all->n += part->n;
	all->work += part->work;
	return FT_OK;
}

enum ft_status ft_curves_phases(struct ft_phases *out, const struct ft_curves *curves, size_t most,
				struct ft_err *err)
{
	FT_CLEANUP(ft_phases_clear) struct ft_phases all = {0};
	double square = 0, length = 0;

	*out = (struct ft_phases){0};
	for (size_t i = 0; i < curves->n; i++) {
		const struct ft_pwl *f = curves->part[i];
		FT_CLEANUP(ft_phases_clear) struct ft_phases part = {0};

		FT_TRY(ft_pwl_phases(&part, f, most, err));
		FT_TRY(add_phases(&all, &part, err));
		square += part.rms * part.rms * (ft_pwl_end(f) - ft_pwl_begin(f));
		length += ft_pwl_end(f) - ft_pwl_begin(f);
	}
	all.rms = sqrt(square / length);
	for (size_t i = 0; i < all.n; i++)
		all.phase[i].share = all.work != 0 ? all.phase[i].work / all.work : NAN;
	*out = all;
	all = (struct ft_phases){0};
	return FT_OK;
}

static enum ft_status join_spikes(struct ft_spikes *all, const struct ft_spikes *part, struct ft_err *err)
{
	if (part->n > all->n) {
		all->period = part->period;
		all->height = part->height;
	}
	for (size_t i = 0; i < part->n; i++)
		FT_TRY(ft__spikes_add(all, part->t[i], part->at[i], err));
	return FT_OK;
}

enum ft_status ft_curves_spikes(struct ft_spikes *out, const struct ft_curves *curves,
				const struct ft_phases *phases, bool dips, struct ft_err *err)
{
	FT_CLEANUP(ft_spikes_clear) struct ft_spikes all = {0};
	size_t at = 0;

	*out = (struct ft_spikes){0};
	for (size_t i = 0; i < curves->n; i++) {
		struct ft_phases part = {.phase = phases->phase + at};
		FT_CLEANUP(ft_spikes_clear) struct ft_spikes one = {0};

		for (; at < phases->n && phases->phase[at].begin < ft_pwl_end(curves->part[i]); at++)
			part.n++;
		FT_TRY(ft_pwl_spikes(&one, curves->part[i], &part, dips, err));
		FT_TRY(join_spikes(&all, &one, err));
	}
	*out = all;
	all = (struct ft_spikes){0};
	return FT_OK;
}
