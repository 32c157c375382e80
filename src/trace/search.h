/* SPDX-License-Identifier: GPL-3.0-or-later */
/* search.h - the search for the nodes of a curve: one mesh, one workspace, many starts. */
#ifndef FT_TRACE_SEARCH_H
#define FT_TRACE_SEARCH_H

#include "trace/chain.h"
#include "trace/place.h"
#include "trace/sketch.h"

enum {
	FT__DP_MOST = 200,     /* pieces: beyond, dynamic programming takes too long */
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

/* ft__best_places - among n pieces x the best place for one node more, place[0], and for two neighbours,
 * place[1] and [2]; NaN: there is none. */
void ft__best_places(struct ft__seek *s, const double *x, size_t n, double place[3]);

/* ft__enter - these nodes with so many more, into place->x; false: there is no room for them. */
bool ft__enter(struct ft__seek *s, const double *x, size_t n, const double *more, size_t count);

#endif
