/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nmf_work.h - a factorisation at work: shared by the updates for squares and for divergences. */
#ifndef FT_NUM_NMF_WORK_H
#define FT_NUM_NMF_WORK_H

#include "num/nmf.h"

#include <stddef.h>

/* What stands for zero where something is divided by it. */
#define FT__NMF_TINY 1e-300

struct ft__nmf_work;

/* How a loss is made smaller: a row of a table. */
struct ft__nmf_way {
	/* One factor moves to where the loss is smaller, the other fixed. careful: in a way that never makes
	 * it larger. Returns the loss where it ends; of w: nothing. */
	double (*update)(struct ft__nmf_work *k, bool of_w, bool careful);
	double (*loss)(struct ft__nmf_work *k);
};

/* Hierarchical alternating least squares; Newton's steps entry by entry, of divergences. With `careful`, and
 * where asked for, both are multiplicative updates. */
extern const struct ft__nmf_way ft__nmf_squares, ft__nmf_divergence;

struct ft__nmf_work {
	size_t m, n, r;
	bool multiplicative;
	double theta;         /* of nonsmooth, else 0 */
	const double *x;      /* [m x n] */
	const double *turned; /* [n x m] x' */
	double *w, *h;        /* [r x m], [r x n] */
	double square;        /* sum x^2 */
	/* Entries that are not known: what stands for them in x and turned is what w h says. */
	double *filled, *filled_turned; /* x and turned, writable; NULL: all is known */
	size_t *hole, holes;            /* [holes] indices i n + j */
	/* for the ways */
	double *along;  /* [r x max(m, n)] one factor times x */
	double *gram;   /* [r x r] */
	double *smooth; /* [r x max(m, n)] w s or s h */
	double *row;    /* [max(m, n)] */
	double *sum;    /* [r] */
	double *memory;
};

/* ft__nmf_fill - what left right says of the entries that are not known: [r x m], [r x n]. */
void ft__nmf_fill(struct ft__nmf_work *k, const double *left, const double *right);

double ft__nmf_mean(const double *x, size_t n); /* n >= 1; in one fast pass */

#endif
