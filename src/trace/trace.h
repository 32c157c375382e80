/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace.h - traces: piecewise linear models, phases, and spikes of utilisation curves. */
#ifndef FT_TRACE_TRACE_H
#define FT_TRACE_TRACE_H

#include "base/alloc.h"
#include "base/input.h"
#include "foretime/base.h"
#include "foretime/trace.h"
#include "trace/door.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A curve as used by the files of this room.
 */

/* points of a leaf of the tree */

/* What a curve is over a stretch of time. Two neighbours make one without cancellation. */
struct ft__span {
	double h;     /* length */
	double mean;  /* of the curve */
	double slope; /* of its best L2 line, which has the same mean at the middle */
	double r;     /* integral of (curve - line)^2 */
};

struct ft__sketch;

/* Times and values count from the first point: t0, y0. */
struct ft_pwl {
	const double *t, *y; /* [n] the caller's */
	size_t n;
	double t0, y0;
	double length; /* t[n - 1] - t0 */
	size_t n_blocks;
	struct ft__span *tree; /* [2 n_blocks] node i joins 2 i and 2 i + 1; leaves from n_blocks on */
	const struct ft__sketch *sketch; /* looked at instead, where a search need not be exact; NULL */
};

/* ft__span_join - two neighbours as one. */
struct ft__span ft__span_join(struct ft__span a, struct ft__span b);

/* ft__pwl_find - the last i with t[i] - t0 <= x, at most n - 2. */
size_t ft__pwl_find(const struct ft_pwl *f, double x);

/* ft__pwl_value, ft__pwl_span - as ft_pwl_at and ft_pwl_line, counted from t0 and y0. */
double ft__pwl_value(const struct ft_pwl *f, double x);
struct ft__span ft__pwl_span(const struct ft_pwl *f, double a, double b);

/* ft__pwl_spans - between all neighbours among x [n], ascending: span [n - 1]. */
void ft__pwl_spans(const struct ft_pwl *f, const double *x, size_t n, struct ft__span *span);

/* ft__span_square - the integral of (curve - line)^2 for the line from p at the span's begin to q at its end.
 */
double ft__span_square(const struct ft__span *span, double p, double q);

/*
 * A line that may stand for a stretch of a curve (003 section 3.1).
 */

struct ft__xy {
	double x, y;
};

/* Where a line may begin, left[0] .. left[1], and end, right[0] .. right[1], both on straight pieces of the
 * curve; `inner`: the curve from left[1] to right[0]. */
struct ft__stretch {
	struct ft__xy left[2], right[2];
	struct ft__span inner;
	double size; /* the range of the curve's values: differences negligible relative to it count as 0 */
};

/* ft__admissible - the longest line from the left piece to the right one that has the curve's area and is its
 * nearest line in the sense of L2. Returns false when there is none. */
bool ft__admissible(const struct ft__stretch *stretch, struct ft__xy *begin, struct ft__xy *end);

/*
 * Parse the cells of a line.
 */

/* A part of a line. */
struct ft__cell {
	const char *begin, *end;
};

/* ft__cell_next - the cell that begins at `at`, without blanks and quotes around it; returns where the next
 * one begins, or NULL: it was the last. A separator of ' ' is any run of blanks. */
const char *ft__cell_next(const char *at, const char *end, char separator, struct ft__cell *cell);

/* ft__cell_number - the whole cell as a decimal number; infinities are numbers here, NaN is none. */
bool ft__cell_number(struct ft__cell cell, double *value);

/* ft__cell_date - the whole cell as a date, ISO 8601 (the signs between, the seconds, their fraction and the
 * zone may be left out: UTC), in nanoseconds since 1970. */
bool ft__cell_date(struct ft__cell cell, int64_t *ns);

/* ft__cell_clock - the whole cell as hours, minutes and seconds: 10:00:07, 120:00:00.5. */
bool ft__cell_clock(struct ft__cell cell, double *seconds);

/* ft__cell_quantity - the whole cell as a number and its unit, which may be nothing: "55 %", "1.5 GiB".
 * `comma`: the decimals may stand behind a comma. */
