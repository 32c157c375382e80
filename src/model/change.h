/* SPDX-License-Identifier: GPL-3.0-or-later */
/* change.h - whether newer samples lie systematically off what older ones say. */
#ifndef FT_MODEL_CHANGE_H
#define FT_MODEL_CHANGE_H

#include "foretime/model.h"

/* ft__change_find - the moment from which on samples are off, if there is one.
 *
 * observation  [n] in the order in which they were measured
 * drift        out: shift and error of the newer by the older; runs: how many are newer; 0: no drift
 *
 * Returns FT_OK; FT_ENOMEM. Cost: up to 80 fits to parts of the samples, of at most 300 of them.
 */
enum ft_status ft__change_find(const struct ft_observation *observation, size_t n, bool through_speed,
			       enum ft_join join, struct ft_change *drift, struct ft_err *err);

/* ft__change_settle - let old samples count for less: where a newer one has the same size they go, elsewhere
 * they are moved by the shift. Repeated, for there may be several drifts; `drift` tells the last one.
 *
 * observation, index  [*n] in and out; index goes with the observations
 */
enum ft_status ft__change_settle(struct ft_observation *observation, size_t *index, size_t *n,
				 bool through_speed, enum ft_join join, struct ft_change *drift,
				 struct ft_err *err);

#endif
