/* SPDX-License-Identifier: GPL-3.0-or-later */
/* request.h - what requests for one size and for all sizes share. */
#ifndef FT_ASK_REQUEST_H
#define FT_ASK_REQUEST_H

#include "ask/ask.h"
#include "foretime/request.h"

/* ft__request_split - give each resource a part of the risk as large as its share of the noise: where runs
 * scatter little, much certainty costs little (doc/models.md, Requests). Half each where noise is not known
 * so.
 *
 * Returns FT_OK; what ft_ask_model returns. */
enum ft_status ft__request_split(struct ft_answerer *answerer, const struct ft_size *size,
				 struct ft_request *request, struct ft_err *err);

/* ft__request_init - check the risk, choose the resources, give each half of it. */
enum ft_status ft__request_init(struct ft_answerer *answerer, double risk, struct ft_request *out,
				struct ft_err *err);

/* ft__request_upper - what the model says at a size (at->upper: a share `risk` of single runs is above it),
 * and the upper end: no more than at->upper, and below the sizes measured no more than at the smallest of
 * them.
 *
 * risk  0.0005 .. 0.25
 *
 * Returns what ft_ask_model and ft_ask_predict return. */
enum ft_status ft__request_upper(struct ft_answerer *answerer, const char *resource,
				 const struct ft_size *size, double risk, struct ft_prediction *at,
				 double *most, struct ft_err *err);

/* ft__request_cpus - the processors that runs keep busy, the median over those of the nearest sizes; NaN: not
 * known. */
double ft__request_cpus(const struct ft_answerer *answerer, const struct ft_size *size);

/* ft__request_reached - the most memory that runs which were killed for it had reached, among those that
 * are not above `fixed` in any parameter but the varying one; NaN: not known. */
double ft__request_reached(const struct ft_runs *runs, const char *resource, size_t varying,
			   const struct ft_size *fixed);

#endif