bool ft__cell_quantity(struct ft__cell cell, bool comma, double *value, struct ft__cell *unit);

/* ft__cell_empty - nothing, or a word for nothing: NaN, NA, null, none, "-", "?". */
bool ft__cell_empty(struct ft__cell cell);

/*
 * The least error of all pieces on one side of a node, as a function of the node's value.
 *
 * With given times that function is a parabola. Passing it over one piece more, whose other end is free,
 * gives a parabola again: so the cost of removing a node, and the gain of adding one, are exact, with the
 * best values of all other nodes, in O(1).
 */

/* a (y - b)^2 + c; a = INFINITY: y is b. */
struct ft__parabola {
	double a, b, c;
};

/* Nodes, the curve over their pieces, and the parabolas from both ends. Zero-initialise; ends with
 * ft__chain_clear. */
struct ft__chain {
	const struct ft_pwl *f;
	enum ft_pwl_ends ends;
	size_t n, most;
	double *x;
	struct ft__span *span;             /* [n - 1] */
	struct ft__parabola *left, *right; /* [n] of all pieces before the node, and behind it */
};

enum ft_status ft__chain_init(struct ft__chain *chain, struct ft_arena *arena, const struct ft_pwl *f,
			      enum ft_pwl_ends ends, size_t most, struct ft_err *err);

/* ft__chain_set - set these nodes, and compute everything again. */
void ft__chain_set(struct ft__chain *chain, const double *x, size_t n);

/* ft__chain_square - F. */
double ft__chain_square(const struct ft__chain *chain);

/* ft__chain_with - F with another node at x, or two at x < z, inside piece j (NaN: only one). */
double ft__chain_with(const struct ft__chain *chain, size_t j, double x, double z);

/* ft__chain_insert, ft__chain_remove - n changes by one; the parabolas are brought up to date by
 * ft__chain_sweep. */
void ft__chain_insert(struct ft__chain *chain, size_t j, double x); /* inside piece j; n < most */
void ft__chain_remove(struct ft__chain *chain, size_t j);
void ft__chain_sweep(struct ft__chain *chain);

/* ft__chain_cheapest - the inner node whose removal costs least; n > 2. */
size_t ft__chain_cheapest(const struct ft__chain *chain);

/* ft__chain_thin - nodes removed, the cheapest first, until n are left; of many, several at once that are no
 * neighbours. */
enum ft_status ft__chain_thin(struct ft__chain *chain, size_t n, struct ft_err *err);

/* ft__mesh - possible times of nodes among the curve's points: the interval with the largest residual of its
 * best line is halved repeatedly.
 *
 * x     out [most + 1], ascending, the ends included
 * Returns FT_OK (n nodes; fewer than most when nothing is left to divide); FT_ENOMEM.
 */
enum ft_status ft__mesh(const struct ft_pwl *f, size_t most, double *x, size_t *n, struct ft_err *err);

/* ft__dp - the best nodes among given times, for every number of pieces up to `most`: dynamic programming
 * whose state is the parabolas that are lowest somewhere (after Fearnhead, Maidstone & Letchford 2019, CPOP;
 * 003's Bellman & Roth 1969 has values on a grid).
 *
 * x       [m] ascending, the ends included
 * square  out [most + 1]: F of the best with so many pieces; INFINITY where there are none
 * node    out [most + 1][most + 1] row-major: the numbers in x of its nodes
 *
 * Cost O(most m^2). Nearly exact: of the parabolas those are kept that are lowest at some twenty values.
 */
enum ft_status ft__dp(const struct ft_pwl *f, enum ft_pwl_ends ends, const double *x, size_t m, size_t most,
		      double *square, size_t *node, struct ft_err *err);

/*
 * Find the columns of time and value in a table, and their formats.
 */

enum { FT__CELL_TEXT = 48 };

struct ft__text_line {
	const char *text; /* NULL: none */
	size_t length;
};

