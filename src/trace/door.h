/* SPDX-License-Identifier: GPL-3.0-or-later */
/* door.h - what other rooms and commands use of trace beyond its interface. */
#ifndef FT_TRACE_DOOR_H
#define FT_TRACE_DOOR_H

#include "foretime/base.h"
#include "foretime/law.h"
#include "foretime/trace.h"

#include <stdbool.h>
#include <stdint.h>

/* ---- curves ------------------------------------------------------------------------------------------- */

double ft_pwl_begin(const struct ft_pwl *f);        /* the first time */
double ft_pwl_end(const struct ft_pwl *f);          /* the last time */
double ft_pwl_at(const struct ft_pwl *f, double t); /* constant outside; O(log n) */

/* What a curve is over an interval. */
struct ft_pwl_line {
	double mean;     /* of the curve; times the length: its integral */
	double slope;    /* of the line nearest to it in the sense of L2; it has the same mean */
	double residual; /* the integral of (curve - line)^2 */
};

/* ft_pwl_line - over a..b, both within the curve; a == b: the value there. O(log n). */
struct ft_pwl_line ft_pwl_line(const struct ft_pwl *f, double a, double b);
double ft_pwl_integral(const struct ft_pwl *f, double a, double b);

/* ft_pwl_range - least and largest value, and where they are first taken; any may be NULL. O(n). */
void ft_pwl_range(const struct ft_pwl *f, double value[2], double at[2]);

/* ---- models ------------------------------------------------------------------------------------------- */

/* ft_pwl_compare - exactly, piece by piece. t, y [n]: nodes of l, over the whole of the curve. O(points + n).
 */
void ft_pwl_compare(const struct ft_pwl *f, const double *t, const double *y, size_t n,
		    struct ft_pwl_error *error);

/* ft_pwl_place - the values at given nodes that make the integral F of (f - l)^2 least, and how F changes
 * with the nodes' times.
 *
 * x         [n] ascending without equals, within the curve; n >= 2; x[0] and x[n - 1] its ends
 * y         out [n]
 * gradient  out [n], dF/dx at those y; 0 at both ends; NULL: not wanted
 * square    out, F; may be NULL
 *
 * Returns FT_OK; FT_ENOMEM. Cost O(n log k), with the gradient: at the best y only the explicit dependence on
 * x is left, dF/dx_l = 2 R_l (m_l - m_{l+1}). Source: 003 section 2.1 for y; doc/traces.md.
 */
enum ft_status ft_pwl_place(const struct ft_pwl *f, const double *x, size_t n, enum ft_pwl_ends ends,
			    double *y, double *gradient, double *square, struct ft_err *err);

/* ---- unconstrained placement (003 section 2) ----------------------------------------------------------- */

const char *ft_pwl_start_text(enum ft_pwl_start start);

/* ---- constrained placement (003 section 3) --------------------------------------------------------------
 */

/* A spike that was replaced by one node. */
struct ft_pwl_spike {
	double begin, end; /* nodes of the model */
	double t, y;    /* the new node between; NaN: the straight line from begin to end, nothing was above
			   or below it */
	size_t ways;    /* how many nodes keep both areas; the one taken is nearest to the curve (L2) */
	double area[2]; /* of the curve, and of the model, until t and from it on; of a straight line: all
			   of it, and NaN */
};

/* ft_pwl_smooth - the node (w, y) with which the lines from (a, ya) over it to (b, yb) have the area of the
 * curve on both sides of w; of several the one nearest to the curve in the sense of L2.
 *
 * a < b  within the curve; ya, yb: the model's values there
 *
 * Returns false when there is none, or the straight line does: then w and y are NaN. O(points between).
 * Source: 003 section 4; the cubic on each piece: doc/traces.md.
 */
bool ft_pwl_smooth(const struct ft_pwl *f, double a, double ya, double b, double yb, double *w, double *y);

/* ft_nodes_smooth - replace what a model has between a and b by such a node. a and b are taken out to the
 * next nodes of the model, so that the areas between nodes stay those of the curve.
 *
 * Returns FT_OK; FT_EINVAL: not a < b within the curve, or no node can keep both areas; FT_ENOMEM.
 */
enum ft_status ft_nodes_smooth(struct ft_nodes *nodes, const struct ft_pwl *f, double a, double b,
			       struct ft_pwl_spike *spike, struct ft_err *err);

/* ---- phases ------------------------------------------------------------------------------------------- */

/* ft_pwl_phases_together - the phases of several curves of one run: cut at the same times, where a phase more
 * gains most in all of them. A curve's squares count in what a phase of it alone must gain, so neither its
 * unit nor its noise makes it weigh more. Phases have one name where all curves are at about the same level.
 *
 * f    [m] with the same times (ft_traces_meet); m >= 1
 * out  [m] of each curve: the same begins, ends and names; each the caller's, ends with ft_phases_clear;
 *      cleared on failure
 */
