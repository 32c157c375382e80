/* SPDX-License-Identifier: GPL-3.0-or-later */
/* change.h - whether newer samples lie systematically off what older ones say. */
#ifndef FT_MODEL_CHANGE_H
#define FT_MODEL_CHANGE_H

#include "foretime/model.h"

/* ft__change_settle - find the moment from which on samples are off, if there is one, and let the older ones
 * count for less: where a newer one has the same size they go, elsewhere they are moved by the shift.
 * Repeated, for there may be several changes; `change` tells the last one: shift and error of the newer by
 * the older, how many are newer, since when; 0: there is none.
 *
 * Nothing is told of samples without times, nor of sizes that do not interleave: the order of a file is not
 * that of time.
 *
 * observation  [*n] in and out; put into the order of time
 * options      of the model that will be made of them
 *
 * Returns FT_OK; FT_ENOMEM. Cost: up to 80 fits to parts of the samples, of at most 300 of them, for each
 * change and one more.
 */
enum ft_status ft__change_settle(struct ft_observation *observation, size_t *n,
				 const struct ft_model_options *options, struct ft_change *change,
				 struct ft_err *err);

#endif