/* How times are written. */
enum ft__time_form {
	FT__TIME_NUMBER,
	FT__TIME_DATE,
	FT__TIME_CLOCK,      /* hh:mm:ss */
	FT__TIME_DATE_CLOCK, /* a date, and in the next column the clock */
	FT__TIME_COUNT,      /* milliseconds, microseconds or nanoseconds since 1970 */
};

struct ft__columns {
	char separator;
	size_t time, value; /* from 0 */
	enum ft__time_form form;
	int64_t count_ns; /* of FT__TIME_COUNT */
};

/* ft__columns_find - from the header (its text may be NULL) and the first row; name and line for messages. */
enum ft_status ft__columns_find(struct ft__columns *columns, const struct ft_trace_format *format,
				const char *name, size_t line, struct ft__text_line head,
				struct ft__text_line row, struct ft_err *err);

/* ft__columns_head - is this line a header: are there two names or more, as `row` has cells where that is
 * given, and no number or time among them? */
bool ft__columns_head(struct ft__text_line line, const struct ft__text_line *row);

/* ft__columns_name - what the header calls a column; else its number. */
void ft__columns_name(const struct ft__columns *columns, struct ft__text_line head, size_t column,
		      char name[64]);

/* ft__cell_printable - a cell as it may stand in a message. */
const char *ft__cell_printable(struct ft__cell cell, char text[FT__CELL_TEXT]);

/*
 * The statistics of a trace's parts, combined.
 */

/* ft__nodes_append - nodes behind those that there are; FT_ENOMEM: these stay. */
enum ft_status ft__nodes_append(struct ft_nodes *all, const struct ft_nodes *more, struct ft_err *err);

/* ft__error_join - of one part more; all but the root mean square. first: there was none yet. */
void ft__error_join(struct ft_pwl_error *all, const struct ft_pwl_error *one, bool first);

/*
 * Nodes with their best values, and the search for better times.
 */

/* A workspace for models of up to `most` nodes. In an arena's memory. Times and
 * values count from the curve's t0 and y0. */
struct ft__placing {
	const struct ft_pwl *f;
	enum ft_pwl_ends ends;
	size_t most;
	/* of the nodes that were looked at last */
	size_t n;
	double *x, *y, *g;     /* [n] g = dF/dx */
	struct ft__span *span; /* [n - 1] the curve over each piece */
	double square;         /* F */
	size_t evaluations;
	/* scratch */
	double *below, *right, *try_x, *direction, *scaled, *before;
};

/* ft__placing_look - the best values of nodes x [n], F and its gradient. x may be place->x. Returns F. */
double ft__placing_look(struct ft__placing *w, const double *x, size_t n);

/* ft__placing_descend - from place->x downhill by conjugate gradient, for at most so many steps, until steps
 * gain less than `least` of F. Returns F. */
double ft__placing_descend(struct ft__placing *w, int steps, double least);

/*
 * Compensated sums: differences of two are accurate to every digit.
 */

struct ft__sum {
	double high, low;
};

static inline struct ft__sum ft__sum_add(struct ft__sum sum, double value)
{
	double high = sum.high + value, part = high - sum.high;

	return (struct ft__sum){high, sum.low + ((sum.high - (high - part)) + (value - part))};
}

static inline double ft__sum_less(struct ft__sum a, struct ft__sum b)
{
	return (a.high - b.high) + (a.low - b.low);
}

/*
 * A curve as a search sees it: straight cells between chosen points, and its integrals in O(1).
 *
 * Up to some ten thousand points the cells are the curve's own pieces, and nothing is lost; of longer curves
 * a cell is the nearest line between two points of the mesh, with the square that the line leaves.
 */

/* Integrals of f, x f and f^2 from the begin of the curve. */
struct ft__integrals {
	struct ft__sum f, xf, ff;
};

/* A cell: the line from p at its begin to the next one's begin, and what it leaves. */
struct ft__cell_line {
	double p, slope, r;
};

