/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace.h - piecewise linear models of traces: utilisation, memory or load over time (document 003).
 *
 *	ft_pwl_new(&f, t, y, n, err);	a curve from arrays, borrowed
 *	ft_pwl_fit(&fit, f, &(struct ft_pwl_options){.pieces = 25}, err);
 *	printf("%g\n", fit.error.rms);	of the 25 straight pieces that are nearest to it
 *
 * ft_pwl_* work on arrays; ft_trace_* read files with their gaps, steps and dates, and speak of all parts of
 * a trace at once. Times are seconds, or any unit the caller's are in; nothing here depends on it.
 */
#ifndef FORETIME_TRACE_H
#define FORETIME_TRACE_H

#include "foretime/base.h"
#include "foretime/law.h"

#include <stdbool.h>
#include <stdint.h>

FT_BEGIN_DECLS

/* ---- curves ------------------------------------------------------------------------------------------- */

/* A continuous piecewise linear function with what makes its integrals cheap. */
struct ft_pwl;

/* ft_pwl_new - a curve through points.
 *
 * t, y  [n] finite, t ascending without equals, n >= 2; borrowed for the life of the curve
 * out   heap, ends with ft_pwl_free; NULL on failure
 *
 * Means, slopes and residuals are kept for a tree of stretches, each about its own middle, so that nothing
 * cancels: a curve far from the origin, in time or value, loses no digits. Returns FT_OK; FT_EINVAL: fewer
 * than two points, or one (its index in the text) not finite or not later than the one before; FT_ENOMEM.
 * Cost O(n), and a sixth of the memory of the points. A curve may be read by several threads.
 */
enum ft_status ft_pwl_new(struct ft_pwl **out, const double *t, const double *y, size_t n,
			  struct ft_err *err);
void ft_pwl_free(struct ft_pwl *f); /* accepts NULL */

/* ---- models ------------------------------------------------------------------------------------------- */

/* The nodes of a model: straight lines join them. Zero-initialise; ends with ft_nodes_clear. */
struct ft_nodes {
	double *t, *y; /* [n >= 2] t ascending */
	size_t n;
};

void ft_nodes_clear(struct ft_nodes *nodes); /* accepts NULL, and twice */
double ft_nodes_at(const struct ft_nodes *nodes, double t);

/* How far a model l is from a curve f. */
struct ft_pwl_error {
	double rms;         /* root of the mean over time of (f - l)^2 */
	double max;         /* the largest |f - l| */
	double max_at;      /* when */
	double area;        /* the integral of l */
	double area_data;   /* that of f */
	double least, most; /* of l */
};

/* What a model does at the first and the last time. X(name, what is printed) */
#define FT_PWL_ENDS_LIST(X)                                                                                  \
	X(FIXED, "fixed") /* it has the curve's values there (003 section 2) */                              \
	X(FREE, "free")   /* any that makes the error least */

enum ft_pwl_ends {
#define FT_PWL_ENDS_ENUM(name, words) FT_PWL_##name,
	FT_PWL_ENDS_LIST(FT_PWL_ENDS_ENUM)
#undef FT_PWL_ENDS_ENUM
};

/* ---- unconstrained placement (003 section 2) ----------------------------------------------------------- */

/* Where the search for nodes begins. X(name, what is printed) */
#define FT_PWL_START_LIST(X)                                                                                 \
	X(BEST, "best") /* from each of the next four (of few pieces not by merging), then nodes moved one \
			   by one; the least error counts */ \
	X(PATH, "path") /* from many pieces down to few, one less each time, and up again; 40 at most */     \
	X(EQUAL, "equal") /* equal distances (003 section 4) */                                              \
	X(DP, "dp")       /* dynamic programming over dozens of times where the curve bends */               \
	X(MERGE, "merge") /* many pieces, the two whose union costs least merged until n are left */         \
	X(NODES, "nodes") /* the caller's */

enum ft_pwl_start {
#define FT_PWL_START_ENUM(name, words) FT_PWL_START_##name,
	FT_PWL_START_LIST(FT_PWL_START_ENUM)
#undef FT_PWL_START_ENUM
};

