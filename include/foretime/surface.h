/* SPDX-License-Identifier: GPL-3.0-or-later */
/* surface.h - models over several parameters: from a size to a value with an interval.
 *
 * Knots may lie anywhere: on a grid, with holes in it, or scattered. Through them goes ln value (for a time,
 * ln of work / value) over the logarithms of the parameters: a plane (a power law), one function for each
 * parameter, and an interaction. Beyond the box of the knots, over two or three parameters, the laws of the
 * knots (law.h) share the answer. doc/models.md has the formulas.
 */
#ifndef FORETIME_SURFACE_H
#define FORETIME_SURFACE_H

#include "foretime/model.h"

FT_BEGIN_DECLS

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
	struct ft_change change; /* of ft_surface_fit_runs: older runs count for less */
	/* prepared for questions: */
	double *place;                      /* [n x n_axes] of the knots */
	double *noise;                      /* [n] of single runs there */
	struct ft__krig *krig;              /* NULL: too many knots, solved around each question */
	struct ft_surface_outlook *outlook; /* what was found beyond the box of the knots; NULL: no laws */
};

/* One sample; work 1 where none is known. */
struct ft_surface_observation {
	struct ft_size size;
	double work, value;
};

/* ft_surface_fit - a model of samples.
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
enum ft_status ft_surface_fit(struct ft_surface *out, const struct ft_surface_observation *observation,
			      size_t n, bool through_speed, struct ft_err *err);
void ft_surface_clear(struct ft_surface *surface); /* accepts NULL, and twice */

/* ft_surface_noise - how much single runs at one size scatter, as ft_model_noise: pooled over the sizes that
 * were repeated, without those that scatter five times more than the middle one; NaN when none was, or
 * without memory. */
double ft_surface_noise(const struct ft_surface *surface);

/* ft_surface_prepare - make a surface whose knots, kernel and inflation are filled in (by a store) ready
 * to answer. Returns FT_OK; FT_ENOMEM. */
enum ft_status ft_surface_prepare(struct ft_surface *surface, struct ft_err *err);

/* ft_surface_fit_runs - the surface of one resource of runs: of those that ended well and are no warm-up.
 * Where newer runs drifted away from older ones, out->change tells it, as with ft_model_fit_runs.
 *
 * program  its parameters and its work expression; without one the values themselves are modelled
 *
 * Returns FT_OK; FT_ENOMODEL: no such run has a value of the resource; FT_EINVAL: work not positive at some
 * size; FT_ENOMEM.
 */
enum ft_status ft_surface_fit_runs(struct ft_surface *out, const struct ft_program *program,
				   const struct ft_runs *runs, const char *resource, struct ft_err *err);

/* ft_runs_axes - the parameters in which the runs that ended well differ, for one resource (NULL: any).
 * axis  [FT_PARAMS_MAX] out, ascending. Returns their number. */
size_t ft_runs_axes(const struct ft_runs *runs, const char *resource, size_t *axis);

/* ft_surface_predict - the value at a size, with the interval that holds a share `confidence` of future
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
enum ft_status ft_surface_predict(const struct ft_surface *surface, const struct ft_size *size, double work,
				  double confidence, struct ft_prediction *out, struct ft_err *err);

FT_END_DECLS
#endif