struct ft__sketch {
	size_t n;                       /* points */
	double *x;                      /* [n] from the curve's t0 */
	struct ft__cell_line *line;     /* [n - 1] */
	struct ft__integrals *integral; /* [n] up to each point */
	uint32_t *bucket;               /* [n] of so many equal parts of the time: the cell each begins in */
	double per_time;                /* buckets to a unit of time */
};

/* ft__sketch_init - in the arena's memory. Returns FT_OK; FT_ENOMEM. */
enum ft_status ft__sketch_init(struct ft__sketch *sketch, struct ft_arena *arena, const struct ft_pwl *f,
			       struct ft_err *err);

/* ft__sketch_find - the last i with x[i] <= x, at most n - 2. */
size_t ft__sketch_find(const struct ft__sketch *sketch, double x);

/* ft__sketch_span - as ft__pwl_span; but for rounding the same where cells are pieces of the curve. */
struct ft__span ft__sketch_span(const struct ft__sketch *sketch, double a, double b);

/*
 * The search for the nodes of a curve: one mesh, one workspace, many starts.
 */

enum {
	FT__DP_MOST = 200,     /* pieces: above this dynamic programming takes too long */
	FT__PIECES_USUAL = 40, /* among which their number is sought */
	FT__PATH_MOST = 40,    /* pieces up to which all numbers of them are looked at, one after another */
};

struct ft__seek {
	const struct ft_pwl *f;
	struct ft__sketch sketch;
	struct ft_pwl coarse; /* the curve as the sketch shows it */
	enum ft_pwl_ends ends;
	size_t most;              /* pieces */
	struct ft__placing place; /* the present model */
	struct ft__chain chain;   /* scratch */
	double *mesh;
	size_t n_mesh;
	double *best; /* [most + 1] the best nodes so far */
	/* the best of each number of pieces that are known, while path_most > 0 */
	double *square, *path;
	size_t path_most;
	struct ft_arena *arena; /* of all this */
};

enum ft_status ft__seek_init(struct ft__seek *s, struct ft_arena *arena, const struct ft_pwl *f,
			     enum ft_pwl_ends ends, size_t most, struct ft_err *err);

/* ft__seek_path - good nodes for all numbers of pieces up to `most`, into square and path: from many pieces
 * downwards, the cheapest node leaving, then upwards, the best ones entering, each time followed by descent.
 */
enum ft_status ft__seek_path(struct ft__seek *s, size_t most, struct ft_err *err);

/* ft__path_nodes - the k + 1 nodes of k <= path_most pieces. */
double *ft__path_nodes(const struct ft__seek *s, size_t k);

/* ft__seek_polish - from now on the curve itself; downhill from place->x. */
void ft__seek_polish(struct ft__seek *s, int steps, double least);

/* The starts: n pieces into place->x, looked at. */
void ft__start_equal(struct ft__seek *s, size_t n);
enum ft_status ft__start_path(struct ft__seek *s, size_t n, struct ft_err *err);
enum ft_status ft__start_merge(struct ft__seek *s, size_t n, struct ft_err *err);
enum ft_status ft__start_dp(struct ft__seek *s, size_t n, struct ft_err *err);
void ft__start_nodes(struct ft__seek *s, const struct ft_nodes *nodes);

/* ft__improve - nodes taken from where they are worth little to where they are worth more, each time followed
 * by descent, until nothing gains. */
void ft__improve(struct ft__seek *s);

/*
 * Choose the number of pieces of a curve.
 */

/* ft__count_pieces - from the errors F of the best models with 1 .. most pieces, square [most + 1], the
 * number above which pieces gain no more than noise would; `places` a node could have taken. */
size_t ft__count_pieces(const double *square, size_t most, size_t places);

/* ft__count_noise - of a path with so many pieces or more: fewer, where the last ones gain no more than noise
 * that remembers itself from row to row would. *pieces in and out. */
enum ft_status ft__count_noise(struct ft__seek *s, size_t *pieces, struct ft_err *err);

/* ft__count - both, over a path of up to `most` pieces that is made for it. */
enum ft_status ft__count(struct ft__seek *s, size_t most, size_t *pieces, struct ft_err *err);

