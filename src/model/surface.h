/* SPDX-License-Identifier: GPL-3.0-or-later */
/* surface.h - models over several parameters, as fitting, predicting and the table of models share them.
 *
 * Knots may lie anywhere: on a grid, with holes in it, or scattered. Through them goes ln value (for a time,
 * ln of work / value) over the logarithms of the parameters: a plane (a power law), one function for each
 * parameter, and an interaction. Beyond the box of the knots, over two or three parameters, the laws of the
 * knots (law.h) share the answer. doc/models.md has the formulas.
 */
#ifndef FT_MODEL_SURFACE_H
#define FT_MODEL_SURFACE_H

#include "foretime/model.h"
#include "model/outlook.h"

struct ft_surface_knot {
	struct ft_size size;
	double work;     /* at the size; 1 where none is known */
	double value;    /* median of the samples, unit of the resource */
	double scatter;  /* sum of squares of ln value about its mean */
	double residual; /* ln value less what all other knots say of it; NaN: not known */
	size_t runs;
};

/* How values at two sizes hang together. */
struct ft_kernel {
	double amplitude;   /* of the functions of one parameter, in ln value */
	double interaction; /* of their interaction, relative to it */
	double length;      /* over which they change, as a share of the range in ln size */
	int smooth;         /* 0 .. 2 */
};

struct ft__krig;
struct ft_surface_outlook;

struct ft_surface {
	bool through_speed; /* of work / value; else of the value */
	double offset;      /* errors are those of ln(value + offset); 0 unless some value is 0 */
	size_t n_params;
	size_t axis[FT_PARAMS_MAX]; /* [n_axes] the parameters that vary, ascending */
	size_t n_axes;
	double least[FT_PARAMS_MAX], most[FT_PARAMS_MAX]; /* [n_params] the box of the knots */
	struct ft_surface_knot *knot;                     /* [n] ascending by size, all different */
	size_t n;
	size_t runs;  /* all samples */
	double drift; /* standard deviation of ln value that visits at another time add to the scatter */
	struct ft_kernel kernel;
	double inflation;    /* leave-one-out errors, relative to what the kernel foretells */
	double stated_error; /* 95 % quantile over the region of the knots, as a share */
	bool rough;          /* stated_error over 15 % */
	bool rough_by_noise;
	/* prepared for questions: */
	double *place;                      /* [n x n_axes] of the knots */
	double *noise;                      /* [n] of single runs there */
	struct ft__krig *krig;              /* NULL: too many knots, solved around each question */
	struct ft_surface_outlook *outlook; /* what was found beyond the box of the knots, by whichever thread
					       asked first; NULL: no laws */
};

/* ft__surface_fit - a model of samples.
 *
 * observation    [n] in the order in which they were measured, sizes of one length; numbers finite,
 *                value >= 0, work > 0
 * through_speed  model work / value; values of 0 have no speed: the model is then direct
 * out            the caller's, ends with ft_surface_clear; cleared on failure
 *
 * Returns FT_OK; FT_EINVAL: a number out of bounds (its index in the text); FT_ENOMODEL: n = 0; FT_ENOMEM.
 * The order tells which runs of a size were made at another time, and what that adds (drift): intervals
 * depend on it, values hardly do. Cost O(k^3) for up to 200 sizes, then O(k).
 */
enum ft_status ft__surface_fit(struct ft_surface *out, const struct ft_observation *observation, size_t n,
			       bool through_speed, struct ft_err *err);
void ft__surface_clear(struct ft_surface *surface); /* accepts NULL, and twice */

/* ft__surface_pooled_noise - how much single runs at one size scatter: standard deviation of ln value,
 * pooled over the sizes that were repeated, without those that scatter five times more than the middle one;
 * NaN when none was; -1 without memory. */
double ft__surface_pooled_noise(const struct ft_surface *surface);

/* ft__surface_prepare - make a surface whose knots, kernel and inflation are filled in (by a store) ready
 * to answer. Returns FT_OK; FT_ENOMEM. */
enum ft_status ft__surface_prepare(struct ft_surface *surface, struct ft_err *err);

/* ft__surface_predict - the value at a size, with the interval that holds a share `confidence` of future
 * single runs. Exactly the knot's value at a knot.
 *
 * work        at the size; read only by surfaces through speed
 * confidence  0.5 .. 0.999
 *
 * FT_BASIS_BETWEEN: there are knots on all sides (weakly), or the size lies in their convex hull (of ln
 * size); else FT_BASIS_BEYOND, with the distance beyond the box of the knots (largest over the parameters),
 * or, inside it, to the nearest knot. prediction->runs counts the runs at the knots nearest to it, two for
 * each axis.
 *
 * Returns FT_OK; FT_EINVAL: a size or confidence out of bounds, no work where it is needed; FT_ENOMODEL: a
 * parameter that does not vary has another value than in the runs; FT_ENOMEM. Cost O(k^2); over 200 knots
 * O(64^3 + k); the first question in a direction beyond the box some ms, kept: a surface is asked by one
 * thread at a time.
 */
enum ft_status ft__surface_predict(const struct ft_surface *surface, const struct ft_size *size, double work,
				   double confidence, struct ft_prediction *out, struct ft_err *err);

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
enum ft_status ft__surface_fit_kernel(struct ft_surface *out, const struct ft_observation *observation,
				      size_t n, bool through_speed, const struct ft_kernel *kernel,
				      struct ft_err *err);

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
