/* SPDX-License-Identifier: GPL-3.0-or-later */
/* band.h - what fitting and predicting share: a band's coordinate, its shapes, its noise. */
#ifndef FT_MODEL_BAND_H
#define FT_MODEL_BAND_H

#include "foretime/model.h"

/* Prior knowledge of noise: as if so many repetitions had shown this standard deviation. */
#define FT__PRIOR_NOISE   0.015
#define FT__PRIOR_FREEDOM 1

/* One end of a gap. at: the coordinate below; level: ln (value + offset). */
struct ft__end {
	double x, at, work, level;
};

/* ft__shape_level - ln (value + offset) that a shape gives between two ends.
 * work  at x; NaN: the power law through that of the ends. */
double ft__shape_level(enum ft_shape shape, const struct ft__end *a, const struct ft__end *b, double x,
		       double at, double work);

/* ft__band_x - the coordinate in which distances between sizes are judged: ln size, because the top half of
 * the cost lies in the top octave. Sizes of 0 and below are shifted to 1. ft__band_size is its inverse. */
double ft__band_x(const struct ft_model *model, double size);
double ft__band_size(const struct ft_model *model, double x);

/* ft__band_kernel - weight of what was seen at a distance d (of ft__band_x): exp(-|d| / (0.1 L)), L the whole
 * range. */
double ft__band_kernel(const struct ft_model *model, double d);

/* ft__band_noise - standard deviation of ln value of single runs around a size: what repetitions there and
 * nearby show, with one pseudo-observation of 1.5 %. freedom: out, degrees of freedom; may be NULL. Cost
 * O(k). */
double ft__band_noise(const struct ft_model *model, double size, double *freedom);

/* What single runs around a size scatter by: what repetitions tell, and what the residuals around may be of
 * it where these are few. */
struct ft__noise {
	double repeated, residual;
};

/* ft__band_noises - the standard deviations of ln value of the normal laws whose intervals are as wide as
 * those that hold a share `confidence` of single runs. Cost O(k). */
struct ft__noise ft__band_noises(const struct ft_model *model, double size, double confidence);

/* ft__band_run_noise - both together. Where no interval is asked for: FT__NOISE_SHARE. */
#define FT__NOISE_SHARE 0.9
double ft__band_run_noise(const struct ft_model *model, double size, double confidence);

/* ft__band_end - knot j as the end of a gap. */
struct ft__end ft__band_end(const struct ft_model *model, size_t j);

/* ft__band_work - volume of computation at x from knots i < j: the power law through them. */
double ft__band_work(const struct ft_model *model, size_t i, size_t j, double x);

/* ft__band_interval - fill lower and upper around out->value: sd is the standard deviation of
 * ln(value + offset) of one future run. */
void ft__band_interval(const struct ft_model *model, double sd, double confidence, struct ft_prediction *out);

/* ft__band_beyond - the prediction at x > 0 outside the knots. Returns FT_OK; FT_ENOMEM. Cost: two searches
 * for laws, a few ms, unless the outlook has been kept. */
enum ft_status ft__band_beyond(const struct ft_model *model, double x, double work, double confidence,
			       struct ft_prediction *out, struct ft_err *err);

void ft__outlook_free(struct ft_outlook *outlook); /* accepts NULL */

#endif
