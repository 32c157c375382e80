/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scatter.h - how single runs lie about the typical one: the distribution of their residuals, in units of the
 * scatter around them. Skewed, for others only ever slow a run down. */
#ifndef FT_MODEL_SCATTER_H
#define FT_MODEL_SCATTER_H

#include "model/engine.h"

enum { FT__RESIDUALS = 64 };

/* Zero-initialised: no run was seen twice, the prior alone. */
struct ft__scatter {
	double residual[FT__RESIDUALS];                    /* [n] ascending; of more, so many quantiles */
	double law[FT__RESIDUALS], reached[FT__RESIDUALS]; /* runs up to each: of the prior, of both */
	size_t n;
	double runs;                    /* that they stand for */
	double freedom;                 /* runs that the curve did not follow: what shows the scatter */
	double usual;                   /* the deviation before any was seen, geometric mean over runs */
	double median;                  /* of the mixture with the prior */
	double spike_rate, spike_ratio; /* as in struct ft_model_facts */
};

/* ft__scatter_learn - of all runs of sites that tell something. site, known [sites]: what was told there, and
 * what is known of it (of ln value less ln work and base). FT_ENOMEM. */
enum ft_status ft__scatter_learn(struct ft__scatter *scatter, const struct ft__site *site,
				 const struct ft__known *known, size_t sites, struct ft_err *err);

/* ft__scatter_quantile - below which a share p of single runs lies, less the median. */
double ft__scatter_quantile(const struct ft__scatter *scatter, double p);

/* ft__scatter_settle - set law, reached and median, once the residuals are there. */
void ft__scatter_settle(struct ft__scatter *scatter);

#endif
