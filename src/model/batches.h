/* SPDX-License-Identifier: GPL-3.0-or-later */
/* batches.h - runs that were made together: what their level in common adds to the doubt about others. */
#ifndef FT_MODEL_BATCHES_H
#define FT_MODEL_BATCHES_H

#include "foretime/model.h"

/* ft__batches_find - batches of samples by the times, the nodes and the users of their runs, and how far
 * their levels lie apart.
 *
 * records  none of them is a benchmark of ours: of a single batch the stated deviation counts
 *
 * There are no batches of a kind where the time (node, user) of some run that ended is not known. The name of
 * a single node is the caller's to set. FT_ENOMEM. Cost O(n log n), of 20,000 samples at
 * most.
 */
enum ft_status ft__batches_find(const struct ft_observation *observation, size_t n, double offset,
				bool records, struct ft_batches *out, struct ft_err *err);

/* ft__batches_widen - a prediction as of runs of another batch. */
void ft__batches_widen(const struct ft_batches *batches, double offset, double confidence,
		       struct ft_prediction *p);

#endif
