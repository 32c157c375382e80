/* SPDX-License-Identifier: GPL-3.0-or-later */
/* request.h - what requests for one size and for all sizes share. */
#ifndef FT_ASK_REQUEST_H
#define FT_ASK_REQUEST_H

#include "ask/ask.h"
#include "foretime/request.h"

/* ft__request_split - divide the stated risk between time and memory so that the product of what is asked for
 * is least over three measured sizes, by the quantiles of the predictions themselves (doc/requests.md).
 *
 * Returns FT_OK; what ft_ask_predict returns. Cost: 33 predictions of each resource. */
enum ft_status ft__request_split(struct ft_answerer *answerer, const struct ft_size *at,
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
enum ft_status ft__request_upper(struct ft_answerer *answerer, const struct ft_resource *resource,
				 const struct ft_size *size, double risk, struct ft_prediction *at,
				 double *most, struct ft_err *err);

/* ft__request_least - for a risk of FT_RISK_LEAST_MOST or _DOUBLE: give each resource the risk that wastes
 * least over n sizes, and out->risk their sum. (request_risk.c)
 *
 * out  as ft__request_init made it
 *
 * Returns FT_OK; what ft_ask_predict returns. Cost: some 30 predictions of each resource and size. */
enum ft_status ft__request_least(struct ft_answerer *answerer, const struct ft_size *size, size_t n,
				 struct ft_request *out, struct ft_err *err);

/* ft__request_wasted - what a job wastes of a resource over its tries, the first of which asks for `asked`
 * (> 0): all of a try that was killed, and of the last one what was not used. seen, most: as of
 * FT_RISK_LEAST_MOST. */
double ft__request_wasted(double asked, double need, double seen, bool most);

/* ft__request_doubt - whether what is known of a size is enough for a request. at: out, the 90 % prediction.
 */
enum ft_status ft__request_doubt(struct ft_answerer *answerer, const struct ft_resource *resource,
				 const struct ft_size *size, enum ft_doubt *out, struct ft_prediction *at,
				 struct ft_err *err);

/* ft__request_edge - the size, but no larger in any parameter than what the model knows. */
struct ft_size ft__request_edge(const struct ft_answerer *a, const struct ft_model_record *record,
				const struct ft_size *size);

/* ft__request_known - up to which share of the way from one size, at the edge of what was measured, to
 * another one requests are known. Cost: some 20 predictions. */
enum ft_status ft__request_known(struct ft_answerer *answerer, const struct ft_resource *resource,
				 const struct ft_size *from, const struct ft_size *to, double *share,
				 struct ft_err *err);

/* ft__request_seen - the most that any run needed of a resource; NaN: not measured. */
double ft__request_seen(const struct ft_answerer *answerer, const struct ft_resource *resource);

/* ft__request_cpus - the processors that runs keep busy, the median over those of the nearest sizes; NaN: not
 * known. */
double ft__request_cpus(const struct ft_answerer *answerer, const struct ft_size *size);

/* ft__request_reached - the most memory that runs which were killed for it had reached, among those that
 * are not above `fixed` in any parameter but the varying one; NaN: not known. */
double ft__request_reached(const struct ft_runs *runs, const struct ft_resource *resource, size_t varying,
			   const struct ft_size *fixed);

#endif
