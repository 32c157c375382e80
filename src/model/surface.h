/* SPDX-License-Identifier: GPL-3.0-or-later */
/* surface.h - what fitting and predicting over several parameters share. */
#ifndef FT_MODEL_SURFACE_H
#define FT_MODEL_SURFACE_H

#include "model/kriging.h"
#include "model/outlook.h"

/* As many knots are solved at once; of more, so many around each question. */
enum { FT__SURFACE_WHOLE = 200, FT__SURFACE_NEAR = 64, FT__SURFACE_TUNE = 100 };

/* ft__surface_place - the coordinates of a size on the axes of a surface: ln size, the box of the knots being
 * 0 .. 1. Sizes of 0 and below are shifted to 1, as in a band. */
void ft__surface_place(const struct ft_surface *surface, const struct ft_size *size, double *x);

/* ft__surface_noise - standard deviation of ln value of single runs around a place, from repetitions there
 * and nearby (kernel exp(-distance / 0.3)), with one pseudo-observation of 1.5 %. freedom: out, may be NULL.
 */
double ft__surface_noise(const struct ft_surface *surface, const double *x, double *freedom);

/* ft__surface_find - the knot at a size; NULL: there is none. */
const struct ft_surface_knot *ft__surface_find(const struct ft_surface *surface, const struct ft_size *size);

/* ft__surface_contains - whether a size lies in the box of the knots. */
bool ft__surface_contains(const struct ft_surface *surface, const struct ft_size *size);

/* ft__surface_fit_kernel - ft_surface_fit with a kernel that is known (NULL: it is found); no error is
 * stated.
 */
enum ft_status ft__surface_fit_kernel(struct ft_surface *out,
				      const struct ft_surface_observation *observation, size_t n,
				      bool through_speed, const struct ft_kernel *kernel, struct ft_err *err);

/* ft__surface_krig - an interpolation of some knots of a surface, unsolved.
 * chosen  [n] knots */
enum ft_status ft__surface_krig(const struct ft_surface *s, const size_t *chosen, size_t n,
				struct ft__krig *krig, struct ft_err *err);

/* ft__surface_surrounded - whether there are knots on all sides of a place, weakly, or it lies in their
 * convex hull. */
bool ft__surface_surrounded(const struct ft_surface *surface, const double *x);

/* ft__surface_error - standard deviation of ln of what is said of a place, without the noise of a run. */
enum ft_status ft__surface_error(const struct ft_surface *surface, const double *x, double *y, double *sd,
				 struct ft_err *err);

/* ft__surface_outlook - room for what will be found beyond the knots, where there may be laws. */
enum ft_status ft__surface_outlook(struct ft_surface *surface, struct ft_err *err);
void ft__surface_outlook_free(struct ft_surface_outlook *outlook); /* accepts NULL */

/* ft__surface_beyond - what is said of a size outside of the box of the knots.
 *
 * guess  in: the interpolation carried on; out: with the laws' share
 * rate   in and out: how fast the error grows with ln of the distance
 */
enum ft_status ft__surface_beyond(const struct ft_surface *surface, const struct ft_size *size,
				  struct ft__guess *guess, double *rate, struct ft_err *err);

#endif
