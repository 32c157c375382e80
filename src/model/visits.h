/* SPDX-License-Identifier: GPL-3.0-or-later */
/* visits.h - what runs of one size at different times differ by, beside what runs of one visit do: an
 * analysis of variance with random effects. Runs with none at another size between them are one visit. */
#ifndef FT_MODEL_VISITS_H
#define FT_MODEL_VISITS_H

#include "foretime/model.h"

/* ft__visits_drift - variance of ln value that a run at another time adds to what those of its size scatter;
 * 0 where fewer than two sizes' worth of visits tell. measured [n] in the order of measurement. FT_ENOMEM. */
enum ft_status ft__visits_drift(const struct ft_observation *measured, size_t n, double offset, double *drift,
				struct ft_err *err);

#endif
