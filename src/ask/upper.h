/* SPDX-License-Identifier: GPL-3.0-or-later */
/* upper.h - what a share of runs stays below, also where the normal law or the power law promise too much:
 * wild runs, and a constant beside a power. doc/models.md, Requests. */
#ifndef FT_ASK_UPPER_H
#define FT_ASK_UPPER_H

#include "ask/ask.h"

/* A law a x^q + b x^p of the outermost knots, x relative to the last of them; weight: how likely it is among
 * all, sum 1. */
struct ft__terms {
	double a, q, b, p, weight;
};

enum { FT__TERMS_MAX = 160 };

/* One resource at one risk, ready to be asked at any size. Zero-initialise. */
struct ft__upper {
	struct ft_answerer *answerer;
	char resource[FT_RESOURCE_LENGTH];
	double risk;   /* share of single runs above */
	double normal; /* the normal law's quantile there */
	/* The rest where the model is one over a single parameter; else NULL and 0 */
	const struct ft_model *model;
	size_t varying;
	double own; /* quantile of the runs' own errors, in units of the noise; 0: too few */
	struct ft__terms terms[FT__TERMS_MAX]; /* [n_terms] */
	size_t n_terms;
};

/* ft__upper_init - risk 0.0005 .. 0.25. Holds nothing that needs clearing. Returns what ft_ask_model
 * returns; FT_ENOMEM. */
enum ft_status ft__upper_init(struct ft__upper *upper, struct ft_answerer *answerer, const char *resource,
			      const struct ft_size *size, double risk, struct ft_err *err);

/* ft__upper_at - what the model says at a size (at->upper: at the risk, one-sided), and the upper end, no
 * less than at->upper. The size has the fixed parameters of the one that was prepared. */
enum ft_status ft__upper_at(const struct ft__upper *upper, const struct ft_size *size,
			    struct ft_prediction *at, double *most, struct ft_err *err);

/* ft__own_quantile - the (1 - risk) quantile of the errors that runs have about what the others say of their
 * size, in units of the noise there; beyond the largest one the tail goes on exponentially. 0: fewer than
 * eight errors are known. Returns FT_OK or FT_ENOMEM. */
enum ft_status ft__own_quantile(const struct ft_model *model, const struct ft_runs *runs, size_t varying,
				const struct ft_size *fixed, const char *resource, double risk, double *out,
				struct ft_err *err);

/* ft__terms_find - laws of two terms through the model's outermost knots, by their likelihood.
 * terms  [FT__TERMS_MAX] out. Returns how many; 0: too few knots, or sizes or values that are not positive.
 */
size_t ft__terms_find(const struct ft_model *model, struct ft__terms *terms);

#endif