/* Options of a fit; zero means the default. */
struct ft_pwl_options {
	size_t pieces; /* n; 0: as many as `rms` needs, or, without one, as many as differ from noise */
	double rms;    /* the root mean square error to keep below; 0: none requested */
	size_t most;   /* no more pieces than this; 0: 1000 with rms, else 40 */
	enum ft_pwl_start start;
	enum ft_pwl_ends ends;
	const struct ft_nodes *nodes; /* of FT_PWL_START_NODES: times within the curve; its ends are added */
	bool start_only;              /* no search: the start as it is, with the best values */
};

struct ft_pwl_fit {
	struct ft_nodes nodes; /* pieces + 1 */
	struct ft_pwl_error error;
	double start_rms;        /* of the start that led here */
	enum ft_pwl_start start; /* which it was */
	size_t evaluations;      /* of F and its gradient */
	bool reached;            /* the requested rms; true without one */
};

/* ft_pwl_fit - a model with n straight pieces, nearest to the curve in the sense of L2.
 *
 * options  zero-initialised: the defaults; not NULL
 * out      the caller's, ends with ft_pwl_fit_clear; cleared on failure
 *
 * Conjugate gradient (Polak-Ribiere) over the times of the nodes. Never worse than its start. The result is a
 * local optimum; FT_PWL_START_BEST looks at many and is rarely beaten. Returns FT_OK; FT_EINVAL: more pieces
 * than 10 times the points of the curve (a model needs no more than n - 1), nodes outside the curve or out of
 * order, rms not finite; FT_ENOMEM.
 */
enum ft_status ft_pwl_fit(struct ft_pwl_fit *out, const struct ft_pwl *f,
			  const struct ft_pwl_options *options, struct ft_err *err);
void ft_pwl_fit_clear(struct ft_pwl_fit *fit); /* accepts NULL, and twice */

/* ---- constrained placement (003 section 3) --------------------------------------------------------------
 */

/* ft_pwl_constrain - an admissible approximation: it has the curve's values at its own nodes and at P, is the
 * nearest line in the sense of L2 between consecutive nodes, so keeps the area between them, and never leaves
 * the range of the curve.
 *
 * keep    [n_keep] P: times within the curve, in any order
 * lambda  >= 1: each line is sought within (end - begin) / lambda of its left end; 1: as far as may be
 * out     the caller's, ends with ft_nodes_clear; cleared on failure
 *
 * Of the pairs of pieces where such a line may begin and end every one that qualifies is tested (the
 * document's bracket of four lines misses some). What nothing can replace is left as it is: then out is the
 * curve itself, without points on a straight line. Returns FT_OK; FT_EINVAL: lambda < 1, a time of P outside
 * the curve; FT_ENOMEM. Cost about O(n log n), of curves of which nothing can be removed too.
 */
enum ft_status ft_pwl_constrain(struct ft_nodes *out, const struct ft_pwl *f, const double *keep,
				size_t n_keep, double lambda, struct ft_err *err);

/* ---- phases ------------------------------------------------------------------------------------------- */

enum { FT_PHASE_NAME = 16, FT_PHASE_TEXT = 96 };

/* A stretch of time in which a program does one thing. */
struct ft_phase {
	double begin, end;
	double level;             /* the mean over time */
	double slope;             /* of the nearest line */
	double from, to;          /* that line's values at begin and end */
	double rms;               /* of the curve about that line */
	double work;              /* the integral */
	double share;             /* of the work of all; NaN when that is 0 */
	char name[FT_PHASE_NAME]; /* the same for phases at about the same level: "A", "B", ... the highest
				     first */
	char text[FT_PHASE_TEXT]; /* "steady, high", "rises from low to high" */
};

struct ft_phases {
	struct ft_phase *phase;
	size_t n;
	double work;
	double rms; /* of the curve about the phases' lines */
};

/* ft_pwl_phases - the phases of a curve: straight stretches that need not meet, cut at the nodes of an
 * unconstrained fit and at the abrupt changes between them; as many as are distinct.
 *
 * most  no more than this many; 0: 20
 * out   the caller's, ends with ft_phases_clear; cleared on failure
 */
enum ft_status ft_pwl_phases(struct ft_phases *out, const struct ft_pwl *f, size_t most, struct ft_err *err);

void ft_phases_clear(struct ft_phases *phases); /* accepts NULL, and twice */

struct ft_pwl_stretch {
	double begin, end;
};

/* What leaves the phases for a short time. */
struct ft_spikes {
	double *t;                 /* [n] when they are highest */
	struct ft_pwl_stretch *at; /* [n] from the point before each to the point after it */
	size_t n, capacity;
	double height; /* above (below) the phase's line, on average */
	double period; /* they come at equal times, but for some that are left out; 0: they do not */
};