/*
 * Decide how many phases few rows support.
 */

/* with more, the residuals of the phases determine the noise */

/* ft__phases_gate - a phase more is believed where it gains more than on 58 of 59 made rows that have one
 * less: their lines, and noise of the first order as these leave it (parametric bootstrap; what lines
 * take of the likeness of neighbours is given back). The same rows give the same answer.
 *
 * y         [m][n] of m curves at about equal distances, n <= FT__GATE_ROWS; what noise they have in common
 * is made in common weight    [m] of a curve's squares shortest  phase, as a share of all; three rows at
 * least phases    in: the most there are; out: those that are believed, >= 1
 */
enum ft_status ft__phases_gate(const double *const *y, const double *weight, size_t m, size_t n,
			       double shortest, size_t *phases, struct ft_err *err);

/*
 * Steps of the search for phases.
 */

/* A jump of less than this share of the range is none. */
#define FT__ABRUPT 0.1

/* ft__spikes_height - how far off a curve's level a spike is at least.
 *
 * range  of the curve
 * off    half of the rows of the level lie within so much of it
 */
double ft__spikes_height(double range, double off);

/* ft__spikes_add - one more. */
enum ft_status ft__spikes_add(struct ft_spikes *spikes, double t, struct ft_pwl_stretch at,
			      struct ft_err *err);

/*
 * Rows as read, before gaps and steps are handled.
 */

/* No value is known from `begin` until point `before`. */
struct ft__gap {
	size_t before;
	double begin;
};

struct ft__raw {
	struct ft_trace *out; /* facts about the file */
	bool stream;          /* standard input: a last line without an end is not whole */
	double *t, *y;        /* [n] rows with a value */
	size_t n, capacity;
	struct ft__gap *gap; /* ascending */
	size_t n_gaps, gaps_capacity;
	size_t held; /* steps joined: rows without a value, through which the one before holds */
	double end;  /* the last time that something is known of */
};

/* ft__read_rows - all rows of an input, which stays the caller's; raw is zeroed, with `out` and `stream`,
 * and the caller frees its arrays. */
enum ft_status ft__read_rows(struct ft__raw *raw, struct ft_input *input,
			     const struct ft_trace_format *format, struct ft_err *err);

/*
 * On which pieces of a curve an admissible line from a given piece may end.
 *
 * The line from a to b is admissible if the best L2 line over a..b has the curve's values at both ends. The
 * difference of the best line from the curve at its left end changes little from one b to the next, even if
 * the curve varies much: stretches where it, or that at the right end, has one sign for all a and b are
 * skipped at once.
 */

enum { FT__SIEVE_LEVELS = 64 };

/* Least and most. */
struct ft__bound {
	double least, most;
};

/* What is known of a stretch of points. */
struct ft__sieve_stretch {
	double slope;           /* of its chord */
	struct ft__bound above; /* g: the curve above the chord */
	struct ft__bound area;  /* p: the integral of g from the first point on */
};

/* Integrals of the curve and of x times it up to a point. */
struct ft__sieve_sums {
	struct ft__sum f, xf;
};

/* Points of a curve. The caller sets x, y, n and size; ends with ft__sieve_clear. */
struct ft__sieve {
	const double *x, *y; /* [n] the caller's */
	size_t n;
	double size;                                       /* the range of the values */
	struct ft__sieve_sums *to;                         /* [n] */
	struct ft__sieve_stretch *level[FT__SIEVE_LEVELS]; /* each half as many as the one before */
	size_t levels;
};

/* ft__sieve_init - O(n), in the arena's memory. Returns FT_OK; FT_ENOMEM. */
enum ft_status ft__sieve_init(struct ft__sieve *v, struct ft_arena *arena, struct ft_err *err);

/* ft__sieve_before - the last piece from point j to the next, first <= j < end, on which a line may end that
 * begins between `from` and point `first`, both on one piece. Returns false: there is none. */
bool ft__sieve_before(const struct ft__sieve *v, struct ft__xy from, size_t first, size_t end, size_t *piece);

#endif