enum ft_status ft_pwl_phases_together(struct ft_phases *out, const struct ft_pwl *const *f, size_t m,
				      size_t most, struct ft_err *err);

/* ft_pwl_spikes_around - what is to be smoothed of a curve: its spikes and dips about ft_pwl_phases, each
 * with half of its length on either side, so that one node in its place is about half as high. None holds a
 * time of P inside.
 *
 * out  heap, ends with free; [n_out] ascending, no two overlap
 */
enum ft_status ft_pwl_spikes_around(struct ft_pwl_stretch **out, size_t *n_out, const struct ft_pwl *f,
				    const double *keep, size_t n_keep, struct ft_err *err);

/* Phases of several traces, those that are the same next to each other. */
struct ft_phase_rows {
	size_t n, traces;
	size_t like; /* the trace whose phases these are */
	size_t *at;  /* [traces x n] which phase of a trace it is; SIZE_MAX: that one lacks it */
};

/* ft_phases_align - which phases of runs of several sizes are the same one: in order, at about the same level
 * of their trace's range. The rows are the phases of one trace, of those of the most frequent number; phases
 * of other traces that are missing there have no row.
 *
 * phases  [traces], each of one phase at least; traces >= 1
 * out     the caller's, ends with ft_phase_rows_clear; cleared on failure
 */
enum ft_status ft_phases_align(struct ft_phase_rows *out, const struct ft_phases *phases, size_t traces,
			       struct ft_err *err);
void ft_phase_rows_clear(struct ft_phase_rows *rows); /* accepts NULL, and twice */

/* ---- traces from files --------------------------------------------------------------------------------- */

bool ft_trace_gaps_parse(const char *text, enum ft_trace_gaps *gaps);

/* ft_traces_meet - several columns of one file get the same times: those of all, from where the last one
 * begins to where the first one ends. The curves stay what they are there.
 *
 * trace  [m], each of one part; changed in place; of different origins: those of the first
 *
 * Returns FT_OK; FT_EINVAL: a trace in parts, or they have no time in common; FT_ENOMEM: they are as they
 * were.
 */
enum ft_status ft_traces_meet(struct ft_trace *trace, size_t m, struct ft_err *err);

/* ft_trace_time_parse - a time as the trace counts it: a number, or a date when its times are dates. */
enum ft_status ft_trace_time_parse(const struct ft_trace *trace, const char *text, double *t,
				   struct ft_err *err);

/* ft_trace_time_format - a time for people: a date when the trace has dates, else a number. */
enum { FT_TRACE_TIME_LENGTH = 48 };
char *ft_trace_time_format(const struct ft_trace *trace, double t, char buffer[FT_TRACE_TIME_LENGTH]);

/* ft_trace_interval_parse - "t1:t2" of such times; dates have colons of their own: the one that leaves two
 * times. Returns FT_OK; FT_EPARSE. */
enum ft_status ft_trace_interval_parse(const struct ft_trace *trace, const char *text, double *begin,
				       double *end, struct ft_err *err);

/* ft_trace_fit - ft_pwl_fit of all parts: `pieces` are given where they gain most, at least one to each; the
 * error is that over all parts, and out->nodes holds the nodes of one part behind those of the other.
 *
 * first  out [n_parts + 1]: where each part's nodes begin; may be NULL
 */
enum ft_status ft_trace_fit(struct ft_pwl_fit *out, const struct ft_trace *trace,
			    const struct ft_pwl_options *options, size_t *first, struct ft_err *err);

/* ft_trace_thin - few points of many, for a picture: of each of `columns` equal stretches of the time from
 * begin to end the first, least, most and last point, and the next points outside; so no spike is lost, and
 * the lines are those of all points to within a column. Few points stay all.
 *
 * begin < end  any times: what the picture shows
 * out          t ascending; between two parts a point whose y is NaN; no points: not needed there. The
 *              caller's, ends with ft_nodes_clear
 *
 * Returns FT_OK; FT_EINVAL: not begin < end, no columns; FT_ENOMEM. Cost O(log n + points shown).
 */
enum ft_status ft_trace_thin(struct ft_nodes *out, const struct ft_trace *trace, double begin, double end,
			     size_t columns, struct ft_err *err);

/* ---- the curves of all parts --------------------------------------------------------------------------- */

/* Zero-initialise; ends with ft_curves_clear. */
struct ft_curves {
	struct ft_pwl **part; /* [n] they borrow the trace's points */
	size_t n;
};

/* ft_curves_new - returns what ft_pwl_new returns; out: cleared on failure. */
enum ft_status ft_curves_new(struct ft_curves *out, const struct ft_trace *trace, struct ft_err *err);
void ft_curves_clear(struct ft_curves *curves); /* accepts NULL, and twice */