/* ft_pwl_spikes - those of a curve with these phases: more than six robust deviations off the phase, farther
 * than its noise ever is by how that falls off, a fifth of the curve's range, and no longer than a tenth of
 * the phase.
 *
 * dips  downward
 * out   the caller's, ends with ft_spikes_clear; cleared on failure
 */
enum ft_status ft_pwl_spikes(struct ft_spikes *out, const struct ft_pwl *f, const struct ft_phases *phases,
			     bool dips, struct ft_err *err);
void ft_spikes_clear(struct ft_spikes *spikes); /* accepts NULL, and twice */

/* ---- traces from files --------------------------------------------------------------------------------- */

/* What is done about rows without a value, and times without rows. X(name, what is printed) */
#define FT_TRACE_GAPS_LIST(X)                                                                                \
	X(JOIN, "join")   /* a straight line across */                                                       \
	X(BREAK, "break") /* the parts are modelled each by itself */                                        \
	X(ZERO, "zero")   /* the value is 0 meanwhile */

enum ft_trace_gaps {
#define FT_TRACE_GAPS_ENUM(name, words) FT_TRACE_##name,
	FT_TRACE_GAPS_LIST(FT_TRACE_GAPS_ENUM)
#undef FT_TRACE_GAPS_ENUM
};

/* How a file is read; zero means the default. */
struct ft_trace_format {
	const char *time, *value; /* columns by name or number (from 1); NULL: found */
	bool steps;               /* each value holds until the next row; the last row is the end */
	enum ft_trace_gaps gaps;
};

/* A trace as it was read. Zero-initialise; ends with ft_trace_clear. */
struct ft_trace {
	double *t, *y; /* [n] t ascending, seconds; of dates: since `origin_ns` */
	size_t n;
	size_t *part; /* [n_parts + 1] where each part begins; more than one with FT_TRACE_BREAK only */
	size_t n_parts;
	bool dated;        /* the times were dates */
	int64_t origin_ns; /* of dates: the first one, since 1970 */
	size_t rows;       /* of the file that had a time */
	size_t gaps;       /* rows without a value in succession, or missing rows, count as one */
	double gap_s;      /* how long they are in all */
	double gap_at;     /* when the first one begins */
	size_t same;       /* steps: rows that the next one of the same time replaced */
	double step_s;     /* steps, gaps as zero: the width of the steep piece that stands for a jump */
	bool cut;          /* the last line had no end, and was left out */
	char time_column[64], value_column[64]; /* as the header has them; else their numbers */
	uint64_t bytes;                         /* read, unpacked */
};

/* ft_trace_read - a trace from a CSV file.
 *
 * path    plain or gzip; "-": standard input, read as it comes
 * format  zero-initialised: the defaults; not NULL
 * out     the caller's, ends with ft_trace_clear; cleared on failure
 *
 * The separator is the comma, semicolon, tab or blanks that the first line has; a header is optional; lines
 * that begin with '#' are passed over, but for a header. Times are numbers, ISO 8601 dates, hh:mm:ss, a date
 * and hh:mm:ss in two columns, or whole milli-, micro- or nanoseconds since 1970, known by their size. Values
 * may have a unit, all the same one. An empty cell, NaN, NA or null is a gap; so is a distance of more than
 * twice and a half of the usual one where that is regular. With `steps` a jump becomes a steep piece about
 * its time, a thousandth of the shortest distance wide, and the integral is kept.
 *
 * Returns FT_OK; FT_ENOENT, FT_EACCESS, FT_EIO; FT_EPARSE with path and line: not a number, an infinity, too
 * few cells, no text, a column that is not there; FT_EINVAL: a time not later than the one before, fewer than
 * two points; FT_ENOMEM. Memory: the points, and what is read at once.
 */
enum ft_status ft_trace_read(struct ft_trace *out, const char *path, const struct ft_trace_format *format,
			     struct ft_err *err);

/* ft_trace_parse - as ft_trace_read, from memory; name stands in messages where a path would. */
enum ft_status ft_trace_parse(struct ft_trace *out, const char *name, const char *bytes, size_t length,
			      const struct ft_trace_format *format, struct ft_err *err);
void ft_trace_clear(struct ft_trace *trace); /* accepts NULL, and twice */

FT_END_DECLS

#endif
