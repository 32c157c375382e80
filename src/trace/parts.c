/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parts.c - a fit of a trace in several parts: chooses the number of pieces of each part. */
#include "base/alloc.h"
#include "trace/trace.h"

#include <math.h>

/* For FT_CLEANUP. */
static inline void ft__pwl_end(struct ft_pwl **f)
{
	ft_pwl_free(*f);
}

/* One part, and what so many pieces leave of it. */
struct parts_part {
	struct ft_pwl *curve;
	double *square; /* [most + 1] */
	size_t most, pieces;
	size_t found; /* as many as are distinguishable from noise */
};

/* The errors of 1 .. most pieces, from dynamic programming; above its limit from merging. */
static enum ft_status curve_of_part(struct parts_part *part, struct ft_arena *arena, size_t most,
				    const struct ft_pwl_options *o, struct ft_err *err)
{
	size_t have = most < FT__PIECES_USUAL ? most : FT__PIECES_USUAL;
	struct ft__seek s;
	FT_ARENA(work);

	FT_TRY(ft__seek_init(&s, &work, part->curve, o->ends, most, err));
	part->most = most;
	part->square = ft_arena_take(arena, most + 1, sizeof *part->square);
	FT_TRY(ft_arena_check(arena, err));
	FT_TRY(ft__seek_path(&s, have, err));
	part->found = ft__count_pieces(s.square, s.path_most, s.n_mesh);
	FT_TRY(ft__count_noise(&s, &part->found, err));
	for (size_t k = 1; k <= most; k++) {
		if (k <= s.path_most) {
			part->square[k] = s.square[k];
			continue;
		}
		FT_TRY(ft__start_merge(&s, k, err));
		part->square[k] = fmin(part->square[k - 1], s.place.square);
	}
	return FT_OK;
}

/* What the next pieces gain each, as many at once as gain most; a jump needs two before it gains. */
static double gain_of(const struct parts_part *part, size_t left, size_t *step)
{
	double best = -1;

	*step = 0;
	for (size_t k = 1; k <= left && part->pieces + k <= part->most; k++) {
		double each = (part->square[part->pieces] - part->square[part->pieces + k]) / (double)k;

		if (each > best) {
			best = each;
			*step = k;
		}
	}
	return best;
}

/* Distribute pieces to where they gain most: n in all, or until the error is below the target, or by each
 * part's curve. */
static void share_out(struct parts_part *part, size_t n_parts, size_t n, double target)
{
	size_t used = n_parts;
	double square = 0;

	for (size_t i = 0; i < n_parts; i++) {
		part[i].pieces = 1;
		square += part[i].square[1];
	}
	while (used < n && square > target) {
		size_t best = n_parts, best_step = 0, step;
		double most = -1;

		for (size_t i = 0; i < n_parts; i++) {
			double each = gain_of(&part[i], n - used, &step);

			if (step && each > most) {
				most = each;
				best = i;
				best_step = step;
			}
		}
		if (best == n_parts)
			return;
		square -= part[best].square[part[best].pieces] -
			  part[best].square[part[best].pieces + best_step];
		part[best].pieces += best_step;
		used += best_step;
	}
}

static enum ft_status fit_parts(struct ft_pwl_fit *out, struct parts_part *part, size_t n_parts,
				const struct ft_pwl_options *o, size_t *first, struct ft_err *err)
{
	double length = 0, square[2] = {0, 0};

	for (size_t i = 0; i < n_parts; i++) {
		struct ft_pwl_options one = *o;
		FT_CLEANUP(ft_pwl_fit_clear) struct ft_pwl_fit fit = {0};

		one.pieces = part[i].pieces;
		FT_TRY(ft_pwl_fit(&fit, part[i].curve, &one, err));
		if (first)
			first[i] = out->nodes.n;
		length += part[i].curve->length;
		/* Append the model of one part. */
		bool alone = !out->nodes.n;

		FT_TRY(ft__nodes_append(&out->nodes, &fit.nodes, err));
		ft__error_join(&out->error, &fit.error, alone);
		out->evaluations += fit.evaluations;
		out->start = fit.start;
		square[0] += fit.error.rms * fit.error.rms * part[i].curve->length;
		square[1] += fit.start_rms * fit.start_rms * part[i].curve->length;
	}
	if (first)
		first[n_parts] = out->nodes.n;
	out->error.rms = sqrt(square[0] / length);
	out->start_rms = sqrt(square[1] / length);
	out->reached = !(o->rms > 0) || out->error.rms <= o->rms;
	return FT_OK;
}

static enum ft_status fit_several(struct ft_pwl_fit *out, const struct ft_trace *trace,
				  const struct ft_pwl_options *o, size_t *first, struct ft_err *err)
{
	FT_CLEANUP(ft_curves_clear) struct ft_curves curves = {0};
	FT_ARENA(work);
	struct parts_part *part = ft_arena_take(&work, trace->n_parts, sizeof *part);
	/* Each part needs one: the usual number is in addition to those. */
	size_t usual = (size_t)4 * FT__PIECES_USUAL + trace->n_parts - 1, most = o->pieces ? o->pieces
										 : o->most ? o->most
											   : usual;
	double length = 0, target = -1;

	FT_TRY(ft_arena_check(&work, err));
	FT_TRY(ft_curves_new(&curves, trace, err));
	for (size_t i = 0; i < trace->n_parts; i++) {
		size_t points = trace->part[i + 1] - trace->part[i];
		size_t share =
			most - trace->n_parts + 1 < points - 1 ? most - trace->n_parts + 1 : points - 1;

		if (!o->pieces && share > FT__PIECES_USUAL)
			share = FT__PIECES_USUAL;
		part[i].curve = curves.part[i];
		length += part[i].curve->length;
		FT_TRY(curve_of_part(&part[i], &work, share, o, err));
	}
	if (o->rms > 0 && !o->pieces)
		target = o->rms * o->rms * length;
	share_out(part, trace->n_parts, most, target);
	for (size_t i = 0; !o->pieces && !(o->rms > 0) && i < trace->n_parts; i++)
		part[i].pieces = part[i].found;
	return fit_parts(out, part, trace->n_parts, o, first, err);
}

enum ft_status ft_trace_fit(struct ft_pwl_fit *out, const struct ft_trace *trace,
			    const struct ft_pwl_options *o, size_t *first, struct ft_err *err)
{
	*out = (struct ft_pwl_fit){0};
	if (trace->n_parts == 1) {
		FT_CLEANUP(ft__pwl_end) struct ft_pwl *curve = NULL;

		FT_TRY(ft_pwl_new(&curve, trace->t, trace->y, trace->n, err));
		FT_TRY(ft_pwl_fit(out, curve, o, err));
		if (first) {
			first[0] = 0;
			first[1] = out->nodes.n;
		}
		return FT_OK;
	}
	if (o->start == FT_PWL_START_NODES) {
		(void)ft_fail(err, FT_EINVAL, "a trace in parts has no start from nodes");
		return ft_remedy(err, "join the gaps, or choose another start");
	}
	if ((o->pieces && o->pieces < trace->n_parts) || (o->most && o->most < trace->n_parts)) {
		(void)ft_fail(err, FT_EINVAL, "the trace has %zu parts, and each needs a piece",
			      trace->n_parts);
		return ft_remedy(err, "ask for more pieces, or have the gaps joined");
	}
	enum ft_status status = fit_several(out, trace, o, first, err);
	if (status != FT_OK)
		ft_pwl_fit_clear(out);
	return status;
}