/* ft_curves_part - the part that a time lies in; -1: none. */
int ft_curves_part(const struct ft_curves *curves, double t);

/* ft_curves_compare - ft_pwl_compare of a model of all parts, one behind the other; first [n + 1]: where each
 * part's nodes begin. */
void ft_curves_compare(const struct ft_curves *curves, const struct ft_nodes *nodes, const size_t *first,
		       struct ft_pwl_error *error);

/* What a trace is, without what lies between its parts. */
struct ft_curves_summary {
	double length, area;
	double mean, deviation;   /* over time */
	double range[2], at[2];   /* least and most, and where they are first taken */
	double shortest, longest; /* from one point to the next */
};

struct ft_curves_summary ft_curves_summarise(const struct ft_curves *curves); /* O(points) */

/* Further options of a constrained model. All borrowed. */
struct ft_curves_wish {
	const double *keep; /* [n_keep] times within the parts */
	size_t n_keep;
	double lambda;
	const struct ft_pwl_stretch *smooth; /* [n_smooth] as ft_nodes_smooth, one after the other; begin NaN:
						ft_pwl_spikes_around */
	size_t n_smooth;
};

/* Ends with ft_curves_fit_clear. */
struct ft_curves_fit {
	struct ft_nodes nodes; /* part behind part */
	size_t *first;         /* [n + 1] where each part's nodes begin */
	struct ft_pwl_error error;
	struct ft_pwl_spike *spike; /* [n_spikes] smoothed; by part */
	size_t n_spikes;
};

/* ft_curves_constrain - ft_pwl_constrain of each part, then spikes smoothed in it. A stretch is of the part
 * that it begins in; begin and end of spikes that are found are times of P. Returns what ft_pwl_constrain,
 * ft_nodes_smooth and ft_pwl_spikes_around return; out:
 * cleared on failure. */
enum ft_status ft_curves_constrain(struct ft_curves_fit *out, const struct ft_curves *curves,
				   const struct ft_curves_wish *wish, struct ft_err *err);
void ft_curves_fit_clear(struct ft_curves_fit *fit); /* accepts NULL, and twice */

/* ft_curves_phases - ft_pwl_phases of each part, one behind the other; shares are of the work of all. */
enum ft_status ft_curves_phases(struct ft_phases *out, const struct ft_curves *curves, size_t most,
				struct ft_err *err);

/* ft_curves_spikes - ft_pwl_spikes of each part; period and height are those of the part with most. */
enum ft_status ft_curves_spikes(struct ft_spikes *out, const struct ft_curves *curves,
				const struct ft_phases *phases, bool dips, struct ft_err *err);

/*
 * How length and level of each phase of a program grow with the size of its run.
 */

enum { FT_PHASE_LAW_TEXT = 256, FT_GROW_SIZES = 3 /* at least, different */ };

/* The trace of a run; borrowed. */
struct ft_traced {
	double size;                    /* > 0 */
	const struct ft_phases *phases; /* [columns] cut at the same times, as ft_pwl_phases_together does */
};

/* By which law something grows. */
struct ft_phase_law {
	bool found;                         /* false: fewer than two sizes have it */
	double misfit;                      /* root mean square relative difference from the law */
	char law[FT_PHASE_LAW_TEXT];        /* ft_law_format */
	char words[FT_PHASE_LAW_TEXT];      /* ft_laws_words */
	struct ft_law_prediction predicted; /* of a run of the predicted size, with intervals of 0.9;
					  NaN: there is none, or no law */
};

/* One phase in all traces. */
struct ft_phase_growth {
	const struct ft_phase *like; /* of the trace that the others were aligned with; borrowed */
	size_t in;                   /* traces that have it */
	struct ft_phase_law length;
	struct ft_phase_law *level; /* [columns] */
};

/* Ends with ft_phases_growth_clear. */
struct ft_phases_growth {
	struct ft_phase_growth *phase; /* [n] */
	size_t n;
	double total_s, lower_s, upper_s; /* of all phases at that size; NaN: none requested, or one of
					     them has no law */
};

/* ft_phases_grow - laws of the phases that are the same in runs of several sizes (ft_phases_align).
 *
 * run        [n]
 * parameter  what the sizes are of, for the texts
 * wanted     a size to predict; NaN: none
 *
 * Returns FT_OK; FT_ENOMODEL: fewer than FT_GROW_SIZES different sizes; FT_ENOMEM. Cost that of a fit of laws
 * for each phase and column, and one more.
 */
enum ft_status ft_phases_grow(struct ft_phases_growth *out, const struct ft_traced *run, size_t n,
			      size_t columns, const char *parameter, double wanted, struct ft_err *err);
void ft_phases_growth_clear(struct ft_phases_growth *growth); /* accepts NULL, and twice */

#endif
